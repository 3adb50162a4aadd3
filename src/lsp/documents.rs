//! The texts that are open in the editor, and how imports find them.

use super::{edits, position::Encoding, uri};
use crate::files::{self, Beside};
use desc::source::{LoadError, Loaded, Loader, SourceFile};
use gen_lsp_types::{TextDocumentContentChangeEvent, Uri};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open text.
#[derive(Clone, Debug)]
pub struct Open {
    /// The version the client gave it.
    pub version: i32,
    /// The text, under the name that imports know.
    pub file: Arc<SourceFile>,
}

/// Every open text.
#[derive(Debug, Default)]
pub struct Documents {
    open: HashMap<Uri, Open>,
}

impl Documents {
    /// Opens a text, or replaces it.
    pub fn open(&mut self, uri: Uri, version: i32, text: String) {
        let file = Arc::new(SourceFile::new(uri::name(&uri), text));
        self.open.insert(uri, Open { version, file });
    }

    /// Changes a text. A change of a text that is not open is ignored.
    pub fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        if let Some(open) = self.open.get_mut(uri) {
            let text = edits::apply(&open.file, changes, encoding);
            *open = Open { version, file: Arc::new(SourceFile::new(open.file.name(), text)) };
        }
    }

    /// Closes a text.
    pub fn close(&mut self, uri: &Uri) {
        self.open.remove(uri);
    }

    /// An open text.
    pub fn get(&self, uri: &Uri) -> Option<&Open> {
        self.open.get(uri)
    }

    /// Every open text.
    pub fn iter(&self) -> impl Iterator<Item = (&Uri, &Open)> {
        self.open.iter()
    }

    /// The address of a file: the client's own spelling if it is open.
    pub fn uri_of(&self, name: &str) -> Uri {
        let open = self.open.iter().find(|(_, open)| open.file.name() == name);
        open.map_or_else(|| address(name), |(uri, _)| uri.clone())
    }

    /// The open texts as they are now.
    pub fn snapshot(&self) -> Snapshot {
        let texts = self.open.values().map(|open| (open.file.name().to_owned(), Arc::clone(&open.file)));
        Snapshot { texts: Arc::new(texts.collect()) }
    }
}

fn address(name: &str) -> Uri {
    if Path::new(name).is_absolute() { uri::of_path(Path::new(name)) } else { Uri(name.to_owned()) }
}

/// The open texts at one moment, by name. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Snapshot {
    texts: Arc<HashMap<String, Arc<SourceFile>>>,
}

/// Finds imports among the open texts, then on disk below a root.
#[derive(Debug)]
pub struct Overlay {
    snapshot: Snapshot,
    disk: Beside,
}

impl Overlay {
    /// Imports of the file called `entry`, which stay below `root`.
    pub fn new(snapshot: Snapshot, entry: &str, root: Option<&PathBuf>) -> Overlay {
        Overlay { snapshot, disk: Beside::new(entry, root.map(PathBuf::as_path)) }
    }
}

impl Loader for Overlay {
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, LoadError> {
        let beside = Path::new(importer).parent().unwrap_or(Path::new("")).join(path);
        let name = files::tidy(&beside);
        match self.snapshot.texts.get(&name) {
            Some(file) => Ok(Loaded { identity: name.clone(), name, bytes: file.text().as_bytes().to_vec() }),
            None => self.disk.load(importer, path),
        }
    }
}
