//! SARIF 2.1.0: a result per diagnostic and per check that did not pass. A violation has its run as a
//! code flow. One that is no worse than in the baseline is a note, and suppressed.

use super::text::labels;
use crate::diagnostic::{Code, Diagnostic, Label, Severity};
use crate::report::counterexample::{BRIEF, Story};
use crate::report::phrasing::Words;
use crate::report::scribe::{Teller, Written};
use crate::report::{CheckReport, FileReport, Kind, Report};
use crate::resources::Resources;
use crate::source::{Sources, Span};
use crate::verdict::Mark;
use serde::{Serialize, Serializer};
use serde_sarif::sarif::{
    ArtifactLocation, Invocation, Location, Message, MultiformatMessageString, Notification, PhysicalLocation, Region,
    ReportingDescriptor, ResultLevel, Suppression, ThreadFlowLocation, Tool, ToolComponent,
};
use std::cell::RefCell;
use std::io;
use std::sync::Arc;

/// Writes the report as SARIF, with a final line break.
///
/// # Errors
/// When it cannot be written.
pub fn write(report: &Report, out: &mut dyn io::Write, resources: Resources<'_>) -> io::Result<Written> {
    let teller = RefCell::new(Teller::new(resources, BRIEF));
    let driver = ToolComponent::builder().name("desc").version(env!("CARGO_PKG_VERSION")).rules(rules(report)).build();
    let run = Run {
        tool: Tool::builder().driver(driver).build(),
        column_kind: "unicodeCodePoints",
        results: (report, &teller),
        invocations: &teller,
    };
    let log = Log { schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
    serde_json::to_writer_pretty(&mut *out, &log)?;
    out.write_all(b"\n")?;
    Ok(teller.borrow().written())
}

/// The document. Its results are made while they are written: a report may have a million, and a run a million steps.
#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    column_kind: &'static str,
    #[serde(serialize_with = "results")]
    results: (&'a Report, &'a RefCell<Teller<'a>>),
    /// What was left out, if anything.
    #[serde(serialize_with = "invocations", skip_serializing_if = "is_whole")]
    invocations: &'a RefCell<Teller<'a>>,
}

/// One result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    rule_id: &'a str,
    level: ResultLevel,
    message: Message,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_flows: Option<[CodeFlow<'a>; 1]>,
    /// Why the result does not count, if it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressions: Option<[Suppression; 1]>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow<'a> {
    message: Message,
    thread_flows: [ThreadFlow<'a>; 1],
}

#[derive(Serialize)]
struct ThreadFlow<'a> {
    #[serde(serialize_with = "steps")]
    locations: Flow<'a>,
}

/// The run of a story, and where to point if a transition is written nowhere.
struct Flow<'a> {
    sources: &'a Sources,
    story: Arc<Story>,
    check: Span,
}

/// What it takes to write one result.
const UNITS_PER_CHECK: u64 = 32;

/// Every diagnostic, and every check that did not pass or holds vacuously, as long as there is time for another.
fn results<S: Serializer>((report, teller): &(&Report, &RefCell<Teller<'_>>), to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(report.files.iter().enumerate().flat_map(|(file_at, file)| {
        let faults = file.diagnostics.iter().map(|diagnostic| fault(&file.sources, diagnostic));
        let checks = file.systems().into_iter().enumerate().flat_map(move |(system_at, system)| {
            system.noteworthy().into_iter().filter_map(move |at| {
                let mut teller = teller.borrow_mut();
                if !teller.goes_on(UNITS_PER_CHECK) {
                    teller.leave_out(1);
                    return None;
                }
                let tolerated = report.tolerates(file_at, system_at, at);
                Some(verdict(file, &system.explained(at, &mut teller), tolerated))
            })
        });
        faults.chain(checks)
    }))
}

fn is_whole(teller: &&RefCell<Teller<'_>>) -> bool {
    teller.borrow().written().left_out == 0
}

fn invocations<S: Serializer>(teller: &&RefCell<Teller<'_>>, to: S) -> Result<S::Ok, S::Error> {
    let Written { left_out, stop } = teller.borrow().written();
    let text = Words::default().left_out(left_out, stop).unwrap_or_default();
    let notice = Notification::builder().message(message(&text)).level(serde_json::json!("warning")).build();
    let invocation = Invocation::builder().execution_successful(true).tool_execution_notifications(vec![notice]);
    [invocation.build()].serialize(to)
}

/// The run, transition by transition.
fn steps<S: Serializer>(flow: &Flow<'_>, to: S) -> Result<S::Ok, S::Error> {
    let Flow { sources, story, check } = flow;
    let run = &story.run;
    to.collect_seq(run.shows(&story.observation).enumerate().map(|(at, shows)| {
        let shows = shows.map_or("unseen".to_owned(), |sign| format!("shows {}", sign.greek));
        let deed = Words::default().run_act(story, at).unwrap_or_else(|| run.transition(at));
        let text = format!("{deed} ({shows})");
        let place = run.places(at).first().unwrap_or(check);
        let location = location(sources, *place, &text);
        ThreadFlowLocation::builder().location(location).execution_order(at as i64 + 1).build()
    }))
}

