//! What a foreign file does not say, said from outside: initial states, observability, anonymity, secrets, checks.
//!
//! A value names states or events: one name, or several parted by commas (a name that holds a comma is tried as a whole first). A
//! state of one part of several is `PART.STATE`.

use super::{Foreign, Names, Part};
use crate::format::print::name;
use crate::syntax::spelling;
use std::fmt::Write;

/// What is said from outside. Empty: nothing.
#[derive(Clone, Debug, Default)]
pub struct Outside {
    /// X0, instead of what the file says.
    pub initial: Vec<String>,
    /// The secret states, instead of what the file says.
    pub secret: Vec<String>,
    /// Σo, instead of what the file says.
    pub observable: Vec<String>,
    /// Σ \ Σo, instead of what the file says.
    pub unobservable: Vec<String>,
    /// Γ, instead of what the file says.
    pub anonymous: Vec<String>,
    /// What to check, as after the word `check`.
    pub checks: Vec<String>,
    /// Whether nothing is measured when nothing is checked.
    pub unasked: bool,
}

/// A name that no state or event has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// `state` or `event`.
    pub what: &'static str,
    /// The name.
    pub name: String,
}

impl Outside {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        [&self.initial, &self.secret, &self.observable, &self.unobservable, &self.anonymous, &self.checks]
            .iter()
            .all(|said| said.is_empty())
    }

    /// Says it to the model itself; checks are left to the caller.
    ///
    /// # Errors
    /// A name that the model does not have.
    pub fn apply(&self, model: &mut Foreign) -> Result<(), Unknown> {
        for (said, is_initial) in [(&self.initial, true), (&self.secret, false)] {
            if said.is_empty() {
                continue;
            }
            let states = states(model, said)?;
            for (at, part) in model.parts.iter_mut().enumerate() {
                let own: Vec<u32> = states.iter().filter(|state| state.0 == at).map(|state| state.1).collect();
                match is_initial {
                    // A part of which nothing is said begins where the file says.
                    true if own.is_empty() => {}
                    true => part.initial = own,
                    false => part.secret = Some(own),
                }
            }
        }
        self.observability(model)?;
        for (part, event) in events(model, &self.anonymous)? {
            model.parts[part].facts[event as usize].anonymous = true;
        }
        Ok(())
    }

    fn observability(&self, model: &mut Foreign) -> Result<(), Unknown> {
        let (seen, unseen) = (events(model, &self.observable)?, events(model, &self.unobservable)?);
        if self.observable.is_empty() && self.unobservable.is_empty() {
            return Ok(());
        }
        for (at, part) in model.parts.iter_mut().enumerate() {
            for (event, facts) in part.facts.iter_mut().enumerate() {
                let here = (at, event as u32);
                let observable =
                    if self.observable.is_empty() { !unseen.contains(&here) } else { seen.contains(&here) };
                facts.observable = Some(observable);
            }
        }
        Ok(())
    }

    /// A `.des` file that imports a model from `path` and says all this, except for initial states.
    ///
    /// # Errors
    /// A name that the model does not have.
    pub fn wrapper(&self, model: &Foreign, path: &str, system: &str) -> Result<String, Unknown> {
        let quoted = spelling::quoted(path);
        let mut text = format!("import {quoted} as Plant;\nsystem {system} {{\n    compose p = Plant;\n");
        let events = |said: &[String]| -> Result<Vec<String>, Unknown> {
            let mut names: Vec<String> = Vec::new();
            for (part, event) in events(model, said)? {
                let name = name(&model.parts[part].events.get(event)).into_owned();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            Ok(names)
        };
        for (word, said) in
            [("observable", &self.observable), ("unobservable", &self.unobservable), ("anonymous", &self.anonymous)]
        {
            if !said.is_empty() {
                let _ = writeln!(text, "    {word} {};", events(said)?.join(", "));
            }
        }
        if !self.secret.is_empty() {
            let several = model.parts.len() > 1;
            let names = states(model, &self.secret)?.into_iter().map(|(part, state)| {
                let state = name(&model.parts[part].states.get(state)).into_owned();
                if several { format!("p.{}.{state}", name(&model.parts[part].name)) } else { format!("p.{state}") }
            });
            let _ = writeln!(text, "    secret {};", names.collect::<Vec<_>>().join(", "));
        }
        text.push_str(&self.questions(model));
        text.push_str("}\n");
        Ok(text)
    }

    /// The checks; when nothing is asked, what can be measured is measured.
    pub fn questions(&self, model: &Foreign) -> String {
        let mut lines: Vec<String> = self.checks.iter().map(|check| format!("check {};", tidy(check))).collect();
        if lines.is_empty() && !self.unasked {
            let anonymous = !self.anonymous.is_empty()
                || model.parts.iter().any(|part| part.facts.iter().any(|facts| facts.anonymous));
            let secret = !self.secret.is_empty() || model.parts.iter().any(|part| part.secret.is_some());
            for projection in if anonymous { &["natural", "strong", "weak"][..] } else { &["natural"] } {
                lines.push(format!("measure {projection};"));
                lines.extend(secret.then(|| format!("measure {projection} opacity;")));
            }
        }
        lines.iter().map(|line| format!("    {line}\n")).collect()
    }
}

/// Without the word `check` and the `;`, which a user may or may not write.
fn tidy(check: &str) -> &str {
    let check = check.trim().trim_end_matches(';').trim_end();
    check.strip_prefix("check ").unwrap_or(check).trim_start()
}

fn states(model: &Foreign, said: &[String]) -> Result<Vec<(usize, u32)>, Unknown> {
    let several = model.parts.len() > 1;
    let find = |name: &str| -> Vec<(usize, u32)> {
        let in_part = |(at, part): (usize, &Part)| {
            let own = if several { name.strip_prefix(&part.name)?.strip_prefix('.')? } else { name };
            part.states.find(own).map(|state| (at, state))
        };
        model.parts.iter().enumerate().filter_map(in_part).collect()
    };
    resolve("state", said, find)
}

fn events(model: &Foreign, said: &[String]) -> Result<Vec<(usize, u32)>, Unknown> {
    let find = |name: &str| -> Vec<(usize, u32)> {
        let in_part = |(at, part): (usize, &Part)| Some((at, Names::find(&part.events, name)?));
        model.parts.iter().enumerate().filter_map(in_part).collect()
    };
    resolve("event", said, find)
}

/// Each value as a whole, or else piece by piece between commas, the longest piece that is a name first.
fn resolve(
    what: &'static str,
    said: &[String],
    find: impl Fn(&str) -> Vec<(usize, u32)>,
) -> Result<Vec<(usize, u32)>, Unknown> {
    let mut found = Vec::new();
    for value in said {
        let pieces: Vec<&str> = value.split(',').collect();
        let mut at = 0;
        while at < pieces.len() {
            let longest = (at + 1..=pieces.len()).rev().find_map(|end| {
                let ids = find(pieces[at..end].join(",").trim());
                (!ids.is_empty()).then_some((end, ids))
            });
            let Some((end, ids)) = longest else {
                return Err(Unknown { what, name: pieces[at].trim().to_owned() });
            };
            found.extend(ids);
            at = end;
        }
    }
    Ok(found)
}
