//! From the pairs of pest to the tree.
//!
//! One function per production, with the same name. The grammar has accepted the text, so the shapes are known: a required
//! pair is taken without a check. Errors that the grammar cannot express (a repeated qualifier, `a < b < c`) are reported here.

mod checks;
mod exprs;
mod levers;
mod sets;

use super::ast::*;
use super::grammar::Rule;
use super::patch::Offsets;
use super::segment::DocComment;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span};
use pest::iterators::{Pair, Pairs};
use std::cell::Cell;
use std::iter::Peekable;

pub(super) struct Lower<'a> {
    id: FileId,
    offsets: Offsets<'a>,
    docs: &'a [DocComment],
    /// Whether the current statement becomes an `Error` node.
    broken: bool,
    /// How many nodes were made.
    nodes: Cell<u64>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'a> Lower<'a> {
    /// `offsets` maps the text to the file; `docs` are the documentation comments of the file, in order.
    pub(super) fn new(id: FileId, offsets: Offsets<'a>, docs: &'a [DocComment]) -> Lower<'a> {
        Lower { id, offsets, docs, broken: false, nodes: Cell::new(0), diagnostics: Vec::new() }
    }

    /// Every item of `file` or `one_item`.
    pub(super) fn items(&mut self, pairs: Pairs<'_, Rule>) -> Vec<Item> {
        pairs.filter(|pair| pair.as_rule() != Rule::EOI).map(|pair| self.item(pair)).collect()
    }

    /// Every statement of `body`, `one_statement` or the inside of a block.
    pub(super) fn statements(&mut self, pairs: Pairs<'_, Rule>) -> Vec<Stmt> {
        pairs.filter(|pair| pair.as_rule() != Rule::EOI).map(|pair| self.statement(pair)).collect()
    }

    fn item(&mut self, pair: Pair<'_, Rule>) -> Item {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::import => ItemKind::Import(self.import(pair.into_inner())),
            Rule::constant => ItemKind::Const(self.constant(pair.into_inner())),
            Rule::component => ItemKind::Component(self.component(pair.into_inner())),
            Rule::system => ItemKind::System(self.system(pair.into_inner())),
            other => unreachable!("an item is no {other:?}"),
        };
        let kind = if std::mem::take(&mut self.broken) { ItemKind::Error } else { kind };
        Item { span, docs: self.docs_at(span), kind }
    }

    fn import(&mut self, mut inner: Pairs<'_, Rule>) -> Import {
        inner.next();
        let path = self.name(take(&mut inner));
        let alias = inner.nth(1).map(|pair| self.name(pair));
        Import { path, alias }
    }

    fn constant(&mut self, mut inner: Pairs<'_, Rule>) -> Const {
        inner.next();
        let name = self.name(take(&mut inner));
        let value = self.expr(take(&mut inner));
        Const { name, value }
    }

    fn component(&mut self, mut inner: Pairs<'_, Rule>) -> Component {
        let head = take(&mut inner);
        let body = self.block(take(&mut inner));
        self.component_head(head, body)
    }

    /// `component NAME(PARAMETERS)` or `monitor NAME(PARAMETERS)`, with its body.
    pub(super) fn component_head(&mut self, head: Pair<'_, Rule>, body: Vec<Stmt>) -> Component {
        let mut inner = head.into_inner();
        let is_monitor = take(&mut inner).as_rule() == Rule::monitor_word;
        let name = self.name(take(&mut inner));
        Component { name, params: inner.map(|pair| self.name(pair)).collect(), body, is_monitor }
    }

    fn system(&mut self, mut inner: Pairs<'_, Rule>) -> System {
        let name = self.named_head(take(&mut inner));
        System { name, body: self.block(take(&mut inner)) }
    }

    /// The name in `system NAME` or `observer NAME`.
    pub(super) fn named_head(&mut self, head: Pair<'_, Rule>) -> Name {
        self.name(take(&mut skip_word(head)))
    }

    fn block(&mut self, block: Pair<'_, Rule>) -> Vec<Stmt> {
        self.statements(block.into_inner())
    }

    fn statement(&mut self, pair: Pair<'_, Rule>) -> Stmt {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::transition => self.transition(pair.into_inner()),
            Rule::for_loop => StmtKind::For(Box::new(self.for_loop(pair.into_inner()))),
            Rule::condition => StmtKind::If(Box::new(self.condition(pair.into_inner()))),
            Rule::compose => StmtKind::Compose(skip_word(pair).map(|part| self.part(part)).collect()),
            Rule::observer => StmtKind::Observer(Box::new(self.observer(pair.into_inner()))),
            Rule::check => StmtKind::Check(Box::new(self.check(skip_word(pair)))),
            Rule::measure => StmtKind::Measure(Box::new(self.measure(skip_word(pair)))),
            Rule::lever => self.lever_statement(pair, span),
            _ => self.declaration(pair, span),
        };
        let kind = if std::mem::take(&mut self.broken) { StmtKind::Error } else { kind };
        Stmt { span, docs: self.docs_at(span), kind }
    }

    fn transition(&mut self, inner: Pairs<'_, Rule>) -> StmtKind {
        let mut sets = Vec::with_capacity(3);
        sets.extend(inner.map(|set| self.set(set)));
        StmtKind::Transition(Chain::new(sets).expect("the grammar alternates states and events"))
    }

    /// A declaration. One that ends with `for` or `if` is the body of a [`For`].
    fn declaration(&mut self, pair: Pair<'_, Rule>, span: Span) -> StmtKind {
        let rule = pair.as_rule();
        let mut inner = skip_word(pair).peekable();
        let kind = match rule {
            Rule::states => StmtKind::States(self.declarations(&mut inner)),
            Rule::events => StmtKind::Events(self.declarations(&mut inner)),
            Rule::anonymous => StmtKind::Anonymous(Box::new(self.anonymous(&mut inner))),
            _ => {
                let set = Box::new(self.set(inner.next().expect("the grammar promises a set")));
                match rule {
                    Rule::initial => StmtKind::Initial(set),
                    Rule::observable => StmtKind::Observable(set),
                    Rule::unobservable => StmtKind::Unobservable(set),
                    Rule::secret => StmtKind::Secret(set),
                    Rule::r#final => StmtKind::Final(set),
                    other => unreachable!("a statement is no {other:?}"),
                }
            }
        };
        match inner.next() {
            None => kind,
            Some(over) => self.repeated(over, Stmt { span, docs: self.docs_at(span), kind }),
        }
    }

    fn lever_statement(&mut self, pair: Pair<'_, Rule>, span: Span) -> StmtKind {
        let (lever, over) = self.lever(pair);
        let kind = StmtKind::Lever(Box::new(lever));
        match over {
            None => kind,
            Some(over) => self.repeated(over, Stmt { span, docs: self.docs_at(span), kind }),
        }
    }

    /// `DECLARATION for i in 1..N if i != 2`, `DECLARATION if N > 2`
    fn repeated(&mut self, over: Pair<'_, Rule>, declaration: Stmt) -> StmtKind {
        let (binders, guard) = match over.as_rule() {
            Rule::generator => self.for_head(over),
            _ => (Vec::new(), Some(self.if_head(over))),
        };
        StmtKind::For(Box::new(For { binders, guard, body: vec![declaration], trails: true }))
    }

    fn declarations(&mut self, inner: &mut Peekable<Pairs<'_, Rule>>) -> Box<[Ref]> {
        let mut names = Vec::new();
        while let Some(declared) = inner.next_if(|pair| pair.as_rule() == Rule::declared) {
            names.push(self.reference(declared));
        }
        names.into_boxed_slice()
    }

    fn anonymous(&mut self, inner: &mut Peekable<Pairs<'_, Rule>>) -> Anonymous {
        let set = self.set(inner.next().expect("the grammar promises a set"));
        let mut named = |lower: &mut Self, rule: Rule| {
            let found = inner.next_if(|pair| pair.as_rule() == rule)?;
            Some(lower.reference(take(&mut skip_word(found))))
        };
        Anonymous { set, label: named(self, Rule::label), agent: named(self, Rule::agent) }
    }

    fn for_loop(&mut self, mut inner: Pairs<'_, Rule>) -> For {
        let (binders, guard) = self.for_head(take(&mut inner));
        For { binders, guard, body: self.block(take(&mut inner)), trails: false }
    }

    /// The indices and the guard of a `for`, as a statement or in a `compose`.
    pub(super) fn for_head(&mut self, head: Pair<'_, Rule>) -> (Vec<Binder>, Option<Expr>) {
        let (mut binders, mut guard) = (Vec::new(), None);
        for pair in skip_word(head) {
            match pair.as_rule() {
                Rule::binder => binders.push(self.binder(pair.into_inner())),
                _ => guard = Some(self.if_head(pair)),
            }
        }
        (binders, guard)
    }

    fn binder(&mut self, mut inner: Pairs<'_, Rule>) -> Binder {
        let name = self.name(take(&mut inner));
        inner.next();
        let low = self.expr(take(&mut inner));
        let high = self.expr(take(&mut inner));
        Binder { name, low, high }
    }

    fn condition(&mut self, mut inner: Pairs<'_, Rule>) -> If {
        let condition = self.if_head(take(&mut inner));
        let then = self.block(take(&mut inner));
        let otherwise = match inner.nth(1) {
            None => Vec::new(),
            Some(pair) if pair.as_rule() == Rule::block => self.block(pair),
            Some(pair) => vec![self.statement(pair)],
        };
        If { condition, then, otherwise }
    }

    /// The condition of `if CONDITION`, as a statement or as a guard.
    pub(super) fn if_head(&mut self, head: Pair<'_, Rule>) -> Expr {
        self.expr(take(&mut skip_word(head)))
    }

    fn part(&mut self, pair: Pair<'_, Rule>) -> Part {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let name = self.reference(take(&mut inner));
        let component = self.name(take(&mut inner));
        let mut part = Part { span, name, component, arguments: Vec::new(), binders: Vec::new(), guard: None };
        for pair in inner {
            match pair.as_rule() {
                Rule::arguments => part.arguments = pair.into_inner().map(|value| self.expr(value)).collect(),
                _ => (part.binders, part.guard) = self.for_head(pair),
            }
        }
        part
    }

    fn observer(&mut self, mut inner: Pairs<'_, Rule>) -> Observer {
        let name = self.named_head(take(&mut inner));
        let rest = take(&mut inner);
        if rest.as_rule() == Rule::pooled {
            return Observer {
                name,
                body: Vec::new(),
                pooled: rest.into_inner().map(|name| self.name(name)).collect(),
            };
        }
        Observer { name, body: self.block(rest), pooled: Vec::new() }
    }

    /// The documentation of the item that starts at `span`.
    pub(super) fn docs_at(&self, span: Span) -> Docs {
        if self.docs.is_empty() {
            return None;
        }
        let at = self.docs.binary_search_by_key(&span.start, |doc| doc.owner).ok()?;
        let lines = self.docs[at].lines.iter().map(|&(start, end)| Span::new(self.id, start, end)).collect();
        Some(Box::new(DocLines { lines }))
    }

    fn name(&mut self, pair: Pair<'_, Rule>) -> Name {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::plain => NameKind::Plain,
            Rule::integer => NameKind::Integer,
            Rule::quoted => NameKind::Quoted,
            other => unreachable!("a name is no {other:?}"),
        };
        if kind == NameKind::Quoted && pair.as_str().len() == 2 {
            self.broken = true;
            self.diagnostics.push(empty_name(span));
        }
        Name { span, kind }
    }

    /// How many nodes were made.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.get()
    }

    /// Where a node stands: every node asks once.
    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        self.nodes.set(self.nodes.get() + 1);
        let span = pair.as_span();
        Span::new(self.id, self.offsets.original(span.start()), self.offsets.original_end(span.end()))
    }
}

/// The next pair, which the grammar guarantees.
fn take<'i>(inner: &mut Pairs<'i, Rule>) -> Pair<'i, Rule> {
    inner.next().expect("the grammar promises it")
}

fn skip_word(pair: Pair<'_, Rule>) -> Pairs<'_, Rule> {
    let mut inner = pair.into_inner();
    inner.next();
    inner
}

fn empty_name(span: Span) -> Diagnostic {
    Diagnostic::new(Code::E0116, span, "this name is empty")
        .label("no characters between the quotes")
        .help("write a name between the quotes: `\"waiting room\"`")
}
