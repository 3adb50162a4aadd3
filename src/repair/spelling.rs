//! Changes as they are written.

use crate::model::System;
use crate::model::change::{Change, ChangeKind, Lever};
use crate::syntax::spelling::{member, name};

/// A change: `anonymise vote[1], vote[2] as voted by voter from Clerk`.
pub fn change(system: &System, change: &Change) -> String {
    let events: Vec<String> =
        change.events.iter().map(|&event| member(&system.names.event(event)).into_owned()).collect();
    format!("{} {}{}", change.kind.word(), events.join(", "), clauses(system, change))
}

/// ` as voted by voter[2] from Clerk`, as far as it has them.
pub(super) fn clauses(system: &System, change: &Change) -> String {
    let mut text = String::new();
    if let ChangeKind::Anonymise { label, agent } = &change.kind {
        label.iter().for_each(|label| text += &format!(" as {}", member(label)));
        agent.iter().for_each(|agent| text += &format!(" by {}", member(agent)));
    }
    let from = change.from.and_then(|from| system.observer(from).name.as_deref());
    from.into_iter().for_each(|from| text += &format!(" from {}", name(from)));
    text
}

/// The line that offers a lever: `may hide log cost 3;`.
pub fn offer(system: &System, lever: &Lever) -> String {
    let together = if lever.change.events.len() > 1 { "together " } else { "" };
    let cost = if lever.cost == 1 { String::new() } else { format!(" cost {}", lever.cost) };
    format!("may {together}{}{cost};", change(system, &lever.change))
}
