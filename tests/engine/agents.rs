//! Laws of agents: models in which an agent has several labels, and several events with one label.
//!
//! Four routes must agree: the engine, the paper's construction (of the library and of the oracle), the route that follows each
//! member of an estimate on its own, and, as far as it reaches, the comparison of words by the definition of "look alike".

use crate::support::agents::{agent_case, alike, by_words};
use crate::support::dice::Dice;
use crate::support::histogram::Histogram;
use crate::support::oracle::{Distance, literal, member_by_member};
use crate::support::random::{Case, cases};
use desc::automaton::view::{Observer, Projection, View};
use desc::automaton::{EventId, StateId};
use desc::model::{Horizon, OWN, ViewId};
use desc::paper;
use desc::resources::Resources;
use desc::verdict::certificate::{
    Certificate, Cover, Hypothesis, PermutationStep, Refused, Violation, check, check_violation,
};
use desc::verdict::{Exposure, Finding};
use desc::verify::{Options, Tuning, decide_with};

const MOST: usize = 40_000;

fn horizon(case: &Case) -> Horizon {
    if case.initial { Horizon::Initial } else { Horizon::Infinite }
}

fn engine(case: &Case, tuning: Tuning) -> Finding {
    let finding = decide_with(&case.view(), &case.property, horizon(case), &Options::default(), tuning);
    assert_eq!(finding.fault, None, "{case:#?}");
    assert_eq!(finding.witness.is_some(), matches!(finding.exposure, Exposure::At(_)), "{case:#?}");
    finding
}

fn by_paper(case: &Case) -> Exposure {
    let view_id = ViewId { observer: OWN, projection: case.projection };
    let budget = paper::Budget::new(Some(MOST as u64), Resources::default());
    paper::decide(case.view(), view_id, &case.property, horizon(case), budget).exposure
}

/// Whether an agent has two labels, and whether one has two events with one label.
fn variety(observer: &Observer) -> (bool, bool) {
    let events = || observer.anonymous(None).filter(|&event| observer.agent(event).is_some());
    let with_actor = |event: EventId, same_act: bool| {
        events().any(|other| {
            other != event
                && observer.actor(other) == observer.actor(event)
                && (observer.act(other) == observer.act(event)) == same_act
        })
    };
    (events().any(|event| with_actor(event, false)), events().any(|event| with_actor(event, true)))
}

#[test]
fn engine_literal_construction_and_oracle_agree_on_models_with_agents() {
    let mut histogram = Histogram::default();
    let (mut two_labels, mut two_events, mut papers, mut words) = (0, 0, 0, 0);
    for seed in 0..cases() {
        let case = agent_case(seed);
        let finding = engine(&case, Tuning::default());
        let found = Distance::from(finding.exposure);
        let by_letter = literal(&case.view(), &case.property, case.initial, MOST);
        if by_letter == Distance::TooLarge {
            continue;
        }
        assert_eq!(found, by_letter, "engine and oracle, seed {seed}: {case:#?}");
        let third = member_by_member(&case.view(), &case.property, case.initial, MOST);
        if third != Distance::TooLarge {
            assert_eq!(found, third, "engine and third route, seed {seed}: {case:#?}");
        }
        let paper = Distance::from(by_paper(&case));
        if paper != Distance::TooLarge {
            papers += 1;
            assert_eq!(found, paper, "engine and literal construction, seed {seed}: {case:#?}");
        }
        words += usize::from(agrees_with_words(&case, &finding, seed));
        let (labels, events) = variety(&case.observer);
        (two_labels, two_events) = (two_labels + usize::from(labels), two_events + usize::from(events));
        if case.projection == Projection::Weak {
            histogram.add(case.kind, found);
        }
    }
    println!("weak, with agents\n{histogram}");
    println!("{papers} by the paper, {words} by words, {two_labels} with two labels, {two_events} with two events");
    for at in (0..=5).map(Distance::At).chain([Distance::Never]) {
        assert!(histogram.count("", at) > 0, "no weak case with {at:?}");
    }
    let quarter = cases() as usize / 4;
    assert!(two_labels > quarter && two_events > quarter && papers > quarter && words > quarter);
}

