//! Sets, the references in them, and the expressions of their indices.

use super::{At, Name};
use crate::source::Span;

/// A set of states, events or labels.
#[derive(Debug)]
pub enum SetExpr {
    /// A name, a member of a family, a whole family, a state of a part.
    Ref(Ref),
    /// `states`, `events`, `observable`, ...
    Builtin(Box<At<Builtin>>),
    /// `{a, b}`, possibly empty.
    Braces(Box<SetList>),
    /// `a, b` outside braces: a union; at least two.
    List(Box<SetList>),
    /// `a | b`, `a & b`, `a \ b`.
    Binary(Box<SetBinary>),
    /// `(a)`: kept, so that the formatter can print it.
    Paren(Box<SetParen>),
}

impl SetExpr {
    pub fn span(&self) -> Span {
        match self {
            SetExpr::Ref(reference) => reference.span(),
            SetExpr::Binary(binary) => binary.left.span().to(binary.right.span()),
            SetExpr::Builtin(word) => word.span,
            SetExpr::Braces(list) | SetExpr::List(list) => list.span,
            SetExpr::Paren(paren) => paren.span,
        }
    }

    /// The references and set keywords in it, in order.
    pub fn terms(&self) -> impl Iterator<Item = &SetExpr> {
        let mut pending = vec![self];
        std::iter::from_fn(move || {
            loop {
                match pending.pop()? {
                    SetExpr::Braces(list) | SetExpr::List(list) => pending.extend(list.items.iter().rev()),
                    SetExpr::Binary(binary) => pending.extend([&binary.right, &binary.left]),
                    SetExpr::Paren(paren) => pending.push(&paren.inner),
                    term => return Some(term),
                }
            }
        })
    }

    /// The references in it, in order.
    pub fn names(&self) -> impl Iterator<Item = &Ref> {
        self.terms().filter_map(|term| if let SetExpr::Ref(reference) = term { Some(reference) } else { None })
    }
}

/// `{a, b}` or `a, b`.
#[derive(Debug)]
pub struct SetList {
    /// Including the braces.
    pub span: Span,
    pub items: Box<[SetExpr]>,
}

/// `(a)`
#[derive(Debug)]
pub struct SetParen {
    /// Including the parentheses.
    pub span: Span,
    pub inner: SetExpr,
}

/// The built-in sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Builtin {
    States,
    Initial,
    Events,
    Observable,
    Unobservable,
    Anonymous,
    Secret,
}

/// `left op right`; `|`, `&` and `\` have equal precedence and are left-associative.
#[derive(Debug)]
pub struct SetBinary {
    pub op: SetOp,
    pub left: SetExpr,
    pub right: SetExpr,
}

/// An operator on sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum SetOp {
    Union,
    Intersection,
    Difference,
}

/// `held[1..N]`, `u[1].waiting`, `p."0,1"`: a name, indices, and perhaps a member.
#[derive(Debug)]
pub struct Ref {
    pub name: Name,
    /// The rest; boxed because most names have none.
    pub rest: Option<Box<RefRest>>,
}

/// The rest of a [`Ref`] after its name.
#[derive(Debug)]
pub struct RefRest {
    /// From the name to the end of the whole reference.
    pub span: Span,
    /// `[1, i + 1, 2..N]`
    pub indices: Indices,
    /// `.waiting`.
    pub member: Option<Box<Ref>>,
}

/// The indices of a name.
///
/// WHY not a plain slice: most families have one index, a file may contain millions of references to them, and an allocation each
/// would be expensive.
#[derive(Debug)]
pub enum Indices {
    /// `[1]`
    One(Index),
    /// `[1, 2..N]`; empty if only a member follows the name.
    Several(Box<[Index]>),
}

impl Indices {
    pub fn as_slice(&self) -> &[Index] {
        match self {
            Indices::One(index) => std::slice::from_ref(index),
            Indices::Several(indices) => indices,
        }
    }
}

impl Ref {
    pub fn span(&self) -> Span {
        self.rest.as_ref().map_or(self.name.span, |rest| rest.span)
    }

    pub fn indices(&self) -> &[Index] {
        self.rest.as_ref().map_or(&[], |rest| rest.indices.as_slice())
    }

    /// The expressions of its indices, in order.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.indices()
            .iter()
            .flat_map(|index| match index {
                Index::One(value) => [Some(value), None],
                Index::Range(ends) => [Some(&ends.0), Some(&ends.1)],
            })
            .flatten()
    }

    pub fn member(&self) -> Option<&Ref> {
        self.rest.as_ref().and_then(|rest| rest.member.as_deref())
    }
}

/// One index: a value or a range.
#[derive(Debug)]
pub enum Index {
    /// `i + 1`
    One(Expr),
    /// `1..N`; boxed because most indices are values.
    Range(Box<(Expr, Expr)>),
}

/// An integer or a Boolean: one syntax for both; the checker distinguishes them.
#[derive(Debug)]
pub enum Expr {
    /// `12`
    Integer(Span),
    /// `N`, `i`
    Name(Name),
    /// `-x`, `!x`
    Unary(UnaryOp, Box<Expr>, Span),
    /// `a + b`, `a < b`, `a && b`
    Binary(Box<ExprBinary>),
    /// `(a)`
    Paren(Box<Expr>, Span),
}

impl Expr {
    pub fn span(&self) -> Span {
        match self {
            Expr::Integer(span) | Expr::Unary(_, _, span) | Expr::Paren(_, span) => *span,
            Expr::Name(name) => name.span,
            Expr::Binary(binary) => binary.left.span().to(binary.right.span()),
        }
    }
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Negate,
    Not,
}

/// `left op right`.
#[derive(Debug)]
pub struct ExprBinary {
    pub op: BinaryOp,
    pub op_span: Span,
    pub left: Expr,
    pub right: Expr,
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
}
