//! From a system and its results to their report.

use super::story::Story;
use super::{About, CheckReport, FileReport, Goal, Kind, MeasureReport, PropertyReport, SignName, SystemReport};
use crate::automaton::view::{Projection, Sign};
use crate::automaton::{EventId, StateSet};
use crate::diagnostic::Diagnostic;
use crate::draw::{figure, layout};
use crate::model::{self, Classes, Horizon, Lens, Model, Property, Question, System, Unbuilt};
use crate::source::{FileId, Sources};
use crate::verify::{Answer, Cost, Exposure, Finding, Measured, Outcome, Results, Stop, Verdict, view};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl FileReport {
    /// `results` are those of the systems of the model, in order. A file with errors has no model and no systems.
    pub fn new(
        sources: &Sources,
        entry: FileId,
        diagnostics: Vec<Diagnostic>,
        model: Option<&Model>,
        results: &[Results],
    ) -> FileReport {
        let systems = model.map_or(&[][..], Model::systems);
        let built = systems.iter().zip(results).map(|(system, results)| SystemReport::new(system, results));
        let unbuilt = model.map_or(&[][..], Model::unbuilt).iter().map(SystemReport::unbuilt);
        let mut systems: Vec<SystemReport> = built.chain(unbuilt).collect();
        if systems.iter().any(|system| system.unbuilt.is_some()) {
            systems.sort_by_key(|system| (system.span.file, system.span.start));
        }
        FileReport { sources: sources.clone(), entry, diagnostics, systems }
    }

    pub fn name(&self) -> &str {
        self.sources.get(self.entry).name()
    }
}

impl SystemReport {
    pub fn new(system: &System, results: &Results) -> SystemReport {
        let mut stories = Stories::default();
        let checks = system.checks.iter().zip(&results.checks);
        let measures = system.measures.iter().zip(&results.measures);
        SystemReport {
            name: system.name.clone(),
            docs: system.docs.clone(),
            span: system.span,
            states: system.automaton.n_states(),
            events: system.automaton.n_events(),
            transitions: system.automaton.n_transitions(),
            checks: checks.map(|(check, outcome)| check_report(system, check, outcome, &mut stories)).collect(),
            measures: measures.map(|(measure, measured)| measure_report(system, measure, measured)).collect(),
            pairs: pairs(results),
            graph: None,
            unbuilt: None,
        }
    }

    /// The report of a system that was not built: whatever depends on its states is undecided.
    pub fn unbuilt(unbuilt: &Unbuilt) -> SystemReport {
        let system = &unbuilt.system;
        let stop = unbuilt.stop;
        SystemReport {
            checks: system.checks.iter().map(|check| undecided_check(system, check, stop)).collect(),
            measures: system.measures.iter().map(|measure| undecided_measure(system, measure, stop)).collect(),
            unbuilt: Some(stop),
            ..SystemReport::new(system, &Results { checks: Vec::new(), measures: Vec::new() })
        }
    }

    /// Adds the drawing of the system, unless it is too large to be looked at.
    pub fn draw(&mut self, system: &System) {
        let small = self.states <= layout::MOST_NODES && self.transitions <= 10 * layout::MOST_EDGES;
        let lens = Lens { observer: model::OWN, projection: Projection::Strong };
        let eye = figure::Eye { system, lens, ascii: false };
        self.graph = small.then(|| figure::system(&eye, false));
    }
}

/// The pairs of all searches; checks may share one.
fn pairs(results: &Results) -> u64 {
    let of_checks = results.checks.iter().filter_map(|outcome| match outcome {
        Outcome::Property(verdict) => Some(&verdict.finding),
        _ => None,
    });
    let mut findings: Vec<&Arc<Finding>> = Vec::new();
    for finding in of_checks.chain(results.measures.iter().map(|measured| &measured.finding)) {
        if !findings.iter().any(|known| Arc::ptr_eq(known, finding)) {
            findings.push(finding);
        }
    }
    findings.iter().map(|finding| finding.cost.pairs).sum()
}

/// The stories that were told already: checks that share a finding share its story.
#[derive(Default)]
struct Stories(FxHashMap<(*const Finding, bool), Arc<Story>>);

impl Stories {
    fn of(&mut self, system: &System, verdict: &Verdict) -> Option<Arc<Story>> {
        let finding: &Finding = &verdict.finding;
        let witness = finding.witness.as_ref()?;
        let key = (Arc::as_ptr(&verdict.finding), verdict.horizon == Horizon::Initial);
        let new = || Arc::new(Story::new(system, finding, verdict.horizon, witness));
        Some(Arc::clone(self.0.entry(key).or_insert_with(new)))
    }
}

fn check_report(system: &System, check: &model::Check, outcome: &Outcome, stories: &mut Stories) -> CheckReport {
    let (lens, kind, answer) = kind_of(system, check, outcome, stories);
    answered(system, check, lens, kind, answer)
}

