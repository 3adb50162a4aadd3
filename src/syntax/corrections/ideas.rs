//! Ideas of other languages that this one does not have: variables, guards, probabilities, time, temporal logic, priorities, hiding,
//! renaming, parameters of systems, channels, programs. Each has one message, which says what to write instead, and a page.
//!
//! An idea is recognised by its keyword, by its place in a transition or by the words of a check. The statement is then left out: it has
//! no counterpart that could be put in its place.

use super::{Correction, Failure, Place};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::token::{Token, TokenKind, class_of};
use std::ops::Range;

/// The keywords of each idea in other languages.
const KEYWORDS: &[(Code, &[&str])] = &[
    (
        Code::E0130,
        &[
            "int",
            "integer",
            "nat",
            "byte",
            "bool",
            "boolean",
            "real",
            "float",
            "enum",
            "var",
            "vars",
            "variable",
            "variables",
            "let",
            "counter",
            "counters",
            "array",
            "queue",
            "stack",
            "buffer",
            "assign",
            "update",
            "discrete",
        ],
    ),
    (Code::E0131, &["guard", "guards", "require", "assume", "precondition"]),
    (
        Code::E0132,
        &[
            "probability",
            "probabilities",
            "prob",
            "distribution",
            "rate",
            "rates",
            "weight",
            "random",
            "reward",
            "rewards",
        ],
    ),
    (
        Code::E0133,
        &["clock", "clocks", "timer", "timers", "delay", "deadline", "timeout", "urgent", "committed", "sleep"],
    ),
    (
        Code::E0134,
        &[
            "always",
            "eventually",
            "never",
            "globally",
            "finally",
            "ltl",
            "ctl",
            "spec",
            "ltlspec",
            "ctlspec",
            "invariant",
            "invar",
            "invarspec",
            "safety",
            "liveness",
            "reachable",
            "deadlock",
        ],
    ),
    (
        Code::E0135,
        &["priority", "priorities", "prioritize", "prioritise", "prefer", "preempt", "fair", "fairness", "justice"],
    ),
    (Code::E0136, &["hide", "hides", "hiding", "abstract", "mask"]),
    (Code::E0137, &["rename", "renaming", "relabel", "relabeling", "alias", "substitute"]),
    (Code::E0139, &["chan", "channel", "channels", "broadcast", "receive", "input", "output", "message", "messages"]),
    (
        Code::E0140,
        &[
            "while", "do", "loop", "goto", "atomic", "return", "break", "function", "fn", "def", "call", "switch",
            "case",
        ],
    ),
];

/// The words that begin a question of temporal logic after `check`.
const TEMPORAL: &[&str] = &[
    "G",
    "F",
    "X",
    "AG",
    "AF",
    "AX",
    "EF",
    "EG",
    "EX",
    "A",
    "E",
    "always",
    "eventually",
    "never",
    "globally",
    "finally",
    "ltl",
    "ctl",
    "reachable",
    "reachability",
    "unreachable",
    "reach",
    "invariant",
    "deadlock",
    "deadlock_free",
    "liveness",
    "safety",
    "nonblocking",
    "until",
    "possible",
    "terminates",
];

/// The words that begin a question about probabilities after `check`.
const CHANCES: &[&str] = &["probability", "prob", "P", "Pmax", "Pmin", "expected", "R"];

/// `int x = 0;`, `clock x;`, `priority a > b;`, `hide {a, b};`, `ltl { ... }`
pub(super) fn keyword(failure: &Failure<'_, '_>) -> Option<Correction> {
    let head = failure.tokens.get(failure.head_at()).copied().filter(|head| head.kind == TokenKind::Ident)?;
    let written = failure.head();
    let code = KEYWORDS.iter().find(|(_, words)| words.contains(&written))?.0;
    let next = failure.tokens.get(failure.head_at() + 1).copied();
    use TokenKind::*;
    // A state of that name has an arrow, a comma, a dot or an index after it.
    let is_state = next.is_some_and(|next| matches!(next.kind, Minus | Comma | Dot | Arrow | BracketOpen | FatArrow));
    // At the top level `let N = 3;` is a constant.
    let is_constant = failure.place == Place::File && code == Code::E0130 && matches!(written, "let" | "var");
    let is_component = failure.place == Place::File && code == Code::E0131;
    if is_state || is_constant || is_component || failure.taken() > 2 {
        return None;
    }
    let name = next.filter(|next| next.kind == Ident).map(|next| next.text(failure.patch.text()));
    Some(absent(code, failure.span(head), name))
}

