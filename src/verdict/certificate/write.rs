//! From certificates to text; [`read`](fn@super::read) reads it back.
//!
//! A line is a word and numbers; the order of the lines is fixed. In the text an actual state is a `left`, a hypothesis a
//! `rival`:
//!
//! ```text
//! desc certificate 1
//! tool 0.1.0
//! system "Questioning"
//! meaning 5f0c...                  SHA-256 of what the system means
//! proof 0 2                        the checks that rest on it
//! parts 0 3 4                      the parts that it keeps       (if the product is not built)
//! run 7 2 5                        the events of the whole run   (an exposure of parts)
//! horizon infinite                 or a number, or `initial`
//! once                             no agent acts twice: what follows is about strong (weak views only)
//! past 0 1 1 2 0                   the past of each state        (proofs by cells)
//! future 0 0 1 1 2                 the future of each state
//! reach 0-2                        an estimate, as pasts         (proofs by sides, which have nothing more)
//! show 1 : 0 2                     layer : futures that can show what was observed
//! blocks 0 0 1 0 2                 the block of each state       (if states are merged)
//! left 3 1 2                       state, used labels            (weak views only)
//! rival 4 2 1 ; 5                  state, images ; spent labels  (weak views only)
//! set 0-3 7                        members, runs of them as first-last
//! start p0 p1 t0                   covers
//! estimate 3 0 : p1 l2/4           actual state, set : covers
//! layer 3 0 2 : p1 d               actual state, set, layer : covers
//! behind p0 p0 p0                  backward proofs: the covers of all states
//! back 3 0 0 : p1
//! twins 3 ; 4 5 : t1 t0            actual state ; hypotheses : covers
//! simulation 3 ; 4 : s0 d
//! permutation apart 0 2 1          class-avoiding, or `anywhere`; the image of each label
//! lockstep 0 3 4 : 1 2             permutation, states : steps that reply
//! exposed 1 3 2 ; 4 : 2 3 0 5      1: initial-state; start, moves before the instant ; classes : label and target of each move
//! end
//! sha256 9a41...                   of every byte before this line
//! ```
//!
//! Covers: `p` a pair of the same phase (of a delay branch: of the layers), `t` twins, `s` a simulation, `l` a permutation step
//! and the hypothesis, `d` the identity, `n` an actual state from which no exposed set is reached any more.

use super::document::{Body, Document, Proof};
use super::{Certificate, Cover, Pair, Position, Violation};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The first line.
pub(super) const HEAD: &str = "desc certificate 1";

/// A document as text.
pub fn write(document: &Document) -> String {
    let mut text = format!("{HEAD}\ntool {}\n", document.version);
    for system in &document.systems {
        let name = serde_json::to_string(&system.name).unwrap_or_default();
        let _ = writeln!(text, "system {name}\nmeaning {}", system.meaning);
        system.proofs.iter().for_each(|proof| write_proof(&mut text, proof));
    }
    with_checksum(text + "end\n")
}

/// A text with the line that ends it: its checksum.
pub fn with_checksum(text: String) -> String {
    let sum = checksum(&text);
    text + &format!("sha256 {sum}\n")
}

