//! `desc verify-certificate MODEL CERTIFICATE`: verifies the proofs that `desc check --certificate` wrote.
//!
//! Only the model is shared with the search: the checker has its own reader, successor function and sets.

use crate::cli::run::interrupt;
use crate::cli::run::limits::RunLimits;
use crate::cli::run::load::{Reading, load};
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use crate::files;
use clap::Args;
use desc::check::Limits;
use desc::model::{Check, Model, Question, System};
use desc::report::phrasing::count;
use desc::resources::{Monitor, Resources, Stop};
use desc::verdict::Answer;
use desc::verdict::certificate::document::{Certified, Confirmed, Document, confirm};
use desc::verdict::certificate::{Refused, read};

/// Verify the proofs that `desc check --certificate` wrote.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 every check has a verified proof, 1 a proof is refused, 2 invalid input or I/O error, \
    3 a check has no proof, or a limit was reached.\n\n\
    Example:\n  desc verify-certificate ballot.des ballot.cert --timeout 30s --memory 512MiB"
)]
pub struct VerifyCertificate {
    /// The model
    model: String,
    /// The certificate
    certificate: String,
    #[command(flatten)]
    limits: RunLimits,
    #[command(flatten)]
    reading: Reading,
}

impl VerifyCertificate {
    /// Verifies every proof, and reports refused and missing ones.
    pub fn run(&self, session: &mut Session) -> Ended {
        interrupt::listen();
        let resources = self.limits.begin();
        let unit = load(&self.model, &Reading { lazy: true, ..self.reading.within(resources) });
        let model = unit.model(session)?;
        if unit.is_cut_off() {
            session.tell(&format!("undecided  `{}`: its model was not built\n", self.certificate))?;
            return Ok(Status::Undecided);
        }
        interrupt::tended(|| self.verify(model, resources, session))
    }

    /// Reads and checks the proofs about a model.
    fn verify(&self, model: &Model, resources: Resources<'_>, session: &mut Session) -> Ended {
        let mut monitor = resources.less(model.bytes()).monitor();
        let document = match self.read(model, &mut monitor)? {
            Ok(document) => document,
            Err(stop) => {
                session.tell(&format!("undecided  `{}`: it was not read {}\n", self.certificate, stop.limit()))?;
                return Ok(Status::Undecided);
            }
        };
        match confirm_systems(model, &document, &mut monitor) {
            Ok(confirmed) => {
                let (text, status) = told(&standings(model, &confirmed), monitor.stopped(), session.quiet);
                session.tell(&text)?;
                Ok(status)
            }
            Err(fault) => {
                session.tell(&format!("refused  `{}`: {fault}\n", self.certificate))?;
                Ok(Status::Failed)
            }
        }
    }

    /// The document, unless a limit is reached first.
    fn read(&self, model: &Model, monitor: &mut Monitor<'_>) -> Result<Result<Document, Stop>, Failure> {
        let unreadable = |reason: &str| Failure::new(format!("cannot read `{}`: {reason}", self.certificate));
        let bytes = files::read(&self.certificate, &monitor.resources()).map_err(|it| it.failure(&self.certificate))?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not text"))?;
        if let Err(stop) = monitor.hold(text.len() as u64) {
            return Ok(Err(stop));
        }
        // WHY not only what is allowed: some of the parts are composed whatever `--max-states` says.
        let size = |system: &System| match system.uncomposed {
            Some(uncomposed) => uncomposed.states.max(Limits::default().states),
            None => system.automaton.n_states(),
        };
        let n_states = model.systems().iter().map(size).max().unwrap_or(0);
        // WHY twice: a proof of `throughout` or `initial-final` is about two copies of each state.
        let read = read(&text, n_states.saturating_mul(2), monitor);
        monitor.release(text.len() as u64);
        match read {
            Ok(document) => Ok(Ok(document)),
            Err(Refused::Stopped(stop)) => Ok(Err(stop)),
            Err(Refused::Wrong(fault)) => Err(unreadable(&fault)),
        }
    }
}

