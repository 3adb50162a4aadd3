//! What may come next in a statement, by its tokens so far.

use super::place::{Place, Word};
use crate::syntax::token::{TokenKind, WordClass, class_of};

/// What may come next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Want<'a> {
    /// These keywords.
    Words(&'static [&'static str]),
    /// States, and instances that lead to states.
    States,
    /// Events.
    Events,
    /// Instances of components.
    Instances,
    /// Observers.
    Observers,
    /// Agents.
    Agents,
    /// Components.
    Components,
    /// Indices, parameters and constants.
    Values,
    /// Labels of anonymous events.
    Signs,
    /// The keywords for sets of states.
    StateSets,
    /// The keywords for sets of events.
    EventSets,
    /// The members of the instance with this path.
    Members(Vec<&'a str>),
}

const ITEMS: Want = Want::Words(&["system", "component", "monitor", "const", "import"]);
const STATEMENTS: Want = Want::Words(&[
    "states",
    "initial",
    "events",
    "observable",
    "unobservable",
    "anonymous",
    "secret",
    "final",
    "check",
    "measure",
    "may",
    "must",
    "for",
    "if",
    "compose",
    "observer",
]);
const OVER: Want = Want::Words(&["for", "if"]);
const OBSERVER: Want = Want::Words(&["observable", "unobservable", "anonymous", "for", "if"]);
const PROJECTIONS: Want = Want::Words(&["strong", "weak", "natural"]);
const HORIZONS: Want = Want::Words(&[
    "infinite-step",
    "current-state",
    "initial-state",
    "initial-final",
    "0-step",
    "1-step",
    "2-step",
    "exactly",
]);
const PROPERTIES: Want = Want::Words(&["anonymity", "opacity"]);
const QUALIFIERS: Want = Want::Words(&["among", "about", "except", "against"]);

/// What may come next.
pub fn wants<'a>(place: &Place<'a>) -> Vec<Want<'a>> {
    let statement = place.statement.as_slice();
    let Some((first, rest)) = statement.split_first() else { return beginning(place) };
    if statement.last().is_some_and(|last| last.kind == TokenKind::Dot) {
        return vec![Want::Members(path(&statement[..statement.len() - 1]))];
    }
    let is_question = matches!(first.text, "check" | "measure");
    match innermost(statement) {
        Some((TokenKind::BracketOpen, before)) if is_question && !names_family(before) => {
            return vec![Want::Events, Want::Signs];
        }
        Some((TokenKind::BracketOpen, _)) => return vec![Want::Values],
        Some((TokenKind::ParenOpen, before)) if names_family(before) || is_question => return vec![Want::Values],
        _ => {}
    }
    if is_arrow_statement(statement) {
        return transition(statement);
    }
    if class_of(first.text) == Some(WordClass::Set) {
        return declaration(first.text, rest);
    }
    match first.text {
        "final" => operand(rest, &[Want::States, Want::StateSets], &[OVER]),
        "check" => check(rest),
        "measure" => measure(rest),
        "may" => offer(rest),
        "must" => made(rest),
        "compose" => compose(rest),
        "for" => bound(rest),
        "if" => operand(rest, &[Want::Values], &[]),
        "const" if rest.iter().any(|word| word.kind == TokenKind::Equals) => operand(rest, &[Want::Values], &[]),
        "observer" if rest.iter().any(|word| word.kind == TokenKind::Equals) => operand(rest, &[Want::Observers], &[]),
        "import" if rest.len() == 1 => vec![Want::Words(&["as"])],
        "else" => vec![Want::Words(&["if"])],
        _ if class_of(first.text).is_some() => Vec::new(),
        _ => transition(statement),
    }
}

