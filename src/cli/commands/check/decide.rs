//! Reads and decides files in parallel; the report keeps their order.
//!
//! The work runs in other threads, and the results so far are on a [`Board`]. If the run is interrupted and a search does
//! not end in time, the report is built from the board: decided systems with their verdicts, the current one
//! with its partial result, the others undecided.
//!
//! With `--fail-fast` the report is that of one thread: it ends with the first file, in order, with a check that does not pass.
//! Earlier files are finished, later files are abandoned and omitted.

use super::board::{Board, Done};
use super::progress::Meter;
use crate::cli::args::search::{Searching, grown_beside};
use crate::cli::run::interrupt;
use crate::cli::run::limits::backstop;
use crate::cli::run::load::{Reading, load};
use crate::cli::run::session::Session;
use crate::cli::run::status::Status;
use crate::cli::run::sweep::Task;
use crate::files::shown;
use crate::threads::STACK;
use desc::diagnostic::{Code, Diagnostic, Severity, any_error};
use desc::model::shard::Shard;
use desc::model::{Check, Model, System};
use desc::repair::verify;
use desc::report::Report;
use desc::report::baseline::Comparison;
use desc::resources::Resources;
use desc::verdict::certificate::document::Certified;
use desc::verdict::{Finding, Mark, Results, Verdict};
use desc::verify::{Method, Options, Progress};
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The options of deciding.
#[derive(Clone, Debug)]
pub struct Deciding {
    pub reading: Reading,
    pub searching: Searching,
    pub deny_warnings: bool,
    /// Only checks whose name or text, or whose system's name, contains this.
    pub filter: Option<String>,
    /// Only this share of the checks.
    pub shard: Option<Shard>,
    pub fail_fast: bool,
    /// Whether to build a proof of every decided check.
    pub certificates: bool,
}

#[derive(Debug, Default)]
pub struct Decided {
    pub report: Report,
    pub paths: Vec<PathBuf>,
    /// The number of checks that match the filter.
    pub matched: usize,
    /// The proofs, if requested.
    pub certified: Vec<Certified>,
    /// The decided checks without a proof.
    pub unproved: Vec<String>,
    /// The files that were not read because of an interrupt or the time limit.
    pub unread: Vec<String>,
    pub interrupted: bool,
    /// Whether a limit was reached before all files were read to their end.
    pub is_cut_off: bool,
    /// Whether work was left behind that did not end with its time.
    pub left_behind: bool,
}

impl Decided {
    pub fn status(&self) -> Status {
        if self.interrupted {
            return Status::Undecided;
        }
        let tally = self.report.tally();
        let none = |count: usize, status: Status| if count > 0 { status } else { Status::Passed };
        let (failed, open) = match &self.report.comparison {
            None => (tally.failed, tally.undecided + tally.unmeasured + tally.unbuilt),
            Some(Comparison { worse, .. }) => {
                let open = worse.iter().filter(|change| change.undecided).count();
                (worse.len() - open, open)
            }
        };
        none(tally.faulty_files, Status::Fault)
            .and(none(failed, Status::Failed))
            .and(none(open + usize::from(self.is_cut_off), Status::Undecided))
    }

    /// Says which files were not read, and whether something was left behind.
    pub fn tell_unread(&self, session: &mut Session) {
        let why = if self.interrupted { "interrupted" } else { "the time limit was reached" };
        for path in &self.unread {
            session.complain(&format!("{why} before `{}` was read\n", shown(path)));
        }
        if self.left_behind && session.verbose > 0 {
            session.complain("note: work that did not end with the time limit was left behind\n");
        }
    }

    pub fn is_faulty(&self) -> bool {
        self.report.tally().faulty_files > 0
    }
}

