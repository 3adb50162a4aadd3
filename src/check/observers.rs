//! The observers of a system: its own sets, and every `observer`.

use super::context::{Bindings, Context};
use super::leaf::misplaced;
use super::sets::{Kind, Scope, difference};
use super::sights::{self, Said, Seen};
use super::system::Ground;
use crate::automaton::view::{Observer, Sight};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::NamedObserver;
use crate::source::Span;
use crate::syntax::ast::{self, Builtin, Ref, Stmt, StmtKind};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Reads an `observer`. After errors `None`; its name stays known.
pub(super) fn read<'w>(
    cx: &mut Context<'w>,
    ground: &Ground<'_, 'w>,
    own: &Observer,
    written: &'w ast::Observer,
    bindings: &Bindings<'w>,
) -> (NamedObserver, bool) {
    let name = cx.text(&written.name).into_owned();
    let owner = format!("observer `{name}`");
    let outer = std::mem::replace(&mut cx.bindings, bindings.clone());
    let mut said = Said::default();
    cx.walk(&written.body, &mut |cx, stmt| {
        let scope = Inside { ground, own, said: &said };
        match sights::hear(cx, &scope, stmt) {
            Some(saying) => said.take(cx, saying),
            None => cx.fault(misplaced(stmt, &owner)),
        }
    });
    cx.bindings = outer;
    said.settle();
    let seen = sights::observer(cx, &said, ground.events(), &visible(own));
    let sound = seen.is_some();
    let (observer, labels) = seen.unwrap_or_else(|| blind(own));
    (NamedObserver { name: Some(name), span: written.name.span, observer, labels }, sound)
}

pub(super) fn visible(observer: &Observer) -> Vec<bool> {
    observer.sights().iter().map(|sight| *sight != Sight::Silent).collect()
}

fn blind(own: &Observer) -> Seen {
    (Observer::new(vec![Sight::Silent; own.sights().len()]), Vec::new())
}

/// The scope of an observer: its own sets once declared, else those of the system.
struct Inside<'a, 'w> {
    ground: &'a Ground<'a, 'w>,
    own: &'a Observer,
    said: &'a Said,
}

impl Scope for Inside<'_, '_> {
    fn reference(&self, cx: &mut Context<'_>, kind: Kind, reference: &Ref, out: &mut Vec<u32>) -> bool {
        self.ground.reference(cx, kind, reference, out)
    }

    fn builtin(&self, word: Builtin) -> Vec<u32> {
        let events = self.ground.events().len();
        let ids = |wanted: &dyn Fn(Sight) -> bool| -> Vec<u32> {
            (0..events).filter(|&id| wanted(self.own.sights()[id as usize])).collect()
        };
        let observable =
            || if self.said.is_silent() { ids(&|sight| sight != Sight::Silent) } else { self.said.observable(events) };
        match word {
            Builtin::Observable => observable(),
            Builtin::Unobservable => difference(&(0..events).collect::<Vec<_>>(), &observable()),
            Builtin::Anonymous if self.said.anonymous => self.said.anonymous(),
            Builtin::Anonymous => ids(&|sight| matches!(sight, Sight::Anonymous(_))),
            _ => self.ground.builtin(word),
        }
    }
}

/// The observers of a system with their declarations; repeated names are reported.
pub(super) fn all<'w>(
    cx: &mut Context<'w>,
    ground: &Ground<'_, 'w>,
    own: (NamedObserver, bool),
    deferred: &[(&'w Stmt, Bindings<'w>)],
) -> (Vec<NamedObserver>, Vec<bool>) {
    let (mut observers, mut sound) = (vec![own.0], vec![own.1]);
    let mut known: FxHashMap<Cow<'w, str>, Span> = FxHashMap::default();
    for (stmt, bindings) in deferred {
        let StmtKind::Observer(written) = &stmt.kind else { continue };
        let name = cx.text(&written.name);
        if let Some(&first) = known.get(&name) {
            cx.fault(observer_twice(&name, written.name.span, first));
            continue;
        }
        // WHY: each observer has an opinion on each event.
        let n_events = u64::from(ground.events().len());
        if !cx.tick(
            1 + n_events / 8,
            size_of::<NamedObserver>() as u64 + size_of::<Sight>() as u64 * n_events,
            stmt.span,
        ) {
            break;
        }
        known.insert(name, written.name.span);
        let (observer, is_sound) = read(cx, ground, &observers[0].observer, written, bindings);
        observers.push(observer);
        sound.push(is_sound && sound[0]);
    }
    (observers, sound)
}

fn observer_twice(name: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::E0203, again, format!("the observer `{name}` is declared twice"))
        .label("declared again here")
        .also(first, "first declared here")
        .help("give one of them another name")
}
