//! The counterexample of a check: a sentence, the steps, the lines of the model, a repair.

use super::lanes;
use super::layout::{Paint, paint, paragraph, row, width};
use super::{Telling, answer_word, named};
use crate::diagnostic::Label;
use crate::diagnostic::render::human::{Note, Renderer};
use crate::report::counterexample::{BRIEF, Lost, Need, PartMove, Step, Story, Stuck};
use crate::report::phrasing::{Words, decisive, grouped, ordered};
use crate::report::{CheckReport, FileReport, Kind, PropertyReport};
use crate::source::Span;
use crate::verdict::{Answer, Mark};

/// The maximal number of labelled source locations.
const PLACES: usize = 6;

/// The same in the story of a composed system, which shows what happens part by part.
const FEW_PLACES: usize = 1;

/// How many of the last steps are asked for their places: in a long run the same lines come again and again.
const LOOKED_AT: usize = 1_000;

/// The counterexample of a check; `told` is the location of a check with the same one.
pub fn counterexample(
    file: &FileReport,
    check: &CheckReport<'_>,
    told: Option<&str>,
    telling: &Telling,
    renderer: &mut Renderer<'_>,
) -> String {
    let mut out = title(file, check, telling);
    let sentence = sentence(check, telling.words());
    out += &paragraph("  ", &sentence, telling.style.width);
    if let Some(place) = told {
        return out + &paragraph("  ", &format!("This is the exposure explained at {place}."), telling.style.width);
    }
    if let (Kind::Property(found), Answer::Violated) = (&check.kind, check.answer)
        && let Some(story) = &found.story
    {
        out += &at_the_distance(found, telling);
        let help = help(check, telling);
        out += &account(story, telling, renderer, out.lines().count() + help.lines().count());
        if let Some(nearest) = found.nearest.as_ref().filter(|_| telling.verbose > 0) {
            out += "\n  At the exposure distance:\n";
            out += &account(nearest, telling, renderer, 0);
        }
        return out + &others(check, found, telling, renderer) + &help;
    }
    if let (Kind::Property(found), Answer::Undecided) = (&check.kind, check.answer) {
        let growth = telling.words().growth(found).map(|growth| capital(&growth) + ".");
        out += &growth.map_or_else(String::new, |growth| paragraph("  ", &growth, telling.style.width));
    }
    out + &help(check, telling)
}

/// The exposures that are really different, if they were asked for.
fn others(
    check: &CheckReport<'_>,
    found: &PropertyReport<'_>,
    telling: &Telling,
    renderer: &mut Renderer<'_>,
) -> String {
    let Some(others) = &found.others else { return String::new() };
    let (words, width) = (telling.words(), telling.style.width);
    let mut out = String::new();
    for (at, story) in others.stories.iter().enumerate() {
        let text = format!("Exposure {}: {}.", at + 2, words.knowledge(check, &found.goal, story));
        out += &format!("\n{}", paragraph("  ", &text, width));
        out += &account(story, telling, renderer, 2);
    }
    out + &paragraph("  ", &(capital(&words.are_these_all(others)) + "."), width)
}

/// What is seen at the exposure distance, if that is not what is told.
fn at_the_distance(found: &PropertyReport<'_>, telling: &Telling) -> String {
    let more = if telling.verbose > 0 { "." } else { "; -v tells how." };
    let text = telling.words().at_the_distance(found).map(|text| text + more);
    text.map_or_else(String::new, |text| paragraph("  ", &text, telling.style.width))
}

/// A story, beside so many lines: its steps, one run, and the lines of the model.
fn account(story: &Story, telling: &Telling, renderer: &mut Renderer<'_>, beside: usize) -> String {
    let mut out = how_states_are_written(story, telling);
    out.push('\n');
    let mut places = places(story, telling, renderer);
    if !story.observation.is_empty() {
        out += &if telling.style.narrated { narrated(story, telling) } else { table(story, telling) };
        let lines = |text: &str| text.lines().count();
        let room = LINES.saturating_sub(lines(&out) + beside + 1);
        if !story.run.lanes.is_empty() && telling.verbose == 0 && lines(&places) + least_run(story) > room {
            places.clear();
        }
        out += &run(story, telling, room.saturating_sub(lines(&places)));
        out.push('\n');
    }
    out + &places
}

