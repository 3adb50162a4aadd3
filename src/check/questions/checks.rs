//! From check and measure statements to the questions of the model.

use crate::automaton::view::Projection;
use crate::automaton::{EventId, StateSet};
use crate::check::context::{Bindings, Context};
use crate::check::deadline;
use crate::check::questions::observation;
use crate::check::questions::scope::QuestionScope;
use crate::check::resolve::near;
use crate::check::resolve::sets::{self, Kind};
use crate::check::scope::{self, SystemScope};
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::of_parts::PropertyOfParts;
use crate::model::{Check, Horizon, LeastCost, Measure, NamedObserver, OWN, ObserverId, Question, ViewId};
use crate::source::Span;
use crate::syntax::ast::{self, At, Expr, HorizonKind, SetExpr, Stmt, StmtKind};
use crate::syntax::spelling;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The checks and measures of a system.
#[derive(Debug, Default)]
pub(in crate::check) struct Questions {
    pub checks: Vec<Check>,
    pub measures: Vec<Measure>,
    /// The observers that are used by a check or measure.
    pub used: Vec<bool>,
    /// Whether a question was left out that only the product can answer, which is not built.
    pub needs_product: bool,
}

impl Questions {
    /// Whether all of them can be asked of the parts of a system, and some are.
    pub fn is_about_parts(&self) -> bool {
        let asks = !self.checks.is_empty() || !self.measures.is_empty();
        asks && !self.needs_product
    }
}

/// What was learned from the questions before: sets that stand in many questions are worked out and kept once.
#[derive(Debug)]
pub(super) struct Known {
    /// The observers that are used by a check or measure.
    used: Vec<bool>,
    /// Whether a question was left out that only the product can answer, which is not built.
    pub(super) needs_product: bool,
    /// The property that was read last, by the states of parts, if it is also known by states of the product.
    pub(super) by_parts: Option<Arc<PropertyOfParts>>,
    /// The value of each set, by its place and the indices in it; none: it has a fault.
    written: FxHashMap<(Span, Vec<i64>), Option<StateSet>>,
    sets: FxHashSet<StateSet>,
    /// Questions without a projection that have a choice, by the place of the word: the statement, and the warning.
    unprojected: BTreeMap<Span, (Span, Diagnostic)>,
}

pub(in crate::check) fn read<'w>(
    cx: &mut Context<'w>,
    scope: &QuestionScope<'_, 'w>,
    deferred: &[(&'w Stmt, Bindings<'w>)],
) -> Questions {
    let used = vec![false; scope.observers.len()];
    let mut known = Known {
        used,
        needs_product: false,
        by_parts: None,
        written: FxHashMap::default(),
        sets: FxHashSet::default(),
        unprojected: BTreeMap::new(),
    };
    let mut asked = Questions::default();
    for (stmt, bindings) in deferred {
        let outer = std::mem::replace(&mut cx.bindings, bindings.clone());
        match &stmt.kind {
            StmtKind::Check(_) | StmtKind::Measure(_) if !pay(cx, stmt) => {}
            StmtKind::Check(check) => {
                let check = scope.check(cx, stmt, check, &mut known);
                asked.checks.extend(check);
            }
            StmtKind::Measure(measure) => {
                let measure = scope.measure(cx, stmt, measure, &mut known);
                asked.measures.extend(measure);
            }
            _ => {}
        }
        cx.bindings = outer;
    }
    repeats(cx, &asked.checks);
    // One cause, one message: a check with an error is not warned about.
    for (stmt, warning) in known.unprojected.into_values() {
        if !cx.faults.any_within(stmt) {
            cx.fault(warning);
        }
    }
    Questions { used: known.used, needs_product: known.needs_product, ..asked }
}

