//! `cargo bench --bench differ -- SECONDS [FIRST_SEED]`: do all ways of deciding agree, on random models?
//!
//! Every model is decided by the engine, by the engine with each way of pruning switched off, from behind only, by the paper's constructions,
//! by two slow references, and by proofs that the checker of certificates must confirm ([`ways`]). A model on which two
//! of them disagree is made as small as it can be while they still do ([`shrink`]), and written as `disagreement.des`
//! with what each way says; then it ends with 1. Otherwise it prints how often each case occurred.

#[path = "../model_text.rs"]
mod model_text;
mod seen;
mod shrink;
#[path = "../../tests/support/mod.rs"]
mod support;
mod ways;

use desc::model::Horizon;
use std::time::{Duration, Instant};
use support::random::{Case, case};

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with('-'));
    let seconds = words.next().and_then(|word| word.parse().ok()).unwrap_or(60);
    let first: u64 = words.next().and_then(|word| word.parse().ok()).unwrap_or(1 << 40);
    let (started, limit) = (Instant::now(), Duration::from_secs(seconds));
    // A way that panics has said something too; it need not be shown each time while a model is made smaller.
    std::panic::set_hook(Box::new(|_| {}));
    let mut seen = seen::Seen::default();
    let mut seed = first;
    while started.elapsed() < limit {
        let case = seen::scattered(case(seed), seed);
        match ways::agree(&case) {
            Ok(distance) => seen.count(&case, distance),
            Err(_) => std::process::exit(report(seed, &case)),
        }
        seed += 1;
    }
    println!("{} models in {} s, seeds {first} to {}: all ways agree", seed - first, seconds, seed - 1);
    println!("{}", seen.table());
}

/// Writes the smallest model on which the ways still disagree.
fn report(seed: u64, case: &Case) -> i32 {
    println!("seed {seed}: the ways disagree on a model of {} states", case.automaton.n_states());
    // WHY the same ways: a smaller model may show another fault, or none but a fault of this tool.
    let odd = ways::odd(case);
    let small = shrink::shrink(case, |case| ways::odd(case).iter().any(|way| odd.contains(way)));
    let answers = ways::agree(&small).err().unwrap_or_default();
    let horizon = if small.initial { Horizon::Initial } else { Horizon::Infinite };
    let mut text: String = answers.iter().map(|(way, answer)| format!("// {way}: {answer}\n")).collect();
    text += &model_text::of(&small.view(), &small.property, horizon, None);
    println!("{text}");
    match std::fs::write("disagreement.des", text) {
        Ok(()) => println!("written to disagreement.des"),
        Err(error) => println!("disagreement.des could not be written: {error}"),
    }
    1
}
