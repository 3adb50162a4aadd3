//! Checks a proof by sides: every estimate as a set of pasts, every set that can show some β as a set of futures, and no two of them
//! exposed together.
//!
//! S(α) holds all states of a past or none, and a past leads to another by a label iff some of its states does, so estimates are
//! computed on pasts; so are the sets R(β) on futures, backward. E(α|αβ) are the states of the cells in both.

use super::checker::Checked;
use super::model::CheckerModel;
use super::{Cells, Certificate, Refused, Sides};
use crate::resources::Monitor;
use std::collections::{BTreeMap, BTreeSet};

/// Checks the sides of a certificate, whose cells are known to be cells of the model.
pub(super) fn check_sides(
    model: &CheckerModel,
    certificate: &Certificate,
    (cells, sides): (&Cells, &Sides),
    monitor: &mut Monitor<'_>,
) -> Checked {
    let alone = Certificate {
        horizon: certificate.horizon,
        once: certificate.once,
        cells: Some(cells.clone()),
        sides: Some(sides.clone()),
        ..Certificate::default()
    };
    if model.has_history() || *certificate != alone {
        return Err("sides stand alone, in a view without history and for every instant".into());
    }
    check_estimates(&blocks(model, &cells.past, false, monitor)?, sides, monitor)?;
    check_backward(&blocks(model, &cells.future, true, monitor)?, sides, certificate.horizon, monitor)?;
    check_pairs(model, cells, sides, monitor)
}

/// The moves between blocks, forward or reversed.
fn blocks(
    model: &CheckerModel,
    block: &[u32],
    is_reversed: bool,
    monitor: &mut Monitor<'_>,
) -> Result<CheckerModel, Refused> {
    let n = block.iter().max().map_or(0, |last| *last as usize + 1);
    monitor.hold((model.n_moves() * 2 * size_of::<(u32, u32)>() + n * size_of::<BTreeSet<u32>>()) as u64)?;
    let mut rows: Vec<BTreeSet<(u32, u32)>> = vec![BTreeSet::new(); n];
    for state in 0..model.n_states() as u32 {
        monitor.spend(1 + model.moves(state).len() as u64)?;
        for &(label, target) in model.moves(state) {
            let (from, to) = (block[state as usize], block[target as usize]);
            let (from, to) = if is_reversed { (to, from) } else { (from, to) };
            rows[from as usize].insert((label, to));
        }
    }
    let initial: BTreeSet<u32> = model.initial().iter().map(|&state| block[state as usize]).collect();
    let rows = rows.into_iter().map(|row| row.into_iter().collect()).collect();
    Ok(model.with_states(initial.into_iter().collect(), rows, vec![0; n], monitor)?)
}

/// The start is an estimate, and every label leads from an estimate to an estimate.
fn check_estimates(pasts: &CheckerModel, sides: &Sides, monitor: &mut Monitor<'_>) -> Checked {
    let known: BTreeSet<&[u32]> = sides.estimates.iter().map(Vec::as_slice).collect();
    if !known.contains(pasts.close(pasts.initial().iter().copied()).as_slice()) {
        return Err("the start is no estimate of the proof".into());
    }
    for set in &sides.estimates {
        for label in labels(pasts, set, monitor)? {
            if !known.contains(pasts.post(set, label).as_slice()) {
                return Err("an estimate leads to one that is not there".into());
            }
        }
    }
    Ok(())
}

