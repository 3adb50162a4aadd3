//! The context of elaboration: the items, the current file, the bound indices, the diagnostics.

use crate::check::Limits;
use crate::check::budget::Budget;
use crate::check::deadline::{self, Deadline};
use crate::check::load::items::Items;
use crate::check::resolve::near::Near;
use crate::check::sink::Faults;
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::Unbuilt;
use crate::source::{SourceFile, Span};
use crate::syntax::ast::{Name, Ref, Stmt, StmtKind, statements};
use crate::syntax::token::{TokenKind, WordClass, class_of, tokens};
use crate::syntax::{declares_nothing, spelling};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

/// The values of indices and parameters, innermost last.
pub(in crate::check) type Bindings<'w> = Vec<(Cow<'w, str>, i64)>;

pub(in crate::check) struct Context<'w> {
    /// Every item; constants are evaluated.
    pub items: &'w Items<'w>,
    /// The current file.
    pub file: &'w SourceFile,
    pub bindings: Bindings<'w>,
    pub faults: Faults,
    pub budget: Budget,
    pub deadline: Deadline,
    /// The systems that were not built because of a limit.
    pub unbuilt: Vec<Unbuilt>,
    pub near: Near,
    pub limits: Limits,
    /// The blocks of `for` and `if` that were expanded at least once, each identified by its first statement.
    pub walked: FxHashSet<Span>,
    /// A buffer for names, to avoid an allocation per arrow.
    pub spelled: String,
    /// Whether names are being declared: then the limit on states applies.
    pub declaring: bool,
    /// The words of text with syntax errors, and reported names: errors about them are suppressed.
    quiet: Quiet,
    /// The same for every body that was left, identified by its first statement.
    memories: FxHashMap<Span, Quiet>,
    /// Constants and components that a misspelt name refers to: they count as used.
    pub meant: FxHashSet<String>,
    /// The last reported name of the wrong kind.
    last_blamed: Option<Span>,
    /// Whether a monitor may stand alone: it is only looked at.
    pub lone_monitors: bool,
    /// The components that some system uses.
    pub instantiated: FxHashSet<usize>,
    /// The use of states and events of components, for the warnings at the end.
    pub witnessed: Witnessed,
    /// Whether the exhausted budget was reported.
    exhausted: bool,
    /// Whether the expansion stopped at a limit: then no further errors are reported.
    is_cut_off: bool,
    /// Whether a constant had no value, so that what depends on it is missing: nothing is said to be unused then.
    pub is_guess: bool,
    /// The constants whose ranges are too large: told once.
    pub oversized: FxHashSet<String>,
}

