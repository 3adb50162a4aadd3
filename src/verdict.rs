//! What deciding a system gives: verdicts, their evidence, and what they cost.
//!
//! The engine ([`verify`](mod@crate::verify)) and the literal construction ([`paper`](crate::paper)) both build these types; reports and editors
//! read them. The evidence is checked without either: a [`Witness`] is replayed from the definitions, a proof is a
//! [`Certificate`] with a checker of its own.

pub mod certificate;

use crate::automaton::view::Symbol;
use crate::automaton::{EventId, StateId, StateSet};
use crate::model::{Horizon, LeastCost, Property, System, ViewId};
use crate::resources::Stop;
use certificate::Certificate;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The results of a system: one for each check and each measure, in their order.
#[derive(Debug)]
pub struct Results {
    /// One per check.
    pub checks: Vec<Verdict>,
    /// One per measure.
    pub measures: Vec<Measured>,
}

/// What became of a check, before `not` is applied. Each answer carries what it rests on.
#[derive(Debug)]
pub enum Verdict {
    /// What is asked is so. An estimate or a projection that is what was expected needs no evidence.
    Holds(Option<Evidence>),
    /// What is asked is not so.
    Violated(Refutation),
    /// It is not known whether what is asked is so.
    Undecided {
        /// The limit that was reached; none: an internal error, told by the [`Finding`].
        stop: Option<Stop>,
        /// How far the search for a property came; none: an estimate or a projection was not computed.
        evidence: Option<Evidence>,
    },
}

/// Why what a check asks is not so.
#[derive(Debug)]
pub enum Refutation {
    /// The property is exposed within the horizon; or, with `exactly`, is not exposed where it should be.
    Property(Evidence),
    /// The delayed estimate is another than the expected one.
    Estimate {
        /// The delayed estimate.
        actual: StateSet,
    },
    /// A string shows something else than was expected.
    Projection {
        /// What the string shows.
        actual: Vec<Symbol>,
    },
    /// A repair costs another sum than the promised one.
    Repair {
        /// What it costs.
        actual: LeastCost,
    },
}

/// What a search found about a property, and the horizon up to which it is read.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The horizon of the check.
    pub horizon: Horizon,
    /// What the search found.
    pub finding: Arc<Finding>,
}

impl Evidence {
    /// An exposure, if one was found and replayed on the system itself.
    pub fn witness(&self) -> Option<&Witness> {
        self.finding.witness.as_ref()
    }

    /// The proof of what holds, if one was built.
    pub fn certificate(&self) -> Option<&Certificate> {
        self.finding.certificate.as_ref()
    }
}

impl Verdict {
    /// What a finding says about a property up to a horizon.
    pub fn of_property(finding: Arc<Finding>, horizon: Horizon) -> Verdict {
        let (answer, stop) = (finding.exposure.answer(horizon), finding.stopped);
        let evidence = Evidence { horizon, finding };
        match answer {
            Answer::Holds => Verdict::Holds(Some(evidence)),
            Answer::Violated => Verdict::Violated(Refutation::Property(evidence)),
            Answer::Undecided => Verdict::Undecided { stop, evidence: Some(evidence) },
        }
    }

    /// An estimate or a projection that was not computed.
    pub fn stopped(stop: Stop) -> Verdict {
        Verdict::Undecided { stop: Some(stop), evidence: None }
    }

    /// The answer alone.
    pub fn answer(&self) -> Answer {
        match self {
            Verdict::Holds(_) => Answer::Holds,
            Verdict::Violated(_) => Answer::Violated,
            Verdict::Undecided { .. } => Answer::Undecided,
        }
    }

    /// What a property's verdict rests on; none: an estimate or a projection was asked for.
    pub fn evidence(&self) -> Option<&Evidence> {
        match self {
            Verdict::Holds(evidence) | Verdict::Undecided { evidence, .. } => evidence.as_ref(),
            Verdict::Violated(Refutation::Property(evidence)) => Some(evidence),
            Verdict::Violated(
                Refutation::Estimate { .. } | Refutation::Projection { .. } | Refutation::Repair { .. },
            ) => None,
        }
    }
}

/// The three answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Answer {
    Holds,
    Violated,
    Undecided,
}

impl Answer {
    /// What becomes of a check that has this answer. This is the only place where `not` is applied.
    pub fn mark(self, negated: bool) -> Mark {
        match (self, negated) {
            (Answer::Undecided, _) => Mark::Undecided,
            (Answer::Holds, false) | (Answer::Violated, true) => Mark::Passed,
            (Answer::Holds, true) | (Answer::Violated, false) => Mark::Failed,
        }
    }
}

