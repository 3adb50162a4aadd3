//! From results to a document of proofs, and from a document to the checks that it confirms.
//!
//! A system is identified by a hash of its *meaning*: states, events, transitions, observers and checks as the verification
//! sees them, in a fixed order; comments, layout and the notation of sets do not count. A proof confirms a check only if its
//! horizon is at least that of the check.

use super::kept::{Sees, check_exposure, check_same, compose, sees};
use super::meaning::{meaning, meaning_within};
use super::{Certificate, Refused, Violation, check, check_violation};
use crate::automaton::EventId;
use crate::automaton::view::View;
use crate::model::of_parts::PropertyOfParts;
use crate::model::{Horizon, Property, Question, System, ViewId};
use crate::resources::{Monitor, Stop};
use crate::verdict::{Answer, Results, Verdict};
use rustc_hash::FxHashMap;

/// The proofs of one run of the tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The version of the tool that wrote it.
    pub version: String,
    /// One for each system.
    pub systems: Vec<Certified>,
}

/// The proofs of one system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certified {
    /// The name of the system.
    pub name: String,
    /// The hash of its meaning, in hexadecimal.
    pub meaning: String,
    /// The proofs.
    pub proofs: Vec<Proof>,
}

/// One proof, and the checks that it is for, by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The checks.
    pub checks: Vec<u32>,
    /// The parts that it is about, if it is not about the whole product.
    pub parts: Option<KeptParts>,
    /// What is proved.
    pub body: Body,
}

/// The parts that a proof is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptParts {
    /// Their numbers, in order.
    pub kept: Vec<u32>,
    /// Of an exposure the events of a run of the whole system that shows it.
    pub run: Vec<u32>,
}

/// What is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// That nothing is exposed.
    Holds(Box<Certificate>),
    /// That something is.
    Violation(Violation),
}

/// The proofs of all decided checks of a system that have one.
pub fn certify(system: &System, results: &Results) -> Certified {
    let mut proofs: Vec<Proof> = Vec::new();
    let mut known: FxHashMap<*const crate::verdict::Finding, Vec<usize>> = FxHashMap::default();
    for (at, (check, verdict)) in system.checks.iter().zip(&results.checks).enumerate() {
        let (Some(evidence), Question::Property { view_id, property, .. }) = (verdict.evidence(), &check.question)
        else {
            continue;
        };
        if matches!(verdict, Verdict::Undecided { .. }) || evidence.finding.fault.is_some() {
            continue;
        }
        let finding = std::sync::Arc::as_ptr(&evidence.finding);
        let places = known.entry(finding).or_insert_with(|| {
            let initial = evidence.horizon == Horizon::Initial;
            let holds = evidence.certificate().cloned().map(|proof| Body::Holds(Box::new(proof)));
            let (shown, finding) = evidence.finding.shown(system);
            let property = if std::ptr::eq(shown, system) { property } else { &finding.property };
            let witness = finding.witness.as_ref();
            let exposed = witness.map(|witness| Violation::of(&view(shown, *view_id), property, witness, initial));
            let run = witness.map_or_else(Vec::new, |witness| witness.run.events.iter().map(|event| event.0).collect());
            let kept = evidence.finding.parts.as_ref().map(|parts| parts.kept.iter().map(|&part| part as u32));
            let of = |run: Vec<u32>| kept.clone().map(|kept| KeptParts { kept: kept.collect(), run });
            let from = proofs.len();
            let bodies = holds.map(|body| (of(Vec::new()), body)).into_iter();
            let bodies = bodies.chain(exposed.map(|exposed| (of(run), Body::Violation(exposed))));
            proofs.extend(bodies.map(|(parts, body)| Proof { checks: Vec::new(), parts, body }));
            (from..proofs.len()).collect()
        });
        for &mut proof in places {
            if applies(&proofs[proof].body, evidence.horizon) {
                proofs[proof].checks.push(at as u32);
            }
        }
    }
    proofs.retain(|proof| !proof.checks.is_empty());
    Certified { name: system.name.clone(), meaning: meaning(system), proofs }
}

