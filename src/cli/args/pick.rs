//! Finding a system by its name.

use crate::cli::run::status::Failure;
use desc::draw::observation::Unreadable;
use desc::model::{Model, System};

/// The system with this name; without a name, the only system.
pub fn system<'m>(model: &'m Model, name: Option<&str>) -> Result<&'m System, Failure> {
    let names = || model.systems().iter().map(|system| system.name.as_str());
    match (name, model.systems()) {
        (None, [only]) => Ok(only),
        (None, []) => Err(unbuilt(model, None).unwrap_or_else(|| Failure::new("the file has no system"))),
        (None, _) => {
            let all: Vec<String> = names().map(|name| format!("`{name}`")).collect();
            Err(Failure::new("the file has more than one system").help(format!("name one of {}", all.join(", "))))
        }
        (Some(name), systems) => {
            let missing = || unbuilt(model, Some(name)).unwrap_or_else(|| unknown("system", name, names()));
            systems.iter().find(|system| system.name == name).ok_or_else(missing)
        }
    }
}

/// Why the system of this name is not there, if it was left before it was built.
fn unbuilt(model: &Model, name: Option<&str>) -> Option<Failure> {
    let left = model.unbuilt().iter().find(|unbuilt| name.is_none_or(|name| unbuilt.name() == name))?;
    Some(Failure::stopped(&format!("system `{}` was not built", left.name()), left.stop))
}

/// An unknown name, with a suggestion.
pub fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Failure {
    Unreadable::unknown(what, name, known).into()
}
