//! From text to tokens: lossless, so that put together they give the file back byte for byte.
//!
//! Tokens find where statements begin and end before the parser runs, keep comments for the formatter, and give editors their
//! colours. They know no context: a word is an [`TokenKind::Ident`] even where it is a word of the language. [`KEYWORDS`] is
//! the one list of those words; the tests hold the grammar and every editor's own grammar against it.

use logos::Logos;

/// What a token is.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum TokenKind {
    /// Spaces, tabs, line ends.
    #[regex(r"[ \t\r\n]+")]
    Whitespace,
    /// `// ...` to the end of the line, without it.
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    /// `/// ...`: documents what follows. Four slashes are a plain comment.
    DocComment,
    /// `/* ... */`, perhaps never closed.
    #[token("/*", block_comment)]
    BlockComment,

    /// A word: `waiting`, `states`.
    #[regex(r"[_\p{XID_Start}]\p{XID_Continue}*")]
    Ident,
    /// `12`
    #[regex(r"[0-9]+")]
    Integer,
    /// `"waiting room"`, perhaps never closed: then it ends with its line.
    #[regex(r#""([^"\\\n\r]|\\[^\n\r])*"?"#)]
    Quoted,
    /// `?`, `?1`, `γ₁`: a label. `γ` and `γ1` are words.
    #[regex(r"\?([0-9]+|[₀-₉]+)?|γ[₀-₉]+")]
    Sign,

    #[token("{")]
    BraceOpen,
    #[token("}")]
    BraceClose,
    #[token("(")]
    ParenOpen,
    #[token(")")]
    ParenClose,
    #[token("[")]
    BracketOpen,
    #[token("]")]
    BracketClose,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token("->")]
    Arrow,
    #[token("-")]
    Minus,
    #[token("+")]
    Plus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("=")]
    Equals,
    #[token("==")]
    EqualsEquals,
    #[token("!=")]
    NotEquals,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEquals,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEquals,
    #[token("!")]
    Not,
    #[token("&&")]
    AndAnd,
    #[token("||")]
    OrOr,
    #[token("|")]
    Bar,
    #[token("&")]
    Ampersand,
    #[token("\\")]
    Backslash,

    /// `“waiting room”`: quotes that a word processor made.
    #[regex("[“”„‟][^“”„‟\"\n\r]*[“”\"]?")]
    CurlyQuoted,
    /// `=>`: an arrow in other languages.
    #[token("=>")]
    FatArrow,
    /// A character that means nothing here.
    Unknown,
}

/// Takes a comment to its end, or to the end of the text.
fn block_comment(lexer: &mut logos::Lexer<'_, TokenKind>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find("*/").map_or(rest.len(), |at| at + 2));
}

impl TokenKind {
    /// Whether it only stands between other tokens: white space and comments.
    pub fn is_trivia(self) -> bool {
        use TokenKind::*;
        matches!(self, Whitespace | LineComment | DocComment | BlockComment)
    }

    /// Whether it is a name: a word, a number, a quoted string.
    pub fn is_name(self) -> bool {
        matches!(self, TokenKind::Ident | TokenKind::Integer | TokenKind::Quoted | TokenKind::CurlyQuoted)
    }
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its first byte.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
}

impl Token {
    /// What is written.
    pub fn text(self, text: &str) -> &str {
        &text[self.start as usize..self.end as usize]
    }

    /// Whether a string or a comment was never closed.
    pub fn is_unterminated(self, text: &str) -> bool {
        let written = self.text(text);
        match self.kind {
            TokenKind::Quoted => !is_closed_string(written),
            TokenKind::BlockComment => written.len() < 4 || !written.ends_with("*/"),
            _ => false,
        }
    }
}

/// Whether the last character is a quote that is not escaped.
fn is_closed_string(written: &str) -> bool {
    let Some(inner) = written[1..].strip_suffix('"') else { return false };
    inner.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 0
}

/// The tokens of a text, one after the other. Cost: one pass; nothing is kept.
pub fn tokens(text: &str) -> impl Iterator<Item = Token> + Clone + '_ {
    TokenKind::lexer(text).spanned().map(|(kind, range)| {
        let kind = match kind {
            Ok(TokenKind::LineComment) => comment_kind(&text[range.clone()]),
            Ok(kind) => kind,
            Err(()) if range.start == 0 && text.starts_with(BYTE_ORDER_MARK) => TokenKind::Whitespace,
            Err(()) => TokenKind::Unknown,
        };
        Token { kind, start: range.start as u32, end: range.end as u32 }
    })
}

