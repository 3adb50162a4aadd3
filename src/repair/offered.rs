//! What is offered beside the file: `--may 'hide log'`.

use super::fresh::Original;
use super::rewrite;
use crate::check;
use crate::diagnostic::any_error;
use crate::model::System;
use crate::model::change::Lever;
use crate::source::Sources;
use crate::syntax;

/// The levers of a system with further ones, each as after `may`: those of the file keep their places, the others have none.
///
/// # Errors
/// What is wrong with an offer.
pub fn levers(original: &Original<'_>, system: &System, offers: &[String]) -> Result<Vec<Lever>, String> {
    let file = original.sources.get(original.entry);
    let edits = rewrite::offering(file, original.tree, system, offers).unwrap_or_default();
    let text = rewrite::applied(file.text(), &edits);
    let mut sources = Sources::new();
    let (entry, mut diagnostics) = syntax::read(&mut sources, file.name(), text.into_bytes());
    let read = check::check(entry, &mut sources, original.loader, original.settings);
    diagnostics.extend(read.diagnostics);
    let found = read.model.as_ref().and_then(|model| model.systems().iter().find(|other| other.name == system.name));
    let fault = || diagnostics.iter().find(|found| any_error(std::slice::from_ref(found)));
    let other =
        found.ok_or_else(|| fault().map_or_else(|| "it cannot be read".to_owned(), |fault| fault.message.clone()))?;
    let place =
        |lever: &Lever| system.levers.iter().find(|known| known.change == lever.change).and_then(|known| known.span);
    Ok(other.levers.iter().map(|lever| Lever { span: place(lever), ..lever.clone() }).collect())
}
