//! From pieces to nodes: each piece is parsed alone, and one that does not parse is split further.
//!
//! A run of statements that fails is split into single ones; a block that fails is split into its head and its body; a
//! statement that fails is passed to [`corrections`](super::corrections). So one error affects one statement.

use super::ast::*;
use super::corrections::{self, Place};
use super::grammar::{self, Rule};
use super::lower::Lower;
use super::patch::{Offsets, Patch};
use super::segment::{self, DocComment, Piece, PieceKind, Segment};
use crate::diagnostic::Diagnostic;
use crate::parallel;
use crate::resources::{SharedMonitor, Stop};
use crate::source::{FileId, Span};
use pest::iterators::{Pair, Pairs};
use std::ops::Range;

/// The size above which pieces are parsed in parallel, in bytes.
const PARALLEL: u32 = 1024 * 1024;

/// What the parser takes for each byte of a text while it parses: two entries for each token.
const PARSING: u64 = 192;

/// What a node of the tree takes: a statement, a set, a name or an expression, with what it is kept in.
const NODE: u64 = 56;

/// What a diagnostic takes.
pub(super) const DIAGNOSTIC: u64 = 640;

#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub id: FileId,
    pub text: &'a str,
    pub docs: &'a [DocComment],
    /// Counts what is done; once it has stopped, no piece is parsed, and the tree is of no use.
    pub monitor: &'a SharedMonitor<'a>,
}

impl<'a> Context<'a> {
    fn slice(self, range: Range<u32>) -> &'a str {
        &self.text[range.start as usize..range.end as usize]
    }

    fn span(self, range: Range<u32>) -> Span {
        Span::new(self.id, range.start, range.end)
    }

    /// Pays for parsing a piece, in advance.
    fn begin(self, range: &Range<u32>) -> Result<(), Stop> {
        let bytes = u64::from(range.end - range.start);
        self.monitor.can_hold(bytes * PARSING)?;
        self.monitor.spend(1 + bytes / 4, 0)
    }

    /// Counts what parsing a piece gave.
    fn keep(self, lower: &Lower<'_>, diagnostics: usize) {
        let bytes = lower.nodes() * NODE + diagnostics as u64 * DIAGNOSTIC;
        // WHY ignored: who parses the next piece is told.
        let _ = self.monitor.spend(lower.nodes(), bytes);
    }
}

/// Nodes and the diagnostics of their text.
pub(super) struct Nodes<N> {
    pub nodes: Vec<N>,
    pub diagnostics: Vec<Diagnostic>,
}

impl<N> Nodes<N> {
    fn only(node: N, diagnostics: Vec<Diagnostic>) -> Nodes<N> {
        Nodes { nodes: vec![node], diagnostics }
    }
}

/// The node type of a level: items in a file, statements in a block.
pub(super) trait Level: Sized + Send {
    const PLACE: Place;
    /// The grammar rule for a sequence of nodes.
    const RULE: Rule;

    fn lower(lower: &mut Lower<'_>, pairs: Pairs<'_, Rule>) -> Vec<Self>;

    /// The node for text with an error.
    fn broken(span: Span) -> Self;

    /// `HEAD { BODY }`; `None` if the head is not allowed at this level.
    fn block(lower: &mut Lower<'_>, span: Span, head: Pair<'_, Rule>, blocks: Blocks) -> Option<Self>;
}

/// The bodies of a statement: the first block, and the `else` part.
pub(super) struct Blocks {
    body: Vec<Stmt>,
    otherwise: Vec<Stmt>,
}

impl Level for Item {
    const PLACE: Place = Place::File;
    const RULE: Rule = Rule::file;

    fn lower(lower: &mut Lower<'_>, pairs: Pairs<'_, Rule>) -> Vec<Item> {
        lower.items(pairs)
    }

    fn broken(span: Span) -> Item {
        Item { span, docs: None, kind: ItemKind::Error }
    }