/// `x := x + 1;`, `x = 0;`, `x++;`, `x += 1;`
pub(super) fn assignment(failure: &Failure<'_, '_>) -> Option<Correction> {
    let statement = statement(failure);
    let [name, sign, next, ..] = statement else { return None };
    use TokenKind::*;
    let joined = sign.end == next.start;
    let assigns = match (sign.kind, next.kind) {
        (Colon, Equals) | (Plus, Plus) | (Plus | Minus, Equals) => joined,
        (Equals, Integer) => failure.place == Place::Block,
        (Equals, Ident) => matches!(next.text(failure.patch.text()), "true" | "false") || is_sum(statement),
        _ => false,
    };
    let written = name.text(failure.patch.text());
    let is_name = name.kind == Ident && class_of(written).is_none();
    (assigns && is_name && failure.taken() <= 2).then(|| absent(Code::E0130, failure.span(*name), Some(written)))
}

/// `A -a [x > 0]-> B`, `A -a / x := x + 1-> B`, `A -a {0.5}-> B`, `A -a?x-> B`, `A -a-> B after 3`
pub(super) fn in_transition(failure: &Failure<'_, '_>) -> Option<Correction> {
    let statement = statement(failure);
    let is_transition = class_of(failure.head()).is_none() && failure.place == Place::Block;
    let kinds: Vec<TokenKind> = statement.iter().map(|token| token.kind).collect();
    if !is_transition || !kinds.contains(&TokenKind::Arrow) {
        return None;
    }
    let text = failure.patch.text();
    let (code, place) = guard(statement)
        .map(|place| (Code::E0131, place))
        .or_else(|| update(statement).map(|place| (Code::E0130, place)))
        .or_else(|| chance(statement, text).map(|place| (Code::E0132, place)))
        .or_else(|| duration(statement, text).map(|place| (Code::E0133, place)))
        .or_else(|| exchange(statement).map(|place| (Code::E0139, place)))?;
    Some(absent(code, failure.span_of(place), None))
}

/// `check always ...;`, `check AG !B;`, `check [] !B;`, `check P >= 0.5 ...;`
pub(super) fn in_check(failure: &Failure<'_, '_>) -> Option<Correction> {
    let mut words = statement(failure);
    if !matches!(failure.head(), "check" | "assert" | "property" | "verify" | "prove" | "query") {
        return None;
    }
    let text = failure.patch.text();
    words = &words[1..];
    if let [_, colon, rest @ ..] = words
        && colon.kind == TokenKind::Colon
    {
        words = rest;
    }
    if let [not, rest @ ..] = words
        && (not.kind == TokenKind::Not || not.text(text) == "not")
    {
        words = rest;
    }
    use TokenKind::*;
    let first = words.first()?;
    let box_or_diamond = matches!(words, [one, two, ..]
        if one.end == two.start && matches!((one.kind, two.kind), (BracketOpen, BracketClose) | (Less, Greater)));
    let names_horizon = words.get(1).is_some_and(|next| next.kind == Colon);
    let word = first.text(text);
    let code = match word {
        _ if box_or_diamond || TEMPORAL.contains(&word) => Code::E0134,
        _ if CHANCES.contains(&word) => Code::E0132,
        _ => return None,
    };
    (!names_horizon).then(|| absent(code, failure.span(*first), None))
}

/// `system Person(i) {`
pub(super) fn system_parameter(failure: &Failure<'_, '_>) -> Option<Correction> {
    let opened =
        failure.found_of(TokenKind::ParenOpen).filter(|_| failure.head() == "system" && failure.taken() == 2)?;
    let close = failure.tokens[failure.at..].iter().find(|token| token.kind == TokenKind::ParenClose)?;
    let name = failure.word(-1);
    let parameters = &failure.patch.text()[opened.start as usize..close.end as usize];
    let fault = Diagnostic::new(
        Code::E0138,
        failure.span_of(opened.start as usize..close.end as usize),
        "a system has no parameters",
    )
    .label("only components and monitors have parameters")
    .help(format!(
        "write `component {name}{parameters} {{ ... }}`, and compose it: `system All {{ compose p[i] = {name}(i) for i in 1..3; ... }}`"
    ));
    Some(Correction::certain(fault))
}

