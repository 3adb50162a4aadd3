//! Playing the intruder agrees with the definitions: estimates, delayed estimates, exposures, and the way to the nearest of them.

use crate::support::dice::Dice;
use crate::support::random::{Case, case};
use desc::automaton::view::{Projection, Symbol};
use desc::automaton::{StateId, StateSet};
use desc::explore::{Explorer, Goal};
use desc::model::{Horizon, Property};
use desc::paper::estimate::History;
use desc::resources::Resources;
use desc::verdict::Exposure;
use desc::verify::{Options, Tuning, decide_with};
use std::sync::Arc;

/// How many random models, and the most signs of a walk.
const CASES: u64 = 160;
const SIGNS: usize = 4;

fn goal(case: &Case, horizon: Horizon) -> Goal {
    Goal { property: case.property.clone(), horizon: if case.initial { Horizon::Initial } else { horizon } }
}

/// Sees random signs, and tells what stands at each observation.
fn walk(case: &Case, goal: &Goal, seed: u64, mut told: impl FnMut(&mut Explorer<'_>)) {
    let mut monitor = Resources::default().monitor();
    let automaton = Arc::new(case.automaton.clone());
    let mut explorer = Explorer::new(&automaton, &case.observer, case.projection, goal, &mut monitor).unwrap();
    let mut dice = Dice::new(seed);
    for _ in 0..SIGNS {
        told(&mut explorer);
        let next = explorer.next(&mut monitor).unwrap();
        if next.is_empty() {
            return;
        }
        let sign = next[dice.below(next.len())].sign;
        assert!(explorer.see(sign, &mut monitor).unwrap());
    }
    told(&mut explorer);
}

/// The instants that an observation exposes, by the definitions.
fn exposed(case: &Case, goal: &Goal, observation: &[Symbol]) -> Vec<usize> {
    let derived = case.derived();
    let history = History::new(derived.view(), observation);
    let Property::Opacity { secret } = &derived.property else {
        return exposed_classes(case, goal, &history, observation);
    };
    let inside = |set: &StateSet| !set.is_empty() && set.iter().all(|state| secret.contains(state));
    let starts = || history.initial(derived.view());
    match goal.horizon {
        Horizon::Initial => (0..1).filter(|_| inside(&starts())).collect(),
        _ => instants(goal, observation).filter(|&at| inside(&history.delayed(at))).collect(),
    }
}

fn exposed_classes(case: &Case, goal: &Goal, history: &History, observation: &[Symbol]) -> Vec<usize> {
    let Property::Anonymity { among, classes, except } = &case.property else { unreachable!() };
    let class = |state: StateId| classes.as_ref().map_or(state.0, |classes| classes.of[state.index()].0);
    let all = || case.automaton.states();
    let counts = |state: StateId| {
        let outside = |other: StateId| !except.as_ref().is_some_and(|except| except.contains(other));
        all().any(|other| class(other) == class(state) && outside(other))
    };
    let is_exposed = |set: StateSet| {
        let found: std::collections::BTreeSet<u32> = set.iter().map(class).collect();
        !found.is_empty() && found.len() < *among as usize && set.iter().all(counts)
    };
    instants(goal, observation).filter(|&at| is_exposed(history.delayed(at))).collect()
}

fn instants(goal: &Goal, observation: &[Symbol]) -> std::ops::RangeInclusive<usize> {
    let end = observation.len();
    match goal.horizon {
        Horizon::Steps(most) => end.saturating_sub(most as usize)..=end,
        _ => 0..=end,
    }
}

#[test]
fn what_an_explorer_says_of_every_instant_is_the_paper_s_delayed_estimate() {
    let mut monitor = Resources::default().monitor();
    for seed in 0..CASES {
        let case = case(seed);
        walk(&case, &goal(&case, Horizon::Infinite), seed, |explorer| {
            let observation = explorer.observation().to_vec();
            let history = History::new(case.view(), &observation);
            assert_eq!(explorer.estimate(), history.estimate(observation.len()), "seed {seed}: {observation:?}");
            let delayed: Vec<StateSet> = (0..=observation.len()).map(|at| history.delayed(at)).collect();
            assert_eq!(explorer.delayed(&mut monitor).unwrap(), delayed, "seed {seed}: {observation:?} {case:#?}");
        });
    }
}

#[test]
fn the_signs_that_can_come_next_are_those_that_leave_a_state_possible() {
    let mut monitor = Resources::default().monitor();
    for seed in 0..CASES {
        let case = case(seed);
        walk(&case, &goal(&case, Horizon::Infinite), seed, |explorer| {
            let observation = explorer.observation().to_vec();
            let mut left = signs(&case);
            for next in explorer.next(&mut monitor).unwrap() {
                let then = [observation.clone(), vec![next.sign]].concat();
                let history = History::new(case.view(), &then);
                assert_eq!(next.remain, history.estimate(then.len()).len(), "seed {seed}: {then:?}");
                left.retain(|sign| *sign != next.sign);
            }
            for sign in left {
                let then = [observation.clone(), vec![sign]].concat();
                assert!(History::new(case.view(), &then).estimate(then.len()).is_empty(), "seed {seed}: {then:?}");
            }
        });
    }
}

/// Every sign that the view can show.
fn signs(case: &Case) -> Vec<Symbol> {
    let groups = (0..case.observer.n_groups() as u32).map(desc::automaton::view::GroupId);
    let events = case.automaton.events().map(Symbol::Event);
    match case.projection {
        Projection::Natural => events.collect(),
        Projection::Strong => events.chain(groups.map(Symbol::Group)).collect(),
        Projection::Weak => {
            let numbered = groups
                .flat_map(|group| (1..=case.observer.n_numbers(group) as u32).map(move |n| Symbol::Nth(group, n)));
            events.chain(numbered).collect()
        }
    }
}

#[test]
fn a_sign_exposes_what_the_definition_says() {
    let mut monitor = Resources::default().monitor();
    let mut met = 0;
    for seed in 0..CASES {
        let case = case(seed);
        for horizon in [Horizon::Steps(0), Horizon::Steps(1), Horizon::Infinite] {
            let goal = goal(&case, horizon);
            walk(&case, &goal, seed, |explorer| {
                let observation = explorer.observation().to_vec();
                assert_eq!(
                    explorer.exposes(&mut monitor).unwrap(),
                    exposed(&case, &goal, &observation),
                    "seed {seed} {case:#?}"
                );
                for next in explorer.next(&mut monitor).unwrap() {
                    let then = [observation.clone(), vec![next.sign]].concat();
                    assert_eq!(next.exposes, exposed(&case, &goal, &then), "seed {seed}: {then:?} {case:#?}");
                    met += next.exposes.len();
                }
            });
        }
    }
    assert!(met > 60, "{met} exposures were met");
}

#[test]
fn there_is_a_way_to_an_exposure_from_the_start_iff_the_check_is_violated() {
    let mut monitor = Resources::default().monitor();
    let mut ways = 0;
    for seed in 0..CASES {
        let case = case(seed);
        let goal = goal(&case, Horizon::Infinite);
        let finding = decide_with(&case.view(), &case.property, goal.horizon, &Options::default(), Tuning::default());
        let automaton = Arc::new(case.automaton.clone());
        let mut explorer = Explorer::new(&automaton, &case.observer, case.projection, &goal, &mut monitor).unwrap();
        let way = explorer.nearest(&mut monitor).unwrap();
        assert_eq!(way.is_some(), matches!(finding.exposure, Exposure::At(_)), "seed {seed} {case:#?}");
        let Some(way) = way else { continue };
        ways += 1;
        assert!(!exposed(&case, &goal, &way).is_empty(), "seed {seed}: {way:?}");
        way.iter().for_each(|&sign| assert!(explorer.see(sign, &mut monitor).unwrap()));
        assert_eq!(explorer.nearest(&mut monitor).unwrap(), Some(Vec::new()), "it is there");
    }
    assert!(ways > 30, "{ways}");
}

#[test]
fn no_way_to_an_exposure_is_shorter() {
    let mut monitor = Resources::default().monitor();
    for seed in 0..CASES {
        let case = case(seed);
        for horizon in [Horizon::Steps(1), Horizon::Infinite] {
            let goal = goal(&case, horizon);
            walk(&case, &goal, seed, |explorer| {
                let Some(way) = explorer.nearest(&mut monitor).unwrap() else { return };
                let length = way.len().min(3);
                let shortest = (0..=length).find(|&signs| some_exposes(explorer, &case, &goal, signs));
                match shortest {
                    Some(shortest) => assert_eq!(way.len(), shortest, "seed {seed} {way:?} {case:#?}"),
                    None => assert!(way.len() > length, "seed {seed} {way:?} {case:#?}"),
                }
            });
        }
    }
}

/// Whether some way of this many signs leads to an exposure.
fn some_exposes(explorer: &mut Explorer<'_>, case: &Case, goal: &Goal, signs: usize) -> bool {
    let mut monitor = Resources::default().monitor();
    if signs == 0 {
        return !exposed(case, goal, explorer.observation()).is_empty();
    }
    explorer.next(&mut monitor).unwrap().iter().any(|next| {
        assert!(explorer.see(next.sign, &mut monitor).unwrap());
        let found = some_exposes(explorer, case, goal, signs - 1);
        explorer.back();
        found
    })
}

#[test]
fn another_intruder_may_have_seen_what_the_runs_show_them() {
    let mut monitor = Resources::default().monitor();
    let mut compared = 0;
    for seed in 0..CASES {
        let case = case(seed);
        let goal = goal(&case, Horizon::Infinite);
        let automaton = Arc::new(case.automaton.clone());
        for projection in [Projection::Natural, Projection::Strong, Projection::Weak] {
            walk(&case, &goal, seed, |explorer| {
                let other = (&case.observer, projection);
                let found = explorer.compare(&automaton, other, &goal, 500, &mut monitor).unwrap();
                let mut seen: Vec<Vec<Symbol>> = found.rows.iter().map(|row| row.observation.clone()).collect();
                seen.sort();
                if !found.cut {
                    compared += 1;
                    assert_eq!(seen, shown_by_runs(&case, explorer.observation(), projection), "seed {seed} {case:#?}");
                }
            });
        }
    }
    assert!(compared > 250, "{compared}");
}

/// What the runs that show an observation show under another projection: by trying every string that is not too long.
fn shown_by_runs(case: &Case, observation: &[Symbol], projection: Projection) -> Vec<Vec<Symbol>> {
    use std::collections::BTreeSet;
    let other = desc::automaton::view::View { projection, ..case.view() };
    let mut shown = BTreeSet::new();
    // WHY a set of (state, what both see): strings are endless where events are unobservable, what they show is not.
    type Seen = (StateId, Vec<Symbol>, Vec<Symbol>, Vec<desc::automaton::EventId>);
    let mut open: Vec<Seen> =
        case.automaton.initial().iter().map(|&state| (state, Vec::new(), Vec::new(), Vec::new())).collect();
    let mut known: BTreeSet<(StateId, Vec<Symbol>, Vec<desc::automaton::EventId>)> = BTreeSet::new();
    while let Some((state, first, second, events)) = open.pop() {
        if !observation.starts_with(&first) {
            continue;
        }
        if first.len() == observation.len() {
            shown.insert(second.clone());
        }
        for step in case.automaton.steps(state) {
            let mut longer = events.clone();
            if case.observer.observability(step.event) != desc::automaton::view::Observability::Silent {
                longer.push(step.event);
            }
            if known.insert((step.target, case.view().project(&longer), longer.clone())) {
                open.push((step.target, case.view().project(&longer), other.project(&longer), longer));
            }
        }
    }
    shown.into_iter().collect()
}
