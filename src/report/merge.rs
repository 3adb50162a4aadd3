//! From the JSON reports of several runs to one, as if one machine had done it.
//!
//! Reports of `desc check --shard` have the same systems, each with its share of the checks: the checks go back to their places in
//! the text. Reports of whole runs are put one after the other. The documents are read as they are, so that a newer field is kept.

use crate::resources::Monitor;
use crate::resources::json::{self, Unread};
use serde_json::{Map, Value};

/// What became of all checks of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Errors of the input.
    pub errors: usize,
    /// Checks that do not pass, although they are decided.
    pub failed: usize,
    /// Checks that are not decided, systems that were not built, and what was left out.
    pub open: usize,
}

/// Puts reports together; each has the name that a fault is told by.
///
/// # Errors
/// Why they do not fit together, as a clause, and when they take more than the resources allow.
pub fn merge(reports: &[(String, String)], monitor: &mut Monitor<'_>) -> Result<Value, Unread> {
    let read = reports.iter().map(|(name, text)| document(name, text, monitor));
    let documents: Vec<(&str, Map<String, Value>)> = read.collect::<Result<_, Unread>>()?;
    let sharded = documents.iter().filter(|(_, document)| document.contains_key("shard")).count();
    match sharded {
        0 => Ok(in_turn(documents)),
        all if all == documents.len() => {
            // Shares are copied while they are put together.
            monitor.hold(monitor.held()).map_err(Unread::Stopped)?;
            shares(documents).map_err(Unread::Wrong)
        }
        _ => Err(Unread::Wrong("some are shares of one run, and some are whole runs".to_owned())),
    }
}

/// What became of the checks of a merged report.
pub fn counted(report: &Value) -> Counted {
    let mut counted = Counted::default();
    let is = |value: &Value, key: &str, word: &str| value[key] == word;
    counted.errors = list(&report["diagnostics"]).iter().filter(|it| is(it, "severity", "error")).count();
    counted.open += list(&report["diagnostics"]).iter().filter(|it| is(it, "code", "W0902")).count();
    counted.open += usize::from(!report["left_out"].is_null());
    for check in list(&report["systems"]).iter().flat_map(|system| list(&system["checks"])) {
        match check["passed"] == true {
            true => {}
            false if is(check, "verdict", "undecided") => counted.open += 1,
            false => counted.failed += 1,
        }
    }
    counted
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn document<'n>(name: &'n str, text: &str, monitor: &mut Monitor<'_>) -> Result<(&'n str, Map<String, Value>), Unread> {
    let wrong =
        |reason: &str| Unread::Wrong(format!("`{name}` is no report of `desc check --message-format json`: {reason}"));
    match json::read(text, monitor) {
        Ok(Value::Object(map)) if map.get("schema") == Some(&Value::from(1)) && map.contains_key("systems") => {
            Ok((name, map))
        }
        Ok(_) => Err(wrong("it has no systems of schema 1")),
        Err(Unread::Wrong(reason)) => Err(wrong(&reason)),
        Err(stopped) => Err(stopped),
    }
}

/// Whole runs, one after the other.
fn in_turn(mut documents: Vec<(&str, Map<String, Value>)>) -> Value {
    let mut whole = Map::new();
    whole.insert("schema".to_owned(), Value::from(1));
    for key in ["diagnostics", "systems"] {
        let lists = documents.iter_mut().filter_map(|(_, document)| document.get_mut(key)?.as_array_mut());
        let all: Vec<Value> = lists.flat_map(std::mem::take).collect();
        whole.insert(key.to_owned(), Value::Array(all));
    }
    Value::Object(whole)
}

/// One share of a run.
struct Share {
    index: usize,
    of: usize,
    places: Vec<Value>,
    document: Map<String, Value>,
}

