//! Diagnostics, colours, proposals and verdicts as JSON.

use crate::places::Places;
use desc::diagnostic::{Diagnostic, Severity};
use desc::draw::{self, Graph};
use desc::ide::complete::{ProposalKind, Proposals};
use desc::ide::index::SymbolKind;
use desc::ide::tokens::{Class, Traits, tokens};
use desc::ide::verdict::{Remark, verdicts};
use desc::ide::{Document, fixes};
use desc::model::{Model, System};
use desc::report::formats::html;
use desc::report::phrasing::Words;
use desc::report::{FileReport, Kind, SystemReport};
use desc::resources::Resources;
use desc::source::Sources;
use desc::verdict::{Answer, Mark};
use serde_json::{Value, json};

/// The faults of a text, with their repairs.
pub fn diagnostics(document: &Document, found: &[Diagnostic], places: &Places) -> Value {
    found.iter().map(|fault| diagnostic(document, fault, places)).collect()
}

fn diagnostic(document: &Document, fault: &Diagnostic, places: &Places) -> Value {
    let [from, to] = places.range(fault.primary.span);
    let fixes: Vec<Value> = fixes::fixes(document, fault).iter().map(|fix| fix_of(fix, places)).collect();
    json!({
        "from": from, "to": to, "code": fault.code.as_str(), "message": fault.message, "help": fault.help, "fixes": fixes,
        "label": fault.primary.text,
        "severity": if fault.severity == Severity::Error { "error" } else { "warning" },
    })
}

fn fix_of(fix: &desc::diagnostic::Fix, places: &Places) -> Value {
    let edits = fix.edits.iter().map(|edit| {
        let [from, to] = places.range(edit.span);
        json!({"from": from, "to": to, "insert": edit.text})
    });
    json!({"title": fix.title, "edits": edits.collect::<Vec<_>>()})
}

/// The colours of a text: `[from, to, class]`.
pub fn token_classes(document: &Document, model: Option<&Model>, places: &Places) -> Value {
    let classes = tokens(document, model).into_iter().map(|token| {
        let [from, to] = places.range(token.span);
        json!([from, to, class(token.class, token.traits)])
    });
    classes.collect()
}

/// The classes of `look.css`, and a few more.
fn class(class: Class, traits: Traits) -> String {
    let word = match class {
        Class::Comment if traits.documentation => "doc",
        Class::Comment => "comment",
        Class::Keyword | Class::Choice => "word",
        Class::Number => "integer",
        Class::Text => "quoted",
        Class::Operator | Class::Symbol => "sign",
        Class::Name(kind) => name_class(kind),
    };
    let traits = [("unobservable", traits.unobservable), ("anonymous", traits.anonymous), ("secret", traits.secret)];
    let traits = traits.iter().filter(|(_, holds)| *holds).map(|(name, _)| format!(" {name}"));
    std::iter::once(word.to_owned()).chain(traits).collect()
}

fn name_class(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Event => "name event",
        SymbolKind::State => "name state",
        _ => "name",
    }
}

/// What may stand at a position.
pub fn proposals(found: &Proposals, places: &Places) -> Value {
    let items = found.items.iter().map(|item| {
        let kind = match item.kind {
            ProposalKind::Name(kind) => kind.word(),
            ProposalKind::Word => "keyword",
            ProposalKind::Symbol => "sign",
        };
        json!({"label": item.label, "insert": item.insert, "kind": kind, "detail": item.detail, "docs": item.docs})
    });
    let [from, to] = places.range(found.replace);
    json!({"from": from, "to": to, "items": items.collect::<Vec<_>>(), "all": found.all})
}

/// Every system with its verdicts and drawings.
pub fn systems(report: &FileReport, places: &Places, resources: Resources<'_>) -> Value {
    report.systems().iter().map(|system| system_of(report, system, places, resources)).collect()
}

fn system_of(file: &FileReport, report: &SystemReport<'_>, places: &Places, resources: Resources<'_>) -> Value {
    let system = report.system;
    let results = file.decided().find(|(other, _)| std::ptr::eq(*other, system)).map(|(_, results)| results);
    let beside: Vec<Value> = results.map_or(Vec::new(), |results| {
        verdicts(system, results, resources).iter().map(|verdict| beside(verdict, places)).collect()
    });
    let observers: Vec<Option<&str>> = system.observers.iter().map(|observer| observer.name.as_deref()).collect();
    json!({
        "name": system.name, "docs": system.docs, "built": report.unbuilt.is_none(),
        "states": report.n_states(), "events": report.n_events(), "transitions": report.n_transitions(),
        "uncomposed": report.n_parts(),
        "observers": observers, "anonymous": system.observers.iter().any(|observer| observer.observer.n_groups() > 0),
        "checks": (0..report.n_checks()).map(|at| check(&file.sources, report, at, places)).collect::<Vec<_>>(),
        "beside": beside,
        "drawing": report.graph().as_ref().and_then(|graph| svg(graph, "s-")),
        "parts": parts(system),
    })
}

/// The verdict beside a line of the text.
fn beside(verdict: &Remark, places: &Places) -> Value {
    let [from, to] = places.range(verdict.span);
    json!({"from": from, "to": to, "mark": mark(verdict.mark), "text": verdict.text})
}

fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Passed => "good",
        Mark::Failed => "bad",
        Mark::Undecided => "unsure",
    }
}

fn check(sources: &Sources, report: &SystemReport<'_>, at: usize, places: &Places) -> Value {
    const WORDS: Words = Words { ascii: false, whole: false };
    let check = report.check(at);
    let [from, to] = places.range(check.span);
    let view = report.system.checks[at].question.view_id();
    let is_property = matches!(check.kind, Kind::Property(_));
    json!({
        "name": check.name, "text": check.text, "from": from, "to": to, "mark": mark(check.mark), "says": WORDS.headline(&check),
        "line": sources.get(check.span.file).lines().line_of(check.span.start) + 1,
        "story": is_property && check.answer == Answer::Violated, "property": is_property,
        "view": {"observer": view.observer.index(), "projection": view.projection.word()},
    })
}

/// A drawing without a background; none: it is too large.
fn svg(graph: &Graph, prefix: &str) -> Option<String> {
    let options = draw::Options { prefix: prefix.to_owned(), background: false, ..draw::Options::default() };
    draw::svg(graph, &options).ok()
}

/// A small drawing of each part of a composed system.
fn parts(system: &System) -> Value {
    let Some(parts) = html::parts::parts_of(system) else { return json!([]) };
    let drawn = (0..parts.n_parts()).map(|at| {
        let is_drawn = at < html::parts::MOST_DRAWN;
        let drawing = is_drawn.then(|| html::parts::drawn(system, parts, at, &format!("p{at}-"))).flatten();
        json!({"name": parts.name(at), "drawing": drawing})
    });
    drawn.collect()
}
