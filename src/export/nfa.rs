//! A view as an NFA: Mata, HOA, BA.
//!
//! Silent moves are taken away by closing the targets: x -l-> y for every y that is reached by l and then silently. Every state
//! accepts, so the language is the set of observations, which is closed under prefixes. A weak view is unfolded with the order
//! in which the anonymous events appeared, as in the paper. Cost: one search per node.

use super::Sheet;
use crate::automaton::view::{Symbol, View};
use crate::model::ViewId;
use crate::paper::Budget;
use crate::paper::plant::{NodeId, Plant};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The most nodes of an unfolded view.
const MOST_NODES: u64 = 5_000_000;

/// An NFA without silent moves, all states accepting.
struct Nfa {
    states: usize,
    initial: BTreeSet<u32>,
    /// Source, label, target.
    edges: Vec<(u32, u32, u32)>,
    labels: Vec<String>,
}

fn build(sheet: &mut Sheet<'_>, view_id: ViewId) -> Option<Nfa> {
    let system = sheet.system;
    let observer = &system.observer(view_id.observer).observer;
    let view = View { automaton: &system.automaton, observer, projection: view_id.projection };
    let Ok(plant) = Plant::new(view, &mut Budget::items(MOST_NODES)) else {
        sheet.warn(format!("the view has more than {MOST_NODES} states: nothing is written"), None);
        return None;
    };
    let mut signs: BTreeMap<Symbol, u32> = BTreeMap::new();
    let mut labels = Vec::new();
    let mut edges = Vec::new();
    for node in plant.ids() {
        for step in plant.moves(node) {
            let Some(sign) = step.sign else { continue };
            let label = *signs.entry(sign).or_insert_with(|| {
                labels.push(system.sign_name(view_id.observer, sign));
                labels.len() as u32 - 1
            });
            edges.extend(closure(&plant, [step.target]).into_iter().map(|target| (node.0, label, target)));
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let initial = closure(&plant, plant.initial().iter().copied());
    Some(Nfa { states: plant.len(), initial, edges, labels })
}

/// UR: all that is reached silently.
fn closure(plant: &Plant, from: impl IntoIterator<Item = NodeId>) -> BTreeSet<u32> {
    let mut open: Vec<NodeId> = from.into_iter().collect();
    let mut reached: BTreeSet<u32> = open.iter().map(|node| node.0).collect();
    while let Some(node) = open.pop() {
        for step in plant.moves(node).iter().filter(|step| step.sign.is_none()) {
            if reached.insert(step.target.0) {
                open.push(step.target);
            }
        }
    }
    reached
}

pub(super) fn mata(sheet: &mut Sheet<'_>, view_id: ViewId) {
    let Some(nfa) = build(sheet, view_id) else { return };
    sheet.line("@NFA-explicit");
    legend(sheet, &nfa, "# ");
    let names = |states: &mut dyn Iterator<Item = u32>| states.map(|state| format!(" q{state}")).collect::<String>();
    sheet.line("%Alphabet-auto");
    sheet.line(format!("%Initial{}", names(&mut nfa.initial.iter().copied())));
    sheet.line(format!("%Final{}", names(&mut (0..nfa.states as u32))));
    for (source, label, target) in &nfa.edges {
        let _ = writeln!(sheet.text, "q{source} a{label} q{target}");
    }
}

/// What the numbered labels stand for.
fn legend(sheet: &mut Sheet<'_>, nfa: &Nfa, comment: &str) {
    for (at, label) in nfa.labels.iter().enumerate() {
        sheet.line(format!("{comment}a{at} is {}", label.escape_debug()));
    }
}

pub(super) fn hoa(sheet: &mut Sheet<'_>, view_id: ViewId) {
    let Some(nfa) = build(sheet, view_id) else { return };
    let bits = usize::BITS - nfa.labels.len().saturating_sub(1).leading_zeros();
    let name = sheet.system.name.replace(['"', '\\'], "_");
    sheet.line(format!("HOA: v1\nname: \"{name}\"\nStates: {}", nfa.states));
    for state in &nfa.initial {
        sheet.line(format!("Start: {state}"));
    }
    let propositions: String = (0..bits).map(|bit| format!(" \"b{bit}\"")).collect();
    sheet.line(format!("acc-name: Buchi\nAcceptance: 1 Inf(0)\nAP: {bits}{propositions}"));
    sheet.line("properties: trans-labels explicit-labels state-acc");
    for (at, _) in nfa.labels.iter().enumerate() {
        sheet.line(format!("Alias: @a{at} {}", number(at, bits)));
    }
    for (at, label) in nfa.labels.iter().enumerate() {
        sheet.line(format!("/* a{at} is {} */", label.escape_debug().to_string().replace("*/", "* /")));
    }
    sheet.line("--BODY--");
    let mut edges = nfa.edges.iter().peekable();
    for state in 0..nfa.states as u32 {
        let _ = writeln!(sheet.text, "State: {state} {{0}}");
        while let Some((_, label, target)) = edges.next_if(|edge| edge.0 == state) {
            let _ = writeln!(sheet.text, "[@a{label}] {target}");
        }
    }
    sheet.line("--END--");
}

/// The number of a label as a conjunction of bits.
fn number(label: usize, bits: u32) -> String {
    let bit = |bit: u32| if label >> bit & 1 == 1 { bit.to_string() } else { format!("!{bit}") };
    if bits == 0 { "t".to_owned() } else { (0..bits).map(bit).collect::<Vec<_>>().join("&") }
}

/// One initial state, edges, accepting states. There are no comments in this format.
pub(super) fn ba(sheet: &mut Sheet<'_>, view_id: ViewId) {
    let Some(nfa) = build(sheet, view_id) else { return };
    // A fresh start that does what every initial state does: the language stays, since every state accepts.
    let start = nfa.states;
    sheet.line(format!("[{start}]"));
    let initial: FxHashSet<u32> = nfa.initial.iter().copied().collect();
    let from_start =
        nfa.edges.iter().filter(|edge| initial.contains(&edge.0)).map(|edge| (start as u32, edge.1, edge.2));
    let from_start: BTreeSet<(u32, u32, u32)> = from_start.collect();
    for (source, label, target) in nfa.edges.iter().chain(&from_start) {
        let _ = writeln!(sheet.text, "a{label},[{source}]->[{target}]");
    }
    for state in 0..=start {
        sheet.line(format!("[{state}]"));
    }
    let names: Vec<String> = nfa.labels.iter().enumerate().map(|(at, label)| format!("a{at} is {label}")).collect();
    if !names.is_empty() {
        sheet.warn(format!("a .ba file has no comments, so its labels are numbered: {}", names.join(", ")), None);
    }
}
