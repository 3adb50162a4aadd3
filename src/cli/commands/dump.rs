//! `desc dump STAGE FILE`: the output of a compiler stage as text.

use crate::cli::run::limits::RunLimits;
use crate::cli::run::load::{Reading, load};
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use clap::{Args, ValueEnum};
use desc::diagnostic::any_error;
use desc::model::Model;
use desc::model::dump::{dump_automata, dump_model};
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
    #[command(flatten)]
    limits: RunLimits,
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
        let resources = self.limits.begin();
        let unit = load(&self.file, &self.reading.within(resources));
        let source = unit.sources.get(unit.entry);
        let left = resources.less(unit.checked.model.as_ref().map_or(0, Model::bytes));
        let text = match self.stage {
            Stage::Tokens => syntax::dump::dump_tokens(source.text(), left),
            Stage::Ast => syntax::parse_within(unit.entry, source, left)
                .and_then(|parsed| syntax::dump::dump_ast(&parsed.file, source, left.less(parsed.bytes))),
            Stage::Model => dump_model(unit.model(session)?, left),
            Stage::Automaton => dump_automata(unit.model(session)?, left),
        };
        session.tell(&text.map_err(|stop| Failure::stopped("it was not printed", stop))?)?;
        let is_text = matches!(self.stage, Stage::Tokens | Stage::Ast);
        let faulty = is_text && any_error(&unit.checked.diagnostics);
        if faulty || is_text && unit.is_cut_off() {
            session.emit(&unit.sources, &unit.checked.diagnostics);
        }
        Ok(if faulty { Status::Fault } else { unit.status() })
    }
}
