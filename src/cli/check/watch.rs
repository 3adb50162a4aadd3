//! `--watch`: runs again when a file or something that it imports changes.
//!
//! Folders are watched rather than files, because many editors replace a file instead of writing to it. A file that is half
//! written gives diagnostics, and the next change another run.

use super::decide::Decided;
use super::interrupt;
use crate::cli::session::Session;
use crate::cli::status::{Ended, Failure, Status};
use notify::{Event, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long changes are gathered before it runs again.
const SETTLE: Duration = Duration::from_millis(60);

/// How often it looks whether it was asked to end.
const POLL: Duration = Duration::from_millis(150);

/// Runs again and again, until it is interrupted.
pub fn watch(session: &mut Session, run: impl Fn(&mut Session) -> Result<(Status, Decided), Failure>) -> Ended {
    let (sender, changes) = channel();
    let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        let _ = sender.send(event);
    });
    let mut watcher = watcher.map_err(|error| Failure::new(format!("cannot watch files: {error}")))?;
    let mut watched: BTreeSet<PathBuf> = BTreeSet::new();
    let mut status = Status::Passed;
    interrupt::patiently(|| {
        while !interrupt::asked() {
            session.clear()?;
            let mut files = BTreeSet::new();
            match run(session) {
                Ok((ended, decided)) => {
                    status = ended;
                    files.extend(decided.paths);
                }
                Err(failure) => status = session.fail(&failure),
            }
            for folder in files.iter().filter_map(|file| file.parent()) {
                if watched.insert(folder.to_owned()) {
                    watcher
                        .watch(folder, RecursiveMode::NonRecursive)
                        .map_err(|error| Failure::new(format!("cannot watch `{}`: {error}", folder.display())))?;
                }
            }
            session.complain("watching for changes; Ctrl-C ends\n");
            wait(&changes, &files);
        }
        Ok(status)
    })
}

/// Waits until one of the files changes and the changes settle.
fn wait(changes: &Receiver<notify::Result<Event>>, files: &BTreeSet<PathBuf>) {
    let matters = |event: &Event| {
        !event.kind.is_access() && (files.is_empty() || event.paths.iter().any(|path| files.contains(path)))
    };
    loop {
        match changes.recv_timeout(POLL) {
            Ok(Ok(event)) if matters(&event) => break,
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) if interrupt::asked() => return,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
    while changes.recv_timeout(SETTLE).is_ok() {}
}
