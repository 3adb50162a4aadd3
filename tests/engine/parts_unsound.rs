//! Models on which an intruder who sees too little, or is too sure, would be believed: one for each rule of the stronger and of
//! the weaker intruder, and the proof that breaks the rule.
//!
//! Some parts alone, as the wrong intruder sees them, have the wrong answer. It may not follow from these parts, the proof about
//! them is refused, and the system is decided alike in every way.

use crate::parts::{impatient, model};
use crate::parts_law::{agree, n_compositions};
use crate::support::compositions::composition;
use desc::automaton::EventId;
use desc::model::{Property, Question, System};
use desc::resources::{Resources, Stop};
use desc::verdict::certificate::document::{Certified, KeptParts, certify, confirm};
use desc::verdict::{Answer, Results, Verdict};
use desc::verify::{self, Method, Options, Tuning, keep_parts, verify, verify_with};
use std::collections::BTreeMap;
use std::sync::Arc;

struct Trap {
    /// What the wrong answer forgets.
    rule: &'static str,
    components: &'static str,
    /// The parts that are kept, and those that are left out.
    compose: [&'static str; 2],
    asked: &'static str,
    /// What is asked of the kept parts alone, as the wrong intruder sees them; parts beside them only number events alike.
    alone: &'static str,
    /// The events of the run that shows the wrong exposure; none: those of the run alone.
    run: &'static [&'static str],
    truth: Answer,
}

/// Goes to `hit` by `left`, and to `miss` by `right`.
macro_rules! fork {
    ($others:literal) => {
        concat!(
            "component A { states start, hit, miss; initial start; events left, right; final states;",
            " start -left-> hit; start -right-> miss; }\n",
            $others
        )
    };
}

/// Goes to `hit` by `left`.
macro_rules! step {
    ($others:literal) => {
        concat!(
            "component A { states start, hit; initial start; events left; final states; start -left-> hit; }\n",
            $others
        )
    };
}

