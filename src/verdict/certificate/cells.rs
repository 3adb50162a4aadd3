//! From claimed pasts and futures to the states that are never exposed, if the claims are true.
//!
//! States have the same *past* if every string that leads to one leads to the others, and the same *future* if what one can
//! show, the others can. S(α) holds all states of a past or none of them, and the states that can show β hold all states of a
//! future or none. E(α|αβ) is the intersection of the two, so it holds all states of a *cell*, those with one past and one future,
//! or none of them. If no exposed set contains the cell, no exposed estimate holds any of its states.
//!
//! Checked: the futures are a bisimulation, and the pasts are one of the reversed model, in which initial states have one more
//! move. Classes do not matter. For `initial`, S(ε) is X0 itself: then the pasts need only tell its states from all others.

use super::model::CheckerModel;
use super::quotient::{common_moves, members_of};
use super::{Cells, Refused};
use crate::resources::Monitor;

impl CheckerModel {
    /// The same model, in which the states of cells that no exposed set contains are in no exposed set. The error says why these
    /// are no cells.
    pub(super) fn settled(
        mut self,
        cells: &Cells,
        initial: bool,
        monitor: &mut Monitor<'_>,
    ) -> Result<CheckerModel, Refused> {
        self.check_cells(cells, initial, monitor)?;
        let safe = self.safe_cells(cells, monitor)?;
        self.make_safe(&safe);
        Ok(self)
    }

    /// The pasts and futures are what they claim to be.
    pub(super) fn check_cells(&self, cells: &Cells, initial: bool, monitor: &mut Monitor<'_>) -> Result<(), Refused> {
        let futures = members_of(&cells.future, self.n_states())?;
        for (future, members) in (0u32..).zip(&futures) {
            common_moves(&|state| self.moves(state), &cells.future, (future, members), monitor)
                .map_err(|fault| fault.at("as futures, "))?;
        }
        if initial { self.check_initial(cells) } else { self.check_pasts(cells, monitor) }
    }

    /// No past has both initial and other states.
    fn check_initial(&self, cells: &Cells) -> Result<(), Refused> {
        for members in members_of(&cells.past, self.n_states())? {
            let is_initial = |state: &u32| self.initial().binary_search(state).is_ok();
            if members.iter().any(|state| is_initial(state) != is_initial(&members[0])) {
                return Err("a past has initial and other states".into());
            }
        }
        Ok(())
    }

    /// The pasts are a bisimulation of the reversed model.
    fn check_pasts(&self, cells: &Cells, monitor: &mut Monitor<'_>) -> Result<(), Refused> {
        let (n, start) = (self.n_states() as u32, self.n_labels() as u32);
        monitor.hold((self.n_moves() * 2 * size_of::<(u32, u32)>() + 3 * self.n_states() * size_of::<u64>()) as u64)?;
        monitor.spend((self.n_states() + self.n_moves()) as u64)?;
        let mut before: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.n_states()];
        for state in 0..n {
            self.moves(state).iter().for_each(|&(label, target)| before[target as usize].push((label, state)));
        }
        self.initial().iter().for_each(|&state| before[state as usize].push((start, n)));
        let pasts = members_of(&cells.past, self.n_states())?;
        // WHY one more: where the move of an initial state leads, nothing else does.
        let blocks: Vec<u32> = cells.past.iter().copied().chain([u32::MAX]).collect();
        for (past, members) in (0u32..).zip(&pasts) {
            common_moves(&|state| &before[state as usize], &blocks, (past, members), monitor)
                .map_err(|fault| fault.at("as pasts, "))?;
        }
        Ok(())
    }

    /// For each state whether its cell lies in no exposed set.
    fn safe_cells(&self, cells: &Cells, monitor: &mut Monitor<'_>) -> Result<Vec<bool>, Refused> {
        monitor.spend(2 * self.n_states() as u64)?;
        let cell = |state: u32| (cells.past[state as usize], cells.future[state as usize]);
        let mut states: Vec<u32> = (0..self.n_states() as u32).collect();
        states.sort_by_key(|&state| cell(state));
        let mut safe = vec![false; states.len()];
        for members in states.chunk_by(|&one, &other| cell(one) == cell(other)) {
            let is_safe = !self.is_exposed(members.iter().copied());
            members.iter().for_each(|&state| safe[state as usize] = is_safe);
        }
        Ok(safe)
    }
}
