//! The editor: what is asked of a text, and the language server that answers.

mod ide;
mod lsp;
#[path = "../support/mod.rs"]
mod support;
