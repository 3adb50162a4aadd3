//! Foreign models on the command line: the options that complete them.

use super::load::{Reading, Unit};
use crate::files;
use clap::Args;
use desc::check::foreign::{CheckedFile, check};
use desc::diagnostic::{Code, Diagnostic};
use desc::import::Format;
use desc::import::options::Outside;
use desc::source::{FileId, Span};
use std::path::PathBuf;

/// Options for models of other tools.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Models of other tools")]
pub struct Telling {
    /// The format of the file [default: by its extension]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub from: Option<Format>,
    /// The observable events, separated by commas
    #[arg(long, value_name = "EVENTS", conflicts_with = "unobservable")]
    pub observable: Vec<String>,
    /// The unobservable events
    #[arg(long, value_name = "EVENTS")]
    pub unobservable: Vec<String>,
    /// The anonymous events
    #[arg(long, value_name = "EVENTS")]
    pub anonymous: Vec<String>,
    /// The secret states
    #[arg(long, value_name = "STATES")]
    pub secret: Vec<String>,
    /// The initial states
    #[arg(long, value_name = "STATES")]
    pub initial: Vec<String>,
    /// What to check, as in a `.des` file: `--check "weak 2-step"`
    #[arg(long = "check", value_name = "CHECK")]
    pub checks: Vec<String>,
    /// No measures are added if no check is given.
    #[arg(skip)]
    pub unasked: bool,
}

impl Telling {
    pub fn outside(&self) -> Outside {
        Outside {
            initial: self.initial.clone(),
            secret: self.secret.clone(),
            observable: self.observable.clone(),
            unobservable: self.unobservable.clone(),
            anonymous: self.anonymous.clone(),
            checks: self.checks.clone(),
            unasked: self.unasked,
        }
    }

    /// The format of a file; `None`: `.des`.
    pub fn format(&self, path: &str, text: &str) -> Option<Format> {
        self.from.or_else(|| Format::detect(path, text))
    }
}

fn format(word: &str) -> Result<Format, String> {
    Format::from_word(word).ok_or_else(|| {
        let words: Vec<&str> = Format::ALL.iter().map(|&(word, _)| word).collect();
        format!("expected one of {}", words.join(", "))
    })
}

/// Reads and checks a foreign file with the options.
pub fn load(path: &str, bytes: Vec<u8>, format: Format, reading: &Reading) -> Unit {
    let outside = reading.telling.outside();
    let CheckedFile { sources, entry, checked } =
        check(files::shown(path), bytes, format, &outside, &reading.settings());
    Unit { sources, entry, checked, paths: vec![PathBuf::from(path)] }
}

/// Options for foreign models with a `.des` file.
pub fn meant_for_others(path: &str, file: FileId) -> Diagnostic {
    let message = format!("`{path}` is not a model of another tool: the options apply to such models only");
    Diagnostic::new(Code::E0601, Span::new(file, 0, 0), message)
        .help("remove the options, or give the format: `--from fsm`")
}
