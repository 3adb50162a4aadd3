//! The lists of the document, made while they are written.

use super::{
    CheckJson, KindJson, LeftOut, LimitJson, MaxKJson, MaxKWord, MeasureJson, PartEventJson, PartMoveJson,
    PartStepJson, PartsJson, RunJson, SystemJson, WitnessJson,
};
use crate::diagnostic::render::DiagnosticJson;
use crate::model::LeastCost;
use crate::report::counterexample::{Step, Story};
use crate::report::phrasing::Words;
use crate::report::scribe::{Teller, Written};
use crate::report::{CheckReport, FileReport, Kind, MaxK, MeasureReport, PropertyReport};
use crate::report::{Report, SignName, States, SystemReport, line};
use crate::resources::Stop;
use crate::verdict::{Answer, Exposure};
use serde::{Serialize, Serializer};
use std::cell::RefCell;
use std::sync::Arc;

/// A system whose checks and measures are made while they are written.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    file: &'a FileReport,
    system: SystemReport<'a>,
    teller: &'a RefCell<Teller<'a>>,
}

/// What a `check estimate` or a `check projection` is about.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Value<'a> {
    #[serde(serialize_with = "state_names")]
    States(States<'a>),
    #[serde(serialize_with = "sign_names")]
    Signs(Vec<SignName>),
    #[serde(serialize_with = "least_cost")]
    Cost(LeastCost),
}

pub(super) fn diagnostics<S: Serializer>(report: &&Report, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(report.diagnostics().flat_map(|(file, found)| {
        found.iter().map(|diagnostic| DiagnosticJson::new(&file.sources, diagnostic)).collect::<Vec<_>>()
    }))
}

pub(super) fn systems<'a, S: Serializer>(
    &(report, teller): &(&'a Report, &'a RefCell<Teller<'a>>),
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_seq(
        report
            .files
            .iter()
            .flat_map(|file| file.systems().into_iter().map(move |system| system_json(Part { file, system, teller }))),
    )
}

fn system_json(part: Part<'_>) -> SystemJson<'_> {
    let Part { file, system, .. } = part;
    SystemJson {
        file: file.name(),
        name: &system.system.name,
        states: system.n_states(),
        events: system.n_events(),
        transitions: system.n_transitions(),
        values: system.swept.map(|swept| swept.values.iter().map(|(name, value)| (&**name, *value)).collect()),
        seconds: system.swept.map(|swept| swept.time.as_secs_f64()),
        checks: part,
        measures: part,
        parts: system.n_parts(),
        unbuilt: system.unbuilt.map(LimitJson::from),
    }
}

/// The checks, as long as there is time for another.
pub(super) fn checks<S: Serializer>(part: &Part<'_>, to: S) -> Result<S::Ok, S::Error> {
    let Part { file, system, teller } = part;
    to.collect_seq((0..system.n_checks()).map_while(|at| {
        let mut teller = teller.borrow_mut();
        if !teller.goes_on(UNITS_PER_CHECK) {
            teller.leave_out(system.n_checks() - at);
            return None;
        }
        Some(check_json(file, system.explained(at, &mut teller)))
    }))
}

/// What it takes to write one check.
const UNITS_PER_CHECK: u64 = 16;

pub(super) fn measures<S: Serializer>(part: &Part<'_>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(part.system.measures().map(|measure| measure_json(part.file, measure)))
}

pub(super) fn left_out<S: Serializer>(teller: &&RefCell<Teller<'_>>, to: S) -> Result<S::Ok, S::Error> {
    let Written { left_out, stop } = teller.borrow().written();
    LeftOut { checks: left_out, limit: stop.map(LimitJson::from) }.serialize(to)
}

pub(super) fn is_whole(teller: &&RefCell<Teller<'_>>) -> bool {
    teller.borrow().written().left_out == 0
}

fn state_names<S: Serializer>(states: &States<'_>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(states.names())
}

/// A number, or `"impossible"`.
fn least_cost<S: Serializer>(cost: &LeastCost, to: S) -> Result<S::Ok, S::Error> {
    match cost {
        LeastCost::Costs(cost) => to.serialize_u64(*cost),
        LeastCost::Impossible => to.serialize_str("impossible"),
    }
}

fn sign_names<S: Serializer>(signs: &[SignName], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(signs.iter().map(|sign| &*sign.ascii))
}

pub(super) fn labels<S: Serializer>(story: &Story, to: S) -> Result<S::Ok, S::Error> {
    sign_names(&story.observation, to)
}

pub(super) fn exposed<S: Serializer>(story: &Story, to: S) -> Result<S::Ok, S::Error> {
    names(&story.exposed.names, to)
}

pub(super) fn run_states<S: Serializer>(story: &Story, to: S) -> Result<S::Ok, S::Error> {
    names(&story.run.states, to)
}

pub(super) fn run_events<S: Serializer>(story: &Story, to: S) -> Result<S::Ok, S::Error> {
    names(&story.run.events, to)
}

pub(super) fn run_agents<S: Serializer>(story: &Story, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(story.run.agents.iter().map(Option::as_deref))
}

pub(super) fn has_no_agents(story: &Arc<Story>) -> bool {
    story.run.agents.is_empty()
}

fn names<S: Serializer>(names: &[Arc<str>], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(names.iter().map(|name| &**name))
}

/// The checks of a file, without their stories.
pub(in crate::report) fn checks_of(file: &FileReport) -> Vec<CheckJson<'_>> {
    let systems = file.systems();
    let checks = systems.iter().flat_map(|system| (0..system.n_checks()).map(|at| system.check(at)));
    checks.map(|check| check_json(file, check)).collect()
}

