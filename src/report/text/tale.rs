//! The counterexample of a check: a sentence, the steps, the lines of the model, a repair.

use super::layout::{Paint, paint, paragraph, row, width};
use super::{Telling, answer_word, named};
use crate::diagnostic::Label;
use crate::diagnostic::render::human::{Note, Renderer};
use crate::report::story::{Lost, Step, Story, Stuck};
use crate::report::words::{Words, decisive, ordered};
use crate::report::{CheckReport, FileReport, Kind};
use crate::source::Span;
use crate::verify::Answer;

/// The maximal number of labelled source locations.
const PLACES: usize = 6;

/// The maximal number of rows; the middle of a longer table is omitted without `-v`.
const ROWS: usize = 24;

/// The counterexample of a check; `told` is the location of a check with the same one.
pub fn tale(file: &FileReport, check: &CheckReport, told: Option<&str>, telling: &Telling) -> String {
    let mut out = title(file, check, telling);
    let sentence = sentence(check, telling.words());
    out += &paragraph("  ", &sentence, telling.style.width);
    if let Some(place) = told {
        return out + &paragraph("  ", &format!("This is the exposure explained at {place}."), telling.style.width);
    }
    if let (Kind::Property(found), Answer::Violated) = (&check.kind, check.answer)
        && let Some(story) = &found.story
    {
        if story.parts.len() > 1 && !story.observation.is_empty() {
            let parts = format!("States are written as ({}).", story.parts.join(", "));
            out += &paragraph("  ", &parts, telling.style.width);
        }
        out.push('\n');
        if !story.observation.is_empty() {
            out += &if telling.style.narrated { narrated(story, telling) } else { table(story, telling) };
            out += &run(story, telling);
            out.push('\n');
        }
        out += &places(file, story, telling);
    }
    if let Some(help) = telling.words().help(check) {
        out += &paragraph("  help: ", &help, telling.style.width);
    }
    out
}

fn title(file: &FileReport, check: &CheckReport, telling: &Telling) -> String {
    let color = if check.answer == Answer::Undecided { Paint::Unsure } else { Paint::Bad };
    let word = answer_word(check);
    let lead = format!("{}  ", paint(telling.style.color, color, word));
    super::placed(&lead, width(word) + 2, &named(check), &file.sources.place(check.span), telling)
}

fn sentence(check: &CheckReport, words: Words) -> String {
    let headline = words.headline(check);
    let whole = match (check.negated, check.passed, check.answer) {
        (true, false, Answer::Holds | Answer::Violated) => match &check.kind {
            Kind::Property(found) => format!("the check says `not`, but the property {}", words.reach(found)),
            _ => format!("the check says `not`, but {headline}"),
        },
        (true, true, _) => format!("as expected: {headline}"),
        _ => headline,
    };
    capital(&whole) + "."
}

fn table(story: &Story, telling: &Telling) -> String {
    let words = telling.words();
    let rows: Vec<[String; 4]> =
        story.steps.iter().enumerate().map(|(at, step)| cells(story, at, step, words)).collect();
    let widest = |column: usize, head: &str, most: usize| {
        rows.iter().map(|row| width(&row[column])).max().unwrap_or(0).max(width(head)).min(most)
    };
    let sees = widest(1, "sees", 14);
    let room = telling.style.width.saturating_sub(2 + 4 + 2 + sees + 2 + 2);
    let estimate = widest(2, "estimate", (room / 2).clamp(12, 34));
    let rest = room.saturating_sub(estimate).max(24);
    let line = |row: [&str; 4]| {
        let [step, saw, set, why] = row.map(str::to_owned);
        self::row(2, &[(step, 4), (saw, sees), (set, estimate), (why, rest)])
    };
    let mut out = line(["step", "sees", "estimate", "because"]);
    for (at, cells) in rows.iter().enumerate() {
        if let Some(skipped) = skipped(at, rows.len(), telling) {
            if skipped {
                continue;
            }
            out += &line(["...", "", "", &format!("{} more steps; -v shows them", rows.len() - ROWS)]);
        }
        out += &line([&cells[0], &cells[1], &cells[2], &cells[3]]);
        if at == story.at && !story.later().is_empty() {
            out += &looking_back(story);
        }
    }
    out
}

/// Whether a row of a long table is omitted; `Some(false)` marks the first row after the omitted ones.
fn skipped(at: usize, rows: usize, telling: &Telling) -> Option<bool> {
    let long = telling.verbose == 0 && rows > ROWS;
    let (from, to) = (ROWS / 2, rows.saturating_sub(ROWS / 2));
    match at {
        _ if !long => None,
        _ if at >= from && at < to => Some(true),
        _ if at == to => Some(false),
        _ => None,
    }
}

fn looking_back(story: &Story) -> String {
    match story.at {
        0 => "  delayed estimate of the start, given the later observations:\n".to_owned(),
        at => format!("  delayed estimate of step {at}, given the later observations:\n"),
    }
}

