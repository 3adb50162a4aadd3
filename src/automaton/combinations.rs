//! The k-subsets of a list, generated one by one: there may be too many to store.

/// An iterator of k-subsets, in lexicographic order.
#[derive(Clone, Debug)]
pub(crate) struct Combinations {
    of: Vec<u32>,
    /// The indices of the next subset; none: that was the last.
    next: Option<Vec<usize>>,
}

impl Combinations {
    /// The subsets of `size` items, or of all if there are fewer.
    pub(crate) fn new(of: Vec<u32>, size: usize) -> Combinations {
        let next = Some((0..size.min(of.len())).collect());
        Combinations { of, next }
    }
}

impl Iterator for Combinations {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        let mut places = self.next.take()?;
        let choice = places.iter().map(|&place| self.of[place]).collect();
        let (size, last) = (places.len(), self.of.len());
        // The last index that can advance does, and those after it follow it.
        if let Some(at) = (0..size).rev().find(|&at| places[at] + (size - at) < last) {
            let from = places[at] + 1;
            (at..size).for_each(|later| places[later] = from + later - at);
            self.next = Some(places);
        }
        Some(choice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_all_the_subsets_of_a_size() {
        let all = |of: &[u32], size| Combinations::new(of.to_vec(), size).collect::<Vec<_>>();
        assert_eq!(all(&[1, 2, 3], 2), [vec![1, 2], vec![1, 3], vec![2, 3]]);
        assert_eq!(all(&[1, 2, 3], 1), [[1], [2], [3]]);
        assert_eq!(all(&[1, 2], 5), [[1, 2]]);
        let nothing = [Vec::<u32>::new()];
        assert_eq!(all(&[1, 2], 0), nothing);
        assert_eq!(all(&[], 3), nothing);
        assert_eq!(Combinations::new((0..10).collect(), 4).count(), 210);
    }

    #[test]
    fn more_combinations_than_fit_in_memory_are_generated_one_by_one() {
        assert_eq!(Combinations::new((0..60).collect(), 30).nth(1_000).map(|choice| choice.len()), Some(30));
    }
}
