//! The paper's propositions, and the definitions themselves, on random models.

use crate::support::dice::Dice;
use crate::support::systems::{Named, questioning, random};
use Projection::{Natural, Strong, Weak};
use desc::automaton::view::{GroupId, Observability, Observer, Projection, Symbol};
use desc::automaton::{Builder, EventId, StateId, StateSet};
use desc::model::{ClassId, Classes, Horizon, Property};
use desc::paper::algorithm::{self, MaximalK};
use desc::paper::estimate::{self, History};
use desc::paper::plant::Plant;
use desc::paper::{Budget, bound};
use desc::verdict::{Exposure, Finding};
use desc::verify::{Options, decide};
use num_bigint::BigUint;
use std::collections::BTreeSet;

const MODELS: u64 = 400;
const VIEWS: [Projection; 3] = [Natural, Strong, Weak];

#[test]
fn proposition_3_1_a_shorter_horizon_is_easier() {
    for seed in 0..MODELS {
        let system = random(seed);
        let holds = |projection, steps| {
            let budget = &mut Budget::unlimited();
            match projection {
                Strong => algorithm::strong(&system.automaton, &system.observer, steps, budget).unwrap(),
                _ => algorithm::weak(&system.automaton, &system.observer, steps, budget).unwrap(),
            }
        };
        for projection in [Strong, Weak] {
            let verdicts: Vec<bool> = (0..5).map(|steps| holds(projection, Some(steps))).collect();
            assert!(verdicts.windows(2).all(|pair| pair[0] || !pair[1]), "model {seed}, {projection}: {verdicts:?}");
            assert!(!holds(projection, None) || verdicts.iter().all(|&held| held), "model {seed}, {projection}");
        }
    }
}

#[test]
fn proposition_6_1_and_corollary_6_1_nothing_happens_beyond_the_bound() {
    for seed in 0..MODELS {
        let system = random(seed);
        for projection in VIEWS {
            let size = bound::size(system.view(projection));
            let Ok(size) = u32::try_from(&size) else { continue };
            let bound = BigUint::from(size) << size;
            let finding = system.decide(projection);
            if let Exposure::At(least) = finding.exposure {
                assert!(BigUint::from(least) <= bound, "model {seed}, {projection}");
            }
            assert!(BigUint::from(finding.saturation.unwrap()) <= bound, "model {seed}, {projection}");
        }
    }
}

#[test]
fn remark_3_2_weak_anonymity_implies_strong_anonymity() {
    let rank = |exposure: Option<u64>| exposure.unwrap_or(u64::MAX);
    let mut strict = 0;
    for seed in 0..MODELS {
        let system = random(seed);
        let [natural, strong, weak] = VIEWS.map(|projection| rank(system.exposure(projection)));
        assert!(natural <= weak && weak <= strong, "model {seed}: {natural} {weak} {strong}");
        strict += u32::from(weak < strong);
    }
    assert!(strict > 0, "the converse fails, as example 3.3 says");
}

#[test]
fn the_size_of_the_augmented_system_is_the_formula_when_everything_is_possible() {
    for (n_states, n_events) in [(1, 1), (2, 2), (3, 3), (2, 4)] {
        let mut builder = Builder::new(n_states, n_events);
        for (source, event, target) in
            (0..n_states).flat_map(|s| (0..n_events).flat_map(move |e| (0..n_states).map(move |t| (s, e, t))))
        {
            builder.transition(StateId::from_index(source), EventId::from_index(event), StateId::from_index(target));
        }
        (0..n_states).for_each(|state| builder.initial(StateId::from_index(state)));
        let automaton = builder.freeze();
        let observer = Observer::new(vec![Observability::Anonymous(GroupId(0)); n_events]);
        let system = Named { automaton, observer, states: Vec::new(), events: Vec::new() };
        let view = system.view(Weak);
        let plant = Plant::new(view, &mut Budget::unlimited()).unwrap();
        assert_eq!(bound::size(view), BigUint::from(plant.len()));
    }
}

#[test]
fn the_bounds_of_the_case_study() {
    let g = questioning();
    assert_eq!(bound::bound(g.view(Strong)), "4608", "9 * 2^9");
    assert_eq!(bound::size(g.view(Weak)), BigUint::from(9u32 * 326));
    assert_eq!(bound::bound(g.view(Weak)), "2934*2^2934");
}

