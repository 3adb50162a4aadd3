//! From systems and results to what is said about each check.

use super::scribe::{Exposed, Teller};
use super::{
    About, CheckReport, Easier, FileReport, Goal, Kind, MeasureReport, PartsReport, PropertyReport, SignName, States,
    Swept, SystemReport, Tally,
};
use crate::automaton::view::{Projection, Symbol};
use crate::diagnostic::Diagnostic;
use crate::draw::{Graph, figure, layout};
use crate::model::of_parts::{ClassesOfParts, PropertyOfParts};
use crate::model::shard::Kept;
use crate::model::{self, Classes, Horizon, Model, Property, Question, System, ViewId};
use crate::resources::Stop;
use crate::source::{FileId, Sources};
use crate::verdict::{Answer, Cost, DecidingParts, Evidence, Exposure, Finding, Mark, Refutation, Results, Verdict};
use crate::verify::view;
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::sync::Arc;

/// The most constants that are proposed to be smaller.
const SMALLER: usize = 2;

impl FileReport {
    /// `results` are those of the systems of the model, in order. A file with errors has no model and no systems.
    pub fn new(
        sources: Sources,
        entry: FileId,
        diagnostics: Vec<Diagnostic>,
        model: Option<Arc<Model>>,
        results: Vec<Results>,
    ) -> FileReport {
        FileReport { sources, entry, diagnostics, model, results, repairs: Vec::new(), swept: None }
    }

    pub fn name(&self) -> &str {
        self.sources.get(self.entry).name()
    }

    /// The model; none: the file has errors.
    pub fn model(&self) -> Option<&Model> {
        self.model.as_deref()
    }

    /// Which questions of each system were kept, if only a share was.
    pub(crate) fn kept(&self) -> &[Kept] {
        self.model.as_ref().map_or(&[], |model| &model.kept)
    }

    /// Its systems that were built, with their results.
    pub fn decided(&self) -> impl Iterator<Item = (&System, &Results)> {
        self.model.iter().flat_map(|model| model.systems()).zip(&self.results)
    }

    /// Its systems, in the order of the text.
    pub fn systems(&self) -> Vec<SystemReport<'_>> {
        let swept = self.swept.as_ref();
        let constants = self.model.as_ref().map_or(&[][..], |model| &model.constants);
        let built = self.decided().map(|(system, results)| SystemReport {
            system,
            results: Some(results),
            unbuilt: None,
            swept,
            constants,
        });
        let unbuilt = self.model.iter().flat_map(|model| model.unbuilt());
        let unbuilt = unbuilt.map(|left| SystemReport {
            system: &left.system,
            results: None,
            unbuilt: Some(left.stop),
            swept,
            constants,
        });
        let mut systems: Vec<SystemReport<'_>> = built.chain(unbuilt).collect();
        if systems.iter().any(|report| report.unbuilt.is_some()) {
            systems.sort_by_key(|report| (report.system.span.file, report.system.span.start));
        }
        systems
    }
}