const TRAPS: &[Trap] = &[
    Trap {
        rule: "events of one label that lead elsewhere outside look different",
        components: fork!(
            "component B { states b[0..2]; initial b[0]; events left, right, one, two; final states;
                b[0] -left-> b[1] -one-> b[1]; b[0] -right-> b[2] -two-> b[2]; }"
        ),
        compose: ["a = A", "b = B"],
        asked: "anonymous left, right; secret a.hit; check strong infinite-step opacity;",
        alone: "anonymous left, right; secret a.hit; check strong infinite-step opacity;",
        run: &[],
        truth: Answer::Violated,
    },
    Trap {
        rule: "and so do events that come from elsewhere",
        components: fork!(
            "component B { states early, late; initial early; events left, right, now; final states;
                early -left-> early -now-> late -right-> early; }"
        ),
        compose: ["a = A", "b = B"],
        asked: "anonymous left, right; secret a.hit; check strong infinite-step opacity;",
        alone: "anonymous left, right; secret a.hit; check strong infinite-step opacity;",
        run: &[],
        truth: Answer::Violated,
    },
    Trap {
        rule: "and so do two events of which one never happens outside",
        components: fork!("component B { states b; initial b; events right; final states; }"),
        compose: ["a = A", "b = B"],
        asked: "anonymous left, right; secret a.hit; check strong infinite-step opacity;",
        alone: "anonymous left, right; secret a.hit; check strong infinite-step opacity;",
        run: &[],
        truth: Answer::Violated,
    },
    Trap {
        rule: "an unobservable event is silent only if no part outside takes part",
        components: fork!(
            "component B { states b[0..1]; initial b[0]; events left, one; final states; b[0] -left-> b[1] -one-> b[1]; }"
        ),
        compose: ["a = A", "b = B"],
        asked: "observable one; secret a.hit; check infinite-step opacity;",
        alone: "unobservable left, right; secret a.hit; check infinite-step opacity;",
        run: &[],
        truth: Answer::Violated,
    },
    Trap {
        rule: "unobservable events that do different things outside look different",
        components: fork!(
            "component B { states b[0..2]; initial b[0]; events left, right, one, two; final states;
                b[0] -left-> b[1] -one-> b[1]; b[0] -right-> b[2] -two-> b[2]; }"
        ),
        compose: ["a = A", "b = B"],
        asked: "observable one, two; secret a.hit; check infinite-step opacity;",
        alone: "anonymous left, right; secret a.hit; check strong infinite-step opacity;",
        run: &[],
        truth: Answer::Violated,
    },
    Trap {
        rule: "a step that only the stronger intruder sees is none of the real one's",
        components: "\
            component A { states a[0..3], b[0..3]; initial a[0], b[0]; events now, on, left, right; final states;
                a[0] -now-> a[1] -on-> a[2] -left-> a[3]; b[0] -now-> b[1] -on-> b[2] -right-> b[3]; }
            component B { states b[0..1]; initial b[0]; events on; final states; b[0] -on-> b[1]; }",
        compose: ["a = A", "b = B"],
        asked: "observable now, left, right; secret a.a[0]; check 2-step opacity;",
        alone: "secret a.a[0]; check 2-step opacity;",
        run: &[],
        truth: Answer::Violated,
    },
    Trap {
        rule: "an agent who also acts outside is known",
        components: fork!("component B { states b[0..1]; initial b[0]; events other; final states; b[0] -other-> b[1]; }"),
        compose: ["a = A", "b = B"],
        asked: "anonymous left, other as act by person[1]; anonymous right as act by person[2]; secret a.hit;
            check weak infinite-step opacity;",
        alone: "anonymous left as act by person[1]; anonymous right as act by person[2]; secret a.hit;
            check weak infinite-step opacity;",
        run: &[],
        truth: Answer::Violated,
    },
    Trap {
        rule: "and two such agents are two",
        components: fork!(
            "component B { states b[0..2]; initial b[0]; events other, another, one, two; final states;
                b[0] -other-> b[1] -one-> b[1]; b[0] -another-> b[2] -two-> b[2]; }"
        ),
        compose: ["a = A", "b = B"],
        asked: "anonymous left, other as act by person[1]; anonymous right, another as act by person[2]; secret a.hit;
            check weak infinite-step opacity;",
        alone: "anonymous left, right; secret a.hit; check strong infinite-step opacity;",
        run: &[],
        truth: Answer::Violated,
    },
    Trap {
        rule: "what a label shows may be an event outside",
        components: step!("component B { states b; initial b; events other; final states; b -other-> b; }"),
        compose: ["a = A", "b = B"],
        asked: "anonymous left, other; secret a.hit; check strong infinite-step opacity;",
        alone: "secret a.hit; check strong infinite-step opacity;",
        run: &["left"],
        truth: Answer::Holds,
    },
    Trap {
        rule: "under weak it may be any event outside, each of another agent",
        components: step!(
            "component B { states b; initial b; events other, another, own; final states; b -{other, another, own}-> b; }"
        ),
        compose: ["a = A", "b = B"],
        asked: "anonymous left, own as act by person[1]; anonymous other as act by person[2];
            anonymous another as act by person[3]; secret a.hit; check weak infinite-step opacity;",
        alone: "secret a.hit; check strong infinite-step opacity;",
        run: &["left", "other"],
        truth: Answer::Holds,
    },
    Trap {
        rule: "what a part outside never does happens in no run",
        components: "\
            component A { states start, hit; initial start; events left, slip; final states; start -{left, slip}-> hit; }
            component B { states b; initial b; events left; final states; }",
        compose: ["a = A", "b = B"],
        asked: "observable left; secret a.hit; check infinite-step opacity;",
        alone: "observable left; secret a.hit; check infinite-step opacity;",
        run: &["left"],
        truth: Answer::Holds,
    },
    Trap {
        rule: "nor does what it does later happen before",
        components: "\
            component A { states start, hit, wait, gone; initial start, wait; events left, go; final states;
                start -left-> hit; wait -go-> gone -left-> gone; }
            component B { states b[0..1]; initial b[0]; events left, go; final states; b[0] -go-> b[1] -left-> b[1]; }",
        compose: ["a = A", "b = B"],
        asked: "observable left, go; secret a.hit; check infinite-step opacity;",
        alone: "observable left, go; secret a.hit; check infinite-step opacity;",
        run: &["left"],
        truth: Answer::Holds,
    },
    Trap {
        rule: "a single state of some parts is several of the system",
        components: step!(
            "component B { states b[0..1]; initial b; events turn; final states; b[0] -turn-> b[1] -turn-> b[0]; }"
        ),
        compose: ["a = A", "b = B"],
        asked: "observable left; check infinite-step anonymity;",
        alone: "observable left; check infinite-step anonymity;",
        run: &["left"],
        truth: Answer::Holds,
    },
    Trap {
        rule: "what some parts reach, which is not excepted, the system may not reach",
        components: step!(
            "component B { states b[0..1]; initial b[0]; events turn; final states; b[0] -turn-> b[1]; }
             component C { states c; initial c; events turn; final states; }"
        ),
        compose: ["a = A, b = B", "c = C"],
        asked: "observable left; check infinite-step about a except a.start | (a.hit & b.b[0]);",
        alone: "observable left; check infinite-step about a except a.start | (a.hit & b.b[0]);",
        run: &["left"],
        truth: Answer::Holds,
    },
];

