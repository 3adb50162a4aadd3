//! Builds the construction to show, and its graph or table.

use super::What;
use crate::cli::run::session::Session;
use crate::cli::run::status::Failure;
use desc::automaton::view::Projection;
use desc::draw::Graph;
use desc::draw::figure::{self, DrawContext};
use desc::draw::table::Table;
use desc::model::{Horizon, Property, Question, ViewId};
use desc::paper::adjoint::{self, single_states};
use desc::paper::decide::{self, Structures};
use desc::paper::plant::Plant;
use desc::paper::{Budget, observer};
use desc::resources::Resources;
use desc::resources::Stop;
use desc::verdict::{Refutation, Verdict, Witness};
use desc::verify::{self, Limits};
use serde_json::Value;
use std::time::Duration;

/// The subject of `desc show`.
pub struct Subject<'a> {
    pub eye: DrawContext<'a>,
    pub what: What,
    /// Opacity instead of anonymity.
    pub opacity: bool,
    pub highlight: bool,
    /// Whether the user selected the view: then witnesses of other views are ignored.
    pub view_is_given: bool,
    /// The limit on nodes, sets and pairs.
    pub max_pairs: u64,
    /// What building and drawing may use.
    pub resources: Resources<'static>,
}

/// The longest time of looking for a witness to mark.
const HIGHLIGHTING: Duration = Duration::from_secs(20);

pub enum Picture {
    Graph(Graph),
    /// A table, as text and as JSON.
    Table(Table, Value),
}

