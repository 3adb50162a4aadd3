//! The weak view of a model in which no agent acts twice is its strong view.

use super::{MOST, engine};
use crate::support::agents::agent_case;
use crate::support::oracle::{Distance, literal};
use crate::support::random::{Case, case, cases};
use desc::automaton::view::{Observability, Projection};
use desc::automaton::{Automaton, Builder, EventId, StateId};
use desc::resources::Resources;
use desc::verdict::Exposure;
use desc::verdict::certificate::check;
use desc::verify::Tuning;

/// The agent of an anonymous event.
fn agent(case: &Case, event: EventId) -> Option<EventId> {
    let is_anonymous = matches!(case.observer.observability(event), Observability::Anonymous(_));
    is_anonymous.then(|| case.observer.actor(event))
}

/// Whether some path from anywhere has two acts of one agent, looked for from each transition on its own.
fn acts_twice(case: &Case, automaton: &Automaton) -> bool {
    automaton.transitions().any(|(_, _, step)| {
        let Some(acting) = agent(case, step.event) else { return false };
        let mut seen: Vec<StateId> = vec![step.target];
        let mut at = 0;
        while at < seen.len() {
            for next in automaton.steps(seen[at]) {
                if agent(case, next.event) == Some(acting) {
                    return true;
                }
                if !seen.contains(&next.target) {
                    seen.push(next.target);
                }
            }
            at += 1;
        }
        false
    })
}

/// As many transitions of a case, in their order, as leave no agent that acts twice.
fn once(case: &Case) -> Case {
    let mut kept: Vec<(StateId, EventId, StateId)> = Vec::new();
    let build = |kept: &[(StateId, EventId, StateId)]| {
        let mut builder = Builder::new(case.automaton.n_states(), case.automaton.n_events());
        case.automaton.initial().iter().for_each(|&state| builder.initial(state));
        kept.iter().for_each(|&(source, event, target)| builder.transition(source, event, target));
        builder.freeze()
    };
    for (_, source, step) in case.automaton.transitions() {
        kept.push((source, step.event, step.target));
        if acts_twice(case, &build(&kept)) {
            kept.pop();
        }
    }
    Case { automaton: build(&kept), projection: Projection::Weak, ..case.clone() }
}

fn both(seed: u64) -> Case {
    if seed.is_multiple_of(2) { case(seed) } else { agent_case(seed) }
}

#[test]
fn where_no_agent_acts_twice_weak_is_strong_and_its_proof_is_checked() {
    let (mut proved, mut exposed) = (0, 0);
    for seed in 6_000_000..6_000_000 + cases() / 6 {
        let case = once(&both(seed));
        let found = engine(&case, Tuning::default());
        let apart = engine(&case, Tuning { acts_once: false, ..Tuning::default() });
        assert_eq!(found.exposure, apart.exposure, "seed {seed}: {case:#?}");
        let by_letter = literal(&case.view(), &case.property, case.initial, MOST);
        if by_letter != Distance::TooLarge {
            assert_eq!(Distance::from(found.exposure), by_letter, "seed {seed}: {case:#?}");
        }
        exposed += usize::from(matches!(found.exposure, Exposure::At(1..)));
        let Some(proof) = found.certificate.filter(|proof| proof.once) else { continue };
        proved += 1;
        let mut monitor = Resources::default().monitor();
        assert_eq!(check(&case.view(), &case.property, &proof, &mut monitor), Ok(()));
        let strong = Case { projection: Projection::Strong, ..case.clone() };
        let refused = check(&strong.view(), &case.property, &proof, &mut monitor);
        assert!(refused.is_err(), "`once` is about the weak projection: {case:#?}");
    }
    assert!(proved > 30 && exposed > 15, "{proved} proved, {exposed} exposed");
}

/// A proof under `strong` says nothing about a weak view in which an agent acts twice.
#[test]
fn a_proof_by_the_strong_view_is_refused_where_an_agent_acts_twice() {
    let mut refused = 0;
    for seed in 7_000_000..7_000_000 + cases() / 6 {
        let weak = Case { projection: Projection::Weak, ..both(seed) };
        let strong = Case { projection: Projection::Strong, ..weak.clone() };
        let Some(mut proof) = engine(&strong, Tuning::default()).certificate else { continue };
        proof.once = true;
        let mut monitor = Resources::default().monitor();
        match check(&weak.view(), &weak.property, &proof, &mut monitor) {
            Ok(()) => {
                let found = engine(&weak, Tuning { acts_once: false, ..Tuning::default() }).exposure;
                let bound = proof.horizon.unwrap_or(u64::MAX);
                assert!(found.safe().is_some_and(|safe| safe >= bound), "seed {seed}: {weak:#?}");
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 30, "{refused}");
}
