//! Tokens and trees as text, for `desc dump` and the snapshots.
//!
//! One line per token or statement, with its position. Sets and expressions are printed with every parenthesis of the tree:
//! `(a | b)` is a union, `((a))` a set in parentheses, `[a, b]` a list without braces.

mod checks;
mod levers;

use super::ast::*;
use super::token::tokens;
use crate::resources::{CountedText, Resources, Stop};
use crate::source::{SourceFile, Span};
use std::fmt::{self, Write as _};

/// One token per line: position, kind, text.
///
/// # Errors
/// When a limit is reached.
pub fn dump_tokens(text: &str, resources: Resources<'_>) -> Result<String, Stop> {
    let mut out = CountedText::new(resources);
    let written = tokens(text).try_for_each(|token| {
        let place = format!("{}..{}", token.start, token.end);
        writeln!(out, "{place:<10} {:<14} {:?}", format!("{:?}", token.kind), token.text(text))
    });
    out.finish(written)
}

/// The tree of a file, with the positions of items and statements.
///
/// # Errors
/// When a limit is reached.
pub fn dump_ast(tree: &File, file: &SourceFile, resources: Resources<'_>) -> Result<String, Stop> {
    write_tree(tree, file, true, resources)
}

/// Whether two trees are equal except for positions.
pub fn same_tree(left: &File, left_file: &SourceFile, right: &File, right_file: &SourceFile) -> bool {
    let text = |tree: &File, file: &SourceFile| write_tree(tree, file, false, Resources::default());
    text(left, left_file) == text(right, right_file)
}

fn write_tree(tree: &File, file: &SourceFile, places: bool, resources: Resources<'_>) -> Result<String, Stop> {
    let mut dump = Dump { file, places, depth: 0, out: CountedText::new(resources), written: Ok(()) };
    for item in &tree.items {
        dump.item(item);
    }
    dump.out.finish(dump.written)
}

struct Dump<'a> {
    file: &'a SourceFile,
    places: bool,
    depth: usize,
    out: CountedText<'a>,
    /// Whether everything was written so far; once it was not, nothing more is.
    written: fmt::Result,
}

