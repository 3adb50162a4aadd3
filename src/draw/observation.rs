//! Observations and strings as people write them: `"?1 ?1 c"`, `a b "waiting room" send[2]`.

use super::figure::DrawContext;
use crate::automaton::EventId;
use crate::automaton::view::{GroupId, Observability, Projection, Symbol};
use crate::diagnostic::near::nearest;
use crate::model::{OWN, ObserverId, System};

/// A word that means nothing here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// What is wrong with it: lower case, no final stop.
    pub message: String,
    /// The next act.
    pub help: Option<String>,
}

impl Unreadable {
    fn new(message: impl Into<String>) -> Unreadable {
        Unreadable { message: message.into(), help: None }
    }

    fn help(self, text: impl Into<String>) -> Unreadable {
        Unreadable { help: Some(text.into()), ..self }
    }

    /// A name that nothing has, with the nearest one that something has.
    pub fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Unreadable {
        let unknown = Unreadable::new(format!("unknown {what} `{name}`"));
        match nearest(name, known) {
            Some(near) => unknown.help(format!("did you mean `{near}`?")),
            None => unknown,
        }
    }
}

/// The observer with this name; without a name, the observer declared by the system itself.
///
/// # Errors
/// When no observer has this name.
pub fn observer(system: &System, name: Option<&str>) -> Result<ObserverId, Unreadable> {
    let Some(name) = name else { return Ok(OWN) };
    let names = || system.observers.iter().filter_map(|observer| observer.name.as_deref());
    let found = system.observers.iter().position(|observer| observer.name.as_deref() == Some(name));
    found.map(ObserverId::from_index).ok_or_else(|| {
        let unknown = Unreadable::unknown("observer", name, names());
        let known: Vec<String> = names().map(|name| format!("`{name}`")).collect();
        match (&unknown.help, known.as_slice()) {
            (Some(_), _) => unknown,
            (None, []) => unknown.help(format!("`{}` declares no observer: leave it out", system.name)),
            (None, known) => unknown.help(format!("`{}` has {}", system.name, known.join(", "))),
        }
    })
}

/// The words of a text, separated by white space or commas; double quotes group.
pub fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in text.chars() {
        match character {
            '"' => quoted = !quoted,
            character if !quoted && (character.is_whitespace() || character == ',') => words.push(String::new()),
            other => words.last_mut().expect("there is always a word").push(other),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// An event by its name.
///
/// # Errors
/// When no event has this name.
pub fn event(eye: &DrawContext<'_>, name: &str) -> Result<EventId, Unreadable> {
    let events = || eye.system.automaton.events();
    events().find(|&event| eye.event(event) == name).ok_or_else(|| {
        let names: Vec<String> = events().map(|event| eye.event(event)).collect();
        Unreadable::unknown("event", name, names.iter().map(String::as_str))
    })
}

/// A symbol by its name: `c`, `?`, `γ`, `?1`, `γ₁`, `voted2`.
///
/// # Errors
/// When the view never shows it.
pub fn sign(eye: &DrawContext<'_>, word: &str) -> Result<Symbol, Unreadable> {
    if let Ok(event) = event(eye, word) {
        return visible(eye, word, event);
    }
    match label(eye, word) {
        Some((group, number)) => numbered(eye, word, group, number),
        None => Err(unknown(eye, word)),
    }
}

fn unknown(eye: &DrawContext<'_>, word: &str) -> Unreadable {
    let mut names: Vec<String> = eye.system.automaton.events().map(|event| eye.event(event)).collect();
    names.extend(eye.system.observer(eye.view_id.observer).labels.iter().flatten().cloned());
    let unreadable = Unreadable::unknown("event or label", word, names.iter().map(String::as_str));
    match (unreadable.help.is_some(), word.starts_with(['?', 'γ'])) {
        (false, true) => unreadable.help("this observer has no unlabelled group of anonymous events"),
        _ => unreadable,
    }
}

/// The symbol of an event that is neither unobservable nor anonymous in this view.
fn visible(eye: &DrawContext<'_>, word: &str, event: EventId) -> Result<Symbol, Unreadable> {
    let observer = &eye.system.observer(eye.view_id.observer).observer;
    match (observer.observability(event), eye.view_id.projection) {
        (Observability::Silent, _) => {
            Err(Unreadable::new(format!("`{word}` is unobservable: no observation shows it")))
        }
        (Observability::Visible, _) | (_, Projection::Natural) => Ok(Symbol::Event(event)),
        (Observability::Anonymous(group), projection) => {
            let shown = match projection {
                Projection::Weak => eye.system.sign_name(eye.view_id.observer, Symbol::Nth(group, 1)),
                _ => eye.system.sign_name(eye.view_id.observer, Symbol::Group(group)),
            };
            let message = format!("`{word}` is anonymous: the {projection} view never shows its name");
            Err(Unreadable::new(message).help(format!("write its label, such as `{shown}`")))
        }
    }
}

/// The group of a label, with its number.
fn label(eye: &DrawContext<'_>, word: &str) -> Option<(GroupId, Option<u32>)> {
    let plain: String = word.chars().map(plain_digit).collect();
    eye.system.observer(eye.view_id.observer).labelled(&plain, &["?", "γ"])
}

fn plain_digit(character: char) -> char {
    match character {
        '₀'..='₉' => char::from(b'0' + (character as u32 - '₀' as u32) as u8),
        other => other,
    }
}

fn numbered(eye: &DrawContext<'_>, word: &str, group: GroupId, number: Option<u32>) -> Result<Symbol, Unreadable> {
    match (eye.view_id.projection, number) {
        (Projection::Strong, None) => Ok(Symbol::Group(group)),
        (Projection::Weak, Some(number)) => Ok(Symbol::Nth(group, number)),
        (Projection::Natural, _) => {
            let unreadable =
                Unreadable::new(format!("the natural view never shows `{word}`: every event shows its own name"));
            Err(unreadable.help("name the event, or choose the strong or the weak view"))
        }
        (Projection::Strong, Some(_)) => {
            let unreadable =
                Unreadable::new(format!("the strong view never shows `{word}`: labels have no number there"));
            Err(unreadable.help("remove the number, or choose the weak view"))
        }
        (Projection::Weak, None) => {
            let unreadable = Unreadable::new(format!("the weak view never shows `{word}`: labels are numbered there"));
            Err(unreadable.help(format!("number it in the order of first appearance: `{word}1`")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_by_white_space_or_commas_and_quotes_keep_them_together() {
        assert_eq!(words("?1 ?1, c"), ["?1", "?1", "c"]);
        assert_eq!(words(r#"a "waiting room" b"#), ["a", "waiting room", "b"]);
        assert_eq!(words(""), Vec::<String>::new());
    }
}
