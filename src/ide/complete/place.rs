//! The statement at an offset, and the enclosing blocks.

use crate::syntax::token::{Token, TokenKind, WordClass, class_of, tokens};

/// The context of an offset.
#[derive(Debug, Default)]
pub struct Place<'a> {
    /// The tokens of the statement before the offset, without the incomplete word.
    pub statement: Vec<Word<'a>>,
    /// The keywords of the enclosing blocks, outermost first: `system`, `for`.
    pub blocks: Vec<&'a str>,
    /// Indices in scope, outermost first.
    pub bound: Vec<&'a str>,
    /// The start of the incomplete word; the offset itself if there is none.
    pub prefix: u32,
    /// Inside a comment or a string, without proposals.
    pub dead: bool,
    /// The start of the path, inside the quotes of an import.
    pub path: Option<u32>,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    pub kind: TokenKind,
    pub text: &'a str,
}

impl Word<'_> {
    /// Whether it is a name or a closing bracket.
    pub fn ends_operand(self) -> bool {
        let closes = matches!(self.kind, TokenKind::BracketClose | TokenKind::BraceClose | TokenKind::ParenClose);
        closes || self.kind.is_name()
    }
}

/// Cost: the tokens before the offset.
pub fn place(text: &str, offset: u32) -> Place<'_> {
    let mut reader = Reader { text, ..Reader::default() };
    let mut place = Place { prefix: offset, ..Place::default() };
    for token in tokens(text).take_while(|token| token.start < offset) {
        if token.end >= offset && is_dead(token, text, offset) {
            place.dead = true;
            let imports = matches!(reader.statement.as_slice(), [word] if word.text == "import");
            place.path = (imports && token.kind == TokenKind::Quoted).then_some(token.start + 1);
        } else if token.end >= offset && token.kind == TokenKind::Ident {
            place.prefix = token.start;
            reader.restart_at(token);
        } else {
            reader.read(token);
        }
    }
    place.blocks = reader.open.iter().filter_map(|open| open.block()).collect();
    place.bound = reader.bound.iter().map(|&(name, _)| name).collect();
    place.bound.extend(bound_by(&reader.statement));
    place.bound.extend(bound_later(text, offset));
    place.statement = reader.statement;
    place
}

/// Whether the offset is inside a comment or a string, rather than just after it.
fn is_dead(token: Token, text: &str, offset: u32) -> bool {
    match token.kind {
        TokenKind::LineComment | TokenKind::DocComment => true,
        TokenKind::BlockComment | TokenKind::Quoted => token.end > offset || token.is_unterminated(text),
        _ => false,
    }
}

/// An open block with its keyword, or an open bracket of a statement.
#[derive(Clone, Copy, Debug)]
enum Open<'a> {
    Block(&'a str),
    Bracket,
}

impl<'a> Open<'a> {
    fn block(self) -> Option<&'a str> {
        match self {
            Open::Block(word) => Some(word),
            Open::Bracket => None,
        }
    }
}

#[derive(Default)]
struct Reader<'a> {
    text: &'a str,
    open: Vec<Open<'a>>,
    statement: Vec<Word<'a>>,
    /// Indices, each with its nesting depth.
    bound: Vec<(&'a str, usize)>,
    /// Whether a line break follows the last token.
    new_line: bool,
}

impl<'a> Reader<'a> {
    fn read(&mut self, token: Token) {
        let word = Word { kind: token.kind, text: token.text(self.text) };
        if word.kind.is_trivia() {
            self.new_line |= word.text.contains('\n');
            return;
        }
        self.restart_at(token);
        self.new_line = false;
        match word.kind {
            TokenKind::Semicolon => self.statement.clear(),
            TokenKind::BraceOpen => self.open_brace(word),
            TokenKind::BraceClose => self.close_brace(word),
            TokenKind::ParenOpen | TokenKind::BracketOpen => self.bracket(word),
            TokenKind::ParenClose | TokenKind::BracketClose => {
                self.open.pop_if(|open| matches!(open, Open::Bracket));
                self.statement.push(word);
            }
            _ => self.statement.push(word),
        }
    }

    /// A keyword at the start of a line, after a complete operand, starts a statement although a `;` is missing.
    fn restart_at(&mut self, token: Token) {
        let begins = matches!(
            class_of(token.text(self.text)),
            Some(WordClass::Item | WordClass::Statement | WordClass::Set | WordClass::Control)
        );
        let complete = self.statement.last().is_some_and(|last| last.ends_operand());
        let control = matches!(token.text(self.text), "in" | "as" | "not" | "else" | "for" | "if");
        let in_bracket = matches!(self.open.last(), Some(Open::Bracket));
        if self.new_line && begins && complete && !in_bracket && !control {
            self.statement.clear();
        }
    }

    fn bracket(&mut self, word: Word<'a>) {
        self.open.push(Open::Bracket);
        self.statement.push(word);
    }

    /// After a heading a brace opens a block, else a set.
    fn open_brace(&mut self, word: Word<'a>) {
        let Some(head) = self.statement.first().map(|first| first.text).filter(|head| opens_block(head)) else {
            return self.bracket(word);
        };
        let depth = self.open.len();
        self.bound.extend(bound_by(&self.statement).into_iter().map(|name| (name, depth)));
        self.open.push(Open::Block(head));
        self.statement.clear();
    }

    fn close_brace(&mut self, word: Word<'a>) {
        // Whatever bracket was left open inside the block ends with it.
        let inside = self.statement.iter().filter(|word| word.kind == TokenKind::BraceOpen).count()
            > self.statement.iter().filter(|word| word.kind == TokenKind::BraceClose).count();
        if inside {
            self.open.pop_if(|open| matches!(open, Open::Bracket));
            self.statement.push(word);
            return;
        }
        while matches!(self.open.last(), Some(Open::Bracket)) {
            self.open.pop();
        }
        self.open.pop();
        let depth = self.open.len();
        self.bound.retain(|&(_, at)| at < depth);
        self.statement.clear();
    }
}

fn opens_block(head: &str) -> bool {
    matches!(head, "system" | "component" | "monitor" | "observer" | "for" | "if" | "else")
}

/// In `u[i] = User(i) for i in 1..N` an index is bound after it is used.
fn bound_later(text: &str, offset: u32) -> Vec<&str> {
    use TokenKind::{BraceClose, BraceOpen, Semicolon};
    let after = tokens(text).skip_while(|token| token.start < offset).filter(|token| !token.kind.is_trivia());
    let same = after.take_while(|token| !matches!(token.kind, BraceOpen | BraceClose | Semicolon));
    let words: Vec<Word> = same.map(|token| Word { kind: token.kind, text: token.text(text) }).collect();
    bound_by(&words)
}

/// The indices of a heading or a `compose`: names before `in`.
fn bound_by<'a>(statement: &[Word<'a>]) -> Vec<&'a str> {
    let pairs = statement.windows(2).filter(|pair| pair[1].text == "in" && pair[0].kind == TokenKind::Ident);
    pairs.map(|pair| pair[0].text).collect()
}
