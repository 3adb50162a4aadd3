//! Why a command cannot go on, and the reasons of I/O errors in words.

use desc::draw::observation::Unreadable;
use desc::resources::Stop;
use std::io;
use std::path::Path;

/// Why a command cannot go on. The message is printed by [`Session::fail`](crate::cli::run::session::Session::fail).
#[derive(Debug)]
pub struct Failure {
    /// What went wrong: lower case, no final stop.
    pub message: String,
    /// The next act.
    pub help: Option<String>,
    /// Whether nothing is wrong, and only a limit was reached.
    pub is_undecided: bool,
}

impl Failure {
    /// A failure with a message.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), help: None, is_undecided: false }
    }

    /// Something was not done because a limit was reached: "the table was not printed".
    pub fn stopped(what: &str, stop: Stop) -> Failure {
        let failure = Failure { is_undecided: true, ..Failure::new(format!("{what} {}", stop.limit())) };
        failure.help(stop.remedy())
    }

    /// Says what to do.
    pub fn help(mut self, text: impl Into<String>) -> Failure {
        self.help = Some(text.into());
        self
    }

    /// Says what to do, if nothing better was said.
    pub fn help_otherwise(mut self, text: &str) -> Failure {
        self.help.get_or_insert_with(|| text.to_owned());
        self
    }

    /// A file that could not be written.
    pub fn writing(path: &Path, error: &io::Error) -> Failure {
        let reason = match error.kind() {
            // A file that is not there yet is made; its folder is not.
            io::ErrorKind::NotFound => "no such folder".to_owned(),
            _ => reason(error),
        };
        Failure::new(format!("cannot write `{}`: {reason}", path.display()))
    }
}

impl From<Unreadable> for Failure {
    fn from(unreadable: Unreadable) -> Failure {
        Failure { help: unreadable.help, ..Failure::new(unreadable.message) }
    }
}

/// The reason of an I/O error as a clause: lower case, without a number.
pub fn reason(error: &io::Error) -> String {
    use io::ErrorKind::*;
    let known = match error.kind() {
        NotFound => "no such file",
        PermissionDenied => "permission denied",
        IsADirectory => "it is a folder",
        NotADirectory => "a part of the path is not a folder",
        StorageFull => "no space left on the device",
        FileTooLarge => "the file would be larger than the limit allows (`ulimit -f`)",
        QuotaExceeded => "the disk quota is used up",
        ReadOnlyFilesystem => "the file system is read-only",
        _ => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            let mut characters = text.chars();
            let first = characters.next().map(char::to_lowercase);
            return first.into_iter().flatten().chain(characters).collect();
        }
    };
    known.to_owned()
}
