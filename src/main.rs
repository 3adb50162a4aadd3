//! The `desc` command: arguments → command → exit code.

mod cli;
mod lsp;

fn main() -> std::process::ExitCode {
    cli::main()
}
