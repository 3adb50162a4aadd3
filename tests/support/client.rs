//! The client: frames messages, keeps what was published, and gives up after a minute without an answer.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    arriving: Receiver<Value>,
    next_id: i64,
    /// The last diagnostics of each document: version and list.
    published: HashMap<String, (Option<i64>, Value)>,
    /// Methods of requests that the server made.
    pub asked: Vec<String>,
}

impl Client {
    pub fn start(capabilities: Value, options: Value) -> (Client, Value) {
        let program = std::env::var_os("DESC").unwrap_or_else(|| env!("CARGO_BIN_EXE_desc").into());
        let mut child = Command::new(program)
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the binary starts");
        let input = child.stdin.take();
        let output = child.stdout.take().expect("piped");
        let (sender, arriving) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut client = Client { child, input, arriving, next_id: 0, published: HashMap::new(), asked: Vec::new() };
        let params =
            json!({"processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": options});
        let introduction = client.request("initialize", params);
        client.notify("initialized", json!({}));
        (client, introduction)
    }

    /// The number of the server's process.
    #[allow(dead_code)]
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    pub fn plain() -> Client {
        Client::start(json!({}), json!({})).0
    }

    /// A client whose server reads and answers, and decides no check unasked.
    #[allow(dead_code)]
    pub fn reading(capabilities: Value) -> (Client, Value) {
        Client::start(capabilities, json!({"verify": {"enabled": false}}))
    }

    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.input.as_mut().expect("open");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server listens");
        input.flush().expect("the server listens");
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request without waiting for its answer.
    pub fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The whole answer to a request.
    pub fn answer(&mut self, id: i64) -> Value {
        loop {
            let message = self.next();
            if message.get("method").is_none() && message["id"] == json!(id) {
                return message;
            }
        }
    }

    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Asks about a whole document.
    #[allow(dead_code)]
    pub fn about(&mut self, method: &str, uri: &str) -> Value {
        self.request(method, json!({"textDocument": {"uri": uri}}))
    }

    fn next(&mut self) -> Value {
        let message = self.arriving.recv_timeout(Duration::from_secs(60)).expect("an answer within a minute");
        match message["method"].as_str() {
            Some("textDocument/publishDiagnostics") => {
                let params = &message["params"];
                let uri = params["uri"].as_str().expect("an address").to_owned();
                self.published.insert(uri, (params["version"].as_i64(), params["diagnostics"].clone()));
            }
            Some(method) => self.asked.push(method.to_owned()),
            None => {}
        }
        message
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "des", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub fn replace(&mut self, uri: &str, version: i64, text: &str) {
        self.change(uri, version, json!([{"text": text}]));
    }

    pub fn change(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({"uri": uri, "version": version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    /// The diagnostics of a version, the first ones that are `wanted`.
    pub fn diagnostics(&mut self, uri: &str, version: i64, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some((Some(found), diagnostics)) = self.published.get(uri)
                && *found == version
                && wanted(diagnostics)
            {
                return diagnostics.clone();
            }
            self.next();
        }
    }

    /// Asks about the place of the first occurrence of `word` in `text`.
    pub fn at(&mut self, method: &str, uri: &str, text: &str, word: &str, more: Value) -> Value {
        let place = position(text, text.find(word).expect("the word"), false);
        let mut params = json!({"textDocument": {"uri": uri}, "position": place});
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        self.request(method, params)
    }

    /// Says goodbye; the exit code.
    pub fn finish(mut self) -> Option<i32> {
        let id = self.ask("shutdown", Value::Null);
        self.answer(id);
        self.notify("exit", Value::Null);
        drop(self.input.take());
        self.child.wait().expect("it ends").code()
    }
}

/// The place of an offset, counted as the protocol says.
pub fn position(text: &str, offset: usize, utf8: bool) -> Value {
    let before = &text[..offset];
    let last = before.rsplit('\n').next().unwrap_or("");
    let character = if utf8 { last.len() } else { last.encode_utf16().count() };
    json!({"line": before.matches('\n').count(), "character": character})
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().ok()?,
            _ if line.trim().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
