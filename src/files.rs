//! Reading and writing files, with care.
//!
//! What the user names on the command line may be anything that can be read, `-` being standard input. What an `import`
//! names must be a plain file below the folder of the first file (or `--import-root`), and there are bounds on how many and
//! how large. Output is written whole or not at all: to a temporary file beside, which then takes the name.

use crate::failure::{Failure, reason};
use desc::resources::{Resources, Stop};
use desc::source::{LoadError, Loaded, Loader};
use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The name of standard input on the command line.
pub const STDIN: &str = "-";

/// The name under which standard input is shown.
pub const STDIN_NAME: &str = "<stdin>";

/// The most bytes of one file.
pub const MAX_BYTES: u64 = 1 << 29;

/// The most files that one model may import.
pub const MAX_IMPORTS: usize = 4096;

/// The most bytes that the imports of one model may have together.
pub const MAX_IMPORTED_BYTES: u64 = 1 << 30;

/// Lets a write beyond `ulimit -f` fail with a reason. Without this the operating system ends the program in the middle of it.
#[cfg(unix)]
pub fn outlive_size_limit() {
    // WHY a flag that nobody reads: a signal with a handler does not end the program, and ignoring one needs unsafe code.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Other systems have no such limit.
#[cfg(not(unix))]
pub fn outlive_size_limit() {}
/// Why a file was not read.
#[derive(Debug)]
pub enum Unread {
    /// It cannot be read: a clause.
    Because(String),
    /// A limit was reached.
    Stopped(Stop),
}

impl Unread {
    /// The failure of a command that needs the file.
    pub fn failure(self, path: &str) -> Failure {
        match self {
            Unread::Because(reason) => Failure::new(format!("cannot read `{path}`: {reason}")),
            Unread::Stopped(stop) => Failure::stopped(&format!("`{path}` was not read"), stop),
        }
    }

    fn io(error: &io::Error) -> Unread {
        Unread::Because(reason(error))
    }
}

impl From<&str> for Unread {
    fn from(reason: &str) -> Unread {
        Unread::Because(reason.to_owned())
    }
}

/// The bytes of a file that the user named.
///
/// # Errors
/// When it cannot be read, or not within the resources.
pub fn read(path: &str, resources: &Resources<'_>) -> Result<Vec<u8>, Unread> {
    if path == STDIN {
        return read_bounded(io::stdin().lock(), 0, resources);
    }
    let file = File::open(path).map_err(|error| Unread::io(&error))?;
    if file.metadata().map_err(|error| Unread::io(&error))?.is_dir() {
        return Err("it is a folder".into());
    }
    read_steadily(&file, resources)
}

/// The bytes of a file that nobody writes to meanwhile: half of one text and half of another is neither.
fn read_steadily(file: &File, resources: &Resources<'_>) -> Result<Vec<u8>, Unread> {
    let stand = || file.metadata().map(|about| (about.is_file(), about.len(), about.modified().ok()));
    let before = stand().map_err(|error| Unread::io(&error))?;
    let bytes = read_bounded(file, before.1, resources)?;
    let after = stand().map_err(|error| Unread::io(&error))?;
    let cut = before.1 != bytes.len() as u64 && before.1 > 0;
    if before.0 && (before != after || cut) { Err("it changed while it was read".into()) } else { Ok(bytes) }
}

/// How many bytes are read between two looks at the clock.
const CHUNK: u64 = 1 << 20;

/// What may be read however small the memory limit is.
const LEAST: u64 = 1 << 20;

/// All bytes of a source that is said to have `size` of them.
fn read_bounded(mut from: impl Read, size: u64, resources: &Resources<'_>) -> Result<Vec<u8>, Unread> {
    let most = resources.memory.map_or(MAX_BYTES, |memory| memory.clamp(LEAST, MAX_BYTES));
    let mut bytes = Vec::with_capacity(size.min(most) as usize + 1);
    while from.by_ref().take(CHUNK).read_to_end(&mut bytes).map_err(|error| Unread::io(&error))? > 0 {
        match bytes.len() as u64 {
            all if all > MAX_BYTES => {
                return Err(Unread::Because(format!("it is larger than {} MiB", MAX_BYTES >> 20)));
            }
            all if all > most => return Err(Unread::Stopped(Stop::Memory)),
            all if all < CHUNK => {}
            _ => resources.stop().map_or(Ok(()), |stop| Err(Unread::Stopped(stop)))?,
        }
    }
    Ok(bytes)
}

/// Writes a file whole or not at all: to a temporary file beside it, then renamed. What was there stays if anything fails.
///
/// # Errors
/// When the folder cannot be written, the file is read-only, or the disk is full.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_with(path, |out| out.write_all(bytes))
}

