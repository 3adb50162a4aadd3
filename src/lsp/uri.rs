//! `file:` addresses and paths.

use gen_lsp_types::Uri;
use std::path::{Path, PathBuf};

/// The path of a `file:` address; nothing for other schemes.
pub fn path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.0.strip_prefix("file://")?;
    // Between the slashes stands a host; only this machine is meant here.
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let decoded = decode(rest)?;
    let bytes = decoded.as_bytes();
    let is_drive = bytes.len() > 2 && bytes[0] == b'/' && bytes[2] == b':' && bytes[1].is_ascii_alphabetic();
    decoded.starts_with('/').then(|| PathBuf::from(if is_drive { &decoded[1..] } else { &decoded }))
}

/// The `file:` address of an absolute path.
pub fn of_path(path: &Path) -> Uri {
    let text = path.to_string_lossy().replace('\\', "/");
    let slash = if text.starts_with('/') { "" } else { "/" };
    Uri(format!("file://{slash}{}", encode(&text)))
}

/// The name under which a document's text is known: its path, or its address if it has none.
pub fn name(uri: &Uri) -> String {
    path(uri).map_or_else(|| uri.0.clone(), |path| path.to_string_lossy().into_owned())
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let hex = (byte == b'%').then(|| after.get(..2)).flatten().and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

fn encode(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/:".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_back() {
        for path_text in ["/a/b.des", "/with space/γ%41.des", "/c#d?e.des"] {
            assert_eq!(path(&of_path(Path::new(path_text))).as_deref(), Some(Path::new(path_text)));
        }
        assert_eq!(path(&Uri("untitled:Untitled-1".to_owned())), None);
        assert_eq!(path(&Uri("file:///c%3A/x.des".to_owned())).as_deref(), Some(Path::new("c:/x.des")));
    }
}
