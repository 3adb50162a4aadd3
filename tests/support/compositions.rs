//! Random compositions of two to five parts as text: shared and own events, two observers with labels and agents, checks of every kind.

use super::dice::Dice;
use std::fmt::Write;

/// The most events of a kind: those that every part may share, and those that each part has for itself.
const KINDS: usize = 2;

/// The text of a random composition, and how many parts it has.
pub fn composition(seed: u64) -> (String, usize) {
    let mut dice = Dice::new(seed ^ 0x9A27_5C0D);
    let n_parts = [2, 2, 2, 3, 3, 3, 4, 5][dice.below(8)];
    // Small parts where there are many: the literal construction needs the product.
    let n_states = if n_parts <= 3 { 2 + dice.below(2) } else { 2 };
    let n_shapes = 1 + dice.below(2);
    let mut text = String::new();
    for shape in 0..n_shapes {
        text += &component(&mut dice, shape, n_states, n_shapes);
    }
    text += "system All {\n    compose ";
    let first = 1 + dice.below(n_parts - 1);
    let _ = match n_shapes {
        1 => write!(text, "q[i] = Part0(i) for i in 1..{n_parts}"),
        _ => write!(text, "q[i] = Part0(i) for i in 1..{first}, q[i] = Part1(i) for i in {}..{n_parts}", first + 1),
    };
    text += ";\n";
    for name in ["First", "Second"] {
        text += &observer(&mut dice, name, n_parts);
    }
    for _ in 0..6 {
        text += &check(&mut dice, n_parts, n_states);
    }
    (text + "}\n", n_parts)
}

/// A component with an index: its transitions are drawn from shared events `g` and own events `l`.
fn component(dice: &mut Dice, shape: usize, n_states: usize, n_shapes: usize) -> String {
    let mut text = format!("component Part{shape}(i) {{\n    states s[0..{}];\n    initial s[0]", n_states - 1);
    text += if dice.chance(40) { ", s[1];\n" } else { ";\n" };
    // Events of one shape only are shared by fewer parts.
    let shared = if n_shapes == 2 && dice.chance(40) { format!("g[{shape}]") } else { "g[0..1]".to_owned() };
    let _ = writeln!(text, "    events {shared}, l[i, 0..{}];", KINDS - 1);
    let events: Vec<String> = match shared.as_str() {
        "g[0..1]" => (0..KINDS).map(|kind| format!("g[{kind}]")).collect(),
        one => vec![one.to_owned()],
    };
    let own = (0..KINDS).map(|kind| format!("l[i, {kind}]"));
    let events: Vec<String> = events.into_iter().chain(own).collect();
    for event in &events {
        for _ in 0..1 + dice.below(n_states) {
            let _ = writeln!(text, "    s[{}] -{event}-> s[{}];", dice.below(n_states), dice.below(n_states));
        }
    }
    text + "    final s;\n}\n"
}

fn observer(dice: &mut Dice, name: &str, n_parts: usize) -> String {
    let mut text = format!("    observer {name} {{\n");
    let mut seen = Vec::new();
    let mut anonymous = String::new();
    for kind in 0..KINDS {
        let own = format!("l[1..{n_parts}, {kind}]");
        match dice.below(6) {
            0 => {}
            1 => seen.push(own),
            2 => {
                let _ = writeln!(anonymous, "        anonymous l[i, {kind}] as x by p[i] for i in 1..{n_parts};");
                seen.push(own);
            }
            3 => {
                let _ =
                    writeln!(anonymous, "        anonymous l[i, {kind}] as y[{kind}] by p[i] for i in 1..{n_parts};");
                seen.push(own);
            }
            4 => {
                let _ = writeln!(anonymous, "        anonymous {own};");
                seen.push(own);
            }
            _ => {
                let _ = writeln!(anonymous, "        anonymous {own} as z{kind};");
                seen.push(own);
            }
        }
    }
    if dice.chance(60) {
        seen.push("(events & {g[0]})".to_owned());
    }
    let _ = match seen.is_empty() {
        true => writeln!(text, "        unobservable events;"),
        false => writeln!(text, "        observable {};", seen.join(", ")),
    };
    text + &anonymous + "    }\n"
}

fn check(dice: &mut Dice, n_parts: usize, n_states: usize) -> String {
    let projection = ["weak", "weak", "strong", "natural"][dice.below(4)];
    let horizon = ["infinite-step", "infinite-step", "0-step", "1-step", "2-step", "exactly 1-step"][dice.below(6)];
    let against = ["First", "Second"][dice.below(2)];
    let (part, other) = (1 + dice.below(n_parts), 1 + dice.below(n_parts));
    let (state, second) = (dice.below(n_states), dice.below(n_states));
    let set = match dice.below(4) {
        0 => format!("(q[{part}].s[{state}] & q[{other}].s[{second}])"),
        1 => format!("(q[{part}].s[{state}] | q[{other}].s[{second}])"),
        _ => format!("q[{part}].s[{state}]"),
    };
    match dice.below(10) {
        0..=2 => format!("    check {projection} {horizon} about q[{part}] against {against};\n"),
        3 => {
            format!("    check {projection} {horizon} about q[{part}] except q[{part}].s[{state}] against {against};\n")
        }
        4 => format!("    check {projection} {horizon} against {against};\n"),
        5 => format!("    check {projection} {horizon} opacity of {set} throughout against {against};\n"),
        6 => format!("    check {projection} initial-final opacity of q[{part}].s[0] -> {set} against {against};\n"),
        7 => format!("    check {projection} initial-state opacity of q[{part}].s[0] against {against};\n"),
        _ => format!("    check {projection} {horizon} opacity of {set} against {against};\n"),
    }
}
