//! Laws of the engine, on random models and on models of the literature.
//!
//! Three routes must agree on verdict and distance: the engine, the paper's construction by the letter, and a route that
//! follows each member of an estimate on its own.

mod best_first;
mod bundles;
mod cells;
mod fewest;
mod kinds;
mod literature;
mod lookout;
mod notions;
mod once;
mod threads;

use crate::support::dice::Dice;
use crate::support::families;
use crate::support::histogram::Histogram;
use crate::support::oracle::{Distance, literal, member_by_member};
use crate::support::random::{Case, case, cases, multiplied, with_states};
use desc::automaton::view::{Observability, Observer, Projection, View};
use desc::automaton::{Automaton, Builder, EventId, StateId};
use desc::model::{Horizon, Property};
use desc::verdict::{Answer, Exposure, Finding};
use desc::verify::{Limits, Options, Tuning, decide_with};
use std::collections::BTreeMap;

const MOST: usize = 60_000;

fn horizon(case: &Case) -> Horizon {
    if case.initial { Horizon::Initial } else { Horizon::Infinite }
}

fn engine(case: &Case, tuning: Tuning) -> Finding {
    let finding = decide_with(&case.view(), &case.property, horizon(case), &Options::default(), tuning);
    assert_eq!(finding.fault, None, "{case:#?}");
    assert_eq!(finding.witness.is_some(), matches!(finding.exposure, Exposure::At(_)), "{case:#?}");
    finding
}

fn kind_of(case: &Case) -> &'static str {
    match case.property {
        Property::Anonymity { among: 3.., classes: Some(_), except: None } => "about, among",
        _ => case.kind,
    }
}

#[test]
fn the_engine_agrees_with_the_construction_of_the_paper_and_with_a_third_route() {
    let mut histogram = Histogram::default();
    for seed in 0..cases() {
        let case = case(seed);
        let found = Distance::from(engine(&case, Tuning::default()).exposure);
        let by_letter = literal(&case.view(), &case.property, case.initial, MOST);
        if by_letter == Distance::TooLarge {
            continue;
        }
        assert_eq!(found, by_letter, "engine and literal construction, seed {seed}: {case:#?}");
        let third = member_by_member(&case.view(), &case.property, case.initial, MOST);
        if third != Distance::TooLarge {
            assert_eq!(found, third, "engine and third route, seed {seed}: {case:#?}");
        }
        histogram.add(format!("{:8} {}", case.projection, kind_of(&case)), found);
    }
    println!("{histogram}");
    for at in (0..=6).map(Distance::At).chain([Distance::Never]) {
        for projection in ["natural", "strong", "weak"] {
            assert!(histogram.count(projection, at) > 0, "no {projection} case with {at:?}");
        }
    }
}

