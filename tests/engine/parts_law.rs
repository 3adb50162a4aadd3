//! Random compositions are decided alike on some of their parts, on the whole product and by the literal construction.

use crate::parts::{impatient, model};
use crate::support::compositions::composition;
use desc::model::{Horizon, Question, System};
use desc::report::exposure;
use desc::resources::Resources;
use desc::verdict::certificate::document::{certify, confirm};
use desc::verdict::{Answer, Evidence, Exposure};
use desc::verify::{self, Method, Options, Tuning, verify, verify_with};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How often each way answered: by the way, the answer, and parts kept of all parts.
type Histogram = BTreeMap<(&'static str, String), usize>;

/// Compares the three ways on the compositions of these seeds.
fn compare(seeds: Range<u64>) -> Histogram {
    let mut histogram = Histogram::new();
    for seed in seeds {
        let (text, n_parts) = composition(seed);
        let (Some(whole), Some(lazy)) = (model(&text, None), model(&text, Some(0))) else { continue };
        // WHY limits: under `weak` a search may number every order of the agents.
        let limits = |pairs| verify::Limits { pairs: Some(pairs), ..verify::Limits::default() };
        let options = Options { threads: 1, certificates: true, limits: limits(300), ..Options::default() };
        let (whole, lazy) = (&whole.systems()[0], &lazy.systems()[0]);
        let engine = verify(whole, &options);
        let literal = verify(whole, &Options { method: Method::Literal, limits: limits(500), ..options });
        let parts = verify(lazy, &options);
        // In every second model the parts have the first turn.
        let parts_first_from = if seed % 2 == 0 { 0 } else { u64::MAX };
        let turns = verify_with(whole, &options, Tuning { parts_first_from, ..impatient() });
        for (system, results) in [(lazy, &parts), (whole, &turns)] {
            let confirmed = confirm(system, &certify(system, results), &mut Resources::default().monitor());
            confirmed.unwrap_or_else(|fault| panic!("seed {seed}: {fault}\n{text}"));
        }
        for (at, asked) in whole.checks.iter().enumerate() {
            let Question::Property { .. } = &asked.question else { continue };
            let [one, two, three, four] = [&parts, &engine, &literal, &turns].map(|results| &results.checks[at]);
            let case = format!("seed {seed}: {}\n{text}", asked.text);
            let decided = [one, two, three, four]
                .map(|verdict| verdict.answer())
                .into_iter()
                .filter(|&answer| answer != Answer::Undecided);
            let answers: BTreeSet<String> = decided.clone().map(|answer| format!("{answer:?}")).collect();
            assert!(answers.len() <= 1, "{:?}: {case}", [one, two, three, four].map(|verdict| verdict.answer()));
            *histogram.entry(("ways that decided", decided.count().to_string())).or_default() += 1;
            let [one, two, four] = [one, two, four].map(|verdict| verdict.evidence().expect("a property").clone());
            for found in [&one, &two, &four] {
                assert_eq!(found.finding.fault, None, "{case}");
            }
            let [some, all, turn] = [&one, &two, &four].map(|evidence| evidence.finding.exposure);
            assert!(agree(some, all), "{some:?} on the parts, {all:?} on the product: {case}");
            assert!(agree(turn, all), "{turn:?} in turns, {all:?} on the product: {case}");
            // WHY not `exactly`: how much hindsight is told depends on the distance that is known.
            if !matches!(one.horizon, Horizon::Exactly(_)) {
                compare_told((lazy, &one), (whole, &two), &case);
            }
            *histogram.entry((way(&one, n_parts), kept(&one, n_parts))).or_default() += 1;
            if four.finding.parts.is_some() {
                *histogram.entry(("in turns, on parts", kept(&four, n_parts))).or_default() += 1;
            }
        }
    }
    histogram
}

/// Whether what is known on some parts is true of the distance on the product, as far as that is known.
pub(crate) fn agree(some: Exposure, all: Exposure) -> bool {
    let too_safe = matches!((some.safe(), all.most()), (Some(safe), Some(most)) if safe >= most);
    let too_soon = matches!((some.most(), all.safe()), (Some(most), Some(safe)) if most <= safe);
    !too_safe && !too_soon
}

/// No exposure that is told of the parts has fewer observations than the fewest of the product.
fn compare_told((lazy, one): (&System, &Evidence), (whole, two): (&System, &Evidence), told: &str) {
    let told_of = |system, evidence| {
        exposure::reported(system, evidence, 1_000_000, Resources::default()).map(|told| {
            let total = told.witness.observation.len();
            (total, told.is_fewest)
        })
    };
    if let (Some((some, is_fewest)), Some((all, true))) = (told_of(lazy, one), told_of(whole, two)) {
        assert!(
            some >= all && (!is_fewest || some == all),
            "{some} observations on the parts, {all} on the product: {told}"
        );
    }
}

/// Which intruder answered: the stronger, the weaker, or the real one on every part.
fn way(evidence: &Evidence, n_parts: usize) -> &'static str {
    match &evidence.finding.parts {
        _ if evidence.finding.stopped.is_some() => "undecided",
        Some(parts) if parts.kept.len() == n_parts => "whole",
        Some(parts) if parts.exposed.is_some() => "weaker",
        Some(_) => "stronger",
        None => "whole",
    }
}

fn kept(evidence: &Evidence, n_parts: usize) -> String {
    let kept = evidence.finding.parts.as_ref().map_or(n_parts, |parts| parts.kept.len());
    format!("{kept} of {n_parts}")
}

/// How many random compositions are compared; `DESC_COMPOSITIONS=3000` compares more.
pub(crate) fn n_compositions(otherwise: u64) -> u64 {
    std::env::var("DESC_COMPOSITIONS").ok().and_then(|word| word.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn parts_product_and_literal_construction_agree() {
    let histogram = compare(0..n_compositions(60));
    let answered = |way: &str| histogram.iter().filter(|((by, _), _)| *by == way).map(|(_, n)| n).sum::<usize>();
    println!("{histogram:?}");
    assert!(answered("in turns, on parts") > 3, "{histogram:?}");
    assert!(answered("stronger") > 30 && answered("weaker") > 60 && answered("whole") > 60, "{histogram:?}");
}

/// A weaker intruder is exposed to more, and not all of it by runs of the system.
#[test]
fn fewer_observations_on_some_parts_are_not_told_of_the_whole() {
    compare(127..128);
}
