//! Many small models on all cores, without a Python thread.

use crate::limits::{Allowed, Sizes, settings};
use crate::model::Model;
use crate::report::Report;
use crate::running::{STACK, attended};
use desc::source::NoImports;
use desc::verify::Method;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// One model of a batch: read already, or a name, a text and the values of its constants.
#[derive(FromPyObject)]
pub enum Item {
    /// Read already.
    Read(Py<Model>),
    /// A text that imports nothing.
    Text(String, String, Vec<(String, i64)>),
}

/// Decides every check of every model; the reports are in the order of the models. Limits are those of one model.
#[pyfunction]
#[pyo3(signature = (items, *, timeout=None, memory=None, max_pairs=None, threads=0, method="engine"))]
pub fn check_many(
    py: Python<'_>,
    items: Vec<Item>,
    timeout: Option<f64>,
    memory: Option<u64>,
    max_pairs: Option<u64>,
    threads: usize,
    method: &str,
) -> PyResult<Vec<Report>> {
    let allowed = Allowed::new(timeout, memory, max_pairs)?.by(1, method, false)?;
    attended(py, |interrupted| {
        let work = |item: &Item| decided(item, &allowed, interrupted);
        match rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build() {
            Ok(pool) => pool.install(|| items.par_iter().map(work).collect()),
            Err(_) => items.iter().map(work).collect(),
        }
    })
}

fn decided(item: &Item, allowed: &Allowed, interrupted: &'static AtomicBool) -> Report {
    match item {
        Item::Read(model) => model.get().decided(allowed, interrupted),
        Item::Text(name, text, defines) => {
            let started = Instant::now();
            let settings =
                settings(allowed.method != Method::Engine, defines.clone(), Sizes::default(), allowed, interrupted);
            let checked = desc::check_with(name, text, &NoImports, &settings);
            Report::new(checked.verify(&allowed.after(started.elapsed()).options(interrupted)))
        }
    }
}
