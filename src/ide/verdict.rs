//! The verdict of each check in a few words, and the counterexample of a violated one.
//!
//! A check inside `for` is several checks at one position: their verdicts are combined.

use crate::automaton::view::{Symbol, View};
use crate::automaton::{StateId, StateSet};
use crate::diagnostic::words::elided;
use crate::model::{Check, Horizon, LeastCost, Measure, ObserverId, Question, System};
use crate::report::counterexample;
use crate::report::exposure::{self, Reported};
use crate::report::phrasing::Words;
use crate::resources::Stop;
use crate::resources::{Monitor, Resources};
use crate::source::Span;
use crate::verdict::{Answer, Evidence, Exposure, Finding, Mark, Measured, Refutation, Results, Verdict, Witness};
use crate::verify::{Following, Tuning, view};

/// The verdict beside a check or a measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    pub span: Span,
    /// A measure always passes.
    pub mark: Mark,
    /// Example: `holds, for every K`.
    pub text: String,
    /// Present if the check did not pass.
    pub story: Option<Story>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    pub message: String,
    /// The steps of the run with their source locations.
    pub steps: Vec<(Span, String)>,
}

/// The maximal number of names of a set.
const MAX_SHOWN: usize = 6;

/// The most labels of an observation that are shown.
const MAX_SIGNS: usize = 24;

/// The maximal number of steps of a run.
const MAX_STEPS: usize = 60;

/// The verdicts of a system, by place. Of several checks at one place only the one that speaks is reported; past the
/// resources stories have no estimates.
pub fn verdicts(system: &System, results: &Results, resources: Resources<'_>) -> Vec<Remark> {
    let checks = system.checks.iter().zip(&results.checks).map(|(check, verdict)| Asked::Check(check, verdict));
    let measures = system.measures.iter().zip(&results.measures);
    let mut all: Vec<Asked<'_>> = checks.chain(measures.map(|(of, measured)| Asked::Measure(of, measured))).collect();
    all.sort_by_key(Asked::span);
    all.chunk_by(|left, right| left.span() == right.span()).map(|there| together(system, there, resources)).collect()
}

/// A check or a measure, and what became of it.
#[derive(Clone, Copy)]
enum Asked<'a> {
    Check(&'a Check, &'a Verdict),
    Measure(&'a Measure, &'a Measured),
}

impl Asked<'_> {
    fn span(&self) -> Span {
        match self {
            Asked::Check(check, _) => check.span,
            Asked::Measure(measure, _) => measure.span,
        }
    }

    fn mark(&self) -> Mark {
        match self {
            Asked::Check(check, verdict) => verdict.answer().mark(check.negated),
            Asked::Measure(..) => Mark::Passed,
        }
    }

    fn remark(&self, system: &System, resources: Resources<'_>) -> Remark {
        match self {
            Asked::Check(check, verdict) => of_check(system, check, verdict, self.mark(), resources),
            Asked::Measure(measure, measured) => {
                Remark { span: measure.span, mark: Mark::Passed, text: of_measure(measured), story: None }
            }
        }
    }
}

