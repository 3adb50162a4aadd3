//! The observers of a system: its own sets, and every `observer`.

use crate::automaton::view::{Observability, Observer};
use crate::check::context::{Bindings, Context};
use crate::check::elaborate::component::misplaced;
use crate::check::observe::observability::{self, ObservabilityDecls, Seen};
use crate::check::observe::pools;
use crate::check::resolve::sets::{Kind, Scope, difference};
use crate::check::scope::{SystemScope, visible};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::NamedObserver;
use crate::source::Span;
use crate::syntax::ast::{self, Builtin, Ref, Stmt, StmtKind};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Reads an `observer`. After errors `None`; its name stays known.
pub(in crate::check) fn read<'w>(
    cx: &mut Context<'w>,
    system: &SystemScope<'_, 'w>,
    own: &Observer,
    written: &'w ast::Observer,
    bindings: &Bindings<'w>,
) -> (NamedObserver, bool) {
    let name = cx.text(&written.name).into_owned();
    let owner = format!("observer `{name}`");
    let outer = std::mem::replace(&mut cx.bindings, bindings.clone());
    let mut decls = ObservabilityDecls::default();
    cx.walk(&written.body, &mut |cx, stmt| {
        let scope = Inside { system, own, decls: &decls };
        match observability::declaration(cx, &scope, stmt) {
            Some(declaration) => decls.take(cx, declaration),
            None => cx.fault(misplaced(stmt, &owner)),
        }
    });
    cx.bindings = outer;
    decls.settle();
    let seen = observability::observer(cx, &decls, system.events(), &visible(own));
    let sound = seen.is_some();
    let Seen { observer, labels, agents } = seen.unwrap_or_else(|| blind(own));
    (NamedObserver { name: Some(name), span: written.name.span, observer, labels, agents, members: Vec::new() }, sound)
}

pub(in crate::check) fn blind(own: &Observer) -> Seen {
    Seen::plain(vec![Observability::Silent; own.observabilities().len()])
}

/// The scope of an observer: its own sets once declared, else those of the system.
struct Inside<'a, 'w> {
    system: &'a SystemScope<'a, 'w>,
    own: &'a Observer,
    decls: &'a ObservabilityDecls,
}

impl Scope for Inside<'_, '_> {
    fn reference(&self, cx: &mut Context<'_>, kind: Kind, reference: &Ref, out: &mut Vec<u32>) -> bool {
        self.system.reference(cx, kind, reference, out)
    }

    fn builtin(&self, word: Builtin) -> Vec<u32> {
        let events = self.system.events().len();
        let ids = |wanted: &dyn Fn(Observability) -> bool| -> Vec<u32> {
            (0..events).filter(|&id| wanted(self.own.observabilities()[id as usize])).collect()
        };
        let observable = || {
            if self.decls.is_silent() {
                ids(&|observability| observability != Observability::Silent)
            } else {
                self.decls.observable(events)
            }
        };
        match word {
            Builtin::Observable => observable(),
            Builtin::Unobservable => difference(&(0..events).collect::<Vec<_>>(), &observable()),
            Builtin::Anonymous if self.decls.anonymous => self.decls.anonymous(),
            Builtin::Anonymous => ids(&|observability| matches!(observability, Observability::Anonymous(_))),
            _ => self.system.builtin(word),
        }
    }
}

/// The observers of a system.
pub(in crate::check) struct Observers {
    pub all: Vec<NamedObserver>,
    /// Whether each has no errors.
    pub sound: Vec<bool>,
    /// Whether each is a member of a pool.
    pub pooled: Vec<bool>,
}

/// The observers of a system with their declarations; repeated names are reported.
pub(in crate::check) fn all<'w>(
    cx: &mut Context<'w>,
    system: &SystemScope<'_, 'w>,
    own: (NamedObserver, bool),
    deferred: &[(&'w Stmt, Bindings<'w>)],
) -> Observers {
    let mut observers = Observers { all: vec![own.0], sound: vec![own.1], pooled: vec![false] };
    let mut known: FxHashMap<Cow<'w, str>, Span> = FxHashMap::default();
    let later = |stmt: &'w Stmt| match &stmt.kind {
        StmtKind::Observer(observer) => Some(&observer.name),
        _ => None,
    };
    for (stmt, bindings) in deferred {
        let StmtKind::Observer(written) = &stmt.kind else { continue };
        let name = cx.text(&written.name);
        if let Some(&first) = known.get(&name) {
            cx.fault(observer_twice(&name, written.name.span, first));
            continue;
        }
        // WHY: each observer has an opinion on each event.
        let n_events = u64::from(system.events().len());
        if !cx.tick(
            1 + n_events / 8,
            size_of::<NamedObserver>() as u64 + size_of::<Observability>() as u64 * n_events,
            stmt.span,
        ) {
            break;
        }
        known.insert(name, written.name.span);
        let (observer, is_sound) = if written.pooled.is_empty() {
            read(cx, system, &observers.all[0].observer, written, bindings)
        } else {
            let declared: Vec<&ast::Name> = deferred.iter().filter_map(|(stmt, _)| later(stmt)).collect();
            pools::read(cx, system.events(), &mut observers, &declared, written)
        };
        observers.all.push(observer);
        observers.pooled.push(false);
        let is_sound = is_sound && observers.sound[0];
        observers.sound.push(is_sound);
    }
    observers
}

fn observer_twice(name: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::E0203, again, format!("the observer `{name}` is declared twice"))
        .label("declared again here")
        .also(first, "first declared here")
        .help("give one of them another name")
}
