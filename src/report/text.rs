//! The report for a terminal: the verdicts, the counterexamples, a summary.

mod layout;
pub mod short;
mod tale;

pub use tale::{labels, tale};

use super::words::{Words, count};
use super::{CheckReport, FileReport, Kind, MaxK, MeasureReport, PropertyReport, Report, SystemReport};
use crate::diagnostic::render::Style;
use crate::diagnostic::render::human::harmless;
use crate::diagnostic::words::legible;
use crate::verify::{Answer, Exposure};
use layout::{Paint, pad, paint, paragraph, width};
use std::time::Duration;

/// The options of the text report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Telling {
    pub style: Style,
    pub quiet: bool,
    /// 1: whole sets, and counterexamples of checks with `not`; 2: also how each verdict was found.
    pub verbose: u8,
    /// The elapsed time to print.
    pub time: Option<Duration>,
}

impl Telling {
    fn words(&self) -> Words {
        Words { ascii: self.style.ascii, whole: self.verbose > 0 }
    }
}

pub fn text(report: &Report, telling: &Telling) -> String {
    let mut out = String::new();
    for file in &report.files {
        for system in &file.systems {
            let block = verdicts(file, system, telling);
            if !block.is_empty() {
                out += &block;
                out.push('\n');
            }
        }
    }
    for file in &report.files {
        for system in &file.systems {
            out += &tales(file, system, telling);
        }
    }
    if !telling.quiet {
        out += &summary(report, telling);
    }
    let line = |line: &str| peaceful(line, telling.style.color) + "\n";
    match telling.verbose {
        0 => out.lines().map(|text| line(&legible(text.to_owned()))).collect(),
        _ => out.lines().map(line).collect(),
    }
}

/// Names come from the input and may contain control characters; only our own colour codes are kept.
fn peaceful(line: &str, color: bool) -> String {
    let mut pieces = line.split('\u{1b}');
    let mut out = pieces.next().map(harmless).unwrap_or_default();
    for piece in pieces {
        let is_color = color
            && piece
                .strip_prefix('[')
                .is_some_and(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m'));
        out.push(if is_color { '\u{1b}' } else { '?' });
        out += &harmless(piece);
    }
    out
}

/// The counterexamples of a system; a repeated one is only referred to.
fn tales(file: &FileReport, system: &SystemReport, telling: &Telling) -> String {
    let mut out = String::new();
    let mut told: Vec<&CheckReport> = Vec::new();
    for check in system.checks.iter().filter(|check| tells(check, telling)) {
        let same =
            told.iter().find(|earlier| same_story(earlier, check)).map(|earlier| file.sources.place(earlier.span));
        out += &tale(file, check, same.as_deref(), telling);
        out.push('\n');
        if same.is_none() {
            told.push(check);
        }
    }
    out
}

fn same_story(left: &CheckReport, right: &CheckReport) -> bool {
    let (Kind::Property(one), Kind::Property(other)) = (&left.kind, &right.kind) else { return false };
    let (Some(one), Some(other)) = (&one.story, &other.story) else { return false };
    (left.answer, right.answer) == (Answer::Violated, Answer::Violated)
        && left.projection == right.projection
        && left.observer == right.observer
        && (&one.observation, one.at, &one.exposed) == (&other.observation, other.at, &other.exposed)
}

fn tells(check: &CheckReport, telling: &Telling) -> bool {
    let has_story = matches!(&check.kind, Kind::Property(found) if found.story.is_some());
    !check.passed || (telling.verbose > 0 && check.answer == Answer::Violated && has_story)
}

fn verdicts(file: &FileReport, system: &SystemReport, telling: &Telling) -> String {
    let mut lines = String::new();
    for check in system.checks.iter().filter(|check| !telling.quiet || !check.passed) {
        lines += &verdict(file, check, telling);
    }
    if !telling.quiet {
        for measure in &system.measures {
            lines += &measured(file, measure, telling);
        }
    }
    if lines.is_empty() && system.unbuilt.is_none() && (telling.quiet || !system.checks.is_empty()) {
        return lines;
    }
    let size = system.unbuilt.map_or_else(|| size(system), |stop| telling.words().unbuilt(stop));
    let name = paint(telling.style.color, Paint::Strong, &system.name);
    let none = if lines.is_empty() && system.unbuilt.is_none() { "  no checks\n" } else { "" };
    format!("{name}  {size}\n{lines}{none}")
}

fn size(system: &SystemReport) -> String {
    format!(
        "{}, {}, {}",
        count(system.states as u64, "state"),
        count(system.events as u64, "event"),
        count(system.transitions as u64, "transition")
    )
}

/// `ok      holds     check weak 2-step                    x.des:14:5`
fn verdict(file: &FileReport, check: &CheckReport, telling: &Telling) -> String {
    let (word, color) = match (check.passed, check.answer) {
        (true, _) => ("ok", Paint::Good),
        (false, Answer::Undecided) => ("??", Paint::Unsure),
        (false, _) => ("FAILED", Paint::Bad),
    };
    let word = paint(telling.style.color, color, &pad(word, 6));
    let lead = format!("  {word}  {}  ", pad(answer_word(check), 9));
    let place = file.sources.place(check.span);
    let mut out = placed(&lead, 21, &named(check), &place, telling);
    let detail = match &check.kind {
        Kind::Property(found) if check.answer == Answer::Holds => Some(telling.words().holds(found)),
        _ if telling.verbose > 0 && check.passed => Some(telling.words().headline(check)),
        _ => None,
    };
    if let Some(detail) = detail.filter(|_| !telling.quiet) {
        out += &dimmed(&detail, telling);
    }
    if telling.verbose > 1 {
        out += &effort(check, telling);
    }
    out
}

/// The word for the verdict; of an estimate or projection: `equal`, `different`.
pub fn answer_word(check: &CheckReport) -> &'static str {
    match (&check.kind, check.answer) {
        (Kind::Property(_), Answer::Holds) => "holds",
        (Kind::Property(_), Answer::Violated) => "violated",
        (_, Answer::Undecided) => "undecided",
        (_, Answer::Holds) => "equal",
        (_, Answer::Violated) => "different",
    }
}