/// The same, piece by piece.
///
/// # Errors
/// When the folder cannot be written, the file is read-only, or the disk is full.
pub fn write_with<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> Result<T, Failure> {
    write_beside(path, write).map_err(|error| Failure::writing(path, &error))
}

/// Writes a file in place of what was read from it; one that has changed since stays as it is, and that is a failure.
///
/// # Errors
/// When it has changed, or cannot be written.
pub fn replace(path: &Path, read: &[u8], bytes: &[u8]) -> Result<(), Failure> {
    match fs::read(path) {
        Ok(now) if now == read => write(path, bytes),
        Ok(_) => {
            Err(Failure::new(format!("`{}` has changed since it was read, and was not overwritten", path.display())))
        }
        Err(error) => Err(Failure::writing(path, &error)),
    }
}

/// Writes a new file; one that already exists stays as it is, and that is a failure.
///
/// # Errors
/// When there is such a file, or it cannot be written.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = beside(folder_of(path), None, |out| out.write_all(bytes));
    match written.and_then(|file| file.persist_noclobber(path).map_err(|failed| failed.error)) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let failure = Failure::new(format!("`{}` already exists, and was not overwritten", path.display()));
            Err(failure.help("choose another name, or remove it first"))
        }
        Err(error) => Err(Failure::writing(path, &error)),
        Ok(_) => Ok(()),
    }
}

/// Whether a file could be written now: a file is made in its folder, and taken away again.
///
/// # Errors
/// When there is no such folder, it cannot be written, or there is such a file and it is read-only.
pub fn try_out(path: &Path) -> Result<(), Failure> {
    let tried = destination(path).and_then(|destination| match destination {
        Destination::Device => Ok(()),
        Destination::Plain { target, before } => beside(folder_of(&target), before.as_ref(), |_| Ok(())).map(drop),
    });
    tried.map_err(|error| Failure::writing(path, &error))
}

/// Where bytes go that are written to a path.
enum Destination {
    /// A device or a pipe (`/dev/stdout`): it cannot be replaced by renaming, and is written to.
    Device,
    /// A plain file, and what is there before.
    Plain { target: PathBuf, before: Option<fs::Metadata> },
}

fn destination(path: &Path) -> io::Result<Destination> {
    let before = fs::metadata(path).ok();
    if let Some(about) = &before {
        if about.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        } else if !about.is_file() {
            return Ok(Destination::Device);
        } else if about.permissions().readonly() {
            // WHY: its folder would let it be replaced, but nobody who makes a file read-only expects that.
            return Err(io::Error::from(io::ErrorKind::PermissionDenied));
        }
        fs::OpenOptions::new().write(true).open(path)?;
    }
    // A symbolic link stays a link: the file that it names is replaced.
    Ok(Destination::Plain { target: fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()), before })
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// How many files are being written.
static WRITING: AtomicUsize = AtomicUsize::new(0);

/// Whether a file is being written.
pub fn is_writing() -> bool {
    WRITING.load(Ordering::SeqCst) > 0
}

fn write_beside<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
    WRITING.fetch_add(1, Ordering::SeqCst);
    let written = write_there(path, write);
    WRITING.fetch_sub(1, Ordering::SeqCst);
    written
}

