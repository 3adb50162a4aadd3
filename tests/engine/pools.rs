//! `observer Both = A + B;` by the definition: two strings look alike to the pool iff they look alike to each member, in order.
//!
//! Random observers with labels and agents, read as text. Every string of up to three events is compared with every other one: by what
//! the pool shows, and by what each member shows at each position that some member sees. Where a pool is refused, all ways to give
//! the events agents are tried: mostly no single observer sees what the members see together.

use crate::support::agents::by_alike_words;
use crate::support::dice::Dice;
use crate::support::histogram::Histogram;
use crate::support::oracle::{Distance, literal};
use crate::support::random::{Case, cases, shape};
use desc::automaton::view::{AgentId, GroupId, Observability, Observer, Projection, Symbol, View};
use desc::automaton::{Automaton, Builder, EventId};
use desc::check::{Settings, check};
use desc::diagnostic::Code;
use desc::model::{Model, NamedObserver, Property, Question};
use desc::source::{NoImports, Sources};
use desc::syntax;
use desc::verdict::Verdict;
use desc::verify::{Limits, Method, Options, verify};
use std::collections::{BTreeMap, BTreeSet};

const EVENTS: usize = 6;
/// Whether two strings look alike is a matter of any two of their positions, so longer ones show nothing new.
const LONGEST: u32 = 3;
const POOLS: u64 = 1000;
const LABELS: [&str; 2] = ["x", "y"];

/// What one observer says of the events: few labels, few agents, so that members agree now and then.
fn observer(dice: &mut Dice, name: &str, shared: &[usize]) -> String {
    let mut seen = Vec::new();
    let mut groups = String::new();
    let mut without_agent = [Vec::new(), Vec::new()];
    for (event, &agent) in shared.iter().enumerate() {
        match dice.below(10) {
            0..3 => continue,
            3 => {}
            _ => {
                let label = usize::from(dice.chance(25));
                let agent = if dice.chance(80) { agent } else { dice.below(3) };
                if dice.chance(75) {
                    groups += &format!("anonymous e{event} as {} by p{agent}; ", LABELS[label]);
                } else {
                    without_agent[label].push(format!("e{event}"));
                }
            }
        }
        seen.push(format!("e{event}"));
    }
    for (events, label) in without_agent.iter().zip(LABELS).filter(|(events, _)| !events.is_empty()) {
        groups += &format!("anonymous {} as {label}; ", events.join(", "));
    }
    let observable = if seen.is_empty() { String::new() } else { format!("observable {}; ", seen.join(", ")) };
    let none = if seen.is_empty() { "unobservable events; " } else { "" };
    format!("    observer {name} {{ {observable}{none}{groups}}}\n")
}

/// A system with two or three observers and the pool of them.
fn text(seed: u64, is_pooled: bool) -> String {
    let mut dice = Dice::new(seed ^ 0x900D);
    let agents: Vec<usize> = (0..EVENTS).map(|_| dice.below(3)).collect();
    let events: Vec<String> = (0..EVENTS).map(|event| format!("e{event}")).collect();
    let names = &["A", "B", "C"][..if dice.chance(30) { 3 } else { 2 }];
    let observers: String = names.iter().map(|name| observer(&mut dice, name, &agents)).collect();
    let pool = if is_pooled { format!("    observer Pool = {};\n", names.join(" + ")) } else { String::new() };
    format!(
        "system S {{\n    states s;\n    initial s;\n    events {};\n    s -events-> s;\n{observers}{pool}}}\n",
        events.join(", ")
    )
}

/// The model, or none if its pool is refused.
fn model(text: &str) -> Option<Model> {
    let mut sources = Sources::new();
    let (entry, faults) = syntax::read(&mut sources, "pool.des", text.as_bytes().to_vec());
    assert!(faults.is_empty());
    let checked = check(entry, &mut sources, &NoImports, &Settings::default());
    let errors: Vec<Code> =
        checked.diagnostics.iter().filter(|fault| fault.is_error()).map(|fault| fault.code).collect();
    assert!(errors.iter().all(|code| *code == Code::E0424), "{errors:?}: {text}");
    checked.model
}

