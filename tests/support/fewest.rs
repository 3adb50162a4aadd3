//! The fewest observations that expose, by brute force: every estimate and, for each of its instants, where each of its members may be
//! now, label by label.

use super::oracle::{Augmented, Bits, augment, exposes, members, put, shown};
use super::random::Case;
use desc::automaton::StateId;
use desc::automaton::view::Symbol;
use desc::verdict::Witness;
use std::collections::BTreeSet;

/// The members of an estimate, and where each may be now.
type Members = Vec<(StateId, Bits)>;

/// |αβ| and |β|.
pub type Lengths = (u64, u64);

/// The least |αβ| of an exposure with |β| up to a horizon and |αβ| up to `most`, with the least |β| of several; `Err`: too large.
pub fn fewest(case: &Case, horizon: u64, most: u64, limit: usize) -> Result<Option<Lengths>, ()> {
    let case = &case.derived();
    let augmented = augment(&case.view(), limit).ok_or(())?;
    let mut estimates: BTreeSet<Bits> = [augmented.close(augmented.start())].into();
    let mut followed: BTreeSet<(u64, Members)> = BTreeSet::new();
    for total in 0..=most {
        followed.extend(estimates.iter().map(|estimate| (0, instant(&augmented, estimate))));
        let is_exposed =
            |members: &Members| exposes(&case.property, &members.iter().map(|(origin, _)| *origin).collect());
        // In the order of |β|.
        if let Some((beta, _)) = followed.iter().find(|(_, members)| is_exposed(members)) {
            return Ok(Some((total, *beta)));
        }
        let signs = || 0..augmented.signs.len() as u32;
        estimates = estimates.iter().flat_map(|estimate| signs().map(|sign| augmented.post(estimate, sign))).collect();
        estimates.retain(|estimate| members(estimate).next().is_some());
        let open = followed.iter().filter(|(beta, _)| *beta < horizon);
        let after = |members: &Members, sign| {
            let moved = members.iter().map(|(origin, now)| (*origin, augmented.post(now, sign)));
            moved.filter(|(_, now)| self::members(now).next().is_some()).collect::<Members>()
        };
        followed = open.flat_map(|(beta, members)| signs().map(move |sign| (beta + 1, after(members, sign)))).collect();
        followed.retain(|(_, members)| !members.is_empty());
        if followed.len() + estimates.len() > limit {
            return Err(());
        }
    }
    Ok(None)
}

/// Each state of an estimate with the ways to be in it, closed under silent moves.
pub(super) fn instant(augmented: &Augmented, estimate: &Bits) -> Members {
    let mut found: Members = Vec::new();
    for state in members(estimate) {
        let origin = augmented.origin[state as usize];
        let at = found.iter().position(|(known, _)| *known == origin).unwrap_or_else(|| {
            found.push((origin, augmented.empty()));
            found.len() - 1
        });
        put(&mut found[at].1, state);
    }
    found.into_iter().map(|(origin, set)| (origin, augmented.close(set))).collect()
}

/// Whether a witness is an exposure, by the definition: the states of the instant that the rest of the observation leaves.
pub fn is_exposure(case: &Case, witness: &Witness, limit: usize) -> Option<bool> {
    let case = &case.derived();
    let augmented = augment(&case.view(), limit)?;
    let number = |sign: &Symbol| augmented.signs.get(sign).copied();
    // WHY not the observation: the numbers of named agents are given in another order here.
    let view = case.view();
    let mut arrived = vec![Vec::new(); view.observer.n_groups() + 1];
    let signs: Vec<Symbol> = witness.run.events.iter().filter_map(|&event| shown(&view, event, &mut arrived)).collect();
    if signs.len() != witness.observation.len() {
        return Some(false);
    }
    let (alpha, beta) = signs.split_at(witness.at);
    let mut estimate = augmented.close(augmented.start());
    for sign in alpha {
        estimate = augmented.post(&estimate, number(sign)?);
    }
    let mut members = instant(&augmented, &estimate);
    for sign in beta {
        let sign = number(sign)?;
        members = members.into_iter().map(|(origin, now)| (origin, augmented.post(&now, sign))).collect();
        members.retain(|(_, now)| self::members(now).next().is_some());
    }
    Some(exposes(&case.property, &members.iter().map(|(origin, _)| *origin).collect()))
}
