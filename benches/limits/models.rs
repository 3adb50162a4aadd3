//! Models that explode, each in a way of its own.
//!
//! Some families are those of the engine's bench, some are examples with large constants, the others are written here. A family is
//! a kind of explosion: what is large (estimates, pairs, agents, classes, observers, checks, moves, the product itself) or
//! which search must bear it (from the front, from behind, weak, literal, for a proof).

use super::text;
use crate::support::families::{self, Instance};
use desc::model::{Horizon, Property};
use std::fmt::Write;

/// A model and the options that it is checked with.
#[derive(Clone)]
pub struct Trial {
    pub family: &'static str,
    pub text: String,
    /// For reading it.
    pub options: Vec<String>,
    /// For deciding it.
    pub deciding: &'static [&'static str],
    /// Whether it explodes before anything is searched.
    pub builds: bool,
}

/// One trial for each family.
pub fn trials() -> Vec<Trial> {
    let mut all = vec![
        of("twins, some edges cut", families::random_twins_cut(1_000, 9, 5)),
        of("random, all initial", families::all_initial(12_000, 1)),
        of("incomparable estimates", families::incomparable(26)),
        of("opacity of permutations", opaque(families::incomparable(28))),
        of("weak, agents of many roles", families::roles(9, 60, 2)),
        of("weak, ballots", families::ballots(14, false)),
        initial_state(),
        among(),
        choices(),
        classes(),
        observers(),
        many_checks(),
        measures(),
        groups(),
        silent(),
        wide(),
        letters(),
        horizon(),
        literal(),
        literal_weak(),
        proof(),
        parts(),
        ring(),
        together(),
        many_parts(),
        family(),
        loops(),
        arrows(),
        abouts(),
    ];
    all.extend([
        Trial {
            deciding: &["--filter", "Election"],
            ..example("voting", include_str!("../../examples/protocols/voting.des"), "N=7")
        },
        example("dining cryptographers", include_str!("../../examples/protocols/dining_cryptographers.des"), "N=11"),
        example("donation, weak", include_str!("../../examples/protocols/donation.des"), "N=7"),
        example("badge office", include_str!("../../examples/protocols/badge_office.des"), "N=5"),
        Trial {
            deciding: &["--filter", "Batched"],
            ..example("batch mix", include_str!("../../examples/protocols/batch_mix.des"), "N=7")
        },
    ]);
    all
}

fn of(family: &'static str, instance: Instance) -> Trial {
    let text = text::of(&instance.view(), &instance.property, Horizon::Infinite, None);
    Trial { family, text, options: Vec::new(), deciding: &[], builds: false }
}

/// The same with every third state secret.
fn opaque(instance: Instance) -> Instance {
    let secret = instance.automaton.states().filter(|state| state.index() % 3 == 0).collect();
    Instance { property: Property::Opacity { secret }, ..instance }
}

fn example(family: &'static str, text: &str, constant: &str) -> Trial {
    Trial {
        family,
        text: text.to_owned(),
        options: vec!["-D".to_owned(), constant.to_owned()],
        deciding: &[],
        builds: false,
    }
}

/// Points that are turned round by one event and of which two are swapped by another. More than half of them make as many estimates
/// as there are choices of points, none inside another, and no two points are twins. No half of the points ever holds an
/// estimate, whichever half is asked about.
struct Points {
    count: usize,
    moves: String,
}

impl Points {
    fn new(count: usize) -> Points {
        let mut moves = "    events turn, swap;\n    p[0] -swap-> p[1] -swap-> p[0];\n".to_owned();
        let _ = writeln!(moves, "    for i in 2..{} {{ p[i] -swap-> p[i]; }}", count - 1);
        let _ = writeln!(moves, "    for i in 0..{} {{ p[i] -turn-> p[(i + 1) % {count}]; }}", count - 1);
        Points { count, moves }
    }

    fn with(mut self, more: &str) -> Points {
        self.moves += more;
        self
    }

    /// Some half of the points and the other one.
    fn halves(&self, number: usize) -> String {
        let mut at = number as u64;
        let mut all: Vec<usize> = (0..self.count).collect();
        all.sort_by_cached_key(|_| dice(&mut at));
        let named = |points: &[usize]| points.iter().map(|point| format!("p[{point}]")).collect::<Vec<_>>().join(", ");
        let (one, other) = all.split_at(self.count / 2);
        format!("{{{}}} | {{{}}}", named(one), named(other))
    }

    fn trial(&self, family: &'static str, asked: &str) -> Trial {
        let (last, half, moves) = (self.count - 1, self.count / 2, &self.moves);
        let text = format!("system Points {{\n    states p[0..{last}];\n    initial p[0..{half}];\n{moves}{asked}}}\n");
        Trial { family, text, options: Vec::new(), deciding: &[], builds: false }
    }
}

/// The next number of a small generator.
fn dice(at: &mut u64) -> u64 {
    *at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *at >> 33
}

