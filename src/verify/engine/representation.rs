//! From a view to the belief system that represents it best: weak, static and dense, static and sparse.

use super::driver::Query;
use super::fewest;
use super::further::{Wanted, different_runs};
use super::portfolio::{self, Better, ExposingRun, Problem, SearchResult};
use super::tuning::Tuning;
use crate::automaton::view::{GroupId, View};
use crate::verdict::Run;
use crate::verify::search::fewest::{Aim, Nothing};
use crate::verify::sets::{Dense, Sparse};
use crate::verify::views::static_view::StaticView;
use crate::verify::views::weak_view::WeakView;

/// A view as a belief system.
pub(super) enum Representation<'a> {
    Weak(Box<WeakView<'a>>),
    Dense(Box<StaticView<Dense>>),
    Sparse(Box<StaticView<Sparse>>),
}

/// Applies an expression to the belief system.
macro_rules! with_beliefs {
    ($representation:expr, $beliefs:ident => $result:expr) => {
        match $representation {
            Representation::Weak($beliefs) => $result,
            Representation::Dense($beliefs) => $result,
            Representation::Sparse($beliefs) => $result,
        }
    };
}

impl<'a> Representation<'a> {
    /// The representation of a view.
    pub(super) fn of(view: &View<'a>, tuning: Tuning) -> Representation<'a> {
        if labels_depend_on_past(view) {
            return Representation::Weak(Box::new(WeakView::new(view)));
        }
        match Representation::of_static(view, tuning) {
            Representation::Dense(beliefs) => Representation::Dense(Box::new(beliefs.with_permutation(view))),
            Representation::Sparse(beliefs) => Representation::Sparse(Box::new(beliefs.with_permutation(view))),
            weak => weak,
        }
    }

    /// The representation of a view with memoryless labels, without ρ-simulation.
    pub(super) fn of_static(view: &View<'_>, tuning: Tuning) -> Representation<'a> {
        if view.automaton.n_states() <= Tuning::MAX_DENSE_STATES {
            Representation::Dense(Box::new(StaticView::new(view, tuning.post_table_from)))
        } else {
            Representation::Sparse(Box::new(StaticView::new(view, tuning.post_table_from)))
        }
    }

    pub(super) fn decide<T>(
        &mut self,
        problem: &Problem<'_>,
        better: &mut Better<'_, T>,
    ) -> Result<(SearchResult, ExposingRun), T> {
        with_beliefs!(self, beliefs => portfolio::decide(&mut **beliefs, problem, better))
    }

    pub(super) fn fewest(&mut self, problem: &Problem<'_>, aim: Aim, work: u64) -> Result<ExposingRun, Nothing> {
        with_beliefs!(self, beliefs => fewest::shortest_run(&mut **beliefs, problem, aim, work))
    }

    pub(super) fn different(
        &mut self,
        query: &Query<'_>,
        problem: &Problem<'_>,
        aim: Aim,
        wanted: (Wanted, u64),
    ) -> (Vec<(Run, usize)>, Option<bool>) {
        with_beliefs!(self, beliefs => different_runs(&mut **beliefs, query, problem, aim, wanted))
    }

    pub(super) fn probe(&mut self, problem: &Problem<'_>, share: u64) -> Option<(SearchResult, ExposingRun)> {
        with_beliefs!(self, beliefs => portfolio::probe(&mut **beliefs, problem, share))
    }
}

/// Whether labels depend on the past: the view is weak, and some group has two agents.
pub(super) fn labels_depend_on_past(view: &View<'_>) -> bool {
    let observer = view.observer;
    let has_two = |group: GroupId| {
        let mut agents = observer.anonymous(Some(group)).map(|event| observer.actor(event));
        agents.next().is_some_and(|first| agents.any(|other| other != first))
    };
    view.is_dynamic() && (0..observer.n_groups()).any(|group| has_two(GroupId::from_index(group)))
}
