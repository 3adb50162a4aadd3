//! The source of the model with highlighting and line numbers.

use super::escape;
use crate::report::FileReport;
use crate::source::SourceFile;
use crate::syntax::token::{colour_class, tokens};
use std::fmt::Write;

/// Longer sources are truncated after this many bytes.
const LONG_TEXT: usize = 200_000;

/// The model and its imports; only the first is expanded initially.
pub fn sources(at: usize, file: &FileReport) -> String {
    let mut out = String::new();
    for id in file.sources.ids() {
        let source = file.sources.get(id);
        if source.text().is_empty() {
            continue;
        }
        let open = if id == file.entry { " open" } else { "" };
        let _ = write!(
            out,
            "<details class=\"text\"{open}><summary>Source of <code>{}</code></summary>\n<pre tabindex=\"0\" aria-label=\"Source of {}\"><code>{}</code></pre></details>\n",
            escape(source.name()),
            escape(source.name()),
            lines(at, source, id == file.entry)
        );
    }
    out
}

fn lines(at: usize, source: &SourceFile, is_entry: bool) -> String {
    let mut shown = source.text().len().min(LONG_TEXT);
    while !source.text().is_char_boundary(shown) {
        shown -= 1;
    }
    let text = &source.text()[..shown];
    let coloured = coloured(text);
    let mut out = String::new();
    for (number, line) in coloured.trim_end_matches('\n').split('\n').enumerate() {
        let id = if is_entry { format!(" id=\"line-{at}-{}\"", number + 1) } else { String::new() };
        let _ = write!(out, "<span class=\"line\"{id}><span class=\"number\">{}</span>{line}</span>", number + 1);
    }
    if shown < source.text().len() {
        let _ = writeln!(out, "<i>... and {} KiB more</i>", (source.text().len() - shown) / 1024);
    }
    out
}

/// Wraps tokens in `<span>`; a token that spans several lines gets one per line.
fn coloured(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for token in tokens(text) {
        let written = escape(token.text(text));
        match colour_class(token, text) {
            None => out += &written,
            Some(class) => {
                let parts: Vec<String> =
                    written.split('\n').map(|part| format!("<span class=\"{class}\">{part}</span>")).collect();
                out += &parts.join("\n");
            }
        }
    }
    out
}
