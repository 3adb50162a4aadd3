//! Transitions: every combination of the sets on the sides of an arrow.

use crate::check::context::Context;
use crate::check::deadline;
use crate::check::elaborate::component::{self, ComponentBuilder};
use crate::check::resolve::expand::push;
use crate::check::resolve::sets::{self, Kind};
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::import::{Names, Transition};
use crate::source::Span;
use crate::syntax::ast::{Arrow, Expr, Index, NameKind, Ref, SetExpr};

impl<'w> ComponentBuilder<'w> {
    /// Adds the transitions of one arrow.
    pub fn arrow(&mut self, cx: &mut Context<'w>, arrow: Arrow<'_>) {
        let span = arrow.source.span().to(arrow.target.span());
        let place = component::place(span);
        if let (Some(source), Some(event), Some(target)) = self.plain(cx, arrow) {
            if self.room_for(cx, 1, span) && cx.tick(1, deadline::TRANSITION, span) {
                self.transitions.push(Transition { source, event, target, place });
            }
            return;
        }
        let sources = sets::evaluate(cx, self, Kind::State, arrow.source);
        let events = sets::evaluate(cx, self, Kind::Event, arrow.events);
        let targets = sets::evaluate(cx, self, Kind::State, arrow.target);
        let count =
            [&sources, &events, &targets].iter().fold(1u64, |all, set| all.saturating_mul(set.ids.len() as u64));
        if !self.room_for(cx, count, span) || !cx.spend(count, span) {
            return;
        }
        for &source in &sources.ids {
            for &event in &events.ids {
                let width = targets.ids.len() as u64;
                if !cx.tick(width, deadline::TRANSITION * width, span) {
                    return;
                }
                let leads = |&target: &u32| Transition { source, event, target, place };
                self.transitions.extend(targets.ids.iter().map(leads));
            }
        }
    }

    /// The ids of an arrow between single names: the fast path for almost every arrow of a large file.
    fn plain(&self, cx: &mut Context<'w>, arrow: Arrow<'_>) -> (Option<u32>, Option<u32>, Option<u32>) {
        let mut find = |set: &SetExpr, kind: Kind| match set {
            SetExpr::Ref(reference) => {
                let table = if kind == Kind::State { &self.states } else { &self.events };
                single(cx, reference, &table.names)
            }
            _ => None,
        };
        (find(arrow.source, Kind::State), find(arrow.events, Kind::Event), find(arrow.target, Kind::State))
    }

    fn room_for(&self, cx: &mut Context<'w>, more: u64, at: Span) -> bool {
        let limit = cx.limits.transitions;
        let fits = self.transitions.len() as u64 + more <= limit as u64;
        if !fits && !cx.is_silenced("transitions", "") {
            cx.suppress("transitions", "");
            cx.fault(too_many(&self.owner, more, limit, at));
        }
        fits
    }
}

/// The id of a single name or of one member of a family; `None`: the slow path is needed.
fn single(cx: &mut Context<'_>, reference: &Ref, names: &Names) -> Option<u32> {
    let Some(rest) = &reference.rest else { return names.find(&cx.text(&reference.name)) };
    if rest.member.is_some() || reference.name.kind == NameKind::Quoted {
        return None;
    }
    // `s[12]` is written as it is called, almost always.
    let is_literal = |index: &Index| matches!(index, Index::One(Expr::Integer(_)));
    if rest.indices.as_slice().iter().all(is_literal)
        && let Some(id) = names.find(cx.file.slice(rest.span))
    {
        return Some(id);
    }
    let mut name = std::mem::take(&mut cx.spelled);
    let found = spelled(cx, reference, &mut name).and_then(|()| names.find(&name));
    cx.spelled = name;
    found
}

/// The name of a member of a family whose indices are numbers, bound indices or constants.
fn spelled(cx: &Context<'_>, reference: &Ref, name: &mut String) -> Option<()> {
    name.clear();
    name.push_str(&cx.text(&reference.name));
    for (at, index) in reference.indices().iter().enumerate() {
        let Index::One(value) = index else { return None };
        let value = cx.simple(value)?;
        name.push(if at == 0 { '[' } else { ',' });
        push(name, value);
    }
    name.push(']');
    Some(())
}

fn too_many(owner: &str, more: u64, limit: usize, at: Span) -> Diagnostic {
    Diagnostic::new(
        Code::E0413,
        at,
        format!("{owner} has too many transitions: the limit is {}", wording::grouped(limit as u64)),
    )
    .label(format!("this arrow adds {}", wording::grouped(more)))
    .help("use smaller sets, or raise the limit: `--max-transitions N`")
}
