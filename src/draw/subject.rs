//! What can be drawn of a system: itself, and the paper's constructions, as a graph or a table.

use super::Graph;
use super::figure::{self, DrawContext};
use super::table::Table;
use crate::model::{Horizon, Property};
use crate::paper::adjoint;
use crate::paper::decide::{self, Structures};
use crate::paper::plant::Plant;
use crate::paper::{Budget, observer};
use crate::resources::{Resources, Stop};
use crate::verdict::Witness;
use serde_json::Value;

/// What to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// G: the system itself.
    System,
    /// G_m or Ĝ_w: every state is initial.
    Variant,
    /// Obs(G): the estimates.
    Observer,
    /// The table of adjoint state sets.
    Adjoint,
    /// Obs_m(G) or Obs_w(Ĝ): from the adjoint sets.
    ModifiedObserver,
    /// Cc(G_m, Obs_m(G)) or its weak form.
    Composition,
    /// Ĝ: the system augmented with the order of first appearance of the anonymous events.
    Augmented,
}

/// A construction of one view of a system, for one property.
pub struct Subject<'a> {
    pub eye: DrawContext<'a>,
    pub what: What,
    pub property: Property,
    pub horizon: Horizon,
    /// Whether to mark the witness of the property.
    pub lit: bool,
    /// The limit on nodes, sets and pairs.
    pub max_pairs: u64,
    /// What building and drawing may use.
    pub resources: Resources<'a>,
}

pub enum Picture {
    Graph(Graph),
    /// A table, as text and as JSON.
    Table(Table, Value),
}

impl Subject<'_> {
    /// Builds it.
    ///
    /// # Errors
    /// When a limit is reached.
    pub fn picture(&self) -> Result<Picture, Stop> {
        let Subject { property, horizon, lit, .. } = self;
        let mut budget = Budget::new(Some(self.max_pairs), self.resources);
        let eye = &self.eye;
        let weak = eye.view().is_dynamic();
        let name = |strong: &str, of_weak: &str| ascii(eye, if weak { of_weak } else { strong });
        let structures = |budget: &mut Budget<'_>| Structures::new(eye.view(), property, *horizon, budget);
        let witness = match *lit {
            true => decide::decide(eye.view(), eye.view_id, property, *horizon, budget.clone()).witness,
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
                self.modified(&built, &name("Obs_m(G)", "Obs_w(Ĝ)"), *lit)
            }
            What::Composition => {
                let built = structures(&mut budget)?;
                let mut graph = figure::composition(eye, &built, &name("Cc(G_m, Obs_m(G))", "Cc(Ĝ_w, Obs_w(Ĝ))"));
                if *lit {
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
