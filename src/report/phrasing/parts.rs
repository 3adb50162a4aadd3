//! What the parts of a composed system do, refuse and are known to be.

use super::{Words, count};
use crate::report::counterexample::{Fallen, PartAct, PartMove, PartStep, Refuser, SameOrNew, Story, Subject};
use crate::report::{Goal, SignName};
use std::sync::Arc;

/// The most names in a set of local states, in the reason of a step.
const STATES: usize = 4;

/// The most tuples of local states in a set.
const TUPLES: usize = 2;

/// The most labels in a list of what could have come next.
const LABELS: usize = 3;

/// The most reasons of one step.
const REASONS: usize = 2;

impl Words {
    /// What a part did: `u[1] picked[1] -hop[1,1,1]-> away[1], together with r[1] empty → held[1,1]`.
    pub fn act(self, story: &Story, act: &PartAct) -> String {
        self.deed(story, &act.event, &act.moves)
    }

    /// The same of an event of the run.
    pub fn run_act(self, story: &Story, event: usize) -> Option<String> {
        let moves = story.run.lanes.get(event)?;
        Some(self.deed(story, &story.run.events[event], moves))
    }

    fn deed(self, story: &Story, event: &str, moves: &[PartMove]) -> String {
        let mut moves: Vec<&PartMove> = moves.iter().collect();
        moves.sort_by_key(|part| (!part.is_change(), !is_in_question(story, part), part.part));
        let Some((first, rest)) = moves.split_first() else { return format!("-{event}->") };
        let arrow = if self.ascii { "->" } else { "→" };
        let lead = format!("{} {} -{event}-> {}", story.part(first.part), first.source, first.target);
        let rest: Vec<String> = rest
            .iter()
            .filter(|other| other.is_change())
            .map(|other| format!("{} {} {arrow} {}", story.part(other.part), other.source, other.target))
            .collect();
        match &rest[..] {
            [] => lead,
            [first, others @ ..] if !self.whole && others.len() > 1 => {
                format!("{lead}, together with {first} and {}", count(others.len() as u64, "other"))
            }
            all => format!("{lead}, together with {}", all.join(", ")),
        }
    }

    /// Where the parts in question may be.
    pub(super) fn possible_parts(self, subject: &Subject, step: &PartStep) -> String {
        format!("{{{}}}", self.some(&step.possible, step.n_possible, self.room(subject)))
    }

    /// How many local states of the parts in question are named.
    fn room(self, subject: &Subject) -> usize {
        if subject.parts.len() > 1 { TUPLES } else { 2 * STATES }
    }

    fn some(self, names: &[Arc<str>], all: usize, most: usize) -> String {
        let most = if self.whole { usize::MAX } else { most };
        // One more name is as short as saying that there is one more.
        let shown = if all <= most + 1 { names.len() } else { names.len().min(most) };
        let list = names[..shown].join(", ");
        if all > shown { format!("{list}, {} more", super::grouped((all - shown) as u64)) } else { list }
    }

    /// Why a step leaves what it leaves of the parts in question.
    pub(super) fn because_parts(self, story: &Story, step: &PartStep, sign: &SignName) -> String {
        let told: Vec<&Fallen> = step.fallen.iter().take(REASONS).collect();
        if told.is_empty() {
            return self.acts(story, step);
        }
        let mut reasons: Vec<String> = told.iter().map(|fallen| self.fall(story, step, fallen, sign)).collect();
        let others: usize = step.fallen.iter().skip(REASONS).map(|fallen| fallen.n_states).sum();
        if others > 0 {
            reasons.push(format!("nor {}", count(others as u64, "other")));
        }
        reasons.join("; ")
    }

    fn acts(self, story: &Story, step: &PartStep) -> String {
        let Some(first) = step.acts.first() else { return "nothing is ruled out".to_owned() };
        let moves = &first.moves;
        let in_question = |own: &PartMove| own.is_change() && is_in_question(story, own);
        // The others stand in the table of the run: here they matter only if they move what the question is about.
        let alone = moves.iter().find(|own| own.is_change()).filter(|_| !moves.iter().any(in_question));
        let act = match alone {
            Some(own) => self.deed(story, &first.event, std::slice::from_ref(own)),
            None => self.act(story, first),
        };
        match step.n_acts {
            1 => act,
            n => format!("{act}; or {} more", super::grouped(n as u64 - 1)),
        }
    }