    fn block(lower: &mut Lower<'_>, span: Span, head: Pair<'_, Rule>, blocks: Blocks) -> Option<Item> {
        let body = blocks.body;
        let kind = match head.as_rule() {
            Rule::system_head => ItemKind::System(System { name: lower.named_head(head), body }),
            Rule::component_head => ItemKind::Component(lower.component_head(head, body)),
            _ => return None,
        };
        Some(Item { span, docs: lower.docs_at(span), kind })
    }
}

impl Level for Stmt {
    const PLACE: Place = Place::Block;
    const RULE: Rule = Rule::body;

    fn lower(lower: &mut Lower<'_>, pairs: Pairs<'_, Rule>) -> Vec<Stmt> {
        lower.statements(pairs)
    }

    fn broken(span: Span) -> Stmt {
        Stmt { span, docs: None, kind: StmtKind::Error }
    }

    fn block(lower: &mut Lower<'_>, span: Span, head: Pair<'_, Rule>, blocks: Blocks) -> Option<Stmt> {
        let Blocks { body, otherwise } = blocks;
        let kind = match head.as_rule() {
            Rule::observer_head => {
                let name = lower.named_head(head);
                StmtKind::Observer(Box::new(Observer { name, body, pooled: Vec::new() }))
            }
            Rule::for_head => {
                let (binders, guard) = lower.for_head(head);
                StmtKind::For(Box::new(For { binders, guard, body, trails: false }))
            }
            Rule::if_head => {
                let condition = lower.if_head(head);
                StmtKind::If(Box::new(If { condition, then: body, otherwise }))
            }
            _ => return None,
        };
        Some(Stmt { span, docs: lower.docs_at(span), kind })
    }
}

/// The nodes of a level. Large pieces are parsed in parallel, in the thread pool of the caller.
pub(super) fn pieces<N: Level>(context: Context<'_>, pieces: &[Piece]) -> Nodes<N> {
    let bytes: u32 = pieces.iter().map(|piece| piece.end - piece.start).sum();
    let parts: Vec<Nodes<N>> = if bytes >= PARALLEL && pieces.len() > 1 {
        parallel::map(pieces, |part| piece(context, part))
    } else {
        pieces.iter().map(|part| piece(context, part)).collect()
    };
    join(parts)
}

fn join<N>(parts: Vec<Nodes<N>>) -> Nodes<N> {
    let mut all = Nodes { nodes: Vec::new(), diagnostics: Vec::new() };
    all.nodes.reserve_exact(parts.iter().map(|part| part.nodes.len()).sum());
    for part in parts {
        all.nodes.extend(part.nodes);
        all.diagnostics.extend(part.diagnostics);
    }
    all
}

fn piece<N: Level>(context: Context<'_>, piece: &Piece) -> Nodes<N> {
    let range = piece.start..piece.end;
    if context.begin(&range).is_err() {
        return Nodes { nodes: Vec::new(), diagnostics: Vec::new() };
    }
    if piece.is_small()
        && let Some(nodes) = whole(context, range.clone())
    {
        return nodes;
    }
    match &piece.kind {
        PieceKind::Broken => Nodes::only(N::broken(context.span(range)), Vec::new()),
        PieceKind::Run => {
            let singles = segment::single(context.id, context.text, range, N::PLACE == Place::Block);
            pieces(context, &singles)
        }
        PieceKind::Simple => statement(context, range),
        PieceKind::Blocks(segments) => blocks(context, range, segments),
    }
}

/// Parses a piece at once.
fn whole<N: Level>(context: Context<'_>, range: Range<u32>) -> Option<Nodes<N>> {
    let pairs = grammar::parse(N::RULE, context.slice(range.clone())).ok()?;
    let mut lower = Lower::new(context.id, Offsets::Plus(range.start), context.docs);
    let nodes = N::lower(&mut lower, pairs);
    context.keep(&lower, lower.diagnostics.len());
    Some(Nodes { nodes, diagnostics: lower.diagnostics })
}

