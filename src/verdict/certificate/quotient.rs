//! From a model and a claimed partition to the model of its quotient, if the partition is a bisimulation.

use super::model::{CheckerModel, EPSILON};
use super::{Cells, Refused};
use crate::automaton::view::View;
use crate::model::Property;
use crate::resources::Monitor;
use std::collections::BTreeSet;

impl CheckerModel {
    /// The model of a view and a property, whose cells are settled and whose blocks take the place of states, as far as there are
    /// any. The error says why these are no cells, or no blocks.
    pub(crate) fn reduced(
        view: &View<'_>,
        property: &Property,
        (cells, blocks): (Option<&Cells>, Option<&[u32]>),
        initial: bool,
        monitor: &mut Monitor<'_>,
    ) -> Result<CheckerModel, Refused> {
        let mut model = CheckerModel::new(view, property, monitor)?;
        if let Some(cells) = cells {
            model = model.settled(cells, initial, monitor)?;
        }
        if let Some(blocks) = blocks {
            model = merge(&model, blocks, monitor)?;
        }
        // WHY only with cells: where they save nothing, most states are threatened.
        if cells.is_some() {
            model.find_threatened(monitor)?;
        }
        Ok(model)
    }
}

/// The states of each block, if blocks are numbered in the order of their first states.
pub(super) fn members_of(blocks: &[u32], n_states: usize) -> Result<Vec<Vec<u32>>, Refused> {
    let mut members: Vec<Vec<u32>> = Vec::new();
    if blocks.len() != n_states {
        return Err("not every state has a block".into());
    }
    for (state, &block) in (0u32..).zip(blocks) {
        if block as usize == members.len() {
            members.push(Vec::new());
        }
        members.get_mut(block as usize).ok_or("blocks are not numbered in order")?.push(state);
    }
    Ok(members)
}

/// The quotient, if the members of each block are of one class and can do the same.
fn merge(model: &CheckerModel, blocks: &[u32], monitor: &mut Monitor<'_>) -> Result<CheckerModel, Refused> {
    let members = members_of(blocks, model.n_states())?;
    let mut rows: Vec<Vec<(u32, u32)>> = Vec::with_capacity(members.len());
    for (block, members) in (0u32..).zip(&members) {
        if members.iter().any(|&state| model.exposable_class(state) != model.exposable_class(members[0])) {
            return Err(format!("block {block} is in two classes").into());
        }
        rows.push(common_moves(&|state| model.moves(state), blocks, (block, members), monitor)?);
    }
    let initial: BTreeSet<u32> = model.initial().iter().map(|&state| blocks[state as usize]).collect();
    let classes = members.iter().map(|members| model.class(members[0])).collect();
    Ok(model.with_states(initial.into_iter().collect(), rows, classes, monitor)?)
}

/// The moves of a block, if each member can do all of them after silent moves inside the block.
pub(super) fn common_moves<'m>(
    moves_from: &dyn Fn(u32) -> &'m [(u32, u32)],
    blocks: &[u32],
    (block, members): (u32, &[u32]),
    monitor: &mut Monitor<'_>,
) -> Result<Vec<(u32, u32)>, Refused> {
    let mut moves_of: Vec<BTreeSet<(u32, u32)>> = Vec::with_capacity(members.len());
    // For each member the members from which it is reached silently, by index.
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); members.len()];
    for (place, &state) in members.iter().enumerate() {
        let mut moves = BTreeSet::new();
        monitor.spend(1 + moves_from(state).len() as u64)?;
        for &(label, target) in moves_from(state) {
            let to = blocks[target as usize];
            match members.binary_search(&target) {
                Ok(inside) if label == EPSILON => before[inside].push(place),
                _ => {
                    moves.insert((label, to));
                }
            }
        }
        moves_of.push(moves);
    }
    let all: BTreeSet<(u32, u32)> = moves_of.iter().flatten().copied().collect();
    // Most members can do all of them directly; the others must reach a member that can.
    let direct = moves_of.iter().all(|moves| moves.len() == all.len());
    for &wanted in all.iter().filter(|_| !direct) {
        monitor.spend((members.len() + before.iter().map(Vec::len).sum::<usize>()) as u64)?;
        let mut able: Vec<bool> = moves_of.iter().map(|moves| moves.contains(&wanted)).collect();
        let mut worklist: Vec<usize> = (0..members.len()).filter(|&place| able[place]).collect();
        while let Some(place) = worklist.pop() {
            for &source in &before[place] {
                if !std::mem::replace(&mut able[source], true) {
                    worklist.push(source);
                }
            }
        }
        if able.contains(&false) {
            return Err(format!("the states of block {block} cannot do the same").into());
        }
    }
    Ok(all.into_iter().collect())
}
