//! The results so far of every file.

use crate::cli::run::known::Known;
use crate::cli::run::load::Unit;
use crate::cli::run::sweep::{Task, Values};
use desc::diagnostic::Diagnostic;
use desc::model::{Model, System};
use desc::report::{FileReport, Swept};
use desc::resources::Resources;
use desc::resources::Stop;
use desc::source::{FileId, Sources};
use desc::verdict::certificate::document::{Certified, certify};
use desc::verdict::{Answer, Finding, Results, Verdict};
use desc::verify::Progress;
use rustc_hash::FxHashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// One entry per file, in order.
#[derive(Debug)]
pub struct Board {
    places: Vec<Mutex<Place>>,
    /// For each, the values of the constants that are swept.
    swept: Vec<Option<Values>>,
    certificates: bool,
}

#[derive(Debug, Default)]
enum Place {
    #[default]
    Empty,
    /// Read, and some of its systems are decided.
    Open(Box<Open>),
    Done(Box<Done>),
}

#[derive(Debug)]
struct Open {
    sources: Sources,
    entry: FileId,
    diagnostics: Vec<Diagnostic>,
    paths: Vec<PathBuf>,
    model: Option<Arc<Model>>,
    stopped: Option<Stop>,
    known: Known,
    began: Instant,
}

/// The finished report of a file.
#[derive(Debug)]
pub struct Done {
    pub report: FileReport,
    /// The files on disk, for `--watch` and the protection of inputs.
    pub paths: Vec<PathBuf>,
    /// The number of checks.
    pub matched: usize,
    /// The proofs, if requested.
    pub certified: Vec<Certified>,
    /// The decided checks without a proof.
    pub unproved: Vec<String>,
    /// Whether a search was interrupted.
    pub unfinished: bool,
    /// Why the file was not read to its end, if it was not.
    pub stopped: Option<Stop>,
}

/// The checks that were decided and have no proof.
fn without_proof(system: &System, results: &Results, certified: &Certified) -> Vec<String> {
    let proved: FxHashSet<u32> = certified.proofs.iter().flat_map(|proof| &proof.checks).copied().collect();
    let is_decided = |verdict: &Verdict| verdict.evidence().is_some() && verdict.answer() != Answer::Undecided;
    let checks = system.checks.iter().zip(&results.checks).enumerate();
    let unproved = checks.filter(|(at, (_, verdict))| is_decided(verdict) && !proved.contains(&(*at as u32)));
    unproved.map(|(_, (check, _))| check.text.clone()).collect()
}

impl Board {
    /// One place for each task.
    pub fn new(tasks: &[Task], certificates: bool) -> Board {
        let swept = tasks.iter().map(|task| task.swept.clone()).collect();
        Board { places: tasks.iter().map(|_| Mutex::default()).collect(), swept, certificates }
    }

    /// A file was read, from `began` on.
    pub fn read(&self, at: usize, unit: Unit, model: Option<Arc<Model>>, began: Instant) {
        let Unit { sources, entry, checked, paths } = unit;
        let (diagnostics, stopped) = (checked.diagnostics, checked.stopped);
        let open = Open { sources, entry, diagnostics, paths, model, stopped, known: Known::default(), began };
        *self.place(at) = Place::Open(Box::new(open));
    }

    /// Records progress.
    pub fn told(&self, at: usize, progress: &Progress) {
        if let Place::Open(open) = &mut *self.place(at) {
            open.known.told(progress);
        }
    }

    /// Records the result of one search.
    pub fn found(&self, at: usize, initial: bool, finding: &Arc<Finding>) {
        if let Place::Open(open) = &mut *self.place(at) {
            open.known.found(initial, finding);
        }
    }

    /// Records the results of the next system.
    pub fn decided(&self, at: usize, results: Results) {
        if let Place::Open(open) = &mut *self.place(at) {
            open.known.decided(results);
        }
    }

    /// Finishes a file.
    pub fn finish(&self, at: usize) {
        // WHY the place is held meanwhile: who gives up must not find it empty.
        let mut place = self.place(at);
        *place = match std::mem::take(&mut *place) {
            Place::Open(open) => Place::Done(Box::new(self.reported(at, *open))),
            other => other,
        };
    }

    pub fn is_done(&self, at: usize) -> bool {
        matches!(*self.place(at), Place::Done(_))
    }

    /// Everything that is known by now; none: the file was not read. What was not decided is undecided, but for what takes no search and
    /// can be computed within the resources.
    pub fn take(&self, resources: Resources<'_>) -> Vec<Option<Done>> {
        let taken = (0..self.places.len()).map(|at| (at, std::mem::take(&mut *self.place(at))));
        taken
            .map(|(at, place)| match place {
                Place::Empty => None,
                Place::Done(done) => Some(*done),
                Place::Open(mut open) => {
                    open.give_up(resources);
                    Some(self.reported(at, *open))
                }
            })
            .collect()
    }

