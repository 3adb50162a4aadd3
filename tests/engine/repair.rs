//! Repairs, held against every choice there is: each is written out as a model of its own, in the old words of the language, and
//! decided by the paper's constructions.

mod laws;

use crate::support::dice::Dice;
use desc::model::change::{Change, ChangeKind, Lever};
use desc::model::{Model, System};
use desc::repair::{Choice, Ending, Further, Problem, further, solve, spelling};
use desc::verify::{Method, Options};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How an event looks to one observer.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Look {
    Silent,
    Itself,
    Like(Option<String>, Option<String>),
}

/// A model as lists, so that it can be written in two ways.
#[derive(Clone, Debug)]
struct Plain {
    n_states: usize,
    transitions: Vec<(usize, usize, usize)>,
    initial: BTreeSet<usize>,
    secret: BTreeSet<usize>,
    /// For each observer, the first being the system's own, how each event looks.
    looks: Vec<Vec<Look>>,
    levers: Vec<String>,
    checks: Vec<String>,
}

const EVENTS: [&str; 5] = ["a", "b", "c", "d", "e"];
const OBSERVERS: [&str; 2] = ["", "Clerk"];

impl Plain {
    fn random(seed: u64, n_levers: usize) -> Plain {
        let dice = &mut Dice::new(seed);
        let n_states = 3 + dice.below(3);
        let n_steps = n_states + 2 + dice.below(5);
        let transitions = (0..n_steps).map(|at| (dice.below(n_states), at % EVENTS.len(), dice.below(n_states)));
        let transitions: BTreeSet<_> = transitions.collect();
        let some = |dice: &mut Dice, percent| (0..n_states).filter(|_| dice.chance(percent)).collect::<BTreeSet<_>>();
        let mut initial = some(dice, 50);
        initial.insert(0);
        let mut secret = some(dice, 40);
        secret.insert(1);
        let looks = (0..1 + dice.below(2)).map(|_| EVENTS.map(|_| look(dice)).to_vec()).collect::<Vec<_>>();
        let levers = (0..n_levers).map(|_| lever(dice, looks.len())).collect();
        let checks = (0..1 + dice.below(3)).map(|_| check(dice, looks.len())).collect();
        Plain { n_states, transitions: transitions.into_iter().collect(), initial, secret, looks, levers, checks }
    }

    fn text(&self, with_levers: bool) -> String {
        let list = |set: &BTreeSet<usize>| set.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let all: BTreeSet<usize> = (0..self.n_states).collect();
        let mut text = format!("system S {{\n states {};\n initial {};\n", list(&all), list(&self.initial));
        let _ = writeln!(text, " events {};\n secret {};", EVENTS.join(", "), list(&self.secret));
        text += &sight(&self.looks[0]);
        for (source, event, target) in &self.transitions {
            let _ = writeln!(text, " {source} -{}-> {target};", EVENTS[*event]);
        }
        for (at, looks) in self.looks.iter().enumerate().skip(1) {
            let _ = writeln!(text, " observer {} {{\n{} }}", OBSERVERS[at], sight(looks));
        }
        for line in self.levers.iter().filter(|_| with_levers) {
            let _ = writeln!(text, " {line};");
        }
        for (at, check) in self.checks.iter().enumerate() {
            let _ = writeln!(text, " check n{at}: {check};");
        }
        text + "}\n"
    }

    /// The same model after changes, by the meaning of the words.
    fn changed(&self, system: &System, changes: &[&Change]) -> Plain {
        let mut plain = self.clone();
        for change in changes {
            let events = change.events.iter().map(|event| event.index());
            for event in events {
                if change.kind == ChangeKind::Disable {
                    plain.transitions.retain(|(_, of, _)| *of != event);
                }
                for (at, looks) in plain.looks.iter_mut().enumerate() {
                    let named = change.from.map(|from| system.observer(from).name.clone().unwrap_or_default());
                    let concerned = named.is_none_or(|name| name == OBSERVERS[at]);
                    match &change.kind {
                        ChangeKind::Hide if concerned => looks[event] = Look::Silent,
                        ChangeKind::Anonymise { label, agent } if concerned && looks[event] != Look::Silent => {
                            looks[event] = Look::Like(label.clone(), agent.clone());
                        }
                        _ => {}
                    }
                }
            }
        }
        plain
    }
}

fn look(dice: &mut Dice) -> Look {
    let label = |dice: &mut Dice| dice.chance(40).then(|| "went".to_owned());
    let agent = |dice: &mut Dice| dice.chance(30).then(|| ["p", "q"][dice.below(2)].to_owned());
    match dice.below(10) {
        0 | 1 => Look::Silent,
        2..=6 => Look::Itself,
        _ => Look::Like(label(dice), agent(dice)),
    }
}

