//! Observations and strings on the command line: `"?1 ?1 c"`, `a b "waiting room" send[2]`.

use super::pick;
use crate::cli::run::status::Failure;
use desc::automaton::EventId;
use desc::automaton::view::{GroupId, Observability, Projection, Symbol};
use desc::draw::figure::DrawContext;

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

pub fn event(eye: &DrawContext<'_>, name: &str) -> Result<EventId, Failure> {
    let events = || eye.system.automaton.events();
    events().find(|&event| eye.event(event) == name).ok_or_else(|| {
        let names: Vec<String> = events().map(|event| eye.event(event)).collect();
        pick::unknown("event", name, names.iter().map(String::as_str))
    })
}

/// A symbol by its name: `c`, `?`, `γ`, `?1`, `γ₁`, `voted2`.
pub fn sign(eye: &DrawContext<'_>, word: &str) -> Result<Symbol, Failure> {
    if let Ok(event) = event(eye, word) {
        return visible(eye, word, event);
    }
    match label(eye, word) {
        Some((group, number)) => numbered(eye, word, group, number),
        None => Err(unknown(eye, word)),
    }
}

fn unknown(eye: &DrawContext<'_>, word: &str) -> Failure {
    let mut names: Vec<String> = eye.system.automaton.events().map(|event| eye.event(event)).collect();
    names.extend(eye.system.observer(eye.view_id.observer).labels.iter().flatten().cloned());
    let failure = pick::unknown("event or label", word, names.iter().map(String::as_str));
    match (failure.help.is_some(), word.starts_with(['?', 'γ'])) {
        (false, true) => failure.help("this observer has no unlabelled group of anonymous events"),
        _ => failure,
    }
}

/// The symbol of an event that is neither unobservable nor anonymous in this view.
fn visible(eye: &DrawContext<'_>, word: &str, event: EventId) -> Result<Symbol, Failure> {
    let observer = &eye.system.observer(eye.view_id.observer).observer;
    match (observer.observability(event), eye.view_id.projection) {
        (Observability::Silent, _) => Err(Failure::new(format!("`{word}` is unobservable: no observation shows it"))),
        (Observability::Visible, _) | (_, Projection::Natural) => Ok(Symbol::Event(event)),
        (Observability::Anonymous(group), projection) => {
            let shown = match projection {
                Projection::Weak => eye.system.sign_name(eye.view_id.observer, Symbol::Nth(group, 1)),
                _ => eye.system.sign_name(eye.view_id.observer, Symbol::Group(group)),
            };
            let message = format!("`{word}` is anonymous: the {projection} view never shows its name");
            Err(Failure::new(message).help(format!("write its label, such as `{shown}`")))
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

fn numbered(eye: &DrawContext<'_>, word: &str, group: GroupId, number: Option<u32>) -> Result<Symbol, Failure> {
    match (eye.view_id.projection, number) {
        (Projection::Strong, None) => Ok(Symbol::Group(group)),
        (Projection::Weak, Some(number)) => Ok(Symbol::Nth(group, number)),
        (Projection::Natural, _) => {
            let failure =
                Failure::new(format!("the natural view never shows `{word}`: every event shows its own name"));
            Err(failure.help("name the event, or add `--view strong` or `--view weak`"))
        }
        (Projection::Strong, Some(_)) => {
            let failure = Failure::new(format!("the strong view never shows `{word}`: labels have no number there"));
            Err(failure.help("remove the number, or add `--view weak`"))
        }
        (Projection::Weak, None) => {
            let failure = Failure::new(format!("the weak view never shows `{word}`: labels are numbered there"));
            Err(failure.help(format!("number it in the order of first appearance: `{word}1`")))
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