/// Pays for a question: its text is kept three times, with the indices in it.
fn pay(cx: &mut Context<'_>, stmt: &Stmt) -> bool {
    let text = u64::from(stmt.span.end - stmt.span.start);
    let indices = 24 * cx.bindings.len() as u64;
    cx.tick(1 + text / 16, deadline::CHECK + 3 * (text + indices), stmt.span)
}

impl Known {
    /// The value of a set of states. None: it has a fault.
    pub(super) fn set(
        &mut self,
        cx: &mut Context<'_>,
        system: &SystemScope<'_, '_>,
        expr: &SetExpr,
    ) -> Option<StateSet> {
        let key = (expr.span(), cx.indices_in(expr));
        if let Some(known) = self.written.get(&key) {
            return known.clone();
        }
        let set = sets::evaluate(cx, system, Kind::State, expr);
        let set = if set.sound { self.shared(cx, scope::states(set.ids), expr.span()) } else { None };
        self.written.insert(key, set.clone());
        set
    }

    /// The copy of a set that is kept. None: there is no memory for it.
    fn shared(&mut self, cx: &mut Context<'_>, set: StateSet, at: Span) -> Option<StateSet> {
        if let Some(known) = self.sets.get(&set) {
            return Some(known.clone());
        }
        if !cx.tick(1, size_of_val(set.as_slice()) as u64, at) {
            return None;
        }
        self.sets.insert(set.clone());
        Some(set)
    }
}

