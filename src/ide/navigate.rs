//! Definitions, references and renaming.
//!
//! The location of its declaration identifies a symbol across documents that import the same file.

use super::Document;
use super::index::{Occurrence, Symbol, SymbolId, SymbolKind};
use crate::source::{FileId, Span};
use crate::syntax::spelling;
use crate::syntax::token::{WordClass, class_of};
use std::collections::BTreeSet;

/// A range in a file, by the name of the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub file: String,
    pub start: u32,
    pub end: u32,
}

impl Document {
    pub fn place(&self, span: Span) -> Place {
        Place { file: self.sources.get(span.file).name().to_owned(), start: span.start, end: span.end }
    }

    pub fn name_at(&self, offset: u32) -> Option<&Occurrence> {
        self.index.at(self.entry, offset)
    }

    pub fn symbol_at(&self, offset: u32) -> Option<(SymbolId, &Symbol)> {
        let id = self.name_at(offset)?.symbol?;
        Some((id, self.index.symbol(id)))
    }
}

/// The declaration of the name at an offset; for an import, the start of its file.
pub fn definition(document: &Document, offset: u32) -> Option<Place> {
    let (id, symbol) = document.symbol_at(offset)?;
    let first_use = || document.index.of(id).next().map(|found| found.span);
    symbol.declared.or_else(first_use).map(|span| document.place(span))
}

pub fn type_definition(document: &Document, offset: u32) -> Option<Place> {
    let component = document.symbol_at(offset)?.1.component?;
    document.index.symbol(component).declared.map(|span| document.place(span))
}

/// The references to the symbol at an offset, in this document and in `others`.
pub fn references(document: &Document, offset: u32, others: &[&Document], with_declaration: bool) -> Vec<Place> {
    let Some((id, symbol)) = document.symbol_at(offset) else { return Vec::new() };
    let mut places = BTreeSet::new();
    collect(document, id, with_declaration, &mut places);
    if let Some(home) = symbol.declared.map(|span| document.place(span)) {
        for other in others {
            if let Some(same) = declared_at(other, &home) {
                collect(other, same, with_declaration, &mut places);
            }
        }
    }
    places.into_iter().collect()
}

fn collect(document: &Document, symbol: SymbolId, with_declaration: bool, places: &mut BTreeSet<Place>) {
    let found = document.index.of(symbol).filter(|found| with_declaration || !found.declares);
    places.extend(found.map(|found| document.place(found.span)));
}

/// The symbol at a place in another document.
fn declared_at(document: &Document, home: &Place) -> Option<SymbolId> {
    let file = document.file_named(&home.file)?;
    let found = document.index.at(file, home.start)?;
    found.symbol.filter(|_| found.span.start == home.start)
}

/// The references in the file itself, for highlighting.
pub fn highlights(document: &Document, offset: u32) -> Vec<(Span, bool)> {
    let Some(found) = document.name_at(offset) else { return Vec::new() };
    let same = |other: &&Occurrence| match found.symbol {
        Some(symbol) => other.symbol == Some(symbol),
        None => other.span == found.span,
    };
    document.index.in_file(document.entry).iter().filter(same).map(|other| (other.span, other.declares)).collect()
}

pub fn renameable(document: &Document, offset: u32) -> Option<(Span, String)> {
    let (_, symbol) = document.symbol_at(offset)?;
    let span = document.name_at(offset)?.span;
    let foreign_stem = symbol.foreign.is_some() && symbol.declared.is_some_and(|at| starts_with_quote(document, at));
    (!foreign_stem).then(|| (span, document.sources.slice(span).to_owned()))
}

fn starts_with_quote(document: &Document, span: Span) -> bool {
    document.sources.slice(span).starts_with('"')
}

/// A range and its new text.
pub type Change = (Place, String);

/// The changes that rename the symbol at an offset, in this document and in `others`.
///
/// # Errors
/// If there is no symbol at the offset, or the new name is invalid: a message for the user.
pub fn rename(document: &Document, offset: u32, others: &[&Document], new: &str) -> Result<Vec<Change>, String> {
    renameable(document, offset).ok_or("no name here can be renamed")?;
    let (id, symbol) = document.symbol_at(offset).ok_or("unknown name")?;
    let name = said(new);
    fits(symbol.kind, &name)?;
    refuse_taken(document, id, symbol, &name)?;
    let places = references(document, offset, others, true);
    Ok(places.into_iter().map(|place| change(document, others, place, symbol, &name)).collect())
}

/// The number after a label (`voted2`) is kept; that of `voted#2` is not part of the name.
fn change(document: &Document, others: &[&Document], place: Place, symbol: &Symbol, name: &str) -> Change {
    let all = std::iter::once(document).chain(others.iter().copied());
    let number = all.filter_map(|document| old_text(document, &place)).next().and_then(|old| {
        let old = said(&old);
        let rest = old.strip_prefix(symbol.name.as_str())?;
        (symbol.kind == SymbolKind::Group).then(|| rest.to_owned())
    });
    let name = format!("{name}{}", number.unwrap_or_default());
    let written = if is_plain(symbol.kind) { name } else { spelling::name(&name).into_owned() };
    (place, written)
}

/// What a name says, in quotes or not.
fn said(written: &str) -> String {
    let quoted = written.len() > 1 && written.starts_with('"') && written.ends_with('"');
    if quoted { spelling::unquoted(written) } else { written.to_owned() }
}

fn old_text(document: &Document, place: &Place) -> Option<String> {
    let id: FileId = document.file_named(&place.file)?;
    document.sources.get(id).text().get(place.start as usize..place.end as usize).map(str::to_owned)
}

/// Whether a name of this kind is one word, never in quotes.
fn is_plain(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Constant | SymbolKind::Parameter | SymbolKind::Index)
}

/// Refuses what cannot be a name of this kind.
fn fits(kind: SymbolKind, name: &str) -> Result<(), String> {
    if name.is_empty() || name.contains(['\n', '\r']) {
        return Err("a name has at least one character and no line break".to_owned());
    }
    if is_plain(kind) && (!spelling::is_identifier(name) || class_of(name) == Some(WordClass::Set)) {
        return Err(format!("the name of a {} consists of letters, digits and `_`", kind.word()));
    }
    Ok(())
}

/// Two symbols of one kind in one container must have different names.
fn refuse_taken(document: &Document, id: SymbolId, symbol: &Symbol, new: &str) -> Result<(), String> {
    let clashes = |(other, found): (SymbolId, &Symbol)| {
        other != id && found.kind == symbol.kind && found.container == symbol.container && found.name == new
    };
    if symbol.kind != SymbolKind::Index && document.index.symbols().any(clashes) {
        return Err(format!("there is already a {} called `{new}`", symbol.kind.word()));
    }
    Ok(())
}
