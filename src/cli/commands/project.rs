//! `desc project FILE a b b c`: what the intruder sees of a string of events.

use crate::cli::args::look::{Asking, MessageFormat, View};
use crate::cli::run::load::load;
use crate::cli::run::session::Session;
use crate::cli::run::status::Ended;
use clap::Args;
use desc::automaton::{EventId, StateId};
use desc::draw::figure::DrawContext;
use desc::draw::observation;
use desc::draw::table::Table;
use serde_json::json;
use std::collections::BTreeSet;

/// Show what the intruder sees of a string of events.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 desc project ballot.des a b b c\n\
\x20 desc project ballot.des --view weak a b b c")]
pub struct Project {
    /// The model, or `-` for standard input
    file: String,
    /// The string: a sequence of events
    #[arg(value_name = "EVENT")]
    events: Vec<String>,
    #[command(flatten)]
    asking: Asking,
}

impl Project {
    pub fn run(&self, session: &mut Session) -> Ended {
        let resources = self.asking.limits.begin();
        let unit = load(&self.file, &self.asking.reading.within(resources));
        let model = unit.model(session)?;
        let eye = self.asking.looking.eye(model, View::Natural, session)?;
        let words = self.events.iter().flat_map(|text| observation::words(text));
        let string = words.map(|word| observation::event(&eye, &word)).collect::<Result<Vec<_>, _>>()?;
        let views = match self.asking.looking.view {
            Some(view) => vec![view],
            None => vec![View::Natural, View::Strong, View::Weak],
        };
        match self.asking.message_format {
            MessageFormat::Human => session.tell(&self.human(&eye, &string, &views))?,
            MessageFormat::Json => session.print(&json_text(&eye, &string, &views))?,
        }
        Ok(unit.status())
    }

    fn human(&self, eye: &DrawContext<'_>, string: &[EventId], views: &[View]) -> String {
        if let [view] = views {
            return format!("{}\n", eye.signs(&through(eye, *view).view().project(string)));
        }
        let mut table = Table::new(["view", "sees"]);
        for &view in views {
            let eye = through(eye, view);
            table.row([eye.view_id.projection.to_string(), eye.signs(&eye.view().project(string))]);
        }
        let possible = match is_possible(eye, string) {
            true => String::new(),
            false => format!("\n{} has no run with these events\n", eye.system.name),
        };
        table.text() + &possible
    }
}

fn through<'a>(eye: &DrawContext<'a>, view: View) -> DrawContext<'a> {
    let mut other = *eye;
    other.view_id.projection = view.projection();
    other
}

fn json_text(eye: &DrawContext<'_>, string: &[EventId], views: &[View]) -> String {
    let shown = views.iter().map(|&view| {
        let eye = through(eye, view);
        let signs = eye.view().project(string).into_iter();
        let signs: Vec<String> = signs.map(|sign| eye.system.sign_name(eye.view_id.observer, sign)).collect();
        (eye.view_id.projection.to_string(), json!(signs))
    });
    let shown: serde_json::Map<String, serde_json::Value> = shown.collect();
    let names: Vec<String> = string.iter().map(|&event| eye.event(event)).collect();
    let document = json!({
        "schema": 1, "system": eye.system.name, "string": names, "possible": is_possible(eye, string),
        "projections": shown,
    });
    format!("{document:#}\n")
}

/// Whether some run of the system has exactly these events.
fn is_possible(eye: &DrawContext<'_>, string: &[EventId]) -> bool {
    let automaton = &eye.system.automaton;
    let mut states: BTreeSet<StateId> = automaton.initial().iter().copied().collect();
    for &event in string {
        let targets = states.iter().flat_map(|&state| automaton.successors(state, event)).map(|step| step.target);
        states = targets.collect();
    }
    !states.is_empty()
}
