//! The checker of certificates.

use super::{Certificate, Graph, Index, Pair};
use crate::automaton::view::{Projection, Sight, View};
use crate::model::Property;
use std::collections::{BTreeMap, BTreeSet};

/// What the certificate claims, in the form in which it is looked up.
struct Claims<'a> {
    graph: &'a Graph,
    estimates: Index<'a>,
    layers: Index<'a>,
    twins: BTreeMap<u32, Vec<&'a [u32]>>,
    simulations: BTreeSet<(u32, u32)>,
    /// Pairs in lockstep under the identity.
    lockstep: BTreeMap<u32, Vec<u32>>,
}

/// Checks a certificate that nothing is ever exposed (`initial`: from X0, with α = ε). The error says where it fails.
pub fn check(view: &View<'_>, property: &Property, initial: bool, certificate: &Certificate) -> Result<(), String> {
    let graph = Graph::new(view, property);
    well_formed(&graph, certificate)?;
    check_lockstep(&graph, certificate)?;
    if view.projection == Projection::Weak && repeats(&graph.group) {
        return check_weak_start(&graph, certificate);
    }
    let claims = Claims::new(&graph, certificate);
    claims.check_twins()?;
    claims.check_simulations()?;
    if initial {
        let start = graph.initial.clone();
        claims.check_jumps(&start, &start)?;
    } else {
        let start = graph.close(graph.initial.iter().copied());
        claims.check_estimates(&start, &certificate.estimates)?;
        if let Some(back) = &certificate.back {
            return check_back(&graph, &certificate.estimates, back);
        }
        for (lefts, set) in &certificate.estimates {
            claims.check_jumps(lefts, set)?;
        }
    }
    claims.check_layers(&certificate.layers)
}

/// Whether some group has two events, so that their order of arrival matters.
fn repeats(group: &[Sight]) -> bool {
    let hidden = |sight: &&Sight| matches!(sight, Sight::Anonymous(_));
    group.iter().enumerate().any(|(at, sight)| hidden(&sight) && group[..at].contains(sight))
}

/// Every number means a state, every list is sorted.
fn well_formed(graph: &Graph, certificate: &Certificate) -> Result<(), String> {
    let n = graph.seen.len() as u32;
    let sorted = |list: &[u32]| list.is_sorted_by(|one, other| one < other) && list.iter().all(|&state| state < n);
    let pairs = certificate.estimates.iter().chain(&certificate.layers).chain(certificate.back.iter().flatten());
    let twins = certificate.twins.iter().all(|(x, twins)| *x < n && twins.iter().all(|&state| state < n));
    let simulations = certificate.simulations.iter().all(|&(x, y)| x < n && y < n);
    let lockstep = certificate.lockstep.iter().all(|(_, pairs)| pairs.iter().all(|&(x, y)| x < n && y < n));
    let listed = pairs.clone().all(|(lefts, set)| sorted(lefts) && sorted(set));
    let fine = listed && twins && simulations && lockstep;
    if fine { Ok(()) } else { Err("a list is not sorted, or names a state that is none".to_owned()) }
}

/// The relations in lockstep: apart, and every event answered by its image.
fn check_lockstep(graph: &Graph, certificate: &Certificate) -> Result<(), String> {
    for (rho, pairs) in &certificate.lockstep {
        let image: BTreeSet<u32> = rho.iter().copied().collect();
        let groups = rho.len() == graph.group.len()
            && image.len() == rho.len()
            && rho.iter().zip(0u32..).all(|(&image, event)| alike(&graph.group, event, image));
        if !groups {
            return Err("a permutation of events leaves a group".to_owned());
        }
        let related: BTreeSet<(u32, u32)> = pairs.iter().copied().collect();
        for &(x, y) in pairs {
            let apart =
                graph.together == 1 && (!graph.jumps(x) || graph.classes[x as usize] != graph.classes[y as usize]);
            let answered = graph.events[x as usize].iter().all(|&(event, target)| {
                let answers = graph.events[y as usize].iter().filter(|step| step.0 == rho[event as usize]);
                answers.map(|step| step.1).any(|answer| related.contains(&(target, answer)))
            });
            if !apart || !answered {
                return Err(format!("states {x} and {y} are no twins in lockstep"));
            }
        }
    }
    Ok(())
}

