//! Signature help for the arguments of a component.

use super::Document;
use super::index::SymbolKind;
use crate::syntax::token::{TokenKind, tokens};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// `User(i, j)`
    pub label: String,
    /// The byte range of each parameter in the label.
    pub parameters: Vec<(u32, u32)>,
    /// The index of the current parameter.
    pub active: u32,
    pub docs: String,
}

/// The signature around an offset: `compose u = User(|)`. Cost: the tokens before it.
pub fn signature(document: &Document, offset: u32) -> Option<Signature> {
    let text = document.text();
    let mut open: Vec<(TokenKind, Option<&str>, u32)> = Vec::new();
    let mut last = None;
    for token in tokens(text).take_while(|token| token.end <= offset).filter(|token| !token.kind.is_trivia()) {
        match token.kind {
            TokenKind::ParenOpen => open.push((token.kind, last, 0)),
            TokenKind::BracketOpen => open.push((token.kind, None, 0)),
            TokenKind::ParenClose | TokenKind::BracketClose => drop(open.pop()),
            TokenKind::Comma => open.iter_mut().last().into_iter().for_each(|(_, _, commas)| *commas += 1),
            TokenKind::Semicolon | TokenKind::BraceOpen | TokenKind::BraceClose => open.clear(),
            _ => {}
        }
        last = Some(token.text(text));
    }
    let (_, name, commas) = open.into_iter().rev().find(|(kind, _, _)| *kind == TokenKind::ParenOpen)?;
    of_component(document, name?, commas)
}

fn of_component(document: &Document, name: &str, active: u32) -> Option<Signature> {
    let index = &document.index;
    let (_, component) =
        index.symbols().find(|(_, symbol)| symbol.kind == SymbolKind::Component && symbol.name == name)?;
    let mut label = format!("{name}(");
    let mut parameters = Vec::new();
    for (at, &parameter) in component.parameters.iter().enumerate() {
        label.push_str(if at > 0 { ", " } else { "" });
        let start = label.len() as u32;
        label.push_str(&index.symbol(parameter).name);
        parameters.push((start, label.len() as u32));
    }
    label.push(')');
    Some(Signature { label, parameters, active, docs: document.doc_text(&component.docs) })
}