impl Share {
    fn new(name: &str, mut document: Map<String, Value>) -> Result<Share, String> {
        let shard = document.remove("shard").unwrap_or_default();
        let number = |key: &str| shard[key].as_u64().and_then(|number| usize::try_from(number).ok());
        let places = list(&shard["systems"]).to_vec();
        match (number("index"), number("of")) {
            (Some(index), Some(of))
                if (1..=of).contains(&index) && places.len() == list(&document["systems"]).len() =>
            {
                Ok(Share { index, of, places, document })
            }
            _ => Err(format!("`{name}` does not say which share of the checks it has")),
        }
    }

    /// The places of the questions of a system, of one kind.
    fn places(&self, system: usize, kind: &str) -> impl Iterator<Item = usize> {
        list(&self.places[system][kind]).iter().filter_map(Value::as_u64).map(|place| place as usize)
    }
}

/// The shares of one run: every one, once.
fn shares(documents: Vec<(&str, Map<String, Value>)>) -> Result<Value, String> {
    let shares = documents.into_iter().map(|(name, document)| Share::new(name, document));
    let mut shares = shares.collect::<Result<Vec<Share>, String>>()?;
    shares.sort_by_key(|share| share.index);
    let of = shares[0].of;
    if shares.iter().any(|share| share.of != of) {
        return Err("they are shares of different numbers".to_owned());
    }
    for index in 1..=of {
        match shares.iter().filter(|share| share.index == index).count() {
            0 => return Err(format!("share {index}/{of} is missing")),
            1 => {}
            _ => return Err(format!("share {index}/{of} is there more than once")),
        }
    }
    together(&shares)
}

fn together(shares: &[Share]) -> Result<Value, String> {
    let mut whole = shares[0].document.clone();
    let identity = |share: &Share| -> Vec<(Value, Value)> {
        list(&share.document["systems"]).iter().map(|system| (system["file"].clone(), system["name"].clone())).collect()
    };
    if shares.iter().any(|share| identity(share) != identity(&shares[0])) {
        return Err("the shares are of different models: their systems differ".to_owned());
    }
    whole.insert("diagnostics".to_owned(), diagnostics(shares));
    let n_systems = list(&whole["systems"]).len();
    let systems = (0..n_systems).map(|at| system(shares, at)).collect::<Result<Vec<Value>, String>>()?;
    whole.insert("systems".to_owned(), Value::Array(systems));
    if let Some(left_out) = shares.iter().find_map(|share| share.document.get("left_out")) {
        whole.insert("left_out".to_owned(), left_out.clone());
    }
    Ok(Value::Object(whole))
}

/// The diagnostics of all shares, each once.
fn diagnostics(shares: &[Share]) -> Value {
    let mut all: Vec<Value> = list(&shares[0].document["diagnostics"]).to_vec();
    for diagnostic in shares[1..].iter().flat_map(|share| list(&share.document["diagnostics"])) {
        if !all.contains(diagnostic) {
            all.push(diagnostic.clone());
        }
    }
    Value::Array(all)
}

fn system(shares: &[Share], at: usize) -> Result<Value, String> {
    let parts = || shares.iter().map(|share| &list(&share.document["systems"])[at]);
    // A system that one machine could not build may be whole on another.
    let mut whole =
        parts().find(|part| part["unbuilt"].is_null()).unwrap_or(&shares[0].document["systems"][at]).clone();
    for kind in ["checks", "measures"] {
        let mut placed: Vec<(usize, Value)> = Vec::new();
        for (share, part) in shares.iter().zip(parts()) {
            let questions = list(&part[kind]);
            let places: Vec<usize> = share.places(at, kind).collect();
            if places.len() != questions.len() {
                return Err(format!("share {}/{} has lost {kind} of `{}`", share.index, share.of, name(part)));
            }
            placed.extend(places.into_iter().zip(questions.iter().cloned()));
        }
        placed.sort_by_key(|(place, _)| *place);
        if placed.iter().enumerate().any(|(at, (place, _))| at != *place) {
            return Err(format!("the shares of `{}` do not cover its {kind} once each", name(&whole)));
        }
        whole[kind] = placed.into_iter().map(|(_, question)| question).collect();
    }
    Ok(whole)
}

fn name(system: &Value) -> &str {
    system["name"].as_str().unwrap_or("")
}
