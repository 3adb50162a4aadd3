//! Any bytes through the checker: a model or at least one error, and every place inside its text.
#![no_main]

use desc::check::{Limits, Settings, check};
use desc::diagnostic::any_error;
use desc::source::{NoImports, Sources};
use desc::syntax;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut sources = Sources::new();
    let (id, unreadable) = syntax::read(&mut sources, "fuzz.des", bytes.to_vec());
    let settings = Settings { limits: Limits { states: 2_000, transitions: 20_000, ..Limits::default() }, ..Settings::default() };
    let checked = check(id, &mut sources, &NoImports, &settings);
    assert!(checked.model.is_some() || any_error(&checked.diagnostics) || any_error(&unreadable));
    for diagnostic in &checked.diagnostics {
        let text = sources.get(diagnostic.primary.span.file).text();
        assert!(text.get(diagnostic.primary.span.range()).is_some(), "{diagnostic:?}");
    }
});
