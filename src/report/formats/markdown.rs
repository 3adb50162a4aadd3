//! Markdown for the summary of a pipeline or a comment: what did not pass, each counterexample as a table, then what passed.
//!
//! GitHub and GitLab render it. Names come from the input: they stand in code spans, or are escaped.

use super::text::lanes::lanes;
use super::text::{Telling, answer_word, cells, sentence, totals};
use crate::diagnostic::render::Style;
use crate::diagnostic::render::human::harmless;
use crate::report::baseline::{Change, Comparison};
use crate::report::counterexample::{BRIEF, Story};
use crate::report::phrasing::Words;
use crate::report::scribe::{Scribe, SharedStories, Written};
use crate::report::{CheckReport, FileReport, Kind, MaxK, Report, SystemReport};
use crate::resources::Resources;
use crate::verdict::{Answer, Mark};
use std::fmt::Write;
use std::io;

/// How wide a table of a run may be.
const WIDTH: usize = 110;

const WORDS: Words = Words { ascii: false, whole: false };

/// Writes the page.
///
/// # Errors
/// When it cannot be written.
pub fn write(report: &Report, out: &mut dyn io::Write, resources: Resources<'_>) -> io::Result<Written> {
    let mut page = Page { out: Scribe::new(out, resources, BRIEF) };
    page.heading(report);
    page.diagnostics(report);
    if let Some(comparison) = &report.comparison {
        page.comparison(comparison);
    }
    page.table(report, false);
    for file in &report.files {
        file.systems().iter().for_each(|system| page.stories(file, system));
    }
    page.passed(report);
    page.left_out();
    page.out.finish()
}

struct Page<'a> {
    out: Scribe<'a>,
}

impl Page<'_> {
    fn heading(&mut self, report: &Report) {
        let tally = report.tally();
        let fails = match &report.comparison {
            Some(comparison) => comparison.worse.iter().any(|change| !change.undecided),
            None => tally.failed > 0,
        };
        let open = match &report.comparison {
            Some(comparison) => !comparison.worse.is_empty(),
            None => tally.undecided + tally.unbuilt + tally.unmeasured > 0,
        };
        let mark = match (fails || tally.faulty_files > 0, open) {
            (true, _) => "❌",
            (false, true) => "❔",
            (false, false) => "✅",
        };
        let _ = writeln!(self.out, "## {mark} desc check\n\n{}.", totals(report));
    }

    fn diagnostics(&mut self, report: &Report) {
        let all = report.files.iter().flat_map(|file| file.diagnostics.iter().map(move |found| (file, found)));
        let mut all = all.peekable();
        if all.peek().is_some() {
            self.out.put("\n| | message | where |\n| --- | --- | --- |\n");
        }
        for (file, found) in all {
            let mark = if found.is_error() { "❌" } else { "⚠️" };
            let help = found.help.as_ref().map(|help| format!("<br>help: {}", inline(help))).unwrap_or_default();
            let place = code(&file.sources.place(found.primary.span));
            let _ = writeln!(self.out, "| {mark} {} | {}{help} | {place} |", found.code, inline(&found.message));
        }
    }

    fn comparison(&mut self, comparison: &Comparison) {
        let _ = writeln!(self.out, "\nCompared with the baseline: {}.", comparison.summary());
        if comparison.worse.is_empty() && comparison.better.is_empty() {
            return;
        }
        self.out.put("\n| | check | before | now | where |\n| --- | --- | --- | --- | --- |\n");
        let worse = comparison.worse.iter().map(|change| ("worse", change));
        let better = comparison.better.iter().map(|change| ("better", change));
        for (word, change) in worse.chain(better) {
            let Change { file, line, text, before, after, .. } = change;
            let before = before.as_deref().unwrap_or("(new)");
            let place = code(&format!("{file}:{line}"));
            let _ = writeln!(self.out, "| {word} | {} | {before} | {after} | {place} |", code(text));
        }
    }

    /// The checks that passed, or those that did not.
    fn table(&mut self, report: &Report, passed: bool) {
        let mut is_open = false;
        for file in &report.files {
            for system in file.systems() {
                for (at, (check, answer)) in system.answers().enumerate() {
                    if (answer.mark(check.negated) == Mark::Passed) != passed {
                        continue;
                    }
                    if !self.out.goes_on() {
                        self.out.teller.leave_out(1);
                        continue;
                    }
                    if !std::mem::replace(&mut is_open, true) {
                        self.out.put("\n| | system | check | verdict | maximal K | where |\n| --- | --- | --- | --- | --- | --- |\n");
                    }
                    self.out.put(&row(file, &system, &system.check(at)));
                }
            }
        }
    }

    /// The stories of a system, each once.
    fn stories(&mut self, file: &FileReport, system: &SystemReport<'_>) {
        let mut stories = SharedStories::default();
        for at in 0..system.n_checks() {
            if system.check(at).passed() || !self.out.goes_on() {
                continue;
            }
            let mut check = system.with_story(at, &mut self.out.teller);
            if stories.first(&check, at).is_none_or(|first| first == at) {
                system.add_remedies(&mut check, at, &mut self.out.teller);
                self.story(file, &check);
            }
        }
    }

    fn story(&mut self, file: &FileReport, check: &CheckReport<'_>) {
        let place = file.sources.place(check.span);
        let _ = writeln!(self.out, "\n### {} {}\n", mark(check), code(check.text));
        let _ = writeln!(self.out, "{} ({})", inline(&sentence(check, WORDS)), code(&place));
        if let Kind::Property(found) = &check.kind
            && let Some(sooner) = WORDS.at_the_distance(found)
        {
            let _ = writeln!(self.out, "\n{}.", inline(&sooner));
        }
        if let (Kind::Property(found), Answer::Violated) = (&check.kind, check.answer)
            && let Some(story) = found.story.as_ref().filter(|story| !story.observation.is_empty())
        {
            self.steps(story);
            self.run(story);
        }
        if let Some(help) = WORDS.help(check) {
            let _ = writeln!(self.out, "\nHelp: {}.", inline(&help));
        }
    }

    fn steps(&mut self, story: &Story) {
        self.out.put("\n| step | sees | estimate | because |\n| --- | --- | --- | --- |\n");
        let mut next = 0;
        for step in &story.steps {
            if step.number > next {
                let _ = writeln!(self.out, "| ... | | | {} more |", step.number - next);
            }
            next = step.number + 1;
            let [number, sees, set, because] = cells(story, step, WORDS);
            let sees = if sees.is_empty() { sees } else { code(&sees) };
            let _ = writeln!(self.out, "| {number} | {sees} | {} | {} |", code(&set), inline(&because));
            if step.number == story.at && !story.later().is_empty() {
                let _ = writeln!(
                    self.out,
                    "| | | | delayed estimate of step {}, given the later observations: |",
                    story.at
                );
            }
        }
    }

    /// One run; of a composed system, a table with a column for each part that moves.
    fn run(&mut self, story: &Story) {
        if story.run.lanes.is_empty() {
            let _ = writeln!(self.out, "\nOne such run: {}", code(&WORDS.run(story, 2 * BRIEF)));
        } else {
            let style = Style { width: WIDTH, ..Style::default() };
            let telling = Telling { style, quiet: false, verbose: 0, time: None };
            let _ = writeln!(self.out, "\n{}", block(&lanes(story, &telling, 2 * BRIEF)));
        }
    }

    fn passed(&mut self, report: &Report) {
        let passed = report.tally().passed;
        if passed == 0 {
            return;
        }
        let checks = crate::report::phrasing::count(passed as u64, "check");
        let _ = writeln!(self.out, "\n<details><summary>{checks} passed</summary>");
        self.table(report, true);
        self.out.put("\n</details>\n");
    }

    fn left_out(&mut self) {
        let Written { left_out, stop } = self.out.teller.written();
        if let Some(said) = WORDS.left_out(left_out, stop) {
            let _ = writeln!(self.out, "\n{said}.");
        }
    }
}

