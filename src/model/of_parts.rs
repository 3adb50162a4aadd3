//! What is asked of a composed system, by the states of its parts: sets of global states, given by where parts are.
//!
//! A global state is a tuple of local ones, so a set of them that a text can write is a combination of "this part is in one of
//! these states". Only the parts that are mentioned matter for it: [`PropertyOfParts::on`] works it out on the product of any
//! parts that include them.

use super::parts::Parts;
use super::{ClassId, Classes, Property};
use crate::automaton::{StateId, StateSet};
use crate::resources::{Monitor, Stop};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A set of global states.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PartSet {
    /// Some of these parts is in one of these states of its own.
    Somewhere(Vec<(usize, StateSet)>),
    /// Every state.
    Everywhere,
    /// In some of these sets.
    Union(Vec<PartSet>),
    /// In both.
    Intersection(Box<[PartSet; 2]>),
    /// In the first, and not in the second.
    Difference(Box<[PartSet; 2]>),
}

impl PartSet {
    /// Whether it holds a state whose parts are where `local` says.
    pub fn contains(&self, local: &impl Fn(usize) -> StateId) -> bool {
        match self {
            PartSet::Somewhere(places) => places.iter().any(|(part, states)| states.contains(local(*part))),
            PartSet::Everywhere => true,
            PartSet::Union(sets) => sets.iter().any(|set| set.contains(local)),
            PartSet::Intersection(both) => both.iter().all(|set| set.contains(local)),
            PartSet::Difference(both) => both[0].contains(local) && !both[1].contains(local),
        }
    }

    /// Adds the parts that it depends on.
    fn mention(&self, parts: &mut BTreeSet<usize>) {
        match self {
            PartSet::Somewhere(places) => parts.extend(places.iter().map(|(part, _)| *part)),
            PartSet::Everywhere => {}
            PartSet::Union(sets) => sets.iter().for_each(|set| set.mention(parts)),
            PartSet::Intersection(both) | PartSet::Difference(both) => {
                both.iter().for_each(|set| set.mention(parts));
            }
        }
    }

    /// How many places it names: what a look at one state costs.
    fn size(&self) -> u64 {
        match self {
            PartSet::Somewhere(places) => 1 + places.len() as u64,
            PartSet::Everywhere => 1,
            PartSet::Union(sets) => 1 + sets.iter().map(PartSet::size).sum::<u64>(),
            PartSet::Intersection(both) | PartSet::Difference(both) => 1 + both.iter().map(PartSet::size).sum::<u64>(),
        }
    }
}

/// A partition of the global states.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClassesOfParts {
    /// By where these parts are; with what they are called together.
    By(Vec<usize>, String),
    /// These sets, with their names, and all other states.
    Sets(Vec<(PartSet, String)>),
}

/// What must never be exposed, as [`Property`], by the states of parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum PropertyOfParts {
    Anonymity { among: u32, classes: Option<ClassesOfParts>, except: Option<PartSet> },
    Opacity { secret: PartSet },
    Throughout { secret: PartSet },
    InitialFinal { from: PartSet, to: PartSet },
}

impl PropertyOfParts {
    /// The parts that the exposed sets depend on, in order; none: every part by itself tells states apart.
    pub fn mentioned(&self) -> Vec<usize> {
        let mut parts = BTreeSet::new();
        self.sets().for_each(|set| set.mention(&mut parts));
        if let PropertyOfParts::Anonymity { classes: Some(ClassesOfParts::By(by, _)), .. } = self {
            parts.extend(by);
        }
        parts.into_iter().collect()
    }

    /// How many places its sets name.
    pub fn size(&self) -> u64 {
        1 + self.sets().map(PartSet::size).sum::<u64>()
    }

    fn sets(&self) -> impl Iterator<Item = &PartSet> {
        let (pair, classes) = match self {
            PropertyOfParts::Anonymity { classes: Some(ClassesOfParts::Sets(sets)), except, .. } => {
                ([except.as_ref(), None], &sets[..])
            }
            PropertyOfParts::Anonymity { except, .. } => ([except.as_ref(), None], &[][..]),
            PropertyOfParts::Opacity { secret } | PropertyOfParts::Throughout { secret } => {
                ([Some(secret), None], &[][..])
            }
            PropertyOfParts::InitialFinal { from, to } => ([Some(from), Some(to)], &[][..]),
        };
        pair.into_iter().flatten().chain(classes.iter().map(|(set, _)| set))
    }

