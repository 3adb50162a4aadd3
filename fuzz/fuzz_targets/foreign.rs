//! The first byte chooses a format, the rest is the file: a model, or an error with a place inside the text.
#![no_main]

use desc::diagnostic::any_error;
use desc::import::{self, Format};
use desc::source::Sources;
use desc::syntax;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let (_, format) = Format::ALL[choice as usize % Format::ALL.len()];
    let mut sources = Sources::new();
    let (id, _) = syntax::read(&mut sources, "fuzz", rest.to_vec());
    let file = sources.get(id);
    let (model, diagnostics) = import::read(format, id, file);
    assert!(model.is_some() || any_error(&diagnostics), "{format:?}");
    for diagnostic in &diagnostics {
        assert!(file.text().get(diagnostic.primary.span.range()).is_some(), "{diagnostic:?}");
    }
});
