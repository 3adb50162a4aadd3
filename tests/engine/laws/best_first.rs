//! The best-first search beside the portfolio changes no answer, and what it finds is an exposure.

use super::lookout::{asking, is_far, some_cases};
use super::{MOST, engine};
use crate::support::fewest::is_exposure;
use desc::model::Horizon;
use desc::verdict::{Answer, DecidedBy, Exposure};
use desc::verify::{Limits, Options, Tuning, verify_with};

/// It alone has turns beside the portfolio, from the beginning, with little or much work in them.
fn eager(percent: u64) -> Tuning {
    let all = Tuning::default();
    let all = Tuning { best_first_from: 0, best_first_percent: percent, lookout_from: u64::MAX, ..all };
    Tuning { first_slice: 1, probe_work: 0, strong_first: false, ..all }
}

#[test]
fn the_distance_is_the_same_with_and_without_the_best_first_search() {
    let mut by_it = 0;
    for (seed, case) in some_cases(4) {
        let expected = engine(&case, Tuning { best_first_from: u64::MAX, ..Tuning::default() }).exposure;
        for tuning in [eager(20_000), Tuning { twins: false, simulation: false, ..eager(300) }] {
            let finding = engine(&case, tuning);
            assert_eq!(finding.exposure, expected, "seed {seed}: {case:#?}");
            by_it += usize::from(finding.cost.by == Some(DecidedBy::BestFirst));
        }
    }
    assert!(by_it > 40, "only {by_it} were decided by it");
}

#[test]
fn where_only_a_violation_is_asked_for_the_answers_are_the_same() {
    let (mut far, mut violated, mut held) = (0, 0, 0);
    for (seed, case) in some_cases(4) {
        let all: &[&[Horizon]] = match case.initial {
            true => &[&[Horizon::Initial]],
            false => &[&[Horizon::Infinite], &[Horizon::Infinite, Horizon::Steps(2)], &[Horizon::Steps(1)]],
        };
        let truth = engine(&case, Tuning::default()).exposure;
        for horizons in all {
            let tuning = Tuning { distance_work: 0, ..eager(20_000) };
            let results = verify_with(&asking(&case, horizons), &Options::default(), tuning);
            for (verdict, &horizon) in results.checks.iter().zip(*horizons) {
                let told = format!("seed {seed}, {horizons:?}");
                assert_eq!(verdict.answer(), truth.answer(horizon), "{told}: {case:#?}");
                far += usize::from(is_far(&case, verdict.evidence().expect("a property"), &told));
                violated += usize::from(verdict.answer() == Answer::Violated);
                held += usize::from(verdict.answer() == Answer::Holds);
            }
        }
    }
    assert!(far > 20 && violated > 500 && held > 500, "{far} of {violated} need not be the nearest, {held} hold");
}

#[test]
fn under_a_limit_what_it_finds_is_an_exposure() {
    let mut found = 0;
    for (seed, case) in some_cases(4).filter(|(_, case)| !case.initial) {
        let truth = engine(&case, Tuning::default()).exposure;
        for pairs in [6, 15, 40] {
            let limits = Limits { pairs: Some(pairs), ..Limits::default() };
            let options = Options { limits, threads: 1, ..Options::default() };
            let results = verify_with(&asking(&case, &[Horizon::Infinite]), &options, eager(2_000));
            let finding = &results.checks[0].evidence().expect("a property").finding;
            let answer = finding.exposure.answer(Horizon::Infinite);
            let told = format!("seed {seed}, {pairs} pairs: {case:#?}");
            assert!(answer == Answer::Undecided || answer == truth.answer(Horizon::Infinite), "{told}");
            if let (Some(witness), Exposure::AtMost { .. }) = (&finding.witness, finding.exposure) {
                assert_eq!(is_exposure(&case, witness, MOST), Some(true), "{told}");
                found += 1;
            }
        }
    }
    assert!(found > 2, "only {found} exposures");
}