impl<'a> SystemReport<'a> {
    /// Its name, with the values of swept constants: `Network (N = 2)`.
    pub fn title(&self) -> Cow<'a, str> {
        match self.swept {
            None => Cow::Borrowed(&self.system.name),
            Some(swept) => format!("{} ({})", self.system.name, Swept::words(swept.values.clone())).into(),
        }
    }

    /// |X|.
    pub fn n_states(&self) -> usize {
        self.system.automaton.n_states()
    }

    /// |Σ|.
    pub fn n_events(&self) -> usize {
        self.system.automaton.n_events()
    }

    /// How many parts it has, if their product is not built.
    pub fn n_parts(&self) -> Option<usize> {
        self.system.uncomposed.and(self.system.names.composition()).map(|parts| parts.n_parts())
    }

    /// How many transitions it has.
    pub fn n_transitions(&self) -> usize {
        self.system.automaton.n_transitions()
    }

    /// How many checks it has.
    pub fn n_checks(&self) -> usize {
        self.system.checks.len()
    }

    /// How many measures were not finished.
    pub fn n_unmeasured(&self) -> usize {
        match self.results {
            Some(results) => results.measures.iter().filter(|measured| measured.finding.stopped.is_some()).count(),
            None => self.system.measures.len(),
        }
    }

    /// How many pairs all searches together kept; checks may share one.
    pub fn pairs(&self) -> u64 {
        let of_checks = self.results.iter().flat_map(|results| &results.checks).filter_map(Verdict::evidence);
        let of_checks = of_checks.map(|evidence| &evidence.finding);
        let of_measures = self.results.iter().flat_map(|results| &results.measures).map(|measured| &measured.finding);
        let mut known: FxHashSet<*const Finding> = FxHashSet::default();
        let findings = of_checks.chain(of_measures).filter(|finding| known.insert(Arc::as_ptr(finding)));
        findings.map(|finding| finding.cost.pairs).sum()
    }

    /// Every check with its answer, before `not` is applied.
    pub fn answers(&self) -> impl Iterator<Item = (&'a model::Check, Answer)> + use<'a> {
        let this = *self;
        let answer = move |at: usize| match this.results {
            Some(results) => results.checks[at].answer(),
            None => this.unbuilt_verdict(at).answer(),
        };
        this.system.checks.iter().enumerate().map(move |(at, check)| (check, answer(at)))
    }

    /// The checks that a reader must hear of: those that did not pass, and those that hold only because nothing happens.
    pub fn noteworthy(&self) -> Vec<usize> {
        let is_noteworthy = |check: &model::Check, answer: Answer| {
            let is_vacuous = answer == Answer::Holds && self.system.vacuity(&check.question).is_some();
            answer.mark(check.negated) != Mark::Passed || is_vacuous
        };
        self.answers()
            .enumerate()
            .filter(|(_, (check, answer))| is_noteworthy(check, *answer))
            .map(|(at, _)| at)
            .collect()
    }

    /// One check, without the story of its exposure.
    pub fn check(&self, at: usize) -> CheckReport<'a> {
        self.report(at, |_| Ok(None))
    }

    /// One check with the story of its exposure, and what could be changed so that it passes.
    pub fn explained(&self, at: usize, teller: &mut Teller<'_>) -> CheckReport<'a> {
        let mut check = self.with_story(at, teller);
        self.add_remedies(&mut check, at, teller);
        check
    }

    /// One check with the story of its exposure.
    pub fn with_story(&self, at: usize, teller: &mut Teller<'_>) -> CheckReport<'a> {
        self.report(at, |evidence| teller.story(self.system, evidence))
    }

    /// Adds what could be changed so that a check passes that fails.
    pub fn add_remedies(&self, check: &mut CheckReport<'a>, at: usize, teller: &mut Teller<'_>) {
        let evidence = self.results.and_then(|results| results.checks[at].evidence());
        let fails = check.answer == Answer::Violated && !check.passed();
        if let (Kind::Property(found), Some(evidence), true) = (&mut check.kind, evidence, fails)
            && let Some(story) = &found.story
        {
            found.remedies = teller.remedies(self.system, evidence, story);
        }
    }

    fn report(&self, at: usize, tell: impl FnOnce(&Evidence) -> Explained) -> CheckReport<'a> {
        let check = &self.system.checks[at];
        let (mut kind, answer) = match self.results {
            Some(results) => {
                let verdict = &results.checks[at];
                (self.kind(&check.question, verdict, tell), verdict.answer())
            }
            None => self.unbuilt_check(at),
        };
        if let (Kind::Property(found), Answer::Undecided) = (&mut kind, answer) {
            found.easier = self.easier(&found.goal, check.question.view_id());
        }
        self.answered(check, kind, answer)
    }

    /// What may be decided where a property is not: it is not tried, because the limits are used up.
    fn easier(&self, goal: &Goal, view_id: ViewId) -> Vec<Easier> {
        let mut all = Vec::new();
        if let (Goal::Anonymity { about: None, .. }, Some(parts)) = (goal, self.system.names.composition())
            && parts.n_parts() > 1
        {
            all.push(Easier::About(parts.name(0).to_owned()));
        }
        if view_id.projection == Projection::Weak {
            all.push(Easier::Strong);
        }
        let large = self.constants.iter().filter(|(_, value)| *value > 1);
        all.extend(large.take(SMALLER).map(|(name, value)| Easier::Smaller(name.clone(), value - 1)));
        all
    }

    fn answered(&self, check: &'a model::Check, kind: Kind<'a>, answer: Answer) -> CheckReport<'a> {
        let view_id = check.question.view_id();
        CheckReport {
            name: check.name.as_deref(),
            text: &check.text,
            docs: &check.docs,
            span: check.span,
            negated: check.negated,
            answer,
            mark: answer.mark(check.negated),
            vacuity: self.system.vacuity(&check.question).filter(|_| answer == Answer::Holds),
            observer: self.system.observer(view_id.observer).name.as_deref(),
            projection: view_id.projection,
            kind,
        }
    }

    fn kind(
        &self,
        question: &'a Question,
        verdict: &'a Verdict,
        tell: impl FnOnce(&Evidence) -> Explained,
    ) -> Kind<'a> {
        match (question, verdict.evidence()) {
            (Question::Property { .. }, Some(evidence)) => {
                Kind::Property(Box::new(property(self.system, evidence, tell(evidence))))
            }
            (Question::Estimate { view_id, observation, at, expected }, _) => {
                let states = |set: &'a _| States { system: self.system, set };
                let actual = match verdict {
                    Verdict::Violated(Refutation::Estimate { actual }) => Ok(states(actual)),
                    Verdict::Undecided { stop: Some(stop), .. } => Err(*stop),
                    _ => Ok(states(expected)),
                };
                let observation = signs(self.system, *view_id, observation);
                Kind::Estimate { observation, at: *at, expected: states(expected), actual }
            }
            (Question::Projection { view_id, string, expected }, _) => {
                let actual = match verdict {
                    Verdict::Violated(Refutation::Projection { actual }) => Ok(signs(self.system, *view_id, actual)),
                    Verdict::Undecided { stop: Some(stop), .. } => Err(*stop),
                    _ => Ok(signs(self.system, *view_id, expected)),
                };
                self.projection(*view_id, string, expected, actual)
            }
            (Question::Repair { promised }, _) => {
                let actual = match verdict {
                    Verdict::Violated(Refutation::Repair { actual }) => Ok(*actual),
                    Verdict::Undecided { stop: Some(stop), .. } => Err(*stop),
                    _ => Ok(*promised),
                };
                Kind::Repair { expected: *promised, actual }
            }
            _ => unreachable!("the verdict of a property has evidence"),
        }
    }

    fn projection(
        &self,
        view_id: ViewId,
        string: &'a [crate::automaton::EventId],
        expected: &[Symbol],
        actual: Result<Vec<SignName>, Stop>,
    ) -> Kind<'a> {
        let string: Vec<Cow<'a, str>> = string.iter().map(|&event| self.system.names.event(event)).collect();
        Kind::Projection { string, expected: signs(self.system, view_id, expected), actual }
    }

    /// A check of a system that was not built: whatever needs its states is undecided.
    fn unbuilt_check(&self, at: usize) -> (Kind<'a>, Answer) {
        let verdict = self.unbuilt_verdict(at);
        let stop = self.unbuilt.unwrap_or(Stop::Interrupted);
        let kind = match &self.system.checks[at].question {
            Question::Property { property, horizon, .. } => Kind::Property(Box::new(PropertyReport {
                goal: goal(property),
                horizon: *horizon,
                exposure: Exposure::Unknown,
                stopped: Some(stop),
                fault: None,
                cost: Cost::default(),
                finding: None,
                story: None,
                is_fewest: false,
                nearest: None,
                others: None,
                remedies: Vec::new(),
                levels: Vec::new(),
                easier: Vec::new(),
                unreported: None,
                parts: None,
            })),
            Question::Estimate { view_id, observation, at, expected } => Kind::Estimate {
                observation: signs(self.system, *view_id, observation),
                at: *at,
                expected: States { system: self.system, set: expected },
                actual: Err(stop),
            },
            Question::Projection { view_id, string, expected } => {
                let actual = signs(self.system, *view_id, &view(self.system, *view_id).project(string));
                self.projection(*view_id, string, expected, Ok(actual))
            }
            Question::Repair { promised } => Kind::Repair { expected: *promised, actual: Err(stop) },
        };
        (kind, verdict.answer())
    }

    /// What a string shows does not depend on the states.
    fn unbuilt_verdict(&self, at: usize) -> Verdict {
        match &self.system.checks[at].question {
            Question::Projection { view_id, string, expected } => {
                let actual = view(self.system, *view_id).project(string);
                match actual == *expected {
                    true => Verdict::Holds(None),
                    false => Verdict::Violated(Refutation::Projection { actual }),
                }
            }
            _ => Verdict::stopped(self.unbuilt.unwrap_or(Stop::Interrupted)),
        }
    }

    /// How its checks ended.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        self.answers().for_each(|(check, answer)| tally.add(check, answer));
        tally
    }

    /// Its measures, in the order of the text.
    pub fn measures(&self) -> impl ExactSizeIterator<Item = MeasureReport<'a>> + use<'a> {
        let this = *self;
        this.system.measures.iter().enumerate().map(move |(at, measure)| {
            let measured = this.results.map(|results| &results.measures[at]);
            MeasureReport {
                name: measure.name.as_deref(),
                text: &measure.text,
                span: measure.span,
                observer: this.system.observer(measure.view_id.observer).name.as_deref(),
                projection: measure.view_id.projection,
                goal: goal(&measure.property),
                exposure: measured.map_or(Exposure::Unknown, |measured| measured.finding.exposure),
                saturation: measured.and_then(|measured| measured.finding.saturation),
                bound: measured.map_or("unknown", |measured| &measured.bound),
            }
        })
    }

    /// The drawing of the system, unless it is too large to be looked at.
    pub fn graph(&self) -> Option<Graph> {
        let small = self.n_states() <= layout::MOST_NODES && self.n_transitions() <= 10 * layout::MOST_EDGES;
        let view_id = ViewId { observer: model::OWN, projection: Projection::Strong };
        let eye = figure::DrawContext { system: self.system, view_id, ascii: false };
        (small && self.unbuilt.is_none() && self.system.uncomposed.is_none()).then(|| figure::system(&eye, false))
    }
}