/// Decides every check of the tasks in a run that started at `started`.
pub fn decide(tasks: &[Task], deciding: &Deciding, started: Instant, session: &mut Session) -> Decided {
    let workers = workers(tasks.len(), deciding.searching.threads);
    let running = Arc::new(Running {
        deciding: deciding.clone(),
        board: Board::new(tasks, deciding.certificates),
        meter: Meter::new(session.interactive),
        last: AtomicUsize::new(usize::MAX),
        stops: tasks.iter().map(|_| AtomicBool::new(false)).collect(),
        resources: deciding.searching.limits.resources(started, workers),
        open: AtomicUsize::new(tasks.len()),
    });
    let (names, of_worker) = (tasks.to_vec(), Arc::clone(&running));
    let until = running.resources.deadline.map(backstop);
    let left_behind = interrupt::attended(move || all(&names, &of_worker), || running.is_settled(), until);
    running.meter.clear();
    let told = running.last.load(Ordering::SeqCst).saturating_add(1).min(tasks.len());
    let telling = running.resources.to_tell();
    let mut decided = gathered(&tasks[..told], running.board.take(telling), left_behind);
    decided.report.shard = deciding.shard;
    decided
}

fn all(tasks: &[Task], running: &Running) {
    let work = |(at, task): (usize, &Task)| {
        if !running.is_over(at) && !interrupt::asked() {
            one(at, task, running);
        }
    };
    let together = running.resources.together as usize;
    match rayon::ThreadPoolBuilder::new().num_threads(together).stack_size(STACK).build() {
        Ok(pool) if together > 1 => pool.install(|| tasks.par_iter().enumerate().for_each(work)),
        _ => tasks.iter().enumerate().for_each(work),
    }
}

fn gathered(tasks: &[Task], done: Vec<Option<Done>>, left_behind: bool) -> Decided {
    let mut decided = Decided { left_behind, ..Decided::default() };
    for (task, done) in tasks.iter().zip(done) {
        match done {
            Some(done) => {
                decided.matched += done.matched;
                decided.paths.extend(done.paths);
                decided.report.files.push(done.report);
                decided.certified.extend(done.certified);
                decided.unproved.extend(done.unproved);
                decided.interrupted |= interrupt::asked() && done.unfinished;
                decided.is_cut_off |= done.stopped.is_some();
            }
            None if interrupt::asked() || left_behind => {
                decided.unread.push(task.path.clone());
                decided.interrupted |= interrupt::asked();
                decided.is_cut_off = true;
            }
            None => {}
        }
    }
    decided
}

/// Several files run in parallel; the searches of a single file may use every thread.
fn workers(files: usize, threads: Option<usize>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    threads.filter(|&threads| threads > 0).unwrap_or(cores).min(files).max(1)
}

/// The state shared by parallel files.
struct Running {
    deciding: Deciding,
    board: Board,
    meter: Meter,
    /// The last file of the report; `--fail-fast` may lower it.
    last: AtomicUsize,
    /// For each file, whether its search should stop.
    stops: Vec<AtomicBool>,
    /// What the run may use, the memory divided among the files that are decided at the same time.
    resources: Resources<'static>,
    /// How many systems are still to be decided; a file that is not read yet counts as one.
    open: AtomicUsize,
}

impl Running {
    /// What may be used now: an equal share of the time that is left for each system that is still to be decided. What one does not
    /// use is left for the others.
    fn share(&self) -> Resources<'static> {
        let open = self.open.load(Ordering::SeqCst).max(1) as u32;
        let share = |left: Duration| left.saturating_mul(self.resources.together) / open;
        self.resources.time_left().map_or(self.resources, |left| self.resources.within(share(left)))
    }

    /// A file has this many systems.
    fn has_read(&self, systems: usize) {
        self.open.fetch_add(systems, Ordering::SeqCst);
        self.open.fetch_sub(1, Ordering::SeqCst);
    }

    /// Ends the report with this system of this file.
    fn fail(&self, at: usize) {
        self.last.fetch_min(at, Ordering::SeqCst);
        self.stops.iter().skip(at + 1).for_each(|stop| stop.store(true, Ordering::SeqCst));
    }

    /// Whether the report ends before or in a file.
    fn is_over(&self, at: usize) -> bool {
        self.last.load(Ordering::SeqCst) <= at
    }

    /// Whether the report is complete. Signals interrupts to the searches.
    fn is_settled(&self) -> bool {
        if interrupt::asked() {
            self.stops.iter().for_each(|stop| stop.store(true, Ordering::SeqCst));
        }
        let last = self.last.load(Ordering::SeqCst);
        last < self.stops.len() && (0..=last).all(|at| self.board.is_done(at))
    }
}