fn check_json<'a>(file: &FileReport, check: CheckReport<'a>) -> CheckJson<'a> {
    let blank = blank(file, &check);
    match check.kind {
        Kind::Property(found) => with_property(blank, check.answer, &found),
        Kind::Estimate { expected, actual, .. } => {
            let actual = actual.map(Value::States);
            CheckJson { kind: KindJson::Estimate, ..with_value(blank, Value::States(expected), actual) }
        }
        Kind::Projection { expected, actual, .. } => {
            let actual = actual.map(Value::Signs);
            CheckJson { kind: KindJson::Projection, ..with_value(blank, Value::Signs(expected), actual) }
        }
        Kind::Repair { expected, actual } => {
            let actual = actual.map(Value::Cost);
            CheckJson { kind: KindJson::Repair, ..with_value(blank, Value::Cost(expected), actual) }
        }
    }
}

/// What checks of every kind have.
fn blank<'a>(file: &FileReport, check: &CheckReport<'a>) -> CheckJson<'a> {
    CheckJson {
        name: check.name,
        text: check.text,
        line: line(&file.sources, check.span),
        kind: KindJson::Property,
        projection: check.projection.into(),
        observer: check.observer,
        property: None,
        horizon: None,
        negated: check.negated,
        verdict: check.answer.into(),
        passed: check.passed(),
        vacuous: check.vacuity.map(Into::into),
        exposure: None,
        exposure_at_most: None,
        max_k: None,
        max_k_number: None,
        max_k_infinite: None,
        witness: None,
        shortest: None,
        others: None,
        others_are_all: None,
        fewest_observations: None,
        expected: None,
        actual: None,
        holds_up_to: None,
        no_exposure_up_to: None,
        frontier: None,
        limit: None,
        witness_limit: None,
        pairs: None,
        certified: None,
        help: Words { ascii: true, whole: false }.help(check),
        decided_by_parts: None,
        parts_total: None,
        parts_tried: None,
    }
}

fn with_value<'a>(blank: CheckJson<'a>, expected: Value<'a>, actual: Result<Value<'a>, Stop>) -> CheckJson<'a> {
    match actual {
        Ok(actual) => CheckJson { expected: Some(expected), actual: Some(actual), ..blank },
        Err(stop) => CheckJson { limit: Some(stop.into()), ..blank },
    }
}

