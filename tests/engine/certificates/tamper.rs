//! Ways of tampering with a proof.

use crate::support::dice::Dice;
use desc::verdict::certificate::{Certificate, Cover};

/// Changes that make a proof claim something that is not so: each must be refused.
pub fn false_claims(proof: &Certificate, n_states: u32) -> Vec<Certificate> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Certificate)| {
        let mut other = proof.clone();
        change(&mut other);
        if other != *proof {
            all.push(other);
        }
    };
    // A cover too few, a cover too many.
    add(&|other| {
        other.start.pop();
    });
    add(&|other| other.start.push(Cover::Identity));
    // What covers the start is not there.
    add(&|other| other.start.iter_mut().for_each(|cover| *cover = Cover::Pair(u32::MAX)));
    // A state without a block, and a block that is skipped.
    add(&|other| {
        other.blocks.as_mut().and_then(Vec::pop);
    });
    add(&|other| other.blocks.iter_mut().flatten().for_each(|block| *block += 1));
    for at in 0..proof.layers.len().min(4) {
        // A set of rivals that is empty.
        add(&|other| {
            other.layers[at].set = other.sets.len() as u32;
            other.sets.push(Vec::new());
        });
    }
    for at in 0..proof.twins.len().min(4) {
        // A twin that is the run itself, or a state that is none.
        if proof.hypotheses.is_empty() {
            add(&|other| other.twins[at].hypotheses[0] = n_states);
        }
        add(&|other| {
            other.twins[at].hypotheses.clear();
        });
    }
    for at in 0..proof.permutation_steps.len().min(4) {
        add(&|other| other.permutation_steps[at].hypothesis = n_states);
        add(&|other| other.permutation_steps[at].permutation = u32::MAX);
    }
    // Numbers that mean nothing.
    for at in 0..proof.sets.len().min(4) {
        add(&|other| other.sets[at].push(u32::MAX));
    }
    all
}

/// Small changes anywhere: some leave a proof, most do not.
pub fn tampered(proof: &Certificate, dice: &mut Dice) -> Vec<Certificate> {
    let mut all = Vec::new();
    for _ in 0..12 {
        let mut other = proof.clone();
        change(&mut other, dice);
        if other != *proof {
            all.push(other);
        }
    }
    all
}

fn change(proof: &mut Certificate, dice: &mut Dice) {
    let kind = dice.below(11);
    match kind {
        // A pair less.
        0 if !proof.estimates.is_empty() => {
            proof.estimates.remove(dice.below(proof.estimates.len()));
        }
        1 if !proof.layers.is_empty() => {
            proof.layers.remove(dice.below(proof.layers.len()));
        }
        // A set with a member more, or less.
        2 if !proof.sets.is_empty() => {
            let at = dice.below(proof.sets.len());
            let member = dice.below(12) as u32;
            if let Err(place) = proof.sets[at].binary_search(&member) {
                proof.sets[at].insert(place, member);
            }
        }
        3 if !proof.sets.is_empty() => {
            let at = dice.below(proof.sets.len());
            if !proof.sets[at].is_empty() {
                let member = dice.below(proof.sets[at].len());
                proof.sets[at].remove(member);
            }
        }
        // Another cover.
        4 | 5 => {
            let pairs = proof.estimates.iter_mut().chain(&mut proof.layers).map(|pair| &mut pair.covers);
            let positions = proof.twins.iter_mut().chain(&mut proof.simulations).map(|position| &mut position.covers);
            let mut covers: Vec<&mut Cover> = pairs.chain(positions).chain([&mut proof.start]).flatten().collect();
            if !covers.is_empty() {
                let at = dice.below(covers.len());
                let to = dice.below(4) as u32;
                let other = [Cover::Pair(to), Cover::Twins(to), Cover::Simulation(to), Cover::Identity, Cover::Safe];
                *covers[at] = other[dice.below(other.len())];
            }
        }
        // Another set, another left, of a pair.
        6 if !proof.layers.is_empty() => {
            let at = dice.below(proof.layers.len());
            proof.layers[at].set = dice.below(proof.sets.len()) as u32;
        }
        7 if !proof.layers.is_empty() => {
            let (one, two) = (dice.below(proof.layers.len()), dice.below(proof.layers.len()));
            proof.layers.swap(one, two);
        }
        // Another rival.
        8 if !proof.twins.is_empty() => {
            let at = dice.below(proof.twins.len());
            proof.twins[at].hypotheses[0] = dice.below(8) as u32;
        }
        // A state in another block.
        9 | 10 if let Some(cells) = &mut proof.cells => {
            let list = if kind == 9 { &mut cells.past } else { &mut cells.future };
            let (one, other) = (dice.below(list.len()), dice.below(list.len()));
            list[one] = list[other];
        }
        9 | 10 if let Some(blocks) = &mut proof.blocks => {
            let (one, other) = (dice.below(blocks.len()), dice.below(blocks.len()));
            blocks[one] = blocks[other];
        }
        _ if !proof.permutation_steps.is_empty() => {
            let at = dice.below(proof.permutation_steps.len());
            proof.permutation_steps[at].hypothesis = dice.below(8) as u32;
        }
        _ => {}
    }
}
