//! The search from the front, both observers whole, and phase 2 from behind, in turns: the first answer counts.
//!
//! Turns are measured in work, not in time, and within a turn the answers have a fixed order; so the same model always has
//! the same winner, the same witness and the same cost, whatever the number of threads. No single way is near the best on
//! every model; in turns none costs more than about three times the best.

use super::driver::states_of;
use crate::clock::Instant;
use crate::verify::engine::tuning::Switches;
use crate::verify::exposed_sets::Exposed;
use crate::verify::limits::{Meter, Place};
use crate::verify::proof::{Hints, hints};
use crate::verify::search::backward::Behind;
use crate::verify::search::forward::{Goal, Search};
use crate::verify::search::two_way::TwoWay;
use crate::verify::views::belief_system::{Frame, Op};
use crate::verify::{Cost, DecidedBy, Exposure, Options, Run, Stop};
use std::panic::resume_unwind;

/// Turns that are shorter than this many times the first are not worth a thread.
const THREAD_TURN: u64 = 20;

/// What the searches found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) exposure: Exposure,
    pub(crate) saturation: Option<u64>,
    pub(crate) stopped: Option<Stop>,
    pub(crate) cost: Cost,
    /// What the searches know that makes a proof short, when they came to their end.
    pub(crate) hints: Option<Hints>,
    /// How much work they did.
    pub(crate) effort: u64,
}

/// A run that is exposed; its first events, as many as the number says, belong to α.
pub(crate) type Shown = Option<(Run, usize)>;

/// What is asked of a frame, and how.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) exposed: &'a Exposed,
    pub(crate) goal: Goal,
    pub(crate) switches: Switches,
    pub(crate) options: &'a Options<'a>,
    /// When the time of the limits began.
    pub(crate) started: Instant,
}

impl<'a> Question<'a> {
    /// A meter for a search.
    pub(crate) fn meter(&self) -> Meter<'a> {
        Meter::new(self.options, self.started)
    }
}

/// Decides a frame.
pub(crate) fn race<F: Frame>(frame: &mut F, question: &Question<'_>) -> (Found, Shown) {
    let mut field = Field::new(frame, question);
    let mut turn = question.switches.first_turn;
    let threads = question.options.n_threads();
    let mut answer = field.head_start(1);
    loop {
        if let Some(answer) = answer {
            return field.found(answer);
        }
        answer = field.turn(turn, threads);
        // WHY: by a quarter, so that nobody goes on for long after the answer was within reach of another.
        turn = turn.saturating_add(1 + turn / 4);
        field.line_up();
    }
}

/// Decides a frame if that takes no more than a part of the head start.
pub(crate) fn sprint<F: Frame>(frame: &mut F, question: &Question<'_>, part: u64) -> Option<(Found, Shown)> {
    let mut field = Field::new(frame, question);
    let answer = field.head_start(part)?;
    Some(field.found(answer))
}

/// What a turn of a search beside the main one came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// There is more to do.
    Unfinished,
    /// Nothing exposes, up to the horizon or for ever.
    Safe { for_ever: bool },
    /// This estimate is exposed by this β.
    Exposed { estimate: usize, beta: Vec<Op> },
}

impl Turn {
    fn estimate(&self) -> Option<usize> {
        match self {
            Turn::Exposed { estimate, .. } => Some(*estimate),
            Turn::Unfinished | Turn::Safe { .. } => None,
        }
    }
}

/// Who has the answer.
enum Answer {
    Front,
    TwoWay(Turn),
    Behind(Turn),
    Stopped(Stop),
}

/// A search beside the main one.
enum Side<T> {
    Waiting,
    Running(Box<T>),
    /// It took too much, or is not wanted.
    Out,
}

impl<T> Side<T> {
    fn running(&mut self) -> Option<&mut T> {
        match self {
            Side::Running(side) => Some(side),
            Side::Waiting | Side::Out => None,
        }
    }
}

/// The searches, beside each other.
struct Field<'a, F: Frame> {
    search: Search<'a, F>,
    twoway: Side<TwoWay<F::Set>>,
    behind: Side<Behind<F::Set>>,
    meters: (Meter<'a>, Meter<'a>),
    /// The last layer that a search which is out has found to be safe.
    safe: Option<u64>,
}