impl<'w> QuestionScope<'_, 'w> {
    fn check(&self, cx: &mut Context<'w>, stmt: &Stmt, check: &ast::Check, known: &mut Known) -> Option<Check> {
        known.by_parts = None;
        let question = match &check.question {
            ast::Question::Property(property) => self.property(cx, stmt, property, known),
            ast::Question::Estimate { projection, at, given, against, expected } => {
                let view_id = self.view_id(cx, *projection, against.as_ref(), &mut known.used);
                let expected = known.set(cx, self.system, expected);
                self.estimate(cx, view_id, at, given.as_ref(), expected)
            }
            ast::Question::Projection { projection, string, against, expected } => {
                let view_id = self.view_id(cx, *projection, against.as_ref(), &mut known.used);
                self.projection(cx, view_id, string, expected)
            }
            ast::Question::Repair { costs } => repair(cx, costs.as_ref()),
        };
        Some(Check {
            name: check.name.as_ref().map(|name| cx.text(name).into_owned()),
            text: text(cx, stmt),
            span: stmt.span,
            docs: wording::docs(&stmt.docs, cx.file),
            negated: check.not.is_some(),
            question: question?,
            by_parts: known.by_parts.take(),
        })
    }

    fn measure(&self, cx: &mut Context<'w>, stmt: &Stmt, measure: &ast::Measure, known: &mut Known) -> Option<Measure> {
        let view_id = self.view_id(cx, measure.projection, measure.subject.against.as_ref(), &mut known.used);
        self.wants_projection(cx, view_id, measure.projection, (stmt.span, stmt.span), known);
        let property = self.subject(cx, &measure.subject, (None, stmt.span), known);
        let name = measure.name.as_ref().map(|name| cx.text(name).into_owned());
        Some(Measure { name, text: text(cx, stmt), span: stmt.span, view_id: view_id?, property: property? })
    }

    fn property(
        &self,
        cx: &mut Context<'w>,
        stmt: &Stmt,
        asked: &ast::Property,
        known: &mut Known,
    ) -> Option<Question> {
        let view_id = self.view_id(cx, asked.projection, asked.subject.against.as_ref(), &mut known.used);
        self.wants_projection(cx, view_id, asked.projection, (stmt.span, asked.horizon.span), known);
        let horizon = horizon(cx, &asked.horizon);
        let property = self.subject(cx, &asked.subject, (Some(&asked.horizon), asked.horizon.span), known);
        Some(Question::Property { view_id: view_id?, property: property?, horizon: horizon? })
    }

    /// The view of a check.
    fn view_id(
        &self,
        cx: &mut Context<'w>,
        word: Option<At<Projection>>,
        against: Option<&ast::Name>,
        used: &mut [bool],
    ) -> Option<ViewId> {
        let observer = match against {
            Some(name) => self.observer(cx, name)?,
            None => OWN,
        };
        used[observer.index()] = true;
        let projection = word.map_or(Projection::Natural, |word| word.value);
        let names_nobody =
            self.whole && self.sound[observer.index()] && self.observers[observer.index()].observer.n_groups() == 0;
        if let Some(word) = word.filter(|word| word.value != Projection::Natural && names_nobody) {
            let observer = &self.observers[observer.index()];
            cx.fault(nothing_anonymous(word, observer));
        }
        Some(ViewId { observer, projection })
    }

    /// Notes a property without a projection that has a choice; `at` is what the word would stand before.
    fn wants_projection(
        &self,
        cx: &Context<'w>,
        view_id: Option<ViewId>,
        word: Option<At<Projection>>,
        (stmt, at): (Span, Span),
        known: &mut Known,
    ) {
        let Some(view_id) = view_id.filter(|_| word.is_none()) else { return };
        let observer = &self.observers[view_id.observer.index()];
        if observer.observer.n_groups() == 0 {
            return;
        }
        known.unprojected.entry(at).or_insert_with(|| {
            let warning = ignores_anonymous(at, observer);
            // A measure is pointed at as a whole: the word does not stand before it.
            let is_measure = cx.file.slice(at).starts_with("measure");
            (stmt, if is_measure { warning } else { with_projections(warning, at) })
        });
    }

    fn observer(&self, cx: &mut Context<'w>, name: &ast::Name) -> Option<ObserverId> {
        let text = cx.text(name);
        let found = self.by_name.get(&*text).copied();
        if found.is_none() {
            let names: Vec<&str> = self.observers.iter().filter_map(|observer| observer.name.as_deref()).collect();
            no_observer(cx, name, &names);
        }
        found.map(ObserverId::from_index)
    }

    fn estimate(
        &self,
        cx: &mut Context<'w>,
        view_id: Option<ViewId>,
        at: &ast::Observation,
        given: Option<&ast::Observation>,
        expected: Option<StateSet>,
    ) -> Option<Question> {
        let view_id = view_id.filter(|view_id| self.sound[view_id.observer.index()])?;
        let prefix = observation::read(cx, self, view_id, at);
        let observation = match given {
            Some(given) => observation::read(cx, self, view_id, given),
            None => prefix.clone(),
        };
        let (prefix, observation) = (prefix?, observation?);
        if let Some(given) = given.filter(|_| !observation.starts_with(&prefix)) {
            cx.fault(not_a_prefix(at.span, given.span));
            return None;
        }
        Some(Question::Estimate { view_id, observation, at: prefix.len(), expected: expected? })
    }

    fn projection(
        &self,
        cx: &mut Context<'w>,
        view_id: Option<ViewId>,
        string: &ast::Observation,
        expected: &ast::Observation,
    ) -> Option<Question> {
        let events: Vec<Option<EventId>> = string.signs.iter().map(|sign| observation::event(cx, self, sign)).collect();
        let view_id = view_id.filter(|view_id| self.sound[view_id.observer.index()])?;
        let expected = observation::read(cx, self, view_id, expected)?;
        Some(Question::Projection { view_id, string: events.into_iter().collect::<Option<_>>()?, expected })
    }
}

/// The text of a check on one line, with the values of the indices of the enclosing `for`s: `v[3]`, not `v[i]`. Values that it does not
/// show stand at its end.
fn text(cx: &Context<'_>, stmt: &Stmt) -> String {
    let line = wording::folded(cx.file.slice(stmt.span));
    if cx.bindings.is_empty() {
        return line;
    }
    let value = |name: &str| cx.bindings.iter().rev().find(|(bound, _)| **bound == *name).map(|(_, value)| *value);
    let (line, shown) = wording::with_values(&line, value);
    let is_shown = |name: &str| shown.iter().any(|other| other == name);
    let rest = cx.bindings.iter().filter(|(name, _)| !is_shown(name));
    let rest: Vec<String> = rest.map(|(name, value)| format!("{name} = {value}")).collect();
    if rest.is_empty() { line } else { format!("{line} ({})", rest.join(", ")) }
}

