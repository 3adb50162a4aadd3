//! Composed models made of bytes: parts, monitors, labels with indices, agents, pools, and checks of every kind. They are read without a fault of
//! syntax, formatting keeps them, and the engine and the literal construction agree on every check that both decide.
#![no_main]

#[path = "../../tests/support/composed.rs"]
mod composed;

use desc::check::{Limits, Settings, check};
use desc::diagnostic::any_error;
use desc::format::format_text;
use desc::source::{NoImports, Sources};
use desc::syntax;
use desc::verdict::Answer;
use desc::verify::{self, Method, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = composed::composed(bytes);
    assert!(format_text("fuzz.des", &text).is_ok(), "{text}");
    let mut sources = Sources::new();
    let (id, faults) = syntax::read(&mut sources, "fuzz.des", text.clone().into_bytes());
    assert!(faults.is_empty(), "{faults:?}");
    let limits = Limits { states: 2_000, transitions: 20_000, ..Limits::default() };
    let checked = check(id, &mut sources, &NoImports, &Settings { limits, ..Settings::default() });
    assert!(checked.model.is_some() || any_error(&checked.diagnostics), "{text}");
    let limits = verify::Limits { pairs: Some(5_000), ..verify::Limits::default() };
    for system in checked.model.iter().flat_map(|model| model.systems()) {
        let [quick, literal] = [Method::Engine, Method::Literal]
            .map(|method| verify::verify(system, &Options { limits, method, ..Options::default() }));
        for (one, other) in quick.checks.iter().zip(&literal.checks) {
            let (one, other) = (one.answer(), other.answer());
            let open = one == Answer::Undecided || other == Answer::Undecided;
            assert!(open || one == other, "{text}");
        }
    }
});
