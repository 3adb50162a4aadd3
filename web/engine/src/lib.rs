//! The compiler and the engine in a page: one JSON request to one JSON answer.
//!
//! An [`Engine`] holds the text that was opened last. Everything here is a translation: what a request means is decided by the
//! functions of the library that the command line and the language server use. Positions in requests and answers count UTF-16
//! units, as JavaScript does.

mod answers;
#[cfg(target_arch = "wasm32")]
mod border;
mod places;
mod playing;
mod requests;

pub use requests::Request;

use answers::{diagnostics, proposals, systems, token_classes};
use desc::check;
use desc::format::Refusal;
use desc::ide::Document;
use desc::report::FileReport;
use desc::resources::{Resources, Stop};
use desc::source::NoImports;
use desc::verify::{Limits, Options};
use desc::{Checked, Settings};
use places::Places;
use serde_json::{Value, json};
use std::time::Duration;

/// What the page calls its text.
const NAME: &str = "model.des";

/// The most bytes that one search, and reading, may use: a page has 4 GiB at most, and shares it.
const MEMORY: u64 = 700 << 20;

/// The text that was opened last, and what is known of it.
pub struct Engine {
    document: Document,
    places: Places,
    /// The model, while nothing is decided.
    checked: Option<Checked>,
    /// The model with its verdicts.
    report: Option<FileReport>,
}

impl Default for Engine {
    /// With an empty text.
    fn default() -> Engine {
        Engine { document: Document::new(NAME, "", &NoImports), places: Places::new(""), checked: None, report: None }
    }
}

impl Engine {
    /// Answers a request: `{"ask": "open", "text": "..."}`. A request that is none is answered by `{"error": "..."}`.
    pub fn ask(&mut self, request: &str) -> String {
        let answer = match serde_json::from_str(request) {
            Ok(request) => self.answer(request),
            Err(error) => json!({"error": error.to_string()}),
        };
        answer.to_string()
    }

    /// Answers a request.
    pub fn answer(&mut self, request: Request) -> Value {
        match request {
            Request::Open { text, seconds } => self.open(text, seconds),
            Request::Decide { seconds } => self.decide(seconds),
            Request::Story { system, check, seconds } => self.story(system, check, seconds),
            Request::Hover { at } => self.hover(at),
            Request::Complete { at } => self.complete(at),
            Request::Format {} => self.format(),
            Request::Explain { code } => explain(&code),
            Request::Explore(play) => self.explore(&play),
            Request::About {} => json!({"version": env!("CARGO_PKG_VERSION")}),
        }
    }

    /// Reads a text: its faults and its colours.
    fn open(&mut self, text: String, seconds: f64) -> Value {
        let lazy = Some(check::Limits::LAZY);
        let limits = check::Limits { resources: resources(seconds), lazy, ..check::Limits::default() };
        let settings = Settings { limits, ..Settings::default() };
        let checked = desc::check_with(NAME, &text, &NoImports, &settings);
        self.places = Places::new(&text);
        self.document = Document::new(NAME, text, &NoImports);
        self.report = None;
        let answer = json!({
            "diagnostics": diagnostics(&self.document, checked.diagnostics(), &self.places),
            "tokens": token_classes(&self.document, checked.model(), &self.places),
            "model": checked.model().is_some(),
        });
        self.checked = Some(checked);
        answer
    }

    /// Decides every check.
    fn decide(&mut self, seconds: f64) -> Value {
        if let Some(checked) = self.checked.take().filter(|checked| checked.model().is_some()) {
            let limits = Limits { timeout: Some(duration(seconds)), memory: Some(MEMORY), ..Limits::default() };
            let report = checked.verify(&Options { limits, ..Options::default() });
            self.report = report.files.into_iter().next();
        }
        match &self.report {
            Some(report) => json!({"systems": systems(report, &self.places, resources(seconds))}),
            None => json!({"systems": []}),
        }
    }

    /// The story of a check, as HTML that the report page has too.
    fn story(&self, system: usize, check: usize, seconds: f64) -> Value {
        let told = |report| desc::report::formats::html::story(report, system, check, resources(seconds));
        json!({"html": self.report.as_ref().and_then(told)})
    }

    fn hover(&self, at: usize) -> Value {
        let model = self.report.as_ref().and_then(FileReport::model).or(self.checked.as_ref().and_then(Checked::model));
        let found = desc::ide::hover::hover(&self.document, model, self.places.byte(at));
        found.map_or(Value::Null, |found| {
            let [from, to] = self.places.range(found.span);
            json!({"from": from, "to": to, "text": found.text})
        })
    }

    fn complete(&self, at: usize) -> Value {
        proposals(&desc::ide::complete::complete(&self.document, self.places.byte(at)), &self.places)
    }

    fn format(&self) -> Value {
        let formatted = desc::format::format_text(NAME, self.document.text());
        formatted.map_or_else(|refusal| json!({"refused": refused(refusal)}), |text| json!({"text": text}))
    }

    fn explore(&self, play: &requests::Play) -> Value {
        let systems = self.report.as_ref().map(FileReport::systems).unwrap_or_default();
        let Some(report) = systems.get(play.system) else { return json!({"error": "there is no such system"}) };
        // The product of its parts is not built, or nothing of it.
        let stopped = report.n_parts().map(|_| Stop::States).or(report.unbuilt);
        match stopped {
            Some(stop) => playing::stopped(stop),
            None => playing::explore(report.system, play, &self.document, &self.places, resources(play.seconds)),
        }
    }
}

/// Why a text was not formatted.
fn refused(refusal: Refusal) -> String {
    match refusal {
        Refusal::Broken => "it has syntax errors".to_owned(),
        Refusal::Changed => "the result would mean something else, which is a fault of the formatter".to_owned(),
        Refusal::Stopped(stop) => format!("it was not finished {}", stop.limit()),
    }
}

/// The page of a code, in Markdown.
fn explain(code: &str) -> Value {
    let found = desc::diagnostic::Code::from_name(code);
    found.map_or(Value::Null, |code| json!({"code": code.as_str(), "title": code.title(), "page": code.page()}))
}

/// What a request may use.
fn resources(seconds: f64) -> Resources<'static> {
    Resources { memory: Some(MEMORY), ..Resources::default().within(duration(seconds)) }
}

/// At most an hour: what a page asks for is not trusted.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::ZERO).min(Duration::from_secs(3600))
}
