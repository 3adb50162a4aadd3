//! The output files of a command, checked before the work starts, so that neither a model nor the work is lost.
//!
//! A result must not overwrite an input, and two results must have different files. Imports are
//! known only after the model was read; they are checked again before anything is written. A missing or read-only folder
//! is reported immediately.

use super::status::Failure;
use crate::files::{STDIN, folder_of, try_out};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub struct Outputs<'a>(Vec<&'a Path>);

impl<'a> Outputs<'a> {
    /// The output files of a command with these inputs.
    ///
    /// # Errors
    /// If one is an input, is given twice, or cannot be written.
    pub fn new(paths: impl IntoIterator<Item = &'a Path>, read: &[impl AsRef<Path>]) -> Result<Outputs<'a>, Failure> {
        let outputs = Outputs(paths.into_iter().collect());
        outputs.differ()?;
        outputs.spare(read)?;
        outputs.0.iter().try_for_each(|path| try_out(path))?;
        Ok(outputs)
    }

    /// Checks the outputs against the files that were read.
    ///
    /// # Errors
    /// If an output is one of them.
    pub fn spare(&self, read: &[impl AsRef<Path>]) -> Result<(), Failure> {
        if self.0.is_empty() {
            return Ok(());
        }
        let read: Vec<Identity> = read.iter().filter_map(|path| identity(of_input(path.as_ref()))).collect();
        let taken = self.0.iter().find(|path| identity(path).is_some_and(|identity| read.contains(&identity)));
        taken.map_or(Ok(()), |path| Err(is_read(path)))
    }

    fn differ(&self) -> Result<(), Failure> {
        let known: Vec<Option<Identity>> = self.0.iter().map(|path| identity(path)).collect();
        let twin = |at: &usize| known[*at].is_some() && known[..*at].contains(&known[*at]);
        (0..known.len()).find(twin).map_or(Ok(()), |at| Err(named_twice(self.0[at])))
    }
}

/// The identity of a regular file, independent of its name.
#[derive(Debug, PartialEq, Eq)]
enum Identity {
    /// An existing file, through symbolic and hard links.
    #[cfg(unix)]
    Node(u64, u64),
    /// A new file, or a platform without file numbers.
    Place(PathBuf),
}

/// `None`: a device or a pipe, or a path that cannot be resolved.
fn identity(path: &Path) -> Option<Identity> {
    match fs::metadata(path) {
        Ok(about) if about.is_file() => of_file(path, &about),
        Ok(_) => None,
        Err(_) => of_new(path),
    }
}

#[cfg(unix)]
fn of_file(_path: &Path, about: &fs::Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some(Identity::Node(about.dev(), about.ino()))
}

#[cfg(not(unix))]
fn of_file(path: &Path, _about: &fs::Metadata) -> Option<Identity> {
    fs::canonicalize(path).ok().map(Identity::Place)
}

fn of_new(path: &Path) -> Option<Identity> {
    Some(Identity::Place(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?)))
}

/// Standard input may come from a file: `desc check - < ballot.des`.
fn of_input(path: &Path) -> &Path {
    if path == Path::new(STDIN) { Path::new("/dev/stdin") } else { path }
}

fn is_read(path: &Path) -> Failure {
    let message = format!("`{}` is an input file: it is not overwritten", path.display());
    Failure::new(message).help("choose another file for the result")
}

fn named_twice(path: &Path) -> Failure {
    let message = format!("two results have the same file `{}`", path.display());
    Failure::new(message).help("choose another file for one of them")
}