    /// The property on the product of the parts `kept`, which is in order and has every part that is mentioned. None: written
    /// classes overlap there.
    ///
    /// # Errors
    /// When the resources end.
    pub fn on(
        &self,
        kept: &[usize],
        product: &dyn Parts,
        n_states: usize,
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<Property>, Stop> {
        let mut on = On { kept, product, n_states, monitor };
        Ok(match self {
            PropertyOfParts::Opacity { secret } => Some(Property::Opacity { secret: on.set(secret)? }),
            PropertyOfParts::Throughout { secret } => Some(Property::Throughout { secret: on.set(secret)? }),
            PropertyOfParts::InitialFinal { from, to } => {
                Some(Property::InitialFinal { from: on.set(from)?, to: on.set(to)? })
            }
            PropertyOfParts::Anonymity { among, classes, except } => {
                let except = except.as_ref().map(|set| on.set(set)).transpose()?;
                let classes = match classes {
                    None => None,
                    Some(ClassesOfParts::By(parts, subject)) => Some(on.classes_by(parts, subject)?),
                    Some(ClassesOfParts::Sets(sets)) => match on.classes_of(sets)? {
                        Some(classes) => Some(classes),
                        None => return Ok(None),
                    },
                };
                Some(Property::Anonymity { among: *among, classes, except })
            }
        })
    }
}

/// A product of some parts, on which sets are worked out.
struct On<'a, 'm> {
    kept: &'a [usize],
    product: &'a dyn Parts,
    n_states: usize,
    monitor: &'a mut Monitor<'m>,
}

impl On<'_, '_> {
    fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.n_states).map(StateId::from_index)
    }

    /// Where a part of the whole system is.
    fn local(&self, state: StateId, part: usize) -> StateId {
        let at = self.kept.binary_search(&part).unwrap_or_default();
        self.product.local(state, at)
    }

    fn set(&mut self, set: &PartSet) -> Result<StateSet, Stop> {
        self.monitor.spend(self.n_states as u64 * set.size())?;
        Ok(self.states().filter(|&state| set.contains(&|part| self.local(state, part))).collect())
    }

    fn classes_by(&mut self, parts: &[usize], subject: &str) -> Result<Classes, Stop> {
        let mut ids: FxHashMap<Vec<StateId>, ClassId> = FxHashMap::default();
        let (mut names, mut of) = (Vec::new(), Vec::with_capacity(self.n_states));
        for state in self.states() {
            self.monitor.spend(1 + parts.len() as u64)?;
            let tuple: Vec<StateId> = parts.iter().map(|&part| self.local(state, part)).collect();
            let next = ClassId::from_index(names.len());
            if !ids.contains_key(&tuple) {
                names.push(self.name(parts, &tuple));
                ids.insert(tuple.clone(), next);
            }
            of.push(ids[&tuple]);
        }
        Ok(Classes { of, names, subject: Some(subject.to_owned()) })
    }

    /// The name of a tuple: `(idle, held[2])`, or a single name.
    fn name(&self, parts: &[usize], tuple: &[StateId]) -> String {
        let at = |part: &usize| self.kept.binary_search(part).unwrap_or_default();
        let names: Vec<_> =
            parts.iter().zip(tuple).map(|(part, &local)| self.product.state_name(at(part), local)).collect();
        if names.len() == 1 { names.concat() } else { format!("({})", names.join(", ")) }
    }

    fn classes_of(&mut self, sets: &[(PartSet, String)]) -> Result<Option<Classes>, Stop> {
        let others = ClassId::from_index(sets.len());
        let mut of = Vec::with_capacity(self.n_states);
        let cost = 1 + sets.iter().map(|(set, _)| set.size()).sum::<u64>();
        for state in self.states() {
            self.monitor.spend(cost)?;
            let mut inside =
                sets.iter().enumerate().filter(|(_, (set, _))| set.contains(&|part| self.local(state, part)));
            of.push(inside.next().map_or(others, |(at, _)| ClassId::from_index(at)));
            if inside.next().is_some() {
                return Ok(None);
            }
        }
        let mut names: Vec<String> = sets.iter().map(|(_, name)| name.clone()).collect();
        if of.contains(&others) {
            names.push("the other states".to_owned());
        }
        Ok(Some(Classes { of, names, subject: None }))
    }
}
