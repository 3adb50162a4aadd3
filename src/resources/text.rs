//! Text that is counted while it is written.

use super::{Monitor, Resources, Stop};
use std::fmt;

/// A text that grows within the resources of a run. Writing to it fails when they are used up.
#[derive(Debug)]
pub struct CountedText<'a> {
    text: String,
    monitor: Monitor<'a>,
}

impl<'a> CountedText<'a> {
    /// An empty text.
    pub fn new(resources: Resources<'a>) -> CountedText<'a> {
        CountedText { text: String::new(), monitor: resources.monitor() }
    }

    /// The text, unless a limit was reached while it was written.
    ///
    /// # Errors
    /// Which limit it was.
    pub fn finish(self, written: fmt::Result) -> Result<String, Stop> {
        match (written, self.monitor.stopped()) {
            (Ok(()), None) => Ok(self.text),
            (_, stopped) => Err(stopped.unwrap_or(Stop::Memory)),
        }
    }

    /// Makes room for more. A text that is copied to a larger place stands there twice meanwhile.
    fn grow(&mut self, more: usize) -> Result<(), Stop> {
        let (before, needed) = (self.text.capacity(), self.text.len() + more);
        if needed > before {
            let after = needed.max(2 * before).max(LEAST);
            self.monitor.hold(after as u64)?;
            self.text.reserve_exact(after - self.text.len());
            self.monitor.release(before as u64);
        }
        Ok(())
    }
}

/// How large a text is at least.
const LEAST: usize = 1 << 10;

impl fmt::Write for CountedText<'_> {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        self.grow(more.len()).map_err(|_| fmt::Error)?;
        self.monitor.spend(1 + more.len() as u64 / 32).map_err(|_| fmt::Error)?;
        self.text.push_str(more);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::WorkCounter;
    use std::fmt::Write;

    #[test]
    fn a_text_that_fits_is_what_was_written() {
        let mut text = CountedText::new(Resources::default());
        let written = (0..500).try_for_each(|number| write!(text, "{number};"));
        let expected: String = (0..500).map(|number| format!("{number};")).collect();
        assert_eq!(text.finish(written), Ok(expected));
    }

    #[test]
    fn a_text_that_does_not_fit_is_no_text() {
        let memory = Some(3 * LEAST as u64 - 1);
        let mut text = CountedText::new(Resources { memory, ..Resources::default() });
        assert_eq!(text.write_str(&"x".repeat(LEAST)), Ok(()), "the first place is not copied");
        assert_eq!(text.write_str("x"), Err(fmt::Error), "the old place and one twice as large");
        assert_eq!(text.finish(Err(fmt::Error)), Err(Stop::Memory));
    }

    #[test]
    fn writing_is_work() {
        let counter = WorkCounter::ending_after(2);
        let mut text = CountedText::new(Resources { work: Some(&counter), ..Resources::default() });
        let written = (0..3).try_for_each(|_| text.write_str("x"));
        assert_eq!(text.finish(written), Err(Stop::Timeout));
    }
}
