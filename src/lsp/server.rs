//! The state of the server: settings, open texts, what is known of them.

use super::background::{Background, Job, Refresh, Sink};
use super::capabilities::capabilities;
use super::documents::{Documents, Open, Overlay};
use super::position::Encoding;
use super::settings::Settings;
use super::{uri, workspace};
use desc::ide::Document;
use desc::source::SourceFile;
use gen_lsp_types::*;
use lsp_server::Message as Sent;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The state of the server.
pub struct Server {
    /// What a column counts.
    pub encoding: Encoding,
    /// What the user set.
    pub settings: Settings,
    /// The open texts.
    pub documents: Documents,
    /// Whether the client can show a verdict after its check.
    pub shows_inlays: bool,
    /// The folders of the workspace.
    pub folders: Vec<PathBuf>,
    /// The threads behind.
    pub background: Background,
    /// The colours that were sent last, by document, with their number.
    pub coloured: HashMap<Uri, (u64, Vec<u32>)>,
    sink: Sink,
    revision: u64,
    analysed: HashMap<Uri, (u64, Arc<Document>)>,
}

impl Server {
    /// A server for a client that introduced itself.
    ///
    /// # Errors
    /// When the operating system grants no threads.
    pub fn new(client: &InitializeParams, send: impl Fn(Sent) + Send + Sync + 'static) -> io::Result<Server> {
        let general = client.capabilities.general.as_ref();
        let encoding = Encoding::choose(general.and_then(|general| general.position_encodings.as_deref()));
        let mut settings = Settings::default();
        client.initialization_options.iter().for_each(|options| settings.update(options));
        let text = client.capabilities.text_document.as_ref();
        let shows_inlays = text.is_some_and(|text| text.inlay_hint.is_some());
        let sink: Sink = Arc::new(send);
        let background = Background::start(Arc::clone(&sink), encoding, refresh(&client.capabilities))?;
        Ok(Server {
            encoding,
            settings,
            documents: Documents::default(),
            shows_inlays,
            folders: workspace::folders(client),
            background,
            coloured: HashMap::new(),
            sink,
            revision: 0,
            analysed: HashMap::new(),
        })
    }

    /// What the server says of itself.
    pub fn introduction(&self) -> InitializeResult {
        let version = Some(env!("CARGO_PKG_VERSION").to_owned());
        let server_info = Some(ServerInfo { name: "desc".to_owned(), version });
        InitializeResult { capabilities: capabilities(self.encoding), server_info }
    }

    /// Sends a message to the client.
    pub fn send(&self, message: Sent) {
        (self.sink)(message);
    }

    /// An open document, parsed and indexed as it is now.
    pub fn document(&mut self, uri: &Uri) -> Option<Arc<Document>> {
        let open = self.documents.get(uri)?;
        if let Some((revision, document)) = self.analysed.get(uri)
            && *revision == self.revision
        {
            return Some(Arc::clone(document));
        }
        let document = Arc::new(self.analyse(&Arc::clone(&open.file)));
        self.analysed.insert(uri.clone(), (self.revision, Arc::clone(&document)));
        Some(document)
    }

    /// A text, parsed and indexed.
    pub fn analyse(&self, file: &SourceFile) -> Document {
        let loader = Overlay::new(self.documents.snapshot(), file.name(), self.root_of(file.name()).as_ref());
        Document::new(file.name(), file.text(), &loader)
    }

    /// The document and the offset that a request is about.
    pub fn at(&mut self, params: &TextDocumentPositionParams) -> Option<(Arc<Document>, u32)> {
        let document = self.document(&params.text_document.uri)?;
        let offset = self.encoding.offset(document.file(), params.position);
        Some((document, offset))
    }

    /// A text was opened.
    pub fn opened(&mut self, uri: Uri, version: i32, text: String) {
        self.documents.open(uri.clone(), version, text);
        self.touched(&uri);
    }

    /// A text was changed.
    pub fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.text_document_identifier.uri;
        self.documents.change(&uri, params.text_document.version, params.content_changes, self.encoding);
        self.touched(&uri);
    }

    /// A text was closed: what is on disk counts again.
    pub fn closed(&mut self, uri: &Uri) {
        self.documents.close(uri);
        self.analysed.remove(uri);
        self.coloured.remove(uri);
        self.background.forget(uri);
        self.touched(uri);
    }

    /// Anything may have changed: settings, files on disk.
    pub fn everything_changed(&mut self) {
        self.revision += 1;
        let all: Vec<Uri> = self.documents.iter().map(|(uri, _)| uri.clone()).collect();
        all.iter().for_each(|uri| self.check(uri));
    }

    /// Checks a text again, and every open one that imports it.
    fn touched(&mut self, uri: &Uri) {
        self.revision += 1;
        let name = uri::name(uri);
        let others = self.documents.iter().map(|(other, _)| other).filter(|other| *other != uri);
        let importing: Vec<Uri> = others.filter(|other| self.background.reads(other, &name)).cloned().collect();
        self.check(uri);
        importing.iter().for_each(|other| self.check(other));
    }

    fn check(&self, uri: &Uri) {
        if let Some(open) = self.documents.get(uri) {
            self.background.check(self.job(uri, open));
        }
    }

    fn job(&self, uri: &Uri, open: &Open) -> Job {
        Job {
            uri: uri.clone(),
            version: open.version,
            file: Arc::clone(&open.file),
            snapshot: self.documents.snapshot(),
            addresses: self.documents.iter().map(|(uri, open)| (open.file.name().to_owned(), uri.clone())).collect(),
            root: self.root_of(open.file.name()),
            settings: self.settings.clone(),
        }
    }

    /// The folder below which a file's imports must stay: that of the workspace, else its own.
    pub fn root_of(&self, name: &str) -> Option<PathBuf> {
        self.folders.iter().find(|folder| Path::new(name).starts_with(folder)).cloned()
    }
}

fn refresh(client: &ClientCapabilities) -> Refresh {
    let workspace = client.workspace.as_ref();
    let inlays = workspace.and_then(|workspace| workspace.inlay_hint.as_ref()).and_then(|inlay| inlay.refresh_support);
    let lenses = workspace.and_then(|workspace| workspace.code_lens.as_ref()).and_then(|lens| lens.refresh_support);
    let colours = workspace.and_then(|workspace| workspace.semantic_tokens.as_ref());
    let colours = colours.and_then(|colours| colours.refresh_support);
    Refresh { inlays: inlays.unwrap_or(false), lenses: lenses.unwrap_or(false), colours: colours.unwrap_or(false) }
}
