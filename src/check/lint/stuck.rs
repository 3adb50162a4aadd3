//! A warning about a composition that gets stuck while a part waits for another one.
//!
//! Definition: a global state without transitions is an *end*. A part is at rest there if it has no transition of its own, if
//! `final` says that it may stay, or if it is back where it began (or all its transitions return to where it is) and everything it
//! waits for is refused by parts at rest: a mix waits for users who are done. An end is meant if every part is at rest. Otherwise the system is *stuck*: some part waits for an
//! event that another part lists and refuses.
//! Method: the product numbers its states breadth first, so the first stuck state is one that is reached in the fewest steps; a
//! second pass over the transitions finds the run. Cost: linear in the product.

use crate::automaton::product::Product;
use crate::automaton::{Automaton, EventId, StateId};
use crate::check::context::Context;
use crate::check::elaborate::naming::Placed;
use crate::check::elaborate::parts::Composed;
use crate::check::observe::inherited::Ends;
use crate::check::resolve::names::Table;
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::spelling;

/// The number of global states between two checks of the clock.
const BLOCK: usize = 1 << 12;

/// The events of a run that a message shows.
const SHOWN: usize = 8;

/// The waits whose places a message shows.
const WAITING: usize = 2;

/// Warns about a composition that gets stuck; whether all its runs do.
pub(in crate::check) fn warn(cx: &mut Context<'_>, composed: &Composed<'_, '_>, ends: &[Ends], name: &str) -> bool {
    let Some(product) = composed.product.filter(|product| product.n_factors() > 1) else { return false };
    let at = composed.tree.root.at;
    let here = Here { parts: &composed.tree.components, events: &composed.tree.events, product, ends };
    let Some((stuck, n_meant)) = here.all(cx, at) else { return false };
    let Some(&first) = stuck.first() else { return false };
    let Some(run) = shortest(cx, product.automaton(), first, at) else { return false };
    cx.fault(here.told(first, &run, (name, at), stuck.len() - 1));
    n_meant == 0 && is_finite(cx, product.automaton(), at)
}

/// Whether an automaton has no cycle: states without a predecessor are removed until none is left. Cost: the transitions. An
/// automaton for which there is no time counts as one with a cycle.
fn is_finite(cx: &mut Context<'_>, automaton: &Automaton, at: Span) -> bool {
    let mut predecessors = vec![0u32; automaton.n_states()];
    automaton.transitions().for_each(|(_, _, step)| predecessors[step.target.index()] += 1);
    let mut pending: Vec<StateId> = automaton.states().filter(|state| predecessors[state.index()] == 0).collect();
    let mut removed = 0;
    while let Some(state) = pending.pop() {
        removed += 1;
        if !cx.tick(1 + automaton.steps(state).len() as u64, 0, at) {
            return false;
        }
        for step in automaton.steps(state) {
            predecessors[step.target.index()] -= 1;
            if predecessors[step.target.index()] == 0 {
                pending.push(step.target);
            }
        }
    }
    removed == automaton.n_states()
}

/// The events of a shortest run to a state. Cost: the transitions. None: there is no time for it.
fn shortest(cx: &mut Context<'_>, automaton: &Automaton, goal: StateId, at: Span) -> Option<Vec<EventId>> {
    const UNSEEN: u32 = u32::MAX;
    if !cx.tick(1, 12 * automaton.n_states() as u64, at) {
        return None;
    }
    let mut from = vec![(UNSEEN, EventId(0)); automaton.n_states()];
    let mut queue: Vec<StateId> = automaton.initial().to_vec();
    queue.iter().for_each(|state| from[state.index()].0 = state.0);
    let mut next = 0;
    while from[goal.index()].0 == UNSEEN && next < queue.len() {
        let state = queue[next];
        next += 1;
        if !cx.tick(1 + automaton.steps(state).len() as u64, 0, at) {
            return None;
        }
        for step in automaton.steps(state) {
            if from[step.target.index()].0 == UNSEEN {
                from[step.target.index()] = (state.0, step.event);
                queue.push(step.target);
            }
        }
    }
    let (mut run, mut state) = (Vec::new(), goal);
    while from[state.index()].0 != state.0 {
        run.push(from[state.index()].1);
        state = StateId(from[state.index()].0);
    }
    run.reverse();
    Some(run)
}

struct Here<'a> {
    parts: &'a [Placed],
    events: &'a Table,
    product: &'a Product,
    ends: &'a [Ends],
}

/// A part that waits: for which event, and which part refuses it.
struct Wait {
    part: usize,
    event: EventId,
    refuser: usize,
}

