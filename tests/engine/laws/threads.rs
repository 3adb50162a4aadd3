//! One search on several threads: the answers of one thread.

use super::{engine, horizon};
use crate::support::families;
use crate::support::random::{Case, case, cases};
use desc::automaton::view::{Projection, View};
use desc::model::Horizon;
use desc::verdict::{DecidedBy, Exposure, Finding};
use desc::verify::{Limits, Options, Tuning, decide_with};

/// Several threads share the two-way observer from its first step on, and nothing else decides but estimates.
fn shared() -> Tuning {
    Tuning {
        first_slice: 1,
        probe_work: 0,
        two_way: true,
        forward: false,
        share_from: 0,
        post_table_from: 3,
        ..Tuning::none()
    }
}

fn on_threads(case: &Case, threads: usize, tuning: Tuning) -> Finding {
    let options = Options { threads, ..Options::default() };
    let finding = decide_with(&case.view(), &case.property, horizon(case), &options, tuning);
    assert_eq!(finding.fault, None, "{threads} threads: {case:?} {tuning:?} {finding:?}");
    assert_eq!(finding.witness.is_some(), matches!(finding.exposure, Exposure::At(_)), "{threads} threads: {case:#?}");
    finding
}

/// |α| and |β|.
fn length(finding: &Finding) -> Option<(usize, usize)> {
    finding.witness.as_ref().map(|witness| (witness.at, witness.observation.len() - witness.at))
}

#[test]
fn threads_that_share_a_search_find_the_verdict_the_distance_and_a_witness_of_one_length() {
    let (mut decided, mut witnesses) = (0, 0);
    for seed in 3_000_000..3_000_000 + cases() {
        let case = case(seed);
        let one = engine(&case, Tuning::default());
        let found = [2, 3, 5].map(|threads| on_threads(&case, threads, shared()));
        for finding in &found {
            assert_eq!(finding.exposure, one.exposure, "seed {seed}: {case:#?}");
        }
        // WHY not always: which member of the portfolio is first depends on how much the threads do in a slice.
        if found.iter().all(|finding| finding.cost.by == Some(DecidedBy::TwoWay)) {
            decided += 1;
            witnesses += usize::from(found[0].witness.is_some());
            assert_eq!(length(&found[0]), length(&found[1]), "seed {seed}: {case:#?}");
            assert_eq!(length(&found[0]), length(&found[2]), "seed {seed}: {case:#?}");
            if one.exposure == Exposure::Never {
                let sets = found.each_ref().map(|finding| (finding.cost.sets, finding.cost.pairs));
                assert_eq!(sets, [sets[0]; 3], "a set has one owner, seed {seed}: {case:#?}");
            }
        }
    }
    assert!(decided as u64 * 3 > cases() && witnesses > 50, "{decided} decided together, {witnesses} of them exposed");
}

#[test]
fn threads_that_share_a_weak_search_find_the_verdict_and_the_distance() {
    let all = Tuning { first_slice: 1, share_from: 0, strong_first: false, acts_once: false, ..Tuning::default() };
    let plain = Tuning { first_slice: 1, share_from: 0, forward: true, ..Tuning::none() };
    let (mut holds, mut exposed) = (0, 0);
    for seed in 5_000_000..5_000_000 + cases() * 2 {
        let case = case(seed);
        if case.projection != Projection::Weak {
            continue;
        }
        let one = engine(&case, Tuning::default());
        for (threads, tuning) in [(2, all), (3, all), (2, plain), (4, plain)] {
            let finding = on_threads(&case, threads, tuning);
            assert_eq!(finding.exposure, one.exposure, "seed {seed}, {threads} threads, {tuning:?}: {case:#?}");
            let betas = [&finding, &one].map(|finding| length(finding).map(|(_, beta)| beta));
            assert_eq!(betas[0], betas[1], "seed {seed}: {case:#?}");
        }
        match one.exposure {
            Exposure::Never => holds += 1,
            _ => exposed += 1,
        }
    }
    assert!(holds > 30 && exposed > 60, "{holds} hold, {exposed} are exposed");
}

#[test]
fn threads_take_over_what_one_thread_has_found() {
    let mut decided = 0;
    for seed in 4_000_000..4_000_000 + cases() / 2 {
        let case = case(seed);
        let one = engine(&case, Tuning::default());
        for share_from in [5, 40, 150, 600] {
            let tuning = Tuning { share_from, first_slice: 5, ..shared() };
            let finding = on_threads(&case, 2, tuning);
            assert_eq!(finding.exposure, one.exposure, "seed {seed}, from {share_from}: {case:#?}");
            decided += usize::from(finding.cost.by == Some(DecidedBy::TwoWay));
        }
    }
    assert!(decided as u64 > cases() / 4, "{decided}");
}

#[test]
fn what_threads_decide_together_has_a_certificate() {
    let instance = families::incomparable(10);
    let view = instance.view();
    for threads in [2, 3] {
        let options = Options { threads, certificates: true, ..Options::default() };
        let finding = decide_with(&view, &instance.property, Horizon::Infinite, &options, shared());
        assert_eq!((finding.exposure, finding.cost.by), (Exposure::Never, Some(DecidedBy::TwoWay)));
        assert!(finding.certificate.is_some() && finding.cost.certified, "{:?}", finding.fault);
    }
    let (mut certified, tuning) = (0, Tuning { first_slice: 1, share_from: 0, acts_once: false, ..Tuning::default() });
    for seed in 6_000_000..6_000_000 + cases() / 2 {
        let case = case(seed);
        let options = Options { threads: 3, certificates: true, ..Options::default() };
        let finding = decide_with(&case.view(), &case.property, horizon(&case), &options, tuning);
        assert_eq!(finding.fault, None, "seed {seed}: {case:#?}");
        if case.projection == Projection::Weak && finding.exposure == Exposure::Never {
            assert!(finding.certificate.is_some(), "seed {seed}: {case:#?}");
            certified += 1;
        }
    }
    assert!(certified > 5, "{certified}");
}

#[test]
fn a_limit_ends_the_search_of_all_threads_without_a_wrong_word() {
    let instance = families::incomparable(12);
    let View { automaton, observer, .. } = instance.view();
    let view = View { automaton, observer, projection: Projection::Strong };
    let mut stopped = 0;
    for pairs in (0..9_000).step_by(500) {
        let options =
            Options { threads: 3, limits: Limits { pairs: Some(pairs), ..Limits::default() }, ..Options::default() };
        let finding = decide_with(&view, &instance.property, Horizon::Infinite, &options, shared());
        match finding.stopped {
            None => assert_eq!(finding.exposure, Exposure::Never, "{pairs} pairs"),
            Some(_) => stopped += 1,
        }
        assert!(!matches!(finding.exposure, Exposure::At(_) | Exposure::AtMost { .. }), "{pairs} pairs");
    }
    assert!(stopped > 3, "{stopped}");
}
