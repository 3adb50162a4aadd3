//! The items of all files: constants, components, foreign models, and the systems of the entry file.
//!
//! All files of a run share one namespace, so that an imported component finds its own constants.
//! Systems of imported files are ignored: they are checked with their own file.

use crate::check::deadline::{self, Deadline};
use crate::check::load::imports::{Unit, World};
use crate::check::sink::Faults;
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::import::Foreign;
use crate::resources::Stop;
use crate::source::{SourceFile, Span};
use crate::syntax::ast::{self, ItemKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::cell::Cell;

#[derive(Debug, Default)]
pub(in crate::check) struct Items<'w> {
    names: FxHashMap<String, (ItemId, Span)>,
    pub consts: Vec<ConstItem<'w>>,
    pub components: Vec<ComponentItem<'w>>,
    pub systems: Vec<SystemItem<'w>>,
    /// The words of text with syntax errors: they may be names.
    pub doubtful: FxHashSet<String>,
    /// Whether an import failed, so that names may be missing.
    pub incomplete: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum ItemId {
    Const(usize),
    Component(usize),
    System(usize),
}

impl ItemId {
    /// The kind, for messages.
    pub fn kind(self) -> &'static str {
        match self {
            ItemId::Const(_) => "constant",
            ItemId::Component(_) => "component",
            ItemId::System(_) => "system",
        }
    }
}

/// `const N = 3;`
#[derive(Debug)]
pub(in crate::check) struct ConstItem<'w> {
    pub name: String,
    pub span: Span,
    pub file: &'w SourceFile,
    pub expr: &'w ast::Expr,
    /// `None`: not yet evaluated, or an error.
    pub value: Cell<Option<i64>>,
}

/// A component of a `.des` file or a foreign model.
#[derive(Debug)]
pub(in crate::check) struct ComponentItem<'w> {
    pub name: String,
    pub span: Span,
    pub kind: ComponentKind<'w>,
}

impl ComponentItem<'_> {
    /// "component `Mix`", "monitor `Voted`".
    pub fn owner(&self) -> String {
        let word = if self.is_monitor() { "monitor" } else { "component" };
        format!("{word} `{}`", self.name)
    }

    pub fn is_monitor(&self) -> bool {
        matches!(self.kind, ComponentKind::Written { is_monitor: true, .. })
    }
}

#[derive(Debug)]
pub(in crate::check) enum ComponentKind<'w> {
    Written {
        file: &'w SourceFile,
        params: &'w [ast::Name],
        body: &'w [ast::Stmt],
        is_monitor: bool,
    },
    Foreign(&'w Foreign),
    /// A foreign model with errors.
    Broken,
}

/// A system of the entry file.
#[derive(Debug)]
pub(in crate::check) struct SystemItem<'w> {
    pub name: String,
    pub span: Span,
    /// The whole item.
    pub whole: Span,
    pub file: &'w SourceFile,
    pub docs: &'w ast::Docs,
    pub body: &'w [ast::Stmt],
}

impl<'w> Items<'w> {
    /// Collects the items of all files; a repeated name is an error.
    ///
    /// # Errors
    /// When a limit is reached.
    pub fn gather(world: &'w World, faults: &mut Faults, deadline: &mut Deadline) -> Result<Items<'w>, Stop> {
        let mut items = Items { incomplete: world.incomplete, ..Items::default() };
        for (at, unit) in world.units.iter().enumerate() {
            for item in &unit.tree.items {
                deadline.read(1, deadline::ITEM)?;
                items.item(item, unit, at == 0, faults);
            }
        }
        for unit in &world.foreign {
            let kind = || unit.model.as_ref().map_or(ComponentKind::Broken, ComponentKind::Foreign);
            let mut taken = FxHashSet::default();
            for (name, span) in unit.aliases.iter().filter(|(name, _)| taken.insert(name)) {
                items.component(name.clone(), *span, kind(), faults);
            }
        }
        Ok(items)
    }

    fn item(&mut self, item: &'w ast::Item, unit: &'w Unit, entry: bool, faults: &mut Faults) {
        let file: &SourceFile = &unit.source;
        match &item.kind {
            ItemKind::Const(constant) => {
                let (name, id) = (constant.name.text(file).into_owned(), ItemId::Const(self.consts.len()));
                self.claim(&name, id, constant.name.span, faults);
                let (span, expr) = (constant.name.span, &constant.value);
                self.consts.push(ConstItem { name, span, file, expr, value: Cell::new(None) });
            }
            ItemKind::Component(component) => {
                let ast::Component { params, body, is_monitor, .. } = component;
                let kind = ComponentKind::Written { file, params, body, is_monitor: *is_monitor };
                let name = component.name.text(file).into_owned();
                parameters(component, file, faults);
                self.component(name, component.name.span, kind, faults);
            }
            ItemKind::System(system) if entry => {
                let (name, id) = (system.name.text(file).into_owned(), ItemId::System(self.systems.len()));
                self.claim(&name, id, system.name.span, faults);
                let (span, whole, docs, body) = (system.name.span, item.span, &item.docs, &system.body);
                self.systems.push(SystemItem { name, span, whole, file, docs, body });
            }
            ItemKind::Error => {
                let text = file.slice(item.span);
                self.incomplete |= text.starts_with("import");
                self.doubtful.extend(wording::identifiers(text).map(str::to_owned));
            }
            ItemKind::System(_) | ItemKind::Import(_) => {}
        }
    }

    fn component(&mut self, name: String, span: Span, kind: ComponentKind<'w>, faults: &mut Faults) {
        self.claim(&name, ItemId::Component(self.components.len()), span, faults);
        self.components.push(ComponentItem { name, span, kind });
    }

    /// Declares a name, unless it is declared already.
    fn claim(&mut self, name: &str, id: ItemId, span: Span, faults: &mut Faults) {
        if let Some(&(_, first)) = self.names.get(name) {
            faults.add(if first.file == span.file {
                item_twice(name, span, first)
            } else {
                item_from_two(name, span, first)
            });
            return;
        }
        self.names.insert(name.to_owned(), (id, span));
    }

    /// The item of a name, and its declaration.
    pub fn find(&self, name: &str) -> Option<(ItemId, Span)> {
        self.names.get(name).copied()
    }

    /// Whether a name may be missing only because of another error.
    pub fn is_doubtful(&self, name: &str) -> bool {
        self.incomplete || self.doubtful.contains(name)
    }
}

/// Reports parameters with the same name.
fn parameters(component: &ast::Component, file: &SourceFile, faults: &mut Faults) {
    let mut known: FxHashMap<Cow<'_, str>, &ast::Name> = FxHashMap::default();
    for param in &component.params {
        let name = param.text(file);
        if let Some(first) = known.get(&name) {
            let fault = Diagnostic::new(Code::E0203, param.span, format!("the parameter `{name}` is declared twice"));
            let fault = fault.label("declared again here").also(first.span, "first declared here");
            faults.add(fault.help("give one of them another name"));
        } else {
            known.insert(name, param);
        }
    }
}

fn item_twice(name: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::E0203, again, format!("`{name}` is declared twice"))
        .label("declared again here")
        .also(first, "first declared here")
        .help("give one of them another name")
}

fn item_from_two(name: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::E0205, again, format!("`{name}` is declared in two files"))
        .label("declared here")
        .also(first, "and declared here")
        .help("all files of a run share one namespace: give one of them another name")
}
