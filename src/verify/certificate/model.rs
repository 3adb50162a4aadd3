//! The view as the checker sees it: its own graph, its own successor function, sets as sorted vectors.
//!
//! *Letters* are what a move can show: 0 is nothing; 1 + e is the event e, seen as itself; 1 + |Σ| + g is the one label of group
//! g under Pstr. Under Pw an anonymous event keeps a letter of its own and is *hidden*: what it shows depends on the past.
//!
//! A [`Left`] is where the run really is, with the hidden letters that it has used and may still use. A [`Rival`] is another
//! run that showed the same: its state, the letter that it used in place of each of those (`NEVER`: one that it can do
//! no more), and further letters that it has used and must not take for new ones. Where nothing is hidden, a left and a
//! rival are just states.

use crate::automaton::view::{Projection, Sight, View};
use crate::model::Property;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The letter of a move that shows nothing.
pub(crate) const SILENT: u32 = 0;

/// In place of a letter that a rival can do no more.
pub(crate) const NEVER: u32 = 0;

/// Where the run really is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Left {
    /// The state x.
    pub state: u32,
    /// The hidden letters that the run has used and x can still reach; sorted.
    pub used: Vec<u32>,
}

/// Another run that has shown the same so far.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rival {
    /// The state y.
    pub state: u32,
    /// π: for each letter of the left's `used`, the letter that this run used in its place.
    pub images: Vec<u32>,
    /// F: other letters that this run has used and y can still reach; sorted.
    pub spent: Vec<u32>,
}

/// What a letter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Silent,
    Seen,
    /// Anonymous under Pw, in this group of at least two.
    Hidden(u32),
}

/// A view and a property, as plain tables.
#[derive(Debug)]
pub(crate) struct Ground {
    initial: Vec<u32>,
    rows: Vec<u32>,
    /// (letter, target), sorted in each row.
    moves: Vec<(u32, u32)>,
    kinds: Vec<Kind>,
    letters: Vec<u32>,
    /// For each state the hidden letters that it can still reach, sorted; empty where nothing is hidden.
    reach: Vec<Vec<u32>>,
    classes: Vec<u32>,
    together: usize,
    secret_only: bool,
    /// Which states were met; none between calls.
    met: RefCell<Vec<bool>>,
}

/// No state met, of those that have rows.
fn unmet(rows: &[u32]) -> RefCell<Vec<bool>> {
    RefCell::new(vec![false; rows.len() - 1])
}

impl Ground {
    /// The tables of a view and a property.
    pub(crate) fn new(view: &View<'_>, property: &Property) -> Ground {
        let (letters, kinds) = letters(view);
        let mut rows = vec![0u32];
        let mut moves: Vec<(u32, u32)> = Vec::with_capacity(view.automaton.n_transitions());
        for state in view.automaton.states() {
            let from = moves.len();
            let steps = view.automaton.steps(state).iter();
            moves.extend(steps.map(|step| (letters[step.event.index()], step.target.0)));
            moves[from..].sort_unstable();
            let mut kept = from;
            for at in from..moves.len() {
                if at == from || moves[at] != moves[at - 1] {
                    moves[kept] = moves[at];
                    kept += 1;
                }
            }
            moves.truncate(kept);
            rows.push(moves.len() as u32);
        }
        let reach = if kinds.iter().any(|kind| matches!(kind, Kind::Hidden(_))) {
            reach(&rows, &moves, &kinds)
        } else {
            Vec::new()
        };
        let (classes, together, secret_only) = classes(view, property);
        let initial = view.automaton.initial().iter().map(|state| state.0).collect();
        Ground { met: unmet(&rows), initial, rows, moves, kinds, letters, reach, classes, together, secret_only }
    }

    /// The same view of other states: those that are initial, the sorted moves of each, and their classes.
    pub(super) fn replaced(&self, initial: Vec<u32>, of: Vec<Vec<(u32, u32)>>, classes: Vec<u32>) -> Ground {
        let mut rows = vec![0u32];
        let mut moves = Vec::new();
        for row in of {
            moves.extend(row);
            rows.push(moves.len() as u32);
        }
        let reach = if self.has_past() { reach(&rows, &moves, &self.kinds) } else { Vec::new() };
        let (kinds, letters) = (self.kinds.clone(), self.letters.clone());
        let (together, secret_only) = (self.together, self.secret_only);
        Ground { met: unmet(&rows), initial, rows, moves, kinds, letters, reach, classes, together, secret_only }
    }

