//! The successor function over hypotheses: what silent moves and labels of the actual run make of a set of them.

use super::labels::LabelKind;
use super::model::{CheckerModel, DEAD, EPSILON, Hypothesis};
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
                let new_pair = is_new.then(|| (self.agent(label), self.agent(reply)));
                let (images, spent) = restrict(hypothesis, used, after, new_pair);
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

    /// The labels with which a hypothesis can reply, and whether the agent of each is new.
    fn reply_labels(&self, hypothesis: &Hypothesis, used: &[u32], label: u32) -> Vec<(u32, bool)> {
        let Some(kind @ LabelKind::Anonymous(_)) = self.kind(label) else { return vec![(label, false)] };
        let place = used.binary_search(&self.agent(label));
        let fits = |agent: u32| match place {
            Ok(at) => agent == hypothesis.images[at],
            Err(_) => !hypothesis.images.contains(&agent) && !hypothesis.spent.contains(&agent),
        };
        let mut replies: Vec<u32> = self.moves(hypothesis.state).iter().map(|step| step.0).collect();
        replies.dedup();
        replies.retain(|&reply| self.kind(reply) == Some(kind) && fits(self.agent(reply)));
        replies.into_iter().map(|reply| (reply, place.is_err())).collect()
    }

    /// A hypothesis at a state, without what the state can never do again.
    fn normalized(&self, state: u32, images: &[u32], spent: &[u32]) -> Hypothesis {
        let reach = self.reach(state);
        let can = |agent: &u32| reach.binary_search(agent).is_ok();
        Hypothesis {
            state,
            images: images.iter().map(|image| if can(image) { *image } else { DEAD }).collect(),
            spent: spent.iter().copied().filter(can).collect(),
        }
    }
}

/// π and F over the new U: the image of an agent that leaves U moves to F.
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