fn named(check: &CheckReport) -> String {
    match &check.name {
        Some(name) if !check.text.contains(name.as_str()) => format!("{name}: {}", check.text),
        _ => check.text.clone(),
    }
}

/// A text after its lead, with the location at the right margin, or on the next line if it does not fit.
fn placed(lead: &str, indent: usize, text: &str, place: &str, telling: &Telling) -> String {
    let room = telling.style.width;
    let dim = paint(telling.style.color, Paint::Dim, place);
    let used = indent + width(text) + 2 + width(place);
    if used <= room {
        return format!("{lead}{text}{}{dim}\n", " ".repeat(room + 2 - used));
    }
    let body = paragraph(&" ".repeat(indent), text, room);
    let body = body.strip_prefix(&" ".repeat(indent)).unwrap_or(&body);
    format!("{lead}{body}{}{dim}\n", " ".repeat(room.saturating_sub(width(place))))
}

fn dimmed(text: &str, telling: &Telling) -> String {
    let lines = paragraph(&" ".repeat(21), text, telling.style.width);
    lines.lines().map(|line| paint(telling.style.color, Paint::Dim, line) + "\n").collect()
}

/// How a verdict was found, printed with `-vv`.
fn effort(check: &CheckReport, telling: &Telling) -> String {
    let Kind::Property(found) = &check.kind else { return String::new() };
    let PropertyReport { cost, .. } = &**found;
    dimmed(
        &format!(
            "found by {}: {}, {}, {} KiB{}",
            cost.by.map_or_else(|| "the engine".to_owned(), |by| by.to_string()),
            count(cost.pairs, "pair"),
            count(cost.sets, "set"),
            cost.memory.div_ceil(1024),
            telling.time.map(|_| format!(", {}", seconds(cost.time))).unwrap_or_default()
        ),
        telling,
    )
}

fn measured(file: &FileReport, measure: &MeasureReport, telling: &Telling) -> String {
    let place = file.sources.place(measure.span);
    let mut out = placed(&format!("  {}  {}  ", pad("", 6), pad("measured", 9)), 21, &measure.text, &place, telling);
    let most = match MaxK::from(measure.exposure) {
        MaxK::Steps(steps) => format!("maximal K is {steps}, exposed after {}", count(steps + 1, "step")),
        MaxK::Infinite => "maximal K is infinite: nothing is ever exposed".to_owned(),
        MaxK::None => "maximal K is none: exposed after 0 steps".to_owned(),
        MaxK::Unknown => match measure.exposure {
            Exposure::Beyond(safe) => format!("undecided: holds up to {}", count(safe, "step")),
            _ => "undecided".to_owned(),
        },
    };
    let nothing_new = measure.saturation.map(|layer| format!("; no new pairs after {}", count(layer, "step")));
    let bound = format!("; the paper's bound is {}", measure.bound);
    out += &dimmed(&format!("{most}{}{bound}", nothing_new.unwrap_or_default()), telling);
    out
}

fn summary(report: &Report, telling: &Telling) -> String {
    let tally = report.tally();
    let all = tally.passed + tally.failed + tally.undecided;
    let mut parts = vec![format!("{} passed", tally.passed)];
    if tally.failed > 0 {
        parts.push(format!("{} failed", tally.failed));
    }
    if tally.undecided > 0 {
        parts.push(format!("{} undecided", tally.undecided));
    }
    if tally.unbuilt > 0 {
        parts.push(format!("{} not built", count(tally.unbuilt as u64, "system")));
    }
    if tally.faulty_files > 0 {
        parts.push(format!("{} not checked because of errors", count(tally.faulty_files as u64, "file")));
    }
    let pairs: u64 = report.files.iter().flat_map(|file| &file.systems).map(|system| system.pairs).sum();
    let mut line = format!("{}: {}; {} explored", count(all as u64, "check"), parts.join(", "), count(pairs, "pair"));
    if let Some(time) = telling.time {
        line += &format!(" in {}", seconds(time));
    }
    paragraph("", &line, telling.style.width)
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
