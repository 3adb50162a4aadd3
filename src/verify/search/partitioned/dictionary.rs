//! The ids of actual states and hypotheses are each worker's own: what they mean is sent once to each worker that needs it.
//!
//! In a static view ids are states, and mean the same to all.

use super::half::mix;
use crate::verify::sets::{Id, Set, vec_bytes};
use crate::verify::views::belief_system::{ActualId, HypothesisId, Portable};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// What a record is about.
const ACTUAL: u32 = 0;
const HYPOTHESIS: u32 = 1;
const PAIRS: u32 = 2;

/// What one worker has sent to each other worker, and received from it.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    peers: Vec<Peer>,
    /// The hash of each hypothesis; 0: not computed.
    hashes: Vec<u64>,
}

/// What was sent to another worker, and what its ids are here.
#[derive(Clone, Debug, Default)]
struct Peer {
    /// Actual states, then hypotheses.
    sent: [Vec<bool>; 2],
    received: [Vec<u32>; 2],
}

/// Pairs that another worker sent: how they were reached, actual states and hypotheses.
pub(super) struct Pairs<S> {
    pub(super) head: [u32; 3],
    pub(super) actuals: S,
    pub(super) set: S,
}

impl Dictionary {
    /// Nothing sent to so many workers.
    pub(super) fn new(workers: usize) -> Dictionary {
        Dictionary { peers: vec![Peer::default(); workers], hashes: Vec::new() }
    }

    /// Heap bytes.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = |peer: &Peer| {
            let sent = peer.sent.iter().map(vec_bytes).sum::<u64>();
            sent + peer.received.iter().map(vec_bytes).sum::<u64>()
        };
        vec_bytes(&self.hashes) + self.peers.iter().map(bytes).sum::<u64>()
    }

    /// The owner of a set: the same, whoever asks.
    pub(super) fn owner<B: Portable>(&mut self, beliefs: &B, set: &B::Set) -> usize {
        let mut sum = 0u64;
        for hypothesis in set.iter() {
            sum = sum.wrapping_add(self.hash(beliefs, hypothesis));
        }
        mix(sum) as usize % self.peers.len()
    }

    fn hash<B: Portable>(&mut self, beliefs: &B, hypothesis: HypothesisId) -> u64 {
        let at = hypothesis.index();
        if at >= self.hashes.len() {
            self.hashes.resize(at + 1, 0);
        }
        if self.hashes[at] == 0 {
            let (mut words, mut hasher) = (Vec::new(), FxHasher::default());
            beliefs.describe_hypothesis(hypothesis, &mut words);
            words.iter().for_each(|&word| hasher.write_u32(word));
            self.hashes[at] = mix(hasher.finish()) | 1;
        }
        self.hashes[at]
    }

    /// Writes pairs for another worker, after what it does not know.
    pub(super) fn write<B: Portable>(
        &mut self,
        beliefs: &B,
        to: usize,
        (head, actuals, set): ([u32; 3], &B::Set, &B::Set),
        words: &mut Vec<u32>,
    ) {
        if beliefs.as_static().is_none() {
            let [known_actuals, known] = &mut self.peers[to].sent;
            for actual in actuals.iter::<ActualId>().filter(|id| is_first(known_actuals, id.index())) {
                define(ACTUAL, actual.0, words, |words| beliefs.describe_actual(actual, words));
            }
            for hypothesis in set.iter::<HypothesisId>().filter(|id| is_first(known, id.index())) {
                define(HYPOTHESIS, hypothesis.0, words, |words| beliefs.describe_hypothesis(hypothesis, words));
            }
        }
        define(PAIRS, actuals.len() as u32, words, |words| {
            words.extend(head);
            words.extend(actuals.iter::<u32>());
            words.extend(set.iter::<u32>());
        });
    }

    /// Reads what a worker wrote.
    pub(super) fn read<B: Portable>(&mut self, beliefs: &mut B, from: u32, mut words: &[u32]) -> Vec<Pairs<B::Set>> {
        let mut all = Vec::new();
        while let [kind, id, len, rest @ ..] = words {
            let Some((content, after)) = rest.split_at_checked(*len as usize) else { return all };
            words = after;
            let received = &mut self.peers[from as usize].received;
            match *kind {
                ACTUAL => learn(&mut received[0], *id, beliefs.actual_of(content).0),
                HYPOTHESIS => learn(&mut received[1], *id, beliefs.hypothesis_of(content).0),
                _ => all.extend(read_pairs(beliefs, received, *id as usize, content)),
            }
        }
        all
    }
}

fn read_pairs<B: Portable>(
    beliefs: &B,
    received: &[Vec<u32>; 2],
    n_actuals: usize,
    content: &[u32],
) -> Option<Pairs<B::Set>> {
    let (&head, rest) = content.split_first_chunk::<3>()?;
    let (actuals, set) = rest.split_at_checked(n_actuals)?;
    let (is_static, universe) = (beliefs.as_static().is_some(), beliefs.universe());
    let own = |kind: usize, ids: &[u32]| {
        let own = |&id: &u32| if is_static { id } else { received[kind][id as usize] };
        B::Set::collect::<u32>(universe, &mut ids.iter().map(own).collect())
    };
    Some(Pairs { head, actuals: own(0, actuals), set: own(1, set) })
}

/// Writes a record: its kind, a number, the length of its content, and this.
fn define(kind: u32, number: u32, words: &mut Vec<u32>, write: impl FnOnce(&mut Vec<u32>)) {
    words.extend([kind, number, 0]);
    let at = words.len();
    write(words);
    words[at - 1] = (words.len() - at) as u32;
}

fn learn(received: &mut Vec<u32>, id: u32, own: u32) {
    let at = id as usize;
    if at >= received.len() {
        received.resize(at + 1, 0);
    }
    received[at] = own;
}

/// Whether an id was not known, which it is from now on.
fn is_first(known: &mut Vec<bool>, at: usize) -> bool {
    if at >= known.len() {
        known.resize(at + 1, false);
    }
    !std::mem::replace(&mut known[at], true)
}
