//! What an operation makes of one rival; computed once.

use super::Relative;
use super::events::Role;
use super::ids::{Act, DEAD, Operation};
use crate::automaton::{EventId, StateId};
use crate::verify::sets::{Slices, map_bytes, vec_bytes};
use crate::verify::simulation::permutation::Standing;
use crate::verify::views::belief_system::{Op, Rival};
use rustc_hash::FxHashMap;

/// An event that the run does for the first time, and the one that a rival does in its place.
type Gained = Option<(u32, u32)>;

/// Answers that were found.
//
// WHY a table for each operation: one for all is most of what is held, and is there twice while it grows. So is the only one of a model
// with one operation, but with a third of the bytes for each entry.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// For each operation the numbers of the answers of rivals.
    numbers: Vec<FxHashMap<Rival, u32>>,
    answers: Slices<Rival>,
    /// Heap bytes of all tables in `numbers`.
    table_bytes: u64,
}

impl Found {
    fn number(&self, rival: Rival, op: Op) -> Option<u32> {
        self.numbers.get(op as usize)?.get(&rival).copied()
    }

    fn add(&mut self, rival: Rival, op: Op, answer: &[Rival]) -> u32 {
        let number = self.answers.push(answer);
        let least = (op as usize + 1).max(self.numbers.len());
        self.numbers.resize_with(least, FxHashMap::default);
        let table = &mut self.numbers[op as usize];
        self.table_bytes -= map_bytes(table);
        table.insert(rival, number);
        self.table_bytes += map_bytes(table);
        number
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        vec_bytes(&self.numbers) + self.table_bytes + self.answers.bytes()
    }
}

impl Relative<'_> {
    /// What an operation makes of a rival, silent moves after it included.
    pub(super) fn answered(&mut self, rival: Rival, op: Op) -> &[Rival] {
        let number = self.found.number(rival, op).unwrap_or_else(|| {
            let answer = self.find_answers(rival, op);
            self.found.add(rival, op, &answer)
        });
        self.found.answers.get(number)
    }

    fn find_answers(&mut self, rival: Rival, op: Op) -> Vec<Rival> {
        let operation = self.names.of_op(op);
        let key = self.names.key(rival).to_vec();
        let (domain, rival) = self.names.parts(&key);
        let mut found = Vec::new();
        match operation.act {
            Act::Silent => self.settle(&operation, rival, None, &mut found),
            Act::Visible(event) => self.perform(&operation, event, rival, None, &mut found),
            Act::Old(event) => {
                let at = self.names.domain(domain).binary_search(&event).unwrap_or(0);
                if rival.images[at] != DEAD {
                    self.perform(&operation, rival.images[at], rival, None, &mut found);
                }
            }
            Act::New(event) => {
                for other in self.fresh(event, rival) {
                    self.perform(&operation, other, rival, Some((event, other)), &mut found);
                }
            }
        }
        self.names.least(found)
    }

    /// The events that a rival may do for a new event: same group, enabled, not used before.
    fn fresh(&self, event: u32, rival: Standing<'_>) -> Vec<u32> {
        let group = self.role[event as usize];
        let enabled = self.automaton.steps(StateId(rival.state)).iter().map(|step| step.event.0);
        let mut fresh: Vec<u32> = enabled
            .filter(|&other| self.role[other as usize] == group)
            .filter(|other| !rival.images.contains(other) && !rival.spent.contains(other))
            .collect();
        fresh.dedup();
        fresh
    }

    /// Adds the rivals after an event, and after silent moves.
    fn perform(
        &mut self,
        operation: &Operation,
        event: u32,
        rival: Standing<'_>,
        gained: Gained,
        found: &mut Vec<Rival>,
    ) {
        let automaton = self.automaton;
        for step in automaton.successors(StateId(rival.state), EventId(event)) {
            self.settle(operation, Standing { state: step.target.0, ..rival }, gained, found);
        }
    }

    /// Adds the rivals after silent moves, with π carried over to the operation's new domain.
    fn settle(&mut self, operation: &Operation, rival: Standing<'_>, gained: Gained, found: &mut Vec<Rival>) {
        let (images, spent) = self.carried(operation, rival, gained);
        for state in self.closure(rival.state) {
            let reached = Standing { state, images: &images, spent: &spent };
            found.push(self.names.rival(operation.to, reached));
        }
    }

    /// What a rival's π and F become over an operation's new domain.
    fn carried(&self, operation: &Operation, rival: Standing<'_>, gained: Gained) -> (Vec<u32>, Vec<u32>) {
        let (from, to) = (self.names.domain(operation.from), self.names.domain(operation.to));
        let mut pairs: Vec<(u32, u32)> = from.iter().copied().zip(rival.images.iter().copied()).chain(gained).collect();
        pairs.sort_unstable();
        let mut images = Vec::with_capacity(to.len());
        let mut spent = rival.spent.to_vec();
        for (event, image) in pairs {
            if to.binary_search(&event).is_ok() {
                images.push(image);
            } else if image != DEAD {
                spent.push(image);
            }
        }
        (images, spent)
    }

    /// The states reached silently from a state, itself among them.
    pub(super) fn closure(&mut self, state: u32) -> Box<[u32]> {
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
        self.bytes += size_of_val(&found[..]) as u64;
        self.closures.insert(state, found.clone().into_boxed_slice());
        found.into_boxed_slice()
    }
}
