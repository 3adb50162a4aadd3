//! The law of limits: whatever decides, wherever a limit strikes, the answer is the unlimited one or "undecided", and what an
//! undecided answer claims is true.
//!
//! A limit is let strike at every look of small random models ([`strike`](crate::resources::strike)), and real limits are tried for every
//! number of pairs and many numbers of bytes. Memory may strike once and be free again; every other limit lasts.

#[path = "../tests/support/mod.rs"]
mod support;

use crate::automaton::StateSet;
use crate::automaton::view::{Projection, View};
use crate::baselines;
use crate::model::{Check, Horizon, Measure, OWN, Property, Question, System, ViewId};
use crate::paper::estimate::History;
use crate::resources::strike::{Strike, striking};
use crate::resources::{Resources, Stop};
use crate::verdict::certificate::{self, Violation, check_violation};
use crate::verdict::{Answer, Exposure, Finding, Levels, Results, Witness};
use crate::verify::{Following, Limits, Method, Options, Progress, Tuning, decide_with};
use crate::verify::{partial_results, verify};
use std::sync::Mutex;
use support::dice::Dice;
use support::fewest::fewest;
use support::notions;
use support::plain::system;
use support::random::{Case, case, multiplied};
use support::systems::Named;

/// How many random cases a law is tried on: a share of the usual number.
fn cases(share: u64) -> u64 {
    support::random::cases() / share
}

/// Everything that can end work early.
const STRIKES: [(Stop, bool); 5] = [
    (Stop::Timeout, true),
    (Stop::Interrupted, true),
    (Stop::Pairs, true),
    (Stop::Memory, true),
    (Stop::Memory, false),
];

/// What is true of a case.
#[derive(Clone, Copy, Debug)]
struct Truth {
    /// The exposure distance; `u64::MAX`: nothing ever exposes.
    least: u64,
}

impl Truth {
    /// By the engine and by the paper's constructions, both without limits.
    fn of(case: &Case) -> Truth {
        let found = Way::Engine(Tuning::default()).decide(case, case.horizon(), &Options::default()).exposure;
        let literal = Way::Literal.decide(case, case.horizon(), &Options::default()).exposure;
        assert_eq!(found, literal, "{case:#?}");
        match found {
            Exposure::At(least) => Truth { least },
            Exposure::Never => Truth { least: u64::MAX },
            Exposure::Beyond(_) | Exposure::AtMost { .. } | Exposure::Unknown => {
                panic!("undecided without a limit: {case:#?}")
            }
        }
    }

    fn exposure(self) -> Exposure {
        if self.least == u64::MAX { Exposure::Never } else { Exposure::At(self.least) }
    }

    /// Whether what is said of the exposure distance is so.
    fn allows(self, claimed: Exposure) -> bool {
        match claimed {
            Exposure::Unknown => true,
            Exposure::Beyond(safe) => safe < self.least,
            Exposure::AtMost { most, safe } => {
                self.least <= most && most < u64::MAX && safe.is_none_or(|safe| safe < self.least && safe + 1 < most)
            }
            Exposure::At(_) | Exposure::Never => claimed == self.exposure(),
        }
    }
}

impl Case {
    fn horizon(&self) -> Horizon {
        if self.initial { Horizon::Initial } else { Horizon::Infinite }
    }

    /// Horizons around the distance at which it is exposed.
    fn horizons(&self, truth: Truth) -> Vec<Horizon> {
        if self.initial {
            return vec![Horizon::Initial];
        }
        let near = if truth.least == u64::MAX { 2 } else { truth.least };
        let steps = [near.saturating_sub(1), near, near + 1];
        let bounded = steps.into_iter().flat_map(|steps| [Horizon::Steps(steps), Horizon::Exactly(steps)]);
        bounded.chain([Horizon::Infinite]).collect()
    }
}

/// Whatever decides one question and gives a finding.
#[derive(Clone, Copy, Debug)]
enum Way {
    Engine(Tuning),
    Literal,
}

