//! From the member that has the answer to the result of a portfolio.

use super::{ExposingRun, Portfolio, SearchResult, Winner};
use crate::resources::Stop;
use crate::verdict::{Cost, DecidedBy, Exposure, Levels, Run};
use crate::verify::proof::seeds;
use crate::verify::search::SliceResult;
use crate::verify::views::belief_system::{ActualId, BeliefSystem, Heuristics, LabelId, Move, ProofExport};

impl<B: Heuristics + ProofExport> Portfolio<'_, B> {
    /// What is known when this member has the answer.
    pub(super) fn result(&mut self, winner: Winner) -> (SearchResult, ExposingRun) {
        match winner {
            Winner::Forward => self.forward_result(),
            Winner::TwoWay(result) => self.two_way_result(result),
            Winner::Backward(result) => self.backward_result(result),
            Winner::Nothing => self.nothing_result(),
            Winner::Known => self.unfinished_result(None),
            Winner::Stopped(stop) => self.unfinished_result(Some(stop)),
        }
    }

    /// What the forward search did.
    fn forward_cost(&self, by: DecidedBy) -> Cost {
        let forward = &self.forward;
        Cost {
            pairs: forward.progress(0).pairs,
            sets: forward.sets.len() as u64,
            by: Some(by),
            memory: forward.meter.peak(),
            work: forward.effort(),
            ..Cost::default()
        }
    }

    /// The result of the forward search.
    fn forward_result(&mut self) -> (SearchResult, ExposingRun) {
        let forward = &self.forward;
        let proved = forward.exposure() == Exposure::Never;
        let by = if forward.phase2_seeds.is_empty() && proved { DecidedBy::Twins } else { DecidedBy::Forward };
        let result = SearchResult {
            exposure: forward.exposure(),
            saturation: forward.saturation,
            stopped: None,
            cost: self.forward_cost(by),
            seeds: Some(seeds(forward, false)),
            effort: forward.effort(),
            levels: self.levels(),
        };
        let run = self.forward.run();
        let run = run.map(|(start, moves, before)| (run_of(self.forward.beliefs, start, &moves), before));
        (result, run)
    }

    /// What all members know when they end without an answer of their own.
    fn unfinished_result(&mut self, stopped: Option<Stop>) -> (SearchResult, ExposingRun) {
        let safe = self.safe();
        self.drop_two_way();
        self.drop_backward();
        let found = self.lookout.found.take().map(|found| (found.beta, found.by, found.run));
        let (most, by, run) = found.map_or((None, DecidedBy::Forward, None), |(beta, by, run)| (Some(beta), by, run));
        let exposure = Exposure::between(safe, most);
        let mut cost = self.forward_cost(by);
        cost.work += self.lookout.work;
        let effort = self.forward.effort();
        let stopped = stopped.filter(|_| !exposure.is_exact());
        let seeds = stopped.is_none().then(|| seeds(&self.forward, true));
        (SearchResult { exposure, saturation: None, stopped, cost, seeds, effort, levels: self.levels() }, run)
    }

    /// The result when the search by the number of observations has explored all there is.
    fn nothing_result(&mut self) -> (SearchResult, ExposingRun) {
        let (forward, levels) = (&self.forward, self.levels());
        let exposure = match forward.bound.horizon {
            u64::MAX => Exposure::Never,
            horizon => Exposure::Beyond(horizon),
        };
        let mut cost = self.forward_cost(DecidedBy::FewObservations);
        cost.work += self.lookout.work;
        let (seeds, effort) = (Some(seeds(forward, true)), forward.effort());
        (SearchResult { exposure, saturation: None, stopped: None, cost, seeds, effort, levels }, None)
    }

    fn levels(&self) -> Levels {
        self.lookout.levels.clone()
    }

    fn two_way_result(&mut self, result: SliceResult) -> (SearchResult, ExposingRun) {
        let Some(member) = self.two_way.running() else { return self.forward_result() };
        let (stored, depth, work) = (member.stored(), member.depth(), member.effort());
        let alpha = estimate_of(&result).map(|estimate| member.alpha(estimate));
        self.member_result((DecidedBy::TwoWay, work), stored, depth, result, alpha)
    }

    fn backward_result(&mut self, result: SliceResult) -> (SearchResult, ExposingRun) {
        let Some(member) = self.backward.running() else { return self.forward_result() };
        let ((pairs, sets), depth, work) = (member.stored(), member.depth(), member.effort());
        let forward = &self.forward;
        let stored = (pairs + forward.progress(0).pairs, sets + forward.sets.len() as u64);
        let alpha = estimate_of(&result).map(|estimate| forward.observation(forward.phase2_seeds[estimate].0));
        self.member_result((DecidedBy::Backward, work + forward.effort()), stored, depth, result, alpha)
    }

    /// The result of a member that did so much work and stored this many pairs and sets, down to a depth.
    fn member_result(
        &self,
        (by, work): (DecidedBy, u64),
        (pairs, sets): (u64, u64),
        depth: u64,
        result: SliceResult,
        alpha: Option<Vec<LabelId>>,
    ) -> (SearchResult, ExposingRun) {
        let forward = &self.forward;
        let cost = Cost { pairs, sets, by: Some(by), memory: forward.meter.peak(), work, ..Cost::default() };
        let (exposure, saturation, run) = match result {
            SliceResult::Exposed { beta, .. } => {
                let run = exposing_run(forward.beliefs, &alpha.unwrap_or_default(), &beta);
                (Exposure::At(beta.len() as u64), None, run)
            }
            SliceResult::Safe => (Exposure::Never, Some(depth), None),
            SliceResult::SafeToHorizon | SliceResult::Unfinished => {
                (Exposure::Beyond(forward.bound.horizon), None, None)
            }
        };
        let (seeds, effort) = (Some(seeds(forward, true)), forward.effort());
        let levels = self.levels();
        (SearchResult { exposure, saturation, stopped: None, cost, seeds, effort, levels }, run)
    }
}

fn estimate_of(result: &SliceResult) -> Option<usize> {
    match result {
        SliceResult::Exposed { estimate, .. } => Some(*estimate),
        SliceResult::Unfinished | SliceResult::SafeToHorizon | SliceResult::Safe => None,
    }
}

/// A run that shows α, then β.
pub(in crate::verify::engine) fn exposing_run<B: BeliefSystem>(
    beliefs: &B,
    alpha: &[LabelId],
    beta: &[LabelId],
) -> ExposingRun {
    let labels: Vec<LabelId> = alpha.iter().chain(beta).copied().collect();
    let (start, moves) = beliefs.as_static()?.run_showing(&labels)?;
    let mut observed = 0;
    let before = moves.iter().position(|step| {
        let after_alpha = observed == alpha.len();
        observed += usize::from(step.observed);
        after_alpha
    });
    Some((run_of(beliefs, start, &moves), before.unwrap_or(moves.len())))
}

/// The run of the automaton.
pub(in crate::verify::engine) fn run_of<B: BeliefSystem>(beliefs: &B, start: ActualId, moves: &[Move]) -> Run {
    let mut states = vec![beliefs.actual_state(start)];
    states.extend(moves.iter().map(|step| beliefs.actual_state(step.target)));
    Run { states, events: moves.iter().map(|step| step.event).collect() }
}
