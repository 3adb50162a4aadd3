//! The spaces between the tokens of a statement.

use crate::syntax::token::{Token, TokenKind, WordClass, class_of};

/// The kind of a statement, as far as spacing depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Declarations, `for`, `if`, `const`.
    Plain,
    /// Transitions: a dash outside all delimiters opens an arrow.
    Transition,
    /// `component` and `compose`: a parenthesis after a name contains parameters or arguments.
    Call,
    /// `check` and `measure`, with the offsets of their observations.
    Check([Option<u32>; 2]),
}

/// The role of a token, where its kind is ambiguous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Other,
    /// Binds to the next token: a unary sign, the dash that opens an arrow.
    Prefix,
    /// Joins both sides: the hyphen of `2-step`, the `#` of `voted#1`.
    Joint,
    /// Binds to the previous name: an index, arguments.
    Suffix,
    /// Stands between spaces: the arrow of `of A -> B`.
    Apart,
}

/// The role of a token after another.
pub(super) fn role(
    form: Form,
    depth: usize,
    text: &str,
    previous: Option<Token>,
    token: Token,
    next: Option<Token>,
) -> Role {
    let operand = previous.is_some_and(|previous| ends_operand(previous, text));
    match token.kind {
        TokenKind::Minus if form == Form::Transition && depth == 0 => Role::Prefix,
        TokenKind::Minus if is_hyphen(form, text, next) && operand => Role::Joint,
        TokenKind::Minus if !operand => Role::Prefix,
        TokenKind::Arrow if matches!(form, Form::Check(_)) => Role::Apart,
        TokenKind::Not => Role::Prefix,
        TokenKind::Hash => Role::Joint,
        TokenKind::BracketOpen if !is_observation(form, token) => Role::Suffix,
        TokenKind::ParenOpen if form == Form::Call && operand => Role::Suffix,
        _ => Role::Other,
    }
}

fn is_hyphen(form: Form, text: &str, next: Option<Token>) -> bool {
    matches!(form, Form::Check(_)) && next.is_some_and(|next| matches!(next.text(text), "step" | "state" | "final"))
}

fn is_observation(form: Form, token: Token) -> bool {
    matches!(form, Form::Check(starts) if starts.contains(&Some(token.start)))
}

/// Whether a token ends an operand.
fn ends_operand(token: Token, text: &str) -> bool {
    match token.kind {
        TokenKind::Ident => !matches!(class_of(token.text(text)), Some(WordClass::Control | WordClass::Qualifier)),
        TokenKind::ParenClose | TokenKind::BracketClose | TokenKind::BraceClose => true,
        kind => kind.is_name(),
    }
}

/// Whether a space separates two tokens.
pub(super) fn apart(previous: (Token, Role), next: (Token, Role)) -> bool {
    use TokenKind::*;
    let tight_before = matches!(
        next.0.kind,
        Semicolon | Comma | Colon | ParenClose | BracketClose | BraceClose | Dot | DotDot | Arrow
    );
    let tight_after = matches!(previous.0.kind, ParenOpen | BracketOpen | BraceOpen | Dot | DotDot);
    let joined = matches!(next.1, Role::Joint | Role::Suffix) || matches!(previous.1, Role::Joint | Role::Prefix);
    !(tight_before && next.1 != Role::Apart || tight_after || joined)
}
