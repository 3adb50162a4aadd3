//! `desc explore --web`: the page and one file, for browsers of this machine.
//!
//! The server listens on the loopback address alone. Every address of it begins with a token that only the person who started it
//! knows; a request without the token, for another host name (a page elsewhere that lets its name mean this machine), or from another
//! origin gets nothing. It only reads: one file, when it is asked for. It ends with the program, at Ctrl-C.

use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure};
use serde_json::json;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// The files of the page: name and bytes. None: this program was built without it.
const PAGE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The most bytes of a request, and how long it may take.
const LONGEST: u64 = 16 << 10;
const PATIENCE: Duration = Duration::from_secs(5);

/// The largest file that is shown.
const LARGEST: u64 = 16 << 20;

/// What is served.
struct Served {
    file: String,
    token: String,
    port: u16,
}

/// Serves the page until the program is ended.
pub fn serve(file: &str, port: Option<u16>, session: &mut Session) -> Ended {
    if PAGE.is_empty() {
        let failure = Failure::new("this `desc` was built without the page");
        return Err(failure.help("in a clone of the repository: `web/build.sh`, then `cargo build --release`; without `--web` the terminal is used"));
    }
    fs::metadata(file).map_err(|error| Failure::new(format!("`{file}` cannot be read: {error}")))?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0)));
    let listener = listener.map_err(|error| Failure::new(format!("the server cannot start: {error}")))?;
    let port = listener.local_addr().map_or(0, |address| address.port());
    let token = token().ok_or_else(|| Failure::new("the machine has no random numbers for the token"))?;
    let served = Arc::new(Served { file: file.to_owned(), token, port });
    session.print(&format!("http://127.0.0.1:{port}/{}/\nCtrl-C ends it\n", served.token))?;
    loop {
        let Ok((stream, _)) = listener.accept() else { continue };
        let served = Arc::clone(&served);
        // WHY ignored: a browser that went away is no reason to end.
        let _ = crate::threads::start("page", move || drop(served.answer(stream)));
    }
}

/// 128 bits that nobody can guess.
fn token() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What a browser asks: the path, and whether it may.
struct Request {
    method: String,
    path: String,
    host: Option<String>,
    origin: Option<String>,
}

/// What it gets.
struct Answer {
    status: &'static str,
    kind: &'static str,
    body: Vec<u8>,
}

impl Served {
    fn answer(&self, stream: TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let request = read(&stream)?;
        write(&stream, &self.respond(&request))
    }

    /// Who knows the token and asks this host from its own page gets the page and the file, and nobody gets anything else.
    fn respond(&self, request: &Request) -> Answer {
        let hosts = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let is_host = request.host.as_ref().is_some_and(|host| hosts.contains(host));
        let origins = hosts.map(|host| format!("http://{host}"));
        let is_own = request.origin.as_ref().is_none_or(|origin| origins.contains(origin));
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        let rest =
            path.strip_prefix('/').and_then(|path| path.split_once('/')).filter(|(token, _)| same(token, &self.token));
        match (is_host && is_own, rest, request.method.as_str()) {
            (true, Some((_, "file")), "GET") => self.file(query.strip_prefix("version=").unwrap_or("")),
            (true, Some((_, name)), "GET") => page(if name.is_empty() { "index.html" } else { name }),
            _ => refused("403 Forbidden"),
        }
    }

    /// The file, unless the page has this version of it.
    fn file(&self, version: &str) -> Answer {
        let Some(text) = text(&self.file) else { return refused("404 Not Found") };
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let now = format!("{:016x}", hasher.finish());
        if now == version {
            return Answer { status: "204 No Content", kind: "text/plain", body: Vec::new() };
        }
        let body = json!({"text": text, "version": now}).to_string().into_bytes();
        Answer { status: "200 OK", kind: "application/json", body }
    }
}