/// Parses a statement, and corrects it if necessary.
fn statement<N: Level>(context: Context<'_>, range: Range<u32>) -> Nodes<N> {
    let patch = Patch::new(range.start, context.slice(range.clone()));
    let corrected = corrections::correct(context, N::RULE, N::PLACE, patch);
    let mut diagnostics = corrected.diagnostics;
    let mut nodes = Vec::new();
    if let Ok(pairs) = grammar::parse(N::RULE, corrected.patch.text()) {
        let mut lower = Lower::new(context.id, Offsets::Patched(&corrected.patch), context.docs);
        nodes = N::lower(&mut lower, pairs);
        context.keep(&lower, diagnostics.len() + lower.diagnostics.len());
        diagnostics.append(&mut lower.diagnostics);
    }
    if corrected.broken {
        nodes.push(N::broken(context.span(range)));
    }
    Nodes { nodes, diagnostics }
}

/// Parses the blocks of a statement from the last to the first, since each is the `else` of the previous one.
fn blocks<N: Level>(context: Context<'_>, range: Range<u32>, segments: &[Segment]) -> Nodes<N> {
    let (first, rest) = segments.split_first().expect("a block has a segment");
    let (otherwise, mut later) = alternatives(context, range.end, rest);
    let mut head = heading::<N>(context, first);
    let body = pieces::<Stmt>(context, &first.body);
    let mut diagnostics = std::mem::take(&mut head.diagnostics);
    if !diagnostics.iter().any(|found| corrections::ideas::is_idea(found.code)) {
        diagnostics.extend(body.diagnostics);
    }
    diagnostics.append(&mut later);
    let span = context.span(range);
    let node = head.build(context, span, Blocks { body: body.nodes, otherwise }, &mut diagnostics);
    Nodes::only(node.unwrap_or_else(|| N::broken(span)), diagnostics)
}

fn alternatives(context: Context<'_>, end: u32, segments: &[Segment]) -> (Vec<Stmt>, Vec<Diagnostic>) {
    let (mut otherwise, mut diagnostics) = (Vec::new(), Vec::new());
    for segment in segments.iter().rev() {
        let body = pieces::<Stmt>(context, &segment.body);
        let mut found = Vec::new();
        let start = segment.head.start + "else".len() as u32;
        let condition = context.slice(start..segment.head.end);
        if condition.trim().is_empty() {
            otherwise = body.nodes;
        } else {
            let start = start + (condition.len() - condition.trim_start().len()) as u32;
            let mut head =
                heading::<Stmt>(context, &Segment { head: start..segment.head.end, body: Vec::new(), ..*segment });
            found = std::mem::take(&mut head.diagnostics);
            let span = context.span(start..end);
            let node = head.build(context, span, Blocks { body: body.nodes, otherwise }, &mut found);
            otherwise = vec![node.unwrap_or_else(|| Stmt::broken(span))];
        }
        found.extend(body.diagnostics);
        diagnostics.splice(0..0, found);
    }
    (otherwise, diagnostics)
}

/// The head of a block, corrected if necessary.
struct Heading<'t> {
    patch: Patch<'t>,
    broken: bool,
    diagnostics: Vec<Diagnostic>,
}

fn heading<'t, N: Level>(context: Context<'t>, segment: &Segment) -> Heading<'t> {
    let range = segment.head.clone();
    let written = context.slice(range.clone()).trim_end();
    if segment.head_broken {
        return Heading { patch: Patch::new(range.start, written), broken: true, diagnostics: Vec::new() };
    }
    let corrected = corrections::correct(context, Rule::heading, N::PLACE, Patch::new(range.start, written));
    Heading { patch: corrected.patch, broken: corrected.broken, diagnostics: corrected.diagnostics }
}

impl Heading<'_> {
    fn build<N: Level>(
        &self,
        context: Context<'_>,
        span: Span,
        blocks: Blocks,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<N> {
        if self.broken {
            return None;
        }
        let head = grammar::parse(Rule::heading, self.patch.text()).ok()?.next()?;
        let mut lower = Lower::new(context.id, Offsets::Patched(&self.patch), context.docs);
        let node = N::block(&mut lower, span, head, blocks);
        diagnostics.append(&mut lower.diagnostics);
        node
    }
}
