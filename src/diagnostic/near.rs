//! How far two words are apart: what every "did you mean" rests on.

/// How many characters must be inserted, removed, replaced or swapped with their neighbour (optimal string alignment); another case
/// costs nothing. Cost: the product of the lengths.
pub fn distance(left: &str, right: &str) -> usize {
    let folded = |word: &str| word.chars().flat_map(char::to_lowercase).collect::<Vec<char>>();
    let (left, right) = (folded(left), folded(right));
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (i, &a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &b) in right.iter().enumerate() {
            let replaced = above[j] + usize::from(a != b);
            let mut least = replaced.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a == right[j - 1] && left[i - 1] == b {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or(0)
}

/// The known word that is nearest, if it is a slip away: a third of the letters, or one.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = (word.chars().count() / 3).max(1);
    let near = known.map(|other| (distance(word, other), other));
    near.filter(|(far, _)| *far <= most).min_by_key(|(far, _)| *far).map(|(_, other)| other)
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn a_swap_is_one_step_and_another_case_is_none() {
        assert_eq!(distance("anonymosu", "anonymous"), 1);
        assert_eq!(distance("Idle", "idle"), 0);
        assert_eq!(distance("wating", "waiting"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("observer", "observable"), 4);
    }

    #[test]
    fn a_slip_is_recognised_and_a_different_word_is_not() {
        assert_eq!(nearest("Questionning", ["Ballot", "Questioning"].into_iter()), Some("Questioning"));
        assert_eq!(nearest("E021", ["E0201", "E0999"].into_iter()), Some("E0201"));
        assert_eq!(nearest("Network", ["Ballot"].into_iter()), None);
    }
}
