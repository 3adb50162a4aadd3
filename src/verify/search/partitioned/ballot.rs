//! What a worker tells all others when it has ended an epoch, as words.

use super::half::Place;
use crate::resources::Stop;
use crate::verify::sets::SetId;

/// An exposure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    /// |α|.
    pub(super) level: u32,
    pub(super) estimate: Place,
    /// The set that shows β; none: β is empty.
    pub(super) backward: Option<Place>,
}

/// How far a worker came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Ballot {
    /// Whether something is left of the stage.
    pub(super) left: bool,
    /// Whether there is something of the next level or layer.
    pub(super) goes_on: bool,
    /// Whether it has done the work of this slice.
    pub(super) rests: bool,
    /// The limit that it reached.
    pub(super) stop: Option<Stop>,
    /// The exposure with the shortest α that it found.
    pub(super) hit: Option<Hit>,
}

/// The limits, by number from 1 on.
const STOPS: [Stop; 5] = [Stop::Timeout, Stop::Memory, Stop::Pairs, Stop::States, Stop::Interrupted];

impl Ballot {
    pub(super) fn words(&self) -> Vec<u32> {
        let stop = STOPS.iter().position(|stop| Some(*stop) == self.stop).map_or(0, |at| at as u32 + 1);
        let mut words = vec![u32::from(self.left), u32::from(self.goes_on), u32::from(self.rests), stop];
        if let Some(Hit { level, estimate, backward }) = self.hit {
            words.extend([level, estimate.worker, estimate.set.0]);
            words.extend(backward.into_iter().flat_map(|place| [place.worker, place.set.0]));
        }
        words
    }

    pub(super) fn of_words(words: &[u32]) -> Ballot {
        let &[left, goes_on, rests, stop, ref hit @ ..] = words else { return Ballot::default() };
        let place = |worker: u32, set: u32| Place { worker, set: SetId(set) };
        let hit = match *hit {
            [level, worker, set] => Some(Hit { level, estimate: place(worker, set), backward: None }),
            [level, worker, set, owner, shown] => {
                Some(Hit { level, estimate: place(worker, set), backward: Some(place(owner, shown)) })
            }
            _ => None,
        };
        let stop = stop.checked_sub(1).and_then(|at| STOPS.get(at as usize)).copied();
        Ballot { left: left > 0, goes_on: goes_on > 0, rests: rests > 0, stop, hit }
    }
}