/// Proofs that break a rule of the checker.
const FORGED: &[Trap] = &[
    Trap {
        rule: "what a label shows may be an event outside",
        components: step!(
            "component B { states b; initial b; events other; final states; b -other-> b; }
             component D { states d; initial d; events other; final states; }"
        ),
        compose: ["a = A", "b = B"],
        asked: "anonymous left, other; secret a.hit; check strong infinite-step opacity;",
        alone: "compose d = D; anonymous left, other; secret a.hit; check strong infinite-step opacity;",
        run: &["left"],
        truth: Answer::Holds,
    },
    Trap {
        rule: "under weak every event outside may be what is shown",
        components: step!(
            "component B { states b; initial b; events other, another, own; final states; b -{other, another, own}-> b; }
             component D { states d; initial d; events other, another, own; final states; d -other-> d; }"
        ),
        compose: ["a = A", "b = B"],
        asked: "anonymous left, own as act by person[1]; anonymous other as act by person[2];
            anonymous another as act by person[3]; secret a.hit; check weak infinite-step opacity;",
        alone: "compose d = D; anonymous left, own as act by person[1]; anonymous other as act by person[2];
            anonymous another as act by person[3]; secret a.hit; check weak infinite-step opacity;",
        run: &[],
        truth: Answer::Holds,
    },
    Trap {
        rule: "the run of the system shows what the proof is about",
        components: "\
            component A { states start, hit; initial start; events left, slip; final states; start -{left, slip}-> hit; }
            component B { states b; initial b; events left; final states; }",
        compose: ["a = A", "b = B"],
        asked: "observable left; secret a.hit; check infinite-step opacity;",
        alone: "observable left; secret a.hit; check infinite-step opacity;",
        run: &["slip"],
        truth: Answer::Holds,
    },
    Trap {
        rule: "the parts that are asked about are kept",
        components: step!(
            "component B { states b[0..1]; initial b[0]; events turn; final states; b[0] -turn-> b[1] -turn-> b[0]; }"
        ),
        compose: ["b = B", "a = A"],
        asked: "observable left; secret a.hit; check infinite-step opacity;",
        alone: "unobservable turn; secret b.b[1]; check infinite-step opacity;",
        run: &[],
        truth: Answer::Violated,
    },
];

fn options() -> Options<'static> {
    Options { threads: 1, certificates: true, ..Options::default() }
}

fn written(components: &str, compose: &str, asked: &str) -> String {
    format!("{components}\nsystem All {{\n    compose {compose};\n    {asked}\n}}\n")
}

fn system_of(text: &str, lazy: Option<usize>) -> System {
    model(text, lazy).expect("nothing is wrong with it").systems()[0].clone()
}

