//! Why the estimate of a step is what it is.

use super::{Words, count, grouped, joined};
use crate::report::SignName;
use crate::report::counterexample::{Lost, Need, SomeEvents, Step, Story};

/// The maximal number of transitions in a reason.
const MOVES: usize = 3;

impl Words {
    /// What is possible after a step: where the parts in question may be, or the whole system.
    pub fn possible(self, story: &Story, step: &Step) -> String {
        let subject = story.subject.as_ref().filter(|_| !self.whole);
        match &step.looking_back {
            _ if let Some((subject, parts)) = subject.zip(step.parts.as_ref()) => self.possible_parts(subject, parts),
            Some(states) if step.number > story.at || story.about_start => self.states(states),
            _ => self.states(&step.estimate),
        }
    }

    /// Of what and of which instant that is: ``Still possible for `u[1]` at step 3``.
    pub fn possible_when(self, story: &Story, step: &Step) -> String {
        let subject = story.subject.as_ref().filter(|subject| !self.whole && !subject.is_all);
        let of = subject.map_or_else(String::new, |subject| format!(" for `{}`", subject.name));
        match step.number > story.at {
            true if story.throughout => format!("Possible{of} without a secret state since step {}", story.at),
            true => format!("Still possible{of} at step {}", story.at),
            false if story.about_start => format!("Possible starts{of}"),
            false => format!("Possible now{of}"),
        }
    }

    /// Why the estimate of a step is what it is.
    pub fn because(self, story: &Story, step: &Step, looking_back: bool) -> String {
        let Some(sign) = &step.sees else { return "before anything is seen".to_owned() };
        if let Some(parts) = step.parts.as_ref().filter(|_| !self.whole) {
            return self.because_parts(story, parts, sign);
        }
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
        let same: Vec<&str> = lost.iter().filter(|other| alike(first, other)).map(|lost| &*lost.state).collect();
        let others = lost.len() - same.len();
        let from = if first.began { "from " } else { "" };
        let mut text = format!("not {from}{}: {}", self.list(&same), self.lack(first, sign, same.len() > 1));
        if let Some(second) = lost.iter().find(|other| !alike(first, other)) {
            text += &format!("; not {from}{}: {}", second.state, self.lack(second, sign, false));
        }
        if others > 1 {
            text += &format!("; nor {}", count(others as u64 - 1, "other"));
        }
        Some(text)
    }

    /// Who the numbers of a weak observation stand for in the run: `#1 is person[2], #2 is person[1]`.
    pub fn who_acts(self, story: &Story) -> Option<String> {
        const SHOWN: usize = 12;
        let who = &story.run.who;
        let mut names: Vec<String> =
            who.iter().take(SHOWN).map(|(number, agent)| format!("#{number} is {agent}")).collect();
        if who.len() > SHOWN {
            names.push(format!("{} more", grouped((who.len() - SHOWN) as u64)));
        }
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// Events in backticks, and how many more there are.
    fn events(self, events: &SomeEvents, between: &str) -> String {
        let names = joined(&events.names, &format!("`{between}`"));
        let more = if events.more > 0 { format!(", {} more", grouped(events.more as u64)) } else { String::new() };
        format!("`{names}`{more}")
    }

    /// The move that a candidate lacks.
    pub fn lack(self, lost: &Lost, sign: &SignName, several: bool) -> String {
        let it = if several { "they" } else { "it" };
        let has = if several { "have" } else { "has" };
        let by_now =
            if lost.now.is_empty() { String::new() } else { format!(" (by now in {})", self.states(&lost.now)) };
        let lack = match &lost.need {
            Need::Event(event) => format!("no `{event}` from there"),
            Need::Avoiding => format!("{} from there enters a secret state", sign.text(self.ascii)),
            Need::OneOf(_) => format!("nothing from there shows {}", sign.text(self.ascii)),
            Need::Again(events) if events.names.is_empty() => {
                format!("the same agent again, who never shows {}", sign.text(self.ascii))
            }
            Need::Again(events) => {
                format!("the same agent again, but {it} {has} no further {}", self.events(events, " or "))
            }
            Need::New(used) if used.names.is_empty() => format!("nothing from there shows {}", sign.text(self.ascii)),
            Need::New(used) => format!("a new agent, but {it} {has} only {}", self.events(used, ", ")),
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
pub fn decisive(story: &Story) -> Option<(&Step, &Lost)> {
    let last = story.steps.iter().rev().find(|step| step.lost.iter().any(|lost| lost.rival))?;
    // A loss before the exposed step is not what exposed it, unless nothing happened in between.
    if story.later().is_empty() && last.number != story.at && story.began.is_empty() {
        return None;
    }
    ordered(&last.lost).first().map(|lost| (last, *lost))
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
