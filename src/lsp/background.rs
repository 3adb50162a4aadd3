//! The two threads behind the server.
//!
//! The *checker* takes the newest text of a document, checks it and publishes its faults. The *decider* takes what was found
//! right, decides its checks within limits, and publishes each system's verdicts as they come. A newer text of a document
//! replaces what waits for it and stops what runs for it; results of an older text are dropped.

use super::documents::{Overlay, Snapshot};
use super::pages::Pages;
use super::position::Encoding;
use super::settings::Settings;
use super::to_proto;
use crate::threads;
use desc::check;
use desc::diagnostic::{Diagnostic, Fix};
use desc::ide::repair;
use desc::ide::verdict::{self, Remark};
use desc::model::Model;
use desc::resources::Resources;
use desc::source::{FileId, SourceFile, Sources, Span};
use desc::verify::Options;
use gen_lsp_types::{PublishDiagnosticsParams, Uri};
use lsp_server::{Message, Notification, Request, RequestId};
use std::collections::{HashMap, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// How long it may take to explain what was found.
const TELLING: Duration = Duration::from_secs(1);

/// Sends a message to the client.
pub type Sink = Arc<dyn Fn(Message) + Send + Sync>;

/// What the client can be asked to ask for again.
#[derive(Clone, Copy, Debug)]
pub struct Refresh {
    /// Inlay hints.
    pub inlays: bool,
    /// Code lenses.
    pub lenses: bool,
    /// Colours.
    pub colours: bool,
}

/// A text to check.
#[derive(Debug)]
pub struct Job {
    /// The document.
    pub uri: Uri,
    /// Its version.
    pub version: i32,
    /// Its text.
    pub file: Arc<SourceFile>,
    /// All open texts.
    pub snapshot: Snapshot,
    /// The client's own spelling of the addresses of open texts, by name.
    pub addresses: HashMap<String, Uri>,
    /// The folder below which its imports must stay.
    pub root: Option<PathBuf>,
    /// What the user set.
    pub settings: Settings,
}

/// A text that was checked.
#[derive(Debug)]
pub struct Unit {
    /// Its version.
    pub version: i32,
    /// The text and what it imports.
    pub sources: Sources,
    /// The text.
    pub entry: FileId,
    /// Its meaning, if nothing is wrong.
    pub model: Option<Model>,
    /// Its faults.
    pub diagnostics: Vec<Diagnostic>,
    /// The addresses of open texts, by name.
    pub addresses: HashMap<String, Uri>,
    settings: Settings,
}

/// How far the checks of a text are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deciding {
    /// Nobody asked.
    Idle,
    /// It waits or runs.
    Running,
    /// All are decided.
    Done,
}

/// What is known of a document.
#[derive(Clone, Debug)]
pub struct Found {
    /// The text that was checked.
    pub unit: Arc<Unit>,
    /// The verdicts so far.
    pub verdicts: Vec<Remark>,
    /// What repairs the violated checks at these places.
    pub repairs: Vec<(Vec<Span>, Fix)>,
    /// Whether more will come.
    pub deciding: Deciding,
}

#[derive(Default)]
struct State {
    /// The newest version of each open document.
    newest: HashMap<Uri, i32>,
    to_check: VecDeque<Job>,
    to_decide: VecDeque<(Uri, Arc<Unit>, bool)>,
    found: HashMap<Uri, Found>,
    /// What the decider works on, and how to stop it.
    running: Option<(Uri, Arc<AtomicBool>)>,
    pages: Pages,
    ended: bool,
}

struct Shared {
    state: Mutex<State>,
    woken: Condvar,
    sink: Sink,
    encoding: Encoding,
    refresh: Refresh,
    asked: AtomicI32,
}

/// The handle of the threads. They end when it is dropped.
pub struct Background {
    shared: Arc<Shared>,
}

impl Background {
    /// Starts the threads.
    ///
    /// # Errors
    /// When the operating system grants none.
    pub fn start(sink: Sink, encoding: Encoding, refresh: Refresh) -> io::Result<Background> {
        let state = Mutex::new(State::default());
        let shared =
            Arc::new(Shared { state, woken: Condvar::new(), sink, encoding, refresh, asked: AtomicI32::new(0) });
        let (checker, decider) = (Arc::clone(&shared), Arc::clone(&shared));
        threads::start("check", move || while checker.check_next() {})?;
        threads::start("decide", move || while decider.decide_next() {})?;
        Ok(Background { shared })
    }