    /// The same with every move turned around; for views where nothing is hidden.
    pub(crate) fn turned_around(&self) -> Ground {
        let n = self.n_states();
        let mut into: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n];
        for state in 0..n as u32 {
            for &(letter, target) in self.moves(state) {
                into[target as usize].push((letter, state));
            }
        }
        let mut rows = vec![0u32];
        let mut moves = Vec::with_capacity(self.moves.len());
        for mut row in into {
            row.sort_unstable();
            moves.extend(row);
            rows.push(moves.len() as u32);
        }
        Ground {
            met: unmet(&rows),
            initial: (0..n as u32).collect(),
            rows,
            moves,
            kinds: self.kinds.clone(),
            letters: self.letters.clone(),
            reach: Vec::new(),
            classes: self.classes.clone(),
            together: self.together,
            secret_only: self.secret_only,
        }
    }

    pub(crate) fn n_states(&self) -> usize {
        self.rows.len() - 1
    }

    /// X0.
    pub(crate) fn initial(&self) -> &[u32] {
        &self.initial
    }

    /// Whether some letters are hidden, so that lefts and rivals know a past.
    pub(crate) fn has_past(&self) -> bool {
        !self.reach.is_empty()
    }

    /// The moves of a state: (letter, target).
    pub(crate) fn moves(&self, state: u32) -> &[(u32, u32)] {
        &self.moves[self.rows[state as usize] as usize..self.rows[state as usize + 1] as usize]
    }

    /// What a letter is; none for a number that is no letter.
    pub(crate) fn kind(&self, letter: u32) -> Option<Kind> {
        self.kinds.get(letter as usize).copied()
    }

    /// The letter of an event.
    pub(crate) fn letter(&self, event: u32) -> Option<u32> {
        self.letters.get(event as usize).copied()
    }

    /// How many letters there are.
    pub(crate) fn n_letters(&self) -> usize {
        self.kinds.len()
    }

    /// The hidden letters that a state can still reach.
    pub(crate) fn reach(&self, state: u32) -> &[u32] {
        self.reach.get(state as usize).map_or(&[], |reach| reach)
    }

    /// The class of a state.
    pub(crate) fn class(&self, state: u32) -> u32 {
        self.classes[state as usize]
    }

    /// How many classes together are exposed.
    pub(crate) fn together(&self) -> usize {
        self.together
    }

    /// Whether a state stands in some exposed set.
    pub(crate) fn jumps(&self, state: u32) -> bool {
        !self.secret_only || self.class(state) == 0
    }

    /// Whether states that are not none lie inside an exposed set.
    pub(crate) fn is_exposed(&self, states: impl IntoIterator<Item = u32>) -> bool {
        let mut classes: Vec<u32> = Vec::new();
        for state in states {
            if !self.jumps(state) {
                return false;
            }
            let class = self.class(state);
            if !classes.contains(&class) {
                classes.push(class);
            }
            if classes.len() > self.together {
                return false;
            }
        }
        true
    }

    /// UR: the states with those they reach silently, sorted.
    pub(crate) fn close(&self, states: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let mut all = Vec::new();
        self.close_into(states, &mut all);
        all
    }

    /// UR, into an empty list.
    fn close_into(&self, states: impl IntoIterator<Item = u32>, all: &mut Vec<u32>) {
        let mut met = self.met.borrow_mut();
        let mut is_new = |state: &u32| !std::mem::replace(&mut met[*state as usize], true);
        all.extend(states.into_iter().filter(&mut is_new));
        let mut at = 0;
        while at < all.len() {
            let silent = self.moves(all[at]).iter().take_while(|step| step.0 == SILENT).map(|step| step.1);
            all.extend(silent.filter(&mut is_new));
            at += 1;
        }
        all.iter().for_each(|&state| met[state as usize] = false);
        all.sort_unstable();
    }

    /// UR(δ(S, l)), for a letter that is seen as itself.
    pub(crate) fn post(&self, states: &[u32], letter: u32) -> Vec<u32> {
        self.close(states.iter().flat_map(|&state| self.by(state, letter)))
    }

    /// What one state becomes by a letter, silent moves before and after included; by none, silently. Into an empty list.
    pub(crate) fn becomes(&self, state: u32, letter: u32, all: &mut Vec<u32>) {
        match letter {
            SILENT => self.close_into([state], all),
            _ if self.by(state, SILENT).next().is_none() => self.close_into(self.by(state, letter), all),
            _ => {
                let before = self.close([state]);
                self.close_into(before.iter().flat_map(|&state| self.by(state, letter)), all);
            }
        }
    }

    /// Where a letter leads from a state.
    fn by(&self, state: u32, letter: u32) -> impl Iterator<Item = u32> + '_ {
        let row = self.moves(state);
        let from = row.partition_point(|step| step.0 < letter);
        row[from..].iter().take_while(move |step| step.0 == letter).map(|step| step.1)
    }

    /// Whether a letter leads from a state to that one.
    pub(crate) fn leads(&self, state: u32, letter: u32, target: u32) -> bool {
        self.moves(state).binary_search(&(letter, target)).is_ok()
    }

    /// The hidden letters that a run still has to remember after a letter that led to a state.
    pub(crate) fn used_after(&self, used: &[u32], letter: u32, target: u32) -> Vec<u32> {
        let hidden = matches!(self.kind(letter), Some(Kind::Hidden(_)));
        let new = Some(letter).filter(|letter| hidden && used.binary_search(letter).is_err());
        let reach = self.reach(target);
        let mut after: Vec<u32> =
            used.iter().copied().chain(new).filter(|letter| reach.binary_search(letter).is_ok()).collect();
        after.sort_unstable();
        after
    }

    /// The rival that does just what the run does.
    pub(crate) fn double(&self, left: &Left) -> Rival {
        Rival { state: left.state, images: left.used.clone(), spent: Vec::new() }
    }

    /// UR of rivals, sorted.
    pub(crate) fn close_rivals(&self, rivals: impl IntoIterator<Item = Rival>) -> Vec<Rival> {
        let mut all = BTreeSet::new();
        for rival in rivals {
            for state in self.close([rival.state]) {
                all.insert(self.settle(state, &rival.images, &rival.spent));
            }
        }
        all.into_iter().collect()
    }

    /// What rivals become when the run does a letter, after which it remembers `after` in place of `used`. Silent moves of
    /// the rivals come after it, none before.
    pub(crate) fn post_rivals(&self, rivals: &[Rival], used: &[u32], letter: u32, after: &[u32]) -> Vec<Rival> {
        let mut all = BTreeSet::new();
        for rival in rivals.iter().filter(|rival| rival.images.len() == used.len()) {
            for (own, gained) in self.replies(rival, used, letter) {
                let (images, spent) = carry(rival, used, after, gained.then_some((letter, own)));
                let reached = if own == SILENT { vec![rival.state] } else { self.close(self.by(rival.state, own)) };
                all.extend(reached.into_iter().map(|state| self.settle(state, &images, &spent)));
            }
        }
        all.into_iter().collect()
    }

    /// The letters with which a rival can answer, and whether each is new.
    fn replies(&self, rival: &Rival, used: &[u32], letter: u32) -> Vec<(u32, bool)> {
        match (self.kind(letter), used.binary_search(&letter)) {
            (Some(Kind::Hidden(_)), Ok(at)) if rival.images[at] == NEVER => Vec::new(),
            (Some(Kind::Hidden(_)), Ok(at)) => vec![(rival.images[at], false)],
            (Some(kind @ Kind::Hidden(_)), Err(_)) => {
                let mut fresh: Vec<u32> = self.moves(rival.state).iter().map(|step| step.0).collect();
                fresh.dedup();
                fresh.retain(|own| {
                    self.kind(*own) == Some(kind) && !rival.images.contains(own) && !rival.spent.contains(own)
                });
                fresh.into_iter().map(|own| (own, true)).collect()
            }
            _ => vec![(letter, false)],
        }
    }

    /// A rival at a state, without what the state can do no more.
    fn settle(&self, state: u32, images: &[u32], spent: &[u32]) -> Rival {
        let reach = self.reach(state);
        let can = |letter: &u32| reach.binary_search(letter).is_ok();
        Rival {
            state,
            images: images.iter().map(|image| if can(image) { *image } else { NEVER }).collect(),
            spent: spent.iter().copied().filter(can).collect(),
        }
    }
}