impl<'a, F: Frame> Field<'a, F> {
    fn new(frame: &'a mut F, question: &Question<'a>) -> Field<'a, F> {
        let meter = question.meter();
        Field {
            meters: (meter.beside(Place::TwoWay), meter.beside(Place::Behind)),
            search: Search::new(frame, question.exposed, question.goal, question.switches, meter),
            twoway: Side::Waiting,
            behind: Side::Waiting,
            safe: None,
        }
    }

    /// What the answer says.
    fn found(&mut self, answer: Answer) -> (Found, Shown) {
        match answer {
            Answer::Front => self.front_found(None),
            Answer::TwoWay(answer) => self.twoway_found(answer),
            Answer::Behind(answer) => self.behind_found(answer),
            Answer::Stopped(stop) => self.front_found(Some(stop)),
        }
    }

    /// Starts what can be started now.
    fn line_up(&mut self) {
        let (search, switches) = (&self.search, self.search.switches);
        let Some(fixed) = search.frame.as_fixed() else { return };
        if matches!(self.twoway, Side::Waiting) {
            self.twoway = match switches.two_way {
                true => Side::Running(Box::new(TwoWay::new(fixed, search.exposed, search.goal))),
                false => Side::Out,
            };
        }
        if matches!(self.behind, Side::Waiting) && search.is_settled() {
            self.behind = match switches.behind {
                true => {
                    let estimates = search.front_sets();
                    let back = fixed.turned_around();
                    let behind = Behind::new(back, estimates, search.exposed, switches.antichain, search.goal.horizon);
                    Side::Running(Box::new(behind))
                }
                false => Side::Out,
            };
        }
    }

    /// A short turn of both observers before anything else: the first step of the main search looks for twins, which is much more work
    /// than all the estimates of a large model may be.
    fn head_start(&mut self, part: u64) -> Option<Answer> {
        self.line_up();
        let work = self.search.switches.head_start * self.search.frame.size() / part;
        let told = self.twoway.running()?.explore(&mut self.meters.0, work);
        self.judge((Ok(false), Some(told), None))
    }

    /// One turn of each.
    fn turn(&mut self, turn: u64, threads: usize) -> Option<Answer> {
        let rests = self.rests();
        let Field { search, twoway, behind, meters, .. } = self;
        let front = |search: &mut Search<'a, F>| match rests {
            true => Ok(false),
            false => search.explore(search.effort().saturating_add(turn)),
        };
        let mut both_ways = || {
            let side = twoway.running()?;
            Some(side.explore(&mut meters.0, side.effort().saturating_add(turn)))
        };
        let mut back = || {
            let side = behind.running()?;
            Some(side.explore(&mut meters.1, side.effort().saturating_add(turn)))
        };
        let told = if threads < 2 || turn < THREAD_TURN * search.switches.first_turn {
            in_order(front(search), both_ways, back)
        } else {
            std::thread::scope(|scope| {
                let others = scope.spawn(move || {
                    if threads == 2 {
                        return (both_ways(), back());
                    }
                    let both_ways = scope.spawn(both_ways);
                    let back = back();
                    (both_ways.join().unwrap_or_else(|panic| resume_unwind(panic)), back)
                });
                let ahead = front(search);
                if matches!(ahead, Ok(true)) {
                    search.meter.end_others();
                }
                let (both_ways, back) = others.join().unwrap_or_else(|panic| resume_unwind(panic));
                (ahead, both_ways, back)
            })
        };
        self.judge(told)
    }

    /// Who has the answer, in an order that does not depend on who was quicker.
    fn judge(&mut self, (ahead, both_ways, back): Told) -> Option<Answer> {
        match ahead {
            Ok(true) => return Some(Answer::Front),
            Ok(false) => {}
            // WHY: the others hold what may be all that is missing.
            Err(Stop::Memory) if self.twoway.running().is_some() || self.behind.running().is_some() => {
                self.drop_twoway();
                self.drop_behind();
                return None;
            }
            Err(stop) => return Some(Answer::Stopped(stop)),
        }
        match both_ways {
            None | Some(Ok(Turn::Unfinished)) => {}
            Some(Ok(answer)) => return Some(Answer::TwoWay(answer)),
            Some(Err(Stop::Memory | Stop::Pairs)) => self.drop_twoway(),
            Some(Err(stop)) => return Some(Answer::Stopped(stop)),
        }
        match back {
            None | Some(Ok(Turn::Unfinished)) => {}
            Some(Ok(answer)) => return Some(Answer::Behind(answer)),
            Some(Err(Stop::Memory | Stop::Pairs)) => self.drop_behind(),
            Some(Err(stop)) => return Some(Answer::Stopped(stop)),
        }
        let alone = matches!((&self.twoway, &self.behind), (Side::Out, Side::Out));
        (alone && self.rests()).then_some(Answer::Stopped(Stop::Memory))
    }

    /// Whether phase 2 is left to the others.
    fn rests(&self) -> bool {
        let search = &self.search;
        !search.switches.front && search.is_settled() && !search.is_done() && search.frame.as_fixed().is_some()
    }

    fn drop_twoway(&mut self) {
        self.safe = self.safe.max(self.twoway.running().and_then(|side| side.safe));
        self.twoway = Side::Out;
        self.meters.0.leave();
    }

    fn drop_behind(&mut self) {
        self.safe = self.safe.max(self.behind.running().and_then(|side| side.safe));
        self.behind = Side::Out;
        self.meters.1.leave();
    }

    /// What the main search found, or what all know when a limit ended them.
    fn front_found(&mut self, stopped: Option<Stop>) -> (Found, Shown) {
        let search = &self.search;
        let proved = stopped.is_none() && search.exposure() == Exposure::Never;
        let by = if search.fronts.is_empty() && proved { DecidedBy::Twins } else { DecidedBy::Forward };
        let cost = Cost {
            pairs: search.progress(0).pairs,
            sets: search.sets.len() as u64,
            by: Some(by),
            memory: search.meter.peak(),
            ..Cost::default()
        };
        let hints = stopped.is_none().then(|| hints(search, false));
        let (exposure, saturation) = (search.exposure(), search.saturation);
        let mut found = Found { exposure, saturation, stopped, cost, hints, effort: search.effort() };
        if stopped.is_some() {
            self.drop_twoway();
            self.drop_behind();
            found.exposure = match (found.exposure, self.safe) {
                (Exposure::Beyond(front), Some(safe)) => Exposure::Beyond(front.max(safe)),
                (Exposure::Unknown, Some(safe)) => Exposure::Beyond(safe),
                (exposure, _) => exposure,
            };
            return (found, None);
        }
        let run = self.search.run();
        let shown = run.map(|(start, moves, before)| (states_of(self.search.frame, start, &moves), before));
        (found, shown)
    }

    fn twoway_found(&mut self, answer: Turn) -> (Found, Shown) {
        let Some(side) = self.twoway.running() else { return self.front_found(None) };
        let (stored, depth) = (side.stored(), side.depth());
        let alpha = answer.estimate().map(|estimate| side.alpha(estimate));
        self.side_found(DecidedBy::TwoWay, stored, depth, answer, alpha)
    }

    fn behind_found(&mut self, answer: Turn) -> (Found, Shown) {
        let Some(side) = self.behind.running() else { return self.front_found(None) };
        let ((pairs, sets), depth) = (side.stored(), side.depth());
        let search = &self.search;
        let stored = (pairs + search.progress(0).pairs, sets + search.sets.len() as u64);
        let alpha = answer.estimate().map(|estimate| search.observation(search.fronts[estimate].0));
        self.side_found(DecidedBy::Backward, stored, depth, answer, alpha)
    }

    /// What a search beside found, which stored so many pairs and sets, up to a depth.
    fn side_found(
        &self,
        by: DecidedBy,
        (pairs, sets): (u64, u64),
        depth: u64,
        answer: Turn,
        alpha: Option<Vec<Op>>,
    ) -> (Found, Shown) {
        let search = &self.search;
        let cost = Cost { pairs, sets, by: Some(by), memory: search.meter.peak(), ..Cost::default() };
        let (exposure, saturation, shown) = match answer {
            Turn::Exposed { beta, .. } => {
                let shown = exposed_run(search, &alpha.unwrap_or_default(), &beta);
                (Exposure::At(beta.len() as u64), None, shown)
            }
            Turn::Safe { for_ever: true } => (Exposure::Never, Some(depth), None),
            Turn::Safe { for_ever: false } | Turn::Unfinished => (Exposure::Beyond(search.goal.horizon), None, None),
        };
        let (hints, effort) = (Some(hints(search, true)), search.effort());
        (Found { exposure, saturation, stopped: None, cost, hints, effort }, shown)
    }
}

