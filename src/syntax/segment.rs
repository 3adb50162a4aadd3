//! Splits a token stream into items and statements before the parser runs.
//!
//! One pass splits a text into [`Piece`]s: runs of whole statements small enough to be parsed at once, and blocks too large for
//! that. A piece is parsed alone, so one syntax error hides no other, and large files are parsed in parallel. What would
//! stop the parser or overflow its stack is diagnosed here: unmatched delimiters, unclosed strings and comments,
//! nesting beyond [`MAX_DEPTH`].
//!
//! A `{` opens a block or a set, depending on the tokens before it; no other part of the grammar is known here.

mod bare;
mod blocks;
mod faults;
mod statement;

use super::recover::DIAGNOSTIC;
use super::token::{Token, TokenKind, tokens};
use crate::diagnostic::Diagnostic;
use crate::resources::{Monitor, Resources, Stop};
use crate::source::{FileId, Span};
use statement::{Head, Statement};
use std::ops::Range;

/// The maximal nesting depth of delimiters, blocks and operator chains together.
///
/// WHY: every stage after this one recurses along the tree, and threads have 2 MiB of stack.
pub(super) const MAX_DEPTH: usize = 128;

/// How many faults of one text are told.
pub(super) const MAX_FAULTS: usize = 10_000;

/// The maximal size of a run of statements, in bytes.
const RUN: u32 = 16 * 1024;

/// A documentation comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DocComment {
    /// The start of the item or statement that it documents.
    pub owner: u32,
    /// The lines, without the slashes and the one space after them.
    pub lines: Vec<(u32, u32)>,
}

#[derive(Debug, Default)]
pub(super) struct Outline {
    pub pieces: Vec<Piece>,
    /// In order of the documented items.
    pub docs: Vec<DocComment>,
    pub faults: Vec<Diagnostic>,
}

/// A range of whole statements.
#[derive(Debug)]
pub(super) struct Piece {
    pub start: u32,
    pub end: u32,
    pub kind: PieceKind,
}

#[derive(Debug)]
pub(super) enum PieceKind {
    /// Consecutive statements.
    Run,
    /// One statement without a block.
    Simple,
    /// One statement with its blocks: several if there is an `else`.
    Blocks(Vec<Segment>),
    /// One statement whose error was reported already.
    Broken,
}

/// `HEAD { BODY }`
#[derive(Debug)]
pub(super) struct Segment {
    /// The text before the brace.
    pub head: Range<u32>,
    /// The text inside the braces.
    pub body: Vec<Piece>,
    /// Whether its braces are missing.
    pub bare: bool,
    /// Whether there is an error before the brace.
    pub head_broken: bool,
    /// Whether there is an error before the brace or inside.
    pub broken: bool,
}

impl Piece {
    fn is_clean(&self) -> bool {
        match &self.kind {
            PieceKind::Run | PieceKind::Simple => true,
            PieceKind::Blocks(segments) => segments.iter().all(|segment| !segment.broken),
            PieceKind::Broken => false,
        }
    }

    /// Whether it can be parsed at once.
    pub(super) fn is_small(&self) -> bool {
        self.end - self.start <= RUN && self.is_clean()
    }
}

/// Splits a whole file. Cost: one pass; two if a block is unclosed.
///
/// # Errors
/// When a limit is reached.
pub(super) fn outline(id: FileId, text: &str, monitor: &mut Monitor<'_>) -> Result<Outline, Stop> {
    let whole = Scope { id, text, range: 0..text.len() as u32, in_block: false };
    let mut splitter = Splitter::new(&whole, true, false).run(monitor)?;
    if splitter.unclosed && !splitter.runaway {
        monitor.release(splitter.held);
        splitter = Splitter::new(&whole, true, true).run(monitor)?;
    }
    Ok(Outline { pieces: splitter.level.pieces, docs: splitter.docs, faults: splitter.faults })
}