fn row(file: &FileReport, system: &SystemReport<'_>, check: &CheckReport<'_>) -> String {
    let most = match &check.kind {
        Kind::Property(found) => match MaxK::from(found.exposure) {
            MaxK::Steps(steps) => steps.to_string(),
            MaxK::Infinite => "infinite".to_owned(),
            MaxK::None => "none".to_owned(),
            MaxK::Unknown => String::new(),
        },
        _ => String::new(),
    };
    let name = check.name.map(|name| format!("{}: ", escape(name))).unwrap_or_default();
    format!(
        "| {} | {} | {name}{} | {} | {most} | {} |\n",
        mark(check),
        escape(&system.title()),
        code(check.text),
        check.vacuity.map_or_else(|| answer_word(check).to_owned(), |why| format!("holds vacuously: {}", why.reason())),
        code(&file.sources.place(check.span))
    )
}

fn mark(check: &CheckReport<'_>) -> &'static str {
    match check.mark {
        Mark::Passed => "✅",
        Mark::Undecided => "❔",
        Mark::Failed => "❌",
    }
}

/// A sentence: what is in backticks becomes code.
fn inline(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts.map(|(at, part)| if at % 2 == 1 { code(part) } else { escape(part) }).collect()
}

/// Lines as they are.
fn block(text: &str) -> String {
    let fence = "`".repeat(3.max(backticks(text) + 1));
    format!("{fence}text\n{}\n{fence}", text.trim_end())
}

/// How many backticks follow each other at most.
fn backticks(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

/// A code span, also in a cell of a table.
fn code(text: &str) -> String {
    let text = harmless(text).replace('|', "\\|").replace('\n', " ");
    let longest = backticks(&text);
    let fence = "`".repeat(longest + 1);
    // A backtick at an end would join the fence, and a blank at both ends is removed.
    let edge = if longest > 0 || text.trim().is_empty() { " " } else { "" };
    format!("{fence}{edge}{text}{edge}{fence}")
}

/// Plain text without anything that Markdown or HTML would take for its own.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for character in harmless(text).chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '\n' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => out.extend(['\\', character]),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_their_code() {
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("a``b"), "``` a``b ```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(block("a ```b\n"), "````text\na ```b\n````");
    }

    #[test]
    fn names_are_no_markup() {
        assert_eq!(escape("<b>*x*_y|[z](u)"), "&lt;b&gt;\\*x\\*\\_y\\|\\[z\\](u)");
        assert_eq!(inline("sure of `a|b` <now>"), "sure of `a\\|b` &lt;now&gt;");
    }
}
