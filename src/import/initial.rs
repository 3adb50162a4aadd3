//! Models in which no run can start.
//!
//! A file without initial states may be completed from outside (`--initial`), so a reader lets it pass. Once nothing more can be said,
//! every part of a model needs an initial state: the composition with a part that has none is empty, and an empty system would
//! satisfy every check.

use super::fault::short;
use super::{Foreign, Part};
use crate::diagnostic::{Code, Diagnostic};

/// One fault for each part in which no run can start. Empty: every part has an initial state.
pub fn without_start(model: &Foreign) -> Vec<Diagnostic> {
    let several = model.parts.len() > 1;
    model.parts.iter().filter(|part| part.initial.is_empty()).map(|part| startless(part, several)).collect()
}

fn startless(part: &Part, several: bool) -> Diagnostic {
    if part.states.is_empty() { no_states(part) } else { no_initial(part, several) }
}

fn no_states(part: &Part) -> Diagnostic {
    Diagnostic::new(Code::E0402, part.initial_place.span(part.file), format!("{} has no states", called(part)))
        .label("no run can start")
        .help("the file may be truncated: export it again")
}

fn no_initial(part: &Part, several: bool) -> Diagnostic {
    let first = short(&part.states.get(0));
    let state = if several { format!("{}.{first}", part.name) } else { first };
    Diagnostic::new(Code::E0403, part.initial_place.span(part.file), format!("{} has no initial state", called(part)))
        .label("no run can start")
        .help(format!("mark one in this file, or check the file itself with `--initial \"{state}\"`"))
}

/// What a message calls a part.
fn called(part: &Part) -> String {
    if part.name.is_empty() { "this model".to_owned() } else { format!("the model `{}`", short(&part.name)) }
}
