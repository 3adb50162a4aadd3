//! The weak view, told relative to the real run.
//!
//! Two runs look alike under Pw iff at each position the event is new in both, or old in both with the same first position.
//! So the order of arrival need not be kept. A left is (x, U), U being the anonymous events that the run has used. A rival
//! is (y, π, F): π gives for each event of U the event that the rival used in its place, F are events that it used for
//! something that no longer matters, and may not use as new. When the run does a in U, rivals do π(a); when it does
//! a new a, they do any b of the same group outside the range of π and F.
//!
//! What cannot matter is forgotten: an event that x can never reach again leaves U, and its π moves to F; F keeps only
//! events that y can still reach; a π(a) that y can never do again is [`DEAD`]. Of two rivals with the same y and π the one
//! with the larger F goes. All of this is exact.
//!
//! Cost: rivals are interned; what an operation makes of one rival is computed once.

use super::Stop;
use super::certificate::Lockstep;
use super::exposed::Exposed;
use super::fixed::Marks;
use super::frame::{Frame, Left, Move, Op, Rival, STAY};
use super::game::Rule;
use super::hues::Hues;
use super::kept::Kept;
use super::limits::Brake;
use super::lists::Lists;
use super::sets::{Set, Sparse};
use super::steady::{Run, Standing, Steady};
use crate::automaton::view::{Sight, View};
use crate::automaton::{Automaton, EventId, StateId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::OnceLock;

/// In place of π(a): the rival can never do it again.
const DEAD: u32 = u32::MAX;

/// The number of a set of used events.
type DomainId = u32;

/// How many rivals of a set are answered between two looks at the limits.
const RIVALS_PER_LOOK: usize = 512;

/// The weak view as a frame.
#[derive(Debug)]
pub(crate) struct Relative<'a> {
    automaton: &'a Automaton,
    /// For each event: how it is seen.
    role: Vec<Role>,
    reach: Reach,
    domains: Kept<Box<[u32]>>,
    lefts: Kept<(u32, DomainId)>,
    moves: Vec<Option<Box<[Move]>>>,
    /// A rival: its domain, its state, π in the order of the domain, then F sorted.
    rivals: Lists<u32>,
    ops: Kept<Operation>,
    /// What each operation made of each rival: where in `replies`, and how many.
    answers: FxHashMap<(Rival, Op), (usize, u32)>,
    replies: Vec<Rival>,
    closures: FxHashMap<u32, Box<[u32]>>,
    marks: Marks,
    hues: OnceLock<Hues>,
    steady: Steady,
    bytes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Silent,
    Visible,
    /// Anonymous, in this group of at least two.
    Hidden(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Act {
    Silent,
    Visible(u32),
    Old(u32),
    New(u32),
}

/// What a move does to the rivals: the act, and how the set of used events changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Operation {
    act: Act,
    from: DomainId,
    to: DomainId,
}

/// Which anonymous events each state can still reach.
#[derive(Debug)]
struct Reach {
    stride: usize,
    words: Vec<u64>,
}

impl Reach {
    fn has(&self, state: u32, event: u32) -> bool {
        self.words[state as usize * self.stride + event as usize / 64] >> (event % 64) & 1 == 1
    }
}

impl<'a> Relative<'a> {
    /// The weak view as a frame.
    pub(crate) fn new(view: &View<'a>) -> Relative<'a> {
        let automaton = view.automaton;
        let role = roles(view);
        let reach = reach(automaton, &role);
        let mut domains = Kept::new();
        domains.intern(Box::default());
        Relative {
            bytes: (reach.words.len() * 8 + automaton.n_states() * 4) as u64,
            marks: Marks::new(automaton.n_states()),
            automaton,
            role,
            reach,
            domains,
            lefts: Kept::new(),
            moves: Vec::new(),
            rivals: Lists::new(),
            ops: Kept::new(),
            answers: FxHashMap::default(),
            replies: Vec::new(),
            closures: FxHashMap::default(),
            hues: OnceLock::new(),
            steady: Steady::new(view),
        }
    }

    fn left(&mut self, state: u32, domain: DomainId) -> Left {
        let (left, new) = self.lefts.intern((state, domain));
        if new {
            self.moves.push(None);
            self.bytes += 112;
        }
        left
    }

    fn find_moves(&mut self, left: Left) -> Box<[Move]> {
        let (state, from) = self.lefts[left];
        let automaton = self.automaton;
        let mut moves = Vec::new();
        for step in automaton.steps(StateId(state)) {
            let (event, target) = (step.event.0, step.target.0);
            let used = self.domains[from].binary_search(&event).is_ok();
            let act = match self.role[step.event.index()] {
                Role::Silent => Act::Silent,
                Role::Visible => Act::Visible(event),
                Role::Hidden(_) if used => Act::Old(event),
                Role::Hidden(_) => Act::New(event),
            };
            let to = self.forget(from, act, target);
            let op = match act {
                Act::Silent if from == to => STAY,
                _ => self.ops.intern(Operation { act, from, to }).0,
            };
            moves.push(Move { op, target: self.left(target, to), seen: act != Act::Silent, event: step.event });
        }
        moves.sort_unstable();
        moves.dedup_by_key(|step| (step.op, step.target));
        self.bytes += (moves.len() * std::mem::size_of::<Move>()) as u64;
        moves.into_boxed_slice()
    }

    /// The used events after an act, without those that the state it leads to can never reach again.
    fn forget(&mut self, from: DomainId, act: Act, target: u32) -> DomainId {
        let new = match act {
            Act::New(event) => Some(event),
            _ => None,
        };
        let used = self.domains[from].iter().copied().chain(new);
        let mut kept: Vec<u32> = used.filter(|&event| self.reach.has(target, event)).collect();
        kept.sort_unstable();
        self.domains.intern(kept.into_boxed_slice()).0
    }

    /// The rival at `state` with these π and F, after forgetting what that state cannot do.
    fn rival(&mut self, domain: DomainId, state: u32, images: &[u32], spent: &[u32]) -> Rival {
        let mut key = Vec::with_capacity(2 + images.len() + spent.len());
        key.extend([domain, state]);
        key.extend(images.iter().map(|&image| match image {
            DEAD => DEAD,
            image if self.reach.has(state, image) => image,
            _ => DEAD,
        }));
        key.extend(spent.iter().copied().filter(|&event| self.reach.has(state, event)));
        let from = 2 + images.len();
        key[from..].sort_unstable();
        let (rival, new) = self.rivals.intern(&key);
        if new {
            self.bytes += 2 * (16 + 4 * key.len()) as u64;
        }
        rival
    }

    /// The states reached silently from a state, itself among them.
    fn closure(&mut self, state: u32) -> Box<[u32]> {
        if let Some(found) = self.closures.get(&state) {
            return found.clone();
        }
        self.marks.clear();
        self.marks.insert(state);
        let mut found = vec![state];
        let mut at = 0;
        while at < found.len() {
            for step in self.automaton.steps(StateId(found[at])) {
                if self.role[step.event.index()] == Role::Silent && self.marks.insert(step.target.0) {
                    found.push(step.target.0);
                }
            }
            at += 1;
        }
        self.bytes += 96 + 4 * found.len() as u64;
        self.closures.insert(state, found.clone().into_boxed_slice());
        found.into_boxed_slice()
    }

    fn find_answers(&mut self, rival: Rival, op: Op) -> Vec<Rival> {
        let operation = self.ops[op];
        let key = self.rivals.get(rival).to_vec();
        let (state, rest) = (key[1], &key[2..]);
        let (images, spent) = rest.split_at(self.domains[operation.from].len());
        let mut found = Vec::new();
        match operation.act {
            Act::Silent => {
                for reached in self.closure(state) {
                    self.arrive(&operation, reached, images, spent, None, &mut found);
                }
            }
            Act::Visible(event) => self.perform(&operation, event, (state, images, spent), None, &mut found),
            Act::Old(event) => {
                let at = self.domains[operation.from].binary_search(&event).unwrap_or(0);
                if images[at] != DEAD {
                    self.perform(&operation, images[at], (state, images, spent), None, &mut found);
                }
            }
            Act::New(event) => {
                for other in self.fresh(state, event, images, spent) {
                    self.perform(&operation, other, (state, images, spent), Some((event, other)), &mut found);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        self.drop_dominated(found)
    }

    /// The events that a rival may do for a new event: same group, enabled, not used before.
    fn fresh(&self, state: u32, event: u32, images: &[u32], spent: &[u32]) -> Vec<u32> {
        let group = self.role[event as usize];
        let enabled = self.automaton.steps(StateId(state)).iter().map(|step| step.event.0);
        let mut fresh: Vec<u32> = enabled
            .filter(|&other| self.role[other as usize] == group)
            .filter(|other| !images.contains(other) && !spent.contains(other))
            .collect();
        fresh.dedup();
        fresh
    }

    /// Adds the rivals after an event, and after silent moves.
    fn perform(
        &mut self,
        operation: &Operation,
        event: u32,
        (state, images, spent): (u32, &[u32], &[u32]),
        gained: Option<(u32, u32)>,
        found: &mut Vec<Rival>,
    ) {
        let automaton = self.automaton;
        for step in automaton.successors(StateId(state), EventId(event)) {
            for reached in self.closure(step.target.0) {
                self.arrive(operation, reached, images, spent, gained, found);
            }
        }
    }

    /// Adds the rival at `state` with π carried over to the operation's new domain.
    fn arrive(
        &mut self,
        operation: &Operation,
        state: u32,
        images: &[u32],
        spent: &[u32],
        gained: Option<(u32, u32)>,
        found: &mut Vec<Rival>,
    ) {
        let from = &self.domains[operation.from];
        let to = &self.domains[operation.to];
        let mut pairs: Vec<(u32, u32)> = from.iter().copied().zip(images.iter().copied()).chain(gained).collect();
        pairs.sort_unstable();
        let mut kept = Vec::with_capacity(to.len());
        let mut gone = spent.to_vec();
        for (event, image) in pairs {
            if to.binary_search(&event).is_ok() {
                kept.push(image);
            } else if image != DEAD {
                gone.push(image);
            }
        }
        found.push(self.rival(operation.to, state, &kept, &gone));
    }

    /// Drops every rival that has the same y and π as another, and a larger F.
    fn drop_dominated(&self, mut rivals: Vec<Rival>) -> Vec<Rival> {
        let split = |rival: Rival| {
            let key = self.rivals.get(rival);
            key.split_at(2 + self.domains[key[0]].len())
        };
        if rivals.iter().all(|&rival| split(rival).1.is_empty()) {
            return rivals;
        }
        let mut by_body: FxHashMap<&[u32], Vec<&[u32]>> = FxHashMap::default();
        for &rival in &rivals {
            let (body, spent) = split(rival);
            by_body.entry(body).or_default().push(spent);
        }
        rivals.retain(|&rival| {
            let (body, spent) = split(rival);
            !by_body[body]
                .iter()
                .any(|other| other.len() < spent.len() && other.iter().all(|event| spent.contains(event)))
        });
        rivals
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

    /// The set of some rivals.
    fn gathered(&self, mut all: Vec<Rival>) -> Sparse {
        all.sort_unstable();
        all.dedup();
        Sparse::collect(0, &mut self.drop_dominated(all))
    }

    fn answered(&mut self, rival: Rival, op: Op) -> &[Rival] {
        let (start, len) = match self.answers.get(&(rival, op)) {
            Some(&known) => known,
            None => {
                let found = self.find_answers(rival, op);
                let place = (self.replies.len(), found.len() as u32);
                self.replies.extend(&found);
                self.bytes += 48 + 8 * found.len() as u64;
                self.answers.insert((rival, op), place);
                place
            }
        };
        &self.replies[start..start + len as usize]
    }
}

/// How each event is seen. A group of one event hides nothing.
fn roles(view: &View<'_>) -> Vec<Role> {
    let mut sizes = vec![0u32; view.observer.n_groups()];
    for sight in view.observer.sights() {
        if let Sight::Anonymous(group) = sight {
            sizes[group.index()] += 1;
        }
    }
    let role = |sight: &Sight| match *sight {
        Sight::Silent => Role::Silent,
        Sight::Anonymous(group) if sizes[group.index()] > 1 => Role::Hidden(group.0),
        Sight::Visible | Sight::Anonymous(_) => Role::Visible,
    };
    view.observer.sights().iter().map(role).collect()
}

/// Which anonymous events each state can reach, by passing them backwards until nothing changes.
fn reach(automaton: &Automaton, role: &[Role]) -> Reach {
    let stride = automaton.n_events().div_ceil(64).max(1);
    let mut words = vec![0u64; automaton.n_states() * stride];
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); automaton.n_states()];
    for (_, source, step) in automaton.transitions() {
        before[step.target.index()].push(source.0);
        if let Role::Hidden(_) = role[step.event.index()] {
            words[source.index() * stride + step.event.index() / 64] |= 1 << (step.event.0 % 64);
        }
    }
    let mut todo: Vec<u32> = (0..automaton.n_states() as u32).collect();
    while let Some(state) = todo.pop() {
        for &source in &before[state as usize] {
            let mut grown = false;
            for word in 0..stride {
                let more = words[state as usize * stride + word] & !words[source as usize * stride + word];
                words[source as usize * stride + word] |= more;
                grown |= more != 0;
            }
            if grown {
                todo.push(source);
            }
        }
    }
    Reach { stride, words }
}

impl Frame for Relative<'_> {
    type Set = Sparse;

    fn universe(&self) -> usize {
        0
    }

    fn start(&mut self) -> (Vec<Left>, Vec<Rival>) {
        let automaton = self.automaton;
        let lefts = automaton.initial().iter().map(|state| self.left(state.0, 0)).collect();
        let rivals = automaton.initial().iter().map(|state| self.rival(0, state.0, &[], &[])).collect();
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
        StateId(self.lefts[left].0)
    }

    fn rival_state(&self, rival: Rival) -> StateId {
        StateId(self.rivals.get(rival)[1])
    }

    fn left_past(&self, left: Left) -> Vec<u32> {
        self.domains[self.lefts[left].1].to_vec()
    }

    fn rival_past(&self, rival: Rival) -> (Vec<u32>, Vec<u32>) {
        let key = self.rivals.get(rival);
        let (images, spent) = key[2..].split_at(self.domains[key[0]].len());
        (images.to_vec(), spent.to_vec())
    }

    fn own(&mut self, left: Left) -> Rival {
        let (state, domain) = self.lefts[left];
        let used = self.domains[domain].clone();
        self.rival(domain, state, &used, &[])
    }

    fn post(&mut self, rivals: &Sparse, op: Op) -> Sparse {
        let mut all = Vec::new();
        for rival in rivals.iter() {
            all.extend_from_slice(self.answered(rival, op));
        }
        self.gathered(all)
    }

    fn post_within(&mut self, rivals: &Sparse, op: Op, brake: &Brake<'_>) -> Result<Sparse, Stop> {
        let mut all = Vec::new();
        for (at, rival) in rivals.iter().enumerate() {
            all.extend_from_slice(self.answered(rival, op));
            if at % RIVALS_PER_LOOK == RIVALS_PER_LOOK - 1
                && let Some(stop) = brake.stop(self.bytes() + 4 * all.capacity() as u64)
            {
                return Err(stop);
            }
        }
        Ok(self.gathered(all))
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
        32
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
        let key = self.rivals.get(rival).to_vec();
        let closure = self.closure(key[1]);
        if closure.len() == 1 {
            return into.push(rival);
        }
        let (images, spent) = key[2..].split_at(self.domains[key[0]].len());
        into.extend(closure.iter().map(|&state| self.rival(key[0], state, images, spent)));
    }

    fn strangeness(&self, left: Left, rival: Rival) -> u32 {
        let (state, domain) = self.lefts[left];
        let key = self.rivals.get(rival);
        let pairs = self.domains[domain].iter().zip(&key[2..]);
        let moved = pairs.filter(|(event, image)| event != image).count() as u32;
        moved + if self.hues().alike(state, key[1]) { 0 } else { 1_000 }
    }

    fn steadily(
        &mut self,
        rule: Rule,
        exposed: &Exposed,
        left: Left,
        (rivals, from): (&Sparse, Rival),
        most: u64,
    ) -> Result<bool, Rival> {
        let (state, domain) = self.lefts[left];
        let used = &self.domains[domain];
        let ahead: Vec<u32> = (0..self.role.len() as u32)
            .filter(|&event| self.reach.has(state, event) && used.binary_search(&event).is_err())
            .collect();
        let run = Run { state, used, ahead: &ahead };
        let standing = |rival| {
            let key = self.rivals.get(rival);
            let (images, spent) = key[2..].split_at(used.len());
            (rival, Standing { state: key[1], images, spent })
        };
        self.steady.any_lasts((rule, exposed), run, rivals.iter().map(standing), from, most)
    }

    fn close(&mut self, rivals: Vec<Rival>) -> Sparse {
        let mut all = Vec::new();
        for rival in rivals {
            let key = self.rivals.get(rival).to_vec();
            let (images, spent) = key[2..].split_at(self.domains[key[0]].len());
            for state in self.closure(key[1]) {
                all.push(self.rival(key[0], state, images, spent));
            }
        }
        self.gathered(all)
    }

    fn bytes(&self) -> u64 {
        self.bytes + self.steady.bytes
    }
}
