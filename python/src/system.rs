//! Questions about one system: its parts, estimates, projections, the maximal K, the paper's constructions, other formats.

use crate::limits::Allowed;
use crate::picture::Picture;
use crate::refusal::{internal, question, raised, stopped, unreadable};
use crate::running::attended;
use desc::automaton::StateSet;
use desc::automaton::view::{Observability, Projection};
use desc::diagnostic::render;
use desc::draw::figure::DrawContext;
use desc::draw::observation::{self, Unreadable};
use desc::draw::subject::{Picture as Drawn, Subject, What};
use desc::export::{Target, write};
use desc::model::{self, Horizon, OWN, Property, ViewId};
use desc::paper::adjoint::single_states;
use desc::paper::estimate::History;
use desc::paper::{Budget, bound};
use desc::verdict::Exposure;
use desc::verify::decide;
use desc::{Checked, Severity};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// The estimate after each symbol, or the delayed one of one instant.
type Estimates = Vec<Vec<String>>;

/// One system of a model.
#[pyclass(frozen, module = "deslang._native")]
pub struct System {
    checked: Arc<Checked>,
    at: usize,
}

#[pymethods]
impl System {
    /// Its name.
    #[getter]
    fn name(&self) -> PyResult<&str> {
        Ok(&self.system()?.name)
    }

    /// Its states, events, transitions and sets, as a JSON document.
    fn parts(&self) -> PyResult<String> {
        Ok(parts(self.system()?).to_string())
    }

    /// How many states, events and transitions it has.
    fn size(&self) -> PyResult<(usize, usize, usize)> {
        let automaton = &self.system()?.automaton;
        Ok((automaton.n_states(), automaton.n_events(), automaton.n_transitions()))
    }

    /// A system in another format, and what that format does not say.
    #[pyo3(signature = (format, projection="natural", observer=None))]
    fn export(&self, format: &str, projection: &str, observer: Option<&str>) -> PyResult<(String, Vec<String>)> {
        let words = || Target::words().collect::<Vec<_>>().join(", ");
        let unknown = || question(format!("unknown format `{format}`"), Some(&format!("use one of {}", words())));
        let target = Target::from_word(format).ok_or_else(unknown)?;
        let eye = self.eye(projection, observer)?;
        let written = write(target, eye.system, eye.view_id);
        let (errors, warnings): (Vec<_>, Vec<_>) =
            written.diagnostics.into_iter().partition(|diagnostic| diagnostic.severity == Severity::Error);
        if !errors.is_empty() {
            let shown = render::short(self.checked.sources(), &errors);
            return Err(raised("QuestionError", shown.trim_end(), errors[0].help.as_deref()));
        }
        Ok((written.text, warnings.into_iter().map(|warning| warning.message).collect()))
    }

    /// The estimates after each symbol of an observation; with `at`, the delayed estimates of that instant.
    #[pyo3(signature = (projection, observer, observation, at=None, *, timeout=None, memory=None))]
    #[allow(clippy::too_many_arguments)]
    fn estimate(
        &self,
        py: Python<'_>,
        projection: &str,
        observer: Option<&str>,
        observation: Vec<String>,
        at: Option<usize>,
        timeout: Option<f64>,
        memory: Option<u64>,
    ) -> PyResult<Estimates> {
        let eye = self.eye(projection, observer)?;
        let read = |word: &String| observation::sign(&eye, word).map_err(unreadable);
        let signs = observation.iter().map(read).collect::<PyResult<Vec<_>>>()?;
        if let Some(at) = at.filter(|&at| at > signs.len()) {
            return Err(question(
                format!("instant {at} is after the observation, which has {} symbols", signs.len()),
                None,
            ));
        }
        let allowed = Allowed::new(timeout, memory, None)?;
        let names = |set: StateSet| set.iter().map(|state| eye.state(state)).collect();
        let computed = attended(py, |interrupted| {
            let mut budget = Budget::new(None, allowed.resources(interrupted));
            let seen = |seen: usize| {
                let history = History::within(eye.view(), &signs[..seen], &mut budget)?;
                Ok(names(at.map_or_else(|| history.estimate(seen), |at| history.delayed(at))))
            };
            (at.unwrap_or(0)..=signs.len()).map(seen).collect::<Result<Estimates, _>>()
        })?;
        computed.map_err(|stop| stopped("the estimates were not computed", stop))
    }

    /// What an intruder sees of a string of events.
    #[pyo3(signature = (projection, observer, string))]
    fn project(&self, projection: &str, observer: Option<&str>, string: Vec<String>) -> PyResult<Vec<String>> {
        let eye = self.eye(projection, observer)?;
        let read = |word: &String| observation::event(&eye, word).map_err(unreadable);
        let events = string.iter().map(read).collect::<PyResult<Vec<_>>>()?;
        let signs = eye.view().project(&events);
        Ok(signs.into_iter().map(|sign| eye.system.sign_name(eye.view_id.observer, sign)).collect())
    }

    /// The exposure distance of a property, as a JSON document.
    #[pyo3(signature = (projection, observer, property, *, timeout=None, memory=None, max_pairs=None, threads=0))]
    #[allow(clippy::too_many_arguments)]
    fn measure(
        &self,
        py: Python<'_>,
        projection: &str,
        observer: Option<&str>,
        property: &str,
        timeout: Option<f64>,
        memory: Option<u64>,
        max_pairs: Option<u64>,
        threads: usize,
    ) -> PyResult<String> {
        let eye = self.eye(projection, observer)?;
        let property = asked(eye.system, property)?;
        let allowed = Allowed::new(timeout, memory, max_pairs)?.by(threads, "engine", false)?;
        attended(py, |interrupted| {
            let found = decide(&eye.view(), &property, Horizon::Infinite, &allowed.options(interrupted));
            let (exposure, holds_up_to, is_infinite) = match found.exposure {
                Exposure::At(least) => (Some(least), least.checked_sub(1), false),
                Exposure::Never => (None, None, true),
                Exposure::AtMost { .. } => (None, None, false),
                Exposure::Beyond(safe) => (None, Some(safe), false),
                Exposure::Unknown => (None, None, false),
            };
            json!({
                "exposure": exposure, "holds_up_to": holds_up_to, "infinite": is_infinite, "saturation": found.saturation,
                "bound": bound::bound(eye.view()), "pairs": found.cost.pairs, "time": found.cost.time.as_secs_f64(),
            })
            .to_string()
        })
    }