fn help(check: &CheckReport<'_>, telling: &Telling) -> String {
    let help = telling.words().help(check);
    help.map_or_else(String::new, |help| paragraph("  help: ", &help, telling.style.width))
}

/// Whoever sees tuples is told which part is where.
fn how_states_are_written(story: &Story, telling: &Telling) -> String {
    let has_tuples = telling.verbose > 0 || story.subject.as_ref().is_none_or(|subject| subject.is_all);
    if story.parts.len() < 2 || story.observation.is_empty() || !has_tuples {
        return String::new();
    }
    let parts = format!("States are written as ({}).", story.parts.join(", "));
    paragraph("  ", &parts, telling.style.width)
}

fn title(file: &FileReport, check: &CheckReport<'_>, telling: &Telling) -> String {
    let color = if check.mark == Mark::Undecided { Paint::Unsure } else { Paint::Bad };
    let word = answer_word(check);
    let lead = format!("{}  ", paint(telling.style.color, color, word));
    super::placed(&lead, width(word) + 2, &named(check), &file.sources.place(check.span), telling)
}

/// The verdict of a check as a whole sentence.
pub fn sentence(check: &CheckReport<'_>, words: Words) -> String {
    let headline = words.headline(check);
    let whole = match (check.negated, check.mark) {
        (true, Mark::Failed) => match &check.kind {
            Kind::Property(found) => format!("the check says `not`, but the property {}", words.reach(found)),
            _ => format!("the check says `not`, but {headline}"),
        },
        (true, Mark::Passed) => format!("as expected: {headline}"),
        _ => headline,
    };
    capital(&whole) + "."
}

/// The steps that are shown: whoever does not ask for all of them gets both ends, the exposed instant and what decides.
fn shown<'s>(story: &'s Story, telling: &Telling) -> Vec<&'s Step> {
    let decisive = decisive(story).map(|(step, _)| step.number);
    let matters = |step: &&Step| {
        let number = step.number;
        telling.verbose > 0 || story.is_at_an_end(number, BRIEF) || number == story.at || Some(number) == decisive
    };
    story.steps.iter().filter(matters).collect()
}

/// How many steps are left out before each step that is shown, with a hint for whoever wants them.
fn gaps<'s>(steps: &'s [&'s Step], telling: &'s Telling) -> impl Iterator<Item = (Option<String>, &'s Step)> {
    let before = std::iter::once(None).chain(steps.iter().map(|step| Some(step.number)));
    steps.iter().zip(before).map(|(&step, before)| {
        let left_out = step.number - before.map_or(0, |before| before + 1);
        let steps = if left_out == 1 { "step" } else { "steps" };
        let hint = if telling.verbose > 0 { " (there was no memory for them)" } else { "; -v shows them" };
        let told = (left_out > 0).then(|| format!("{} more {steps}{hint}", grouped(left_out as u64)));
        (told, step)
    })
}

fn table(story: &Story, telling: &Telling) -> String {
    let words = telling.words();
    let steps = shown(story, telling);
    let rows: Vec<[String; 4]> = steps.iter().map(|step| cells(story, step, words)).collect();
    let widest = |column: usize, head: &str, most: usize| {
        rows.iter().map(|row| width(&row[column])).max().unwrap_or(0).max(width(head)).min(most)
    };
    let sees = widest(1, "sees", 14);
    let room = telling.style.width.saturating_sub(2 + 4 + 2 + sees + 2 + 2);
    let head = telling.subject(story).map_or("estimate", |subject| &subject.name);
    let estimate = widest(2, head, (room / 2).clamp(12, 34));
    let rest = room.saturating_sub(estimate).max(24);
    let line = |row: [&str; 4]| {
        let [step, saw, set, why] = row.map(str::to_owned);
        self::row(2, &[(step, 4), (saw, sees), (set, estimate), (why, rest)])
    };
    let mut out = line(["step", "sees", head, "because"]);
    for ((left_out, step), cells) in gaps(&steps, telling).zip(&rows) {
        if let Some(left_out) = left_out {
            out += &line(["...", "", "", &left_out]);
        }
        out += &line([&cells[0], &cells[1], &cells[2], &cells[3]]);
        if step.number == story.at && !story.later().is_empty() {
            out += &paragraph("  ", &looking_back(story, words), telling.style.width);
        }
    }
    out
}

