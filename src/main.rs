//! The `desc` command: arguments → command → exit code.
//!
//! As in the library, no module uses one that stands after it.

mod failure;
mod files;
mod threads;
mod lsp;
mod cli;

fn main() -> std::process::ExitCode {
    threads::share_one_arena();
    files::outlive_size_limit();
    threads::on_own_stack(cli::main)
}
