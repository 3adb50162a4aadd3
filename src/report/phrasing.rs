//! The sentences of a report, shared by all renderers: the verdict, the intruder's knowledge, the reasons, a repair.

mod parts;
mod repair;
mod steps;
mod undecided;
mod values;

use super::counterexample::{Move, NamedSet, Story};
use super::exposure::Others;
use super::{About, CheckReport, Goal, Kind, MaxK, PropertyReport, SignName, States};
use crate::diagnostic::words::elided;
pub use crate::diagnostic::words::{count, grouped};
use crate::model::{Horizon, LeastCost};
use crate::resources::Stop;
use crate::verdict::{Answer, Exposure};
pub use steps::{decisive, ordered};

/// The options of the sentences.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words {
    /// `?1` rather than γ1.
    pub ascii: bool,
    /// Sets are not shortened.
    pub whole: bool,
}

/// The maximal number of names of a set.
const NAMES: usize = 8;

/// Longer names of states are shortened in labels, in characters.
const LONG_NAME: usize = 32;

/// The number of parts in a shortened name.
const PARTS: usize = 3;

/// The most parts of a set that decided something.
const MAX_PARTS: usize = 12;

/// The most sets of parts that did not.
const MAX_PART_SETS: usize = 3;

/// The most labels of an observation that are given.
const SIGNS: usize = 24;

impl Words {
    /// A set: `{A, B, C}`, or `{A, B, ..., 3 more}`.
    pub fn set<S: AsRef<str>>(self, names: &[S]) -> String {
        format!("{{{}}}", self.list(names))
    }

    pub fn states(self, states: &NamedSet) -> String {
        format!("{{{}}}", self.first(states.names.iter(), states.len()))
    }

    /// A set of states that have no names yet.
    fn named(self, states: States<'_>) -> String {
        format!("{{{}}}", self.first(states.names(), states.set.len()))
    }

    pub fn list<S: AsRef<str>>(self, names: &[S]) -> String {
        self.first(names.iter(), names.len())
    }

    fn first<S: AsRef<str>>(self, names: impl ExactSizeIterator<Item = S>, all: usize) -> String {
        let shown = match self.whole {
            true => names.len(),
            false if all <= NAMES => names.len(),
            false => (NAMES - 1).min(names.len()),
        };
        let more = if all > shown { format!(", {} more", grouped((all - shown) as u64)) } else { String::new() };
        let names: Vec<S> = names.take(shown).collect();
        format!("{}{more}", joined(&names, ", "))
    }