fn write_there<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
    match destination(path)? {
        Destination::Device => buffered(&fs::OpenOptions::new().write(true).open(path)?, write),
        Destination::Plain { target, before } => {
            let mut told = None;
            let keep = |out: &mut dyn Write| write(out).map(|it| told = Some(it));
            let written = beside(folder_of(&target), before.as_ref(), keep)?;
            written.persist(&target).map_err(|failed| failed.error)?;
            told.ok_or_else(|| io::Error::other("nothing was written"))
        }
    }
}

/// A file in this folder that is whole and has no name yet.
fn beside(
    folder: &Path,
    before: Option<&fs::Metadata>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<tempfile::NamedTempFile> {
    let beside = tempfile::Builder::new().prefix(".desc-").permissions_of(before).tempfile_in(folder)?;
    buffered(beside.as_file(), write)?;
    beside.as_file().sync_all()?;
    Ok(beside)
}

fn buffered<T>(file: &File, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
    let mut out = io::BufWriter::with_capacity(1 << 16, file);
    let told = write(&mut out)?;
    out.flush()?;
    Ok(told)
}

/// The permissions of a new file: those of the file that it replaces, or those of any new file.
trait PermissionsOf {
    fn permissions_of(&mut self, before: Option<&fs::Metadata>) -> &mut Self;
}

impl PermissionsOf for tempfile::Builder<'_, '_> {
    fn permissions_of(&mut self, before: Option<&fs::Metadata>) -> &mut Self {
        match before {
            Some(about) => self.permissions(about.permissions()),
            None => usual_permissions(self),
        }
    }
}

#[cfg(unix)]
fn usual_permissions<'a, 'b, 'c>(builder: &'a mut tempfile::Builder<'b, 'c>) -> &'a mut tempfile::Builder<'b, 'c> {
    // The user's mask is applied by the operating system when the file is made.
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual_permissions<'a, 'b, 'c>(builder: &'a mut tempfile::Builder<'b, 'c>) -> &'a mut tempfile::Builder<'b, 'c> {
    builder
}

/// Finds imports beside the importing file.
///
/// The identity of a file is the name under which it was met first, so an entry that imports itself is recognised.
#[derive(Debug)]
pub struct Beside {
    root: PathBuf,
    state: RefCell<Met>,
    resources: Resources<'static>,
}

#[derive(Debug, Default)]
struct Met {
    files: Vec<(PathBuf, String)>,
    bytes: u64,
}

impl Beside {
    /// Imports of the file `entry` (as the user named it), which stay below `root`; none: below the folder of `entry`.
    pub fn new(entry: &str, root: Option<&Path>) -> Beside {
        let folder = match Path::new(entry).parent() {
            Some(folder) if entry != STDIN && folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let root = root.unwrap_or(folder);
        let root = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let mut met = Met::default();
        if let Ok(path) = fs::canonicalize(entry) {
            met.files.push((path, shown(entry).to_owned()));
        }
        Beside { root, state: RefCell::new(met), resources: Resources::default() }
    }

    /// The same within limits.
    pub fn within(self, resources: Resources<'static>) -> Beside {
        Beside { resources, ..self }
    }

    /// The files that were brought in so far, the entry first.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.state.borrow().files.iter().map(|(path, _)| path.clone()).collect()
    }

    fn found(&self, path: &Path) -> Result<PathBuf, String> {
        let canonical = fs::canonicalize(path).map_err(|error| reason(&error))?;
        if !canonical.starts_with(&self.root) {
            return Err(
                "it is outside the folder of the first file; `--import-root DIR` allows another folder".to_owned()
            );
        }
        // WHY before opening: opening a pipe waits for its writer.
        let about = fs::metadata(&canonical).map_err(|error| reason(&error))?;
        if about.is_dir() {
            return Err("it is a folder".to_owned());
        }
        if !about.is_file() {
            return Err("it is not a regular file".to_owned());
        }
        Ok(canonical)
    }

