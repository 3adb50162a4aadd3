//! The verdict of each check in a few words, and the counterexample of a violated one.
//!
//! A check inside `for` is several checks at one position: their verdicts are combined.

use crate::automaton::view::Sight;
use crate::automaton::{StateId, StateSet};
use crate::model::{Check, Horizon, Question, System};
use crate::source::Span;
use crate::verify::{Answer, Exposure, Measured, Outcome, Results, Stop, Verdict as Decided, Witness};

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Mark {
    Passed,
    Undecided,
    Failed,
}

/// The verdict beside a check or a measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
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

/// The maximal number of steps of a run.
const MAX_STEPS: usize = 60;

pub fn verdicts(system: &System, results: &Results) -> Vec<Verdict> {
    let checks = system.checks.iter().zip(&results.checks).map(|(check, outcome)| of_check(system, check, outcome));
    let measures = system.measures.iter().zip(&results.measures).map(|(measure, measured)| Verdict {
        span: measure.span,
        mark: Mark::Passed,
        text: of_measure(measured),
        story: None,
    });
    let mut all: Vec<Verdict> = checks.chain(measures).collect();
    all.sort_by_key(|verdict| verdict.span);
    together(all)
}

/// One verdict per position: the worst one, with the number of checks.
fn together(all: Vec<Verdict>) -> Vec<Verdict> {
    let mut joined: Vec<(Verdict, usize, usize)> = Vec::new();
    for verdict in all {
        let passed = usize::from(verdict.mark == Mark::Passed);
        match joined.last_mut() {
            Some((last, n, n_passed)) if last.span == verdict.span => {
                (*n, *n_passed) = (*n + 1, *n_passed + passed);
                if verdict.mark > last.mark {
                    *last = verdict;
                }
            }
            _ => joined.push((verdict, 1, passed)),
        }
    }
    let summed = joined.into_iter().map(|(verdict, n, passed)| match n {
        1 => verdict,
        _ if passed == n => Verdict { text: format!("all {n}: {}", verdict.text), ..verdict },
        _ => Verdict { text: format!("{passed} of {n} pass; {}", verdict.text), ..verdict },
    });
    summed.collect()
}

fn of_check(system: &System, check: &Check, outcome: &Outcome) -> Verdict {
    let (answer, text) = match outcome {
        Outcome::Property(decided) => (decided.answer, of_property(system, check, decided)),
        Outcome::Estimate { actual, as_expected } => (expected(*as_expected), format!("is {}", set(system, actual))),
        Outcome::Projection { actual, as_expected } => {
            let lens = match &check.question {
                Question::Projection { lens, .. } => Some(lens.observer),
                _ => None,
            };
            let observer = lens.unwrap_or(crate::model::OWN);
            let shown: Vec<String> = actual.iter().map(|&sign| system.sign_name_greek(observer, sign)).collect();
            (expected(*as_expected), format!("is [{}]", shown.join(" ")))
        }
    };
    let mark = match (answer, check.negated) {
        (Answer::Undecided, _) => Mark::Undecided,
        (Answer::Holds, false) | (Answer::Violated, true) => Mark::Passed,
        _ => Mark::Failed,
    };
    let text = if check.negated && mark == Mark::Passed { format!("{text}, as expected") } else { text };
    let story = (mark == Mark::Failed).then(|| story(system, check, outcome, &text));
    Verdict { span: check.span, mark, text, story }
}

fn expected(as_expected: bool) -> Answer {
    if as_expected { Answer::Holds } else { Answer::Violated }
}

fn of_property(system: &System, check: &Check, decided: &Decided) -> String {
    match decided.answer {
        Answer::Holds => match (decided.finding.exposure, decided.horizon) {
            (_, Horizon::Exactly(_)) => "holds".to_owned(),
            (Exposure::Never, Horizon::Steps(_)) => "holds, for every K".to_owned(),
            (Exposure::At(least), Horizon::Steps(_)) => format!("holds, up to K = {}", least.saturating_sub(1)),
            _ => "holds".to_owned(),
        },
        Answer::Violated => match (&decided.finding.witness, decided.horizon) {
            (_, Horizon::Exactly(_)) => format!("violated: {}", largest(decided.finding.exposure)),
            (Some(witness), _) => format!("violated: {}", exposed(system, check, witness)),
            (None, _) => "violated".to_owned(),
        },
        Answer::Undecided => format!("undecided: {}", stopped(decided.finding.stopped)),
    }
}

