//! The report for a terminal: the verdicts, the counterexamples, a summary.

pub(super) mod lanes;
mod layout;
pub mod short;
mod counterexample;

pub use counterexample::{cells, counterexample, labels, sentence};

use crate::diagnostic::Code;
use crate::diagnostic::render::Style;
use crate::diagnostic::render::human::{Renderer, harmless};
use crate::diagnostic::words::legible;
use crate::report::baseline::Comparison;
use crate::report::counterexample::{BRIEF, Story, Subject};
use crate::report::phrasing::{NOT_LOOKED_FOR, Words, count, uncomposed};
use crate::report::scribe::{Scribe, SharedStories, Written};
use crate::report::{CheckReport, FileReport, Kind, MaxK, MeasureReport, Report, SystemReport};
use crate::resources::Resources;
use crate::verdict::{Answer, Exposure, Mark};
use layout::{Paint, pad, paint, paragraph, width};
use std::io;
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

impl Telling {
    /// The parts of a composed system that a story is about, unless whole states are asked for.
    fn subject<'s>(&self, story: &'s Story) -> Option<&'s Subject> {
        story.subject.as_ref().filter(|subject| self.verbose == 0 && !subject.is_all)
    }

    /// How many steps at each end of a story are told.
    fn edge(&self) -> usize {
        if self.verbose > 0 { usize::MAX } else { BRIEF }
    }
}

/// Writes the report: the verdicts of every system, then the stories, then a summary.
///
/// # Errors
/// When it cannot be written.
pub fn write(
    report: &Report,
    telling: &Telling,
    out: &mut dyn io::Write,
    resources: Resources<'_>,
) -> io::Result<Written> {
    let mut page = Page { telling, scribe: Scribe::new(out, resources, telling.edge()) };
    page.scribe.teller = page.scribe.teller.with_up_to(report.most_exposures);
    if telling.verbose > 0 {
        page.scribe.teller = page.scribe.teller.with_both();
    }
    for file in &report.files {
        file.systems().iter().for_each(|system| page.verdicts(file, system));
    }
    let left_out = page.scribe.teller.written().left_out;
    for file in &report.files {
        // WHY one for all systems: it reads the whole file.
        let mut renderer = Renderer::new(&file.sources, &telling.style);
        file.systems().iter().for_each(|system| page.tales(file, system, &mut renderer));
    }
    page.say_what_is_left_out(left_out);
    if !telling.quiet {
        page.put(&summary(report, telling));
    }
    if let Some(comparison) = &report.comparison {
        page.put(&compared(comparison, telling));
    }
    page.scribe.finish()
}

/// The text of a report that is written.
struct Page<'a> {
    telling: &'a Telling,
    scribe: Scribe<'a>,
}

impl Page<'_> {
    /// Writes whole lines.
    fn put(&mut self, lines: &str) {
        let color = self.telling.style.color;
        for text in lines.lines() {
            let text = if self.telling.verbose == 0 { legible(text.to_owned()) } else { text.to_owned() };
            self.scribe.put(&(peaceful(&text, color) + "\n"));
        }
    }

    /// The verdict of each check and each measure of a system, below its name.
    fn verdicts(&mut self, file: &FileReport, system: &SystemReport<'_>) {
        let telling = self.telling;
        let mut is_open = system.unbuilt.is_some() || (!telling.quiet && system.n_checks() == 0);
        if is_open {
            self.put(&heading(system, telling));
        }
        for at in 0..system.n_checks() {
            if !self.scribe.goes_on() {
                self.scribe.teller.leave_out(system.n_checks() - at);
                break;
            }
            let check =
                if telling.verbose > 0 { system.explained(at, &mut self.scribe.teller) } else { system.check(at) };
            if telling.quiet && check.passed() {
                continue;
            }
            if !std::mem::replace(&mut is_open, true) {
                self.put(&heading(system, telling));
            }
            self.put(&verdict(file, &check, telling));
        }
        self.measures(file, system);
        if is_open
            && !telling.quiet
            && system.n_checks() == 0
            && system.unbuilt.is_none()
            && system.measures().len() == 0
        {
            self.put("  no checks\n");
        }
        if is_open {
            self.put("\n");
        }
    }

    fn measures(&mut self, file: &FileReport, system: &SystemReport<'_>) {
        for measure in system.measures().filter(|_| !self.telling.quiet) {
            if self.scribe.goes_on() {
                self.put(&measured(file, &measure, self.telling));
            }
        }
    }

    /// The counterexamples of a system; a repeated one is only referred to.
    fn tales(&mut self, file: &FileReport, system: &SystemReport<'_>, renderer: &mut Renderer<'_>) {
        let mut stories = SharedStories::default();
        for at in 0..system.n_checks() {
            if !self.scribe.goes_on() {
                let rest = (at..system.n_checks()).filter(|&at| tells(&system.check(at), self.telling));
                self.scribe.teller.leave_out(rest.count());
                return;
            }
            let check = system.check(at);
            if !tells(&check, self.telling) {
                continue;
            }
            if self.telling.verbose == 0 && at > 0 && is_like_the_one_before(system, at) {
                continue;
            }
            let mut check = system.with_story(at, &mut self.scribe.teller);
            let first = stories.first(&check, at).filter(|&first| first != at);
            let first = first.map(|first| file.sources.place(system.system.checks[first].span));
            if first.is_none() {
                system.add_remedies(&mut check, at, &mut self.scribe.teller);
            }
            self.put(&counterexample(file, &check, first.as_deref(), self.telling, renderer));
            let others = if self.telling.verbose == 0 { like_this_one(system, at) } else { Vec::new() };
            if !others.is_empty() {
                let text = self.telling.words().list(&others);
                self.put(&paragraph("  likewise violated: ", &text, self.telling.style.width));
            }
            self.put("\n");
        }
    }

    fn say_what_is_left_out(&mut self, of_verdicts: usize) {
        let words = self.telling.words();
        let Written { left_out: all, stop } = self.scribe.teller.written();
        let verdicts = words.left_out(of_verdicts, stop);
        let stories =
            words.left_out(all - of_verdicts, stop).map(|text| text.replace("left out", "explained no further"));
        for line in verdicts.into_iter().chain(stories) {
            self.put(&paragraph("", &format!("{line}."), self.telling.style.width));
        }
    }
}

