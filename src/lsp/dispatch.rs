//! Which message is for whom. A handler that panics answers with an internal error, and the server goes on.

use super::features::{looks, names, verdicts, writing};
use super::server::Server;
use gen_lsp_types::*;
use lsp_server::{ErrorCode, Notification as Notice, Request as Asked, RequestId, Response, ResponseError};
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An answer, or a clause for the user that says why there is none.
pub type Answer<T> = Result<T, String>;

/// Answers a request.
pub fn request(server: &mut Server, asked: Asked) -> Response {
    let mut desk = Desk { server, asked, response: None };
    desk.on::<CompletionRequest>(writing::completion)
        .on::<SemanticTokensRequest>(looks::colours)
        .on::<SemanticTokensDeltaRequest>(looks::colours_changed)
        .on::<SemanticTokensRangeRequest>(looks::colours_within)
        .on::<InlayHintRequest>(verdicts::inlays)
        .on::<CodeLensRequest>(verdicts::lenses)
        .on::<HoverRequest>(writing::hover)
        .on::<SignatureHelpRequest>(writing::signature)
        .on::<DefinitionRequest>(names::definition)
        .on::<TypeDefinitionRequest>(names::type_definition)
        .on::<ReferencesRequest>(names::references)
        .on::<DocumentHighlightRequest>(names::highlights)
        .on::<PrepareRenameRequest>(names::prepare_rename)
        .on::<RenameRequest>(names::rename)
        .on::<DocumentSymbolRequest>(names::outline)
        .on::<WorkspaceSymbolRequest>(names::workspace_symbols)
        .on::<CodeActionRequest>(writing::actions)
        .on::<DocumentFormattingRequest>(writing::format)
        .on::<DocumentLinkRequest>(looks::links)
        .on::<FoldingRangeRequest>(looks::folds)
        .on::<SelectionRangeRequest>(looks::selections)
        .on::<ExecuteCommandRequest>(verdicts::execute);
    let Desk { asked, response, .. } = desk;
    let unknown = || failed(&asked.id, ErrorCode::MethodNotFound, format!("unknown method `{}`", asked.method));
    response.unwrap_or_else(unknown)
}

/// The answer to a request that was cancelled before its turn.
pub fn cancelled(id: RequestId) -> Response {
    failed(&id, ErrorCode::RequestCanceled, "cancelled".to_owned())
}

fn failed(id: &RequestId, code: ErrorCode, message: String) -> Response {
    let error = ResponseError { code: code as i32, message, data: None };
    Response { id: id.clone(), response_result: Err(error) }
}

/// A request on its way to its handler.
struct Desk<'a> {
    server: &'a mut Server,
    asked: Asked,
    response: Option<Response>,
}

impl Desk<'_> {
    fn on<R: Request>(&mut self, handler: fn(&mut Server, R::Params) -> Answer<R::Result>) -> &mut Self {
        if self.response.is_none() && self.asked.method == R::METHOD.as_str() {
            self.response = Some(self.answer::<R>(handler));
        }
        self
    }

    fn answer<R: Request>(&mut self, handler: fn(&mut Server, R::Params) -> Answer<R::Result>) -> Response {
        let id = self.asked.id.clone();
        let params = match serde_json::from_value(std::mem::take(&mut self.asked.params)) {
            Ok(params) => params,
            Err(wrong) => return failed(&id, ErrorCode::InvalidParams, wrong.to_string()),
        };
        match catch_unwind(AssertUnwindSafe(|| handler(self.server, params))) {
            Ok(Ok(result)) => Response { id, response_result: Ok(serde_json::to_value(result).unwrap_or(Value::Null)) },
            Ok(Err(reason)) => failed(&id, ErrorCode::RequestFailed, reason),
            Err(_) => {
                failed(&id, ErrorCode::InternalError, "internal error of the server; please report it".to_owned())
            }
        }
    }
}

/// Takes notice of a notification. One that cannot be read is ignored.
pub fn notification(server: &mut Server, notice: Notice) {
    let method = notice.method.clone();
    match method.as_str() {
        "textDocument/didOpen" => handle::<DidOpenTextDocumentNotification>(notice, |params| {
            let opened = params.text_document;
            server.opened(opened.uri, opened.version, opened.text);
        }),
        "textDocument/didChange" => {
            handle::<DidChangeTextDocumentNotification>(notice, |params| server.changed(params))
        }
        "textDocument/didClose" => {
            handle::<DidCloseTextDocumentNotification>(notice, |params| server.closed(&params.text_document.uri));
        }
        "workspace/didChangeConfiguration" => handle::<DidChangeConfigurationNotification>(notice, |params| {
            server.settings.update(&params.settings);
            server.everything_changed();
        }),
        "workspace/didChangeWatchedFiles" | "textDocument/didSave" => server.everything_changed(),
        _ => {}
    }
}

fn handle<N: Notification>(notice: Notice, handler: impl FnOnce(N::Params)) {
    if let Ok(params) = serde_json::from_value(notice.params) {
        handler(params);
    }
}