impl Way {
    fn all() -> Vec<Way> {
        let all = Tuning::default();
        let none = Tuning::none();
        let engines = [
            all,
            Tuning { first_slice: 1, ..all },
            none,
            Tuning { first_slice: 1, two_way: true, backward: true, ..none },
            Tuning { forward: false, backward: false, ..all },
            Tuning { forward: false, two_way: false, ..all },
            Tuning { first_slice: 1, forward: false, two_way: true, ..none },
            Tuning { first_slice: 1, share_from: 0, probe_work: 0, ..all },
            Tuning { first_slice: 1, share_from: 0, probe_work: 0, forward: false, two_way: true, ..none },
            Tuning { cells_after: 0, probe_work: 0, quotient_from: 0, ..all },
            Tuning { quotient_from: 0, probe_work: 0, ..all },
            Tuning { quotient_from: 0, probe_work: 0, first_slice: 1, ..all },
            Tuning { strong_first: true, first_slice: 1, antichain: true, ..none },
            Tuning { probe_work: 1_000, ..all },
            Tuning { breadth_first: 0, post_table_from: 0, first_slice: 1, ..all },
            Tuning { twins: true, simulation: true, identity: true, ..none },
            Tuning { lookout_from: 0, lookout_percent: 20_000, probe_work: 0, first_slice: 1, ..all },
            Tuning { lookout_from: 0, lookout_percent: 2_000, first_slice: 1, ..none },
            Tuning { best_first_from: 0, best_first_percent: 20_000, probe_work: 0, first_slice: 1, ..all },
            Tuning { best_first_from: 0, best_first_percent: 500, bundles_from: 0, first_slice: 1, ..none },
        ];
        engines.into_iter().map(Way::Engine).chain([Way::Literal]).collect()
    }

    fn decide(self, case: &Case, horizon: Horizon, options: &Options<'_>) -> Finding {
        let (method, tuning) = match self {
            Way::Engine(tuning) => (Method::Engine, tuning),
            Way::Literal => (Method::Literal, Tuning::default()),
        };
        // WHY: the strikes of a test end the work of the calling thread; the others are to hear of it.
        let threads = if tuning.share_from == 0 { 2 } else { 1 };
        let options = Options { method, threads, ..*options };
        decide_with(&case.view(), &case.property, horizon, &options, tuning)
    }
}

/// Judges a finding: the law.
fn judge(case: &Case, horizon: Horizon, truth: Truth, finding: &Finding) {
    assert_eq!(finding.fault, None);
    assert!(truth.allows(finding.exposure), "{:?} is not so, the distance is {truth:?}", finding.exposure);
    let answer = finding.exposure.answer(horizon);
    if answer == Answer::Undecided {
        assert!(finding.stopped.is_some(), "undecided for no reason");
    } else {
        assert_eq!(answer, truth.exposure().answer(horizon));
    }
    // A limit may strike while the witness is replayed: the verdict stays.
    let is_explained = finding.witness.is_some() != finding.unreplayed.is_some();
    assert_eq!(is_explained, finding.exposure.most().is_some(), "{finding:#?}");
    if let (Some(witness), Some(distance)) = (&finding.witness, finding.exposure.most()) {
        judge_witness(case, distance, witness);
    }
    if finding.saturation.is_some() {
        assert!(matches!(finding.exposure, Exposure::At(_) | Exposure::Never), "{finding:#?}");
    }
    judge_levels(case, truth, finding);
    if let Some(proof) = &finding.certificate {
        let mut monitor = Resources::default().monitor();
        assert_eq!(certificate::check(&case.view(), &case.property, proof, &mut monitor), Ok(()));
        assert!(proof.horizon.unwrap_or(u64::MAX - 1) < truth.least, "{:?} is proved", proof.horizon);
    }
}

/// Nothing is exposed with so few observations as are claimed.
fn judge_levels(case: &Case, truth: Truth, finding: &Finding) {
    let Levels { pairs, within } = &finding.levels;
    let Some(safe) = finding.levels.safe(*within) else { return };
    match case.initial {
        true => assert!(safe < truth.least, "{pairs:?}"),
        false => {
            assert!(!matches!(fewest(case, *within, safe.min(12), 5_000), Ok(Some(_))), "{pairs:?} within {within}")
        }
    }
}

