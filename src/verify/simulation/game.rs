//! The simulation game, solved on the fly: from a position to whether the hypotheses win it.
//!
//! Definition. A position is an actual state with one hypothesis (or several, for `among N`). The hypotheses *win* it if
//! their states may stand beside the actual one and, for every move of the actual run, they have replies that win
//! again: a greatest fixpoint. Under [`SimulationKind::ClassAvoiding`] winning hypotheses are *twins*: an estimate that
//! contains them never leads to an exposure. Under [`SimulationKind::Plain`] the relation is weak simulation, which decides
//! in phase 2.
//!
//! Method. Every position that is reached is assumed to be won; each of its obligations, one for each move, selects its first
//! reply that is not known to lose. When a position is refuted, the obligations that selected it go on to their next
//! reply, and a position with an obligation that has no reply left is refuted. When nothing is left to explore, the
//! positions that were not refuted are won. Cost: linear in the replies that are looked at (Liu and Smolka, 1998).

use crate::verify::engine::tuning::Tuning;
use crate::verify::exposed_sets::ExposedSets;
use crate::verify::sets::{Id, SliceInterner, ids, map_bytes, smallvec_bytes, vec_bytes};
use crate::verify::views::belief_system::{ActualId, HypothesisId, LabelId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Hypotheses that reply together; mostly one.
pub(crate) type Tuple = SmallVec<[HypothesisId; 4]>;

/// Where the game is played.
pub(crate) trait Arena {
    /// Adds the moves of an actual state: label and target.
    fn add_moves(&mut self, actual: ActualId, into: &mut Vec<(LabelId, ActualId)>);
    /// Adds the replies of a hypothesis to a label; `weak`: with silent moves before and after.
    fn add_replies(&mut self, hypothesis: HypothesisId, label: LabelId, weak: bool, into: &mut Vec<HypothesisId>);
    /// Whether a hypothesis is identical to the actual run.
    fn is_identity(&mut self, actual: ActualId, hypothesis: HypothesisId) -> bool;
    /// The class of an actual state, if it can be exposed.
    fn actual_class(&self, actual: ActualId, exposed: &ExposedSets) -> Option<u32>;
    /// The class of a hypothesis.
    fn hypothesis_class(&self, hypothesis: HypothesisId, exposed: &ExposedSets) -> u32;
    /// The order in which replies are tried; less comes first.
    fn reply_rank(&self, actual: ActualId, hypothesis: HypothesisId) -> u32;
}

/// The positions that hypotheses may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SimulationKind {
    /// They stay in classes different from the actual state's and from each other's.
    ClassAvoiding,
    /// Any.
    Plain,
}

ids! {
    /// A position.
    PositionId,
    /// Hypotheses that reply together. A single hypothesis has its own number.
    TupleId,
}

/// The positions that were reached, and what is known about them.
#[derive(Debug)]
pub(crate) struct SimulationGame {
    kind: SimulationKind,
    index: FxHashMap<(ActualId, TupleId), PositionId>,
    tuples: Tuples,
    positions: Vec<Position>,
    /// Refuted positions whose users do not know it yet.
    refuted: Vec<PositionId>,
    unexplored: VecDeque<PositionId>,
    /// Positions that are assumed to be won.
    assumed: Vec<PositionId>,
    /// Positions that were proved since they were last asked for.
    newly_proved: Vec<PositionId>,
    /// Replies that were looked at.
    pub(crate) work: u64,
    /// Heap bytes of obligations and users.
    position_bytes: u64,
    /// Buffers, empty between calls.
    moves: Vec<(LabelId, ActualId)>,
    replies: Vec<HypothesisId>,
}

#[derive(Debug)]
struct Tuples(SliceInterner<HypothesisId, TupleId>);

impl Tuples {
    fn intern(&mut self, hypotheses: &[HypothesisId]) -> TupleId {
        if let [single] = hypotheses { TupleId(single.0) } else { self.0.intern(hypotheses).0 }
    }

