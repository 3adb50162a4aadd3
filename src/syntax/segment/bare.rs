//! Blocks without braces: `for i in 1..3 A -a-> B;`, `for i in 1..3: A -a-> B;`, `system Door` and then its statements.
//!
//! The block is opened where its `{` should be, so that the following statements are inside. The indentation determines where it
//! ends; there may be a `}` or not.

use super::statement::{Head, Statement, begins_statement};
use super::{MAX_DEPTH, Open, Splitter, faults};
use crate::source::Span;
use crate::syntax::token::{Token, TokenKind, tokens};

/// The number of tokens examined to separate the body from the head.
pub(super) const AHEAD: usize = 64;

impl Splitter<'_> {
    /// Whether the body of a statement starts here, without a brace.
    pub(super) fn begins_body(&self, statement: &mut Statement, token: Token) -> bool {
        if !statement.head.has_block() || statement.is_pool() {
            return false;
        }
        let Some(previous) = self.previous else { return false };
        let is_loop = matches!(statement.head, Head::For | Head::If | Head::Else);
        let ends = previous.kind.is_name()
            || previous.kind == TokenKind::ParenClose
            || previous.kind == TokenKind::Colon && is_loop;
        let joins = matches!(
            previous.text(self.scope.text),
            "for" | "in" | "if" | "system" | "component" | "monitor" | "observer"
        );
        let whole = statement.delimiters.is_empty() && !statement.has_arrow && !statement.opaque;
        let too_deep = self.open.len() + statement.segments.len() >= MAX_DEPTH;
        if !whole || too_deep || !ends || !token.kind.is_name() {
            return false;
        }
        let word = token.text(self.scope.text);
        if statement.head == Head::Else && statement.count == 1 {
            return word != "if" && !statement.segments.is_empty();
        }
        if statement.count < 2 || joins || previous.text(self.scope.text) == "else" {
            return false;
        }
        if token.kind == TokenKind::Ident && begins_statement(word) {
            return !(statement.head == Head::For && word == "if");
        }
        if word == "in" {
            return false;
        }
        let named = statement.head.is_item() || statement.head == Head::Observer;
        let may_begin = !named || self.first_on_line;
        may_begin && !std::mem::replace(&mut statement.asked, true) && self.is_transition(token)
    }

    /// Whether an arrow or the end of a statement comes before any block.
    fn is_transition(&self, token: Token) -> bool {
        let rest = &self.scope.text[token.end as usize..self.scope.range.end as usize];
        let mut before = token.kind;
        for token in tokens(rest).filter(|token| !token.kind.is_trivia()).take(AHEAD) {
            match token.kind {
                TokenKind::Arrow | TokenKind::Semicolon => return true,
                TokenKind::BraceOpen => return before == TokenKind::Minus,
                TokenKind::BraceClose => return false,
                kind => before = kind,
            }
        }
        false
    }

    pub(super) fn open_bare(&mut self, statement: Statement) {
        // A colon stands for the brace.
        let place = |previous: Token| if previous.kind == TokenKind::Colon { previous.start } else { previous.end };
        let end = self.previous.map_or(statement.head_start, place);
        let indent = statement.indent;
        let outer = std::mem::take(&mut self.level);
        let brace = Span::new(self.scope.id, end, end);
        self.open.push(Open { outer, statement, brace, bare: true, indent, deeper: None });
    }

    /// A statement starts: one that is not indented further is outside the blocks without braces before it.
    pub(super) fn leave_bare_before(&mut self, token: Token) {
        let column = token.start - self.line;
        while !self.level.pieces.is_empty()
            && self.open.last().is_some_and(|open| {
                open.bare && !open.statement.head.is_item() && !(self.first_on_line && column > open.indent)
            })
        {
            self.leave_bare(token);
        }
    }

    /// At a `}`: leaves the blocks without braces that it does not close.
    pub(super) fn leave_bare_at(&mut self, token: Token) {
        while let [.., outer, open] = &self.open[..]
            && open.bare
        {
            let closes =
                if self.first_on_line { token.start - self.line >= open.indent } else { outer.brace.start < self.line };
            if closes {
                return;
            }
            self.leave_bare(token);
        }
    }

    fn leave_bare(&mut self, token: Token) {
        let end = self.previous.map_or(token.start, |previous| previous.end);
        if let Some(open) = self.open.pop() {
            self.leave(open, end, false);
        }
    }

    /// Reports missing braces, once for an `if` with its `else`.
    pub(super) fn report_bare(&mut self, open: &Open, end: u32, closed: bool) {
        if !open.statement.told {
            let head = &self.scope.text[open.statement.head_start as usize..open.brace.start as usize];
            let end = (!closed).then(|| Span::new(self.scope.id, end, end));
            self.report(faults::bare(head, open.brace, end));
        }
    }

    /// Whether a `}` is at a position where no block can end: `h[1], h[2]}->`.
    pub(super) fn goes_on_after(&self, brace: Token) -> bool {
        use TokenKind::*;
        self.after(brace).is_some_and(|next| matches!(next.kind, Arrow | Comma | Bar | Ampersand | Backslash))
    }

    /// Whether a `;` is between the names of a set: `{A; B} -a-> C`.
    pub(super) fn separates(&self, semicolon: Token) -> bool {
        use TokenKind::*;
        let rest = &self.scope.text[semicolon.end as usize..self.scope.range.end as usize];
        let same_line = |token: &Token| token.kind != Whitespace || !token.text(rest).contains('\n');
        let mut ahead = tokens(rest).take(AHEAD).take_while(same_line).filter(|token| !token.kind.is_trivia());
        let close = ahead.find(|token| matches!(token.kind, BraceOpen | BraceClose | Arrow | Minus));
        close.is_some_and(|close| close.kind == BraceClose)
            && ahead.next().is_some_and(|next| {
                matches!(next.kind, Arrow | Minus | Comma | Semicolon | Bar | Ampersand | Backslash)
            })
    }

    fn after(&self, token: Token) -> Option<Token> {
        let rest = &self.scope.text[token.end as usize..self.scope.range.end as usize];
        tokens(rest).find(|token| !token.kind.is_trivia())
    }
}
