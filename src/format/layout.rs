//! Lines, indentation, comments and line breaking.

use super::WIDTH;
use super::spacing::{Form, Role, apart, role};
use crate::syntax::token::{Token, TokenKind, tokens};

const INDENT: usize = 4;

/// The formatter: a cursor in the tokens, and the output so far.
pub(super) struct Layout<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    /// The number of open blocks.
    pub(super) indent: usize,
    out: String,
}

/// A token or a comment of a statement, and its spacing.
struct Word<'t> {
    text: &'t str,
    /// The spaces before it, unless it starts a line.
    spaces: usize,
    /// Whether a line may be broken before it.
    may_break: bool,
    /// Whether it must begin a line.
    must_break: bool,
}

impl<'t> Layout<'t> {
    pub(super) fn new(text: &'t str) -> Layout<'t> {
        Layout { text, tokens: tokens(text).collect(), at: 0, indent: 0, out: String::with_capacity(text.len()) }
    }

    /// Writes the rest of the tokens, and ends the last line.
    pub(super) fn finish(mut self) -> String {
        let first = self.out.is_empty();
        self.comments(self.text.len() as u32, first);
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    /// Starts the line of the next statement, after its comments and a blank line if there was one.
    pub(super) fn lead(&mut self, start: u32, first: bool, force_blank: bool) {
        let written = self.out.len();
        let (first, mut blank) = self.comments_spaced(start, first, force_blank);
        blank |= force_blank && self.out[written..].lines().count() <= 1;
        self.new_line(blank && !first);
    }

    /// Writes comments up to an offset.
    fn comments(&mut self, until: u32, first: bool) {
        self.comments_spaced(until, first, false);
    }

    /// Writes comments up to an offset. Returns whether the block is still empty, and whether a blank line follows.
    fn comments_spaced(&mut self, until: u32, mut first: bool, mut force_blank: bool) -> (bool, bool) {
        let mut newlines = if self.out.is_empty() { 1 } else { 0 };
        while let Some(&token) = self.tokens.get(self.at).filter(|token| token.start < until) {
            self.at += 1;
            if token.kind == TokenKind::Whitespace {
                newlines += token.text(self.text).matches('\n').count();
                continue;
            }
            let written = token.text(self.text).trim_end();
            if newlines == 0 {
                self.out.push_str("  ");
            } else {
                self.new_line((newlines > 1 || force_blank) && !first);
                (first, force_blank) = (false, false);
            }
            self.out.push_str(written);
            newlines = 0;
        }
        (first, newlines > 1)
    }

    fn new_line(&mut self, blank: bool) {
        if !self.out.is_empty() {
            self.out.push_str(if blank { "\n\n" } else { "\n" });
        }
        self.out.extend(std::iter::repeat_n(' ', INDENT * self.indent));
    }

    /// Writes the head of a block and its brace.
    pub(super) fn head(&mut self, form: Form) {
        let rest = &self.tokens[self.at..];
        let open = rest.iter().find(|token| token.kind == TokenKind::BraceOpen).expect("a block has a brace");
        let (start, end) = (open.start, open.end);
        self.statement_text(form, start, 0);
        let _ = self.take_until(end);
        self.out.push_str(if self.ends_with_line_comment() { "\n{" } else { " {" });
    }

    /// Writes the closing brace of a block that ends at an offset.
    pub(super) fn close(&mut self, end: u32) {
        let before = self.out.len();
        self.indent += 1;
        self.comments(end - 1, true);
        self.indent -= 1;
        self.close_brace(before);
        let _ = self.take_until(end);
    }

    /// A brace on its own line, or directly after the opening one if the block is empty.
    fn close_brace(&mut self, before: usize) {
        if self.out.ends_with('{') && self.out.len() == before {
            self.out.push('}');
        } else {
            self.new_line(false);
            self.out.push('}');
        }
    }

    /// Closes the first block of an `if`, and continues with ` else` if there is one before the offset.
    pub(super) fn close_before_else(&mut self, end: u32) -> bool {
        let rest = &self.tokens[self.at..];
        let brace = rest.iter().find(|token| token.kind == TokenKind::BraceClose).expect("a block is closed");
        self.close(brace.end);
        let next = self.tokens[self.at..].iter().find(|token| !token.kind.is_trivia()).copied();
        let Some(word) = next.filter(|next| next.start < end && next.text(self.text) == "else") else { return false };
        let has_comment = self.tokens[self.at..].iter().take_while(|token| token.start < word.start).any(is_comment);
        if has_comment {
            self.comments(word.start, false);
            self.new_line(false);
            self.out.push_str("else");
        } else {
            self.out.push_str(" else");
        }
        let _ = self.take_until(word.end);
        if self.next_is_if() {
            self.out.push(' ');
        }
        true
    }

    pub(super) fn next_is_if(&self) -> bool {
        let next = self.tokens[self.at..].iter().find(|token| !token.kind.is_trivia());
        next.is_some_and(|next| next.text(self.text) == "if")
    }

    fn ends_with_line_comment(&self) -> bool {
        let line = &self.out[self.out.rfind('\n').map_or(0, |at| at + 1)..];
        tokens(line).last().is_some_and(|token| matches!(token.kind, TokenKind::LineComment | TokenKind::DocComment))
    }

    fn take_until(&mut self, end: u32) -> &[Token] {
        let from = self.at;
        self.at += self.tokens[from..].partition_point(|token| token.start < end);
        &self.tokens[from..self.at]
    }

    /// Writes the tokens up to an offset; the operand of a declaration is at column `width`.
    pub(super) fn statement_text(&mut self, form: Form, end: u32, width: usize) {
        let text = self.text;
        let taken: Vec<Token> = self.take_until(end).to_vec();
        let mut words = words(text, form, &taken);
        if let [first, second, ..] = words.as_mut_slice()
            && width > 0
        {
            second.spaces = width.saturating_sub(first.text.len()) + 1;
        }
        let column = INDENT * self.indent + if width > 0 { width + 1 } else { INDENT };
        self.fill(&words, column);
    }

    /// Writes words, wrapped; `column` is the indentation of continuation lines.
    fn fill(&mut self, words: &[Word<'_>], column: usize) {
        let line = self.out.rfind('\n').map_or(0, |at| at + 1);
        let mut at = self.out[line..].chars().count();
        let mut fresh = true;
        for (index, word) in words.iter().enumerate() {
            let group = group_width(&words[index..]);
            let too_long = word.may_break && at + word.spaces + group > WIDTH && !fresh;
            if index > 0 && (word.must_break || too_long) {
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n(' ', column));
                at = column;
            } else if index > 0 {
                self.out.extend(std::iter::repeat_n(' ', word.spaces));
                at += word.spaces;
            }
            self.out.push_str(word.text);
            at = match word.text.rfind('\n') {
                Some(newline) => word.text[newline + 1..].chars().count(),
                None => at + word.text.chars().count(),
            };
            fresh = false;
        }
    }
}

/// The width of the words up to the next possible line break.
fn group_width(words: &[Word<'_>]) -> usize {
    let mut width = words[0].text.chars().count();
    for word in words[1..].iter().take_while(|word| !word.may_break && !word.must_break) {
        width += word.spaces + word.text.chars().count();
    }
    width
}

fn is_comment(token: &Token) -> bool {
    token.kind.is_trivia() && token.kind != TokenKind::Whitespace
}

fn words<'t>(text: &'t str, form: Form, taken: &[Token]) -> Vec<Word<'t>> {
    let mut words = Vec::with_capacity(taken.len());
    let mut previous: Option<(Token, Role)> = None;
    let (mut depth, mut after_line, mut after_newline) = (0usize, false, false);
    for (index, &token) in taken.iter().enumerate() {
        let written = token.text(text);
        if token.kind == TokenKind::Whitespace {
            after_newline |= written.contains('\n');
            continue;
        }
        if is_comment(&token) {
            let own_line = after_newline && !words.is_empty();
            let spaces = if token.kind == TokenKind::BlockComment { 1 } else { 2 };
            words.push(Word { text: written.trim_end(), spaces, may_break: false, must_break: own_line || after_line });
            after_line = token.kind != TokenKind::BlockComment || own_line;
            after_newline = false;
            continue;
        }
        let next = taken[index + 1..].iter().find(|next| !next.kind.is_trivia()).copied();
        let role = role(form, depth, text, previous.map(|(token, _)| token), token, next);
        let after_comment = index > 0
            && taken[..index].iter().rev().find(|token| token.kind != TokenKind::Whitespace).is_some_and(is_comment);
        let spaces = usize::from(after_comment || previous.is_some_and(|previous| apart(previous, (token, role))));
        let may_break = breaks(form, depth, previous, (token, role)) && spaces > 0;
        words.push(Word { text: written, spaces, may_break, must_break: after_line });
        match token.kind {
            TokenKind::ParenOpen | TokenKind::BracketOpen | TokenKind::BraceOpen => depth += 1,
            TokenKind::ParenClose | TokenKind::BracketClose | TokenKind::BraceClose => depth = depth.saturating_sub(1),
            _ => {}
        }
        previous = Some((token, role));
        (after_line, after_newline) = (false, false);
    }
    words
}

/// Whether a line may be broken before a token: after commas, before arrows, between the words of a check.
fn breaks(form: Form, depth: usize, previous: Option<(Token, Role)>, token: (Token, Role)) -> bool {
    let Some((previous, _)) = previous else { return false };
    let arrow = form == Form::Transition && depth == 0 && token.0.kind == TokenKind::Minus;
    let check = matches!(form, Form::Check(_));
    previous.kind == TokenKind::Comma || arrow || check
}
