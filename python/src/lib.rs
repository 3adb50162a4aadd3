//! The native half of the Python package `deslang`: the compiler and the engine, behind a few plain functions and classes.
//!
//! Results leave as text (the JSON documents of the command line) or as plain lists; the Python half, `python/deslang`, gives them
//! their types. Every long call releases the interpreter lock and ends soon after Ctrl-C.

mod batch;
mod limits;
mod model;
mod picture;
mod reading;
mod refusal;
mod repair;
mod report;
mod running;
mod story;
mod system;
mod text;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::Model>()?;
    module.add_class::<system::System>()?;
    module.add_class::<report::Report>()?;
    module.add_class::<picture::Picture>()?;
    module.add_function(wrap_pyfunction!(reading::read, module)?)?;
    module.add_function(wrap_pyfunction!(batch::check_many, module)?)?;
    module.add_function(wrap_pyfunction!(report::difference, module)?)?;
    module.add_function(wrap_pyfunction!(text::explain, module)?)?;
    module.add_function(wrap_pyfunction!(text::format_text, module)?)?;
    module.add_function(wrap_pyfunction!(text::formats, module)?)?;
    module.add_function(wrap_pyfunction!(text::quoted, module)?)?;
    module.add_function(wrap_pyfunction!(text::style, module)?)?;
    module.add_function(wrap_pyfunction!(text::tokens, module)?)
}
