//! The help of a check: a repair of the model, or the limit to raise.

use super::{Words, decisive};
use crate::report::counterexample::{Lost, Need, SomeEvents, Story};
use crate::report::{CheckReport, Goal, Kind, PropertyReport};
use crate::resources::Stop;
use crate::verdict::{Answer, Exposure};

impl Words {
    /// A repair of the exposure, or the limit to raise.
    pub fn help(self, check: &CheckReport) -> Option<String> {
        let Kind::Property(found) = &check.kind else { return None };
        match check.answer {
            Answer::Undecided => Some(self.what_to_try(found)),
            Answer::Violated if !check.passed() => found.story.as_ref().map(|story| self.repair(&found.goal, story)),
            _ => None,
        }
    }

    fn what_to_try(self, found: &PropertyReport) -> String {
        if found.fault.is_some() {
            return "this is a bug in `desc`, not in the model: please report it with the model".to_owned();
        }
        let raise = match found.stopped {
            Some(Stop::Timeout) => "raise the time limit with `--timeout`",
            Some(Stop::Memory) => "raise the memory limit with `--memory`",
            Some(Stop::Pairs) => "raise the limit on pairs with `--max-pairs`",
            Some(Stop::Interrupted) | None => "run it again without interrupting it",
        };
        match found.exposure {
            Exposure::Beyond(safe) | Exposure::AtMost { safe: Some(safe), .. } => {
                format!("{raise}, or ask for less: `{safe}-step` is decided")
            }
            _ => format!("{raise}, or check a smaller system first"),
        }
    }

    fn repair(self, goal: &Goal, story: &Story) -> String {
        if story.observation.is_empty() {
            return self.start_is_known(goal, story);
        }
        if story.later().is_empty() && story.unchanged {
            return self.start_is_known(goal, story);
        }
        match decisive(story) {
            Some((step, lost)) => self.let_it_go_on(goal, story, step.number, lost),
            None => self.let_it_lead_elsewhere(goal, story),
        }
    }

    fn start_is_known(self, goal: &Goal, story: &Story) -> String {
        let states = self.set(&story.exposed.names);
        match goal {
            Goal::Throughout => {
                "every run that looks the same starts in or passes a secret state: add an initial state that is not secret"
                    .to_owned()
            }
            Goal::InitialFinal => format!(
                "every run that looks the same began in {} and is in {states}: add another initial state, or an \
                 unobservable transition elsewhere",
                self.set(&story.began.names)
            ),
            Goal::Opacity => format!(
                "every initial state, {states}, is secret, so the choice of anonymous events does not matter: add an initial \
                 state that is not secret, or an unobservable transition to one"
            ),
            Goal::Anonymity { .. } => format!(
                "only {states} is possible at the start, so the choice of anonymous events does not matter: add an initial \
                 state, or an unobservable transition out of it"
            ),
        }
    }

    fn let_it_go_on(self, goal: &Goal, story: &Story, at: usize, lost: &Lost) -> String {
        let sign = self.signs(&story.observation[at - 1..at]);
        let from = &lost.last;
        let example = match &lost.need {
            Need::Avoiding => {
                return format!(
                    "the intruder would stay unsure if a transition of `{from}` that shows {sign} led to a state that is not secret"
                );
            }
            Need::Event(event) => format!("`{from} -{event}-> ...`"),
            Need::OneOf(events) | Need::Again(SomeEvents { names: events, .. }) => match events.first() {
                Some(event) => format!("`{from} -{event}-> ...`"),
                None => return format!("the intruder would stay unsure if `{from}` could also show {sign}"),
            },
            Need::New(used) if used.names.is_empty() => "any anonymous event".to_owned(),
            Need::New(used) => format!("an anonymous event other than {}", self.events(used, ", ")),
        };
        // What is exposed now is exposed by where that transition leads; what lies in the past, by its label alone.
        let elsewhere = match goal {
            Goal::Throughout => " to a state that is not secret".to_owned(),
            _ if !story.later().is_empty() => String::new(),
            Goal::Opacity => " to a state that is not secret".to_owned(),
            Goal::InitialFinal => String::new(),
            Goal::Anonymity { about: Some(_), .. } => " to a state of another class".to_owned(),
            Goal::Anonymity { .. } => format!(" to a state other than {}", self.list(&story.exposed.names)),
        };
        let shown = story.run.shown_at(at).map(|event| story.run.transition(event));
        let without = shown.map(|step| format!(", or if there were no `{step}`")).unwrap_or_default();
        format!("the intruder would stay unsure if `{from}` could also show {sign}, by {example}{elsewhere}{without}")
    }

    fn let_it_lead_elsewhere(self, goal: &Goal, story: &Story) -> String {
        let at = story.at.max(1);
        let sign = self.signs(&story.observation[at - 1..at]);
        let target = story.exposed.names.first().map_or("", |name| name);
        let elsewhere = match goal {
            Goal::Opacity | Goal::Throughout => "a state that is not secret".to_owned(),
            Goal::InitialFinal => "another state".to_owned(),
            Goal::Anonymity { about: Some(_), .. } => "a state of another class".to_owned(),
            Goal::Anonymity { .. } => "a further state".to_owned(),
        };
        let moves = story.step(at).map_or(&[][..], |step| &step.moves);
        match moves {
            [only] => format!(
                "only `{}` shows {sign} here: let another transition that shows {sign} lead to {elsewhere}",
                self.transition(only)
            ),
            _ => format!(
                "every transition that shows {sign} here leads to {}: let one of them lead to {elsewhere}",
                if story.exposed.len() == 1 { format!("`{target}`") } else { self.set(&story.exposed.names) }
            ),
        }
    }
}
