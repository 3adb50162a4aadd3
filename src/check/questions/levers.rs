//! From `may hide log;` and `must hide log;` to the levers of a system, and to the changes that are made.

use crate::automaton::view::Observability;
use crate::automaton::{Automaton, EventId};
use crate::check::context::{Bindings, Context};
use crate::check::deadline;
use crate::check::observe::labels;
use crate::check::questions::checks::no_observer;
use crate::check::resolve::names::Table;
use crate::check::resolve::sets::{self, Kind};
use crate::check::scope::SystemScope;
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::change::{Change, ChangeKind, Lever, changed_observers, without_disabled};
use crate::model::{NamedObserver, ObserverId};
use crate::source::Span;
use crate::syntax::ast::{self, LeverWord, Ref, Stmt, StmtKind};
use crate::syntax::spelling;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The largest cost of a lever.
const MOST: i64 = 1_000_000;

/// The levers of a system.
#[derive(Debug, Default)]
pub(in crate::check) struct Levers {
    /// What may be changed.
    pub offered: Vec<Lever>,
    /// Whether anything is offered, even if it would change nothing.
    pub offers: bool,
    /// What is changed, and where that is written.
    made: Vec<(Change, Span)>,
}

/// Reads the levers of a system whose observers are as they are declared.
pub(in crate::check) fn read<'w>(
    cx: &mut Context<'w>,
    system: &SystemScope<'_, 'w>,
    observers: &[NamedObserver],
    deferred: &[(&'w Stmt, Bindings<'w>)],
) -> Levers {
    let mut levers = Levers::default();
    for (stmt, bindings) in deferred {
        let StmtKind::Lever(written) = &stmt.kind else { continue };
        let outer = std::mem::replace(&mut cx.bindings, bindings.clone());
        levers.take(cx, system, observers, stmt.span, written);
        cx.bindings = outer;
    }
    levers.contradictions(cx, system);
    levers.offers = !levers.offered.is_empty();
    levers
}

impl Levers {
    fn take(
        &mut self,
        cx: &mut Context<'_>,
        system: &SystemScope<'_, '_>,
        observers: &[NamedObserver],
        at: Span,
        written: &ast::Lever,
    ) {
        let in_place = clauses(cx, written);
        let (events, sound) = sets::evaluate_items(cx, system, Kind::Event, &written.set);
        let kind = kind(cx, system, written);
        let from = written.from.as_ref().map(|name| observer(cx, observers, name));
        let cost = written.cost.as_ref().map_or(Some(1), |written| cost(cx, written));
        let (Some(kind), Some(cost), true) = (kind, cost, sound && in_place && from != Some(None)) else { return };
        let bytes = (deadline::STATEMENT + 8) * events.len() as u64;
        if !cx.tick(1 + events.len() as u64, bytes, at) {
            return;
        }
        let events: Vec<EventId> = events.into_iter().map(|(event, _)| EventId(event)).collect();
        let apart = written.offer.is_some_and(|offer| offer.together.is_none());
        let parts = if apart { events.chunks(1) } else { events.chunks(events.len().max(1)) };
        for part in parts {
            let change = Change { kind: kind.clone(), events: part.to_vec(), from: from.flatten() };
            match written.offer {
                Some(_) => self.offered.push(Lever { change, cost, span: Some(at) }),
                None => self.made.push((change, at)),
            }
        }
    }

    /// Reports changes that contradict each other.
    fn contradictions(&self, cx: &mut Context<'_>, system: &SystemScope<'_, '_>) {
        let mut known: FxHashMap<EventId, Vec<usize>> = FxHashMap::default();
        for (at, (change, span)) in self.made.iter().enumerate() {
            for &event in &change.events {
                let earlier = known.entry(event).or_default();
                if let Some(&first) = earlier.iter().find(|&&first| self.made[first].0.contradicts(change)) {
                    let name = system.events().names.get(event.0).into_owned();
                    return cx.fault(contradiction(&name, *span, self.made[first].1));
                }
                earlier.push(at);
            }
        }
    }

    fn changes(&self) -> Vec<&Change> {
        self.made.iter().map(|(change, _)| change).collect()
    }

    /// Whether transitions are removed.
    pub fn disables(&self) -> bool {
        self.made.iter().any(|(change, _)| change.kind == ChangeKind::Disable)
    }

    /// The automaton without what is disabled.
    pub fn deployed(&self, automaton: &Arc<Automaton>) -> Arc<Automaton> {
        without_disabled(automaton, &self.changes())
    }

    /// What the observers see after the changes.
    pub fn seen(
        &self,
        cx: &mut Context<'_>,
        events: &Table,
        observers: &[NamedObserver],
        at: Span,
    ) -> Vec<NamedObserver> {
        let shown = self.shown();
        if shown.is_empty() || cx.faults.errors() > 0 {
            return observers.to_vec();
        }
        let changed = changed_observers(observers, &shown, &|event| events.names.get(event.0).into_owned());
        changed.unwrap_or_else(|| {
            cx.fault(unpoolable(self.made.first().map_or(at, |(_, made)| *made), at));
            observers.to_vec()
        })
    }

