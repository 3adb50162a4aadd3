//! Twins in lockstep: under a fixed permutation of the anonymous events.
//!
//! Definition. Let ρ permute each group of anonymous events. State y is a ρ-twin of x when y answers each event a of x with ρ(a),
//! every other event with itself, stays apart from x, and leads to a ρ-twin again. A rival (y, π, F) of a left (x, U) never dies if π is ρ on U and F holds nothing that ρ will still ask for.
//!
//! Method. The [`Game`] on states, one for each ρ out of a short list: identity, rotations of a group, transpositions. The
//! positions do not mention what was used, so there are at most |X|² of them for each ρ, whatever |Γ| is. Where labels are
//! fixed, lockstep (ρ the identity) is tried first: it leaves no choice between events that look alike.

use super::certificate::Lockstep;
use super::exposed::Exposed;
use super::fixed::Fixed;
use super::frame::Frame;
use super::game::{Arena, Game, Rule};
use super::sets::Sparse;
use crate::automaton::view::{Observer, Projection, Sight, View};
use rustc_hash::FxHashMap;

/// The most permutations that are tried.
const MOST_RHOS: usize = 256;

/// A rival, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing<'a> {
    /// Its state.
    pub(crate) state: u32,
    /// What it used in place of each event of the left's domain.
    pub(crate) images: &'a [u32],
    /// What it may not use any more.
    pub(crate) spent: &'a [u32],
}

/// The games, one for each permutation.
#[derive(Debug)]
pub(crate) struct Steady {
    plain: Fixed<Sparse>,
    tables: Vec<Table>,
    /// Candidates that were looked at in vain.
    pub(crate) work: u64,
    /// Bytes held.
    pub(crate) bytes: u64,
}

#[derive(Debug)]
struct Table {
    rho: Vec<u32>,
    apart: Game,
    anywhere: Game,
    known: FxHashMap<(Rule, u32, u32), bool>,
    /// Work for a question that has no answer yet.
    unsettled: u64,
}

impl Steady {
    /// No position met yet.
    pub(crate) fn new(view: &View<'_>) -> Steady {
        let lockstep = Observer::new(vec![Sight::Visible; view.automaton.n_events()]);
        let natural = View { projection: Projection::Natural, observer: &lockstep, ..*view };
        let tables = permutations(view).into_iter().map(|rho| Table {
            rho,
            apart: Game::new(Rule::Apart),
            anywhere: Game::new(Rule::Anywhere),
            known: FxHashMap::default(),
            unsettled: 0,
        });
        let plain = Fixed::new(&natural, u32::MAX);
        Steady { bytes: plain.bytes(), plain, tables: tables.collect(), work: 0 }
    }

    /// The twins that are known: for each permutation the pairs (x, y).
    pub(crate) fn relation(&self, rule: Rule) -> Vec<Lockstep> {
        let tables = self.tables.iter().map(|table| {
            let game = if rule == Rule::Apart { &table.apart } else { &table.anywhere };
            (table.rho.clone(), game.good().map(|(left, rivals)| (left, rivals[0])).collect::<Vec<_>>())
        });
        tables.filter(|(_, pairs)| !pairs.is_empty()).collect()
    }

    /// Whether a rival never dies, for some ρ. `used` are the events of the left's domain, `ahead` those that it may
    /// still do for the first time.
    pub(crate) fn holds(
        &mut self,
        rule: Rule,
        exposed: &Exposed,
        (state, used, ahead): (u32, &[u32], &[u32]),
        rival: Standing<'_>,
        most: u64,
    ) -> bool {
        for table in &mut self.tables {
            self.work += 1;
            let rho = &table.rho;
            let agrees = used.iter().zip(rival.images).all(|(&event, &image)| rho[event as usize] == image)
                && !ahead.iter().any(|&event| rival.spent.contains(&rho[event as usize]));
            if agrees && self.work < most {
                let before = table.cost();
                let held = table.ask(&mut self.plain, rule, exposed, state, rival.state, most - self.work);
                let after = table.cost();
                self.bytes += after.1 - before.1;
                self.work += after.0 - before.0;
                table.unsettled += after.0 - before.0;
                if let Some(held) = held {
                    let spent = std::mem::take(&mut table.unsettled);
                    if held {
                        // WHY: what finds a twin is worth its work, also that of the slices before.
                        self.work -= spent;
                        return true;
                    }
                }
            }
        }
        false
    }
}