/// Compares with all words up to a length, if they are not too many.
fn agrees_with_words(case: &Case, finding: &Finding, seed: u64) -> bool {
    const LONGEST: usize = 4;
    let Some(by_words) = by_words(case, LONGEST, 400) else { return false };
    let found = Distance::from(finding.exposure);
    assert!(found <= by_words, "words show {by_words:?}, the engine {found:?}, seed {seed}: {case:#?}");
    if finding.witness.as_ref().is_some_and(|witness| witness.observation.len() <= LONGEST) {
        assert_eq!(found, by_words, "seed {seed}: {case:#?}");
    }
    true
}

#[test]
fn no_shortcut_changes_an_answer_on_models_with_agents() {
    let all = Tuning::default();
    let ways = [
        Tuning::none(),
        Tuning { antichain: false, ..all },
        Tuning { identity: false, ..all },
        Tuning { twins: false, ..all },
        Tuning { simulation: false, ..all },
        Tuning { strong_first: false, ..all },
        Tuning { first_slice: 1, ..all },
        Tuning { quotient_from: 0, probe_work: 0, ..all },
        Tuning { cells_after: 0, ..all },
        Tuning { cells_after: 0, ..Tuning::none() },
        Tuning { quotient_from: 0, ..Tuning::none() },
        Tuning { strong_first: true, two_way: true, ..Tuning::none() },
        Tuning { antichain: true, ..Tuning::none() },
        Tuning { twins: true, ..Tuning::none() },
        Tuning { simulation: true, ..Tuning::none() },
        Tuning { breadth_first: 0, ..all },
    ];
    for seed in 1_000_000..1_000_000 + cases() / 4 {
        let case = agent_case(seed);
        let found = engine(&case, all).exposure;
        for tuning in ways {
            assert_eq!(found, engine(&case, tuning).exposure, "{tuning:?}, seed {seed}: {case:#?}");
        }
    }
}

/// A random string of the system, with as many events.
fn string(case: &Case, dice: &mut Dice, length: usize) -> Vec<EventId> {
    let initial = case.automaton.initial();
    let Some(mut state) = initial.get(dice.below(initial.len())).copied() else { return Vec::new() };
    let mut string = Vec::new();
    while string.len() < length && !case.automaton.steps(state).is_empty() {
        let steps = case.automaton.steps(state);
        let step = steps[dice.below(steps.len())];
        string.push(step.event);
        state = step.target;
    }
    string
}

#[test]
fn strings_show_the_same_symbols_iff_a_bijection_between_their_agents_exists() {
    let (mut same, mut different) = (0, 0);
    for seed in 0..cases() {
        let case = agent_case(seed);
        let view = View { projection: Projection::Weak, ..case.view() };
        let mut dice = Dice::new(seed);
        let length = 2 + dice.below(5);
        let strings: Vec<Vec<EventId>> = (0..12).map(|_| string(&case, &mut dice, length)).collect();
        for (at, one) in strings.iter().enumerate() {
            for other in &strings[..at] {
                let shown = view.project(one) == view.project(other);
                assert_eq!(shown, alike(&case.observer, one, other), "{one:?} {other:?}, seed {seed}: {case:#?}");
                let counted = if shown { &mut same } else { &mut different };
                *counted += usize::from(one != other);
            }
        }
    }
    assert!(same > 1_000 && different > 1_000, "{same} pairs look alike, {different} do not");
}

#[test]
fn what_holds_under_a_sharper_projection_holds_under_a_blunter_one_with_agents_too() {
    let steps =
        |case: &Case, projection: Projection| match engine(&Case { projection, ..case.clone() }, Tuning::default())
            .exposure
        {
            Exposure::At(least) => least,
            _ => u64::MAX,
        };
    for seed in 0..cases() / 4 {
        let case = agent_case(seed);
        let [natural, weak, strong] =
            [Projection::Natural, Projection::Weak, Projection::Strong].map(|projection| steps(&case, projection));
        assert!(natural <= weak && weak <= strong, "{natural}, {weak}, {strong}, seed {seed}: {case:#?}");
    }
}

