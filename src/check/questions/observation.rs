//! Observations `[a ?1 send[2]]`, checked against the symbols of an observer.

use crate::automaton::EventId;
use crate::automaton::view::{GroupId, Observability, Projection, Symbol};
use crate::check::context::Context;
use crate::check::observe::labels;
use crate::check::questions::scope::QuestionScope;
use crate::check::resolve::names::Lookup;
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{NamedObserver, ViewId, numbered};
use crate::source::Span;
use crate::syntax::ast::{self, Ref};
use crate::syntax::spelling;

/// The symbols of an observation; `None` if it is impossible or has errors.
pub(in crate::check) fn read(
    cx: &mut Context<'_>,
    scope: &QuestionScope<'_, '_>,
    view_id: ViewId,
    written: &ast::Observation,
) -> Option<Vec<Symbol>> {
    let observer = &scope.observers[view_id.observer.index()];
    let mut arrived = vec![0u32; observer.observer.n_sequences()];
    let mut signs = Some(Vec::with_capacity(written.signs.len()));
    for sign in &written.signs {
        let found = sign_of(cx, scope, view_id, sign).and_then(|found| match found {
            // After an error nobody knows how many different numbers came before.
            Symbol::Nth(group, number) if signs.is_some() => {
                in_order(cx, scope, view_id, (group, number), &mut arrived, sign.span())
            }
            _ => Some(found),
        });
        signs = signs.zip(found).map(|(mut signs, found)| {
            signs.push(found);
            signs
        });
    }
    signs
}

/// The event at a position of a string.
pub(in crate::check) fn event(
    cx: &mut Context<'_>,
    scope: &QuestionScope<'_, '_>,
    sign: &ast::Symbol,
) -> Option<EventId> {
    match sign {
        ast::Symbol::Ref(reference) => one_event(cx, scope, reference),
        ast::Symbol::Anonymous { span, .. } | ast::Symbol::Numbered { span, .. } => {
            cx.fault(invisible(
                *span,
                "a string consists of events, not of labels",
                "this is a label",
                "write the events that happen: `[a b]`",
            ));
            None
        }
    }
}

fn one_event(cx: &mut Context<'_>, scope: &QuestionScope<'_, '_>, reference: &Ref) -> Option<EventId> {
    if let Some(member) = reference.member() {
        let span = member.span();
        cx.fault(invisible(
            span,
            "an event is written without a part",
            "a part before a dot",
            "separate the events of a string by spaces: `[a b c]`",
        ));
        return None;
    }
    let mut found = Vec::new();
    let lookup = Lookup { table: scope.system.events(), others: &[], owner: "this system" };
    if !lookup.resolve(cx, reference, &mut found) {
        return None;
    }
    if let [event] = found[..] {
        return Some(EventId(event));
    }
    let (message, label) = ("each position of an observation is one event", format!("this names {}", found.len()));
    cx.fault(invisible(reference.span(), message, &label, "name one of them: `send[1]`"));
    None
}

fn sign_of(cx: &mut Context<'_>, scope: &QuestionScope<'_, '_>, view_id: ViewId, sign: &ast::Symbol) -> Option<Symbol> {
    let (observer, projection) = (&scope.observers[view_id.observer.index()], view_id.projection);
    match sign {
        ast::Symbol::Anonymous { span, number } => {
            let Some(group) = scope.labels(view_id).group(None) else {
                if !cx.is_silenced("group", "") && !cx.is_blamed(*span) {
                    cx.fault(no_group(*span, observer));
                }
                return None;
            };
            label(cx, observer, projection, (group, *number), *span)
        }
        ast::Symbol::Numbered { span, label: written, number } => {
            let group = named_group(cx, scope, view_id, written)?;
            label(cx, observer, projection, (group, Some((*number)?)), *span)
        }
        ast::Symbol::Ref(reference) if is_label_family(cx, scope, view_id, reference) => {
            let group = named_group(cx, scope, view_id, reference)?;
            label(cx, observer, projection, (group, None), reference.span())
        }
        ast::Symbol::Ref(reference) => {
            let text = cx.text(&reference.name);
            let is_event = scope.system.events().names.find(&text).is_some();
            if reference.rest.is_none()
                && !is_event
                && let Some((group, number)) = scope.labels(view_id).read(&text)
            {
                return label(cx, observer, projection, (group, number), reference.span());
            }
            if reference.rest.is_none() && !is_event && is_gamma(&text) && !cx.is_silenced("label", &text) {
                // Who writes one like this writes all of them.
                cx.silence_all("label");
                cx.fault(gamma(&text, reference.span()));
            }
            if cx.is_silenced("label", &text) && is_gamma(&text) {
                return None;
            }
            let event = one_event(cx, scope, reference)?;
            visible(cx, scope, observer, projection, event, reference.span())
        }
    }
}

