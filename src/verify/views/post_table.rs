//! Images of small dense sets by table, four states at a time.
//!
//! For each four neighbouring states and each choice among them the table holds the union of their images, all labels beside each
//! other. The image of a set is then a few words for each four states, instead of a look at every transition.
//! Cost: sixteen rows for each four states, so only views of a few hundred states and few labels have a table.

use super::belief_system::Op;
use std::ops::Range;

/// States that are looked up together.
const AT_ONCE: usize = 4;
/// Combinations among them.
const CHOICES: usize = 1 << AT_ONCE;
/// A larger table is slower than what it is to replace.
const MOST_WORDS: usize = 1 << 17;

/// Images, by table.
#[derive(Debug)]
pub(crate) struct Images {
    /// The labels, in order.
    ops: Vec<Op>,
    /// Words of a set.
    stride: usize,
    /// A row for each choice of each four states: a set for each label.
    rows: Vec<u64>,
    /// The sets that are being made.
    made: Vec<u64>,
}

impl Images {
    /// A table, if it is worth while. `image` tells the members of the image of one state under a label.
    pub(crate) fn new(
        n_states: usize,
        n_moves: usize,
        ops: Vec<Op>,
        mut image: impl FnMut(u32, Op, &mut Vec<u32>),
    ) -> Option<Images> {
        let stride = n_states.div_ceil(64);
        let (width, places) = (ops.len() * stride, n_states.div_ceil(AT_ONCE));
        if width * places > 2 * n_moves || width * places * CHOICES > MOST_WORDS {
            return None;
        }
        let mut rows = vec![0; width * places * CHOICES];
        let mut members = Vec::new();
        for state in 0..n_states {
            let place = state / AT_ONCE * CHOICES;
            for (at, &op) in ops.iter().enumerate() {
                image(state as u32, op, &mut members);
                for choice in (0..CHOICES).filter(|choice| choice >> (state % AT_ONCE) & 1 == 1) {
                    let row = (place + choice) * width + at * stride;
                    members.iter().for_each(|&member| rows[row + member as usize / 64] |= 1 << (member % 64));
                }
                members.clear();
            }
        }
        Some(Images { ops, stride, rows, made: vec![0; width] })
    }

    /// The image of a set under every label; those that are not empty, in order.
    pub(crate) fn of(&mut self, set: &[u64]) -> impl Iterator<Item = (Op, &[u64])> {
        self.make(set, 0..self.ops.len());
        let images = self.ops.iter().zip(self.made.chunks_exact(self.stride));
        images.map(|(&op, image)| (op, image)).filter(|(_, image)| image.iter().any(|&word| word != 0))
    }

    /// The image of a set under one label.
    pub(crate) fn under(&mut self, set: &[u64], op: Op) -> &[u64] {
        let at = self.ops.binary_search(&op).map_or(0..0, |at| at..at + 1);
        let words = at.start * self.stride..(at.start + 1) * self.stride;
        self.make(set, at);
        &self.made[words]
    }

    /// Makes the images under some labels, in their places.
    fn make(&mut self, set: &[u64], ops: Range<usize>) {
        let width = self.made.len();
        let wanted = ops.start * self.stride..ops.end * self.stride;
        self.made.fill(0);
        let made = &mut self.made[wanted.clone()];
        for (at, &word) in set.iter().enumerate() {
            let mut rest = word;
            let mut place = at * (64 / AT_ONCE) * CHOICES;
            while rest != 0 {
                let row = (place + (rest as usize & (CHOICES - 1))) * width;
                let row = &self.rows[row + wanted.start..row + wanted.end];
                made.iter_mut().zip(row).for_each(|(made, word)| *made |= word);
                rest >>= AT_ONCE;
                place += CHOICES;
            }
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        8 * self.rows.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 70 states in two words: label 3 leads to the next state, label 8 from every third to two others.
    fn image(state: u32, op: Op, into: &mut Vec<u32>) {
        match op {
            3 => into.push((state + 1) % 70),
            _ if state.is_multiple_of(3) => into.extend([state, 69 - state]),
            _ => {}
        }
    }

    fn words(members: &[u32]) -> [u64; 2] {
        let mut words = [0; 2];
        members.iter().for_each(|&member| words[member as usize / 64] |= 1 << (member % 64));
        words
    }

    #[test]
    fn a_table_gives_the_union_of_the_images_of_the_members() {
        let mut images = Images::new(70, 1_000, vec![3, 8], image).expect("a table");
        let set = words(&[0, 1, 5, 63, 64, 69]);
        let next = words(&[1, 2, 6, 64, 65, 0]);
        let others = words(&[0, 69, 63, 6]);
        assert_eq!(images.of(&set).collect::<Vec<_>>(), [(3, &next[..]), (8, &others[..])]);
        assert_eq!(images.under(&set, 8), others);
        assert_eq!(images.under(&set, 3), next);
        assert_eq!(images.of(&words(&[1, 2])).map(|(op, _)| op).collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn a_table_that_is_more_work_than_the_moves_is_not_made() {
        assert!(Images::new(70, 70, vec![3, 8], image).is_some());
        assert!(Images::new(70, 35, vec![3, 8], image).is_none());
    }
}
