//! Which of the hinted rivals do answer for ever, found when they are first used.
//!
//! A hint is followed along its answers until every one is a hint again; if one has none, nothing on that way is used.

use super::budget::Stopped;
use super::context::Terms;
use super::{Hinted, Hints, Lockstep};
use crate::verify::certificate::Cover;
use crate::verify::certificate::model::SILENT;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// What is known about a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Nothing,
    /// Met on the way that is being followed.
    Met,
    Good,
    Bad,
}

/// Positions of twins, or of simulations.
#[derive(Debug, Default)]
pub(super) struct Positions {
    pub(super) all: Vec<Hinted>,
    known: Vec<Known>,
    /// What answers the moves of good positions, and where in it the answers of each are.
    answers: Vec<Cover>,
    places: Vec<Range<usize>>,
    /// Left and position, in order.
    by_left: Vec<(u32, u32)>,
    /// Left, its rival and position, in order; of positions with one rival.
    single: Vec<(u32, u32, u32)>,
    apart: bool,
}

/// Pairs of states in lockstep, for each permutation.
#[derive(Debug, Default)]
pub(super) struct Steps {
    /// Permutations of letters, and whether their pairs stay apart.
    pub(super) permutations: Vec<(Vec<u32>, bool)>,
    hinted: Vec<FxHashSet<(u32, u32)>>,
    by_left: Vec<FxHashMap<u32, Vec<u32>>>,
    bad: FxHashSet<(u32, u32, u32)>,
    places: FxHashMap<(u32, u32, u32), u32>,
    /// The pairs in use: permutation, states, and the places of their answers.
    pub(super) steps: Vec<(u32, u32, u32, Vec<u32>)>,
}

impl Positions {
    pub(super) fn new(all: Vec<Hinted>, apart: bool) -> Positions {
        let each = || all.iter().zip(0u32..);
        let mut by_left: Vec<(u32, u32)> = each().map(|((left, _), at)| (*left, at)).collect();
        let singles = each().filter(|((_, rivals), _)| rivals.len() == 1);
        let mut single: Vec<(u32, u32, u32)> = singles.map(|((left, rivals), at)| (*left, rivals[0], at)).collect();
        by_left.sort_unstable();
        single.sort_unstable();
        let (known, places) = (vec![Known::Nothing; all.len()], vec![0..0; all.len()]);
        Positions { all, known, answers: Vec::new(), places, by_left, single, apart }
    }

    /// What answers the moves of a good position.
    pub(super) fn covers(&self, at: u32) -> &[Cover] {
        &self.answers[self.places[at as usize].clone()]
    }

    /// Where the positions of a left begin in their order.
    fn first_of(&self, left: u32) -> usize {
        self.by_left.partition_point(|entry| entry.0 < left)
    }

