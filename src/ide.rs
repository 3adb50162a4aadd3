//! Editor features on byte offsets, independent of any protocol.
//!
//! A [`Document`] is one file with its imports, parsed, and an [`index`] of every name in it. It is rebuilt on every keystroke, within
//! milliseconds, from text that may have errors anywhere; so nothing here waits for the checker. Information that only the checker
//! has, such as which events are anonymous, is read from a [`Model`](crate::model::Model) if the caller has one, perhaps an
//! older one.
//!
//! One file per feature. Deliberately absent: incremental parsing (a file of ten thousand transitions is parsed between two
//! keystrokes), and the names of foreign models.

pub mod index;
mod resolve;
pub mod tokens;
pub mod navigate;
pub mod prose;
pub mod hover;
pub mod outline;
pub mod shape;
pub mod complete;
pub mod signature;
pub mod fixes;
pub mod verdict;
pub mod repair;

use crate::source::{FileId, Loader, SourceFile, Sources, Span};
use crate::syntax::{self, Parsed, ast};
use index::Index;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The maximal number of files of a document; the names of further imports are unknown.
const MAX_FILES: usize = 512;

/// A file, its imports, and the meaning of every name in them.
#[derive(Debug)]
pub struct Document {
    /// The file first, then its imports.
    pub sources: Sources,
    pub entry: FileId,
    pub trees: Vec<Parsed>,
    pub index: Index,
}

impl Document {
    /// Parses a text and its imports. It does not fail: missing imports are ignored.
    pub fn new(name: &str, text: impl Into<String>, loader: &dyn Loader) -> Document {
        let mut sources = Sources::new();
        let entry = sources.add(SourceFile::new(name, text));
        let mut files = Files { trees: Vec::new(), known: FxHashSet::default() };
        files.known.insert(name.to_owned());
        files.read_all(&mut sources, loader);
        let index = resolve::index(&sources, &files.trees);
        Document { sources, entry, trees: files.trees, index }
    }

    pub fn file(&self) -> &SourceFile {
        self.sources.get(self.entry)
    }

    pub fn text(&self) -> &str {
        self.file().text()
    }

    pub fn tree(&self) -> &ast::File {
        &self.trees[0].file
    }

    /// The id of the file with this display name.
    pub fn file_named(&self, name: &str) -> Option<FileId> {
        self.sources.ids().find(|&id| self.sources.get(id).name() == name)
    }

    pub fn share(&self, id: FileId) -> Arc<SourceFile> {
        self.sources.share(id)
    }

    /// The lines of documentation at these spans.
    pub fn doc_text(&self, lines: &[Span]) -> String {
        let lines: Vec<&str> = lines.iter().map(|&line| self.sources.slice(line).trim_end()).collect();
        lines.join("\n")
    }
}

struct Files {
    trees: Vec<Parsed>,
    known: FxHashSet<String>,
}

impl Files {
    /// Parses the files and their imports, transitively.
    fn read_all(&mut self, sources: &mut Sources, loader: &dyn Loader) {
        let mut next = 0;
        while let Some(id) = sources.ids().nth(next) {
            let file = sources.share(id);
            let parsed = syntax::parse(id, &file);
            if sources.ids().count() < MAX_FILES {
                self.read_imports(&parsed.file, &file, sources, loader);
            }
            self.trees.push(parsed);
            next += 1;
        }
    }

    fn read_imports(&mut self, tree: &ast::File, file: &SourceFile, sources: &mut Sources, loader: &dyn Loader) {
        for path in tree.items.iter().filter_map(|item| import_path(item, file)) {
            let Ok(loaded) = loader.load(file.name(), &path) else { continue };
            if self.known.insert(loaded.identity) {
                syntax::read(sources, &loaded.name, loaded.bytes);
            }
        }
    }
}

/// The path of an import of a `.des` file.
fn import_path(item: &ast::Item, file: &SourceFile) -> Option<String> {
    match &item.kind {
        ast::ItemKind::Import(import) => Some(import.path.text(file).into_owned()).filter(|path| is_des(path)),
        _ => None,
    }
}

/// Whether a path is that of a `.des` file, not of a foreign model.
pub fn is_des(path: &str) -> bool {
    path.rsplit('.').next().is_some_and(|extension| extension.eq_ignore_ascii_case("des"))
}