    fn get(&self, tuple: TupleId) -> Tuple {
        if self.0.is_empty() {
            Tuple::from_slice(&[HypothesisId(tuple.0)])
        } else {
            Tuple::from_slice(self.0.get(tuple))
        }
    }
}

#[derive(Debug)]
struct Position {
    actual: ActualId,
    tuple: TupleId,
    status: Status,
    obligations: Vec<Obligation>,
    /// The obligations that selected this position, now or before: their position, and their index there.
    users: SmallVec<[(PositionId, u32); 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// Reached; its obligations are not computed.
    Unexplored,
    /// Not refuted so far.
    Assumed,
    Proved,
    Refuted,
}

/// A move of the actual run that needs a reply.
#[derive(Debug)]
struct Obligation {
    label: LabelId,
    target: ActualId,
    /// Whether weak replies are among them.
    weak: bool,
    replies: Replies,
    next: u32,
    /// The position after the reply that is selected.
    selected: Option<PositionId>,
}

/// Tuples that may reply; mostly few.
type Replies = SmallVec<[TupleId; 4]>;

impl SimulationGame {
    /// No position reached.
    pub(crate) fn new(kind: SimulationKind) -> SimulationGame {
        SimulationGame {
            kind,
            index: FxHashMap::default(),
            tuples: Tuples(SliceInterner::new()),
            positions: Vec::new(),
            refuted: Vec::new(),
            unexplored: VecDeque::new(),
            assumed: Vec::new(),
            newly_proved: Vec::new(),
            work: 0,
            position_bytes: 0,
            moves: Vec::new(),
            replies: Vec::new(),
        }
    }

    /// Which positions hypotheses may take.
    pub(crate) fn kind(&self) -> SimulationKind {
        self.kind
    }

    /// Heap bytes.
    pub(crate) fn bytes(&self) -> u64 {
        map_bytes(&self.index) + self.tuples.0.bytes() + vec_bytes(&self.positions) + self.position_bytes
    }

    /// The proved positions, in the order in which they were reached.
    pub(crate) fn proved(&self) -> impl Iterator<Item = (ActualId, Tuple)> {
        let proved = self.positions.iter().filter(|position| position.status == Status::Proved);
        proved.map(|position| (position.actual, self.tuples.get(position.tuple)))
    }

    /// The positions that were proved since the last call.
    pub(crate) fn take_newly_proved(&mut self) -> Vec<(ActualId, Tuple)> {
        let proved = std::mem::take(&mut self.newly_proved);
        let content = |id: PositionId| {
            let position = &self.positions[id.index()];
            (position.actual, self.tuples.get(position.tuple))
        };
        proved.into_iter().map(content).collect()
    }

    /// Whether a position is won; none when the game has done `most` work before that is known.
    pub(crate) fn query<A: Arena>(
        &mut self,
        arena: &mut A,
        exposed: &ExposedSets,
        actual: ActualId,
        hypotheses: &[HypothesisId],
        most: u64,
    ) -> Option<bool> {
        let tuple = self.tuples.intern(hypotheses);
        let position = self.intern(arena, exposed, actual, tuple);
        if self.status(position) == Status::Unexplored {
            self.explore(arena, exposed, position);
        }
        while self.status(position) == Status::Assumed {
            if self.work > most {
                return None;
            }
            if let Some(refuted) = self.refuted.pop() {
                self.propagate(arena, exposed, refuted);
            } else if let Some(next) = self.unexplored.pop_front() {
                if self.is_needed(next) {
                    self.explore(arena, exposed, next);
                }
            } else {
                self.prove_assumed();
            }
        }
        Some(self.status(position) == Status::Proved)
    }

    fn status(&self, position: PositionId) -> Status {
        self.positions[position.index()].status
    }

    /// Nothing is left to explore: what was not refuted is proved.
    fn prove_assumed(&mut self) {
        for id in std::mem::take(&mut self.assumed) {
            if self.status(id) == Status::Assumed {
                self.newly_proved.push(id);
                self.positions[id.index()].status = Status::Proved;
                self.drop_obligations(id);
                let users = std::mem::take(&mut self.positions[id.index()].users);
                self.position_bytes -= smallvec_bytes(&users);
            }
        }
    }

