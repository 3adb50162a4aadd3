//! Set expressions: names, braces, the built-in sets, and `|`, `&`, `\`.
//!
//! A set is a sorted list of distinct ids, of states or of events, depending on its position.

use crate::check::context::Context;
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Builtin, Ref, SetExpr, SetOp};

/// The kind of the elements of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Kind {
    State,
    Event,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Kind::State => "state",
            Kind::Event => "event",
        }
    }
}

/// The scope of a set expression.
pub(in crate::check) trait Scope {
    /// Adds the elements that a reference denotes; `false` after an error.
    fn reference(&self, cx: &mut Context<'_>, kind: Kind, reference: &Ref, out: &mut Vec<u32>) -> bool;

    /// A built-in set, as far as it is declared; sorted.
    fn builtin(&self, word: Builtin) -> Vec<u32>;

    /// Whether a built-in set is empty only because it is declared further down.
    fn is_early(&self, _word: Builtin) -> bool {
        false
    }
}

/// A set, and whether it has no errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct Set {
    pub ids: Vec<u32>,
    pub sound: bool,
}

impl Set {
    /// A set of ids in any order.
    pub fn of(ids: Vec<u32>, sound: bool) -> Set {
        Set { ids: sorted(ids), sound }
    }
}

/// Ids in order, without repeats.
pub(in crate::check) fn sorted(mut ids: Vec<u32>) -> Vec<u32> {
    if !ids.is_sorted_by(|a, b| a < b) {
        ids.sort_unstable();
        ids.dedup();
    }
    ids
}

/// The value of a set expression. What it holds is paid for.
pub(in crate::check) fn evaluate(cx: &mut Context<'_>, scope: &dyn Scope, kind: Kind, expr: &SetExpr) -> Set {
    let set = value(cx, scope, kind, expr);
    let size = set.ids.len() as u64;
    let paid = size < PER_UNIT || cx.spend(size / PER_UNIT, expr.span());
    if paid { set } else { Set::default() }
}

/// How many members of a set are worth one unit of work.
const PER_UNIT: u64 = 32;

fn value(cx: &mut Context<'_>, scope: &dyn Scope, kind: Kind, expr: &SetExpr) -> Set {
    match expr {
        SetExpr::Ref(reference) => {
            let mut ids = Vec::new();
            let sound = scope.reference(cx, kind, reference, &mut ids);
            Set::of(ids, sound)
        }
        SetExpr::Builtin(word) if kind_of(word.value) != kind => {
            cx.fault(wrong_builtin(word.value, kind, word.span));
            Set::default()
        }
        SetExpr::Builtin(word) => {
            if scope.is_early(word.value) {
                cx.fault(early(word.value, word.span));
            }
            Set { ids: scope.builtin(word.value), sound: true }
        }
        SetExpr::Paren(paren) => evaluate(cx, scope, kind, &paren.inner),
        SetExpr::Braces(list) | SetExpr::List(list) => {
            let (mut ids, mut sound) = (Vec::new(), true);
            for item in &list.items {
                let set = evaluate(cx, scope, kind, item);
                ids.extend(set.ids);
                sound &= set.sound;
            }
            Set::of(ids, sound)
        }
        SetExpr::Binary(_) => chain(cx, scope, kind, expr),
    }
}

/// `a | b | c` leans to the left: its spine is walked in a loop, so that a long union costs no call stack. Each step is paid for by
/// [`evaluate`], and by what it takes of the set before it.
fn chain(cx: &mut Context<'_>, scope: &dyn Scope, kind: Kind, mut expr: &SetExpr) -> Set {
    let mut spine = Vec::new();
    while let SetExpr::Binary(binary) = expr {
        spine.push(&**binary);
        expr = &binary.left;
    }
    let mut set = evaluate(cx, scope, kind, expr);
    while let Some(binary) = spine.pop() {
        let right = evaluate(cx, scope, kind, &binary.right);
        if !cx.spend(set.ids.len() as u64 / PER_UNIT, binary.right.span()) {
            return Set::default();
        }
        set = Set { sound: set.sound && right.sound, ids: combine(binary.op, set.ids, &right.ids) };
    }
    set
}

fn combine(op: SetOp, mut left: Vec<u32>, right: &[u32]) -> Vec<u32> {
    let inside = |id: &u32| right.binary_search(id).is_ok();
    match op {
        SetOp::Intersection => left.retain(inside),
        SetOp::Difference => left.retain(|id| !inside(id)),
        SetOp::Union => {
            left.extend_from_slice(right);
            return sorted(left);
        }
    }
    left
}

/// The value of a set expression; each id with the first list item that contains it.
pub(in crate::check) fn evaluate_items(
    cx: &mut Context<'_>,
    scope: &dyn Scope,
    kind: Kind,
    expr: &SetExpr,
) -> (Vec<(u32, Span)>, bool) {
    let (mut found, mut sound) = (Vec::new(), true);
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        match expr {
            SetExpr::Braces(list) | SetExpr::List(list) => pending.extend(list.items.iter().rev()),
            SetExpr::Paren(paren) => pending.push(&paren.inner),
            _ => {
                let set = evaluate(cx, scope, kind, expr);
                found.extend(set.ids.into_iter().map(|id| (id, expr.span())));
                sound &= set.sound;
            }
        }
    }
    found.sort_by_key(|(id, _)| *id);
    found.dedup_by_key(|(id, _)| *id);
    (found, sound)
}

pub(in crate::check) fn kind_of(word: Builtin) -> Kind {
    match word {
        Builtin::States | Builtin::Initial | Builtin::Secret => Kind::State,
        Builtin::Events | Builtin::Observable | Builtin::Unobservable | Builtin::Anonymous => Kind::Event,
    }
}

/// The keyword of a built-in set.
pub(in crate::check) fn word(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::States => "states",
        Builtin::Initial => "initial",
        Builtin::Events => "events",
        Builtin::Observable => "observable",
        Builtin::Unobservable => "unobservable",
        Builtin::Anonymous => "anonymous",
        Builtin::Secret => "secret",
    }
}

pub(in crate::check) fn wrong_builtin(builtin: Builtin, wanted: Kind, at: Span) -> Diagnostic {
    let (name, kind) = (word(builtin), kind_of(builtin).word());
    Diagnostic::new(Code::E0202, at, format!("`{name}` is a set of {kind}s, not of {}s", wanted.word()))
        .label(format!("expected {}", wording::with_article(&format!("set of {}s", wanted.word()))))
        .help(format!("for {} of that name, use quotes: `\"{name}\"`", wording::with_article(wanted.word())))
}

fn early(builtin: Builtin, at: Span) -> Diagnostic {
    let name = word(builtin);
    Diagnostic::new(Code::W0406, at, format!("`{name}` is empty at this point"))
        .label("contains what is declared above this line")
        .help(format!("move this statement below the declaration of the {}s", kind_of(builtin).word()))
}

/// The difference of two sorted sets.
pub(in crate::check) fn difference(left: &[u32], right: &[u32]) -> Vec<u32> {
    left.iter().copied().filter(|id| right.binary_search(id).is_err()).collect()
}
