//! The command line: one file per command, and what they share.
//!
//! A command is a struct of arguments (clap) with `run(&self, &mut Session) -> Ended`, in [`commands`]. [`args`] has the options
//! that several commands share, [`run`] what they do in common: the [`Session`](run::session::Session) knows the terminal and
//! writes, [`load`](run::load) turns a path into a checked model, [`outputs`](run::outputs) keeps results from taking the place of
//! models. Every command ends with a [`Status`](run::status::Status), which is the exit code.

mod run;
mod args;
mod commands;

use clap::{Parser, Subcommand};
use commands::*;
use run::limits;
use run::session::{self, Global, Session};
use run::status::{self, Status};
use std::io::{self, Write};
use std::process::ExitCode;

/// A language and compiler for anonymity and opacity of discrete-event systems.
#[derive(Debug, Parser)]
#[command(name = "desc", version = version(), max_term_width = 100, propagate_version = true)]
#[command(
    after_help = "To start: `desc new mine` writes a starter model, `desc check mine.des` checks it, `desc examples` lists more models. \
    `desc explain E0201` explains the code E0201.\n\n\
    Exit codes: 0 every check passed, 1 a check did not pass, 2 invalid input or I/O error, 3 undecided."
)]
pub struct Arguments {
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Decide every check of the given models
    Check(check::Check),
    /// Compare two versions of a model, or two JSON reports
    Diff(diff::Diff),
    /// Put the JSON reports of several runs together, as if one machine had done it
    Merge(merge::Merge),
    /// Verify the proofs that `desc check --certificate` wrote
    VerifyCertificate(verify_certificate::VerifyCertificate),
    /// Find the cheapest changes under which every check passes, among those that the model allows
    Repair(repair::Repair),
    /// Draw a system or one of the paper's constructions
    Show(show::Show),
    /// Show the estimate after each observation, and the delayed estimates of earlier instants
    Estimate(estimate::Estimate),
    /// Play the intruder: choose what is seen next and watch what they know
    Explore(explore::Explore),
    /// Find the largest K for which K-step anonymity and opacity hold, in each view
    Max(max::Max),
    /// Show what the intruder sees of a string of events
    Project(project::Project),
    /// Convert a model of another tool to `.des`
    Import(import::Import),
    /// Convert a system to the format of another tool
    Export(export::Export),
    /// Compare the engine with other methods on the checks of a model
    Compare(compare::Compare),
    /// Write files in their canonical layout
    Fmt(fmt::Fmt),
    /// Write a commented starter model
    New(new::New),
    /// List the built-in example models, or write them to files
    Examples(examples::Examples),
    /// Run the language server over standard input and output
    Lsp(lsp::Lsp),
    /// Write an HTML report: model, drawings, verdicts, counterexamples step by step
    Report(report::Report),
    /// Print the JSON Schema of `check --message-format json`
    Schema(schema::Schema),
    /// Print the output of a compiler stage: tokens, ast, model or automaton
    Dump(dump::Dump),
    /// Explain a code such as E0201, or list all codes
    Explain(explain::Explain),
    /// Print completions for a shell
    Completions(completions::Completions),
    /// Print the manual page of `desc` or of one of its commands
    Man(completions::Man),
}

impl Command {
    fn run(&self, session: &mut Session) -> status::Ended {
        match self {
            Command::Check(command) => command.run(session),
            Command::Diff(command) => command.run(session),
            Command::Merge(command) => command.run(session),
            Command::VerifyCertificate(command) => command.run(session),
            Command::Repair(command) => command.run(session),
            Command::Show(command) => command.run(session),
            Command::Estimate(command) => command.run(session),
            Command::Explore(command) => command.run(session),
            Command::Max(command) => command.run(session),
            Command::Project(command) => command.run(session),
            Command::Import(command) => command.run(session),
            Command::Export(command) => command.run(session),
            Command::Compare(command) => command.run(session),
            Command::Fmt(command) => command.run(session),
            Command::New(command) => command.run(session),
            Command::Examples(command) => command.run(session),
            Command::Lsp(command) => command.run(session),
            Command::Report(command) => command.run(session),
            Command::Schema(command) => command.run(session),
            Command::Dump(command) => command.run(session),
            Command::Explain(command) => command.run(session),
            Command::Completions(command) => command.run(session),
            Command::Man(command) => command.run(session),
        }
    }
}

/// Reads the arguments, runs the command, and gives the exit code.
pub fn main() -> ExitCode {
    limits::started();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(wrong) => return shown_by_clap(&wrong),
    };
    let mut session = Session::new(&arguments.global);
    let status = match arguments.command.run(&mut session) {
        Ok(status) => status,
        Err(failure) => session.fail(&failure),
    };
    status.into()
}

/// A mistake in the arguments, or the help that was asked for. A reader that went away is no reason to complain; help that cannot be
/// written is.
fn shown_by_clap(wrong: &clap::Error) -> ExitCode {
    let shown = wrong.print().and_then(|()| io::stdout().flush());
    match shown {
        Err(error) if !wrong.use_stderr() && error.kind() != io::ErrorKind::BrokenPipe => {
            // WHY ignored: when even that fails there is nobody left to tell.
            let _ = writeln!(io::stderr(), "error: {}", session::unwritten(&error).message);
            Status::Fault.into()
        }
        _ => ExitCode::from(u8::try_from(wrong.exit_code()).unwrap_or(2)),
    }
}

/// The version, with the commit when the build knew it (`build.rs`). There are no optional features to leave out.
fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match option_env!("DESC_COMMIT") {
        Some(commit) => format!("{version} (commit {commit}, all features)"),
        None => version.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    /// The words of a line of a shell; double quotes keep some together.
    fn words(line: &str) -> Vec<String> {
        let parts = line.split('"').enumerate();
        let words = |(at, part): (usize, &str)| match at % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        };
        parts.flat_map(words).collect()
    }

    #[test]
    fn every_example_in_the_help_can_be_typed() {
        for command in Arguments::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<&str> = help.lines().filter(|line| line.starts_with("  desc ")).collect();
            let speaks_for_itself = matches!(command.get_name(), "lsp" | "schema" | "help");
            assert!(speaks_for_itself || !examples.is_empty(), "`desc {}` has no example", command.get_name());
            for example in examples {
                assert_eq!(Arguments::try_parse_from(words(example)).err().map(|error| error.to_string()), None);
            }
        }
    }
}
