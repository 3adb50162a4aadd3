//! The steps of a counterexample: a list, which the script steps through.

use super::{code, escape};
use crate::report::FileReport;
use crate::report::story::{Step, Story};
use crate::report::words::Words;
use std::fmt::Write;

/// The controls (hidden without the script) and the list of steps.
pub fn steps(file: (usize, &FileReport), story: &Story, words: Words) -> String {
    let mut out = String::from(
        "<div class=\"telling\">\n<div class=\"controls\" role=\"group\" aria-label=\"Steps of the observation\" hidden>\
         <button type=\"button\" data-go=\"first\" >First</button>\
         <button type=\"button\" data-go=\"back\">◀ Back</button>\
         <span class=\"where\" aria-live=\"polite\"></span>\
         <button type=\"button\" data-go=\"next\">Next ▶</button>\
         <button type=\"button\" data-go=\"last\" >Last</button></div>\n<ol class=\"steps\" start=\"0\">\n",
    );
    for (at, step) in story.steps.iter().enumerate() {
        out += &item(file, story, at, step, words);
    }
    out += "</ol>\n";
    let mut run = escape(story.run.states.names.first().map_or("", String::as_str));
    for (event, state) in story.run.events.iter().zip(&story.run.states.names[1..]) {
        let _ = write!(run, " -{}-&gt; {}", escape(event), escape(state));
    }
    let _ = write!(out, "<p class=\"run\">One such run: <code>{run}</code></p>\n</div>\n");
    out
}

fn item(file: (usize, &FileReport), story: &Story, at: usize, step: &Step, words: Words) -> String {
    let back = at > story.at;
    let (lit, lead) = match &step.looking_back {
        Some(states) if back => (states, format!("Still possible at step {}", story.at)),
        Some(states) if story.about_start => (states, "Possible starts".to_owned()),
        _ => (&step.estimate, "Possible now".to_owned()),
    };
    let lost: Vec<u32> = step.lost.iter().map(|lost| lost.id).collect();
    let sees = step.sees.as_ref().map_or("nothing yet".to_owned(), |sign| format!("<b>{}</b>", escape(&sign.greek)));
    let seen: Vec<&str> = story.observation[..at].iter().map(|sign| sign.greek.as_str()).collect();
    let last = at + 1 == story.steps.len();
    let mut out = format!(
        "<li data-lit=\"{}\" data-lost=\"{}\" data-run=\"{}\" data-seen=\"{}\"{}>",
        ids(&lit.ids),
        ids(&lost),
        run_at(story, at),
        escape(&seen.join(" ")),
        if last { " data-exposed" } else { "" }
    );
    let _ = write!(out, "<p>Sees {sees}. {lead}: <code>{}</code></p>", escape(&words.states(lit)));
    if step.sees.is_some() {
        let because = words.because(step, back);
        if !because.is_empty() {
            let _ = write!(out, "<p class=\"because\">{}{}</p>", code(&because), places(file, step));
        }
    }
    out += "</li>\n";
    out
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
    let mut shown = 0;
    let mut pairs = Vec::new();
    for (event, states) in run.states.ids.windows(2).enumerate() {
        shown += usize::from(run.shows[event].is_some());
        if shown == at {
            pairs.push(format!("{}-{}", states[0], states[1]));
        }
    }
    pairs.join(" ")
}

fn ids(ids: &[u32]) -> String {
    ids.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}
