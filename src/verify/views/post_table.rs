//! Post-images of small dense sets by table, four states at a time.
//!
//! For each group of four neighbouring states and each subset of it the table holds the union of their post-images, for all
//! labels side by side. The post-image of a set is then the union of one row for each group, instead of a walk over its
//! transitions. Cost: sixteen rows for each group, so only views with a few hundred states and few labels have a table.

use super::belief_system::LabelId;
use crate::verify::engine::tuning::Tuning;
use crate::verify::sets::vec_bytes;
use std::ops::Range;

/// States of a group.
const GROUP: usize = 4;
/// Subsets of a group.
const SUBSETS: usize = 1 << GROUP;

/// A table of post-images.
#[derive(Debug)]
pub(crate) struct PostTable {
    /// The labels, in order.
    labels: Vec<LabelId>,
    /// Words of a set.
    stride: usize,
    /// A row for each subset of each group: a set for each label.
    rows: Vec<u64>,
    /// The post-images of the last set.
    posts: Vec<u64>,
}

impl PostTable {
    /// A table, if it is worthwhile. `post` adds the members of the post-image of one state under a label.
    pub(crate) fn new(
        n_states: usize,
        n_moves: usize,
        labels: Vec<LabelId>,
        mut post: impl FnMut(u32, LabelId, &mut Vec<u32>),
    ) -> Option<PostTable> {
        let stride = n_states.div_ceil(64);
        let (width, groups) = (labels.len() * stride, n_states.div_ceil(GROUP));
        if width * groups > Tuning::POST_TABLE_WORDS_PER_MOVE * n_moves
            || width * groups * SUBSETS > Tuning::POST_TABLE_MAX_WORDS
        {
            return None;
        }
        let mut rows = vec![0; width * groups * SUBSETS];
        let mut members = Vec::new();
        for state in 0..n_states {
            let first = state / GROUP * SUBSETS;
            for (at, &label) in labels.iter().enumerate() {
                post(state as u32, label, &mut members);
                for subset in (0..SUBSETS).filter(|subset| subset >> (state % GROUP) & 1 == 1) {
                    let row = (first + subset) * width + at * stride;
                    members.iter().for_each(|&member| rows[row + member as usize / 64] |= 1 << (member % 64));
                }
                members.clear();
            }
        }
        Some(PostTable { labels, stride, rows, posts: vec![0; width] })
    }

    /// The post-images of a set under every label, in order, without the empty ones.
    pub(crate) fn posts(&mut self, set: &[u64]) -> impl Iterator<Item = (LabelId, &[u64])> {
        self.compute(set, 0..self.labels.len());
        let posts = self.labels.iter().zip(self.posts.chunks_exact(self.stride));
        posts.map(|(&label, post)| (label, post)).filter(|(_, post)| post.iter().any(|&word| word != 0))
    }

    /// The post-image of a set under one label.
    pub(crate) fn post(&mut self, set: &[u64], label: LabelId) -> &[u64] {
        let at = self.labels.binary_search(&label).map_or(0..0, |at| at..at + 1);
        let words = at.start * self.stride..(at.start + 1) * self.stride;
        self.compute(set, at);
        &self.posts[words]
    }

    /// Computes the post-images under some labels, in their places.
    fn compute(&mut self, set: &[u64], labels: Range<usize>) {
        let width = self.posts.len();
        let wanted = labels.start * self.stride..labels.end * self.stride;
        self.posts.fill(0);
        let posts = &mut self.posts[wanted.clone()];
        for (at, &word) in set.iter().enumerate() {
            let mut rest = word;
            let mut first = at * (64 / GROUP) * SUBSETS;
            while rest != 0 {
                let row = (first + (rest as usize & (SUBSETS - 1))) * width;
                let row = &self.rows[row + wanted.start..row + wanted.end];
                posts.iter_mut().zip(row).for_each(|(post, word)| *post |= word);
                rest >>= GROUP;
                first += SUBSETS;
            }
        }
    }

    /// Heap bytes.
    pub(crate) fn bytes(&self) -> u64 {
        vec_bytes(&self.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEXT: LabelId = LabelId(3);
    const BOTH: LabelId = LabelId(8);

    /// 70 states in two words: one label leads to the next state, the other from every third state to two others.
    fn post(state: u32, label: LabelId, into: &mut Vec<u32>) {
        match label {
            NEXT => into.push((state + 1) % 70),
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
    fn a_table_gives_the_union_of_the_post_images_of_the_members() {
        let mut table = PostTable::new(70, 1_000, vec![NEXT, BOTH], post).expect("a table");
        let set = words(&[0, 1, 5, 63, 64, 69]);
        let next = words(&[1, 2, 6, 64, 65, 0]);
        let others = words(&[0, 69, 63, 6]);
        assert_eq!(table.posts(&set).collect::<Vec<_>>(), [(NEXT, &next[..]), (BOTH, &others[..])]);
        assert_eq!(table.post(&set, BOTH), others);
        assert_eq!(table.post(&set, NEXT), next);
        assert_eq!(table.posts(&words(&[1, 2])).map(|(label, _)| label).collect::<Vec<_>>(), [NEXT]);
    }

    #[test]
    fn a_table_that_is_more_work_than_the_moves_is_not_built() {
        assert!(PostTable::new(70, 70, vec![NEXT, BOTH], post).is_some());
        assert!(PostTable::new(70, 35, vec![NEXT, BOTH], post).is_none());
    }
}
