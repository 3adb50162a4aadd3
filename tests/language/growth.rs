//! From text to model nothing grows faster than the text and what it stands for, everything is counted, and whatever is counted
//! can be ended.
//!
//! Every shape below is one that once took quadratic time, or memory that nobody counted. Work is measured in units of the
//! monitor and in bytes that are allocated, both the same in every run: no test looks at a clock.

use allocation_counter::{AllocationInfo, measure};
use desc::check::{Checked, Limits, Settings, check};
use desc::diagnostic::Code;
use desc::resources::{Resources, Stop, WorkCounter};
use desc::source::{NoImports, SourceFile, Sources};
use std::fmt::Write;

/// A text of some size.
struct Shape {
    name: &'static str,
    text: fn(usize) -> String,
    /// The size that is looked at, and twice that.
    size: usize,
}

const fn shape(name: &'static str, size: usize, text: fn(usize) -> String) -> Shape {
    Shape { name, text, size }
}

/// A system with two states and these statements.
fn system(statements: &str) -> String {
    format!("system S {{ states A, B; initial A, B; events e; A -e-> B;\n{statements}\n}}\n")
}

/// A statement for each number.
fn each(n: usize, write: impl Fn(usize) -> String) -> String {
    (1..=n).map(write).collect()
}

const SHAPES: &[Shape] = &[
    shape("parts that declare their own events", 1_000, |n| {
        format!(
            "component C(i) {{ states A; initial A; events e[i]; A -e[i]-> A; observable e[i]; anonymous e[i]; secret A; }}\n\
             system S {{ compose c[i] = C(i) for i in 1..{n}; check 0-step; }}\n"
        )
    }),
    shape("parts of one component", 4_000, |n| {
        format!(
            "component C {{ states A; initial A; events e; A -e-> A; observable e; anonymous e; secret A; }}\n\
             system S {{ compose c[i] = C for i in 1..{n}; check 0-step; }}\n"
        )
    }),
    shape("components doubled", 1_024, |n| {
        let mut text = "component D0 { states A; initial A; events e; A -e-> A; }\n".to_owned();
        let depth = n.ilog2();
        for level in 1..=depth {
            let _ = writeln!(text, "component D{level} {{ compose l = D{}; compose r = D{}; }}", level - 1, level - 1);
        }
        text + &format!("system S {{ compose d = D{depth}; check 0-step; }}\n")
    }),
    shape("pairs of parts that share nothing", 400, |n| {
        format!(
            "component C(i) {{ states A; initial A; events e[i]; A -e[i]-> A; }}\n\
             system S {{ compose l[i] = C(i) for i in 1..{n}; compose r[i] = C(i) for i in 1..{n}; check 0-step; }}\n"
        )
    }),
    shape("checks by `for`", 2_000, |n| system(&format!("for i in 1..{n} {{ check i-step; }}"))),
    shape("estimates by `for`", 500, |n| {
        format!(
            "system S {{ states s[1..2000]; initial s; events a; s[1] -a-> s[2];\n\
             for i in 1..{n} {{ check estimate [] = s; check estimate [a] = {{s[2], s[1]}}; }} }}\n"
        )
    }),
    shape("opacity by `for`", 500, |n| {
        format!(
            "system S {{ states s[1..2000]; initial s; events a; s[1] -a-> s[2]; secret s[1..1999];\n\
             for i in 1..{n} {{ check i-step opacity; }} }}\n"
        )
    }),
    shape("events", 4_000, |n| {
        format!("system S {{ states A; initial A; events e[1..{n}]; anonymous events; A -e-> A; check 0-step; }}\n")
    }),
    shape("events that never happen", 4_000, |n| {
        format!("system S {{ states A; initial A; events e[0..{n}]; A -e[0]-> A; check 0-step; }}\n")
    }),
    shape("states that no run reaches", 4_000, |n| {
        format!("system S {{ states s[0..{n}]; initial s[0]; events e; s[0] -e-> s[0]; check 0-step; }}\n")
    }),
    shape("transitions of one arrow", 60, |n| {
        let n = (n as f64).sqrt() * 7.0;
        format!("system S {{ states s[1..{n:.0}]; initial s[1]; events e; s -e-> s; check 0-step; }}\n")
    }),
    shape("initial states one by one", 2_000, |n| {
        format!(
            "system S {{ states s[1..{n}]; for i in 1..{n} {{ initial s[{n} + 1 - i]; }} events e; s -e-> s[1]; }}\n"
        )
    }),
    shape("secrets one by one", 2_000, |n| {
        format!(
            "system S {{ states s[1..{n}]; for i in 1..{n} {{ secret s[i]; }} initial s; events e; s -e-> s[1]; \
             check 0-step opacity; }}\n"
        )
    }),
    shape("observable events one by one", 2_000, |n| {
        format!(
            "system S {{ states A; initial A; events e[1..{n}]; for i in 1..{n} {{ observable e[{n} + 1 - i]; }} A -e-> A; }}\n"
        )
    }),
    shape("labels", 1_000, |n| {
        let groups = each(n, |i| format!("anonymous e[{i}] as l{i}x;\n"));
        format!("system S {{ states A; initial A; events e[1..{n}]; {groups} A -e-> A; check strong 0-step; }}\n")
    }),
    shape("observers", 200, |n| {
        system(&each(n, |i| format!("observer O{i} {{ observable events; }} check 0-step against O{i};\n")))
    }),
    shape("transitions as text", 2_000, |n| system(&"A -e-> B;\n".repeat(n))),
    shape("blocks on one line", 1_000, |n| system(&"for i in 1..1 { A -e-> B; } ".repeat(n))),
    shape("documented states", 1_000, |n| {
        let states = each(n, |i| format!("/// number {i}\nstates s{i};\n"));
        format!("system S {{ {states} initial s1; events e; s1 -e-> s1; }}\n")
    }),
    shape("semicolons that end nothing", 4_000, |n| system("") + &";".repeat(n)),
    shape("braces that close nothing", 2_000, |n| system("") + &"x; }\n".repeat(n)),
    shape("delimiters of two kinds", 4_000, |n| system(&format!("{}{}", "(".repeat(n), "]".repeat(n)))),
    shape("systems", 400, |n| each(n, |i| system("check 0-step;").replace("system S", &format!("system S{i}")))),
    shape("constants", 2_000, |n| {
        each(n, |i| format!("const C{i} = {} + 1;\n", if i > 1 { format!("C{}", i - 1) } else { "0".to_owned() }))
            + &system("")
    }),
    shape("parameters", 1_000, |n| {
        let names: Vec<String> = (1..=n).map(|i| format!("p{i}")).collect();
        format!(
            "component C({}) {{ states A; initial A; events e; A -e-> A; }}\nsystem S {{ compose c = C({}); }}\n",
            names.join(", "),
            vec!["1"; n].join(", ")
        )
    }),
    shape("compositions that are not expanded", 200, |n| {
        let library = each(n, |i| format!("component L{i} {{ compose a = M; for j in 1..0 {{ secret a.A; }} }}\n"));
        library + "component M { states A; initial A; events e; A -e-> A; }\nsystem S { compose m = M; }\n"
    }),
    shape("references into a part that is not expanded", 200, |n| {
        let states: Vec<String> = (1..=n).map(|i| format!("s{i}")).collect();
        let secrets = each(n, |i| format!("secret m.s{i};\n"));
        format!(
            "component M {{ states {}; initial s1; events e; s1 -e-> s1; }}\n\
             system S {{ compose m = M; if 1 > 2 {{ {secrets} }} }}\n",
            states.join(", ")
        )
    }),
];