/// `x = x + 1`: arithmetic after the sign.
fn is_sum(statement: &[Token]) -> bool {
    statement[2..].iter().any(|token| matches!(token.kind, TokenKind::Plus | TokenKind::Minus | TokenKind::Star))
        && statement.iter().all(|token| !matches!(token.kind, TokenKind::Arrow | TokenKind::FatArrow))
}

/// The tokens of the statement.
fn statement<'f>(failure: &'f Failure<'_, '_>) -> &'f [Token] {
    let tokens = failure.tokens.get(failure.head_at()..).unwrap_or_default();
    let end = tokens.iter().position(|token| token.kind == TokenKind::Semicolon).unwrap_or(tokens.len());
    &tokens[..end]
}

/// A comparison in brackets, braces or parentheses.
fn guard(statement: &[Token]) -> Option<Range<usize>> {
    use TokenKind::*;
    let compares = |kind| {
        matches!(kind, Less | LessEquals | Greater | GreaterEquals | EqualsEquals | NotEquals | AndAnd | OrOr | Not)
    };
    let mut opened = None;
    let mut compared = false;
    for (at, token) in statement.iter().enumerate() {
        match token.kind {
            BracketOpen | BraceOpen | ParenOpen => (opened, compared) = (Some(at), false),
            BracketClose | BraceClose | ParenClose if compared => {
                return opened.map(|at| statement[at].start as usize..token.end as usize);
            }
            BracketClose | BraceClose | ParenClose => opened = None,
            kind => compared |= opened.is_some() && compares(kind),
        }
    }
    None
}

/// `:=`, `+=`, `++` in a transition.
fn update(statement: &[Token]) -> Option<Range<usize>> {
    use TokenKind::*;
    let pairs = statement.windows(3).find(|three| {
        let [name, one, two] = three else { return false };
        let assigns = matches!((one.kind, two.kind), (Colon, Equals) | (Plus, Equals | Plus));
        name.kind == Ident && assigns && one.end == two.start
    })?;
    Some(pairs[0].start as usize..pairs[2].end as usize)
}

/// `0.5`, `1/2`, `50%`: a number between or after the names.
fn chance(statement: &[Token], text: &str) -> Option<Range<usize>> {
    use TokenKind::*;
    let fraction = |three: &&[Token]| {
        let [one, two, three] = three else { return false };
        let parts = one.kind == Integer && matches!(two.kind, Dot | Slash) && three.kind == Integer;
        parts && (two.kind == Slash || one.end == two.start && two.end == three.start && one.text(text) == "0")
    };
    let percent = |two: &&[Token]| two[0].kind == Integer && two[1].kind == Percent;
    let found = statement.windows(3).find(fraction).or_else(|| statement.windows(2).find(percent))?;
    Some(found[0].start as usize..found[found.len() - 1].end as usize)
}

/// `A -a-> B after 3`, `A -a-> B within 5`, `A -a-> B in 5s`.
fn duration(statement: &[Token], text: &str) -> Option<Range<usize>> {
    let is_range = |at: usize| statement.get(at).is_some_and(|token| token.kind == TokenKind::DotDot);
    let timed = |&at: &usize| {
        let word = matches!(statement[at].text(text), "after" | "within" | "in" | "every" | "delay" | "before");
        word && statement[at + 1].kind == TokenKind::Integer && !is_range(at + 2)
    };
    let at = (1..statement.len().saturating_sub(1)).find(timed)?;
    Some(statement[at].start as usize..statement[at + 1].end as usize)
}

/// `A -a!-> B`, `A -a?x-> B`, `A -a!3-> B`: between `-` and `->`.
fn exchange(statement: &[Token]) -> Option<Range<usize>> {
    use TokenKind::*;
    let found = statement.windows(3).find(|three| {
        let [dash, event, sign] = three else { return false };
        dash.kind == Minus && event.kind == Ident && matches!(sign.kind, Not | Symbol) && event.end == sign.start
    })?;
    Some(found[1].start as usize..found[2].end as usize)
}