/// Some editors begin a file with it.
const BYTE_ORDER_MARK: char = '\u{feff}';

fn comment_kind(written: &str) -> TokenKind {
    if written.starts_with("///") && !written.starts_with("////") {
        TokenKind::DocComment
    } else {
        TokenKind::LineComment
    }
}

/// What a word of the language is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WordClass {
    /// Begins an item of a file: `system`.
    Item,
    /// Begins a statement, and names a set elsewhere: `states`. Taken in sets: such a name must be quoted.
    Set,
    /// Begins a statement: `check`.
    Statement,
    /// Joins the parts of a statement: `for`, `in`, `as`.
    Control,
    /// Chooses a projection: `weak`.
    Projection,
    /// Part of a horizon: `step`.
    Horizon,
    /// Names a property: `opacity`.
    Property,
    /// Qualifies a check: `among`.
    Qualifier,
}

/// A word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keyword {
    /// The word.
    pub word: &'static str,
    /// What it is for.
    pub class: WordClass,
}

const fn keyword(word: &'static str, class: WordClass) -> Keyword {
    Keyword { word, class }
}

/// Every word of the language.
pub const KEYWORDS: &[Keyword] = &[
    keyword("import", WordClass::Item),
    keyword("const", WordClass::Item),
    keyword("component", WordClass::Item),
    keyword("system", WordClass::Item),
    keyword("states", WordClass::Set),
    keyword("events", WordClass::Set),
    keyword("initial", WordClass::Set),
    keyword("observable", WordClass::Set),
    keyword("unobservable", WordClass::Set),
    keyword("anonymous", WordClass::Set),
    keyword("secret", WordClass::Set),
    keyword("compose", WordClass::Statement),
    keyword("observer", WordClass::Statement),
    keyword("check", WordClass::Statement),
    keyword("measure", WordClass::Statement),
    keyword("for", WordClass::Control),
    keyword("in", WordClass::Control),
    keyword("if", WordClass::Control),
    keyword("else", WordClass::Control),
    keyword("as", WordClass::Control),
    keyword("not", WordClass::Control),
    keyword("strong", WordClass::Projection),
    keyword("weak", WordClass::Projection),
    keyword("natural", WordClass::Projection),
    keyword("infinite", WordClass::Horizon),
    keyword("current", WordClass::Horizon),
    keyword("exactly", WordClass::Horizon),
    keyword("step", WordClass::Horizon),
    keyword("state", WordClass::Horizon),
    keyword("anonymity", WordClass::Property),
    keyword("opacity", WordClass::Property),
    keyword("estimate", WordClass::Property),
    keyword("projection", WordClass::Property),
    keyword("among", WordClass::Qualifier),
    keyword("about", WordClass::Qualifier),
    keyword("against", WordClass::Qualifier),
    keyword("given", WordClass::Qualifier),
];

/// What a word is for, if it is a word of the language.
pub fn class_of(word: &str) -> Option<WordClass> {
    KEYWORDS.iter().find(|keyword| keyword.word == word).map(|keyword| keyword.class)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        tokens(text).map(|token| token.kind).collect()
    }

    #[test]
    fn tokens_give_the_text_back() {
        let text = "\u{feff}M -a-> \"x\\\"\" \0 /* open \u{1f600} “a” 1..3 ?1 γ₁ => /";
        let joined: String = tokens(text).map(|token| token.text(text)).collect();
        assert_eq!(joined, text);
    }

    #[test]
    fn three_slashes_document_and_four_do_not() {
        use TokenKind::*;
        assert_eq!(
            kinds("/// a\n//// b\n// c\n///"),
            [DocComment, Whitespace, LineComment, Whitespace, LineComment, Whitespace, DocComment]
        );
    }

    #[test]
    fn a_string_ends_with_its_line() {
        let text = "\"a\\\" b\n\"c\"";
        let all: Vec<Token> = tokens(text).collect();
        assert_eq!(all.len(), 3);
        assert!(all[0].is_unterminated(text) && !all[2].is_unterminated(text));
    }

    #[test]
    fn a_range_is_no_decimal_number() {
        use TokenKind::*;
        assert_eq!(kinds("1..3"), [Integer, DotDot, Integer]);
    }
}
