//! The `desc` command: arguments → command → exit code.
//!
//! As in the library, no module uses one that stands after it.

mod failure;
mod files;
mod lsp;
mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