/// π and F for the letters that are remembered afterwards: an image whose letter is forgotten is spent.
fn carry(rival: &Rival, used: &[u32], after: &[u32], gained: Option<(u32, u32)>) -> (Vec<u32>, Vec<u32>) {
    let mut pairs: Vec<(u32, u32)> = used.iter().copied().zip(rival.images.iter().copied()).chain(gained).collect();
    pairs.sort_unstable();
    let kept = |pair: &&(u32, u32)| after.binary_search(&pair.0).is_ok();
    let images = pairs.iter().filter(kept).map(|pair| pair.1).collect();
    let gone = pairs.iter().filter(|pair| !kept(pair)).map(|pair| pair.1).filter(|&image| image != NEVER);
    let mut spent: Vec<u32> = rival.spent.iter().copied().chain(gone).collect();
    spent.sort_unstable();
    spent.dedup();
    (images, spent)
}

/// The letter of each event, and what each letter is.
fn letters(view: &View<'_>) -> (Vec<u32>, Vec<Kind>) {
    let n_events = view.automaton.n_events();
    let mut sizes = vec![0u32; view.observer.n_groups()];
    for sight in view.observer.sights() {
        if let Sight::Anonymous(group) = sight {
            sizes[group.index()] += 1;
        }
    }
    let mut kinds = vec![Kind::Seen; 1 + n_events + sizes.len()];
    kinds[0] = Kind::Silent;
    let mut letters = Vec::with_capacity(n_events);
    for (event, sight) in view.observer.sights().iter().enumerate() {
        let own = 1 + event as u32;
        letters.push(match (*sight, view.projection) {
            (Sight::Silent, _) => SILENT,
            (Sight::Anonymous(group), Projection::Strong) => 1 + n_events as u32 + group.0,
            (Sight::Anonymous(group), Projection::Weak) if sizes[group.index()] > 1 => {
                kinds[own as usize] = Kind::Hidden(group.0);
                own
            }
            _ => own,
        });
    }
    (letters, kinds)
}

