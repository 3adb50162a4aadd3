//! Diagnoses a statement that does not parse, and corrects it.
//!
//! The parser reports how far it got. Each common mistake is a small function that looks at the tokens around that position
//! and proposes a diagnostic and a correction; a correction is accepted if the parser gets further with it. So the quick fixes offered to
//! the user work, a statement with two mistakes gets two diagnostics, and the tree contains the corrected statement.

mod arrows;
mod other_languages;
mod confusables;
mod checks;
mod expected;
pub(super) mod ideas;
pub(super) mod lists;
mod clause_order;
mod delimiters;
mod nesting;
mod observers;
mod ranges;
mod punctuation;
mod keywords;
mod levers;

use super::grammar::{self, Rule, Stop};
use super::patch::{Offsets, Patch};
use super::recover::Context;
use super::token::{Token, TokenKind, tokens};
use crate::diagnostic::{Code, Diagnostic, Edit, Fix};
use crate::source::{FileId, Span};
use std::ops::Range;

/// The context of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The top level.
    File,
    /// In a system, a component, an observer, a `for` or an `if`.
    Block,
}

/// A statement after its correction.
pub(super) struct Corrected<'t> {
    /// Text that parses, possibly empty.
    pub patch: Patch<'t>,
    /// Whether a part of the statement was removed.
    pub broken: bool,
    pub diagnostics: Vec<Diagnostic>,
}

/// The maximal number of corrections of one statement.
const MAX_CORRECTIONS: usize = 16;

/// The maximal size of a statement to correct: each attempt parses it again.
const MAX_TRIED: usize = 16 * 1024;

/// Corrects a text until the rule accepts it, or removes what cannot be corrected.
pub(super) fn correct<'t>(context: Context<'t>, rule: Rule, place: Place, mut patch: Patch<'t>) -> Corrected<'t> {
    let mut diagnostics = Vec::new();
    if let Some(misplaced) = nesting::misplaced(context.id, place, &patch) {
        return Corrected { patch: patch.emptied(), broken: true, diagnostics: vec![misplaced] };
    }
    while diagnostics.len() < MAX_CORRECTIONS {
        if grammar::parse(rule, patch.text()).is_ok() {
            return Corrected { patch, broken: false, diagnostics };
        }
        let failure = Failure::new(context.id, rule, place, &patch);
        let (diagnostic, corrected) = failure.diagnose();
        diagnostics.push(diagnostic);
        match corrected {
            Some(corrected) => patch = corrected,
            None => {
                let cut = failure.whole_statements();
                let patch = patch.truncated(cut);
                let patch = if grammar::parse(rule, patch.text()).is_ok() { patch } else { patch.emptied() };
                return Corrected { patch, broken: true, diagnostics };
            }
        }
    }
    Corrected { patch: patch.emptied(), broken: true, diagnostics }
}

/// A diagnostic, and the edits that correct the text.
pub(super) struct Correction {
    diagnostic: Diagnostic,
    title: String,
    edits: Vec<(Range<usize>, String)>,
}

impl Correction {
    /// A diagnostic without a correction.
    fn certain(diagnostic: Diagnostic) -> Correction {
        Correction { diagnostic, title: String::new(), edits: Vec::new() }
    }

    /// A diagnostic with a correction of one edit.
    fn edit(
        diagnostic: Diagnostic,
        title: impl Into<String>,
        range: Range<usize>,
        text: impl Into<String>,
    ) -> Correction {
        Correction { diagnostic, title: title.into(), edits: vec![(range, text.into())] }
    }
}

/// Recognises one kind of mistake.
type CorrectionRule = fn(&Failure<'_, '_>) -> Option<Correction>;