/// The rules of the results: the raised codes, and the two outcomes of a check that does not pass.
fn rules(report: &Report) -> Vec<ReportingDescriptor> {
    let mut codes: Vec<Code> =
        report.files.iter().flat_map(|file| &file.diagnostics).map(|diagnostic| diagnostic.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let mut rules: Vec<ReportingDescriptor> =
        codes.into_iter().map(|code| rule(code.as_str(), code.title(), code.page())).collect();
    rules.push(rule(FAILED, "a check did not pass", "The property that a `check` states does not hold."));
    rules.push(rule(VACUOUS, "a check holds vacuously", "What the property is about never happens in the system."));
    rules.push(rule(UNDECIDED, "a check is undecided", "A limit was reached before the check was decided."));
    rules
}

const FAILED: &str = "check-failed";
const VACUOUS: &str = "check-vacuous";
const UNDECIDED: &str = "check-undecided";

fn rule(id: &str, title: &str, page: &str) -> ReportingDescriptor {
    let text = |text: &str| MultiformatMessageString::builder().text(text).build();
    let page = MultiformatMessageString::builder().text(page).markdown(page).build();
    ReportingDescriptor::builder().id(id).short_description(text(title)).help(page).build()
}

fn fault<'a>(sources: &'a Sources, diagnostic: &'a Diagnostic) -> Finding<'a> {
    let level = match diagnostic.severity {
        Severity::Error => ResultLevel::Error,
        Severity::Warning => ResultLevel::Warning,
    };
    let help = diagnostic.help.as_ref().map(|help| format!(" (help: {help})")).unwrap_or_default();
    Finding {
        rule_id: diagnostic.code.as_str(),
        level,
        message: message(&format!("{}{help}", diagnostic.message)),
        locations: [location(sources, diagnostic.primary.span, &diagnostic.primary.text)],
        related_locations: related(sources, &diagnostic.secondary),
        code_flows: None,
        suppressions: None,
    }
}

fn verdict<'a>(file: &'a FileReport, check: &CheckReport<'_>, tolerated: bool) -> Finding<'a> {
    let (rule_id, level) = match check.mark {
        Mark::Undecided => (UNDECIDED, ResultLevel::Warning),
        Mark::Passed => (VACUOUS, ResultLevel::Warning),
        _ => (FAILED, ResultLevel::Error),
    };
    let level = if tolerated { ResultLevel::Note } else { level };
    let story = match &check.kind {
        Kind::Property(found) => found.story.as_ref(),
        _ => None,
    };
    let labels = story.map(|story| labels(story, Words::default())).unwrap_or_default();
    let help = Words::default().help(check).map(|help| format!(" (help: {help})")).unwrap_or_default();
    Finding {
        rule_id,
        level,
        message: message(&format!("{}: {}{help}", check.text, Words::default().headline(check))),
        locations: [location(&file.sources, check.span, "")],
        related_locations: related(&file.sources, &labels),
        // A run without transitions has no flow.
        code_flows: story.filter(|story| !story.run.events.is_empty()).map(|story| [flow(file, check.span, story)]),
        suppressions: tolerated.then(|| [in_baseline()]),
    }
}

/// The result is known from the baseline.
fn in_baseline() -> Suppression {
    let why = "it is no worse than in the baseline";
    Suppression::builder()
        .kind(serde_json::json!("external"))
        .status(serde_json::json!("accepted"))
        .justification(why)
        .build()
}

fn flow<'a>(file: &'a FileReport, check: Span, story: &Arc<Story>) -> CodeFlow<'a> {
    let locations = Flow { sources: &file.sources, story: Arc::clone(story), check };
    CodeFlow { message: message("a run that is exposed"), thread_flows: [ThreadFlow { locations }] }
}

fn related(sources: &Sources, labels: &[Label]) -> Vec<Location> {
    labels.iter().map(|label| location(sources, label.span, &label.text)).collect()
}

fn message(text: &str) -> Message {
    Message::builder().text(text).build()
}

fn location(sources: &Sources, span: Span, text: &str) -> Location {
    let file = sources.get(span.file);
    let start = file.lines().position(file.text(), span.start);
    let end = file.lines().position(file.text(), span.end);
    let region = Region::builder()
        .start_line(i64::from(start.line))
        .start_column(i64::from(start.column))
        .end_line(i64::from(end.line))
        .end_column(i64::from(end.column))
        .build();
    let artifact = ArtifactLocation::builder().uri(uri(file.name())).build();
    let place = PhysicalLocation::builder().artifact_location(artifact).region(region).build();
    let mut location = Location::builder().physical_location(place).build();
    location.message = (!text.is_empty()).then(|| message(text));
    location
}

/// A path as a relative URI reference, percent-encoded.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}
