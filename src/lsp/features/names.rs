//! Definition, references, rename, symbols.

use crate::lsp::dispatch::Answer;
use crate::lsp::server::Server;
use crate::lsp::{to_proto, workspace};
use desc::ide::Document;
use desc::ide::index::Symbol;
use desc::ide::navigate::{self, Place};
use desc::ide::outline::{self, Entry};
use desc::source::Span;
use gen_lsp_types::*;
use std::collections::HashMap;
use std::sync::Arc;

/// A place as a location; it is in the document or in one of the others.
fn location(server: &Server, documents: &[&Document], place: &Place) -> Option<Location> {
    let file = documents.iter().find_map(|document| document.file_named(&place.file).map(|id| document.share(id)))?;
    let range =
        Range { start: server.encoding.position(&file, place.start), end: server.encoding.position(&file, place.end) };
    Some(Location { uri: server.documents.uri_of(&place.file), range })
}

/// Where a name is declared.
pub fn definition(server: &mut Server, params: DefinitionParams) -> Answer<Option<DefinitionResponse>> {
    let Some((document, offset)) = server.at(&params.text_document_position_params) else { return Ok(None) };
    let place = navigate::definition(&document, offset);
    let found = place.and_then(|place| location(server, &[&document], &place));
    Ok(found.map(|location| DefinitionResponse::Definition(Definition::Location(location))))
}

/// Where the component of an instance is declared.
pub fn type_definition(server: &mut Server, params: TypeDefinitionParams) -> Answer<Option<TypeDefinitionResponse>> {
    let Some((document, offset)) = server.at(&params.text_document_position_params) else { return Ok(None) };
    let place = navigate::type_definition(&document, offset);
    let found = place.and_then(|place| location(server, &[&document], &place));
    Ok(found.map(|location| TypeDefinitionResponse::Definition(Definition::Location(location))))
}

/// Where a name is used, in the whole workspace.
pub fn references(server: &mut Server, params: ReferenceParams) -> Answer<Option<Vec<Location>>> {
    let Some((document, offset)) = server.at(&params.text_document_position_params) else { return Ok(None) };
    let all = workspace::documents(server);
    let others = others(&all, &document);
    let places = navigate::references(&document, offset, &others, params.context.include_declaration);
    let known: Vec<&Document> = std::iter::once(&*document).chain(others).collect();
    Ok(Some(places.iter().filter_map(|place| location(server, &known, place)).collect()))
}

fn others<'a>(all: &'a [Arc<Document>], document: &Document) -> Vec<&'a Document> {
    all.iter().map(Arc::as_ref).filter(|other| other.file().name() != document.file().name()).collect()
}

/// The same name elsewhere in the file.
pub fn highlights(server: &mut Server, params: DocumentHighlightParams) -> Answer<Option<Vec<DocumentHighlight>>> {
    let Some((document, offset)) = server.at(&params.text_document_position_params) else { return Ok(None) };
    let found = navigate::highlights(&document, offset).into_iter().map(|(span, declares)| DocumentHighlight {
        range: server.encoding.range(document.file(), span),
        kind: Some(if declares { DocumentHighlightKind::Write } else { DocumentHighlightKind::Read }),
    });
    Ok(Some(found.collect()))
}

/// Whether the name can be changed, and what it is now.
pub fn prepare_rename(server: &mut Server, params: PrepareRenameParams) -> Answer<Option<PrepareRenameResult>> {
    let Some((document, offset)) = server.at(&params.text_document_position_params) else { return Ok(None) };
    Ok(navigate::renameable(&document, offset).map(|(span, placeholder)| {
        let range = server.encoding.range(document.file(), span);
        PrepareRenameResult::PrepareRenamePlaceholder(PrepareRenamePlaceholder { range, placeholder })
    }))
}

/// The changes that give a name another name, in the whole workspace.
pub fn rename(server: &mut Server, params: RenameParams) -> Answer<Option<WorkspaceEdit>> {
    let Some((document, offset)) = server.at(&params.text_document_position_params) else { return Ok(None) };
    let all = workspace::documents(server);
    let others = others(&all, &document);
    let changes = navigate::rename(&document, offset, &others, &params.new_name)?;
    let known: Vec<&Document> = std::iter::once(&*document).chain(others).collect();
    let mut by_file: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (place, new_text) in changes {
        if let Some(found) = location(server, &known, &place) {
            by_file.entry(found.uri).or_default().push(TextEdit { range: found.range, new_text });
        }
    }
    Ok(Some(WorkspaceEdit { changes: Some(by_file), ..WorkspaceEdit::default() }))
}

/// The parts of a file.
pub fn outline(server: &mut Server, params: DocumentSymbolParams) -> Answer<Option<DocumentSymbolResponse>> {
    let Some(document) = server.document(&params.text_document.uri) else { return Ok(None) };
    let entries = outline::outline(&document);
    let symbols = entries.into_iter().map(|entry| symbol(server, &document, entry)).collect();
    Ok(Some(DocumentSymbolResponse::DocumentSymbolList(symbols)))
}

#[allow(deprecated)]
fn symbol(server: &Server, document: &Document, entry: Entry) -> DocumentSymbol {
    let range = |span: Span| server.encoding.range(document.file(), span);
    let (span, name_span) = (range(entry.span), range(entry.name_span));
    let children: Vec<_> = entry.children.into_iter().map(|child| symbol(server, document, child)).collect();
    DocumentSymbol {
        name: if entry.name.is_empty() { "?".to_owned() } else { entry.name },
        detail: entry.detail,
        kind: to_proto::symbol_kind(entry.kind),
        tags: None,
        deprecated: None,
        range: span,
        selection_range: name_span,
        children: Some(children).filter(|children| !children.is_empty()),
    }
}

/// Names anywhere in the workspace.
pub fn workspace_symbols(
    server: &mut Server,
    params: WorkspaceSymbolParams,
) -> Answer<Option<WorkspaceSymbolResponse>> {
    let query = params.query.to_lowercase();
    let mut found = Vec::new();
    for document in workspace::documents(server) {
        let own = |symbol: &&Symbol| symbol.declared.is_some_and(|span| span.file == document.entry);
        let named = |symbol: &&Symbol| symbol.name.to_lowercase().contains(&query);
        let symbols = document.index.symbols().map(|(_, symbol)| symbol).filter(own).filter(named);
        found.extend(symbols.filter_map(|symbol| workspace_symbol(server, &document, symbol)));
    }
    Ok(Some(WorkspaceSymbolResponse::WorkspaceSymbolList(found)))
}

fn workspace_symbol(server: &Server, document: &Document, symbol: &Symbol) -> Option<WorkspaceSymbol> {
    use desc::ide::index::SymbolKind::{Index, Parameter};
    if matches!(symbol.kind, Index | Parameter) {
        return None;
    }
    let found = location(server, &[document], &document.place(symbol.declared?))?;
    let container = symbol.container.map(|container| document.index.symbol(container).name.clone());
    Some(WorkspaceSymbol {
        location: WorkspaceSymbolLocation::Location(found),
        data: None,
        base_symbol_information: BaseSymbolInformation {
            name: symbol.name.clone(),
            kind: to_proto::symbol_kind(symbol.kind),
            tags: None,
            container_name: container,
        },
    })
}
