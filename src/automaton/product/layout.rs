//! Tuples of local states, packed into machine words.

use super::Factor;

/// Where each factor stands in a packed tuple.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) fields: Vec<Field>,
    pub(super) stride: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    word: u32,
    shift: u32,
    mask: u64,
}

impl Field {
    pub(super) fn read(self, words: &[u64]) -> u32 {
        (words[self.word as usize] >> self.shift & self.mask) as u32
    }

    pub(super) fn write(self, words: &mut [u64], local: u32) {
        let word = &mut words[self.word as usize];
        *word = *word & !(self.mask << self.shift) | u64::from(local) << self.shift;
    }
}

impl Layout {
    /// A field for each factor; none crosses a word.
    pub(super) fn new(factors: &[Factor<'_>]) -> Layout {
        let (mut word, mut used) = (0, 0);
        let fields = factors.iter().map(|factor| {
            let last = factor.automaton.n_states().max(1) as u64 - 1;
            let bits = u64::BITS - last.leading_zeros();
            if used + bits > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            // A shift of 64 bits is no shift: a factor of one state needs no bits and may start anywhere.
            let shift = used.min(u64::BITS - 1);
            used += bits;
            Field { word, shift, mask: (1u64 << bits) - 1 }
        });
        let fields = fields.collect();
        Layout { fields, stride: word as usize + 1 }
    }
}
