//! Models of other tools: formats and readers.
//!
//! A reader turns a file into a [`Foreign`] model: leaf components by ids, with places, and every fault as a diagnostic with a
//! code 06xx. It runs over the text once or twice, so that a model of a million transitions comes in as fast as it is read; it
//! trusts no count and expands no entity, so that a hostile file costs no more than its own size.
//!
//! What a file says and `.des` has no word for (marks, controllability) is kept as a note. Nothing is renamed.
//!
//! [`des`] writes such a model as `.des`. The other way round, [`export`](crate::export) writes a checked system for another tool.

mod aut;
mod cif;
pub mod des;
mod faudes;
mod fault;
mod fsm;
mod initial;
mod json;
pub mod options;
pub mod part;
mod supremica;
mod waters;
mod xml;

pub use initial::without_start;
pub use part::{EventFacts, Foreign, Names, Part, Place, Transition};

use crate::diagnostic::{Code, Diagnostic};
use crate::resources::{Resources, Stop};
use crate::source::{FileId, SourceFile, Span};
use fault::Watch;
use std::fmt;

/// A format of another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// UMDES, DESUMA and DESops: `.fsm` with one number on line 1.
    Umdes,
    /// VEiP: `.fsm` with two numbers on line 1.
    Veip,
    /// libFAUDES: `.gen`.
    Faudes,
    /// Aldebaran: `.aut`.
    Aldebaran,
    /// WATERS: `.wmod`.
    Waters,
    /// Supremica: `.xml`.
    Supremica,
    /// CIF: `.cif`.
    Cif,
    /// JSON of our own: `.json`.
    Json,
}

impl Format {
    /// Every format, with the word for it on the command line.
    pub const ALL: &'static [(&'static str, Format)] = &[
        ("fsm", Format::Umdes),
        ("veip", Format::Veip),
        ("gen", Format::Faudes),
        ("aut", Format::Aldebaran),
        ("wmod", Format::Waters),
        ("supremica", Format::Supremica),
        ("cif", Format::Cif),
        ("json", Format::Json),
    ];

    /// The format of a file, by the end of its name and, where two tools share one, by its text. None: not a foreign file.
    pub fn detect(name: &str, text: &str) -> Option<Format> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "fsm" => Some(if fsm::dialect(text) == fsm::Dialect::Veip { Format::Veip } else { Format::Umdes }),
            "gen" => Some(Format::Faudes),
            "aut" => Some(Format::Aldebaran),
            "wmod" => Some(Format::Waters),
            "xml" => Some(if text.contains("<Module") { Format::Waters } else { Format::Supremica }),
            "cif" => Some(Format::Cif),
            "json" => Some(Format::Json),
            _ => None,
        }
    }

    /// Whether the end of a file's name is that of a foreign format.
    pub fn is_foreign(name: &str) -> bool {
        Format::detect(name, "").is_some()
    }

    /// The format of a word such as `fsm`.
    pub fn from_word(word: &str) -> Option<Format> {
        Format::ALL.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|&(_, format)| format)
    }

    /// The word for it on the command line.
    pub fn word(self) -> &'static str {
        Format::ALL.iter().find(|&&(_, format)| format == self).map_or("", |&(word, _)| word)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Reads a foreign file that holds one model and says all of it. A model comes back only if nothing is wrong with it.
pub fn read(format: Format, id: FileId, file: &SourceFile) -> (Option<Foreign>, Vec<Diagnostic>) {
    let (models, diagnostics) = read_all(format, id, file);
    the_one(models, diagnostics, id)
}

/// The same within limits; also gives the bytes that the model holds.
///
/// # Errors
/// When a limit is reached.
pub fn read_within(
    format: Format,
    id: FileId,
    file: &SourceFile,
    resources: Resources<'static>,
) -> Result<(Option<Foreign>, Vec<Diagnostic>, u64), Stop> {
    let (models, diagnostics, bytes) = read_all_within(format, id, file, resources)?;
    let (model, diagnostics) = the_one(models, diagnostics, id);
    Ok((model, diagnostics, bytes))
}

fn the_one(
    mut models: Vec<Foreign>,
    mut diagnostics: Vec<Diagnostic>,
    id: FileId,
) -> (Option<Foreign>, Vec<Diagnostic>) {
    if models.len() > 1 {
        diagnostics.push(several_models(models.len(), id));
        return (None, diagnostics);
    }
    let model = models.pop();
    let startless = model.as_ref().map(without_start).unwrap_or_default();
    if startless.is_empty() {
        return (model, diagnostics);
    }
    diagnostics.extend(startless);
    (None, diagnostics)
}

/// Reads every model of a foreign file: a JSON file may hold several, the others hold one. Empty: something is wrong.
///
/// A model may still lack initial states, which can be said from outside: [`without_start`] tells.
pub fn read_all(format: Format, id: FileId, file: &SourceFile) -> (Vec<Foreign>, Vec<Diagnostic>) {
    let (models, diagnostics, _) = read_all_within(format, id, file, Resources::default()).expect("nothing is limited");
    (models, diagnostics)
}

/// The same within limits; also gives the bytes that the models hold.
///
/// # Errors
/// When a limit is reached.
pub fn read_all_within(
    format: Format,
    id: FileId,
    file: &SourceFile,
    resources: Resources<'static>,
) -> Result<(Vec<Foreign>, Vec<Diagnostic>, u64), Stop> {
    let watch = Watch::new(resources);
    let (models, diagnostics) = read_as(format, id, file, &watch);
    watch.held().map(|bytes| (models, diagnostics, bytes))
}

fn read_as(format: Format, id: FileId, file: &SourceFile, watch: &Watch) -> (Vec<Foreign>, Vec<Diagnostic>) {
    let one = |(part, diagnostics): (Option<Part>, Vec<Diagnostic>)| {
        let name = part.as_ref().map(|part| part.name.clone()).filter(|name| !name.is_empty());
        (part.into_iter().map(|part| Foreign { name: name.clone(), parts: vec![part] }).collect(), diagnostics)
    };
    let several = |(model, diagnostics): (Option<Foreign>, _)| (model.into_iter().collect(), diagnostics);
    let (mut models, diagnostics): (Vec<Foreign>, _) = match format {
        Format::Umdes => one(fsm::read(fsm::Dialect::Umdes, id, file, watch)),
        Format::Veip => one(fsm::read(fsm::Dialect::Veip, id, file, watch)),
        Format::Faudes => several(faudes::read(id, file, watch)),
        Format::Aldebaran => one(aut::read(id, file, watch)),
        Format::Waters => several(waters::read(id, file, watch)),
        Format::Supremica => several(supremica::read(id, file, watch)),
        Format::Cif => several(cif::read(id, file, watch)),
        Format::Json => {
            let (models, diagnostics) = json::read(id, file, watch);
            (models.unwrap_or_default(), diagnostics)
        }
    };
    models.iter_mut().for_each(Foreign::name_parts);
    (models, diagnostics)
}

fn several_models(count: usize, id: FileId) -> Diagnostic {
    Diagnostic::new(Code::E0607, Span::new(id, 0, 0), format!("this file contains {count} models instead of one"))
        .label("a list of models")
        .help("move one model to a file of its own")
}