fn exposed(system: &System, check: &Check, witness: &Witness) -> String {
    format!("{} exposes {}", observation(system, check, witness), set(system, &witness.exposed))
}

fn observation(system: &System, check: &Check, witness: &Witness) -> String {
    let observer = observer_of(check);
    let signs: Vec<String> = witness.observation.iter().map(|&sign| system.sign_name_greek(observer, sign)).collect();
    if signs.is_empty() { "the empty observation".to_owned() } else { signs.join(" ") }
}

fn observer_of(check: &Check) -> crate::model::ObserverId {
    match &check.question {
        Question::Property { lens, .. } | Question::Estimate { lens, .. } | Question::Projection { lens, .. } => {
            lens.observer
        }
    }
}

fn largest(exposure: Exposure) -> String {
    match exposure {
        Exposure::At(0) => "it is violated for K = 0".to_owned(),
        Exposure::At(least) => format!("the largest K is {}", least - 1),
        Exposure::Never => "it holds for every K".to_owned(),
        Exposure::Beyond(safe) => format!("it holds at least up to K = {safe}"),
        Exposure::Unknown => "nothing is known".to_owned(),
    }
}

fn stopped(stop: Option<Stop>) -> &'static str {
    match stop {
        Some(Stop::Timeout) => "out of time",
        Some(Stop::Memory) => "out of memory",
        Some(Stop::Pairs) => "too many pairs",
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

fn story(system: &System, check: &Check, outcome: &Outcome, text: &str) -> Story {
    let witness = match outcome {
        Outcome::Property(decided) => decided.finding.witness.as_ref(),
        _ => None,
    };
    match witness.filter(|_| !check.negated) {
        Some(witness) => Story {
            message: format!("{}: {}", check.text, told(system, check, witness)),
            steps: steps(system, check, witness),
        },
        None => Story { message: format!("{}: {text}", check.text), steps: Vec::new() },
    }
}

fn told(system: &System, check: &Check, witness: &Witness) -> String {
    let later = witness.observation.len() - witness.at;
    let when = match later {
        0 => "now".to_owned(),
        1 => "one observation ago".to_owned(),
        later => format!("{later} observations ago"),
    };
    format!(
        "violated: the intruder sees {} and is then sure of {}, {when}",
        observation(system, check, witness),
        set(system, &witness.exposed),
    )
}

/// The steps of the run with the source locations of their transitions.
fn steps(system: &System, check: &Check, witness: &Witness) -> Vec<(Span, String)> {
    let observer = observer_of(check);
    let run = &witness.run;
    let mut seen = 0;
    let mut steps = start(system, run.states[0]);
    for (at, &event) in run.events.iter().enumerate().take(MAX_STEPS) {
        let (source, target) = (run.states[at], run.states[at + 1]);
        let silent = system.observer(observer).observer.sight(event) == Sight::Silent;
        let said = if silent {
            "the intruder sees nothing".to_owned()
        } else {
            seen += 1;
            let sign = witness.observation.get(seen - 1).map(|&sign| system.sign_name_greek(observer, sign));
            let estimate = witness.estimates.get(seen).map(|states| set(system, states));
            format!(
                "the intruder sees {}; their estimate is {}",
                sign.unwrap_or_default(),
                estimate.unwrap_or_default()
            )
        };
        let names = &system.names;
        let step = format!("{} -{}-> {}", names.state(source), names.event(event), names.state(target));
        let place = names.transition_places(source, event, target).into_iter().next().unwrap_or(check.span);
        steps.push((place, format!("step {}: {step}; {said}", at + 1)));
    }
    steps
}

fn start(system: &System, state: StateId) -> Vec<(Span, String)> {
    let place = system.names.state_places(state).into_iter().next();
    place.map(|place| (place, format!("the run starts in {}", system.names.state(state)))).into_iter().collect()
}
