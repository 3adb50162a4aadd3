//! The files of one run: the entry file and its imports, each read once.
//!
//! Imports are followed depth first with an explicit stack, so that a long chain of files does not overflow the call stack. A file that
//! is in progress closes a cycle; one that was read before is shared.

use crate::check::deadline::Deadline;
use crate::check::resolve::near;
use crate::check::sink::Faults;
use crate::diagnostic::{Code, Diagnostic};
use crate::import::{self, Foreign, Format};
use crate::resources::Stop;
use crate::source::{FileId, Loader, SourceFile, Sources, Span};
use crate::syntax::spelling;
use crate::syntax::{self, ast};
use rustc_hash::FxHashMap;
use std::sync::Arc;

#[derive(Debug, Default)]
pub(in crate::check) struct World {
    /// The `.des` files, the entry file first.
    pub units: Vec<Unit>,
    /// The foreign models, each with its aliases.
    pub foreign: Vec<ForeignUnit>,
    /// Whether an import failed, so that names may be missing.
    pub incomplete: bool,
}

#[derive(Debug)]
pub(in crate::check) struct Unit {
    pub source: Arc<SourceFile>,
    pub tree: ast::File,
}

#[derive(Debug)]
pub(in crate::check) struct ForeignUnit {
    /// The aliases, with their imports.
    pub aliases: Vec<(String, Span)>,
    /// `None`: it has errors.
    pub model: Option<Foreign>,
}

/// Reads a file and its imports, transitively.
///
/// # Errors
/// When a limit is reached: then nothing of it is of use.
pub(in crate::check) fn load(
    entry: FileId,
    sources: &mut Sources,
    loader: &dyn Loader,
    faults: &mut Faults,
    deadline: &mut Deadline,
) -> Result<World, Stop> {
    let (world, known, stack) = (World::default(), FxHashMap::default(), Vec::new());
    let mut reader = Reader { sources, loader, faults, deadline, world, known, stack };
    reader.enter(entry, None)?;
    reader.run()?;
    Ok(reader.world)
}

struct Reader<'a> {
    sources: &'a mut Sources,
    loader: &'a dyn Loader,
    faults: &'a mut Faults,
    deadline: &'a mut Deadline,
    world: World,
    /// The files by identity.
    known: FxHashMap<String, Known>,
    /// The files in progress, the entry file first.
    stack: Vec<Frame>,
}

#[derive(Clone, Copy)]
enum Known {
    Des(FileId),
    Foreign(usize),
    Broken,
}

/// A file in progress, and its next import.
struct Frame {
    file: FileId,
    imports: Vec<Wanted>,
    next: usize,
}

#[derive(Clone, Copy)]
struct Wanted {
    path: ast::Name,
    alias: Option<ast::Name>,
}

impl Reader<'_> {
    fn run(&mut self) -> Result<(), Stop> {
        while let Some(frame) = self.stack.last_mut() {
            match frame.imports.get(frame.next).copied() {
                Some(wanted) => {
                    frame.next += 1;
                    let importer = frame.file;
                    self.import(importer, wanted)?;
                }
                None => {
                    self.stack.pop();
                }
            }
        }
        Ok(())
    }

    /// Parses a file and pushes its imports. The entry file determines its own identity, so that an import of it is recognised.
    fn enter(&mut self, file: FileId, identity: Option<String>) -> Result<(), Stop> {
        let source = self.sources.share(file);
        self.deadline.read(1, source.text().len() as u64)?;
        let parsed = syntax::parse_within(file, &source, self.deadline.left())?;
        self.deadline.read(1, parsed.bytes)?;
        self.faults.extend(parsed.diagnostics);
        let imports: Vec<Wanted> = parsed.file.items.iter().filter_map(wanted).collect();
        if !imports.is_empty() || identity.is_some() {
            let identity = identity.or_else(|| self.own_identity(&source));
            self.known.extend(identity.map(|identity| (identity, Known::Des(file))));
        }
        self.world.units.push(Unit { source, tree: parsed.file });
        self.stack.push(Frame { file, imports, next: 0 });
        Ok(())
    }

    fn own_identity(&self, source: &SourceFile) -> Option<String> {
        let name = source.name().rsplit(['/', '\\']).next()?;
        self.loader.load(source.name(), name).ok().map(|loaded| loaded.identity)
    }

    fn import(&mut self, importer: FileId, wanted: Wanted) -> Result<(), Stop> {
        let source = self.sources.share(importer);
        let path = wanted.path.text(&source);
        let loaded = match self.loader.load(source.name(), &path) {
            Ok(loaded) => loaded,
            Err(error) => {
                error.stopped.map_or(Ok(()), Err)?;
                self.refuse(cannot_import(&path, wanted.path.span, &error.reason));
                return Ok(());
            }
        };
        self.deadline.read(1 + loaded.bytes.len() as u64 / 64, 0)?;
        if let Some(&known) = self.known.get(&loaded.identity) {
            self.again(known, &path, wanted, &source);
            return Ok(());
        }
        let (file, faults) = syntax::read(self.sources, &loaded.name, loaded.bytes);
        self.faults.extend(faults);
        if path.ends_with(".des") {
            self.refuse_alias(wanted);
            return self.enter(file, Some(loaded.identity));
        }
        let text = self.sources.share(file);
        self.deadline.read(1, text.text().len() as u64)?;
        let known = match Format::detect(&loaded.name, text.text()) {
            Some(format) => Known::Foreign(self.read_foreign(format, file, &text)?),
            None => Known::Broken,
        };
        self.known.insert(loaded.identity, known);
        self.again(known, &path, wanted, &source);
        Ok(())
    }

    fn again(&mut self, known: Known, path: &str, wanted: Wanted, importer: &SourceFile) {
        match known {
            Known::Des(file) => {
                self.refuse_alias(wanted);
                if let Some(at) = self.stack.iter().position(|frame| frame.file == file) {
                    let through = self.stack[at].imports[self.stack[at].next - 1];
                    self.faults.add(circular(path, wanted.path.span, through.path.span));
                }
            }
            Known::Foreign(unit) => match alias(path, wanted, importer) {
                Some(name) => {
                    self.world.foreign[unit].aliases.push((name, wanted.alias.map_or(wanted.path.span, |a| a.span)))
                }
                None => self.refuse(nameless(path, wanted)),
            },
            Known::Broken => self.refuse(unknown_format(path, wanted.path.span)),
        }
    }

    fn read_foreign(&mut self, format: Format, file: FileId, text: &SourceFile) -> Result<usize, Stop> {
        let (model, faults, bytes) = import::read_within(format, file, text, self.deadline.left())?;
        self.deadline.read(1, bytes)?;
        self.faults.extend(faults);
        self.world.foreign.push(ForeignUnit { aliases: Vec::new(), model });
        Ok(self.world.foreign.len() - 1)
    }

    fn refuse(&mut self, fault: Diagnostic) {
        self.world.incomplete = true;
        self.faults.add(fault);
    }

    fn refuse_alias(&mut self, wanted: Wanted) {
        if let Some(alias) = wanted.alias {
            self.faults.add(needless_alias(alias.span, wanted.path.span));
        }
    }
}

