//! What helps while writing: completion, hover, signatures, quick fixes, formatting.

use super::paths;
use crate::lsp::dispatch::Answer;
use crate::lsp::server::Server;
use crate::lsp::to_proto::{self, markdown};
use desc::diagnostic::Fix;
use desc::ide::complete::{self, Proposal, ProposalKind};
use desc::ide::{fixes as ide_fixes, hover as ide_hover, shape, signature as ide_signature};
use gen_lsp_types::*;
use std::collections::HashMap;

/// What may stand here.
pub fn completion(server: &mut Server, params: CompletionParams) -> Answer<Option<CompletionResponse>> {
    let Some((document, offset)) = server.at(&params.text_document_position_params) else { return Ok(None) };
    if let Some(written) = complete::import_path(&document, offset) {
        return Ok(Some(CompletionResponse::CompletionItemList(paths::importable(server, &document, written))));
    }
    let proposals = complete::complete(&document, offset);
    let range = server.encoding.range(document.file(), proposals.replace);
    let items = proposals.items.into_iter().enumerate().map(|(at, proposal)| item(proposal, at, range)).collect();
    Ok(Some(match proposals.all {
        true => CompletionResponse::CompletionItemList(items),
        false => CompletionResponse::CompletionList(CompletionList {
            is_incomplete: true,
            items,
            ..CompletionList::default()
        }),
    }))
}

fn item(proposal: Proposal, at: usize, range: Range) -> CompletionItem {
    CompletionItem {
        kind: Some(match proposal.kind {
            ProposalKind::Name(kind) => to_proto::completion_kind(kind),
            ProposalKind::Word => CompletionItemKind::Keyword,
            ProposalKind::Symbol => CompletionItemKind::Value,
        }),
        filter_text: Some(proposal.insert.clone()),
        text_edit: Some(CompletionItemTextEdit::TextEdit(TextEdit { range, new_text: proposal.insert })),
        label: proposal.label,
        detail: proposal.detail,
        documentation: proposal.docs.map(|docs| Documentation::MarkupContent(markdown(docs))),
        sort_text: Some(format!("{at:05}")),
        ..CompletionItem::default()
    }
}

/// What stands under the pointer; a check is told with its verdict.
pub fn hover(server: &mut Server, params: HoverParams) -> Answer<Option<Hover>> {
    let position = params.text_document_position_params;
    let Some((document, offset)) = server.at(&position) else { return Ok(None) };
    let found = server.background.found(&position.text_document.uri);
    let model = found.as_ref().and_then(|found| found.unit.model.as_ref());
    let Some(mut hover) = ide_hover::hover(&document, model, offset) else { return Ok(None) };
    let version = server.documents.get(&position.text_document.uri).map(|open| open.version);
    let current = found.filter(|found| Some(found.unit.version) == version);
    let statement = shape::statement_at(&document, offset).map(|statement| statement.span);
    if let (Some(found), Some(statement), None) = (current, statement, document.name_at(offset)) {
        let verdict = found.verdicts.iter().find(|verdict| verdict.span.range() == statement.range());
        verdict.iter().for_each(|verdict| hover.text += &format!("\n\n**{}**", to_proto::marked(verdict)));
    }
    let range = Some(server.encoding.range(document.file(), hover.span));
    Ok(Some(Hover { contents: Contents::MarkupContent(markdown(hover.text)), range }))
}

/// The parameters of the component whose arguments are being written.
pub fn signature(server: &mut Server, params: SignatureHelpParams) -> Answer<Option<SignatureHelp>> {
    let Some((document, offset)) = server.at(&params.text_document_position_params) else { return Ok(None) };
    Ok(ide_signature::signature(&document, offset).map(|found| {
        let label = |&(start, end): &(u32, u32)| {
            // Where a parameter stands in the label is counted in UTF-16 by every client; its text says the same.
            ParameterInformationLabel::String(found.label[start as usize..end as usize].to_owned())
        };
        let parameters =
            found.parameters.iter().map(|span| ParameterInformation { label: label(span), documentation: None });
        let information = SignatureInformation {
            parameters: Some(parameters.collect()),
            documentation: Some(found.docs.clone()).filter(|docs| !docs.is_empty()).map(Documentation::String),
            label: found.label.clone(),
            active_parameter: None,
        };
        let active = found.active.min(found.parameters.len().saturating_sub(1) as u32);
        SignatureHelp {
            signatures: vec![information],
            active_signature: Some(0),
            active_parameter: Some(ActiveParameter::Int(active)),
        }
    }))
}

