//! `observer Both = Clerk + Insider;`: observers who [pool](crate::model::pool) what they see.

use crate::automaton::EventId;
use crate::check::context::Context;
use crate::check::observe::observability::Seen;
use crate::check::observe::observers::{Observers, blind};
use crate::check::questions::checks::no_observer;
use crate::check::resolve::names::Table;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::pool::{Pool, pool};
use crate::model::pooled_agents::Unpooled;
use crate::model::{NamedObserver, ObserverId};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::spelling;

/// Reads a pool of observers that are declared above it. After errors it sees nothing; its name stays known.
pub(in crate::check) fn read(
    cx: &mut Context<'_>,
    events: &Table,
    observers: &mut Observers,
    declared: &[&ast::Name],
    written: &ast::Observer,
) -> (NamedObserver, bool) {
    let found: Vec<Option<usize>> =
        written.pooled.iter().map(|name| member(cx, observers, (declared, written.name.span), name)).collect();
    found.iter().flatten().for_each(|&at| observers.pooled[at] = true);
    let sound = found.iter().all(|at| at.is_some_and(|at| observers.sound[at]));
    let members: Vec<&NamedObserver> = found.iter().flatten().map(|&at| &observers.all[at]).collect();
    let name = |event: EventId| events.names.get(event.0).into_owned();
    let together = sound
        .then(|| pool(&members, &name))
        .and_then(|pooled| pooled.map_err(|why| cx.fault(apart(written.name.span, &members, why, &name))).ok());
    let sound = together.is_some();
    let seen = |Pool { observer, labels, agents }| Seen { observer, labels, agents };
    let Seen { observer, labels, agents } = together.map_or_else(|| blind(&observers.all[0].observer), seen);
    let name = Some(cx.text(&written.name).into_owned());
    let members = found.into_iter().flatten().map(ObserverId::from_index).collect();
    (NamedObserver { name, span: written.name.span, observer, labels, agents, members }, sound)
}

/// The observer of a name, declared above; an error if there is none.
fn member(
    cx: &mut Context<'_>,
    observers: &Observers,
    (declared, pool): (&[&ast::Name], Span),
    name: &ast::Name,
) -> Option<usize> {
    let text = cx.text(name);
    let found = observers.all.iter().position(|observer| observer.name.as_deref() == Some(&*text));
    if found.is_none() {
        match declared.iter().find(|other| cx.text(other) == text) {
            Some(other) if other.span == pool => cx.fault(of_itself(&text, name.span, pool)),
            Some(other) => cx.fault(further_down(&text, name.span, other.span)),
            None => {
                let names: Vec<&str> = observers.all.iter().filter_map(|observer| observer.name.as_deref()).collect();
                no_observer(cx, name, &names);
            }
        }
    }
    found
}

fn of_itself(name: &str, at: Span, pool: Span) -> Diagnostic {
    Diagnostic::new(Code::E0201, at, format!("the pool `{name}` contains itself"))
        .label("not known here yet")
        .also(pool, "declared here")
        .help("pool observers that are declared above: `observer Both = A + B;`")
}

fn further_down(name: &str, at: Span, declared: Span) -> Diagnostic {
    Diagnostic::new(Code::E0201, at, format!("the observer `{name}` is declared further down"))
        .label("not known here yet")
        .also(declared, "declared here")
        .help(format!("move this line below `observer {}`", spelling::name(name)))
}

/// One observer cannot know the agents that these know.
fn apart(at: Span, members: &[&NamedObserver], why: Unpooled, name: &dyn Fn(EventId) -> String) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0424, at, "these observers know different agents, so they cannot be pooled");
    let spelled = |event| spelling::member(&name(event)).into_owned();
    match why {
        Unpooled::Unlinked(one, other) => {
            let (one, other) = (spelled(one), spelled(other));
            let named = members.iter().filter(|member| member.observer.has_named_agents());
            let fault = fault.label(format!("none follows the agent of `{one}` to `{other}`, only all together do"));
            named.fold(fault, |fault, member| fault.also(member.span, "follows agents")).help(
                "write one observer that follows the agents through all these events: what holds against it holds against the pool",
            )
        }
        Unpooled::Apart(member, one, other) => {
            let (one, other) = (spelled(one), spelled(other));
            let member = members[member];
            fault
                .label(format!("to some, one agent does `{one}` and `{other}`"))
                .also(member.span, "here two agents do, and their labels do not say which")
                .help(format!("let one agent do both here: `by` the same agent for `{one}` and `{other}`"))
        }
    }
}