/// `repair costs 3`, `repair impossible`
fn repair(cx: &mut Context<'_>, costs: Option<&Expr>) -> Option<Question> {
    let Some(costs) = costs else { return Some(Question::Repair { promised: LeastCost::Impossible }) };
    let value = cx.integer(costs)?;
    let cost = u64::try_from(value).ok();
    if cost.is_none() {
        cx.fault(negative_cost(value, costs.span()));
    }
    Some(Question::Repair { promised: LeastCost::Costs(cost?) })
}

fn negative_cost(value: i64, at: Span) -> Diagnostic {
    Diagnostic::new(Code::E0520, at, format!("the cost of a repair is negative: {value}"))
        .label("the least cost of all choices")
        .help("a repair that needs no lever costs 0")
}

fn horizon(cx: &mut Context<'_>, horizon: &ast::Horizon) -> Option<Horizon> {
    Some(match &horizon.kind {
        HorizonKind::Steps(steps) => Horizon::Steps(step_count(cx, steps, horizon.span)?),
        HorizonKind::Exactly(steps) => Horizon::Exactly(step_count(cx, steps, horizon.span)?),
        HorizonKind::Infinite => Horizon::Infinite,
        HorizonKind::Current | HorizonKind::InitialFinal => Horizon::Steps(0),
        HorizonKind::Initial => Horizon::Initial,
    })
}

fn step_count(cx: &mut Context<'_>, steps: &Expr, horizon: Span) -> Option<u64> {
    if let Expr::Integer(span) = steps
        && cx.file.slice(*span).parse::<i64>().is_err()
    {
        cx.fault(too_many_steps(*span));
        return None;
    }
    if let Expr::Name(name) = steps
        && !cx.is_number(name)
        && let Some(meant) = horizon_meant(&cx.text(name))
    {
        cx.fault(almost(meant, &cx.text(name), name.span, horizon));
        return None;
    }
    let value = cx.integer(steps)?;
    let count = u64::try_from(value).ok();
    if count.is_none() {
        cx.fault(negative_steps(steps.span(), value));
    }
    count
}

/// The intended horizon of a misspelt one: `infinity-step`, `current-step`.
fn horizon_meant(name: &str) -> Option<&'static str> {
    match name {
        "inf" | "oo" | "any" => Some("infinite-step"),
        _ => match near::nearest(name, &["infinite", "current", "initial"])? {
            "infinite" => Some("infinite-step"),
            "current" => Some("current-state"),
            _ => Some("initial-state"),
        },
    }
}

/// Repeated checks, and repeated names of checks.
fn repeats(cx: &mut Context<'_>, checks: &[Check]) {
    let mut asked: FxHashMap<(bool, &Question), Span> = FxHashMap::default();
    let mut named: FxHashMap<&str, Span> = FxHashMap::default();
    for check in checks {
        let first = *asked.entry((check.negated, &check.question)).or_insert(check.span);
        if first != check.span {
            cx.fault(repeated(check.span, first));
        }
        let Some(name) = check.name.as_deref() else { continue };
        let first = *named.entry(name).or_insert(check.span);
        if first != check.span {
            cx.fault(name_twice(name, check.span, first));
        }
    }
}

fn ignores_anonymous(at: Span, observer: &NamedObserver) -> Diagnostic {
    let whose = observer.name.as_ref().map_or_else(|| "this system".to_owned(), |name| format!("observer `{name}`"));
    Diagnostic::new(
        Code::W0503,
        at,
        format!("no projection is said, so the anonymous events of {whose} show their names"),
    )
    .label("the same as `natural`: `anonymous` is ignored")
    .help(
        "say which is meant: `strong` (all look alike), `weak` (one is recognised again) or `natural` (names are seen)",
    )
}

