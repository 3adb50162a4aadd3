//! Numbers and names as every message spells them.

use std::borrow::Cow;

/// `1 step`, `2 steps`, `1,234,567 pairs`.
pub fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

/// `1,000,000`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The names of some things; of more than `most` only those at both ends, and between them how many are left out.
pub fn elided<T, S: Into<String>>(things: &[T], most: usize, name: impl Fn(&T) -> S) -> Vec<String> {
    let named = |things: &[T]| things.iter().map(|thing| name(thing).into()).collect::<Vec<String>>();
    if things.len() <= most {
        return named(things);
    }
    let (start, end) = (&things[..most / 2], &things[things.len() - most / 2..]);
    let left_out = grouped((things.len() - start.len() - end.len()) as u64);
    let mut names = named(start);
    names.push(format!("... ({left_out} more) ..."));
    names.extend(named(end));
    names
}

/// The longest word of a message that is given whole, in characters: a name may have a megabyte.
const LONG_WORD: usize = 120;

/// How much of a longer one is given, from its start and from its end.
const KEPT: (usize, usize) = (60, 20);

/// The longest message, in characters.
const LONG_TEXT: usize = 4_000;

/// A text that can be read: overlong words lose their middle, an overlong text its end.
pub fn legible(text: String) -> String {
    if text.len() <= LONG_WORD {
        return text;
    }
    let words: Vec<Cow<'_, str>> = text.split(' ').map(shortened).collect();
    let text = words.join(" ");
    match text.char_indices().nth(LONG_TEXT) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text,
    }
}

fn shortened(word: &str) -> Cow<'_, str> {
    let is_long = word.len() > LONG_WORD && word.chars().nth(LONG_WORD).is_some();
    if !is_long {
        return Cow::Borrowed(word);
    }
    let start = word.char_indices().nth(KEPT.0).map_or(word.len(), |(at, _)| at);
    let end = word.char_indices().rev().nth(KEPT.1 - 1).map_or(0, |(at, _)| at);
    Cow::Owned(format!("{}...{}", &word[..start], &word[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped_and_one_thing_is_singular() {
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(count(1, "step"), "1 step");
        assert_eq!(count(2_000, "step"), "2,000 steps");
    }

    #[test]
    fn of_many_things_the_ends_are_named() {
        let numbers: Vec<u64> = (0..2_000).collect();
        assert_eq!(elided(&numbers[..4], 4, u64::to_string).join(" "), "0 1 2 3");
        assert_eq!(elided(&numbers, 4, u64::to_string).join(" "), "0 1 ... (1,996 more) ... 1998 1999");
    }

    #[test]
    fn a_name_of_a_megabyte_leaves_room_for_the_message() {
        let name = "ä".repeat(1 << 19);
        let text = legible(format!("unknown state `{name}` here"));
        assert!(text.starts_with("unknown state `ää") && text.ends_with("ää` here"), "{text}");
        assert!(text.chars().count() < 120, "{text}");
        assert_eq!(legible("b ".repeat(1 << 20)).chars().count(), LONG_TEXT + 4);
        assert_eq!(legible("as it is ".repeat(20)), "as it is ".repeat(20));
    }
}
