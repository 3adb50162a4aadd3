//! Levers.

use super::Dump;
use crate::syntax::ast::*;

impl Dump<'_> {
    pub(super) fn lever(&self, lever: &Lever) -> String {
        let offer =
            lever.offer.map_or("must ", |offer| if offer.together.is_some() { "may together " } else { "may " });
        let named = |word: &str, name: &Option<Ref>| {
            name.as_ref().map_or(String::new(), |name| format!(" {word} {}", self.reference(name)))
        };
        let (label, agent) = (named("as", &lever.label), named("by", &lever.agent));
        let from = lever.from.map_or(String::new(), |name| format!(" from {}", self.name(name)));
        let cost = lever.cost.as_ref().map_or(String::new(), |cost| format!(" cost {}", self.expr(&cost.value)));
        format!("{offer}{} {}{label}{agent}{from}{cost}", lever.word.value.text(), self.set(&lever.set))
    }
}
