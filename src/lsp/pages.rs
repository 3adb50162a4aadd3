//! The pages that explain codes, as files, so that every editor can follow the link of a diagnostic.

use super::uri;
use desc::diagnostic::Code;
use gen_lsp_types::Uri;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The pages that were written so far, under the user's cache folder.
#[derive(Debug, Default)]
pub struct Pages {
    written: HashMap<Code, Option<Uri>>,
}

impl Pages {
    /// The address of the page of a code; nothing if there is no place to write it.
    pub fn address(&mut self, code: Code) -> Option<Uri> {
        self.written.entry(code).or_insert_with(|| write(code)).clone()
    }
}

fn write(code: Code) -> Option<Uri> {
    let folder = cache()?.join("desc").join("explain").join(env!("CARGO_PKG_VERSION"));
    fs::create_dir_all(&folder).ok()?;
    let path = folder.join(format!("{code}.md"));
    if fs::read_to_string(&path).ok().as_deref() != Some(code.page()) {
        crate::files::write(&path, code.page().as_bytes()).ok()?;
    }
    Some(uri::of_path(&path))
}

fn cache() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| Path::new(value).is_absolute()).map(PathBuf::from);
    set("XDG_CACHE_HOME").or_else(|| set("LOCALAPPDATA")).or_else(|| set("HOME").map(|home| home.join(".cache")))
}
