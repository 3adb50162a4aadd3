//! Suggestions: the declared name that is most similar to an unknown one.
//!
//! The allowed edit distance grows with the length of the name; names of one or two characters match only in another case.

use crate::diagnostic::near::distance;

/// The maximal number of compared characters in one run: suggestions must not cost more than the check.
const EFFORT: usize = 50_000_000;

const LONGEST: usize = 64;

/// Finds suggestions within a total effort.
#[derive(Debug)]
pub(in crate::check) struct Near {
    left: usize,
}

impl Default for Near {
    fn default() -> Near {
        Near { left: EFFORT }
    }
}

impl Near {
    /// The most similar candidate, if one is similar enough; the first of several.
    pub fn nearest<S: AsRef<str>>(&mut self, name: &str, candidates: impl Iterator<Item = S>) -> Option<String> {
        let wanted: Vec<char> = name.chars().take(LONGEST + 1).collect();
        let reach = reach(&wanted)?;
        let mut best: Option<(usize, String)> = None;
        for candidate in candidates {
            let candidate = candidate.as_ref();
            let cost = wanted.len() * candidate.len().min(LONGEST);
            if cost > self.left {
                break;
            }
            self.left -= if candidate.len().abs_diff(name.len()) > reach * 4 { 1 } else { cost };
            let allowed = best.as_ref().map_or(reach, |(distance, _)| distance.saturating_sub(1));
            if let Some(distance) = within(name, wanted.len(), candidate, allowed) {
                best = Some((distance, candidate.to_owned()));
            }
            if matches!(best, Some((0, _))) {
                break;
            }
        }
        best.map(|(_, candidate)| candidate)
    }
}

/// The most similar of a few fixed candidates.
pub(in crate::check) fn nearest<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let found = Near::default().nearest(name, candidates.iter())?;
    candidates.iter().copied().find(|candidate| *candidate == found)
}

/// The allowed distance; `None`: the name is not compared.
fn reach(name: &[char]) -> Option<usize> {
    if name.is_empty() || name.len() > LONGEST || name.iter().all(char::is_ascii_digit) {
        return None;
    }
    Some(match name.len() {
        1..=2 => 0,
        3..=5 => 1,
        6..=9 => 2,
        _ => 3,
    })
}

/// The distance, if it is at most `allowed`.
fn within(name: &str, length: usize, candidate: &str, allowed: usize) -> Option<usize> {
    if candidate.chars().take(LONGEST + 4).count().abs_diff(length) > allowed {
        return None;
    }
    Some(distance(name, candidate)).filter(|&distance| distance <= allowed)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_within_reach_is_found() {
        assert_eq!(nearest("wating", &["idle", "waiting", "hating"]), Some("waiting"));
        assert_eq!(nearest("Idel", &["idle", "other"]), Some("idle"));
        assert_eq!(nearest("m", &["M", "n"]), Some("M"));
        assert_eq!(nearest("a", &["b", "ab"]), None);
        assert_eq!(nearest("12", &["13"]), None);
        assert_eq!(nearest("observer", &["observable"]), None);
    }
}
