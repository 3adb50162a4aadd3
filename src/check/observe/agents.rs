//! The agents of an observer: who acts in each anonymous event.
//!
//! An agent is declared by its use: `anonymous door[d, i] as opens[d] by person[i]`. An event without `by` is its own agent. One
//! event has one agent in an observer.

use crate::automaton::view::AgentId;
use crate::check::context::Context;
use crate::check::observe::observability::Group;
use crate::diagnostic::{Code, Diagnostic};
use crate::import::Names;
use crate::source::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The agent of each event, and the names of the agents in the order of their first event. An event with two agents is an error.
pub(in crate::check) fn read(
    cx: &mut Context<'_>,
    groups: &[Group],
    events: &Names,
) -> (Vec<Option<AgentId>>, Vec<String>) {
    let (mut names, mut ids) = (Vec::new(), FxHashMap::<Arc<str>, AgentId>::default());
    let mut of: Vec<Option<AgentId>> = Vec::new();
    let mut places: FxHashMap<u32, Span> = FxHashMap::default();
    for act in groups.iter().flat_map(|group| &group.acts) {
        of.resize(events.len(), None);
        let agent = *ids.entry(Arc::clone(&act.agent)).or_insert_with(|| {
            names.push(act.agent.to_string());
            AgentId::from_index(names.len() - 1)
        });
        let first = *places.entry(act.event).or_insert(act.at);
        let known = *of[act.event as usize].get_or_insert(agent);
        if known != agent {
            cx.fault(two_agents(&events.get(act.event), [&names[known.index()], &act.agent], act.at, first));
            break;
        }
    }
    (of, names)
}

fn two_agents(event: &str, [first, second]: [&str; 2], at: Span, earlier: Span) -> Diagnostic {
    let fault =
        Diagnostic::new(Code::E0423, at, format!("the event `{event}` has two agents: `{first}` and `{second}`"));
    let fault = match at == earlier {
        true => fault.label("each index gives it another agent"),
        false => fault.label("a second agent").also(earlier, "the first agent"),
    };
    fault.help("an event has one agent: give each agent an event of its own, `door[d, i]`, or leave `by` out")
}
