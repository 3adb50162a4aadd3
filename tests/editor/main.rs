//! The editor: what is asked of a text, and the language server that answers.

#[path = "../support/client.rs"]
mod client;
mod ide;
mod lsp;
