//! A view and a property as `.des` text.

use desc::automaton::StateSet;
use desc::automaton::view::{Observability, View};
use desc::model::{Horizon, Property};
use std::fmt::Write;

/// The text of a model with one check: against the system's own sets, or against an observer with a name.
pub fn of(view: &View<'_>, property: &Property, horizon: Horizon, observer: Option<&str>) -> String {
    let automaton = view.automaton;
    let mut text = String::from("system Model {\n");
    let _ = writeln!(text, "    states s[0..{}];", automaton.n_states().max(1) - 1);
    let _ = writeln!(text, "    events e[0..{}];", automaton.n_events().max(1) - 1);
    let initial: Vec<String> = automaton.initial().iter().map(|state| format!("s[{state:?}]")).collect();
    let _ = writeln!(text, "    initial {{{}}};", initial.join(", "));
    match observer {
        Some(name) => {
            let _ = writeln!(text, "    observer {name} {{\n{}    }}", sets(view));
        }
        None => text += &sets(view),
    }
    for (_, source, step) in automaton.transitions() {
        let _ = writeln!(text, "    s[{source:?}] -e[{:?}]-> s[{:?}];", step.event, step.target);
    }
    let asked = property;
    let (more, property) = match property {
        Property::Opacity { secret } => (format!("    secret {};\n", states(secret)), " opacity".to_owned()),
        Property::OfParts(_) => panic!("a property of states is written"),
        Property::Throughout { secret } => {
            (format!("    secret {};\n", states(secret)), " opacity throughout".to_owned())
        }
        Property::InitialFinal { from, to } => {
            (String::new(), format!(" opacity of {} -> {}", states(from), states(to)))
        }
        Property::Anonymity { among, classes, except } => {
            let about = classes.as_ref().map(|classes| {
                let parts = (0..classes.names.len()).filter_map(|class| {
                    let of: Vec<String> = automaton
                        .states()
                        .filter(|state| classes.of[state.index()].index() == class)
                        .map(|state| format!("s[{state:?}]"))
                        .collect();
                    (!of.is_empty()).then(|| format!("{{{}}}", of.join(", ")))
                });
                format!(" about {}", parts.collect::<Vec<_>>().join(" | "))
            });
            let among = if *among > 2 { format!(" among {among}") } else { String::new() };
            let except = except.as_ref().map(|except| format!(" except {}", states(except)));
            (String::new(), among + &about.unwrap_or_default() + &except.unwrap_or_default())
        }
    };
    let horizon = match horizon {
        _ if matches!(asked, Property::InitialFinal { .. }) => "initial-final".to_owned(),
        Horizon::Steps(steps) => format!("{steps}-step"),
        Horizon::Exactly(steps) => format!("exactly {steps}-step"),
        Horizon::Infinite => "infinite-step".to_owned(),
        Horizon::Initial => "initial-state".to_owned(),
    };
    let against = observer.map(|name| format!(" against {name}")).unwrap_or_default();
    let _ = writeln!(text, "{more}    check {} {horizon}{property}{against};\n}}", view.projection);
    text
}

fn states(set: &StateSet) -> String {
    let names: Vec<String> = set.iter().map(|state| format!("s[{state:?}]")).collect();
    format!("{{{}}}", names.join(", "))
}

/// What is not seen, and what is anonymous.
fn sets(view: &View<'_>) -> String {
    let mut text = String::new();
    let silent = events(view, |observability| observability == Observability::Silent);
    if !silent.is_empty() {
        let _ = writeln!(text, "    unobservable {};", silent.join(", "));
    }
    for group in 0..view.observer.n_groups() {
        let hidden =
            events(view, |observability| matches!(observability, Observability::Anonymous(of) if of.index() == group));
        if !hidden.is_empty() {
            let _ = writeln!(text, "    anonymous {} as g{group};", hidden.join(", "));
        }
    }
    text
}

fn events(view: &View<'_>, wanted: impl Fn(Observability) -> bool) -> Vec<String> {
    let all = view.automaton.events().filter(|&event| wanted(view.observer.observability(event)));
    all.map(|event| format!("e[{event:?}]")).collect()
}
