//! The weak view, told relative to the real run.
//!
//! Two runs look alike under Pw iff at each position the event is new in both, or old in both with the same first position.
//! So the order of arrival need not be kept. A left is (x, U), U being the anonymous events that the run has used. A rival
//! is (y, π, F): π gives for each event of U the event that the rival used in its place, F are events that it used for
//! something that no longer matters, and may not use as new. When the run does a in U, rivals do π(a); when it does
//! a new a, they do any b of the same group outside the range of π and F.
//!
//! What cannot matter is forgotten: an event that x can never reach again leaves U, and its π moves to F; F keeps only
//! events that y can still reach; a π(a) that y can never do again is [`DEAD`](ids::DEAD). Of two rivals with the same y
//! and π the one with the larger F goes. All of this is exact.
//!
//! Cost: rivals are interned; what an operation makes of one rival is computed once.

mod successors;
mod events;
mod ids;

use super::belief_system::{Frame, Left, Move, Op, Rival, STAY};
use super::static_view::Marks;
use crate::automaton::view::View;
use crate::automaton::{Automaton, StateId};
use crate::resources::strike;
use crate::verify::Stop;
use crate::verify::certificate::Lockstep;
use crate::verify::exposed_sets::Exposed;
use crate::verify::limits::Brake;
use crate::verify::sets::{Set, Sparse, map_bytes, vec_bytes};
use crate::verify::simulation::colour_refinement::Hues;
use crate::verify::simulation::game::Rule;
use crate::verify::simulation::permutation::{Run, Standing, Steady};
use events::{Reach, Role, roles};
use ids::{Act, DomainId, Names};
use rustc_hash::{FxHashMap, FxHashSet};
use std::convert::Infallible;
use std::sync::OnceLock;
use successors::Found;

/// How many rivals of a set are answered between two looks at the limits.
const RIVALS_PER_LOOK: usize = 512;

/// The weak view as a frame.
#[derive(Debug)]
pub(crate) struct Relative<'a> {
    automaton: &'a Automaton,
    /// For each event: how it is seen.
    role: Vec<Role>,
    names: Names,
    /// The moves of each left, once they were asked for.
    moves: Vec<Option<Box<[Move]>>>,
    /// What operations made of rivals.
    found: Found,
    closures: FxHashMap<u32, Box<[u32]>>,
    marks: Marks,
    hues: OnceLock<Hues>,
    steady: Steady,
    /// Heap bytes of the moves and of the closures.
    bytes: u64,
}

