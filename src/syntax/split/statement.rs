//! A statement while its tokens come in.

use super::Segment;
use crate::syntax::token::{Token, TokenKind, WordClass, class_of};

/// What the first word of a statement says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    System,
    Component,
    /// `observer`
    Observer,
    For,
    If,
    Else,
    /// `check`, `measure`: words may follow each other.
    Check,
    Compose,
    /// `import`, `const`, `states`, ...
    Declaration,
    /// No word of the language, or one that begins nothing.
    Other,
}

impl Head {
    pub(super) fn of(token: Token, text: &str) -> Head {
        if token.kind != TokenKind::Ident {
            return Head::Other;
        }
        match token.text(text) {
            "system" => Head::System,
            "component" => Head::Component,
            "observer" => Head::Observer,
            "for" => Head::For,
            "if" => Head::If,
            "else" => Head::Else,
            "check" | "measure" => Head::Check,
            "compose" => Head::Compose,
            "import" | "const" | "states" | "events" | "initial" | "observable" | "unobservable" | "anonymous"
            | "secret" => Head::Declaration,
            _ => Head::Other,
        }
    }

    /// Whether it begins an item with a block.
    pub(super) fn is_item(self) -> bool {
        matches!(self, Head::System | Head::Component)
    }

    /// Whether a block follows.
    pub(super) fn has_block(self) -> bool {
        matches!(self, Head::System | Head::Component | Head::Observer | Head::For | Head::If | Head::Else)
    }
}

/// Whether a word begins an item or a statement.
pub(super) fn begins_statement(word: &str) -> bool {
    matches!(word, "for" | "if")
        || matches!(class_of(word), Some(WordClass::Item | WordClass::Set | WordClass::Statement))
}

/// A delimiter that is not closed yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delimiter {
    kind: TokenKind,
    /// Where it stands.
    pub at: u32,
    /// The operators before it, which nest.
    chain: usize,
}

/// What is known of a statement so far.
#[derive(Debug)]
pub(super) struct Statement {
    /// Where it starts.
    pub start: u32,
    /// Where the part after the last block starts.
    pub head_start: u32,
    /// Its first word.
    pub head: Head,
    /// How far its line is indented.
    pub indent: u32,
    /// Its blocks so far.
    pub segments: Vec<Segment>,
    /// How many tokens it has since `head_start`.
    pub count: u32,
    /// Its second token.
    pub second: Option<TokenKind>,
    /// Delimiters that are not closed yet.
    pub delimiters: Vec<Delimiter>,
    /// How many of them there are of each kind: braces, parentheses, brackets.
    pub n_open: [u32; 3],
    /// Operators since the last comma or arrow, with those that lead to the open delimiters.
    pub chain: usize,
    /// Whether there was an arrow.
    pub has_arrow: bool,
    /// Whether there was an `=`.
    pub has_value: bool,
    /// Whether classes of `about` follow, whose bars nest nothing.
    pub has_classes: bool,
    /// Whether it is a comment of another language.
    pub comment: bool,
    /// Whether it was asked where its body begins, though there is no brace.
    pub asked: bool,
    /// Whether missing braces were reported of the `if` that it belongs to.
    pub told: bool,
    /// Whether it was reported.
    pub broken: bool,
    /// Whether it is a block nested too deeply: skipped to its end.
    pub opaque: bool,
}

impl Statement {
    pub(super) fn new(start: u32, head: Head) -> Statement {
        Statement {
            start,
            head_start: start,
            head,
            indent: 0,
            segments: Vec::new(),
            count: 0,
            second: None,
            delimiters: Vec::new(),
            n_open: [0; 3],
            chain: 0,
            has_arrow: false,
            has_value: false,
            has_classes: false,
            comment: false,
            asked: false,
            told: false,
            broken: false,
            opaque: false,
        }
    }

    /// How deep its tree may be at this place.
    pub(super) fn depth(&self) -> usize {
        self.delimiters.len() + self.chain + self.segments.len()
    }

    /// Whether `about` would be a word of a check here, and no name.
    pub(super) fn awaits_classes(&self) -> bool {
        self.head == Head::Check && self.delimiters.is_empty() && !self.has_value
    }

    /// Whether a set is open.
    pub(super) fn has_open_brace(&self) -> bool {
        self.n_open[number(TokenKind::BraceOpen)] > 0
    }

    pub(super) fn push(&mut self, token: Token) {
        self.n_open[number(token.kind)] += 1;
        self.delimiters.push(Delimiter { kind: token.kind, at: token.start, chain: self.chain });
    }

    /// Forgets every delimiter that is open.
    pub(super) fn close_all(&mut self) {
        self.delimiters.clear();
        self.n_open = [0; 3];
    }

    /// Closes a delimiter. Nothing: none of this kind is open. Otherwise the first one that was left open inside it.
    pub(super) fn pop(&mut self, closer: TokenKind) -> Option<Option<u32>> {
        let opener = opener_of(closer);
        // WHY asked first: a text may open a million and close them all by another kind.
        if self.n_open[number(opener)] == 0 {
            return None;
        }
        let mut skipped = None;
        while let Some(open) = self.delimiters.pop() {
            self.n_open[number(open.kind)] -= 1;
            if open.kind == opener {
                self.chain = open.chain;
                return Some(skipped);
            }
            skipped = Some(open.at);
        }
        None
    }

    /// A comma or an arrow: operators before it nest no further.
    pub(super) fn new_operand(&mut self, is_arrow: bool) {
        self.chain = self.delimiters.last().map_or(0, |open| open.chain);
        self.has_arrow |= is_arrow;
    }
}

/// The place of an opening delimiter among the kinds.
fn number(opener: TokenKind) -> usize {
    match opener {
        TokenKind::BraceOpen => 0,
        TokenKind::ParenOpen => 1,
        _ => 2,
    }
}

fn opener_of(closer: TokenKind) -> TokenKind {
    match closer {
        TokenKind::BraceClose => TokenKind::BraceOpen,
        TokenKind::ParenClose => TokenKind::ParenOpen,
        _ => TokenKind::BracketOpen,
    }
}