/// Whether a name with indices is a member of a family of labels: no event has that name, and some label has.
fn is_label_family(cx: &Context<'_>, scope: &QuestionScope<'_, '_>, view_id: ViewId, reference: &Ref) -> bool {
    let base = cx.text(&reference.name);
    let is_family = !reference.indices().is_empty() && reference.member().is_none();
    is_family && scope.system.events().family(&base).is_none() && scope.labels(view_id).has_family(&base)
}

/// The group of a label as written, with its indices; an error if no event has it.
fn named_group(cx: &mut Context<'_>, scope: &QuestionScope<'_, '_>, view_id: ViewId, written: &Ref) -> Option<GroupId> {
    let name = labels::one_name(cx, written, "label")?;
    let group = scope.labels(view_id).group(Some(&name));
    if group.is_none() && !cx.is_silenced("group", &name) {
        let observer = &scope.observers[view_id.observer.index()];
        let known: Vec<&str> = observer.labels.iter().flatten().map(String::as_str).take(20).collect();
        let near = cx.near.nearest(&name, known.iter());
        cx.fault(no_label(&name, written.span(), near.as_deref(), &known));
    }
    group
}

fn no_label(name: &str, at: Span, near: Option<&str>, known: &[&str]) -> Diagnostic {
    let fault = invisible(at, &format!("no event is shown as `{name}`"), "no such label", "");
    match near.map(spelling::member) {
        Some(near) => fault.help(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), at, near),
        None if known.is_empty() => fault.help("give the events a label: `anonymous a, b as voted;`"),
        None => fault.help(format!("the labels are {}", wording::written_list(known))),
    }
}

/// Whether a word is a label in another notation: `γ_1`, `g1`, `gamma1`.
fn is_gamma(text: &str) -> bool {
    let word = text.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(word.trim_end_matches('_'), "γ" | "g" | "gamma" | "Gamma") && word != text
}

fn gamma(text: &str, at: Span) -> Diagnostic {
    let number = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    Diagnostic::new(Code::E0201, at, format!("unknown event `{text}`"))
        .label("neither an event nor a label")
        .help(format!("did you mean the label `?{number}`?"))
        .fix(format!("write `?{number}`"), at, format!("?{number}"))
}

/// A label as it is written, with or without a number; `like` is how the label of a group without one is written nearby.
fn spelled(observer: &NamedObserver, group: GroupId, number: Option<u32>, like: &str) -> String {
    let digits = number.map(|number| number.to_string()).unwrap_or_default();
    match (&observer.labels[group.index()], number) {
        (Some(label), Some(number)) => numbered(&spelling::member(label), number),
        (Some(label), None) => spelling::member(label).into_owned(),
        (None, _) => format!("{}{digits}", if like.starts_with('γ') { 'γ' } else { '?' }),
    }
}