impl Table {
    /// Work that was done, and bytes held.
    fn cost(&self) -> (u64, u64) {
        (self.apart.work + self.anywhere.work, self.apart.bytes() + self.anywhere.bytes())
    }

    fn ask(
        &mut self,
        plain: &mut Fixed<Sparse>,
        rule: Rule,
        exposed: &Exposed,
        state: u32,
        rival: u32,
        most: u64,
    ) -> Option<bool> {
        if let Some(&known) = self.known.get(&(rule, state, rival)) {
            return Some(known);
        }
        let mut under = Under { plain, rho: &self.rho };
        let game = if rule == Rule::Apart { &mut self.apart } else { &mut self.anywhere };
        let most = game.work.saturating_add(most);
        let answer = game.ask(&mut under, exposed, state, &[rival], most);
        if let Some(answer) = answer {
            self.known.insert((rule, state, rival), answer);
        }
        answer
    }
}

/// The states as lefts and rivals, events answered through ρ.
struct Under<'a> {
    plain: &'a mut Fixed<Sparse>,
    rho: &'a [u32],
}

impl Arena for Under<'_> {
    fn left_moves(&mut self, left: u32, into: &mut Vec<(u32, u32)>) {
        self.plain.left_moves(left, into);
    }

    fn replies(&mut self, rival: u32, op: u32, all: bool, into: &mut Vec<u32>) {
        self.plain.replies(rival, self.rho[op as usize], all, into);
    }

    fn is_double(&mut self, left: u32, rival: u32) -> bool {
        left == rival && self.rho.iter().enumerate().all(|(at, &image)| at as u32 == image)
    }

    fn left_class(&self, left: u32, exposed: &Exposed) -> (u32, bool) {
        self.plain.left_class(left, exposed)
    }

    fn rival_class(&self, rival: u32, exposed: &Exposed) -> u32 {
        self.plain.rival_class(rival, exposed)
    }

    fn distrust(&self, left: u32, rival: u32) -> u32 {
        self.plain.strangeness(left, rival)
    }
}

/// Identity, then rotations of each group, then transpositions within groups.
fn permutations(view: &View<'_>) -> Vec<Vec<u32>> {
    let identity: Vec<u32> = (0..view.automaton.n_events() as u32).collect();
    let mut groups: Vec<Vec<u32>> = vec![Vec::new(); view.observer.n_groups()];
    for (event, sight) in view.observer.sights().iter().enumerate() {
        if let Sight::Anonymous(group) = sight {
            groups[group.index()].push(event as u32);
        }
    }
    let moved = |pairs: &mut dyn Iterator<Item = (u32, u32)>| {
        let mut rho = identity.clone();
        pairs.for_each(|(event, image)| rho[event as usize] = image);
        rho
    };
    let rotations = groups.iter().flat_map(|group| (1..group.len()).map(move |shift| (group, shift)));
    let rotations = rotations.map(|(group, shift)| {
        let turned = group.iter().cycle().skip(shift);
        moved(&mut group.iter().copied().zip(turned.copied()))
    });
    let pairs = groups.iter().filter(|group| group.len() > 2).flat_map(|group| {
        let from = move |at: usize| group[at + 1..].iter().map(move |&other| (group[at], other));
        (0..group.len()).flat_map(from)
    });
    let transpositions = pairs.map(|(one, other)| moved(&mut [(one, other), (other, one)].into_iter()));
    let most = if view.projection == Projection::Weak { MOST_RHOS } else { 1 };
    std::iter::once(identity.clone()).chain(rotations).chain(transpositions).take(most).collect()
}