    /// Whether an obligation of a position that was not refuted selects this one.
    fn is_needed(&self, id: PositionId) -> bool {
        let position = &self.positions[id.index()];
        let selects = |&(user, at): &(PositionId, u32)| {
            let user = &self.positions[user.index()];
            user.status == Status::Assumed && user.obligations[at as usize].selected == Some(id)
        };
        position.status == Status::Unexplored && position.users.iter().any(selects)
    }

    fn intern<A: Arena>(
        &mut self,
        arena: &mut A,
        exposed: &ExposedSets,
        actual: ActualId,
        tuple: TupleId,
    ) -> PositionId {
        if let Some(&position) = self.index.get(&(actual, tuple)) {
            return position;
        }
        let hypotheses = self.tuples.get(tuple);
        let status = match self.kind {
            SimulationKind::ClassAvoiding if !avoid_classes(arena, exposed, actual, &hypotheses) => Status::Refuted,
            SimulationKind::Plain if hypotheses.iter().any(|&one| arena.is_identity(actual, one)) => Status::Proved,
            _ => Status::Unexplored,
        };
        let id = PositionId::from_index(self.positions.len());
        self.positions.push(Position { actual, tuple, status, obligations: Vec::new(), users: SmallVec::new() });
        self.index.insert((actual, tuple), id);
        id
    }

    /// Computes a position's obligations, and selects the first reply of each.
    fn explore<A: Arena>(&mut self, arena: &mut A, exposed: &ExposedSets, id: PositionId) {
        self.positions[id.index()].status = Status::Assumed;
        self.assumed.push(id);
        let Position { actual, tuple, .. } = self.positions[id.index()];
        let mut moves = std::mem::take(&mut self.moves);
        arena.add_moves(actual, &mut moves);
        moves.sort_unstable();
        moves.dedup();
        let mut obligations = Vec::with_capacity(moves.len());
        for (label, target) in moves.drain(..) {
            let replies = self.replies(arena, tuple, label, target, false);
            obligations.push(Obligation { label, target, weak: false, replies, next: 0, selected: None });
        }
        self.moves = moves;
        let count = obligations.len() as u32;
        self.position_bytes += obligation_bytes(&obligations);
        self.positions[id.index()].obligations = obligations;
        for at in 0..count {
            if !self.select_reply(arena, exposed, id, at) {
                return;
            }
        }
    }

    /// The replies of a tuple, the most promising first.
    fn replies<A: Arena>(
        &mut self,
        arena: &mut A,
        tuple: TupleId,
        label: LabelId,
        target: ActualId,
        weak: bool,
    ) -> Replies {
        let hypotheses = self.tuples.get(tuple);
        if let [single] = hypotheses[..] {
            self.find_replies(arena, single, label, target, weak);
            return self.replies.iter().map(|reply| TupleId(reply.0)).collect();
        }
        let mut tuples: Vec<Tuple> = vec![Tuple::new()];
        for hypothesis in hypotheses {
            self.find_replies(arena, hypothesis, label, target, weak);
            let longer = tuples.iter().flat_map(|tuple| {
                let others = self.replies.iter().filter(|reply| !tuple.contains(reply));
                others.map(|&reply| tuple.iter().copied().chain([reply]).collect::<Tuple>())
            });
            tuples = longer.take(Tuning::MAX_TUPLES).collect();
        }
        tuples.iter().map(|tuple| self.tuples.intern(tuple)).collect()
    }

    /// Puts the replies of one hypothesis into `self.replies`, the most promising first.
    fn find_replies<A: Arena>(
        &mut self,
        arena: &mut A,
        hypothesis: HypothesisId,
        label: LabelId,
        target: ActualId,
        weak: bool,
    ) {
        self.replies.clear();
        arena.add_replies(hypothesis, label, weak, &mut self.replies);
        self.work += 1 + self.replies.len() as u64;
        if self.replies.len() > 1 {
            self.replies.sort_unstable();
            self.replies.dedup();
            self.replies.sort_by_key(|&reply| arena.reply_rank(target, reply));
        }
    }