fn strings() -> Vec<Vec<EventId>> {
    let mut all: Vec<Vec<EventId>> = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..LONGEST {
        let longer = |string: &Vec<EventId>| {
            let string = string.clone();
            (0..EVENTS).map(move |event| [&string[..], &[EventId::from_index(event)]].concat())
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// What each event of a string shows: the projection of a prefix is longer by one symbol, or is not.
fn signs(view: &View<'_>, string: &[EventId]) -> Vec<Option<Symbol>> {
    let shown: Vec<usize> = (0..=string.len()).map(|end| view.project(&string[..end]).len()).collect();
    let whole = view.project(string);
    shown.windows(2).map(|pair| (pair[0] < pair[1]).then(|| whole[pair[0]])).collect()
}

/// What each member shows at each position that some member sees.
fn shown(views: &[View<'_>], string: &[EventId]) -> Vec<Vec<Option<Symbol>>> {
    let signs: Vec<Vec<Option<Symbol>>> = views.iter().map(|view| signs(view, string)).collect();
    let at = |position: usize| signs.iter().map(|signs| signs[position]).collect::<Vec<_>>();
    (0..string.len()).map(at).filter(|shown| shown.iter().any(Option::is_some)).collect()
}

/// The strings that look alike, by a key.
fn classes<K: Ord>(strings: &[Vec<EventId>], key: impl Fn(&[EventId]) -> K) -> BTreeSet<Vec<usize>> {
    let mut classes: BTreeMap<K, Vec<usize>> = BTreeMap::new();
    for (at, string) in strings.iter().enumerate() {
        classes.entry(key(string)).or_default().push(at);
    }
    classes.into_values().collect()
}

/// The strings that look alike to each member.
fn by_definition(
    strings: &[Vec<EventId>],
    automaton: &Automaton,
    members: &[NamedObserver],
    projection: Projection,
) -> BTreeSet<Vec<usize>> {
    let views: Vec<View<'_>> =
        members.iter().map(|member| View { automaton, observer: &member.observer, projection }).collect();
    classes(strings, |string| shown(&views, string))
}

#[test]
fn a_pool_tells_apart_what_one_of_its_members_does() {
    let strings = strings();
    let (mut refused, mut with_agents, mut links, mut named) = (0, 0, 0, 0);
    for seed in 0..POOLS {
        let text = text(seed, true);
        let Some(model) = model(&text) else {
            refused += 1;
            continue;
        };
        let system = &model.systems()[0];
        let [_, members @ .., both] = &system.observers[..] else { panic!("a pool: {text}") };
        with_agents += usize::from(both.observer.has_named_agents());
        named += usize::from(both.labels.iter().flatten().any(|label| label.contains('e')));
        for projection in [Projection::Natural, Projection::Strong, Projection::Weak] {
            let view = |observer| View { automaton: &system.automaton, observer, projection };
            let meant = by_definition(&strings, &system.automaton, members, projection);
            let pooled = classes(&strings, |string| view(&both.observer).project(string));
            assert_eq!(meant, pooled, "seed {seed}, {projection}: {text}");
            let alone = classes(&strings, |string| view(&members[0].observer).project(string));
            links += usize::from(projection == Projection::Weak && alone != pooled);
        }
    }
    println!(
        "{POOLS} pools: {refused} refused, {with_agents} with agents, {links} see more, {named} know an agent by name"
    );
    assert!(
        refused > 20 && with_agents > 50 && links > 50 && named > 20,
        "{refused} refused, {with_agents} with agents, {links} see more, {named} know an agent by name"
    );
}

/// Every way to divide the events among agents.
fn divisions() -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..EVENTS {
        let longer = |agents: &Vec<u32>| {
            let agents = agents.clone();
            let next = agents.iter().max().map_or(0, |most| most + 1);
            (0..=next).map(move |agent| [&agents[..], &[agent]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// An observer with the same labels as its members together, and these agents.
fn single(members: &[NamedObserver], agents: &[u32]) -> Observer {
    let mut looks: Vec<Vec<Observability>> = Vec::new();
    let sights = (0..EVENTS).map(EventId::from_index).map(|event| {
        let seen: Vec<Observability> = members.iter().map(|member| member.observer.observability(event)).collect();
        if seen.iter().all(|&sight| sight == Observability::Silent) {
            return Observability::Silent;
        }
        // What one member sees as itself has a label of its own.
        let is_itself = seen.contains(&Observability::Visible);
        let look = if is_itself { vec![Observability::Visible; 10 + event.index()] } else { seen };
        let known = looks.iter().position(|known| *known == look);
        Observability::Anonymous(GroupId::from_index(known.unwrap_or_else(|| {
            looks.push(look);
            looks.len() - 1
        })))
    });
    let sights = sights.collect();
    Observer::with_agents(sights, &agents.iter().map(|&agent| Some(AgentId(agent))).collect::<Vec<_>>())
}

#[test]
fn most_refused_pools_are_no_single_observer() {
    let (strings, divisions) = (strings(), divisions());
    let automaton = Builder::new(1, EVENTS).freeze();
    let (mut refused, mut spared) = (0, 0);
    for seed in 0..POOLS {
        let is_refused = model(&text(seed, true)).is_none();
        if !is_refused {
            continue;
        }
        refused += 1;
        let alone = model(&text(seed, false)).expect("the members alone");
        let members = &alone.systems()[0].observers[1..];
        let meant = by_definition(&strings, &automaton, members, Projection::Weak);
        let says_the_same = |agents: &Vec<u32>| {
            let observer = single(members, agents);
            let view = View { automaton: &automaton, observer: &observer, projection: Projection::Weak };
            classes(&strings, |string| view.project(string)) == meant
        };
        spared += usize::from(divisions.iter().any(says_the_same));
    }
    println!("{refused} pools of {POOLS} refused, {spared} of them are a single observer by chance");
    assert!(refused > 20 && spared * 3 < refused, "{refused} refused, {spared} without need");
}

/// A random system with two observers, their pool, and questions against it; as text, without its checks as well.
fn with_transitions(seed: u64) -> String {
    let mut dice = Dice::new(seed ^ 0x9001);
    let shape = shape(&mut dice);
    let agents: Vec<usize> = (0..shape.n_events).map(|_| dice.below(3)).collect();
    let events: Vec<String> = (0..shape.n_events).map(|event| format!("e{event}")).collect();
    let mut text =
        format!("system S {{\n    states s[0..{}];\n    events {};\n", shape.n_states - 1, events.join(", "));
    shape.initial.iter().for_each(|state| text += &format!("    initial s[{state}];\n"));
    for (source, event, target) in &shape.edges {
        text += &format!("    s[{source}] -e{event}-> s[{target}];\n");
    }
    text += &observer(&mut dice, "A", &agents);
    text += &observer(&mut dice, "B", &agents);
    text += "    observer Pool = A + B;\n";
    let [one, other] = [(); 2].map(|()| format!("s[{}]", dice.below(shape.n_states)));
    for question in [
        String::new(),
        format!("except {one}"),
        format!("opacity of {{{one}, {other}}}"),
        format!("opacity of {{{one}, {other}}} throughout"),
    ] {
        text += &format!("    check weak infinite-step {question} against Pool;\n");
    }
    text + &format!("    check weak initial-final opacity of {one} -> {other} against Pool;\n}}\n")
}

fn kind(property: &Property) -> &'static str {
    match property {
        Property::Anonymity { except: Some(_), .. } => "except",
        Property::Anonymity { .. } => "anonymity",
        Property::Opacity { .. } => "opacity",
        Property::Throughout { .. } => "throughout",
        Property::InitialFinal { .. } => "initial-final",
        Property::OfParts(_) => "of parts",
    }
}

/// A distance as far as a property is decided: that of beginnings with ends only at 0 steps.
fn decided(property: &Property, found: Distance) -> Distance {
    match property {
        Property::InitialFinal { .. } if found != Distance::At(0) => Distance::Never,
        _ => found,
    }
}

#[test]
fn engine_literal_construction_and_oracle_agree_against_pools_and_so_do_words_of_the_members() {
    let limits = Limits { pairs: Some(20_000), ..Limits::default() };
    let (mut histogram, mut words, mut refused) = (Histogram::default(), 0, 0);
    for seed in 0..cases() / 4 {
        let text = with_transitions(seed);
        let Some(model) = model(&text) else {
            refused += 1;
            continue;
        };
        let system = &model.systems()[0];
        let by = |method| verify(system, &Options { limits, method, certificates: true, ..Options::default() }).checks;
        for ((asked, engine), paper) in system.checks.iter().zip(by(Method::Engine)).zip(by(Method::Literal)) {
            let Question::Property { property, .. } = &asked.question else { continue };
            let case = Case {
                automaton: (*system.automaton).clone(),
                observer: system.observers[3].observer.clone(),
                projection: Projection::Weak,
                property: property.clone(),
                initial: false,
                kind: kind(property),
            };
            let by_letter = literal(&case.view(), property, false, 20_000);
            let exposure = |verdict: &Verdict| verdict.evidence().expect("a property").finding.exposure;
            let [found, paper, by_letter] = [exposure(&engine).into(), exposure(&paper).into(), by_letter]
                .map(|found: Distance| decided(property, found));
            for other in [paper, by_letter] {
                assert!(other == found || other == Distance::TooLarge, "{found:?}, {other:?}, {}: {text}", asked.text);
            }
            words += usize::from(agrees_with_words(&case, found, &system.observers[1..3], &text));
            histogram.add(kind(property), found);
        }
    }
    let total = histogram.total();
    println!("weak, against a pool of two\n{histogram}{total} questions, {words} by words, {refused} pools refused");
    let met = (0..=3).all(|at| histogram.count("", Distance::At(at)) > 0);
    assert!(words > 100 && met, "{words} by words\n{histogram}");
}

/// Compares with all words up to a length, which look alike if they do to each member, if they are not too many.
fn agrees_with_words(case: &Case, found: Distance, members: &[NamedObserver], text: &str) -> bool {
    const LONGEST: usize = 4;
    let views: Vec<View<'_>> =
        members.iter().map(|member| View { observer: &member.observer, ..case.view() }).collect();
    let alike = |one: &[EventId], other: &[EventId]| shown(&views, one) == shown(&views, other);
    let Some(by_words) = by_alike_words(case, LONGEST, 200, &alike) else { return false };
    assert!(found <= by_words, "words show {by_words:?}, the engine {found:?}: {text}");
    true
}
