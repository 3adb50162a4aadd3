//! Rivals that can answer whatever the run does, for ever: a greatest fixpoint, explored only where it is asked for.
//!
//! Definition. A position is a left with one rival (or several, for `among N`). It is *good* when its states are allowed to
//! stand together and, for every move of the left, the rivals have answers that make a good position again. With the rule that
//! rivals stay in other classes than the run, good rivals are *twins*: an estimate that holds one never leads to an exposure.
//! Without that rule the relation is weak simulation, which is what counts after the jump.
//!
//! Method. Every position that is met is assumed good; each of its obligations points at its first candidate that is not
//! known to be bad. When a position turns out bad, the obligations that point at it move on to their next candidate, and a
//! position with an obligation that has run out is bad. When nothing is left to look at, the positions that were not
//! refuted are good. Cost: linear in the candidates that are looked at (Liu and Smolka's local fixpoint, 1998).

use crate::verify::exposed_sets::Exposed;
use crate::verify::sets::SliceInterner;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Rivals that answer together; mostly one.
pub(crate) type Together = SmallVec<[u32; 4]>;

/// Where the game is played.
pub(crate) trait Arena {
    /// The moves of a left: operation and target.
    fn left_moves(&mut self, left: u32, into: &mut Vec<(u32, u32)>);
    /// What a rival may become by an operation; `all`: silent moves before and after included.
    fn replies(&mut self, rival: u32, op: u32, all: bool, into: &mut Vec<u32>);
    /// Whether this rival does just what the run does.
    fn is_double(&mut self, left: u32, rival: u32) -> bool;
    /// The class of a left's state.
    fn left_class(&self, left: u32, exposed: &Exposed) -> (u32, bool);
    /// The class of a rival's state.
    fn rival_class(&self, rival: u32, exposed: &Exposed) -> u32;
    /// How promising a rival is for a left; less is better.
    fn distrust(&self, left: u32, rival: u32) -> u32;
}

/// The rule of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Rule {
    /// Rivals stay in classes different from the run's, and from each other's.
    Apart,
    /// Rivals may be anywhere.
    Anywhere,
}

/// The positions that were met.
#[derive(Debug)]
pub(crate) struct Game {
    rule: Rule,
    /// The node of each position: the left, and the number of its rivals.
    index: FxHashMap<(u32, u32), u32>,
    rivals: Tuples,
    nodes: Vec<Node>,
    refuted: Vec<u32>,
    todo: VecDeque<u32>,
    /// Positions that were taken up since the last time that all was settled.
    assumed: Vec<u32>,
    /// Positions that became good and were not asked for yet.
    news: Vec<u32>,
    /// Candidates that were looked at.
    pub(crate) work: u64,
    bytes: u64,
    /// Room for moves and for replies; empty between calls.
    moves: Vec<(u32, u32)>,
    replies: Vec<u32>,
}

/// Several rivals under one number; a single rival is its own number.
#[derive(Debug)]
struct Tuples(SliceInterner<u32>);

impl Tuples {
    fn intern(&mut self, rivals: &[u32]) -> u32 {
        if let [single] = rivals { *single } else { self.0.intern(rivals).0 }
    }

    fn get<'a>(&'a self, id: &'a u32) -> &'a [u32] {
        if self.0.is_empty() { std::slice::from_ref(id) } else { self.0.get(*id) }
    }
}

#[derive(Debug)]
struct Node {
    left: u32,
    rivals: u32,
    standing: Standing,
    obligations: Vec<Obligation>,
    /// The obligations that point here or did: position, and place there.
    users: SmallVec<[(u32, u32); 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// Met, its obligations not written down.
    Open,
    /// Not refuted so far.
    Assumed,
    Good,
    Bad,
}

#[derive(Debug)]
struct Obligation {
    op: u32,
    target: u32,
    /// Whether answers with silent moves are among the candidates.
    all: bool,
    candidates: Candidates,
    next: u32,
    /// The position that it points at.
    now: u32,
}

/// Rivals that may answer; mostly few.
type Candidates = SmallVec<[u32; 4]>;

/// The most ways in which several rivals are combined.
const MOST_COMBINED: usize = 64;

impl Game {
    /// No positions met.
    pub(crate) fn new(rule: Rule) -> Game {
        Game {
            rule,
            index: FxHashMap::default(),
            rivals: Tuples(SliceInterner::new()),
            nodes: Vec::new(),
            refuted: Vec::new(),
            todo: VecDeque::new(),
            assumed: Vec::new(),
            news: Vec::new(),
            work: 0,
            bytes: 0,
            moves: Vec::new(),
            replies: Vec::new(),
        }
    }