#[test]
fn parts_that_suggest_a_wrong_answer_do_not_give_it() {
    let mut wrong = Vec::new();
    for trap in TRAPS {
        let [kept, others] = trap.compose;
        let (n_kept, n_others) = (kept.split(',').count(), others.split(',').count());
        try_out(trap, &format!("{kept}, {others}"), (0..n_kept).collect(), &mut wrong);
        try_out(trap, &format!("{others}, {kept}"), (n_others..n_others + n_kept).collect(), &mut wrong);
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Adds what is believed that is wrong.
fn try_out(trap: &Trap, compose: &str, kept: Vec<usize>, wrong: &mut Vec<String>) {
    let text = written(trap.components, compose, trap.asked);
    let (whole, lazy) = (system_of(&text, None), system_of(&text, Some(0)));
    let mut say = |what: String| wrong.push(format!("{}, of {compose}: {what}", trap.rule));
    for system in [&whole, &lazy] {
        let Question::Property { horizon, .. } = &system.checks[0].question else { panic!("{text}") };
        if let Some(found) = keep_parts(system, 0, &kept, &options())
            && (found.fault.is_some() || found.exposure.answer(*horizon) != trap.truth)
        {
            say(format!("the kept parts say {:?}, fault {:?}", found.exposure, found.fault));
        }
    }
    let parts_first = Tuning { parts_first_from: 0, ..impatient() };
    let ways = [
        ("lazy", &lazy, verify(&lazy, &options())),
        ("product", &whole, verify(&whole, &options())),
        ("literal", &whole, verify(&whole, &Options { method: Method::Literal, ..options() })),
        ("parts first", &whole, verify_with(&whole, &options(), parts_first)),
        ("in turns", &whole, verify_with(&whole, &options(), impatient())),
    ];
    for (way, system, results) in &ways {
        if results.checks[0].answer() != trap.truth {
            say(format!("{way}: {:?}", results.checks[0].answer()));
        }
        if let Err(fault) = confirm(system, &certify(system, results), &mut Resources::default().monitor()) {
            say(format!("{way}: {fault}"));
        }
    }
    if forged(trap, &lazy, &kept).is_ok() {
        say("the forged proof is believed".to_owned());
    }
}

#[test]
fn proofs_that_break_a_rule_are_refused() {
    for trap in FORGED {
        let text = written(trap.components, &trap.compose.join(", "), trap.asked);
        let lazy = system_of(&text, Some(0));
        assert_eq!(verify(&lazy, &options()).checks[0].answer(), trap.truth, "{}", trap.rule);
        let fault = forged(trap, &lazy, &[0]).expect_err(trap.rule);
        println!("{}: {fault}", trap.rule);
    }
}

/// Whether a proof about the kept parts alone, as the wrong intruder sees them, is accepted.
fn forged(trap: &Trap, lazy: &System, kept: &[usize]) -> Result<(), String> {
    let alone = system_of(&written(trap.components, trap.compose[0], trap.alone), None);
    let results = verify(&alone, &options());
    let wrong = if trap.truth == Answer::Holds { Answer::Violated } else { Answer::Holds };
    assert_eq!(results.checks[0].answer(), wrong, "{}", trap.rule);
    let mut proof = certify(&alone, &results).proofs.remove(0);
    let event =
        |name: &str| (0..lazy.automaton.n_events()).find(|&at| lazy.names.event(EventId::from_index(at)) == name);
    let shown = results.checks[0].evidence().and_then(|evidence| evidence.finding.witness.clone());
    let own = shown.map_or_else(Vec::new, |witness| witness.run.events).into_iter();
    let own: Vec<String> = own.map(|event| alone.names.event(event).into_owned()).collect();
    let given = trap.run.iter().map(|name| (*name).to_owned()).collect();
    let names: Vec<String> = if trap.run.is_empty() { own } else { given };
    let run = names.iter().map(|name| event(name).expect("an event") as u32).collect();
    proof.parts = Some(KeptParts { kept: kept.iter().map(|&part| part as u32).collect(), run });
    let own = certify(lazy, &verify(lazy, &options()));
    let certified = Certified { proofs: vec![proof], ..own };
    confirm(lazy, &certified, &mut Resources::default().monitor()).map(|_| ())
}

/// How often some parts answered: by the answer, the number of parts that were kept, and of all parts.
type Histogram = BTreeMap<(&'static str, usize, usize), usize>;

#[test]
fn whatever_parts_are_kept_they_say_nothing_wrong() {
    let mut histogram = Histogram::new();
    for seed in 0..n_compositions(40) {
        let (text, n_parts) = composition(seed);
        if let (Some(whole), Some(lazy)) = (model(&text, None), model(&text, Some(0))) {
            let case = format!("seed {seed}\n{text}");
            keep_every_set((&whole.systems()[0], &lazy.systems()[0]), n_parts, &case, &mut histogram);
        }
    }
    println!("{histogram:?}");
    let answered = |wanted: &str| histogram.iter().filter(|((answer, ..), _)| *answer == wanted).map(|(_, n)| n).sum();
    let (holds, violated): (usize, usize) = (answered("stronger"), answered("weaker"));
    assert!(holds > 40 && violated > 300, "{histogram:?}");
}

/// Compares what every proper set of the parts says of each check with what the product says.
fn keep_every_set((whole, lazy): (&System, &System), n_parts: usize, case: &str, histogram: &mut Histogram) {
    let limits = verify::Limits { pairs: Some(300), ..verify::Limits::default() };
    let options = Options { limits, ..options() };
    let known = verify(whole, &options);
    for (at, check) in lazy.checks.iter().enumerate() {
        let Question::Property { property: Property::OfParts(asked), horizon, .. } = &check.question else { continue };
        let all = known.checks[at].evidence().expect("a property").finding.exposure;
        let sets = (1..(1u32 << n_parts) - 1).map(|set| (0..n_parts).filter(|part| set & (1 << part) != 0).collect());
        let mentioned = asked.mentioned();
        for kept in sets.filter(|set: &Vec<usize>| mentioned.iter().all(|part| set.contains(part))) {
            let Some(found) = keep_parts(lazy, at, &kept, &options) else { continue };
            let told = format!("{kept:?} say {:?} of {}, the product {all:?}: {case}", found.exposure, check.text);
            assert_eq!(found.fault, None, "{told}");
            assert!(agree(found.exposure, all), "{told}");
            let is_exposed = found.parts.as_ref().is_some_and(|parts| parts.exposed.is_some());
            let way = if is_exposed { "weaker" } else { "stronger" };
            *histogram.entry((way, kept.len(), n_parts)).or_default() += 1;
            let mut checks: Vec<Verdict> = lazy.checks.iter().map(|_| Verdict::stopped(Stop::States)).collect();
            checks[at] = Verdict::of_property(Arc::new(found), *horizon);
            let results = Results { checks, measures: Vec::new() };
            let confirmed = confirm(lazy, &certify(lazy, &results), &mut Resources::default().monitor());
            let answers = confirmed.unwrap_or_else(|fault| panic!("{fault}: {told}")).answers;
            assert_eq!(answers[at], Some(results.checks[at].answer()), "{told}");
        }
    }
}
