//! Text with repairs, and the way back from its places to those of the file.
//!
//! A slip that has an obvious repair is repaired before it is parsed again, so that a misspelt `sttes A, B;` still declares
//! `A` and `B` and no later use of them is blamed. The tree of repaired text points into the file as it was written.

#![allow(dead_code)]

use std::ops::Range;

/// How an offset in a parsed text becomes an offset in the file.
#[derive(Clone, Copy)]
pub(super) enum Offsets<'a> {
    /// The text stands in the file as it is, from this offset on.
    Plus(u32),
    /// The text was repaired.
    Patched(&'a Patch<'a>),
}

impl Offsets<'_> {
    /// The place in the file of something that starts here.
    pub(super) fn original(self, offset: usize) -> u32 {
        match self {
            Offsets::Plus(base) => base + offset as u32,
            Offsets::Patched(patch) => patch.original(offset, |old| old.start),
        }
    }

    /// The place in the file of something that ends here.
    pub(super) fn original_end(self, offset: usize) -> u32 {
        match self {
            Offsets::Plus(base) => base + offset as u32,
            Offsets::Patched(patch) => patch.original(offset, |old| old.end),
        }
    }
}

/// A piece of a file with some stretches replaced.
#[derive(Clone, Debug)]
pub(super) struct Patch<'t> {
    base: u32,
    written: &'t str,
    /// In order, apart from each other; ranges of `written`.
    edits: Vec<(Range<usize>, String)>,
    text: String,
}

impl<'t> Patch<'t> {
    /// The piece `written`, which stands at `base` in its file, without repairs.
    pub(super) fn new(base: u32, written: &'t str) -> Patch<'t> {
        Patch { base, written, edits: Vec::new(), text: written.to_owned() }
    }

    /// The text with all repairs.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Makes one more repair; `range` is one of the repaired text. Nothing when it touches an earlier repair.
    pub(super) fn with(&self, range: Range<usize>, text: &str) -> Option<Patch<'t>> {
        let old = self.old(range.start)?..self.old(range.end)?;
        let at = self.edits.partition_point(|(earlier, _)| earlier.start < old.start);
        let before = at.checked_sub(1).map(|before| &self.edits[before].0);
        let clashes = |other: &Range<usize>| other.start < old.end && old.start < other.end || *other == old;
        if before.is_some_and(clashes) || self.edits.get(at).is_some_and(|(other, _)| clashes(other)) {
            return None;
        }
        let mut edits = self.edits.clone();
        edits.insert(at, (old, text.to_owned()));
        Some(Patch { base: self.base, written: self.written, text: apply(self.written, &edits), edits })
    }

    /// The place in the file; inside a replaced stretch, the end of it that `side` chooses.
    fn original(&self, offset: usize, side: fn(&Range<usize>) -> usize) -> u32 {
        self.base + self.walk(offset, side) as u32
    }

    /// The offset in `written`; nothing strictly inside a replaced stretch.
    fn old(&self, offset: usize) -> Option<usize> {
        let (low, high) = (self.walk(offset, |old| old.start), self.walk(offset, |old| old.end));
        let inside = self.edits.iter().any(|(old, _)| old.start <= low && high <= old.end && low < high);
        (!inside).then_some(low)
    }

    fn walk(&self, offset: usize, side: fn(&Range<usize>) -> usize) -> usize {
        let (mut old_at, mut new_at) = (0, 0);
        for (old, text) in &self.edits {
            let start = new_at + (old.start - old_at);
            if offset <= start {
                break;
            }
            let end = start + text.len();
            if offset < end {
                return side(old);
            }
            (old_at, new_at) = (old.end, end);
        }
        old_at + (offset - new_at)
    }
}

fn apply(written: &str, edits: &[(Range<usize>, String)]) -> String {
    let mut text = String::with_capacity(written.len() + 16);
    let mut at = 0;
    for (old, new) in edits {
        text.push_str(&written[at..old.start]);
        text.push_str(new);
        at = old.end;
    }
    text.push_str(&written[at..]);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_repaired_text_are_those_of_the_file() {
        let patch = Patch::new(100, "sttes = A B;").with(0..5, "states").unwrap();
        let patch = patch.with(7..8, "").unwrap();
        assert_eq!(patch.text(), "states  A B;");
        let patch = patch.with(9..9, ",").unwrap();
        assert_eq!(patch.text(), "states  A, B;");
        let offsets = Offsets::Patched(&patch);
        assert_eq!((offsets.original(0), offsets.original_end(6)), (100, 105));
        assert_eq!((offsets.original(8), offsets.original_end(9)), (108, 109));
        assert_eq!((offsets.original(11), offsets.original_end(12)), (110, 111));
        assert_eq!(offsets.original_end(13), 112);
    }
}
