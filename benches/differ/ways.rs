//! The ways of deciding one question.

use crate::model_text;
use crate::support::oracle::{Distance, literal, member_by_member};
use crate::support::random::Case;
use desc::check::{self, Settings};
use desc::model::Horizon;
use desc::resources::Resources;
use desc::source::{NoImports, Sources};
use desc::syntax;
use desc::verdict::certificate::document::{Body, Certified, Document, Proof, certify, confirm};
use desc::verdict::certificate::{self, read, write};
use desc::verdict::{Answer, Exposure, Finding};
use desc::verify::{Limits, Method, Options, Tuning, decide_with, verify};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The most sets of a slow way.
const MOST: usize = 20_000;

/// What each way says, by name.
pub type Answers = Vec<(String, String)>;

/// The distance that all ways agree on; none when no slow way could tell.
pub fn agree(case: &Case) -> Result<Distance, Answers> {
    let mut answers: Vec<(String, Result<Distance, String>)> = Vec::new();
    for (name, tuning) in engines() {
        answers.push((name.to_owned(), guarded(|| engine(case, tuning, Method::Engine))));
    }
    answers.push(("engine, short of memory".to_owned(), guarded(|| short_of_memory(case))));
    answers.push(("paper".to_owned(), guarded(|| engine(case, Tuning::default(), Method::Literal))));
    answers.push(("literal".to_owned(), guarded(|| Ok(literal(&case.view(), &case.property, case.initial, MOST)))));
    let third = || Ok(member_by_member(&case.view(), &case.property, case.initial, MOST));
    answers.push(("member by member".to_owned(), guarded(third)));
    for (name, observer) in [("text", None), ("text with an observer", Some("Eve"))] {
        answers.push((name.to_owned(), guarded(|| through_text(case, observer))));
    }
    let first = answers[0].1.clone();
    if let Ok(distance) = first {
        answers.push(("certificate".to_owned(), guarded(|| proved(case, distance))));
        answers.push(("bounded".to_owned(), guarded(|| bounded(case, distance))));
    }
    let same = |answer: &Result<Distance, String>| *answer == first || *answer == Ok(Distance::TooLarge);
    match first {
        Ok(distance) if answers.iter().all(|(_, answer)| same(answer)) => Ok(distance),
        _ => Err(answers.into_iter().map(|(way, answer)| (way, told(answer))).collect()),
    }
}

/// The ways that do not say what the paper's construction says.
pub fn odd(case: &Case) -> Vec<String> {
    let Err(answers) = agree(case) else { return Vec::new() };
    let paper = answers.iter().find(|(way, _)| way == "literal").map(|(_, answer)| answer.clone());
    answers.into_iter().filter(|(_, answer)| Some(answer) != paper.as_ref()).map(|(way, _)| way).collect()
}

fn told(answer: Result<Distance, String>) -> String {
    match answer {
        Ok(Distance::At(least)) => format!("exposed at {least}"),
        Ok(Distance::Never) => "holds".to_owned(),
        Ok(Distance::TooLarge) => "too large".to_owned(),
        Err(fault) => fault,
    }
}