fn with_projections(fault: Diagnostic, at: Span) -> Diagnostic {
    ["strong", "weak", "natural"].into_iter().fold(fault, |fault, word| {
        let place = Span { end: at.start, ..at };
        fault.fix(format!("insert `{word}`"), place, format!("{word} "))
    })
}

fn nothing_anonymous(word: At<Projection>, observer: &NamedObserver) -> Diagnostic {
    let (projection, whose) = match &observer.name {
        Some(name) => (word.value, format!("observer `{name}`")),
        None => (word.value, "this system".to_owned()),
    };
    Diagnostic::new(
        Code::W0501,
        word.span,
        format!("`{projection}` is the same as `natural`: {whose} has no anonymous events"),
    )
    .label("this projection has no effect")
    .also(observer.span, "no `anonymous` statement here")
    .help("declare which events look alike: `anonymous a, b;`")
    .fix(format!("replace `{projection}` with `natural`"), word.span, "natural")
}

/// Reports an unknown observer, once per name.
pub(in crate::check) fn no_observer(cx: &mut Context<'_>, name: &ast::Name, names: &[&str]) {
    let text = cx.text(name);
    if !cx.is_silenced("observer", &text) {
        let nearest = cx.near.nearest(&text, names.iter());
        cx.suppress("observer", &text);
        cx.fault(unknown_observer(&text, name.span, nearest.as_deref(), names));
    }
}

fn unknown_observer(name: &str, at: Span, nearest: Option<&str>, others: &[&str]) -> Diagnostic {
    let fault =
        Diagnostic::new(Code::E0201, at, format!("unknown observer `{name}`")).label("not declared in this system");
    match nearest.map(spelling::name) {
        Some(near) => fault.help(format!("did you mean `{near}`?")).fix(format!("replace with `{near}`"), at, near),
        None if others.is_empty() => {
            fault.help(format!("declare it: `observer {} {{ observable events; }}`", spelling::name(name)))
        }
        None => fault.help(format!("the observers of this system are {}", wording::written_list(others))),
    }
}

fn too_many_steps(at: Span) -> Diagnostic {
    Diagnostic::new(Code::E0507, at, format!("K is too large: the maximum is {}", i64::MAX))
        .label("too many steps")
        .help("for every K at once, write `infinite-step`")
        .fix("write `infinite`", at, "infinite")
}

fn almost(meant: &str, name: &str, at: Span, horizon: Span) -> Diagnostic {
    Diagnostic::new(Code::E0201, at, format!("unknown constant or index `{name}`"))
        .label("not declared")
        .help(format!("did you mean `{meant}`?"))
        .fix(format!("write `{meant}`"), horizon, meant)
}

fn negative_steps(at: Span, value: i64) -> Diagnostic {
    Diagnostic::new(Code::E0507, at, format!("K is negative: {value}"))
        .label("the number of steps")
        .help("the smallest K is 0, which is `current-state`")
}

fn not_a_prefix(at: Span, given: Span) -> Diagnostic {
    Diagnostic::new(Code::E0508, at, "the first observation is not a prefix of the given one")
        .label("the estimate is asked for this instant")
        .also(given, "the whole observation")
        .help("the given observation must extend the first one: `estimate [a] given [a b]`")
}

fn repeated(at: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::W0502, at, "this check repeats an earlier one")
        .label("repeated here")
        .also(first, "first written here")
        .help("remove it")
        .fix("remove the repeated check", at, "")
}

fn name_twice(name: &str, at: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::E0203, at, format!("two checks have the name `{name}`"))
        .label("used again here")
        .also(first, "first used here")
        .help("give one of them another name")
}
