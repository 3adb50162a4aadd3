//! Bytes to UTF-16 units and back.

use desc::source::Span;

/// The UTF-16 position of every byte of a text.
pub struct Places {
    /// None: the text is ASCII, and the two are the same.
    units: Option<Vec<u32>>,
    len: usize,
}

impl Places {
    pub fn new(text: &str) -> Places {
        let units = (!text.is_ascii()).then(|| {
            let mut units = Vec::with_capacity(text.len() + 1);
            let mut at = 0;
            for character in text.chars() {
                units.extend(std::iter::repeat_n(at, character.len_utf8()));
                at += character.len_utf16() as u32;
            }
            units.push(at);
            units
        });
        Places { units, len: text.len() }
    }

    /// The units before a byte.
    pub fn unit(&self, byte: u32) -> usize {
        let byte = (byte as usize).min(self.len);
        self.units.as_ref().map_or(byte, |units| units[byte] as usize)
    }

    /// The first byte at or after a position.
    pub fn byte(&self, unit: usize) -> u32 {
        let byte = match &self.units {
            None => unit,
            Some(units) => units.partition_point(|&at| (at as usize) < unit),
        };
        byte.min(self.len) as u32
    }

    /// Both ends of a span.
    pub fn range(&self, span: Span) -> [usize; 2] {
        [self.unit(span.start), self.unit(span.end)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_utf_16_units() {
        let places = Places::new("aγ😀b");
        assert_eq!([0, 1, 3, 7, 8].map(|byte| places.unit(byte)), [0, 1, 2, 4, 5]);
        assert_eq!([0, 1, 2, 4, 5, 99].map(|unit| places.byte(unit)), [0, 1, 3, 7, 8, 8]);
        assert_eq!(Places::new("ab").byte(9), 2);
    }
}