fn engines() -> [(&'static str, Tuning); 13] {
    let all = Tuning::default();
    [
        ("engine", all),
        ("engine, nothing pruned", Tuning::none()),
        ("engine, antichains only", Tuning { antichain: true, ..Tuning::none() }),
        ("engine, all sets kept", Tuning { antichain: false, ..all }),
        ("engine without twins", Tuning { twins: false, ..all }),
        ("engine without simulation", Tuning { simulation: false, identity: false, ..all }),
        ("engine, front only", Tuning { backward: false, ..all }),
        ("engine, alike states merged", Tuning { quotient_from: 0, probe_work: 0, ..all }),
        ("engine, tables at once", Tuning { post_table_from: 0, ..all }),
        ("engine, small estimates first", Tuning { breadth_first: 0, ..all }),
        ("engine, weak alone", Tuning { strong_first: false, ..all }),
        ("engine, from behind", Tuning { forward: false, ..all }),
        (
            "engine, antichains from behind",
            Tuning { forward: false, backward: true, antichain: true, ..Tuning::none() },
        ),
    ]
}

/// A panic is an answer too: a wrong one.
fn guarded(way: impl FnOnce() -> Result<Distance, String>) -> Result<Distance, String> {
    catch_unwind(AssertUnwindSafe(way)).unwrap_or_else(|_| Err("panics".to_owned()))
}

fn find(case: &Case, horizon: Horizon, tuning: Tuning, method: Method) -> Finding {
    let options = Options { certificates: true, method, ..Options::default() };
    decide_with(&case.view(), &case.property, horizon, &options, tuning)
}

fn engine(case: &Case, tuning: Tuning, method: Method) -> Result<Distance, String> {
    distance(find(case, horizon(case), tuning, method))
}

/// Searches beside each other that do not all fit: the main one goes on alone.
fn short_of_memory(case: &Case) -> Result<Distance, String> {
    let tuning = Tuning { first_slice: 1, ..Tuning::default() };
    let peak = find(case, horizon(case), tuning, Method::Engine).cost.memory;
    let limits = Limits { memory: Some(peak / 5 * 4), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    distance(decide_with(&case.view(), &case.property, horizon(case), &options, tuning))
}

fn horizon(case: &Case) -> Horizon {
    if case.initial { Horizon::Initial } else { Horizon::Infinite }
}

fn distance(finding: Finding) -> Result<Distance, String> {
    finding.fault.map_or_else(|| Ok(finding.exposure.into()), Err)
}

/// Searches with a horizon: one step short of the distance, and at it.
fn bounded(case: &Case, distance: Distance) -> Result<Distance, String> {
    let (Distance::At(least), false) = (distance, case.initial) else { return Ok(distance) };
    let answer = |steps: u64| {
        let horizon = Horizon::Steps(steps);
        find(case, horizon, Tuning::default(), Method::Engine).exposure.answer(horizon)
    };
    match (least.checked_sub(1).map(answer), answer(least)) {
        (None | Some(Answer::Holds), Answer::Violated) => Ok(distance),
        answers => Err(format!("around {least}: {answers:?}")),
    }
}

/// What holds has a proof that is confirmed after it was written and read; what holds up to k - 1 has one up to there.
fn proved(case: &Case, distance: Distance) -> Result<Distance, String> {
    let horizon = match distance {
        Distance::Never if case.initial => Horizon::Initial,
        Distance::Never => Horizon::Infinite,
        Distance::At(least @ 1..) if !case.initial => Horizon::Steps(least - 1),
        Distance::At(_) | Distance::TooLarge => return Ok(distance),
    };
    let proof = find(case, horizon, Tuning::default(), Method::Engine).certificate.ok_or("there is no proof")?;
    let proofs = vec![Proof { checks: vec![0], parts: None, body: Body::Holds(Box::new(proof)) }];
    let systems = vec![Certified { name: "S".to_owned(), meaning: String::new(), proofs }];
    let (n_states, monitor) = (case.automaton.n_states(), &mut Resources::default().monitor());
    let again = read(&write(&Document { version: String::new(), systems }), n_states, monitor);
    let again = again.map_err(|fault| format!("{fault:?}"))?;
    let Body::Holds(proof) = &again.systems[0].proofs[0].body else { return Err("another proof is read".to_owned()) };
    certificate::check(&case.view(), &case.property, proof, monitor)
        .map_err(|fault| format!("the proof is refused: {fault:?}"))?;
    Ok(distance)
}

/// The whole way: the case is written as `.des`, read, checked, decided, proved, and the proofs are confirmed.
fn through_text(case: &Case, observer: Option<&str>) -> Result<Distance, String> {
    let text = model_text::of(&case.view(), &case.property, horizon(case), observer);
    let mut sources = Sources::new();
    let (id, _) = syntax::read(&mut sources, "case.des", text.into_bytes());
    let checked = check::check(id, &mut sources, &NoImports, &Settings::default());
    let Some(model) = checked.model else { return Err(format!("is not read: {:?}", checked.diagnostics)) };
    let [system] = model.systems() else { return Err("is not one system".to_owned()) };
    let results = verify(system, &Options { certificates: true, threads: 1, ..Options::default() });
    let [verdict] = &results.checks[..] else { return Err("is not one check".to_owned()) };
    let Some(evidence) = verdict.evidence() else { return Err("is not about a property".to_owned()) };
    let confirmed = confirm(system, &certify(system, &results), &mut Resources::default().monitor())?.answers;
    match evidence.finding.exposure {
        Exposure::Never if confirmed == [Some(Answer::Holds)] => Ok(Distance::Never),
        Exposure::At(least) if confirmed == [Some(Answer::Violated)] => Ok(Distance::At(least)),
        Exposure::Beyond(_) | Exposure::AtMost { .. } | Exposure::Unknown => Ok(Distance::TooLarge),
        exposure => Err(format!("{exposure:?}, but {confirmed:?} is confirmed")),
    }
}
