//! A choice, written into the file: `may hide log cost 3;` becomes `must hide log;`.
//!
//! In a `may` statement all of whose levers are chosen, `may` becomes `must`, and `together` and `cost` go; otherwise what is chosen is written out
//! after it, event by event. What was not offered in the file stands after the last declaration of the system. Everything else,
//! comments included, stays as it is; only a promised cost of the repair becomes 0.
//!
//! The statements change what is observed after everything else was read, so they mean the choice in every system: with families,
//! parts, observers and imported components. [`fresh`](super::fresh) checks that they do.

use super::choice::Choice;
use super::spelling::clauses;
use crate::model::System;
use crate::model::change::{Change, Lever};
use crate::source::{SourceFile, Span};
use crate::syntax::ast::{self, ItemKind, Question, Stmt, StmtKind, statements};
use crate::syntax::spelling::member;
use std::collections::BTreeMap;

/// A piece of text that is replaced.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// Its first byte.
    pub start: u32,
    /// After its last byte.
    pub end: u32,
    /// What stands there afterwards.
    pub text: String,
}

/// How statements are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// A `may` statement whose levers are all chosen is changed where it stands.
    InPlace,
    /// Everything that is chosen is written out.
    WrittenOut,
}

/// The edits that make a choice; none: the system is not in this file.
pub(super) fn edits(
    file: &SourceFile,
    tree: &ast::File,
    system: &System,
    (levers, choice): (&[Lever], &Choice),
    way: Way,
) -> Option<Vec<Edit>> {
    let body = body(tree, system)?;
    let mut edits = Vec::new();
    let mut written: BTreeMap<Span, Vec<&Change>> = BTreeMap::new();
    for (place, chosen) in by_statement(levers, choice) {
        let whole = levers.iter().filter(|lever| lever.span == place).count() == chosen.len();
        let statement = place.and_then(|place| lever_at(body, place));
        match (statement, place) {
            (Some(lever), _) if whole && way == Way::InPlace => edits.extend(made(file, lever)),
            (_, place) => {
                let after = place.and_then(|place| outermost(body, place)).or_else(|| last_declaration(body));
                written.entry(after.map_or(system.span, |stmt| stmt.span)).or_default().extend(chosen);
            }
        }
    }
    let write =
        |(after, changes): (Span, Vec<&Change>)| insertion(file, system, after, &statements_of(system, &changes));
    edits.extend(written.into_iter().map(write));
    edits.sort();
    Some(edits)
}

/// The edits that offer more: `may hide log;` after the last declaration of a system.
pub fn offering(file: &SourceFile, tree: &ast::File, system: &System, offers: &[String]) -> Option<Vec<Edit>> {
    let after = last_declaration(body(tree, system)?).map_or(system.span, |stmt| stmt.span);
    let lines: Vec<String> =
        offers.iter().map(|offer| format!("may {};", offer.trim().trim_end_matches(';'))).collect();
    Some(vec![insertion(file, system, after, &lines)])
}

/// The edits that make the promised cost of a repair 0.
pub(super) fn promises(tree: &ast::File, system: &System) -> Vec<Edit> {
    let checks = body(tree, system).into_iter().flat_map(statements).filter_map(|stmt| match &stmt.kind {
        StmtKind::Check(check) if check.not.is_none() => Some(check),
        _ => None,
    });
    let costs = checks.filter_map(|check| match &check.question {
        Question::Repair { costs: Some(costs) } => Some(costs.span()),
        _ => None,
    });
    costs.map(|span| Edit { start: span.start, end: span.end, text: "0".to_owned() }).collect()
}

/// A text after edits that do not overlap, in order.
pub fn applied(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(text.get(at..edit.start as usize).unwrap_or_default());
        out.push_str(&edit.text);
        at = edit.end as usize;
    }
    out + text.get(at..).unwrap_or_default()
}

fn body<'t>(tree: &'t ast::File, system: &System) -> Option<&'t [Stmt]> {
    tree.items.iter().find_map(|item| match &item.kind {
        ItemKind::System(written) if written.name.span == system.span => Some(&written.body[..]),
        _ => None,
    })
}

/// The chosen changes by the statement that offers them.
fn by_statement<'l>(levers: &'l [Lever], choice: &Choice) -> BTreeMap<Option<Span>, Vec<&'l Change>> {
    let mut found: BTreeMap<Option<Span>, Vec<&Change>> = BTreeMap::new();
    for lever in choice.iter().map(|lever| &levers[lever]) {
        found.entry(lever.span).or_default().push(&lever.change);
    }
    found
}

