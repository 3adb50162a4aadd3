//! What the workers of a partitioned search send to each other, and the barrier that ends each of their rounds.
//!
//! A round is an *epoch*. In it, every worker sends words to any other, collected into parcels; then it ends the epoch, with a ballot
//! that all the others read. [`Exchange::barrier`] returns when every worker has ended the epoch, and everything that was sent in it has
//! been received: what one worker sends to another arrives in order, so its ballot is the last. A worker can be one epoch ahead of
//! another, and no more: what arrives early is kept until its epoch begins.

use std::sync::mpsc::{Receiver, Sender, channel};

/// Parcels are sent when they have so many words, or when an epoch ends.
const PARCEL_WORDS: usize = 1 << 13;

/// Some words on their way.
#[derive(Debug)]
pub(crate) struct Parcel {
    /// The worker that sent them.
    pub(crate) from: u32,
    /// The epoch in which they were sent.
    pub(crate) epoch: u32,
    pub(crate) body: Body,
}

/// What a parcel holds.
#[derive(Debug)]
pub(crate) enum Body {
    /// Records, one after the other.
    Words(Vec<u32>),
    /// The sender has ended the epoch, with this ballot.
    Ballot(Vec<u32>),
    /// The sender is gone.
    Lost,
}

/// A worker is gone: the search cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lost(pub(crate) u32);

/// The links of one worker to all workers.
#[derive(Debug)]
pub(crate) struct Exchange {
    index: usize,
    links: Vec<Sender<Parcel>>,
    inbox: Receiver<Parcel>,
    /// What is not sent, by worker.
    outgoing: Vec<Vec<u32>>,
    epoch: u32,
    /// What arrived before its epoch.
    early: Vec<Parcel>,
    /// The ballots of this epoch.
    ballots: Vec<Option<Vec<u32>>>,
}

/// Links between this many workers of one process.
pub(crate) fn exchanges(workers: usize) -> Vec<Exchange> {
    let (links, inboxes): (Vec<_>, Vec<_>) = (0..workers).map(|_| channel()).unzip();
    inboxes.into_iter().enumerate().map(|(index, inbox)| Exchange::new(index, links.clone(), inbox)).collect()
}

impl Exchange {
    /// The links of the worker with this index.
    pub(crate) fn new(index: usize, links: Vec<Sender<Parcel>>, inbox: Receiver<Parcel>) -> Exchange {
        let workers = links.len();
        Exchange {
            index,
            links,
            inbox,
            outgoing: vec![Vec::new(); workers],
            epoch: 0,
            early: Vec::new(),
            ballots: vec![None; workers],
        }
    }

    /// The index of this worker.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// How many workers there are.
    pub(crate) fn workers(&self) -> usize {
        self.links.len()
    }