impl Dump<'_> {
    fn item(&mut self, item: &Item) {
        let line = match &item.kind {
            ItemKind::Import(import) => self.import(import),
            ItemKind::Const(constant) => {
                format!("const {} = {}", self.name(constant.name), self.expr(&constant.value))
            }
            ItemKind::Component(component) => self.component(component),
            ItemKind::System(system) => format!("system {}", self.name(system.name)),
            ItemKind::Error => "error".to_owned(),
        };
        self.line(item.span, &item.docs, &line);
        match &item.kind {
            ItemKind::Component(component) => self.body(&component.body),
            ItemKind::System(system) => self.body(&system.body),
            _ => {}
        }
    }

    fn import(&self, import: &Import) -> String {
        let alias = import.alias.map_or(String::new(), |alias| format!(" as {}", self.name(alias)));
        format!("import {}{alias}", self.name(import.path))
    }

    fn component(&self, component: &Component) -> String {
        let params: Vec<String> = component.params.iter().map(|&param| self.name(param)).collect();
        let word = if component.is_monitor { "monitor" } else { "component" };
        format!("{word} {}({})", self.name(component.name), params.join(", "))
    }

    fn body(&mut self, body: &[Stmt]) {
        self.depth += 1;
        for statement in body {
            if self.written.is_ok() {
                self.statement(statement);
            }
        }
        self.depth -= 1;
    }

    fn statement(&mut self, statement: &Stmt) {
        let line = self.statement_line(&statement.kind);
        self.line(statement.span, &statement.docs, &line);
        match &statement.kind {
            StmtKind::For(for_loop) => self.body(&for_loop.body),
            StmtKind::Observer(observer) => self.body(&observer.body),
            StmtKind::If(condition) => {
                self.body(&condition.then);
                if !condition.otherwise.is_empty() {
                    self.indented("else");
                    self.body(&condition.otherwise);
                }
            }
            _ => {}
        }
    }

    fn statement_line(&self, kind: &StmtKind) -> String {
        match kind {
            StmtKind::States(names) => format!("states {}", self.refs(names)),
            StmtKind::Events(names) => format!("events {}", self.refs(names)),
            StmtKind::Initial(set) => format!("initial {}", self.set(set)),
            StmtKind::Observable(set) => format!("observable {}", self.set(set)),
            StmtKind::Unobservable(set) => format!("unobservable {}", self.set(set)),
            StmtKind::Anonymous(group) => {
                let named = |word: &str, name: &Option<Ref>| {
                    name.as_ref().map_or(String::new(), |name| format!(" {word} {}", self.reference(name)))
                };
                let (label, agent) = (named("as", &group.label), named("by", &group.agent));
                format!("anonymous {}{label}{agent}", self.set(&group.set))
            }
            StmtKind::Secret(set) => format!("secret {}", self.set(set)),
            StmtKind::Final(set) => format!("final {}", self.set(set)),
            StmtKind::Transition(chain) => self.chain(chain),
            StmtKind::For(for_loop) => {
                let head = self.for_head(&for_loop.binders, for_loop.guard.as_ref());
                if for_loop.trails { format!("over {head}") } else { head }
            }
            StmtKind::If(condition) => format!("if {}", self.expr(&condition.condition)),
            StmtKind::Compose(parts) => self.compose(parts),
            StmtKind::Observer(observer) => self.observer(observer),
            StmtKind::Check(check) => self.check(check),
            StmtKind::Measure(measure) => self.measure(measure),
            StmtKind::Lever(lever) => self.lever(lever),
            StmtKind::Error => "error".to_owned(),
        }
    }

    fn observer(&self, observer: &Observer) -> String {
        let pooled: Vec<String> = observer.pooled.iter().map(|&name| self.name(name)).collect();
        let pooled = if pooled.is_empty() { String::new() } else { format!(" = {}", pooled.join(" + ")) };
        format!("observer {}{pooled}", self.name(observer.name))
    }

    fn chain(&self, chain: &Chain) -> String {
        let mut line = format!("transition {}", self.set(chain.first()));
        for step in chain.steps() {
            let _ = write!(line, " -{}-> {}", self.set(step.events), self.set(step.target));
        }
        line
    }

    fn for_head(&self, binders: &[Binder], guard: Option<&Expr>) -> String {
        let binder = |binder: &Binder| {
            format!("{} in {}..{}", self.name(binder.name), self.expr(&binder.low), self.expr(&binder.high))
        };
        let binders: Vec<String> = binders.iter().map(binder).collect();
        let guard = guard.map_or(String::new(), |guard| format!(" if {}", self.expr(guard)));
        format!("for {}{guard}", binders.join(", "))
    }

    fn compose(&self, parts: &[Part]) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.part(part)).collect();
        format!("compose {}", parts.join(", "))
    }

    fn part(&self, part: &Part) -> String {
        let arguments: Vec<String> = part.arguments.iter().map(|value| self.expr(value)).collect();
        let instance =
            format!("{} = {}({})", self.reference(&part.name), self.name(part.component), arguments.join(", "));
        if part.binders.is_empty() {
            return instance;
        }
        format!("{instance} {}", self.for_head(&part.binders, part.guard.as_ref()))
    }

    fn set(&self, set: &SetExpr) -> String {
        let all = |items: &[SetExpr]| items.iter().map(|item| self.set(item)).collect::<Vec<_>>().join(", ");
        match set {
            SetExpr::Ref(reference) => self.reference(reference),
            SetExpr::Builtin(word) => format!("<{}>", format!("{:?}", word.value).to_lowercase()),
            SetExpr::Braces(list) => format!("{{{}}}", all(&list.items)),
            SetExpr::List(list) => format!("[{}]", all(&list.items)),
            SetExpr::Paren(paren) => format!("({})", self.set(&paren.inner)),
            SetExpr::Binary(binary) => {
                let op = match binary.op {
                    SetOp::Union => '|',
                    SetOp::Intersection => '&',
                    SetOp::Difference => '\\',
                };
                format!("({} {op} {})", self.set(&binary.left), self.set(&binary.right))
            }
        }
    }

    fn refs(&self, names: &[Ref]) -> String {
        names.iter().map(|name| self.reference(name)).collect::<Vec<_>>().join(", ")
    }

    fn reference(&self, reference: &Ref) -> String {
        let indices: Vec<String> = reference.indices().iter().map(|index| self.index(index)).collect();
        let indices = if indices.is_empty() { String::new() } else { format!("[{}]", indices.join(", ")) };
        let member = reference.member().map_or(String::new(), |member| format!(".{}", self.reference(member)));
        format!("{}{indices}{member}", self.name(reference.name))
    }

    fn index(&self, index: &Index) -> String {
        match index {
            Index::One(value) => self.expr(value),
            Index::Range(ends) => format!("{}..{}", self.expr(&ends.0), self.expr(&ends.1)),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Integer(span) => self.file.slice(*span).to_owned(),
            Expr::Name(name) => self.name(*name),
            Expr::Unary(op, inner, _) => {
                format!("({}{})", if *op == UnaryOp::Negate { '-' } else { '!' }, self.expr(inner))
            }
            Expr::Paren(inner, _) => format!("({})", self.expr(inner)),
            Expr::Binary(binary) => {
                format!("({} {} {})", self.expr(&binary.left), operator(binary.op), self.expr(&binary.right))
            }
        }
    }

    fn name(&self, name: Name) -> String {
        let text = name.text(self.file);
        if name.kind == NameKind::Quoted { format!("{text:?}") } else { text.into_owned() }
    }

    fn line(&mut self, span: Span, docs: &Docs, line: &str) {
        for doc in docs.iter().flat_map(|docs| docs.lines.iter()) {
            let text = format!("doc {:?}", self.file.slice(*doc));
            self.indented(&text);
        }
        if self.places {
            self.indented(&format!("{line}  @{}..{}", span.start, span.end));
        } else {
            self.indented(line);
        }
    }

    fn indented(&mut self, line: &str) {
        if self.written.is_ok() {
            self.written = writeln!(self.out, "{:width$}{line}", "", width = 2 * self.depth);
        }
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    }
}
