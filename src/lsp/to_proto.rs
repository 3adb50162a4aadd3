//! From the library's data to the protocol's.

use super::background::Unit;
use super::pages::Pages;
use super::position::Encoding;
use super::uri;
use desc::diagnostic::{self, Severity};
use desc::ide::index::SymbolKind as Kind;
use desc::ide::tokens::{Class, Coloured, Traits};
use desc::ide::verdict::Remark;
use desc::source::{SourceFile, Span};
use desc::syntax::ast::ItemKind;
use desc::verdict::Mark;
use gen_lsp_types::*;
use std::path::Path;

/// The kinds of colours, in the order of their numbers. The first ones are the protocol's own, which every theme knows.
const TYPES: &[&str] = &[
    "comment",
    "keyword",
    "modifier",
    "number",
    "string",
    "operator",
    "enumMember",
    "variable",
    "class",
    "namespace",
    "parameter",
    "state",
    "event",
    "instance",
    "interface",
    "label",
];

/// What else is told of a colour, in the order of the bits.
const MODIFIERS: &[&str] = &["declaration", "documentation", "unobservable", "anonymous", "secret", "readonly"];

/// The names of colours.
pub fn legend() -> SemanticTokensLegend {
    let names = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect();
    SemanticTokensLegend { token_types: names(TYPES), token_modifiers: names(MODIFIERS) }
}

fn type_of(class: Class) -> (&'static str, bool) {
    match class {
        Class::Comment => ("comment", false),
        Class::Keyword => ("keyword", false),
        Class::Choice => ("modifier", false),
        Class::Number => ("number", false),
        Class::Text => ("string", false),
        Class::Operator => ("operator", false),
        Class::Symbol => ("enumMember", false),
        Class::Name(Kind::Constant) => ("variable", true),
        Class::Name(Kind::Component) => ("class", false),
        Class::Name(Kind::System) => ("namespace", false),
        Class::Name(Kind::Parameter | Kind::Index) => ("parameter", false),
        Class::Name(Kind::State) => ("state", false),
        Class::Name(Kind::Event) => ("event", false),
        Class::Name(Kind::Instance) => ("instance", false),
        Class::Name(Kind::Observer) => ("interface", false),
        Class::Name(Kind::Group | Kind::Agent | Kind::Check) => ("label", false),
    }
}

fn bits(traits: Traits, readonly: bool) -> u32 {
    let flags =
        [traits.declaration, traits.documentation, traits.unobservable, traits.anonymous, traits.secret, readonly];
    flags.iter().enumerate().map(|(bit, &set)| u32::from(set) << bit).sum()
}

/// Colours as the protocol's row of numbers: five for each, relative to the one before. A colour does not go past its line.
pub fn colours(file: &SourceFile, coloured: &[Coloured], encoding: Encoding) -> Vec<u32> {
    let mut numbers = Vec::with_capacity(coloured.len() * 5);
    let mut before = Position { line: 0, character: 0 };
    for found in coloured {
        let (name, readonly) = type_of(found.class);
        let kind = TYPES.iter().position(|known| *known == name).unwrap_or(0) as u32;
        for line in lines(file, found.span) {
            let at = encoding.position(file, line.start);
            let same_line = at.line == before.line;
            let delta = if same_line { at.character - before.character } else { at.character };
            let length = encoding.length(file.slice(line));
            numbers.extend([at.line - before.line, delta, length, kind, bits(found.traits, readonly)]);
            before = at;
        }
    }
    numbers
}

/// A span, cut at line ends.
fn lines(file: &SourceFile, span: Span) -> Vec<Span> {
    let mut at = span.start;
    let mut cut = Vec::new();
    for line in file.slice(span).split_inclusive('\n') {
        let length = line.trim_end_matches(['\n', '\r']).len() as u32;
        if length > 0 {
            cut.push(Span::new(span.file, at, at + length));
        }
        at += line.len() as u32;
    }
    cut
}

/// What an entry of the outline is.
pub fn symbol_kind(kind: Kind) -> SymbolKind {
    match kind {
        Kind::Constant => SymbolKind::Constant,
        Kind::Component => SymbolKind::Class,
        Kind::System => SymbolKind::Module,
        Kind::Parameter | Kind::Index => SymbolKind::Variable,
        Kind::State => SymbolKind::EnumMember,
        Kind::Event => SymbolKind::Event,
        Kind::Instance => SymbolKind::Object,
        Kind::Observer => SymbolKind::Interface,
        Kind::Group | Kind::Agent => SymbolKind::Key,
        Kind::Check => SymbolKind::Method,
    }
}

