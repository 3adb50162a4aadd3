//! Which things hang together: disjoint sets, joined two at a time.

/// Numbers from 0 in parts, each known by its first member.
#[derive(Debug)]
pub(crate) struct Parts {
    /// A member of the same part that is no later; the first one's is itself.
    before: Vec<u32>,
}

impl Parts {
    /// So many things, each a part of its own.
    pub(crate) fn new(count: usize) -> Parts {
        Parts { before: (0..count as u32).collect() }
    }

    /// The first member of a part; the way to it is halved.
    pub(crate) fn first(&mut self, mut at: u32) -> u32 {
        while self.before[at as usize] != at {
            self.before[at as usize] = self.before[self.before[at as usize] as usize];
            at = self.before[at as usize];
        }
        at
    }

    /// Makes one part of two.
    pub(crate) fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.first(one), self.first(other));
        self.before[one.max(other) as usize] = one.min(other);
    }

    /// For each thing the first member of its part.
    pub(crate) fn firsts(mut self) -> Vec<u32> {
        for at in 0..self.before.len() {
            // INVARIANT: what comes before it names its first member by now.
            self.before[at] = self.before[self.before[at] as usize];
        }
        self.before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_hangs_together_under_its_first_member() {
        let mut parts = Parts::new(7);
        for (one, other) in [(5, 6), (3, 4), (4, 6), (1, 1), (2, 0)] {
            parts.join(one, other);
        }
        assert_eq!((0..7).map(|at| parts.first(at)).collect::<Vec<_>>(), [0, 1, 0, 3, 3, 3, 3]);
        assert_eq!(parts.firsts(), [0, 1, 0, 3, 3, 3, 3]);
    }
}