/// What a turn of each came to.
type Told = (Result<bool, Stop>, Option<Result<Turn, Stop>>, Option<Result<Turn, Stop>>);

/// One after the other, as long as there is no answer.
fn in_order(
    ahead: Result<bool, Stop>,
    both_ways: impl FnOnce() -> Option<Result<Turn, Stop>>,
    back: impl FnOnce() -> Option<Result<Turn, Stop>>,
) -> Told {
    if matches!(ahead, Ok(true)) {
        return (ahead, None, None);
    }
    let both_ways = both_ways();
    match both_ways {
        None | Some(Ok(Turn::Unfinished) | Err(_)) => (ahead, both_ways, back()),
        Some(Ok(_)) => (ahead, both_ways, None),
    }
}

/// A run that shows α, then β.
fn exposed_run<F: Frame>(search: &Search<'_, F>, alpha: &[Op], beta: &[Op]) -> Shown {
    let shown: Vec<Op> = alpha.iter().chain(beta).copied().collect();
    let (start, moves) = search.frame.as_fixed()?.run_showing(&shown)?;
    let mut seen = 0;
    let before = moves.iter().position(|step| {
        let past = seen == alpha.len();
        seen += usize::from(step.seen);
        past
    });
    Some((states_of(search.frame, start, &moves), before.unwrap_or(moves.len())))
}
