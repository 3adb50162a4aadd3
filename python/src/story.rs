//! The story of a violated check, as a JSON document.

use desc::diagnostic::render::Style;
use desc::diagnostic::render::human::Renderer;
use desc::report::counterexample::{NamedSet, Step, Story};
use desc::report::formats::text::{Telling, counterexample};
use desc::report::phrasing::Words;
use desc::report::scribe::Teller;
use desc::report::{CheckReport, FileReport, Kind, SystemReport};
use desc::resources::Resources;
use serde_json::{Value, json};

const WORDS: Words = Words { ascii: false, whole: true };

/// How many steps at each end of a long story are told.
const EDGE: usize = 500;

/// The story of a check; none: nothing was exposed, or it was not told.
pub fn story(file: &FileReport, system: &SystemReport<'_>, at: usize) -> Option<String> {
    let check = system.explained(at, &mut Teller::new(Resources::default(), EDGE));
    let Kind::Property(found) = &check.kind else { return None };
    let story = found.story.as_ref()?;
    Some(document(&check, story, &told(file, &check)).to_string())
}

/// As a terminal shows it.
fn told(file: &FileReport, check: &CheckReport<'_>) -> String {
    let style = Style { width: 100, ..Style::default() };
    let mut renderer = Renderer::new(&file.sources, &style);
    let telling = Telling { style, ..Telling::default() };
    counterexample(file, check, None, &telling, &mut renderer)
}

fn document(check: &CheckReport<'_>, story: &Story, text: &str) -> Value {
    let steps: Vec<Value> = story.steps.iter().map(|step| told_step(story, step)).collect();
    json!({
        "text": text, "headline": WORDS.headline(check), "help": WORDS.help(check), "at": story.at,
        "exposed": names(&story.exposed), "parts": story.parts, "steps": steps,
    })
}

fn told_step(story: &Story, step: &Step) -> Value {
    let back = step.number > story.at;
    json!({
        "number": step.number, "sees": step.sees.as_ref().map(|sign| sign.text(true)),
        "estimate": names(&step.estimate), "looking_back": step.looking_back.as_ref().map(names),
        "because": step.sees.as_ref().map_or(String::new(), |_| WORDS.because(story, step, back)),
    })
}

fn names(set: &NamedSet) -> Vec<&str> {
    set.names.iter().map(|name| &**name).collect()
}