#[test]
fn every_way_of_pruning_can_be_switched_off_without_changing_an_answer() {
    let all = Tuning::default();
    let off = [
        Tuning::none(),
        Tuning { antichain: false, ..all },
        Tuning { identity: false, ..all },
        Tuning { twins: false, ..all },
        Tuning { simulation: false, ..all },
        Tuning { twins: false, simulation: false, ..all },
        Tuning { backward: false, ..all },
        Tuning { two_way: false, ..all },
        Tuning { first_slice: 1, ..all },
        Tuning { quotient_from: usize::MAX, ..all },
        Tuning { strong_first: false, ..all },
        Tuning { acts_once: false, ..all },
        Tuning { bundles_from: u64::MAX, ..all },
        Tuning { bundles_from: 0, acts_once: false, strong_first: false, ..all },
        Tuning { bundles_from: 0, ..Tuning::none() },
        Tuning { best_first_from: 0, best_first_percent: 20_000, probe_work: 0, first_slice: 1, ..all },
        Tuning { best_first_from: 0, best_first_percent: 500, probe_work: 0, first_slice: 1, ..Tuning::none() },
        Tuning { strong_first: true, two_way: true, ..Tuning::none() },
        Tuning { quotient_from: 0, probe_work: 0, ..all },
        Tuning { quotient_from: 0, ..Tuning::none() },
        Tuning { cells_after: 0, ..all },
        Tuning { cells_after: 0, ..Tuning::none() },
        Tuning { cells_after: 0, probe_work: 0, quotient_from: 0, strong_first: false, ..all },
        Tuning { post_table_from: u32::MAX, ..all },
        Tuning { post_table_from: 0, ..all },
        Tuning { post_table_from: 0, two_way: true, ..Tuning::none() },
        Tuning { post_table_from: 0, forward: false, backward: true, ..Tuning::none() },
        Tuning { breadth_first: 0, ..all },
        Tuning { breadth_first: 0, ..Tuning::none() },
        Tuning { breadth_first: 3, antichain: true, ..Tuning::none() },
        Tuning { first_slice: 1, two_way: true, ..Tuning::none() },
        Tuning { forward: false, backward: false, ..all },
        Tuning { forward: false, two_way: true, ..Tuning::none() },
        Tuning { forward: false, two_way: false, ..all },
        Tuning { forward: false, backward: true, ..Tuning::none() },
        Tuning { forward: false, backward: true, antichain: true, ..Tuning::none() },
        Tuning { antichain: true, ..Tuning::none() },
        Tuning { twins: true, ..Tuning::none() },
        Tuning { simulation: true, ..Tuning::none() },
    ];
    for seed in 1_000_000..1_000_000 + cases() / 4 {
        let case = case(seed);
        let found = engine(&case, all).exposure;
        for tuning in off {
            assert_eq!(found, engine(&case, tuning).exposure, "{tuning:?}, seed {seed}: {case:#?}");
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for seed in 3_000_000..3_000_000 + cases() / 8 {
        let case = case(seed);
        let found = [1, 2, 3].map(|threads| {
            let options = Options { threads, ..Options::default() };
            let tuning = Tuning { first_slice: 1, ..Tuning::default() };
            let finding = decide_with(&case.view(), &case.property, horizon(&case), &options, tuning);
            (finding.exposure, finding.witness, finding.saturation, finding.cost.by, finding.cost.pairs)
        });
        assert_eq!(found[0], found[1], "two threads, seed {seed}: {case:#?}");
        assert_eq!(found[0], found[2], "three threads, seed {seed}: {case:#?}");
    }
}

fn exposure(case: &Case) -> Exposure {
    engine(case, Tuning::default()).exposure
}

/// A distance as a number, "never" being beyond all others.
fn steps(exposure: Exposure) -> u64 {
    match exposure {
        Exposure::At(least) => least,
        Exposure::Never => u64::MAX,
        Exposure::Beyond(_) | Exposure::AtMost { .. } | Exposure::Unknown => panic!("undecided"),
    }
}

#[test]
fn one_distance_answers_every_horizon_and_a_bounded_search_agrees_with_it() {
    for seed in 0..cases() / 8 {
        let case = Case { initial: false, ..case(seed) };
        let least = exposure(&case);
        for k in 0..8 {
            let horizon = Horizon::Steps(k);
            let expected = if k < steps(least) { Answer::Holds } else { Answer::Violated };
            // WHY each alone: beside each other, the one that is done first hides what the other would say.
            for (way, tuning) in [
                ("all", Tuning::default()),
                ("front", Tuning { backward: false, ..Tuning::default() }),
                ("both ways", Tuning { forward: false, backward: false, ..Tuning::default() }),
                ("behind", Tuning { forward: false, two_way: false, ..Tuning::default() }),
            ] {
                let bounded = decide_with(&case.view(), &case.property, horizon, &Options::default(), tuning);
                assert_eq!(bounded.fault, None);
                assert_eq!(bounded.exposure.answer(horizon), expected, "{way}, K = {k}, seed {seed}: {case:#?}");
            }
            assert_eq!(least.answer(horizon), expected);
        }
    }
}

#[test]
fn what_holds_under_a_sharper_projection_holds_under_a_blunter_one() {
    for seed in 0..cases() / 4 {
        let case = case(seed);
        let [natural, weak, strong] = [Projection::Natural, Projection::Weak, Projection::Strong]
            .map(|projection| steps(exposure(&Case { projection, ..case.clone() })));
        assert!(natural <= weak && weak <= strong, "{natural}, {weak}, {strong}, seed {seed}: {case:#?}");
    }
}

/// The same model under other numbers: state s becomes order[s], event e becomes events[e].
fn renumbered(automaton: &Automaton, order: &[usize], events: &[usize], more: usize) -> Automaton {
    let mut builder = Builder::new(automaton.n_states() + more, automaton.n_events());
    let state = |state: StateId| StateId::from_index(order[state.index()]);
    for (_, source, step) in automaton.transitions() {
        builder.transition(state(source), EventId::from_index(events[step.event.index()]), state(step.target));
    }
    for extra in 0..more {
        let from = StateId::from_index(automaton.n_states() + extra);
        for event in automaton.events() {
            builder.transition(from, event, StateId::from_index((extra * 7 + event.index()) % automaton.n_states()));
        }
    }
    automaton.initial().iter().for_each(|&initial| builder.initial(state(initial)));
    builder.freeze()
}

fn shuffled(dice: &mut Dice, n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    (1..n).rev().for_each(|at| order.swap(at, dice.below(at + 1)));
    order
}

fn renumbered_property(property: &Property, order: &[usize], more: usize) -> Property {
    let mut sources = vec![None; order.len() + more];
    order.iter().enumerate().for_each(|(old, &new)| sources[new] = Some(StateId::from_index(old)));
    with_states(property, &sources)
}

#[test]
fn renaming_reordering_and_unreachable_states_change_nothing() {
    for seed in 0..cases() / 4 {
        let case = case(seed);
        let mut dice = Dice::new(seed ^ 0xABCD);
        let (n_states, n_events) = (case.automaton.n_states(), case.automaton.n_events());
        let (order, events) = (shuffled(&mut dice, n_states), shuffled(&mut dice, n_events));
        let more = dice.below(3);
        let mut observabilities = vec![Observability::Silent; n_events];
        events.iter().enumerate().for_each(|(old, &new)| observabilities[new] = case.observer.observabilities()[old]);
        let other = Case {
            automaton: renumbered(&case.automaton, &order, &events, more),
            observer: Observer::new(observabilities),
            property: renumbered_property(&case.property, &order, more),
            ..case.clone()
        };
        assert_eq!(exposure(&case), exposure(&other), "seed {seed}: {case:#?} {other:#?}");
    }
}

/// The same question with its states scattered among many that are isolated: few of the shortcuts that small numbers
/// allow apply, and above some size sets take another form.
fn scattered(case: &Case, dice: &mut Dice, universe: usize) -> Case {
    let order = shuffled(dice, universe);
    let place = |state: StateId| StateId::from_index(order[state.index()]);
    let mut builder = Builder::new(universe, case.automaton.n_events());
    for (_, source, step) in case.automaton.transitions() {
        builder.transition(place(source), step.event, place(step.target));
    }
    case.automaton.initial().iter().for_each(|&state| builder.initial(place(state)));
    let mut sources = vec![None; universe];
    case.automaton.states().for_each(|state| sources[order[state.index()]] = Some(state));
    let property = with_states(&case.property, &sources);
    Case { automaton: builder.freeze(), property, ..case.clone() }
}

#[test]
fn scattering_the_states_among_isolated_ones_changes_nothing() {
    for seed in 0..cases() / 3 {
        let case = case(seed);
        let mut dice = Dice::new(seed ^ 0x5CA7);
        let universe = if seed % 4 == 0 { 4_200 } else { 70 + dice.below(300) };
        let other = scattered(&case, &mut dice, universe);
        let plain = Tuning { antichain: true, ..Tuning::none() };
        for tuning in [Tuning::default(), plain, Tuning { forward: false, backward: true, ..plain }] {
            let (one, two) = (engine(&case, tuning).exposure, engine(&other, tuning).exposure);
            assert_eq!(one, two, "{tuning:?}, seed {seed}, {universe} states: {case:#?}");
        }
    }
}

#[test]
fn copies_of_states_that_can_do_the_same_change_nothing_and_are_merged() {
    let mut merged = BTreeMap::new();
    for seed in 0..cases() {
        let case = case(seed);
        if matches!(case.property, Property::Anonymity { classes: None, .. }) {
            continue;
        }
        let large = multiplied(&case, &mut Dice::new(seed ^ 0xC0B1E5));
        let tuning = Tuning { quotient_from: 0, probe_work: 0, ..Tuning::default() };
        let found = engine(&large, tuning);
        assert_eq!(found.exposure, exposure(&case), "seed {seed}: {case:#?} {large:#?}");
        let blocks =
            found.certificate.map_or(0, |proof| proof.blocks.iter().flatten().max().map_or(0, |last| last + 1));
        if blocks > 0 {
            assert!(
                blocks as usize <= case.derived().automaton.n_states(),
                "seed {seed}: {blocks} blocks of {large:#?}"
            );
            *merged.entry(case.projection).or_insert(0) += 1;
        }
    }
    for projection in [Projection::Natural, Projection::Strong, Projection::Weak] {
        assert!(merged.get(&projection).is_some_and(|&often| often > 30), "{merged:?}");
    }
}

#[test]
fn a_search_that_is_stopped_claims_no_more_than_it_knows() {
    let mut stopped = 0;
    for seed in 0..cases() / 8 {
        let case = case(seed);
        let least = steps(exposure(&case));
        for pairs in [0, 2, 5, 12] {
            let limits = Limits { pairs: Some(pairs), ..Limits::default() };
            let options = Options { limits, ..Options::default() };
            let finding = decide_with(&case.view(), &case.property, horizon(&case), &options, Tuning::default());
            claims_no_more(&finding, least, &case);
            stopped += usize::from(finding.stopped.is_some());
        }
    }
    assert!(stopped > 200, "only {stopped} searches were stopped");
}

fn claims_no_more(finding: &Finding, least: u64, case: &Case) {
    assert_eq!(finding.fault, None, "{case:#?}");
    match finding.exposure {
        Exposure::Beyond(safe) => assert!(safe < least, "{safe} is not safe: {case:#?}"),
        Exposure::At(found) => assert_eq!(found, least, "{case:#?}"),
        Exposure::Never => assert_eq!(least, u64::MAX, "{case:#?}"),
        Exposure::AtMost { most, safe } => {
            assert!(least <= most && safe.is_none_or(|safe| safe < least), "{case:#?}");
        }
        Exposure::Unknown => {}
    }
}

/// A search that reaches its memory limit gives up those beside it and goes on where it was: nothing may be lost then.
#[test]
fn a_search_that_goes_on_with_less_memory_forgets_nothing() {
    let all = Tuning { first_slice: 1, ..Tuning::default() };
    let ways = [
        all,
        Tuning { twins: false, simulation: false, ..all },
        Tuning { first_slice: 1, two_way: true, ..Tuning::none() },
    ];
    let (mut stopped, mut decided) = (0, 0);
    for seed in 0..cases() / 2 {
        let case = case(seed);
        let least = steps(exposure(&case));
        for tuning in ways {
            let peak =
                decide_with(&case.view(), &case.property, horizon(&case), &Options::default(), tuning).cost.memory;
            for hundredths in [40, 60, 70, 80, 90, 97] {
                let limits = Limits { memory: Some(peak * hundredths / 100), ..Limits::default() };
                let options = Options { limits, threads: 1, ..Options::default() };
                let finding = decide_with(&case.view(), &case.property, horizon(&case), &options, tuning);
                claims_no_more(&finding, least, &case);
                stopped += usize::from(finding.stopped.is_some());
                decided += usize::from(finding.stopped.is_none());
            }
        }
    }
    assert!(stopped > 200 && decided > 200, "{stopped} searches were stopped, {decided} were not");
}

#[test]
fn the_automata_of_the_literature_have_the_distances_that_were_computed_from_the_definitions() {
    for model in literature::models() {
        let observer = Observer::new(model.observabilities.clone());
        let view = View { automaton: &model.automaton, observer: &observer, projection: Projection::Natural };
        let options = Options::default();
        let distance = |property: &Property| {
            let finding = decide_with(&view, property, Horizon::Infinite, &options, Tuning::default());
            assert_eq!(finding.fault, None);
            match finding.exposure {
                Exposure::At(least) => Some(least),
                _ => None,
            }
        };
        let opacity = Property::Opacity { secret: model.secret.clone() };
        assert_eq!(distance(&opacity), model.opacity, "{}", model.name);
        let anonymity = Property::Anonymity { among: 2, classes: None, except: None };
        assert_eq!(distance(&anonymity), model.anonymity, "{}", model.name);
    }
}

/// What is found with so few pairs and bytes.
fn found_within(model: &families::Instance, pairs: u64, memory: u64) -> Exposure {
    let limits = Limits { pairs: Some(pairs), memory: Some(memory), ..Limits::default() };
    let options = Options { limits, threads: 1, ..Options::default() };
    decide_with(&model.view(), &model.property, Horizon::Infinite, &options, Tuning::default()).exposure
}

#[test]
fn twins_are_found_in_large_symmetric_models_before_much_is_searched() {
    for model in [families::relay(60), families::agents(100), families::ballots(8, true), families::users(5)] {
        assert_eq!(found_within(&model, 200, 4 << 20), Exposure::Never, "{} {}", model.family, model.size);
    }
}

#[test]
fn an_exposed_estimate_among_many_is_found_before_all_shorter_ones_are_expanded() {
    assert_eq!(found_within(&families::roles(6, 18, 1), 5_000, 64 << 20), Exposure::At(0));
}