/// A witness is a run, shows what it says, and exposes at the distance that is claimed.
fn judge_witness(case: &Case, distance: u64, witness: &Witness) {
    let (view, run) = (case.view(), &witness.run);
    assert!(case.automaton.initial().contains(&run.states[0]) && run.states.len() == run.events.len() + 1);
    for (ends, &event) in run.states.windows(2).zip(&run.events) {
        assert!(case.automaton.find(ends[0], event, ends[1]).is_some(), "{run:?}");
    }
    assert_eq!(view.project(&run.events), witness.observation);
    assert_eq!((witness.observation.len() - witness.at) as u64, distance);
    let history = History::new(view, &witness.observation);
    let exposed = if case.initial { history.initial(view) } else { history.delayed(witness.at) };
    assert_eq!(witness.exposed, exposed);
    assert!(is_exposed(case, witness, &exposed), "{exposed:?}");
    let (proof, mut monitor) =
        (Violation::of(&view, &case.property, witness, case.initial), Resources::default().monitor());
    assert_eq!(check_violation(&view, &case.property, &proof, &mut monitor), Ok(distance), "{proof:?}");
    let mut monitor = Resources::default().monitor();
    let mut following = Following::new(view, &witness.observation, &mut monitor).expect("no limits");
    for at in 0..=witness.observation.len() {
        assert_eq!(following.estimate(), history.estimate(at));
        following.advance(&mut monitor).expect("no limits");
    }
}

/// Whether a witness shows what its property forbids.
fn is_exposed(case: &Case, witness: &Witness, exposed: &StateSet) -> bool {
    let (view, Witness { observation, at, .. }) = (case.view(), witness);
    match &case.property {
        Property::Throughout { secret } => {
            let age = notions::age(&view, secret, observation);
            age.is_some_and(|age| age <= (observation.len() - at) as u64)
        }
        Property::InitialFinal { from, to } => notions::shows_initial_final(&view, (from, to), observation, *at),
        property => baselines::exposes(property, exposed.iter()),
    }
}

/// Some numbers up to `most`: all of them, if they are few.
fn points(most: u64, few: u64) -> impl Iterator<Item = u64> {
    let step = most.div_ceil(few).max(1);
    (1..=most).step_by(step as usize).chain((most > 1).then_some(most))
}

#[allow(clippy::print_stderr)]
fn told<T>(case: &Case, way: &impl std::fmt::Debug, limit: &impl std::fmt::Debug, law: impl FnOnce() -> T) -> T {
    let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(law));
    judged.unwrap_or_else(|fault| {
        eprintln!("{way:?}, {limit:?}: {case:#?}");
        std::panic::resume_unwind(fault)
    })
}

/// A random case; every third one has copies of its states.
fn some_case(seed: u64) -> Case {
    let small = case(seed);
    if seed.is_multiple_of(3) && small.automaton.n_states() < 6 {
        multiplied(&small, &mut Dice::new(seed))
    } else {
        small
    }
}

#[test]
fn whatever_look_a_search_is_stopped_at_it_claims_only_what_is_true() {
    let ways = Way::all();
    let (mut stopped, mut decided) = (0, 0);
    for seed in 0..cases(8) {
        let case = some_case(seed);
        let truth = Truth::of(&case);
        let horizons = case.horizons(truth);
        let horizon = horizons[seed as usize % horizons.len()];
        let way = ways[seed as usize / 3 % ways.len()];
        let options = Options { certificates: seed.is_multiple_of(2), ..Options::default() };
        let (finding, looks) = striking(None, || way.decide(&case, horizon, &options));
        told(&case, &(way, horizon), &"no limit", || judge(&case, horizon, truth, &finding));
        for at in points(looks, 24) {
            for (stop, lasting) in STRIKES {
                let strike = Strike { at, stop, lasting };
                let (finding, _) = striking(Some(strike), || way.decide(&case, horizon, &options));
                told(&case, &(seed, way, horizon), &strike, || judge(&case, horizon, truth, &finding));
                stopped += usize::from(finding.stopped.is_some());
                decided += usize::from(finding.stopped.is_none());
            }
        }
    }
    assert!(stopped > 1_000 && decided > 1_000, "{stopped} searches were stopped, {decided} were not");
}

/// An exposure of the strong view is one of the weak view, also when a limit ends the search for a shorter one.
#[test]
fn an_exposure_in_hand_is_kept_wherever_a_limit_strikes() {
    let way = Way::Engine(Tuning { probe_work: 1_000, ..Tuning::default() });
    let mut kept = 0;
    for seed in 0..cases(1) {
        let case = some_case(seed + 50_000);
        let strong = Case { projection: Projection::Strong, ..case.clone() };
        if case.projection != Projection::Weak || !(1..u64::MAX).contains(&Truth::of(&strong).least) {
            continue;
        }
        let truth = Truth::of(&case);
        let decide = || way.decide(&case, case.horizon(), &Options::default());
        let (_, looks) = striking(None, decide);
        for at in points(looks, 40) {
            let strike = Strike { at, stop: Stop::Timeout, lasting: true };
            let (finding, _) = striking(Some(strike), decide);
            told(&case, &(seed, way), &strike, || judge(&case, case.horizon(), truth, &finding));
            kept += usize::from(matches!(finding.exposure, Exposure::AtMost { .. }));
        }
    }
    assert!(kept > 20, "only {kept} searches that were stopped kept an exposure");
}