/// `anonymous door[d, i] as opens[d] by person[i] for d in 1..2`
fn declaration<'a>(word: &str, rest: &[Word<'a>]) -> Vec<Want<'a>> {
    let over = rest.iter().position(|word| matches!(word.text, "for" | "if"));
    if let Some(over) = over {
        return bound(&rest[over..]);
    }
    let has = |wanted: &str| rest.iter().any(|word| word.text == wanted);
    match word {
        "states" | "events" => Vec::new(),
        "initial" | "secret" => operand(rest, &[Want::States, Want::StateSets], &[OVER]),
        "observable" | "unobservable" => operand(rest, &[Want::Events, Want::EventSets], &[OVER]),
        _ if has("by") => operand(rest, &[Want::Agents], &[OVER]),
        _ if has("as") => operand(rest, &[], &[Want::Words(&["by", "for", "if"])]),
        _ => operand(rest, &[Want::Events, Want::EventSets], &[Want::Words(&["as", "by", "for", "if"])]),
    }
}

const LEVERS: Want = Want::Words(&["hide", "anonymise", "disable"]);

/// `may together hide door[1..12] cost 4`
fn offer<'a>(rest: &[Word<'a>]) -> Vec<Want<'a>> {
    match rest.split_first() {
        None => vec![LEVERS, Want::Words(&["together"])],
        Some((together, [])) if together.text == "together" => vec![LEVERS],
        Some((together, [word, rest @ ..])) if together.text == "together" => lever(word.text, rest, true),
        Some((word, rest)) => lever(word.text, rest, true),
    }
}

/// `must hide log`
fn made<'a>(rest: &[Word<'a>]) -> Vec<Want<'a>> {
    match rest.split_first() {
        None => vec![LEVERS],
        Some((word, rest)) => lever(word.text, rest, false),
    }
}

/// `anonymise vote[i] as voted by voter[i] from Clerk cost 2 for i in 1..3`
fn lever<'a>(word: &str, rest: &[Word<'a>], is_offer: bool) -> Vec<Want<'a>> {
    if let Some(over) = rest.iter().position(|word| matches!(word.text, "for" | "if")) {
        return bound(&rest[over..]);
    }
    let has = |wanted: &str| rest.iter().any(|word| word.text == wanted);
    let cost: &[Want<'a>] = if is_offer { &[Want::Words(&["cost"]), OVER] } else { &[OVER] };
    let after = |words: &'static [&'static str]| [&[Want::Words(words)], cost].concat();
    match word {
        _ if has("cost") => operand(rest, &[Want::Values], &[OVER]),
        _ if has("from") => operand(rest, &[Want::Observers], cost),
        _ if has("by") => operand(rest, &[Want::Agents], &after(&["from"])),
        _ if has("as") => operand(rest, &[], &after(&["by", "from"])),
        "anonymise" => operand(rest, &[Want::Events, Want::EventSets], &after(&["as", "by", "from"])),
        "hide" => operand(rest, &[Want::Events, Want::EventSets], &after(&["from"])),
        "disable" => operand(rest, &[Want::Events, Want::EventSets], cost),
        _ => Vec::new(),
    }
}

/// `repair costs 3`, `repair impossible`
fn repair<'a>(rest: &[Word<'a>]) -> Vec<Want<'a>> {
    match rest.last().map(|last| last.text) {
        Some("repair") => vec![Want::Words(&["costs", "impossible"])],
        Some("costs") => vec![Want::Values],
        _ => Vec::new(),
    }
}

/// The start of a statement.
fn beginning<'a>(place: &Place<'a>) -> Vec<Want<'a>> {
    match place.blocks.iter().rev().find(|word| !matches!(**word, "for" | "if" | "else")) {
        None => vec![ITEMS],
        Some(&"observer") => vec![OBSERVER],
        Some(_) => vec![STATEMENTS, Want::States],
    }
}

/// Operands, or what may follow an operand.
fn operand<'a>(rest: &[Word<'a>], before: &[Want<'a>], after: &[Want<'a>]) -> Vec<Want<'a>> {
    let ended = rest.last().is_some_and(|last| last.ends_operand());
    if ended { after.to_vec() } else { before.to_vec() }
}

fn is_arrow_statement(statement: &[Word]) -> bool {
    let question =
        statement.first().is_some_and(|first| matches!(first.text, "check" | "measure" | "compose" | "const"));
    !question && statement.iter().any(|word| word.kind == TokenKind::Arrow)
}

