//! From text, or a file of another tool, to a model; what it imports comes from beside it, or from a bundle that travelled with it.

use crate::limits::{Allowed, Sizes, settings};
use crate::model::Model;
use crate::refusal::question;
use crate::repair::Read;
use crate::running::attended;
use desc::source::{LoadError, Loaded};
use desc::{Format, Loader, Outside};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// One import: who imports, the path as written, the identity of the file, the name to show, its bytes.
pub type Import = (String, String, String, String, Vec<u8>);

/// Reads and checks a model. It raises nothing for a faulty one: the diagnostics say what is wrong.
#[pyfunction]
#[pyo3(signature = (name, data, *, root=None, bundle=None, defines=None, format=None, outside=None, timeout=None, memory=None, max_states=None, max_transitions=None, whole=false))]
#[allow(clippy::too_many_arguments)]
pub fn read(
    py: Python<'_>,
    name: String,
    data: Vec<u8>,
    root: Option<PathBuf>,
    bundle: Option<Vec<Import>>,
    defines: Option<Vec<(String, i64)>>,
    format: Option<&str>,
    outside: Option<HashMap<String, Vec<String>>>,
    timeout: Option<f64>,
    memory: Option<u64>,
    max_states: Option<usize>,
    max_transitions: Option<usize>,
    whole: bool,
) -> PyResult<Model> {
    let allowed = Allowed::new(timeout, memory, None)?;
    let sizes = Sizes { states: max_states, transitions: max_transitions };
    let format = told(format, &name, &data)?;
    let outside = said(outside.unwrap_or_default())?;
    let shelf = Shelf::new(root.as_deref(), bundle.unwrap_or_default(), &name);
    let read = Read { defines: defines.unwrap_or_default(), sizes };
    attended(py, move |interrupted| {
        let settings = settings(whole, read.defines.clone(), sizes, &allowed, interrupted);
        let checked = match format {
            Some(format) => desc::check_foreign(&name, data, format, &outside, &settings),
            None => desc::check_with(&name, &String::from_utf8_lossy(&data), &shelf, &settings),
        };
        Model::new(checked, shelf.taken.into_inner(), read)
    })
}

/// The format that is named, or that of the file; none: `.des`.
fn told(format: Option<&str>, name: &str, data: &[u8]) -> PyResult<Option<Format>> {
    match format {
        Some("des") => Ok(None),
        Some(word) => {
            let words = || Format::ALL.iter().map(|&(word, _)| word).collect::<Vec<_>>().join(", ");
            let unknown = || question(format!("unknown format `{word}`"), Some(&format!("use des, {}", words())));
            Format::from_word(word).map(Some).ok_or_else(unknown)
        }
        None => Ok(Format::detect(name, &String::from_utf8_lossy(&data[..data.len().min(4096)]))),
    }
}

fn said(mut said: HashMap<String, Vec<String>>) -> PyResult<Outside> {
    let mut take = |key: &str| said.remove(key).unwrap_or_default();
    let outside = Outside {
        initial: take("initial"),
        secret: take("secret"),
        observable: take("observable"),
        unobservable: take("unobservable"),
        anonymous: take("anonymous"),
        checks: take("checks"),
        unasked: true,
    };
    match said.keys().next() {
        Some(key) => Err(question(format!("nothing is said by `{key}`"), None)),
        None => Ok(outside),
    }
}

/// Where imports come from.
pub struct Shelf {
    /// The folder that holds all imports; none: only the bundle.
    root: Option<PathBuf>,
    bundle: HashMap<(String, String), Import>,
    /// What was imported, so that it can travel.
    taken: RefCell<Vec<Import>>,
    /// The files by their canonical paths, each under the name by which it was met first.
    met: RefCell<HashMap<PathBuf, String>>,
}

impl Shelf {
    pub fn new(root: Option<&Path>, bundle: Vec<Import>, entry: &str) -> Shelf {
        let root = root.map(|root| fs::canonicalize(root).unwrap_or_else(|_| root.to_owned()));
        let bundle = bundle.into_iter().map(|import| ((import.0.clone(), import.1.clone()), import)).collect();
        let entry = root.as_ref().and_then(|_| Some((fs::canonicalize(entry).ok()?, entry.to_owned())));
        Shelf { root, bundle, taken: RefCell::default(), met: RefCell::new(entry.into_iter().collect()) }
    }

    fn beside(&self, root: &Path, importer: &str, path: &str) -> Result<Import, String> {
        let beside = Path::new(importer).parent().unwrap_or(Path::new("")).join(path);
        let canonical = fs::canonicalize(&beside).map_err(|error| reason(&error))?;
        if !canonical.starts_with(root) {
            return Err("it is outside the folder of the first file; `import_root` allows another folder".to_owned());
        }
        // WHY before opening: opening a pipe waits for its writer.
        if !canonical.is_file() {
            return Err("it is not a regular file".to_owned());
        }
        let bytes = fs::read(&canonical).map_err(|error| reason(&error))?;
        let name = tidy(&beside);
        let identity = self.met.borrow_mut().entry(canonical).or_insert_with(|| name.clone()).clone();
        Ok((importer.to_owned(), path.to_owned(), identity, name, bytes))
    }
}

impl Loader for Shelf {
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, LoadError> {
        let bundled = self.bundle.get(&(importer.to_owned(), path.to_owned())).cloned();
        let import = match (bundled, &self.root) {
            (Some(import), _) => import,
            (None, Some(root)) => self.beside(root, importer, path).map_err(LoadError::new)?,
            (None, None) => return Err(LoadError::new("text that is not in a file imports nothing")),
        };
        self.taken.borrow_mut().push(import.clone());
        let (_, _, identity, name, bytes) = import;
        Ok(Loaded { identity, name, bytes })
    }
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        kind => kind.to_string(),
    }
}

/// A path to show: `models/../mix.des` is `mix.des`.
fn tidy(path: &Path) -> String {
    let mut parts: Vec<Component> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.iter().collect::<PathBuf>().to_string_lossy().into_owned()
}