#[test]
fn every_limit_of_pairs_and_many_of_memory_leave_only_what_is_true() {
    let ways = Way::all();
    let (mut stopped, mut decided) = (0, 0);
    for seed in 0..cases(8) {
        let case = some_case(seed + 10_000);
        let truth = Truth::of(&case);
        let way = ways[seed as usize / 3 % ways.len()];
        let horizon = case.horizon();
        let cost = way.decide(&case, horizon, &Options::default()).cost;
        let pairs = (0..=cost.pairs.min(60)).map(|pairs| Limits { pairs: Some(pairs), ..Limits::default() });
        let bytes = points(cost.memory, 40).map(|bytes| Limits { memory: Some(bytes), ..Limits::default() });
        for limits in pairs.chain(bytes) {
            let finding = way.decide(&case, horizon, &Options { limits, ..Options::default() });
            told(&case, &(seed, way), &limits, || judge(&case, horizon, truth, &finding));
            stopped += usize::from(finding.stopped.is_some());
            decided += usize::from(finding.stopped.is_none());
        }
    }
    assert!(stopped > 1_000 && decided > 1_000, "{stopped} searches were stopped, {decided} were not");
}

/// A classic method, and whether it is about the initial state.
type Baseline = (&'static str, bool, fn(View<'_>, &Property, Resources<'_>) -> baselines::Outcome);

const BASELINES: [Baseline; 3] = [
    ("observer", false, |view, property, resources| baselines::observer(view, property, resources)),
    ("two-way", false, |view, property, resources| baselines::two_way(view, property, resources)),
    ("initial-state estimator", true, |view, property, resources| {
        baselines::initial_estimator(view, property, resources)
    }),
];

fn judge_baseline(truth: Truth, outcome: &baselines::Outcome) {
    assert!(truth.allows(outcome.exposure), "{outcome:?} is not so, the distance is {truth:?}");
    let decided = match outcome.exposure {
        Exposure::At(_) | Exposure::Never => true,
        Exposure::Beyond(0) => truth.least > 0,
        Exposure::Beyond(_) | Exposure::AtMost { .. } | Exposure::Unknown => false,
    };
    assert!(decided || outcome.stopped.is_some(), "undecided for no reason: {outcome:?}");
}

#[test]
fn the_classic_methods_claim_only_what_is_true_wherever_they_are_stopped() {
    let (mut stopped, mut decided, mut partly) = (0, 0, 0);
    for seed in 0..cases(8) {
        let case = case(seed + 20_000);
        if !case.property.has_exposed_sets() {
            continue;
        }
        let truth = Truth::of(&case);
        for (name, _, baseline) in BASELINES.into_iter().filter(|(_, initial, _)| *initial == case.initial) {
            let roomy = Resources { memory: Some(4 << 20), ..Resources::default() };
            let (outcome, looks) = striking(None, || baseline(case.view(), &case.property, roomy));
            told(&case, &name, &"roomy", || judge_baseline(truth, &outcome));
            let strikes = points(looks, 60).map(|at| {
                let (stop, lasting) = STRIKES[(seed + at) as usize % STRIKES.len()];
                (roomy, Some(Strike { at, stop, lasting }))
            });
            let bytes = points(outcome.memory, 30).map(|bytes| (Resources { memory: Some(bytes), ..roomy }, None));
            for (resources, strike) in strikes.chain(bytes) {
                let (outcome, _) = striking(strike, || baseline(case.view(), &case.property, resources));
                told(&case, &name, &(resources, strike), || judge_baseline(truth, &outcome));
                stopped += usize::from(outcome.stopped.is_some());
                decided += usize::from(outcome.stopped.is_none());
                partly += usize::from(outcome.stopped.is_some() && outcome.exposure != Exposure::Unknown);
            }
        }
    }
    assert!(stopped > 1_000 && decided > 100 && partly > 20, "{stopped} stopped, {partly} partly, {decided} decided");
}

/// A system that asks a case at these horizons and measures it, and asks another property when there is one.
fn asking(case: &Case, horizons: &[Horizon], other: Option<&Property>) -> System {
    let name = |kind: &str, n: usize| (0..n).map(|at| format!("{kind}{at}")).collect();
    let (automaton, observer) = (case.automaton.clone(), case.observer.clone());
    let (states, events) = (name("s", automaton.n_states()), name("e", automaton.n_events()));
    let mut system = system("Random", Named { automaton, observer, states, events });
    let view_id = ViewId { observer: OWN, projection: case.projection };
    let asked = horizons.iter().map(|&horizon| (&case.property, horizon));
    for (property, horizon) in asked.chain(other.map(|property| (property, Horizon::Infinite))) {
        let (text, docs) = (format!("{horizon:?}"), Vec::new());
        let question = Question::Property { view_id, property: property.clone(), horizon };
        system.checks.push(Check {
            name: None,
            text,
            span: system.span,
            docs,
            negated: false,
            question,
            by_parts: None,
        });
    }
    if !case.initial {
        let (text, property) = (String::new(), case.property.clone());
        system.measures.push(Measure { name: None, text, span: system.span, view_id, property });
    }
    system
}

/// Judges the results of such a system; the truth of the other property comes last.
fn judge_results(case: &Case, horizons: &[Horizon], truth: Truth, other: Option<(&Case, Truth)>, results: &Results) {
    for (at, verdict) in results.checks.iter().enumerate() {
        let Some(evidence) = verdict.evidence() else { panic!("{verdict:?}") };
        assert_eq!(verdict.answer(), evidence.finding.exposure.answer(evidence.horizon));
        match (horizons.get(at), other) {
            (Some(&horizon), _) => judge(case, horizon, truth, &evidence.finding),
            (None, Some((case, truth))) => judge(case, Horizon::Infinite, truth, &evidence.finding),
            (None, None) => panic!("a check that nobody asked"),
        }
    }
    results.measures.iter().for_each(|measured| judge(case, Horizon::Infinite, truth, &measured.finding));
}

#[test]
fn a_system_whose_searches_are_stopped_has_only_true_results() {
    for seed in 0..cases(16) {
        let case = some_case(seed + 30_000);
        let truth = Truth::of(&case);
        let horizons = case.horizons(truth);
        let other = Case {
            property: Property::Anonymity { among: 2, classes: None, except: None },
            initial: false,
            ..case.clone()
        };
        let other = (other.property != case.property).then(|| (Truth::of(&other), other));
        let system = asking(&case, &horizons, other.as_ref().map(|(_, other)| &other.property));
        let beside = other.as_ref().map(|(truth, case)| (case, *truth));
        let method = if seed % 4 == 0 { Method::Literal } else { Method::Engine };
        let options = Options { method, threads: 1, ..Options::default() };
        let (_, looks) = striking(None, || verify(&system, &options));
        for at in points(looks, 24) {
            let (stop, lasting) = STRIKES[(seed + at) as usize % STRIKES.len()];
            let strike = Strike { at, stop, lasting };
            let (results, _) = striking(Some(strike), || verify(&system, &options));
            told(&case, &(seed, method), &strike, || judge_results(&case, &horizons, truth, beside, &results));
        }
    }
}

/// Whoever leaves a search behind reads what it told last.
#[test]
fn whatever_a_search_tells_on_its_way_is_true() {
    let (mut claims, ways) = (0, Way::all());
    for seed in 0..cases(2) {
        let case = some_case(seed + 40_000);
        let truth = Truth::of(&case);
        let horizons = [case.horizon()];
        let system = asking(&case, &horizons, None);
        let way = ways[seed as usize / 3 % ways.len()];
        let heard: Mutex<Vec<Progress>> = Mutex::default();
        let tell = |progress: &Progress| heard.lock().expect("one thread").push(*progress);
        striking(None, || way.decide(&case, horizons[0], &Options { progress: Some(&tell), ..Options::default() }));
        for progress in heard.into_inner().expect("one thread") {
            let results = partial_results(&system, Some(&progress), &[], Resources::default());
            told(&case, &(seed, way), &progress, || judge_results(&case, &horizons, truth, None, &results));
            let Some(evidence) = results.checks[0].evidence() else { panic!("one check of a property") };
            claims += usize::from(evidence.finding.exposure != Exposure::Unknown);
        }
    }
    assert!(claims > 500, "{claims}");
}
