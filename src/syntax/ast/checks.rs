//! Checks and measures.

use super::{At, Expr, Name, Projection, Ref, SetExpr};
use crate::source::Span;

/// `check [name:] [not] ... ;`
#[derive(Debug)]
pub struct Check {
    /// `name:`.
    pub name: Option<Name>,
    /// `not`.
    pub not: Option<Span>,
    pub question: Question,
}

#[derive(Debug)]
pub enum Question {
    /// `weak 2-step anonymity among 3`
    Property(Property),
    /// `estimate strong [?] given [? ?] = {A, B, C, E}`
    Estimate {
        /// The default is `natural`.
        projection: Option<At<Projection>>,
        /// α.
        at: Observation,
        /// αβ; the default is α.
        given: Option<Observation>,
        /// `against OBS`.
        against: Option<Name>,
        expected: SetExpr,
    },
    /// `projection weak [a b b c] = [?1 ?2 ?2 c]`
    Projection {
        /// The default is `natural`.
        projection: Option<At<Projection>>,
        string: Observation,
        /// `against OBS`.
        against: Option<Name>,
        expected: Observation,
    },
    /// `repair costs 3`, `repair impossible`
    Repair {
        /// The least cost; none: no choice is enough.
        costs: Option<Expr>,
    },
}

/// `weak 2-step anonymity among 3 about u[1] against Insider`
#[derive(Debug)]
pub struct Property {
    /// The default is `natural`.
    pub projection: Option<At<Projection>>,
    /// `2-step`.
    pub horizon: Horizon,
    pub subject: Subject,
}

/// `anonymity among 3 about u[1] against Insider`: the common part of checks and measures.
#[derive(Debug, Default)]
pub struct Subject {
    /// The default is `anonymity`.
    pub property: Option<At<PropertyWord>>,
    /// `of SET`: in place of `secret`; `of FROM -> TO` with `initial-final`.
    pub of: Option<Of>,
    /// `throughout`.
    pub throughout: Option<Span>,
    /// `except SET`.
    pub except: Option<SetExpr>,
    /// `among N`.
    pub among: Option<Expr>,
    /// `about ...`.
    pub about: Option<About>,
    /// `against OBS`.
    pub against: Option<Name>,
}

/// `of SET`, `of FROM -> TO`
#[derive(Debug)]
pub struct Of {
    pub set: SetExpr,
    /// `-> TO`.
    pub to: Option<SetExpr>,
}

impl Of {
    pub fn span(&self) -> Span {
        let first = self.set.span();
        self.to.as_ref().map_or(first, |to| first.to(to.span()))
    }

    /// Its sets, in order.
    pub fn sets(&self) -> impl Iterator<Item = &SetExpr> {
        std::iter::once(&self.set).chain(&self.to)
    }
}

/// `measure weak opacity against Insider;`
#[derive(Debug)]
pub struct Measure {
    /// `name:`.
    pub name: Option<Name>,
    /// The default is `natural`.
    pub projection: Option<At<Projection>>,
    pub subject: Subject,
}

/// `anonymity` or `opacity`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum PropertyWord {
    Anonymity,
    Opacity,
}

/// The horizon of a check.
#[derive(Debug)]
pub struct Horizon {
    pub span: Span,
    pub kind: HorizonKind,
}

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
    /// `initial-final`
    InitialFinal,
}

/// `about u[1]`, `about {A, B} | {C, D}`
#[derive(Debug)]
pub struct About {
    /// Without the keyword.
    pub span: Span,
    /// The classes as written: one [`Ref`] to a part, or one set per class.
    pub classes: Vec<SetExpr>,
}

/// `[a ?1 send[2]]`
#[derive(Debug)]
pub struct Observation {
    /// Including the brackets.
    pub span: Span,
    pub signs: Vec<Symbol>,
}

/// A symbol of an observation.
#[derive(Debug)]
pub enum Symbol {
    /// An event, or a group's label with or without a number: `voted`, `voted1`, `sends[2]`.
    Ref(Ref),
    /// `voted#1`, `sends[2]#1`
    Numbered {
        span: Span,
        label: Ref,
        /// `None`: it does not fit.
        number: Option<u32>,
    },
    /// `?`, `γ`; with a number `?1`, `γ1`, `γ₁`.
    Anonymous {
        span: Span,
        /// The number, if there is one that fits.
        number: Option<u32>,
    },
}

impl Symbol {
    pub fn span(&self) -> Span {
        match self {
            Symbol::Ref(reference) => reference.span(),
            Symbol::Numbered { span, .. } | Symbol::Anonymous { span, .. } => *span,
        }
    }
}