/// Suppressed names, each with its kind.
pub(in crate::check) type Quiet = FxHashSet<(&'static str, String)>;

/// The kind of the words of text with syntax errors.
const ANY: &str = "";

/// The name that represents all names of a kind.
const EVERY: &str = "";

impl<'w> Context<'w> {
    pub fn new(
        items: &'w Items<'w>,
        file: &'w SourceFile,
        faults: Faults,
        limits: Limits,
        deadline: Deadline,
    ) -> Context<'w> {
        Context {
            items,
            file,
            bindings: Vec::new(),
            faults,
            budget: Budget::new(&limits),
            deadline,
            unbuilt: Vec::new(),
            near: Near::default(),
            limits,
            walked: FxHashSet::default(),
            spelled: String::new(),
            declaring: false,
            quiet: Quiet::default(),
            memories: FxHashMap::default(),
            meant: FxHashSet::default(),
            last_blamed: None,
            lone_monitors: false,
            instantiated: FxHashSet::default(),
            witnessed: Witnessed::default(),
            exhausted: false,
            is_cut_off: false,
            is_guess: false,
            oversized: FxHashSet::default(),
        }
    }

    /// The text of a name.
    pub fn text(&self, name: &Name) -> Cow<'w, str> {
        name.text(self.file)
    }

    /// A reference as it can be typed again: with its indices, and straight quotes if it needs any.
    pub fn written(&self, reference: &Ref) -> String {
        let (name, whole) = (reference.name.span, reference.span());
        let rest = self.file.slice(Span { start: name.end, ..whole });
        format!("{}{rest}", spelling::name(&self.text(&reference.name)))
    }

    pub fn fault(&mut self, fault: Diagnostic) {
        // WHY: a name that seems unknown may be one that was not expanded any more.
        if !self.is_cut_off {
            self.faults.add(fault);
        }
    }

    /// Begins with a system, with its share of the time.
    pub fn begin(&mut self, owner: String, shares: usize) {
        self.deadline.start(owner, shares);
        self.is_cut_off = false;
        self.is_guess = false;
    }

    /// Reports that a time or memory limit was reached.
    pub fn told_late(&mut self, late: Diagnostic) {
        let constant = self.items.consts.first().map(|constant| constant.name.clone());
        if let Some(stop) = self.deadline.stopped() {
            self.fault(late.help(deadline::help(stop, constant.as_deref())));
        }
    }

    /// Charges work and bytes for the text at a span; `false` if a limit of this system was reached, which was
    /// reported.
    pub fn tick(&mut self, units: u64, bytes: u64, at: Span) -> bool {
        match self.deadline.spend(units, bytes, at) {
            Ok(()) => return true,
            Err(Some(late)) => {
                self.told_late(*late);
                self.is_cut_off = true;
            }
            Err(None) => {}
        }
        false
    }

    /// Enters a body with its own suppressed names and its own text with syntax errors. Returns the suppressed names of the
    /// previous body, for [`Context::leave`].
    pub fn enter(&mut self, body: &[Stmt]) -> Quiet {
        let known = key(body).and_then(|key| self.memories.remove(&key));
        let quiet = known.unwrap_or_else(|| {
            let mut quiet = Quiet::default();
            doubt(body, self.file, &mut quiet);
            quiet
        });
        std::mem::replace(&mut self.quiet, quiet)
    }

    pub fn leave(&mut self, body: &[Stmt], before: Quiet) {
        let quiet = std::mem::replace(&mut self.quiet, before);
        match key(body).map(|key| self.memories.entry(key)) {
            // WHY not always: a component that is instantiated a thousand times is left a thousand times.
            Some(Entry::Vacant(vacant)) => drop(vacant.insert(quiet)),
            Some(Entry::Occupied(mut known)) => known.get_mut().extend(quiet),
            None => {}
        }
    }

    /// Whether errors about a name are suppressed.
    pub fn is_silenced(&self, kind: &'static str, name: &str) -> bool {
        !self.quiet.is_empty()
            && (self.quiet.contains(&(kind, name.to_owned()))
                || self.quiet.contains(&(ANY, name.to_owned()))
                || self.quiet.contains(&(kind, EVERY.to_owned())))
    }

    /// Suppresses errors about all names of a kind in this body: their declaration has a syntax error.
    pub fn silence_all(&mut self, kind: &'static str) {
        self.quiet.insert((kind, EVERY.to_owned()));
    }

    /// Whether a name of the wrong kind was already reported in the same statement: such mistakes come in
    /// groups and are reported once.
    pub fn is_blamed(&mut self, at: Span) -> bool {
        let last = self.last_blamed.replace(at);
        let between = last.filter(|last| last.file == at.file && last.end <= at.start && at.start - last.end < 200);
        between.is_some_and(|last| !self.file.slice(Span { start: last.end, end: at.start, ..at }).contains(';'))
    }

    /// Suppresses errors about a name in this body.
    pub fn suppress(&mut self, kind: &'static str, name: &str) {
        self.quiet.insert((kind, name.to_owned()));
    }

    /// Whether the budget was exhausted.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Charges work for the text at a span; `false` if the budget is exhausted, which was reported.
    pub fn spend(&mut self, units: u64, at: Span) -> bool {
        if self.budget.spend(units) {
            return self.tick(units, 0, at);
        }
        if !self.exhausted {
            self.exhausted = true;
            let fault = too_much(at, self.budget.total, self.limits.transitions);
            self.fault(fault);
        }
        false
    }
}

/// How many units it takes to look through the tree of a text.
pub(in crate::check) fn effort(text: Span) -> u64 {
    1 + u64::from(text.end - text.start) / 16
}

/// The identity of a body or a block.
pub(in crate::check) fn key(body: &[Stmt]) -> Option<Span> {
    body.first().map(|stmt| stmt.span)
}