    /// Checks a text, instead of any older text of the same document.
    pub fn check(&self, job: Job) {
        let mut state = self.shared.lock();
        state.stop(&job.uri);
        state.newest.insert(job.uri.clone(), job.version);
        state.to_check.push_front(job);
        self.shared.woken.notify_all();
    }

    /// Forgets a document, and takes its faults from the client's list.
    pub fn forget(&self, uri: &Uri) {
        let mut state = self.shared.lock();
        state.stop(uri);
        state.newest.remove(uri);
        state.found.remove(uri);
        self.shared.publish(uri, None, Vec::new());
    }

    /// Decides the checks of a document because the user asked: with more patience.
    pub fn decide(&self, uri: &Uri) {
        let mut state = self.shared.lock();
        let Some(found) = state.found.get(uri).filter(|found| found.unit.model.is_some()) else { return };
        let unit = Arc::clone(&found.unit);
        state.stop(uri);
        state.decide(uri, unit, true);
        self.shared.woken.notify_all();
    }

    /// What is known of a document.
    pub fn found(&self, uri: &Uri) -> Option<Found> {
        self.shared.lock().found.get(uri).cloned()
    }

    /// Whether the document read this file when it was last checked.
    pub fn reads(&self, uri: &Uri, name: &str) -> bool {
        let state = self.shared.lock();
        let sources = state.found.get(uri).map(|found| &found.unit.sources);
        sources.is_some_and(|sources| sources.ids().any(|id| sources.get(id).name() == name))
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.ended = true;
        state.running.iter().for_each(|(_, interrupted)| interrupted.store(true, Ordering::Relaxed));
        self.shared.woken.notify_all();
    }
}

impl State {
    /// Drops what waits for a document, and stops what runs for it.
    fn stop(&mut self, uri: &Uri) {
        self.to_check.retain(|job| job.uri != *uri);
        self.to_decide.retain(|(other, _, _)| other != uri);
        if let Some((running, interrupted)) = &self.running
            && running == uri
        {
            interrupted.store(true, Ordering::Relaxed);
        }
    }

    fn decide(&mut self, uri: &Uri, unit: Arc<Unit>, asked: bool) {
        if let Some(found) = self.found.get_mut(uri) {
            found.deciding = Deciding::Running;
            found.verdicts.clear();
        }
        self.to_decide.push_front((uri.clone(), unit, asked));
    }

