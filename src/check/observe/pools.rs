//! `observer Both = Clerk + Insider;`: observers who [pool](crate::model::pool) what they see.

use crate::check::context::Context;
use crate::check::observe::observability::Seen;
use crate::check::observe::observers::{Observers, blind};
use crate::check::questions::checks::no_observer;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::pool::{Pool, pool};
use crate::model::{NamedObserver, ObserverId};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::spelling;

/// Reads a pool of observers that are declared above it. After errors it sees nothing; its name stays known.
pub(in crate::check) fn read(
    cx: &mut Context<'_>,
    observers: &mut Observers,
    declared: &[&ast::Name],
    written: &ast::Observer,
) -> (NamedObserver, bool) {
    let found: Vec<Option<usize>> =
        written.pooled.iter().map(|name| member(cx, observers, (declared, written.name.span), name)).collect();
    found.iter().flatten().for_each(|&at| observers.pooled[at] = true);
    let sound = found.iter().all(|at| at.is_some_and(|at| observers.sound[at]));
    let members: Vec<&NamedObserver> = found.iter().flatten().map(|&at| &observers.all[at]).collect();
    let together = if sound { pool(&members) } else { None };
    if sound && together.is_none() {
        cx.fault(apart(written.name.span, &members));
    }
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

/// What one observer links to an agent, another links in another way.
fn apart(at: Span, members: &[&NamedObserver]) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0424, at, "these observers know different agents, so they cannot be pooled")
        .label("no single observer sees what they see together");
    let named = members.iter().filter(|member| member.observer.has_named_agents());
    let fault = named.fold(fault, |fault, member| fault.also(member.span, "names agents"));
    fault.help("name the same agents, by `by`, for the events that several of them see; or write one observer that sees it all")
}
