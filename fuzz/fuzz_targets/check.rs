//! Any bytes through the checker: a model or at least one error, every place inside its text, and no more faults when its time is over.
#![no_main]

use desc::check::{Limits, Settings, check};
use desc::diagnostic::any_error;
use desc::resources::Resources;
use desc::source::{NoImports, Sources};
use desc::syntax;
use libfuzzer_sys::fuzz_target;
use std::time::Duration;

fuzz_target!(|bytes: &[u8]| {
    let mut sources = Sources::new();
    let (id, unreadable) = syntax::read(&mut sources, "fuzz.des", bytes.to_vec());
    let limits = Limits { states: 2_000, transitions: 20_000, ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    let checked = check(id, &mut sources, &NoImports, &settings);
    assert!(checked.model.is_some() || any_error(&checked.diagnostics) || any_error(&unreadable));
    for diagnostic in &checked.diagnostics {
        let text = sources.get(diagnostic.primary.span.file).text();
        assert!(text.get(diagnostic.primary.span.range()).is_some(), "{diagnostic:?}");
    }
    // A text that is left in the middle has no faults that the whole does not have.
    let resources = Resources::default().within(Duration::ZERO);
    let settings = Settings { limits: Limits { resources, ..limits }, ..settings };
    let left = check(id, &mut sources, &NoImports, &settings);
    assert!(checked.model.is_none() || !any_error(&left.diagnostics), "{:?}", left.diagnostics);
});
