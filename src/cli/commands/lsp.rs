//! `desc lsp`: the language server.

use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use clap::Args;

/// Run the language server over standard input and output.
#[derive(Debug, Args)]
pub struct Lsp {
    /// Accepted because some editors pass it; it is the only transport
    #[arg(long, hide = true)]
    stdio: bool,
}

impl Lsp {
    /// Serves until the editor exits.
    pub fn run(&self, _session: &mut Session) -> Ended {
        crate::lsp::run().map(|()| Status::Passed).map_err(Failure::new)
    }
}
