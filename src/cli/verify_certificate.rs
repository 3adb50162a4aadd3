//! `desc verify-certificate MODEL CERTIFICATE`: confirms proofs that `desc check --certificate` wrote.
//!
//! Shares with the search only the model: the reader of the certificate, the successor function and the sets are the checker's own.

use super::files;
use super::load::{Reading, load};
use super::session::Session;
use super::status::{Ended, Failure, Status};
use clap::Args;
use desc::model::{Model, System};
use desc::verify::Answer;
use desc::verify::certificate::document::{Certified, Document, confirm};
use desc::verify::certificate::read;

/// Confirm the proofs that `desc check --certificate` wrote.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  desc verify-certificate ballot.des ballot.cert")]
pub struct VerifyCertificate {
    /// The model
    model: String,
    /// The certificate
    certificate: String,
    #[command(flatten)]
    reading: Reading,
}

impl VerifyCertificate {
    /// Confirms every proof, or says which one is refused.
    pub fn run(&self, session: &mut Session) -> Ended {
        let unit = load(&self.model, &self.reading);
        let model = unit.model(session)?;
        let document = self.read()?;
        match answers(model, &document) {
            Ok(answers) => {
                session.print(&told(model, &answers, session.quiet))?;
                Ok(Status::Passed)
            }
            Err(fault) => {
                session.print(&format!("refused  `{}`: {fault}\n", self.certificate))?;
                Ok(Status::Failed)
            }
        }
    }

    fn read(&self) -> Result<Document, Failure> {
        let unreadable = |reason: &str| Failure::new(format!("cannot read `{}`: {reason}", self.certificate));
        let bytes = files::read(&self.certificate).map_err(|reason| unreadable(&reason))?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable("it is no text"))?;
        read(&text).map_err(|fault| unreadable(&fault))
    }
}

/// For each system of the model, the answers that are proved.
fn answers(model: &Model, document: &Document) -> Result<Vec<Vec<Option<Answer>>>, String> {
    if document.systems.len() != model.systems().len() {
        return Err("the model has more systems, or fewer".to_owned());
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

fn told(model: &Model, answers: &[Vec<Option<Answer>>], quiet: bool) -> String {
    let mut text = String::new();
    let (mut confirmed, mut open) = (0, 0);
    for (system, answers) in model.systems().iter().zip(answers) {
        for (check, answer) in system.checks.iter().zip(answers) {
            let (word, answer) = match answer {
                Some(Answer::Holds) => ("confirmed", ": holds"),
                Some(Answer::Violated) => ("confirmed", ": violated"),
                Some(Answer::Undecided) | None => ("no proof", ""),
            };
            if word == "confirmed" {
                confirmed += 1
            } else {
                open += 1
            }
            if !quiet {
                text += &format!("{word:9}  {}: {}{answer}\n", system.name, check.text);
            }
        }
    }
    let rest = if open > 0 { format!(", {open} without a proof") } else { String::new() };
    text + &format!("certificate verified: {confirmed} {}{rest}\n", if confirmed == 1 { "check" } else { "checks" })
}
