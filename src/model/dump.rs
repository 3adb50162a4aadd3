//! The model and its automata as text: what `desc dump` prints and the snapshots hold.

use super::change::{ChangeKind, Lever};
use super::{Check, Horizon, LeastCost, Measure, Model, NamedObserver, ObserverId, Property, Question, System, ViewId};
use crate::automaton::StateSet;
use crate::automaton::view::{Observability, Symbol};
use crate::resources::{CountedText, Resources, Stop};
use std::fmt::Write;

/// How many members of a set are written out.
const SHOWN: usize = 64;

/// The systems of a model: sizes, observers, secrets, questions.
///
/// # Errors
/// When a limit is reached.
pub fn dump_model(model: &Model, resources: Resources<'_>) -> Result<String, Stop> {
    let mut out = CountedText::new(resources);
    let written = model.systems().iter().try_for_each(|system| write_system(&mut out, system));
    out.finish(written)
}

/// The tables of all automata of a model, one transition a line.
///
/// # Errors
/// When a limit is reached.
pub fn dump_automata(model: &Model, resources: Resources<'_>) -> Result<String, Stop> {
    let mut out = CountedText::new(resources);
    let written = model.systems().iter().try_for_each(|system| write_automaton(&mut out, system));
    out.finish(written)
}

fn write_automaton(out: &mut impl Write, system: &System) -> std::fmt::Result {
    let automaton = &system.automaton;
    writeln!(out, "automaton of {}", system.name)?;
    for state in automaton.states() {
        let mark = if automaton.is_initial(state) { " initial" } else { "" };
        writeln!(out, "  state {} {}{mark}", state.0, system.names.state(state))?;
    }
    for event in automaton.events() {
        writeln!(out, "  event {} {}", event.0, system.names.event(event))?;
    }
    for (id, source, step) in automaton.transitions() {
        let (from, event, to) =
            (system.names.state(source), system.names.event(step.event), system.names.state(step.target));
        writeln!(out, "  transition {} {from} -{event}-> {to}", id.0)?;
    }
    Ok(())
}

fn write_system(out: &mut impl Write, system: &System) -> std::fmt::Result {
    let automaton = &system.automaton;
    writeln!(out, "system {}", system.name)?;
    system.docs.iter().try_for_each(|line| writeln!(out, "  /// {line}"))?;
    writeln!(out, "  states {}", automaton.n_states())?;
    writeln!(out, "  events {}", automaton.n_events())?;
    writeln!(out, "  transitions {}", automaton.n_transitions())?;
    writeln!(out, "  initial {}", set(system, &automaton.initial().iter().copied().collect()))?;
    if let Some(secret) = &system.secret {
        writeln!(out, "  secret {}", set(system, secret))?;
    }
    for (at, observer) in system.observers.iter().enumerate() {
        write_observer(out, system, observer, ObserverId::from_index(at))?;
    }
    for lever in &system.levers {
        write_lever(out, system, lever)?;
    }
    for check in &system.checks {
        write_check(out, system, check)?;
    }
    for Measure { text, view_id, property, .. } in &system.measures {
        writeln!(out, "  {text}\n    {} {}", lens_text(system, *view_id), property_text(system, property))?;
    }
    Ok(())
}

fn write_observer(out: &mut impl Write, system: &System, observer: &NamedObserver, id: ObserverId) -> std::fmt::Result {
    writeln!(out, "  observer {}", observer.name.as_deref().unwrap_or("(the system's own)"))?;
    for (event, observability) in observer.observer.observabilities().iter().enumerate().take(SHOWN) {
        let event = crate::automaton::EventId::from_index(event);
        let shown = match *observability {
            Observability::Silent => "unseen".to_owned(),
            Observability::Visible => "seen".to_owned(),
            Observability::Anonymous(group) => {
                let agent = observer.agent_name(event).map_or(String::new(), |agent| format!(" by {agent}"));
                format!("seen as {}{agent}", system.sign_name(id, Symbol::Group(group)))
            }
        };
        writeln!(out, "    {} {shown}", system.names.event(event))?;
    }
    Ok(())
}

