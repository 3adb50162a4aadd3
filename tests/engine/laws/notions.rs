//! What implies what, for anonymity `except` a set, opacity throughout and initial-final opacity.

use super::{engine, exposure, literature, steps};
use crate::support::dice::Dice;
use crate::support::notions::by_age;
use crate::support::oracle::Distance;
use crate::support::random::{Case, case, cases};
use desc::automaton::view::{Observability, Observer, Projection, View};
use desc::automaton::{Automaton, Builder, EventId, StateId, StateSet};
use desc::model::{Horizon, Property};
use desc::verdict::Exposure;
use desc::verify::{Method, Options, Tuning, decide, decide_with};

/// The distance of another property of a case.
fn of(case: &Case, property: Property) -> u64 {
    steps(exposure(&Case { property, initial: false, ..case.clone() }))
}

fn some(case: &Case, dice: &mut Dice, percent: usize) -> StateSet {
    case.automaton.states().filter(|_| dice.chance(percent)).collect()
}

fn all(case: &Case) -> StateSet {
    case.automaton.states().collect()
}

fn union(one: &StateSet, other: &StateSet) -> StateSet {
    one.iter().chain(other.iter()).collect()
}

fn opacity(secret: &StateSet) -> Property {
    Property::Opacity { secret: secret.clone() }
}

fn throughout(secret: &StateSet) -> Property {
    Property::Throughout { secret: secret.clone() }
}

#[test]
fn throughout_implies_opacity_and_grows_weaker_with_fewer_secret_states() {
    let mut apart = 0;
    for seed in 0..cases() / 4 {
        let case = case(seed);
        let mut dice = Dice::new(seed ^ 0x7406);
        let (few, more) = (some(&case, &mut dice, 20), some(&case, &mut dice, 20));
        let [whole, instant] = [throughout(&few), opacity(&few)].map(|property| of(&case, property));
        assert!(whole <= instant, "seed {seed}: {whole} {instant} {case:#?}");
        apart += usize::from(whole < instant);
        assert!(of(&case, throughout(&union(&few, &more))) <= whole, "seed {seed}: {case:#?}");
    }
    assert!(apart > 50, "{apart}");
}

/// No silent event: a run is in one state after its last label, so nothing tells the two apart at 0 steps.
#[test]
fn throughout_is_opacity_at_zero_steps_if_every_event_is_seen() {
    let mut exposed = 0;
    for seed in 0..cases() / 4 {
        let case = case(seed);
        let seen = case.observer.observabilities().iter().map(|&observability| match observability {
            Observability::Silent => Observability::Visible,
            seen => seen,
        });
        let case = Case { observer: Observer::new(seen.collect()), ..case };
        let secret = some(&case, &mut Dice::new(seed ^ 0x0B5E), 30);
        let [whole, instant] = [throughout(&secret), opacity(&secret)].map(|property| of(&case, property) == 0);
        assert_eq!(whole, instant, "seed {seed}: {case:#?}");
        exposed += usize::from(whole);
    }
    assert!(exposed > 50, "{exposed}");
}

/// A secret that is never left: a run was in it since α iff it is in it now.
#[test]
fn throughout_is_current_state_opacity_of_a_secret_that_is_never_left() {
    let mut exposed = [0; 2];
    for seed in 0..cases() / 4 {
        let case = case(seed);
        let mut secret = some(&case, &mut Dice::new(seed ^ 0x1EF7), 15);
        loop {
            let targets = secret.iter().flat_map(|state| case.automaton.steps(state)).map(|step| step.target);
            let closed: StateSet = secret.iter().chain(targets).collect();
            if closed == secret {
                break;
            }
            secret = closed;
        }
        let whole = of(&case, throughout(&secret));
        assert_eq!(whole == 0, of(&case, opacity(&secret)) == 0, "seed {seed}: {case:#?}");
        assert!(whole == 0 || whole == u64::MAX, "seed {seed}: {whole} {case:#?}");
        exposed[usize::from(whole == 0)] += 1;
    }
    assert!(exposed.iter().all(|&models| models > 100), "{exposed:?}");
}

