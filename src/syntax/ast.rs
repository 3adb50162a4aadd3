//! The syntax tree of a file, before name resolution.
//!
//! Names contain no text: a [`Name`] is a range of the file, and [`Name::text`] reads it. So a tree of a million
//! transitions is small.

mod checks;
mod levers;
mod sets;

pub use crate::automaton::view::Projection;
pub use checks::*;
pub use levers::*;
pub use sets::*;

use super::spelling;
use crate::source::{FileId, SourceFile, Span};
use std::borrow::Cow;

/// A whole file.
#[derive(Debug)]
pub struct File {
    pub id: FileId,
    pub items: Vec<Item>,
}

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
    pub span: Span,
    pub docs: Docs,
    pub kind: ItemKind,
}

#[derive(Debug)]
pub enum ItemKind {
    /// `import "mix.des";`, `import "plant.fsm" as Plant;`
    Import(Import),
    /// `const N = 3;`
    Const(Const),
    /// `component User(i) { ... }`, `monitor Voted(i) { ... }`
    Component(Component),
    /// `system Network { ... }`
    System(System),
    /// Text with a syntax error, which was reported.
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
    pub name: Name,
    pub value: Expr,
}

/// `component User(i) { ... }`, `monitor Voted(i) { ... }`
#[derive(Debug)]
pub struct Component {
    pub name: Name,
    pub params: Vec<Name>,
    pub body: Vec<Stmt>,
    /// `monitor`: it stays where it has no transition for one of its events.
    pub is_monitor: bool,
}

/// `system Network { ... }`
#[derive(Debug)]
pub struct System {
    pub name: Name,
    pub body: Vec<Stmt>,
}

/// A name as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// Including the quotes.
    pub span: Span,
    pub kind: NameKind,
}

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
    /// The name without quotes and escapes.
    pub fn text<'a>(&self, file: &'a SourceFile) -> Cow<'a, str> {
        let written = file.slice(self.span);
        if self.kind != NameKind::Quoted {
            return Cow::Borrowed(written);
        }
        // A name that the parser had to correct may stand in other quotes, or in none.
        let inner = written.strip_prefix(QUOTES).unwrap_or(written);
        let inner = inner.strip_suffix(QUOTES).unwrap_or(inner);
        if inner.contains('\\') { Cow::Owned(spelling::unescape(inner)) } else { Cow::Borrowed(inner) }
    }
}

/// The characters that are accepted as quotes.
const QUOTES: &[char] = &['"', '“', '”', '„', '‟', '\'', '‘', '’', '`'];

/// A statement of a system, a component, an observer or a `for`.
#[derive(Debug)]
pub struct Stmt {
    /// From its first token to its `;` or `}`.
    pub span: Span,
    pub docs: Docs,
    pub kind: StmtKind,
}

/// Every statement of a body, in order, including those inside `for` and `if`, but not those of observers.
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

#[derive(Debug)]
pub enum StmtKind {
    /// `states idle, held[1..N];` Contains only names and families.
    States(Box<[Ref]>),
    /// `events a, send[i];` Contains only names and families.
    Events(Box<[Ref]>),
    /// `initial M, N;`
    Initial(Box<SetExpr>),
    /// `observable events \ {e, g};`
    Observable(Box<SetExpr>),
    /// `unobservable e, g;`
    Unobservable(Box<SetExpr>),
    /// `anonymous vote[1..3] as voted;`, `anonymous door[d, i] as opens[d] by person[i];`
    Anonymous(Box<Anonymous>),
    /// `secret u[1].waiting;`
    Secret(Box<SetExpr>),
    /// `final done;`
    Final(Box<SetExpr>),
    /// `M -a-> A -c-> C;`
    Transition(Chain),
    /// `for i in 1..N, j in 1..N if i != j { ... }`, `secret u[i].away for i in 1..N;`
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
    /// `may hide log cost 3;`, `must hide log;`
    Lever(Box<Lever>),
    /// Text with a syntax error, which was reported.
    Error,
}

/// `anonymous vote[1..3] as voted;`, `anonymous door[d, i] as opens[d] by person[i];`
#[derive(Debug)]
pub struct Anonymous {
    pub set: SetExpr,
    /// `as voted`, `as sends[i]`.
    pub label: Option<Ref>,
    /// `by person[i]`.
    pub agent: Option<Ref>,
}

/// `M, N -{a, b}-> A -c-> C`
///
/// WHY one flat slice: a file may contain a million transitions, and the cost is one allocation each.
//
// INVARIANT: odd length, at least 3: states, events, states, events, states, ...
#[derive(Debug)]
pub struct Chain {
    sets: Box<[SetExpr]>,
}

impl Chain {
    /// A chain of `states, events, states, ...`; `None` if their number is even.
    pub fn new(sets: impl Into<Box<[SetExpr]>>) -> Option<Chain> {
        let sets = sets.into();
        (sets.len() >= 3 && sets.len() % 2 == 1).then_some(Chain { sets })
    }

    pub fn first(&self) -> &SetExpr {
        &self.sets[0]
    }

    /// At least one.
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
    pub source: &'a SetExpr,
    pub events: &'a SetExpr,
    pub target: &'a SetExpr,
}

/// `for i in 1..N, j in 1..N if i != j { ... }`; a declaration that ends with `for` or `if` is the same with one statement.
#[derive(Debug)]
pub struct For {
    /// Empty only at the end of a declaration: `secret A if N > 2;`.
    pub binders: Vec<Binder>,
    /// `if i != j`.
    pub guard: Option<Expr>,
    /// A declaration that ends with it has the same span.
    pub body: Vec<Stmt>,
    /// Whether it stands at the end of the one declaration in it.
    pub trails: bool,
}

/// `i in 1..N`
#[derive(Debug)]
pub struct Binder {
    pub name: Name,
    pub low: Expr,
    pub high: Expr,
}

/// `if i != j { ... } else { ... }`
#[derive(Debug)]
pub struct If {
    pub condition: Expr,
    pub then: Vec<Stmt>,
    pub otherwise: Vec<Stmt>,
}

/// `u[i] = User(i) for i in 1..N if i != 2`
#[derive(Debug)]
pub struct Part {
    pub span: Span,
    /// The name of the part, with index expressions.
    pub name: Ref,
    pub component: Name,
    pub arguments: Vec<Expr>,
    /// `for ...`; empty for a single part.
    pub binders: Vec<Binder>,
    /// `if ...`.
    pub guard: Option<Expr>,
}

/// `observer Clerk { ... }`, `observer Both = Clerk + Insider;`; the checker rejects other statements than `observable`,
/// `unobservable`, `anonymous`, `for` and `if`.
#[derive(Debug)]
pub struct Observer {
    pub name: Name,
    /// Empty for a pool.
    pub body: Vec<Stmt>,
    /// `= Clerk + Insider`: the observers who pool what they see.
    pub pooled: Vec<Name>,
}

/// A keyword with its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At<T> {
    pub value: T,
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
