//! Checks, measures, horizons, observations.

use super::{Lower, skip_word, take};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::grammar::Rule;
use pest::iterators::{Pair, Pairs};

impl Lower<'_> {
    pub(super) fn check(&mut self, inner: Pairs<'_, Rule>) -> Check {
        let (mut name, mut not) = (None, None);
        for pair in inner {
            match pair.as_rule() {
                Rule::title => name = Some(self.name(take(&mut pair.into_inner()))),
                Rule::not_word => not = Some(self.span(&pair)),
                _ => return Check { name, not, question: self.question(pair) },
            }
        }
        unreachable!("the grammar promises a question")
    }

    fn question(&mut self, pair: Pair<'_, Rule>) -> Question {
        match pair.as_rule() {
            Rule::ask_estimate => self.ask_estimate(skip_word(pair)),
            Rule::ask_projection => self.ask_projection(skip_word(pair)),
            Rule::ask_repair => self.ask_repair(take(&mut skip_word(pair))),
            _ => Question::Property(self.property(pair.into_inner())),
        }
    }

    fn ask_estimate(&mut self, inner: Pairs<'_, Rule>) -> Question {
        let (mut projection, mut at, mut given, mut against, mut expected) = (None, None, None, None, None);
        for pair in inner {
            match pair.as_rule() {
                Rule::projection => projection = Some(self.projection(&pair)),
                Rule::observation => at = Some(self.observation(pair)),
                Rule::given => given = Some(self.observation(take(&mut skip_word(pair)))),
                Rule::against => self.against(pair, &mut against),
                _ => expected = Some(self.set(pair)),
            }
        }
        let (at, expected) = at.zip(expected).expect("the grammar promises both");
        Question::Estimate { projection, at, given, against, expected }
    }

    fn ask_projection(&mut self, inner: Pairs<'_, Rule>) -> Question {
        let (mut projection, mut strings, mut against) = (None, Vec::with_capacity(2), None);
        for pair in inner {
            match pair.as_rule() {
                Rule::projection => projection = Some(self.projection(&pair)),
                Rule::against => self.against(pair, &mut against),
                _ => strings.push(self.observation(pair)),
            }
        }
        let expected = strings.pop().expect("the grammar promises two");
        let string = strings.pop().expect("the grammar promises two");
        Question::Projection { projection, string, against, expected }
    }

    /// `costs 3` or `impossible`.
    fn ask_repair(&mut self, pair: Pair<'_, Rule>) -> Question {
        let costs = match pair.as_rule() {
            Rule::costs => Some(self.expr(take(&mut skip_word(pair)))),
            _ => None,
        };
        Question::Repair { costs }
    }

    fn property(&mut self, inner: Pairs<'_, Rule>) -> Property {
        let (mut projection, mut horizon, mut subject) = (None, None, Subject::default());
        for pair in inner {
            match pair.as_rule() {
                Rule::projection => projection = Some(self.projection(&pair)),
                Rule::infinite_step
                | Rule::current_state
                | Rule::initial_state
                | Rule::initial_final
                | Rule::exactly
                | Rule::steps => {
                    horizon = Some(self.horizon(pair));
                }
                _ => self.subject(pair, &mut subject),
            }
        }
        Property { projection, horizon: horizon.expect("the grammar promises a horizon"), subject }
    }

    pub(super) fn measure(&mut self, inner: Pairs<'_, Rule>) -> Measure {
        let mut measure = Measure { name: None, projection: None, subject: Subject::default() };
        for pair in inner {
            match pair.as_rule() {
                Rule::title => measure.name = Some(self.name(take(&mut pair.into_inner()))),
                Rule::projection => measure.projection = Some(self.projection(&pair)),
                _ => self.subject(pair, &mut measure.subject),
            }
        }
        measure
    }

    /// One of `anonymity`, `opacity`, `of`, `throughout`, `except`, `among`, `about`, `against`; each at most once.
    fn subject(&mut self, pair: Pair<'_, Rule>, subject: &mut Subject) {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::property_word => {
                let value = if pair.as_str() == "opacity" { PropertyWord::Opacity } else { PropertyWord::Anonymity };
                subject.property = Some(At { value, span });
            }
            Rule::of => {
                let mut inner = skip_word(pair);
                let set = self.set(take(&mut inner));
                subject.of = Some(Of { set, to: inner.next().map(|to| self.set(to)) });
            }
            Rule::throughout => {
                let earlier = subject.throughout.replace(span);
                self.once("throughout", span, earlier);
            }
            Rule::except => {
                let except = self.set(take(&mut skip_word(pair)));
                let earlier = subject.except.replace(except).map(|earlier| earlier.span());
                self.once("except", span, earlier);
            }
            Rule::among => {
                let count = self.expr(take(&mut skip_word(pair)));
                let earlier = subject.among.replace(count).map(|earlier| earlier.span());
                self.once("among", span, earlier);
            }
            Rule::about => {
                let about = self.about(skip_word(pair));
                let earlier = subject.about.replace(about).map(|earlier| earlier.span);
                self.once("about", span, earlier);
            }
            _ => self.against(pair, &mut subject.against),
        }
    }

    fn against(&mut self, pair: Pair<'_, Rule>, against: &mut Option<Name>) {
        let span = self.span(&pair);
        let observer = self.name(take(&mut skip_word(pair)));
        let earlier = against.replace(observer).map(|earlier| earlier.span);
        self.once("against", span, earlier);
    }

    fn once(&mut self, word: &str, span: Span, earlier: Option<Span>) {
        if let Some(earlier) = earlier {
            self.diagnostics.push(given_twice(word, span, earlier));
        }
    }

    fn about(&mut self, inner: Pairs<'_, Rule>) -> About {
        let classes = inner.filter(|pair| pair.as_rule() == Rule::class).map(|class| self.class(class));
        let classes: Vec<SetExpr> = classes.collect();
        let span = classes[0].span().to(classes[classes.len() - 1].span());
        About { span, classes }
    }

    fn horizon(&mut self, pair: Pair<'_, Rule>) -> Horizon {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::infinite_step => HorizonKind::Infinite,
            Rule::current_state => HorizonKind::Current,
            Rule::initial_state => HorizonKind::Initial,
            Rule::initial_final => HorizonKind::InitialFinal,
            Rule::exactly => HorizonKind::Exactly(self.expr(take(&mut skip_word(pair)))),
            _ => HorizonKind::Steps(self.expr(take(&mut pair.into_inner()))),
        };
        Horizon { span, kind }
    }

    fn projection(&self, pair: &Pair<'_, Rule>) -> At<Projection> {
        let value = match pair.as_str() {
            "strong" => Projection::Strong,
            "weak" => Projection::Weak,
            _ => Projection::Natural,
        };
        At { value, span: self.span(pair) }
    }

    fn observation(&mut self, pair: Pair<'_, Rule>) -> Observation {
        let span = self.span(&pair);
        let signs = pair.into_inner().map(|sign| self.sign(sign)).collect();
        Observation { span, signs }
    }

    fn sign(&mut self, pair: Pair<'_, Rule>) -> Symbol {
        if pair.as_rule() == Rule::reference {
            return Symbol::Ref(self.reference(pair));
        }
        let span = self.span(&pair);
        if pair.as_rule() == Rule::numbered {
            let mut inner = pair.into_inner();
            let label = self.reference(take(&mut inner));
            let number = self.number(take(&mut inner).as_str(), span);
            return Symbol::Numbered { span, label, number };
        }
        let digits: String = pair.as_str().chars().skip(1).filter_map(digit_of).collect();
        Symbol::Anonymous { span, number: self.number(&digits, span) }
    }

    /// The number of a label; a fault if it does not fit.
    fn number(&mut self, digits: &str, span: Span) -> Option<u32> {
        let number = digits.parse::<u32>().ok();
        if number.is_none() && !digits.is_empty() {
            self.broken = true;
            self.diagnostics.push(number_too_large(span));
        }
        number
    }
}

/// A digit, also as a subscript.
fn digit_of(character: char) -> Option<char> {
    match character {
        '₀'..='₉' => char::from_digit(character as u32 - '₀' as u32, 10),
        digit => digit.is_ascii_digit().then_some(digit),
    }
}

fn given_twice(word: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::E0118, again, format!("`{word}` appears twice in one check"))
        .label("repeated here")
        .also(first, "first written here")
        .help(format!("keep one `{word}`, or write two checks"))
        .fix(format!("remove this `{word}`"), again, "")
}

fn number_too_large(span: Span) -> Diagnostic {
    Diagnostic::new(Code::E0117, span, "the number of this label is too large")
        .label("larger than any number of events")
        .help("write the order of first appearance: `?1`, `?2`, ...")
}
