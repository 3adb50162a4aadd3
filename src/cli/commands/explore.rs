//! `desc explore FILE`: playing the intruder, in the terminal or in a browser.

mod server;
mod terminal;

use crate::cli::args::look::{Looking, View};
use crate::cli::args::pick;
use crate::cli::run::limits::{RunLimits, started};
use crate::cli::run::load::{Reading, load};
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use clap::Args;
use desc::draw::observation;
use desc::explore::Goal;
use desc::explore::scene::Play;
use desc::model::{System, ViewId};
use std::io::{self, IsTerminal};

/// Play the intruder: choose what is seen next and watch what they know.
#[derive(Debug, Args)]
#[command(
    after_help = "Keys: arrows choose a sign, Enter sees it, Backspace goes back, x goes on to the nearest exposure, \
    v changes the view, c the check, r starts again, q ends.\n\n\
    Example:\n  desc explore ballot.des\n  desc explore ballot.des --web"
)]
pub struct Explore {
    /// The model
    file: String,
    /// Open the page in a browser: a server on this machine, for this machine alone
    #[arg(long)]
    web: bool,
    /// The port of the server [default: any that is free]
    #[arg(long, value_name = "PORT", requires = "web")]
    port: Option<u16>,
    /// What was seen already, such as "?1 ?1 c"
    #[arg(long, value_name = "SIGNS", default_value = "")]
    observe: String,
    #[command(flatten)]
    looking: Looking,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    limits: RunLimits,
}

impl Explore {
    pub fn run(&self, session: &mut Session) -> Ended {
        if self.web {
            return server::serve(&self.file, self.port, session);
        }
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            let failure = Failure::new("`desc explore` needs a terminal");
            return Err(failure.help("`desc estimate` prints the estimates of an observation; `--web` opens a page"));
        }
        let unit = load(&self.file, &self.reading.within(self.limits.resources(started(), 1)));
        let model = unit.model(session)?;
        let system = pick::system(model, self.looking.system.as_deref())?;
        let mut view = self.looking.eye(model, usual(system), session)?.view_id;
        let check = system.checks.iter().position(|check| Goal::of(check).is_some());
        if let (Some(check), None, None) = (check, self.looking.view, &self.looking.against) {
            view = system.checks[check].question.view_id();
        }
        let place = |span| unit.sources.place(span);
        let text = |span| unit.sources.slice(span).to_owned();
        let table = terminal::Table { system, limits: &self.limits, place: &place, text: &text };
        terminal::play(table, view, check, &observation::words(&self.observe)).map_err(stopped)?;
        Ok(Status::Passed)
    }
}

/// The view of a system without checks.
fn usual(system: &System) -> View {
    let has_anonymous = system.observers.iter().any(|observer| observer.observer.n_groups() > 0);
    if has_anonymous { View::Strong } else { View::Natural }
}

fn stopped(error: io::Error) -> Failure {
    Failure::new(format!("the terminal ended: {error}"))
}

/// An intruder before anything is seen.
fn begin<'m>(
    system: &'m System,
    view: ViewId,
    check: Option<usize>,
    monitor: &mut desc::resources::Monitor<'_>,
) -> Result<Play<'m>, desc::resources::Stop> {
    let goal = check.and_then(|at| Goal::of(&system.checks[at])).unwrap_or_default();
    Play::new(system, view, goal, monitor)
}
