//! Integers and conditions. The grammar gives flat operator lists; precedence is applied here.

use super::{Lower, take};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::grammar::Rule;
use pest::iterators::{Pair, Pairs};
use std::iter::Peekable;

type Flat<'i> = Peekable<Pairs<'i, Rule>>;

impl Lower<'_> {
    /// `expr`, `arithmetic`, or one operand alone.
    pub(super) fn expr(&mut self, pair: Pair<'_, Rule>) -> Expr {
        match pair.as_rule() {
            Rule::expr | Rule::arithmetic => self.binary(&mut pair.into_inner().peekable(), 0),
            _ => self.primary(pair),
        }
    }

    /// Precedence climbing: everything that binds at least as tightly as `least`.
    fn binary(&mut self, flat: &mut Flat<'_>, least: u8) -> Expr {
        let mut left = self.unary(flat);
        while let Some((op, strength)) = flat.peek().map(|pair| operator_of(pair.as_rule())) {
            if strength < least {
                break;
            }
            let op_span = self.span(&flat.next().expect("it was peeked"));
            let right = self.binary(flat, strength + 1);
            if strength == COMPARISON && is_comparison(&left) {
                // What is left says something, and the checker has no second fault to find.
                self.diagnostics.push(chained_comparison(left.span(), op_span));
                continue;
            }
            left = Expr::Binary(Box::new(ExprBinary { op, op_span, left, right }));
        }
        left
    }

    fn unary(&mut self, flat: &mut Flat<'_>) -> Expr {
        let mut prefixes = Vec::new();
        loop {
            let pair = flat.next().expect("an operand follows");
            let op = match pair.as_rule() {
                Rule::negate => UnaryOp::Negate,
                Rule::not => UnaryOp::Not,
                _ => return prefix(prefixes, self.primary(pair)),
            };
            prefixes.push((op, self.span(&pair)));
        }
    }

    fn primary(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::integer => Expr::Integer(span),
            Rule::parens => Expr::Paren(Box::new(self.expr(take(&mut pair.into_inner()))), span),
            _ => Expr::Name(self.name(pair)),
        }
    }
}

/// Applies the prefix operators, outermost first, to an operand.
fn prefix(prefixes: Vec<(UnaryOp, Span)>, operand: Expr) -> Expr {
    prefixes.into_iter().rev().fold(operand, |inner, (op, at)| {
        let span = at.to(inner.span());
        Expr::Unary(op, Box::new(inner), span)
    })
}

/// The precedence of comparisons.
const COMPARISON: u8 = 3;

/// An operator and its precedence.
fn operator_of(rule: Rule) -> (BinaryOp, u8) {
    match rule {
        Rule::or => (BinaryOp::Or, 1),
        Rule::and => (BinaryOp::And, 2),
        Rule::equal => (BinaryOp::Equal, COMPARISON),
        Rule::not_equal => (BinaryOp::NotEqual, COMPARISON),
        Rule::less => (BinaryOp::Less, COMPARISON),
        Rule::less_equal => (BinaryOp::LessEqual, COMPARISON),
        Rule::greater => (BinaryOp::Greater, COMPARISON),
        Rule::greater_equal => (BinaryOp::GreaterEqual, COMPARISON),
        Rule::add => (BinaryOp::Add, 4),
        Rule::subtract => (BinaryOp::Subtract, 4),
        Rule::multiply => (BinaryOp::Multiply, 5),
        Rule::divide => (BinaryOp::Divide, 5),
        Rule::remainder => (BinaryOp::Remainder, 5),
        other => unreachable!("an operator is no {other:?}"),
    }
}

fn is_comparison(expr: &Expr) -> bool {
    use BinaryOp::*;
    matches!(expr, Expr::Binary(binary)
        if matches!(binary.op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual))
}

fn chained_comparison(first: Span, second: Span) -> Diagnostic {
    Diagnostic::new(Code::E0119, second, "a comparison cannot be compared again")
        .label("the second comparison")
        .also(first, "this is already a Boolean")
        .help("join two comparisons: `1 <= i && i < N`")
}