#[test]
fn an_agent_for_each_event_is_no_agent_at_all() {
    for seed in 0..cases() / 4 {
        let case = crate::support::random::case(seed);
        let events = case.automaton.events();
        let agents: Vec<_> = events.map(|event| Some(desc::automaton::view::AgentId(9 - event.0))).collect();
        let observer = Observer::with_agents(case.observer.observabilities().to_vec(), &agents);
        let named = Case { observer, ..case.clone() };
        assert_eq!(
            engine(&case, Tuning::default()).exposure,
            engine(&named, Tuning::default()).exposure,
            "seed {seed}: {case:#?}"
        );
    }
}

/// Two persons with one badge each go through two doors: who went through both is followed across the doors.
#[test]
fn a_badge_is_followed_from_door_to_door() {
    use desc::automaton::Builder;
    use desc::automaton::view::{AgentId, GroupId, Observability};
    let mut builder = Builder::new(6, 4);
    // Events: door 1 by 0 and by 1, door 2 by 0 and by 1.
    for (source, event, target) in [(0, 0, 2), (2, 2, 4), (1, 1, 3), (3, 2, 5)] {
        builder.transition(StateId(source), EventId(event), StateId(target));
    }
    [0, 1].into_iter().for_each(|state| builder.initial(StateId(state)));
    let automaton = builder.freeze();
    let doors = [0, 0, 1, 1].map(|door| Observability::Anonymous(GroupId(door))).to_vec();
    let badges = [0, 1, 0, 1].map(|person| Some(AgentId(person)));
    let property = desc::model::Property::Anonymity { among: 2, classes: None, except: None };
    let exposure = |observer: &Observer| {
        let view = View { automaton: &automaton, observer, projection: Projection::Weak };
        decide_with(&view, &property, Horizon::Steps(1), &Options::default(), Tuning::default()).exposure
    };
    // One badge through both doors looks different from two badges: the end and the beginning are known.
    assert_eq!(exposure(&Observer::with_agents(doors.clone(), &badges)), Exposure::At(0));
    // Without badges the two runs look alike.
    assert_ne!(exposure(&Observer::new(doors)), Exposure::At(0));
}

fn verify(case: &Case, proof: &Certificate) -> Result<(), Refused> {
    check(&case.view(), &case.property, proof, &mut Resources::default().monitor())
}

#[test]
fn what_holds_with_agents_has_a_proof_that_is_confirmed_and_that_proves_nothing_with_other_agents() {
    let (mut confirmed, mut by_permutation, mut refused) = (0, 0, 0);
    let options = Options { certificates: true, ..Options::default() };
    for seed in 0..cases() {
        let case = agent_case(seed);
        let ways = [
            Tuning::default(),
            Tuning::none(),
            Tuning { twins: false, ..Tuning::default() },
            Tuning { quotient_from: 0, probe_work: 0, ..Tuning::default() },
        ];
        let finding =
            decide_with(&case.view(), &case.property, horizon(&case), &options, ways[seed as usize % ways.len()]);
        assert_eq!(finding.fault, None, "seed {seed}: {case:#?}");
        if finding.exposure != Exposure::Never {
            continue;
        }
        let proof = finding.certificate.expect("a proof");
        assert!(verify(&case, &proof).is_ok(), "seed {seed}: {case:#?}");
        confirmed += 1;
        by_permutation += usize::from(!proof.permutations.is_empty());
        let other = Case { observer: recast(&case, &mut Dice::new(seed)), ..case.clone() };
        if matches!(engine(&other, Tuning::default()).exposure, Exposure::At(_)) {
            assert!(verify(&other, &proof).is_err(), "seed {seed}: {case:#?} {other:#?}");
            refused += 1;
        }
    }
    println!("{confirmed} proofs, {by_permutation} with permutations, {refused} refused after a change of agents");
    assert!(confirmed > 200 && by_permutation > 50 && refused > 20, "{confirmed} {by_permutation} {refused}");
}

