//! The sentences of a report, shared by all renderers: the verdict, the intruder's knowledge, the reasons, a repair.

mod repair;

use super::story::{Lost, Move, NamedSet, Need, Step, Story};
use super::{About, CheckReport, Goal, Kind, MaxK, PropertyReport, SignName};
pub use crate::diagnostic::words::{count, grouped};
use crate::model::Horizon;
use crate::verify::{Answer, Exposure, Stop};

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

/// The maximal number of transitions in a reason.
const MOVES: usize = 3;

impl Words {
    /// A set: `{A, B, C}`, or `{A, B, ..., 3 more}`.
    pub fn set(self, names: &[String]) -> String {
        format!("{{{}}}", self.list(names))
    }

    pub fn states(self, states: &NamedSet) -> String {
        format!("{{{}}}", self.first(&states.names, states.len()))
    }

    pub fn list(self, names: &[String]) -> String {
        self.first(names, names.len())
    }

    fn first(self, names: &[String], all: usize) -> String {
        let shown = match self.whole {
            true => names.len(),
            false if all <= NAMES => names.len(),
            false => NAMES - 1,
        };
        let more = if all > shown { format!(", {} more", grouped((all - shown) as u64)) } else { String::new() };
        format!("{}{more}", names[..shown].join(", "))
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

    /// An observation: `γ1 γ1 c`.
    pub fn signs(self, signs: &[SignName]) -> String {
        if signs.is_empty() {
            return "nothing".to_owned();
        }
        let texts: Vec<&str> = signs.iter().map(|sign| sign.text(self.ascii)).collect();
        texts.join(" ")
    }

    /// A transition: `3 -a-> 4`.
    pub fn transition(self, step: &Move) -> String {
        format!("{} -{}-> {}", step.source, step.event, step.target)
    }

    pub fn who(self, check: &CheckReport) -> String {
        check.observer.as_ref().map_or_else(|| "the intruder".to_owned(), |name| format!("`{name}`"))
    }

    /// The verdict of a check in one sentence, without a full stop.
    pub fn headline(self, check: &CheckReport) -> String {
        match &check.kind {
            Kind::Property(found) => match check.answer {
                Answer::Holds => self.holds(found),
                Answer::Violated => self.violated(check, found),
                Answer::Undecided => self.undecided(found),
            },
            Kind::Estimate { observation, at, .. } if check.answer == Answer::Undecided => {
                format!("the estimate {} is not known: the system was not built", self.given(observation, *at))
            }
            Kind::Estimate { observation, at, expected, actual } => {
                self.estimate(check, observation, *at, expected, actual)
            }
            Kind::Projection { string, expected, actual } => self.projection(check, string, expected, actual),
        }
    }

    /// The horizon for which a property holds, and its proof.
    pub fn holds(self, found: &PropertyReport) -> String {
        format!("{}; {}", self.reach(found), self.proof(found))
    }

    /// The horizon for which a property holds.
    pub fn reach(self, found: &PropertyReport) -> String {
        match (found.horizon, found.exposure) {
            (Horizon::Exactly(steps), _) => {
                format!("holds for {} and is violated for {}", count(steps, "step"), count(steps + 1, "step"))
            }
            (Horizon::Initial, _) => "holds for every later observation".to_owned(),
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
        match (found.horizon, told) {
            (Horizon::Exactly(steps), told) => self.not_exactly(steps, found.exposure, told),
            (_, Some(told)) => told,
            (_, None) => "violated".to_owned(),
        }
    }

    fn not_exactly(self, steps: u64, exposure: Exposure, told: Option<String>) -> String {
        let told = told.map(|told| format!(": {told}")).unwrap_or_default();
        match MaxK::from(exposure) {
            MaxK::Infinite => format!("the maximal K is infinite, not {steps}: nothing is ever exposed"),
            MaxK::None => format!("there is no maximal K, since the property is violated for 0 steps{told}"),
            MaxK::Steps(most) => format!("the maximal K is {most}, not {steps}{told}"),
            MaxK::Unknown => match exposure {
                Exposure::Beyond(safe) => format!("the maximal K is at least {safe}, not {steps}"),
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
        let states = self.set(&story.exposed.names);
        match goal {
            Goal::Opacity if story.about_start => format!("the run started in a secret state: {states}"),
            Goal::Opacity => format!("the system {is} in a secret state: {states}"),
            Goal::Anonymity { among: 2, about: None } => {
                format!("the system {is} in state `{}`", story.exposed.names.join("`, `"))
            }
            Goal::Anonymity { among, about: None } => {
                format!("the system {is} in {states}: {} possible, at least {among} required", story.exposed.len())
            }
            Goal::Anonymity { among, about: Some(about) } => self.class_fact(*among, about, story, is),
        }
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

    fn undecided(self, found: &PropertyReport) -> String {
        if let Some(fault) = &found.fault {
            return format!("internal error, no verdict: {fault}");
        }
        let known = match found.exposure {
            Exposure::Beyond(safe) => format!("known to hold up to {}", count(safe, "step")),
            Exposure::At(least) => format!("exposed after {}", count(least, "step")),
            Exposure::Never | Exposure::Unknown => "nothing is known, not even for 0 steps".to_owned(),
        };
        match found.stopped {
            Some(stop) => format!("{known}; {} after {}", self.limit(stop), count(found.cost.pairs, "pair")),
            None => known,
        }
    }

    fn limit(self, stop: Stop) -> &'static str {
        match stop {
            Stop::Timeout => "the time limit was reached",
            Stop::Memory => "the memory limit was reached",
            Stop::Pairs => "the limit on pairs was reached",
            Stop::Interrupted => "it was interrupted",
        }
    }

    /// The instant of an estimate and the given observation.
    fn given(self, seen: &[SignName], at: usize) -> String {
        match (at, seen.len() - at) {
            (_, 0) => format!("after {}", self.signs(seen)),
            (0, _) => format!("at the start, given {}", self.signs(seen)),
            _ => format!("after {}, given {}", self.signs(&seen[..at]), self.signs(seen)),
        }
    }

    pub fn unbuilt(self, stop: Stop) -> String {
        format!("not built: {}", self.limit(stop))
    }

    fn estimate(
        self,
        check: &CheckReport,
        seen: &[SignName],
        at: usize,
        expected: &[String],
        actual: &[String],
    ) -> String {
        let given = self.given(seen, at);
        let actual_set = if actual.is_empty() { "empty: no run shows this".to_owned() } else { self.set(actual) };
        if expected == actual {
            return format!("the estimate {given} is {actual_set}");
        }
        let less = |left: &[String], right: &[String]| -> Vec<String> {
            left.iter().filter(|name| !right.contains(name)).cloned().collect()
        };
        let (missing, extra) = (less(expected, actual), less(actual, expected));
        let mut differences = Vec::new();
        if !missing.is_empty() {
            differences.push(format!("{} is not possible", self.list(&missing)));
        }
        if !extra.is_empty() {
            differences.push(format!("{} is possible too", self.list(&extra)));
        }
        let who = self.who(check);
        format!(
            "{given}, the estimate of {who} is {actual_set}, not {}: {}",
            self.set(expected),
            differences.join("; ")
        )
    }

    fn projection(self, check: &CheckReport, string: &[String], expected: &[SignName], actual: &[SignName]) -> String {
        let string = if string.is_empty() { "the empty string".to_owned() } else { format!("`{}`", string.join(" ")) };
        let shows = format!("of {string}, {} sees {}", self.who(check), self.signs(actual));
        if expected == actual {
            return shows;
        }
        let agree = expected.iter().zip(actual).take_while(|(left, right)| left == right).count();
        let at = match (expected.get(agree), actual.get(agree)) {
            (Some(said), Some(is)) => {
                format!("label {} is {}, not {}", agree + 1, is.text(self.ascii), said.text(self.ascii))
            }
            (Some(said), None) => format!("label {} ({}) is missing", agree + 1, said.text(self.ascii)),
            _ => format!("there are {}, not {}", count(actual.len() as u64, "label"), expected.len()),
        };
        format!("{shows}, not {}: {at}", self.signs(expected))
    }

    /// Why the estimate of a step is what it is.
    pub fn because(self, step: &Step, looking_back: bool) -> String {
        let Some(sign) = &step.sees else { return "before anything is seen".to_owned() };
        let mut parts = Vec::new();
        if !looking_back {
            parts.extend(self.moves(step));
        }
        parts.extend(self.losses(step, sign));
        if parts.is_empty() {
            return "nothing is ruled out".to_owned();
        }
        parts.join("; ")
    }

    /// The transitions that can show the symbol.
    fn moves(self, step: &Step) -> Option<String> {
        let first = step.moves.first()?;
        let one_target = step.moves.iter().all(|other| other.target == first.target);
        let listed: Vec<String> = step.moves.iter().take(MOVES).map(|step| self.transition(step)).collect();
        let more = step.n_moves - listed.len();
        let listed = if more > 0 { format!("{}, {more} more", listed.join(", ")) } else { listed.join(", ") };
        if one_target
            && step.n_moves > 1
            && more == step.n_moves.saturating_sub(MOVES)
            && step.n_moves == step.moves.len()
        {
            return Some(format!("{listed}: all lead to {}", first.target));
        }
        Some(listed)
    }

    fn losses(self, step: &Step, sign: &SignName) -> Option<String> {
        let lost: Vec<&Lost> = ordered(&step.lost);
        let first = lost.first()?;
        let same: Vec<String> =
            lost.iter().filter(|other| alike(first, other)).map(|lost| lost.state.clone()).collect();
        let others = lost.len() - same.len();
        let mut text = format!("not {}: {}", self.list(&same), self.lack(first, sign, same.len() > 1));
        if let Some(second) = lost.iter().find(|other| !alike(first, other)) {
            text += &format!("; not {}: {}", second.state, self.lack(second, sign, false));
        }
        if others > 1 {
            text += &format!("; nor {}", count(others as u64 - 1, "other"));
        }
        Some(text)
    }

    /// The move that a candidate lacks.
    pub fn lack(self, lost: &Lost, sign: &SignName, several: bool) -> String {
        let it = if several { "they" } else { "it" };
        let has = if several { "have" } else { "has" };
        let by_now = if lost.now.is_empty() { String::new() } else { format!(" (by now in {})", self.set(&lost.now)) };
        let lack = match &lost.need {
            Need::Event(event) => format!("no `{event}` from there"),
            Need::OneOf(_) => format!("nothing from there shows {}", sign.text(self.ascii)),
            Need::Again(events) => {
                format!("the same agent again, but {it} {has} no further `{}`", events.join("` or `"))
            }
            Need::New(used) if used.is_empty() => format!("nothing from there shows {}", sign.text(self.ascii)),
            Need::New(used) => format!("a new agent, but {it} {has} only `{}`", used.join("`, `")),
        };
        let instead = match lost.can.as_slice() {
            [] => ", no observable event at all".to_owned(),
            can => {
                let mut names: Vec<String> = can.iter().map(|step| self.transition(step)).collect();
                names.truncate(2);
                format!(", only {}{}", names.join(", "), if can.len() > 2 { ", ..." } else { "" })
            }
        };
        let instead = if several { String::new() } else { instead };
        format!("{lack}{instead}{by_now}")
    }
}

/// The last step that excludes a hypothesis outside the exposed set, and that hypothesis.
pub fn decisive(story: &Story) -> Option<(usize, &Lost)> {
    let last = story.steps.iter().enumerate().rev().find(|(_, step)| step.lost.iter().any(|lost| lost.rival))?;
    // A loss before the exposed step is not what exposed it, unless nothing happened in between.
    if story.later().is_empty() && last.0 != story.at {
        return None;
    }
    ordered(&last.1.lost).first().map(|lost| (last.0, *lost))
}

/// The excluded candidates: those outside the exposed set first, and among them those with other moves.
pub fn ordered(lost: &[Lost]) -> Vec<&Lost> {
    let mut lost: Vec<&Lost> = lost.iter().collect();
    lost.sort_by_key(|lost| (!lost.rival, lost.can.is_empty()));
    lost
}

fn alike(left: &Lost, right: &Lost) -> bool {
    if left.id == right.id {
        return true;
    }
    left.need == right.need
        && left.can.is_empty() == right.can.is_empty()
        && left.now.is_empty()
        && right.now.is_empty()
}
