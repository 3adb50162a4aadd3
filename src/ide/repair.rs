//! A violated check, repaired: the cheapest levers that the file offers, as an edit.

use crate::check::Settings;
use crate::diagnostic::{Edit, Fix};
use crate::model::System;
use crate::repair::fresh::Original;
use crate::repair::is_goal;
use crate::report::repairs::{Repair, Wanted, repair};
use crate::source::{FileId, NoImports, Sources, Span};
use crate::syntax;
use crate::verdict::{Answer, Results};
use crate::verify::Options;

/// The violated checks of a system, and the edit after which every check passes. None: nothing is violated, the file offers nothing or
/// imports something, or there is no repair in time.
pub fn fix(
    (sources, entry): (&Sources, FileId),
    system: &System,
    results: &Results,
    options: &Options<'_>,
) -> Option<(Vec<Span>, Fix)> {
    let is_violated = |(check, verdict): (&crate::model::Check, &crate::verdict::Verdict)| {
        (is_goal(check) && verdict.answer() == Answer::Violated).then_some(check.span)
    };
    let violated: Vec<Span> = system.checks.iter().zip(&results.checks).filter_map(is_violated).collect();
    if violated.is_empty() || system.levers.is_empty() || sources.ids().nth(1).is_some() {
        return None;
    }
    let parsed = syntax::parse(entry, sources.get(entry));
    let settings = Settings::default();
    let original = Original { sources, entry, tree: &parsed.file, loader: &NoImports, settings: &settings };
    let found = repair(&original, system, &Wanted::default(), options, false).repairs.into_iter().next()?;
    Some((violated, as_fix(entry, &found)))
}

fn as_fix(file: FileId, repair: &Repair) -> Fix {
    let levers: Vec<&str> = repair.levers.iter().map(|lever| lever.text.as_str()).collect();
    let edits = repair.edits.iter();
    Fix {
        title: format!("repair: {}, at cost {}", levers.join("; "), repair.cost),
        edits: edits
            .map(|edit| Edit { span: Span::new(file, edit.start, edit.end), text: edit.text.clone() })
            .collect(),
    }
}