#[test]
fn algorithm_3_is_the_largest_k_that_algorithms_1_and_2_accept() {
    for seed in 0..MODELS {
        let system = random(seed);
        for projection in [Strong, Weak] {
            let budget = &mut Budget::unlimited();
            let maximal = algorithm::maximal(system.view(projection), budget).unwrap();
            let mut holds = |steps| match projection {
                Strong => algorithm::strong(&system.automaton, &system.observer, steps, budget).unwrap(),
                _ => algorithm::weak(&system.automaton, &system.observer, steps, budget).unwrap(),
            };
            match maximal {
                MaximalK::Infinite => assert!(holds(None)),
                MaximalK::NotAny => assert!(!holds(Some(0))),
                MaximalK::Steps(k) => assert!(holds(Some(k)) && !holds(Some(k + 1)), "model {seed}, {projection}"),
            }
        }
    }
}

/// All observations up to a length that some run shows.
fn observations(system: &Named, projection: Projection, longest: usize) -> Vec<Vec<Symbol>> {
    let view = system.view(projection);
    let plant = Plant::new(view, &mut Budget::unlimited()).unwrap();
    let mut all = vec![Vec::new()];
    let mut at = 0;
    while at < all.len() {
        let shorter: Vec<Symbol> = all[at].clone();
        for &sign in plant.alphabet() {
            let longer = [shorter.as_slice(), &[sign]].concat();
            if longer.len() <= longest && !History::new(view, &longer).estimate(longer.len()).is_empty() {
                all.push(longer);
            }
        }
        at += 1;
    }
    all
}

/// The properties that are tried on a model.
fn properties(system: &Named, dice: &mut Dice) -> Vec<(Property, Horizon)> {
    let n_states = system.automaton.n_states();
    let of = (0..n_states).map(|_| ClassId(dice.below(3) as u32)).collect();
    let names = ["first", "second", "third"].map(str::to_owned).to_vec();
    let classes = Classes { of, names, subject: None };
    let secret: StateSet = system.automaton.states().filter(|_| dice.below(2) == 0).collect();
    vec![
        (Property::Anonymity { among: 2, classes: None, except: None }, Horizon::Infinite),
        (Property::Anonymity { among: 3, classes: None, except: None }, Horizon::Infinite),
        (Property::Anonymity { among: 2, classes: Some(classes.clone()), except: None }, Horizon::Infinite),
        (Property::Anonymity { among: 3, classes: Some(classes), except: None }, Horizon::Infinite),
        (Property::Opacity { secret: secret.clone() }, Horizon::Infinite),
        (Property::Opacity { secret }, Horizon::Initial),
    ]
}

fn is_exposed(property: &Property, estimate: &StateSet) -> bool {
    match property {
        _ if estimate.is_empty() => false,
        Property::Opacity { secret } => estimate.iter().all(|state| secret.contains(state)),
        Property::Anonymity { among, classes, .. } => {
            let class = |state: StateId| classes.as_ref().map_or(state.0, |classes| classes.of[state.index()].0);
            estimate.iter().map(class).collect::<BTreeSet<u32>>().len() < *among as usize
        }
        _ => panic!("no question of these laws"),
    }
}

/// The least |β| that exposes among observations of at most this length, by the definition.
fn least_exposure(system: &Named, projection: Projection, property: &Property, horizon: Horizon) -> Option<u64> {
    let view = system.view(projection);
    let seen = observations(system, projection, 4);
    let exposures = seen.iter().flat_map(|observation| {
        let history = History::new(view, observation);
        let instants = if horizon == Horizon::Initial { 0..=0 } else { 0..=observation.len() };
        instants.filter_map(move |at| {
            let estimate = if horizon == Horizon::Initial { history.initial(view) } else { history.delayed(at) };
            is_exposed(property, &estimate).then_some((observation.len() - at) as u64)
        })
    });
    exposures.min()
}

#[test]
fn theorems_4_1_and_4_2_the_composition_decides_the_definition() {
    for seed in 0..150 {
        let system = random(seed);
        for (property, horizon) in properties(&system, &mut Dice::new(seed + 1)) {
            for projection in VIEWS {
                let finding = system.decide_property(projection, &property, horizon);
                let brute = least_exposure(&system, projection, &property, horizon);
                agree(&finding, brute, &format!("model {seed}, {projection}, {property:?}, {horizon:?}"));
                witness_replays(&system, projection, &finding, horizon);
            }
        }
    }
}

