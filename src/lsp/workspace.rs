//! The folders of the workspace and the models in them.

use super::server::Server;
use super::uri;
use desc::ide::{self, Document};
use desc::source::SourceFile;
use gen_lsp_types::{InitializeParams, WorkspaceFolders};
use ignore::WalkBuilder;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most files of a workspace that are looked into.
const MAX_FILES: usize = 500;

/// The largest file of a workspace that is looked into without being open.
const MAX_BYTES: u64 = 4 << 20;

/// The folders that a client opened.
#[allow(deprecated)]
pub fn folders(client: &InitializeParams) -> Vec<PathBuf> {
    match &client.workspace_folders_initialize_params.workspace_folders {
        Some(WorkspaceFolders::WorkspaceFolderList(folders)) => {
            folders.iter().filter_map(|folder| uri::path(&folder.uri)).collect()
        }
        _ => client.root_uri.iter().filter_map(uri::path).collect(),
    }
}

/// Every document of the workspace: the open ones, and the models on disk.
pub fn documents(server: &mut Server) -> Vec<Arc<Document>> {
    let open: Vec<_> = server.documents.iter().map(|(uri, _)| uri.clone()).collect();
    let mut all: Vec<Arc<Document>> = open.iter().filter_map(|uri| server.document(uri)).collect();
    for path in models(&server.folders) {
        let name = path.to_string_lossy();
        if all.iter().any(|document| document.file().name() == name) {
            continue;
        }
        if let Ok(text) = fs::read_to_string(&path) {
            all.push(Arc::new(server.analyse(&SourceFile::new(name, text))));
        }
    }
    all
}

fn models(folders: &[PathBuf]) -> Vec<PathBuf> {
    let is_model = |path: &Path| ide::is_des(&path.to_string_lossy());
    let walked = folders.iter().flat_map(|folder| WalkBuilder::new(folder).max_filesize(Some(MAX_BYTES)).build());
    let files = walked.flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    files.map(ignore::DirEntry::into_path).filter(|path| is_model(path)).take(MAX_FILES).collect()
}
