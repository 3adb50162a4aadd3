//! `--watch`: runs again when a file or one of its imports changes.
//!
//! Folders are watched rather than files, because many editors replace a file instead of writing to it. A partially written
//! file gives diagnostics, and the next change triggers another run.

use super::decide::Decided;
use crate::cli::run::interrupt;
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use notify::{Event, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Changes are collected for this long before the next run.
const SETTLE: Duration = Duration::from_millis(60);

/// The polling interval of the interrupt flag.
const POLL: Duration = Duration::from_millis(150);

type Files = BTreeSet<PathBuf>;

/// The status of a run, and the files that it read.
type Round = Result<(Status, Vec<PathBuf>), Failure>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Woken {
    Changed,
    /// An interrupt, or an error of the watcher.
    Ended,
}

pub fn watch(session: &mut Session, run: impl Fn(&mut Session) -> Result<(Status, Decided), Failure>) -> Ended {
    let (sender, changes) = channel();
    let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        let _ = sender.send(event);
    });
    let mut watcher = watcher.map_err(|error| Failure::new(format!("cannot watch files: {error}")))?;
    let mut watched: BTreeSet<PathBuf> = BTreeSet::new();
    let once = |session: &mut Session| run(session).map(|(status, decided)| (status, decided.paths));
    interrupt::tended(|| {
        rounds(session, &once, &mut |session, files| {
            for folder in files.iter().filter_map(|file| file.parent()) {
                if watched.insert(folder.to_owned()) {
                    watcher
                        .watch(folder, RecursiveMode::NonRecursive)
                        .map_err(|error| Failure::new(format!("cannot watch `{}`: {error}", folder.display())))?;
                }
            }
            session.complain("watching for changes; press Ctrl-C to stop\n");
            Ok(wait(&changes, files, &interrupt::asked))
        })
    })
}

/// One run, then one per change; the status of the last one. After a run that fails, the files of the previous run
/// stay watched.
fn rounds(
    session: &mut Session,
    run: &dyn Fn(&mut Session) -> Round,
    wait: &mut dyn FnMut(&mut Session, &Files) -> Result<Woken, Failure>,
) -> Ended {
    let mut files = Files::new();
    loop {
        session.clear()?;
        let status = match run(session) {
            Ok((status, read)) => {
                files = read.into_iter().collect();
                status
            }
            Err(failure) => session.fail(&failure),
        };
        if interrupt::asked() || wait(session, &files)? == Woken::Ended {
            return Ok(status);
        }
    }
}

/// Waits until one of the files changes and no further changes follow.
fn wait(changes: &Receiver<notify::Result<Event>>, files: &Files, is_over: &dyn Fn() -> bool) -> Woken {
    loop {
        match changes.recv_timeout(POLL) {
            Ok(Ok(event)) if matters(&event, files) => break,
            Err(RecvTimeoutError::Disconnected) => return Woken::Ended,
            Err(RecvTimeoutError::Timeout) if is_over() => return Woken::Ended,
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
        }
    }
    while changes.recv_timeout(SETTLE).is_ok() {}
    Woken::Changed
}

/// Whether one of the files changed. Read access does not count: every run reads them.
fn matters(event: &Event, files: &Files) -> bool {
    !event.kind.is_access() && (files.is_empty() || event.paths.iter().any(|path| files.contains(path)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::run::session::{Global, When};
    use notify::EventKind;
    use notify::event::{AccessKind, CreateKind, ModifyKind};
    use std::cell::{Cell, RefCell};

    fn session() -> Session {
        Session::new(&Global { color: When::Never, ascii: false, narrated: false, quiet: true, verbose: 0 })
    }

    fn files(names: &[&str]) -> Files {
        names.iter().map(PathBuf::from).collect()
    }

    fn event(kind: EventKind, path: &str) -> notify::Result<Event> {
        Ok(Event::new(kind).add_path(PathBuf::from(path)))
    }

    fn written(path: &str) -> notify::Result<Event> {
        event(EventKind::Modify(ModifyKind::Any), path)
    }

    /// The result of waiting for these events.
    fn woken(events: Vec<notify::Result<Event>>) -> Woken {
        let (sender, changes) = channel();
        events.into_iter().for_each(|event| sender.send(event).expect("somebody waits"));
        drop(sender);
        wait(&changes, &files(&["/m/a.des", "/m/mix.des"]), &|| false)
    }

    #[test]
    fn a_change_of_a_file_or_an_import_wakes_it() {
        assert_eq!(woken(vec![written("/m/a.des")]), Woken::Changed);
        assert_eq!(woken(vec![written("/m/other.des"), written("/m/mix.des")]), Woken::Changed);
        assert_eq!(woken(vec![event(EventKind::Create(CreateKind::File), "/m/a.des")]), Woken::Changed, "replaced");
    }

    #[test]
    fn other_files_reading_and_errors_do_not_wake_it() {
        let looked = event(EventKind::Access(AccessKind::Any), "/m/a.des");
        let lost = Err(notify::Error::generic("lost count"));
        assert_eq!(woken(vec![written("/m/other.des"), looked, lost]), Woken::Ended);
    }

    #[test]
    fn changes_that_come_together_are_one() {
        let (sender, changes) = channel();
        (0..5).for_each(|_| sender.send(written("/m/a.des")).expect("somebody waits"));
        drop(sender);
        let files = files(&["/m/a.des"]);
        assert_eq!(wait(&changes, &files, &|| false), Woken::Changed);
        assert_eq!(wait(&changes, &files, &|| false), Woken::Ended, "nothing is left of them");
    }

    #[test]
    fn it_ends_when_it_is_asked_to() {
        let (_sender, changes) = channel();
        assert_eq!(wait(&changes, &files(&["/m/a.des"]), &|| true), Woken::Ended);
    }

    #[test]
    fn it_runs_once_for_each_change_and_survives_what_cannot_be_read() {
        let runs = Cell::new(0);
        let run = |_: &mut Session| {
            runs.set(runs.get() + 1);
            match runs.get() {
                2 => Err(Failure::new("half written")),
                3 => Ok((Status::Failed, vec![PathBuf::from("/m/a.des"), PathBuf::from("/m/new.des")])),
                _ => Ok((Status::Passed, vec![PathBuf::from("/m/a.des")])),
            }
        };
        let seen = RefCell::new(Vec::new());
        let mut wait = |_: &mut Session, files: &Files| {
            seen.borrow_mut().push(files.len());
            Ok(if runs.get() < 3 { Woken::Changed } else { Woken::Ended })
        };
        let ended = rounds(&mut session(), &run, &mut wait).expect("a status");
        assert_eq!(ended, Status::Failed, "the status of the last run");
        assert_eq!(*seen.borrow(), [1, 1, 2], "a run that fails keeps the files of the one before");
    }
}
