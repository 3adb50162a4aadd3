//! The options that select a system, an observer and a projection.

use super::pick;
use crate::cli::run::limits::RunLimits;
use crate::cli::run::load::Reading;
use crate::cli::run::session::Session;
use crate::cli::run::status::Failure;
use clap::{Args, ValueEnum};
use desc::automaton::view::Projection;
use desc::draw::figure::DrawContext;
use desc::draw::observation::observer;
use desc::model::{Model, ViewId};

/// Options of every command that shows one system.
#[derive(Clone, Debug, Default, Args)]
pub struct Looking {
    /// The system [default: the only one of the file]
    #[arg(long, value_name = "NAME", help_heading = "View")]
    pub system: Option<String>,
    /// The observer [default: the observer declared by the system itself]
    #[arg(long, value_name = "OBSERVER", help_heading = "View")]
    pub against: Option<String>,
    /// The projection
    #[arg(long, value_name = "VIEW", help_heading = "View")]
    pub view: Option<View>,
}

/// Options of every command that queries one system.
#[derive(Clone, Debug, Args)]
pub struct Asking {
    #[command(flatten)]
    pub looking: Looking,
    #[command(flatten)]
    pub reading: Reading,
    /// Limits of the whole run.
    #[command(flatten)]
    pub limits: RunLimits,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    pub message_format: MessageFormat,
}

/// The projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// Every observable event shows its name
    Natural,
    /// Anonymous events all look alike
    Strong,
    /// Anonymous events show a number: the order of their first appearance
    Weak,
}

impl View {
    /// The projection.
    pub fn projection(self) -> Projection {
        match self {
            View::Natural => Projection::Natural,
            View::Strong => Projection::Strong,
            View::Weak => Projection::Weak,
        }
    }
}

impl Looking {
    /// The system and its view; the projection is that of `--view`, or the default.
    pub fn eye<'m>(&self, model: &'m Model, usual: View, session: &Session) -> Result<DrawContext<'m>, Failure> {
        let system = pick::system(model, self.system.as_deref())?;
        let observer = observer(system, self.against.as_deref())?;
        let projection = self.view.unwrap_or(usual).projection();
        Ok(DrawContext { system, view_id: ViewId { observer, projection }, ascii: session.out.ascii })
    }
}

/// The output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// A table
    #[default]
    Human,
    /// One JSON document
    Json,
}
