//! From a path to a checked model.

use super::foreign::{self, Telling, meant_for_others};
use super::session::Session;
use super::status::{Failure, Status};
use super::sweep::{Definition, definition, several};
use crate::files::{self, Beside, Unread};
use clap::Args;
use desc::check::{self, Checked, Limits, Settings};
use desc::diagnostic::{Code, Diagnostic, any_error};
use desc::model::Model;
use desc::resources::Resources;
use desc::source::{FileId, SourceFile, Sources, Span};
use desc::syntax::{self, spelling};
use std::num::{IntErrorKind, ParseIntError};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Options of every command that reads a model.
#[derive(Clone, Debug, Default, Args)]
pub struct Reading {
    /// Override a constant; `check` and `report` run the model for each of several values, `N=2..6` or `N=2,4,8`
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = definition, help_heading = "Model")]
    pub defines: Vec<Definition>,
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
    /// Whether a product that is too large is left out, because its properties are decided on its parts.
    #[arg(skip)]
    pub lazy: bool,
}

impl Reading {
    pub fn within(&self, resources: Resources<'static>) -> Reading {
        Reading { resources, ..self.clone() }
    }

    /// With these values of the constants.
    pub fn with(&self, values: &[(String, i64)]) -> Reading {
        Reading { defines: values.iter().map(Definition::one).collect(), ..self.clone() }
    }

    pub fn settings(&self) -> Settings {
        let usual = Limits::default();
        let limits = Limits {
            states: self.max_states.unwrap_or(usual.states),
            transitions: self.max_transitions.unwrap_or(usual.transitions),
            lazy: self.lazy.then_some(Limits::LAZY),
            resources: self.resources,
        };
        Settings { defines: self.defines.iter().filter_map(Definition::first).collect(), limits }
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
    if let Some(definition) = several(&reading.defines) {
        let entry = sources.add(SourceFile::new(files::shown(path), ""));
        let checked = Checked::faulty(vec![swept(entry, definition)]);
        return Unit { sources, entry, checked, paths: loader.paths() };
    }
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

/// Reads a file and checks one of its components, with its arguments, as a system of this part alone: `User(2)`.
pub fn load_component(path: &str, component: &str, reading: &Reading) -> Result<Unit, Failure> {
    let name = Path::new(path).file_name().filter(|_| path != files::STDIN);
    let Some(name) = name.map(|name| spelling::quoted(&name.to_string_lossy())) else {
        return Err(Failure::new("a component is read from a file").help("give the name of a file"));
    };
    // WHY `component`: a system of the same name as an item of the file would be an error.
    let system = spelling::quoted(&format!("component {component}"));
    let text = format!("import {name};\nsystem {system} {{ compose it = {component}; }}\n");
    // WHY: imports are relative to the file that has them.
    let beside = Path::new(path).with_file_name("--component").to_string_lossy().into_owned();
    let mut sources = Sources::new();
    let loader = Beside::new(&beside, reading.import_root.as_deref()).within(reading.resources);
    let (entry, mut faults) = syntax::read(&mut sources, &beside, text.into_bytes());
    faults.extend(several(&reading.defines).map(|definition| swept(entry, definition)));
    let mut checked = check::check_part(entry, &mut sources, &loader, &reading.settings());
    checked.diagnostics.splice(0..0, faults);
    Ok(Unit { sources, entry, checked, paths: loader.paths() })
}

fn swept(entry: FileId, definition: &Definition) -> Diagnostic {
    let message = format!("`-D {}` gives several values, but this command takes one", definition.text);
    let first = definition.values.first().copied().unwrap_or_default();
    Diagnostic::new(Code::E0310, Span::new(entry, 0, 0), message)
        .help(format!("write `-D {}={first}`; `desc check` runs a model for each value", definition.name))
}

fn unreadable(entry: FileId, path: &str, reason: &str) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0901, Span::new(entry, 0, 0), format!("cannot read `{path}`: {reason}"));
    let whole = format!("{path}.des");
    match std::path::Path::new(&whole).is_file() {
        true => fault.help(format!("did you mean `{whole}`?")),
        false => fault,
    }
}