/// What is confirmed of each system.
fn confirm_systems(model: &Model, document: &Document, monitor: &mut Monitor<'_>) -> Result<Vec<Confirmed>, String> {
    if document.systems.len() != model.systems().len() {
        return Err("the model has another number of systems".to_owned());
    }
    let systems = model.systems().iter().zip(&document.systems);
    systems.map(|(system, certified)| confirm_system(system, certified, monitor)).collect()
}

fn confirm_system(system: &System, certified: &Certified, monitor: &mut Monitor<'_>) -> Result<Confirmed, String> {
    if system.name != certified.name {
        return Err(format!("it is about `{}`, not `{}`", certified.name, system.name));
    }
    confirm(system, certified, monitor).map_err(|fault| format!("{}: {fault}", system.name))
}

/// The status of a check in a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Holds,
    Violated,
    /// The proof is missing.
    Open,
    /// A limit was reached before its proof was checked.
    Unchecked,
    /// An estimate or a projection, which `desc check` recomputes.
    Value,
}

impl Standing {
    fn of(check: &Check, answer: Option<Answer>, stopped: bool) -> Standing {
        match (&check.question, answer) {
            (_, Some(Answer::Holds)) => Standing::Holds,
            (_, Some(Answer::Violated)) => Standing::Violated,
            (Question::Property { .. }, _) if stopped => Standing::Unchecked,
            (Question::Property { .. }, Some(Answer::Undecided) | None) => Standing::Open,
            (Question::Estimate { .. } | Question::Projection { .. } | Question::Repair { .. }, _) => Standing::Value,
        }
    }

    fn line(self, system: &System, check: &Check) -> String {
        let (word, end) = match self {
            Standing::Holds => ("confirmed", ": holds"),
            Standing::Violated => ("confirmed", ": violated"),
            Standing::Open => ("no proof", ""),
            Standing::Unchecked => ("undecided", ""),
            Standing::Value => ("value", ": needs no proof"),
        };
        format!("{word:9}  {}: {}{end}\n", system.name, check.text)
    }
}

/// Every check with its status, in order.
fn standings<'m>(model: &'m Model, confirmed: &[Confirmed]) -> Vec<(&'m System, &'m Check, Standing)> {
    let systems = model.systems().iter().zip(confirmed);
    let checks = systems.flat_map(|(system, confirmed)| {
        let checks = system.checks.iter().zip(&confirmed.answers);
        let stopped = confirmed.stopped.is_some();
        checks.map(move |(check, &answer)| (system, check, Standing::of(check, answer, stopped)))
    });
    checks.collect()
}

/// A line per check, and a summary; with `quiet` only the checks that are not confirmed.
fn told(all: &[(&System, &Check, Standing)], stopped: Option<Stop>, quiet: bool) -> (String, Status) {
    let open = |standing: Standing| matches!(standing, Standing::Open | Standing::Unchecked);
    let lines = all.iter().filter(|(_, _, standing)| !quiet || open(*standing));
    let lines: String = lines.map(|(system, check, standing)| standing.line(system, check)).collect();
    let number = |is: fn(Standing) -> bool| all.iter().filter(|(_, _, standing)| is(*standing)).count() as u64;
    let confirmed = number(|standing| matches!(standing, Standing::Holds | Standing::Violated));
    let (whole, status) = match stopped {
        None => summary(confirmed, number(|standing| standing == Standing::Open)),
        Some(stop) => {
            (unchecked(confirmed, number(|standing| standing == Standing::Unchecked), stop), Status::Undecided)
        }
    };
    (lines + &whole + "\n", status)
}

fn unchecked(confirmed: u64, unchecked: u64, stop: Stop) -> String {
    let (proved, rest) = (count(confirmed, "check"), count(unchecked, "check"));
    format!("undecided: {proved} confirmed, {rest} not verified {}", stop.limit())
}

fn summary(confirmed: u64, open: u64) -> (String, Status) {
    let (proved, rest) = (count(confirmed, "check"), count(open, "check"));
    match (confirmed, open) {
        (0, 0) => ("nothing is proved: no check needs a proof".to_owned(), Status::Undecided),
        (0, _) => (format!("nothing is proved: {rest} without a proof"), Status::Undecided),
        (_, 0) => (format!("certificate verified: {proved}"), Status::Passed),
        _ => (format!("not everything is proved: {proved} confirmed, {rest} without a proof"), Status::Undecided),
    }
}
