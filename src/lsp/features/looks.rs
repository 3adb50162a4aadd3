//! Colours, folding, growing selections, links.

use crate::lsp::dispatch::Answer;
use crate::lsp::server::Server;
use crate::lsp::{to_proto, uri};
use desc::ide::Document;
use desc::ide::shape::{self, FoldKind};
use desc::ide::tokens;
use desc::source::Span;
use gen_lsp_types::*;
use std::path::Path;

/// The colours of a file.
pub fn colours(server: &mut Server, params: SemanticTokensParams) -> Answer<Option<SemanticTokens>> {
    let uri = params.text_document.uri;
    let Some(numbers) = numbers(server, &uri, None) else { return Ok(None) };
    let id = remember(server, uri, numbers.clone());
    Ok(Some(semantic_tokens(Some(id), &numbers)))
}

/// What changed in the colours of a file.
pub fn colours_changed(
    server: &mut Server,
    params: SemanticTokensDeltaParams,
) -> Answer<Option<SemanticTokensDeltaResponse>> {
    let uri = params.text_document.uri;
    let Some(now) = numbers(server, &uri, None) else { return Ok(None) };
    let before = server.coloured.remove(&uri);
    let next = before.as_ref().map_or(0, |(id, _)| *id);
    let known = before.filter(|(id, _)| id.to_string() == params.previous_result_id).map(|(_, numbers)| numbers);
    server.coloured.insert(uri.clone(), (next, Vec::new()));
    let id = Some(remember(server, uri, now.clone()));
    Ok(Some(match known {
        None => SemanticTokensDeltaResponse::SemanticTokens(semantic_tokens(id, &now)),
        Some(before) => SemanticTokensDeltaResponse::SemanticTokensDelta(SemanticTokensDelta {
            result_id: id,
            edits: difference(&before, &now).into_iter().collect(),
        }),
    }))
}

/// The colours of a part of a file.
pub fn colours_within(server: &mut Server, params: SemanticTokensRangeParams) -> Answer<Option<SemanticTokens>> {
    let numbers = numbers(server, &params.text_document.uri, Some(params.range));
    Ok(numbers.map(|numbers| semantic_tokens(None, &numbers)))
}

fn numbers(server: &mut Server, uri: &Uri, within: Option<Range>) -> Option<Vec<u32>> {
    let document = server.document(uri)?;
    // A model of an older text would colour names by what they were.
    let version = server.documents.get(uri).map(|open| open.version);
    let found = server.background.found(uri).filter(|found| Some(found.unit.version) == version);
    let model = found.as_ref().and_then(|found| found.unit.model.as_ref());
    let mut coloured = tokens::tokens(&document, model);
    if let Some(range) = within {
        let (start, end) =
            (server.encoding.offset(document.file(), range.start), server.encoding.offset(document.file(), range.end));
        coloured.retain(|found| start <= found.span.end && found.span.start <= end);
    }
    Some(to_proto::colours(document.file(), &coloured, server.encoding))
}

/// Keeps what was sent, under the next number.
fn remember(server: &mut Server, uri: Uri, numbers: Vec<u32>) -> String {
    let next = server.coloured.get(&uri).map_or(0, |(id, _)| id.wrapping_add(1));
    server.coloured.insert(uri, (next, numbers));
    next.to_string()
}

fn semantic_tokens(result_id: Option<String>, numbers: &[u32]) -> SemanticTokens {
    let token = |five: &[u32]| SemanticToken {
        delta_line: five[0],
        delta_start: five[1],
        length: five[2],
        token_type: five[3],
        token_modifiers_bitset: five[4],
    };
    SemanticTokens { result_id, data: numbers.chunks_exact(5).map(token).collect() }
}

/// One edit from the first difference to the last.
fn difference(before: &[u32], now: &[u32]) -> Option<SemanticTokensEdit> {
    let same = before.iter().zip(now).take_while(|(one, other)| one == other).count();
    let (before_rest, now_rest) = (&before[same..], &now[same..]);
    if before_rest.is_empty() && now_rest.is_empty() {
        return None;
    }
    let tail = before_rest.iter().rev().zip(now_rest.iter().rev()).take_while(|(one, other)| one == other).count();
    let data = now_rest[..now_rest.len() - tail].to_vec();
    Some(SemanticTokensEdit {
        start: same as u32,
        delete_count: (before_rest.len() - tail) as u32,
        data: Some(data).filter(|data| !data.is_empty()),
    })
}

/// What folds.
pub fn folds(server: &mut Server, params: FoldingRangeParams) -> Answer<Option<Vec<FoldingRange>>> {
    let Some(document) = server.document(&params.text_document.uri) else { return Ok(None) };
    let folds = shape::folds(&document).into_iter().map(|fold| FoldingRange {
        start_line: fold.first,
        end_line: fold.last,
        kind: match fold.kind {
            FoldKind::Block => None,
            FoldKind::Comment => Some(FoldingRangeKind::Comment),
            FoldKind::Imports => Some(FoldingRangeKind::Imports),
        },
        ..FoldingRange::default()
    });
    Ok(Some(folds.collect()))
}

/// What selections grow to.
pub fn selections(server: &mut Server, params: SelectionRangeParams) -> Answer<Option<Vec<SelectionRange>>> {
    let Some(document) = server.document(&params.text_document.uri) else { return Ok(None) };
    let offsets = params.positions.into_iter().map(|at| server.encoding.offset(document.file(), at));
    Ok(Some(offsets.map(|offset| selection(server, &document, offset)).collect()))
}

fn selection(server: &Server, document: &Document, offset: u32) -> SelectionRange {
    let range = |span: Span| server.encoding.range(document.file(), span);
    let spans = shape::selections(document, offset);
    let outermost = Span::new(document.entry, 0, document.text().len() as u32);
    let grow =
        |parent: SelectionRange, span: &Span| SelectionRange { range: range(*span), parent: Some(Box::new(parent)) };
    let whole = SelectionRange { range: range(outermost), parent: None };
    spans.iter().rev().filter(|span| **span != outermost).fold(whole, grow)
}

/// Imports, as links to their files.
pub fn links(server: &mut Server, params: DocumentLinkParams) -> Answer<Option<Vec<DocumentLink>>> {
    let Some(document) = server.document(&params.text_document.uri) else { return Ok(None) };
    let folder = Path::new(document.file().name()).parent().unwrap_or(Path::new("")).to_owned();
    let links = shape::links(&document).into_iter().map(|(span, path)| {
        let target = crate::files::tidy(&folder.join(path));
        DocumentLink {
            range: server.encoding.range(document.file(), span),
            target: Path::new(&target).is_absolute().then(|| uri::of_path(Path::new(&target))),
            tooltip: None,
            data: None,
        }
    });
    Ok(Some(links.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_turns_one_row_into_the_other() {
        let cases: [(&[u32], &[u32]); 5] =
            [(&[1, 2, 3], &[1, 9, 3]), (&[1, 2], &[1, 2]), (&[], &[4]), (&[4, 4, 4], &[4, 4]), (&[1, 2], &[3])];
        for (before, now) in cases {
            let mut row = before.to_vec();
            if let Some(edit) = difference(before, now) {
                let end = (edit.start + edit.delete_count) as usize;
                row.splice(edit.start as usize..end, edit.data.unwrap_or_default());
            }
            assert_eq!(row, now);
        }
    }
}