#[test]
fn a_larger_exception_exposes_later_and_an_exception_of_all_but_one_state_is_its_opacity() {
    let mut apart = 0;
    for seed in 0..cases() / 4 {
        let case = case(seed);
        let Property::Anonymity { among, classes, .. } = case.property.clone() else { continue };
        let mut dice = Dice::new(seed ^ 0xE8CE);
        let except =
            |except: Option<StateSet>| of(&case, Property::Anonymity { among, classes: classes.clone(), except });
        let (few, more) = (some(&case, &mut dice, 40), some(&case, &mut dice, 40));
        let distances =
            [except(None), except(Some(few.clone())), except(Some(union(&few, &more))), except(Some(all(&case)))];
        assert!(distances.is_sorted(), "seed {seed}: {distances:?} {case:#?}");
        assert_eq!(distances[3], u64::MAX, "seed {seed}: {case:#?}");
        assert_eq!(except(Some(StateSet::default())), distances[0], "seed {seed}: {case:#?}");
        apart += usize::from(distances[0] < distances[1]);
        let one = StateId::from_index(dice.below(case.automaton.n_states()));
        let others = case.automaton.states().filter(|&state| state != one).collect();
        let alone = of(&case, Property::Anonymity { among, classes: None, except: Some(others) });
        assert_eq!(alone, of(&case, opacity(&[one].into_iter().collect())), "seed {seed}: {one:?} {case:#?}");
    }
    assert!(apart > 50, "{apart}");
}

#[test]
fn initial_final_opacity_is_opacity_of_the_ends_or_of_the_start_if_the_other_says_nothing() {
    let mut exposed = [0; 2];
    for seed in 0..cases() / 4 {
        let case = case(seed);
        let mut dice = Dice::new(seed ^ 0x1F1A);
        let (from, to) = (some(&case, &mut dice, 50), some(&case, &mut dice, 40));
        let between =
            |from: &StateSet, to: &StateSet| of(&case, Property::InitialFinal { from: from.clone(), to: to.clone() });
        assert_eq!(between(&all(&case), &to), of(&case, opacity(&to)), "seed {seed}: {case:#?}");
        let initial = Case { property: opacity(&from), initial: true, ..case.clone() };
        let of_start = exposure(&initial) != Exposure::Never;
        assert_eq!(between(&from, &all(&case)) == 0, of_start, "seed {seed}: {case:#?}");
        exposed[usize::from(of_start)] += 1;
        let both = between(&from, &to);
        assert!(both >= of(&case, opacity(&to)), "seed {seed}: {case:#?}");
        assert!(of_start || both == u64::MAX, "seed {seed}: {case:#?}");
    }
    assert!(exposed.iter().all(|&models| models > 100), "{exposed:?}");
}

fn automaton(n_states: usize, initial: &[u32], edges: &[(u32, u32, u32)]) -> Automaton {
    let mut builder = Builder::new(n_states, 2);
    initial.iter().for_each(|&state| builder.initial(StateId(state)));
    for &(source, event, target) in edges {
        builder.transition(StateId(source), EventId(event), StateId(target));
    }
    builder.freeze()
}

/// 0 -a-> 1 -u-> 2 with 1 secret: the only run passes 1 and is in 2 unseen. To close under silent moves first, and to
/// take the secret states away afterwards, would leave 2.
#[test]
fn a_run_that_passed_a_secret_state_silently_has_not_avoided_it() {
    let automaton = automaton(3, &[0], &[(0, 0, 1), (1, 1, 2)]);
    let observer = Observer::new(vec![Observability::Visible, Observability::Silent]);
    let view = View { automaton: &automaton, observer: &observer, projection: Projection::Natural };
    let secret: StateSet = [StateId(1)].into_iter().collect();
    let found = |property: &Property| decide(&view, property, Horizon::Infinite, &Options::default());
    assert_eq!(found(&opacity(&secret)).exposure, Exposure::Never);
    let whole = found(&throughout(&secret));
    assert_eq!(whole.exposure, Exposure::At(0));
    let witness = whole.witness.expect("it is exposed");
    assert_eq!((witness.at, witness.observation.len()), (1, 1));
    assert_eq!(witness.exposed, [StateId(1), StateId(2)].into_iter().collect());
}

