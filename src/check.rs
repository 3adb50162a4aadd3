//! From trees to a model: names are resolved, families expanded, components composed; every error has a code.
//!
//! ```text
//! files ─imports→ World ─items→ Items ─consts→ values ─leaf, compose→ automata ─observers, checks→ Model
//! ```
//!
//! An error does not stop the check: what depends on it is skipped silently, so that one cause gives one diagnostic and all
//! errors of a file are reported in one run. Every expansion is charged to a budget in advance ([`Limits`]), so that no text, however
//! short, exhausts the memory.

mod budget;
mod context;
mod deadline;
mod deferred;
mod elaborate;
pub mod foreign;
mod lint;
mod load;
mod observe;
mod questions;
mod resolve;
mod scope;
mod sink;
mod system;
mod wording;

use crate::check::context::Context;
use crate::check::deadline::Deadline;
use crate::check::elaborate::compose;
use crate::check::lint::unexpanded;
use crate::check::lint::uses;
use crate::check::lint::{synchronisation, systems};
use crate::check::load::imports;
use crate::check::load::items::Items;
use crate::check::resolve::consts;
use crate::check::sink::Faults;
use crate::diagnostic::{Code, Diagnostic, any_error};
use crate::model::Model;
use crate::resources::{Resources, Stop};
use crate::source::{FileId, Loader, Sources, Span};

/// The options of a check.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// `-D NAME=VALUE`: overridden constants.
    pub defines: Vec<(String, i64)>,
    pub limits: Limits,
}

/// The maximal size of a model, and the resources for building its systems.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Of a system, after composition.
    pub states: usize,
    /// Of a system, after composition.
    pub transitions: usize,
    /// Of a system that is only asked for properties, before they are decided on its parts: a larger product is not built, and no
    /// error. None: every product is built.
    pub lazy: Option<usize>,
    /// The time and memory for reading, expanding and composing.
    pub resources: Resources<'static>,
}

impl Limits {
    /// How many states of a product are built before its properties are decided on its parts.
    pub const LAZY: usize = 300_000;
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { states: 4_000_000, transitions: 20_000_000, lazy: None, resources: Resources::default() }
    }
}

/// The result of a check.
#[derive(Debug)]
pub struct Checked {
    /// Present if there are no errors.
    pub model: Option<Model>,
    /// The errors and warnings of the file and its imports, in order of position.
    pub diagnostics: Vec<Diagnostic>,
    /// Why the file was not read to its end, if it was not: it may have more faults, and more systems. A system that was left
    /// while it was built is told by [`Model::unbuilt`].
    pub stopped: Option<Stop>,
}

impl Checked {
    /// A file of which nothing is known but what is wrong with it.
    pub fn faulty(diagnostics: Vec<Diagnostic>) -> Checked {
        Checked { model: None, diagnostics, stopped: None }
    }
}

/// Checks a file and its imports.
pub fn check(entry: FileId, sources: &mut Sources, loader: &dyn Loader, settings: &Settings) -> Checked {
    run(entry, sources, loader, settings, false)
}

/// Checks a file that composes one part, to look at it alone: even a monitor may be that part.
pub fn check_part(entry: FileId, sources: &mut Sources, loader: &dyn Loader, settings: &Settings) -> Checked {
    run(entry, sources, loader, settings, true)
}

fn run(entry: FileId, sources: &mut Sources, loader: &dyn Loader, settings: &Settings, lone: bool) -> Checked {
    let mut faults = Faults::default();
    let mut deadline = Deadline::new(settings.limits);
    let world = match imports::load(entry, sources, loader, &mut faults, &mut deadline) {
        Ok(world) => world,
        Err(stop) => return left(sources, entry, faults, stop),
    };
    let items = match Items::gather(&world, &mut faults, &mut deadline) {
        Ok(items) => items,
        Err(stop) => return left(sources, entry, faults, stop),
    };
    if world.units.iter().all(|unit| unit.tree.items.is_empty()) && faults.errors() == 0 {
        faults.add(nothing_written(entry));
    }
    let file = sources.share(entry);
    let mut cx = Context::new(&items, &file, faults, settings.limits, deadline);
    cx.lone_monitors = lone;
    consts::evaluate(&mut cx, entry, &settings.defines);
    if let Some(stop) = cx.deadline.stopped() {
        return Checked { model: None, diagnostics: cx.faults.into_sorted(), stopped: Some(stop) };
    }
    let systems = system::check_all(&mut cx);
    let unbuilt = std::mem::take(&mut cx.unbuilt);
    cx.begin("the rest of the file".to_owned(), 1 + items.systems.len());
    compose::probe(&mut cx);
    unexpanded::check_unexpanded(&mut cx);
    // WHY only then: what was not looked at may be where a state is reached, or a constant used.
    if unbuilt.is_empty() {
        synchronisation::blocked(&mut cx);
        if systems.iter().all(|system| system.uncomposed.is_none()) {
            systems::components(&mut cx);
        }
        let unused = uses::unused(&world, &mut cx, entry);
        cx.faults.extend(unused);
    }
    let stopped = cx.deadline.stopped();
    let diagnostics = cx.faults.into_sorted();
    let constants = consts::sizes(&items);
    let model = (!any_error(&diagnostics)).then_some(Model { systems, unbuilt, kept: Vec::new(), constants });
    Checked { model, diagnostics, stopped }
}

/// What is known of a file that was not read because a limit was reached.
pub fn unread(sources: &Sources, entry: FileId, stop: Stop) -> Checked {
    left(sources, entry, Faults::default(), stop)
}

/// A file that was left while it was read.
fn left(sources: &Sources, entry: FileId, mut faults: Faults, stop: Stop) -> Checked {
    let message = format!("`{}` was not read {}", sources.get(entry).name(), stop.limit());
    faults.add(Diagnostic::new(Code::W0902, Span::new(entry, 0, 0), message).help(deadline::help(stop, None)));
    Checked { model: None, diagnostics: faults.into_sorted(), stopped: Some(stop) }
}

fn nothing_written(entry: FileId) -> Diagnostic {
    Diagnostic::new(Code::E0418, Span::new(entry, 0, 0), "the file is empty")
        .label("expected a system")
        .help("write one: `system Name { states A, B; initial A; events a; A -a-> B; check 0-step; }`")
}
