//! What a check asks of a composition, by the states of its parts.
//!
//! The question was read before, as of any system, so its faults are told; here the same text is read by the states of parts.

use crate::check::context::Context;
use crate::check::elaborate::part_sets::PartScope;
use crate::check::wording;
use crate::model::Property;
use crate::model::of_parts::{ClassesOfParts, PartSet, PropertyOfParts};
use crate::source::Span;
use crate::syntax::ast::{About, Of, SetExpr, Subject};
use std::sync::Arc;

/// The property by the states of parts. None: no combination of such states is known for one of its sets.
pub(super) fn property(
    cx: &mut Context<'_>,
    scope: PartScope<'_, '_>,
    (subject, at): (&Subject, Span),
    read: &Property,
) -> Option<Arc<PropertyOfParts>> {
    let property = match read {
        Property::Anonymity { among, .. } => PropertyOfParts::Anonymity {
            among: *among,
            classes: optional(subject.about.as_ref(), |about| classes(cx, scope, about))?,
            except: optional(subject.except.as_ref(), |set| scope.set(cx, set))?,
        },
        Property::Opacity { .. } => PropertyOfParts::Opacity { secret: hidden(cx, scope, subject)? },
        Property::Throughout { .. } => PropertyOfParts::Throughout { secret: hidden(cx, scope, subject)? },
        Property::InitialFinal { .. } => {
            let Some(Of { set, to: Some(to) }) = &subject.of else { return None };
            PropertyOfParts::InitialFinal { from: scope.set(cx, set)?, to: scope.set(cx, to)? }
        }
        Property::OfParts(known) => return Some(Arc::clone(known)),
    };
    let size = property.size();
    cx.tick(1 + size / 16, 16 * size, at).then(|| Arc::new(property))
}

/// What is said, if anything is; the outer none: it is not known by parts.
fn optional<T, S>(said: Option<&S>, known: impl FnOnce(&S) -> Option<T>) -> Option<Option<T>> {
    said.map_or(Some(None), |said| known(said).map(Some))
}

fn hidden(cx: &mut Context<'_>, scope: PartScope<'_, '_>, subject: &Subject) -> Option<PartSet> {
    match &subject.of {
        Some(of) => scope.set(cx, &of.set),
        None => scope.secret.cloned(),
    }
}

fn classes(cx: &mut Context<'_>, scope: PartScope<'_, '_>, about: &About) -> Option<ClassesOfParts> {
    if let [SetExpr::Ref(reference)] = &about.classes[..]
        && let Some(parts) = scope.composed.part(cx, reference)
    {
        return Some(ClassesOfParts::By(parts, wording::folded(cx.file.slice(about.span))));
    }
    let class = |class: &SetExpr| Some((scope.set(cx, class)?, wording::folded(cx.file.slice(class.span()))));
    about.classes.iter().map(class).collect::<Option<_>>().map(ClassesOfParts::Sets)
}