/// The text of the file, if it is one and not too large.
fn text(path: &str) -> Option<String> {
    let size = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
    let bytes = (size <= LARGEST).then(|| fs::read(path).ok()).flatten()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// A file of the page. The page is told that a file comes with it.
fn page(name: &str) -> Answer {
    let Some((name, bytes)) = PAGE.iter().find(|(known, _)| *known == name) else { return refused("404 Not Found") };
    let body = match *name {
        "index.html" => local(&String::from_utf8_lossy(bytes)).into_bytes(),
        _ => bytes.to_vec(),
    };
    Answer { status: "200 OK", kind: kind(name), body }
}

fn local(page: &str) -> String {
    page.replace("name=\"desc-local\" content=\"no\"", "name=\"desc-local\" content=\"yes\"")
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

fn refused(status: &'static str) -> Answer {
    Answer { status, kind: "text/plain", body: Vec::new() }
}

/// Whether two tokens are equal, in a time that says nothing about where they differ.
fn same(left: &str, right: &str) -> bool {
    let differ = left.bytes().zip(right.bytes()).fold(0, |differ, (left, right)| differ | (left ^ right));
    left.len() == right.len() && differ == 0
}

/// Reads the head of a request.
fn read(stream: &TcpStream) -> io::Result<Request> {
    let mut lines = BufReader::new(stream.take(LONGEST)).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let mut words = first.split(' ').map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut request = Request { method, path, host: None, origin: None };
    for line in lines {
        let line = line?;
        let Some((name, value)) = line.split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "host" => request.host = Some(value.trim().to_owned()),
            "origin" => request.origin = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    Ok(request)
}

fn write(mut stream: &TcpStream, answer: &Answer) -> io::Result<()> {
    let Answer { status, kind, body } = answer;
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         X-Frame-Options: DENY\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn served() -> Served {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/questioning.des").to_owned();
        Served { file, token: "0123".to_owned(), port: 8000 }
    }

    fn status(path: &str, host: Option<&str>, origin: Option<&str>) -> &'static str {
        asked("GET", path, host, origin).status
    }

    fn asked(method: &str, path: &str, host: Option<&str>, origin: Option<&str>) -> Answer {
        let own = |text: &str| text.to_owned();
        let request = Request { method: own(method), path: own(path), host: host.map(own), origin: origin.map(own) };
        served().respond(&request)
    }

    #[test]
    fn only_the_token_its_own_host_and_its_own_origin_get_the_file() {
        let host = Some("127.0.0.1:8000");
        assert_eq!(status("/0123/file", host, None), "200 OK");
        assert_eq!(status("/0123/file", Some("localhost:8000"), Some("http://localhost:8000")), "200 OK");
        for (path, host, origin) in [
            ("/0124/file", host, None),
            ("/file", host, None),
            ("/01234/file", host, None),
            ("//file", host, None),
            ("/0123/file", None, None),
            ("/0123/file", Some("evil.example:8000"), None),
            ("/0123/file", Some("127.0.0.1:8001"), None),
            ("/0123/file", host, Some("http://evil.example")),
            ("/0123/file", host, Some("null")),
        ] {
            assert_eq!(status(path, host, origin), "403 Forbidden", "{path} {host:?} {origin:?}");
        }
        assert_eq!(asked("POST", "/0123/file", host, None).status, "403 Forbidden");
    }

    #[test]
    fn no_other_file_is_served() {
        for path in ["/0123/../Cargo.toml", "/0123/nothing", "/0123//etc/passwd", "/0123/file/../../x"] {
            assert_eq!(status(path, Some("127.0.0.1:8000"), None), "404 Not Found", "{path}");
        }
    }

    #[test]
    fn a_version_that_is_known_is_not_sent_again() {
        let host = Some("127.0.0.1:8000");
        let first = asked("GET", "/0123/file?version=", host, None);
        let told: serde_json::Value = serde_json::from_slice(&first.body).expect("JSON");
        assert!(told["text"].as_str().is_some_and(|text| text.contains("system Questioning")));
        let path = format!("/0123/file?version={}", told["version"].as_str().expect("a version"));
        assert_eq!(status(&path, host, None), "204 No Content");
    }

    #[test]
    fn tokens_are_long_and_differ() {
        let (one, other) = (token().expect("random"), token().expect("random"));
        assert!(one.len() == 32 && one != other && same(&one, &one.clone()) && !same(&one, &other));
        assert!(local("<meta name=\"desc-local\" content=\"no\">").contains("yes"));
    }
}
