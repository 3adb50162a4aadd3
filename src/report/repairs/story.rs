//! What goes wrong, in two lines.

use super::StorySummary;
use crate::model::{Property, Question};
use crate::repair::Loss;
use crate::report::phrasing::count;

/// A violation in two lines: the check, and what is known from what is seen.
pub(super) fn summary(loss: &Loss, ascii: bool) -> StorySummary {
    let check = &loss.system.checks[loss.check];
    StorySummary { check: check.text.clone(), span: check.span, story: story(loss, ascii) }
}

/// The most labels or states of a story that are given.
const NAMED: usize = 12;

fn story(loss: &Loss, ascii: bool) -> String {
    let Some(witness) = &loss.witness else { return "nothing is exposed at that distance any more".to_owned() };
    let system = &loss.system;
    let observer = loss.view_id.observer;
    let sign =
        |sign: &_| if ascii { system.sign_name(observer, *sign) } else { system.sign_name_greek(observer, *sign) };
    let seen = crate::diagnostic::words::elided(&witness.observation, NAMED, sign).join(" ");
    let seen = if seen.is_empty() { "nothing".to_owned() } else { format!("`{seen}`") };
    let who =
        system.observer(observer).name.as_ref().map_or_else(|| "the intruder".to_owned(), |name| format!("`{name}`"));
    let names: Vec<_> = witness.exposed.iter().take(NAMED).map(|state| system.names.state(state)).collect();
    let more = if witness.exposed.len() > NAMED { ", ..." } else { "" };
    let states = format!("{{{}{more}}}", names.join(", "));
    let when = match witness.observation.len() - witness.at {
        0 => "now".to_owned(),
        later => format!("{} ago", count(later as u64, "observation")),
    };
    let knows = match &system.checks[loss.check].question {
        Question::Property { property: Property::Throughout { .. }, .. } => {
            "that a secret state was visited".to_owned()
        }
        Question::Property { property: Property::InitialFinal { .. }, .. } => {
            format!("of the beginning, and of {states}")
        }
        _ => format!("of {states}, {when}"),
    };
    format!("seeing {seen}, {who} is sure {knows}")
}