    /// Why some local states can no longer be: `not away[2]: r[2] would be at held[1,2] and show arrives[2]`.
    fn fall(self, story: &Story, step: &PartStep, fallen: &Fallen, sign: &SignName) -> String {
        // What was left behind can be where the parts are now again.
        let is_back = fallen.states.iter().any(|state| step.possible.contains(state));
        let from = if fallen.began || is_back { "from " } else { "" };
        let few = story.subject.as_ref().map_or(STATES, |subject| self.room(subject).min(STATES));
        let who = self.some(&fallen.states, fallen.n_states, few);
        format!("not {from}{who}: {}", self.refusal(story, fallen, sign))
    }

    fn refusal(self, story: &Story, fallen: &Fallen, sign: &SignName) -> String {
        let sign = sign.text(self.ascii);
        let agent = match fallen.agent {
            Some(SameOrNew::Same) => "the same agent again, but ",
            Some(SameOrNew::New) => "a new agent, but ",
            None => "",
        };
        if fallen.enters_avoided {
            return format!("{sign} from there enters a secret state");
        }
        match &fallen.refusing[..] {
            [] if fallen.agent == Some(SameOrNew::Same) => format!("the same agent again, who never shows {sign}"),
            [] => format!("nothing from there shows {sign}"),
            [first, others @ ..] => {
                let others: Vec<String> = others.iter().map(|one| format!("`{}`", story.part(one.part))).collect();
                let nor = if others.is_empty() { String::new() } else { format!(", nor can {}", others.join(" or ")) };
                format!("{agent}{}{nor}", self.refuser(story, fallen, first))
            }
        }
    }

    fn refuser(self, story: &Story, fallen: &Fallen, refuser: &Refuser) -> String {
        let mut own: Vec<SignName> = Vec::new();
        for (_, sign) in &refuser.instead {
            if !own.contains(sign) {
                own.push(sign.clone());
            }
        }
        let is_subject = story.subject.as_ref().is_some_and(|subject| subject.parts == [refuser.part]);
        match (is_subject, own.is_empty()) {
            (true, false) => format!("`{}` shows only {} there", story.part(refuser.part), self.labels(&own)),
            (true, true) => format!("`{}` cannot show it there", story.part(refuser.part)),
            (false, false) => {
                format!("{} and show only {}", self.whereabouts(story, refuser), self.labels(&own))
            }
            (false, true) => format!("{}{}", self.whereabouts(story, refuser), self.instead(&fallen.next)),
        }
    }

    fn whereabouts(self, story: &Story, refuser: &Refuser) -> String {
        let states = self.some(&refuser.states, refuser.n_states, STATES);
        match refuser.n_states {
            1 => format!("`{}` would be at {states}", story.part(refuser.part)),
            _ => format!("`{}` would be in {{{states}}}", story.part(refuser.part)),
        }
    }

    fn instead(self, next: &[SignName]) -> String {
        match next {
            [] => ", and nothing could come next".to_owned(),
            next => format!(", and only {} could come next", self.labels(next)),
        }
    }

    fn labels(self, signs: &[SignName]) -> String {
        let names: Vec<Arc<str>> =
            signs.iter().map(|sign| Arc::clone(if self.ascii { &sign.ascii } else { &sign.greek })).collect();
        self.some(&names, names.len(), LABELS)
    }

    /// What is known of the parts in question; none if the question is about the whole system.
    pub(super) fn part_fact(self, goal: &Goal, story: &Story, is: &str) -> Option<String> {
        let subject = story.subject.as_ref().filter(|subject| !self.whole && !subject.is_all)?;
        let at = match &subject.exposed[..] {
            [only] => format!("at `{only}`"),
            several => format!("in {{{}}}", self.some(several, several.len(), self.room(subject))),
        };
        let name = &subject.name;
        let secret = if subject.exposed.len() == 1 { "which is secret" } else { "all of them secret" };
        match goal {
            Goal::Opacity if story.about_start => Some(format!("`{name}` started {at}, {secret}")),
            Goal::Opacity => Some(format!("`{name}` {is} {at}, {secret}")),
            Goal::Anonymity { .. } | Goal::Throughout | Goal::InitialFinal => None,
        }
    }
}

fn is_in_question(story: &Story, own: &PartMove) -> bool {
    story.subject.as_ref().is_some_and(|subject| subject.parts.contains(&own.part))
}