/// The set of all futures is there, and every label leads back from a set to a set of the next layer at the latest.
fn check_backward(futures: &CheckerModel, sides: &Sides, horizon: Option<u64>, monitor: &mut Monitor<'_>) -> Checked {
    let mut known: BTreeMap<&[u32], u64> = BTreeMap::new();
    for (set, layer) in &sides.backward {
        let least = known.entry(set).or_insert(*layer);
        *least = (*layer).min(*least);
    }
    let all: Vec<u32> = (0..futures.n_states() as u32).collect();
    if known.get(all.as_slice()) != Some(&0) {
        return Err("the set of all futures is not there".into());
    }
    for (set, layer) in &sides.backward {
        let labels = labels(futures, set, monitor)?;
        if horizon.is_some_and(|horizon| *layer >= horizon) {
            continue;
        }
        for label in labels {
            let next = known.get(futures.post(set, label).as_slice());
            if next.is_none_or(|&next| horizon.is_some() && next > layer + 1) {
                return Err("a backward set leads to one that is not there".into());
            }
        }
    }
    Ok(())
}

/// The labels that some block of a set has, if its blocks are some; the error says that they are none.
fn labels(model: &CheckerModel, set: &[u32], monitor: &mut Monitor<'_>) -> Result<BTreeSet<u32>, Refused> {
    let n = model.n_states() as u32;
    if set.is_empty() || set.last().is_some_and(|&last| last >= n) || !set.is_sorted_by(|one, other| one < other) {
        return Err("a set is no set of blocks".into());
    }
    let mut labels = BTreeSet::new();
    for &block in set {
        monitor.spend(1 + 4 * model.moves(block).len() as u64)?;
        labels.extend(model.moves(block).iter().map(|step| step.0).filter(|&label| label != super::model::EPSILON));
    }
    Ok(labels)
}

/// The classes of a cell, if it lies in an exposed set.
type Classes = Option<Vec<u32>>;

/// No estimate and backward set are exposed together.
fn check_pairs(model: &CheckerModel, cells: &Cells, sides: &Sides, monitor: &mut Monitor<'_>) -> Checked {
    let of_past = classes_of_cells(model, cells, monitor)?;
    let n_futures = cells.future.iter().max().map_or(0, |last| *last as usize + 1);
    let mut is_there = vec![false; n_futures];
    for (set, _) in &sides.backward {
        set.iter().for_each(|&future| is_there[future as usize] = true);
        for estimate in &sides.estimates {
            let mut classes: BTreeSet<u32> = BTreeSet::new();
            let mut is_safe = false;
            'cells: for &past in estimate {
                monitor.spend(1 + of_past[past as usize].len() as u64)?;
                for (future, cell) in &of_past[past as usize] {
                    if is_there[*future as usize] {
                        classes.extend(cell.iter().flatten());
                        is_safe = cell.is_none() || classes.len() > model.max_classes();
                        if is_safe {
                            break 'cells;
                        }
                    }
                }
            }
            if !is_safe && !classes.is_empty() {
                return Err("an estimate is exposed by what can be shown after it".into());
            }
        }
        set.iter().for_each(|&future| is_there[future as usize] = false);
    }
    Ok(())
}

/// For each past its cells: their future, and their classes.
fn classes_of_cells(
    model: &CheckerModel,
    cells: &Cells,
    monitor: &mut Monitor<'_>,
) -> Result<Vec<Vec<(u32, Classes)>>, Refused> {
    monitor.spend(4 * model.n_states() as u64)?;
    monitor.hold((model.n_states() * (size_of::<(u32, Classes)>() + size_of::<u32>())) as u64)?;
    let key = |state: u32| (cells.past[state as usize], cells.future[state as usize]);
    let mut states: Vec<u32> = (0..model.n_states() as u32).collect();
    states.sort_by_key(|&state| key(state));
    let n_pasts = cells.past.iter().max().map_or(0, |last| *last as usize + 1);
    let mut of_past: Vec<Vec<(u32, Classes)>> = vec![Vec::new(); n_pasts];
    for members in states.chunk_by(|&one, &other| key(one) == key(other)) {
        let (past, future) = key(members[0]);
        let classes: BTreeSet<u32> = members.iter().map(|&state| model.class(state)).collect();
        let exposed = model.is_exposed(members.iter().copied());
        of_past[past as usize].push((future, exposed.then(|| classes.into_iter().collect())));
    }
    Ok(of_past)
}
