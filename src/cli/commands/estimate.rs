//! `desc estimate FILE --observe "?1 ?1"`: the estimates and delayed estimates of an observation.

use crate::cli::args::look::{Asking, MessageFormat, View};
use crate::cli::run::load::load;
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure};
use clap::Args;
use desc::automaton::StateSet;
use desc::automaton::view::Symbol;
use desc::draw::figure::DrawContext;
use desc::draw::observation;
use desc::draw::table::Table;
use desc::paper::Budget;
use desc::paper::estimate::History;
use desc::resources::Stop;
use serde_json::json;

/// Show the estimate after each observation, and the delayed estimates of earlier instants.
#[derive(Debug, Args)]
#[command(after_help = "Row n is the knowledge after n symbols: the estimate is the set of possible current states, \
    column `at i` the delayed estimate of the instant after i symbols.\n\n\
    Example:\n  desc estimate ballot.des --view weak --observe \"?1 ?1 c\"")]
pub struct Estimate {
    /// The model, or `-` for standard input
    file: String,
    /// What the intruder sees, such as "?1 ?1 c"
    #[arg(long, value_name = "SIGNS")]
    observe: String,
    /// Only the delayed estimates of the instant after N symbols
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    #[command(flatten)]
    asking: Asking,
}

impl Estimate {
    pub fn run(&self, session: &mut Session) -> Ended {
        let resources = self.asking.limits.begin();
        let unit = load(&self.file, &self.asking.reading.within(resources));
        let model = unit.model(session)?;
        let eye = self.asking.looking.eye(model, usual(&self.observe), session)?;
        let words = observation::words(&self.observe).into_iter();
        let observation = words.map(|word| observation::sign(&eye, &word)).collect::<Result<Vec<_>, _>>()?;
        if let Some(at) = self.at.filter(|&at| at > observation.len()) {
            let message = format!("`--at {at}` is beyond the observation, which has {} symbols", observation.len());
            return Err(Failure::new(message));
        }
        let mut budget = Budget::new(None, resources.less(model.bytes()));
        let seen = |seen: usize| History::within(eye.view(), &observation[..seen], &mut budget);
        let histories: Result<Vec<History>, Stop> = (0..=observation.len()).map(seen).collect();
        let histories = histories.map_err(|stop| Failure::stopped("the estimates were not computed", stop))?;
        match self.asking.message_format {
            MessageFormat::Human => session.tell(&self.human(&eye, &observation, &histories))?,
            MessageFormat::Json => session.print(&self.json(&eye, &observation, &histories))?,
        }
        Ok(unit.status())
    }

    /// The instants of the delayed estimates.
    fn instants(&self, observation: &[Symbol]) -> Vec<usize> {
        self.at.map_or_else(|| (0..observation.len()).collect(), |at| vec![at])
    }

    fn human(&self, eye: &DrawContext<'_>, observation: &[Symbol], histories: &[History]) -> String {
        let instants = self.instants(observation);
        let heading = ["step", "sees", "estimate"].map(str::to_owned).into_iter();
        let heading = heading.chain(instants.iter().map(|at| format!("at {at}"))).collect();
        let mut table = Table { heading, rows: Vec::new() };
        for (seen, history) in histories.iter().enumerate() {
            let sees = seen.checked_sub(1).map_or(String::new(), |last| eye.sign(observation[last]));
            let mut row = vec![seen.to_string(), sees, eye.states(history.estimate(seen).iter())];
            let delayed = instants.iter().filter(|&&at| at < seen || (at == seen && self.at.is_some()));
            row.extend(delayed.map(|&at| eye.states(history.delayed(at).iter())));
            table.rows.push(row);
        }
        let mut text = format!("{}, {} view\n\n", eye.system.name, eye.view_id.projection) + &table.text();
        if let Some(first) = (0..=observation.len()).find(|&seen| histories[seen].estimate(seen).is_empty()) {
            text += &format!("\nno run has this observation: the estimate is empty from step {first} on\n");
        }
        text
    }

    fn json(&self, eye: &DrawContext<'_>, observation: &[Symbol], histories: &[History]) -> String {
        let names = |set: StateSet| set.iter().map(|state| eye.state(state)).collect::<Vec<String>>();
        let instants = self.instants(observation);
        let steps = histories.iter().enumerate().map(|(seen, history)| {
            let delayed = instants.iter().filter(|&&at| at <= seen);
            let delayed: Vec<serde_json::Value> =
                delayed.map(|&at| json!({"at": at, "estimate": names(history.delayed(at))})).collect();
            json!({"seen": seen, "estimate": names(history.estimate(seen)), "delayed": delayed})
        });
        let signs = observation.iter().map(|&sign| eye.system.sign_name(eye.view_id.observer, sign));
        let document = json!({
            "schema": 1, "system": eye.system.name, "projection": eye.view_id.projection.word(),
            "observation": signs.collect::<Vec<_>>(), "steps": steps.collect::<Vec<_>>(),
        });
        format!("{document:#}\n")
    }
}

/// The view of an observation: labels with a number are weak, labels without are strong.
fn usual(observation: &str) -> View {
    let words = observation::words(observation);
    let is = |word: &String, numbered: bool| {
        let rest = word.strip_prefix(['?', 'γ']);
        rest.is_some_and(|rest| rest.is_empty() != numbered)
    };
    match () {
        () if words.iter().any(|word| is(word, true)) => View::Weak,
        () if words.iter().any(|word| is(word, false)) => View::Strong,
        () => View::Natural,
    }
}