/// Whether a check fails, as an exposure, that stands in a `for` with others.
fn fails_by_exposure(check: &CheckReport<'_>) -> bool {
    let is_property = matches!(&check.kind, Kind::Property(found) if found.finding.is_some());
    is_property && check.answer == Answer::Violated && !check.passed()
}

/// Whether another instance of the same statement fails before this one: it is told for both.
fn is_like_the_one_before(system: &SystemReport<'_>, at: usize) -> bool {
    let checks = &system.system.checks;
    fails_by_exposure(&system.check(at))
        && (0..at)
            .rev()
            .take_while(|&other| checks[other].span == checks[at].span)
            .any(|other| fails_by_exposure(&system.check(other)))
}

/// The later instances of the same statement that fail too.
fn like_this_one<'a>(system: &SystemReport<'a>, at: usize) -> Vec<&'a str> {
    let checks = &system.system.checks;
    if !fails_by_exposure(&system.check(at)) {
        return Vec::new();
    }
    let later = (at + 1..checks.len()).take_while(|&other| checks[other].span == checks[at].span);
    later.map(|other| system.check(other)).filter(fails_by_exposure).map(|check| check.text).collect()
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

fn tells(check: &CheckReport<'_>, telling: &Telling) -> bool {
    !check.passed() || (telling.verbose > 0 && check.is_exposed())
}

/// `Ballot  3 states, 2 events, 4 transitions`
fn heading(system: &SystemReport<'_>, telling: &Telling) -> String {
    let built = || system.n_parts().map_or_else(|| size(system), |parts| uncomposed(parts, system.n_events()));
    let size = system.unbuilt.map_or_else(built, |stop| telling.words().unbuilt(stop));
    let left_out =
        if system.n_parts().is_some() && !telling.quiet { dimmed(NOT_LOOKED_FOR, telling) } else { String::new() };
    format!("{}  {size}\n{left_out}", paint(telling.style.color, Paint::Strong, &system.title()))
}

fn size(system: &SystemReport<'_>) -> String {
    format!(
        "{}, {}, {}",
        count(system.n_states() as u64, "state"),
        count(system.n_events() as u64, "event"),
        count(system.n_transitions() as u64, "transition")
    )
}

/// `ok      holds     check weak 2-step                    x.des:14:5`
fn verdict(file: &FileReport, check: &CheckReport<'_>, telling: &Telling) -> String {
    let (word, color) = match check.mark {
        Mark::Passed => ("ok", Paint::Good),
        Mark::Undecided => ("??", Paint::Unsure),
        Mark::Failed => ("FAILED", Paint::Bad),
    };
    let word = paint(telling.style.color, color, &pad(word, 6));
    let lead = format!("  {word}  {}  ", pad(answer_word(check), 9));
    let place = file.sources.place(check.span);
    let mut out = placed(&lead, 21, &named(check), &place, telling);
    let detail = match &check.kind {
        Kind::Property(found) if check.answer == Answer::Holds => Some(telling.words().holds(found)),
        _ if telling.verbose > 0 && check.passed() => Some(telling.words().headline(check)),
        Kind::Property(found) => telling.words().deciding_parts(found),
        _ => None,
    };
    if let Some(detail) = detail.filter(|_| !telling.quiet) {
        out += &dimmed(&detail, telling);
    }
    if let Some(vacuity) = check.vacuity.filter(|_| !telling.quiet || !check.passed()) {
        let text = format!("vacuously: {}", vacuity.reason());
        let lines = paragraph(&" ".repeat(21), &text, telling.style.width);
        out.extend(lines.lines().map(|line| paint(telling.style.color, Paint::Unsure, line) + "\n"));
    }
    if telling.verbose > 1 {
        out += &effort(check, telling);
    }
    out
}

