//! A run of a composed system as a table: a column for each part that moves, a row for each event.

use super::Telling;
use super::layout::{paragraph, row, width};
use crate::diagnostic::words::elided;
use crate::report::counterexample::{PartMove, Story};

/// The widest that a column becomes.
const WIDEST: usize = 16;

/// The lines above the events and below them.
pub const HEADS: usize = 7;

/// The table, with at most so many rows of events.
pub fn lanes(story: &Story, telling: &Telling, most: usize) -> String {
    let moving = moving(story);
    if telling.style.narrated {
        return narrated(story, telling);
    }
    let rows = rows(story, telling);
    let shown = fitting(story, &rows, &moving, telling);
    let widths: Vec<usize> = (0..2 + shown.len()).map(|at| widest(story, &rows, &shown, at)).collect();
    let line = |cells: Vec<String>| row(2, &cells.into_iter().zip(widths.iter().copied()).collect::<Vec<_>>());
    let names = shown.iter().map(|&part| story.part(part).to_owned());
    let mut out = "  one such run, part by part:\n".to_owned();
    out += &line(["event".to_owned(), "sees".to_owned()].into_iter().chain(names).collect());
    let starts = shown.iter().map(|&part| story.run.starts[part].to_string());
    out += &line([String::new(), String::new()].into_iter().chain(starts).collect());
    let lines: Vec<String> = rows.iter().map(|(event, sees, moves)| line(cells(event, sees, moves, &shown))).collect();
    let most = if telling.verbose > 0 { usize::MAX } else { most.max(3) };
    for text in elided(&lines, most, |text| text.clone()) {
        out += &if text.ends_with('\n') { text } else { format!("  {text}\n") };
    }
    out + &left_out(story, &moving, &shown, telling)
}

/// The rows: the event, what is seen of it, and what the parts do.
type Row<'s> = (String, String, &'s [PartMove]);

fn rows<'s>(story: &'s Story, telling: &Telling) -> Vec<Row<'s>> {
    let ascii = telling.style.ascii;
    let shows = story.run.shows(&story.observation);
    let sees = shows.map(|sign| sign.map_or(String::new(), |sign| sign.text(ascii).to_owned()));
    let deeds = story.run.events.iter().zip(&story.run.lanes);
    deeds.zip(sees).map(|((event, moves), sees)| (event.to_string(), sees, &moves[..])).collect()
}

fn cells(event: &str, sees: &str, moves: &[PartMove], shown: &[usize]) -> Vec<String> {
    let target = |part: &usize| {
        let own = moves.iter().find(|own| own.part == *part && own.is_change());
        own.map_or(String::new(), |own| own.target.to_string())
    };
    [event.to_owned(), sees.to_owned()].into_iter().chain(shown.iter().map(target)).collect()
}

/// The parts that move, those in question first, then in the order in which they do.
fn moving(story: &Story) -> Vec<usize> {
    let mut moving: Vec<usize> =
        story.subject.iter().filter(|subject| !subject.is_all).flat_map(|subject| subject.parts.clone()).collect();
    for part in story.run.lanes.iter().flatten().filter(|own| own.is_change()).map(|own| own.part) {
        if !moving.contains(&part) {
            moving.push(part);
        }
    }
    moving
}

/// The parts whose columns there is room for.
fn fitting(story: &Story, rows: &[Row<'_>], moving: &[usize], telling: &Telling) -> Vec<usize> {
    let mut room = telling.style.width.saturating_sub(2);
    let mut shown = Vec::new();
    room = room.saturating_sub(widest(story, rows, &[], 0) + 2 + widest(story, rows, &[], 1));
    for &part in moving {
        let needed = 2 + widest(story, rows, &[part], 2);
        if needed > room && !shown.is_empty() && telling.verbose == 0 {
            break;
        }
        room = room.saturating_sub(needed);
        shown.push(part);
    }
    shown
}

/// The width of a column: the event, what is seen, then the parts.
fn widest(story: &Story, rows: &[Row<'_>], shown: &[usize], column: usize) -> usize {
    let (head, start) = match column {
        0 => ("event", ""),
        1 => ("sees", ""),
        at => (story.part(shown[at - 2]), &*story.run.starts[shown[at - 2]]),
    };
    let cell =
        |(event, sees, moves): &Row<'_>| cells(event, sees, moves, shown).get(column).map_or(0, |text| width(text));
    rows.iter().map(cell).max().unwrap_or(0).max(width(start)).min(WIDEST).max(width(head).min(WIDEST))
}

/// The parts that move and have no column.
fn left_out(story: &Story, moving: &[usize], shown: &[usize], telling: &Telling) -> String {
    let others: Vec<&str> = moving.iter().filter(|part| !shown.contains(part)).map(|&part| story.part(part)).collect();
    if others.is_empty() {
        return String::new();
    }
    let text =
        format!("{} too; -v shows {}", telling.words().list(&others), if others.len() == 1 { "it" } else { "them" });
    let moves = if others.len() == 1 { "moves" } else { "move" };
    paragraph("  ", &text.replacen(" too;", &format!(" {moves} too;"), 1), telling.style.width)
}

/// The same in sentences.
fn narrated(story: &Story, telling: &Telling) -> String {
    let words = telling.words();
    let deeds = (0..story.run.events.len()).filter_map(|event| words.run_act(story, event)).collect::<Vec<_>>();
    let deeds = words.elided(&deeds, 2 * crate::report::counterexample::BRIEF, |deed| deed.clone());
    paragraph("  One such run: ", &format!("{}.", deeds.join("; ")), telling.style.width)
}
