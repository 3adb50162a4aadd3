//! A composed system, part by part: a small drawing of each part, and a run with a column for each part that moves.
//!
//! The parts that the question is about and those that move in the run are shown; the others are folded.

use super::escape;
use crate::automaton::view::Projection;
use crate::draw::figure::{self, DrawContext};
use crate::draw::{self, layout};
use crate::model::parts::Parts;
use crate::model::{OWN, System, ViewId};
use crate::report::counterexample::{Step, Story};
use crate::report::phrasing::count;
use crate::report::scribe::Scribe;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The most parts that are drawn.
pub const MOST_DRAWN: usize = 24;

/// The most events of a run that stand in its table.
const MOST_EVENTS: usize = 200;

/// The drawing of one part; none: it is too large.
pub fn drawn(system: &System, parts: &dyn Parts, at: usize, prefix: &str) -> Option<String> {
    if parts.automaton(at).n_states() > layout::MOST_NODES {
        return None;
    }
    let view_id = ViewId { observer: OWN, projection: Projection::Strong };
    let graph = figure::part(&DrawContext { system, view_id, ascii: false }, parts, at);
    let options = draw::Options { prefix: prefix.to_owned(), background: false, legend: false, ..Default::default() };
    draw::svg(&graph, &options).ok()
}

/// The parts of a system that has some.
pub fn parts_of(system: &System) -> Option<&dyn Parts> {
    system.names.composition().filter(|parts| parts.n_parts() > 1)
}

/// The drawings of the parts in a story. False: it is not about a composed system.
pub fn drawings(out: &mut Scribe<'_>, system: &System, story: &Story, prefix: &str) -> bool {
    let Some(parts) = parts_of(system).filter(|_| story.subject.is_some()) else { return false };
    let shown = shown(story);
    let mut drawn = Drawn { system, parts, story, prefix };
    let (mine, others): (Vec<usize>, Vec<usize>) = (0..parts.n_parts())
        .filter(|at| shown.contains(at) || shown.len() < MOST_DRAWN)
        .partition(|at| shown.contains(at));
    out.put("<div class=\"parts\">\n");
    for &at in mine.iter().take(MOST_DRAWN) {
        out.put(&drawn.section(at));
    }
    out.put("</div>\n");
    let room = MOST_DRAWN.saturating_sub(mine.len());
    if !others.is_empty() {
        let _ = writeln!(
            out,
            "<details class=\"folded\"><summary>{} that {} not move in this run</summary>\n<div class=\"parts\">",
            count(others.len() as u64, "part"),
            if others.len() == 1 { "does" } else { "do" }
        );
        for &at in others.iter().take(room) {
            out.put(&drawn.section(at));
        }
        out.put("</div></details>\n");
    }
    let left_out = parts.n_parts() - mine.len().min(MOST_DRAWN) - others.len().min(room);
    if left_out > 0 {
        let _ = writeln!(out, "<p class=\"note\">{} not drawn.</p>", count(left_out as u64, "part"));
    }
    true
}

/// What the drawings of parts are made of.
struct Drawn<'a> {
    system: &'a System,
    parts: &'a dyn Parts,
    story: &'a Story,
    prefix: &'a str,
}

impl Drawn<'_> {
    fn section(&mut self, at: usize) -> String {
        let name = escape(self.parts.name(at));
        let asked = self.story.subject.as_ref().is_some_and(|subject| subject.parts.contains(&at));
        let drawing = match drawn(self.system, self.parts, at, &format!("{}p{at}-", self.prefix)) {
            Some(svg) => format!(
                "<div class=\"drawing\" role=\"group\" tabindex=\"0\" aria-label=\"Drawing of part {name}\">{svg}</div>"
            ),
            None => "<p class=\"note\">Too large to draw.</p>".to_owned(),
        };
        let asked = if asked { " data-asked" } else { "" };
        format!(
            "<section class=\"part\" data-part=\"{at}\"{asked} aria-label=\"Part {name}\"><h5>{name}</h5>{drawing}</section>\n"
        )
    }
}

/// The parts that the question is about, if these are not all, and those that move.
fn shown(story: &Story) -> BTreeSet<usize> {
    let asked =
        story.subject.iter().filter(|subject| !subject.is_all).flat_map(|subject| subject.parts.iter().copied());
    let moves = story.run.lanes.iter().flatten().filter(|own| own.is_change()).map(|own| own.part);
    asked.chain(moves).collect()
}

/// The possible states of each part at a step, for the script: `0:1 2;1:0`.
pub fn possible(step: &Step) -> String {
    let Some(parts) = &step.parts else { return String::new() };
    let part = |(at, states): (usize, &Vec<u32>)| {
        let states: Vec<String> = states.iter().map(u32::to_string).collect();
        format!("{at}:{}", states.join(" "))
    };
    let parts: Vec<String> = parts.lit.iter().enumerate().map(part).collect();
    format!(" data-parts=\"{}\"", parts.join(";"))
}

/// Whether a run is told as a table.
pub fn has_lanes(story: &Story) -> bool {
    !story.run.starts.is_empty() && !story.run.lanes.is_empty()
}

/// A run of a system of parts as a table: a row for each event, a column for each part that moves.
pub fn lanes(out: &mut Scribe<'_>, story: &Story) {
    if !has_lanes(story) {
        return;
    }
    let run = &story.run;
    let shown: Vec<usize> = shown(story).into_iter().take(MOST_DRAWN).collect();
    out.put(
        "<p class=\"run\">One such run, part by part:</p>\n<div class=\"wide\"><table class=\"lanes\">\n\
         <thead><tr><th scope=\"col\">Event</th><th scope=\"col\">Seen</th>",
    );
    for &part in &shown {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escape(story.part(part)));
    }
    out.put("</tr></thead>\n<tbody>\n<tr data-step=\"0\"><td class=\"note\">start</td><td></td>");
    for &part in &shown {
        let _ = write!(out, "<td>{}</td>", escape(&run.starts[part]));
    }
    out.put("</tr>\n");
    let mut seen = 0;
    let rows = run.events.iter().zip(&run.lanes).zip(run.shows(&story.observation));
    for ((event, moves), sign) in rows.take(MOST_EVENTS) {
        seen += usize::from(sign.is_some());
        let sees = sign.map_or(String::new(), |sign| escape(&sign.greek));
        let _ = write!(out, "<tr data-step=\"{seen}\"><td><code>{}</code></td><td>{sees}</td>", escape(event));
        for part in &shown {
            let target = moves.iter().find(|own| own.part == *part && own.is_change());
            let _ = write!(out, "<td>{}</td>", target.map_or(String::new(), |own| escape(&own.target)));
        }
        out.put("</tr>\n");
    }
    out.put("</tbody>\n</table></div>\n");
    if run.events.len() > MOST_EVENTS {
        let _ =
            writeln!(out, "<p class=\"note\">{} more.</p>", count((run.events.len() - MOST_EVENTS) as u64, "event"));
    }
}