/// The word for the verdict; of an estimate or projection: `equal`, `different`.
pub fn answer_word(check: &CheckReport<'_>) -> &'static str {
    match (&check.kind, check.answer) {
        (Kind::Property(_), Answer::Holds) => "holds",
        (Kind::Property(_), Answer::Violated) => "violated",
        (_, Answer::Undecided) => "undecided",
        (_, Answer::Holds) => "equal",
        (_, Answer::Violated) => "different",
    }
}

fn named(check: &CheckReport<'_>) -> String {
    match check.name {
        Some(name) if !check.text.contains(name) => format!("{name}: {}", check.text),
        _ => check.text.to_owned(),
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
fn effort(check: &CheckReport<'_>, telling: &Telling) -> String {
    let Kind::Property(found) = &check.kind else { return String::new() };
    let cost = &found.cost;
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

fn measured(file: &FileReport, measure: &MeasureReport<'_>, telling: &Telling) -> String {
    let place = file.sources.place(measure.span);
    let mut out = placed(&format!("  {}  {}  ", pad("", 6), pad("measured", 9)), 21, measure.text, &place, telling);
    let most = match MaxK::from(measure.exposure) {
        MaxK::Steps(steps) => format!("maximal K is {steps}, exposed after {}", count(steps + 1, "step")),
        MaxK::Infinite => "maximal K is infinite: nothing is ever exposed".to_owned(),
        MaxK::None => "maximal K is none: exposed after 0 steps".to_owned(),
        MaxK::Unknown => match measure.exposure {
            Exposure::Beyond(safe) => format!("undecided: holds up to {}", count(safe, "step")),
            Exposure::AtMost { most: 0, .. } => "maximal K is none: exposed after 0 steps".to_owned(),
            Exposure::AtMost { most, safe } => format!(
                "undecided: {}maximal K is at most {}, exposed after {}",
                safe.map_or(String::new(), |safe| format!("holds up to {}; ", count(safe, "step"))),
                most - 1,
                count(most, "step")
            ),
            _ => "undecided".to_owned(),
        },
    };
    let nothing_new = measure.saturation.map(|layer| format!("; no new pairs after {}", count(layer, "step")));
    let bound = format!("; the paper's bound is {}", measure.bound);
    out += &dimmed(&format!("{most}{}{bound}", nothing_new.unwrap_or_default()), telling);
    out
}

fn summary(report: &Report, telling: &Telling) -> String {
    let pairs: u64 = report.files.iter().flat_map(|file| file.systems()).map(|system| system.pairs()).sum();
    let mut line = format!("{}; {} explored", totals(report), count(pairs, "pair"));
    if let Some(time) = telling.time {
        line += &format!(" in {}", seconds(time));
    }
    let asked = |system: &SystemReport<'_>| system.n_checks() + system.measures().len() > 0;
    // WHY: the checks of a file that was not read to its end are not known.
    let is_whole = |file: &&FileReport| {
        file.diagnostics.iter().all(|diagnostic| !diagnostic.is_error() && diagnostic.code != Code::W0902)
    };
    let idle = report.files.iter().filter(is_whole).filter(|file| !file.systems().iter().any(asked));
    let idle = idle.map(|file| paragraph("", &no_check(file), telling.style.width));
    paragraph("", &line, telling.style.width) + &idle.collect::<String>()
}

/// A file without any check passes, whatever is in it.
fn no_check(file: &FileReport) -> String {
    let how = match file.systems().is_empty() {
        true => "it has no system: `desc check` a file with one",
        false => "add one to a system: `check strong 2-step;`",
    };
    format!("{}: no check in this file; {how}", file.name())
}

/// How many checks there are, and how they ended: `4 checks: 3 passed, 1 failed`.
pub fn totals(report: &Report) -> String {
    let tally = report.tally();
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
    format!("{}: {}", count(tally.checks() as u64, "check"), parts.join(", "))
}

/// What got worse, and what got better.
fn compared(comparison: &Comparison, telling: &Telling) -> String {
    let width = telling.style.width;
    let mut out = paragraph("", &format!("compared with the baseline: {}", comparison.summary()), width);
    let (worse, better) = (comparison.worse.iter(), comparison.better.iter().filter(|_| !telling.quiet));
    let changes =
        worse.map(|change| ("worse", Paint::Bad, change)).chain(better.map(|change| ("better", Paint::Good, change)));
    for (word, color, change) in changes {
        let lead = format!("  {}  ", paint(telling.style.color, color, &pad(word, 6)));
        out += &placed(&lead, 10, &change.text, &format!("{}:{}", change.file, change.line), telling);
        out += &paragraph(&" ".repeat(10), &change.words(), width);
    }
    for gone in comparison.gone.iter().filter(|_| !telling.quiet) {
        out += &paragraph("  gone    ", &format!("{} ({}, {})", gone.check, gone.system, gone.file), width);
    }
    out
}

pub fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
