//! Foreign models on the command line: the options that complete them, and how they are checked.
//!
//! A foreign file is checked through a small `.des` text that imports it and adds the options, so that the spans of messages
//! refer to the file itself. Only where that is impossible (other initial states, a list of models) is the model
//! converted to `.des` in memory.

use super::load::{Reading, Unit};
use crate::files;
use clap::Args;
use desc::check;
use desc::diagnostic::{Code, Diagnostic, any_error};
use desc::format::print::{can_write, identifier};
use desc::import::des;
use desc::import::options::{Outside, Unknown};
use desc::import::{Foreign, Format, read_all_within, without_start};
use desc::resources::{Resources, Stop};
use desc::source::{FileId, LoadError, Loaded, Loader, SourceFile, Sources, Span};
use desc::syntax;
use std::path::{Path, PathBuf};

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

pub struct Read {
    /// The file.
    pub sources: Sources,
    /// The file.
    pub entry: FileId,
    /// `None`: the file has errors.
    pub models: Vec<Foreign>,
    pub diagnostics: Vec<Diagnostic>,
    /// Why it was not read to its end, if it was not.
    pub stopped: Option<Stop>,
}

pub fn read(path: &str, bytes: Vec<u8>, format: Format, resources: Resources<'static>) -> Read {
    let mut sources = Sources::new();
    let resources = resources.less(bytes.len() as u64);
    let (entry, mut diagnostics) = syntax::read(&mut sources, files::shown(path), bytes);
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

/// Reads and checks a foreign file with the options.
pub fn load(path: &str, bytes: Vec<u8>, format: Format, reading: &Reading) -> Unit {
    let outside = reading.telling.outside();
    let mut read = read(path, bytes.clone(), format, reading.resources);
    let paths = vec![PathBuf::from(path)];
    if let Some(stop) = read.stopped {
        let checked = check::unread(&read.sources, read.entry, stop);
        return Unit { sources: read.sources, entry: read.entry, checked, paths };
    }
    if read.models.is_empty() {
        let checked = check::Checked::faulty(read.diagnostics);
        return Unit { sources: read.sources, entry: read.entry, checked, paths };
    }
    let text_needed = read.models.len() > 1 || !outside.initial.is_empty();
    if let Some(fault) = read.models.iter().find_map(unwritable).filter(|_| text_needed) {
        let checked = check::Checked::faulty(vec![fault]);
        return Unit { sources: read.sources, entry: read.entry, checked, paths };
    }
    let text = match read.models.as_slice() {
        [model] if outside.initial.is_empty() => {
            let name = identifier(model.name.as_deref().unwrap_or(stem(path)), "Model");
            let text = outside.wrapper(model, &inside(path), &name);
            text.map(|text| (text, true)).map_err(|unknown| vec![unknown_name(&unknown, read.entry)])
        }
        _ => written_out(&mut read, &outside, path).map(|text| (text, false)),
    };
    let (text, imported) = match text {
        Ok(text) => text,
        Err(diagnostics) => {
            let checked = check::Checked::faulty(diagnostics);
            return Unit { sources: read.sources, entry: read.entry, checked, paths };
        }
    };
    // An import reads the file again, and says again what is to be said of it.
    let (mut sources, said) = match imported {
        true => {
            drop(read);
            (Sources::new(), Vec::new())
        }
        false => (read.sources, read.diagnostics),
    };
    let entry = sources.add(SourceFile::new(files::shown(path), text));
    let loader = Inside { path: inside(path), name: told_name(path, format), bytes: imported.then_some(bytes) };
    let mut checked = check::check(entry, &mut sources, &loader, &reading.settings());
    checked.diagnostics.splice(0..0, said);
    Unit { sources, entry, checked, paths }
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
fn told_name(path: &str, format: Format) -> String {
    let shown = files::shown(path);
    let ending = match format {
        Format::Umdes | Format::Veip => "fsm",
        Format::Supremica => "xml",
        other => other.word(),
    };
    let tells = Format::detect(shown, "").is_some() && shown.to_ascii_lowercase().ends_with(ending);
    if tells { shown.to_owned() } else { format!("{shown}.{ending}") }
}

/// The models in `.des` with the options applied, or their errors.
fn written_out(read: &mut Read, outside: &Outside, path: &str) -> Result<String, Vec<Diagnostic>> {
    let mut text = String::new();
    let mut startless = Vec::new();
    for model in &mut read.models {
        outside.apply(model).map_err(|unknown| vec![unknown_name(&unknown, read.entry)])?;
        startless.extend(without_start(model));
        let mut one = des::foreign(model, stem(path), files::shown(path));
        if let Some(end) = one.rfind("}\n") {
            one.insert_str(end, &outside.questions(model));
        }
        text.push_str(&one);
        text.push('\n');
    }
    if startless.is_empty() { Ok(text) } else { Err(startless) }
}

/// The file name without folder and extension.
pub fn stem(path: &str) -> &str {
    Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or("model")
}

/// An option with an unknown state or event.
pub fn unknown_name(unknown: &Unknown, file: FileId) -> Diagnostic {
    let message = format!("the model has no {} `{}`", unknown.what, unknown.name);
    Diagnostic::new(Code::E0605, Span::new(file, 0, 0), message).help("the options take states and events of this file")
}

/// Options for foreign models with a `.des` file.
pub fn meant_for_others(path: &str, file: FileId) -> Diagnostic {
    let message = format!("`{path}` is not a model of another tool: the options apply to such models only");
    Diagnostic::new(Code::E0601, Span::new(file, 0, 0), message)
        .help("remove the options, or give the format: `--from fsm`")
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
