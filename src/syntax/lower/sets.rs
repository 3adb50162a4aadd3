//! Sets and references.

use super::{Lower, take};
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::grammar::Rule;
use pest::iterators::{Pair, Pairs};

impl Lower<'_> {
    /// `a, b \ c`: a list only when there is a comma.
    pub(super) fn set(&mut self, pair: Pair<'_, Rule>) -> SetExpr {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let first = self.set_term(take(&mut inner));
        // WHY: nearly every set of a large file is one name, which needs no list.
        if inner.peek().is_none() {
            return first;
        }
        let mut items = self.set_items(vec![first], inner);
        if items.len() == 1 {
            return items.remove(0);
        }
        SetExpr::List(Box::new(SetList { span, items: items.into_boxed_slice() }))
    }

    /// The sets between the commas. Terms and operators are flat; an operator joins the terms before and after it.
    fn set_items(&mut self, mut items: Vec<SetExpr>, mut inner: Pairs<'_, Rule>) -> Vec<SetExpr> {
        while let Some(pair) = inner.next() {
            match set_op(pair.as_rule()) {
                None => items.push(self.set_term(pair)),
                Some(op) => {
                    let left = items.pop().expect("an operator follows a term");
                    let right = self.set_term(take(&mut inner));
                    items.push(SetExpr::Binary(Box::new(SetBinary { op, left, right })));
                }
            }
        }
        items
    }

    /// `{A, B} \ C`: between the bars of `about`.
    pub(super) fn class(&mut self, pair: Pair<'_, Rule>) -> SetExpr {
        self.set_items(Vec::new(), pair.into_inner()).remove(0)
    }

    fn set_term(&mut self, pair: Pair<'_, Rule>) -> SetExpr {
        match pair.as_rule() {
            Rule::reference => SetExpr::Ref(self.reference(pair)),
            Rule::builtin => {
                SetExpr::Builtin(Box::new(At { value: builtin_of(pair.as_str()), span: self.span(&pair) }))
            }
            Rule::braces => {
                let span = self.span(&pair);
                let items =
                    pair.into_inner().next().map_or(Vec::new(), |set| self.set_items(Vec::new(), set.into_inner()));
                SetExpr::Braces(Box::new(SetList { span, items: items.into_boxed_slice() }))
            }
            Rule::set_parens => {
                let span = self.span(&pair);
                let inner = self.set(take(&mut pair.into_inner()));
                SetExpr::Paren(Box::new(SetParen { span, inner }))
            }
            other => unreachable!("a set is no {other:?}"),
        }
    }

    /// `reference`, `declared` or `member`.
    pub(super) fn reference(&mut self, pair: Pair<'_, Rule>) -> Ref {
        self.span(&pair);
        let mut inner = pair.into_inner();
        let name = self.name(take(&mut inner));
        let Some(next) = inner.next() else { return Ref { name, rest: None } };
        let mut rest = RefRest { span: name.span, indices: Indices::Several(Box::default()), member: None };
        // WHY not the span of the whole: the grammar skips white space before a member that does not come.
        for pair in std::iter::once(next).chain(inner) {
            match pair.as_rule() {
                Rule::indices => {
                    rest.span = Span { end: self.span(&pair).end, ..rest.span };
                    rest.indices = self.indices(pair);
                }
                _ => {
                    let member = self.reference(pair);
                    rest.span = Span { end: member.span().end, ..rest.span };
                    rest.member = Some(Box::new(member));
                }
            }
        }
        Ref { name, rest: Some(Box::new(rest)) }
    }

    fn indices(&mut self, pair: Pair<'_, Rule>) -> Indices {
        let mut inner = pair.into_inner();
        let first = self.index(take(&mut inner));
        match inner.next() {
            None => Indices::One(first),
            Some(second) => {
                let others = std::iter::once(second).chain(inner).map(|index| self.index(index));
                Indices::Several(std::iter::once(first).chain(others).collect())
            }
        }
    }

    fn index(&mut self, pair: Pair<'_, Rule>) -> Index {
        let mut inner = pair.into_inner();
        let low = self.expr(take(&mut inner));
        match inner.next() {
            None => Index::One(low),
            Some(high) => Index::Range(Box::new((low, self.expr(high)))),
        }
    }
}

fn set_op(rule: Rule) -> Option<SetOp> {
    match rule {
        Rule::union => Some(SetOp::Union),
        Rule::intersection => Some(SetOp::Intersection),
        Rule::difference => Some(SetOp::Difference),
        _ => None,
    }
}

fn builtin_of(word: &str) -> Builtin {
    match word {
        "states" => Builtin::States,
        "events" => Builtin::Events,
        "initial" => Builtin::Initial,
        "observable" => Builtin::Observable,
        "unobservable" => Builtin::Unobservable,
        "anonymous" => Builtin::Anonymous,
        _ => Builtin::Secret,
    }
}