/// One remark per place: the first of the worst speaks, and says how many there are.
fn together(system: &System, there: &[Asked<'_>], resources: Resources<'_>) -> Remark {
    let worst = there.iter().map(Asked::mark).max();
    let speaker = there.iter().find(|asked| Some(asked.mark()) == worst).unwrap_or(&there[0]);
    let remark = speaker.remark(system, resources);
    let passed = there.iter().filter(|asked| asked.mark() == Mark::Passed).count();
    match there.len() {
        1 => remark,
        n if passed == n => Remark { text: format!("all {n}: {}", remark.text), ..remark },
        n => Remark { text: format!("{passed} of {n} pass; {}", remark.text), ..remark },
    }
}

fn of_check(system: &System, check: &Check, verdict: &Verdict, mark: Mark, resources: Resources<'_>) -> Remark {
    let evidence = verdict.evidence().filter(|_| mark == Mark::Failed && verdict.answer() == Answer::Violated);
    let reported =
        evidence.and_then(|evidence| exposure::reported(system, evidence, Tuning::FEWEST_FREE_WORK, resources));
    let text = said(system, check, verdict, reported.as_ref());
    let text = if check.negated && mark == Mark::Passed { format!("{text}, as expected") } else { text };
    let story = (mark == Mark::Failed).then(|| match evidence.zip(reported.as_ref()) {
        Some((evidence, reported)) => story(check, evidence.horizon, reported, resources),
        None => Story { message: format!("{}: {text}", check.text), steps: Vec::new() },
    });
    Remark { span: check.span, mark, text, story }
}

/// The verdict in a few words.
fn said(system: &System, check: &Check, verdict: &Verdict, reported: Option<&Reported<'_>>) -> String {
    match (verdict, &check.question) {
        (Verdict::Holds(Some(evidence)), _) => holds(system, check, evidence),
        (Verdict::Violated(Refutation::Property(evidence)), _) => violated(system, check, evidence, reported),
        (Verdict::Undecided { stop, .. }, _) => format!("undecided: {}", stopped(*stop)),
        (Verdict::Violated(Refutation::Estimate { actual }), _)
        | (Verdict::Holds(None), Question::Estimate { expected: actual, .. }) => format!("is {}", set(system, actual)),
        (Verdict::Violated(Refutation::Projection { actual }), _)
        | (Verdict::Holds(None), Question::Projection { expected: actual, .. }) => {
            format!("is [{}]", signs(system, check, actual))
        }
        (Verdict::Violated(Refutation::Repair { actual }), _)
        | (Verdict::Holds(None), Question::Repair { promised: actual }) => match actual {
            LeastCost::Costs(cost) => format!("costs {cost}"),
            LeastCost::Impossible => "impossible".to_owned(),
        },
        (Verdict::Holds(None), Question::Property { .. }) => "holds".to_owned(),
    }
}

fn holds(system: &System, check: &Check, evidence: &Evidence) -> String {
    if let Some(vacuity) = system.vacuity(&check.question) {
        return format!("holds, vacuously: {}", vacuity.reason());
    }
    if evidence.finding.parts.is_some() {
        return format!("holds{}", by_parts(system, &evidence.finding));
    }
    match (evidence.finding.exposure, evidence.horizon) {
        (Exposure::Never, Horizon::Steps(_)) => "holds, for every K".to_owned(),
        (Exposure::At(least), Horizon::Steps(_)) => format!("holds, up to K = {}", least.saturating_sub(1)),
        _ => "holds".to_owned(),
    }
}

fn violated(system: &System, check: &Check, evidence: &Evidence, reported: Option<&Reported<'_>>) -> String {
    let witness = reported.map(|reported| &*reported.witness).or(evidence.finding.exposing());
    match (witness, evidence.horizon) {
        (_, Horizon::Exactly(_)) => format!("violated: {}", largest(evidence.finding.exposure)),
        (Some(witness), _) => {
            let (shown, _) = evidence.finding.shown(system);
            let (least, parts) = (at_most(evidence.finding.exposure), by_parts(system, &evidence.finding));
            format!("violated: {}{least}{parts}", exposed(shown, check, witness))
        }
        (None, _) => "violated".to_owned(),
    }
}

/// `; decided by bill, c[1]: 2 of 20 parts`, if not all parts decided it.
fn by_parts(system: &System, finding: &Finding) -> String {
    let (Some(parts), Some(names)) = (finding.parts.as_deref(), system.names.composition()) else {
        return String::new();
    };
    if parts.kept.is_empty() || parts.kept.len() == parts.total {
        return String::new();
    }
    let kept = elided(&parts.kept, MAX_SHOWN, |&part| names.name(part).to_owned()).join(", ");
    format!("; decided by {kept}: {} of {} parts", parts.kept.len(), parts.total)
}

fn exposed(system: &System, check: &Check, witness: &Witness) -> String {
    format!("{} exposes {}", observation(system, check, witness), set(system, &witness.exposed))
}

fn observation(system: &System, check: &Check, witness: &Witness) -> String {
    if witness.observation.is_empty() {
        "the empty observation".to_owned()
    } else {
        signs(system, check, &witness.observation)
    }
}

/// Labels; the middle of many is left out.
fn signs(system: &System, check: &Check, signs: &[Symbol]) -> String {
    let name = |sign: &Symbol| system.sign_name_greek(observer_of(check), *sign);
    elided(signs, MAX_SIGNS, name).join(" ")
}

fn observer_of(check: &Check) -> ObserverId {
    check.question.view_id().observer
}

fn largest(exposure: Exposure) -> String {
    match exposure {
        Exposure::At(0) => "it is violated for K = 0".to_owned(),
        Exposure::At(least) => format!("the largest K is {}", least - 1),
        Exposure::Never => "it holds for every K".to_owned(),
        Exposure::Beyond(safe) => format!("it holds at least up to K = {safe}"),
        Exposure::AtMost { most, .. } => format!("the largest K is less than {most}"),
        Exposure::Unknown => "nothing is known".to_owned(),
    }
}

/// That an exposure need not be the shortest.
fn at_most(exposure: Exposure) -> String {
    match exposure {
        Exposure::AtMost { most, .. } => format!(" (k ≤ {most}, not proved least)"),
        _ => String::new(),
    }
}

fn stopped(stop: Option<Stop>) -> &'static str {
    match stop {
        Some(Stop::Timeout) => "out of time",
        Some(Stop::Memory) => "out of memory",
        Some(Stop::Pairs) => "too many pairs",
        Some(Stop::States) => "too many states",
        Some(Stop::Interrupted) => "interrupted",
        None => "not decided",
    }
}

fn of_measure(measured: &Measured) -> String {
    match (measured.finding.exposure, measured.finding.stopped) {
        (Exposure::At(least), _) => format!("exposure {least}, {}", largest(Exposure::At(least))),
        (Exposure::Never, _) => "no exposure: it holds for every K".to_owned(),
        (found, stop) => format!("undecided ({}): {}", stopped(stop), largest(found)),
    }
}

