//! `desc lsp`: the language server, over standard input and output.
//!
//! The main thread reads messages in order and answers each from the text as it is now: parsing and the index of
//! [`desc::ide`] take milliseconds, so nothing is asked of another thread. Two threads work behind it ([`background`]): one
//! checks the newest text and publishes its faults, one decides the checks of what was found right, within limits, and is
//! stopped as soon as the text changes. Offsets become lines and columns only here ([`position`]).
//!
//! A fault of the server itself ends neither: a handler that panics answers with an internal error.

mod background;
mod capabilities;
mod dispatch;
mod documents;
mod edits;
mod features;
mod position;
mod pages;
mod server;
mod settings;
mod to_proto;
mod uri;
mod workspace;

use crate::failure::reason;
use lsp_server::{Connection, Message, Notification, Request};
use server::Server;
use std::collections::VecDeque;

/// Speaks the protocol until the client says goodbye or goes away.
///
/// # Errors
/// When the client breaks the protocol at the start, or the streams fail.
pub fn run() -> Result<(), String> {
    let (connection, threads) = Connection::stdio();
    let outcome = talk(&connection);
    drop(connection);
    threads.join().map_err(|error| error.to_string())?;
    outcome
}

fn talk(connection: &Connection) -> Result<(), String> {
    let (id, params) = connection.initialize_start().map_err(|error| {
        let gone = "this is a language server: an editor starts it, and no editor is connected";
        if error.channel_is_disconnected() { gone.to_owned() } else { error.to_string() }
    })?;
    let params = serde_json::from_value(params).map_err(|error| error.to_string())?;
    let sender = connection.sender.clone();
    let server = Server::new(&params, move |message| drop(sender.send(message)));
    let mut server = server.map_err(|error| format!("cannot start a thread: {}", reason(&error)))?;
    let result = serde_json::to_value(server.introduction()).map_err(|error| error.to_string())?;
    connection.initialize_finish(id, result).map_err(|error| error.to_string())?;
    serve(connection, &mut server)
}

/// Takes what has arrived, so that a request which was cancelled meanwhile is not worked on.
fn serve(connection: &Connection, server: &mut Server) -> Result<(), String> {
    let mut waiting: VecDeque<Message> = VecDeque::new();
    loop {
        if waiting.is_empty() {
            let Ok(message) = connection.receiver.recv() else { return Ok(()) };
            waiting.push_back(message);
        }
        waiting.extend(connection.receiver.try_iter());
        match waiting.pop_front() {
            Some(Message::Request(request)) => {
                if connection.handle_shutdown(&request).map_err(|error| error.to_string())? {
                    return Ok(());
                }
                answer(server, request, &waiting);
            }
            Some(Message::Notification(notice)) => dispatch::notification(server, notice),
            Some(Message::Response(_)) | None => {}
        }
    }
}

fn answer(server: &mut Server, request: Request, waiting: &VecDeque<Message>) {
    let response = if is_cancelled(&request, waiting) {
        dispatch::cancelled(request.id)
    } else {
        dispatch::request(server, request)
    };
    server.send(response.into());
}

fn is_cancelled(request: &Request, waiting: &VecDeque<Message>) -> bool {
    let cancels = |notice: &Notification| {
        notice.method == "$/cancelRequest" && notice.params.get("id") == serde_json::to_value(&request.id).ok().as_ref()
    };
    waiting.iter().any(|message| matches!(message, Message::Notification(notice) if cancels(notice)))
}
