//! Reads and decides files in parallel; the report keeps their order.

use super::interrupt;
use super::limits::Searching;
use super::progress::Meter;
use crate::cli::load::{Reading, Unit, load};
use crate::cli::session::Session;
use crate::cli::status::Status;
use desc::diagnostic::{Diagnostic, Severity, any_error};
use desc::model::{Check, System};
use desc::report::{FileReport, Report};
use desc::verify::certificate::document::{Certified, certify};
use desc::verify::{Answer, Options, Outcome, Results, verify};
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is to be decided, and how.
#[derive(Debug)]
pub struct Deciding<'a> {
    /// How models are read.
    pub reading: &'a Reading,
    /// How they are searched.
    pub searching: &'a Searching,
    /// Whether warnings are errors.
    pub deny_warnings: bool,
    /// Only checks of this name.
    pub filter: Option<&'a str>,
    /// Whether to stop after the first failure.
    pub fail_fast: bool,
    /// Whether the report is to have drawings.
    pub drawings: bool,
    /// Whether a proof is to be built for whatever is decided.
    pub certificates: bool,
}

/// What was decided.
#[derive(Debug)]
pub struct Decided {
    /// The report.
    pub report: Report,
    /// Every file that was read.
    pub paths: Vec<PathBuf>,
    /// How many checks matched the filter.
    pub matched: usize,
    /// The proofs, when they were asked for.
    pub certified: Vec<Certified>,
    /// The checks that were decided and have no proof there.
    pub unproved: Vec<String>,
}

impl Decided {
    /// The exit code.
    pub fn status(&self) -> Status {
        let tally = self.report.tally();
        let none = |count: usize, status: Status| if count > 0 { status } else { Status::Passed };
        none(tally.faulty_files, Status::Fault)
            .and(none(tally.failed, Status::Failed))
            .and(none(tally.undecided, Status::Undecided))
    }

    /// Whether a file has an error.
    pub fn is_faulty(&self) -> bool {
        self.report.tally().faulty_files > 0
    }
}

/// Decides every check of the files.
pub fn decide(files: &[String], deciding: &Deciding<'_>, session: &mut Session) -> Decided {
    let meter = Meter::new(session.interactive);
    let stop = AtomicBool::new(false);
    let workers = workers(files.len(), deciding.searching.threads);
    let work = |path: &String| {
        let skip = stop.load(Ordering::SeqCst) || interrupt::asked();
        (!skip).then(|| one(path, deciding, &Running { meter: &meter, stop: &stop, together: workers }))
    };
    let done: Vec<Option<Done>> = match rayon::ThreadPoolBuilder::new().num_threads(workers).build() {
        Ok(pool) if workers > 1 => pool.install(|| files.par_iter().map(work).collect()),
        _ => files.iter().map(work).collect(),
    };
    meter.clear();
    let mut decided = Decided {
        report: Report::default(),
        paths: Vec::new(),
        matched: 0,
        certified: Vec::new(),
        unproved: Vec::new(),
    };
    for done in done.into_iter().flatten() {
        decided.matched += done.matched;
        decided.paths.extend(done.paths);
        decided.report.files.push(done.report);
        decided.certified.extend(done.certified);
        decided.unproved.extend(done.unproved);
    }
    decided
}

/// Several files go in parallel, one file's searches may use every thread themselves.
fn workers(files: usize, threads: Option<usize>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    threads.filter(|&threads| threads > 0).unwrap_or(cores).min(files).max(1)
}

/// What the files that are decided at the same time share.
struct Running<'a> {
    meter: &'a Meter,
    stop: &'a AtomicBool,
    together: usize,
}

struct Done {
    report: FileReport,
    paths: Vec<PathBuf>,
    matched: usize,
    certified: Vec<Certified>,
    unproved: Vec<String>,
}

fn one(path: &str, deciding: &Deciding<'_>, running: &Running<'_>) -> Done {
    let Unit { sources, entry, mut checked, paths } = load(path, deciding.reading);
    if deciding.deny_warnings {
        checked.diagnostics.iter_mut().for_each(denied);
    }
    let mut model = checked.model.filter(|_| !any_error(&checked.diagnostics));
    if let (Some(model), Some(filter)) = (&mut model, deciding.filter) {
        model.retain_checks(|system, check| matches(filter, system, check));
    }
    let systems = model.as_ref().map_or(&[][..], |model| model.systems());
    let matched = systems.iter().map(|system| system.checks.len()).sum();
    let results: Vec<Results> = systems.iter().map_while(|system| results(system, deciding, running)).collect();
    let mut report = FileReport::new(&sources, entry, checked.diagnostics, model.as_ref(), &results);
    if deciding.drawings {
        let systems = model.as_ref().map_or(&[][..], |model| model.systems());
        report.systems.iter_mut().zip(systems).for_each(|(report, system)| report.draw(system));
    }
    let mut done = Done { report, paths, matched, certified: Vec::new(), unproved: Vec::new() };
    if deciding.certificates {
        let systems = model.as_ref().map_or(&[][..], |model| model.systems());
        systems.iter().zip(&results).for_each(|(system, results)| done.certify(system, results));
    }
    done
}

impl Done {
    /// Adds the proofs of a system, and names the checks that were decided and have none.
    fn certify(&mut self, system: &System, results: &Results) {
        let certified = certify(system, results);
        for (at, (check, outcome)) in system.checks.iter().zip(&results.checks).enumerate() {
            let decided = matches!(outcome, Outcome::Property(verdict) if verdict.answer != Answer::Undecided);
            if decided && !certified.proofs.iter().any(|proof| proof.checks.contains(&(at as u32))) {
                self.unproved.push(check.text.clone());
            }
        }
        self.certified.push(certified);
    }
}

fn denied(diagnostic: &mut Diagnostic) {
    diagnostic.severity = Severity::Error;
}

fn matches(filter: &str, system: &System, check: &Check) -> bool {
    system.name.contains(filter) || check.name.as_ref().is_some_and(|name| name.contains(filter))
}

fn results(system: &System, deciding: &Deciding<'_>, running: &Running<'_>) -> Option<Results> {
    if running.stop.load(Ordering::SeqCst) {
        return None;
    }
    let show = |progress: &desc::verify::Progress| running.meter.show(&system.name, progress);
    let alone = running.together == 1;
    let options = Options {
        limits: deciding.searching.limits(running.together),
        threads: if alone { deciding.searching.threads.unwrap_or(0) } else { 1 },
        method: deciding.searching.method(),
        certificates: deciding.certificates,
        progress: Some(&show),
        interrupted: Some(interrupt::flag()),
    };
    let results = interrupt::patiently(|| verify(system, &options));
    if deciding.fail_fast && desc::report::SystemReport::new(system, &results).checks.iter().any(|check| !check.passed)
    {
        running.stop.store(true, Ordering::SeqCst);
    }
    Some(results)
}
