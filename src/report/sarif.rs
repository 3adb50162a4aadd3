//! SARIF 2.1.0: a result per diagnostic and per check that did not pass. A violation has its run as a
//! code flow.

use super::words::Words;
use super::{CheckReport, FileReport, Kind, Report};
use crate::diagnostic::{Code, Diagnostic, Label, Severity};
use crate::source::{Sources, Span};
use crate::verify::Answer;
use serde_sarif::sarif::{
    ArtifactLocation, CodeFlow, Location, Message, MultiformatMessageString, PhysicalLocation, Region,
    ReportingDescriptor, Result, ResultLevel, Run, Sarif, ThreadFlow, ThreadFlowLocation, Tool, ToolComponent,
};

/// The report as SARIF, with a final line break.
pub fn sarif(report: &Report) -> String {
    let mut results = Vec::new();
    for file in &report.files {
        results.extend(file.diagnostics.iter().map(|diagnostic| fault(&file.sources, diagnostic)));
        let checks = file.systems.iter().flat_map(|system| &system.checks);
        results.extend(checks.filter(|check| !check.passed).map(|check| verdict(file, check)));
    }
    let driver = ToolComponent::builder().name("desc").version(env!("CARGO_PKG_VERSION")).rules(rules(report)).build();
    let run = Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .column_kind("unicodeCodePoints")
        .results(results)
        .build();
    let document = Sarif::builder()
        .schema("https://json.schemastore.org/sarif-2.1.0.json")
        .version("2.1.0")
        .runs(vec![run])
        .build();
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
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
    rules.push(rule(UNDECIDED, "a check is undecided", "A limit was reached before the check was decided."));
    rules
}

const FAILED: &str = "check-failed";
const UNDECIDED: &str = "check-undecided";

fn rule(id: &str, title: &str, page: &str) -> ReportingDescriptor {
    let text = |text: &str| MultiformatMessageString::builder().text(text).build();
    let page = MultiformatMessageString::builder().text(page).markdown(page).build();
    ReportingDescriptor::builder().id(id).short_description(text(title)).help(page).build()
}

fn fault(sources: &Sources, diagnostic: &Diagnostic) -> Result {
    let level = match diagnostic.severity {
        Severity::Error => ResultLevel::Error,
        Severity::Warning => ResultLevel::Warning,
    };
    let help = diagnostic.help.as_ref().map(|help| format!(" (help: {help})")).unwrap_or_default();
    let mut result = Result::builder()
        .rule_id(diagnostic.code.as_str())
        .level(level)
        .message(message(&format!("{}{help}", diagnostic.message)))
        .locations(vec![location(sources, diagnostic.primary.span, &diagnostic.primary.text)])
        .build();
    result.related_locations = related(sources, &diagnostic.secondary);
    result
}

fn verdict(file: &FileReport, check: &CheckReport) -> Result {
    let (rule, level) = match check.answer {
        Answer::Undecided => (UNDECIDED, ResultLevel::Warning),
        _ => (FAILED, ResultLevel::Error),
    };
    let text = format!("{}: {}", check.text, Words::default().headline(check));
    let mut result = Result::builder()
        .rule_id(rule)
        .level(level)
        .message(message(&text))
        .locations(vec![location(&file.sources, check.span, "")])
        .build();
    if let Kind::Property(found) = &check.kind
        && let Some(story) = &found.story
    {
        result.code_flows = flow(file, check, story);
        result.related_locations = related(&file.sources, &super::text::labels(story, Words::default()));
    }
    result
}

/// The run, one location per transition; `None` for a run without transitions.
fn flow(file: &FileReport, check: &CheckReport, story: &super::story::Story) -> Option<Vec<CodeFlow>> {
    let run = &story.run;
    let locations: Vec<ThreadFlowLocation> = (0..run.events.len())
        .map(|at| {
            let names = &run.states.names;
            let shows = run.shows[at].as_ref().map_or("unseen".to_owned(), |sign| format!("shows {}", sign.greek));
            let text = format!("{} -{}-> {} ({shows})", names[at], run.events[at], names[at + 1]);
            let place = run.places[at].first().copied().unwrap_or(check.span);
            let location = location(&file.sources, place, &text);
            ThreadFlowLocation::builder().location(location).execution_order(at as i64 + 1).build()
        })
        .collect();
    if locations.is_empty() {
        return None;
    }
    let thread = ThreadFlow::builder().locations(locations).build();
    Some(vec![CodeFlow::builder().thread_flows(vec![thread]).message(message("a run that is exposed")).build()])
}

fn related(sources: &Sources, labels: &[Label]) -> Option<Vec<Location>> {
    let locations: Vec<Location> = labels.iter().map(|label| location(sources, label.span, &label.text)).collect();
    (!locations.is_empty()).then_some(locations)
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
