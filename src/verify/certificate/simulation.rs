//! Rivals that answer for ever: twins, simulations, lockstep. Each answer is named, so each is looked at once.

use super::checker::Checker;
use super::model::{Kind, Left};
use super::{Cover, Position, Step};
use smallvec::SmallVec;

type Checked = Result<(), String>;

impl Checker<'_> {
    /// Twins stay apart, and every answer is the one that is named.
    pub(super) fn check_lasting(&self) -> Checked {
        for (at, twins) in self.certificate.twins.iter().enumerate() {
            if !self.are_apart(twins) || !self.answers(twins, true) {
                return Err(format!("twins {at}: {:?} are no twins of {}", twins.rivals, twins.left));
            }
        }
        for (at, position) in self.certificate.simulations.iter().enumerate() {
            if position.rivals.len() != 1 || !self.answers(position, false) {
                return Err(format!("simulation {at}: {:?} does not answer {}", position.rivals, position.left));
            }
        }
        self.check_permutations()?;
        for (at, step) in self.certificate.lockstep.iter().enumerate() {
            if !self.goes_on(step) {
                return Err(format!("lockstep {at}: {} does not answer {}", step.rival, step.left));
            }
        }
        Ok(())
    }

    /// Enough rivals, in classes different from the run's and from each other's wherever the run may jump.
    fn are_apart(&self, twins: &Position) -> bool {
        let state = self.left(twins.left).state;
        let rivals = twins.rivals.iter().map(|&rival| self.rival_state(rival));
        let mut classes: SmallVec<[u32; 4]> = rivals.chain([state]).map(|state| self.ground.class(state)).collect();
        classes.sort_unstable();
        classes.dedup();
        twins.rivals.len() >= self.ground.together()
            && (!self.ground.jumps(state) || classes.len() == twins.rivals.len() + 1)
    }

    /// Every move is answered by the position that is named for it.
    fn answers(&self, position: &Position, apart: bool) -> bool {
        let left = self.left(position.left);
        let mut covers = position.covers.iter();
        let each = self.moves(&left).all(|(letter, target)| {
            let reply = |rival: &u32| self.reply(*rival, &left.used, letter, &target.used);
            // WHY: most rivals answer without silent moves, and that is quickly seen.
            let plain = !self.ground.has_past();
            let becomes = |rival: &u32, after: &u32| {
                plain && self.ground.leads(*rival, letter, *after) || reply(rival).binary_search(after).is_ok()
            };
            match covers.next() {
                Some(&Cover::Twins(at)) if apart => {
                    let next = self.certificate.twins.get(at as usize);
                    next.is_some_and(|next| self.follows(position, next, &target, becomes))
                }
                Some(&Cover::Simulation(at)) if !apart => {
                    let next = self.certificate.simulations.get(at as usize);
                    next.is_some_and(|next| self.follows(position, next, &target, becomes))
                }
                Some(Cover::Double) if !apart => self.holds_double(&target, &reply(&position.rivals[0])),
                _ => false,
            }
        });
        each && covers.next().is_none()
    }

    /// Whether each rival of a position can become the one at its place in the next.
    fn follows(&self, now: &Position, next: &Position, target: &Left, becomes: impl Fn(&u32, &u32) -> bool) -> bool {
        let each = now.rivals.len() == next.rivals.len() && self.is_left(next.left, target);
        each && now.rivals.iter().zip(&next.rivals).all(|(rival, after)| becomes(rival, after))
    }

    /// Permutations keep every letter that is not hidden, and every group.
    fn check_permutations(&self) -> Checked {
        for (images, apart) in &self.certificate.permutations {
            let mut met = vec![false; self.ground.n_letters()];
            let fits = images.len() == met.len()
                && images.iter().zip(0u32..).all(|(&image, letter)| {
                    let hidden = matches!(self.ground.kind(letter), Some(Kind::Hidden(_)));
                    let alike = letter == image || (hidden && self.ground.kind(image) == self.ground.kind(letter));
                    alike && !std::mem::replace(&mut met[image as usize], true)
                });
            if !fits || (*apart && self.ground.together() != 1) {
                return Err("a permutation leaves its group".to_owned());
            }
        }
        Ok(())
    }

    /// Whether a pair in lockstep is apart where it must be, and its answers are the ones that are named.
    fn goes_on(&self, step: &Step) -> bool {
        let ground = self.ground;
        let n = ground.n_states() as u32;
        let Some((images, apart)) = self.certificate.permutations.get(step.permutation as usize) else { return false };
        if step.left >= n || step.rival >= n {
            return false;
        }
        let together = ground.jumps(step.left) && ground.class(step.left) == ground.class(step.rival);
        let moves = ground.moves(step.left);
        let mut next = step.next.iter().map(|&at| self.certificate.lockstep.get(at as usize));
        !(*apart && together)
            && moves.len() == step.next.len()
            && moves.iter().all(|&(letter, target)| {
                next.next().flatten().is_some_and(|next| {
                    next.permutation == step.permutation
                        && next.left == target
                        && ground.leads(step.rival, images[letter as usize], next.rival)
                })
            })
    }

    /// Whether a rival of a left goes in lockstep for ever, at this place of the list.
    pub(super) fn in_lockstep(&self, at: u32, left: &Left, rival: u32, apart: bool) -> bool {
        let Some(step) = self.certificate.lockstep.get(at as usize) else { return false };
        let (rho, stays_apart) = &self.certificate.permutations[step.permutation as usize];
        if step.left != left.state || step.rival != self.rival_state(rival) || (apart && !stays_apart) {
            return false;
        }
        let Some(rival) = self.certificate.rivals.get(rival as usize) else { return !self.ground.has_past() };
        let image = |letter: &u32| rho[*letter as usize];
        let ahead = self.ground.reach(left.state).iter().filter(|letter| left.used.binary_search(letter).is_err());
        rival.images.len() == left.used.len()
            && left.used.iter().zip(&rival.images).all(|(letter, own)| image(letter) == *own)
            && ahead.map(image).all(|own| rival.spent.binary_search(&own).is_err())
    }
}