/// The correction rules, the most specific first.
const RULES: &[CorrectionRule] = &[
    confusables::replaced,
    confusables::look_alike,
    confusables::other_comment,
    ideas::system_parameter,
    ideas::keyword,
    ideas::assignment,
    ideas::in_check,
    ideas::in_transition,
    levers::together_too_late,
    levers::clause_too_late,
    levers::comma_before_cost,
    levers::missing_cost,
    ranges::trailing_for,
    ranges::missing_comma,
    ranges::every,
    ranges::shared_range,
    ranges::colon_after_head,
    ranges::every_index,
    ranges::argument_range,
    observers::agent_before_label,
    observers::missing_name,
    observers::other_preposition,
    observers::comma_before_clause,
    observers::pool_sign,
    observers::pool_in_braces,
    observers::pool_in_check,
    observers::label_number,
    checks::of_what,
    checks::of_too_late,
    checks::missing_of,
    checks::arrow_between_sets,
    checks::adjective,
    clause_order::among_what,
    checks::step_without_hyphen,
    checks::negative_horizon,
    checks::misspelt_state,
    clause_order::one_word,
    other_languages::arithmetic,
    lists::digit_first,
    clause_order::qualifier,
    arrows::guarded,
    punctuation::other_end,
    punctuation::missing_semicolon,
    punctuation::comma_for_semicolon,
    delimiters::declared_set,
    delimiters::range_in_braces,
    delimiters::half_range,
    delimiters::head_in_parentheses,
    delimiters::indices,
    other_languages::not_first,
    other_languages::joined_binders,
    other_languages::operator,
    other_languages::opening_word,
    other_languages::negation,
    other_languages::else_if,
    other_languages::set_operator,
    other_languages::star,
    other_languages::transitions,
    other_languages::marking,
    lists::typed,
    punctuation::assignment,
    lists::nothing_declared,
    punctuation::dot_of_a_part,
    arrows::two_events,
    arrows::spare_tip,
    arrows::fat,
    arrows::spare_dash,
    arrows::half_arrow,
    arrows::leads_nowhere,
    arrows::comes_from_nowhere,
    arrows::backwards,
    arrows::no_arrow,
    arrows::no_event,
    arrows::no_dash,
    other_languages::unintroduced,
    clause_order::expectation,
    clause_order::qualifier_alone,
    clause_order::measured,
    clause_order::not_too_late,
    clause_order::exactly_too_late,
    clause_order::qualifier_too_early,
    clause_order::projection_before_question,
    clause_order::classes,
    clause_order::bare_observation,
    checks::bare_horizon,
    checks::projection_too_late,
    checks::property_too_early,
    checks::two_projections,
    checks::no_horizon,
    lists::trailing_comma,
    lists::comma_in_observation,
    punctuation::parallel_bars,
    punctuation::double_ampersand,
    lists::needless_noun,
    lists::taken_word,
    lists::bare_range,
    lists::bare_path,
    lists::unnamed_part,
    lists::several_labels,
    lists::several_constants,
    lists::fraction,
    delimiters::wrong_kind,
    other_languages::head,
    keywords::misspelt_found,
    keywords::misspelt_head,
    keywords::misspelt_before,
    clause_order::without_check,
    clause_order::title,
    punctuation::single_equals,
    lists::missing_name,
    keywords::unknown_head,
    lists::names_alone,
    levers::missing_change,
    lists::missing_comma,
    punctuation::missing_sign,
    confusables::stray,
];

pub(super) struct Failure<'f, 't> {
    id: FileId,
    rule: Rule,
    place: Place,
    patch: &'f Patch<'t>,
    tokens: Vec<Token>,
    /// The index of the unexpected token; the number of tokens at the end of the text.
    at: usize,
    stop: Stop,
}

impl<'f, 't> Failure<'f, 't> {
    fn new(id: FileId, rule: Rule, place: Place, patch: &'f Patch<'t>) -> Failure<'f, 't> {
        let tokens: Vec<Token> = tokens(patch.text()).filter(|token| !token.kind.is_trivia()).collect();
        let stop = grammar::stop(rule, patch.text()).expect("the text was refused");
        let at = tokens.partition_point(|token| token.end as usize <= stop.at);
        Failure { id, rule, place, patch, tokens, at, stop }
    }

    /// The first rule that applies, with the corrected text; otherwise a list of what was expected.
    fn diagnose(&self) -> (Diagnostic, Option<Patch<'t>>) {
        if self.patch.text().len() <= MAX_TRIED {
            for rule in RULES {
                let Some(correction) = rule(self) else { continue };
                if correction.edits.is_empty() {
                    return (correction.diagnostic, None);
                }
                if let Some(corrected) = self.attempt(&correction) {
                    return (self.with_fix(correction), Some(corrected));
                }
            }
        }
        (expected::unexpected(self), None)
    }

