//! What is offered on the command line: `--may 'hide log'`.

use crate::model::System;
use crate::model::change::Lever;

/// The levers of a system that was read with more offers, under the places that they have in the file itself: what the file does not
/// offer has none.
pub fn levers(file: &System, with_offers: &System) -> Vec<Lever> {
    let place =
        |lever: &Lever| file.levers.iter().find(|known| known.change == lever.change).and_then(|known| known.span);
    with_offers.levers.iter().map(|lever| Lever { span: place(lever), ..lever.clone() }).collect()
}
