//! Warnings about the transitions of one body: repeated ones, and lists that join two of them.

use crate::check::context::Context;
use crate::diagnostic::{Code, Diagnostic};
use crate::import::{Place, Transition};
use crate::source::{FileId, Span};
use crate::syntax::ast::{SetExpr, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};

/// The maximal number of warnings of one kind in one body.
const SHOWN: usize = 20;

/// Repeated transitions: arrows of which every transition has an earlier duplicate. The transitions are sorted,
/// equal ones by position.
pub(in crate::check) fn repeats(cx: &mut Context<'_>, transitions: &[Transition], body: &[Stmt], file: FileId) {
    let alike = |a: &Transition, b: &Transition| (a.source, a.event, a.target) == (b.source, b.event, b.target);
    let key = |place: Place| (place.start, place.end);
    let mut again: FxHashMap<(u32, u32), Place> = FxHashMap::default();
    for pair in transitions.windows(2).filter(|pair| alike(&pair[0], &pair[1])) {
        if pair[0].place != pair[1].place {
            again.entry(key(pair[1].place)).or_insert(pair[0].place);
        }
    }
    let whole = body.first().zip(body.last()).map(|(first, last)| first.span.to(last.span));
    if again.is_empty() || whole.is_some_and(|whole| cx.faults.any_within(whole)) {
        return;
    }
    let is_first = |at: &usize| *at == 0 || !alike(&transitions[at - 1], &transitions[*at]);
    let fresh: FxHashSet<(u32, u32)> =
        (0..transitions.len()).filter(is_first).map(|at| key(transitions[at].place)).collect();
    let mut found: Vec<_> = again.into_iter().filter(|(place, _)| !fresh.contains(place)).collect();
    found.sort_unstable_by_key(|(place, _)| *place);
    for ((start, end), earlier) in found.into_iter().take(SHOWN) {
        cx.fault(repeated(Span::new(file, start, end), earlier.span(file)));
    }
}

/// `A -a-> B,` and `C -b-> D;` on the next line: the comma joins two transitions to one chain.
pub(in crate::check) fn over_a_line(cx: &mut Context<'_>, between: &SetExpr) {
    let SetExpr::List(list) = between else { return };
    let written = cx.file.slice(list.span);
    if !written.contains('\n') {
        return;
    }
    let before = &cx.file.text()[..list.span.start as usize];
    let indent = indent(&before[before.rfind('\n').map_or(0, |at| at + 1)..]);
    // A list that is meant to go on is indented further.
    let line_end = written.match_indices('\n').map(|(at, _)| at).find(|at| self::indent(&written[at + 1..]) <= indent);
    if let Some(line_end) = line_end {
        let first = list.items.iter().rev().find(|item| item.span().end <= list.span.start + line_end as u32);
        let comma = first.map_or(list.span, |item| item.span().after());
        cx.fault(list_over_a_line(list.span, comma));
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

fn list_over_a_line(list: Span, comma: Span) -> Diagnostic {
    Diagnostic::new(Code::W0407, list, "a list of states between two arrows spans two lines")
        .label("target of the first arrow and source of the second")
        .also(comma, "does a transition end here?")
        .help("if so, write `;` here; if not, put the list in braces: `{A, B}`")
        .fix("end the transition with `;`", Span { end: comma.start + 1, ..comma }, ";")
}

fn repeated(at: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::W0404, at, "this transition is repeated")
        .label("repeated here")
        .also(first, "first written here")
        .help("remove it, or change its target")
}
