//! What a check or a measure asks for: anonymity or opacity, and what goes with each.

use crate::automaton::StateSet;
use crate::check::context::Context;
use crate::check::questions::checks::Known;
use crate::check::questions::classes;
use crate::check::questions::of_parts;
use crate::check::questions::scope::QuestionScope;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::Property;
use crate::source::Span;
use crate::syntax::ast::{self, Expr, HorizonKind, Of, PropertyWord, Subject};

impl<'w> QuestionScope<'_, 'w> {
    /// The property of a check (with a `horizon`) or of a measure.
    pub(super) fn subject(
        &self,
        cx: &mut Context<'w>,
        subject: &Subject,
        place: (Option<&ast::Horizon>, Span),
        known: &mut Known,
    ) -> Option<Property> {
        let read = self.read(cx, subject, place, known)?;
        let Some(scope) = self.system.of_parts() else { return Some(read) };
        let by_parts = of_parts::property(cx, scope, (subject, place.1), &read);
        if !scope.composed.is_uncomposed {
            known.by_parts = by_parts;
            return Some(read);
        }
        known.needs_product |= by_parts.is_none();
        by_parts.map(Property::OfParts)
    }

    fn read(
        &self,
        cx: &mut Context<'w>,
        subject: &Subject,
        (horizon, at): (Option<&ast::Horizon>, Span),
        known: &mut Known,
    ) -> Option<Property> {
        match subject.property {
            Some(word) if word.value == PropertyWord::Opacity => self.opacity(cx, subject, (horizon, word.span), known),
            word => {
                if let Some(fault) = only_with_opacity(subject, horizon, word.map(|word| word.span)) {
                    cx.fault(fault);
                    return None;
                }
                self.anonymity(cx, subject, at, known)
            }
        }
    }

    fn opacity(
        &self,
        cx: &mut Context<'w>,
        subject: &Subject,
        (horizon, word): (Option<&ast::Horizon>, Span),
        known: &mut Known,
    ) -> Option<Property> {
        if let Some(fault) = misfits(subject, horizon, word) {
            cx.fault(fault);
            return None;
        }
        match &subject.of {
            Some(Of { set, to: Some(to) }) => {
                let (from, to) = (known.set(cx, self.system, set), known.set(cx, self.system, to));
                Some(Property::InitialFinal { from: from?, to: to? })
            }
            Some(Of { set, to: None }) => Some(hidden(subject, known.set(cx, self.system, set)?)),
            None => self.secret(cx, word).map(|secret| hidden(subject, secret)),
        }
    }

    /// The declared secret; an error if there is none.
    fn secret(&self, cx: &mut Context<'w>, word: Span) -> Option<StateSet> {
        if self.system.secret.is_none() && !cx.is_silenced("secret", "") {
            cx.fault(no_secret(word, self.observers[0].span));
        }
        self.system.secret.cloned()
    }

    fn anonymity(&self, cx: &mut Context<'w>, subject: &Subject, at: Span, known: &mut Known) -> Option<Property> {
        let among = match &subject.among {
            Some(expr) => among(cx, expr),
            None => Some(2),
        };
        let classes = match &subject.about {
            Some(about) => Some(classes::read(cx, self.system, about)?),
            None => None,
        };
        let except = match &subject.except {
            Some(set) => Some(known.set(cx, self.system, set)?),
            None => None,
        };
        let (Some(among), true) = (among, cx.spend(1, at)) else { return None };
        Some(Property::Anonymity { among, classes, except })
    }
}

/// Opacity of a set: at one instant, or throughout.
fn hidden(subject: &Subject, secret: StateSet) -> Property {
    match subject.throughout {
        Some(_) => Property::Throughout { secret },
        None => Property::Opacity { secret },
    }
}

/// What cannot stand beside `opacity`.
fn misfits(subject: &Subject, horizon: Option<&ast::Horizon>, word: Span) -> Option<Diagnostic> {
    let among = subject.among.as_ref().map(|among| ("among", among.span()));
    let about = subject.about.as_ref().map(|about| ("about", about.span));
    let except = subject.except.as_ref().map(|except| ("except", except.span()));
    if let Some((qualifier, at)) = among.or(about).or(except) {
        return Some(not_with_opacity(qualifier, at, word));
    }
    let ends = subject.of.as_ref().and_then(|of| of.to.as_ref());
    let is = |wanted: fn(&HorizonKind) -> bool| horizon.filter(|horizon| wanted(&horizon.kind));
    match (is(|kind| matches!(kind, HorizonKind::InitialFinal)), ends, subject.throughout) {
        (Some(horizon), None, _) => Some(no_ends(horizon.span, subject.of.as_ref().map(Of::span))),
        (None, Some(to), _) => Some(ends_alone(to.span())),
        (Some(horizon), Some(_), Some(at)) => Some(one_instant(at, horizon.span, "initial-final")),
        (None, None, Some(at)) => is(|kind| matches!(kind, HorizonKind::Initial))
            .map(|horizon| one_instant(at, horizon.span, "initial-state")),
        _ => None,
    }
}

