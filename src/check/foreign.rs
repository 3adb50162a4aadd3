//! From a file of another tool, and what is said of it from outside, to a checked model.
//!
//! The file is checked through a small `.des` text that imports it and adds what is said from outside, so that the spans of messages
//! refer to the file itself. Only where that is impossible (other initial states, a list of models) is the model
//! converted to `.des` in memory.

use super::{Checked, Settings};
use crate::diagnostic::{Code, Diagnostic, any_error};
use crate::format::print::{can_write, identifier};
use crate::import::options::{Outside, Unknown};
use crate::import::{Foreign, Format, des, read_all_within, without_start};
use crate::resources::{Resources, Stop};
use crate::source::{FileId, LoadError, Loaded, Loader, SourceFile, Sources, Span};
use crate::syntax;
use std::path::Path;

/// The models of a foreign file.
pub struct Read {
    /// The file.
    pub sources: Sources,
    /// The file.
    pub entry: FileId,
    /// Empty: the file has errors.
    pub models: Vec<Foreign>,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// Why it was not read to its end, if it was not.
    pub stopped: Option<Stop>,
}

/// A checked file with its sources.
#[derive(Debug)]
pub struct CheckedFile {
    /// The file, and what it imports.
    pub sources: Sources,
    /// The file.
    pub entry: FileId,
    /// The model and the diagnostics.
    pub checked: Checked,
}

/// Reads the models of a file that is shown under a name.
pub fn read(name: &str, bytes: Vec<u8>, format: Format, resources: Resources<'static>) -> Read {
    let mut sources = Sources::new();
    let resources = resources.less(bytes.len() as u64);
    let (entry, mut diagnostics) = syntax::read(&mut sources, name, bytes);
    let (models, stopped) = match read_all_within(format, entry, sources.get(entry), resources) {
        Ok((models, faults, _)) => {
            diagnostics.extend(faults);
            (models, None)
        }
        Err(stop) => (Vec::new(), Some(stop)),
    };
    let models = if any_error(&diagnostics) { Vec::new() } else { models };
    Read { sources, entry, models, diagnostics, stopped }
}

/// Reads and checks a foreign file with what is said from outside.
pub fn check(name: &str, bytes: Vec<u8>, format: Format, outside: &Outside, settings: &Settings) -> CheckedFile {
    let mut read = read(name, bytes.clone(), format, settings.limits.resources);
    let (text, is_import) = match text(name, &mut read, outside) {
        Ok(text) => text,
        Err(checked) => return CheckedFile { sources: read.sources, entry: read.entry, checked },
    };
    // An import reads the file again, and says again what is to be said of it.
    let (mut sources, said) = match is_import {
        true => {
            drop(read);
            (Sources::new(), Vec::new())
        }
        false => (read.sources, read.diagnostics),
    };
    let entry = sources.add(SourceFile::new(name, text));
    let loader = Inside { path: inside(name), name: told_name(name, format), bytes: is_import.then_some(bytes) };
    let mut checked = super::check(entry, &mut sources, &loader, settings);
    checked.diagnostics.splice(0..0, said);
    CheckedFile { sources, entry, checked }
}

/// The `.des` text of a file, and whether it imports the file; or what is known if there is none.
fn text(name: &str, read: &mut Read, outside: &Outside) -> Result<(String, bool), Checked> {
    if let Some(stop) = read.stopped {
        return Err(super::unread(&read.sources, read.entry, stop));
    }
    if read.models.is_empty() {
        return Err(Checked::faulty(std::mem::take(&mut read.diagnostics)));
    }
    if let [model] = read.models.as_slice()
        && outside.initial.is_empty()
    {
        let system = identifier(model.name.as_deref().unwrap_or(own_name(name)), "Model");
        let text = outside.wrapper(model, &inside(name), &system);
        return text
            .map(|text| (text, true))
            .map_err(|unknown| Checked::faulty(vec![unknown_name(&unknown, read.entry)]));
    }
    if let Some(fault) = read.models.iter().find_map(unwritable) {
        return Err(Checked::faulty(vec![fault]));
    }
    written_out(read, outside, name).map(|text| (text, false)).map_err(Checked::faulty)
}

/// The path of the import in the text. It starts with `./`, because the text itself has the name of the file.
fn inside(path: &str) -> String {
    let name = Path::new(path).file_name().and_then(|name| name.to_str());
    format!("./{}", name.unwrap_or("model"))
}

/// Provides the file that was read already.
struct Inside {
    path: String,
    name: String,
    bytes: Option<Vec<u8>>,
}

impl Loader for Inside {
    fn load(&self, _importer: &str, path: &str) -> Result<Loaded, LoadError> {
        match &self.bytes {
            Some(bytes) if path == self.path => {
                Ok(Loaded { identity: self.path.clone(), name: self.name.clone(), bytes: bytes.clone() })
            }
            _ => Err(LoadError::new("only the model itself can be imported")),
        }
    }
}

/// A file name with an extension that determines the format.
fn told_name(shown: &str, format: Format) -> String {
    let ending = match format {
        Format::Umdes | Format::Veip => "fsm",
        Format::Supremica => "xml",
        other => other.word(),
    };
    let tells = Format::detect(shown, "").is_some() && shown.to_ascii_lowercase().ends_with(ending);
    if tells { shown.to_owned() } else { format!("{shown}.{ending}") }
}

/// The models in `.des` with what is said from outside, or their errors.
fn written_out(read: &mut Read, outside: &Outside, path: &str) -> Result<String, Vec<Diagnostic>> {
    let mut text = String::new();
    let mut startless = Vec::new();
    for model in &mut read.models {
        outside.apply(model).map_err(|unknown| vec![unknown_name(&unknown, read.entry)])?;
        startless.extend(without_start(model));
        let mut one = des::foreign(model, own_name(path), path);
        if let Some(end) = one.rfind("}\n") {
            one.insert_str(end, &outside.questions(model));
        }
        text.push_str(&one);
        text.push('\n');
    }
    if startless.is_empty() { Ok(text) } else { Err(startless) }
}

/// What a file is called that says no name of its own; standard input has none.
fn own_name(path: &str) -> &str {
    if path.starts_with('<') { "-" } else { stem(path) }
}

/// The file name without folder and extension.
pub fn stem(path: &str) -> &str {
    Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or("model")
}

/// A state or an event that is named from outside, and that the model does not have.
pub fn unknown_name(unknown: &Unknown, file: FileId) -> Diagnostic {
    let message = format!("the model has no {} `{}`", unknown.what, unknown.name);
    Diagnostic::new(Code::E0605, Span::new(file, 0, 0), message).help("the options take states and events of this file")
}

/// A name that a `.des` file cannot represent.
pub fn unwritable(model: &Foreign) -> Option<Diagnostic> {
    for part in &model.parts {
        if let Some(name) = part.states.iter().chain(part.events.iter()).find(|name| !can_write(name)) {
            let message = format!("a .des file cannot write the name `{}`: no control characters", name.escape_debug());
            return Some(Diagnostic::new(Code::E0610, Span::new(part.file, 0, 0), message));
        }
    }
    None
}
