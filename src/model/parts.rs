//! The parts of a composed system: which local state each is in, and what each can do.
//!
//! A product knows where its parts are in every global state. Reports use this to speak of parts instead of tuples; names and
//! places are computed when they are asked for, like those of [`Naming`](super::Naming).

use super::Naming;
use crate::automaton::product::{Factor, Product};
use crate::automaton::{Automaton, EventId, StateId};
use crate::source::Span;
use std::borrow::Cow;
use std::sync::Arc;

/// The parts of a composed system, numbered in the order in which its states name theirs.
pub trait Parts: std::fmt::Debug + Send + Sync {
    /// How many there are.
    fn n_parts(&self) -> usize;

    /// What a part is called: `u[1]`, `u[1].inner`.
    fn name(&self, part: usize) -> &str;

    /// The part itself, with its own states and events.
    fn automaton(&self, part: usize) -> &Automaton;

    /// Where a part is in a global state.
    fn local(&self, state: StateId, part: usize) -> StateId;

    /// The events of the system that a part takes part in, by the part's own.
    fn events(&self, part: usize) -> &[EventId];

    /// The name of a part's own state.
    fn state_name(&self, part: usize, local: StateId) -> Cow<'_, str>;

    /// Where a part's own state is declared.
    fn state_place(&self, part: usize, local: StateId) -> Option<Span>;

    /// Where a part's own transition is written; `event` is one of the part's own.
    fn transition_place(&self, part: usize, source: StateId, event: EventId, target: StateId) -> Option<Span>;

    /// The product that was built of all of them.
    fn product(&self) -> &Arc<Automaton>;

    /// The names of the product of some of the parts, which are in order.
    fn restricted(&self, kept: &[usize], product: Product) -> Box<dyn Naming>;

    /// A part as an operand of a product.
    fn factor(&self, part: usize) -> Factor<'_> {
        Factor { automaton: self.automaton(part), events: self.events(part) }
    }
}
