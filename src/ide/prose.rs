//! A check as a sentence: what the intruder sees, and what they must not learn.

use crate::source::SourceFile;
use crate::syntax::ast::*;

/// A paragraph of Markdown.
pub fn check(check: &Check, file: &SourceFile) -> String {
    let asked = match &check.question {
        Question::Property(property) => self::property(property, file),
        Question::Estimate { projection, at, given, against, expected } => {
            let given = given.as_ref().unwrap_or(at);
            format!(
                "Given {}, the intruder{} {} and their estimate of the state after {} is exactly {}.",
                code(file.slice(given.span)),
                named(*against, file),
                sees(word(*projection)),
                code(file.slice(at.span)),
                code(file.slice(expected.span())),
            )
        }
        Question::Projection { projection, string, against, expected } => format!(
            "Of the string {} the intruder{} sees {}: they {}.",
            code(file.slice(string.span)),
            named(*against, file),
            code(file.slice(expected.span)),
            sees(word(*projection)),
        ),
        Question::Repair { costs: Some(costs) } => format!(
            "The cheapest choice of `may` levers under which every property of this system holds costs exactly {}.",
            code(file.slice(costs.span())),
        ),
        Question::Repair { costs: None } => {
            "No choice of `may` levers makes every property of this system hold.".to_owned()
        }
    };
    match check.not {
        Some(_) => format!("Passes if this is **not** the case. {asked}"),
        None => asked,
    }
}

/// A paragraph of Markdown.
pub fn measure(measure: &Measure, file: &SourceFile) -> String {
    format!(
        "Computes how late the intruder{} can still become sure: the least K for which {} is violated, and the largest for \
         which it holds. The intruder {}.",
        named(measure.subject.against, file),
        wanted(measure.subject.property),
        sees(word(measure.projection)),
    )
}

fn property(property: &Property, file: &SourceFile) -> String {
    let subject = &property.subject;
    let whose = named(subject.against, file);
    let seen = sees(word(property.projection));
    match &property.horizon.kind {
        HorizonKind::Exactly(count) => format!(
            "The longest delay without exposure is exactly {}: {} holds for it and is violated for one more. The \
             intruder{whose} {seen}.",
            steps(count, file),
            wanted(subject.property),
        ),
        kind => format!("The intruder{whose} {seen}, and {} {}.", never_sure(subject, file), when(kind, file)),
    }
}

fn named(against: Option<Name>, file: &SourceFile) -> String {
    against.map_or_else(String::new, |name| format!(" {}", code(file.slice(name.span))))
}

fn word(projection: Option<At<Projection>>) -> Projection {
    projection.map_or(Projection::Natural, |projection| projection.value)
}

fn sees(projection: Projection) -> &'static str {
    match projection {
        Projection::Natural => "sees every observable event by its name",
        Projection::Strong => "sees only that some anonymous event happened (`γ`)",
        Projection::Weak => "sees whether an anonymous event is the same as an earlier one (`γ1`, `γ2`, ...)",
    }
}

fn wanted(property: Option<At<PropertyWord>>) -> &'static str {
    match property.map(|property| property.value) {
        Some(PropertyWord::Opacity) => "opacity",
        _ => "anonymity",
    }
}

fn never_sure(subject: &Subject, file: &SourceFile) -> String {
    let what = match &subject.about {
        Some(about) => format!("{} (only these classes matter)", code(file.slice(about.span))),
        None => "the state".to_owned(),
    };
    match (subject.property.map(|property| property.value), &subject.among) {
        (Some(PropertyWord::Opacity), _) => format!("must never be sure that {},", secret(subject, file)),
        (_, Some(among)) => {
            format!("must always consider at least {} possibilities for {what}", code(file.slice(among.span())))
        }
        (_, None) => format!("must never be sure of {what}"),
    }
}

/// What opacity hides.
fn secret(subject: &Subject, file: &SourceFile) -> String {
    let set = subject.of.as_ref().map_or("`secret`".to_owned(), |of| code(file.slice(of.set.span())));
    match (subject.of.as_ref().and_then(|of| of.to.as_ref()), subject.throughout) {
        (Some(to), _) => format!("the run began in {set} and is now in {}", code(file.slice(to.span()))),
        (None, Some(_)) => format!("the run visited {set} since then"),
        (None, None) => format!("the state was in {set}"),
    }
}

fn when(kind: &HorizonKind, file: &SourceFile) -> String {
    match kind {
        HorizonKind::Current | HorizonKind::InitialFinal => "at the current instant".to_owned(),
        HorizonKind::Steps(count) => format!("at any instant, even {} later", steps(count, file)),
        HorizonKind::Infinite => "at any instant, however long they observe".to_owned(),
        HorizonKind::Initial => "in which the system started, however long they observe".to_owned(),
        HorizonKind::Exactly(_) => String::new(),
    }
}

