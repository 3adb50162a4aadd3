//! The state of the splitter within a statement.

use super::Segment;
use crate::syntax::token::{Token, TokenKind, WordClass, class_of};

/// The kind of a statement, by its first word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    System,
    Component,
    /// `observer`
    Observer,
    For,
    If,
    Else,
    /// `check`, `measure`: consecutive words are allowed.
    Check,
    Compose,
    /// `import`, `const`, `states`, ...
    Declaration,
    /// Not a keyword, or one that starts no statement.
    Other,
}

impl Head {
    pub(super) fn of(token: Token, text: &str) -> Head {
        if token.kind != TokenKind::Ident {
            return Head::Other;
        }
        match token.text(text) {
            "system" => Head::System,
            "component" | "monitor" => Head::Component,
            "observer" => Head::Observer,
            "for" => Head::For,
            "if" => Head::If,
            "else" => Head::Else,
            "check" | "measure" => Head::Check,
            "compose" => Head::Compose,
            "import" | "const" | "states" | "events" | "initial" | "observable" | "unobservable" | "anonymous"
            | "secret" | "final" | "may" | "must" => Head::Declaration,
            _ => Head::Other,
        }
    }

    pub(super) fn is_item(self) -> bool {
        matches!(self, Head::System | Head::Component)
    }

    pub(super) fn has_block(self) -> bool {
        matches!(self, Head::System | Head::Component | Head::Observer | Head::For | Head::If | Head::Else)
    }
}

pub(super) fn begins_statement(word: &str) -> bool {
    matches!(word, "for" | "if")
        || matches!(class_of(word), Some(WordClass::Item | WordClass::Set | WordClass::Statement))
}

/// An open delimiter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delimiter {
    kind: TokenKind,
    pub at: u32,
    /// The number of operators before it, which add to the depth.
    chain: usize,
}

#[derive(Debug)]
pub(super) struct Statement {
    pub start: u32,
    /// The start of the part after the last block.
    pub head_start: u32,
    pub head: Head,
    /// The indentation of its line.
    pub indent: u32,
    pub segments: Vec<Segment>,
    /// The number of tokens since `head_start`.
    pub count: u32,
    pub second: Option<TokenKind>,
    /// The open delimiters.
    pub delimiters: Vec<Delimiter>,
    /// How many of them there are of each kind: braces, parentheses, brackets.
    pub n_open: [u32; 3],
    /// The operators since the last comma or arrow, including those before the open delimiters.
    pub chain: usize,
    pub has_arrow: bool,
    pub has_value: bool,
    /// After `about`: its bars do not add to the depth.
    pub has_classes: bool,
    pub comment: bool,
    /// Whether the start of a body without braces was searched.
    pub asked: bool,
    /// Whether missing braces of its `if` were reported.
    pub told: bool,
    pub broken: bool,
    /// A block that is nested too deeply; it is skipped.
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

    /// The depth of its tree at this position.
    pub(super) fn depth(&self) -> usize {
        self.delimiters.len() + self.chain + self.segments.len()
    }

    /// `observer Both = ...`: no block follows.
    pub(super) fn is_pool(&self) -> bool {
        self.head == Head::Observer && self.has_value
    }

    /// Whether `about` is a keyword here, not a name.
    pub(super) fn awaits_classes(&self) -> bool {
        self.head == Head::Check && self.delimiters.is_empty() && !self.has_value
    }

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

    /// Closes a delimiter. `None`: no delimiter of this kind is open. Otherwise the first unclosed delimiter inside it.
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

    /// A comma or an arrow resets the operator depth.
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
