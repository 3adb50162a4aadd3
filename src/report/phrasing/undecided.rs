//! What is said of an undecided check: what is known all the same, what makes the search grow, and what to try.

use super::{Words, count, grouped};
use crate::report::{Easier, PropertyReport};
use crate::resources::Stop;
use crate::verdict::Exposure;

/// The most levels whose pairs are told.
const LEVELS: usize = 8;

impl Words {
    /// How far the search came, and why it ended.
    pub(super) fn undecided(self, found: &PropertyReport) -> String {
        if let Some(fault) = &found.fault {
            return format!("internal error, no verdict: {fault}");
        }
        let known = match found.exposure {
            Exposure::Beyond(safe) => format!("known to hold up to {}", count(safe, "step")),
            Exposure::At(least) => format!("exposed after {}", count(least, "step")),
            Exposure::AtMost { most, safe } => {
                let safe = safe.map(|safe| format!("known to hold up to {}, and ", count(safe, "step")));
                let exposed = format!("exposed after {}", count(most, "step"));
                format!("{}{exposed}; {}", safe.unwrap_or_default(), self.at_most(most))
            }
            Exposure::Never | Exposure::Unknown if !found.levels.is_empty() => "not known to hold for any K".to_owned(),
            Exposure::Never | Exposure::Unknown => "nothing is known, not even for 0 steps".to_owned(),
        };
        let safe = (found.levels.len() as u64).checked_sub(1);
        let few = safe.map_or_else(String::new, |safe| format!("; {}", no_exposure(safe)));
        match found.stopped {
            Some(stop) if found.parts.is_some() => {
                let tried = self.tried_parts(found).map_or_else(String::new, |tried| format!("; {tried}"));
                format!("{known}{few}; {}{tried}", self.limit(stop))
            }
            Some(stop) => format!("{known}{few}; {} after {}", self.limit(stop), count(found.cost.pairs, "pair")),
            None => format!("{known}{few}"),
        }
    }

    /// How many pairs there are with each number of observations, and how fast they grow.
    pub fn growth(self, found: &PropertyReport) -> Option<String> {
        let levels = &found.levels;
        let safe = levels.len().checked_sub(1).filter(|&safe| safe > 0)?;
        let first = levels.len().saturating_sub(LEVELS);
        let pairs: Vec<String> = levels[first..].iter().map(|&pairs| grouped(pairs)).collect();
        let told = format!("pairs left after {first} to {safe} observations: {}", pairs.join(", "));
        Some(match factor(levels) {
            Some(factor) => format!("{told}; each observation makes them about {factor} times as many"),
            None => told,
        })
    }

    /// Which limit to raise, and what may be decided instead.
    pub(super) fn what_to_try(self, found: &PropertyReport) -> String {
        if found.fault.is_some() {
            return "this is a bug in `desc`, not in the model: please report it with the model".to_owned();
        }
        let raise = match found.stopped {
            Some(Stop::Timeout) => "raise the time limit with `--timeout`",
            Some(Stop::Memory) => "raise the memory limit with `--memory`",
            Some(Stop::States) => "raise the limit on states with `--max-states`",
            Some(Stop::Pairs) => "raise the limit on pairs with `--max-pairs`",
            Some(Stop::Interrupted) | None => "run it again without interrupting it",
        };
        let mut all = vec![raise.to_owned()];
        if let Exposure::Beyond(safe) | Exposure::AtMost { safe: Some(safe), .. } = found.exposure {
            all.push(format!("ask for less: `{safe}-step` is decided"));
        }
        all.extend(found.easier.iter().map(easier));
        if all.len() == 1 {
            all.push("check a smaller system first".to_owned());
        }
        all.join("; or ")
    }
}

/// What nothing exposes with so few observations.
fn no_exposure(safe: u64) -> String {
    match safe {
        0 => "nothing is exposed before the first observation".to_owned(),
        1 => "no exposure has fewer than 2 observations in all".to_owned(),
        safe => format!("no exposure has up to {} observations in all", grouped(safe)),
    }
}

fn easier(easier: &Easier) -> String {
    match easier {
        Easier::Smaller(name, value) => format!("try a smaller model with `-D {name}={value}`"),
        Easier::About(part) => format!("ask about one part: `about {part}`"),
        Easier::Strong => "try `strong`: what is exposed there is exposed here too".to_owned(),
    }
}

/// By how much the pairs of the last levels grow with each observation, if they do: `2.5`.
fn factor(levels: &[u64]) -> Option<String> {
    let [.., before, _, last] = levels else { return None };
    if *before == 0 || last <= before {
        return None;
    }
    let tenths = (*last as f64 / *before as f64).sqrt() * 10.0;
    let tenths = tenths.round() as u64;
    (tenths > 10).then(|| {
        if tenths.is_multiple_of(10) { grouped(tenths / 10) } else { format!("{}.{}", tenths / 10, tenths % 10) }
    })
}