fn steps(count: &Expr, file: &SourceFile) -> String {
    match file.slice(count.span()) {
        "1" => "1 observation".to_owned(),
        count => format!("{count} observations"),
    }
}

fn code(text: &str) -> String {
    format!("`{}`", text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// What an agent is.
pub const AGENT: &str = "An agent: who acts in an anonymous event. Under `weak` the intruder recognises an agent whom they saw before, whatever the agent does, without knowing who it is. An event without `by` is its own agent.";

/// The meaning of a keyword in a sentence; `None` for keywords that need no explanation.
pub fn keyword(word: &str) -> Option<&'static str> {
    KEYWORDS.iter().find_map(|&(keyword, meaning)| (keyword == word).then_some(meaning))
}

const KEYWORDS: &[(&str, &str)] = &[
    ("states", "Declares states; in a set: all states declared so far."),
    ("events", "Declares events; in a set: all events declared so far."),
    ("initial", "The states in which the system may start."),
    ("observable", "The events that the intruder sees. All other events are unobservable."),
    ("unobservable", "The events that the intruder does not see."),
    (
        "anonymous",
        "The observable events whose names the intruder does not see. `as` gives a group a label of its own, `by` says who acts.",
    ),
    ("as", "What the intruder sees of an anonymous event: its label. It may have indices: `as sends[i]`."),
    ("by", AGENT),
    (
        "monitor",
        "A component that only watches: where it has no transition for one of its events it stays, so it never blocks. It has one initial state, and at most one transition for each state and event.",
    ),
    ("of", "The set that `opacity` hides, in place of `secret`."),
    ("secret", "The states that `opacity` protects."),
    (
        "final",
        "The states in which a run may end: no warning if parts still wait for each other there. `initial-final opacity of A -> B` hides that a run began in A and is now in B.",
    ),
    ("compose", "Creates instances of components and composes them: shared events happen together, others alone."),
    (
        "observer",
        "An intruder with their own `observable` and `anonymous` events; `against` names them. `observer Both = A + B;` pools what several see.",
    ),
    (
        "check",
        "A property to verify: `check [name:] [not] [strong | weak | natural] HORIZON [anonymity | opacity] ... ;`",
    ),
    ("measure", "Computes the exposure distance, the maximal K, and the depth at which the search saturates."),
    ("strong", "All anonymous events look alike: each shows `γ`."),
    (
        "weak",
        "Anonymous events are numbered in the order of their first appearance: `γ1`, `γ2`, ...; with `by`, their agents are.",
    ),
    ("natural", "Every observable event shows its name: `anonymous` is ignored."),
    ("infinite", "`infinite-step`: however long the intruder observes."),
    ("current", "`current-state`: at the current instant; the same as `0-step`."),
    ("step", "`K-step`: even K observations later."),
    ("exactly", "`exactly K-step`: holds for K and fails for K + 1."),
    ("anonymity", "The intruder is never sure of the state."),
    ("opacity", "The intruder is never sure that the state was `secret`."),
    (
        "throughout",
        "Opacity of a whole stretch of the run: some run that looks the same visited no secret state from that instant on.",
    ),
    ("except", "States that may be known: classes inside this set are never exposed, but still count as alternatives."),
    ("among", "At least this many states must stay possible; plain anonymity is `among 2`."),
    ("about", "What must stay ambiguous: the state of an instance, or the class among `{A, B} | {C, D}`."),
    ("against", "Which observer."),
    ("estimate", "The delayed estimate at one observation given a longer one."),
    ("projection", "What a string of events shows."),
    ("given", "The longer observation, known later."),
    (
        "may",
        "A change that is allowed so that the checks hold: `may hide log cost 3;`. It changes no verdict; `desc repair` finds the cheapest choice of such levers.",
    ),
    ("must", "A change that is made: `must hide log;`. It applies to what the rest of the system declares."),
    ("together", "One lever for all these events: it changes all of them, or none."),
    ("hide", "The event becomes unobservable: for every observer, or with `from` for one of them."),
    (
        "anonymise",
        "The event joins a group of events that look alike, for those who observe it: `as` names the label, `by` says who acts.",
    ),
    ("disable", "The transitions of the event are removed."),
    ("from", "The observer for whom the event changes; the others see it as before."),
    ("cost", "What it costs to make this change; without it: 1."),
    (
        "repair",
        "`check repair costs N;` promises the cost of the cheapest repair, `check repair impossible;` that there is none.",
    ),
];
