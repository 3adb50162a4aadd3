//! A guess at which states behave alike: hashes of what can be seen from each, a few steps deep.
//!
//! States with the same behaviour to that depth and the same multiplicities have the same hue. Hues only order guesses,
//! so collisions cost time and never correctness. Cost: |δ| for each step of depth.

/// One hash per state.
#[derive(Debug)]
pub(crate) struct Hues(Vec<u64>);

impl Hues {
    /// Looks this deep from every state.
    ///
    /// `visit` shows the moves of a state to a listener: label and target.
    pub(crate) fn new(n_states: usize, depth: usize, visit: impl Fn(u32, &mut dyn FnMut(u32, u32))) -> Hues {
        let mut hues = vec![1u64; n_states];
        for _ in 0..depth {
            let next = |state: u32| {
                let mut sum = 7u64;
                visit(state, &mut |label, target| {
                    sum = sum.wrapping_add(mix(hues[target as usize] ^ mix(u64::from(label) + 1)));
                });
                mix(sum)
            };
            hues = (0..n_states as u32).map(next).collect();
        }
        Hues(hues)
    }

    /// How deep it pays to look.
    pub(crate) fn depth(n_states: usize) -> usize {
        if n_states > 50_000 { 4 } else { 8 }
    }

    /// Whether two states look alike.
    pub(crate) fn alike(&self, one: u32, other: u32) -> bool {
        self.0[one as usize] == self.0[other as usize]
    }
}

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}
