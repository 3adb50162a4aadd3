//! Twins in lockstep: under a fixed permutation of the anonymous events.
//!
//! Definition. Let ρ permute each group of anonymous events. State y is a ρ-twin of x when y answers each event a of x with ρ(a),
//! every other event with itself, stays apart from x, and leads to a ρ-twin again. A rival (y, π, F) of a left (x, U) never dies if π is ρ on U and F holds nothing that ρ will still ask for.
//!
//! Method. The [`Game`] on states, one for each ρ out of a short list: identity, rotations of a group, transpositions. The
//! positions do not mention what was used, so there are at most |X|² of them for each ρ, whatever |Γ| is. Where labels are
//! fixed, lockstep (ρ the identity) is tried first: it leaves no choice between events that look alike.

use super::game::{Arena, Game, Rule};
use crate::automaton::view::{Observer, Projection, Sight, View};
use crate::verify::certificate::Lockstep;
use crate::verify::exposed_sets::Exposed;
use crate::verify::sets::Sparse;
use crate::verify::views::belief_system::{Frame, Rival};
use crate::verify::views::static_view::Fixed;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

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

/// The run, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'a> {
    /// Its state.
    pub(crate) state: u32,
    /// The events of its domain.
    pub(crate) used: &'a [u32],
    /// The events that it may still do for the first time.
    pub(crate) ahead: &'a [u32],
}

impl Run<'_> {
    /// Whether a rival has used ρ(a) for each a of the run, and nothing that ρ will still ask for.
    fn agrees(self, rival: Standing<'_>, rho: &[u32]) -> bool {
        self.used.iter().zip(rival.images).all(|(&event, &image)| rho[event as usize] == image)
            && !self.ahead.iter().any(|&event| rival.spent.contains(&rho[event as usize]))
    }
}

/// The games, one for each permutation.
#[derive(Debug)]
pub(crate) struct Steady {
    plain: Fixed<Sparse>,
    tables: Vec<Table>,
    /// The tables in which a pair of states is known to go on for ever.
    good: FxHashMap<(Rule, u32, u32), SmallVec<[u32; 4]>>,
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
            unsettled: 0,
        });
        let plain = Fixed::new(&natural, u32::MAX);
        Steady { bytes: plain.bytes(), plain, tables: tables.collect(), good: FxHashMap::default(), work: 0 }
    }

    /// The twins that are known: for each permutation the pairs (x, y).
    pub(crate) fn relation(&self, rule: Rule) -> Vec<Lockstep> {
        let tables = self.tables.iter().map(|table| {
            let game = if rule == Rule::Apart { &table.apart } else { &table.anywhere };
            (table.rho.clone(), game.good().map(|(left, rivals)| (left, rivals[0])).collect::<Vec<_>>())
        });
        tables.filter(|(_, pairs)| !pairs.is_empty()).collect()
    }

    /// Whether one of the rivals never dies, for some ρ. They are tried in order, beginning with the number `from`; an error names the
    /// one at which `most` work was done. Before that, all are looked up among those that are known.
    pub(crate) fn any_lasts<'r>(
        &mut self,
        (rule, exposed): (Rule, &Exposed),
        run: Run<'_>,
        rivals: impl Iterator<Item = (Rival, Standing<'r>)> + Clone,
        from: Rival,
        most: u64,
    ) -> Result<bool, Rival> {
        if from == 0 && rivals.clone().any(|(_, rival)| self.is_known(rule, run, rival)) {
            return Ok(true);
        }
        for (number, rival) in rivals.skip_while(|&(number, _)| number < from) {
            if self.lasts(rule, exposed, run, rival, most) {
                return Ok(true);
            }
            if self.work >= most {
                return Err(number);
            }
        }
        Ok(false)
    }

    /// Whether a rival is known never to die.
    fn is_known(&self, rule: Rule, run: Run<'_>, rival: Standing<'_>) -> bool {
        let tables = self.good.get(&(rule, run.state, rival.state));
        tables.into_iter().flatten().any(|&table| run.agrees(rival, &self.tables[table as usize].rho))
    }

    /// Whether a rival never dies, for some ρ.
    fn lasts(&mut self, rule: Rule, exposed: &Exposed, run: Run<'_>, rival: Standing<'_>, most: u64) -> bool {
        for (number, table) in (0u32..).zip(&mut self.tables) {
            self.work += 1;
            if !run.agrees(rival, &table.rho) || self.work >= most {
                continue;
            }
            let before = table.cost();
            let held = table.ask(&mut self.plain, rule, exposed, (run.state, rival.state), most - self.work);
            let after = table.cost();
            self.bytes += after.1 - before.1;
            self.work += after.0 - before.0;
            table.unsettled += after.0 - before.0;
            if held.is_none() {
                continue;
            }
            let spent = std::mem::take(&mut table.unsettled);
            for (left, rivals) in table.game(rule).take_news() {
                self.good.entry((rule, left, rivals[0])).or_default().push(number);
                self.bytes += 48;
            }
            if held == Some(true) {
                // WHY: what finds a twin is worth its work, also that of the slices before.
                self.work -= spent;
                return true;
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

    fn game(&mut self, rule: Rule) -> &mut Game {
        match rule {
            Rule::Apart => &mut self.apart,
            Rule::Anywhere => &mut self.anywhere,
        }
    }

    /// Whether a pair of states goes on for ever; none when `most` work does not suffice to tell.
    fn ask(
        &mut self,
        plain: &mut Fixed<Sparse>,
        rule: Rule,
        exposed: &Exposed,
        (state, rival): (u32, u32),
        most: u64,
    ) -> Option<bool> {
        let mut under = Under { plain, rho: &self.rho };
        let game = if rule == Rule::Apart { &mut self.apart } else { &mut self.anywhere };
        let most = game.work.saturating_add(most);
        game.ask(&mut under, exposed, state, &[rival], most)
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
