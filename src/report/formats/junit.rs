//! JUnit XML for continuous integration: a suite per system, a case per check.
//!
//! A file that could not be checked is a suite with one case per error, as is one of which a system could not be built. Undecided is
//! an error, not a failure: the tool could not tell. A check that is no worse than in the baseline is skipped. Times are left out, so
//! that the same input gives the same file. The numbers of a suite count every check; cases that there was no time to write are named
//! in its `system-err`.

use super::text::{Telling, answer_word, counterexample};
use crate::diagnostic::render::human::Renderer;
use crate::diagnostic::{Code, Diagnostic};
use crate::draw::svg::may_stand_in_xml;
use crate::report::counterexample::BRIEF;
use crate::report::phrasing::Words;
use crate::report::scribe::{Teller, Written};
use crate::report::{CheckReport, FileReport, Report, SystemReport};
use crate::resources::Resources;
use crate::verdict::Mark;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use std::io;

/// Writes the report as JUnit XML.
///
/// # Errors
/// When it cannot be written.
pub fn write(report: &Report, out: &mut dyn io::Write, resources: Resources<'_>) -> io::Result<Written> {
    let mut page = Page { xml: Writer::new_with_indent(out, b' ', 4), teller: Teller::new(resources, BRIEF) };
    page.xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    page.open("testsuites", "desc check", all(report))?;
    for (file_at, file) in report.files.iter().enumerate() {
        let errors = errors(file);
        if !errors.is_empty() {
            page.faults(file, &errors)?;
        }
        for (system_at, system) in file.systems().iter().enumerate() {
            page.suite(file, system, &|at| report.tolerates(file_at, system_at, at))?;
        }
    }
    page.close("testsuites")?;
    page.xml.get_mut().write_all(b"\n")?;
    Ok(page.teller.written())
}

/// The diagnostics that are cases: a system that was left in the middle of its text has no checks to show it.
fn errors(file: &FileReport) -> Vec<&Diagnostic> {
    let counts = |diagnostic: &&Diagnostic| diagnostic.is_error() || diagnostic.code == Code::W0902;
    file.diagnostics.iter().filter(counts).collect()
}

/// How many cases there are, how many failed, how many are errors, and how many are skipped.
#[derive(Clone, Copy, Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

impl Counts {
    /// The cases of a system, if the checks with these numbers are tolerated when they do not pass.
    fn of(system: &SystemReport<'_>, tolerated: &dyn Fn(usize) -> bool) -> Counts {
        let mut counts = Counts { tests: system.n_checks(), ..Counts::default() };
        for (at, (check, answer)) in system.answers().enumerate() {
            match answer.mark(check.negated) {
                Mark::Passed => {}
                _ if tolerated(at) => counts.skipped += 1,
                Mark::Failed => counts.failures += 1,
                Mark::Undecided => counts.errors += 1,
            }
        }
        counts
    }

    fn add(&mut self, other: Counts) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.skipped += other.skipped;
    }
}

fn all(report: &Report) -> Counts {
    let mut counts = Counts::default();
    for (file_at, file) in report.files.iter().enumerate() {
        let n = errors(file).len();
        counts.add(Counts { tests: n, errors: n, ..Counts::default() });
        for (system_at, system) in file.systems().iter().enumerate() {
            counts.add(Counts::of(system, &|at| report.tolerates(file_at, system_at, at)));
        }
    }
    counts
}

/// What is wrong with a case.
struct Wrong<'a> {
    element: &'static str,
    kind: &'a str,
    message: &'a str,
    description: String,
}

/// XML that is written.
struct Page<'a> {
    xml: Writer<&'a mut dyn io::Write>,
    teller: Teller<'a>,
}