/// Whether a permutation may take this event to that one.
fn alike(group: &[Sight], event: u32, image: u32) -> bool {
    event == image
        || matches!(
            (group.get(event as usize), group.get(image as usize)),
            (Some(Sight::Anonymous(one)), Some(Sight::Anonymous(other))) if one == other
        )
}

/// Under Pw: every state of UR(X0) has a twin in lockstep there.
fn check_weak_start(graph: &Graph, certificate: &Certificate) -> Result<(), String> {
    let start = graph.close(graph.initial.iter().copied());
    for x in &start {
        let twin = certificate
            .lockstep
            .iter()
            .any(|(_, pairs)| pairs.iter().any(|(left, y)| left == x && start.binary_search(y).is_ok()));
        if !twin {
            return Err(format!("state {x} has no twin at the start"));
        }
    }
    Ok(())
}

impl<'a> Claims<'a> {
    fn new(graph: &'a Graph, certificate: &'a Certificate) -> Claims<'a> {
        let mut twins: BTreeMap<u32, Vec<&[u32]>> = BTreeMap::new();
        for (left, rivals) in &certificate.twins {
            twins.entry(*left).or_default().push(rivals);
        }
        let mut lockstep: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (_, pairs) in certificate.lockstep.iter().filter(|(rho, _)| rho.iter().zip(0u32..).all(|(a, b)| *a == b)) {
            pairs.iter().for_each(|&(x, y)| lockstep.entry(x).or_default().push(y));
        }
        Claims {
            graph,
            estimates: Index::new(&certificate.estimates),
            layers: Index::new(&certificate.layers),
            twins,
            simulations: certificate.simulations.iter().copied().collect(),
            lockstep,
        }
    }

    /// Twins stay apart and answer every move.
    fn check_twins(&self) -> Result<(), String> {
        for (&left, all) in &self.twins {
            for rivals in all {
                if !self.apart(left, rivals) || !self.answers_all(left, rivals) {
                    return Err(format!("{rivals:?} are no twins of {left}"));
                }
            }
        }
        Ok(())
    }

    fn apart(&self, left: u32, rivals: &[u32]) -> bool {
        let with: Vec<u32> = rivals.iter().copied().chain([left]).collect();
        let full = rivals.len() >= self.graph.together;
        full && (!self.graph.jumps(left) || self.graph.n_classes(&with) == rivals.len() + 1)
    }

    fn answers_all(&self, left: u32, rivals: &[u32]) -> bool {
        let silent = self.graph.silent[left as usize].iter().map(|&target| (None, target));
        let seen = self.graph.seen[left as usize].iter().map(|&(label, target)| (Some(label), target));
        silent.chain(seen).all(|(label, target)| {
            let replies: Vec<Vec<u32>> = rivals.iter().map(|&rival| self.replies(rival, label)).collect();
            let known = self.twins.get(&target).map_or(&[][..], |all| all);
            known.iter().any(|next| {
                let each = next.len() == replies.len();
                each && next.iter().zip(&replies).all(|(state, reply)| reply.binary_search(state).is_ok())
            })
        })
    }

    /// What a rival can become while the run shows a label, or nothing.
    fn replies(&self, rival: u32, label: Option<u32>) -> Vec<u32> {
        let before = self.graph.close([rival]);
        label.map_or(before.clone(), |label| self.graph.post(&before, label))
    }

    fn check_simulations(&self) -> Result<(), String> {
        for &(left, rival) in &self.simulations {
            let silent = self.graph.silent[left as usize].iter().map(|&target| (None, target));
            let seen = self.graph.seen[left as usize].iter().map(|&(label, target)| (Some(label), target));
            let answered = silent.chain(seen).all(|(label, target)| {
                let replies = self.replies(rival, label);
                replies.iter().any(|&reply| reply == target || self.simulations.contains(&(target, reply)))
            });
            if !answered {
                return Err(format!("state {rival} does not simulate {left}"));
            }
        }
        Ok(())
    }

    fn has_twin(&self, left: u32, set: &[u32]) -> bool {
        let known = self.twins.get(&left).map_or(&[][..], |all| all);
        let steady = self.lockstep.get(&left).map_or(&[][..], |all| all);
        known.iter().any(|twins| twins.iter().all(|twin| set.binary_search(twin).is_ok()))
            || steady.iter().any(|twin| set.binary_search(twin).is_ok())
    }

    fn covers_estimate(&self, left: u32, set: &[u32]) -> bool {
        self.estimates.covers(left, set) || self.has_twin(left, set)
    }

    fn covers_rivals(&self, left: u32, set: &[u32]) -> bool {
        set.iter().any(|&rival| rival == left || self.simulations.contains(&(left, rival)))
            || self.layers.covers(left, set)
            || self.lockstep.get(&left).is_some_and(|all| all.iter().any(|twin| set.binary_search(twin).is_ok()))
    }

    /// The start is covered, and so is what moves lead to.
    fn check_estimates(&self, start: &[u32], pairs: &[Pair]) -> Result<(), String> {
        if let Some(left) = start.iter().find(|&&left| !self.covers_estimate(left, start)) {
            return Err(format!("the start of state {left} is not covered"));
        }
        self.check_moves(pairs, |left, set| self.covers_estimate(left, set))
    }

    fn check_layers(&self, pairs: &[Pair]) -> Result<(), String> {
        if pairs.iter().any(|(_, set)| set.is_empty()) {
            return Err("a set of rivals is empty".to_owned());
        }
        self.check_moves(pairs, |left, set| self.covers_rivals(left, set))
    }

    fn check_moves(&self, pairs: &[Pair], covers: impl Fn(u32, &[u32]) -> bool) -> Result<(), String> {
        for (lefts, set) in pairs {
            let mut posts: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for &left in lefts {
                let silent = self.graph.silent[left as usize].iter().all(|&target| covers(target, set));
                let seen = self.graph.seen[left as usize].iter().all(|&(label, target)| {
                    covers(target, posts.entry(label).or_insert_with(|| self.graph.post(set, label)))
                });
                if !silent || !seen {
                    return Err(format!("a move of state {left} leads to what is not covered"));
                }
            }
        }
        Ok(())
    }

    /// Every jump from a pair leads to rivals that are covered.
    fn check_jumps(&self, lefts: &[u32], set: &[u32]) -> Result<(), String> {
        for &left in lefts.iter().filter(|&&left| self.graph.jumps(left)) {
            for hidden in hidden_sets(self.graph, left, set) {
                let outside =
                    set.iter().copied().filter(|&state| !hidden.contains(&self.graph.classes[state as usize]));
                if !self.covers_rivals(left, &self.graph.close(outside)) {
                    return Err(format!("a jump of state {left} leads to what is not covered"));
                }
            }
        }
        Ok(())
    }
}