    /// The rule.
    pub(crate) fn rule(&self) -> Rule {
        self.rule
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The good positions, in the order in which they were met.
    pub(crate) fn good(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let good = self.nodes.iter().filter(|node| node.standing == Standing::Good);
        good.map(|node| (node.left, self.rivals.get(&node.rivals)))
    }

    /// The positions that became good since the last time.
    pub(crate) fn take_news(&mut self) -> Vec<(u32, Together)> {
        let news = std::mem::take(&mut self.news);
        let position = |node: u32| {
            let node = &self.nodes[node as usize];
            (node.left, Together::from_slice(self.rivals.get(&node.rivals)))
        };
        news.into_iter().map(position).collect()
    }

    /// Whether a position is good; none when `most` work does not suffice to tell.
    pub(crate) fn ask<A: Arena>(
        &mut self,
        arena: &mut A,
        exposed: &Exposed,
        left: u32,
        rivals: &[u32],
        most: u64,
    ) -> Option<bool> {
        let rivals = self.rivals.intern(rivals);
        let node = self.meet(arena, exposed, left, rivals);
        if self.nodes[node as usize].standing == Standing::Open {
            self.expand(arena, exposed, node);
        }
        while self.nodes[node as usize].standing == Standing::Assumed {
            if self.work > most {
                return None;
            }
            if let Some(refuted) = self.refuted.pop() {
                self.spread(arena, exposed, refuted);
            } else if let Some(next) = self.todo.pop_front() {
                if self.is_needed(next) {
                    self.expand(arena, exposed, next);
                }
            } else {
                self.settle();
            }
        }
        Some(self.nodes[node as usize].standing == Standing::Good)
    }

    /// Nothing is left to look at: what was not refuted is good.
    fn settle(&mut self) {
        for at in std::mem::take(&mut self.assumed) {
            let node = &mut self.nodes[at as usize];
            if node.standing == Standing::Assumed {
                self.news.push(at);
                node.standing = Standing::Good;
                node.obligations = Vec::new();
                node.users = SmallVec::new();
            }
        }
    }

    /// Whether some obligation of a position that was not refuted points at this one.
    fn is_needed(&self, node: u32) -> bool {
        self.nodes[node as usize].standing == Standing::Open
            && self.nodes[node as usize].users.iter().any(|&(user, at)| {
                let user = &self.nodes[user as usize];
                user.standing == Standing::Assumed && user.obligations[at as usize].now == node
            })
    }

    /// The node of a position.
    fn meet<A: Arena>(&mut self, arena: &mut A, exposed: &Exposed, left: u32, rivals: u32) -> u32 {
        if let Some(&node) = self.index.get(&(left, rivals)) {
            return node;
        }
        let node = self.nodes.len() as u32;
        let together = self.rivals.get(&rivals);
        let standing = match self.rule {
            Rule::Apart if !apart(arena, exposed, left, together) => Standing::Bad,
            Rule::Anywhere if together.iter().any(|&rival| arena.is_double(left, rival)) => Standing::Good,
            _ => Standing::Open,
        };
        self.nodes.push(Node { left, rivals, standing, obligations: Vec::new(), users: SmallVec::new() });
        self.bytes += 120;
        self.index.insert((left, rivals), node);
        node
    }

    /// Writes down a position's obligations and follows each to its first candidate.
    fn expand<A: Arena>(&mut self, arena: &mut A, exposed: &Exposed, node: u32) {
        self.nodes[node as usize].standing = Standing::Assumed;
        self.assumed.push(node);
        let (left, rivals) = (self.nodes[node as usize].left, self.nodes[node as usize].rivals);
        let mut moves = std::mem::take(&mut self.moves);
        arena.left_moves(left, &mut moves);
        moves.sort_unstable();
        moves.dedup();
        let mut obligations = Vec::with_capacity(moves.len());
        for (op, target) in moves.drain(..) {
            let candidates = self.candidates(arena, rivals, op, target, false);
            obligations.push(Obligation { op, target, all: false, candidates, next: 0, now: u32::MAX });
        }
        self.moves = moves;
        let count = obligations.len();
        self.nodes[node as usize].obligations = obligations;
        for at in 0..count {
            if !self.point(arena, exposed, node, at as u32) {
                return;
            }
        }
    }

    /// The combined answers of the rivals, the most promising first.
    fn candidates<A: Arena>(&mut self, arena: &mut A, rivals: u32, op: u32, target: u32, all: bool) -> Candidates {
        let together = Candidates::from_slice(self.rivals.get(&rivals));
        if let [single] = together[..] {
            self.replies(arena, single, op, target, all);
            self.bytes += 4 * self.replies.len() as u64;
            return Candidates::from_slice(&self.replies);
        }
        let mut combined: Vec<Vec<u32>> = vec![Vec::new()];
        for rival in together {
            self.replies(arena, rival, op, target, all);
            let longer = combined.iter().flat_map(|some| {
                let fresh = self.replies.iter().filter(|reply| !some.contains(reply));
                fresh.map(|&reply| some.iter().copied().chain([reply]).collect::<Vec<u32>>())
            });
            combined = longer.take(MOST_COMBINED).collect();
        }
        combined.iter().map(|some| self.rivals.intern(some)).collect()
    }

    /// The answers of one rival, the most promising first, in `self.replies`.
    fn replies<A: Arena>(&mut self, arena: &mut A, rival: u32, op: u32, target: u32, all: bool) {
        self.replies.clear();
        arena.replies(rival, op, all, &mut self.replies);
        self.work += 1 + self.replies.len() as u64;
        if self.replies.len() > 1 {
            self.replies.sort_unstable();
            self.replies.dedup();
            self.replies.sort_by_key(|&reply| arena.distrust(target, reply));
        }
    }

    /// Points an obligation at its next candidate that is not bad; whether there is one.
    fn point<A: Arena>(&mut self, arena: &mut A, exposed: &Exposed, node: u32, at: u32) -> bool {
        loop {
            let obligation = &self.nodes[node as usize].obligations[at as usize];
            let target = obligation.target;
            let Some(&candidate) = obligation.candidates.get(obligation.next as usize) else {
                if obligation.all {
                    self.refute(node);
                    return false;
                }
                self.widen(arena, node, at);
                continue;
            };
            self.work += 1;
            let next = self.meet(arena, exposed, target, candidate);
            match self.nodes[next as usize].standing {
                Standing::Bad => self.nodes[node as usize].obligations[at as usize].next += 1,
                Standing::Good => return true,
                standing => {
                    if standing == Standing::Open {
                        self.todo.push_back(next);
                    }
                    self.nodes[node as usize].obligations[at as usize].now = next;
                    self.nodes[next as usize].users.push((node, at));
                    self.bytes += 8;
                    return true;
                }
            }
        }
    }

    /// Adds the answers with silent moves to an obligation whose direct answers are all bad.
    fn widen<A: Arena>(&mut self, arena: &mut A, node: u32, at: u32) {
        let rivals = self.nodes[node as usize].rivals;
        let (op, target) = {
            let obligation = &self.nodes[node as usize].obligations[at as usize];
            (obligation.op, obligation.target)
        };
        let candidates = self.candidates(arena, rivals, op, target, true);
        let obligation = &mut self.nodes[node as usize].obligations[at as usize];
        *obligation = Obligation { op, target, all: true, candidates, next: 0, now: u32::MAX };
    }

    fn refute(&mut self, node: u32) {
        let refuted = &mut self.nodes[node as usize];
        if refuted.standing == Standing::Assumed {
            refuted.standing = Standing::Bad;
            refuted.obligations = Vec::new();
            self.refuted.push(node);
        }
    }

    /// Moves on every obligation that pointed at a position that is now bad.
    fn spread<A: Arena>(&mut self, arena: &mut A, exposed: &Exposed, refuted: u32) {
        for (node, at) in std::mem::take(&mut self.nodes[refuted as usize].users) {
            if self.nodes[node as usize].standing == Standing::Assumed {
                self.point(arena, exposed, node, at);
            }
        }
    }
}

/// Whether the rivals stand in classes different from the run's, and from each other's.
fn apart<A: Arena>(arena: &A, exposed: &Exposed, left: u32, rivals: &[u32]) -> bool {
    let (class, jumps) = arena.left_class(left, exposed);
    if !jumps {
        return true;
    }
    let classes: Together = rivals.iter().map(|&rival| arena.rival_class(rival, exposed)).collect();
    let differ = classes.iter().enumerate().all(|(at, other)| !classes[..at].contains(other));
    differ && !classes.contains(&class)
}