impl Page<'_> {
    fn open(&mut self, element: &str, name: &str, counts: Counts) -> io::Result<()> {
        let mut start = BytesStart::new(element);
        start.push_attribute(("name", &*harmless(name)));
        let skipped = (counts.skipped > 0).then_some(("skipped", counts.skipped));
        let numbers = [("tests", counts.tests), ("failures", counts.failures), ("errors", counts.errors)];
        for (what, number) in numbers.into_iter().chain(skipped) {
            start.push_attribute((what, &*number.to_string()));
        }
        self.xml.write_event(Event::Start(start))
    }

    fn close(&mut self, element: &str) -> io::Result<()> {
        self.xml.write_event(Event::End(BytesEnd::new(element)))
    }

    fn text(&mut self, start: BytesStart<'_>, text: &str) -> io::Result<()> {
        let end = start.to_end().into_owned();
        self.xml.write_event(Event::Start(start))?;
        self.xml.write_event(Event::Text(BytesText::new(&harmless(text))))?;
        self.xml.write_event(Event::End(end))
    }

    fn case(&mut self, attributes: &[(&str, &str)], wrong: Option<Wrong<'_>>) -> io::Result<()> {
        let mut start = BytesStart::new("testcase");
        for (name, value) in attributes {
            start.push_attribute((*name, &*harmless(value)));
        }
        let Some(wrong) = wrong else { return self.xml.write_event(Event::Empty(start)) };
        self.xml.write_event(Event::Start(start))?;
        let mut inside = BytesStart::new(wrong.element);
        inside.push_attribute(("message", &*harmless(wrong.message)));
        inside.push_attribute(("type", wrong.kind));
        self.text(inside, &wrong.description)?;
        self.close("testcase")
    }

    /// A case that passed, and has something to say.
    fn case_that_says(&mut self, attributes: &[(&str, &str)], said: &str) -> io::Result<()> {
        let mut start = BytesStart::new("testcase");
        for (name, value) in attributes {
            start.push_attribute((*name, &*harmless(value)));
        }
        self.xml.write_event(Event::Start(start))?;
        self.text(BytesStart::new("system-out"), said)?;
        self.close("testcase")
    }

    fn faults(&mut self, file: &FileReport, errors: &[&Diagnostic]) -> io::Result<()> {
        let n = errors.len();
        self.open("testsuite", file.name(), Counts { tests: n, errors: n, ..Counts::default() })?;
        for error in errors {
            let place = file.sources.place(error.primary.span);
            let name = format!("{} at {place}", error.code);
            let wrong = Wrong {
                element: "error",
                kind: error.code.as_str(),
                message: &error.message,
                description: format!("{place}: {}", error.message),
            };
            self.case(&[("name", &name), ("classname", file.name())], Some(wrong))?;
        }
        self.close("testsuite")
    }

    fn suite(
        &mut self,
        file: &FileReport,
        system: &SystemReport<'_>,
        tolerated: &dyn Fn(usize) -> bool,
    ) -> io::Result<()> {
        let name = format!("{}: {}", file.name(), system.title());
        self.open("testsuite", &name, Counts::of(system, tolerated))?;
        let mut renderer = Renderer::new(&file.sources, &Telling::default().style);
        for at in 0..system.n_checks() {
            if !self.teller.goes_on(UNITS_PER_CHECK) {
                self.leave_out(system.n_checks() - at)?;
                break;
            }
            let check = system.explained(at, &mut self.teller);
            self.check(file, &name, (&check, tolerated(at)), &mut renderer)?;
        }
        self.close("testsuite")
    }

    fn leave_out(&mut self, checks: usize) -> io::Result<()> {
        self.teller.leave_out(checks);
        let said = Words::default().left_out(checks, self.teller.written().stop).unwrap_or_default();
        self.text(BytesStart::new("system-err"), &said)
    }

    fn check(
        &mut self,
        file: &FileReport,
        suite: &str,
        (check, tolerated): (&CheckReport<'_>, bool),
        renderer: &mut Renderer<'_>,
    ) -> io::Result<()> {
        let title = check.name.map_or_else(|| check.text.to_owned(), |name| format!("{name}: {}", check.text));
        let line = crate::report::line(&file.sources, check.span).to_string();
        let source = file.sources.get(check.span.file).name();
        let attributes = [("name", &*title), ("classname", suite), ("file", source), ("line", &*line)];
        if check.passed() {
            let vacuous = check.vacuity.map(|vacuity| format!("holds vacuously: {}", vacuity.reason()));
            return match vacuous {
                Some(said) => self.case_that_says(&attributes, &said),
                None => self.case(&attributes, None),
            };
        }
        let wrong = Wrong {
            element: match check.mark {
                _ if tolerated => "skipped",
                Mark::Undecided => "error",
                Mark::Passed | Mark::Failed => "failure",
            },
            kind: answer_word(check),
            message: &Words::default().headline(check),
            description: counterexample(file, check, None, &Telling::default(), renderer),
        };
        self.case(&attributes, Some(wrong))
    }
}

/// What it takes to write one case.
const UNITS_PER_CHECK: u64 = 32;

/// Text without characters that XML has no way to write.
fn harmless(text: &str) -> String {
    text.chars().filter(|&character| may_stand_in_xml(character)).collect()
}