/// What stands beside anonymity and belongs to opacity.
fn only_with_opacity(subject: &Subject, horizon: Option<&ast::Horizon>, word: Option<Span>) -> Option<Diagnostic> {
    if let Some((of, word)) = subject.of.as_ref().zip(word) {
        return Some(of_anonymity(of.span(), word));
    }
    if let Some(at) = subject.throughout {
        return Some(anonymity_throughout(at, word));
    }
    let initial = |horizon: &&ast::Horizon| matches!(horizon.kind, HorizonKind::Initial | HorizonKind::InitialFinal);
    horizon.filter(initial).map(|horizon| initial_anonymity(horizon, word))
}

fn among(cx: &mut Context<'_>, expr: &Expr) -> Option<u32> {
    let value = cx.integer(expr)?;
    if value < 2 {
        cx.fault(among_too_few(expr.span(), value));
        return None;
    }
    let among = u32::try_from(value).ok();
    if among.is_none() {
        cx.fault(among_too_many(expr.span(), value));
    }
    among
}

fn initial_anonymity(horizon: &ast::Horizon, word: Option<Span>) -> Diagnostic {
    let at = horizon.span;
    let name = if matches!(horizon.kind, HorizonKind::Initial) { "initial-state" } else { "initial-final" };
    let fault = Diagnostic::new(Code::E0502, at, format!("`{name}` is defined for opacity, not for anonymity"))
        .label(format!("only opacity has an {name} form"));
    let fault = word.into_iter().fold(fault, |fault, span| fault.also(span, "this asks for anonymity"));
    match (word, name) {
        (_, "initial-final") => fault.help("write `initial-final opacity of {A} -> {B}`"),
        (Some(span), _) => fault.help("write `initial-state opacity`").fix("ask for opacity", span, "opacity"),
        (None, _) => fault.help("write `initial-state opacity`").fix("ask for opacity", at.after(), " opacity"),
    }
}

fn not_with_opacity(qualifier: &str, at: Span, word: Span) -> Diagnostic {
    Diagnostic::new(Code::E0505, at, format!("`{qualifier}` cannot be combined with `opacity`"))
        .label("this qualifier counts or names classes of states")
        .also(word, "opacity hides one set: `secret`, or the set after `of`")
        .help(format!("remove `{qualifier} ...`, or ask for `anonymity`"))
}

fn of_anonymity(at: Span, word: Span) -> Diagnostic {
    Diagnostic::new(Code::E0509, at, "`of` names the secret of opacity, and anonymity has none")
        .label("a set of states to hide")
        .also(word, "this asks for anonymity")
        .help("write `opacity of ...`")
        .fix("ask for opacity", word, "opacity")
}

fn no_secret(at: Span, system: Span) -> Diagnostic {
    Diagnostic::new(Code::E0501, at, "opacity without secret states")
        .label("opacity hides the states of `secret`")
        .also(system, "this system declares no `secret` states")
        .help("declare the secret states, `secret A, B;`, or name them in the check: `opacity of {A, B}`")
}

fn among_too_few(at: Span, value: i64) -> Diagnostic {
    Diagnostic::new(Code::E0503, at, format!("`among {value}` is too small: the minimum is 2"))
        .label("the number of states that must stay possible")
        .help("`among 2` is plain anonymity")
        .fix("write `2`", at, "2")
}

fn among_too_many(at: Span, value: i64) -> Diagnostic {
    Diagnostic::new(Code::E0503, at, format!("`among {value}` is too large: the maximum is {}", u32::MAX))
        .label("larger than any possible number of states")
        .help("write how many states must stay possible: `among 2` is plain anonymity")
}

/// `initial-final opacity;`, `initial-final opacity of {A};`
fn no_ends(at: Span, of: Option<Span>) -> Diagnostic {
    let fault =
        Diagnostic::new(Code::E0510, at, "`initial-final` needs two sets: where a run began, and where it is now")
            .label("of which states?")
            .help("write both sets: `initial-final opacity of {A} -> {B}`");
    of.into_iter().fold(fault, |fault, span| fault.also(span, "only one set"))
}

/// `2-step opacity of {A} -> {B};`
fn ends_alone(to: Span) -> Diagnostic {
    Diagnostic::new(Code::E0510, to, "a beginning and an end belong to `initial-final`")
        .label("where a run is now")
        .help("write `initial-final opacity of {A} -> {B}`, or name one set: `opacity of {A}`")
}

/// `initial-state opacity throughout;`
fn one_instant(at: Span, horizon: Span, name: &str) -> Diagnostic {
    Diagnostic::new(Code::E0511, at, format!("`throughout` speaks of a stretch of the run, and `{name}` of its ends"))
        .label("of which stretch?")
        .also(horizon, "this horizon")
        .help("write `infinite-step opacity throughout` for the whole run")
}

/// `2-step anonymity throughout;`
fn anonymity_throughout(at: Span, word: Option<Span>) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0511, at, "`throughout` belongs to opacity")
        .label("anonymity is defined at one instant")
        .help("write `opacity throughout`");
    match word {
        Some(word) => fault.also(word, "this asks for anonymity").fix("ask for opacity", word, "opacity"),
        None => fault.fix("ask for opacity", at, "opacity throughout"),
    }
}
