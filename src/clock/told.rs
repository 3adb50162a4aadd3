//! A clock that somebody else keeps, with what the library needs of `std::time::Instant`.

use std::ops::Add;
use std::sync::OnceLock;
use std::time::Duration;

static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Says how to ask for the time since some fixed moment. The first one to say so is believed.
pub fn keep_time(clock: fn() -> Duration) {
    // WHY ignored: two clocks may differ, and times of both could not be compared.
    let _ = CLOCK.set(clock);
}

/// A moment: the time since the clock began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Duration);

impl Instant {
    /// This moment.
    pub fn now() -> Instant {
        Instant(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
    }

    /// How long ago it was.
    pub fn elapsed(self) -> Duration {
        Instant::now().saturating_duration_since(self)
    }

    /// How long after another moment; zero: it was before.
    pub fn saturating_duration_since(self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The moment so much later.
    pub fn checked_add(self, time: Duration) -> Option<Instant> {
        self.0.checked_add(time).map(Instant)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, time: Duration) -> Instant {
        Instant(self.0.saturating_add(time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_what_the_clock_says() {
        let before = Instant::now();
        assert_eq!(before, Instant(Duration::ZERO), "nobody keeps time yet");
        keep_time(|| Duration::from_secs(7));
        keep_time(|| Duration::from_secs(9));
        assert_eq!(before.elapsed(), Duration::from_secs(7));
        assert_eq!(before.saturating_duration_since(Instant::now()), Duration::ZERO);
        assert_eq!(before.checked_add(Duration::from_secs(7)), Some(Instant::now()));
        assert_eq!(before + Duration::from_secs(7), Instant::now());
    }
}
