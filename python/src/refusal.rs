//! The exceptions of the Python half, raised from here.

use desc::draw::TooLarge;
use desc::draw::observation::Unreadable;
use desc::resources::Stop;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// An exception of `deslang.errors`, by name.
pub fn raised(name: &str, message: &str, help: Option<&str>) -> PyErr {
    let made = Python::attach(|py| {
        let class = py.import("deslang.errors")?.getattr(name)?;
        Ok(PyErr::from_value(class.call1((message, help))?))
    });
    made.unwrap_or_else(|error: PyErr| error)
}

/// A question that cannot be asked.
pub fn question(message: impl AsRef<str>, help: Option<&str>) -> PyErr {
    raised("QuestionError", message.as_ref(), help)
}

pub fn unreadable(unreadable: Unreadable) -> PyErr {
    question(unreadable.message, unreadable.help.as_deref())
}

/// Something was not done because a limit was reached.
pub fn stopped(what: &str, stop: Stop) -> PyErr {
    raised("LimitReached", &format!("{what} {}", stop.limit()), None)
}

pub fn too_large(large: &TooLarge) -> PyErr {
    raised("LimitReached", &large.to_string(), Some("write DOT and let Graphviz draw it: `.to_dot()`"))
}

/// A fault of this package.
pub fn internal(what: &str) -> PyErr {
    PyRuntimeError::new_err(format!("internal error: {what}; please report it"))
}