/// Where a run began: what the secret state can show, some of the points can show too, though never one alone.
fn initial_state() -> Trial {
    let points = Points::new(26).with(
        "    states z;\n    initial z;\n    events even, odd;\n    secret z;\n    z -{turn, swap, even, odd}-> z;\n    \
         for i in 0..12 { p[2 * i] -even-> p[0..13]; p[2 * i + 1] -odd-> p[0..13]; }\n",
    );
    points.trial("initial state", "    check initial-state opacity;\n")
}

/// Five candidates at least.
fn among() -> Trial {
    let classes: Vec<String> = (0..13).map(|at| format!("{{p[{}], p[{}]}}", at, at + 13)).collect();
    let asked = format!("    check infinite-step among 5 about {};\n", classes.join(" | "));
    Points::new(26).trial("among 5", &asked)
}

/// More choices of classes than can be held, in a model of eight lines.
fn choices() -> Trial {
    let text = "system T {\n    states s[0..39];\n    initial s;\n    events a, b, c;\n    anonymous a, b;\n    \
        for i in 0..39 {\n        s[i] -a-> s[(i * 7 + 1) % 40];\n        s[i] -b-> s[(i * 3 + 2) % 40];\n        \
        s[i] -c-> s[(i * i) % 40];\n        s[i] -c-> s[(i + 5) % 40];\n    }\n    \
        check weak infinite-step among 14;\n}\n";
    Trial { family: "weak, among 14", text: text.to_owned(), options: Vec::new(), deciding: &[], builds: false }
}

/// Asked about many classes.
fn classes() -> Trial {
    let classes: Vec<String> = (0..13).map(|at| format!("{{p[{}..{}]}}", 2 * at, 2 * at + 1)).collect();
    Points::new(26).trial("about 13 classes", &format!("    check infinite-step about {};\n", classes.join(" | ")))
}

/// Twenty intruders, of whom none sees what another sees.
fn observers() -> Trial {
    let points = Points::new(24).with("    events idle[0..19];\n    for i in 0..23 { p[i] -idle[0..19]-> p[i]; }\n");
    let mut asked = String::new();
    for number in 0..20 {
        let about = points.halves(0);
        let _ = writeln!(asked, "    observer O{number} {{ unobservable idle[{number}]; }}");
        let _ = writeln!(asked, "    check infinite-step about {about} against O{number};");
    }
    points.trial("20 observers", &asked)
}

/// Three hundred questions about one system.
fn many_checks() -> Trial {
    let points = Points::new(24);
    let asked: Vec<String> =
        (0..300).map(|number| format!("    check infinite-step about {};\n", points.halves(number))).collect();
    points.trial("300 checks", &asked.concat())
}

/// Odd and even points are turned by different events, which only some intruders tell apart.
fn parity(asked: &str, family: &'static str) -> Trial {
    let points = Points::new(26).with(
        "    events on[0..1];\n    anonymous on[0..1] as on;\n    for i in 0..25 { p[i] -on[i % 2]-> p[(i + 7) % 26]; }\n",
    );
    points.trial(family, &asked.replace("HALVES", &points.halves(3)))
}

fn groups() -> Trial {
    parity("    check strong infinite-step about HALVES;\n", "strong")
}

/// Numbers are asked for, not verdicts.
fn measures() -> Trial {
    parity(
        "    measure strong about HALVES;\n    measure weak about HALVES;\n    check strong infinite-step about HALVES;\n",
        "measures",
    )
}

/// Hundreds of moves that nobody sees between any two that are seen.
fn silent() -> Trial {
    let points = Points::new(24).with(
        "    states q[0..23, 0..99];\n    events quiet, go;\n    unobservable quiet;\n    for i in 0..23 {\n        \
         p[i] -go-> q[(i + 5) % 24, 0];\n        for k in 0..98 { q[i, k] -quiet-> q[i, k + 1]; }\n        \
         q[i, 99] -quiet-> p[i];\n    }\n",
    );
    points.trial("silent moves", "    secret p[0..11], q[0..11, 0..99];\n    check infinite-step opacity;\n")
}

/// Each point stands for sixty states: an event leads from each of one point's to all of the next one's.
fn wide() -> Trial {
    let points = Points::new(24).with(
        "    states w[0..23, 0..59];\n    events go;\n    for i in 0..23 {\n        p[i] -turn-> w[(i + 1) % 24, 0..59];\n        \
         w[i, 0..59] -turn-> w[(i + 1) % 24, 0..59];\n        p[i] -go-> p[i];\n    }\n    \
         w[0, 0..59] -swap-> w[1, 0..59] -swap-> w[0, 0..59];\n    for i in 2..23 { w[i, 0..59] -swap-> w[i, 0..59]; }\n",
    );
    points.trial("wide", "    secret p[0..11], w[0..11, 0..59];\n    check infinite-step opacity;\n")
}