/// `{A, B, ... 12 states}`
fn set(system: &System, states: &StateSet) -> String {
    let mut names: Vec<String> =
        states.iter().take(MAX_SHOWN).map(|state| system.names.state(state).into_owned()).collect();
    if states.len() > MAX_SHOWN {
        names.push(format!("... {} states", states.len()));
    }
    format!("{{{}}}", names.join(", "))
}

fn story(check: &Check, horizon: Horizon, reported: &Reported<'_>, resources: Resources<'_>) -> Story {
    let parts = of_parts(horizon, reported, resources);
    let parts = parts.as_ref();
    Story {
        message: format!("{}: {}", check.text, message(reported.system, check, &reported.witness, parts)),
        steps: steps(reported.system, check, &reported.witness, parts, resources),
    }
}

/// The counterexample of a composed system in terms of its parts.
fn of_parts(horizon: Horizon, reported: &Reported<'_>, resources: Resources<'_>) -> Option<counterexample::Story> {
    reported.system.names.composition()?;
    let mut monitor = resources.monitor();
    let edge = counterexample::BRIEF;
    let story =
        counterexample::Story::new(reported.system, reported.finding, horizon, &reported.witness, edge, &mut monitor);
    story.ok().filter(|story| story.subject.is_some())
}

fn message(system: &System, check: &Check, witness: &Witness, parts: Option<&counterexample::Story>) -> String {
    let later = witness.observation.len() - witness.at;
    let when = match later {
        0 => "now".to_owned(),
        1 => "one observation ago".to_owned(),
        later => format!("{later} observations ago"),
    };
    format!(
        "violated: the intruder sees {} and is then sure of {}, {when}",
        observation(system, check, witness),
        match parts.and_then(|story| story.subject.as_ref()).filter(|subject| !subject.is_all) {
            Some(subject) =>
                format!("`{}` at {}", subject.name, elided(&subject.exposed, MAX_SHOWN, |at| at.to_string()).join(", ")),
            None => set(system, &witness.exposed),
        },
    )
}

/// The first steps of the run, each where its transition is written.
fn steps(
    system: &System,
    check: &Check,
    witness: &Witness,
    parts: Option<&counterexample::Story>,
    resources: Resources<'_>,
) -> Vec<(Span, String)> {
    let run = &witness.run;
    let view = view(system, check.question.view_id());
    let shown = &run.events[..run.events.len().min(MAX_STEPS)];
    let signs: Vec<Option<Symbol>> = view.signs(shown).collect();
    let observation: Vec<Symbol> = signs.iter().flatten().copied().collect();
    let mut estimates = estimates(&view, &observation, resources.monitor());
    let mut steps = start(system, run.states[0]);
    let mut seen = 0;
    for (at, (&event, sign)) in shown.iter().zip(signs).enumerate() {
        let (source, target) = (run.states[at], run.states[at + 1]);
        let said = match sign {
            None => "the intruder sees nothing".to_owned(),
            Some(sign) => {
                seen += 1;
                let whole = estimates.next().map(|states| set(system, &states));
                let thinks = parts.and_then(|story| estimate_of_parts(story, seen)).or(whole);
                let thinks = thinks.map(|estimate| format!("; their estimate is {estimate}"));
                let sign = system.sign_name_greek(observer_of(check), sign);
                format!("the intruder sees {sign}{}", thinks.unwrap_or_default())
            }
        };
        let names = &system.names;
        let whole = || format!("{} -{}-> {}", names.state(source), names.event(event), names.state(target));
        let step = parts.and_then(|story| Words::default().run_act(story, at)).unwrap_or_else(whole);
        let place = names.transition_places(source, event, target).into_iter().next().unwrap_or(check.span);
        steps.push((place, format!("step {}: {step}; {said}", at + 1)));
    }
    steps
}

/// Where the parts in question may be after so many labels: `u[1]: {away[1], away[2]}`.
fn estimate_of_parts(story: &counterexample::Story, seen: usize) -> Option<String> {
    let (subject, step) = (story.subject.as_ref()?, story.step(seen).filter(|step| step.parts.is_some())?);
    Some(format!("{}: {}", subject.name, Words::default().possible(story, step)))
}

/// The estimate after each label, as far as the resources reach.
fn estimates(view: &View<'_>, observation: &[Symbol], mut monitor: Monitor<'_>) -> impl Iterator<Item = StateSet> {
    let mut following = Following::new(*view, observation, &mut monitor).ok();
    std::iter::from_fn(move || {
        let following = following.as_mut()?;
        following.advance(&mut monitor).ok()?;
        Some(following.estimate())
    })
}

fn start(system: &System, state: StateId) -> Vec<(Span, String)> {
    let place = system.names.state_places(state).into_iter().next();
    place.map(|place| (place, format!("the run starts in {}", system.names.state(state)))).into_iter().collect()
}