fn label(
    cx: &mut Context<'_>,
    observer: &NamedObserver,
    projection: Projection,
    (group, number): (GroupId, Option<u32>),
    at: Span,
) -> Option<Symbol> {
    let written = cx.file.slice(at);
    let fault = match (projection, number) {
        (Projection::Strong, None) => return Some(Symbol::Group(group)),
        (Projection::Weak, Some(number)) => return Some(Symbol::Nth(group, number)),
        (Projection::Natural, _) => invisible(
            at,
            &format!("`natural` never shows `{written}`"),
            "every observable event shows its own name here",
            "write the event, or use `strong` or `weak`",
        ),
        (Projection::Strong, Some(_)) => {
            let word = spelled(observer, group, None, written);
            invisible(
                at,
                &format!("`strong` never shows `{written}`"),
                "under `strong` a label has no number",
                &format!("write `{word}`, or use `weak`"),
            )
            .fix("remove the number", at, word)
        }
        (Projection::Weak, None) => invisible(
            at,
            &format!("`weak` never shows `{written}`"),
            "under `weak` a label has a number: the order of first appearance",
            &format!("number it: `{}`, or use `strong`", spelled(observer, group, Some(1), written)),
        ),
    };
    // Who takes one projection for another does it more than once.
    if !cx.is_blamed(at) {
        cx.fault(fault);
    }
    None
}

fn visible(
    cx: &mut Context<'_>,
    scope: &QuestionScope<'_, '_>,
    observer: &NamedObserver,
    projection: Projection,
    event: EventId,
    at: Span,
) -> Option<Symbol> {
    let name = scope.system.events().names.get(event.0).into_owned();
    let fault = match observer.observer.observability(event) {
        Observability::Visible => return Some(Symbol::Event(event)),
        Observability::Anonymous(_) if projection == Projection::Natural => return Some(Symbol::Event(event)),
        Observability::Silent => {
            invisible(at, &format!("`{name}` is not observable, so no observation shows it"), "never seen", "remove it")
        }
        Observability::Anonymous(group) => {
            let label = spelled(observer, group, (projection == Projection::Weak).then_some(1), "?");
            invisible(
                at,
                &format!("`{name}` is anonymous: under `{projection}` it shows `{label}`, never its name"),
                "never seen under this name",
                &format!("write `{label}`, or use `natural`"),
            )
        }
    };
    cx.fault(fault);
    None
}

/// Under `weak`, number n of a sequence appears after number n - 1: that of a group, or that of all named agents.
fn in_order(
    cx: &mut Context<'_>,
    scope: &QuestionScope<'_, '_>,
    view_id: ViewId,
    (group, number): (GroupId, u32),
    arrived: &mut [u32],
    at: Span,
) -> Option<Symbol> {
    let observer = &scope.observers[view_id.observer.index()];
    let size = scope.labels(view_id).sizes[group.index()];
    let so_far = &mut arrived[observer.observer.sequence(group)];
    if number >= 1 && number <= size && number <= *so_far + 1 {
        *so_far = (*so_far).max(number);
        return Some(Symbol::Nth(group, number));
    }
    let written = cx.file.slice(at);
    let fault = if number == 0 || number > size {
        let named = observer.observer.sequence(group) == observer.labels.len();
        let (whose, what) = if named { ("this observer names", "agent") } else { ("the group has", "event") };
        let label = format!("{whose} {}", wording::count(u64::from(size), what));
        invisible(
            at,
            &format!("no observation shows `{written}`"),
            &label,
            "labels are numbered from 1, in the order of first appearance",
        )
    } else {
        let next = spelled(observer, group, Some(*so_far + 1), written);
        let label = format!("only {} came before", wording::count(u64::from(*so_far), "different number"));
        invisible(
            at,
            &format!("`{written}` cannot come before `{next}`"),
            &label,
            &format!("the next new one is `{next}`"),
        )
        .fix(format!("write `{next}`"), at, next.clone())
    };
    cx.fault(fault);
    None
}

fn no_group(at: Span, observer: &NamedObserver) -> Diagnostic {
    let labels: Vec<&str> = observer.labels.iter().flatten().map(String::as_str).collect();
    if labels.is_empty() {
        return invisible(
            at,
            "nothing is anonymous, so no observation shows this label",
            "never seen",
            "declare which events look alike: `anonymous a, b;`",
        )
        .also(observer.span, "no `anonymous` statement here");
    }
    let help = format!("the labels are {}", wording::written_list(&labels));
    invisible(at, "every group has a label of its own, so no observation shows this one", "never seen", &help)
}

fn invisible(at: Span, message: &str, label: &str, help: &str) -> Diagnostic {
    Diagnostic::new(Code::E0506, at, message).label(label).help(help)
}
