//! The one frame in which every view is searched.
//!
//! A *left* is where the real run is; a *rival* is one way in which things may be otherwise. The run's moves carry an
//! *operation* that takes the set of rivals along. For a fixed labelling ([`Fixed`](super::static_view::Fixed)) lefts and rivals are
//! states and operations are labels. For the weak view ([`Relative`](super::weak_view::Relative)) a left also knows which
//! anonymous events the run has used, and a rival which events it used in their place.

use super::static_view::Fixed;
use crate::automaton::{EventId, StateId};
use crate::verify::Stop;
use crate::verify::certificate::Lockstep;
use crate::verify::exposed_sets::Exposed;
use crate::verify::limits::Brake;
use crate::verify::sets::Set;
use crate::verify::simulation::game::Rule;

/// The number of a left.
pub(crate) type Left = u32;
/// The number of a rival.
pub(crate) type Rival = u32;
/// The number of an operation on sets of rivals.
pub(crate) type Op = u32;

/// The operation of a move that leaves the rivals as they are.
pub(crate) const STAY: Op = Op::MAX;

/// A move of the real run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Move {
    /// What it does to the rivals; [`STAY`]: nothing.
    pub(crate) op: Op,
    /// Where it leads.
    pub(crate) target: Left,
    /// Whether the intruder sees it.
    pub(crate) seen: bool,
    /// The event.
    pub(crate) event: EventId,
}

/// A view, ready to be searched.
///
/// SetInterner of rivals are closed under silent moves of the rivals, unless said otherwise.
pub(crate) trait Frame {
    /// The form of sets.
    type Set: Set;

    /// The frame itself when labels are fixed, so that it can be searched from behind.
    fn as_fixed(&self) -> Option<&Fixed<Self::Set>> {
        None
    }

    /// The size of the universe, for dense sets.
    fn universe(&self) -> usize;

    /// The lefts and rivals at X0 itself, not closed under silent moves.
    fn start(&mut self) -> (Vec<Left>, Vec<Rival>);

    /// The moves of a left, sorted by operation; the ones that [`STAY`] stand last.
    fn moves(&mut self, left: Left) -> &[Move];

    /// The state of a left.
    fn left_state(&self, left: Left) -> StateId;

    /// The state of a rival.
    fn rival_state(&self, rival: Rival) -> StateId;

    /// The anonymous events that the run of a left has used and may still use.
    fn left_past(&self, _left: Left) -> Vec<u32> {
        Vec::new()
    }

    /// The events that a rival used in their place (`u32::MAX`: one that it can do no more), and others that it has used.
    fn rival_past(&self, _rival: Rival) -> (Vec<u32>, Vec<u32>) {
        (Vec::new(), Vec::new())
    }

    /// The rival that does just what the run does.
    fn own(&mut self, left: Left) -> Rival;

    /// What an operation makes of a closed set of rivals; closed.
    fn post(&mut self, rivals: &Self::Set, op: Op) -> Self::Set;

    /// The same, if the brake allows it. A frame whose sets are no larger than the automaton need not look.
    fn post_within(&mut self, rivals: &Self::Set, op: Op, _brake: &Brake<'_>) -> Result<Self::Set, Stop> {
        Ok(self.post(rivals, op))
    }

    /// What an operation makes of one rival, silent moves before and after included, in `into`.
    fn answers(&mut self, rival: Rival, op: Op, into: &mut Vec<Rival>);

    /// The same without silent moves, [`STAY`] being one silent move or none.
    fn direct(&mut self, rival: Rival, op: Op, into: &mut Vec<Rival>);

    /// The rivals that a rival becomes silently, itself among them, in `into`.
    fn drift(&mut self, rival: Rival, into: &mut Vec<Rival>);

    /// How unlike a left a rival looks; only a guess.
    fn strangeness(&self, left: Left, rival: Rival) -> u32;

    /// The rivals that look just like a left; may be none.
    fn lookalikes(&mut self, _left: Left) -> Vec<Rival> {
        Vec::new()
    }

    /// States and transitions.
    fn size(&self) -> u64;

    /// How many times more work may be spent on [`Frame::steadily`] before the search has done any, whose steps are cheap, than on games of
    /// the frame itself.
    fn steady_share(&self) -> u64 {
        8
    }

    /// What a step of the game costs, in steps of the search.
    fn game_cost(&self) -> u64 {
        1
    }

    /// What the lefts' moves lead to, for each operation that changes the rivals: closed under moves that stay.
    fn advance(&mut self, lefts: &Self::Set) -> Vec<(Op, bool, Self::Set)>;

    /// The lefts with those they reach by moves that stay.
    fn close_lefts(&mut self, lefts: Vec<Left>) -> Self::Set;

    /// Whether some rival is known to answer for ever by a rule of the frame's own. The rivals are tried in order, beginning with the one
    /// that is given; an error names the one at which `most` work was done.
    fn steadily(
        &mut self,
        rule: Rule,
        exposed: &Exposed,
        left: Left,
        rivals: (&Self::Set, Rival),
        most: u64,
    ) -> Result<bool, Rival>;

    /// The set of these rivals, closed under silent moves.
    fn close(&mut self, rivals: Vec<Rival>) -> Self::Set;

    /// Work that was spent on that rule.
    fn steady_work(&self) -> u64 {
        0
    }

    /// The twins in lockstep that are known: for each permutation of events the pairs (x, y).
    fn lockstep(&self, _rule: Rule) -> Vec<Lockstep> {
        Vec::new()
    }

    /// Bytes held.
    fn bytes(&self) -> u64;
}
