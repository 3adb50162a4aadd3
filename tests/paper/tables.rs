//! The structures of section 4 on the system of figure 3.1: tables 4.1 and 4.2 row by row, and the compositions.

use crate::support::systems::{Named, figure_3_1};
use Projection::{Strong, Weak};
use desc::automaton::view::Projection;
use desc::model::Horizon;
use desc::paper::Budget;
use desc::paper::adjoint::single_states;
use desc::paper::composition::PairId;
use desc::paper::decide::Structures;
use std::collections::BTreeSet;

fn structures(system: &Named, projection: Projection) -> Structures {
    let view = system.view(projection);
    Structures::new(view, &single_states(), Horizon::Infinite, &mut Budget::unlimited()).unwrap()
}

/// The adjoint table as `set: state -> adjoint set`, names sorted.
fn table(system: &Named, built: &Structures) -> BTreeSet<String> {
    let text = |set| system.nodes_text(&built.plant, set);
    let rows = built.rows.iter();
    rows.map(|row| {
        let state = system.node_text(&built.plant, row.node);
        format!("{{{}}}: {state} -> {{{}}}", text(built.observer.set(row.set)), text(&row.adjoint))
    })
    .collect()
}

fn lines(expected: &[&str]) -> BTreeSet<String> {
    expected.iter().map(|&line| line.to_owned()).collect()
}

fn pair_text(system: &Named, built: &Structures, pair: PairId) -> String {
    let pair = built.composition.pair(pair);
    let right = system.nodes_text(&built.plant, built.modified.set(pair.set));
    format!("({}, {{{right}}})", system.node_text(&built.plant, pair.node))
}

#[test]
fn table_4_1_adjoint_state_sets() {
    let g = figure_3_1();
    let expected = [
        "{0 1}: 0 -> {1}",
        "{0 1}: 1 -> {0}",
        "{2 3}: 2 -> {3}",
        "{2 3}: 3 -> {2}",
        "{4 5 6}: 4 -> {5 6}",
        "{4 5 6}: 5 -> {4 6}",
        "{4 5 6}: 6 -> {4 5 6}",
    ];
    assert_eq!(table(&g, &structures(&g, Strong)), lines(&expected));
}

#[test]
fn table_4_2_adjoint_state_sets() {
    let g = figure_3_1();
    let expected = [
        "{0ε 1ε}: 0ε -> {1ε}",
        "{0ε 1ε}: 1ε -> {0ε}",
        "{2a1 2b1 3b1}: 2a1 -> {3b1}",
        "{2a1 2b1 3b1}: 2b1 -> {3b1}",
        "{2a1 2b1 3b1}: 3b1 -> {2a1 2b1}",
        "{2b1}: 2b1 -> {}",
        "{4b1 6b1}: 4b1 -> {6b1}",
        "{4b1 6b1}: 6b1 -> {4b1 6b1}",
        "{2a1b2 3b1a2}: 2a1b2 -> {3b1a2}",
        "{2a1b2 3b1a2}: 3b1a2 -> {2a1b2}",
        "{4a1b2 5b1a2 6a1b2}: 4a1b2 -> {5b1a2 6a1b2}",
        "{4a1b2 5b1a2 6a1b2}: 6a1b2 -> {4a1b2 5b1a2 6a1b2}",
        "{4a1b2 5b1a2 6a1b2}: 5b1a2 -> {4a1b2 6a1b2}",
        "{4a1 4b1 5b1 6a1 6b1}: 4a1 -> {5b1 6a1 6b1}",
        "{4a1 4b1 5b1 6a1 6b1}: 6a1 -> {4a1 4b1 5b1 6a1 6b1}",
        "{4a1 4b1 5b1 6a1 6b1}: 4b1 -> {5b1 6a1 6b1}",
        "{4a1 4b1 5b1 6a1 6b1}: 6b1 -> {4a1 4b1 5b1 6a1 6b1}",
        "{4a1 4b1 5b1 6a1 6b1}: 5b1 -> {4a1 4b1 6a1 6b1}",
    ];
    assert_eq!(table(&g, &structures(&g, Weak)), lines(&expected));
}

#[test]
fn after_theorem_4_1_the_strong_composition_has_no_empty_right_side() {
    let g = figure_3_1();
    let built = structures(&g, Strong);
    let empty = |pair| built.modified.set(built.composition.pair(pair).set).is_empty();
    assert!(!built.composition.ids().any(empty));
    assert_eq!(built.composition.exposure(), None);
    assert_eq!(built.composition.initial().len(), 7);
    let pairs: BTreeSet<String> = built.composition.ids().map(|pair| pair_text(&g, &built, pair)).collect();
    let later = ["(4, {5})", "(6, {5})", "(6, {5 6})"];
    let initial = ["(0, {1})", "(1, {0})", "(2, {3})", "(3, {2})", "(4, {5 6})", "(5, {4 6})", "(6, {4 5 6})"];
    assert_eq!(pairs, lines(&[&initial[..], &later].concat()));
}

#[test]
fn after_theorem_4_2_the_weak_composition_starts_in_2b1_with_nothing() {
    let g = figure_3_1();
    let built = structures(&g, Weak);
    let initial = built.composition.initial().iter().map(|&pair| pair_text(&g, &built, pair));
    let empty: Vec<String> = initial.filter(|text| text.ends_with("{})")).collect();
    assert_eq!(empty, ["(2b1, {})"]);
}

#[test]
fn equation_6_the_augmented_system_of_figure_3_1() {
    let g = figure_3_1();
    let built = structures(&g, Weak);
    let nodes: BTreeSet<String> = built.plant.ids().map(|node| g.node_text(&built.plant, node)).collect();
    let expected = [
        "0ε", "1ε", "2a1", "2b1", "3b1", "2a1b2", "3b1a2", "4a1", "6a1", "4b1", "6b1", "5b1", "4a1b2", "6a1b2", "5b1a2",
    ];
    assert_eq!(nodes, lines(&expected));
    assert_eq!(built.plant.initial().len(), 2);
    assert_eq!(built.plant.variant().initial().len(), 15);
}
