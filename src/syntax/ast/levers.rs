//! What may be changed so that the checks hold, and what is.

use super::{At, Expr, Name, Ref, SetExpr};
use crate::source::Span;

/// `may hide log cost 3;`, `may together hide door[1..12];`, `must hide log;`, `must anonymise vote[i] as voted by voter[i];`
#[derive(Debug)]
pub struct Lever {
    /// `may`; none: `must`, and the change is made.
    pub offer: Option<Offer>,
    pub word: At<LeverWord>,
    pub set: SetExpr,
    /// `as voted`.
    pub label: Option<Ref>,
    /// `by voter[i]`.
    pub agent: Option<Ref>,
    /// `from Clerk`.
    pub from: Option<Name>,
    /// `cost 3`.
    pub cost: Option<Cost>,
}

/// `may`, `may together`
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    pub may: Span,
    /// Whether one lever moves all its events.
    pub together: Option<Span>,
}

/// `cost 3`
#[derive(Debug)]
pub struct Cost {
    /// With the word.
    pub span: Span,
    pub value: Expr,
}

/// The word of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum LeverWord {
    Hide,
    Anonymise,
    Disable,
}

impl LeverWord {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            LeverWord::Hide => "hide",
            LeverWord::Anonymise => "anonymise",
            LeverWord::Disable => "disable",
        }
    }
}
