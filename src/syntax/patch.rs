//! Corrected text, and the map from its offsets to those of the file.
//!
//! A statement is corrected before it is parsed again, so that a misspelt `sttes A, B;` still declares
//! `A` and `B` and no later use of them is reported. The spans of the tree refer to the original file.

use std::ops::Range;

/// The map from offsets in a parsed text to offsets in the file.
#[derive(Clone, Copy)]
pub(super) enum Offsets<'a> {
    /// The text is unchanged and starts at this offset of the file.
    Plus(u32),
    /// The text was corrected.
    Patched(&'a Patch<'a>),
}

impl Offsets<'_> {
    /// The offset in the file of a token that starts here.
    pub(super) fn original(self, offset: usize) -> u32 {
        match self {
            Offsets::Plus(base) => base + offset as u32,
            Offsets::Patched(patch) => patch.base + patch.walk(offset, true) as u32,
        }
    }

    /// The offset in the file of a token that ends here.
    pub(super) fn original_end(self, offset: usize) -> u32 {
        match self {
            Offsets::Plus(base) => base + offset as u32,
            Offsets::Patched(patch) => patch.base + patch.walk(offset, false) as u32,
        }
    }
}

/// A piece of a file with replaced ranges.
#[derive(Clone, Debug)]
pub(super) struct Patch<'t> {
    base: u32,
    written: &'t str,
    /// Sorted and disjoint ranges of `written`.
    edits: Vec<(Range<usize>, String)>,
    text: String,
}

impl<'t> Patch<'t> {
    /// The piece `written` at the offset `base` of its file, without corrections.
    pub(super) fn new(base: u32, written: &'t str) -> Patch<'t> {
        Patch { base, written, edits: Vec::new(), text: written.to_owned() }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Adds a correction; `range` refers to the corrected text. `None` if it touches an earlier correction or is no piece of the text.
    pub(super) fn with(&self, range: Range<usize>, text: &str) -> Option<Patch<'t>> {
        let end = self.old(range.end, false)?;
        let old = if range.is_empty() { end..end } else { self.old(range.start, true)?..end };
        let clashes = |other: &Range<usize>| other.start < old.end && old.start < other.end || *other == old;
        if self.written.get(old.clone()).is_none() || self.edits.iter().any(|(other, _)| clashes(other)) {
            return None;
        }
        let at = self.edits.partition_point(|(earlier, _)| (earlier.start, earlier.end) < (old.start, old.end));
        let mut edits = self.edits.clone();
        edits.insert(at, (old, text.to_owned()));
        Some(Patch { base: self.base, written: self.written, text: apply(self.written, &edits), edits })
    }

    /// The piece truncated at an offset of the corrected text.
    pub(super) fn truncated(&self, at: usize) -> Patch<'t> {
        let old = self.walk(at, false);
        let mut edits: Vec<_> = self.edits.iter().filter(|(earlier, _)| earlier.end <= old).cloned().collect();
        edits.push((old..self.written.len(), String::new()));
        Patch { base: self.base, written: self.written, text: apply(self.written, &edits), edits }
    }

    /// The piece with all text removed.
    pub(super) fn emptied(&self) -> Patch<'t> {
        let all = (0..self.written.len(), String::new());
        Patch { base: self.base, written: self.written, edits: vec![all], text: String::new() }
    }

    /// The offset in `written`; `None` strictly inside a replaced range.
    fn old(&self, offset: usize, starts: bool) -> Option<usize> {
        let inside = self.walk(offset, true) < self.walk(offset, false);
        (!inside).then(|| self.walk(offset, starts))
    }

    /// The offset in `written` of a token that starts (or ends) here. Inside a replaced range it is that end of the range; where
    /// text was removed, a start is after it and an end before it.
    fn walk(&self, offset: usize, starts: bool) -> usize {
        let (mut old_at, mut new_at) = (0, 0);
        for (old, text) in &self.edits {
            let start = new_at + (old.start - old_at);
            let end = start + text.len();
            if offset < start || offset == start && !(starts && text.is_empty()) {
                break;
            }
            if offset < end {
                return if starts { old.start } else { old.end };
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
    fn a_correction_of_what_is_no_piece_of_the_text_is_refused() {
        let patch = Patch::new(0, "A → B;").with(0..1, "").unwrap();
        assert!([2..3, 1..3, 7..9, 8..8].into_iter().all(|range| patch.with(range, "x").is_none()));
        assert!(patch.with(1..4, "-").is_some());
    }

    #[test]
    fn places_of_corrected_text_are_those_of_the_file() {
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