/// Whether a check passed. The worst comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Mark {
    Passed,
    Undecided,
    Failed,
}

/// The exposure distance, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exposure {
    /// The least |β| that exposes.
    At(u64),
    /// Nothing ever exposes.
    Never,
    /// Nothing exposes with |β| up to this; longer ones were not looked at.
    Beyond(u64),
    /// An exposure is known, but not that it is the shortest.
    AtMost {
        /// Its |β|.
        most: u64,
        /// Nothing exposes with |β| up to this.
        safe: Option<u64>,
    },
    /// Not even |β| = 0 was looked at to the end.
    Unknown,
}

impl Exposure {
    /// What is known when nothing exposes with |β| up to `safe`, and something does with |β| = `most`.
    pub fn between(safe: Option<u64>, most: Option<u64>) -> Exposure {
        match (safe, most) {
            (None, None) => Exposure::Unknown,
            (Some(safe), None) => Exposure::Beyond(safe),
            (safe, Some(most)) if most == safe.map_or(0, |safe| safe.saturating_add(1)) => Exposure::At(most),
            (safe, Some(most)) => Exposure::AtMost { most, safe },
        }
    }

    /// The greatest |β| up to which nothing exposes; `u64::MAX`: nothing ever does.
    pub fn safe(self) -> Option<u64> {
        match self {
            Exposure::At(least) => least.checked_sub(1),
            Exposure::Never => Some(u64::MAX),
            Exposure::Beyond(safe) => Some(safe),
            Exposure::AtMost { safe, .. } => safe,
            Exposure::Unknown => None,
        }
    }

    /// The |β| of an exposure, if one is known.
    pub fn most(self) -> Option<u64> {
        match self {
            Exposure::At(most) | Exposure::AtMost { most, .. } => Some(most),
            Exposure::Never | Exposure::Beyond(_) | Exposure::Unknown => None,
        }
    }

    /// Whether the distance itself is known.
    pub fn is_exact(self) -> bool {
        matches!(self, Exposure::At(_) | Exposure::Never)
    }

    /// What follows from two findings about the same question.
    #[must_use]
    pub fn and(self, other: Exposure) -> Exposure {
        match (self, other) {
            (exact, _) | (_, exact) if exact.is_exact() => exact,
            _ => Exposure::between(self.safe().max(other.safe()), self.most().into_iter().chain(other.most()).min()),
        }
    }

    /// What it says about a horizon.
    pub fn answer(self, horizon: Horizon) -> Answer {
        match (self, horizon) {
            (Exposure::At(least), Horizon::Steps(steps)) if least <= steps => Answer::Violated,
            (Exposure::At(_) | Exposure::Never, Horizon::Steps(_)) => Answer::Holds,
            (Exposure::Beyond(safe), Horizon::Steps(steps)) if steps <= safe => Answer::Holds,
            (Exposure::At(least), Horizon::Exactly(steps)) if least == steps.saturating_add(1) => Answer::Holds,
            (Exposure::At(_) | Exposure::Never, Horizon::Exactly(_)) => Answer::Violated,
            (Exposure::Beyond(safe), Horizon::Exactly(steps)) if safe > steps => Answer::Violated,
            (Exposure::At(_) | Exposure::AtMost { .. }, Horizon::Infinite | Horizon::Initial) => Answer::Violated,
            (Exposure::Never, Horizon::Infinite | Horizon::Initial) => Answer::Holds,
            (Exposure::AtMost { most, .. }, Horizon::Steps(steps) | Horizon::Exactly(steps)) if most <= steps => {
                Answer::Violated
            }
            (Exposure::AtMost { safe: Some(safe), .. }, _) => Exposure::Beyond(safe).answer(horizon),
            (Exposure::Beyond(_) | Exposure::Unknown | Exposure::AtMost { safe: None, .. }, _) => Answer::Undecided,
        }
    }
}

