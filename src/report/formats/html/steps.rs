//! The steps of a counterexample: a list, which the script steps through.

use super::{code, escape, parts};
use crate::report::counterexample::{Step, Story};
use crate::report::phrasing::{Words, count};
use crate::report::scribe::Scribe;
use crate::report::{FileReport, SignName};
use std::fmt::Write;

/// The controls (hidden without the script) and the list of steps.
pub fn steps(out: &mut Scribe<'_>, file: (usize, &FileReport), story: &Story, words: Words) {
    out.put(
        "<div class=\"telling\">\n<div class=\"controls\" role=\"group\" aria-label=\"Steps of the observation\" hidden>\
         <button type=\"button\" data-go=\"first\" >First</button>\
         <button type=\"button\" data-go=\"back\">◀ Back</button>\
         <span class=\"where\" aria-live=\"polite\"></span>\
         <button type=\"button\" data-go=\"next\">Next ▶</button>\
         <button type=\"button\" data-go=\"last\" >Last</button></div>\n<ol class=\"steps\" start=\"0\">\n",
    );
    let mut next = 0;
    for step in &story.steps {
        let left_out = step.number - next;
        next = step.number + 1;
        out.put(&item(file, story, step, left_out, words));
    }
    out.put("</ol>\n");
    if !parts::has_lanes(story) {
        let _ = writeln!(out, "<p class=\"run\">One such run: <code>{}</code></p>", escape(&words.run(story, RUN)));
    }
    out.put("</div>\n");
}

/// The most steps of a run that stand on the page.
const RUN: usize = 1_000;

fn item(file: (usize, &FileReport), story: &Story, step: &Step, left_out: usize, words: Words) -> String {
    let at = step.number;
    let back = at > story.at;
    let lit = match &step.looking_back {
        Some(states) if back || story.about_start => states,
        _ => &step.estimate,
    };
    let lost: Vec<u32> = step.lost.iter().map(|lost| lost.id).collect();
    let sees = step.sees.as_ref().map_or("nothing yet".to_owned(), |sign| format!("<b>{}</b>", escape(&sign.greek)));
    let mut out = format!(
        "<li value=\"{at}\" data-lit=\"{}\" data-lost=\"{}\" data-run=\"{}\" data-seen=\"{}\"{}{}>",
        ids(&lit.ids),
        ids(&lost),
        run_at(story, at),
        escape(&seen(&story.observation[..at], words)),
        parts::possible(step),
        if at + 1 == story.n_steps() { " data-exposed" } else { "" }
    );
    if left_out > 0 {
        let _ = write!(out, "<p class=\"note\">{} before this one left out.</p>", count(left_out as u64, "step"));
    }
    let (when, possible) = (code(&words.possible_when(story, step)), escape(&words.possible(story, step)));
    let _ = write!(out, "<p>Sees {sees}. {when}: <code>{possible}</code></p>");
    if step.sees.is_some() {
        let because = words.because(story, step, back);
        if !because.is_empty() {
            let _ = write!(out, "<p class=\"because\">{}{}</p>", code(&because), places(file, step));
        }
    }
    out += "</li>\n";
    out
}

/// What was seen so far, without the middle of a long observation.
fn seen(signs: &[SignName], words: Words) -> String {
    if signs.is_empty() { String::new() } else { words.signs(signs) }
}

/// The source lines of the transitions of a step.
fn places((number, file): (usize, &FileReport), step: &Step) -> String {
    let lost = step.lost.iter().flat_map(|lost| &lost.can);
    let spans = step.moves.iter().chain(lost).flat_map(|step| &step.places);
    let mut lines: Vec<_> = spans.map(|&span| (span.file, crate::report::line(&file.sources, span))).collect();
    lines.sort_unstable();
    lines.dedup();
    lines.truncate(4);
    let links: Vec<String> = lines
        .into_iter()
        .map(|(source, line)| match source == file.entry {
            true => format!("<a href=\"#line-{number}-{line}\">line {line}</a>"),
            false => escape(&format!("{} line {line}", file.sources.get(source).name())),
        })
        .collect();
    if links.is_empty() { String::new() } else { format!(" <span class=\"place\">({})</span>", links.join(", ")) }
}

/// The transitions of the run in a step, as pairs of states.
fn run_at(story: &Story, at: usize) -> String {
    let run = &story.run;
    let first = run.shown_at(at).unwrap_or(0);
    let end = run.shown_at(at + 1).unwrap_or(run.events.len());
    let pairs = (first..end).map(|event| format!("{}-{}", run.ids[event], run.ids[event + 1]));
    pairs.collect::<Vec<_>>().join(" ")
}

fn ids(ids: &[u32]) -> String {
    ids.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}