impl<'a> Relative<'a> {
    /// The weak view as a frame.
    pub(crate) fn new(view: &View<'a>) -> Relative<'a> {
        let automaton = view.automaton;
        let role = roles(view);
        Relative {
            automaton,
            names: Names::new(Reach::new(automaton, &role)),
            role,
            moves: Vec::new(),
            found: Found::default(),
            closures: FxHashMap::default(),
            marks: Marks::new(automaton.n_states()),
            hues: OnceLock::new(),
            steady: Steady::new(view),
            bytes: 0,
        }
    }

    fn left(&mut self, state: u32, domain: DomainId) -> Left {
        let (left, new) = self.names.left(state, domain);
        if new {
            self.moves.push(None);
        }
        left
    }

    fn find_moves(&mut self, left: Left) -> Box<[Move]> {
        let (state, from) = self.names.of_left(left);
        let automaton = self.automaton;
        let mut moves = Vec::new();
        for step in automaton.steps(StateId(state)) {
            let (act, target) = (self.act(from, step.event.0), step.target.0);
            let to = self.names.domain_after(from, act, target);
            let op = self.names.operation(act, from, to);
            moves.push(Move { op, target: self.left(target, to), seen: act != Act::Silent, event: step.event });
        }
        moves.sort_unstable();
        moves.dedup_by_key(|step| (step.op, step.target));
        self.bytes += size_of_val(&moves[..]) as u64;
        moves.into_boxed_slice()
    }

    /// What it is for the rivals that the run does an event, after it has used these.
    fn act(&self, used: DomainId, event: u32) -> Act {
        match self.role[event as usize] {
            Role::Silent => Act::Silent,
            Role::Visible => Act::Visible(event),
            Role::Hidden(_) if self.names.domain(used).binary_search(&event).is_ok() => Act::Old(event),
            Role::Hidden(_) => Act::New(event),
        }
    }

    fn hues(&self) -> &Hues {
        let n_states = self.automaton.n_states();
        self.hues.get_or_init(|| {
            Hues::new(n_states, Hues::depth(n_states), |state, listen| {
                for step in self.automaton.steps(StateId(state)) {
                    let label = match self.role[step.event.index()] {
                        Role::Silent => 0,
                        Role::Visible => 1 + step.event.0,
                        Role::Hidden(group) => 1 + self.role.len() as u32 + group,
                    };
                    listen(label, step.target.0);
                }
            })
        })
    }

    /// What an operation makes of a closed set of rivals, unless an error comes from a look at the bytes held.
    fn post_unless<E>(&mut self, rivals: &Sparse, op: Op, look: impl Fn(u64) -> Result<(), E>) -> Result<Sparse, E> {
        let mut all = Vec::new();
        for (at, rival) in rivals.iter().enumerate() {
            all.extend_from_slice(self.answered(rival, op));
            if at % RIVALS_PER_LOOK == RIVALS_PER_LOOK - 1 || strike::everywhere() {
                look(self.bytes() + 4 * all.capacity() as u64)?;
            }
        }
        Ok(self.names.set(all))
    }
}

impl Frame for Relative<'_> {
    type Set = Sparse;

    fn universe(&self) -> usize {
        0
    }

    fn start(&mut self) -> (Vec<Left>, Vec<Rival>) {
        let initial = self.automaton.initial().iter().map(|state| state.0);
        let lefts = initial.clone().map(|state| self.left(state, 0)).collect();
        let unused = |state| Standing { state, images: &[], spent: &[] };
        let rivals = initial.map(|state| self.names.rival(0, unused(state))).collect();
        (lefts, rivals)
    }

    fn moves(&mut self, left: Left) -> &[Move] {
        if self.moves[left as usize].is_none() {
            let found = self.find_moves(left);
            self.moves[left as usize] = Some(found);
        }
        self.moves[left as usize].as_deref().unwrap_or(&[])
    }

    fn left_state(&self, left: Left) -> StateId {
        StateId(self.names.of_left(left).0)
    }

    fn rival_state(&self, rival: Rival) -> StateId {
        StateId(self.names.rival_state(rival))
    }

    fn left_past(&self, left: Left) -> Vec<u32> {
        self.names.domain(self.names.of_left(left).1).to_vec()
    }

    fn rival_past(&self, rival: Rival) -> (Vec<u32>, Vec<u32>) {
        let rival = self.names.of_rival(rival);
        (rival.images.to_vec(), rival.spent.to_vec())
    }

    fn own(&mut self, left: Left) -> Rival {
        let (state, domain) = self.names.of_left(left);
        let images = self.names.domain(domain).to_vec();
        self.names.rival(domain, Standing { state, images: &images, spent: &[] })
    }

    fn post(&mut self, rivals: &Sparse, op: Op) -> Sparse {
        let Ok(set) = self.post_unless(rivals, op, |_| Ok::<(), Infallible>(()));
        set
    }

    fn post_within(&mut self, rivals: &Sparse, op: Op, brake: &Brake<'_>) -> Result<Sparse, Stop> {
        self.post_unless(rivals, op, |bytes| brake.stop(bytes).map_or(Ok(()), Err))
    }

    fn answers(&mut self, rival: Rival, op: Op, into: &mut Vec<Rival>) {
        let mut before = Vec::new();
        self.drift(rival, &mut before);
        for rival in before {
            into.extend_from_slice(self.answered(rival, op));
        }
    }