fn looking_back(story: &Story, words: Words) -> String {
    if story.throughout {
        let clean = story.step(story.at).and_then(|step| step.looking_back.as_ref());
        let states = clean.map_or_else(String::new, |states| format!(": {}", words.states(states)));
        return format!("states of runs without a secret state since step {}{states}", story.at);
    }
    match story.at {
        0 => "delayed estimate of the start, given the later observations:".to_owned(),
        at => format!("delayed estimate of step {at}, given the later observations:"),
    }
}

/// A step in a table: its number, what is seen, the estimate, the reason.
pub fn cells(story: &Story, step: &Step, words: Words) -> [String; 4] {
    let sees = step.sees.as_ref().map_or(String::new(), |sign| sign.text(words.ascii).to_owned());
    let because = words.because(story, step, step.number > story.at);
    [step.number.to_string(), sees, words.possible(story, step), because]
}

fn narrated(story: &Story, telling: &Telling) -> String {
    let words = telling.words();
    let mut out = String::new();
    for (left_out, step) in gaps(&shown(story, telling), telling) {
        if let Some(left_out) = left_out {
            out += &paragraph("  ", &format!("{left_out}."), telling.style.width);
        }
        let [number, sees, set, because] = cells(story, step, words);
        let what = words.possible_when(story, step);
        let saw = if sees.is_empty() { String::new() } else { format!(" The intruder sees {sees}.") };
        let because = if sees.is_empty() { String::new() } else { format!(" Because: {because}.") };
        out += &paragraph("  ", &format!("Step {number}.{saw} {what}: {set}.{because}"), telling.style.width);
    }
    out
}

/// The most lines of the story of a composed system.
const LINES: usize = 40;

/// The rows of a run that are worth more than the lines of the model.
const ROWS: usize = 8;

/// The lines that a run takes at least: its heads, and some of its events.
fn least_run(story: &Story) -> usize {
    lanes::HEADS + story.run.events.len().min(ROWS)
}

/// One run; that of a composed system in this many lines, if it can be.
fn run(story: &Story, telling: &Telling, room: usize) -> String {
    let who = who_acts(story, telling);
    run_alone(story, telling, room.saturating_sub(who.lines().count())) + &who
}

fn who_acts(story: &Story, telling: &Telling) -> String {
    let who = telling.words().who_acts(story);
    who.map(|who| paragraph("  who acts      ", &who, telling.style.width)).unwrap_or_default()
}

fn run_alone(story: &Story, telling: &Telling, room: usize) -> String {
    let whole = || paragraph("  one such run  ", &telling.words().run(story, 2 * BRIEF), telling.style.width);
    if story.run.lanes.is_empty() {
        return whole();
    }
    let lanes = lanes::lanes(story, telling, room.saturating_sub(lanes::HEADS));
    if telling.verbose > 0 { format!("\n{lanes}{}", whole()) } else { format!("\n{lanes}") }
}

fn places(story: &Story, telling: &Telling, renderer: &mut Renderer<'_>) -> String {
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
    renderer.note(&note)
}

/// The source locations to label: what excludes the hypotheses at the deciding step, and the run's transition there.
pub fn labels(story: &Story, words: Words) -> Vec<Label> {
    let mut labels = Labels::default();
    match decisive(story) {
        Some((step, _)) if story.subject.is_some() && !words.whole => labels.refusal(story, step, words),
        Some((step, _)) => {
            labels.run(story, step.number, words, usize::MAX);
            for lost in ordered(&step.lost).into_iter().filter(|lost| lost.rival).take(3) {
                labels.lost(story, step.number, lost, words);
            }
        }
        None if story.at > 0 => labels.meeting(story, words),
        None => labels.start(story),
    }
    let most = if story.subject.is_some() && !words.whole { FEW_PLACES } else { PLACES };
    for at in (1..story.n_steps()).rev().take(LOOKED_AT) {
        labels.run(story, at, words, most);
    }
    labels.0.truncate(most);
    labels.0
}

