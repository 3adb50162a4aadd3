//! The border to JavaScript: text in, text out, and the time.
//!
//! The page asks for [`room`], writes a request there, calls [`ask`] for the length of the answer and [`answer`] for its place. WHY not
//! wasm-bindgen: one text in and one out need no generated code, and no tool of the same version.

use crate::Engine;
use std::cell::RefCell;
use std::time::Duration;

// SAFETY: the page gives a function without arguments that returns a number (`page/worker.ts`).
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Milliseconds since the page was opened.
    safe fn now() -> f64;
}

#[derive(Default)]
struct Border {
    engine: Engine,
    request: Vec<u8>,
    answer: String,
}

thread_local! {
    static BORDER: RefCell<Border> = RefCell::new(begin());
}

fn begin() -> Border {
    desc::clock::told::keep_time(|| Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default());
    Border::default()
}

/// Where to write a request of so many bytes.
// SAFETY: no other function of this module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    BORDER.with_borrow_mut(|border| {
        border.request.clear();
        border.request.resize(bytes, 0);
        border.request.as_mut_ptr()
    })
}

/// Answers the request; how many bytes the answer has.
// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    BORDER.with_borrow_mut(|border| {
        let request = String::from_utf8_lossy(&border.request);
        border.answer = border.engine.ask(&request);
        border.answer.len()
    })
}

/// Where the answer stands, until the next request.
// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    BORDER.with_borrow(|border| border.answer.as_ptr())
}