/// Records the words of statements with syntax errors.
fn doubt(body: &[Stmt], file: &SourceFile, quiet: &mut Quiet) {
    for stmt in statements(body).filter(|stmt| matches!(stmt.kind, StmtKind::Error)) {
        let text = file.slice(stmt.span);
        quiet.extend(kinds_in_doubt(text, body).iter().map(|&kind| (kind, EVERY.to_owned())));
        if may_declare(text) {
            quiet.extend(wording::identifiers(text).map(|word| (ANY, word.to_owned())));
            quiet.extend(numbered(text).into_iter().map(|word| (ANY, word)));
        }
    }
}

/// Whether a statement with a syntax error may declare a name.
fn may_declare(text: &str) -> bool {
    let mut tokens = tokens(text).filter(|token| !token.kind.is_trivia());
    let first = tokens.next().map_or("", |token| token.text(text));
    match class_of(first) {
        Some(WordClass::Set) => matches!(first, "states" | "events"),
        Some(WordClass::Statement) => !matches!(first, "check" | "measure" | "final"),
        // A block of transitions.
        _ if text.contains("->") => wording::identifiers(text).any(|word| matches!(word, "states" | "events")),
        // `A; B, C;`: the names of the statement before, cut off.
        _ if tokens
            .clone()
            .next()
            .is_none_or(|second| matches!(second.kind, TokenKind::Comma | TokenKind::Semicolon)) =>
        {
            true
        }
        // No word for declaring anything has this meaning, however it is spelt.
        _ if matches!(first, "marked" | "accepting" | "forbidden" | "(") || declares_nothing(first) => false,
        _ => tokens.next().is_none_or(|second| second.kind.is_name()),
    }
}

/// The kinds of names whose declaration may have a syntax error.
fn kinds_in_doubt(text: &str, body: &[Stmt]) -> &'static [&'static str] {
    let is_flat = || body.iter().any(|stmt| matches!(stmt.kind, StmtKind::States(_) | StmtKind::Events(_)));
    match wording::identifiers(text).next() {
        Some("compose") if !is_flat() => &["part", "state", "event"],
        Some("observer") => &["observer"],
        Some("secret") => &["secret"],
        Some("anonymous") => &["group"],
        _ => &[],
    }
}

/// The names that `q1..q9` may denote.
fn numbered(text: &str) -> Vec<String> {
    let Some((before, after)) = text.split_once("..") else { return Vec::new() };
    let (first, last) = (wording::identifiers(before).last(), wording::identifiers(after).next());
    let (Some(first), Some(last)) = (first, last) else { return Vec::new() };
    let base = first.trim_end_matches(|character: char| character.is_ascii_digit());
    let number = |word: &str| word.strip_prefix(base).and_then(|digits| digits.parse::<u32>().ok());
    let (Some(low), Some(high)) = (number(first), number(last)) else { return Vec::new() };
    let members = (low..=high).take(1_000).map(|index| format!("{base}{index}"));
    members.chain([base.to_owned()]).collect()
}

fn too_much(at: Span, total: u64, transitions: usize) -> Diagnostic {
    Diagnostic::new(Code::E0414, at, format!("this model takes more than {} to expand", wording::count(total, "step")))
        .label("the limit was reached here")
        .help(format!(
            "make its ranges smaller, or raise the limit: `--max-transitions {}`",
            (transitions as u64).saturating_mul(10)
        ))
}

/// The use of states and events of components in all systems, by declaration and name.
#[derive(Debug, Default)]
pub(in crate::check) struct Witnessed {
    pub states: BTreeMap<(Span, String), bool>,
    pub events: BTreeMap<(Span, String), bool>,
    /// Whether some instance of the component can do the event, of events that parts share.
    pub able: BTreeMap<(Span, String), bool>,
    /// The events that one part lists and never does, by where they are declared.
    pub blocked: BTreeMap<Span, Blocked>,
}

/// An event that one part lists and never does, while another one could.
#[derive(Debug)]
pub(in crate::check) struct Blocked {
    pub part: String,
    /// The part that could do it.
    pub doer: String,
    /// Where that part lists it.
    pub listed: Option<Span>,
    pub events: Vec<String>,
}
