//! Graphviz DOT: to look at, not to read back.

use super::Sheet;
use crate::automaton::view::Observability;
use crate::draw::dot::quoted;
use std::fmt::Write;

pub(super) fn write(sheet: &mut Sheet<'_>) {
    let automaton = sheet.system.automaton.clone();
    let name = quoted(&sheet.system.name);
    sheet.line(format!("digraph {name} {{\n  rankdir=LR;\n  node [shape=circle];"));
    for state in automaton.states() {
        let secret = if sheet.is_secret(state) { ", style=filled, fillcolor=lightgrey" } else { "" };
        let line = format!("  {} [label={}{secret}];", state.0, quoted(sheet.state(state)));
        sheet.line(line);
        if sheet.is_initial(state) {
            sheet.line(format!("  start{0} [shape=point]; start{0} -> {0};", state.0));
        }
    }
    for (_, source, step) in automaton.transitions() {
        let style = match sheet.observability(step.event) {
            Observability::Silent => ", style=dashed",
            Observability::Anonymous(_) => ", color=blue, fontcolor=blue",
            Observability::Visible => "",
        };
        let label = quoted(sheet.event(step.event));
        let _ = writeln!(sheet.text, "  {} -> {} [label={label}{style}];", source.0, step.target.0);
    }
    sheet.line("}");
}
