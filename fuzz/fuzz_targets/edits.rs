//! What the language server does after a keystroke: a document of any text answers every question at any place.
#![no_main]

use desc::ide::{Document, complete, hover, navigate, outline, shape, signature, tokens};
use desc::source::NoImports;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, u32)| {
    let (text, place) = input;
    let document = Document::new("fuzz.des", text, &NoImports);
    let mut at = (place as usize).min(text.len());
    while !document.text().is_char_boundary(at) {
        at -= 1;
    }
    let at = at as u32;
    let _ = hover::hover(&document, None, at);
    let _ = complete::complete(&document, at);
    let _ = signature::signature(&document, at);
    let _ = navigate::definition(&document, at);
    let _ = navigate::references(&document, at, &[], true);
    let _ = navigate::rename(&document, at, &[], "renamed");
    let _ = outline::outline(&document);
    let _ = shape::folds(&document);
    let _ = shape::selections(&document, at);
    for coloured in tokens::tokens(&document, None) {
        assert!(document.text().get(coloured.span.range()).is_some());
    }
});