    /// A system, or one of the paper's constructions.
    #[pyo3(signature = (what, projection, observer=None, property="anonymity", *, max_pairs=100_000, timeout=None, memory=None))]
    #[allow(clippy::too_many_arguments)]
    fn picture(
        &self,
        py: Python<'_>,
        what: &str,
        projection: &str,
        observer: Option<&str>,
        property: &str,
        max_pairs: u64,
        timeout: Option<f64>,
        memory: Option<u64>,
    ) -> PyResult<Picture> {
        let eye = self.eye(projection, observer)?;
        let what = construction(what, eye.view_id.projection)?;
        let property = asked(eye.system, property)?;
        let allowed = Allowed::new(timeout, memory, None)?;
        let built = attended(py, |interrupted| {
            let resources = allowed.resources(interrupted);
            Subject { eye, what, property, horizon: Horizon::Infinite, lit: false, max_pairs, resources }.picture()
        })?;
        match built.map_err(|stop| stopped("it was not built", stop))? {
            Drawn::Graph(graph) => {
                let json = desc::draw::json::value(&graph, eye.system).to_string();
                Ok(Picture::graph(graph, json))
            }
            Drawn::Table(table, value) => Ok(Picture::table(table.text(), value.to_string())),
        }
    }
}

impl System {
    pub fn new(checked: Arc<Checked>, at: usize) -> System {
        System { checked, at }
    }

    fn system(&self) -> PyResult<&model::System> {
        let systems = self.checked.model().map_or(&[][..], |model| model.systems());
        systems.get(self.at).ok_or_else(|| internal("a system that its model does not have"))
    }

    fn eye(&self, projection: &str, observer: Option<&str>) -> PyResult<DrawContext<'_>> {
        let system = self.system()?;
        let observer = observation::observer(system, observer).map_err(unreadable)?;
        let projections = [Projection::Natural, Projection::Strong, Projection::Weak];
        let found = projections.into_iter().find(|known| known.word() == projection);
        let unknown = || Unreadable::unknown("view", projection, projections.into_iter().map(Projection::word));
        let projection = found.ok_or_else(|| unreadable(unknown()))?;
        Ok(DrawContext { system, view_id: ViewId { observer, projection }, ascii: false })
    }
}

fn asked(system: &model::System, property: &str) -> PyResult<Property> {
    match (property, &system.secret) {
        ("anonymity", _) => Ok(single_states()),
        ("opacity", Some(secret)) => Ok(Property::Opacity { secret: secret.clone() }),
        ("opacity", None) => Err(question(format!("`{}` declares no secret states", system.name), None)),
        (other, _) => Err(question(format!("unknown property `{other}`"), Some("use `anonymity` or `opacity`"))),
    }
}

const CONSTRUCTIONS: [(&str, What); 7] = [
    ("system", What::System),
    ("variant", What::Variant),
    ("observer", What::Observer),
    ("adjoint", What::Adjoint),
    ("modified-observer", What::ModifiedObserver),
    ("composition", What::Composition),
    ("augmented", What::Augmented),
];

fn construction(word: &str, projection: Projection) -> PyResult<What> {
    let unknown = || Unreadable::unknown("construction", word, CONSTRUCTIONS.into_iter().map(|(word, _)| word));
    let found = CONSTRUCTIONS.into_iter().find(|(known, _)| *known == word);
    let (_, what) = found.ok_or_else(|| unreadable(unknown()))?;
    if what == What::Augmented && projection != Projection::Weak {
        return Err(question("only the weak view has an augmented system", Some("use the view `weak`")));
    }
    Ok(what)
}

fn parts(system: &model::System) -> Value {
    let automaton = &system.automaton;
    let states: Vec<_> = automaton.states().map(|state| system.names.state(state)).collect();
    let events: Vec<_> = automaton.events().map(|event| system.names.event(event)).collect();
    let own = &system.observer(OWN).observer;
    let those = |wanted: &dyn Fn(Observability) -> bool| -> Vec<&str> {
        automaton
            .events()
            .filter(|&event| wanted(own.observability(event)))
            .map(|event| &*events[event.index()])
            .collect()
    };
    let transitions = automaton.transitions().map(|(_, source, step)| {
        json!([states[source.index()], events[step.event.index()], states[step.target.index()]])
    });
    json!({
        "docs": system.docs,
        "states": states,
        "initial": automaton.initial().iter().map(|state| &*states[state.index()]).collect::<Vec<_>>(),
        "secret": system.secret.as_ref().map(|set| set.iter().map(|state| &*states[state.index()]).collect::<Vec<_>>()),
        "events": events,
        "observable": those(&|seen| seen != Observability::Silent),
        "anonymous": those(&|seen| matches!(seen, Observability::Anonymous(_))),
        "transitions": transitions.collect::<Vec<_>>(),
        "observers": system.observers.iter().filter_map(|observer| observer.name.as_deref()).collect::<Vec<_>>(),
        "checks": system.checks.iter().map(|check| check.text.as_str()).collect::<Vec<_>>(),
    })
}
