//! Checks and measures.

use super::Dump;
use crate::syntax::ast::*;
use std::fmt::Write as _;

impl Dump<'_> {
    pub(super) fn check(&self, check: &Check) -> String {
        let title = check.name.map_or(String::new(), |name| format!("{}: ", self.name(name)));
        let not = if check.not.is_some() { "not " } else { "" };
        format!("check {title}{not}{}", self.question(&check.question))
    }

    fn question(&self, question: &Question) -> String {
        match question {
            Question::Property(property) => {
                let horizon = self.horizon(&property.horizon);
                format!("{}{horizon}{}", projection(property.projection), self.subject(&property.subject))
            }
            Question::Estimate { projection: by, at, given, against, expected } => {
                let given = given.as_ref().map_or(String::new(), |given| format!(" given {}", self.observation(given)));
                let (at, against) = (self.observation(at), self.against(*against));
                format!("estimate {}{at}{given}{against} = {}", projection(*by), self.set(expected))
            }
            Question::Projection { projection: by, string, against, expected } => {
                let (string, against) = (self.observation(string), self.against(*against));
                format!("projection {}{string}{against} = {}", projection(*by), self.observation(expected))
            }
            Question::Repair { costs } => {
                let costs = costs.as_ref().map(|costs| format!("costs {}", self.expr(costs)));
                format!("repair {}", costs.as_deref().unwrap_or("impossible"))
            }
        }
    }

    pub(super) fn measure(&self, measure: &Measure) -> String {
        let title = measure.name.map_or(String::new(), |name| format!("{}: ", self.name(name)));
        format!("measure {title}{}{}", projection(measure.projection), self.subject(&measure.subject).trim_start())
    }

    fn horizon(&self, horizon: &Horizon) -> String {
        match &horizon.kind {
            HorizonKind::Steps(count) => format!("{}-step", self.expr(count)),
            HorizonKind::Exactly(count) => format!("exactly {}-step", self.expr(count)),
            HorizonKind::Infinite => "infinite-step".to_owned(),
            HorizonKind::Current => "current-state".to_owned(),
            HorizonKind::Initial => "initial-state".to_owned(),
            HorizonKind::InitialFinal => "initial-final".to_owned(),
        }
    }

    fn subject(&self, subject: &Subject) -> String {
        let mut line = match subject.property.map(|property| property.value) {
            Some(PropertyWord::Anonymity) => " anonymity".to_owned(),
            Some(PropertyWord::Opacity) => " opacity".to_owned(),
            None => String::new(),
        };
        if let Some(of) = &subject.of {
            let to = of.to.as_ref().map_or(String::new(), |to| format!(" -> {}", self.set(to)));
            let _ = write!(line, " of {}{to}", self.set(&of.set));
        }
        if subject.throughout.is_some() {
            line += " throughout";
        }
        if let Some(among) = &subject.among {
            let _ = write!(line, " among {}", self.expr(among));
        }
        if let Some(about) = &subject.about {
            let classes: Vec<String> = about.classes.iter().map(|class| self.set(class)).collect();
            let _ = write!(line, " about {}", classes.join(" | "));
        }
        if let Some(except) = &subject.except {
            let _ = write!(line, " except {}", self.set(except));
        }
        line + &self.against(subject.against)
    }

    fn against(&self, against: Option<Name>) -> String {
        against.map_or(String::new(), |observer| format!(" against {}", self.name(observer)))
    }

    fn observation(&self, observation: &Observation) -> String {
        let signs: Vec<String> = observation.signs.iter().map(|sign| self.sign(sign)).collect();
        format!("[{}]", signs.join(" "))
    }

    fn sign(&self, sign: &Symbol) -> String {
        match sign {
            Symbol::Ref(reference) => self.reference(reference),
            Symbol::Numbered { label, number, .. } => {
                format!("{}#{}", self.reference(label), number.map_or(String::new(), |number| number.to_string()))
            }
            Symbol::Anonymous { number, .. } => {
                format!("?{}", number.map_or(String::new(), |number| number.to_string()))
            }
        }
    }
}

fn projection(projection: Option<At<Projection>>) -> String {
    projection.map_or(String::new(), |projection| format!("{} ", projection.value))
}