/// The story of an exposure, if there is one; or why it is not reported.
type Explained = Result<Option<Exposed>, Stop>;

fn property<'a>(system: &System, evidence: &'a Evidence, explained: Explained) -> PropertyReport<'a> {
    let finding: &Finding = &evidence.finding;
    let unreported = explained.as_ref().err().copied().or(finding.unreplayed);
    let answer = finding.exposure.answer(evidence.horizon);
    let exposed = explained.ok().flatten();
    PropertyReport {
        goal: goal(&finding.property),
        horizon: evidence.horizon,
        exposure: finding.exposure,
        stopped: finding.stopped,
        fault: finding.fault.as_deref(),
        cost: finding.cost.clone(),
        finding: Some(finding),
        is_fewest: exposed.as_ref().is_some_and(|exposed| exposed.is_fewest),
        nearest: exposed.as_ref().and_then(|exposed| exposed.nearest.clone()),
        others: exposed.as_ref().and_then(|exposed| exposed.others.clone()),
        story: exposed.map(|exposed| exposed.story),
        remedies: Vec::new(),
        levels: if answer == Answer::Undecided { levels(finding, evidence.horizon) } else { Vec::new() },
        easier: Vec::new(),
        unreported,
        parts: finding.parts.as_deref().map(|parts| PartsReport::new(system, parts, answer)),
    }
}