#[derive(Default)]
struct Labels(Vec<Label>);

impl Labels {
    fn add(&mut self, spans: &[Span], text: &str) {
        self.add_up_to(spans, text, usize::MAX);
    }

    /// The same, without a place that would be one too many.
    fn add_up_to(&mut self, spans: &[Span], text: &str, most: usize) {
        for &span in spans {
            let is_full = self.0.len() >= most;
            match self.0.iter_mut().find(|label| label.span == span) {
                Some(label) if label.text.contains(text) => {}
                // A line that a family or a product uses many times is told once or twice.
                Some(label) if label.text.len() + text.len() > 70 => {}
                Some(label) => label.text += &format!("; {text}"),
                None if is_full => {}
                None => self.0.push(Label { span, text: text.to_owned() }),
            }
        }
    }

    fn run(&mut self, story: &Story, at: usize, words: Words, most: usize) {
        let run = &story.run;
        let Some(event) = run.shown_at(at) else { return };
        let shows = words.signs(&story.observation[at - 1..at]);
        let told =
            |span: &Span| self.0.iter().any(|label| label.span == *span && label.text.contains(&format!("step {at}:")));
        if run.places(event).iter().any(told) {
            return;
        }
        self.add_up_to(run.places(event), &format!("step {at}: the run, shows {shows}"), most);
    }

    /// The part that refuses, and the run's transition.
    fn refusal(&mut self, story: &Story, step: &Step, words: Words) {
        let at = step.number;
        let seen = words.signs(&story.observation[at - 1..at]);
        let fallen = step.parts.iter().flat_map(|parts| &parts.fallen).filter(|fallen| fallen.rival);
        for refuser in fallen.flat_map(|fallen| &fallen.refusing).take(1) {
            let part = story.part(refuser.part);
            match refuser.instead.first() {
                Some((act, sign)) => {
                    let own = act.moves.iter().filter_map(|own| own.place);
                    let source = act.moves.first().map_or("", |own| &own.source);
                    let shows = sign.text(words.ascii);
                    let text = format!("step {at}: `{part}` at `{source}` shows {shows}, not {seen}");
                    self.add(&own.collect::<Vec<_>>(), &text);
                }
                None => {
                    let state = refuser.states.first().map_or("", |state| state);
                    let places = refuser.places.iter().take(1).copied().collect::<Vec<_>>();
                    self.add(&places, &format!("step {at}: `{part}` at `{state}` does not show {seen}"));
                }
            }
        }
        self.run(story, at, words, usize::MAX);
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
            let instead = match lost.need {
                Need::Avoiding => "and enters a secret state".to_owned(),
                _ => format!("not {sign}"),
            };
            self.add(&step.places, &format!("step {at}: from `{source}` shows {shows}, {instead}"));
        }
    }

    /// Nothing was excluded: every transition with this symbol leads to the same state.
    fn meeting(&mut self, story: &Story, words: Words) {
        let sign = words.signs(&story.observation[story.at - 1..story.at]);
        if let Some(parts) = story.step(story.at).and_then(|step| step.parts.as_ref()).filter(|_| !words.whole) {
            let in_question = |part: usize| story.subject.as_ref().is_some_and(|subject| subject.parts.contains(&part));
            let mut moves: Vec<&PartMove> = parts.acts.iter().flat_map(|act| &act.moves).collect();
            moves.sort_by_key(|own| !in_question(own.part));
            for own in moves {
                let (part, target) = (story.part(own.part), &own.target);
                let places: Vec<Span> = own.place.into_iter().collect();
                self.add(&places, &format!("step {}: shows {sign}, leads `{part}` to `{target}`", story.at));
            }
            return;
        }
        for step in story.step(story.at).iter().flat_map(|step| &step.moves).take(4) {
            let target = words.short(&step.target);
            self.add(&step.places, &format!("step {}: shows {sign}, leads to `{target}`", story.at));
        }
    }
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + characters.as_str())
}