    /// The edited text, if the parser gets further with it.
    fn attempt(&self, correction: &Correction) -> Option<Patch<'t>> {
        let mut patch = self.patch.clone();
        let mut edits: Vec<_> = correction.edits.iter().collect();
        // WHY: an edit moves whatever stands after it.
        edits.sort_by_key(|(range, _)| range.start);
        for (range, text) in edits.into_iter().rev() {
            patch = patch.with(range.clone(), text)?;
        }
        let Some(stop) = grammar::stop(self.rule, patch.text()) else { return Some(patch) };
        let (last, text) = correction.edits.iter().max_by_key(|(range, _)| range.end)?;
        let next = self.tokens.partition_point(|token| (token.start as usize) < last.end).max(self.at);
        let goal = self.tokens.get(next).map_or(0, |token| self.patch.text().len() - token.start as usize);
        let stopped = tokens(patch.text()).find(|token| !token.kind.is_trivia() && token.end as usize > stop.at);
        let left = stopped.map_or(0, |token| patch.text().len() - token.start as usize);
        // What was put in the place of the unexpected token has been taken: that is further than before.
        let replaced = next > self.at && !text.trim().is_empty();
        (left < goal || replaced && left == goal).then_some(patch)
    }

    fn with_fix(&self, correction: Correction) -> Diagnostic {
        let edits = correction.edits.into_iter().map(|(range, text)| Edit { span: self.span_of(range), text });
        let mut diagnostic = correction.diagnostic;
        diagnostic.fixes.push(Fix { title: correction.title, edits: edits.collect() });
        diagnostic
    }

    /// The end of the last complete statement before the failure.
    fn whole_statements(&self) -> usize {
        let before = self.tokens[..self.at].iter().rev();
        before.into_iter().find(|token| token.kind == TokenKind::Semicolon).map_or(0, |token| token.end as usize)
    }

    /// The unexpected token.
    fn found(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn found_of(&self, kind: TokenKind) -> Option<Token> {
        self.found().filter(|found| found.kind == kind)
    }

    /// The unexpected token, if it can start a name.
    fn found_names(&self) -> Option<Token> {
        self.found().filter(|found| found.kind.is_name() || found.kind == TokenKind::BraceOpen)
    }

    /// The token at a distance from the unexpected one.
    fn near(&self, distance: isize) -> Option<Token> {
        self.at.checked_add_signed(distance).and_then(|at| self.tokens.get(at)).copied()
    }

    fn kind(&self, distance: isize) -> Option<TokenKind> {
        self.near(distance).map(|token| token.kind)
    }

    /// The text of such a token, or an empty string.
    fn word(&self, distance: isize) -> &str {
        self.near(distance).map_or("", |token| token.text(self.patch.text()))
    }

    fn head_at(&self) -> usize {
        let before = &self.tokens[..self.at.min(self.tokens.len())];
        before.iter().rposition(|token| token.kind == TokenKind::Semicolon).map_or(0, |at| at + 1)
    }

    fn head(&self) -> &str {
        self.tokens.get(self.head_at()).map_or("", |token| token.text(self.patch.text()))
    }

    /// The number of accepted tokens of the statement.
    fn taken(&self) -> usize {
        self.at - self.head_at()
    }

    /// Whether a word is among the accepted tokens of the statement.
    fn has_taken(&self, word: &str) -> bool {
        self.tokens[self.head_at()..self.at].iter().any(|token| token.text(self.patch.text()) == word)
    }

    /// Whether the parser expected this.
    fn expects(&self, word: &str) -> bool {
        self.stop.expected.contains(word)
    }

    /// Whether the unexpected token is the first of its line, or there is none.
    fn on_new_line(&self) -> bool {
        let (Some(previous), Some(found)) = (self.near(-1), self.found()) else { return true };
        self.patch.text()[previous.end as usize..found.start as usize].contains('\n')
    }

    /// Whether the previous token ends a state, an event or a number.
    fn after_operand(&self) -> bool {
        use TokenKind::*;
        self.kind(-1)
            .is_some_and(|kind| kind.is_name() || matches!(kind, BraceClose | ParenClose | BracketClose | Symbol))
    }

    fn span_of(&self, range: Range<usize>) -> Span {
        let offsets = Offsets::Patched(self.patch);
        let start = offsets.original(range.start);
        Span::new(self.id, start, offsets.original_end(range.end).max(start))
    }

    fn span(&self, token: Token) -> Span {
        self.span_of(range(token))
    }

    /// The position just after the previous token, where a token is missing.
    fn gap(&self) -> Range<usize> {
        let at = self.near(-1).map_or(0, |token| token.end as usize);
        at..at
    }

    /// A diagnostic at the unexpected token, or at the end of the text.
    fn fault(&self, code: Code, message: impl Into<String>) -> Diagnostic {
        let span = self.found().map_or_else(|| self.span_of(self.gap()), |found| self.span(found));
        Diagnostic::new(code, span, message)
    }

    /// A diagnostic for a missing symbol after the previous token.
    fn missing(&self, code: Code, sign: &str) -> Diagnostic {
        Diagnostic::new(code, self.span_of(self.gap()), format!("`{sign}` is missing"))
            .label(format!("expected `{sign}`"))
    }
}

fn range(token: Token) -> Range<usize> {
    token.start as usize..token.end as usize
}
