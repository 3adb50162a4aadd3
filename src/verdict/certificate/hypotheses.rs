//! The successor function over hypotheses: what silent moves and labels of the actual run make of a set of them.

use super::model::{CheckerModel, DEAD, EPSILON, Hypothesis, LabelKind};
use crate::resources::{Monitor, Stop};
use std::collections::BTreeSet;

/// Hypotheses that are being gathered; they are paid for until they are handed over.
struct Gathered<'g, 'm> {
    all: BTreeSet<Hypothesis>,
    monitor: &'g mut Monitor<'m>,
    /// What was held before.
    held: u64,
}

impl<'g, 'm> Gathered<'g, 'm> {
    fn new(monitor: &'g mut Monitor<'m>) -> Gathered<'g, 'm> {
        Gathered { all: BTreeSet::new(), held: monitor.held(), monitor }
    }

    fn insert(&mut self, hypothesis: Hypothesis) -> Result<(), Stop> {
        let labels = hypothesis.images.len() + hypothesis.spent.len();
        self.monitor.spend(1 + labels as u64)?;
        if self.all.insert(hypothesis) {
            // WHY twice: they stand in the set, then in a list.
            self.monitor.hold(2 * (size_of::<Hypothesis>() + labels * size_of::<u32>()) as u64)?;
        }
        Ok(())
    }

    fn sorted(self) -> Vec<Hypothesis> {
        self.monitor.release_to(self.held);
        self.all.into_iter().collect()
    }
}

impl CheckerModel {
    /// UR of hypotheses, sorted.
    pub(crate) fn close_hypotheses(
        &self,
        hypotheses: impl IntoIterator<Item = Hypothesis>,
        monitor: &mut Monitor<'_>,
    ) -> Result<Vec<Hypothesis>, Stop> {
        let mut all = Gathered::new(monitor);
        for hypothesis in hypotheses {
            for state in self.close([hypothesis.state]) {
                all.insert(self.normalized(state, &hypothesis.images, &hypothesis.spent))?;
            }
        }
        Ok(all.sorted())
    }

    /// The successors of hypotheses under a label of the actual run that changes U from `used` to `after`, with silent moves
    /// after it, none before.
    pub(crate) fn post_hypotheses(
        &self,
        hypotheses: &[Hypothesis],
        used: &[u32],
        label: u32,
        after: &[u32],
        monitor: &mut Monitor<'_>,
    ) -> Result<Vec<Hypothesis>, Stop> {
        let mut all = Gathered::new(monitor);
        for hypothesis in hypotheses.iter().filter(|hypothesis| hypothesis.images.len() == used.len()) {
            for (reply, is_new) in self.reply_labels(hypothesis, used, label) {
                let (images, spent) = restrict(hypothesis, used, after, is_new.then_some((label, reply)));
                let reached = if reply == EPSILON {
                    vec![hypothesis.state]
                } else {
                    self.close(self.successors(hypothesis.state, reply))
                };
                for state in reached {
                    all.insert(self.normalized(state, &images, &spent))?;
                }
            }
        }
        Ok(all.sorted())
    }

    /// The labels with which a hypothesis can reply, and whether each is new.
    fn reply_labels(&self, hypothesis: &Hypothesis, used: &[u32], label: u32) -> Vec<(u32, bool)> {
        match (self.kind(label), used.binary_search(&label)) {
            (Some(LabelKind::Anonymous(_)), Ok(at)) if hypothesis.images[at] == DEAD => Vec::new(),
            (Some(LabelKind::Anonymous(_)), Ok(at)) => vec![(hypothesis.images[at], false)],
            (Some(kind @ LabelKind::Anonymous(_)), Err(_)) => {
                let mut fresh: Vec<u32> = self.moves(hypothesis.state).iter().map(|step| step.0).collect();
                fresh.dedup();
                fresh.retain(|reply| {
                    self.kind(*reply) == Some(kind)
                        && !hypothesis.images.contains(reply)
                        && !hypothesis.spent.contains(reply)
                });
                fresh.into_iter().map(|reply| (reply, true)).collect()
            }
            _ => vec![(label, false)],
        }
    }

    /// A hypothesis at a state, without what the state can never do again.
    fn normalized(&self, state: u32, images: &[u32], spent: &[u32]) -> Hypothesis {
        let reach = self.reach(state);
        let can = |label: &u32| reach.binary_search(label).is_ok();
        Hypothesis {
            state,
            images: images.iter().map(|image| if can(image) { *image } else { DEAD }).collect(),
            spent: spent.iter().copied().filter(can).collect(),
        }
    }
}

/// π and F over the new U: the image of a label that leaves U moves to F.
fn restrict(
    hypothesis: &Hypothesis,
    used: &[u32],
    after: &[u32],
    new_pair: Option<(u32, u32)>,
) -> (Vec<u32>, Vec<u32>) {
    let mut pairs: Vec<(u32, u32)> =
        used.iter().copied().zip(hypothesis.images.iter().copied()).chain(new_pair).collect();
    pairs.sort_unstable();
    let kept = |pair: &&(u32, u32)| after.binary_search(&pair.0).is_ok();
    let images = pairs.iter().filter(kept).map(|pair| pair.1).collect();
    let gone = pairs.iter().filter(|pair| !kept(pair)).map(|pair| pair.1).filter(|&image| image != DEAD);
    let mut spent: Vec<u32> = hypothesis.spent.iter().copied().chain(gone).collect();
    spent.sort_unstable();
    spent.dedup();
    (images, spent)
}
