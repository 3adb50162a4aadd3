//! Finding a system by its name.

use super::status::Failure;
use desc::diagnostic::near::distance;
use desc::model::{Model, System};

/// The system of this name; no name: the only system there is.
pub fn system<'m>(model: &'m Model, name: Option<&str>) -> Result<&'m System, Failure> {
    let names = || model.systems().iter().map(|system| system.name.as_str());
    match (name, model.systems()) {
        (None, [only]) => Ok(only),
        (None, []) => Err(Failure::new("the file has no system")),
        (None, _) => {
            let all: Vec<String> = names().map(|name| format!("`{name}`")).collect();
            Err(Failure::new("the file has several systems").help(format!("name one of {}", all.join(", "))))
        }
        (Some(name), systems) => {
            systems.iter().find(|system| system.name == name).ok_or_else(|| unknown("system", name, names()))
        }
    }
}

/// No such name, with the nearest one if it is near.
pub fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Failure {
    let failure = Failure::new(format!("there is no {what} `{name}`"));
    match nearest(name, known) {
        Some(near) => failure.help(format!("did you mean `{near}`?")),
        None => failure,
    }
}

/// The known name that is nearest, if it is a slip away.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = (name.chars().count() / 3).max(1);
    let near = known.map(|other| (distance(name, other), other));
    near.filter(|(far, _)| *far <= most).min_by_key(|(far, _)| *far).map(|(_, other)| other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_a_different_word_is_not() {
        assert_eq!(nearest("Questionning", ["Ballot", "Questioning"].into_iter()), Some("Questioning"));
        assert_eq!(nearest("E021", ["E0201", "E0999"].into_iter()), Some("E0201"));
        assert_eq!(nearest("Network", ["Ballot"].into_iter()), None);
    }
}
