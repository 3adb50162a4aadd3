//! Union-find: disjoint sets of numbers, joined two at a time.

/// Disjoint sets of the numbers below a bound. The representative of a set is its least member.
#[derive(Debug)]
pub(crate) struct UnionFind {
    /// A member of the same set that is no greater; itself for a representative.
    parents: Vec<u32>,
}

impl UnionFind {
    /// One set for each number.
    pub(crate) fn new(count: usize) -> UnionFind {
        UnionFind { parents: (0..count as u32).collect() }
    }

    /// The representative of a number's set. Halves the path to it.
    pub(crate) fn find(&mut self, mut at: u32) -> u32 {
        while self.parents[at as usize] != at {
            self.parents[at as usize] = self.parents[self.parents[at as usize] as usize];
            at = self.parents[at as usize];
        }
        at
    }

    /// Joins the sets of two numbers.
    pub(crate) fn union(&mut self, one: u32, other: u32) {
        let (one, other) = (self.find(one), self.find(other));
        self.parents[one.max(other) as usize] = one.min(other);
    }

    /// The representative of each number.
    pub(crate) fn representatives(mut self) -> Vec<u32> {
        for at in 0..self.parents.len() {
            // INVARIANT: the parents of smaller numbers are representatives by now.
            self.parents[at] = self.parents[self.parents[at] as usize];
        }
        self.parents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_numbers_have_the_least_of_them_as_representative() {
        let mut sets = UnionFind::new(7);
        for (one, other) in [(5, 6), (3, 4), (4, 6), (1, 1), (2, 0)] {
            sets.union(one, other);
        }
        assert_eq!((0..7).map(|at| sets.find(at)).collect::<Vec<_>>(), [0, 1, 0, 3, 3, 3, 3]);
        assert_eq!(sets.representatives(), [0, 1, 0, 3, 3, 3, 3]);
    }
}
