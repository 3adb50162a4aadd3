//! Dense 32-bit ids as newtypes: ids of different kinds cannot be confused, and cost nothing at run time.

use std::fmt::Debug;
use std::hash::Hash;

/// A number from 0 that identifies a value of one kind.
pub(crate) trait Id: Copy + Ord + Hash + Debug + 'static {
    /// The id with this number.
    fn new(number: u32) -> Self;

    /// The id with this index.
    fn from_index(index: usize) -> Self {
        Self::new(index as u32)
    }

    /// Its number.
    fn number(self) -> u32;

    /// Its number as an index into a side table.
    fn index(self) -> usize {
        self.number() as usize
    }
}

/// Declares id types.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name(pub(crate) u32);

        impl $crate::verify::sets::Id for $name {
            fn new(number: u32) -> $name {
                $name(number)
            }

            fn number(self) -> u32 {
                self.0
            }
        }
    )*};
}
pub(crate) use ids;

impl Id for u32 {
    fn new(number: u32) -> u32 {
        number
    }

    fn number(self) -> u32 {
        self
    }
}
