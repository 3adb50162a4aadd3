//! Proofs that a property is violated: a run, and the exposed set that its observation reveals.

use super::Refused;
use super::derivation::{Derivation, SECRET};
use super::labels::labels;
use super::model::{Actual, CheckerModel, EPSILON, Hypothesis};
use crate::automaton::view::View;
use crate::model::Property;
use crate::resources::Monitor;
use crate::verdict::Witness;

/// A run after which the intruder knows what they must not know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violation {
    /// Only α = ε, over X0 itself.
    pub initial: bool,
    /// Where the run starts.
    pub start: u32,
    /// Its moves: label and target.
    pub moves: Vec<(u32, u32)>,
    /// How many of them come before the instant that is exposed.
    pub before: usize,
    /// The classes of the exposed set.
    pub classes: Vec<u32>,
}

impl Violation {
    /// The run of a witness.
    pub(crate) fn of(view: &View<'_>, property: &Property, witness: &Witness, initial: bool) -> Violation {
        let labels = labels(view).labels;
        let derivation = Derivation::new(view, property);
        let class = derivation.exposed().classes;
        let states = derivation.lifted(&witness.run.states);
        let labels = witness.run.events.iter().map(|event| labels[event.index()]);
        let moves: Vec<(u32, u32)> = labels.zip(states.iter().skip(1).copied()).collect();
        let mut classes: Vec<u32> = match property.has_exposed_sets() {
            true => witness.exposed.iter().map(|state| class[state.index()]).collect(),
            false => vec![SECRET],
        };
        classes.sort_unstable();
        classes.dedup();
        // The instant: after |α| observed moves, and as many silent ones as lead into the exposed set.
        let mut observed = 0;
        let mut before = 0;
        for at in 0..=moves.len() {
            let state = states[at];
            observed += usize::from(at > 0 && moves[at - 1].0 != EPSILON);
            if observed == witness.at && classes.binary_search(&class[state as usize]).is_ok() {
                before = at;
                break;
            }
        }
        Violation { initial, start: states[0], moves, before, classes }
    }

    /// |β|.
    pub fn distance(&self) -> u64 {
        self.moves.iter().skip(self.before).filter(|step| step.0 != EPSILON).count() as u64
    }
}

/// Checks that a run is exposed; gives |β|. All runs that look alike are followed: no hypothesis is left out here.
pub fn check_violation(
    view: &View<'_>,
    property: &Property,
    violation: &Violation,
    monitor: &mut Monitor<'_>,
) -> Result<u64, Refused> {
    let held = monitor.held();
    let distance = distance(view, property, violation, monitor)?;
    monitor.release_to(held);
    Ok(distance)
}

fn distance(
    view: &View<'_>,
    property: &Property,
    violation: &Violation,
    monitor: &mut Monitor<'_>,
) -> Result<u64, Refused> {
    let model = CheckerModel::new(view, property, monitor)?;
    if !model.initial().contains(&violation.start) || violation.before > violation.moves.len() {
        return Err("the run does not start at an initial state, or ends before its instant".into());
    }
    let fresh = |&state: &u32| Hypothesis { state, images: Vec::new(), spent: Vec::new() };
    let mut actual = Actual { state: violation.start, used: Vec::new() };
    let mut hypotheses: Vec<Hypothesis> = model.initial().iter().map(fresh).collect();
    if violation.initial && violation.before > 0 {
        return Err("the instant is not the start".into());
    }
    if !violation.initial {
        hypotheses = model.close_hypotheses(hypotheses, monitor)?;
    }
    let mut distance = 0;
    for at in 0..=violation.moves.len() {
        if at == violation.before {
            hypotheses = surviving(&model, &actual, hypotheses, violation, monitor)?;
        }
        let Some(&(label, target)) = violation.moves.get(at) else { break };
        if !model.has_move(actual.state, label, target) {
            return Err(format!("the run has no move {} from state {}", at + 1, actual.state).into());
        }
        let used = model.used_after(&actual.used, label, target);
        hypotheses = model.post_hypotheses(&hypotheses, &actual.used, label, &used, monitor)?;
        actual = Actual { state: target, used };
        distance += u64::from(at >= violation.before && label != EPSILON);
    }
    if hypotheses.is_empty() { Ok(distance) } else { Err("some hypothesis survives the run".into()) }
}

/// UR(S \ D), if D is an exposed set that contains the actual state.
fn surviving(
    model: &CheckerModel,
    actual: &Actual,
    hypotheses: Vec<Hypothesis>,
    violation: &Violation,
    monitor: &mut Monitor<'_>,
) -> Result<Vec<Hypothesis>, Refused> {
    let mut classes = violation.classes.clone();
    classes.sort_unstable();
    classes.dedup();
    if !model.can_be_exposed(actual.state)
        || !classes.contains(&model.class(actual.state))
        || !classes.iter().all(|&class| model.is_exposable(class))
        || classes.len() > model.max_classes()
    {
        return Err("the classes are no exposed set that contains the state of the run".into());
    }
    let kept =
        hypotheses.into_iter().filter(|hypothesis| classes.binary_search(&model.class(hypothesis.state)).is_err());
    Ok(model.close_hypotheses(kept, monitor)?)
}