fn with_property<'a>(blank: CheckJson<'a>, answer: Answer, found: &PropertyReport<'_>) -> CheckJson<'a> {
    let undecided = answer == Answer::Undecided;
    let told = found.story.as_ref().filter(|_| answer != Answer::Holds);
    let others = told.and(found.others.as_ref());
    let is_fewest = found.is_fewest && answer == Answer::Violated;
    CheckJson {
        property: Some((&found.goal).into()),
        horizon: Some(found.horizon.into()),
        exposure: exposure(found.exposure),
        exposure_at_most: exposure_at_most(found.exposure),
        max_k: max_k(found.exposure),
        max_k_number: MaxK::from(found.exposure).number(),
        max_k_infinite: is_infinite(found.exposure),
        witness: told.and(found.nearest.as_ref().or(told)).map(witness),
        shortest: told.filter(|_| found.nearest.is_some()).map(witness),
        others: others.map(|others| others.stories.iter().map(witness).collect()),
        others_are_all: others.and_then(|others| others.is_all),
        fewest_observations: told.filter(|_| is_fewest).map(|story| story.observation.len() as u64),
        holds_up_to: match found.exposure {
            Exposure::Beyond(safe) if undecided => Some(safe),
            Exposure::AtMost { safe, .. } if answer != Answer::Holds => safe,
            _ => None,
        },
        no_exposure_up_to: (found.levels.len() as u64).checked_sub(1),
        frontier: (!found.levels.is_empty()).then(|| found.levels.clone()),
        limit: found.stopped.filter(|_| undecided).map(LimitJson::from),
        witness_limit: found.unreported.filter(|_| answer == Answer::Violated).map(LimitJson::from),
        pairs: Some(found.cost.pairs),
        certified: Some(found.cost.certified),
        decided_by_parts: found.parts.as_ref().and_then(|parts| Some(parts.deciding()?.to_vec())),
        parts_total: found.parts.as_ref().map(|parts| parts.total),
        parts_tried: found.parts.as_ref().filter(|_| undecided).map(|parts| parts.tried.clone()),
        ..blank
    }
}

fn witness(story: &Arc<Story>) -> WitnessJson {
    let part = || Arc::clone(story);
    let run = RunJson { states: part(), events: part(), agents: part() };
    WitnessJson { observation: part(), at: story.at, estimate: part(), run, parts: composed(story) }
}

/// The witness in terms of the parts of a composed system.
fn composed(story: &Story) -> Option<PartsJson> {
    let subject = story.subject.as_ref()?;
    let names = |names: &[Arc<str>]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    Some(PartsJson {
        names: story.parts.clone(),
        about: subject.parts.iter().map(|&part| story.part(part).to_owned()).collect(),
        exposed: names(&subject.exposed),
        steps: story.steps.iter().filter_map(|step| part_step(story, step)).collect(),
        run: part_run(story),
    })
}

fn part_step(story: &Story, step: &Step) -> Option<PartStepJson> {
    let words = Words { ascii: true, whole: false };
    let parts = step.parts.as_ref()?;
    Some(PartStepJson {
        step: step.number,
        sees: step.sees.as_ref().map(|sign| sign.ascii.to_string()),
        possible: parts.possible.iter().map(|name| name.to_string()).collect(),
        because: words.because(story, step, step.number > story.at),
    })
}

fn part_run(story: &Story) -> Vec<PartEventJson> {
    let shows = story.run.shows(&story.observation);
    let deeds = story.run.events.iter().zip(&story.run.lanes).zip(shows);
    deeds
        .map(|((event, moves), sees)| PartEventJson {
            event: event.to_string(),
            sees: sees.map(|sign| sign.ascii.to_string()),
            moves: moves
                .iter()
                .map(|own| PartMoveJson {
                    part: story.part(own.part).to_owned(),
                    from: own.source.to_string(),
                    to: own.target.to_string(),
                })
                .collect(),
        })
        .collect()
}

fn measure_json<'a>(file: &FileReport, measure: MeasureReport<'a>) -> MeasureJson<'a> {
    MeasureJson {
        name: measure.name,
        text: measure.text,
        line: line(&file.sources, measure.span),
        projection: measure.projection.into(),
        observer: measure.observer,
        property: (&measure.goal).into(),
        exposure: exposure(measure.exposure),
        exposure_at_most: exposure_at_most(measure.exposure),
        max_k: max_k(measure.exposure),
        max_k_number: MaxK::from(measure.exposure).number(),
        max_k_infinite: is_infinite(measure.exposure),
        saturation: measure.saturation,
        bound: measure.bound,
    }
}

fn exposure(exposure: Exposure) -> Option<u64> {
    match exposure {
        Exposure::At(least) => Some(least),
        _ => None,
    }
}

fn exposure_at_most(exposure: Exposure) -> Option<u64> {
    exposure.most().filter(|_| !exposure.is_exact())
}

/// Whether the maximal K is infinite; an exposure at any distance says that it is not.
fn is_infinite(exposure: Exposure) -> Option<bool> {
    MaxK::from(exposure).is_infinite().or(exposure.most().map(|_| false))
}

fn max_k(exposure: Exposure) -> Option<MaxKJson> {
    match MaxK::from(exposure) {
        MaxK::Steps(steps) => Some(MaxKJson::Steps(steps)),
        MaxK::Infinite => Some(MaxKJson::Word(MaxKWord::Infinite)),
        MaxK::None => Some(MaxKJson::Word(MaxKWord::None)),
        MaxK::Unknown => None,
    }
}
