//! `may hide log cost 3;` and `must hide log;`.

use super::{Lower, skip_word, take};
use crate::syntax::ast::*;
use crate::syntax::grammar::Rule;
use pest::iterators::Pair;

impl Lower<'_> {
    /// A lever, and the `for` or `if` at its end.
    pub(super) fn lever<'i>(&mut self, pair: Pair<'i, Rule>) -> (Lever, Option<Pair<'i, Rule>>) {
        let mut inner = pair.into_inner().peekable();
        let first = inner.next().expect("the grammar promises a word");
        let may = (first.as_rule() == Rule::may_word).then(|| self.span(&first));
        let together = inner.next_if(|pair| pair.as_rule() == Rule::together_word).map(|pair| self.span(&pair));
        let word = self.lever_word(&inner.next().expect("the grammar promises a word"));
        let set = self.set(inner.next().expect("the grammar promises a set"));
        let offer = may.map(|may| Offer { may, together });
        let mut lever = Lever { offer, word, set, label: None, agent: None, from: None, cost: None };
        let mut over = None;
        for pair in inner {
            match pair.as_rule() {
                Rule::label => lever.label = Some(self.reference(take(&mut skip_word(pair)))),
                Rule::agent => lever.agent = Some(self.reference(take(&mut skip_word(pair)))),
                Rule::from => lever.from = Some(self.name(take(&mut skip_word(pair)))),
                Rule::cost => lever.cost = Some(self.cost(pair)),
                _ => over = Some(pair),
            }
        }
        (lever, over)
    }

    fn lever_word(&self, pair: &Pair<'_, Rule>) -> At<LeverWord> {
        let value = match pair.as_rule() {
            Rule::hide_word => LeverWord::Hide,
            Rule::anonymise_word => LeverWord::Anonymise,
            _ => LeverWord::Disable,
        };
        At { value, span: self.span(pair) }
    }

    fn cost(&mut self, pair: Pair<'_, Rule>) -> Cost {
        let span = self.span(&pair);
        Cost { span, value: self.expr(take(&mut skip_word(pair))) }
    }
}
