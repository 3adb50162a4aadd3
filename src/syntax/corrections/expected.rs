//! The message of last resort: what was expected and what was found.

use super::Failure;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::grammar::{INTEGER, NAME, Rule};
use crate::syntax::token::TokenKind;

pub(super) fn unexpected(failure: &Failure<'_, '_>) -> Diagnostic {
    let expected = listed(&phrases(failure));
    let message = match (failure.found(), expected.is_empty()) {
        (None, true) => "unexpected end of the text".to_owned(),
        // The head of a block is parsed alone; what follows it is the block.
        (None, false) if failure.rule == Rule::heading => format!("expected {expected}, found `{{`"),
        (None, false) => format!("expected {expected}, found the end of the text"),
        (Some(_), true) => format!("unexpected {}", found(failure)),
        (Some(_), false) => format!("expected {expected}, found {}", found(failure)),
    };
    let label = if expected.is_empty() { "unexpected".to_owned() } else { format!("expected {expected}") };
    let fault = failure.fault(Code::E0111, message).label(label);
    let second = failure.tokens.get(failure.head_at() + 1).map_or("", |token| token.text(failure.patch.text()));
    let last = failure.word(-1);
    let second = match last {
        "among" | "about" | "against" => last,
        _ if failure.has_taken("=") && failure.head() == "observer" => "=",
        _ if failure.has_taken("by") => "by",
        _ => second,
    };
    match example(failure.head(), second) {
        Some(example) => fault.help(format!("an example: `{example}`")),
        None => fault,
    }
}

/// The unexpected token, shortened.
fn found(failure: &Failure<'_, '_>) -> String {
    let word = failure.word(0);
    let short: String = word.chars().take(40).collect();
    let dots = if short.len() < word.len() { "..." } else { "" };
    match failure.kind(0) {
        Some(TokenKind::Ident) => format!("`{short}{dots}`"),
        Some(TokenKind::Integer) => format!("the number `{short}{dots}`"),
        _ => format!("`{short}{dots}`"),
    }
}

/// What was expected, the most specific first, without what may follow every name.
fn phrases(failure: &Failure<'_, '_>) -> Vec<String> {
    let expected = &failure.stop.expected;
    if expected.contains("infinite") {
        return vec!["a horizon such as `2-step`".to_owned()];
    }
    if failure.rule != Rule::heading && failure.taken() == 0 {
        return vec!["a statement".to_owned()];
    }
    let always = ["[", ".", "|", "&", "\\", "(", "+", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||"];
    let operand = expected.contains(NAME);
    let mut phrases: Vec<String> = Vec::new();
    if operand && (expected.contains("!") || expected.contains("(") && !expected.contains("{")) {
        phrases.push("a number".to_owned());
    } else if operand && failure.kind(-1) == Some(TokenKind::Arrow) {
        phrases.push("a state".to_owned());
    } else if operand {
        phrases.push(NAME.to_owned());
    } else if expected.contains(INTEGER) {
        phrases.push(INTEGER.to_owned());
    }
    let operator = !operand && expected.contains("*");
    if operator {
        phrases.push("an operator".to_owned());
    }
    let hidden = |word: &str| {
        always.contains(&word)
            || word == NAME
            || word == INTEGER
            || operand && matches!(word, "{" | "-" | "!")
            || operator && word == "-"
    };
    let words = expected.iter().filter(|word| !hidden(word) && word.is_ascii());
    let is_builtin = |word: &str| operand && crate::syntax::token::class_of(word).is_some();
    phrases.extend(words.filter(|word| !is_builtin(word)).take(5).map(|word| format!("`{word}`")));
    phrases
}

/// `a, b or c`
fn listed(phrases: &[String]) -> String {
    match phrases {
        [] => String::new(),
        [only] => only.clone(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}

/// An example of a statement with this keyword.
fn example(head: &str, second: &str) -> Option<&'static str> {
    Some(match head {
        "check" if second == "estimate" => "check estimate weak [a] given [a ?1] = {A, B};",
        "check" if second == "among" => "check weak 2-step among 3;",
        "check" if second == "about" => "check weak 2-step about {A, B} | {C, D};",
        "check" if second == "against" => "check weak 2-step against Clerk;",
        "check" if second == "repair" => "check repair costs 3;",
        "check" if second == "projection" => "check projection weak [a b b] = [?1 ?2 ?2];",
        "import" => "import \"mix.des\";",
        "const" => "const N = 3;",
        "component" => "component User(i) { ... }",
        "monitor" => "monitor Voted(i) { ... }",
        "system" => "system Name { ... }",
        "states" => "states idle, held[1..3];",
        "events" => "events a, send[1..3];",
        "initial" => "initial A, B;",
        "observable" => "observable events \\ {a};",
        "unobservable" => "unobservable a, b;",
        "anonymous" if second == "by" => "anonymous vote[i] as voted by voter[i] for i in 1..3;",
        "anonymous" => "anonymous a, b as label;",
        "secret" => "secret A, B;",
        "final" => "final A, B;",
        "for" => "for i in 1..3 if i != 2 { ... }",
        "if" => "if N > 2 { ... } else { ... }",
        "compose" => "compose u[i] = User(i) for i in 1..3, mix = Mix;",
        "observer" if second == "=" => "observer Both = Clerk + Insider;",
        "observer" => "observer Clerk { ... }",
        "check" => "check weak 2-step;",
        "measure" => "measure weak;",
        "may" if second == "anonymise" => "may anonymise a, b as label cost 2;",
        "may" if second == "disable" => "may disable a cost 2;",
        "may" => "may hide a, b cost 2;",
        "must" => "must hide a, b;",
        _ => return None,
    })
}