/// The lever that is written at a place.
fn lever_at(body: &[Stmt], place: Span) -> Option<&ast::Lever> {
    statements(body).filter(|stmt| stmt.span == place).find_map(|stmt| match &stmt.kind {
        StmtKind::Lever(lever) => Some(&**lever),
        _ => None,
    })
}

/// The statement of a body that contains a place.
fn outermost(body: &[Stmt], place: Span) -> Option<&Stmt> {
    body.iter().find(|stmt| stmt.span.start <= place.start && place.end <= stmt.span.end)
}

/// The last statement that asks nothing.
fn last_declaration(body: &[Stmt]) -> Option<&Stmt> {
    let asks = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::Check(_) | StmtKind::Measure(_));
    let in_it = |stmt: &Stmt| statements(std::slice::from_ref(stmt)).any(|inner| asks(&inner));
    body.iter().rfind(|stmt| !in_it(stmt))
}

/// The edits that turn `may together hide a, b cost 3` into `must hide a, b`.
fn made(file: &SourceFile, lever: &ast::Lever) -> Vec<Edit> {
    let Some(offer) = lever.offer else { return Vec::new() };
    let text = file.text().as_bytes();
    let blank = |at: u32| text.get(at as usize).is_some_and(|byte| matches!(byte, b' ' | b'\t'));
    let after = |mut end: u32| {
        while blank(end) {
            end += 1;
        }
        end
    };
    let before = |mut start: u32| {
        while start > 0 && blank(start - 1) {
            start -= 1;
        }
        start
    };
    let gone = |start: u32, end: u32| Edit { start, end, text: String::new() };
    let may = Edit { start: offer.may.start, end: offer.may.end, text: "must".to_owned() };
    let together = offer.together.map(|word| gone(word.start, after(word.end)));
    let cost = lever.cost.as_ref().map(|cost| gone(before(cost.span.start), cost.value.span().end));
    std::iter::once(may).chain(together).chain(cost).collect()
}

/// The statements that make changes: one for all events to which the same is done.
fn statements_of(system: &System, changes: &[&Change]) -> Vec<String> {
    let mut alike: Vec<(String, Vec<String>)> = Vec::new();
    for change in changes {
        let (word, clauses) = (change.kind.word(), clauses(system, change));
        let key = format!("{word} {clauses}");
        let names = change.events.iter().map(|&event| member(&system.names.event(event)).into_owned());
        match alike.iter_mut().find(|(known, _)| *known == key) {
            Some((_, events)) => events.extend(names),
            None => alike.push((key, names.collect())),
        }
    }
    let written = |(key, events): (String, Vec<String>)| {
        let (word, clauses) = key.split_once(' ').unwrap_or((&key, ""));
        format!("must {word} {}{clauses};", events.join(", "))
    };
    alike.into_iter().map(written).collect()
}

/// Lines after a statement: on lines of their own if it ends its line, else right after it.
fn insertion(file: &SourceFile, system: &System, after: Span, lines: &[String]) -> Edit {
    let text = file.text();
    let end = if after == system.span { opening(text, after) } else { after.end as usize };
    let rest = text.get(end..).unwrap_or_default();
    let line_end = rest.find('\n').unwrap_or(rest.len());
    let tail = rest[..line_end].trim();
    if !(tail.is_empty() || tail.starts_with("//")) || line_end == rest.len() {
        let at = end as u32;
        return Edit { start: at, end: at, text: lines.iter().map(|line| format!(" {line}")).collect() };
    }
    let is_crlf = rest[..line_end].ends_with('\r');
    let at = (end + line_end - usize::from(is_crlf)) as u32;
    let (indent, break_) =
        (indentation(text, after.start as usize, after == system.span), if is_crlf { "\r\n" } else { "\n" });
    Edit { start: at, end: at, text: lines.iter().map(|line| format!("{break_}{indent}{line}")).collect() }
}

/// After the `{` that follows the name of a system.
fn opening(text: &str, name: Span) -> usize {
    let from = name.end as usize;
    text.get(from..).and_then(|rest| rest.find('{')).map_or(from, |at| from + at + 1)
}

/// The white space before the statement that starts here; one level more than the system itself inside of it.
fn indentation(text: &str, start: usize, is_system: bool) -> String {
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let blank: String = text[line..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    if is_system { blank + "    " } else { blank }
}