/// The same labels with other agents.
fn recast(case: &Case, dice: &mut Dice) -> Observer {
    let events = case.automaton.events();
    let agents: Vec<_> =
        events.map(|_| dice.chance(80).then(|| desc::automaton::view::AgentId(dice.below(3) as u32))).collect();
    Observer::with_agents(case.observer.observabilities().to_vec(), &agents)
}

/// A does `in` and `out`; or B does `in` and A does `out`. The first is not the second: it shows one agent, not two.
fn one_or_two() -> Case {
    use desc::automaton::Builder;
    use desc::automaton::view::{AgentId, GroupId, Observability};
    let mut builder = Builder::new(6, 3);
    for (source, event, target) in [(0, 0, 2), (2, 2, 4), (1, 1, 3), (3, 2, 5)] {
        builder.transition(StateId(source), EventId(event), StateId(target));
    }
    [0, 1].into_iter().for_each(|state| builder.initial(StateId(state)));
    let labels = [0, 0, 1].map(|label| Observability::Anonymous(GroupId(label))).to_vec();
    Case {
        automaton: builder.freeze(),
        observer: Observer::with_agents(labels, &[0, 1, 0].map(|agent| Some(AgentId(agent)))),
        projection: Projection::Weak,
        property: desc::model::Property::Anonymity { among: 2, classes: None, except: None },
        initial: false,
        kind: "anonymity",
    }
}

/// Each start simulates the other if `in` of A and `in` of B are exchanged, and `out` of A is not.
#[test]
fn a_permutation_that_takes_one_agent_for_two_proves_nothing() {
    let case = one_or_two();
    assert_eq!(engine(&case, Tuning::default()).exposure, Exposure::At(0));
    let step =
        |actual, hypothesis, next: &[u32]| PermutationStep { permutation: 0, actual, hypothesis, next: next.to_vec() };
    let fresh = |state| Hypothesis { state, images: Vec::new(), spent: Vec::new() };
    let forged = Certificate {
        hypotheses: vec![fresh(0), fresh(1)],
        start: vec![Cover::Permutation(0, 1), Cover::Permutation(3, 0)],
        permutations: vec![(vec![0, 2, 1, 3, 4, 5], true)],
        permutation_steps: vec![
            step(0, 1, &[1]),
            step(2, 3, &[2]),
            step(4, 5, &[]),
            step(1, 0, &[4]),
            step(3, 2, &[5]),
            step(5, 4, &[]),
        ],
        ..Certificate::default()
    };
    let fault = verify(&case, &forged).expect_err("what is exposed has no proof");
    assert_eq!(fault, Refused::from("a permutation maps one agent to two, or two to one"));
}

/// Of an exposed run the checker follows every hypothesis: a run that another looks like is no violation.
#[test]
fn a_run_that_looks_like_another_exposes_nothing() {
    let case = one_or_two();
    let exposed = |start, moves: &[(u32, u32)], class| {
        let violation =
            Violation { initial: false, start, moves: moves.to_vec(), before: moves.len(), classes: vec![class] };
        check_violation(&case.view(), &case.property, &violation, &mut Resources::default().monitor())
    };
    assert_eq!(exposed(0, &[(1, 2), (3, 4)], 4), Ok(0));
    assert_eq!(exposed(1, &[(2, 3), (3, 5)], 5), Ok(0));
    assert!(exposed(0, &[(1, 2)], 2).is_err());
}

/// What `desc export --to des` writes for a label that several agents share.
#[test]
fn statements_with_different_agents_may_share_a_label() {
    let text = "system Badges {
        states A, B, C, D, E, F;
        initial A, B;
        events in1, in2, out1, out2;
        anonymous in1 as enters by p1;
        anonymous in2 as enters by p2;
        anonymous out1 as leaves by p1;
        anonymous out2 as leaves by p2;
        A -in1-> C; C -out1-> E;
        B -in2-> D; D -out1-> F;
        check weak current-state opacity of {C};
        check not weak current-state;
    }";
    let report = desc::check("badges.des", text).verify(&desc::Options::default());
    assert_eq!((report.tally().passed, report.tally().failed), (2, 0), "{}", report.to_text());
}
