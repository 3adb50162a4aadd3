//! Checks the simulations of a certificate: twins, plain simulations, ρ-simulations. Each reply is named, so each is looked at
//! once.

use super::checker::Checker;
use super::labels::LabelKind;
use super::model::Actual;
use super::{Cover, PermutationStep, Position, Refused};
use crate::resources::Stop;
use smallvec::SmallVec;

type Checked = Result<(), Refused>;

impl Checker<'_, '_> {
    /// Checks that twins avoid classes, and that every reply is the one that is named.
    pub(super) fn check_simulations(&self) -> Checked {
        for (at, twins) in self.certificate.twins.iter().enumerate() {
            if !self.avoid_classes(twins) || !self.simulates(twins, true)? {
                return Err(format!("twins {at} are no twins of {}", twins.actual).into());
            }
        }
        for (at, position) in self.certificate.simulations.iter().enumerate() {
            if position.hypotheses.len() != 1 || !self.simulates(position, false)? {
                return Err(format!("simulation {at} does not simulate {}", position.actual).into());
            }
        }
        self.check_permutations()?;
        for (at, step) in self.certificate.permutation_steps.iter().enumerate() {
            self.spend(step.next.len())?;
            if !self.step_simulates(step) {
                let fault = format!("permutation step {at}: {} does not simulate {}", step.hypothesis, step.actual);
                return Err(fault.into());
            }
        }
        Ok(())
    }

    /// Whether there are enough hypotheses, in classes different from the actual state's and from each other's if it can be
    /// exposed.
    fn avoid_classes(&self, twins: &Position) -> bool {
        let state = self.actual(twins.actual).state;
        let hypotheses = twins.hypotheses.iter().map(|&hypothesis| self.hypothesis_state(hypothesis));
        let mut classes: SmallVec<[u32; 4]> = hypotheses.chain([state]).map(|state| self.model.class(state)).collect();
        classes.sort_unstable();
        classes.dedup();
        twins.hypotheses.len() >= self.model.max_classes()
            && (!self.model.can_be_exposed(state) || classes.len() == twins.hypotheses.len() + 1)
    }

    /// Whether the position that is named for each move replies to it.
    fn simulates(&self, position: &Position, class_avoiding: bool) -> Result<bool, Stop> {
        self.spend(position.hypotheses.len() * (1 + position.covers.len()))?;
        let actual = self.actual(position.actual);
        let mut covers = position.covers.iter();
        for (label, target) in self.moves(&actual) {
            if !self.replies(position, covers.next(), class_avoiding, (&actual.used, label, &target))? {
                return Ok(false);
            }
        }
        Ok(covers.next().is_none())
    }

    /// Whether the position that is named for one move, U before it, label and target, replies to it.
    fn replies(
        &self,
        now: &Position,
        cover: Option<&Cover>,
        class_avoiding: bool,
        (used, label, target): (&[u32], u32, &Actual),
    ) -> Result<bool, Stop> {
        let next = match cover {
            Some(&Cover::Twins(at)) if class_avoiding => self.certificate.twins.get(at as usize),
            Some(&Cover::Simulation(at)) if !class_avoiding => self.certificate.simulations.get(at as usize),
            Some(Cover::Identity) if !class_avoiding => {
                let replies = self.reply(now.hypotheses[0], used, label, &target.used)?;
                return Ok(self.holds_identity(target, &replies));
            }
            _ => None,
        };
        let same_size = |next: &&Position| next.hypotheses.len() == now.hypotheses.len();
        let Some(next) = next.filter(same_size).filter(|next| self.is_actual(next.actual, target)) else {
            return Ok(false);
        };
        for (&hypothesis, after) in now.hypotheses.iter().zip(&next.hypotheses) {
            // WHY: most hypotheses reply without silent moves, and that is quickly seen.
            let direct = !self.model.has_history() && self.model.has_move(hypothesis, label, *after);
            if !direct && self.reply(hypothesis, used, label, &target.used)?.binary_search(after).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Checks that permutations fix every label that is not anonymous, keep groups, and map each agent to one agent.
    fn check_permutations(&self) -> Checked {
        for (images, class_avoiding) in &self.certificate.permutations {
            // WHY: a short line must not make a long list.
            let mut used = vec![false; images.len()];
            let fits = images.len() == self.model.n_labels()
                && images.iter().zip(0u32..).all(|(&image, label)| {
                    let anonymous = matches!(self.model.kind(label), Some(LabelKind::Anonymous(_)));
                    let allowed = label == image || (anonymous && self.model.kind(image) == self.model.kind(label));
                    allowed && !std::mem::replace(&mut used[image as usize], true)
                });
            if !fits || (*class_avoiding && self.model.max_classes() != 1) {
                return Err("a permutation leaves its group".into());
            }
            if !self.permutes_agents(images) {
                return Err("a permutation maps one agent to two, or two to one".into());
            }
        }
        Ok(())
    }

    /// Whether a permutation of labels is one of agents, too.
    fn permutes_agents(&self, images: &[u32]) -> bool {
        let mut image_of = vec![None; images.len()];
        let mut agent_of = vec![None; images.len()];
        images.iter().zip(0u32..).all(|(&image, label)| {
            let (agent, other) = (self.model.agent(label), self.model.agent(image));
            *image_of[agent as usize].get_or_insert(other) == other
                && *agent_of[other as usize].get_or_insert(agent) == agent
        })
    }

    /// Whether a step avoids classes if it must, and its replies are the ones that are named.
    fn step_simulates(&self, step: &PermutationStep) -> bool {
        let model = self.model;
        let n = model.n_states() as u32;
        let Some((images, class_avoiding)) = self.certificate.permutations.get(step.permutation as usize) else {
            return false;
        };
        if step.actual >= n || step.hypothesis >= n {
            return false;
        }
        let same_class = model.can_be_exposed(step.actual) && model.class(step.actual) == model.class(step.hypothesis);
        let moves = model.moves(step.actual);
        let mut next = step.next.iter().map(|&at| self.certificate.permutation_steps.get(at as usize));
        !(*class_avoiding && same_class)
            && moves.len() == step.next.len()
            && moves.iter().all(|&(label, target)| {
                next.next().flatten().is_some_and(|next| {
                    next.permutation == step.permutation
                        && next.actual == target
                        && model.has_move(step.hypothesis, images[label as usize], next.hypothesis)
                })
            })
    }

    /// Whether a hypothesis simulates an actual state by the step at this index.
    pub(super) fn permutation_simulates(
        &self,
        at: u32,
        actual: &Actual,
        hypothesis: u32,
        class_avoiding: bool,
    ) -> bool {
        let Some(step) = self.certificate.permutation_steps.get(at as usize) else { return false };
        let (rho, avoids_classes) = &self.certificate.permutations[step.permutation as usize];
        if step.actual != actual.state
            || step.hypothesis != self.hypothesis_state(hypothesis)
            || (class_avoiding && !avoids_classes)
        {
            return false;
        }
        let Some(hypothesis) = self.certificate.hypotheses.get(hypothesis as usize) else {
            return !self.model.has_history();
        };
        self.model.agrees(actual, hypothesis, rho)
    }
}