    /// The indices of the others.
    pub(crate) fn others(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.index).chain(self.index + 1..self.links.len())
    }

    /// Sends a record to another worker.
    pub(crate) fn send(&mut self, to: usize, write: impl FnOnce(&mut Vec<u32>)) {
        write(&mut self.outgoing[to]);
        if self.outgoing[to].len() >= PARCEL_WORDS {
            self.flush(to);
        }
    }

    fn flush(&mut self, to: usize) {
        if !self.outgoing[to].is_empty() {
            let words = std::mem::take(&mut self.outgoing[to]);
            self.post(to, Body::Words(words));
        }
    }

    fn post(&self, to: usize, body: Body) {
        let parcel = Parcel { from: self.index as u32, epoch: self.epoch, body };
        // WHY no error: a worker that is gone is reported by `Lost`.
        let _ = self.links[to].send(parcel);
    }

    /// Tells every other worker that this one is gone.
    pub(crate) fn alarm(&self) {
        self.others().for_each(|to| self.post(to, Body::Lost));
    }

    /// Receives what has arrived of this epoch.
    pub(crate) fn poll(&mut self, mut receive: impl FnMut(u32, &[u32])) -> Result<(), Lost> {
        self.take_early(&mut receive)?;
        while let Ok(parcel) = self.inbox.try_recv() {
            self.take(parcel, &mut receive)?;
        }
        Ok(())
    }

    /// Receives what arrived before its epoch began.
    //
    // WHY not when the epoch before it ends: the worker goes on to its next stage only after that.
    fn take_early(&mut self, receive: &mut impl FnMut(u32, &[u32])) -> Result<(), Lost> {
        std::mem::take(&mut self.early).into_iter().try_for_each(|parcel| self.take(parcel, receive))
    }

    /// Ends the epoch: the ballots of all workers, after everything that was sent in it was received.
    pub(crate) fn barrier(
        &mut self,
        ballot: &[u32],
        mut receive: impl FnMut(u32, &[u32]),
    ) -> Result<Vec<Vec<u32>>, Lost> {
        for to in self.others() {
            self.flush(to);
            self.post(to, Body::Ballot(ballot.to_vec()));
        }
        self.ballots[self.index] = Some(ballot.to_vec());
        self.take_early(&mut receive)?;
        while self.ballots.iter().any(Option::is_none) {
            let parcel = self.inbox.recv().map_err(|_| Lost(self.index as u32))?;
            self.take(parcel, &mut receive)?;
        }
        let ballots = self.ballots.iter_mut().filter_map(Option::take).collect();
        self.epoch = self.epoch.wrapping_add(1);
        Ok(ballots)
    }

    fn take(&mut self, parcel: Parcel, receive: &mut impl FnMut(u32, &[u32])) -> Result<(), Lost> {
        match parcel.body {
            Body::Lost => return Err(Lost(parcel.from)),
            _ if parcel.epoch != self.epoch => self.early.push(parcel),
            Body::Words(words) => receive(parcel.from, &words),
            Body::Ballot(ballot) => self.ballots[parcel.from as usize] = Some(ballot),
        }
        Ok(())
    }
}

/// Tells the other workers that this one is gone, if it panics: they would wait for it.
pub(crate) struct Alarm<'a>(pub(crate) &'a mut Exchange);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.alarm();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_in_an_epoch_arrives_in_it_and_the_ballots_come_after() {
        let mut both = exchanges(2);
        let (mut one, mut other) = (both.remove(0), both.remove(0));
        let ahead = std::thread::spawn(move || {
            let mut seen = Vec::new();
            for epoch in 0..200 {
                one.send(1, |words| words.extend([epoch, 7]));
                let ballots = one.barrier(&[epoch], |_, words| seen.extend_from_slice(words));
                assert_eq!(ballots, Ok(vec![vec![epoch], vec![epoch, epoch]]));
            }
            seen
        });
        for epoch in 0..200 {
            let mut seen = Vec::new();
            // What is not polled waits for the barrier, and nothing of the next epoch comes before it.
            if epoch % 3 == 0 {
                other.poll(|_, words| seen.extend_from_slice(words)).expect("nobody is gone");
            }
            let ballots = other.barrier(&[epoch, epoch], |from, words| {
                assert_eq!(from, 0);
                seen.extend_from_slice(words);
            });
            assert_eq!((ballots, seen), (Ok(vec![vec![epoch], vec![epoch, epoch]]), vec![epoch, 7]));
        }
        assert!(ahead.join().expect("it does not panic").is_empty());
    }

    #[test]
    fn nobody_waits_for_a_worker_that_is_gone() {
        let mut both = exchanges(2);
        let (mut one, mut other) = (both.remove(0), both.remove(0));
        let gone = std::thread::spawn(move || {
            let _alarm = Alarm(&mut one);
            std::panic::resume_unwind(Box::new("gone"));
        });
        assert_eq!(other.barrier(&[], |_, _| {}), Err(Lost(0)));
        assert!(gone.join().is_err());
    }
}
