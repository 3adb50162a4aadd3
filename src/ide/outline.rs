//! The outline of a file.

use super::Document;
use super::index::SymbolKind;
use crate::source::Span;
use crate::syntax::ast::*;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name; of a check without a name, its text.
    pub name: String,
    /// Details: `of 3 parameters`, the value of a constant.
    pub detail: Option<String>,
    pub kind: SymbolKind,
    /// The whole item.
    pub span: Span,
    /// Its name.
    pub name_span: Span,
    pub children: Vec<Entry>,
}

pub fn outline(document: &Document) -> Vec<Entry> {
    let tree = document.tree();
    tree.items.iter().filter_map(|item| self::item(document, item)).collect()
}

fn item(document: &Document, item: &Item) -> Option<Entry> {
    let entry = |name: Name, kind, detail, children| Entry {
        name: name.text(document.file()).into_owned(),
        detail,
        kind,
        span: item.span,
        name_span: name.span,
        children,
    };
    Some(match &item.kind {
        ItemKind::Import(import) => {
            entry(import.alias?, SymbolKind::Component, Some(slice(document, import.path.span)), Vec::new())
        }
        ItemKind::Const(constant) => {
            entry(constant.name, SymbolKind::Constant, Some(slice(document, constant.value.span())), Vec::new())
        }
        ItemKind::Component(component) => {
            let params: Vec<_> = component.params.iter().map(|param| param.text(document.file())).collect();
            let detail = (!params.is_empty()).then(|| format!("({})", params.join(", ")));
            entry(component.name, SymbolKind::Component, detail, body(document, &component.body))
        }
        ItemKind::System(system) => entry(system.name, SymbolKind::System, None, body(document, &system.body)),
        ItemKind::Error => return None,
    })
}

fn slice(document: &Document, span: Span) -> String {
    document.sources.slice(span).to_owned()
}

fn body(document: &Document, body: &[Stmt]) -> Vec<Entry> {
    body.iter().flat_map(|statement| self::statement(document, statement)).collect()
}

fn statement(document: &Document, statement: &Stmt) -> Vec<Entry> {
    let declared = |names: &[Ref], kind| {
        let leaf = |reference: &Ref| leaf(document, reference.name, kind, reference.span());
        names.iter().map(leaf).collect::<Vec<_>>()
    };
    match &statement.kind {
        StmtKind::States(names) => declared(names, SymbolKind::State),
        StmtKind::Events(names) => declared(names, SymbolKind::Event),
        StmtKind::Compose(parts) => {
            parts.iter().map(|part| leaf(document, part.name.name, SymbolKind::Instance, part.span)).collect()
        }
        StmtKind::Observer(observer) => {
            let mut entry = leaf(document, observer.name, SymbolKind::Observer, statement.span);
            entry.children = body(document, &observer.body);
            vec![entry]
        }
        StmtKind::Check(check) => vec![question(document, statement, check.name)],
        StmtKind::Measure(measure) => vec![question(document, statement, measure.name)],
        StmtKind::For(repeated) => body(document, &repeated.body),
        StmtKind::If(condition) => {
            let mut entries = body(document, &condition.then);
            entries.extend(body(document, &condition.otherwise));
            entries
        }
        _ => Vec::new(),
    }
}

fn leaf(document: &Document, name: Name, kind: SymbolKind, span: Span) -> Entry {
    Entry {
        name: document.sources.slice(if span.end > name.span.end { span } else { name.span }).to_owned(),
        detail: None,
        kind,
        span,
        name_span: name.span,
        children: Vec::new(),
    }
    .tidy(name.text(document.file()).as_ref())
}

impl Entry {
    fn tidy(mut self, name: &str) -> Entry {
        let is_family = matches!(self.kind, SymbolKind::State | SymbolKind::Event) && !self.name.contains('\n');
        if !is_family {
            self.name = name.to_owned();
        }
        self
    }
}

fn question(document: &Document, statement: &Stmt, name: Option<Name>) -> Entry {
    let written = slice(document, statement.span);
    let text = written.trim_end_matches(';').split_whitespace().collect::<Vec<_>>().join(" ");
    Entry {
        name: name.map_or_else(|| text.clone(), |name| name.text(document.file()).into_owned()),
        detail: name.map(|_| text),
        kind: SymbolKind::Check,
        span: statement.span,
        name_span: name.map_or(statement.span, |name| name.span),
        children: Vec::new(),
    }
}