/// Whether a proof may imply anything about a horizon.
fn applies(body: &Body, horizon: Horizon) -> bool {
    let reaches = |steps: u64, most: Option<u64>| most.is_none_or(|most| most >= steps);
    match (body, horizon) {
        (Body::Holds(proof), Horizon::Initial) => proof.initial,
        (Body::Violation(run), Horizon::Initial) => run.initial,
        (Body::Holds(proof), Horizon::Infinite) => !proof.initial && proof.horizon.is_none(),
        (Body::Holds(proof), Horizon::Steps(steps) | Horizon::Exactly(steps)) => {
            !proof.initial && reaches(steps, proof.horizon)
        }
        (Body::Violation(run), Horizon::Infinite) => !run.initial,
        (Body::Violation(run), Horizon::Steps(steps)) => !run.initial && run.distance() <= steps,
        (Body::Violation(run), Horizon::Exactly(steps)) => !run.initial && run.distance() <= steps.saturating_add(1),
    }
}

/// What the proofs of a system confirm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// For each check the answer that is proved.
    pub answers: Vec<Option<Answer>>,
    /// Why not all proofs were checked, if they were not. What is confirmed stays so.
    pub stopped: Option<Stop>,
}

/// Checks the proofs of a system. The error says what is refused.
pub fn confirm(system: &System, certified: &Certified, monitor: &mut Monitor<'_>) -> Result<Confirmed, String> {
    // For each check: the greatest horizon that is proved, and the least one that is refuted.
    let mut known: Vec<(Option<Reach>, Option<u64>)> = vec![(None, None); system.checks.len()];
    let stopped = match confirm_all(system, certified, &mut known, monitor) {
        Ok(()) => None,
        Err(Refused::Stopped(stop)) => Some(stop),
        Err(Refused::Wrong(fault)) => return Err(fault),
    };
    let answers = system.checks.iter().zip(known).map(|(check, (holds, exposed))| match &check.question {
        Question::Property { horizon, .. } => answer(*horizon, holds, exposed),
        Question::Estimate { .. } | Question::Projection { .. } | Question::Repair { .. } => None,
    });
    Ok(Confirmed { answers: answers.collect(), stopped })
}

fn confirm_all(
    system: &System,
    certified: &Certified,
    known: &mut [(Option<Reach>, Option<u64>)],
    monitor: &mut Monitor<'_>,
) -> Result<(), Refused> {
    let own = meaning_within(system, monitor)?;
    if own != certified.meaning {
        return Err(format!("it is about another model: its hash is {}, this one's {own}", certified.meaning).into());
    }
    for (at, proof) in certified.proofs.iter().enumerate() {
        let confirmed = confirm_proof(system, proof, known, monitor);
        confirmed.map_err(|fault| fault.at(format_args!("proof {}: ", at + 1)))?;
    }
    Ok(())
}

/// How far a property is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    Steps(u64),
    Infinite,
}

fn confirm_proof(
    system: &System,
    proof: &Proof,
    known: &mut [(Option<Reach>, Option<u64>)],
    monitor: &mut Monitor<'_>,
) -> Result<(), Refused> {
    if proof.checks.is_empty() {
        return Err("it is for no check".into());
    }
    let mut confirmed: Option<(ViewId, &Property, u64)> = None;
    for &at in &proof.checks {
        let check = system.checks.get(at as usize);
        let Some(Question::Property { view_id, property, horizon }) = check.map(|check| &check.question) else {
            return Err(format!("there is no check {at} of a property").into());
        };
        let by_parts = check.and_then(|check| check.by_parts.as_deref());
        if !applies(&proof.body, *horizon) {
            return Err(format!("it implies nothing about check {at}").into());
        }
        let distance = match confirmed {
            Some((of, about, distance)) if of == *view_id && about == property => distance,
            _ => confirm_body((system, *view_id), (property, by_parts), proof, monitor)?,
        };
        confirmed = Some((*view_id, property, distance));
        let (holds, exposed) = &mut known[at as usize];
        match &proof.body {
            Body::Holds(proof) => *holds = (*holds).max(Some(proof.horizon.map_or(Reach::Infinite, Reach::Steps))),
            Body::Violation(_) => *exposed = Some(exposed.map_or(distance, |least| least.min(distance))),
        }
    }
    Ok(())
}

