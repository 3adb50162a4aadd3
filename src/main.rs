//! The `desc` command: arguments → command → exit code.

#[allow(dead_code)]
mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