    fn identity(&self, canonical: PathBuf, name: &str, length: u64) -> Result<String, String> {
        let mut met = self.state.borrow_mut();
        if let Some((_, first)) = met.files.iter().find(|(path, _)| *path == canonical) {
            return Ok(first.clone());
        }
        met.bytes += length;
        if met.files.len() > MAX_IMPORTS {
            return Err(format!("more than {MAX_IMPORTS} files are imported"));
        }
        if met.bytes > MAX_IMPORTED_BYTES {
            return Err(format!("the imports are larger than {} MiB in total", MAX_IMPORTED_BYTES >> 20));
        }
        met.files.push((canonical, name.to_owned()));
        Ok(name.to_owned())
    }
}

impl Loader for Beside {
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, LoadError> {
        let because = |reason: String| LoadError::new(reason);
        let beside = Path::new(importer).parent().unwrap_or(Path::new("")).join(path);
        let name = tidy(&beside);
        let canonical = self.found(&beside).map_err(because)?;
        let file = File::open(&canonical).map_err(|error| because(reason(&error)))?;
        let bytes = read_steadily(&file, &self.resources).map_err(|unread| match unread {
            Unread::Because(reason) => because(reason),
            Unread::Stopped(stop) => LoadError { stopped: Some(stop), ..LoadError::new("a limit was reached") },
        })?;
        let identity = self.identity(canonical, &name, bytes.len() as u64).map_err(because)?;
        Ok(Loaded { identity, name, bytes })
    }
}

/// The name under which an argument is shown.
pub fn shown(path: &str) -> &str {
    if path == STDIN { STDIN_NAME } else { path }
}

/// A path to show: `models/../mix.des` is `mix.des`.
pub fn tidy(path: &Path) -> String {
    let mut parts: Vec<Component> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.iter().collect::<PathBuf>().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shown_path_has_no_detours() {
        assert_eq!(tidy(Path::new("a/./b/../c.des")), "a/c.des");
        assert_eq!(tidy(Path::new("../c.des")), "../c.des");
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        write(&path, b"first").unwrap();
        write(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside");
        assert!(write(folder.path(), b"x").unwrap_err().message.contains("it is a folder"));
    }

    #[test]
    fn what_changed_since_it_was_read_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.des");
        fs::write(&path, "mine, edited meanwhile").unwrap();
        assert!(replace(&path, b"mine", b"formatted").unwrap_err().message.contains("has changed since it was read"));
        assert_eq!(fs::read(&path).unwrap(), b"mine, edited meanwhile");
        replace(&path, b"mine, edited meanwhile", b"formatted").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"formatted");
    }

    #[test]
    fn a_new_file_never_replaces_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.des");
        create(&path, b"mine").unwrap();
        assert!(create(&path, b"other").unwrap_err().message.contains("already exists"));
        assert_eq!(fs::read(&path).unwrap(), b"mine");
    }

    #[test]
    fn imports_stay_below_the_folder_of_the_first_file() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        fs::write(folder.path().join("out.des"), "").unwrap();
        fs::write(inner.join("in.des"), "const N = 1;").unwrap();
        fs::write(inner.join("first.des"), "").unwrap();
        let first = inner.join("first.des").to_string_lossy().into_owned();
        let loader = Beside::new(&first, None);
        assert_eq!(loader.load(&first, "in.des").unwrap().bytes, b"const N = 1;");
        assert_eq!(loader.load(&first, "./first.des").unwrap().identity, first);
        assert!(loader.load(&first, "../out.des").unwrap_err().reason.contains("outside"));
        assert!(loader.load(&first, ".").unwrap_err().reason.contains("folder"));
        assert!(loader.load(&first, "none.des").unwrap_err().reason.contains("no such file"));
        let wider = Beside::new(&first, Some(folder.path()));
        assert!(wider.load(&first, "../out.des").is_ok());
    }
}