    fn place(&self, at: usize) -> MutexGuard<'_, Place> {
        // WHY: a panic elsewhere does not make what is known wrong.
        self.places[at].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reported(&self, at: usize, open: Open) -> Done {
        let Open { sources, entry, diagnostics, paths, model, stopped, known: Known { results, .. }, began } = open;
        let mut report = FileReport::new(sources, entry, diagnostics, model, results);
        let time = began.elapsed();
        report.swept = self.swept[at].clone().map(|values| Swept { values, time });
        let systems = report.systems();
        let matched = systems.iter().map(|system| system.n_checks()).sum();
        let left = systems.iter().any(|system| system.unbuilt == Some(Stop::Interrupted));
        let is_interrupted = left || stopped == Some(Stop::Interrupted);
        let unfinished = is_interrupted || report.decided().any(|(_, results)| is_unfinished(results));
        let (mut certified, mut unproved) = (Vec::new(), Vec::new());
        for (system, results) in report.decided().filter(|_| self.certificates) {
            let proofs = certify(system, results);
            unproved.extend(without_proof(system, results, &proofs));
            certified.push(proofs);
        }
        Done { report, paths, matched, certified, unproved, unfinished, stopped }
    }
}

impl Open {
    fn give_up(&mut self, resources: Resources<'_>) {
        if let Some(model) = &self.model {
            self.known.give_up(model.systems(), resources);
        }
    }
}

fn is_unfinished(results: &Results) -> bool {
    let of_checks = results.checks.iter().filter_map(|verdict| match (verdict, verdict.evidence()) {
        (_, Some(evidence)) => evidence.finding.stopped,
        (Verdict::Undecided { stop, .. }, None) => *stop,
        _ => None,
    });
    of_checks
        .chain(results.measures.iter().filter_map(|measured| measured.finding.stopped))
        .any(|stop| stop == Stop::Interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::run::load::{Reading, load};
    use crate::cli::run::sweep::tasks;
    use desc::verify::{Options, Phase, verify};

    const TWO: &str = "system One { states A, B; initial A, B; events t; A -t-> A; B -t-> B; check 3-step; }\n\
        system Two { states A, B; initial A, B; events t; A -t-> A; B -t-> B; check 2-step; check 9-step; \
        check projection [t] = [t]; }\n";

    fn board() -> (Board, Arc<Model>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("two.des");
        std::fs::write(&path, TWO).expect("a file");
        let mut unit = load(&path.to_string_lossy(), &Reading::default());
        let model = Arc::new(unit.checked.model.take().expect("a model"));
        let tasks = tasks(&["one".to_owned(), "two".to_owned()], &[]).unwrap_or_default();
        let board = Board::new(&tasks, false);
        board.read(0, unit, Some(Arc::clone(&model)), Instant::now());
        (board, model)
    }

    fn answers(done: &Done) -> Vec<Answer> {
        done.report.systems().iter().flat_map(|system| system.answers()).map(|(_, answer)| answer).collect()
    }

    #[test]
    fn what_was_decided_is_told_when_the_rest_is_given_up() {
        let (board, model) = board();
        board.decided(0, verify(&model.systems()[0], &Options::default()));
        board.told(0, &Progress { phase: Phase::Layers, layer: 6, ..Progress::default() });
        let [Some(done), None] = &board.take(Resources::default())[..] else {
            panic!("one file was read, one was not")
        };
        assert!(done.unfinished);
        // Layers below the one that is explored are complete: 5 steps are safe, 9 are not known.
        assert_eq!(answers(done), [Answer::Holds, Answer::Holds, Answer::Undecided, Answer::Holds]);
    }

    #[test]
    fn a_search_that_has_ended_is_told_when_its_system_is_given_up() {
        let (board, model) = board();
        board.decided(0, verify(&model.systems()[0], &Options::default()));
        let tell = |initial: bool, finding: &Arc<Finding>| board.found(0, initial, finding);
        drop(verify(&model.systems()[1], &Options { found: Some(&tell), ..Options::default() }));
        let taken = board.take(Resources::default());
        let done = taken[0].as_ref().expect("a report");
        assert_eq!(answers(done), [Answer::Holds; 4]);
    }

    #[test]
    fn nothing_is_claimed_before_the_first_layer() {
        let (board, model) = board();
        board.decided(0, verify(&model.systems()[0], &Options::default()));
        board.told(0, &Progress { phase: Phase::Estimates, layer: 6, ..Progress::default() });
        let taken = board.take(Resources::default());
        let done = taken[0].as_ref().expect("a report");
        assert_eq!(answers(done), [Answer::Holds, Answer::Undecided, Answer::Undecided, Answer::Holds]);
    }

    #[test]
    fn a_file_that_is_finished_is_reported_as_it_is() {
        let (board, model) = board();
        model.systems().iter().for_each(|system| board.decided(0, verify(system, &Options::default())));
        board.finish(0);
        let taken = board.take(Resources::default());
        let done = taken[0].as_ref().expect("a report");
        assert!(!done.unfinished && answers(done).iter().all(|answer| *answer == Answer::Holds));
    }
}
