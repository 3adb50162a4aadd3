//! A drawing of a system or of one of the paper's constructions, in every format of `desc show`.

use crate::refusal::{question, too_large};
use desc::draw::{self, Graph, Options};
use pyo3::prelude::*;

/// A graph or a table.
#[pyclass(frozen, module = "deslang._native")]
pub struct Picture {
    graph: Option<Graph>,
    table: String,
    json: String,
}

impl Picture {
    pub fn graph(graph: Graph, json: String) -> Picture {
        Picture { table: draw::table::write(&graph), graph: Some(graph), json }
    }

    pub fn table(table: String, json: String) -> Picture {
        Picture { graph: None, table, json }
    }

    fn drawn(&self) -> PyResult<&Graph> {
        self.graph.as_ref().ok_or_else(|| question("the adjoint sets are a table, not a drawing", Some("print it")))
    }
}

#[pymethods]
impl Picture {
    /// A JSON document: nodes and edges, or the rows of a table.
    fn json(&self) -> &str {
        &self.json
    }

    /// Text in columns.
    fn text(&self) -> &str {
        &self.table
    }

    /// A drawing for the web; `prefix` stands before every id.
    #[pyo3(signature = (prefix="", *, legend=true))]
    fn svg(&self, prefix: &str, legend: bool) -> PyResult<String> {
        let options = Options { prefix: prefix.to_owned(), legend, ..Options::default() };
        draw::svg(self.drawn()?, &options).map_err(|large| too_large(&large))
    }

    /// A drawing for LaTeX.
    #[pyo3(signature = (width=None))]
    fn tikz(&self, width: Option<String>) -> PyResult<String> {
        draw::tikz(self.drawn()?, &Options { width, ..Options::default() }).map_err(|large| too_large(&large))
    }

    /// A graph for Graphviz.
    fn dot(&self) -> PyResult<String> {
        Ok(draw::dot::write(self.drawn()?))
    }
}
