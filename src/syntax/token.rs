//! From text to tokens. The tokens are lossless: concatenated, they are the file.
//!
//! Tokens are used to split statements before the parser runs, to keep comments for the formatter, and to highlight
//! text in editors. They are context-free: a keyword is a [`TokenKind::Ident`] too. [`KEYWORDS`] is
//! the one list of keywords; the tests compare the grammar and every editor's grammar with it.

use logos::Logos;

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum TokenKind {
    /// Spaces, tabs, line breaks.
    #[regex(r"[ \t\r\n]+")]
    Whitespace,
    /// `// ...` to the end of the line, without it.
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    /// `/// ...`: a documentation comment. Four slashes are a plain comment.
    DocComment,
    /// `/* ... */`, perhaps unclosed.
    #[token("/*", block_comment)]
    BlockComment,

    /// A word: `waiting`, `states`.
    #[regex(r"[_\p{XID_Start}]\p{XID_Continue}*")]
    Ident,
    /// `12`
    #[regex(r"[0-9]+")]
    Integer,
    /// `"waiting room"`; if it is unclosed, it ends with its line.
    #[regex(r#""([^"\\\n\r]|\\[^\n\r])*"?"#)]
    Quoted,
    /// `?`, `?1`, `γ₁`: a label. `γ` and `γ1` are words.
    #[regex(r"\?([0-9]+|[₀-₉]+)?|γ[₀-₉]+")]
    Symbol,

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
    /// `voted#1`: before the number of a label.
    #[token("#")]
    Hash,

    /// `“waiting room”`: typographic quotes.
    #[regex("[“”„‟][^“”„‟\"\n\r]*[“”\"]?")]
    CurlyQuoted,
    /// `=>`: an arrow in other languages.
    #[token("=>")]
    FatArrow,
    /// A character outside the language.
    Unknown,
}

/// Consumes a comment to its end, or to the end of the text.
fn block_comment(lexer: &mut logos::Lexer<'_, TokenKind>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find("*/").map_or(rest.len(), |at| at + 2));
}

impl TokenKind {
    /// White space and comments.
    pub fn is_trivia(self) -> bool {
        use TokenKind::*;
        matches!(self, Whitespace | LineComment | DocComment | BlockComment)
    }

    /// Whether it can be a name: a word, a number, a quoted string.
    pub fn is_name(self) -> bool {
        matches!(self, TokenKind::Ident | TokenKind::Integer | TokenKind::Quoted | TokenKind::CurlyQuoted)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
}

impl Token {
    /// What is written.
    pub fn text(self, text: &str) -> &str {
        &text[self.start as usize..self.end as usize]
    }

    /// Whether a string or a comment is unclosed.
    pub fn is_unterminated(self, text: &str) -> bool {
        let written = self.text(text);
        match self.kind {
            TokenKind::Quoted => !is_closed_string(written),
            TokenKind::BlockComment => written.len() < 4 || !written.ends_with("*/"),
            _ => false,
        }
    }
}

/// Whether the text ends with an unescaped quote.
fn is_closed_string(written: &str) -> bool {
    let Some(inner) = written[1..].strip_suffix('"') else { return false };
    inner.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 0
}

/// The tokens of a text, lazily. Cost: one pass.
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

/// Some editors write it at the start of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

fn comment_kind(written: &str) -> TokenKind {
    if written.starts_with("///") && !written.starts_with("////") {
        TokenKind::DocComment
    } else {
        TokenKind::LineComment
    }
}

/// The class of a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WordClass {
    /// Starts an item of a file: `system`.
    Item,
    /// Starts a statement, and denotes a set elsewhere: `states`. Reserved in sets: such a name must be quoted.
    Set,
    /// Starts a statement: `check`.
    Statement,
    /// Joins the parts of a statement: `for`, `in`, `as`.
    Control,
    /// A projection: `weak`.
    Projection,
    /// Part of a horizon: `step`.
    Horizon,
    /// A property: `opacity`.
    Property,
    /// Qualifies a check: `among`.
    Qualifier,
}

/// A keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keyword {
    pub word: &'static str,
    pub class: WordClass,
}

const fn keyword(word: &'static str, class: WordClass) -> Keyword {
    Keyword { word, class }
}

/// Every keyword.
pub const KEYWORDS: &[Keyword] = &[
    keyword("import", WordClass::Item),
    keyword("const", WordClass::Item),
    keyword("component", WordClass::Item),
    keyword("monitor", WordClass::Item),
    keyword("system", WordClass::Item),
    keyword("states", WordClass::Set),
    keyword("events", WordClass::Set),
    keyword("initial", WordClass::Set),
    keyword("observable", WordClass::Set),
    keyword("unobservable", WordClass::Set),
    keyword("anonymous", WordClass::Set),
    keyword("secret", WordClass::Set),
    keyword("final", WordClass::Statement),
    keyword("compose", WordClass::Statement),
    keyword("observer", WordClass::Statement),
    keyword("check", WordClass::Statement),
    keyword("measure", WordClass::Statement),
    keyword("may", WordClass::Statement),
    keyword("must", WordClass::Statement),
    keyword("for", WordClass::Control),
    keyword("in", WordClass::Control),
    keyword("if", WordClass::Control),
    keyword("else", WordClass::Control),
    keyword("as", WordClass::Control),
    keyword("by", WordClass::Control),
    keyword("together", WordClass::Control),
    keyword("hide", WordClass::Control),
    keyword("anonymise", WordClass::Control),
    keyword("disable", WordClass::Control),
    keyword("from", WordClass::Control),
    keyword("cost", WordClass::Control),
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
    keyword("repair", WordClass::Property),
    keyword("costs", WordClass::Qualifier),
    keyword("impossible", WordClass::Qualifier),
    keyword("of", WordClass::Qualifier),
    keyword("throughout", WordClass::Qualifier),
    keyword("except", WordClass::Qualifier),
    keyword("among", WordClass::Qualifier),
    keyword("about", WordClass::Qualifier),
    keyword("against", WordClass::Qualifier),
    keyword("given", WordClass::Qualifier),
];

/// The class of a word, if it is a keyword.
pub fn class_of(word: &str) -> Option<WordClass> {
    KEYWORDS.iter().find(|keyword| keyword.word == word).map(|keyword| keyword.class)
}

/// What a token is, where it has a colour: `comment`, `doc`, `integer`, `quoted`, `sign`, `word` or `wrong`.
pub fn colour_class(token: Token, text: &str) -> Option<&'static str> {
    match token.kind {
        TokenKind::LineComment | TokenKind::BlockComment => Some("comment"),
        TokenKind::DocComment => Some("doc"),
        TokenKind::Integer => Some("integer"),
        TokenKind::Quoted => Some("quoted"),
        TokenKind::Symbol => Some("sign"),
        TokenKind::Ident => class_of(token.text(text)).map(|_| "word"),
        TokenKind::Unknown | TokenKind::CurlyQuoted => Some("wrong"),
        _ => None,
    }
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