    /// A short form of the name of a global state: its first few parts, with a count.
    pub fn short(self, name: &str) -> String {
        let parts: Vec<&str> = match name.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            Some(inner) if !self.whole && name.chars().count() > LONG_NAME => inner.split(", ").collect(),
            _ => return name.to_owned(),
        };
        if parts.len() <= PARTS + 1 {
            return name.to_owned();
        }
        format!("({}, {} more)", parts[..PARTS].join(", "), parts.len() - PARTS)
    }

    /// What was seen: `γ1 γ1 c`. The middle of a long observation is left out.
    pub fn signs(self, signs: &[SignName]) -> String {
        if signs.is_empty() {
            return "nothing".to_owned();
        }
        self.elided(signs, SIGNS, |sign| sign.text(self.ascii).to_owned()).join(" ")
    }

    /// The names of things, without the middle of many.
    pub fn elided<T, S: Into<String>>(self, things: &[T], most: usize, name: impl Fn(&T) -> S) -> Vec<String> {
        elided(things, if self.whole { usize::MAX } else { most }, name)
    }

    /// A transition: `3 -a-> 4`.
    pub fn transition(self, step: &Move) -> String {
        format!("{} -{}-> {}", step.source, step.event, step.target)
    }

    /// A run: `A -a-> B -b-> C`, without the middle of a long one.
    pub fn run(self, story: &Story, most: usize) -> String {
        let run = &story.run;
        let start = run.states.first().map_or(String::new(), |state| state.to_string());
        let steps: Vec<usize> = (0..run.events.len()).collect();
        let steps = self.elided(&steps, most, |&at| format!("-{}-> {}", run.events[at], run.states[at + 1]));
        std::iter::once(start).chain(steps).collect::<Vec<_>>().join(" ")
    }

    pub fn who(self, check: &CheckReport) -> String {
        check.observer.map_or_else(|| "the intruder".to_owned(), |name| format!("`{name}`"))
    }

    /// The verdict of a check in one sentence, without a full stop.
    pub fn headline(self, check: &CheckReport) -> String {
        match &check.kind {
            Kind::Property(found) => match check.answer {
                Answer::Holds => match check.vacuity {
                    Some(vacuity) => format!("{}; vacuously: {}", self.holds(found), vacuity.reason()),
                    None => self.holds(found),
                },
                Answer::Violated => {
                    let parts = self.deciding_parts(found).map_or_else(String::new, |parts| format!("; {parts}"));
                    self.violated(check, found) + &parts
                }
                Answer::Undecided => self.undecided(found),
            },
            Kind::Estimate { observation, at, expected, actual } => match actual {
                Ok(actual) => self.estimate(check, self.given(observation, *at), *expected, *actual),
                Err(stop) => {
                    format!("the estimate {} is not known: {}", self.given(observation, *at), self.limit(*stop))
                }
            },
            Kind::Projection { string, expected, actual } => match actual {
                Ok(actual) => self.projection(check, string, expected, actual),
                Err(stop) => format!("what {} shows is not known: {}", self.string(string), self.limit(*stop)),
            },
            Kind::Repair { expected, actual } => self.least_cost(*expected, *actual),
        }
    }

    /// What the cheapest repair costs.
    fn least_cost(self, expected: LeastCost, actual: Result<LeastCost, Stop>) -> String {
        let said = |cost: LeastCost| match cost {
            LeastCost::Impossible => "no choice of levers is enough".to_owned(),
            LeastCost::Costs(0) => "nothing has to be repaired".to_owned(),
            LeastCost::Costs(cost) => format!("the cheapest repair costs {}", grouped(cost)),
        };
        match actual {
            Ok(actual) if actual == expected => said(actual),
            Ok(actual) => format!("{}, and the check says that {}", said(actual), said(expected)),
            Err(stop) => format!("what the cheapest repair costs is not known: {}", self.limit(stop)),
        }
    }

    /// The horizon for which a property holds, and its proof.
    pub fn holds(self, found: &PropertyReport) -> String {
        let parts = self.deciding_parts(found).map_or_else(String::new, |parts| format!("; {parts}"));
        format!("{}; {}{parts}", self.reach(found), self.proof(found))
    }

    /// "decided by bill, c[1], c[2]; the other 2,398 parts do not matter", if some parts decided it.
    pub fn deciding_parts(self, found: &PropertyReport) -> Option<String> {
        let parts = found.parts.as_ref()?;
        let kept = parts.deciding()?;
        let rest = match parts.total - kept.len() {
            1 => "the other part does not matter".to_owned(),
            others => format!("the other {} do not matter", count(others as u64, "part")),
        };
        Some(format!("decided by {}; {rest}", self.elided(kept, MAX_PARTS, String::clone).join(", ")))
    }

    /// The sets of parts that did not answer.
    fn tried_parts(self, found: &PropertyReport) -> Option<String> {
        let tried = &found.parts.as_ref().filter(|parts| !parts.tried.is_empty())?.tried;
        let set = |parts: &Vec<String>| format!("{{{}}}", self.elided(parts, MAX_PARTS, String::clone).join(", "));
        let shown: Vec<String> = tried.iter().take(MAX_PART_SETS).map(set).collect();
        let more = match tried.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {}", count(more as u64, "larger set")),
        };
        Some(format!("no answer from the parts {}{more}", shown.join(", ")))
    }

    /// The horizon for which a property holds.
    pub fn reach(self, found: &PropertyReport) -> String {
        match (found.horizon, found.exposure) {
            (Horizon::Exactly(steps), _) => {
                format!("holds for {} and is violated for {}", count(steps, "step"), count(steps + 1, "step"))
            }
            (Horizon::Initial, _) => "holds for every later observation".to_owned(),
            (Horizon::Steps(0), _) if found.goal == Goal::InitialFinal => "holds for every observation".to_owned(),
            (_, Exposure::Never) => "holds for any number of steps".to_owned(),
            (_, Exposure::At(least)) if least > 0 => format!("holds up to {} and no further", count(least - 1, "step")),
            (Horizon::Steps(steps), _) => format!("holds up to {}", count(steps, "step")),
            _ => "holds".to_owned(),
        }
    }

    fn proof(self, found: &PropertyReport) -> String {
        let cost = &found.cost;
        let pairs = count(cost.pairs, "pair");
        if cost.certified { format!("proof of {pairs}, certificate verified") } else { format!("{pairs} explored") }
    }

    fn violated(self, check: &CheckReport, found: &PropertyReport) -> String {
        let told = found.story.as_ref().map(|story| self.knowledge(check, &found.goal, story));
        let told = told.or_else(|| found.unreported.map(|stop| self.unreported(stop)));
        let said = match (found.horizon, found.exposure.most(), told) {
            (Horizon::Exactly(steps), _, told) => return self.not_exactly(steps, found.exposure, told),
            (_, Some(most), Some(told)) if found.story.is_none() => {
                format!("exposed after {}; {told}", count(most, "step"))
            }
            (_, _, Some(told)) => told,
            (_, _, None) => "violated".to_owned(),
        };
        match found.exposure {
            Exposure::AtMost { most, .. } => format!("{said}; {}", self.at_most(most)),
            _ => said,
        }
    }

    /// What is seen at the exposure distance, if that is more than what is told.
    pub fn at_the_distance(self, found: &PropertyReport) -> Option<String> {
        let (observations, distance) = found.least_hindsight()?;
        let when = if distance == 0 { "at once".to_owned() } else { format!("{} later", count(distance, "step")) };
        let is = if found.exposure.is_exact() { "is" } else { "is at most" };
        let seen = count(observations, "observation");
        Some(format!("After {seen} they are sure {when}: the exposure distance {is} {distance}"))
    }

    /// Whether there are exposures beside those that are told.
    pub fn are_these_all<T>(self, others: &Others<T>) -> String {
        let kinds = "that expose something else, or whose last observation is another";
        match others.is_all {
            Some(true) => {
                format!(
                    "there are no {}exposures {kinds}",
                    if others.stories.is_empty() { "other " } else { "further " }
                )
            }
            Some(false) => format!("there are further exposures {kinds}: a greater `--all` tells them"),
            None => format!("there may be further exposures {kinds}: the search for them was broken off"),
        }
    }

    /// That an exposure need not be the shortest.
    fn at_most(self, most: u64) -> String {
        format!("k {} {most}, not proved least", if self.ascii { "<=" } else { "≤" })
    }

    fn not_exactly(self, steps: u64, exposure: Exposure, told: Option<String>) -> String {
        let told = told.map(|told| format!(": {told}")).unwrap_or_default();
        match MaxK::from(exposure) {
            MaxK::Infinite => format!("the maximal K is infinite, not {steps}: nothing is ever exposed"),
            MaxK::None => format!("there is no maximal K, since the property is violated for 0 steps{told}"),
            MaxK::Steps(most) => format!("the maximal K is {most}, not {steps}{told}"),
            MaxK::Unknown => match exposure {
                Exposure::AtMost { most, .. } if most <= steps => {
                    format!("the maximal K is less than {most}, not {steps}{told}; {}", self.at_most(most))
                }
                Exposure::Beyond(safe) | Exposure::AtMost { safe: Some(safe), .. } => {
                    format!("the maximal K is at least {safe}, not {steps}")
                }
                _ => format!("the maximal K is not {steps}"),
            },
        }
    }

    pub fn knowledge(self, check: &CheckReport, goal: &Goal, story: &Story) -> String {
        let who = self.who(check);
        let later = story.later().len();
        if story.observation.is_empty() {
            return format!("before anything is seen, {who} is sure that {}", self.fact(goal, story, true));
        }
        let seen = self.signs(&story.observation);
        if later == 0 {
            return format!("{who} sees {seen} and is sure that {}", self.fact(goal, story, true));
        }
        let fact = self.fact(goal, story, false);
        if *goal == Goal::Throughout {
            return format!("{who} sees {seen} and is then sure that {fact}");
        }
        let ago = count(later as u64, "step");
        let instant = match story.at {
            _ if story.about_start => return format!("{who} sees {seen} and is then sure that {fact}"),
            0 => format!("at the start, {ago} earlier"),
            at => format!("{ago} earlier, after {}", self.signs(&story.observation[..at])),
        };
        format!("{who} sees {seen} and is then sure that, {instant}, {fact}")
    }

    /// The fact itself: "the system is in state `2`".
    fn fact(self, goal: &Goal, story: &Story, now: bool) -> String {
        let is = match now {
            true if story.observation.is_empty() => "is",
            true => "is now",
            false => "was",
        };
        if let Some(fact) = self.part_fact(goal, story, is) {
            return fact;
        }
        let states = self.set(&story.exposed.names);
        match goal {
            Goal::Opacity if story.about_start => format!("the run started in a secret state: {states}"),
            Goal::Opacity => format!("the system {is} in a secret state: {states}"),
            Goal::Throughout => self.visited(story),
            Goal::InitialFinal => format!("the run began in {} and {is} in {states}", self.set(&story.began.names)),
            Goal::Anonymity { among: 2, about: None } => {
                format!("the system {is} in state `{}`", story.exposed.names.join("`, `"))
            }
            Goal::Anonymity { among, about: None } => {
                format!("the system {is} in {states}: {} possible, at least {among} required", story.exposed.len())
            }
            Goal::Anonymity { among, about: Some(about) } => self.class_fact(*among, about, story, is),
        }
    }

    /// "the system has been in a secret state since the start".
    fn visited(self, story: &Story) -> String {
        let (at, later) = (story.at, story.later().len() as u64);
        let since = match (at, later) {
            (0, 0) => return "the system is or was in a secret state".to_owned(),
            (0, _) => "since the start".to_owned(),
            (_, 0) => "since the last observation".to_owned(),
            (_, 1) => format!("in the last step, after {}", self.signs(&story.observation[..at])),
            (_, _) => format!("in the last {}, after {}", count(later, "step"), self.signs(&story.observation[..at])),
        };
        format!("the system was in a secret state {since}: every run that looks the same was")
    }

    fn class_fact(self, among: u32, about: &About, story: &Story, is: &str) -> String {
        let classes = self.list(&story.classes);
        let few = if among > 2 {
            format!(": {} possible, at least {among} required", story.classes.len())
        } else {
            String::new()
        };
        match about {
            About::Part(part) if story.classes.len() == 1 => format!("`{part}` {is} at `{classes}`{few}"),
            About::Part(part) => format!("`{part}` {is} at one of {classes}{few}"),
            About::Partition if story.classes.len() == 1 => format!("the system {is} in {classes}{few}"),
            About::Partition => format!("the system {is} in one of the classes {classes}{few}"),
        }
    }

    pub(super) fn limit(self, stop: Stop) -> &'static str {
        match stop {
            Stop::Timeout => "the time limit was reached",
            Stop::Memory => "the memory limit was reached",
            Stop::Pairs => "the limit on pairs was reached",
            Stop::States => "the product is too large",
            Stop::Interrupted => "it was interrupted",
        }
    }

    pub fn unbuilt(self, stop: Stop) -> String {
        format!("not built: {}", self.limit(stop))
    }

    /// Why an exposure is not told.
    pub fn unreported(self, stop: Stop) -> String {
        format!("the exposure is not explained: {}", self.limit(stop))
    }

    /// What a report leaves out, if anything.
    pub fn left_out(self, checks: usize, stop: Option<Stop>) -> Option<String> {
        let left = count(checks as u64, "check");
        let because = stop.map(|stop| format!(": {}", self.limit(stop))).unwrap_or_default();
        (checks > 0).then(|| format!("{left} left out of this report{because}"))
    }
}

fn joined<S: AsRef<str>>(names: &[S], between: &str) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    names.join(between)
}

/// What only a product shows, if it is not built.
pub const NOT_LOOKED_FOR: &str = "not looked for without it: runs that get stuck, states and events out of reach";

/// `2,402 parts, 8,401 events; their product is not built`
pub fn uncomposed(parts: usize, events: usize) -> String {
    format!("{}, {}; their product is not built", count(parts as u64, "part"), count(events as u64, "event"))
}