/// What one search found about one view and one property.
#[derive(Debug)]
pub struct Finding {
    /// Through whose eyes.
    pub view_id: ViewId,
    /// What must not be exposed.
    pub property: Property,
    /// The exposure distance.
    pub exposure: Exposure,
    /// An exposure with the shortest β that is known, replayed; there is one iff `exposure` is [`Exposure::At`] or
    /// [`Exposure::AtMost`] and `unreplayed` is none.
    pub witness: Option<Witness>,
    /// Why the witness was left out, if a limit was reached while it was replayed.
    pub unreplayed: Option<Stop>,
    /// The layer after which nothing new appears, when the search went that far.
    pub saturation: Option<u64>,
    /// Why the search ended early, if it did.
    pub stopped: Option<Stop>,
    /// An internal error: a witness that did not replay, a certificate that was refused. Then nothing else here counts.
    pub fault: Option<String>,
    /// How far the search by the number of observations came.
    pub levels: Levels,
    /// The proof of what holds, unless it is large; checked.
    pub certificate: Option<Certificate>,
    /// What it cost.
    pub cost: Cost,
    /// The parts that decided it, if the product of all was not built.
    pub parts: Option<Arc<DecidingParts>>,
}

impl Finding {
    /// The system and the finding that show an exposure: those of the kept parts, if it was found there.
    pub fn shown<'a>(&'a self, system: &'a System) -> (&'a System, &'a Finding) {
        match self.parts.as_ref().and_then(|parts| parts.exposed.as_deref()) {
            Some((system, finding)) => (system, finding),
            None => (system, self),
        }
    }

    /// The exposure, wherever it was found.
    pub fn exposing(&self) -> Option<&Witness> {
        let on_parts = || self.parts.as_ref()?.exposed.as_ref()?.1.witness.as_ref();
        self.witness.as_ref().or_else(on_parts)
    }
}

/// The parts of a composed system that decided a property.
#[derive(Debug, Default)]
pub struct DecidingParts {
    /// Those that were kept, in order; the others do not matter. Empty: nothing was decided.
    pub kept: Vec<usize>,
    /// How many there are.
    pub total: usize,
    /// An exposure that was found on the kept parts: the system of these parts, in which the others may do anything, and the
    /// finding there.
    pub exposed: Option<Box<(System, Finding)>>,
    /// The sets of parts that did not answer, in the order in which they were tried, if the search ended early.
    pub tried: Vec<Vec<usize>>,
}

impl Finding {
    /// The finding before anything was searched.
    pub(crate) fn unsearched(view_id: ViewId, property: Property) -> Finding {
        Finding {
            view_id,
            property,
            exposure: Exposure::Unknown,
            witness: None,
            unreplayed: None,
            saturation: None,
            stopped: None,
            fault: None,
            levels: Levels::default(),
            certificate: None,
            cost: Cost::default(),
            parts: None,
        }
    }
}

/// How far a search by the number of observations came, α and β together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// For each number of observations from 0 on: how many pairs have so many and are left to extend. No exposure with |β| up to
    /// `within` has so few.
    pub pairs: Vec<u64>,
    /// The greatest |β| that was looked at.
    pub within: u64,
}

impl Levels {
    /// The pairs by the number of observations, if they tell something about this horizon.
    pub fn about(&self, horizon: u64) -> &[u64] {
        if self.within >= horizon { &self.pairs } else { &[] }
    }

    /// The greatest number of observations up to which nothing is exposed with |β| up to a horizon, if that is known of any.
    pub fn safe(&self, horizon: u64) -> Option<u64> {
        (self.about(horizon).len() as u64).checked_sub(1)
    }

    /// Those of two searches for the same that tell more.
    #[must_use]
    pub fn further(self, other: Levels) -> Levels {
        if (other.within, other.pairs.len()) > (self.within, self.pairs.len()) { other } else { self }
    }
}

/// What a search cost.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// Pairs stored at the end: the size of the proof.
    pub pairs: u64,
    /// Different sets that were met.
    pub sets: u64,
    /// The most bytes held.
    pub memory: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// The part of it in which the proof of what holds was built and checked.
    pub proof: Duration,
    /// What the method that decided it did, in its own units: the same in every run.
    pub work: u64,
    /// Which method decided it, if one did.
    pub by: Option<DecidedBy>,
    /// Whether the proof of what holds was checked by separate code.
    pub certified: bool,
}

/// The method that decided a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecidedBy {
    /// Every estimate contains twins of every state that could be exposed.
    Twins,
    /// The forward search.
    Forward,
    /// The backward search.
    Backward,
    /// The two-way observer.
    TwoWay,
    /// The search by the number of observations.
    FewObservations,
    /// The search that expands first what has the fewest hypotheses.
    BestFirst,
    /// The strong view, under which an exposure is one of the weak view too.
    StrongView,
    /// No run reaches a state that its cell does not save.
    Cells,
    /// The paper's construction.
    Literal,
}