impl Subject<'_> {
    /// The picture; the failure of one that is too large has exit code 3.
    pub fn picture(mut self, session: &mut Session) -> Result<Picture, Failure> {
        let mut property = self.property()?;
        let mut horizon = Horizon::Infinite;
        let mut lit = false;
        if self.highlight {
            match self.violated() {
                Some((view_id, exposed, late)) => {
                    (self.eye.view_id, property, horizon, lit) = (view_id, exposed, late, true);
                }
                None => session.complain(&format!(
                    "note: no check of `{}` is violated in this view: nothing is highlighted\n",
                    self.eye.system.name
                )),
            }
        }
        if self.what == What::Augmented && self.eye.view_id.projection != Projection::Weak {
            return Err(Failure::new("only the weak view has an augmented system")
                .help("add `--view weak`, or show the `system`"));
        }
        self.build(&property, horizon, lit).map_err(|stop| self.too_much(stop))
    }

    fn property(&self) -> Result<Property, Failure> {
        match (&self.eye.system.secret, self.opacity) {
            (_, false) => Ok(single_states()),
            (Some(secret), true) => Ok(Property::Opacity { secret: secret.clone() }),
            (None, true) => Err(Failure::new(format!("`{}` declares no secret states", self.eye.system.name))),
        }
    }

    fn too_much(&self, stop: Stop) -> Failure {
        let failure = Failure::stopped("it was not built", stop);
        match stop {
            Stop::Pairs => Failure {
                message: format!("it has more than {} nodes, sets and pairs", self.max_pairs),
                ..failure.help("raise `--max-pairs`")
            },
            _ => failure,
        }
    }

    /// The view, property and horizon of the first violated check, in this view if the user selected one.
    fn violated(&self) -> Option<(ViewId, Property, Horizon)> {
        let system = self.eye.system;
        let resources = self.resources.within(HIGHLIGHTING);
        let limits = Limits { timeout: resources.time_left(), memory: resources.memory, pairs: None };
        let options = verify::Options {
            limits,
            interrupted: resources.interrupted,
            grown: resources.growth,
            ..Default::default()
        };
        let results = verify::verify(system, &options);
        let mut verdicts = system.checks.iter().zip(&results.checks);
        verdicts.find_map(|(check, verdict)| match (&check.question, verdict) {
            (Question::Property { view_id, property, horizon }, Verdict::Violated(Refutation::Property(_)))
                if self.fits(*view_id) && property.has_exposed_sets() =>
            {
                Some((*view_id, property.clone(), *horizon))
            }
            _ => None,
        })
    }

    fn fits(&self, view_id: ViewId) -> bool {
        view_id.observer == self.eye.view_id.observer
            && (!self.view_is_given || view_id.projection == self.eye.view_id.projection)
    }

    fn build(&self, property: &Property, horizon: Horizon, lit: bool) -> Result<Picture, Stop> {
        let mut budget = Budget::new(Some(self.max_pairs), self.resources);
        let eye = &self.eye;
        let weak = eye.view().is_dynamic();
        let name = |strong: &str, of_weak: &str| ascii(eye, if weak { of_weak } else { strong });
        let structures = |budget: &mut Budget<'_>| Structures::new(eye.view(), property, horizon, budget);
        let witness = match lit {
            true => decide::decide(eye.view(), eye.view_id, property, horizon, budget.clone()).witness,
            false => None,
        };
        Ok(Picture::Graph(match self.what {
            What::System => self.system(false, witness.as_ref())?,
            What::Variant if !weak => self.system(true, witness.as_ref())?,
            What::Variant => {
                self.plant(&Plant::new(eye.view(), &mut budget)?.variant(), &name("G_m", "Ĝ_w"), witness.as_ref())
            }
            What::Augmented => self.plant(&Plant::new(eye.view(), &mut budget)?, &name("G", "Ĝ"), witness.as_ref()),
            What::Observer => self.observer(&mut budget, &name("Obs(G)", "Ôbs(Ĝ)"), witness.as_ref())?,
            What::Adjoint => return self.adjoint(property, &mut budget),
            What::ModifiedObserver => {
                let built = structures(&mut budget)?;
                self.modified(&built, &name("Obs_m(G)", "Obs_w(Ĝ)"), lit)
            }
            What::Composition => {
                let built = structures(&mut budget)?;
                let mut graph = figure::composition(eye, &built, &name("Cc(G_m, Obs_m(G))", "Cc(Ĝ_w, Obs_w(Ĝ))"));
                if lit {
                    let pairs = figure::exposure_pairs(&built.composition);
                    graph.light(&pairs.iter().map(|pair| pair.index()).collect::<Vec<_>>());
                }
                graph
            }
        }))
    }

    fn system(&self, variant: bool, witness: Option<&Witness>) -> Result<Graph, Stop> {
        let mut graph = figure::system_within(&self.eye, variant, &mut self.resources.monitor())?;
        if let Some(witness) = witness {
            graph.light(&witness.run.states.iter().map(|state| state.index()).collect::<Vec<_>>());
        }
        Ok(graph)
    }

    fn plant(&self, plant: &Plant, name: &str, witness: Option<&Witness>) -> Graph {
        let mut graph = figure::plant(&self.eye, plant, name);
        if let Some(witness) = witness {
            let nodes = figure::run_nodes(plant, &witness.run);
            graph.light(&nodes.iter().map(|node| node.index()).collect::<Vec<_>>());
        }
        graph
    }

    fn observer(&self, budget: &mut Budget<'_>, name: &str, witness: Option<&Witness>) -> Result<Graph, Stop> {
        let plant = Plant::new(self.eye.view(), budget)?;
        let subsets = observer::observer(&plant, budget)?;
        let mut graph = figure::observer(&self.eye, &plant, &subsets, name);
        if let Some(witness) = witness {
            let sets = figure::observed_sets(&subsets, subsets.initial()[0], &witness.observation);
            let labels: Vec<String> = sets.iter().map(|&set| self.eye.nodes(&plant, subsets.set(set))).collect();
            graph.light_labels(&labels);
        }
        Ok(graph)
    }

    fn adjoint(&self, property: &Property, budget: &mut Budget<'_>) -> Result<Picture, Stop> {
        let plant = Plant::new(self.eye.view(), budget)?;
        let subsets = observer::observer(&plant, budget)?;
        let rows = adjoint::table(&plant, &subsets, property, budget)?;
        let value = figure::adjoint_value(&self.eye, &plant, &subsets, &rows);
        Ok(Picture::Table(figure::adjoint(&self.eye, &plant, &subsets, &rows), value))
    }

    fn modified(&self, built: &Structures, name: &str, lit: bool) -> Graph {
        let Structures { plant, modified, composition, .. } = built;
        let mut graph = figure::observer(&self.eye, plant, modified, name);
        if lit {
            let sets = figure::exposure_pairs(composition).into_iter().map(|pair| composition.pair(pair).set);
            let labels: Vec<String> = sets.map(|set| self.eye.nodes(plant, modified.set(set))).collect();
            graph.light_labels(&labels);
        }
        graph
    }
}

fn ascii(eye: &DrawContext<'_>, name: &str) -> String {
    if eye.ascii { name.replace('Ĝ', "G^").replace("Ôbs", "Obs^") } else { name.to_owned() }
}
