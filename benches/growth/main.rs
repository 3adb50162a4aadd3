//! `cargo bench --bench growth [-- SHAPE]`: how does the time from text to report grow?
//!
//! Each of twenty shapes of input is made four times, each twice as large as the one before, and given to the program. The table gives
//! the time of each run and the exponent of growth over the last two doublings: 1 is linear, 2 quadratic. No shape has a
//! search worth the name. `DESC` names another binary to try; `SIZE` another largest size than a million.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The largest exponent that is not a fault.
const MOST: f64 = 1.2;

struct Shape {
    name: &'static str,
    /// The part of the largest size that this shape is made in: a unit of it takes as many units of others.
    part: usize,
    command: &'static [&'static str],
    extension: &'static str,
    text: fn(usize) -> String,
}

const fn shape(name: &'static str, part: usize, command: &'static [&'static str], text: fn(usize) -> String) -> Shape {
    Shape { name, part, command, extension: "des", text }
}

fn system(body: &str) -> String {
    format!("system S {{\n{body}\n}}\n")
}

fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (1..=n).fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "{}", line(at));
        text
    })
}

fn chain(n: usize) -> String {
    system(&format!(
        "states s[0..{n}]; initial s[0]; events go; for i in 0..{n} - 1 {{ s[i] -go-> s[i + 1]; }} check infinite-step;"
    ))
}

const CHECK: &[&str] = &["check"];

const SHAPES: &[Shape] = &[
    shape("transitions as text", 1, CHECK, |n| {
        system(&("states A; initial A; events e;\n".to_owned() + &lines(n, |_| "A -e-> A;".to_owned())))
    }),
    shape("states of a family", 1, CHECK, |n| system(&format!("states s[1..{n}]; initial s; events e; s -e-> s[1];"))),
    shape("states by name", 1, CHECK, |n| {
        system(&(lines(n, |at| format!("states s{at};")) + "initial s1; events e; s1 -e-> s1;"))
    }),
    shape("initial states one by one", 1, CHECK, |n| {
        system(&format!("states s[1..{n}]; for i in 1..{n} {{ initial s[i]; }} events e; s -e-> s[1];"))
    }),
    shape("secrets one by one", 1, CHECK, |n| {
        system(&format!("states s[1..{n}]; initial s; for i in 1..{n} {{ secret s[i]; }} events e; s -e-> s[1];"))
    }),
    shape("events", 1, CHECK, |n| system(&format!("states A; initial A; events e[1..{n}]; A -e-> A; check 0-step;"))),
    shape("anonymous events", 1, CHECK, |n| {
        system(&format!("states A; initial A; events e[1..{n}]; anonymous events; A -e-> A; check strong 0-step;"))
    }),
    shape("checks by `for`", 4, CHECK, |n| {
        system(&format!("states A, B; initial A, B; events e; A -e-> B; for i in 1..{n} {{ check i-step; }}"))
    }),
    shape("checks as text", 4, CHECK, |n| {
        system(
            &("states A, B; initial A, B; events e; A -e-> B;\n".to_owned()
                + &lines(n, |at| format!("check {at}-step;"))),
        )
    }),
    shape("estimates by `for`", 8, CHECK, |n| {
        system(&format!(
            "states s[1..100]; initial s; events a; s[1] -a-> s[2]; for i in 1..{n} {{ check estimate [] = s; }}"
        ))
    }),
    shape("parts that share an event", 8, CHECK, |n| {
        format!(
            "component C {{ states A; initial A; events e; A -e-> A; }}\nsystem S {{ compose c[i] = C for i in 1..{n}; check 0-step; }}\n"
        )
    }),
    shape("parts of their own events", 8, CHECK, |n| {
        format!(
            "component C(i) {{ states A; initial A; events e[i]; A -e[i]-> A; }}\nsystem S {{ compose c[i] = C(i) for i in 1..{n}; check 0-step; }}\n"
        )
    }),
    shape("systems", 32, CHECK, |n| {
        lines(n, |at| format!("system S{at} {{ states A; initial A; events e; A -e-> A; check 0-step; }}"))
    }),
    shape("constants", 4, CHECK, |n| {
        "const C0 = 0;\n".to_owned()
            + &lines(n, |at| format!("const C{at} = C{} + 1;", at - 1))
            + &system("states A; initial A; events e; A -e-> A;")
    }),
    shape("syntax errors", 1, CHECK, |n| "} ; x\n".repeat(n)),
    shape("a long witness", 4, CHECK, chain),
    shape("a long witness as JSON", 4, &["check", "--message-format", "json"], chain),
    shape("formatting", 2, &["fmt", "--check"], |n| system(&lines(n, |_| "A -e-> A;".to_owned()))),
    shape("dumping an automaton", 2, &["dump", "automaton"], |n| {
        system(&format!("states s[1..{n}]; initial s; events e; s -e-> s[1];"))
    }),
    Shape {
        extension: "aut",
        ..shape("importing `.aut`", 1, &["import"], |n| {
            format!("des (0, {}, {n})\n", n - 1) + &lines(n - 1, |at| format!("({}, \"e\", {at})", at - 1))
        })
    },
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let size = std::env::var("SIZE").ok().and_then(|size| size.parse().ok()).unwrap_or(1_000_000);
    let folder = std::env::temp_dir().join(format!("desc-growth-{}", std::process::id()));
    println!("{:28} {:>9} {:>8} {:>8} {:>8} {:>8} {:>9}", "shape", "size", "1/8", "1/4", "1/2", "1", "exponent");
    let is_wanted = |shape: &&Shape| wanted.is_empty() || wanted.iter().any(|word| shape.name.contains(word.as_str()));
    let mut steep = 0;
    for shape in SHAPES.iter().filter(is_wanted) {
        std::fs::create_dir_all(&folder).expect("a folder");
        steep += usize::from(grow(shape, size, &folder) > MOST);
        let _ = std::fs::remove_dir_all(&folder);
    }
    println!("{steep} shapes grow faster than the power {MOST}");
    std::process::exit(i32::from(steep > 0));
}

/// Prints the row of a shape; its exponent.
fn grow(shape: &Shape, size: usize, folder: &Path) -> f64 {
    let largest = size / shape.part;
    let sizes = [8, 4, 2, 1].map(|part| largest / part);
    let mut times = [f64::INFINITY; 4];
    // WHY in rounds: a machine that is slow for a while is slow for every size, and the best of five runs is free of it.
    for _ in 0..5 {
        for (best, &size) in times.iter_mut().zip(&sizes) {
            *best = best.min(time(shape, size, folder));
        }
    }
    // WHY over two doublings: one is too noisy.
    let exponent = (times[3] / times[1]).log2() / 2.0;
    let [a, b, c, d] = times.map(|time| format!("{time:.2} s"));
    println!("{:28} {largest:>9} {a:>8} {b:>8} {c:>8} {d:>8} {exponent:>9.2}", shape.name);
    exponent
}

/// One run, in seconds.
fn time(shape: &Shape, size: usize, folder: &Path) -> f64 {
    let path = folder.join(format!("m{size}.{}", shape.extension));
    if !path.exists() {
        std::fs::write(&path, (shape.text)(size)).expect("an input");
    }
    let program = std::env::var_os("DESC").map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_desc")), PathBuf::from);
    let mut command = Command::new(program);
    command.args(shape.command).arg(&path).args(["--timeout", "120s"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let begun = Instant::now();
    let ended = command.status().expect("the program runs");
    assert!(matches!(ended.code(), Some(0..=2)), "{} of {size} does not end", shape.name);
    begun.elapsed().as_secs_f64()
}