#[test]
fn the_engine_and_the_paper_agree_on_every_kind_of_check() {
    let (mut exposed, mut safe) = (0, 0);
    for seed in 0..600 {
        let system = random(seed);
        for (property, horizon) in properties(&system, &mut Dice::new(seed + 7)) {
            for projection in VIEWS {
                let view = system.view(projection);
                let engine = decide(&view, &property, horizon, &Options::default());
                let literal = system.decide_property(projection, &property, horizon);
                assert_eq!(engine.fault, None, "model {seed}, {projection}, {property:?}, {horizon:?}");
                assert_eq!(engine.exposure, literal.exposure, "model {seed}, {projection}, {property:?}, {horizon:?}");
                witness_replays(&system, projection, &engine, horizon);
                match literal.exposure {
                    Exposure::At(_) => exposed += 1,
                    _ => safe += 1,
                }
            }
        }
    }
    assert!(exposed > 1000 && safe > 1000, "both answers occur often: {exposed} and {safe}");
}

/// The definition was tried on short observations only: it may miss a distant exposure, not a near one.
fn agree(finding: &Finding, brute: Option<u64>, context: &str) {
    match (finding.exposure, brute) {
        (Exposure::At(least), Some(brute)) => assert!(least <= brute, "{context}: {least} against {brute}"),
        (Exposure::At(_) | Exposure::Never, None) => {}
        (other, brute) => panic!("{context}: {other:?} against {brute:?}"),
    }
}

/// A witness is what it says: it shows k steps after the instant, its run is a run, and its estimate is exposed.
fn witness_replays(system: &Named, projection: Projection, finding: &Finding, horizon: Horizon) {
    let Exposure::At(least) = finding.exposure else {
        assert!(finding.witness.is_none());
        return;
    };
    let witness = finding.witness.as_ref().unwrap();
    let view = system.view(projection);
    assert_eq!(witness.observation.len() - witness.at, least as usize);
    assert_eq!(view.project(&witness.run.events), witness.observation);
    assert!(system.automaton.initial().contains(&witness.run.states[0]));
    for (at, &event) in witness.run.events.iter().enumerate() {
        let found = system.automaton.find(witness.run.states[at], event, witness.run.states[at + 1]);
        assert!(found.is_some());
    }
    assert!(is_exposed(&finding.property, &witness.exposed));
    if horizon != Horizon::Initial {
        let delayed = estimate::delayed(view, &witness.observation, witness.at);
        assert_eq!(delayed, witness.exposed, "{projection} {witness:?} {:?} {:?}", system.automaton, system.observer);
    }
}

#[test]
fn definition_2_1_estimates_are_what_the_runs_say() {
    for seed in 0..60 {
        let system = random(seed);
        for projection in VIEWS {
            let runs = runs(&system, 5);
            for observation in observations(&system, projection, 2) {
                let history = History::new(system.view(projection), &observation);
                for at in 0..=observation.len() {
                    let by_runs = estimate_by_runs(&system, projection, &runs, &observation, at);
                    let delayed = history.delayed(at);
                    assert!(by_runs.iter().all(|&state| delayed.contains(state)), "model {seed}, {projection}");
                    let short = system
                        .observer
                        .observabilities()
                        .iter()
                        .all(|&observability| observability != Observability::Silent);
                    assert!(!short || by_runs.len() == delayed.len(), "model {seed}, {projection}: {observation:?}");
                }
            }
        }
    }
}

type States = Vec<StateId>;

/// All runs of at most this many events.
fn runs(system: &Named, longest: usize) -> Vec<(States, Vec<EventId>)> {
    let mut all: Vec<(States, Vec<EventId>)> =
        system.automaton.initial().iter().map(|&state| (vec![state], Vec::new())).collect();
    let mut at = 0;
    while at < all.len() && all.len() < 20_000 {
        let (states, events) = all[at].clone();
        if events.len() < longest {
            for step in system.automaton.steps(*states.last().unwrap()) {
                all.push(([&states[..], &[step.target]].concat(), [&events[..], &[step.event]].concat()));
            }
        }
        at += 1;
    }
    all
}

/// The states at which a run showing the whole observation has shown just its first `at` signs.
fn estimate_by_runs(
    system: &Named,
    projection: Projection,
    runs: &[(States, Vec<EventId>)],
    observation: &[Symbol],
    at: usize,
) -> BTreeSet<StateId> {
    let view = system.view(projection);
    let mut found = BTreeSet::new();
    for (states, events) in runs.iter().filter(|(_, events)| view.project(events) == observation) {
        for (instant, &state) in states.iter().enumerate() {
            if view.project(&events[..instant]).len() == at {
                found.insert(state);
            }
        }
    }
    found
}
