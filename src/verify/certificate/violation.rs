//! Proofs that a property does not hold: a run, and what it gives away.

use super::model::{Ground, Left, Rival, SILENT};
use crate::automaton::view::View;
use crate::model::Property;
use crate::verify::Witness;

/// A run after which the intruder is sure of what must not be known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exposed {
    /// Only α = ε, over X0 itself.
    pub initial: bool,
    /// Where the run starts.
    pub start: u32,
    /// Its moves: letter and target.
    pub moves: Vec<(u32, u32)>,
    /// How many of them come before the instant of which the intruder is sure.
    pub before: usize,
    /// The classes of the exposed set.
    pub classes: Vec<u32>,
}

impl Exposed {
    /// The run of a witness.
    pub(crate) fn of(view: &View<'_>, property: &Property, witness: &Witness, initial: bool) -> Exposed {
        let ground = Ground::new(view, property);
        let letters = witness.run.events.iter().filter_map(|event| ground.letter(event.0));
        let targets = witness.run.states.iter().skip(1).map(|state| state.0);
        let moves: Vec<(u32, u32)> = letters.zip(targets).collect();
        let mut classes: Vec<u32> = witness.exposed.iter().map(|state| ground.class(state.0)).collect();
        classes.sort_unstable();
        classes.dedup();
        // The instant: after |α| seen moves, and as many silent ones as lead into the exposed set.
        let mut seen = 0;
        let mut before = 0;
        for at in 0..=moves.len() {
            let state = if at == 0 { witness.run.states[0].0 } else { moves[at - 1].1 };
            seen += usize::from(at > 0 && moves[at - 1].0 != SILENT);
            if seen == witness.at && classes.contains(&ground.class(state)) {
                before = at;
                break;
            }
        }
        Exposed { initial, start: witness.run.states[0].0, moves, before, classes }
    }

    /// |β|.
    pub fn distance(&self) -> u64 {
        self.moves.iter().skip(self.before).filter(|step| step.0 != SILENT).count() as u64
    }
}

/// Checks that a run exposes, and gives |β|. The runs that look alike are followed exactly: nothing is left out here.
pub fn check_exposed(view: &View<'_>, property: &Property, exposed: &Exposed) -> Result<u64, String> {
    let ground = Ground::new(view, property);
    if !ground.initial().contains(&exposed.start) || exposed.before > exposed.moves.len() {
        return Err("the run does not start at an initial state, or ends before its instant".to_owned());
    }
    let fresh = |&state: &u32| Rival { state, images: Vec::new(), spent: Vec::new() };
    let mut left = Left { state: exposed.start, used: Vec::new() };
    let mut rivals: Vec<Rival> = ground.initial().iter().map(fresh).collect();
    if exposed.initial && exposed.before > 0 {
        return Err("the instant is not the start".to_owned());
    }
    if !exposed.initial {
        rivals = ground.close_rivals(rivals);
    }
    let mut distance = 0;
    for at in 0..=exposed.moves.len() {
        if at == exposed.before {
            rivals = outside(&ground, &left, rivals, exposed)?;
        }
        let Some(&(letter, target)) = exposed.moves.get(at) else { break };
        if !ground.leads(left.state, letter, target) {
            return Err(format!("the run has no move {} from state {}", at + 1, left.state));
        }
        let used = ground.used_after(&left.used, letter, target);
        rivals = ground.post_rivals(&rivals, &left.used, letter, &used);
        left = Left { state: target, used };
        distance += u64::from(at >= exposed.before && letter != SILENT);
    }
    if rivals.is_empty() { Ok(distance) } else { Err("some rival is left at the end of the run".to_owned()) }
}

/// UR(S \ D), D being exposed and around the run.
fn outside(ground: &Ground, left: &Left, rivals: Vec<Rival>, exposed: &Exposed) -> Result<Vec<Rival>, String> {
    let mut classes = exposed.classes.clone();
    classes.sort_unstable();
    classes.dedup();
    if !ground.jumps(left.state) || !classes.contains(&ground.class(left.state)) || classes.len() > ground.together() {
        return Err("the classes are no exposed set around the run".to_owned());
    }
    let kept = rivals.into_iter().filter(|rival| !classes.contains(&ground.class(rival.state)));
    Ok(ground.close_rivals(kept))
}
