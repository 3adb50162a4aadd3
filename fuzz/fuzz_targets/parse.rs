//! Any bytes: tokens are lossless, parsing ends with a tree and diagnostics that lie inside the text.
#![no_main]

use desc::source::Sources;
use desc::syntax;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut sources = Sources::new();
    let (id, unreadable) = syntax::read(&mut sources, "fuzz.des", bytes.to_vec());
    let file = sources.get(id);
    let again: String = syntax::token::tokens(file.text()).map(|token| token.text(file.text())).collect();
    assert_eq!(again, file.text());
    for diagnostic in unreadable.iter().chain(&syntax::parse(id, file).diagnostics) {
        assert!(file.text().get(diagnostic.primary.span.range()).is_some(), "{diagnostic:?}");
    }
});