/// What the search by the number of observations tells about a horizon.
fn levels(finding: &Finding, horizon: Horizon) -> Vec<u64> {
    let depth = match horizon {
        Horizon::Steps(steps) => steps,
        Horizon::Exactly(steps) => steps.saturating_add(1),
        Horizon::Infinite | Horizon::Initial => u64::MAX,
    };
    finding.levels.about(depth).to_vec()
}

impl PartsReport {
    /// WHY the answer: a search on some parts may know too little for one horizon, and enough for another.
    fn new(system: &System, parts: &DecidingParts, answer: Answer) -> PartsReport {
        let name = |&part: &usize| system.names.composition().map_or("", |parts| parts.name(part)).to_owned();
        let names = |parts: &Vec<usize>| parts.iter().map(name).collect();
        let total = parts.total;
        match answer {
            Answer::Undecided => {
                PartsReport { kept: Vec::new(), total, tried: parts.tried.iter().map(names).collect() }
            }
            Answer::Holds | Answer::Violated => PartsReport { kept: names(&parts.kept), total, tried: Vec::new() },
        }
    }

    /// The parts that decided it, if there are others.
    pub fn deciding(&self) -> Option<&[String]> {
        (!self.kept.is_empty() && self.kept.len() < self.total).then_some(&self.kept[..])
    }
}

fn goal(property: &Property) -> Goal {
    match property {
        Property::OfParts(property) => goal_of_parts(property),
        Property::Opacity { .. } => Goal::Opacity,
        Property::Throughout { .. } => Goal::Throughout,
        Property::InitialFinal { .. } => Goal::InitialFinal,
        Property::Anonymity { among, classes, .. } => {
            Goal::Anonymity { among: *among, about: classes.as_ref().map(about) }
        }
    }
}

fn goal_of_parts(property: &PropertyOfParts) -> Goal {
    match property {
        PropertyOfParts::Opacity { .. } => Goal::Opacity,
        PropertyOfParts::Throughout { .. } => Goal::Throughout,
        PropertyOfParts::InitialFinal { .. } => Goal::InitialFinal,
        PropertyOfParts::Anonymity { among, classes, .. } => {
            let about = classes.as_ref().map(|classes| match classes {
                ClassesOfParts::By(_, subject) => About::Part(subject.clone()),
                ClassesOfParts::Sets(_) => About::Partition,
            });
            Goal::Anonymity { among: *among, about }
        }
    }
}

fn about(classes: &Classes) -> About {
    classes.subject.clone().map_or(About::Partition, About::Part)
}

fn signs(system: &System, view_id: ViewId, signs: &[Symbol]) -> Vec<SignName> {
    signs.iter().map(|&sign| SignName::new(system, view_id.observer, sign)).collect()
}
