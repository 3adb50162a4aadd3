//! One self-contained HTML page: model, drawings, verdicts, and each counterexample step by
//! step.
//!
//! The page works without scripts: every step is readable, and the drawing shows the exposed states. The
//! script only adds the stepping. A content security policy forbids loading anything.

pub mod fragment;
pub mod parts;
mod source;
mod steps;
mod story;

use crate::repair::Ending;
use crate::report::phrasing::{NOT_LOOKED_FOR, Words, count, uncomposed};
use crate::report::repairs::{self, RepairReport};
use crate::report::scribe::{Scribe, SharedStories, Written};
use crate::report::{CheckReport, FileReport, Kind, MaxK, Report, SystemReport};
use crate::resources::Resources;
use crate::verdict::{Exposure, Mark};
use std::fmt::Write;
use std::io;

/// The playground (`web/`) shares the first of each.
const STYLE: &str = concat!(include_str!("html/look.css"), include_str!("html/page.css"));
const SCRIPT: &str = concat!(include_str!("html/stepping.js"), include_str!("html/page.js"));

const WORDS: Words = Words { ascii: false, whole: false };

/// How many steps at each end of a story stand on the page.
const STEPS: usize = 500;

/// Writes the page.
///
/// # Errors
/// When it cannot be written.
pub fn write(report: &Report, out: &mut dyn io::Write, resources: Resources<'_>) -> io::Result<Written> {
    let names: Vec<&str> = report.files.iter().map(FileReport::name).collect();
    let title = match names.as_slice() {
        [only] => format!("{only}: report"),
        several => format!("{}: report", count(several.len() as u64, "model")),
    };
    let mut page = Page { out: Scribe::new(out, resources, STEPS), drawings: 0, file: 0 };
    page.out.teller = page.out.teller.with_up_to(report.most_exposures);
    page.head(&title);
    page.summary(report, &title);
    if report.files.len() > 1 {
        page.contents(report);
    }
    for (at, file) in report.files.iter().enumerate() {
        page.file(at, file);
    }
    page.foot();
    page.out.finish()
}

/// The story of one check, as it stands on the page; none: the check has none. The playground shows it beside the text.
pub fn story(file: &FileReport, system: usize, check: usize, resources: Resources<'_>) -> Option<String> {
    let systems = file.systems();
    let system = systems.get(system).filter(|system| check < system.n_checks())?;
    let mut out = Vec::new();
    let mut page = Page { out: Scribe::new(&mut out, resources, STEPS), drawings: 0, file: 0 };
    let explained = system.explained(check, &mut page.out.teller);
    let Kind::Property(found) = &explained.kind else { return None };
    found.story.as_ref()?;
    page.story("shown", file, (system, system.graph().as_ref()), &explained);
    page.out.finish().ok()?;
    String::from_utf8(out).ok()
}

struct Page<'a> {
    out: Scribe<'a>,
    drawings: usize,
    file: usize,
}

