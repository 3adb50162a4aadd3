//! Expansion of `for`, `if` and ranges, charged to the budget in advance.
//!
//! A body is visited once per binding. A range includes both ends; one that ends just before it starts (`i + 1..N` at the
//! last `i`) is empty; one that runs further backwards, or is written backwards with literal numbers, is an error.

use crate::check::Limits;
use crate::check::budget::TURN;
use crate::check::context::{self, Context};
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Binder, Expr, If, Index, Name, Ref, SetExpr, Stmt, StmtKind};

/// The visitor of statements.
pub(in crate::check) type Visit<'v, 'w> = &'v mut dyn FnMut(&mut Context<'w>, &'w Stmt);

impl<'w> Context<'w> {
    /// Visits every statement of a body, with the indices of the enclosing `for`s bound.
    pub fn walk(&mut self, body: &'w [Stmt], visit: Visit<'_, 'w>) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::For(repeat) => {
                    let before = self.faults.errors();
                    self.repeated(&repeat.binders, repeat.guard.as_ref(), &mut |cx| cx.block(&repeat.body, visit));
                    if self.faults.errors() > before
                        && repeat.body.iter().any(|stmt| matches!(stmt.kind, StmtKind::Secret(_)))
                    {
                        self.suppress("secret", "");
                    }
                }
                StmtKind::If(branch) => self.walk_if(branch, visit),
                StmtKind::Error => {}
                _ if self.spend(1, stmt.span) => visit(self, stmt),
                _ => return,
            }
        }
    }

    fn walk_if(&mut self, branch: &'w If, visit: Visit<'_, 'w>) {
        let Some(holds) = self.truth(&branch.condition) else { return };
        self.block(if holds { &branch.then } else { &branch.otherwise }, visit);
    }

    /// Visits a block, and records that it was expanded.
    fn block(&mut self, block: &'w [Stmt], visit: Visit<'_, 'w>) {
        if let Some(key) = context::key(block)
            && !self.walked.contains(&key)
        {
            self.walked.insert(key);
        }
        self.walk(block, visit);
    }

    /// Calls a function for each binding that satisfies the guard.
    pub fn repeated(&mut self, binders: &'w [Binder], guard: Option<&Expr>, each: &mut dyn FnMut(&mut Context<'w>)) {
        if self.fits(binders) {
            self.turns(binders, guard, each);
        }
    }

    /// Whether the product of several ranges is within the limit. A range that depends on another index is
    /// ignored: its iterations are charged one by one.
    fn fits(&mut self, binders: &'w [Binder]) -> bool {
        let [first, .., last] = binders else { return true };
        let names: Vec<_> = binders.iter().map(|binder| self.text(&binder.name)).collect();
        let mut count = 1i128;
        for binder in binders {
            let depends =
                [&binder.low, &binder.high].iter().any(|end| mentions(end, &|name| names.contains(&self.text(name))));
            if !depends {
                let Some((low, high)) = self.range(&binder.low, &binder.high) else { return false };
                count = count.saturating_mul((i128::from(high) - i128::from(low) + 1).max(0));
            }
        }
        let fits = count <= self.room().most as i128;
        if !fits {
            let span = first.name.span.to(last.high.span());
            let ends: Vec<&Expr> = binders.iter().flat_map(|binder| [&binder.low, &binder.high]).collect();
            self.too_large(&ends, oversized(span, count, self.room()));
        }
        fits
    }

    fn turns(&mut self, binders: &'w [Binder], guard: Option<&Expr>, each: &mut dyn FnMut(&mut Context<'w>)) {
        let Some((binder, inner)) = binders.split_first() else {
            if guard.is_none_or(|guard| self.truth(guard) == Some(true)) {
                each(self);
            }
            return;
        };
        let name = self.text(&binder.name);
        if let Some(again) = inner.iter().find(|later| self.text(&later.name) == name) {
            return self.fault(index_twice(&name, again.name.span, binder.name.span));
        }
        let Some((low, high)) = self.range(&binder.low, &binder.high) else { return };
        for value in low..=high {
            if !self.spend(TURN, binder.low.span().to(binder.high.span())) {
                return;
            }
            self.bindings.push((name.clone(), value));
            self.turns(inner, guard, each);
            self.bindings.pop();
        }
    }

    /// The ends of a range; `None` after an error.
    fn range(&mut self, low: &Expr, high: &Expr) -> Option<(i64, i64)> {
        let (from, to) = (self.integer(low), self.integer(high));
        let (from, to) = (from?, to?);
        let span = low.span().to(high.span());
        let plain = matches!((low, high), (Expr::Integer(_), Expr::Integer(_)));
        if from > to && (plain || i128::from(from) > i128::from(to) + 1) {
            self.fault(reversed(span, from, to));
            return None;
        }
        let size = i128::from(to) - i128::from(from) + 1;
        if size > self.room().most as i128 {
            self.too_large(&[low, high], oversized(span, size, self.room()));
            return None;
        }
        Some((from, to))
    }

    /// Reports a range that is too large, once for the constants in it.
    fn too_large(&mut self, ends: &[&Expr], fault: Diagnostic) {
        let used = |name: &str| ends.iter().any(|end| mentions(end, &|found| self.text(found) == name));
        let consts = self.items.consts.iter().map(|constant| &constant.name);
        let consts: Vec<String> = consts.filter(|name| used(name)).cloned().collect();
        self.is_guess = true;
        if consts.is_empty() || consts.iter().any(|name| !self.oversized.contains(name)) {
            self.fault(fault);
        }
        self.oversized.extend(consts);
    }

    /// The maximal size of one range: the larger of the two limits.
    fn room(&self) -> Room {
        let Limits { states, transitions, .. } = self.limits;
        if self.declaring || states > transitions {
            Room { most: transitions.max(states), limit: states, option: "--max-states" }
        } else {
            Room { most: transitions, limit: transitions, option: "--max-transitions" }
        }
    }

    /// Calls a function for each name that a reference denotes: `held[1..3]` is `held[1]`, `held[2]`, `held[3]`.
    /// `false` after an error.
    pub fn members(&mut self, reference: &Ref, each: &mut dyn FnMut(&mut Context<'w>, &str)) -> bool {
        let base = self.text(&reference.name);
        if reference.indices().is_empty() {
            each(self, &base);
            return true;
        }
        let ends: Vec<_> = reference.indices().iter().map(|index| self.index(index)).collect();
        let Some(ends) = ends.into_iter().collect::<Option<Vec<(i64, i64)>>>() else { return false };
        let count = ends.iter().fold(1u128, |count, (low, high)| count.saturating_mul((high - low + 1).max(0) as u128));
        if count > self.room().most as u128 {
            let count = i128::try_from(count).unwrap_or(i128::MAX);
            let ends: Vec<&Expr> = reference.expressions().collect();
            self.too_large(&ends, oversized(reference.span(), count, self.room()));
            return false;
        }
        if count == 0 {
            return true;
        }
        // WHY the length: a family of a million names of a megabyte each is a terabyte.
        let units = (count as u64).saturating_mul(1 + base.len() as u64 / 32);
        self.spend(units, reference.span()) && { self.each_member(&base, &ends, reference.span(), each) }
    }

    fn index(&mut self, index: &Index) -> Option<(i64, i64)> {
        match index {
            Index::One(value) => self.integer(value).map(|value| (value, value)),
            Index::Range(ends) => self.range(&ends.0, &ends.1),
        }
    }

    /// The values of the indices that a set mentions: with the same ones it is the same set.
    pub fn indices_in(&self, set: &SetExpr) -> Vec<i64> {
        let mut expressions = Vec::new();
        for reference in set.names() {
            let mut next = Some(reference);
            while let Some(reference) = next {
                expressions.extend(reference.expressions());
                next = reference.member();
            }
        }
        let stands_in = |index: &str| expressions.iter().any(|expr| mentions(expr, &|name| self.text(name) == index));
        self.bindings.iter().filter(|(index, _)| stands_in(index)).map(|(_, value)| *value).collect()
    }

    /// Enumerates the indices like an odometer. No range is empty. `false`: a limit was reached.
    fn each_member(
        &mut self,
        base: &str,
        ends: &[(i64, i64)],
        at_text: Span,
        each: &mut dyn FnMut(&mut Context<'w>, &str),
    ) -> bool {
        let mut at: Vec<i64> = ends.iter().map(|(low, _)| *low).collect();
        let mut name = String::new();
        loop {
            spell(&mut name, base, &at);
            each(self, &name);
            let Some(turned) = (0..at.len()).rev().find(|&wheel| at[wheel] < ends[wheel].1) else { return true };
            if !self.tick(1, 0, at_text) {
                return false;
            }
            at[turned] += 1;
            (turned + 1..at.len()).for_each(|wheel| at[wheel] = ends[wheel].0);
        }
    }
}

pub(in crate::check) fn mentions(expr: &Expr, wanted: &dyn Fn(&Name) -> bool) -> bool {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        match expr {
            Expr::Name(name) if wanted(name) => return true,
            Expr::Unary(_, inner, _) | Expr::Paren(inner, _) => pending.push(inner),
            Expr::Binary(binary) => pending.extend([&binary.left, &binary.right]),
            Expr::Name(_) | Expr::Integer(_) => {}
        }
    }
    false
}

