//! What a proof speaks of, in the checker's own terms: lefts, rivals and sets of rivals with numbers, and what moves make of them.
//!
//! Where nothing is hidden, a left and a rival are states, and their numbers are those of the states.

use super::budget::{Allowance, Spending, Stopped};
use crate::verify::certificate::checker::is_subset;
use crate::verify::certificate::model::{Ground, SILENT};
use crate::verify::certificate::{Left, Rival};
use crate::verify::sets::Interner;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Everything that has a number, and what was computed of it.
pub(super) struct Terms<'a> {
    pub(super) ground: &'a Ground,
    pub(super) spending: Spending<'a>,
    pub(super) lefts: Interner<Left>,
    pub(super) rivals: Interner<Rival>,
    sets: Interner<Vec<u32>>,
    /// For each set one bit for each member, modulo 64.
    masks: Vec<u64>,
    /// The letters that were used before a move and after it.
    pasts: Interner<(Vec<u32>, Vec<u32>)>,
    /// What a letter makes of a set, for each past.
    images: FxHashMap<(u32, u32, u32), u32>,
    /// Rivals that the certificate names, though they may stand in none of its sets: doubles that cover something, and X0.
    pub(super) named: Vec<u32>,
}

impl<'a> Terms<'a> {
    pub(super) fn new(ground: &'a Ground, allowance: Allowance<'a>) -> Terms<'a> {
        Terms {
            ground,
            spending: Spending::new(allowance),
            lefts: Interner::new(),
            rivals: Interner::new(),
            sets: Interner::new(),
            masks: Vec::new(),
            pasts: Interner::new(),
            images: FxHashMap::default(),
            named: Vec::new(),
        }
    }

    /// Spends work; an error when there is none left.
    pub(super) fn spend(&mut self, work: u64) -> Result<(), Stopped> {
        self.spending.spend(work)
    }

    /// The number of a left.
    pub(super) fn left(&mut self, left: Left) -> u32 {
        if !self.ground.has_past() {
            return left.state;
        }
        self.spending.bytes += 8;
        self.lefts.intern(left).0
    }

    /// The number of a rival.
    pub(super) fn rival(&mut self, rival: Rival) -> u32 {
        if !self.ground.has_past() {
            return rival.state;
        }
        let bytes = 160 + 8 * (rival.images.len() + rival.spent.len()) as u64;
        let (number, new) = self.rivals.intern(rival);
        if new {
            self.spending.bytes += bytes;
        }
        number
    }

    /// The left that starts at a state.
    pub(super) fn start_left(&mut self, state: u32) -> u32 {
        self.left(Left { state, used: Vec::new() })
    }

    /// The set of the rivals that start at these states.
    pub(super) fn start_set(&mut self, states: &[u32]) -> u32 {
        let fresh = |&state: &u32| Rival { state, images: Vec::new(), spent: Vec::new() };
        let rivals = states.iter().map(fresh).collect();
        let set = self.numbers(rivals);
        self.set_of(set)
    }

    /// The state of a left.
    pub(super) fn left_state(&self, left: u32) -> u32 {
        self.lefts.get(left).map_or(left, |left| left.state)
    }

    /// The state of a rival.
    pub(super) fn rival_state(&self, rival: u32) -> u32 {
        self.rivals.get(rival).map_or(rival, |rival| rival.state)
    }

    fn left_of(&self, left: u32) -> Left {
        self.lefts.get(left).cloned().unwrap_or(Left { state: left, used: Vec::new() })
    }

    fn rival_class(&self, rival: u32) -> u32 {
        self.ground.class(self.rival_state(rival))
    }

    /// The members of a set.
    pub(super) fn set(&self, set: u32) -> &[u32] {
        &self.sets[set]
    }

    /// The classes of a set's members, sorted.
    pub(super) fn classes(&self, set: u32) -> Vec<u32> {
        let mut classes: Vec<u32> = self.set(set).iter().map(|&rival| self.rival_class(rival)).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// Has the certificate name every member of a set.
    pub(super) fn name_all(&mut self, set: u32) {
        self.named.extend(&self.sets[set]);
    }

    /// The number of a set of sorted members.
    pub(super) fn set_of(&mut self, members: Vec<u32>) -> u32 {
        let (number, new) = self.sets.intern(members);
        if new {
            let members = &self.sets[number];
            self.masks.push(members.iter().fold(0, |mask, member| mask | 1 << (member % 64)));
            self.spending.bytes += 120 + 8 * members.len() as u64;
        }
        number
    }

    /// Whether every member of a set is one of the other's.
    pub(super) fn is_subset(&self, small: u32, large: u32) -> bool {
        small == large
            || (self.masks[small as usize] & !self.masks[large as usize] == 0
                && is_subset(self.set(small), self.set(large)))
    }

    /// The moves of a left: (letter, left).
    pub(super) fn moves(&mut self, left: u32) -> Cow<'a, [(u32, u32)]> {
        let ground = self.ground;
        if !ground.has_past() {
            return Cow::Borrowed(ground.moves(left));
        }
        let from = self.left_of(left);
        let moves = ground.moves(from.state).iter();
        moves
            .map(|&(letter, target)| {
                let used = ground.used_after(&from.used, letter, target);
                (letter, self.left(Left { state: target, used }))
            })
            .collect()
    }

    /// The run's own double.
    pub(super) fn double(&mut self, left: u32) -> u32 {
        let double = self.ground.double(&self.left_of(left));
        self.rival(double)
    }

    /// Whether a rival has used ρ(a) for each a that the left used, and none that ρ will ask for.
    pub(super) fn agrees(&self, left: u32, rival: u32, rho: &[u32]) -> bool {
        let (Some(left), Some(rival)) = (self.lefts.get(left), self.rivals.get(rival)) else { return true };
        let image = |letter: &u32| rho[*letter as usize];
        let ahead = self.ground.reach(left.state).iter().filter(|letter| left.used.binary_search(letter).is_err());
        rival.images.len() == left.used.len()
            && left.used.iter().zip(&rival.images).all(|(letter, own)| image(letter) == *own)
            && ahead.map(image).all(|own| rival.spent.binary_search(&own).is_err())
    }

    /// What a move of a left makes of one of its rivals, silent moves before it included.
    pub(super) fn reply(
        &mut self,
        (left, rival): (u32, u32),
        letter: u32,
        target: u32,
        replies: &mut Vec<u32>,
    ) -> Result<(), Stopped> {
        let ground = self.ground;
        replies.clear();
        if ground.has_past() {
            let before = ground.close_rivals([self.rivals[rival].clone()]);
            let (used, after) = (self.left_of(left).used, self.left_of(target).used);
            replies.extend(self.numbers(ground.post_rivals(&before, &used, letter, &after)));
        } else {
            ground.becomes(rival, letter, replies);
        }
        self.spend(1 + replies.len() as u64)
    }

    /// What a move makes of a set; computed once.
    pub(super) fn image(
        &mut self,
        ground: &Ground,
        set: u32,
        left: u32,
        letter: u32,
        target: u32,
    ) -> Result<u32, Stopped> {
        let past = match ground.has_past() {
            true => self.pasts.intern((self.left_of(left).used, self.left_of(target).used)).0,
            false if letter == SILENT => return Ok(set),
            false => 0,
        };
        if let Some(&image) = self.images.get(&(set, letter, past)) {
            return Ok(image);
        }
        self.spend(1 + self.set(set).len() as u64)?;
        let image = if ground.has_past() {
            let rivals = self.rivals_of(self.set(set));
            let (used, after) = &self.pasts[past];
            let after = ground.post_rivals(&rivals, used, letter, after);
            self.numbers(least(after))
        } else {
            ground.post(self.set(set), letter)
        };
        let image = self.set_of(image);
        self.spending.bytes += 32;
        self.images.insert((set, letter, past), image);
        Ok(image)
    }

    /// Forgets what moves make of sets: it says nothing about the automaton turned around.
    pub(super) fn forget_images(&mut self) {
        self.images.clear();
    }

    /// UR(S \ D), D being the states of these classes.
    pub(super) fn outside(&mut self, set: u32, hidden: &[u32]) -> Result<u32, Stopped> {
        self.spend(1 + self.set(set).len() as u64)?;
        let kept = |rival: &u32| !hidden.contains(&self.rival_class(*rival));
        let outside: Vec<u32> = self.set(set).iter().copied().filter(kept).collect();
        let closed = if self.ground.has_past() {
            let rivals = self.rivals_of(&outside);
            self.numbers(least(self.ground.close_rivals(rivals)))
        } else {
            self.ground.close(outside)
        };
        Ok(self.set_of(closed))
    }

    fn rivals_of(&self, numbers: &[u32]) -> Vec<Rival> {
        numbers.iter().map(|&rival| self.rivals[rival].clone()).collect()
    }

    /// The numbers of some rivals, sorted.
    fn numbers(&mut self, rivals: Vec<Rival>) -> Vec<u32> {
        let mut numbers: Vec<u32> = rivals.into_iter().map(|rival| self.rival(rival)).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// The rivals without those that have the same state and π as another, and have spent more.
fn least(rivals: Vec<Rival>) -> Vec<Rival> {
    let mut kept: Vec<Rival> = Vec::with_capacity(rivals.len());
    for some in rivals.chunk_by(|one, other| one.state == other.state && one.images == other.images) {
        let less =
            |one: &Rival, other: &Rival| one.spent.len() < other.spent.len() && is_subset(&one.spent, &other.spent);
        kept.extend(some.iter().filter(|rival| !some.iter().any(|other| less(other, rival))).cloned());
    }
    kept
}