/// Hundreds of events, each with an order of its own.
fn letters() -> Trial {
    let (mut at, mut more) = (1, "    events e[0..299];\n".to_owned());
    for event in 0..300 {
        let mut to: Vec<usize> = (0..26).collect();
        to.sort_by_cached_key(|_| dice(&mut at));
        let moves = (0..26).map(|point| format!("    p[{point}] -e[{event}]-> p[{}];\n", to[point]));
        more.extend(moves);
    }
    let points = Points::new(26).with(&more);
    points.trial("300 events", &format!("    check infinite-step about {};\n", points.halves(0)))
}

/// A far horizon, but an end.
fn horizon() -> Trial {
    let points = Points::new(26);
    let about = points.halves(0);
    let asked = format!("    check 100000-step about {about};\n    check not exactly 70000-step about {about};\n");
    points.trial("far horizon", &asked)
}

/// The paper's constructions.
fn literal() -> Trial {
    let points = Points::new(24);
    let asked = format!("    check infinite-step about {};\n", points.halves(0));
    Trial { deciding: &["--method", "literal"], ..points.trial("literal method", &asked) }
}

/// The same where the past counts.
fn literal_weak() -> Trial {
    Trial { deciding: &["--method", "literal"], ..of("literal method, weak", families::roles(7, 40, 1)) }
}

/// A proof is asked for as well.
fn proof() -> Trial {
    Trial { deciding: &["--certificate", "/dev/null"], ..of("with a certificate", families::incomparable(22)) }
}

/// Parts that share an event each with their neighbours: a large product, then a large search.
fn parts() -> Trial {
    let text = "const N = 9;\ncomponent Part(i) {\n    states  low, up, high;\n    initial low, up;\n    events  hand[i], hand[i % N + 1], own[i];\n    \
        low -hand[i]-> up -own[i]-> high -hand[i % N + 1]-> low;\n    up -hand[i % N + 1]-> low;\n}\nsystem Parts {\n    \
        compose p[i] = Part(i) for i in 1..N;\n    anonymous own[1..N] as own;\n    anonymous hand[1..N] as hand;\n    \
        check weak infinite-step;\n    check strong infinite-step about p[1];\n}\n";
    Trial { family: "parts in a ring", text: text.to_owned(), options: Vec::new(), deciding: &[], builds: false }
}

/// A model that explodes before anything is searched, however large it is allowed to become.
fn building(family: &'static str, text: &str) -> Trial {
    let options = ["--max-states", "4000000000", "--max-transitions", "4000000000"].map(str::to_owned).to_vec();
    Trial { family, text: text.to_owned(), options, deciding: &[], builds: true }
}

/// The same ring with so many parts that it is never composed.
fn ring() -> Trial {
    let text = parts().text.replace("const N = 9", "const N = 24");
    building("composing a ring", &text)
}

/// One event of all parts, each of which may then be anywhere.
fn together() -> Trial {
    building(
        "composing, all at once",
        "component Part {\n    states q[0..9];\n    initial q[0];\n    events go;\n    q[0..9] -go-> q[0..9];\n}\nsystem All {\n    \
         compose p[i] = Part for i in 1..12;\n    check 0-step;\n}\n",
    )
}

/// Thousands of parts that flip on their own and start anew together, so that each state is long.
fn many_parts() -> Trial {
    building(
        "composing 2,000 parts",
        "const N = 2000;\ncomponent Part(i) {\n    states off, on;\n    initial off;\n    events flip[i], anew;\n    \
         off -flip[i]-> on -flip[i]-> off;\n    {off, on} -anew-> off;\n}\nsystem Long {\n    compose p[i] = Part(i) for i in 1..N;\n    \
         check 0-step;\n}\n",
    )
}

/// A family of names that is larger than memory.
fn family() -> Trial {
    building(
        "expanding a family",
        "system Family {\n    states q[0..1999, 0..1999, 0..99];\n    initial q[0, 0, 0];\n    events go;\n    \
         q[0, 0, 0] -go-> q[0, 0, 0];\n    check 0-step;\n}\n",
    )
}

/// Loops in loops that make little, but take long.
fn loops() -> Trial {
    building(
        "expanding loops",
        "system Loops {\n    states q[0..999];\n    initial q[0];\n    events go;\n    for i in 0..999, j in 0..999, k in 0..999 {\n        \
         if (i + j) % 1000 == k { q[i] -go-> q[j]; }\n    }\n    check 0-step;\n}\n",
    )
}

/// One arrow from everywhere to everywhere.
fn arrows() -> Trial {
    building(
        "expanding an arrow",
        "system Arrows {\n    states q[0..39999];\n    initial q[0];\n    events go;\n    q[0..39999] -go-> q[0..39999];\n    \
         check 0-step;\n}\n",
    )
}

/// A product that can be built, and hundreds of questions each of which needs a table as long as it.
fn abouts() -> Trial {
    let mut text = parts().text.replace("const N = 9", "const N = 12");
    let end = text.rfind('}').unwrap_or(text.len());
    text.truncate(end);
    text += "    for i in 1..N, k in 1..50 { check strong k-step about {p[i].low} | {p[i].up}; }\n}\n";
    building("600 classes of a product", &text)
}
