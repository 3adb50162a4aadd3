//! The terminal of one run: the global options and the two output streams.
//!
//! Results go to standard output, diagnostics to standard error. A closed pipe (`| head`) is not an error: the rest of
//! the output is dropped, and the exit code is unaffected. Any other write error ends the command.

use super::status::{Failure, Status};
use crate::failure::reason;
use anstream::ColorChoice;
use clap::{Args, ValueEnum};
use desc::diagnostic::Diagnostic;
use desc::diagnostic::render::human::harmless;
use desc::diagnostic::render::{self, Style};
use desc::source::Sources;
use std::io::{self, IsTerminal, Write};

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub struct Global {
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: When,
    /// Use only ASCII characters
    #[arg(long, global = true, help_heading = "Output")]
    pub ascii: bool,
    /// Use sentences instead of drawings, for screen readers [env: NO_GRAPHICS]
    #[arg(long, global = true, help_heading = "Output")]
    pub narrated: bool,
    /// Print less: only what did not pass
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,
    /// Print more: whole sets, and how each verdict was found
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = "Output")]
    pub verbose: u8,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Debug)]
pub struct Session {
    pub quiet: bool,
    pub verbose: u8,
    /// Whether progress may be drawn on standard error.
    pub interactive: bool,
    /// The style of standard output.
    pub out: Style,
    /// The style of standard error.
    pub err: Style,
    closed: bool,
}

impl Session {
    /// Reads the environment once.
    pub fn new(global: &Global) -> Session {
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let narrated = global.narrated || is_set("NO_GRAPHICS");
        let style = |color: bool, width: usize| Style { color, ascii: global.ascii, narrated, width };
        Session {
            quiet: global.quiet,
            verbose: global.verbose,
            interactive: io::stderr().is_terminal() && !dumb && !narrated,
            out: style(colored(global.color, &io::stdout()), width(io::stdout().is_terminal())),
            err: style(colored(global.color, &io::stderr()), width(io::stderr().is_terminal())),
            closed: false,
        }
    }

    pub fn print(&mut self, text: &str) -> Result<(), Failure> {
        if text.is_empty() {
            return Ok(());
        }
        self.stream(|out| out.write_all(text.as_bytes())).map(drop)
    }

    /// Writes to standard output piece by piece; none: nobody reads it any more.
    pub fn stream<T>(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> Result<Option<T>, Failure> {
        if self.closed {
            return Ok(None);
        }
        let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
        let written = write(&mut out).and_then(|told| out.flush().map(|()| told));
        // WHY: what was not written must not be tried again while it is dropped.
        let _ = out.into_parts();
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(None)
            }
            Err(error) => Err(unwritten(&error)),
            Ok(told) => Ok(Some(told)),
        }
    }

    /// Writes text to standard output. Names come from the input, so control characters are replaced.
    pub fn tell(&mut self, text: &str) -> Result<(), Failure> {
        self.print(&harmless(text))
    }

    /// Clears the screen of a terminal.
    pub fn clear(&mut self) -> Result<(), Failure> {
        if io::stdout().is_terminal() { self.print("\u{1b}[2J\u{1b}[3J\u{1b}[H") } else { Ok(()) }
    }

    /// Writes to standard error; errors are ignored. Names come from the input, so control characters are replaced.
    pub fn complain(&mut self, text: &str) {
        let _ = io::stderr().lock().write_all(harmless(text).as_bytes());
    }

    pub fn emit(&mut self, sources: &Sources, diagnostics: &[Diagnostic]) {
        // WHY not `complain`: the renderer has replaced what the text carries, and has set colours of its own.
        let text = render::human(sources, diagnostics, &self.err);
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Prints a failure, and returns its exit code.
    pub fn fail(&mut self, failure: &Failure) -> Status {
        let kind = if failure.is_undecided { "undecided" } else { "error" };
        let mut text = format!("{kind}: {}\n", failure.message);
        if let Some(help) = &failure.help {
            text += &format!("  help: {help}\n");
        }
        self.complain(&text);
        if failure.is_undecided { Status::Undecided } else { Status::Fault }
    }
}

/// Results that could not be written.
pub fn unwritten(error: &io::Error) -> Failure {
    Failure::new(format!("cannot write to standard output: {}", reason(error)))
}

fn colored(when: When, stream: &impl anstream::stream::RawStream) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => anstream::AutoStream::choice(stream) != ColorChoice::Never,
    }
}

fn width(is_terminal: bool) -> usize {
    let measured = is_terminal.then(terminal_size::terminal_size).flatten();
    measured.map_or(80, |(width, _)| usize::from(width.0).clamp(40, 140))
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty() && value != "0")
}
