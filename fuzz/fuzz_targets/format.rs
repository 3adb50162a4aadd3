//! Any text through the formatter: what it gives parses to the same tree (it looks itself), and formatting it again changes nothing.
#![no_main]

use desc::format::format_text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(once) = format_text("fuzz.des", text) {
        assert_eq!(format_text("fuzz.des", &once).as_deref(), Ok(once.as_str()));
    }
});