fn wanted(item: &ast::Item) -> Option<Wanted> {
    match &item.kind {
        ast::ItemKind::Import(import) => Some(Wanted { path: import.path, alias: import.alias }),
        _ => None,
    }
}

/// The name of a foreign import: its alias, or the file name without extension if that is an identifier.
fn alias(path: &str, wanted: Wanted, importer: &SourceFile) -> Option<String> {
    if let Some(alias) = wanted.alias {
        return Some(alias.text(importer).into_owned());
    }
    let stem = stem(path);
    spelling::is_identifier(stem).then(|| stem.to_owned())
}

fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn cannot_import(path: &str, at: Span, reason: &str) -> Diagnostic {
    Diagnostic::new(Code::E0206, at, format!("cannot import `{path}`: {reason}"))
        .label("imported here")
        .help("a path is relative to the file that imports it: `import \"folder/file.des\";`")
}

fn circular(path: &str, at: Span, through: Span) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0207, at, format!("`{path}` imports itself, directly or through other files"))
        .label("this file is already being imported");
    let fault = if through == at { fault } else { fault.also(through, "the cycle starts here") };
    fault.help("remove this import, or move the shared declarations to a third file")
}

fn nameless(path: &str, wanted: Wanted) -> Diagnostic {
    let (name, written) = (suggested_name(path), spelling::quoted(path));
    Diagnostic::new(Code::E0208, wanted.path.span, format!("the model of `{path}` needs a name"))
        .label("the file name is not an identifier")
        .help(format!("name it: `import {written} as {name};`"))
        .fix(format!("insert `as {name}`"), wanted.path.span.after(), format!(" as {name}"))
}

fn suggested_name(path: &str) -> String {
    let kept: String = stem(path).chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
    let mut characters = kept.trim_start_matches(|c: char| !c.is_alphabetic()).chars();
    let name: Option<String> = characters.next().map(|first| first.to_uppercase().chain(characters).collect());
    name.filter(|name| spelling::is_identifier(name)).unwrap_or_else(|| "Plant".to_owned())
}

fn needless_alias(alias: Span, path: Span) -> Diagnostic {
    let cut = Span::new(alias.file, path.end, alias.end);
    Diagnostic::new(Code::E0209, alias, "a `.des` file cannot be imported under another name")
        .label("this alias has no effect")
        .also(path, "a `.des` file")
        .help("remove `as ...`; only a foreign model takes a name")
        .fix("remove the alias", cut, "")
}

fn unknown_format(path: &str, at: Span) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0210, at, format!("the format of `{path}` is not supported"));
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let known = ["des", "fsm", "gen", "aut", "wmod", "xml", "cif", "json"];
    match near::nearest(extension, &known) {
        Some(near) => fault.label("the file extension determines the format").help(format!("did you mean `.{near}`?")),
        None => fault
            .label("the file extension determines the format")
            .help("one of `.des`, `.fsm`, `.gen`, `.aut`, `.wmod`, `.xml`, `.cif`, `.json`"),
    }
}
