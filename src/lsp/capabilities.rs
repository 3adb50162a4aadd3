//! What the server can do, said once at the start.

use super::position::Encoding;
use super::to_proto;
use gen_lsp_types::*;

/// The command behind the button above a check.
pub const RUN: &str = "desc.run";

/// What the server can do.
pub fn capabilities(encoding: Encoding) -> ServerCapabilities {
    let characters = |list: &[&str]| Some(list.iter().map(|&character| character.to_owned()).collect());
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSync::Options(synchronisation())),
        completion_provider: Some(CompletionOptions {
            trigger_characters: characters(&["-", ">", "[", "{", ".", "(", "\\", "?", "\"", "/"]),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(HoverProvider::Bool(true)),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: characters(&["(", ","]),
            ..SignatureHelpOptions::default()
        }),
        definition_provider: Some(DefinitionProvider::Bool(true)),
        type_definition_provider: Some(TypeDefinitionProvider::Bool(true)),
        references_provider: Some(ReferencesProvider::Bool(true)),
        document_highlight_provider: Some(DocumentHighlightProvider::Bool(true)),
        document_symbol_provider: Some(DocumentSymbolProvider::Bool(true)),
        workspace_symbol_provider: Some(WorkspaceSymbolProvider::Bool(true)),
        code_action_provider: Some(CodeActionProvider::CodeActionOptions(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QuickFix]),
            ..CodeActionOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions::default()),
        document_link_provider: Some(DocumentLinkOptions::default()),
        document_formatting_provider: Some(DocumentFormattingProvider::Bool(true)),
        rename_provider: Some(RenameProvider::RenameOptions(RenameOptions {
            prepare_provider: Some(true),
            ..RenameOptions::default()
        })),
        folding_range_provider: Some(FoldingRangeProvider::Bool(true)),
        selection_range_provider: Some(SelectionRangeProvider::Bool(true)),
        semantic_tokens_provider: Some(SemanticTokensProvider::SemanticTokensOptions(semantic_tokens())),
        inlay_hint_provider: Some(InlayHintProvider::Bool(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![RUN.to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

fn synchronisation() -> TextDocumentSyncOptions {
    TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        save: Some(Save::Bool(true)),
        ..TextDocumentSyncOptions::default()
    }
}

fn semantic_tokens() -> SemanticTokensOptions {
    SemanticTokensOptions {
        legend: to_proto::legend(),
        full: Some(Full::SemanticTokensFullDelta(SemanticTokensFullDelta { delta: Some(true) })),
        range: Some(SemanticTokensOptionsRange::Bool(true)),
        work_done_progress_options: WorkDoneProgressOptions::default(),
    }
}