/// The hash of a text, in hexadecimal.
pub(super) fn checksum(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn write_proof(text: &mut String, proof: &Proof) {
    line(text, "proof", &proof.checks);
    if let Some(parts) = &proof.parts {
        line(text, "parts", &parts.kept);
        if !parts.run.is_empty() {
            line(text, "run", &parts.run);
        }
    }
    match &proof.body {
        Body::Holds(certificate) => write_certificate(text, certificate),
        Body::Violation(exposed) => write_violation(text, exposed),
    }
}

fn write_violation(text: &mut String, exposed: &Violation) {
    let _ = write!(text, "exposed {} {} {} ;", u8::from(exposed.initial), exposed.start, exposed.before);
    numbers(text, &exposed.classes);
    text.push_str(" :");
    exposed.moves.iter().for_each(|&(label, target)| numbers(text, &[label, target]));
    text.push('\n');
}

fn write_certificate(text: &mut String, certificate: &Certificate) {
    match (certificate.initial, certificate.horizon) {
        (true, _) => text.push_str("horizon initial\n"),
        (false, None) => text.push_str("horizon infinite\n"),
        (false, Some(steps)) => {
            let _ = writeln!(text, "horizon {steps}");
        }
    }
    if certificate.once {
        text.push_str("once\n");
    }
    if let Some(cells) = &certificate.cells {
        line(text, "past", &cells.past);
        line(text, "future", &cells.future);
    }
    match &certificate.sides {
        Some(sides) => {
            sides.estimates.iter().for_each(|set| write_set(text, "reach", set));
            sides.backward.iter().for_each(|(set, layer)| write_set(text, &format!("show {layer} :"), set));
        }
        None => write_invariant(text, certificate),
    }
}

fn write_invariant(text: &mut String, certificate: &Certificate) {
    if let Some(blocks) = &certificate.blocks {
        line(text, "blocks", blocks);
    }
    for actual in &certificate.actuals {
        let _ = write!(text, "left {}", actual.state);
        line(text, "", &actual.used);
    }
    for hypothesis in &certificate.hypotheses {
        let _ = write!(text, "rival {}", hypothesis.state);
        numbers(text, &hypothesis.images);
        line(text, " ;", &hypothesis.spent);
    }
    certificate.sets.iter().for_each(|set| write_set(text, "set", set));
    text.push_str("start");
    covers(text, &certificate.start);
    certificate.estimates.iter().for_each(|pair| write_pair(text, "estimate", pair));
    certificate.layers.iter().for_each(|pair| write_pair(text, "layer", pair));
    if let Some((start, back)) = &certificate.backward {
        text.push_str("behind");
        covers(text, start);
        back.iter().for_each(|pair| write_pair(text, "back", pair));
    }
    certificate.twins.iter().for_each(|position| write_position(text, "twins", position));
    certificate.simulations.iter().for_each(|position| write_position(text, "simulation", position));
    for (images, class_avoiding) in &certificate.permutations {
        line(text, if *class_avoiding { "permutation apart" } else { "permutation anywhere" }, images);
    }
    for step in &certificate.permutation_steps {
        let _ = write!(text, "lockstep {} {} {} :", step.permutation, step.actual, step.hypothesis);
        line(text, "", &step.next);
    }
}

fn line(text: &mut String, word: &str, list: &[u32]) {
    text.push_str(word);
    numbers(text, list);
    text.push('\n');
}

fn numbers(text: &mut String, list: &[u32]) {
    for number in list {
        let _ = write!(text, " {number}");
    }
}

/// Members, runs of three or more as first-last.
fn write_set(text: &mut String, word: &str, set: &[u32]) {
    text.push_str(word);
    for run in set.chunk_by(|one, other| one + 1 == *other) {
        match run {
            [first, .., last] if run.len() > 2 => {
                let _ = write!(text, " {first}-{last}");
            }
            _ => numbers(text, run),
        }
    }
    text.push('\n');
}

fn write_pair(text: &mut String, word: &str, pair: &Pair) {
    let _ = write!(text, "{word} {} {}", pair.actual, pair.set);
    if word != "estimate" {
        let _ = write!(text, " {}", pair.layer);
    }
    text.push_str(" :");
    covers(text, &pair.covers);
}

fn write_position(text: &mut String, word: &str, position: &Position) {
    let _ = write!(text, "{word} {} ;", position.actual);
    numbers(text, &position.hypotheses);
    text.push_str(" :");
    covers(text, &position.covers);
}

/// Covers, to the end of the line.
fn covers(text: &mut String, covers: &[Cover]) {
    for cover in covers {
        let _ = match cover {
            Cover::Pair(at) => write!(text, " p{at}"),
            Cover::Twins(at) => write!(text, " t{at}"),
            Cover::Simulation(at) => write!(text, " s{at}"),
            Cover::Permutation(at, hypothesis) => write!(text, " l{at}/{hypothesis}"),
            Cover::Identity => write!(text, " d"),
            Cover::Safe => write!(text, " n"),
        };
    }
    text.push('\n');
}
