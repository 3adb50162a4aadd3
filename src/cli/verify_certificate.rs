//! `desc verify-certificate MODEL CERTIFICATE`: verifies the proofs that `desc check --certificate` wrote.
//!
//! Only the model is shared with the search: the checker has its own reader, successor function and sets.

use super::load::{Reading, load};
use super::session::Session;
use super::status::{Ended, Failure, Status};
use crate::files;
use clap::Args;
use desc::model::{Check, Model, Question, System};
use desc::report::words::count;
use desc::verify::Answer;
use desc::verify::certificate::document::{Certified, Document, confirm};
use desc::verify::certificate::read;

/// Verify the proofs that `desc check --certificate` wrote.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 every check has a verified proof, 1 a proof is refused, 2 invalid input or I/O error, \
    3 a check has no proof.\n\n\
    Example:\n  desc verify-certificate ballot.des ballot.cert"
)]
pub struct VerifyCertificate {
    /// The model
    model: String,
    /// The certificate
    certificate: String,
    #[command(flatten)]
    reading: Reading,
}

impl VerifyCertificate {
    /// Verifies every proof, and reports refused and missing ones.
    pub fn run(&self, session: &mut Session) -> Ended {
        let unit = load(&self.model, &self.reading);
        let model = unit.model(session)?;
        let document = self.read()?;
        match answers(model, &document) {
            Ok(answers) => {
                let (text, status) = told(&standings(model, &answers), session.quiet);
                session.tell(&text)?;
                Ok(status)
            }
            Err(fault) => {
                session.tell(&format!("refused  `{}`: {fault}\n", self.certificate))?;
                Ok(Status::Failed)
            }
        }
    }

    fn read(&self) -> Result<Document, Failure> {
        let unreadable = |reason: &str| Failure::new(format!("cannot read `{}`: {reason}", self.certificate));
        let bytes = files::read(&self.certificate).map_err(|reason| unreadable(&reason))?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not text"))?;
        read(&text).map_err(|fault| unreadable(&fault))
    }
}

/// The proved verdicts of each system.
fn answers(model: &Model, document: &Document) -> Result<Vec<Vec<Option<Answer>>>, String> {
    if document.systems.len() != model.systems().len() {
        return Err("the model has another number of systems".to_owned());
    }
    let systems = model.systems().iter().zip(&document.systems);
    systems.map(|(system, certified)| proved(system, certified)).collect()
}

fn proved(system: &System, certified: &Certified) -> Result<Vec<Option<Answer>>, String> {
    if system.name != certified.name {
        return Err(format!("it is about `{}`, not `{}`", certified.name, system.name));
    }
    confirm(system, certified).map_err(|fault| format!("{}: {fault}", system.name))
}

/// The status of a check in a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Holds,
    Violated,
    /// The proof is missing.
    Open,
    /// An estimate or a projection, which `desc check` recomputes.
    Value,
}

impl Standing {
    fn of(check: &Check, answer: Option<Answer>) -> Standing {
        match (&check.question, answer) {
            (_, Some(Answer::Holds)) => Standing::Holds,
            (_, Some(Answer::Violated)) => Standing::Violated,
            (Question::Property { .. }, Some(Answer::Undecided) | None) => Standing::Open,
            (Question::Estimate { .. } | Question::Projection { .. }, _) => Standing::Value,
        }
    }

    fn line(self, system: &System, check: &Check) -> String {
        let (word, end) = match self {
            Standing::Holds => ("confirmed", ": holds"),
            Standing::Violated => ("confirmed", ": violated"),
            Standing::Open => ("no proof", ""),
            Standing::Value => ("value", ": needs no proof"),
        };
        format!("{word:9}  {}: {}{end}\n", system.name, check.text)
    }
}

/// Every check with its status, in order.
fn standings<'m>(model: &'m Model, answers: &[Vec<Option<Answer>>]) -> Vec<(&'m System, &'m Check, Standing)> {
    let systems = model.systems().iter().zip(answers);
    let checks = systems.flat_map(|(system, answers)| {
        let checks = system.checks.iter().zip(answers);
        checks.map(move |(check, &answer)| (system, check, Standing::of(check, answer)))
    });
    checks.collect()
}

/// A line per check, and a summary; with `quiet` only the checks without a proof.
fn told(all: &[(&System, &Check, Standing)], quiet: bool) -> (String, Status) {
    let lines = all.iter().filter(|(_, _, standing)| !quiet || *standing == Standing::Open);
    let lines: String = lines.map(|(system, check, standing)| standing.line(system, check)).collect();
    let number = |is: fn(Standing) -> bool| all.iter().filter(|(_, _, standing)| is(*standing)).count() as u64;
    let confirmed = number(|standing| matches!(standing, Standing::Holds | Standing::Violated));
    let open = number(|standing| standing == Standing::Open);
    let (whole, status) = summary(confirmed, open);
    (lines + &whole + "\n", status)
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