/// The largest exposed sets around a state, as classes of an estimate.
fn hidden_sets(graph: &Graph, left: u32, set: &[u32]) -> Vec<BTreeSet<u32>> {
    let own = graph.classes[left as usize];
    let others: BTreeSet<u32> = set.iter().map(|&state| graph.classes[state as usize]).filter(|&c| c != own).collect();
    let mut all = vec![BTreeSet::from([own])];
    for _ in 1..graph.together.min(others.len() + 1) {
        let longer: BTreeSet<BTreeSet<u32>> = all
            .iter()
            .flat_map(|some| {
                others.iter().filter(|class| !some.contains(class)).map(|&class| {
                    let mut more = some.clone();
                    more.insert(class);
                    more
                })
            })
            .collect();
        all = longer.into_iter().collect();
    }
    all
}

/// From behind: every set that can show some β is covered, and none meets an estimate in an exposed set.
fn check_back(graph: &Graph, estimates: &[Pair], back: &[Pair]) -> Result<(), String> {
    let turned = graph.turned_around();
    let index = Index::new(back);
    let all: Vec<u32> = (0..graph.seen.len() as u32).collect();
    if !all.iter().all(|&state| index.covers(state, &all)) {
        return Err("the set of all states is not covered".to_owned());
    }
    for (lefts, set) in back {
        let mut posts: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &left in lefts {
            let silent = turned.silent[left as usize].iter().all(|&before| index.covers(before, set));
            let seen = turned.seen[left as usize].iter().all(|&(label, before)| {
                index.covers(before, posts.entry(label).or_insert_with(|| turned.post(set, label)))
            });
            if !silent || !seen {
                return Err(format!("a move to state {left} comes from what is not covered"));
            }
        }
    }
    for (_, estimate) in estimates {
        for (_, set) in back {
            let both: Vec<u32> = estimate.iter().copied().filter(|state| set.binary_search(state).is_ok()).collect();
            if !both.is_empty() && graph.is_exposed(&both) {
                return Err(format!("the estimate {estimate:?} is exposed"));
            }
        }
    }
    Ok(())
}