fn confirm_body(
    (system, view_id): (&System, ViewId),
    (property, by_parts): (&Property, Option<&PropertyOfParts>),
    proof: &Proof,
    monitor: &mut Monitor<'_>,
) -> Result<u64, Refused> {
    let view = view(system, view_id);
    match (property, &proof.parts, &proof.body) {
        (Property::OfParts(property), Some(parts), body) => {
            confirm_parts((system, view_id), property, parts, body, monitor)
        }
        (Property::OfParts(_), None, _) => Err("it does not say which parts it is about".into()),
        (_, Some(parts), body) => {
            let by_parts = by_parts.ok_or("it is about parts, and the check about states")?;
            check_same(system, by_parts, property, monitor)?;
            confirm_parts((system, view_id), by_parts, parts, body, monitor)
        }
        (_, None, Body::Holds(proof)) => check(&view, property, proof, monitor).map(|()| 0),
        (_, None, Body::Violation(run)) => check_violation(&view, property, run, monitor),
    }
}

/// Checks a proof about some parts: their product is built, that of all parts never.
fn confirm_parts(
    (system, view_id): (&System, ViewId),
    property: &PropertyOfParts,
    of: &KeptParts,
    body: &Body,
    monitor: &mut Monitor<'_>,
) -> Result<u64, Refused> {
    let kept: Vec<usize> = of.kept.iter().map(|&part| part as usize).collect();
    let run: Vec<EventId> = of.run.iter().copied().map(EventId).collect();
    match body {
        Body::Violation(exposed) => check_exposure((system, view_id), property, (&kept, &run), exposed, monitor),
        Body::Holds(proof) => {
            let parts = system.names.composition().ok_or("it is not about a composition")?;
            let small = compose(parts, property, (&kept, system.automaton.n_events()), monitor)?;
            let real = (&system.observer(view_id.observer).observer, view_id.projection);
            let Sees { observer, projection, counts_alike } = match kept.len() == parts.n_parts() {
                true => Sees { observer: real.0.clone(), projection: real.1, counts_alike: true },
                false => sees(parts, &kept, real),
            };
            if proof.horizon.is_some() && !counts_alike {
                return Err("its labels are not those of the intruder, so its horizon says nothing".into());
            }
            let view = View { automaton: &small.automaton, observer: &observer, projection };
            check(&view, &small.property, proof, monitor).map(|()| 0)
        }
    }
}

/// What is proved about a horizon.
fn answer(horizon: Horizon, holds: Option<Reach>, exposed: Option<u64>) -> Option<Answer> {
    let holds_for = |steps: u64| holds >= Some(Reach::Steps(steps));
    let exposed_at = |steps: u64| exposed.is_some_and(|least| least <= steps);
    let (proved, refuted) = match horizon {
        Horizon::Infinite | Horizon::Initial => (holds == Some(Reach::Infinite), exposed.is_some()),
        Horizon::Steps(steps) => (holds_for(steps), exposed_at(steps)),
        Horizon::Exactly(steps) => {
            let next = steps.saturating_add(1);
            (holds_for(steps) && exposed_at(next), exposed_at(steps) || holds_for(next))
        }
    };
    match (proved, refuted) {
        (true, _) => Some(Answer::Holds),
        (false, true) => Some(Answer::Violated),
        (false, false) => None,
    }
}

fn view(system: &System, view_id: ViewId) -> View<'_> {
    View {
        automaton: &system.automaton,
        observer: &system.observer(view_id.observer).observer,
        projection: view_id.projection,
    }
}
