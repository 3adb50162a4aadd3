//! Misspelt keywords.

use super::{Correction, Failure, Place, range};
use crate::diagnostic::near::distance;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::grammar::Rule;
use crate::syntax::token::{KEYWORDS, Token, TokenKind, WordClass};

/// The unexpected word resembles an expected one.
pub(super) fn misspelt_found(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|found| found.kind == TokenKind::Ident)?;
    let written = found.text(failure.patch.text());
    // Of a word that goes on (`amongst`) the parser took the beginning, and expects nothing in the middle of it.
    let begun = KEYWORDS.iter().map(|keyword| keyword.word).filter(|word| written.starts_with(word));
    let words = failure.stop.expected.iter().map(String::as_str).filter(|word| is_word(word));
    misspelt(failure, found, words.chain(begun))
}

/// The first word of the statement resembles a keyword that starts statements.
pub(super) fn misspelt_head(failure: &Failure<'_, '_>) -> Option<Correction> {
    let head = failure.tokens.get(failure.head_at()).copied()?;
    if head.kind != TokenKind::Ident || failure.taken() > 6 {
        return None;
    }
    let mut slip = misspelt(failure, head, beginnings(failure))?;
    slip.diagnostic.message = format!("no {} starts with `{}`", thing(failure.place), head.text(failure.patch.text()));
    Some(slip)
}

/// The previous word resembles a keyword: `check week 2-step`.
pub(super) fn misspelt_before(failure: &Failure<'_, '_>) -> Option<Correction> {
    let before = failure.near(-1).filter(|before| before.kind == TokenKind::Ident)?;
    if !matches!(failure.head(), "check" | "measure") || failure.taken() < 2 {
        return None;
    }
    use WordClass::*;
    let words = KEYWORDS.iter().filter(|keyword| matches!(keyword.class, Projection | Horizon | Property | Qualifier));
    let words = words.map(|keyword| keyword.word).chain(["not", "initial"]);
    misspelt(failure, before, words)
}

/// A statement that starts with no keyword and is not a transition.
pub(super) fn unknown_head(failure: &Failure<'_, '_>) -> Option<Correction> {
    let head = failure.tokens.get(failure.head_at()).copied().filter(|head| head.kind == TokenKind::Ident)?;
    let has_arrow = failure.tokens.iter().any(|token| token.kind == TokenKind::Arrow);
    let juxtaposed = failure.taken() == 1 && failure.kind(0).is_some_and(TokenKind::is_name) && !has_arrow;
    let words: Vec<&str> = beginnings(failure).collect();
    let written = head.text(failure.patch.text());
    if words.contains(&written) || !(juxtaposed || failure.taken() == 0) {
        return None;
    }
    let list = match failure.place {
        Place::File => "a file consists of `import`, `const`, `component`, `monitor` and `system`",
        Place::Block => {
            "a statement is a transition `A -a-> B;` or starts with a keyword such as `states`, `for` or `check`"
        }
    };
    let fault = Diagnostic::new(
        Code::E0112,
        failure.span(head),
        format!("no {} starts with `{written}`", thing(failure.place)),
    );
    Some(Correction::certain(fault.label("not a keyword").help(list)))
}

pub(super) fn thing(place: Place) -> &'static str {
    match place {
        Place::File => "item",
        Place::Block => "statement",
    }
}

/// The keywords that start an item or a statement here.
pub(super) fn beginnings(failure: &Failure<'_, '_>) -> impl Iterator<Item = &'static str> + use<> {
    let (place, heading) = (failure.place, failure.rule == Rule::heading);
    let fits = move |word: &str, class: WordClass| match place {
        Place::File if heading => matches!(word, "component" | "monitor" | "system"),
        Place::File => class == WordClass::Item,
        Place::Block if heading => matches!(word, "observer" | "for" | "if"),
        Place::Block => matches!(class, WordClass::Set | WordClass::Statement),
    };
    KEYWORDS.iter().filter(move |keyword| fits(keyword.word, keyword.class)).map(|keyword| keyword.word)
}

pub(super) fn misspelt<'w>(
    failure: &Failure<'_, '_>,
    token: Token,
    words: impl Iterator<Item = &'w str>,
) -> Option<Correction> {
    let written = token.text(failure.patch.text());
    let meant = nearest(written, words)?;
    let fault = Diagnostic::new(Code::E0112, failure.span(token), format!("`{written}` is not a keyword"))
        .label("unknown keyword")
        .help(format!("did you mean `{meant}`?"));
    Some(Correction::edit(fault, format!("replace with `{meant}`"), range(token), meant))
}

fn is_word(word: &str) -> bool {
    word.chars().all(|character| character.is_ascii_lowercase()) && word.len() > 1
}

/// The most similar word, if it is similar enough.
fn nearest<'w>(written: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    if written.len() > 32 {
        return None;
    }
    let folded = written.to_lowercase();
    let ranked = words.filter(|&word| word != written).map(|word| (distance(&folded, word), word));
    let best =
        ranked.filter(|&(distance, word)| is_near(&folded, word, distance)).min_by_key(|&(distance, _)| distance);
    best.map(|(_, word)| word)
}

/// Whether one word is a misspelling of the other: at most a third of the letters differ; in short words, only their order. `weakly` is `weak`.
fn is_near(written: &str, word: &str, distance: usize) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let lengthened = word.len() > 3 && written.len() <= word.len() + 2 && written.starts_with(word);
    distance <= (word.len() - 1) / 3 || lengthened || distance <= 1 && sorted(written) == sorted(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_nearly_right_are_recognised() {
        assert_eq!(nearest("Staets", ["states", "secret"].into_iter()), Some("states"));
        assert_eq!(nearest("weakly", ["weak", "strong"].into_iter()), Some("weak"));
        assert_eq!(nearest("x", ["in", "as"].into_iter()), None);
    }
}