    fn shown(&self) -> Vec<&Change> {
        self.changes().into_iter().filter(|change| change.kind != ChangeKind::Disable).collect()
    }

    /// Forgets the levers that are moved already, are repeated or change nothing; `observers` see what they see after the changes,
    /// `before` what they saw without.
    pub fn settle(
        &mut self,
        cx: &mut Context<'_>,
        system: &SystemScope<'_, '_>,
        [before, observers]: [&[NamedObserver]; 2],
    ) {
        let is_used = used(system.automaton);
        let idle = |change: &Change, observers| changes_nothing(change, observers, &is_used);
        let mut useless: BTreeMap<Span, (LeverWord, Vec<EventId>)> = BTreeMap::new();
        let mut note = |change: &Change, at: Span| {
            useless.entry(at).or_insert_with(|| (word(&change.kind), Vec::new())).1.extend(&change.events);
        };
        self.made.iter().filter(|(change, _)| idle(change, before)).for_each(|(change, at)| note(change, *at));
        let offered = std::mem::take(&mut self.offered);
        let mut known: FxHashMap<Change, Span> = FxHashMap::default();
        for lever in offered {
            let Some(at) = lever.span else { continue };
            let is_settled = |made: &Change| covers(made, &lever.change) || made.contradicts(&lever.change);
            let is_made = self.made.iter().any(|(made, _)| is_settled(made));
            if is_made {
            } else if idle(&lever.change, observers) {
                note(&lever.change, at);
            } else if let Some(&first) = known.get(&lever.change) {
                cx.fault(twice(at, first));
            } else {
                known.insert(lever.change.clone(), at);
                self.offered.push(lever);
            }
        }
        for (at, (word, events)) in useless {
            let names: Vec<String> =
                events.iter().map(|event| system.events().names.get(event.0).into_owned()).collect();
            cx.fault(no_effect(word, &names, at));
        }
    }
}

/// Whether making one change makes the other too.
fn covers(made: &Change, other: &Change) -> bool {
    let same = made.kind == other.kind && (made.from == other.from || made.from.is_none());
    same && other.events.iter().all(|event| made.events.binary_search(event).is_ok())
}

fn word(kind: &ChangeKind) -> LeverWord {
    match kind {
        ChangeKind::Hide => LeverWord::Hide,
        ChangeKind::Anonymise { .. } => LeverWord::Anonymise,
        ChangeKind::Disable => LeverWord::Disable,
    }
}

/// The events that have a transition.
fn used(automaton: &Automaton) -> Vec<bool> {
    let mut used = vec![false; automaton.n_events()];
    automaton.transitions().for_each(|(_, _, step)| used[step.event.index()] = true);
    used
}

fn changes_nothing(change: &Change, observers: &[NamedObserver], is_used: &[bool]) -> bool {
    let concerned = observers
        .iter()
        .enumerate()
        .filter(|(at, observer)| observer.members.is_empty() && change.from.is_none_or(|from| from.index() == *at));
    let concerned: Vec<&NamedObserver> = concerned.map(|(_, observer)| observer).collect();
    change.events.iter().all(|&event| match &change.kind {
        ChangeKind::Disable => !is_used.get(event.index()).copied().unwrap_or(true),
        ChangeKind::Hide => concerned.iter().all(|of| of.observer.observability(event) == Observability::Silent),
        ChangeKind::Anonymise { label, agent } => concerned.iter().all(|of| match of.observer.observability(event) {
            Observability::Silent => true,
            Observability::Visible => false,
            Observability::Anonymous(group) => {
                of.labels[group.index()] == *label && of.agent_name(event) == agent.as_deref()
            }
        }),
    })
}

/// Whether every clause belongs to the change; otherwise it is reported.
fn clauses(cx: &mut Context<'_>, written: &ast::Lever) -> bool {
    let word = written.word.value;
    let named = |clause: &Option<Ref>| clause.as_ref().map(Ref::span);
    let anonymises = word == LeverWord::Anonymise;
    let wrong = [
        ("as", named(&written.label).filter(|_| !anonymises)),
        ("by", named(&written.agent).filter(|_| !anonymises)),
        ("from", written.from.map(|name| name.span).filter(|_| word == LeverWord::Disable)),
        ("cost", written.cost.as_ref().map(|cost| cost.span).filter(|_| written.offer.is_none())),
    ];
    let found = wrong.into_iter().find_map(|(clause, span)| Some((clause, span?)));
    if let Some((clause, span)) = found {
        cx.fault(stray(clause, word, span, written.word.span));
    }
    found.is_none()
}

