//! The tree of a file: what was written, nothing resolved.
//!
//! Names hold no text: a [`Name`] is a place in the file, and [`Name::text`] reads it there. So a tree of a million
//! transitions stays small.

mod checks;
mod sets;

pub use crate::automaton::view::Projection;
pub use checks::*;
pub use sets::*;

use super::spelling;
use crate::source::{FileId, SourceFile, Span};
use std::borrow::Cow;

/// A whole file.
#[derive(Debug)]
pub struct File {
    /// Which file.
    pub id: FileId,
    /// Its items, in order.
    pub items: Vec<Item>,
}

/// Documentation, where there is any.
pub type Docs = Option<Box<DocLines>>;

/// `/// ...` lines before an item or a statement.
#[derive(Debug)]
pub struct DocLines {
    /// One span per line, without the slashes and the one space after them.
    pub lines: Box<[Span]>,
}

/// An item of a file.
#[derive(Debug)]
pub struct Item {
    /// From its first word to its end.
    pub span: Span,
    /// Its documentation.
    pub docs: Docs,
    /// What it is.
    pub kind: ItemKind,
}

/// What an item is.
#[derive(Debug)]
pub enum ItemKind {
    /// `import "mix.des";`, `import "plant.fsm" as Plant;`
    Import(Import),
    /// `const N = 3;`
    Const(Const),
    /// `component User(i) { ... }`
    Component(Component),
    /// `system Network { ... }`
    System(System),
    /// Text that is no item; a diagnostic was given.
    Error,
}

/// `import "plant.fsm" as Plant;`
#[derive(Debug)]
pub struct Import {
    /// The path: a quoted name.
    pub path: Name,
    /// `as Plant`.
    pub alias: Option<Name>,
}

/// `const N = 3;`
#[derive(Debug)]
pub struct Const {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: Expr,
}

/// `component User(i) { ... }`
#[derive(Debug)]
pub struct Component {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Name>,
    /// What it says.
    pub body: Vec<Stmt>,
}

/// `system Network { ... }`
#[derive(Debug)]
pub struct System {
    /// Its name.
    pub name: Name,
    /// What it says.
    pub body: Vec<Stmt>,
}

/// A name as it stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// Where it stands; with the quotes, if it is quoted.
    pub span: Span,
    /// How it is written.
    pub kind: NameKind,
}

/// How a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// `waiting`
    Plain,
    /// `7`
    Integer,
    /// `"waiting room"`: `\"` and `\\` are escapes.
    Quoted,
}

impl Name {
    /// What the name says: without quotes and escapes.
    pub fn text<'a>(&self, file: &'a SourceFile) -> Cow<'a, str> {
        let written = file.slice(self.span);
        if self.kind != NameKind::Quoted {
            return Cow::Borrowed(written);
        }
        // A name that the parser had to repair may stand in other quotes, or in none.
        let inner = written.strip_prefix(QUOTES).unwrap_or(written);
        let inner = inner.strip_suffix(QUOTES).unwrap_or(inner);
        if inner.contains('\\') { Cow::Owned(spelling::unescape(inner)) } else { Cow::Borrowed(inner) }
    }
}

/// What people quote with.
const QUOTES: &[char] = &['"', '“', '”', '„', '‟', '\'', '‘', '’', '`'];

/// A statement of a system, a component, an observer or a `for`.
#[derive(Debug)]
pub struct Stmt {
    /// From its first word to its `;` or `}`.
    pub span: Span,
    /// Its documentation.
    pub docs: Docs,
    /// What it says.
    pub kind: StmtKind,
}

/// Every statement of a body, in order, with those in the blocks of its `for`s and `if`s. The inside of an observer is its own.
pub fn statements(body: &[Stmt]) -> impl Iterator<Item = &Stmt> {
    let mut open = vec![body.iter()];
    std::iter::from_fn(move || {
        loop {
            let Some(stmt) = open.last_mut()?.next() else {
                open.pop();
                continue;
            };
            match &stmt.kind {
                StmtKind::For(repeat) => open.push(repeat.body.iter()),
                StmtKind::If(branch) => open.extend([branch.otherwise.iter(), branch.then.iter()]),
                _ => {}
            }
            return Some(stmt);
        }
    })
}

