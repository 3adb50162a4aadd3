//! The verdict of each check: after it, above it, and on demand.

use crate::lsp::background::{Deciding, Found};
use crate::lsp::capabilities::RUN;
use crate::lsp::dispatch::Answer;
use crate::lsp::server::Server;
use crate::lsp::to_proto;
use desc::ide::shape;
use desc::ide::verdict::Remark;
use desc::source::Span;
use gen_lsp_types::*;
use serde_json::json;

/// What is known of the text as it is now.
fn current(server: &Server, uri: &Uri) -> Option<Found> {
    let version = server.documents.get(uri)?.version;
    server.background.found(uri).filter(|found| found.unit.version == version)
}

fn of_entry(found: &Found) -> impl Iterator<Item = &Remark> {
    found.verdicts.iter().filter(|verdict| verdict.span.file == found.unit.entry)
}

/// Verdicts after their checks.
pub fn inlays(server: &mut Server, params: InlayHintParams) -> Answer<Option<Vec<InlayHint>>> {
    let Some(found) = current(server, &params.text_document.uri).filter(|_| server.settings.inlays()) else {
        return Ok(Some(Vec::new()));
    };
    let file = found.unit.sources.get(found.unit.entry);
    let hints = of_entry(&found).map(|verdict| InlayHint {
        position: server.encoding.position(file, verdict.span.end),
        label: Label::String(to_proto::marked(verdict)),
        padding_left: Some(true),
        tooltip: verdict.story.as_ref().map(|story| Tooltip::String(story.message.clone())),
        kind: None,
        text_edits: None,
        padding_right: None,
        data: None,
    });
    let within = |hint: &InlayHint| params.range.start <= hint.position && hint.position <= params.range.end;
    Ok(Some(hints.filter(within).collect()))
}

/// Verdicts above their checks, with a button.
pub fn lenses(server: &mut Server, params: CodeLensParams) -> Answer<Option<Vec<CodeLens>>> {
    let uri = params.text_document.uri;
    if !server.settings.lenses() {
        return Ok(Some(Vec::new()));
    }
    let Some(document) = server.document(&uri) else { return Ok(None) };
    let found = current(server, &uri);
    let told_elsewhere = server.shows_inlays && server.settings.inlays();
    let lenses = shape::questions(&document).into_iter().map(|span| CodeLens {
        range: server.encoding.range(document.file(), span),
        command: Some(Command {
            title: title(found.as_ref(), span, told_elsewhere),
            tooltip: Some("Decide the checks of this file".to_owned()),
            command: RUN.to_owned(),
            arguments: Some(vec![json!(uri)]),
        }),
        data: None,
    });
    Ok(Some(lenses.collect()))
}

/// The verdict; where it stands after the check already, only the button.
fn title(found: Option<&Found>, span: Span, told_elsewhere: bool) -> String {
    let verdict = found.and_then(|found| of_entry(found).find(|verdict| verdict.span.range() == span.range()));
    match (verdict, found.map(|found| (found.deciding, found.unit.model.is_some()))) {
        (Some(_), _) if told_elsewhere => "▶ decide again".to_owned(),
        (Some(verdict), _) => to_proto::marked(verdict),
        (None, Some((Deciding::Running, _)) | None) => "… deciding".to_owned(),
        (None, Some((_, false))) => "no verdict: the model has errors".to_owned(),
        (None, Some((_, true))) => "▶ decide".to_owned(),
    }
}

/// Runs a command: deciding the checks of a document.
pub fn execute(server: &mut Server, params: ExecuteCommandParams) -> Answer<Option<LspAny>> {
    if params.command != RUN {
        return Err(format!("there is no command `{}`", params.command));
    }
    let first = params.arguments.and_then(|arguments| arguments.into_iter().next());
    let uri: Uri = first.and_then(|uri| serde_json::from_value(uri).ok()).ok_or("no document given")?;
    server.background.decide(&uri);
    Ok(None)
}
