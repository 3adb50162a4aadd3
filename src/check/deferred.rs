//! Statements that are read after the automaton is built: observers, checks and measures.

use crate::check::context::{Bindings, Context};
use crate::syntax::ast::Stmt;
use std::borrow::Cow;

/// Deferred statements with the bound indices.
pub(in crate::check) type Deferred<'w> = Vec<(&'w Stmt, Bindings<'w>)>;

/// Keeps a statement for later.
pub(in crate::check) fn defer<'w>(cx: &mut Context<'w>, stmt: &'w Stmt, deferred: &mut Deferred<'w>) {
    let bytes = size_of::<(&Stmt, Bindings<'_>)>() + cx.bindings.len() * size_of::<(Cow<'_, str>, i64)>();
    if cx.tick(1, bytes as u64, stmt.span) {
        deferred.push((stmt, cx.bindings.clone()));
    }
}