    /// A position of this left with its rivals in the set: all of them, or any.
    pub(super) fn find(
        &mut self,
        terms: &mut Terms<'_>,
        left: u32,
        set: u32,
        any: bool,
    ) -> Result<Option<u32>, Stopped> {
        for place in self.first_of(left).. {
            let Some(&(_, at)) = self.by_left.get(place).filter(|entry| entry.0 == left) else { break };
            terms.spend(1)?;
            let rivals = &self.all[at as usize].1;
            let held = |rival: &u32| terms.set(set).binary_search(rival).is_ok();
            let fits = if any { rivals.iter().any(held) } else { rivals.iter().all(held) };
            if fits && self.is_good(terms, at)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Follows the answers of a position.
    fn is_good(&mut self, terms: &mut Terms<'_>, at: u32) -> Result<bool, Stopped> {
        match self.known[at as usize] {
            Known::Good => return Ok(true),
            Known::Bad => return Ok(false),
            Known::Nothing | Known::Met => {}
        }
        let before = self.answers.len();
        let mut order = vec![at];
        let mut replies = Vec::new();
        let mut next = 0;
        self.known[at as usize] = Known::Met;
        while let Some(&now) = order.get(next) {
            let from = self.answers.len();
            if !self.follow(terms, now, &mut replies)? {
                self.answers.truncate(before);
                order.iter().for_each(|&at| self.known[at as usize] = Known::Bad);
                return Ok(false);
            }
            for cover in &self.answers[from..] {
                if let Cover::Twins(to) | Cover::Simulation(to) = *cover
                    && self.known[to as usize] == Known::Nothing
                {
                    self.known[to as usize] = Known::Met;
                    order.push(to);
                }
            }
            self.places[now as usize] = from..self.answers.len();
            next += 1;
        }
        order.iter().for_each(|&at| self.known[at as usize] = Known::Good);
        Ok(true)
    }

    /// Writes down which positions answer the moves of this one; whether each move has an answer. `replies` is room for those of each
    /// rival.
    fn follow(&mut self, terms: &mut Terms<'_>, at: u32, replies: &mut Vec<Vec<u32>>) -> Result<bool, Stopped> {
        let (left, rivals) = &self.all[at as usize];
        replies.resize_with(rivals.len(), Vec::new);
        for &(letter, target) in terms.moves(*left).iter() {
            for (&rival, replies) in rivals.iter().zip(replies.iter_mut()) {
                terms.reply((*left, rival), letter, target, replies)?;
            }
            let cover = match self.answer(target, replies) {
                Some(next) if self.apart => Cover::Twins(next),
                Some(next) => Cover::Simulation(next),
                None if self.apart => return Ok(false),
                None => {
                    let double = terms.double(target);
                    if replies[0].binary_search(&double).is_err() {
                        return Ok(false);
                    }
                    terms.named.push(double);
                    Cover::Double
                }
            };
            self.answers.push(cover);
        }
        Ok(true)
    }

    fn answer(&self, target: u32, replies: &[Vec<u32>]) -> Option<u32> {
        let usable = |at: &u32| self.known[*at as usize] != Known::Bad;
        if let [reply] = replies {
            let mut first = None;
            for at in reply.iter().filter_map(|&rival| self.of_single(target, rival)).filter(usable) {
                if self.known[at as usize] != Known::Nothing {
                    return Some(at);
                }
                first = first.or(Some(at));
            }
            return first;
        }
        let fits = |at: &u32| {
            let rivals = &self.all[*at as usize].1;
            rivals.len() == replies.len() && rivals.iter().zip(replies).all(|(one, all)| all.binary_search(one).is_ok())
        };
        let from = self.by_left[self.first_of(target)..].iter();
        from.take_while(|entry| entry.0 == target).map(|entry| entry.1).filter(usable).find(fits)
    }

    /// The position of a left and one rival.
    fn of_single(&self, left: u32, rival: u32) -> Option<u32> {
        let at = self.single.partition_point(|entry| (entry.0, entry.1) < (left, rival));
        self.single.get(at).filter(|entry| (entry.0, entry.1) == (left, rival)).map(|entry| entry.2)
    }
}

impl Steps {
    pub(super) fn new(terms: &Terms<'_>, hints: Vec<Lockstep>) -> Steps {
        let mut steps = Steps::default();
        for Lockstep { rho, apart, pairs } in hints {
            let mut letters: Vec<u32> = (0..terms.ground.n_letters() as u32).collect();
            for (event, &image) in rho.iter().enumerate() {
                if let (Some(from), Some(to)) = (terms.ground.letter(event as u32), terms.ground.letter(image)) {
                    letters[from as usize] = to;
                }
            }
            letters[SILENT as usize] = SILENT;
            let mut by_left: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
            pairs.iter().for_each(|&(left, rival)| by_left.entry(left).or_default().push(rival));
            steps.permutations.push((letters, apart));
            steps.hinted.push(pairs.into_iter().collect());
            steps.by_left.push(by_left);
        }
        steps
    }

    /// A rival of the set that goes in lockstep with the left: the place, and the rival.
    pub(super) fn find(
        &mut self,
        terms: &mut Terms<'_>,
        left: u32,
        set: u32,
        apart: bool,
    ) -> Result<Option<(u32, u32)>, Stopped> {
        let state = terms.left_state(left);
        for table in 0..self.permutations.len() {
            if apart && !self.permutations[table].1 || !self.by_left[table].contains_key(&state) {
                continue;
            }
            for rival in terms.set(set).to_vec() {
                terms.spend(1)?;
                let other = terms.rival_state(rival);
                if self.hinted[table].contains(&(state, other))
                    && terms.agrees(left, rival, &self.permutations[table].0)
                    && let Some(place) = self.place(terms, (table as u32, state, other))?
                {
                    return Ok(Some((place, rival)));
                }
            }
        }
        Ok(None)
    }

    /// The place of a pair that goes on for ever.
    fn place(&mut self, terms: &mut Terms<'_>, pair: (u32, u32, u32)) -> Result<Option<u32>, Stopped> {
        if let Some(&place) = self.places.get(&pair) {
            return Ok(Some(place));
        }
        let first = self.steps.len();
        let mut order = vec![pair];
        let mut places: FxHashMap<(u32, u32, u32), u32> = FxHashMap::from_iter([(pair, first as u32)]);
        let mut found: Vec<Vec<u32>> = Vec::new();
        while found.len() < order.len() {
            let (table, left, rival) = order[found.len()];
            let mut next = Vec::new();
            for (letter, target) in terms.ground.moves(left).to_vec() {
                terms.spend(1)?;
                let Some(answer) = self.answer(terms, table, rival, letter, target) else {
                    self.bad.extend(order);
                    return Ok(None);
                };
                let to = (table, target, answer);
                let known = self.places.get(&to).or_else(|| places.get(&to)).copied();
                next.push(known.unwrap_or_else(|| {
                    let at = (first + order.len()) as u32;
                    places.insert(to, at);
                    order.push(to);
                    at
                }));
            }
            found.push(next);
        }
        for ((table, left, rival), next) in order.into_iter().zip(found) {
            self.places.insert((table, left, rival), self.steps.len() as u32);
            self.steps.push((table, left, rival, next));
        }
        Ok(Some(first as u32))
    }

    fn answer(&self, terms: &Terms<'_>, table: u32, rival: u32, letter: u32, target: u32) -> Option<u32> {
        let (images, apart) = &self.permutations[table as usize];
        let identity = images.iter().zip(0u32..).all(|(&image, letter)| image == letter);
        let fits = |other: u32| {
            let hinted = self.hinted[table as usize].contains(&(target, other));
            (hinted || (identity && !apart && target == other)) && !self.bad.contains(&(table, target, other))
        };
        let answers = terms.ground.moves(rival).iter().filter(|step| step.0 == images[letter as usize]);
        answers.map(|step| step.1).find(|&other| fits(other))
    }
}

impl Hints {
    /// How many positions there are.
    pub(crate) fn len(&self) -> usize {
        self.twins.len() + self.simulations.len() + self.lockstep.iter().map(|table| table.pairs.len()).sum::<usize>()
    }
}