/// Cuts a run into single statements; `in_block` tells statements from items. A run is small.
pub(super) fn single(id: FileId, text: &str, range: Range<u32>, in_block: bool) -> Vec<Piece> {
    let unlimited = &mut Resources::default().monitor();
    let scope = Scope { id, text, range, in_block };
    let cut = Splitter::new(&scope, false, false).run(unlimited);
    cut.map(|splitter| splitter.level.pieces).unwrap_or_default()
}

struct Scope<'t> {
    id: FileId,
    text: &'t str,
    range: Range<u32>,
    in_block: bool,
}

#[derive(Default)]
struct Level {
    pieces: Vec<Piece>,
    broken: bool,
}

/// An open block, and the enclosing level.
struct Open {
    outer: Level,
    statement: Statement,
    /// The position of its `{`, or where it should be.
    brace: Span,
    /// Whether the `{` is missing.
    bare: bool,
    /// The indentation of its line.
    indent: u32,
    /// Whether its first statement is indented further, or is on the line of the brace.
    deeper: Option<bool>,
}

struct Splitter<'s> {
    scope: &'s Scope<'s>,
    join: bool,
    /// Whether blocks are unmatched: then the indentation decides.
    distrust: bool,
    level: Level,
    open: Vec<Open>,
    statement: Option<Statement>,
    previous: Option<Token>,
    /// The start of the current line, and whether the current token is the first one of it.
    line: u32,
    first_on_line: bool,
    /// How far the line that starts here is indented.
    indent: (u32, u32),
    /// Up to where the pieces of the file were looked through for what an unmatched `}` closes, and what was found.
    unmatched: (usize, Option<Span>),
    pending_docs: Vec<(u32, u32)>,
    docs: Vec<DocComment>,
    faults: Vec<Diagnostic>,
    unclosed: bool,
    /// The bytes that were counted.
    held: u64,
    /// The bytes of faults that are not counted yet.
    uncounted: u64,
    /// Whether an unclosed comment or deep nesting hides the rest of the file: then missing braces are not reported.
    runaway: bool,
}

/// Whether a text starts with a line comment of another language.
fn is_comment(text: &str) -> bool {
    ["#", "--", "%"].iter().any(|sign| text.starts_with(sign))
}

