//! Sets, the references in them, and the expressions of their indices.

use super::{At, Name};
use crate::source::Span;

/// A set of states, events or labels.
#[derive(Debug)]
pub enum SetExpr {
    /// A name, a member of a family, a whole family, a component's state.
    Ref(Ref),
    /// `states`, `events`, `observable`, ...
    Builtin(Box<At<Builtin>>),
    /// `{a, b}`, possibly empty.
    Braces(Box<SetList>),
    /// `a, b` outside braces: a union; at least two.
    List(Box<SetList>),
    /// `a | b`, `a & b`, `a \ b`.
    Binary(Box<SetBinary>),
    /// `(a)`: kept so that the tree tells the text.
    Paren(Box<SetParen>),
}

impl SetExpr {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            SetExpr::Ref(reference) => reference.span(),
            SetExpr::Binary(binary) => binary.left.span().to(binary.right.span()),
            SetExpr::Builtin(word) => word.span,
            SetExpr::Braces(list) | SetExpr::List(list) => list.span,
            SetExpr::Paren(paren) => paren.span,
        }
    }

    /// The names and the words of its own that stand in it, in order, whatever joins them.
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

    /// The names that stand in it, in order.
    pub fn names(&self) -> impl Iterator<Item = &Ref> {
        self.terms().filter_map(|term| if let SetExpr::Ref(reference) = term { Some(reference) } else { None })
    }
}

/// `{a, b}` or `a, b`.
#[derive(Debug)]
pub struct SetList {
    /// Where it stands; with the braces.
    pub span: Span,
    /// What is united.
    pub items: Box<[SetExpr]>,
}

/// `(a)`
#[derive(Debug)]
pub struct SetParen {
    /// Where it stands; with the parentheses.
    pub span: Span,
    /// What is inside.
    pub inner: SetExpr,
}

/// The sets that have a word of their own.
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

/// `left op right`; `|`, `&` and `\` bind equally and to the left.
#[derive(Debug)]
pub struct SetBinary {
    /// The operator.
    pub op: SetOp,
    /// The left side.
    pub left: SetExpr,
    /// The right side.
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
    /// The name.
    pub name: Name,
    /// What follows it; boxed because most names stand alone.
    pub rest: Option<Box<RefRest>>,
}

/// What follows the name of a [`Ref`].
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
/// WHY not a plain slice: most families have one index, a file may hold millions of references to them, and an allocation each
/// is what they would cost.
#[derive(Debug)]
pub enum Indices {
    /// `[1]`
    One(Index),
    /// `[1, 2..N]`; nothing when only a member follows the name.
    Several(Box<[Index]>),
}

impl Indices {
    /// Each of them, in order.
    pub fn as_slice(&self) -> &[Index] {
        match self {
            Indices::One(index) => std::slice::from_ref(index),
            Indices::Several(indices) => indices,
        }
    }
}

impl Ref {
    /// Where it stands.
    pub fn span(&self) -> Span {
        self.rest.as_ref().map_or(self.name.span, |rest| rest.span)
    }

    /// Its indices.
    pub fn indices(&self) -> &[Index] {
        self.rest.as_ref().map_or(&[], |rest| rest.indices.as_slice())
    }

    /// What is worked out for its indices, in order.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.indices()
            .iter()
            .flat_map(|index| match index {
                Index::One(value) => [Some(value), None],
                Index::Range(ends) => [Some(&ends.0), Some(&ends.1)],
            })
            .flatten()
    }

    /// Its member.
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

/// An integer or a truth value: one syntax for both, told apart by the checker.
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
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Expr::Integer(span) | Expr::Unary(_, _, span) | Expr::Paren(_, span) => *span,
            Expr::Name(name) => name.span,
            Expr::Binary(binary) => binary.left.span().to(binary.right.span()),
        }
    }
}

/// An operator with one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Negate,
    Not,
}

/// `left op right`.
#[derive(Debug)]
pub struct ExprBinary {
    /// The operator.
    pub op: BinaryOp,
    /// Where the operator stands.
    pub op_span: Span,
    /// The left side.
    pub left: Expr,
    /// The right side.
    pub right: Expr,
}

/// An operator with two sides.
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
