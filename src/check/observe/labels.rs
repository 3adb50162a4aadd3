//! The labels of groups: their names, and that no two things are shown by the same one.
//!
//! Under `strong` a group shows its label, `sends[2]`; under `weak` the label and a number, `sends[2]#1`. The group without a label
//! shows `?` and `?1`, or γ and γ1. None of these may be the name of an event or a label of another group.

use crate::check::context::Context;
use crate::check::observe::observability::Group;
use crate::check::resolve::names::Table;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Index, Ref};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The one name that a label or an agent has with the indices bound here: `sends[2]`. None after an error.
pub(in crate::check) fn one_name(cx: &mut Context<'_>, reference: &Ref, what: &str) -> Option<String> {
    if reference.indices().iter().any(|index| matches!(index, Index::Range(_))) {
        cx.fault(a_range(what, &cx.text(&reference.name), reference.span()));
        return None;
    }
    let mut found = None;
    cx.members(reference, &mut |_, name| found = Some(name.to_owned()));
    found
}

/// No possible label is the name of an event or a label of another group.
pub(in crate::check) fn collisions(cx: &mut Context<'_>, groups: &[Group], table: &Table) {
    let mut taken = Taken::default();
    for group in groups {
        let words: &[&str] = match &group.label {
            Some(label) => &[label],
            None => &["?", "γ"],
        };
        for word in words {
            if let Some(fault) = collision(cx, word, group, &taken, table) {
                cx.fault(fault);
            }
        }
        words.iter().for_each(|word| taken.add(word, group));
    }
}

/// What stands between a label and its number.
fn before_number(group: &Group) -> &'static str {
    if group.label.is_some() { "#" } else { "" }
}

/// The first label of a group, `word` or `word` with a number, that means something else already.
fn collision(cx: &mut Context<'_>, word: &str, group: &Group, taken: &Taken<'_>, table: &Table) -> Option<Diagnostic> {
    let mut label = word.to_owned();
    for number in 0..=group.events.as_slice().len() {
        label.truncate(word.len());
        if number > 0 {
            // WHY ignored: writing to a string does not fail.
            let _ = write!(label, "{}{number}", before_number(group));
        }
        if !cx.tick(1, 0, group.at) {
            return None;
        }
        if let Some(event) = table.names.find(&label) {
            return Some(label_is_event(&label, group, table.span(event)));
        } else if let Some(other) = taken.find(&label) {
            return Some(label_is_label(&label, group.at, other));
        }
    }
    None
}

/// The labels of the groups before: each word, with any number up to the size of its group.
#[derive(Default)]
struct Taken<'g>(FxHashMap<&'g str, Shown>);

/// The numbers that may follow a label.
struct Shown {
    size: usize,
    before: &'static str,
    at: Span,
}

impl<'g> Taken<'g> {
    fn add(&mut self, word: &'g str, group: &Group) {
        let shown = Shown { size: group.events.as_slice().len(), before: before_number(group), at: group.at };
        self.0.insert(word, shown);
    }

    /// The group that may show a label.
    fn find(&self, label: &str) -> Option<Span> {
        if let Some(shown) = self.0.get(label) {
            return Some(shown.at);
        }
        let digits = label.len() - label.trim_end_matches(|character: char| character.is_ascii_digit()).len();
        (label.len() - digits..label.len()).find_map(|cut| {
            let (before, number) = label.split_at(cut);
            let shown = self.0.get(before.strip_suffix('#').unwrap_or(before))?;
            let shows = !number.starts_with('0') && number.parse().is_ok_and(|number: usize| number <= shown.size);
            (shows && before.ends_with('#') == (shown.before == "#")).then_some(shown.at)
        })
    }
}

/// `as sends[1..N]`
fn a_range(what: &str, base: &str, at: Span) -> Diagnostic {
    let word = if what == "label" { "as" } else { "by" };
    Diagnostic::new(Code::E0419, at, format!("a range where one {what} is named"))
        .label(format!("this names several {what}s, and an event has one"))
        .help(format!("let an index choose it: `... {word} {base}[i] for i in 1..N;`"))
}

fn label_is_event(label: &str, group: &Group, declared: Option<Span>) -> Diagnostic {
    let (what, help) = match group.label {
        Some(_) => ("this group", "choose another label after `as`"),
        None => ("a group without a label", "rename the event, or give the group a label: `anonymous a, b as hidden;`"),
    };
    let fault = Diagnostic::new(Code::E0408, group.at, format!("the label `{label}` is also the name of an event"))
        .label(format!("{what} can show `{label}`"))
        .help(help);
    declared.into_iter().fold(fault, |fault, span| fault.also(span, "the event is declared here"))
}

fn label_is_label(label: &str, at: Span, other: Span) -> Diagnostic {
    Diagnostic::new(Code::E0408, at, format!("two groups can show the label `{label}`"))
        .label("this group")
        .also(other, "and this group")
        .help("`weak` adds a number to a label, `voted#1` or `?1`: choose labels that stay different")
}