fn cells(story: &Story, at: usize, step: &Step, words: Words) -> [String; 4] {
    let back = at > story.at;
    let set = match &step.looking_back {
        Some(states) if back || story.about_start => words.states(states),
        _ => words.states(&step.estimate),
    };
    let sees = step.sees.as_ref().map_or(String::new(), |sign| sign.text(words.ascii).to_owned());
    [at.to_string(), sees, set, words.because(step, back)]
}

fn narrated(story: &Story, telling: &Telling) -> String {
    let words = telling.words();
    let mut out = String::new();
    for (at, step) in story.steps.iter().enumerate() {
        let [number, sees, set, because] = cells(story, at, step, words);
        let what = if at > story.at { "Still possible at that instant" } else { "Possible" };
        let saw = if sees.is_empty() { String::new() } else { format!(" The intruder sees {sees}.") };
        let because = if sees.is_empty() { String::new() } else { format!(" Because: {because}.") };
        out += &paragraph("  ", &format!("Step {number}.{saw} {what}: {set}.{because}"), telling.style.width);
    }
    out
}

fn run(story: &Story, telling: &Telling) -> String {
    let run = &story.run;
    let mut text = run.states.names.first().cloned().unwrap_or_default();
    for (event, state) in run.events.iter().zip(&run.states.names[1..]) {
        text += &format!(" -{event}-> {state}");
    }
    paragraph("  one such run  ", &text, telling.style.width)
}

fn places(file: &FileReport, story: &Story, telling: &Telling) -> String {
    let labels = labels(story, telling.words());
    if labels.is_empty() {
        return String::new();
    }
    let note = Note {
        severity: None,
        message: "the lines that decide it".to_owned(),
        labels: labels.iter().collect(),
        help: None,
    };
    Renderer::new(&file.sources, &telling.style).note(&note)
}

/// The source locations to label: what excludes the hypotheses at the deciding step, and the run's transition there.
pub fn labels(story: &Story, words: Words) -> Vec<Label> {
    let mut labels = Labels::default();
    match decisive(story) {
        Some((at, _)) => {
            labels.run(story, at, words);
            for lost in ordered(&story.steps[at].lost).into_iter().filter(|lost| lost.rival).take(3) {
                labels.lost(story, at, lost, words);
            }
        }
        None if story.at > 0 => labels.meeting(story, words),
        None => labels.start(story),
    }
    for at in (1..story.steps.len()).rev() {
        labels.run(story, at, words);
    }
    labels.0.truncate(PLACES);
    labels.0
}

#[derive(Default)]
struct Labels(Vec<Label>);

impl Labels {
    fn add(&mut self, spans: &[Span], text: &str) {
        for &span in spans {
            match self.0.iter_mut().find(|label| label.span == span) {
                Some(label) if label.text.contains(text) => {}
                // A line that a family or a product uses many times is told once or twice.
                Some(label) if label.text.len() + text.len() > 70 => {}
                Some(label) => label.text += &format!("; {text}"),
                None => self.0.push(Label { span, text: text.to_owned() }),
            }
        }
    }

    fn run(&mut self, story: &Story, at: usize, words: Words) {
        let run = &story.run;
        let Some(event) = (0..run.events.len()).filter(|&event| run.shows[event].is_some()).nth(at - 1) else { return };
        let shows = words.signs(&story.observation[at - 1..at]);
        let told =
            |span: &Span| self.0.iter().any(|label| label.span == *span && label.text.contains(&format!("step {at}:")));
        if run.places[event].iter().any(told) {
            return;
        }
        self.add(&run.places[event], &format!("step {at}: the run, shows {shows}"));
    }

    fn start(&mut self, story: &Story) {
        for (name, places) in story.exposed.names.iter().zip(&story.exposed_places) {
            let what = if story.exposed.len() == 1 {
                "the only possible initial state".to_owned()
            } else {
                format!("an initial state: `{name}`")
            };
            self.add(places, &what);
        }
    }

    /// The other moves of an excluded hypothesis, or the state without moves.
    fn lost(&mut self, story: &Story, at: usize, lost: &Lost, words: Words) {
        let sign = words.signs(&story.observation[at - 1..at]);
        if lost.can.is_empty() {
            for Stuck { state, dead, places } in &lost.stuck {
                let what = if *dead { "no transition leaves" } else { "no observable transition leaves" };
                self.add(places, &format!("step {at}: {what} `{}`", words.short(state)));
            }
        }
        for step in lost.can.iter().take(2) {
            let shows = step.shows.as_ref().map_or("nothing", |sign| sign.text(words.ascii));
            let source = words.short(&step.source);
            self.add(&step.places, &format!("step {at}: from `{source}` shows {shows}, not {sign}"));
        }
    }

    /// Nothing was excluded: every transition with this symbol leads to the same state.
    fn meeting(&mut self, story: &Story, words: Words) {
        let sign = words.signs(&story.observation[story.at - 1..story.at]);
        for step in story.steps[story.at].moves.iter().take(4) {
            let target = words.short(&step.target);
            self.add(&step.places, &format!("step {}: shows {sign}, leads to `{target}`", story.at));
        }
    }
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + characters.as_str())
}
