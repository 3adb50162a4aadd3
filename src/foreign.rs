//! Models of other tools: formats, readers, writers.
//!
//! A reader turns a file into a [`Foreign`] model: leaf components by ids, with places, and every fault as a diagnostic with a
//! code 06xx. It runs over bytes once, so that a model of a million transitions comes in as fast as it is read.

pub mod part;

pub use part::{EventFacts, Foreign, Names, Part, Place, Transition};

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceFile};

/// A format of another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// UMDES and DESUMA: `.fsm` with one number on line 1.
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
    /// The format of a file, by the end of its name and, where two tools share one, by its text. None: not a foreign file.
    pub fn detect(name: &str, _text: &str) -> Option<Format> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "fsm" => Some(Format::Umdes),
            "gen" => Some(Format::Faudes),
            "aut" => Some(Format::Aldebaran),
            "wmod" => Some(Format::Waters),
            "xml" => Some(Format::Supremica),
            "cif" => Some(Format::Cif),
            "json" => Some(Format::Json),
            _ => None,
        }
    }
}

/// Reads a foreign file. A model comes back only if nothing is wrong with it.
pub fn read(_format: Format, _id: FileId, _file: &SourceFile) -> (Option<Foreign>, Vec<Diagnostic>) {
    (None, Vec::new())
}