/// What reading a text took.
struct Taken {
    checked: Checked,
    units: u64,
    /// The most bytes that were counted.
    counted: u64,
    allocated: AllocationInfo,
}

fn read(text: &str, memory: Option<u64>, units: Option<u64>) -> Taken {
    // WHY leaked: the limits of a check live as long as the process.
    let work: &WorkCounter = Box::leak(Box::new(units.map_or_else(WorkCounter::default, WorkCounter::ending_after)));
    let resources = Resources { memory, work: Some(work), ..Resources::default() };
    let settings = Settings { limits: Limits { resources, ..Limits::default() }, ..Settings::default() };
    let mut sources = Sources::new();
    let entry = sources.add(SourceFile::new("m.des", text));
    let mut checked = None;
    let allocated = measure(|| checked = Some(check(entry, &mut sources, &NoImports, &settings)));
    let checked = checked.expect("a check ends");
    Taken { checked, units: work.units(), counted: work.bytes(), allocated }
}

fn stopped(taken: &Taken) -> Vec<Stop> {
    let unbuilt = taken.checked.model.iter().flat_map(|model| model.unbuilt()).map(|unbuilt| unbuilt.stop);
    taken.checked.stopped.into_iter().chain(unbuilt).collect()
}

/// Looks at every shape, and tells of all that are not as they should be.
fn every_shape(look: impl Fn(&Shape, &mut Vec<String>)) {
    let mut wrong = Vec::new();
    SHAPES.iter().for_each(|shape| look(shape, &mut wrong));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Up to how much four times the size may take: more than four times, for tables that double, and much less than sixteen times.
fn four_times(once: u64) -> u64 {
    6 * once
}

#[test]
fn four_times_the_text_takes_four_times_the_work() {
    every_shape(|shape, wrong| {
        let [one, four] = [1, 4].map(|times| read(&(shape.text)(times * shape.size), None, None));
        if four.units > four_times(one.units) {
            wrong.push(format!("{}: {} and {} units", shape.name, one.units, four.units));
        }
        let (of_one, of_four) = (one.allocated.bytes_total, four.allocated.bytes_total);
        if of_four > four_times(of_one) {
            wrong.push(format!("{}: {of_one} and {of_four} bytes", shape.name));
        }
    });
}

#[test]
fn what_is_held_is_counted() {
    every_shape(|shape, wrong| {
        let taken = read(&(shape.text)(2 * shape.size), None, None);
        let (held, counted) = (taken.allocated.bytes_max, taken.counted);
        if held > counted * 5 / 4 + 300_000 {
            wrong.push(format!("{}: {held} bytes are held, {counted} are counted", shape.name));
        }
    });
}

/// The units of work that may follow the one that was to be the last.
const SOON: u64 = 5_000;

/// The most bytes of a text that are parsed at once, and counted after that: about a unit for each.
const PIECE: usize = 16 * 1024;

#[test]
fn work_that_is_struck_ends_soon_and_blames_nothing_else() {
    every_shape(|shape, wrong| {
        let text = (shape.text)(shape.size);
        let whole = read(&text, None, None);
        for part in 1..8 {
            let most = whole.units * part / 8;
            let taken = read(&text, None, Some(most));
            let mut tell = |what: String| wrong.push(format!("{} at {part}/8: {what}", shape.name));
            if taken.units > most + SOON + text.len().min(PIECE) as u64 {
                tell(format!("{} units after {most}", taken.units));
            }
            if !stopped(&taken).contains(&Stop::Timeout) {
                tell("it was not stopped".to_owned());
            }
            let new: Vec<Code> = codes(&taken).into_iter().filter(|code| !codes(&whole).contains(code)).collect();
            if new.iter().any(|&code| code != Code::W0902) {
                tell(format!("{new:?}"));
            }
        }
    });
}

fn codes(taken: &Taken) -> Vec<Code> {
    taken.checked.diagnostics.iter().map(|told| told.code).collect()
}

#[test]
fn a_memory_limit_bounds_what_is_held() {
    const LIMIT: u64 = 1 << 20;
    every_shape(|shape, wrong| {
        let taken = read(&(shape.text)(16 * shape.size), Some(LIMIT), None);
        let (held, stopped) = (taken.allocated.bytes_max, stopped(&taken));
        if held > LIMIT * 5 / 4 + 300_000 {
            wrong.push(format!("{}: {held} bytes are held, {} counted", shape.name, taken.counted));
        }
        if !stopped.is_empty() && !stopped.contains(&Stop::Memory) {
            wrong.push(format!("{}: {stopped:?}", shape.name));
        }
    });
}
