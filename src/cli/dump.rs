//! `desc dump STAGE FILE`: the output of a compiler stage as text.

use super::load::{Reading, load};
use super::session::Session;
use super::status::{Ended, Status};
use clap::{Args, ValueEnum};
use desc::diagnostic::any_error;
use desc::model::dump::{dump_automaton, dump_model};
use desc::syntax;

/// Print the output of a compiler stage.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  desc dump automaton ballot.des")]
pub struct Dump {
    /// The stage
    stage: Stage,
    /// The model: a file, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    reading: Reading,
}

/// A stage of the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// The tokens, lossless
    Tokens,
    /// The syntax tree, before names are resolved
    Ast,
    /// The checked model: sizes, observers, secrets, checks
    Model,
    /// The automaton of each system: states, events, transitions
    Automaton,
}

impl Dump {
    pub fn run(&self, session: &mut Session) -> Ended {
        let unit = load(&self.file, &self.reading);
        let source = unit.sources.get(unit.entry);
        let text = match self.stage {
            Stage::Tokens => syntax::dump::dump_tokens(source.text()),
            Stage::Ast => syntax::dump::dump_ast(&syntax::parse(unit.entry, source).file, source),
            Stage::Model => dump_model(unit.model(session)?),
            Stage::Automaton => unit.model(session)?.systems().iter().map(dump_automaton).collect(),
        };
        session.tell(&text)?;
        let faulty = matches!(self.stage, Stage::Tokens | Stage::Ast) && any_error(&unit.checked.diagnostics);
        if faulty {
            session.emit(&unit.sources, &unit.checked.diagnostics);
        }
        Ok(if faulty { Status::Fault } else { Status::Passed })
    }
}