fn kind(cx: &mut Context<'_>, system: &SystemScope<'_, '_>, written: &ast::Lever) -> Option<ChangeKind> {
    let label = written.label.as_ref().map(|label| labels::one_name(cx, label, "label"));
    let agent = written.agent.as_ref().map(|agent| labels::one_name(cx, agent, "agent"));
    if label == Some(None) || agent == Some(None) {
        return None;
    }
    let label = label.flatten();
    if let (Some(text), Some(at)) = (&label, &written.label)
        && let Some(event) = system.events().names.find(text)
    {
        cx.fault(shows_event(text, at.span(), system.events().span(event)));
        return None;
    }
    Some(match written.word.value {
        LeverWord::Hide => ChangeKind::Hide,
        LeverWord::Disable => ChangeKind::Disable,
        LeverWord::Anonymise => ChangeKind::Anonymise { label, agent: agent.flatten() },
    })
}

/// The observer after `from`; none after an error.
fn observer(cx: &mut Context<'_>, observers: &[NamedObserver], name: &ast::Name) -> Option<ObserverId> {
    let text = cx.text(name);
    let Some(at) = observers.iter().position(|observer| observer.name.as_deref() == Some(&*text)) else {
        let names: Vec<&str> = observers.iter().filter_map(|observer| observer.name.as_deref()).collect();
        no_observer(cx, name, &names);
        return None;
    };
    if let Some(&member) = observers[at].members.first() {
        let member = observers[member.index()].name.as_deref().unwrap_or_default();
        cx.fault(from_pool(&text, member, name.span, observers[at].span));
        return None;
    }
    Some(ObserverId::from_index(at))
}

fn cost(cx: &mut Context<'_>, written: &ast::Cost) -> Option<u64> {
    let value = cx.integer(&written.value)?;
    if !(1..=MOST).contains(&value) {
        cx.fault(cost_range(value, written.value.span()));
        return None;
    }
    u64::try_from(value).ok()
}

fn cost_range(value: i64, at: Span) -> Diagnostic {
    let message =
        format!("the cost {value} is out of range: a cost is a number from 1 to {}", wording::grouped(MOST as u64));
    let fault = Diagnostic::new(Code::E0520, at, message).label("the cost of this change");
    match value {
        i64::MIN..=0 => fault.help("for a change that is made anyway, write `must`: `must hide log;`"),
        _ => fault.help("costs are compared and added up: smaller numbers in the same proportion do the same"),
    }
}

fn stray(clause: &str, word: LeverWord, at: Span, change: Span) -> Diagnostic {
    let word = word.text();
    let fault = Diagnostic::new(Code::E0521, at, format!("`{clause}` does not belong to `{word}` here"))
        .label("has no meaning here")
        .also(change, "this change");
    match clause {
        "cost" => fault.help("a cost belongs to what may be changed: `may hide log cost 3;`"),
        "from" => fault.help("an event is switched off for everyone: remove `from`"),
        _ => fault.help("a label and an agent belong to `anonymise`: `may anonymise vote[1..3] as voted;`"),
    }
}

fn contradiction(event: &str, at: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::E0522, at, format!("two changes of `{event}` contradict each other"))
        .label("changed otherwise here")
        .also(first, "first changed here")
        .help("an event is hidden, or shows one label: keep one of the two")
}

fn from_pool(pool: &str, member: &str, at: Span, declared: Span) -> Diagnostic {
    Diagnostic::new(
        Code::E0523,
        at,
        format!("`{pool}` pools what others see: nothing can be hidden from the pool alone"),
    )
    .label("a pool of observers")
    .also(declared, "declared here")
    .help(format!("hide it from a member: `from {}`", spelling::name(member)))
}

fn unpoolable(at: Span, system: Span) -> Diagnostic {
    Diagnostic::new(Code::E0424, at, "after this change the observers know different agents, so they cannot be pooled")
        .label("changes what they see")
        .also(system, "in this system")
        .help("name the same agents, by `by`, for the events that several of them see")
}

fn shows_event(label: &str, at: Span, declared: Option<Span>) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0408, at, format!("the label `{label}` is also the name of an event"))
        .label("shown for other events");
    let fault = declared.into_iter().fold(fault, |fault, span| fault.also(span, "the event"));
    fault.help("give the label another name")
}

fn twice(at: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::W0521, at, "this change is offered twice")
        .label("offered again here: only the first one counts")
        .also(first, "first offered here")
        .help("remove one of the two")
}

fn no_effect(word: LeverWord, names: &[String], at: Span) -> Diagnostic {
    let (list, is) = (wording::list(names), if names.len() == 1 { "is" } else { "are" });
    let (message, help) = match word {
        LeverWord::Hide => (format!("{list} {is} unobservable already"), "name events that someone observes"),
        LeverWord::Anonymise => {
            (format!("{list} {is} unobservable, or look like this already"), "name events that someone observes")
        }
        LeverWord::Disable => (format!("{list} {is} in no transition"), "name events that happen"),
    };
    Diagnostic::new(Code::W0520, at, message).label("this change has no effect").help(help)
}