fn lever(dice: &mut Dice, n_observers: usize) -> String {
    let mut events = vec![EVENTS[dice.below(EVENTS.len())]];
    let together = dice.chance(25);
    if together {
        events.push(EVENTS[dice.below(EVENTS.len())]);
    }
    let from = if n_observers > 1 && dice.chance(30) { " from Clerk" } else { "" };
    let cost = if dice.chance(50) { format!(" cost {}", 1 + dice.below(4)) } else { String::new() };
    let may = if together { "may together" } else { "may" };
    let events = events.join(", ");
    match dice.below(8) {
        0..=3 => format!("{may} hide {events}{from}{cost}"),
        4..=6 => {
            let label = if dice.chance(50) { " as went" } else { "" };
            let agent = ["", "", " by p", " by r"][dice.below(4)];
            format!("{may} anonymise {events}{label}{agent}{from}{cost}")
        }
        _ => format!("{may} disable {events}{cost}"),
    }
}

fn check(dice: &mut Dice, n_observers: usize) -> String {
    let projection = ["strong", "weak", "weak", "natural"][dice.below(4)];
    let horizon = ["0-step", "1-step", "2-step", "infinite-step", "infinite-step", "exactly 1-step"][dice.below(6)];
    let property = ["", " opacity", " opacity", " opacity throughout", " among 3"][dice.below(5)];
    let against = if n_observers > 1 && dice.chance(50) { " against Clerk" } else { "" };
    match dice.below(8) {
        0 => format!("{projection} initial-state opacity{against}"),
        _ => format!("{projection} {horizon}{property}{against}"),
    }
}

/// What one observer sees, in the words of `observable` and `anonymous`.
fn sight(looks: &[Look]) -> String {
    let seen: Vec<&str> = (0..looks.len()).filter(|&at| looks[at] != Look::Silent).map(|at| EVENTS[at]).collect();
    let mut text = format!("  observable {{{}}};\n", seen.join(", "));
    let mut groups: BTreeMap<(&Option<String>, &Option<String>), Vec<&str>> = BTreeMap::new();
    for (at, look) in looks.iter().enumerate() {
        if let Look::Like(label, agent) = look {
            groups.entry((label, agent)).or_default().push(EVENTS[at]);
        }
    }
    for ((label, agent), events) in groups {
        let clause =
            |word: &str, name: &Option<String>| name.as_ref().map_or(String::new(), |name| format!(" {word} {name}"));
        let _ = writeln!(text, "  anonymous {}{}{};", events.join(", "), clause("as", label), clause("by", agent));
    }
    text
}

fn read(text: &str) -> desc::Checked {
    let checked = desc::check("random.des", text);
    assert!(checked.model().is_some(), "{text}\n{}", checked.explained());
    checked
}

fn only(model: &Model) -> &System {
    &model.systems()[0]
}

/// Whether every check of a text passes, by the paper's constructions.
fn passes(text: &str) -> bool {
    let checked = read(text);
    let results =
        desc::verify(only(checked.model().unwrap()), &Options { method: Method::Literal, ..Options::default() });
    results.checks.iter().all(|verdict| verdict.answer() == desc::verdict::Answer::Holds)
}

/// By the same line in a loop, too.
#[test]
fn a_change_that_is_offered_again_is_one_lever() {
    let checked = read(
        "system S { states A, B; initial A; events a, b; A -{a, b}-> B;
            for i in 1..3 { may hide a cost i; }
            may hide b; may hide b cost 2;
            check current-state; }",
    );
    let costs: Vec<u64> = only(checked.model().unwrap()).levers.iter().map(|lever| lever.cost).collect();
    assert_eq!(costs, [1, 1]);
    assert_eq!(checked.explained().matches("W0521").count(), 2, "{}", checked.explained());
}

/// Every choice without a contradiction that is enough, by trying all.
fn enough(plain: &Plain, system: &System) -> Vec<Choice> {
    let levers = &system.levers;
    let choice = |mask: usize| Choice::new((0..levers.len()).filter(|at| mask >> at & 1 == 1));
    let fits = |choice: &Choice| {
        let changes = choice.changes(levers);
        changes.iter().enumerate().all(|(at, one)| changes[at + 1..].iter().all(|other| !one.contradicts(other)))
    };
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    let mut holds = |choice: &Choice| {
        let text = plain.changed(system, &choice.changes(levers)).text(false);
        *known.entry(text).or_insert_with_key(|text| passes(text))
    };
    (0..1 << levers.len()).map(choice).filter(fits).filter(|choice| holds(choice)).collect()
}