impl Here<'_> {
    /// Every stuck state, in order, and the number of other ends. None: there is no time for it.
    fn all(&self, cx: &mut Context<'_>, at: Span) -> Option<(Vec<StateId>, usize)> {
        let automaton = self.product.automaton();
        let (mut stuck, mut n_meant) = (Vec::new(), 0);
        for state in automaton.states() {
            if state.index() % BLOCK == 0 && !cx.tick(BLOCK as u64 / 4, 0, at) {
                return None;
            }
            if automaton.steps(state).is_empty() {
                if !cx.tick(1 + self.parts.len() as u64, 0, at) {
                    return None;
                }
                match self.waiting(state).is_empty() {
                    true => n_meant += 1,
                    false => stuck.push(state),
                }
            }
        }
        Some((stuck, n_meant))
    }

    /// The parts that wait in a state without transitions, by number.
    fn waiting(&self, state: StateId) -> Vec<usize> {
        let resting: Vec<bool> = (0..self.parts.len()).map(|part| self.rests(part, state)).collect();
        let began = !self.product.automaton().is_initial(state);
        let idle = |part: usize| began && self.is_idle(part, state, &resting);
        (0..self.parts.len()).filter(|&part| !resting[part] && !idle(part)).collect()
    }

    /// Whether a part has nothing left to do, or may stay by a declaration.
    fn rests(&self, part: usize, state: StateId) -> bool {
        let (local, component) = (self.product.local(state, part), &self.parts[part].component);
        let declared =
            |ends: &Ends| ends.leaves.binary_search(&part).is_ok() && ends.states.binary_search(&state.0).is_ok();
        // A monitor only watches: it waits for nobody, and refuses nothing.
        component.is_monitor
            || component.automaton.steps(local).is_empty()
            || component.finals.binary_search(&local.0).is_ok()
            || self.ends.iter().any(declared)
    }

    /// Whether a part is back where it began, or only serves others, and those are at rest.
    fn is_idle(&self, part: usize, state: StateId, resting: &[bool]) -> bool {
        let (local, component) = (self.product.local(state, part), &self.parts[part].component);
        let steps = component.automaton.steps(local);
        let events = steps.iter().map(|step| self.parts[part].events[step.event.index()]);
        let serves = component.automaton.is_initial(local) || steps.iter().all(|step| step.target == local);
        serves && events.into_iter().all(|event| self.refusers(event, state).all(|refuser| resting[refuser]))
    }

    /// The parts that list an event and cannot do it in a state.
    fn refusers(&self, event: EventId, state: StateId) -> impl Iterator<Item = usize> {
        (0..self.parts.len()).filter(move |&part| {
            let placed = &self.parts[part];
            let local = placed.events.iter().position(|&shared| shared == event);
            local.is_some_and(|local| {
                let at = self.product.local(state, part);
                placed.component.automaton.successors(at, EventId::from_index(local)).is_empty()
            })
        })
    }

    /// What a part waits for first, and who refuses it: best a part that waits too.
    fn wait(&self, part: usize, state: StateId, waiting: &[usize]) -> Option<Wait> {
        let (local, placed) = (self.product.local(state, part), &self.parts[part]);
        let offered = placed.component.automaton.steps(local).iter().map(|step| placed.events[step.event.index()]);
        let refused =
            offered.flat_map(|event| self.refusers(event, state).map(move |refuser| Wait { part, event, refuser }));
        refused.min_by_key(|wait| !waiting.contains(&wait.refuser))
    }

    fn path(&self, part: usize) -> &str {
        &self.parts[part].path
    }

    /// Where a part is, as it is written.
    fn state_name(&self, part: usize, state: StateId) -> String {
        self.parts[part].component.states.names.get(self.product.local(state, part).0).into_owned()
    }

    fn event_name(&self, event: EventId) -> String {
        self.events.names.get(event.0).into_owned()
    }

    fn told(&self, state: StateId, run: &[EventId], (name, at): (&str, Span), others: usize) -> Diagnostic {
        let waiting = self.waiting(state);
        let waits: Vec<Wait> = waiting.iter().filter_map(|&part| self.wait(part, state, &waiting)).collect();
        let said = |wait: &Wait| {
            let (part, refuser) = (self.path(wait.part), self.path(wait.refuser));
            format!("`{part}` waits for `{}`, which `{refuser}` refuses", self.event_name(wait.event))
        };
        let first = waits.first().map_or_else(|| "a part waits".to_owned(), said);
        let fault = Diagnostic::new(Code::W0410, at, format!("`{name}` gets stuck: {first}"))
            .label(format!("{}{}", self.after(run), and_others(others)))
            .help(self.remedy(state, waits.first()));
        waits.iter().fold(fault, |fault, wait| self.shown(fault, wait, state))
    }

    /// Points at the place of a part that waits, and at that of the part that refuses.
    fn shown(&self, fault: Diagnostic, wait: &Wait, state: StateId) -> Diagnostic {
        let place = |part: usize| self.parts[part].component.states.span(self.product.local(state, part).0);
        let event = self.event_name(wait.event);
        let waits = format!("`{}` is here and waits for `{event}`", self.path(wait.part));
        let refuses = format!("`{}` is here and refuses `{event}`", self.path(wait.refuser));
        // WHY once: ten users who wait at one state are one cause.
        let is_new = |fault: &Diagnostic, at: Span| fault.secondary.iter().all(|label| label.span != at);
        let with = |fault: Diagnostic, at: Option<Span>, text: String| match at {
            Some(at) if fault.secondary.len() < 2 * WAITING && is_new(&fault, at) => fault.also(at, text),
            _ => fault,
        };
        with(with(fault, place(wait.part), waits), place(wait.refuser), refuses)
    }

    fn after(&self, run: &[EventId]) -> String {
        let names: Vec<String> = run.iter().take(SHOWN).map(|event| self.event_name(*event)).collect();
        match run.len() {
            0 => "at the start".to_owned(),
            n if n <= SHOWN => format!("after `{}`", names.join(" ")),
            n => format!("after {}: `{} ...`", wording::count(n as u64, "event"), names.join(" ")),
        }
    }

    fn remedy(&self, state: StateId, wait: Option<&Wait>) -> String {
        let Some(Wait { part, event, refuser }) = wait else { return String::new() };
        format!(
            "let `{}` do `{}` at `{}`; if this end is meant, say so: `final {}.{};`",
            self.path(*refuser),
            spelling::member(&self.event_name(*event)),
            spelling::member(&self.state_name(*refuser, state)),
            self.path(*part),
            spelling::member(&self.state_name(*part, state)),
        )
    }
}

fn and_others(others: usize) -> String {
    match others {
        0 => String::new(),
        _ => format!(", and in {}", wording::count(others as u64, "more state")),
    }
}