    fn direct(&mut self, rival: Rival, op: Op, into: &mut Vec<Rival>) {
        if op == STAY { self.drift(rival, into) } else { into.extend_from_slice(self.answered(rival, op)) }
    }

    fn steady_work(&self) -> u64 {
        self.steady.work
    }

    fn lockstep(&self, rule: Rule) -> Vec<Lockstep> {
        self.steady.relation(rule)
    }

    fn size(&self) -> u64 {
        (self.automaton.n_states() + self.automaton.n_transitions()) as u64
    }

    fn game_cost(&self) -> u64 {
        32
    }

    fn steady_share(&self) -> u64 {
        48
    }

    fn advance(&mut self, lefts: &Sparse) -> Vec<(Op, bool, Sparse)> {
        let mut all: Vec<(Op, bool, Left)> = Vec::new();
        for left in lefts.iter() {
            let moves = self.moves(left).iter().take_while(|step| step.op != STAY);
            all.extend(moves.map(|step| (step.op, step.seen, step.target)));
        }
        all.sort_unstable();
        let by_op = all.chunk_by(|one, other| one.0 == other.0);
        by_op
            .map(|chunk| (chunk[0].0, chunk[0].1, self.close_lefts(chunk.iter().map(|step| step.2).collect())))
            .collect()
    }

    fn close_lefts(&mut self, mut lefts: Vec<Left>) -> Sparse {
        let mut met: FxHashSet<Left> = FxHashSet::default();
        let mut at = 0;
        while at < lefts.len() {
            let moves = self.moves(lefts[at]).iter().rev().take_while(|step| step.op == STAY);
            let targets: Vec<Left> = moves.map(|step| step.target).collect();
            if !targets.is_empty() && met.is_empty() {
                met.extend(lefts.iter().copied());
            }
            lefts.extend(targets.into_iter().filter(|&target| met.insert(target)));
            at += 1;
        }
        Sparse::collect(0, &mut lefts)
    }

    fn drift(&mut self, rival: Rival, into: &mut Vec<Rival>) {
        let key = self.names.key(rival).to_vec();
        let (domain, from) = self.names.parts(&key);
        let closure = self.closure(from.state);
        if closure.len() == 1 {
            return into.push(rival);
        }
        into.extend(closure.iter().map(|&state| self.names.rival(domain, Standing { state, ..from })));
    }

    fn strangeness(&self, left: Left, rival: Rival) -> u32 {
        let (state, domain) = self.names.of_left(left);
        let rival = self.names.of_rival(rival);
        let pairs = self.names.domain(domain).iter().zip(rival.images);
        let moved = pairs.filter(|(event, image)| event != image).count() as u32;
        let hues = self.hues();
        let strange = if hues.alike(state, rival.state) { 0 } else { 1_000 };
        moved + strange + u32::from(!hues.parted(state, rival.state))
    }

    fn steadily(
        &mut self,
        rule: Rule,
        exposed: &Exposed,
        left: Left,
        (rivals, from): (&Sparse, Rival),
        most: u64,
    ) -> Result<bool, Rival> {
        let (state, domain) = self.names.of_left(left);
        let ahead = self.names.ahead(left, self.role.len());
        let run = Run { state, used: self.names.domain(domain), ahead: &ahead };
        let standing = rivals.iter().map(|rival| (rival, self.names.of_rival(rival)));
        self.steady.any_lasts((rule, exposed), run, standing, from, most)
    }

    fn close(&mut self, rivals: Vec<Rival>) -> Sparse {
        let mut all = Vec::new();
        rivals.into_iter().for_each(|rival| self.drift(rival, &mut all));
        self.names.set(all)
    }

    fn bytes(&self) -> u64 {
        let hues = self.hues.get().map_or(0, Hues::bytes);
        self.bytes
            + vec_bytes(&self.moves)
            + self.names.bytes()
            + self.found.bytes()
            + map_bytes(&self.closures)
            + self.marks.bytes()
            + self.steady.bytes
            + hues
    }
}
