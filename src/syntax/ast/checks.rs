//! Checks and measures: what is asked, how far, of whom.

use super::{At, Expr, Name, Projection, Ref, SetExpr};
use crate::source::Span;

/// `check [name:] [not] ... ;`
#[derive(Debug)]
pub struct Check {
    /// `name:`.
    pub name: Option<Name>,
    /// `not`.
    pub not: Option<Span>,
    /// What is asked.
    pub question: Question,
}

/// What a check asks.
#[derive(Debug)]
pub enum Question {
    /// `weak 2-step anonymity among 3`
    Property(Property),
    /// `estimate strong [?] given [? ?] = {A, B, C, E}`
    Estimate {
        /// `strong`; left out: natural.
        projection: Option<At<Projection>>,
        /// α.
        at: Observation,
        /// αβ; left out: α.
        given: Option<Observation>,
        /// `against OBS`.
        against: Option<Name>,
        /// The set it must be.
        expected: SetExpr,
    },
    /// `projection weak [a b b c] = [?1 ?2 ?2 c]`
    Projection {
        /// `weak`; left out: natural.
        projection: Option<At<Projection>>,
        /// The events of the string.
        string: Observation,
        /// `against OBS`.
        against: Option<Name>,
        /// What it must show.
        expected: Observation,
    },
}

/// `weak 2-step anonymity among 3 about u[1] against Insider`
#[derive(Debug)]
pub struct Property {
    /// `weak`; left out: natural.
    pub projection: Option<At<Projection>>,
    /// `2-step`.
    pub horizon: Horizon,
    /// What is asked for, and of whom.
    pub subject: Subject,
}

/// `anonymity among 3 about u[1] against Insider`: the part that a check and a measure share.
#[derive(Debug, Default)]
pub struct Subject {
    /// `anonymity` or `opacity`; left out: anonymity.
    pub property: Option<At<PropertyWord>>,
    /// `among N`.
    pub among: Option<Expr>,
    /// `about ...`.
    pub about: Option<About>,
    /// `against OBS`.
    pub against: Option<Name>,
}

/// `measure weak opacity against Insider;`
#[derive(Debug)]
pub struct Measure {
    /// `name:`.
    pub name: Option<Name>,
    /// `weak`; left out: natural.
    pub projection: Option<At<Projection>>,
    /// What is asked for, and of whom.
    pub subject: Subject,
}

/// `anonymity` or `opacity`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum PropertyWord {
    Anonymity,
    Opacity,
}

/// How far back the intruder may be late.
#[derive(Debug)]
pub struct Horizon {
    /// Where it stands.
    pub span: Span,
    /// What it says.
    pub kind: HorizonKind,
}

/// What a horizon says.
#[derive(Debug)]
pub enum HorizonKind {
    /// `2-step`, `N-step`, `(N + 1)-step`
    Steps(Expr),
    /// `exactly 3-step`
    Exactly(Expr),
    /// `infinite-step`
    Infinite,
    /// `current-state`
    Current,
    /// `initial-state`
    Initial,
}

/// `about u[1]`, `about {A, B} | {C, D}`: what must stay ambiguous.
#[derive(Debug)]
pub struct About {
    /// Where it stands, without the word.
    pub span: Span,
    /// The classes as written, at the bars: one [`Ref`] to a component's instance, or one set per class.
    pub classes: Vec<SetExpr>,
}

/// `[a ?1 send[2]]`
#[derive(Debug)]
pub struct Observation {
    /// With the brackets.
    pub span: Span,
    /// What is seen, in order.
    pub signs: Vec<Sign>,
}

/// One thing seen.
#[derive(Debug)]
pub enum Sign {
    /// An event, or a group's label with or without a number.
    Ref(Ref),
    /// `?`, `γ`; with a number `?1`, `γ1`, `γ₁`.
    Anonymous {
        /// Where it stands.
        span: Span,
        /// The number, if there is one (and it fits).
        number: Option<u32>,
    },
}

impl Sign {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Sign::Ref(reference) => reference.span(),
            Sign::Anonymous { span, .. } => *span,
        }
    }
}
