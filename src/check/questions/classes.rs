//! `about ...`: the classes of states that must stay ambiguous.

use crate::check::context::Context;
use crate::check::resolve::sets::{self, Kind};
use crate::check::scope::{Body, SystemScope};
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{ClassId, Classes};
use crate::source::Span;
use crate::syntax::ast::{About, SetExpr};

/// The classes of `about`; `None` after errors.
pub(in crate::check) fn read(cx: &mut Context<'_>, system: &SystemScope<'_, '_>, about: &About) -> Option<Classes> {
    let n_states = system.automaton.n_states();
    if !cx.spend(n_states as u64, about.span) || !cx.tick(0, 4 * n_states as u64, about.span) {
        return None;
    }
    if let (Body::Composed(composed), [SetExpr::Ref(reference)]) = (&system.body, &about.classes[..])
        && let Some(components) = composed.part(cx, reference)
    {
        return composed.classes(cx, &components, about.span);
    }
    const NONE: u32 = u32::MAX;
    let mut of = vec![ClassId(NONE); n_states];
    let mut names: Vec<String> = Vec::new();
    let mut sound = true;
    for (at, class) in about.classes.iter().enumerate() {
        let set = sets::evaluate(cx, system, Kind::State, class);
        sound &= set.sound;
        for state in set.ids {
            let slot = &mut of[state as usize];
            if slot.0 == NONE {
                *slot = ClassId::from_index(at);
            } else if sound {
                let name = system.state_name(state);
                let fault = overlap(&name, class.span(), about.classes[slot.index()].span());
                cx.fault(fault);
                sound = false;
            }
        }
        names.push(wording::folded(cx.file.slice(class.span())));
    }
    let others = ClassId::from_index(names.len());
    let mut any_other = false;
    for slot in of.iter_mut().filter(|slot| slot.0 == NONE) {
        *slot = others;
        any_other = true;
    }
    if any_other {
        names.push("the other states".to_owned());
    }
    sound.then_some(Classes { of, names, subject: None })
}

fn overlap(state: &str, at: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::E0504, at, format!("the classes overlap: `{state}` is in two of them"))
        .label("in this class")
        .also(first, "and in this one")
        .help("a state belongs to one class: remove it from one of them")
}