    /// Selects the next reply of an obligation that is not refuted; whether there is one.
    fn select_reply<A: Arena>(&mut self, arena: &mut A, exposed: &ExposedSets, id: PositionId, at: u32) -> bool {
        loop {
            let obligation = &self.positions[id.index()].obligations[at as usize];
            let target = obligation.target;
            let Some(&reply) = obligation.replies.get(obligation.next as usize) else {
                if obligation.weak {
                    self.refute(id);
                    return false;
                }
                self.add_weak_replies(arena, id, at);
                continue;
            };
            self.work += 1;
            let next = self.intern(arena, exposed, target, reply);
            match self.status(next) {
                Status::Refuted => self.positions[id.index()].obligations[at as usize].next += 1,
                Status::Proved => return true,
                Status::Unexplored | Status::Assumed => {
                    self.depend(id, at, next);
                    return true;
                }
            }
        }
    }

    /// Records that an obligation selects a position that is not decided.
    fn depend(&mut self, id: PositionId, at: u32, next: PositionId) {
        if self.status(next) == Status::Unexplored {
            self.unexplored.push_back(next);
        }
        self.positions[id.index()].obligations[at as usize].selected = Some(next);
        let users = &mut self.positions[next.index()].users;
        self.position_bytes -= smallvec_bytes(users);
        users.push((id, at));
        self.position_bytes += smallvec_bytes(users);
    }

    /// Replaces the replies of an obligation, all refuted, by its weak replies.
    fn add_weak_replies<A: Arena>(&mut self, arena: &mut A, id: PositionId, at: u32) {
        let Position { tuple, ref obligations, .. } = self.positions[id.index()];
        let Obligation { label, target, .. } = obligations[at as usize];
        let replies = self.replies(arena, tuple, label, target, true);
        let obligation = &mut self.positions[id.index()].obligations[at as usize];
        self.position_bytes += smallvec_bytes(&replies);
        self.position_bytes -= smallvec_bytes(&obligation.replies);
        *obligation = Obligation { label, target, weak: true, replies, next: 0, selected: None };
    }

    fn refute(&mut self, id: PositionId) {
        if self.status(id) == Status::Assumed {
            self.positions[id.index()].status = Status::Refuted;
            self.drop_obligations(id);
            self.refuted.push(id);
        }
    }

    fn drop_obligations(&mut self, id: PositionId) {
        let obligations = std::mem::take(&mut self.positions[id.index()].obligations);
        self.position_bytes -= obligation_bytes(&obligations);
    }

    /// Selects another reply for every obligation that selected a position which is refuted now.
    fn propagate<A: Arena>(&mut self, arena: &mut A, exposed: &ExposedSets, refuted: PositionId) {
        let users = std::mem::take(&mut self.positions[refuted.index()].users);
        self.position_bytes -= smallvec_bytes(&users);
        for (user, at) in users {
            if self.status(user) == Status::Assumed {
                self.select_reply(arena, exposed, user, at);
            }
        }
    }
}

fn obligation_bytes(obligations: &Vec<Obligation>) -> u64 {
    vec_bytes(obligations) + obligations.iter().map(|obligation| smallvec_bytes(&obligation.replies)).sum::<u64>()
}

/// Whether the hypotheses are in classes different from the actual state's, and from each other's, if that can be exposed.
fn avoid_classes<A: Arena>(arena: &A, exposed: &ExposedSets, actual: ActualId, hypotheses: &[HypothesisId]) -> bool {
    let Some(class) = arena.actual_class(actual, exposed) else { return true };
    let classes: SmallVec<[u32; 4]> = hypotheses.iter().map(|&one| arena.hypothesis_class(one, exposed)).collect();
    let differ = classes.iter().enumerate().all(|(at, other)| !classes[..at].contains(other));
    differ && !classes.contains(&class)
}
