//! From a path to a checked model.

use super::foreign::{self, Telling, meant_for_others};
use super::session::Session;
use super::status::{Failure, Status};
use crate::files::{self, Beside, Unread};
use clap::Args;
use desc::check::{self, Checked, Limits, Settings};
use desc::diagnostic::{Code, Diagnostic, any_error};
use desc::model::Model;
use desc::resources::Resources;
use desc::source::{FileId, SourceFile, Sources, Span};
use desc::syntax::{self, spelling};
use std::num::{IntErrorKind, ParseIntError};
use std::path::PathBuf;
use std::str::FromStr;

/// Options of every command that reads a model.
#[derive(Clone, Debug, Default, Args)]
pub struct Reading {
    /// Override a constant
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = definition, help_heading = "Model")]
    pub defines: Vec<(String, i64)>,
    /// Limit on the states of a system
    #[arg(long, value_name = "N", value_parser = integer::<usize>, help_heading = "Model")]
    pub max_states: Option<usize>,
    /// Limit on the transitions of a system
    #[arg(long, value_name = "N", value_parser = integer::<usize>, help_heading = "Model")]
    pub max_transitions: Option<usize>,
    /// The folder that must contain all imports [default: the folder of the file]
    #[arg(long, value_name = "DIR", help_heading = "Model")]
    pub import_root: Option<PathBuf>,
    /// The options for foreign models.
    #[command(flatten)]
    pub telling: Telling,
    /// The resources for reading and building.
    #[arg(skip)]
    pub resources: Resources<'static>,
}

impl Reading {
    pub fn within(&self, resources: Resources<'static>) -> Reading {
        Reading { resources, ..self.clone() }
    }

    pub fn settings(&self) -> Settings {
        let usual = Limits::default();
        let limits = Limits {
            states: self.max_states.unwrap_or(usual.states),
            transitions: self.max_transitions.unwrap_or(usual.transitions),
            resources: self.resources,
        };
        Settings { defines: self.defines.clone(), limits }
    }
}

/// An integer, or why it is none.
pub fn integer<N: FromStr<Err = ParseIntError>>(text: &str) -> Result<N, String> {
    text.parse().map_err(|fault: ParseIntError| match fault.kind() {
        IntErrorKind::PosOverflow => format!("`{text}` is too large: it does not fit into 64 bits"),
        IntErrorKind::NegOverflow => format!("`{text}` is too small: it does not fit into 64 bits"),
        _ if text.parse::<i64>().is_ok() => "it cannot be negative".to_owned(),
        _ => format!("`{text}` is not an integer"),
    })
}

pub fn definition(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, as in `-D N=5`")?;
    if name.is_empty() {
        return Err("the name before `=` is missing".to_owned());
    }
    if !spelling::is_identifier(name) {
        return Err(format!("`{name}` is no name of a constant: it is one word of letters, digits and `_`"));
    }
    let value = integer(value)?;
    Ok((name.to_owned(), value))
}

#[derive(Debug)]
pub struct Unit {
    /// The file and its imports.
    pub sources: Sources,
    /// The file.
    pub entry: FileId,
    pub checked: Checked,
    /// The files on disk, for `--watch` and the protection of inputs.
    pub paths: Vec<PathBuf>,
}

impl Unit {
    pub fn name(&self) -> &str {
        self.sources.get(self.entry).name()
    }

    /// The model, or the diagnostics on standard error and a failure. Warnings alone are the business of `desc check`.
    pub fn model(&self, session: &mut Session) -> Result<&Model, Failure> {
        self.show(session)?;
        self.checked.model.as_ref().ok_or_else(|| self.no_model())
    }

    pub fn into_model(self, session: &mut Session) -> Result<Model, Failure> {
        self.show(session)?;
        let none = self.no_model();
        self.checked.model.ok_or(none)
    }

    fn show(&self, session: &mut Session) -> Result<(), Failure> {
        let faulty = any_error(&self.checked.diagnostics);
        if faulty || self.is_cut_off() || session.verbose > 0 {
            session.emit(&self.sources, &self.checked.diagnostics);
        }
        if faulty { Err(self.no_model()) } else { Ok(()) }
    }

    /// Whether a limit was reached before everything was read and built.
    pub fn is_cut_off(&self) -> bool {
        self.checked.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::W0902)
    }

    /// How a command ends that did what it could with what was read.
    pub fn status(&self) -> Status {
        if self.is_cut_off() { Status::Undecided } else { Status::Passed }
    }

    fn no_model(&self) -> Failure {
        if let Some(stop) = self.checked.stopped.filter(|_| !any_error(&self.checked.diagnostics)) {
            return Failure::stopped(&format!("`{}` was not read", self.name()), stop);
        }
        Failure::new(format!("`{}` has errors: fix them first", self.name()))
    }
}

/// Reads and checks a file. It does not fail: errors are diagnostics.
pub fn load(path: &str, reading: &Reading) -> Unit {
    let mut sources = Sources::new();
    let loader = Beside::new(path, reading.import_root.as_deref()).within(reading.resources);
    let (entry, checked) = match files::read(path, &reading.resources) {
        Ok(bytes) => {
            if let Some(format) =
                reading.telling.format(path, &String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]))
            {
                return foreign::load(path, bytes, format, reading);
            }
            let (entry, mut faults) = syntax::read(&mut sources, files::shown(path), bytes);
            if !reading.telling.outside().is_empty() {
                faults.push(meant_for_others(path, entry));
            }
            let mut checked = check::check(entry, &mut sources, &loader, &reading.settings());
            checked.diagnostics.splice(0..0, faults);
            (entry, checked)
        }
        Err(unread) => {
            let entry = sources.add(SourceFile::new(files::shown(path), ""));
            let checked = match unread {
                Unread::Because(reason) => Checked::faulty(vec![unreadable(entry, files::shown(path), &reason)]),
                Unread::Stopped(stop) => check::unread(&sources, entry, stop),
            };
            (entry, checked)
        }
    };
    Unit { sources, entry, checked, paths: loader.paths() }
}

fn unreadable(entry: FileId, path: &str, reason: &str) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0901, Span::new(entry, 0, 0), format!("cannot read `{path}`: {reason}"));
    let whole = format!("{path}.des");
    match std::path::Path::new(&whole).is_file() {
        true => fault.help(format!("did you mean `{whole}`?")),
        false => fault,
    }
}