/// What a proposal is.
pub fn completion_kind(kind: Kind) -> CompletionItemKind {
    match kind {
        Kind::Constant => CompletionItemKind::Constant,
        Kind::Component => CompletionItemKind::Class,
        Kind::System => CompletionItemKind::Module,
        Kind::Parameter | Kind::Index => CompletionItemKind::Variable,
        Kind::State => CompletionItemKind::EnumMember,
        Kind::Event => CompletionItemKind::Event,
        Kind::Instance => CompletionItemKind::Field,
        Kind::Observer => CompletionItemKind::Interface,
        Kind::Group | Kind::Agent | Kind::Check => CompletionItemKind::Reference,
    }
}

/// The address of a file of a unit.
fn address(unit: &Unit, name: &str) -> Uri {
    let known = unit.addresses.get(name).cloned();
    known.unwrap_or_else(|| {
        if Path::new(name).is_absolute() { uri::of_path(Path::new(name)) } else { Uri(name.to_owned()) }
    })
}

/// A span of a unit as a location.
fn location(unit: &Unit, span: Span, encoding: Encoding) -> Location {
    let file = unit.sources.get(span.file);
    Location { uri: address(unit, file.name()), range: encoding.range(file, span) }
}

/// The faults of a text, for its own list.
pub fn faults(unit: &Unit, encoding: Encoding, pages: &mut Pages) -> Vec<Diagnostic> {
    unit.diagnostics.iter().map(|fault| self::fault(unit, fault, encoding, pages)).collect()
}

/// A fault; one in an imported file stands at the import, and leads there.
pub fn fault(unit: &Unit, fault: &diagnostic::Diagnostic, encoding: Encoding, pages: &mut Pages) -> Diagnostic {
    let here = fault.primary.span.file == unit.entry;
    let span = if here { fault.primary.span } else { import_of(unit, fault.primary.span) };
    let mut related: Vec<DiagnosticRelatedInformation> = Vec::new();
    let mut message = fault.message.clone();
    if !here {
        message = format!("in `{}`: {message}", short(unit.sources.get(fault.primary.span.file).name()));
        related.push(relate(unit, fault.primary.span, "here", encoding));
    }
    if let Some(help) = &fault.help {
        message = format!("{message}\nhelp: {help}");
    }
    related.extend(fault.secondary.iter().map(|label| relate(unit, label.span, &label.text, encoding)));
    Diagnostic {
        range: encoding.range(unit.sources.get(unit.entry), span),
        severity: Some(match fault.severity {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
        }),
        code: Some(Code::String(fault.code.to_string())),
        code_description: pages.address(fault.code).map(|href| CodeDescription { href }),
        source: Some("desc".to_owned()),
        message: Message::String(message),
        related_information: Some(related).filter(|related| !related.is_empty()),
        ..Diagnostic::default()
    }
}

fn short(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

fn relate(unit: &Unit, span: Span, text: &str, encoding: Encoding) -> DiagnosticRelatedInformation {
    let message = if text.is_empty() { "see also".to_owned() } else { text.to_owned() };
    DiagnosticRelatedInformation { location: location(unit, span, encoding), message }
}

/// The import that brought a file in; the first one if it came by another file.
fn import_of(unit: &Unit, span: Span) -> Span {
    let file = unit.sources.get(unit.entry);
    let wanted = short(unit.sources.get(span.file).name());
    let tree = desc::syntax::parse(unit.entry, file).file;
    let paths: Vec<_> = tree
        .items
        .iter()
        .filter_map(|item| match &item.kind {
            ItemKind::Import(import) => Some(import.path),
            _ => None,
        })
        .collect();
    let direct = paths.iter().find(|path| short(&path.text(file)) == wanted).or(paths.first());
    direct.map_or(Span::new(unit.entry, 0, 0), |path| path.span)
}

/// The checks that did not pass, each with the steps of its witness.
pub fn stories(unit: &Unit, verdicts: &[Remark], encoding: Encoding) -> Vec<Diagnostic> {
    let failed = verdicts.iter().filter(|verdict| verdict.span.file == unit.entry);
    failed.filter_map(|verdict| story(unit, verdict, encoding)).collect()
}

fn story(unit: &Unit, verdict: &Remark, encoding: Encoding) -> Option<Diagnostic> {
    let story = verdict.story.as_ref()?;
    let related = story.steps.iter().map(|(span, text)| relate(unit, *span, text, encoding)).collect::<Vec<_>>();
    Some(Diagnostic {
        range: encoding.range(unit.sources.get(unit.entry), verdict.span),
        severity: Some(DiagnosticSeverity::Error),
        code: Some(Code::String("violated".to_owned())),
        source: Some("desc".to_owned()),
        message: Message::String(story.message.clone()),
        related_information: Some(related).filter(|related| !related.is_empty()),
        ..Diagnostic::default()
    })
}

/// A verdict with its mark.
pub fn marked(verdict: &Remark) -> String {
    let mark = match verdict.mark {
        Mark::Passed => "✓",
        Mark::Failed => "✗",
        Mark::Undecided => "?",
    };
    format!("{mark} {}", verdict.text)
}

/// Markdown, as the protocol wraps it.
pub fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}
