//! Projections, estimates and verdicts.

use crate::support::systems::{Named, figure_3_1, figure_3_1_without_anonymous_events, questioning};
use Projection::{Natural, Strong, Weak};
use desc::automaton::view::Projection;
use desc::paper::Budget;
use desc::paper::algorithm::{self, MaximalK};
use desc::paper::estimate::{self, History};

fn shows(system: &Named, projection: Projection, string: &str) -> String {
    system.sign_text(&system.view(projection).project(&system.string(string)))
}

/// The delayed estimate at the first part of `α | β`, given both.
fn delayed(system: &Named, projection: Projection, instant: &str) -> String {
    let (before, after) = instant.split_once('|').unwrap();
    let mut observation = system.signs(before);
    let at = observation.len();
    observation.extend(system.signs(after));
    system.state_text(&estimate::delayed(system.view(projection), &observation, at))
}

#[test]
fn table_3_2_projections_of_strings() {
    let g = figure_3_1();
    let rows = [
        ("a", "γ", "γ1"),
        ("b", "γ", "γ1"),
        ("ab", "γ γ", "γ1 γ2"),
        ("ba", "γ γ", "γ1 γ2"),
        ("bb", "γ γ", "γ1 γ1"),
        ("abc", "γ γ c", "γ1 γ2 c"),
        ("bbc", "γ γ c", "γ1 γ1 c"),
        ("abbc", "γ γ γ c", "γ1 γ2 γ2 c"),
    ];
    for (string, strong, weak) in rows {
        assert_eq!(shows(&g, Strong, string), strong, "Pstr({string})");
        assert_eq!(shows(&g, Weak, string), weak, "Pw({string})");
    }
}

#[test]
fn example_3_2_weak_projections_of_ab_and_ba_agree() {
    let g = figure_3_1();
    assert_eq!(shows(&g, Weak, "b"), "γ1");
    assert_eq!(shows(&g, Weak, "ba"), "γ1 γ2");
    assert_eq!(shows(&g, Weak, "ab"), "γ1 γ2");
}

#[test]
fn definition_2_1_natural_projection_erases_unobservable_events() {
    let g = figure_3_1();
    assert_eq!(shows(&g, Natural, "abcu"), "a b c");
    assert_eq!(shows(&g, Strong, "acu"), "γ c");
}

#[test]
fn example_3_1_strong_estimates() {
    let g = figure_3_1();
    assert_eq!(delayed(&g, Strong, "γ |"), "2 3");
    assert_eq!(delayed(&g, Strong, "γ c |"), "4 5 6");
    assert_eq!(delayed(&g, Strong, "| γ"), "0 1");
    assert_eq!(delayed(&g, Strong, "γ | c"), "2 3");
}

#[test]
fn example_3_1_and_after_theorem_4_1_infinite_step_strong_anonymity() {
    let g = figure_3_1();
    let verdict = |steps| algorithm::strong(&g.automaton, &g.observer, steps, &mut Budget::unlimited()).unwrap();
    assert!(verdict(Some(1)));
    assert!(verdict(None));
    assert_eq!(g.exposure(Strong), None);
}

#[test]
fn example_3_3_weak_estimate_is_a_single_state() {
    let g = figure_3_1();
    assert_eq!(shows(&g, Weak, "bb"), "γ1 γ1");
    assert_eq!(delayed(&g, Weak, "γ1 γ1 |"), "2");
}

#[test]
fn example_3_3_and_after_theorem_4_2_not_weakly_anonymous_for_any_k() {
    let g = figure_3_1();
    let verdict = |steps| algorithm::weak(&g.automaton, &g.observer, steps, &mut Budget::unlimited()).unwrap();
    assert!(!verdict(Some(0)));
    assert!(!verdict(Some(7)));
    assert!(!verdict(None));
    assert_eq!(g.exposure(Weak), Some(0));
}

#[test]
fn example_3_3_the_witness_is_the_one_printed() {
    let g = figure_3_1();
    let witness = g.decide(Weak).witness.unwrap();
    assert_eq!(g.sign_text(&witness.observation), "γ1 γ1");
    assert_eq!(witness.at, 2);
    assert_eq!(g.state_text(&witness.exposed), "2");
    let history = History::new(g.view(Weak), &witness.observation);
    let estimates: Vec<String> = (0..3).map(|at| g.state_text(&history.estimate(at))).collect();
    assert_eq!(estimates, ["0 1", "2 3", "2"]);
}

#[test]
fn remark_3_2_without_anonymous_events() {
    let g = figure_3_1_without_anonymous_events();
    for projection in [Natural, Strong, Weak] {
        assert_eq!(delayed(&g, projection, "a b | c"), "2", "{projection}");
        assert_eq!(delayed(&g, projection, "b a |"), "3", "{projection}");
        assert_eq!(g.exposure(projection), Some(0), "{projection}");
    }
    let natural = figure_3_1();
    assert_eq!(delayed(&natural, Natural, "a b | c"), "2");
    assert_eq!(delayed(&natural, Natural, "b a |"), "3");
}

#[test]
fn algorithm_3_on_the_system_of_figure_3_1() {
    let g = figure_3_1();
    let maximal = |projection| algorithm::maximal(g.view(projection), &mut Budget::unlimited()).unwrap();
    assert_eq!(maximal(Strong), MaximalK::Infinite);
    assert_eq!(maximal(Weak), MaximalK::NotAny);
}

#[test]
fn section_6_strong_estimate_of_the_first_questioning() {
    let g = questioning();
    assert_eq!(shows(&g, Strong, "ce"), "γ");
    assert_eq!(shows(&g, Strong, "cefg"), "γ γ");
    assert_eq!(delayed(&g, Strong, "γ | γ"), "A B C E");
}

#[test]
fn section_6_ac_and_bd_look_alike() {
    let g = questioning();
    assert_eq!(shows(&g, Weak, "ac"), "γ1 γ2");
    assert_eq!(shows(&g, Weak, "bd"), "γ1 γ2");
}

#[test]
fn section_6_infinite_step_strong_and_weak_anonymity() {
    let g = questioning();
    let unlimited = &mut Budget::unlimited();
    assert!(algorithm::strong(&g.automaton, &g.observer, None, unlimited).unwrap());
    assert!(algorithm::weak(&g.automaton, &g.observer, None, unlimited).unwrap());
    assert_eq!(algorithm::maximal(g.view(Strong), unlimited).unwrap(), MaximalK::Infinite);
    assert_eq!(algorithm::maximal(g.view(Weak), unlimited).unwrap(), MaximalK::Infinite);
}

#[test]
fn section_7_aab_and_abb_differ_only_weakly() {
    let g = figure_3_1();
    assert_eq!(shows(&g, Strong, "aab"), "γ γ γ");
    assert_eq!(shows(&g, Strong, "abb"), "γ γ γ");
    assert_eq!(shows(&g, Weak, "aab"), "γ1 γ1 γ2");
    assert_eq!(shows(&g, Weak, "abb"), "γ1 γ2 γ2");
}
