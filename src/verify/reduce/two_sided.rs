//! From the cells of a view to two small automata: one of pasts, on which estimates are computed, one of futures, on which the sets of
//! states are computed that can show some β.

use super::cells::{futures, pasts};
use crate::automaton::view::{Projection, View};
use crate::automaton::{Automaton, Builder, StateId};
use crate::verdict::certificate::Cells;
use crate::verify::engine::resources::ResourceMonitor;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};

/// The two sides of a view, and what they have in common.
#[derive(Debug)]
pub(crate) struct TwoSided {
    pub(crate) cells: Cells,
    /// The automaton of pasts.
    pub(crate) past: Automaton,
    /// The automaton of futures.
    pub(crate) future: Automaton,
    /// The cell of each state.
    pub(crate) cell: Vec<u32>,
    /// The cells of each past.
    pub(crate) of_past: Vec<Vec<u32>>,
    /// The cells of each future.
    pub(crate) of_future: Vec<Vec<u32>>,
}

impl TwoSided {
    /// The two sides of a view, if the limits suffice.
    pub(crate) fn new(view: &View<'_>, by_event: bool, meter: &mut ResourceMonitor<'_>) -> Option<TwoSided> {
        let future = futures(view, by_event, meter)?;
        let past = pasts(view, by_event, meter)?;
        let (n_pasts, n_futures) = (number(&past), number(&future));
        let (mut of_past, mut of_future) = (vec![Vec::new(); n_pasts], vec![Vec::new(); n_futures]);
        let mut known: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut cell_of = |(&past, &future): (&u32, &u32)| {
            let next = known.len() as u32;
            *known.entry((past, future)).or_insert_with(|| {
                of_past[past as usize].push(next);
                of_future[future as usize].push(next);
                next
            })
        };
        let cell = past.iter().zip(&future).map(&mut cell_of).collect();
        Some(TwoSided {
            past: merged(view.automaton, &past, n_pasts),
            future: merged(view.automaton, &future, n_futures),
            cells: Cells { past, future },
            cell,
            of_past,
            of_future,
        })
    }

    /// How many cells there are.
    pub(crate) fn n_cells(&self) -> usize {
        number(&self.cell)
    }
}

/// How many blocks there are.
fn number(blocks: &[u32]) -> usize {
    blocks.iter().max().map_or(0, |last| *last as usize + 1)
}

fn merged(automaton: &Automaton, block: &[u32], n: usize) -> Automaton {
    let mut builder = Builder::new(n, automaton.n_events());
    automaton.initial().iter().for_each(|state| builder.initial(StateId(block[state.index()])));
    for (_, source, step) in automaton.transitions() {
        let (from, to) = (block[source.index()], block[step.target.index()]);
        builder.transition(StateId(from), step.event, StateId(to));
    }
    builder.freeze()
}

/// The two sides of the views of a system, found once for all checks of a view.
#[derive(Debug, Default)]
pub(crate) struct SharedSides(Mutex<FxHashMap<(u32, Projection), Arc<TwoSided>>>);

impl SharedSides {
    /// The sides of an observer's view. While one search looks for them, others wait: they need the same.
    pub(crate) fn of(
        &self,
        observer: u32,
        view: &View<'_>,
        by_event: bool,
        meter: &mut ResourceMonitor<'_>,
    ) -> Option<Arc<TwoSided>> {
        let mut known = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(sides) = known.get(&(observer, view.projection)) {
            return Some(sides.clone());
        }
        let sides = Arc::new(TwoSided::new(view, by_event, meter)?);
        known.insert((observer, view.projection), sides.clone());
        Some(sides)
    }
}