/// What a statement says.
#[derive(Debug)]
pub enum StmtKind {
    /// `states idle, held[1..N];` Only names and families stand in it.
    States(Box<[Ref]>),
    /// `events a, send[i];` Only names and families stand in it.
    Events(Box<[Ref]>),
    /// `initial M, N;`
    Initial(Box<SetExpr>),
    /// `observable events \ {e, g};`
    Observable(Box<SetExpr>),
    /// `unobservable e, g;`
    Unobservable(Box<SetExpr>),
    /// `anonymous vote[1..3] as voted;`
    Anonymous(Box<Anonymous>),
    /// `secret u[1].waiting;`
    Secret(Box<SetExpr>),
    /// `M -a-> A -c-> C;`
    Transition(Chain),
    /// `for i in 1..N, j in 1..N if i != j { ... }`
    For(Box<For>),
    /// `if i != j { ... } else { ... }`
    If(Box<If>),
    /// `compose u[i] = User(i) for i in 1..N, mix = Mix;`
    Compose(Box<[Part]>),
    /// `observer Clerk { ... }`
    Observer(Box<Observer>),
    /// `check weak 2-step;`
    Check(Box<Check>),
    /// `measure weak;`
    Measure(Box<Measure>),
    /// Text that is no statement; a diagnostic was given.
    Error,
}

/// `anonymous vote[1..3] as voted;`
#[derive(Debug)]
pub struct Anonymous {
    /// The events.
    pub set: SetExpr,
    /// `as voted`.
    pub label: Option<Name>,
}

/// `M, N -{a, b}-> A -c-> C`: every combination of each step.
///
/// WHY one flat slice: a file may hold a million of these, and one allocation each is what they cost.
//
// INVARIANT: odd length, at least 3: states, events, states, events, states, ...
#[derive(Debug)]
pub struct Chain {
    sets: Box<[SetExpr]>,
}

impl Chain {
    /// A chain of `states, events, states, ...`; nothing when that is not their number.
    pub fn new(sets: impl Into<Box<[SetExpr]>>) -> Option<Chain> {
        let sets = sets.into();
        (sets.len() >= 3 && sets.len() % 2 == 1).then_some(Chain { sets })
    }

    /// Where it starts.
    pub fn first(&self) -> &SetExpr {
        &self.sets[0]
    }

    /// Its steps, in order; at least one.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = Arrow<'_>> {
        (0..self.sets.len() / 2).map(|at| Arrow {
            source: &self.sets[2 * at],
            events: &self.sets[2 * at + 1],
            target: &self.sets[2 * at + 2],
        })
    }
}

/// `M -{a, b}-> A`: one step of a chain.
#[derive(Clone, Copy, Debug)]
pub struct Arrow<'a> {
    /// Where it leaves.
    pub source: &'a SetExpr,
    /// The events inside the arrow.
    pub events: &'a SetExpr,
    /// Where it leads.
    pub target: &'a SetExpr,
}

/// `for i in 1..N, j in 1..N if i != j { ... }`
#[derive(Debug)]
pub struct For {
    /// Its indices; at least one.
    pub binders: Vec<Binder>,
    /// `if i != j`.
    pub guard: Option<Expr>,
    /// What is said for each.
    pub body: Vec<Stmt>,
}

/// `i in 1..N`
#[derive(Debug)]
pub struct Binder {
    /// The index.
    pub name: Name,
    /// Its least value.
    pub low: Expr,
    /// Its greatest value.
    pub high: Expr,
}

/// `if i != j { ... } else { ... }`
#[derive(Debug)]
pub struct If {
    /// The condition.
    pub condition: Expr,
    /// What is said when it is true.
    pub then: Vec<Stmt>,
    /// What is said when it is not.
    pub otherwise: Vec<Stmt>,
}

/// `u[i] = User(i) for i in 1..N if i != 2`
#[derive(Debug)]
pub struct Part {
    /// The whole of it.
    pub span: Span,
    /// The name of the instance: a name with index expressions.
    pub name: Ref,
    /// The component.
    pub component: Name,
    /// Its arguments.
    pub arguments: Vec<Expr>,
    /// `for ...`; none: one instance.
    pub binders: Vec<Binder>,
    /// `if ...`.
    pub guard: Option<Expr>,
}

/// `observer Clerk { ... }`: only `observable`, `unobservable`, `anonymous`, `for` and `if` make sense inside.
#[derive(Debug)]
pub struct Observer {
    /// Its name.
    pub name: Name,
    /// What it says.
    pub body: Vec<Stmt>,
}

/// A word of the language with the place where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At<T> {
    /// What it means.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_transitions_stay_small() {
        assert_eq!(size_of::<SetExpr>(), 24);
        assert_eq!(size_of::<Stmt>(), 48);
    }
}