fn undecided_check(system: &System, check: &model::Check, stop: Stop) -> CheckReport {
    let (lens, kind) = match &check.question {
        Question::Property { lens, property, horizon } => {
            let report = PropertyReport {
                goal: goal(property),
                horizon: *horizon,
                exposure: Exposure::Unknown,
                stopped: Some(stop),
                fault: None,
                cost: Cost::default(),
                story: None,
            };
            (*lens, Kind::Property(Box::new(report)))
        }
        Question::Estimate { lens, observation, at, .. } => {
            let observation = signs(system, *lens, observation);
            (*lens, Kind::Estimate { observation, at: *at, expected: Vec::new(), actual: Vec::new() })
        }
        // What a string shows does not depend on the states.
        Question::Projection { lens, string, expected } => {
            let actual = view(system, *lens).project(string);
            let outcome = Outcome::Projection { as_expected: actual == *expected, actual };
            return check_report(system, check, &outcome, &mut Stories::default());
        }
    };
    answered(system, check, lens, kind, Answer::Undecided)
}

fn undecided_measure(system: &System, measure: &model::Measure, stop: Stop) -> MeasureReport {
    MeasureReport {
        name: measure.name.clone(),
        text: measure.text.clone(),
        span: measure.span,
        observer: system.observer(measure.lens.observer).name.clone(),
        projection: measure.lens.projection,
        goal: goal(&measure.property),
        exposure: Exposure::Unknown,
        saturation: None,
        bound: "unknown".to_owned(),
        stopped: Some(stop),
        cost: Cost::default(),
    }
}

fn answered(system: &System, check: &model::Check, lens: Lens, kind: Kind, answer: Answer) -> CheckReport {
    CheckReport {
        name: check.name.clone(),
        text: check.text.clone(),
        docs: check.docs.clone(),
        span: check.span,
        negated: check.negated,
        answer,
        passed: match answer {
            Answer::Undecided => false,
            Answer::Holds => !check.negated,
            Answer::Violated => check.negated,
        },
        observer: system.observer(lens.observer).name.clone(),
        projection: lens.projection,
        kind,
    }
}

fn kind_of(system: &System, check: &model::Check, outcome: &Outcome, stories: &mut Stories) -> (Lens, Kind, Answer) {
    let so = |as_expected: bool| if as_expected { Answer::Holds } else { Answer::Violated };
    match (&check.question, outcome) {
        (Question::Estimate { lens, observation, at, expected }, Outcome::Estimate { actual, as_expected }) => {
            let kind = Kind::Estimate {
                observation: signs(system, *lens, observation),
                at: *at,
                expected: state_names(system, expected),
                actual: state_names(system, actual),
            };
            (*lens, kind, so(*as_expected))
        }
        (Question::Projection { lens, string, expected }, Outcome::Projection { actual, as_expected }) => {
            let kind = Kind::Projection {
                string: string.iter().map(|&event| event_name(system, event)).collect(),
                expected: signs(system, *lens, expected),
                actual: signs(system, *lens, actual),
            };
            (*lens, kind, so(*as_expected))
        }
        (_, Outcome::Property(verdict)) => {
            (verdict.finding.lens, property_kind(system, verdict, stories), verdict.answer)
        }
        _ => unreachable!("the outcome of a check is of the kind of its question"),
    }
}

fn property_kind(system: &System, verdict: &Verdict, stories: &mut Stories) -> Kind {
    let finding: &Finding = &verdict.finding;
    Kind::Property(Box::new(PropertyReport {
        goal: goal(&finding.property),
        horizon: verdict.horizon,
        exposure: finding.exposure,
        stopped: finding.stopped,
        fault: finding.fault.clone(),
        cost: finding.cost.clone(),
        story: stories.of(system, verdict),
    }))
}

fn measure_report(system: &System, measure: &model::Measure, measured: &Measured) -> MeasureReport {
    let finding: &Finding = &measured.finding;
    MeasureReport {
        name: measure.name.clone(),
        text: measure.text.clone(),
        span: measure.span,
        observer: system.observer(measure.lens.observer).name.clone(),
        projection: measure.lens.projection,
        goal: goal(&measure.property),
        exposure: finding.exposure,
        saturation: finding.saturation,
        bound: measured.bound.clone(),
        stopped: finding.stopped,
        cost: finding.cost.clone(),
    }
}

fn goal(property: &Property) -> Goal {
    match property {
        Property::Opacity { .. } => Goal::Opacity,
        Property::Anonymity { among, classes } => Goal::Anonymity { among: *among, about: classes.as_ref().map(about) },
    }
}

fn about(classes: &Classes) -> About {
    classes.subject.clone().map_or(About::Partition, About::Part)
}

pub(super) fn signs(system: &System, lens: Lens, signs: &[Sign]) -> Vec<SignName> {
    signs.iter().map(|&sign| SignName::new(system, lens.observer, sign)).collect()
}

pub(super) fn event_name(system: &System, event: EventId) -> String {
    system.names.event(event).into_owned()
}

pub(super) fn state_names(system: &System, states: &StateSet) -> Vec<String> {
    states.iter().map(|state| system.names.state(state).into_owned()).collect()
}
