//! From results to a document of proofs, and from a document to the checks that it confirms.
//!
//! A system is identified by a hash of its *meaning*: states, events, transitions, observers and checks as the verification
//! sees them, in a fixed order; comments, layout and the notation of sets do not count. A proof confirms a check only if its
//! horizon is at least that of the check.

use super::{Certificate, Violation, check, check_violation};
use crate::automaton::view::{Projection, Sight, Sign, View};
use crate::model::{Horizon, Lens, Property, Question, System};
use crate::verify::{Answer, Outcome, Results};
use sha2::{Digest, Sha256};

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
    /// What is proved.
    pub body: Body,
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
    let mut known: Vec<*const crate::verify::Finding> = Vec::new();
    let mut places: Vec<Vec<usize>> = Vec::new();
    for (at, (check, outcome)) in system.checks.iter().zip(&results.checks).enumerate() {
        let (Outcome::Property(verdict), Question::Property { lens, property, .. }) = (outcome, &check.question) else {
            continue;
        };
        if verdict.answer == Answer::Undecided || verdict.finding.fault.is_some() {
            continue;
        }
        let finding = std::sync::Arc::as_ptr(&verdict.finding);
        let place = known.iter().position(|&other| other == finding).unwrap_or_else(|| {
            known.push(finding);
            let initial = verdict.horizon == Horizon::Initial;
            let holds = verdict.finding.certificate.clone().map(|proof| Body::Holds(Box::new(proof)));
            let witness = verdict.finding.witness.as_ref();
            let exposed = witness.map(|witness| Violation::of(&view(system, *lens), property, witness, initial));
            places.push(Vec::new());
            for body in holds.into_iter().chain(exposed.map(Body::Violation)) {
                places[known.len() - 1].push(proofs.len());
                proofs.push(Proof { checks: Vec::new(), body });
            }
            known.len() - 1
        });
        for &proof in &places[place] {
            if applies(&proofs[proof].body, verdict.horizon) {
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

/// Checks every proof of a system, and gives for each check the answer that is proved. The error says what is refused.
pub fn confirm(system: &System, certified: &Certified) -> Result<Vec<Option<Answer>>, String> {
    let own = meaning(system);
    if own != certified.meaning {
        return Err(format!("it is about another model: its hash is {}, this one's {own}", certified.meaning));
    }
    // For each check: the greatest horizon that is proved, and the least one that is refuted.
    let mut known: Vec<(Option<Reach>, Option<u64>)> = vec![(None, None); system.checks.len()];
    for (at, proof) in certified.proofs.iter().enumerate() {
        confirm_proof(system, proof, &mut known).map_err(|fault| format!("proof {}: {fault}", at + 1))?;
    }
    let answers = system.checks.iter().zip(known).map(|(check, (holds, exposed))| match &check.question {
        Question::Property { horizon, .. } => answer(*horizon, holds, exposed),
        Question::Estimate { .. } | Question::Projection { .. } => None,
    });
    Ok(answers.collect())
}

/// How far a property is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    Steps(u64),
    Infinite,
}

fn confirm_proof(system: &System, proof: &Proof, known: &mut [(Option<Reach>, Option<u64>)]) -> Result<(), String> {
    if proof.checks.is_empty() {
        return Err("it is for no check".to_owned());
    }
    let mut confirmed: Option<(Lens, &Property, u64)> = None;
    for &at in &proof.checks {
        let Some(Question::Property { lens, property, horizon }) =
            system.checks.get(at as usize).map(|check| &check.question)
        else {
            return Err(format!("there is no check {at} of a property"));
        };
        if !applies(&proof.body, *horizon) {
            return Err(format!("it implies nothing about check {at}"));
        }
        let distance = match confirmed {
            Some((of, about, distance)) if of == *lens && about == property => distance,
            _ => confirm_body(&view(system, *lens), property, &proof.body)?,
        };
        confirmed = Some((*lens, property, distance));
        let (holds, exposed) = &mut known[at as usize];
        match &proof.body {
            Body::Holds(proof) => *holds = (*holds).max(Some(proof.horizon.map_or(Reach::Infinite, Reach::Steps))),
            Body::Violation(_) => *exposed = Some(exposed.map_or(distance, |least| least.min(distance))),
        }
    }
    Ok(())
}

fn confirm_body(view: &View<'_>, property: &Property, body: &Body) -> Result<u64, String> {
    match body {
        Body::Holds(proof) => check(view, property, proof).map(|()| 0),
        Body::Violation(run) => check_violation(view, property, run),
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

fn view(system: &System, lens: Lens) -> View<'_> {
    View {
        automaton: &system.automaton,
        observer: &system.observer(lens.observer).observer,
        projection: lens.projection,
    }
}

/// The hash of what a system means, in hexadecimal.
pub fn meaning(system: &System) -> String {
    let mut hash = Hash(Sha256::new());
    hash.text("desc meaning 1");
    let automaton = &system.automaton;
    hash.number(automaton.n_states() as u64);
    automaton.states().for_each(|state| hash.text(&system.names.state(state)));
    hash.number(automaton.n_events() as u64);
    automaton.events().for_each(|event| hash.text(&system.names.event(event)));
    hash.list(automaton.initial().iter().map(|state| state.0));
    for state in automaton.states() {
        hash.list(automaton.steps(state).iter().flat_map(|step| [step.event.0, step.target.0]));
    }
    hash.number(system.observers.len() as u64);
    for observer in &system.observers {
        hash.list(observer.observer.sights().iter().map(|sight| match sight {
            Sight::Silent => 0,
            Sight::Visible => 1,
            Sight::Anonymous(group) => 2 + group.0,
        }));
    }
    hash.number(system.checks.len() as u64);
    for check in &system.checks {
        hash.number(u64::from(check.negated));
        hash.question(&check.question);
    }
    let digest = hash.0.finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes unambiguously: every list and every text comes after its length.
struct Hash(Sha256);

impl Hash {
    fn number(&mut self, number: u64) {
        self.0.update(number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.update(text.as_bytes());
    }

    fn list(&mut self, list: impl IntoIterator<Item = u32>) {
        let list: Vec<u32> = list.into_iter().collect();
        self.number(list.len() as u64);
        list.iter().for_each(|number| self.0.update(number.to_le_bytes()));
    }

    fn lens(&mut self, lens: Lens) {
        self.number(u64::from(lens.observer.0));
        self.number(match lens.projection {
            Projection::Natural => 0,
            Projection::Strong => 1,
            Projection::Weak => 2,
        });
    }

    fn question(&mut self, question: &Question) {
        match question {
            Question::Property { lens, property, horizon } => {
                self.number(0);
                self.lens(*lens);
                self.property(property);
                let (kind, steps) = match *horizon {
                    Horizon::Steps(steps) => (0, steps),
                    Horizon::Exactly(steps) => (1, steps),
                    Horizon::Infinite => (2, 0),
                    Horizon::Initial => (3, 0),
                };
                self.number(kind);
                self.number(steps);
            }
            Question::Estimate { lens, observation, at, expected } => {
                self.number(1);
                self.lens(*lens);
                self.signs(observation);
                self.number(*at as u64);
                self.list(expected.iter().map(|state| state.0));
            }
            Question::Projection { lens, string, expected } => {
                self.number(2);
                self.lens(*lens);
                self.list(string.iter().map(|event| event.0));
                self.signs(expected);
            }
        }
    }

    fn property(&mut self, property: &Property) {
        match property {
            Property::Anonymity { among, classes } => {
                self.number(0);
                self.number(u64::from(*among));
                // The classes in the order in which the states meet them, so that their own order does not count.
                let mut classes_seen: Vec<u32> = Vec::new();
                let of = classes.iter().flat_map(|classes| &classes.of).map(|class| {
                    classes_seen.iter().position(|other| *other == class.0).unwrap_or_else(|| {
                        classes_seen.push(class.0);
                        classes_seen.len() - 1
                    }) as u32
                });
                let of: Vec<u32> = of.collect();
                self.list(of);
            }
            Property::Opacity { secret } => {
                self.number(1);
                self.list(secret.iter().map(|state| state.0));
            }
        }
    }

    fn signs(&mut self, signs: &[Sign]) {
        self.list(signs.iter().flat_map(|sign| match *sign {
            Sign::Event(event) => [0, event.0, 0],
            Sign::Group(group) => [1, group.0, 0],
            Sign::Nth(group, number) => [2, group.0, number],
        }));
    }
}
