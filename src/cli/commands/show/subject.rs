//! Chooses the view, the property and the witness of the construction to show.

use super::What;
use crate::cli::run::session::Session;
use crate::cli::run::status::Failure;
use desc::automaton::view::Projection;
use desc::draw::figure::DrawContext;
use desc::draw::subject::{self, Picture};
use desc::model::{Horizon, Property, Question, ViewId};
use desc::paper::adjoint::single_states;
use desc::resources::{Resources, Stop};
use desc::verdict::{Refutation, Verdict};
use desc::verify::{self, Limits};
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
        let subject = subject::Subject {
            eye: self.eye,
            what: self.what.into(),
            property,
            horizon,
            lit,
            max_pairs: self.max_pairs,
            resources: self.resources,
        };
        subject.picture().map_err(|stop| self.too_much(stop))
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
}
