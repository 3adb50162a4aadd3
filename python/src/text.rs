//! The text of models: colours, format, names; and the pages of diagnostics.

use crate::refusal::{question, unreadable};
use desc::Format;
use desc::diagnostic::Code;
use desc::draw::observation::Unreadable;
use desc::export::Target;
use desc::format::{format_text as formatted, print};
use desc::report::formats::html::fragment;
use desc::syntax::token::{colour_class, tokens as lexed};
use pyo3::prelude::*;

/// The page on a diagnostic, in Markdown.
#[pyfunction]
pub fn explain(code: &str) -> PyResult<&'static str> {
    let unknown = || unreadable(Unreadable::unknown("code", code, Code::ALL.iter().map(|known| known.as_str())));
    Code::from_name(code).map(Code::page).ok_or_else(unknown)
}

/// The text, formatted.
#[pyfunction]
pub fn format_text(name: &str, text: &str) -> PyResult<String> {
    formatted(name, text)
        .map_err(|_| question("the text has errors: it cannot be formatted", Some("`parse` says which")))
}

/// The formats that can be read, and those that can be written.
#[pyfunction]
pub fn formats() -> (Vec<&'static str>, Vec<&'static str>) {
    let read = std::iter::once("des").chain(Format::ALL.iter().map(|&(word, _)| word));
    (read.collect(), Target::words().collect())
}

/// A name as it is written in a `.des` file: in quotes, where it needs them.
#[pyfunction]
pub fn quoted(name: &str) -> PyResult<String> {
    if !print::can_write(name) {
        return Err(question(format!("a .des file cannot write the name `{}`", name.escape_debug()), None));
    }
    Ok(print::name(name).into_owned())
}

/// The style of reports in a notebook.
#[pyfunction]
pub fn style() -> &'static str {
    fragment::style()
}

/// The tokens of a text that have a colour: where each begins and ends, in characters, and what it is.
#[pyfunction]
pub fn tokens(text: &str) -> Vec<(usize, usize, &'static str)> {
    let (mut characters, mut bytes) = (0, 0);
    let mut coloured = Vec::new();
    for token in lexed(text) {
        characters += text[bytes..token.start as usize].chars().count();
        let end = characters + token.text(text).chars().count();
        if let Some(class) = colour_class(token, text) {
            coloured.push((characters, end, class));
        }
        (characters, bytes) = (end, token.end as usize);
    }
    coloured
}