/// The hidden letters that each state can reach: for one letter after the other, against the moves from where it can be done.
fn reach(rows: &[u32], moves: &[(u32, u32)], kinds: &[Kind]) -> Vec<Vec<u32>> {
    let n = rows.len() - 1;
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut doing: Vec<Vec<u32>> = vec![Vec::new(); kinds.len()];
    for state in 0..n {
        for &(letter, target) in &moves[rows[state] as usize..rows[state + 1] as usize] {
            before[target as usize].push(state as u32);
            if let Kind::Hidden(_) = kinds[letter as usize] {
                doing[letter as usize].push(state as u32);
            }
        }
    }
    let mut reach: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (letter, mut todo) in (0u32..).zip(doing) {
        while let Some(state) = todo.pop() {
            let own = &mut reach[state as usize];
            if own.last() != Some(&letter) {
                own.push(letter);
                todo.extend(&before[state as usize]);
            }
        }
    }
    reach
}

/// The class of each state, how many classes together are exposed, whether class 0 alone is.
fn classes(view: &View<'_>, property: &Property) -> (Vec<u32>, usize, bool) {
    match property {
        Property::Anonymity { among, classes } => {
            let of = match classes {
                Some(classes) => classes.of.iter().map(|class| class.0).collect(),
                None => view.automaton.states().map(|state| state.0).collect(),
            };
            (of, (*among as usize).saturating_sub(1).max(1), false)
        }
        Property::Opacity { secret } => {
            let of = view.automaton.states().map(|state| u32::from(!secret.contains(state)));
            (of.collect(), 1, true)
        }
    }
}