impl Page<'_> {
    fn head(&mut self, title: &str) {
        let _ = write!(
            self.out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             script-src 'unsafe-inline'\">\n\
             <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#main\">Skip to the verdicts</a>\n<main id=\"main\">\n",
            escape(title)
        );
    }

    fn foot(&mut self) {
        let Written { left_out, stop } = self.out.teller.written();
        if let Some(said) = WORDS.left_out(left_out, stop) {
            let _ = writeln!(self.out, "<p class=\"note\">{}.</p>", capital(&said));
        }
        let _ = write!(
            self.out,
            "</main>\n<footer><p>Made by <code>desc</code> {}, a compiler for anonymity and opacity of discrete-event \
             systems.</p></footer>\n<script type=\"module\">{SCRIPT}</script>\n</body>\n</html>\n",
            env!("CARGO_PKG_VERSION")
        );
    }

    fn summary(&mut self, report: &Report, title: &str) {
        let tally = report.tally();
        let _ = write!(self.out, "<h1>{}</h1>\n<p class=\"tally\">", escape(title));
        let parts = [
            (tally.passed, "passed", "good"),
            (tally.failed, "failed", "bad"),
            (tally.undecided, "undecided", "unsure"),
            (tally.unbuilt, "not built", "unsure"),
            (tally.faulty_files, "not checked because of errors", "bad"),
        ];
        for (number, what, class) in parts.into_iter().filter(|(number, what, _)| *number > 0 || *what == "passed") {
            let _ = write!(self.out, "<span class=\"badge {class}\"><b>{number}</b> {what}</span> ");
        }
        self.out.put("</p>\n");
    }

    /// The files and their systems, with the number of checks that did not pass.
    fn contents(&mut self, report: &Report) {
        self.out
            .put("<nav class=\"contents\" aria-labelledby=\"contents\">\n<h2 id=\"contents\">Contents</h2>\n<ol>\n");
        for (at, file) in report.files.iter().enumerate() {
            let faults = file.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
            let _ = write!(self.out, "<li><a href=\"#file-{at}\"><code>{}</code></a>", escape(file.name()));
            self.marks([(faults, "error", "bad")]);
            let systems = file.systems();
            self.out.put(if systems.is_empty() { "" } else { "\n<ul>\n" });
            for (number, system) in systems.iter().enumerate() {
                let name = escape(&system.title());
                let _ = write!(self.out, "<li><a href=\"#system-{at}-{number}\">{name}</a>");
                let tally = system.tally();
                self.marks([(tally.failed, "failed", "bad"), (tally.undecided, "undecided", "unsure")]);
                self.out.put("</li>\n");
            }
            self.out.put(if systems.is_empty() { "</li>\n" } else { "</ul></li>\n" });
        }
        self.out.put("</ol>\n</nav>\n");
    }

    fn marks<const N: usize>(&mut self, marks: [(usize, &str, &str); N]) {
        for (number, what, class) in marks.into_iter().filter(|(number, ..)| *number > 0) {
            let _ = write!(self.out, " <span class=\"badge {class}\"><b>{number}</b> {what}</span>");
        }
    }

    fn file(&mut self, at: usize, file: &FileReport) {
        self.file = at;
        let _ = writeln!(self.out, "<section class=\"file\" aria-labelledby=\"file-{at}\">");
        let _ = writeln!(self.out, "<h2 id=\"file-{at}\"><code>{}</code></h2>", escape(file.name()));
        self.faults(file);
        for (number, system) in file.systems().iter().enumerate() {
            self.system(&format!("{at}-{number}"), file, system);
        }
        self.out.put(&source::sources(at, file));
        self.out.put("</section>\n");
    }

    fn faults(&mut self, file: &FileReport) {
        if file.diagnostics.is_empty() {
            return;
        }
        self.out.put("<h3>Diagnostics</h3>\n<ul class=\"faults\">\n");
        for diagnostic in &file.diagnostics {
            let (word, class) = if diagnostic.is_error() { ("error", "bad") } else { ("warning", "unsure") };
            let _ = writeln!(
                self.out,
                "<li><span class=\"badge {class}\">{word} {}</span> {} <span class=\"place\">{}</span>{}</li>",
                diagnostic.code,
                code(&diagnostic.message),
                escape(&file.sources.place(diagnostic.primary.span)),
                diagnostic.help.as_ref().map(|help| format!("<br><i>Help:</i> {}", code(help))).unwrap_or_default()
            );
        }
        self.out.put("</ul>\n");
    }

    fn system(&mut self, id: &str, file: &FileReport, system: &SystemReport<'_>) {
        let _ = write!(
            self.out,
            "<section class=\"system\" aria-labelledby=\"system-{id}\">\n<h3 id=\"system-{id}\">System {}</h3>\n",
            escape(&system.title())
        );
        for line in &system.system.docs {
            let _ = writeln!(self.out, "<p class=\"docs\">{}</p>", escape(line.trim()));
        }
        if let Some(stop) = system.unbuilt {
            let _ = writeln!(self.out, "<p>{}.</p>", capital(&WORDS.unbuilt(stop)));
            self.verdicts(id, file, system);
            self.measures(system);
            self.out.put("</section>\n");
            return;
        }
        let graph = system.graph();
        if let Some(parts) = system.n_parts() {
            let _ = writeln!(self.out, "<p>{}; {NOT_LOOKED_FOR}.</p>", uncomposed(parts, system.n_events()));
        } else {
            let _ = writeln!(
                self.out,
                "<p>{}, {}, {}.</p>",
                count(system.n_states() as u64, "state"),
                count(system.n_events() as u64, "event"),
                count(system.n_transitions() as u64, "transition")
            );
            self.drawing(system, graph.as_ref(), None);
        }
        self.verdicts(id, file, system);
        self.measures(system);
        self.stories(id, file, system, graph.as_ref());
        self.repairs(file, system);
        self.out.put("</section>\n");
    }

    /// What repairs a violated system.
    fn repairs(&mut self, file: &FileReport, system: &SystemReport<'_>) {
        let is_meant = |report: &&RepairReport| report.span == system.system.span && report.ending != Ending::Nothing;
        for report in file.repairs.iter().filter(is_meant) {
            self.out.put("<h4>Repair</h4>\n");
            let _ = writeln!(self.out, "<p>{}.</p>", escape(&capital(&repairs::text::headline(report))));
            for repair in &report.repairs {
                self.out.put("<ul class=\"repair\">\n");
                for lever in &repair.levers {
                    let without = lever.without.as_ref().map(|explained| {
                        format!(
                            "<br>Without it, {} is violated: {}.",
                            code(&format!("`{}`", explained.check)),
                            code(&explained.story)
                        )
                    });
                    let _ = writeln!(
                        self.out,
                        "<li>{}, cost {}{}</li>",
                        code(&format!("`{}`", lever.text)),
                        lever.cost,
                        without.unwrap_or_default()
                    );
                }
                self.out.put("</ul>\n");
            }
            if let Some(explained) = &report.survives {
                let story = code(&format!("`{}`: {}", explained.check, explained.story));
                let _ = writeln!(self.out, "<p>With every lever moved, this stays violated: {story}.</p>");
            }
            if let Some(line) = &report.would_help {
                let _ = writeln!(
                    self.out,
                    "<p>This line would make a repair possible: {}.</p>",
                    code(&format!("`{line}`"))
                );
            }
            if let Some(tries) = report.further {
                let _ = writeln!(self.out, "<p>{}.</p>", escape(&capital(&repairs::text::unhelped(tries).join(" "))));
            }
        }
    }

    fn verdicts(&mut self, id: &str, file: &FileReport, system: &SystemReport<'_>) {
        if system.n_checks() == 0 {
            self.out.put("<p class=\"note\">It has no checks.</p>\n");
            return;
        }
        self.out.put(
            "<div class=\"wide\"><table class=\"verdicts\">\n<thead><tr><th scope=\"col\">Verdict</th>\
             <th scope=\"col\">Check</th><th scope=\"col\">Line</th></tr></thead>\n<tbody>\n",
        );
        let mut stories = SharedStories::default();
        for at in 0..system.n_checks() {
            if !self.out.goes_on() {
                self.out.teller.leave_out(system.n_checks() - at);
                break;
            }
            let check = system.explained(at, &mut self.out.teller);
            let first = stories.first(&check, at);
            let link = first.map(|at| format!(" <a href=\"#story-{id}-{at}\">How it happens</a>")).unwrap_or_default();
            let _ = writeln!(
                self.out,
                "<tr><td>{}</td><td>{}<code>{}</code><br><span class=\"detail\">{}.{link}</span></td><td class=\"place\">{}</td></tr>",
                badge(&check),
                check.name.map(|name| format!("<b>{}</b> ", escape(name))).unwrap_or_default(),
                escape(check.text),
                code(&capital(&WORDS.headline(&check))),
                crate::report::line(&file.sources, check.span)
            );
        }
        self.out.put("</tbody>\n</table></div>\n");
    }

    fn measures(&mut self, system: &SystemReport<'_>) {
        let measures = system.measures();
        if measures.len() == 0 {
            return;
        }
        self.out.put("<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">Measure</th><th scope=\"col\">Maximal K</th>\
                     <th scope=\"col\">No new pairs after</th><th scope=\"col\">The paper's bound</th></tr></thead>\n<tbody>\n");
        for measure in measures {
            let most = match (MaxK::from(measure.exposure), measure.exposure) {
                (MaxK::Steps(steps), _) => steps.to_string(),
                (MaxK::Infinite, _) => "infinite".to_owned(),
                (MaxK::None, _) => "none".to_owned(),
                (MaxK::Unknown, Exposure::Beyond(safe)) => format!("at least {safe}"),
                (MaxK::Unknown, Exposure::AtMost { most, .. }) => format!("less than {most}"),
                (MaxK::Unknown, _) => "undecided".to_owned(),
            };
            let layer = measure.saturation.map_or("unknown".to_owned(), |layer| count(layer, "step"));
            let _ = writeln!(
                self.out,
                "<tr><td><code>{}</code></td><td>{most}</td><td>{layer}</td><td><code>{}</code></td></tr>",
                escape(measure.text),
                escape(measure.bound)
            );
        }
        self.out.put("</tbody>\n</table></div>\n");
    }
}

fn badge(check: &CheckReport<'_>) -> String {
    let (class, mark, word) = match check.mark {
        Mark::Passed => ("good", "✓", "passed"),
        Mark::Undecided => ("unsure", "?", "open"),
        Mark::Failed => ("bad", "✗", "failed"),
    };
    let answer = super::text::answer_word(check);
    format!("<span class=\"badge {class}\"><span aria-hidden=\"true\">{mark}</span> {word}: {answer}</span>")
}

/// Renders backticks as `<code>`.
fn code(text: &str) -> String {
    let mut out = String::new();
    for (at, part) in text.split('`').enumerate() {
        if at % 2 == 1 {
            let _ = write!(out, "<code>{}</code>", escape(part));
        } else {
            out += &escape(part);
        }
    }
    out
}

/// Escapes text for an element or a quoted attribute.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            control if control.is_control() && control != '\n' && control != '\t' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + characters.as_str())
}
