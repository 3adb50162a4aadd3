//! Blocks of states that stand for one: checked here, then everything else is checked of blocks.

use super::model::{Ground, SILENT};
use crate::automaton::view::View;
use crate::model::Property;
use std::collections::BTreeSet;

impl Ground {
    /// The tables of a view and a property, with blocks in place of states where there are any. The error says why these are no blocks.
    pub(crate) fn of_blocks(view: &View<'_>, property: &Property, blocks: Option<&[u32]>) -> Result<Ground, String> {
        let ground = Ground::new(view, property);
        match blocks {
            Some(blocks) => merge(&ground, blocks),
            None => Ok(ground),
        }
    }
}

/// The quotient, if the members of each block are of one class and can do the same.
fn merge(ground: &Ground, blocks: &[u32]) -> Result<Ground, String> {
    let mut members: Vec<Vec<u32>> = Vec::new();
    if blocks.len() != ground.n_states() {
        return Err("not every state has a block".to_owned());
    }
    for (state, &block) in (0u32..).zip(blocks) {
        if block as usize == members.len() {
            members.push(Vec::new());
        }
        members.get_mut(block as usize).ok_or("blocks are not numbered in order")?.push(state);
    }
    let mut rows: Vec<Vec<(u32, u32)>> = Vec::with_capacity(members.len());
    for (block, members) in (0u32..).zip(&members) {
        if members.iter().any(|&state| ground.class(state) != ground.class(members[0])) {
            return Err(format!("block {block} is in two classes"));
        }
        rows.push(common_moves(ground, blocks, block, members)?);
    }
    let initial: BTreeSet<u32> = ground.initial().iter().map(|&state| blocks[state as usize]).collect();
    let classes = members.iter().map(|members| ground.class(members[0])).collect();
    Ok(ground.replaced(initial.into_iter().collect(), rows, classes))
}

/// What a block can do, if each member can do all of it after silent moves inside the block.
fn common_moves(ground: &Ground, blocks: &[u32], block: u32, members: &[u32]) -> Result<Vec<(u32, u32)>, String> {
    let mut own: Vec<BTreeSet<(u32, u32)>> = Vec::with_capacity(members.len());
    // For each member the members from which it is reached silently, by their places.
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); members.len()];
    for (place, &state) in members.iter().enumerate() {
        let mut moves = BTreeSet::new();
        for &(letter, target) in ground.moves(state) {
            let to = blocks[target as usize];
            match members.binary_search(&target) {
                Ok(inside) if letter == SILENT => before[inside].push(place),
                _ => {
                    moves.insert((letter, to));
                }
            }
        }
        own.push(moves);
    }
    let all: BTreeSet<(u32, u32)> = own.iter().flatten().copied().collect();
    // Most members can do all at once; the others must reach what is missing.
    for &wanted in all.iter().filter(|_| own.iter().any(|moves| moves.len() < all.len())) {
        let mut able: Vec<bool> = own.iter().map(|moves| moves.contains(&wanted)).collect();
        let mut todo: Vec<usize> = (0..members.len()).filter(|&place| able[place]).collect();
        while let Some(place) = todo.pop() {
            for &source in &before[place] {
                if !std::mem::replace(&mut able[source], true) {
                    todo.push(source);
                }
            }
        }
        if able.contains(&false) {
            return Err(format!("the states of block {block} cannot do the same"));
        }
    }
    Ok(all.into_iter().collect())
}
