//! Starts `desc lsp` for `.des` files in Zed. Everything about the language itself is in the server.

use zed_extension_api::{Command, Extension, LanguageServerId, Result, Worktree, register_extension};

struct Des;

impl Extension for Des {
    fn new() -> Des {
        Des
    }

    fn language_server_command(&mut self, _server: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let command = worktree.which("desc").ok_or("`desc` is not on the PATH")?;
        Ok(Command { command, args: vec!["lsp".to_owned()], env: worktree.shell_env() })
    }
}

register_extension!(Des);
