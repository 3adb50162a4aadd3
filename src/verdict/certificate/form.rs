//! Checks the form of a certificate before what it says: every number refers to something, every list is sorted.

use super::checker::Checked;
use super::model::CheckerModel;
use super::{Certificate, Pair, Position};

/// How many things of each kind there are.
struct Counts {
    states: u32,
    actuals: u32,
    hypotheses: u32,
    sets: u32,
}

/// Checks that every number refers to something and every list is sorted.
pub(super) fn check_form(model: &CheckerModel, certificate: &Certificate) -> Checked {
    let history = model.has_history();
    let remembers = !certificate.actuals.is_empty() || !certificate.hypotheses.is_empty();
    if remembers && !history {
        return Err("nothing is anonymous in this view, so nothing has a history".into());
    }
    if history && certificate.backward.is_some() {
        return Err("a view with a history has no backward proof".into());
    }
    let counts = Counts {
        states: model.n_states() as u32,
        actuals: if history { certificate.actuals.len() } else { model.n_states() } as u32,
        hypotheses: if history { certificate.hypotheses.len() } else { model.n_states() } as u32,
        sets: certificate.sets.len() as u32,
    };
    counts.check_lists(certificate)?;
    counts.check_pairs(certificate)?;
    counts.check_positions(certificate)
}

impl Counts {
    fn check_lists(&self, certificate: &Certificate) -> Checked {
        let sorted = |list: &[u32]| list.is_sorted_by(|one, other| one < other);
        let below = |set: &[u32]| set.last().is_none_or(|&last| last < self.hypotheses);
        let fits = certificate.actuals.iter().all(|actual| actual.state < self.states && sorted(&actual.used))
            && certificate.hypotheses.iter().all(|one| one.state < self.states && sorted(&one.spent))
            && certificate.sets.iter().all(|set| sorted(set) && below(set));
        if fits { Ok(()) } else { Err("a list is not sorted, or a number refers to nothing".into()) }
    }

    fn check_pairs(&self, certificate: &Certificate) -> Checked {
        let horizon = certificate.horizon.unwrap_or(0);
        let refers = |pair: &Pair| pair.actual < self.actuals && pair.set < self.sets && pair.layer <= horizon;
        let back = certificate.backward.iter().flat_map(|(_, pairs)| pairs);
        let mut pairs = certificate.estimates.iter().chain(&certificate.layers).chain(back);
        if pairs.all(refers) { Ok(()) } else { Err("a pair refers to nothing".into()) }
    }

    fn check_positions(&self, certificate: &Certificate) -> Checked {
        let refers = |position: &Position| {
            position.actual < self.actuals && position.hypotheses.iter().all(|&one| one < self.hypotheses)
        };
        let mut positions = certificate.twins.iter().chain(&certificate.simulations);
        if positions.all(refers) { Ok(()) } else { Err("a position refers to nothing".into()) }
    }
}
