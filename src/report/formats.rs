//! The renderers of a report: one file per format, from [`Report`](super::Report) to text.

mod annotation;
pub mod code_quality;
pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod sarif;
pub mod sweep;
pub mod text;
