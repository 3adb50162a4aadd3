//! The search by the number of observations beside the portfolio: what it claims is true by brute force, and it changes no answer.

use super::{MOST, engine, horizon};
use crate::support::agents::agent_case;
use crate::support::fewest::{fewest, is_exposure};
use crate::support::plain::system;
use crate::support::random::{Case, case, cases};
use crate::support::systems::Named;
use desc::model::{Check, Horizon, OWN, Question, System, ViewId};
use desc::verdict::{Answer, DecidedBy, Evidence, Exposure, Finding};
use desc::verify::{Limits, Options, Tuning, decide_with, verify_with};

/// It has turns from the beginning, and little or much work in them.
fn eager(percent: u64) -> Tuning {
    let all = Tuning::default();
    let all = Tuning { lookout_from: 0, lookout_percent: percent, best_first_from: u64::MAX, ..all };
    Tuning { first_slice: 1, probe_work: 0, ..all }
}

/// Random cases of both kinds.
pub(super) fn some_cases(share: u64) -> impl Iterator<Item = (u64, Case)> {
    let plain = (0..cases() / share).map(|seed| (seed, case(seed + 90_000)));
    plain.chain((0..cases() / share / 2).map(|seed| (seed, agent_case(seed + 90_000))))
}

/// Whether what a finding says about few observations was compared with brute force; that it is so.
fn claims_are_true(case: &Case, finding: &Finding, told: &str) -> bool {
    let levels = &finding.levels;
    let Some(safe) = levels.safe(levels.within) else { return false };
    if case.initial {
        let least = engine(case, Tuning::default()).exposure.most();
        assert!(least.is_none_or(|least| least > safe), "{told}: {least:?}, {levels:?} {case:#?}");
        return true;
    }
    let Ok(by_force) = fewest(case, levels.within, safe.min(20), MOST) else { return false };
    assert_eq!(by_force, None, "{told}: {levels:?} {case:#?}");
    true
}

#[test]
fn up_to_the_number_of_observations_that_is_claimed_nothing_is_exposed() {
    let (mut compared, mut stopped, mut found) = (0, 0, 0);
    for (seed, case) in some_cases(4) {
        for (percent, pairs) in [(100, 8), (20_000, 20), (1_000, 60), (20_000, u64::MAX)] {
            let limits = Limits { pairs: Some(pairs), ..Limits::default() };
            let options = Options { limits, threads: 1, ..Options::default() };
            let finding = decide_with(&case.view(), &case.property, horizon(&case), &options, eager(percent));
            let told = format!("seed {seed}, {percent} %, {pairs} pairs");
            let is_compared = claims_are_true(&case, &finding, &told);
            compared += usize::from(is_compared);
            stopped += usize::from(is_compared && finding.stopped.is_some());
            if let (Some(DecidedBy::FewObservations), Some(witness), true) =
                (finding.cost.by, &finding.witness, finding.levels.within == u64::MAX && !case.initial)
            {
                assert_eq!(witness.observation.len(), finding.levels.pairs.len(), "{told}: {case:#?} {finding:#?}");
                assert_eq!(is_exposure(&case, witness, MOST), Some(true), "{told}: {case:#?}");
                found += 1;
            }
        }
    }
    assert!(compared > 500 && stopped > 30 && found > 100, "{compared} compared, {stopped} stopped, {found} found");
}

#[test]
fn the_distance_is_the_same_with_and_without_the_search_by_the_number_of_observations() {
    let mut by_few = 0;
    for (seed, case) in some_cases(4) {
        let expected = engine(&case, Tuning { lookout_from: u64::MAX, ..Tuning::default() }).exposure;
        for tuning in [eager(20_000), Tuning { twins: false, simulation: false, ..eager(300) }] {
            let finding = engine(&case, tuning);
            assert_eq!(finding.exposure, expected, "seed {seed}: {case:#?}");
            by_few += usize::from(finding.cost.by == Some(DecidedBy::FewObservations));
        }
    }
    assert!(by_few > 200, "only {by_few} were decided by it");
}

/// A system that asks a case at these horizons.
pub(super) fn asking(case: &Case, horizons: &[Horizon]) -> System {
    let name = |kind: &str, n: usize| (0..n).map(|at| format!("{kind}{at}")).collect();
    let (automaton, observer) = (case.automaton.clone(), case.observer.clone());
    let (states, events) = (name("s", automaton.n_states()), name("e", automaton.n_events()));
    let mut system = system("Random", Named { automaton, observer, states, events });
    let view_id = ViewId { observer: OWN, projection: case.projection };
    let span = system.span;
    system.checks.extend(horizons.iter().map(|&horizon| Check {
        name: None,
        text: format!("{horizon:?}"),
        span,
        docs: Vec::new(),
        negated: false,
        question: Question::Property { view_id, property: case.property.clone(), horizon },
        by_parts: None,
    }));
    system
}

/// Whether the exposure of a piece of evidence need not be the nearest; that it is an exposure at the distance that is claimed.
pub(super) fn is_far(case: &Case, evidence: &Evidence, told: &str) -> bool {
    let finding = &evidence.finding;
    assert_eq!((&finding.fault, finding.stopped), (&None, None), "{told}: {case:#?}");
    assert_eq!(finding.witness.is_some(), finding.exposure.most().is_some(), "{told}: {case:#?}");
    if let Some(witness) = &finding.witness {
        assert_eq!(Some(witness.distance()), finding.exposure.most(), "{told}: {case:#?}");
        assert!(case.initial || is_exposure(case, witness, MOST) == Some(true), "{told}: {case:#?}");
    }
    matches!(finding.exposure, Exposure::AtMost { .. })
}

#[test]
fn where_only_a_violation_is_asked_for_the_answers_are_the_same() {
    let (mut far, mut violated) = (0, 0);
    for (seed, case) in some_cases(4) {
        let all: &[&[Horizon]] = match case.initial {
            true => &[&[Horizon::Initial]],
            false => &[
                &[Horizon::Infinite],
                &[Horizon::Infinite, Horizon::Steps(2)],
                &[Horizon::Steps(1)],
                &[Horizon::Infinite, Horizon::Exactly(1)],
            ],
        };
        let truth = engine(&case, Tuning::default()).exposure;
        for horizons in all {
            let tuning = Tuning { distance_work: 0, ..eager(20_000) };
            let results = verify_with(&asking(&case, horizons), &Options::default(), tuning);
            for (verdict, &horizon) in results.checks.iter().zip(*horizons) {
                let told = format!("seed {seed}, {horizons:?}");
                assert_eq!(verdict.answer(), truth.answer(horizon), "{told}: {case:#?}");
                let is_far = is_far(&case, verdict.evidence().expect("a property"), &told);
                assert!(!is_far || !horizons.contains(&Horizon::Exactly(1)), "{told}: {case:#?}");
                far += usize::from(is_far);
                violated += usize::from(verdict.answer() == Answer::Violated);
            }
        }
    }
    assert!(far > 20 && violated > 500, "{far} of {violated} exposures need not be the nearest");
}