impl fmt::Display for DecidedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DecidedBy::Twins => "twins",
            DecidedBy::Forward => "front",
            DecidedBy::Backward => "behind",
            DecidedBy::TwoWay => "two-way",
            DecidedBy::FewObservations => "few",
            DecidedBy::BestFirst => "best",
            DecidedBy::StrongView => "strong",
            DecidedBy::Cells => "cells",
            DecidedBy::Literal => "literal",
        })
    }
}

/// An exposure: what the intruder saw, at which instant it was sure, and one real run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// αβ.
    pub observation: Vec<Symbol>,
    /// |α|.
    pub at: usize,
    /// The delayed estimate at α given αβ: not empty, inside an exposed set.
    pub exposed: StateSet,
    /// A run that shows αβ.
    pub run: Run,
}

impl Witness {
    /// |β|.
    pub fn distance(&self) -> u64 {
        (self.observation.len() - self.at) as u64
    }
}

/// The exposure with the fewest observations in all, beside the witness of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fewest {
    /// An exposure with fewer observations than the witness, replayed; none: none was found.
    pub other: Option<Witness>,
    /// Whether no exposure within the horizon has fewer observations than this one, or than the witness if there is no other.
    pub is_proved: bool,
}

/// Exposures that are really different from one that is known: they expose something else, or their last observation is another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Further {
    /// Those that were found, one of each kind, replayed: the ones with the fewest observations first.
    pub witnesses: Vec<Witness>,
    /// Whether there is no other kind within the horizon; none: that is not known.
    pub is_all: Option<bool>,
}

/// A run of the automaton.
//
// INVARIANT: `states.len() == events.len() + 1`, and each event leads from its state to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The states it goes through.
    pub states: Vec<StateId>,
    /// The events between them.
    pub events: Vec<EventId>,
}

/// The answer to a measure.
#[derive(Debug)]
pub struct Measured {
    /// What the search found.
    pub finding: Arc<Finding>,
    /// The paper's bound on K: digits, or a power such as `9*2^9`.
    pub bound: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every claim that is true of a system with this distance, up to small numbers.
    fn claims(least: Option<u64>) -> Vec<Exposure> {
        let exact = least.map_or(Exposure::Never, Exposure::At);
        let safe = (0..least.unwrap_or(6)).map(Some).chain([None]);
        let most: Vec<Option<u64>> = least.into_iter().flat_map(|least| least..least + 4).map(Some).collect();
        let between =
            safe.flat_map(|safe| most.iter().copied().chain([None]).map(move |most| Exposure::between(safe, most)));
        between.chain([exact]).collect()
    }

    #[test]
    fn what_a_partial_finding_says_of_a_horizon_is_what_the_whole_one_says_or_nothing() {
        let horizons = (0..8).flat_map(|steps| [Horizon::Steps(steps), Horizon::Exactly(steps)]);
        let horizons: Vec<Horizon> = horizons.chain([Horizon::Infinite, Horizon::Initial]).collect();
        for least in [None, Some(0), Some(1), Some(2), Some(4)] {
            let exact = least.map_or(Exposure::Never, Exposure::At);
            for (one, other) in
                claims(least).into_iter().flat_map(|one| claims(least).into_iter().map(move |o| (one, o)))
            {
                for &horizon in &horizons {
                    let said = one.and(other).answer(horizon);
                    assert!(
                        said == exact.answer(horizon) || said == Answer::Undecided,
                        "{one:?}, {other:?}, {horizon:?}"
                    );
                    let apart = [one.answer(horizon), other.answer(horizon)];
                    assert!(said != Answer::Undecided || apart == [Answer::Undecided; 2], "{one:?}, {other:?}");
                }
            }
        }
    }

    #[test]
    fn an_exposure_that_need_not_be_the_shortest_decides_every_horizon_that_reaches_it() {
        let known = Exposure::between(Some(1), Some(4));
        let answer = |horizon| known.answer(horizon);
        assert_eq!(known, Exposure::AtMost { most: 4, safe: Some(1) });
        assert_eq!(answer(Horizon::Infinite), Answer::Violated);
        assert_eq!([1, 2, 4].map(Horizon::Steps).map(answer), [Answer::Holds, Answer::Undecided, Answer::Violated]);
        let exactly = [0, 1, 3, 4].map(Horizon::Exactly).map(answer);
        assert_eq!(exactly, [Answer::Violated, Answer::Undecided, Answer::Undecided, Answer::Violated]);
        assert_eq!(Exposure::between(Some(3), Some(4)), Exposure::At(4));
    }
}
