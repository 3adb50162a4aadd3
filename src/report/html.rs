//! One self-contained page.

use super::Report;

/// The page.
pub fn html(_report: &Report) -> String {
    String::new()
}