fn write_lever(out: &mut impl Write, system: &System, Lever { change, cost, .. }: &Lever) -> std::fmt::Result {
    let events: Vec<_> = change.events.iter().take(SHOWN).map(|event| system.names.event(*event)).collect();
    let shown = match &change.kind {
        ChangeKind::Anonymise { label, agent } => {
            let agent = agent.as_ref().map_or_else(String::new, |agent| format!(" by {agent}"));
            format!(" as {}{agent}", label.as_deref().unwrap_or("?"))
        }
        ChangeKind::Hide | ChangeKind::Disable => String::new(),
    };
    let from = change.from.and_then(|from| system.observer(from).name.as_ref());
    let from = from.map_or_else(String::new, |from| format!(" from {from}"));
    writeln!(out, "  may {} {}{shown}{from} at {cost}", change.kind.word(), events.join(", "))
}

fn write_check(out: &mut impl Write, system: &System, check: &Check) -> std::fmt::Result {
    writeln!(out, "  {}", check.text)?;
    check.docs.iter().try_for_each(|line| writeln!(out, "    /// {line}"))?;
    let not = if check.negated { "not " } else { "" };
    match &check.question {
        Question::Property { view_id, property, horizon } => {
            let horizon = match horizon {
                Horizon::Steps(steps) => format!("at most {steps} later"),
                Horizon::Exactly(steps) => format!("exactly {steps} later"),
                Horizon::Infinite => "any time later".to_owned(),
                Horizon::Initial => "about the start".to_owned(),
            };
            writeln!(out, "    {not}{} {} {horizon}", lens_text(system, *view_id), property_text(system, property))
        }
        Question::Estimate { view_id, observation, at, expected } => {
            let seen = signs(system, *view_id, observation);
            writeln!(
                out,
                "    {not}{} estimate at {at} of {seen} is {}",
                lens_text(system, *view_id),
                set(system, expected)
            )
        }
        Question::Projection { view_id, string, expected } => {
            let string: Vec<_> = string.iter().map(|event| system.names.event(*event)).collect();
            let seen = signs(system, *view_id, expected);
            writeln!(out, "    {not}{} projection of [{}] is {seen}", lens_text(system, *view_id), string.join(" "))
        }
        Question::Repair { promised: LeastCost::Costs(cost) } => {
            writeln!(out, "    {not}the least repair costs {cost}")
        }
        Question::Repair { promised: LeastCost::Impossible } => writeln!(out, "    {not}no repair is enough"),
    }
}

fn lens_text(system: &System, view_id: ViewId) -> String {
    match &system.observer(view_id.observer).name {
        Some(name) => format!("{} against {name}:", view_id.projection),
        None => format!("{}:", view_id.projection),
    }
}

fn property_text(system: &System, property: &Property) -> String {
    match property {
        Property::Opacity { secret } => format!("never inside {}", set(system, secret)),
        Property::Anonymity { among, classes, except } => {
            let except = except.as_ref().map_or_else(String::new, |states| format!(" except {}", set(system, states)));
            let Some(classes) = classes else { return format!("at least {among} states{except}") };
            let of = classes.subject.as_deref().map_or_else(String::new, |subject| format!(" of {subject}"));
            let names: Vec<&str> = classes.names.iter().take(SHOWN).map(String::as_str).collect();
            format!("at least {among} classes{of} among {}{except}", names.join(" | "))
        }
        Property::Throughout { secret } => format!("some run never inside {}", set(system, secret)),
        Property::InitialFinal { from, to } => {
            format!("never from {} to {}", set(system, from), set(system, to))
        }
        Property::OfParts(_) => "of its parts; the product is not built".to_owned(),
    }
}

fn signs(system: &System, view_id: ViewId, signs: &[Symbol]) -> String {
    let names: Vec<String> = signs.iter().map(|sign| system.sign_name(view_id.observer, *sign)).collect();
    format!("[{}]", names.join(" "))
}

fn set(system: &System, states: &StateSet) -> String {
    let names: Vec<_> = states.iter().take(SHOWN).map(|state| system.names.state(state)).collect();
    let more = states.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("{{{}{more}}}", names.join(", "))
}
