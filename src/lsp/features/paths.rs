//! What an import may name: the models beside the file, open or on disk, and the folders that lead to more.

use crate::files::tidy;
use crate::lsp::server::Server;
use desc::ide::{self, Document};
use desc::import::Format;
use desc::source::Span;
use gen_lsp_types::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The most entries of a folder that are looked at.
const MAX_ENTRIES: usize = 2_000;

/// The models and folders that fit the path written so far; only its last part is replaced.
pub fn importable(server: &Server, document: &Document, written: Span) -> Vec<CompletionItem> {
    let typed = document.sources.slice(written);
    let (folder, last) = typed.rsplit_once('/').map_or(("", typed), |(folder, last)| (folder, last));
    let Some(folder) = below_root(server, document.file().name(), folder) else { return Vec::new() };
    let start = written.end - last.len() as u32;
    let range = server.encoding.range(document.file(), Span::new(written.file, start, written.end));
    let found = entries(server, document.file().name(), &folder);
    found.into_iter().map(|entry| item(entry, range)).collect()
}

/// The folder that is meant, if imports may reach it: inside the workspace, else inside the folder of the file.
fn below_root(server: &Server, name: &str, folder: &str) -> Option<PathBuf> {
    let own = Path::new(name).parent().filter(|own| own.is_absolute())?;
    let meant = PathBuf::from(tidy(&own.join(folder)));
    let root = server.root_of(name).unwrap_or_else(|| own.to_owned());
    meant.starts_with(root).then_some(meant)
}

/// A model, or a folder.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    is_folder: bool,
    name: String,
}

/// Models first, then folders, by name; hidden ones and the file itself left out.
fn entries(server: &Server, own: &str, folder: &Path) -> BTreeSet<Entry> {
    let on_disk = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_ENTRIES).map(|entry| Entry {
        is_folder: entry.path().is_dir(),
        name: entry.file_name().to_string_lossy().into_owned(),
    });
    let open = server.documents.iter().filter_map(|(_, open)| {
        let path = Path::new(open.file.name());
        let name = path.file_name().filter(|_| path.parent() == Some(folder))?;
        Some(Entry { is_folder: false, name: name.to_string_lossy().into_owned() })
    });
    let fits = |entry: &Entry| {
        let is_model = ide::is_des(&entry.name) || Format::is_foreign(&entry.name);
        let is_itself = folder.join(&entry.name) == Path::new(own);
        !entry.name.starts_with('.') && (entry.is_folder || is_model) && !is_itself
    };
    on_disk.chain(open).filter(fits).collect()
}

fn item(entry: Entry, range: Range) -> CompletionItem {
    let label = if entry.is_folder { format!("{}/", entry.name) } else { entry.name };
    CompletionItem {
        kind: Some(if entry.is_folder { CompletionItemKind::Folder } else { CompletionItemKind::File }),
        filter_text: Some(label.clone()),
        sort_text: Some(format!("{}{label}", u8::from(entry.is_folder))),
        text_edit: Some(CompletionItemTextEdit::TextEdit(TextEdit { range, new_text: label.clone() })),
        label,
        ..CompletionItem::default()
    }
}
