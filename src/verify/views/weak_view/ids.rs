//! Numbers for what the weak view speaks of: sets of used events, lefts, rivals, operations.
//!
//! What cannot matter is forgotten before a number is given, so that things which differ in nothing that matters have one number.

use super::events::Reach;
use crate::verify::sets::Interner;
use crate::verify::sets::SliceInterner;
use crate::verify::sets::{Set, Sparse};
use crate::verify::simulation::permutation::Standing;
use crate::verify::views::belief_system::{Left, Op, Rival, STAY};
use rustc_hash::FxHashMap;

/// In place of π(a): the rival can never do it again.
pub(super) const DEAD: u32 = u32::MAX;

/// The number of a set of used events.
pub(super) type DomainId = u32;

/// What the run does, as its rivals must answer it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Act {
    Silent,
    Visible(u32),
    Old(u32),
    New(u32),
}

/// What a move does to the rivals: the act, and how the set of used events changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Operation {
    pub(super) act: Act,
    pub(super) from: DomainId,
    pub(super) to: DomainId,
}

/// Everything that has a number.
#[derive(Debug)]
pub(super) struct Names {
    reach: Reach,
    domains: Interner<Box<[u32]>>,
    lefts: Interner<(u32, DomainId)>,
    /// A rival: its domain, its state, π in the order of the domain, then F sorted.
    rivals: SliceInterner<u32>,
    operations: Interner<Operation>,
    /// Heap bytes of the domains themselves.
    domain_bytes: u64,
}

impl Names {
    /// No numbers but 0, for the set of no used events.
    pub(super) fn new(reach: Reach) -> Names {
        let mut domains = Interner::new();
        domains.intern(Box::default());
        Names {
            domain_bytes: 0,
            reach,
            domains,
            lefts: Interner::new(),
            rivals: SliceInterner::new(),
            operations: Interner::new(),
        }
    }

    /// Heap bytes.
    pub(super) fn bytes(&self) -> u64 {
        let tables = self.domains.bytes() + self.lefts.bytes() + self.rivals.bytes() + self.operations.bytes();
        tables + self.domain_bytes + self.reach.bytes()
    }

    /// The used events of a number.
    pub(super) fn domain(&self, domain: DomainId) -> &[u32] {
        &self.domains[domain]
    }

    /// The used events after an act, without those that the state it leads to can never reach again.
    pub(super) fn domain_after(&mut self, from: DomainId, act: Act, target: u32) -> DomainId {
        let new = match act {
            Act::New(event) => Some(event),
            _ => None,
        };
        let used = self.domains[from].iter().copied().chain(new);
        let mut kept: Vec<u32> = used.filter(|&event| self.reach.has(target, event)).collect();
        kept.sort_unstable();
        let bytes = (kept.len() * size_of::<u32>()) as u64;
        let (domain, new) = self.domains.intern(kept.into_boxed_slice());
        self.domain_bytes += if new { bytes } else { 0 };
        domain
    }

    /// The number of a left, and whether it is new.
    pub(super) fn left(&mut self, state: u32, domain: DomainId) -> (Left, bool) {
        self.lefts.intern((state, domain))
    }

    /// The state of a left, and the set of events that it has used.
    pub(super) fn of_left(&self, left: Left) -> (u32, DomainId) {
        self.lefts[left]
    }

    /// The anonymous events that a left may still do for the first time.
    pub(super) fn ahead(&self, left: Left, n_events: usize) -> Vec<u32> {
        let (state, domain) = self.lefts[left];
        let used = self.domain(domain);
        let events = 0..n_events as u32;
        events.filter(|&event| self.reach.has(state, event) && used.binary_search(&event).is_err()).collect()
    }

    /// The number of an operation.
    pub(super) fn operation(&mut self, act: Act, from: DomainId, to: DomainId) -> Op {
        match act {
            Act::Silent if from == to => STAY,
            _ => self.operations.intern(Operation { act, from, to }).0,
        }
    }

    /// The operation of a number.
    pub(super) fn of_op(&self, op: Op) -> Operation {
        self.operations[op]
    }

    /// The number of a rival with this domain, after forgetting what its state cannot do.
    pub(super) fn rival(&mut self, domain: DomainId, rival: Standing<'_>) -> Rival {
        let Standing { state, images, spent } = rival;
        let mut key = Vec::with_capacity(2 + images.len() + spent.len());
        key.extend([domain, state]);
        let still = |&image: &u32| if image != DEAD && self.reach.has(state, image) { image } else { DEAD };
        key.extend(images.iter().map(still));
        key.extend(spent.iter().copied().filter(|&event| self.reach.has(state, event)));
        key[2 + images.len()..].sort_unstable();
        self.rivals.intern(&key).0
    }

    /// A rival as it is kept, to be read by [`Names::parts`].
    pub(super) fn key(&self, rival: Rival) -> &[u32] {
        self.rivals.get(rival)
    }

    /// What a key says: the domain, and the rival's standing.
    pub(super) fn parts<'k>(&self, key: &'k [u32]) -> (DomainId, Standing<'k>) {
        let (images, spent) = key[2..].split_at(self.domains[key[0]].len());
        (key[0], Standing { state: key[1], images, spent })
    }

    /// The state of a rival.
    pub(super) fn rival_state(&self, rival: Rival) -> u32 {
        self.key(rival)[1]
    }

    /// What a rival is.
    pub(super) fn of_rival(&self, rival: Rival) -> Standing<'_> {
        self.parts(self.key(rival)).1
    }

    /// The set of some rivals.
    pub(super) fn set(&self, rivals: Vec<Rival>) -> Sparse {
        Sparse::collect(0, &mut self.least(rivals))
    }

    /// The rivals in order, without every one that has the same y and π as another, and a larger F.
    pub(super) fn least(&self, mut rivals: Vec<Rival>) -> Vec<Rival> {
        rivals.sort_unstable();
        rivals.dedup();
        let split = |rival: Rival| {
            let key = self.key(rival);
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
            let less = |other: &&[u32]| other.len() < spent.len() && other.iter().all(|event| spent.contains(event));
            !by_body[body].iter().any(less)
        });
        rivals
    }
}