/// `A -a-> B`: events after the minus, states after the arrow.
fn transition<'a>(statement: &[Word<'a>]) -> Vec<Want<'a>> {
    let mark = statement.iter().rev().find(|word| matches!(word.kind, TokenKind::Minus | TokenKind::Arrow));
    match mark.map(|mark| mark.kind) {
        Some(TokenKind::Minus) => operand(statement, &[Want::Events, Want::EventSets], &[]),
        _ => operand(statement, &[Want::States, Want::StateSets], &[]),
    }
}

fn check<'a>(rest: &[Word<'a>]) -> Vec<Want<'a>> {
    let rest = after_title(rest);
    let (negated, rest) = match rest.split_first() {
        Some((not, rest)) if not.text == "not" => (true, rest),
        _ => (false, rest),
    };
    match rest.first().map(|first| first.text) {
        None if negated => vec![PROJECTIONS, HORIZONS, Want::Words(&["estimate", "projection", "repair"])],
        None => vec![PROJECTIONS, HORIZONS, Want::Words(&["not", "estimate", "projection", "repair"])],
        Some("estimate") => estimate(rest),
        Some("projection") => projection(rest),
        Some("repair") => repair(rest),
        Some(_) => property(rest),
    }
}

fn measure<'a>(rest: &[Word<'a>]) -> Vec<Want<'a>> {
    match after_title(rest) {
        [] => vec![PROJECTIONS, PROPERTIES, QUALIFIERS],
        rest => property(rest),
    }
}

fn after_title<'b, 'a>(rest: &'b [Word<'a>]) -> &'b [Word<'a>] {
    match rest {
        [_, colon, rest @ ..] if colon.kind == TokenKind::Colon => rest,
        _ => rest,
    }
}

/// Projection, horizon, property, qualifiers: by the last keyword.
fn property<'a>(rest: &[Word<'a>]) -> Vec<Want<'a>> {
    let Some(last) = rest.last() else { return vec![HORIZONS] };
    let has_horizon = rest.iter().any(|word| matches!(word.text, "step" | "state" | "final"));
    match (last.text, class_of(last.text)) {
        (_, Some(WordClass::Projection)) => vec![HORIZONS, PROPERTIES],
        ("exactly" | "among", _) => vec![Want::Values],
        ("against", _) => vec![Want::Observers],
        ("of" | "except", _) => vec![Want::States, Want::StateSets],
        ("opacity", _) => vec![Want::Words(&["of", "throughout", "against"])],
        ("about", _) => vec![Want::Instances, Want::States],
        ("-", _) => after_minus(rest),
        ("final", _) => vec![Want::Words(&["opacity"])],
        ("step" | "state", _) => vec![PROPERTIES, QUALIFIERS],
        ("infinite" | "current" | "initial", _) => Vec::new(),
        (_, Some(WordClass::Property)) => vec![QUALIFIERS],
        _ if last.ends_operand() && !has_horizon => vec![Want::Words(&["-step"])],
        _ if last.ends_operand() => vec![QUALIFIERS],
        _ => vec![Want::States],
    }
}

fn after_minus<'a>(rest: &[Word<'a>]) -> Vec<Want<'a>> {
    match rest.iter().rev().nth(1).map(|word| word.text) {
        Some("initial") => vec![Want::Words(&["state", "final"])],
        Some("current") => vec![Want::Words(&["state"])],
        _ => vec![Want::Words(&["step"])],
    }
}

/// `estimate strong [?] given [? ?] = {A}`
fn estimate<'a>(rest: &[Word<'a>]) -> Vec<Want<'a>> {
    let expected = rest.iter().any(|word| word.kind == TokenKind::Equals);
    let given = rest.iter().any(|word| word.text == "given");
    match rest.last() {
        Some(last) if last.text == "estimate" => vec![PROJECTIONS],
        Some(last) if last.text == "against" => vec![Want::Observers],
        Some(last) if expected && !last.ends_operand() => vec![Want::States, Want::StateSets],
        Some(last) if expected && last.ends_operand() => vec![Want::Words(&["against"])],
        Some(last) if last.kind == TokenKind::BracketClose && !given => vec![Want::Words(&["given", "against"])],
        Some(last) if last.kind == TokenKind::BracketClose => vec![Want::Words(&["against"])],
        _ => Vec::new(),
    }
}