/// The name of a member of a family: `held[2]`, `pass[1,2]`.
pub(in crate::check) fn spell(name: &mut String, base: &str, indices: &[i64]) {
    name.clear();
    name.push_str(base);
    for (at, index) in indices.iter().enumerate() {
        name.push(if at == 0 { '[' } else { ',' });
        push(name, *index);
    }
    name.push(']');
}

/// Writes a number. WHY not `write!`: a family of a million names has a million of them, and formatting takes longer than the rest.
pub(in crate::check) fn push(name: &mut String, number: i64) {
    if number < 0 {
        name.push('-');
    }
    let (mut rest, mut digits) = (number.unsigned_abs(), [0u8; 20]);
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    name.push_str(std::str::from_utf8(&digits[first..]).unwrap_or_default());
}

pub(in crate::check) fn index_twice(name: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::E0203, again, format!("the index `{name}` is declared twice"))
        .label("declared again here")
        .also(first, "first declared here")
        .help("give one of them another name")
}

fn reversed(at: Span, low: i64, high: i64) -> Diagnostic {
    Diagnostic::new(Code::E0304, at, format!("the range {low}..{high} runs backwards"))
        .label(format!("from {low} down to {high}"))
        .help(format!("write the smaller end first: `{high}..{low}`"))
}

/// A limit on one expansion, and its error message.
#[derive(Clone, Copy)]
struct Room {
    most: usize,
    limit: usize,
    option: &'static str,
}

fn oversized(at: Span, size: i128, room: Room) -> Diagnostic {
    let size = u64::try_from(size).map_or_else(|_| "far too many".to_owned(), wording::grouped);
    Diagnostic::new(Code::E0305, at, "this range is too large to expand")
        .label(format!("{size} values, and the limit is {}", wording::grouped(room.limit as u64)))
        .help(format!("make it smaller, or raise the limit: `{} N`", room.option))
}