    fn is_newest(&self, uri: &Uri, version: i32) -> bool {
        self.newest.get(uri) == Some(&version)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Waits until there is something to take; nothing when the server ends.
    fn take<T>(&self, mut next: impl FnMut(&mut State) -> Option<T>) -> Option<T> {
        let mut state = self.lock();
        loop {
            if state.ended {
                return None;
            }
            if let Some(taken) = next(&mut state) {
                return Some(taken);
            }
            state = self.woken.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    fn check_next(&self) -> bool {
        let Some(job) = self.take(|state| state.to_check.pop_front()) else { return false };
        let (uri, version) = (job.uri.clone(), job.version);
        // A panic of the checker is its own fault, not the text's: the server goes on without this text's faults.
        if let Ok(unit) = catch_unwind(AssertUnwindSafe(|| check_text(job))) {
            self.checked(&uri, version, Arc::new(unit));
        }
        true
    }

    fn checked(&self, uri: &Uri, version: i32, unit: Arc<Unit>) {
        let mut state = self.lock();
        if !state.is_newest(uri, version) {
            return;
        }
        let found =
            Found { unit: Arc::clone(&unit), verdicts: Vec::new(), repairs: Vec::new(), deciding: Deciding::Idle };
        state.found.insert(uri.clone(), found);
        let diagnostics = to_proto::faults(&unit, self.encoding, &mut state.pages);
        self.publish(uri, Some(version), diagnostics);
        let has_model = unit.model.is_some();
        if has_model && unit.settings.verify.enabled {
            state.decide(uri, unit, false);
            self.woken.notify_all();
        }
        drop(state);
        self.ask_again(has_model);
    }

    fn decide_next(&self) -> bool {
        let interrupted = Arc::new(AtomicBool::new(false));
        let taken = self.take(|state| {
            let taken = state.to_decide.pop_front()?;
            state.running = Some((taken.0.clone(), Arc::clone(&interrupted)));
            Some(taken)
        });
        let Some((uri, unit, asked)) = taken else { return false };
        let _ = catch_unwind(AssertUnwindSafe(|| self.decide(&uri, &unit, asked, &interrupted)));
        self.lock().running = None;
        true
    }

    /// Decides system after system, and shows what is known after each.
    fn decide(&self, uri: &Uri, unit: &Arc<Unit>, asked: bool, interrupted: &AtomicBool) {
        let systems = unit.model.iter().flat_map(Model::systems);
        let n_systems = systems.clone().count();
        for (at, system) in systems.enumerate() {
            let options = Options {
                limits: unit.settings.limits(asked),
                threads: usize::from(!asked),
                interrupted: Some(interrupted),
                ..Options::default()
            };
            let results = desc::repair::verify(system, &options);
            if interrupted.load(Ordering::Relaxed) {
                return;
            }
            let last = at + 1 == n_systems;
            let telling = Resources { interrupted: Some(interrupted), ..Resources::default() }.within(TELLING);
            self.decided(uri, unit, verdict::verdicts(system, &results, telling), last);
            if let Some(found) = repair::fix((&unit.sources, unit.entry), system, &results, &options) {
                self.repaired(uri, unit, found);
            }
        }
        if n_systems == 0 {
            self.decided(uri, unit, Vec::new(), true);
        }
    }

    fn repaired(&self, uri: &Uri, unit: &Arc<Unit>, repair: (Vec<Span>, Fix)) {
        let mut state = self.lock();
        if state.is_newest(uri, unit.version)
            && let Some(found) = state.found.get_mut(uri)
        {
            found.repairs.push(repair);
        }
    }

    fn decided(&self, uri: &Uri, unit: &Arc<Unit>, verdicts: Vec<Remark>, last: bool) {
        let mut state = self.lock();
        if !state.is_newest(uri, unit.version) {
            return;
        }
        let Some(found) = state.found.get_mut(uri) else { return };
        found.verdicts.extend(verdicts);
        found.deciding = if last { Deciding::Done } else { Deciding::Running };
        let verdicts = found.verdicts.clone();
        let mut diagnostics = to_proto::faults(unit, self.encoding, &mut state.pages);
        diagnostics.extend(to_proto::stories(unit, &verdicts, self.encoding));
        self.publish(uri, Some(unit.version), diagnostics);
        drop(state);
        self.ask_again(false);
    }

    fn publish(&self, uri: &Uri, version: Option<i32>, diagnostics: Vec<gen_lsp_types::Diagnostic>) {
        let params = PublishDiagnosticsParams { uri: uri.clone(), version, diagnostics };
        let notice = Notification::new("textDocument/publishDiagnostics".to_owned(), params);
        (self.sink)(notice.into());
    }

    /// Asks the client to ask for verdicts again, and for colours when there is a new model.
    fn ask_again(&self, has_model: bool) {
        let wanted = [
            (self.refresh.inlays, "workspace/inlayHint/refresh"),
            (self.refresh.lenses, "workspace/codeLens/refresh"),
            (self.refresh.colours && has_model, "workspace/semanticTokens/refresh"),
        ];
        for (_, method) in wanted.into_iter().filter(|(supported, _)| *supported) {
            let id = RequestId::from(format!("refresh-{}", self.asked.fetch_add(1, Ordering::Relaxed)));
            (self.sink)(Request::new(id, method.to_owned(), serde_json::Value::Null).into());
        }
    }
}

fn check_text(job: Job) -> Unit {
    let mut sources = Sources::new();
    let entry = sources.add(SourceFile::new(job.file.name(), job.file.text()));
    let loader = Overlay::new(job.snapshot, job.file.name(), job.root.as_ref());
    let checked = check::check(entry, &mut sources, &loader, &job.settings.checking());
    Unit {
        version: job.version,
        sources,
        entry,
        model: checked.model,
        diagnostics: checked.diagnostics,
        addresses: job.addresses,
        settings: job.settings,
    }
}