/// `projection weak [a b] = [?1 ?2]`
fn projection<'a>(rest: &[Word<'a>]) -> Vec<Want<'a>> {
    match rest.last() {
        Some(last) if last.text == "projection" => vec![PROJECTIONS],
        Some(last) if last.text == "against" => vec![Want::Observers],
        Some(last) if last.kind == TokenKind::BracketClose => vec![Want::Words(&["against"])],
        _ => Vec::new(),
    }
}

/// `u[i] = User(i) for i in 1..N, mix = Mix`
fn compose<'a>(rest: &[Word<'a>]) -> Vec<Want<'a>> {
    let part = rest.rsplit(|word| word.kind == TokenKind::Comma).next().unwrap_or(rest);
    match part.last().map(|last| (last.kind, last.text)) {
        Some((TokenKind::Equals, _)) => vec![Want::Components],
        Some((_, "for")) => Vec::new(),
        _ if part.iter().any(|word| matches!(word.text, "for" | "in")) => bound(part),
        Some((TokenKind::Ident | TokenKind::ParenClose, _))
            if part.iter().any(|word| word.kind == TokenKind::Equals) =>
        {
            vec![Want::Words(&["for"])]
        }
        _ => Vec::new(),
    }
}

/// `i in 1..N if i != j`
fn bound<'a>(rest: &[Word<'a>]) -> Vec<Want<'a>> {
    let from = rest.iter().rposition(|word| matches!(word.text, "in" | "if" | "for"));
    match from.map(|at| rest[at].text) {
        Some("in") => operand(&rest[from.unwrap_or(0) + 1..], &[Want::Values], &[Want::Words(&["if"])]),
        Some("if") => operand(&rest[from.unwrap_or(0) + 1..], &[Want::Values], &[]),
        _ if rest.last().is_some_and(|last| last.kind == TokenKind::Ident && last.text != "for") => {
            vec![Want::Words(&["in"])]
        }
        _ => Vec::new(),
    }
}

/// The innermost open bracket, with the token before it.
fn innermost<'b, 'a>(statement: &'b [Word<'a>]) -> Option<(TokenKind, Option<&'b Word<'a>>)> {
    let mut closed = 0;
    for at in (0..statement.len()).rev() {
        match statement[at].kind {
            TokenKind::BracketClose | TokenKind::ParenClose | TokenKind::BraceClose => closed += 1,
            TokenKind::BracketOpen | TokenKind::ParenOpen | TokenKind::BraceOpen if closed > 0 => closed -= 1,
            kind @ (TokenKind::BracketOpen | TokenKind::ParenOpen | TokenKind::BraceOpen) => {
                return Some((kind, at.checked_sub(1).map(|before| &statement[before])));
            }
            _ => {}
        }
    }
    None
}

/// Whether a bracket after this token contains indices or arguments, rather than an observation or a set.
fn names_family(before: Option<&Word>) -> bool {
    before.is_some_and(|word| word.kind.is_name() && class_of(word.text).is_none())
}

/// `u`, `inner` of `u[1].inner`: the names at the end, without indices.
fn path<'a>(statement: &[Word<'a>]) -> Vec<&'a str> {
    let mut names = Vec::new();
    let mut depth = 0;
    for word in statement.iter().rev() {
        match word.kind {
            TokenKind::BracketClose => depth += 1,
            TokenKind::BracketOpen if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            TokenKind::Dot => {}
            TokenKind::Ident | TokenKind::Integer | TokenKind::Quoted => {
                names.push(word.text.trim_matches('"'));
                // Two names in a row: the second begins the path.
                if !follows_dot(statement, word) {
                    break;
                }
            }
            _ => break,
        }
    }
    names.reverse();
    names
}

fn follows_dot(statement: &[Word], word: &Word) -> bool {
    let at = statement.iter().position(|other| std::ptr::eq(other, word));
    at.and_then(|at| at.checked_sub(1)).is_some_and(|before| statement[before].kind == TokenKind::Dot)
}
