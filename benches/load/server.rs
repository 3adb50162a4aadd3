//! A language server with many open documents.

use crate::client::Client;
use crate::support::dice::Dice;
use crate::{memory, small};
use serde_json::json;
use std::time::{Duration, Instant};

const DOCUMENTS: usize = 1_000;
const PIECES: [&str; 10] = ["", ";", "{", "}", "\n", "states E;", "A -a-> B;", "check weak 1-step;", "é", "\""];

/// Edits documents at random; whether memory stayed flat and the last answers are right.
pub fn edited(time: Duration) -> bool {
    let (mut client, mut dice) = (Client::plain(), Dice::new(1));
    let uri = |at: usize| format!("file:///load/m{at}.des");
    let mut texts: Vec<String> = (0..DOCUMENTS).map(small).collect();
    let mut versions = vec![1i64; DOCUMENTS];
    (0..DOCUMENTS).for_each(|at| client.open(&uri(at), &texts[at]));
    let (mut edits, mut early, mut late, mut slowest) = (0u64, 0, 0, Duration::ZERO);
    let mut started = Instant::now();
    while edits < DOCUMENTS as u64 || started.elapsed() < time {
        // Every document is met once before time and memory count.
        let met = edits >= DOCUMENTS as u64;
        let at = if met { dice.below(DOCUMENTS) } else { edits as usize };
        edit(&mut texts[at], at, &mut dice);
        versions[at] += 1;
        client.replace(&uri(at), versions[at], &texts[at]);
        edits += 1;
        if edits % 8 == 0 {
            let asked = Instant::now();
            client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": uri(at)}}));
            slowest = slowest.max(asked.elapsed());
        }
        let now = memory(client.process(), "VmRSS:");
        if !met {
            started = Instant::now();
        } else if started.elapsed() < time / 2 {
            early = early.max(now)
        } else {
            late = late.max(now)
        }
    }
    let right = (0..20).all(|_| {
        let at = dice.below(DOCUMENTS);
        is_right(&mut client, &uri(at), versions[at], &texts[at])
    });
    println!(
        "{DOCUMENTS} documents   {edits} edits in {} s; {} MiB in the first half, {} MiB in the second; slowest answer {:.2} s; last answers right: {right}",
        time.as_secs(),
        early >> 20,
        late >> 20,
        slowest.as_secs_f64(),
    );
    right && late <= early + early / 10
}

/// Takes something out, puts something in, or begins again.
fn edit(text: &mut String, number: usize, dice: &mut Dice) {
    if dice.below(10) == 0 || text.len() > 2_000 {
        *text = small(number);
        return;
    }
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let first = dice.below(places.len());
    let last = (first + dice.below(6)).min(places.len() - 1);
    text.replace_range(places[first]..places[last], PIECES[dice.below(PIECES.len())]);
}

/// Whether the errors that are shown for a document are those that a fresh server shows. Verdicts come when they come.
fn is_right(client: &mut Client, uri: &str, version: i64, text: &str) -> bool {
    let errors = |shown: serde_json::Value| {
        let all = shown.as_array().cloned().unwrap_or_default();
        let mut codes: Vec<String> =
            all.iter().map(|one| one["code"].to_string() + &one["range"].to_string()).collect();
        codes.retain(|code| code.starts_with("\"E"));
        codes.sort();
        codes
    };
    let shown = errors(client.diagnostics(uri, version, |_| true));
    let mut fresh = Client::plain();
    fresh.open(uri, text);
    shown == errors(fresh.diagnostics(uri, 1, |_| true))
}
