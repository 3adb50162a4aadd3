//! Blocks: which brace opens one, what closes it, and where a statement without `;` ends.

use super::MAX_DEPTH;
use super::bare::AHEAD;
use super::statement::{Head, Statement, begins_statement};
use super::{Level, Open, Piece, PieceKind, Segment, Splitter, faults};
use crate::syntax::token::{Token, TokenKind, WordClass, class_of, tokens};

impl Splitter<'_> {
    /// Whether a brace outside all delimiters opens a block rather than a set.
    pub(super) fn opens_block(&self, statement: &Statement, brace: Token) -> bool {
        let Some(previous) = self.previous else { return false };
        let too_deep = self.open.len() + statement.segments.len() >= MAX_DEPTH;
        if too_deep
            || statement.is_pool()
            || statement.opaque
            || statement.count < 2
            || statement.has_arrow
            || previous.kind == TokenKind::Minus
        {
            return false;
        }
        if statement.head.has_block() {
            // `for i in {1, 2} {`: a set where a range belongs.
            let is_set = statement.head == Head::For && previous.text(self.scope.text) == "in";
            return !is_set
                && !matches!(statement.second, Some(TokenKind::Comma | TokenKind::Bar | TokenKind::Backslash));
        }
        statement.head == Head::Other && self.looks_like_block(statement, previous, brace)
    }

    /// `systm Name {`, `iff i != j {`: the keyword is misspelt, but a block must follow.
    fn looks_like_block(&self, statement: &Statement, previous: Token, brace: Token) -> bool {
        // `transitions { A -a-> B; }`: no set stands after the first word of a statement.
        let names = statement.second.is_some_and(TokenKind::is_name) || statement.count == 2;
        let operand =
            previous.kind.is_name() || matches!(previous.kind, TokenKind::ParenClose | TokenKind::BracketClose);
        if !names || !operand {
            return false;
        }
        let inside = &self.scope.text[brace.end as usize..self.scope.range.end as usize];
        let mut ahead = tokens(inside).map(|token| token.kind);
        let decides =
            |kind: &TokenKind| matches!(kind, TokenKind::Semicolon | TokenKind::BraceOpen | TokenKind::BraceClose);
        match ahead.find(decides) {
            Some(TokenKind::BraceClose) => statement.count == 3,
            found => found.is_some(),
        }
    }

    /// Whether a brace inside parentheses that were not closed opens a block: `component User(i {`.
    pub(super) fn opens_block_early(&self, statement: &Statement) -> bool {
        let named = statement.second.is_some_and(TokenKind::is_name);
        statement.head.has_block() && named && !statement.has_arrow && !statement.has_open_brace()
    }

    pub(super) fn open_block(&mut self, statement: Statement, token: Token) {
        let brace = self.span(token);
        let indent = statement.indent;
        let outer = std::mem::take(&mut self.level);
        self.open.push(Open { outer, statement, brace, bare: false, indent, deeper: None });
    }

    /// A `}` that closes no set.
    pub(super) fn close(&mut self, token: Token) {
        if self.distrust && self.first_on_line {
            self.close_deeper_than(token.start - self.line, token);
        }
        self.leave_bare_at(token);
        match self.open.pop() {
            Some(open) => self.leave(open, token.end, true),
            None => self.unmatched_brace(token),
        }
    }

    /// Leaves a block, which becomes a piece of the enclosing level. `closed`: there was a `}`.
    pub(super) fn leave(&mut self, open: Open, end: u32, closed: bool) {
        self.fold();
        if open.bare {
            self.level.broken = true;
            self.report_bare(&open, end, closed);
        }
        let Open { outer, statement, brace, bare, .. } = open;
        let Level { pieces: body, broken } = std::mem::replace(&mut self.level, outer);
        let Statement { start, mut segments, head_start, broken: head_broken, .. } = statement;
        self.level.broken |= broken | head_broken;
        let broken = broken | head_broken;
        segments.push(Segment { head: head_start..brace.start, body, bare, head_broken, broken });
        self.level.pieces.push(Piece { start, end, kind: PieceKind::Blocks(segments) });
    }

    /// Blocks that are indented further than a `}` are unclosed, if the `}` matches an outer one.
    fn close_deeper_than(&mut self, indent: u32, token: Token) {
        if !self.open.iter().any(|open| open.indent == indent) {
            return;
        }
        while self.open.last().is_some_and(|open| open.indent > indent) {
            self.close_unclosed(token);
        }
    }

    /// A statement after unmatched blocks. `system` inside a block: all open blocks are unclosed. So is a block
    /// whose statements are indented further than this one.
    pub(super) fn close_before(&mut self, token: Token, head: Head, next: Option<Token>) {
        let begins_item = head.is_item() && next.is_some_and(|next| next.kind.is_name());
        let column = token.start - self.line;
        let first = self.first_on_line;
        let is_over = |open: &Open| begins_item || first && open.deeper == Some(true) && column <= open.indent;
        while self.open.last().is_some_and(is_over) {
            self.close_unclosed(token);
        }
    }

    /// Records the indentation of the first statement of a block.
    pub(super) fn note_depth(&mut self, token: Token) {
        let (column, first) = (token.start - self.line, self.first_on_line);
        if let Some(open) = self.open.last_mut() {
            open.deeper.get_or_insert(!first || column > open.indent);
        }
    }

    fn close_unclosed(&mut self, token: Token) {
        if let Some(open) = self.open.pop() {
            if !open.bare {
                self.report(faults::unclosed(open.brace, self.scope.text));
            }
            self.level.broken = true;
            let end = self.previous.map_or(token.start, |previous| previous.end);
            self.leave(open, end, false);
        }
    }

    /// A `}` at the top level. Statements before it are probably there because of an earlier superfluous `}`.
    fn unmatched_brace(&mut self, token: Token) {
        // WHY from there: every such brace would look through the whole file again.
        let (from, mut closed_at) = self.unmatched;
        for at in (from.min(self.level.pieces.len())..self.level.pieces.len()).rev() {
            let piece = &self.level.pieces[at];
            if self.is_item(piece) {
                // An item that was cut off ends with any character, perhaps of several bytes.
                let closes = self.scope.text[..piece.end as usize].ends_with(['}', ';']);
                closed_at = closes.then(|| self.place(piece.end - 1));
                break;
            }
            self.level.pieces[at].kind = PieceKind::Broken;
        }
        self.unmatched = (self.level.pieces.len(), closed_at);
        self.level.broken = true;
        self.report(faults::unmatched_brace(self.span(token), closed_at));
    }

    /// Whether the first token of a line starts a new statement although the last one has no `;`.
    pub(super) fn cuts(&self, statement: &Statement, token: Token, next: Option<Token>) -> bool {
        use TokenKind::*;
        let Some(previous) = self.previous else { return false };
        let text = self.scope.text;
        if statement.comment {
            return true;
        }
        let ends_operand =
            previous.kind.is_name() || matches!(previous.kind, ParenClose | BracketClose | BraceClose | Symbol);
        // `A -a-> B.` and then another transition: the dot was meant to end it.
        if matches!(previous.kind, Dot | Colon) && statement.delimiters.is_empty() && statement.head == Head::Other {
            return statement.has_arrow && token.kind.is_name();
        }
        if !ends_operand || !token.kind.is_name() || statement.opaque || previous.text(text) == "as" {
            return false;
        }
        let word = token.text(text);
        let next_is_name = next.is_some_and(|next| next.kind.is_name() || next.kind == BraceOpen);
        let begins = token.kind == Ident && begins_statement(word);
        if !statement.delimiters.is_empty() || statement.count == 1 && statement.head != Head::Other {
            return begins && next_is_name && !self.belongs(statement, token, next);
        }
        if begins {
            return !self.belongs(statement, token, next);
        }
        match statement.head {
            Head::Declaration => true,
            Head::Observer => statement.is_pool(),
            Head::Other => statement.has_arrow,
            _ => false,
        }
    }

    /// `const N = 3 system S {`: an item starts on the line of another one without `;`.
    pub(super) fn begins_item(&self, statement: &Statement, token: Token) -> bool {
        let ended = |previous: Token| {
            let ends = previous.kind.is_name() || previous.kind == TokenKind::ParenClose;
            ends && !matches!(previous.text(self.scope.text), "const" | "import" | "as")
        };
        statement.head == Head::Declaration
            && self.in_file()
            && statement.count > 1
            && statement.delimiters.is_empty()
            && token.kind == TokenKind::Ident
            && class_of(token.text(self.scope.text)) == Some(WordClass::Item)
            && self.previous.is_some_and(ended)
    }

    /// Whether a word that can start a statement continues this one.
    fn belongs(&self, statement: &Statement, token: Token, next: Option<Token>) -> bool {
        let word = token.text(self.scope.text);
        match statement.head {
            Head::Check => word == "initial" && next.is_some_and(|next| next.kind == TokenKind::Minus),
            Head::For => word == "if",
            Head::Else => statement.count == 1 && word == "if",
            Head::Compose => matches!(word, "if" | "for"),
            Head::Declaration => matches!(word, "if" | "for") && self.trails(token),
            _ => false,
        }
    }

    /// Whether a `for` or `if` ends a declaration, rather than beginning a block: a `;` comes before any brace.
    fn trails(&self, word: Token) -> bool {
        use TokenKind::{BraceClose, BraceOpen, Semicolon};
        let rest = &self.scope.text[word.end as usize..self.scope.range.end as usize];
        let ends = tokens(rest).take(AHEAD).find(|token| matches!(token.kind, Semicolon | BraceOpen | BraceClose));
        ends.is_some_and(|token| token.kind == Semicolon)
    }
}