fn one(at: usize, task: &Task, running: &Running) {
    let began = Instant::now();
    let lazy = running.deciding.searching.method() == Method::Engine;
    let reading = Reading { lazy, ..running.deciding.reading.with(&task.defines).within(running.share()) };
    let mut unit = load(&task.path, &reading);
    if running.deciding.deny_warnings {
        unit.checked.diagnostics.iter_mut().for_each(denied);
    }
    let mut model = unit.checked.model.take().filter(|_| !any_error(&unit.checked.diagnostics));
    if let (Some(model), Some(filter)) = (&mut model, &running.deciding.filter) {
        model.retain_checks(|system, check| matches(filter, system, check));
    }
    if let (Some(model), Some(shard)) = (&mut model, running.deciding.shard) {
        model.retain_shard(shard, at);
    }
    let model: Option<Arc<Model>> = model.map(Arc::new);
    running.board.read(at, unit, model.clone(), began);
    let held = model.as_ref().map_or(0, |model| model.bytes());
    running.has_read(model.as_ref().map_or(0, |model| model.systems().len()));
    // WHY another: who interrupts while a model is built has had nothing yet, and gets what is found in the time for ending.
    let unasked = AtomicBool::new(false);
    let stop = if interrupt::asked() { &unasked } else { &running.stops[at] };
    for system in model.iter().flat_map(|model| model.systems()) {
        if running.is_over(at) {
            break;
        }
        let results = results(at, system, held, stop, running);
        running.board.decided(at, results);
        running.open.fetch_sub(1, Ordering::SeqCst);
    }
    running.board.finish(at);
}

fn denied(diagnostic: &mut Diagnostic) {
    // WHY not that one: nothing is wrong with the text.
    if diagnostic.code != Code::W0902 {
        diagnostic.severity = Severity::Error;
    }
}

fn matches(filter: &str, system: &System, check: &Check) -> bool {
    let names = [Some(&system.name), check.name.as_ref(), Some(&check.text)];
    names.into_iter().flatten().any(|name| name.contains(filter))
}

fn results(at: usize, system: &System, held: u64, stop: &AtomicBool, running: &Running) -> Results {
    let resources = running.share().less(held);
    let Deciding { searching, fail_fast, certificates, .. } = &running.deciding;
    let tell = |progress: &Progress| {
        running.board.told(at, progress);
        running.meter.show(&system.name, progress);
    };
    let found = |initial: bool, finding: &Arc<Finding>| running.board.found(at, initial, finding);
    let alone = resources.together <= 1;
    let grown = || grown_beside(held, &resources);
    let options = Options {
        limits: searching.limits(&resources),
        threads: if alone { searching.threads.unwrap_or(0) } else { 1 },
        method: searching.method(),
        certificates: *certificates,
        progress: Some(&tell),
        found: Some(&found),
        interrupted: Some(stop),
        grown: Some(&grown),
    };
    let results = verify(system, &options);
    let mut checks = system.checks.iter().zip(&results.checks);
    let fails = |(check, verdict): (&Check, &Verdict)| verdict.answer().mark(check.negated) != Mark::Passed;
    if *fail_fast && !interrupt::asked() && checks.any(fails) {
        running.fail(at);
    }
    results
}
