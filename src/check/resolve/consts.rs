//! Constants: they may refer to each other in any order, but not in a cycle. `-D NAME=VALUE` overrides the written value.

use crate::check::context::Context;
use crate::check::load::items::{ConstItem, ItemId, Items};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span};
use crate::syntax::ast::Expr;
use crate::syntax::spelling;
use rustc_hash::FxHashMap;

/// Evaluates every constant.
pub(in crate::check) fn evaluate(cx: &mut Context<'_>, entry: FileId, defines: &[(String, i64)]) {
    let given = defined(cx, entry, defines);
    for at in ordered(cx, &given) {
        let constant = &cx.items.consts[at];
        if !cx.tick(1, 0, constant.span) {
            return;
        }
        let value = match given.get(&at) {
            Some(&value) => Some(value),
            None => {
                cx.file = constant.file;
                cx.integer(constant.expr)
            }
        };
        constant.value.set(value);
    }
}

/// The constants that `-D` overrides.
fn defined(cx: &mut Context<'_>, entry: FileId, defines: &[(String, i64)]) -> FxHashMap<usize, i64> {
    let mut given = FxHashMap::default();
    for (name, value) in defines {
        match cx.items.find(name) {
            Some((ItemId::Const(at), _)) => {
                given.insert(at, *value);
            }
            _ if cx.items.is_doubtful(name) => {}
            _ => {
                let nearest = cx.near.nearest(name, cx.items.consts.iter().map(|constant| &constant.name));
                let fault = undefined(name, *value, entry, nearest, &cx.items.consts);
                // WHY: not `add`, which would take a second unknown name at the same place for a repeat.
                cx.faults.extend(vec![fault]);
            }
        }
    }
    given
}

/// The constants that are not computed from others, with their values.
pub(in crate::check) fn sizes(items: &Items<'_>) -> Box<[(String, i64)]> {
    let given = items.consts.iter().filter(|constant| used(constant, items).is_empty());
    given.filter_map(|constant| Some((constant.name.clone(), constant.value.get()?))).collect()
}

/// The constants in topological order; constants on a cycle are reported and omitted.
fn ordered(cx: &mut Context<'_>, given: &FxHashMap<usize, i64>) -> Vec<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let uses: Vec<Vec<(usize, Span)>> = (0..cx.items.consts.len())
        .map(|at| if given.contains_key(&at) { Vec::new() } else { used(&cx.items.consts[at], cx.items) })
        .collect();
    let mut marks = vec![Mark::New; uses.len()];
    let mut order = Vec::with_capacity(uses.len());
    for start in 0..uses.len() {
        let mut stack = vec![(start, 0)];
        while let Some((at, next)) = stack.pop() {
            if next == 0 && marks[at] != Mark::New {
                continue;
            }
            marks[at] = Mark::Open;
            match uses[at].get(next) {
                Some(&(other, span)) => {
                    stack.push((at, next + 1));
                    match marks[other] {
                        Mark::New => stack.push((other, 0)),
                        Mark::Open => cx.faults.add(circular(&cx.items.consts[other], span)),
                        Mark::Done => {}
                    }
                }
                None => {
                    marks[at] = Mark::Done;
                    order.push(at);
                }
            }
        }
    }
    order
}

/// The constants in the value of a constant.
fn used(constant: &ConstItem<'_>, items: &Items<'_>) -> Vec<(usize, Span)> {
    let mut found = Vec::new();
    let mut pending = vec![constant.expr];
    while let Some(expr) = pending.pop() {
        match expr {
            Expr::Name(name) => {
                if let Some((ItemId::Const(at), _)) = items.find(&name.text(constant.file)) {
                    found.push((at, name.span));
                }
            }
            Expr::Unary(_, inner, _) | Expr::Paren(inner, _) => pending.push(inner),
            Expr::Binary(binary) => pending.extend([&binary.right, &binary.left]),
            Expr::Integer(_) => {}
        }
    }
    found
}

fn circular(constant: &ConstItem<'_>, at: Span) -> Diagnostic {
    let name = &constant.name;
    Diagnostic::new(Code::E0309, at, format!("the constant `{name}` depends on itself"))
        .label(format!("`{name}` is needed here to compute `{name}`"))
        .also(constant.span, "declared here")
        .help(format!("give it a value that does not depend on it: `const {name} = 3;`"))
}

fn undefined(name: &str, value: i64, entry: FileId, nearest: Option<String>, consts: &[ConstItem<'_>]) -> Diagnostic {
    let message = format!("`-D {name}={value}` names no constant of this file");
    let fault = Diagnostic::new(Code::E0204, Span::new(entry, 0, 0), message);
    match nearest {
        Some(near) => {
            let declared = consts.iter().find(|constant| constant.name == near).map(|constant| constant.span);
            let fault = fault.help(format!("did you mean `-D {near}={value}`?"));
            declared.into_iter().fold(fault, |fault, span| fault.also(span, "a constant with a similar name"))
        }
        None if spelling::is_identifier(name) => fault.help(format!("declare it: `const {name} = {value};`")),
        None => fault.help("a constant is called by one word: `-D N=5`"),
    }
}
