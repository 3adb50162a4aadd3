//! Lets tests end work at a chosen look: the first, the second, every one.
//!
//! Whatever watches a limit asks here at each look. In a build without tests the answer is always no, and costs nothing.

use super::Stop;

/// Why work is to end at this look, if a test wants it to.
#[inline]
pub(crate) fn now() -> Option<Stop> {
    #[cfg(test)]
    return planned::now();
    #[cfg(not(test))]
    return None;
}

/// Whether a test wants a look at every point where there may be one.
#[inline]
pub(crate) fn everywhere() -> bool {
    #[cfg(test)]
    return planned::everywhere();
    #[cfg(not(test))]
    return false;
}

/// Does work that has no limits, and that no test ends.
#[inline]
pub(crate) fn suspended<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(test)]
    return planned::suspended(work);
    #[cfg(not(test))]
    return work();
}

#[cfg(test)]
pub(crate) use planned::{Strike, striking};

#[cfg(test)]
mod planned {
    use super::Stop;
    use std::cell::Cell;

    /// At which look work ends, counted from 1, and why.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct Strike {
        pub(crate) at: u64,
        pub(crate) stop: Stop,
        /// Whether every later look ends work, too. Memory may be free again later; time may not.
        pub(crate) lasting: bool,
    }

    thread_local! {
        /// The looks so far, and the strike; none: nobody counts.
        static PLAN: Cell<Option<(u64, Option<Strike>)>> = const { Cell::new(None) };
    }

    /// Does some work of this thread under a strike; also gives the number of looks.
    pub(crate) fn striking<T>(strike: Option<Strike>, work: impl FnOnce() -> T) -> (T, u64) {
        PLAN.set(Some((0, strike)));
        let done = work();
        let looks = PLAN.take().map_or(0, |(looks, _)| looks);
        (done, looks)
    }

    pub(super) fn suspended<T>(work: impl FnOnce() -> T) -> T {
        let plan = PLAN.take();
        let done = work();
        PLAN.set(plan);
        done
    }

    pub(super) fn now() -> Option<Stop> {
        let (looks, strike) = PLAN.get()?;
        PLAN.set(Some((looks + 1, strike)));
        let struck = |strike: &Strike| looks + 1 == strike.at || (strike.lasting && looks + 1 > strike.at);
        strike.filter(struck).map(|strike| strike.stop)
    }

    pub(super) fn everywhere() -> bool {
        PLAN.get().is_some()
    }
}