impl<'s> Splitter<'s> {
    fn new(scope: &'s Scope<'s>, join: bool, distrust: bool) -> Splitter<'s> {
        Splitter {
            scope,
            join,
            distrust,
            level: Level::default(),
            open: Vec::new(),
            statement: None,
            previous: None,
            line: scope.range.start,
            first_on_line: true,
            indent: (u32::MAX, 0),
            unmatched: (0, None),
            pending_docs: Vec::new(),
            docs: Vec::new(),
            faults: Vec::new(),
            unclosed: false,
            held: 0,
            uncounted: 0,
            runaway: false,
        }
    }

    fn run(mut self, monitor: &mut Monitor<'_>) -> Result<Splitter<'s>, Stop> {
        let base = self.scope.range.start;
        let text = &self.scope.text[self.scope.range.start as usize..self.scope.range.end as usize];
        let shifted = move |token: Token| Token { start: token.start + base, end: token.end + base, ..token };
        let mut stream = tokens(text).map(shifted).peekable();
        while let Some(token) = stream.next() {
            self.count(token, monitor)?;
            if token.kind.is_trivia() {
                self.trivia(token);
                continue;
            }
            // WHY here: only the first token of a line asks what follows it.
            let next = self.first_on_line.then(|| stream.clone().find(|token| !token.kind.is_trivia())).flatten();
            self.significant(token, next);
            self.previous = Some(token);
            self.first_on_line = false;
        }
        self.finish();
        Ok(self)
    }

    /// Counts a token, and what the statement that it ends leaves behind.
    fn count(&mut self, token: Token, monitor: &mut Monitor<'_>) -> Result<(), Stop> {
        let kept = match token.kind {
            TokenKind::Semicolon | TokenKind::BraceClose => size_of::<Piece>(),
            TokenKind::BraceOpen => size_of::<Segment>() + size_of::<Open>(),
            TokenKind::DocComment => size_of::<DocComment>() + size_of::<(u32, u32)>(),
            _ => 0,
        };
        let kept = kept as u64 + std::mem::take(&mut self.uncounted);
        self.held += kept;
        monitor.hold(kept)?;
        monitor.spend(1 + u64::from(token.end - token.start) / 64)
    }

    fn trivia(&mut self, token: Token) {
        let written = token.text(self.scope.text);
        match token.kind {
            TokenKind::DocComment if !self.first_on_line => {
                self.report(faults::documents_before(self.span(token)));
            }
            TokenKind::DocComment => {
                let space = written[3..].starts_with(' ') as u32;
                let trailing = (written.len() - written.trim_end().len()) as u32;
                let start = token.start + 3 + space;
                self.pending_docs.push((start, (token.end - trailing).max(start)));
            }
            TokenKind::BlockComment if token.is_unterminated(self.scope.text) => {
                self.runaway = true;
                self.report(faults::unclosed_comment(self.span(token)));
            }
            TokenKind::Whitespace | TokenKind::BlockComment => {
                if let Some(at) = written.rfind('\n') {
                    self.line = token.start + at as u32 + 1;
                    self.first_on_line = true;
                }
            }
            _ => {}
        }
    }

    fn significant(&mut self, token: Token, next: Option<Token>) {
        let Some(mut statement) = self.statement.take() else { return self.between(token, next) };
        if self.begins_body(&mut statement, token) {
            self.open_bare(statement);
            self.between(token, next);
        } else if self.first_on_line && self.cuts(&statement, token, next) || self.begins_item(&statement, token) {
            self.cut(statement);
            self.between(token, next);
        } else {
            self.documents_nothing();
            self.feed(statement, token);
        }
    }

    /// A token outside statements.
    fn between(&mut self, token: Token, next: Option<Token>) {
        match token.kind {
            TokenKind::BraceClose => {
                self.documents_nothing();
                self.close(token);
            }
            TokenKind::Semicolon => {
                self.documents_nothing();
                self.report(faults::needless_semicolon(self.span(token)));
            }
            _ => self.begin(token, next),
        }
    }

    fn begin(&mut self, token: Token, next: Option<Token>) {
        let head = Head::of(token, self.scope.text);
        self.leave_bare_before(token);
        if self.distrust {
            self.close_before(token, head, next);
        }
        self.note_depth(token);
        if head == Head::Else
            && let Some(statement) = self.resume(token)
        {
            self.documents_nothing();
            return self.feed(statement, token);
        }
        self.fold();
        if !self.pending_docs.is_empty() {
            let lines = std::mem::take(&mut self.pending_docs);
            self.docs.push(DocComment { owner: token.start, lines });
        }
        let comment = head == Head::Other && is_comment(&self.scope.text[token.start as usize..]);
        let indent = self.indent(token);
        self.feed(Statement { comment, indent, ..Statement::new(token.start, head) }, token);
    }

    /// An `else` continues the `if` that was just closed.
    fn resume(&mut self, token: Token) -> Option<Statement> {
        let is_if = |segment: &Segment| {
            let head = self.scope.text[segment.head.start as usize..segment.head.end as usize].trim_start();
            let head = head.strip_prefix("else").map_or(head, str::trim_start);
            head.starts_with("if")
        };
        let last = self.level.pieces.last()?;
        match &last.kind {
            // The chain was too deep already: the rest of it goes the same way.
            PieceKind::Broken if self.scope.text[last.start as usize..].starts_with("else") => {
                let start = self.level.pieces.pop()?.start;
                return Some(Statement { broken: true, opaque: true, ..Statement::new(start, Head::Else) });
            }
            PieceKind::Blocks(segments) if segments.last().is_some_and(is_if) => {}
            _ => return None,
        }
        let piece = self.level.pieces.pop()?;
        let PieceKind::Blocks(segments) = piece.kind else { return None };
        let told = segments.last().is_some_and(|segment| segment.bare);
        let indent = self.indent(token);
        Some(Statement { segments, head_start: token.start, told, indent, ..Statement::new(piece.start, Head::Else) })
    }

    /// A token of a statement.
    fn feed(&mut self, mut statement: Statement, token: Token) {
        use TokenKind::*;
        statement.count += 1;
        if statement.count == 2 {
            statement.second = Some(token.kind);
        }
        if statement.comment {
            self.statement = Some(statement);
            return;
        }
        match token.kind {
            Ident if statement.awaits_classes() => {
                statement.has_classes |= token.text(self.scope.text) == "about";
            }
            Ident | Integer | Unknown | Symbol => {}
            Bar if statement.has_classes && statement.delimiters.is_empty() => statement.new_operand(false),
            Equals => {
                statement.has_value = true;
                self.operator(&mut statement, token);
            }
            Semicolon if statement.has_open_brace() && self.separates(token) => {
                self.fault(&mut statement, faults::semicolon_in_set(self.span(token)));
            }
            Semicolon if !statement.opaque => return self.complete(statement, token.end),
            BraceOpen if statement.delimiters.is_empty() && self.opens_block(&statement, token) => {
                return self.open_block(statement, token);
            }
            BraceOpen if !statement.delimiters.is_empty() && self.opens_block_early(&statement) => {
                let open = self.place(statement.delimiters[0].at);
                self.fault(&mut statement, faults::unclosed(open, self.scope.text));
                statement.close_all();
                return self.open_block(statement, token);
            }
            BraceOpen | ParenOpen | BracketOpen => self.delimiter(&mut statement, token),
            BraceClose | ParenClose | BracketClose => return self.closer(statement, token),
            Quoted if token.is_unterminated(self.scope.text) => {
                self.fault(&mut statement, faults::unclosed_string(self.span(token), self.scope.text));
                return self.end(statement, token.end);
            }
            Comma | Arrow => statement.new_operand(token.kind == Arrow),
            Minus | Plus | Star | Slash | Percent | Not | Bar | Ampersand | Backslash | AndAnd | OrOr | Dot
            | EqualsEquals | NotEquals | Less | LessEquals | Greater | GreaterEquals => {
                self.operator(&mut statement, token);
            }
            _ => {}
        }
        self.statement = Some(statement);
    }

    fn operator(&mut self, statement: &mut Statement, token: Token) {
        statement.chain += 1;
        self.limit_depth(statement, token);
    }

    fn delimiter(&mut self, statement: &mut Statement, token: Token) {
        statement.push(token);
        self.limit_depth(statement, token);
    }

    fn limit_depth(&mut self, statement: &mut Statement, token: Token) {
        let depth = self.open.len() + statement.depth();
        if depth > MAX_DEPTH {
            self.runaway = true;
            self.fault(statement, faults::too_deep(self.span(token)));
            statement.opaque |= token.kind == TokenKind::BraceOpen && statement.delimiters.len() == 1;
        }
    }

    fn closer(&mut self, mut statement: Statement, token: Token) {
        match statement.pop(token.kind) {
            Some(skipped) => {
                if let Some(open) = skipped {
                    self.fault(&mut statement, faults::unclosed(self.place(open), self.scope.text));
                }
                if statement.opaque && statement.delimiters.is_empty() {
                    return self.end(statement, token.end);
                }
            }
            None if token.kind == TokenKind::BraceClose && !self.goes_on_after(token) => {
                let end = self.previous.map_or(token.start, |previous| previous.end);
                self.complete(statement, end);
                return self.close(token);
            }
            None => self.fault(&mut statement, faults::unmatched(self.span(token), self.scope.text)),
        }
        self.statement = Some(statement);
    }

    /// The next statement starts although this one has not ended.
    fn cut(&mut self, statement: Statement) {
        let end = self.previous.map_or(statement.start, |previous| previous.end);
        self.complete(statement, end);
    }

    /// Ends a statement and reports its open delimiters.
    fn complete(&mut self, mut statement: Statement, end: u32) {
        if let Some(open) = statement.delimiters.first() {
            let open = self.place(open.at);
            self.fault(&mut statement, faults::unclosed(open, self.scope.text));
        }
        self.end(statement, end);
    }

    fn place(&self, at: u32) -> Span {
        Span::new(self.scope.id, at, at + 1)
    }

    fn end(&mut self, statement: Statement, end: u32) {
        let Statement { start, segments, head_start, broken, .. } = statement;
        if !segments.is_empty() {
            // An `else` without a block: the `if` stands alone.
            self.level.pieces.push(Piece { start, end: head_start, kind: PieceKind::Blocks(segments) });
        }
        self.level.broken |= broken;
        let kind = if broken { PieceKind::Broken } else { PieceKind::Simple };
        self.level.pieces.push(Piece { start: head_start, end: end.max(head_start), kind });
    }

    /// Adds a fault. Whoever reads ten thousand has read enough.
    fn report(&mut self, fault: Diagnostic) {
        if self.faults.len() < MAX_FAULTS {
            self.uncounted += DIAGNOSTIC;
            self.faults.push(fault);
        }
    }

    /// How far the current line is indented.
    fn indent(&mut self, token: Token) -> u32 {
        if self.indent.0 != self.line {
            let line = &self.scope.text[self.line as usize..token.start as usize];
            self.indent = (self.line, (line.len() - line.trim_start().len()) as u32);
        }
        self.indent.1
    }

    /// Reports an error of a statement, once.
    fn fault(&mut self, statement: &mut Statement, fault: Diagnostic) {
        if !statement.broken {
            statement.broken = true;
            self.report(fault);
        }
    }

    fn documents_nothing(&mut self) {
        for (start, end) in std::mem::take(&mut self.pending_docs) {
            self.report(faults::documents_nothing(Span::new(self.scope.id, start, end)));
        }
    }

    /// Appends the last statement to the previous run.
    fn fold(&mut self) {
        if !self.join || self.level.pieces.len() < 2 {
            return;
        }
        let is_item = |piece: &Piece| !self.in_file() || self.is_item(piece);
        let pieces = &self.level.pieces;
        let (run, last) = (&pieces[pieces.len() - 2], &pieces[pieces.len() - 1]);
        let joined = Piece { start: run.start, end: last.end, kind: PieceKind::Run };
        let whole = !matches!(run.kind, PieceKind::Broken) && run.is_clean() && last.is_clean();
        if whole && joined.is_small() && is_item(run) && is_item(last) {
            self.level.pieces.truncate(self.level.pieces.len() - 2);
            self.level.pieces.push(joined);
        }
    }

    fn in_file(&self) -> bool {
        self.open.is_empty() && !self.scope.in_block
    }

    fn is_item(&self, piece: &Piece) -> bool {
        let text = &self.scope.text[piece.start as usize..piece.end as usize];
        ["system", "component", "monitor", "import", "const"].iter().any(|word| text.starts_with(word))
    }

    fn finish(&mut self) {
        let mut end = self.previous.map_or(self.scope.range.start, |token| token.end);
        if let Some(statement) = self.statement.take() {
            self.complete(statement, end);
        }
        self.documents_nothing();
        if self.runaway {
            // What was swallowed belongs to what is open.
            end = self.scope.range.end;
        }
        self.unclosed = self.open.iter().any(|open| !open.bare || open.statement.head.is_item());
        while let Some(open) = self.open.pop() {
            self.level.broken = true;
            if !self.runaway && !open.bare {
                self.report(faults::unclosed(open.brace, self.scope.text));
            }
            self.leave(open, end, false);
        }
        self.fold();
    }

    fn span(&self, token: Token) -> Span {
        Span::new(self.scope.id, token.start, token.end)
    }
}
