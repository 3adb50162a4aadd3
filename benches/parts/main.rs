//! `cargo bench --bench parts [-- FAMILY...]`: systems of parts in the number of their parts, until a question is not decided.
//!
//! Each row is decided as `desc check` does it, and again on the product of all parts, each in a process of its own, within
//! `LIMIT` seconds (60) and `MEMORY` bytes (4,000,000,000). Every question that holds is certified. Columns:
//!
//! - **states**: of the product where it was built, else at most so many;
//! - **questions**: those that hold, are violated, are undecided;
//! - **kept**: the most parts that one question needed, and the states of their product; `-`: the whole product answered;
//! - **read**, **decide**: milliseconds, one after the other; **MB**: the peak of the process;
//! - **whole**: milliseconds for reading and deciding on the product of all parts, and how many times longer that is;
//! - **growth**: the exponent of the time in the parameter since the row before, where the rows take more than ten milliseconds.

mod families;
mod row;

use families::{FAMILIES, Family};
use row::{Row, Way};
use std::process::Command;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [row, name, size, way] = words.as_slice()
        && row == "--row"
    {
        return one(name, size, way);
    }
    println!("| family | N | parts | states | questions | kept | read | decide | MB | whole | | growth |");
    println!("| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let is_wanted = |family: &&Family| words.is_empty() || words.iter().any(|word| family.name.contains(word.as_str()));
    FAMILIES.iter().filter(is_wanted).for_each(grow);
}

/// The process of one row.
fn one(name: &str, size: &str, way: &str) {
    let family = FAMILIES.iter().find(|family| family.name == name).expect("a family");
    let way = if way == "whole" { Way::Whole } else { Way::Parts };
    let limits = (limit("LIMIT", 60), limit("MEMORY", 4_000_000_000));
    println!("{}", row::measured(family, size.parse().expect("a number"), way, limits));
}

fn limit(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|word| word.parse().ok()).unwrap_or(otherwise)
}

/// The rows of a family, until a question is not decided.
fn grow(family: &Family) {
    let mut is_whole = true;
    let mut before: Option<(i64, f64)> = None;
    for &size in family.sizes {
        let Some(row) = decided(family, size, "parts") else {
            println!("| {} | {size} | the process ended without an answer |", family.name);
            return;
        };
        let whole = is_whole.then(|| decided(family, size, "whole")).flatten();
        is_whole &= whole.as_ref().is_some_and(|whole| whole.undecided == 0);
        let time = row.reading + row.deciding;
        println!("{}", shown(family.name, size, &row, whole.as_ref(), before));
        if row.undecided > 0 {
            return;
        }
        before = Some((size, time));
    }
}

/// A row, from a process of its own; none: the process ended without one.
fn decided(family: &Family, size: i64, way: &str) -> Option<Row> {
    let program = std::env::current_exe().expect("the path of this program");
    let output =
        Command::new(program).args(["--row", family.name, &size.to_string(), way]).output().expect("a process");
    String::from_utf8_lossy(&output.stdout).parse().ok()
}

fn shown(name: &str, size: i64, row: &Row, whole: Option<&Row>, before: Option<(i64, f64)>) -> String {
    let Row { parts, digits, held, violated, undecided, kept, small, reading, deciding, memory, .. } = row;
    let time = reading + deciding;
    let states = match [whole.map_or(0, |whole| whole.states), row.states].into_iter().max() {
        Some(states) if states > 0 => states.to_string(),
        _ => format!("≤ 10^{:.0}", digits.ceil()),
    };
    let kept = if *kept == 0 { "-".to_owned() } else { format!("{kept} ({small})") };
    let (all, ratio) = match whole.filter(|whole| whole.undecided == 0) {
        Some(whole) => {
            let all = whole.reading + whole.deciding;
            (format!("{:.0}", 1e3 * all), format!("{:.1}x", all / time))
        }
        None => ("-".to_owned(), String::new()),
    };
    let growth = match before.filter(|&(_, past)| past > 0.01) {
        Some((smaller, past)) => format!("{:.1}", (time / past).ln() / (size as f64 / smaller as f64).ln()),
        None => String::new(),
    };
    let (read, decide) = (1e3 * reading, 1e3 * deciding);
    format!(
        "| {name} | {size} | {parts} | {states} | {held}, {violated}, {undecided} | {kept} | {read:.0} | {decide:.0} | {memory} | {all} | {ratio} | {growth} |"
    )
}
