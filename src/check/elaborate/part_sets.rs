//! Sets of states of a composition whose product is not built: from set expressions to [`PartSet`]s.
//!
//! Every expression was evaluated before as a set of states, so its faults are told; here it has none.

use crate::check::context::Context;
use crate::check::elaborate::compose::Inner;
use crate::check::elaborate::parts::Composed;
use crate::check::scope::states;
use crate::model::of_parts::PartSet;
use crate::syntax::ast::{Builtin, NameKind, Ref, SetBinary, SetExpr, SetOp};

/// A composition, and what its sets may refer to.
#[derive(Clone, Copy)]
pub(in crate::check) struct PartScope<'a, 'w> {
    pub composed: &'a Composed<'a, 'w>,
    pub node: &'a Inner<'w>,
    /// What `secret` means.
    pub secret: Option<&'a PartSet>,
}

impl PartScope<'_, '_> {
    /// The value of a set expression. None: no combination of states of parts is known for it.
    pub fn set(self, cx: &mut Context<'_>, expr: &SetExpr) -> Option<PartSet> {
        match expr {
            SetExpr::Ref(reference) => self.reference(cx, reference),
            SetExpr::Builtin(word) => match word.value {
                Builtin::States => Some(PartSet::Everywhere),
                Builtin::Secret => self.secret.cloned(),
                _ => None,
            },
            SetExpr::Paren(paren) => self.set(cx, &paren.inner),
            SetExpr::Braces(list) | SetExpr::List(list) => {
                list.items.iter().map(|item| self.set(cx, item)).collect::<Option<_>>().map(PartSet::Union)
            }
            SetExpr::Binary(_) => self.chain(cx, expr),
        }
    }

    fn reference(self, cx: &mut Context<'_>, reference: &Ref) -> Option<PartSet> {
        let is_quoted = reference.name.kind == NameKind::Quoted && reference.rest.is_none();
        if is_quoted && self.composed.may_be_global(&cx.text(&reference.name)) {
            return None;
        }
        let mut places = Vec::new();
        let sound = self.composed.local(cx, self.node, reference, &mut places);
        let places = places.into_iter().map(|(part, ids)| (part, states(ids)));
        sound.then(|| PartSet::Somewhere(places.collect()))
    }

    /// `a | b | c` leans to the left: its spine is walked in a loop, so that a long union costs no call stack.
    fn chain(self, cx: &mut Context<'_>, mut expr: &SetExpr) -> Option<PartSet> {
        let mut spine: Vec<&SetBinary> = Vec::new();
        while let SetExpr::Binary(binary) = expr {
            spine.push(binary);
            expr = &binary.left;
        }
        let mut set = self.set(cx, expr)?;
        while let Some(binary) = spine.pop() {
            let right = self.set(cx, &binary.right)?;
            set = match (binary.op, set) {
                (SetOp::Intersection, set) => PartSet::Intersection(Box::new([set, right])),
                (SetOp::Difference, set) => PartSet::Difference(Box::new([set, right])),
                (SetOp::Union, PartSet::Union(mut sets)) => {
                    sets.push(right);
                    PartSet::Union(sets)
                }
                (SetOp::Union, set) => PartSet::Union(vec![set, right]),
            };
        }
        Some(set)
    }
}