/// The repairs of the faults in a range.
pub fn actions(server: &mut Server, params: CodeActionParams) -> Answer<Option<Vec<CodeActionResponse>>> {
    let uri = params.text_document.uri;
    let Some(open) = server.documents.get(&uri) else { return Ok(None) };
    let (version, file) = (open.version, open.file.clone());
    let Some(found) = server.background.found(&uri).filter(|found| found.unit.version == version) else {
        return Ok(Some(Vec::new()));
    };
    let (start, end) =
        (server.encoding.offset(&file, params.range.start), server.encoding.offset(&file, params.range.end));
    let near = found.unit.diagnostics.iter().filter(|fault| {
        let span = fault.primary.span;
        span.file == found.unit.entry && span.start <= end && start <= span.end
    });
    let Some(document) = server.document(&uri) else { return Ok(None) };
    let mut actions = Vec::new();
    for fault in near {
        let shown = params.context.diagnostics.iter().filter(|shown| {
            shown.code == Some(Code::String(fault.code.to_string()))
                && shown.range == server.encoding.range(&file, fault.primary.span)
        });
        let shown: Vec<Diagnostic> = shown.cloned().collect();
        let fixes = ide_fixes::fixes(&document, fault);
        for fix in &fixes {
            actions.push(CodeActionResponse::CodeAction(CodeAction {
                title: capital(&fix.title),
                kind: Some(CodeActionKind::QuickFix),
                diagnostics: Some(shown.clone()),
                is_preferred: Some(fixes.len() == 1),
                edit: Some(edit(server, &found.unit, fix)),
                ..CodeAction::default()
            }));
        }
    }
    for (_, fix) in
        found.repairs.iter().filter(|(places, _)| places.iter().any(|at| at.start <= end && start <= at.end))
    {
        actions.push(CodeActionResponse::CodeAction(CodeAction {
            title: capital(&fix.title),
            kind: Some(CodeActionKind::QuickFix),
            edit: Some(edit(server, &found.unit, fix)),
            ..CodeAction::default()
        }));
    }
    Ok(Some(actions))
}

fn capital(title: &str) -> String {
    let mut characters = title.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

fn edit(server: &Server, unit: &crate::lsp::background::Unit, fix: &Fix) -> WorkspaceEdit {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for edit in &fix.edits {
        let file = unit.sources.get(edit.span.file);
        let change = TextEdit { range: server.encoding.range(file, edit.span), new_text: edit.text.clone() };
        changes.entry(server.documents.uri_of(file.name())).or_default().push(change);
    }
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}

/// The canonical layout, as one change from the first line that differs to the last. A broken text stays as it is.
pub fn format(server: &mut Server, params: DocumentFormattingParams) -> Answer<Option<Vec<TextEdit>>> {
    let Some(document) = server.document(&params.text_document.uri) else { return Ok(None) };
    let Ok(formatted) = desc::format::format(document.file(), &document.trees[0]) else { return Ok(None) };
    let (start, end, new_text) = difference(document.text(), &formatted);
    if start == end && new_text.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let at = |offset: usize| server.encoding.position(document.file(), offset as u32);
    Ok(Some(vec![TextEdit { range: Range { start: at(start), end: at(end) }, new_text: new_text.to_owned() }]))
}

/// Which bytes of the old text become what: whole lines, without those that are the same at both ends.
fn difference<'a>(old: &str, new: &'a str) -> (usize, usize, &'a str) {
    let lines = |text: &'a str| text.split_inclusive('\n');
    let same: usize = old
        .split_inclusive('\n')
        .zip(lines(new))
        .take_while(|(one, other)| one == other)
        .map(|(one, _)| one.len())
        .sum();
    let (old_rest, new_rest) = (&old[same..], &new[same..]);
    let pairs = old_rest.split_inclusive('\n').rev().zip(new_rest.split_inclusive('\n').rev());
    let tail: usize = pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len()).sum();
    (same, old.len() - tail, &new_rest[..new_rest.len() - tail])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_turns_one_text_into_the_other() {
        for (old, new) in
            [("a\nb\nc\n", "a\nB\nc\n"), ("a\n", "a\n"), ("a\n\n\nb", "a\n\nb"), ("", "x\n"), ("a\na\n", "a\n")]
        {
            let (start, end, text) = difference(old, new);
            assert_eq!(format!("{}{text}{}", &old[..start], &old[end..]), new);
        }
    }
}
