//! What an editor asks of a text: byte offsets in, byte offsets out, and no word of any protocol.
//!
//! A [`Document`] is one file with what it imports, parsed, and an [`index`] of every name in it. It is made from text that may
//! be broken anywhere, within milliseconds, on every keystroke; so nothing here waits for the checker. What only the checker
//! knows (which events are anonymous, say) is read from a [`Model`](crate::model::Model) when the caller has one, perhaps an
//! older one.
//!
//! One file per question. Deliberately absent: incremental parsing (a whole file of ten thousand transitions parses faster
//! than a key comes back up), and names of foreign models, which are not text.

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

use crate::source::{FileId, Loader, SourceFile, Sources, Span};
use crate::syntax::{self, Parsed, ast};
use index::Index;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The most files that one document brings in: beyond it, names of further files are unknown.
const MAX_FILES: usize = 512;

/// A file, what it imports, and what every name in them means.
#[derive(Debug)]
pub struct Document {
    /// The file first, then what it imports.
    pub sources: Sources,
    /// The file.
    pub entry: FileId,
    /// The tree of each file, by id.
    pub trees: Vec<Parsed>,
    /// What every name means.
    pub index: Index,
}

impl Document {
    /// Reads a text and what it imports. It does not fail: what cannot be found is unknown.
    pub fn new(name: &str, text: impl Into<String>, loader: &dyn Loader) -> Document {
        let mut sources = Sources::new();
        let entry = sources.add(SourceFile::new(name, text));
        let mut files = Files { trees: Vec::new(), known: FxHashSet::default() };
        files.known.insert(name.to_owned());
        files.read_all(&mut sources, loader);
        let index = resolve::index(&sources, &files.trees);
        Document { sources, entry, trees: files.trees, index }
    }

    /// The file itself.
    pub fn file(&self) -> &SourceFile {
        self.sources.get(self.entry)
    }

    /// Its text.
    pub fn text(&self) -> &str {
        self.file().text()
    }

    /// Its tree.
    pub fn tree(&self) -> &ast::File {
        &self.trees[0].file
    }

    /// The id of a file that is shown under a name.
    pub fn file_named(&self, name: &str) -> Option<FileId> {
        self.sources.ids().find(|&id| self.sources.get(id).name() == name)
    }

    /// A file of it, shared.
    pub fn share(&self, id: FileId) -> Arc<SourceFile> {
        self.sources.share(id)
    }

    /// The lines of documentation at these spans.
    pub fn doc_text(&self, lines: &[Span]) -> String {
        let lines: Vec<&str> = lines.iter().map(|&line| self.sources.slice(line).trim_end()).collect();
        lines.join("\n")
    }
}

/// The files that were read so far.
struct Files {
    trees: Vec<Parsed>,
    known: FxHashSet<String>,
}

impl Files {
    /// Parses every file, and those that they import, until there are no more.
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

/// The path of an import of the language's own files.
fn import_path(item: &ast::Item, file: &SourceFile) -> Option<String> {
    match &item.kind {
        ast::ItemKind::Import(import) => Some(import.path.text(file).into_owned()).filter(|path| is_des(path)),
        _ => None,
    }
}

/// Whether a path names a file of the language, rather than a foreign model.
pub fn is_des(path: &str) -> bool {
    path.rsplit('.').next().is_some_and(|extension| extension.eq_ignore_ascii_case("des"))
}
