//! JUnit XML for continuous integration: a suite per system, a case per check.
//!
//! A file with errors, or with a system that was not built, is a suite with one case per error. Undecided is an error, not a
//! failure. Times are omitted, so that the same input gives the same file.

use super::words::Words;
use super::{CheckReport, FileReport, Report, SystemReport};
use crate::diagnostic::{Code, Diagnostic};
use crate::draw::svg::may_stand_in_xml;
use crate::verify::Answer;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

/// The report as JUnit XML.
pub fn junit(report: &Report) -> String {
    let mut document = quick_junit::Report::new("desc check");
    for file in &report.files {
        // A system that was left in the middle of its text has no checks to show it.
        let counts = |diagnostic: &&Diagnostic| diagnostic.is_error() || diagnostic.code == Code::W0902;
        let errors: Vec<&Diagnostic> = file.diagnostics.iter().filter(counts).collect();
        if !errors.is_empty() {
            document.add_test_suite(faults(file, &errors));
        }
        document.add_test_suites(file.systems.iter().map(|system| suite(file, system)));
    }
    let text = document.to_string().unwrap_or_default();
    text.chars().filter(|&character| may_stand_in_xml(character)).collect()
}

fn faults(file: &FileReport, errors: &[&Diagnostic]) -> TestSuite {
    let mut suite = TestSuite::new(file.name());
    for error in errors {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type(error.code.as_str()).set_message(&*error.message);
        status.set_description(format!("{}: {}", file.sources.place(error.primary.span), error.message));
        let name = format!("{} at {}", error.code, file.sources.place(error.primary.span));
        let mut case = TestCase::new(name, status);
        case.set_classname(file.name());
        suite.add_test_case(case);
    }
    suite
}

fn suite(file: &FileReport, system: &SystemReport) -> TestSuite {
    let name = format!("{}: {}", file.name(), system.name);
    let mut suite = TestSuite::new(&*name);
    for check in &system.checks {
        let title = check.name.as_ref().map_or_else(|| check.text.clone(), |name| format!("{name}: {}", check.text));
        let mut case = TestCase::new(title, status(file, check));
        case.set_classname(&*name);
        case.extra.insert("file".into(), file.sources.get(check.span.file).name().into());
        case.extra.insert("line".into(), super::line(&file.sources, check.span).to_string().into());
        suite.add_test_case(case);
    }
    suite
}

fn status(file: &FileReport, check: &CheckReport) -> TestCaseStatus {
    if check.passed {
        return TestCaseStatus::success();
    }
    let undecided = check.answer == Answer::Undecided;
    let kind = if undecided { NonSuccessKind::Error } else { NonSuccessKind::Failure };
    let mut status = TestCaseStatus::non_success(kind);
    let headline = Words::default().headline(check);
    let kind = if undecided { "undecided" } else { super::text::answer_word(check) };
    status.set_type(kind).set_message(&*headline);
    let telling = super::text::Telling::default();
    status.set_description(super::text::tale(file, check, None, &telling));
    status
}