/// The message of an idea, with the name that the user gave to the thing.
fn absent(code: Code, span: Span, name: Option<&str>) -> Correction {
    let (message, label, help) = words(code, name);
    Correction::certain(Diagnostic::new(code, span, message).label(label).help(help))
}

/// The message, the question at the place, and the help; for `x` the help has the name that the user gave.
fn words(code: Code, name: Option<&str>) -> (&'static str, &'static str, String) {
    let x = name.unwrap_or("x");
    if let Some(&(_, message, label, help)) = IDEAS.iter().find(|(idea, ..)| *idea == code) {
        return (message, label, help.to_owned());
    }
    match code {
        Code::E0130 => (
            "the language has no variables",
            "a value that changes?",
            format!(
                "a family of states is one: `states {x}[0..3];` and `for n in 0..2 {{ {x}[n] -up-> {x}[n + 1]; }}`"
            ),
        ),
        Code::E0136 => (
            "events are not hidden by an operator",
            "hiding?",
            format!(
                "write `unobservable {};`: the event is there, and the intruder does not see it",
                name.unwrap_or("a, b")
            ),
        ),
        _ => (
            "a model is not a program",
            "a statement that is executed?",
            "write where each event leads: `A -a-> B;`; a loop is a transition back, `B -b-> A;`".to_owned(),
        ),
    }
}

/// The ideas whose help is the same whatever the user wrote: code, message, question at the place, help.
const IDEAS: &[(Code, &str, &str, &str)] = &[
    (
        Code::E0131,
        "transitions have no guards",
        "a condition on a value that changes?",
        "put the value into the states: `for n in 1..3 { A[n] -a-> B[n]; }` has no transition for 0",
    ),
    (
        Code::E0132,
        "the language has no probabilities",
        "a probability or a rate?",
        "leave the number out: what is possible counts, however unlikely; `among 3` asks for more alternatives",
    ),
    (
        Code::E0133,
        "the language has no time",
        "a clock, a delay or a deadline?",
        "count ticks: `events tick;` and `for n in 0..2 { wait[n] -tick-> wait[n + 1]; }`",
    ),
    (
        Code::E0134,
        "the language has no temporal logic",
        "a formula about runs?",
        "a check asks what an intruder may know: `monitor` remembers what has happened, `check current-state opacity of m.yes;` asks \
     whether it stays unknown",
    ),
    (
        Code::E0135,
        "the language has no priorities and no fairness",
        "which event goes first?",
        "every enabled event may come next: leave out the transitions that must not be taken, or add a part that \
     allows one event after the other",
    ),
    (
        Code::E0137,
        "events are not renamed",
        "renaming?",
        "give the component a parameter: `component User(i) { events send[i]; ... }`; `anonymous a, b as c;` changes only what is \
     seen",
    ),
    (
        Code::E0139,
        "the language has no channels and no messages",
        "sending or receiving?",
        "parts meet in the events that they share: write one event for each message, `events send[1..3];`, in both parts",
    ),
];

/// Whether a code stands for an idea that the language does not have: what is inside its block has no meaning either.
pub(in crate::syntax) fn is_idea(code: Code) -> bool {
    KEYWORDS.iter().any(|&(idea, _)| idea == code)
}

/// Whether a statement that starts with this word declares no name in any language.
pub(crate) fn declares_nothing(word: &str) -> bool {
    let declares = |code: Code| matches!(code, Code::E0130 | Code::E0133 | Code::E0139);
    KEYWORDS.iter().any(|&(code, words)| !declares(code) && words.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::token::{KEYWORDS as OURS, WordClass};

    #[test]
    fn no_word_that_begins_a_statement_or_an_item_stands_for_an_idea_that_the_language_lacks() {
        let begins = |class: WordClass| matches!(class, WordClass::Item | WordClass::Set | WordClass::Statement);
        for (code, words) in KEYWORDS {
            for word in *words {
                assert!(OURS.iter().all(|ours| ours.word != *word || !begins(ours.class)), "{code}: {word}");
            }
        }
    }

    #[test]
    fn a_message_is_for_each_idea() {
        let messages: std::collections::BTreeSet<&str> =
            KEYWORDS.iter().map(|&(code, _)| words(code, None).0).collect();
        assert_eq!(messages.len(), KEYWORDS.len());
    }
}