fn minimal(enough: &[Choice]) -> BTreeSet<Vec<usize>> {
    let has_part = |choice: &&Choice| enough.iter().any(|other| other != *choice && other.is_within(choice));
    enough.iter().filter(|choice| !has_part(choice)).map(|choice| choice.iter().collect()).collect()
}

fn texts(system: &System, levers: &[Lever]) -> String {
    levers.iter().map(|lever| spelling::offer(system, lever)).collect::<Vec<_>>().join(" ")
}

fn agrees(seed: u64, n_levers: usize) -> Ending {
    let plain = Plain::random(seed, n_levers);
    let checked = read(&plain.text(true));
    let system = only(checked.model().unwrap());
    let problem = Problem { levers: Cow::Borrowed(&system.levers), ..Problem::of(system) };
    let enough = enough(&plain, system);
    let cost = |choice: &Choice| choice.cost(&system.levers);
    let context = || format!("seed {seed}\n{}\n{}", plain.text(true), texts(system, &system.levers));
    let one = Options { threads: 1, ..Options::default() };
    let first = solve(&problem, 1, &one);
    assert_eq!(first.lower_bound, enough.iter().map(cost).min(), "{}", context());
    for options in [one, Options { threads: 3, ..Options::default() }] {
        let all = solve(&problem, usize::MAX, &options);
        let found: BTreeSet<Vec<usize>> = all.choices.iter().map(|choice| choice.iter().collect()).collect();
        assert_eq!(found, minimal(&enough), "{}", context());
        assert_eq!(all.choices.first(), first.choices.first(), "{}", context());
        for refuted in &all.refuted {
            let wrong = enough.iter().find(|choice| refuted.covers(choice));
            assert_eq!(wrong, None, "{refuted:?} covers a choice that is enough\n{}", context());
        }
        assert!(all.choices.is_sorted_by_key(cost), "{}", context());
    }
    first.ending
}

#[test]
fn the_cheapest_choice_and_every_minimal_one_are_those_of_trying_all() {
    let mut endings: BTreeMap<String, usize> = BTreeMap::new();
    let cases = std::env::var("DESC_REPAIRS").ok().and_then(|word| word.parse().ok()).unwrap_or(60);
    for seed in 0..cases {
        let ending = agrees(seed, [3, 4, 5, 6, 8][(seed % 5) as usize]);
        *endings.entry(format!("{ending:?}")).or_default() += 1;
    }
    assert!(["Nothing", "Repaired", "Impossible"].iter().all(|ending| endings.contains_key(*ending)), "{endings:?}");
}

/// Whether some choice is enough with one line more, by trying all.
fn possible_with(plain: &Plain, line: &str) -> bool {
    let mut plain = plain.clone();
    plain.levers.push(line.trim_end_matches(';').to_owned());
    let checked = read(&plain.text(true));
    !enough(&plain, only(checked.model().unwrap())).is_empty()
}

#[test]
fn a_further_line_helps_or_none_does_by_trying_all() {
    let (mut helped, mut unhelped) = (0, 0);
    for seed in 3_000..3_060 {
        let plain = Plain::random(seed, 1 + (seed % 3) as usize);
        let checked = read(&plain.text(true));
        let system = only(checked.model().unwrap());
        let problem = Problem { levers: Cow::Borrowed(&system.levers), ..Problem::of(system) };
        let options = Options { threads: 1, ..Options::default() };
        if solve(&problem, 1, &options).ending != Ending::Impossible {
            continue;
        }
        match further(&problem, &options) {
            Further::Helps(lever) => {
                helped += 1;
                assert!(possible_with(&plain, &spelling::offer(system, &lever)), "seed {seed}\n{}", plain.text(true));
            }
            Further::Unhelped(tries) => {
                unhelped += 1;
                assert_eq!((tries.stop, tries.decided), (None, tries.levers));
                let lines = ["hide", "anonymise"].map(|kind| EVENTS.map(|event| format!("may {kind} {event}")));
                let wrong = lines.as_flattened().iter().find(|line| possible_with(&plain, line));
                assert_eq!(wrong, None, "seed {seed}\n{}", plain.text(true));
            }
        }
    }
    assert!(helped > 3 && unhelped > 3, "{helped} {unhelped}");
}

#[test]
fn an_offer_that_changes_nothing_is_an_offer() {
    let model =
        |offer| format!("system S {{ states s, t; initial s, t; events e, f; s -e-> t; {offer} check 0-step; }}");
    for (offer, ending) in [("may disable f;", Ending::Impossible), ("", Ending::Repaired)] {
        let checked = read(&model(offer));
        let solved = solve(&Problem::of(only(checked.model().unwrap())), 1, &Options::default());
        assert_eq!(solved.ending, ending, "{offer}");
    }
}