/// The smallest models in which the weaker property holds and the stronger one does not.
#[test]
fn except_and_initial_final_opacity_imply_nothing_stronger() {
    let observer = Observer::new(vec![Observability::Visible, Observability::Silent]);
    let distance = |automaton: &Automaton, property: &Property, horizon: Horizon| {
        let view = View { automaton, observer: &observer, projection: Projection::Natural };
        let finding = decide(&view, property, horizon, &Options::default());
        assert_eq!(finding.fault, None);
        steps(finding.exposure)
    };
    let set = |states: &[u32]| -> StateSet { states.iter().copied().map(StateId).collect() };
    let between = Property::InitialFinal { from: set(&[0]), to: set(&[2]) };
    // Only 0 can do a: the start is known, the end is 2 or 3.
    let ends_hide = automaton(4, &[0, 1], &[(0, 0, 2), (0, 0, 3)]);
    assert_eq!(distance(&ends_hide, &between, Horizon::Steps(0)), u64::MAX);
    assert_ne!(distance(&ends_hide, &opacity(&set(&[0])), Horizon::Initial), u64::MAX);
    // Both starts lead to 2: the end is known, the start is not.
    let starts_hide = automaton(3, &[0, 1], &[(0, 0, 2), (1, 0, 2)]);
    assert_eq!(distance(&starts_hide, &between, Horizon::Steps(0)), u64::MAX);
    assert_eq!(distance(&starts_hide, &opacity(&set(&[2])), Horizon::Steps(0)), 0);
    // The start is known, and nothing after it.
    let start_known = automaton(3, &[0], &[(0, 0, 1), (0, 0, 2)]);
    let except = |except: Option<StateSet>| Property::Anonymity { among: 2, classes: None, except };
    assert_eq!(distance(&start_known, &except(None), Horizon::Infinite), 0);
    assert_eq!(distance(&start_known, &except(Some(set(&[0]))), Horizon::Infinite), u64::MAX);
}

#[test]
fn the_figures_of_falcone_and_marchand_have_their_distances_throughout() {
    let expected = [
        ("Falcone 2013, figure 2a", Some(0)),
        ("Falcone 2013, figure 2b", Some(2)),
        ("Falcone 2015, figure 2c", Some(1)),
        // Published as strongly 1-step opaque: after `a b a c` both runs were in a secret state, one observation late.
        ("Falcone 2015, figure 2d", Some(1)),
        ("Falcone 2015, figure 2e", Some(0)),
    ];
    let mut met = 0;
    for model in literature::models() {
        let observer = Observer::new(model.observabilities.clone());
        let view = View { automaton: &model.automaton, observer: &observer, projection: Projection::Natural };
        let property = throughout(&model.secret);
        let finding = decide_with(&view, &property, Horizon::Infinite, &Options::default(), Tuning::default());
        assert_eq!(finding.fault, None);
        let least = match finding.exposure {
            Exposure::At(least) => Some(least),
            _ => None,
        };
        let by_age = by_age(&view, &model.secret, 10_000);
        assert_eq!(least.map_or(Distance::Never, Distance::At), by_age, "{}", model.name);
        if let Some((_, expected)) = expected.iter().find(|(name, _)| *name == model.name) {
            assert_eq!(least, *expected, "{}", model.name);
            met += 1;
        }
    }
    assert_eq!(met, expected.len());
}

/// The whole path of the evidence: every witness is replayed, every proof checked, by each way of searching.
#[test]
fn every_way_of_searching_gives_the_same_evidence() {
    for seed in 2_000_000..2_000_000 + cases() / 2 {
        let case = case(seed);
        if case.property.has_exposed_sets() {
            continue;
        }
        let all = Tuning::default();
        let found = engine(&case, all).exposure;
        let ways = [
            Tuning { forward: false, backward: false, ..all },
            Tuning { forward: false, two_way: false, ..all },
            Tuning { quotient_from: 0, probe_work: 0, ..all },
            Tuning { cells_after: 0, probe_work: 0, ..all },
            Tuning { strong_first: false, two_way: false, backward: false, ..all },
        ];
        for tuning in ways {
            assert_eq!(found, engine(&case, tuning).exposure, "{tuning:?}, seed {seed}: {case:#?}");
        }
    }
}

#[test]
fn the_literal_construction_knows_nothing_of_initial_final_opacity_after_the_end() {
    let text = "system M { states s, t; initial s, t; events x, y; s -y-> s; s -y-> t; t -x-> s; t -y-> s; t -y-> t;
        check strong initial-final opacity of t -> t; }";
    let checked = desc::check("m.des", text);
    let system = &checked.model().expect("a model").systems()[0];
    for method in [Method::Engine, Method::Literal] {
        let results = desc::verify(system, &Options { method, ..Options::default() });
        let exposure = results.checks[0].evidence().expect("a property").finding.exposure;
        assert_eq!((exposure.safe(), exposure.most()), (Some(0), None), "{method:?}: {exposure:?}");
    }
}
