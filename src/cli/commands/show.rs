//! `desc show WHAT FILE`: draws a system or one of the paper's constructions.

mod subject;

use crate::cli::args::look::{Looking, View};
use crate::cli::run::limits::RunLimits;
use crate::cli::run::load::{Reading, integer, load, load_component};
use crate::cli::run::outputs::Outputs;
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure};
use crate::files;
use clap::{Args, ValueEnum};
use desc::draw::subject::Picture;
use desc::draw::{self, Direction, Options, TooLarge};
use desc::model::System;
use std::path::{Path, PathBuf};
use subject::Subject;

/// Draw a system or one of the paper's constructions.
#[derive(Debug, Args)]
#[command(after_help = "As in the paper's figures, observers are shown without the empty set, unless it is initial. \
    `--view weak` selects the weak forms (Ĝ_w, Obs_w(Ĝ), ...).\n\n\
    Examples:\n\
\x20 desc show system ballot.des -o ballot.svg\n\
\x20 desc show system ballot.des --highlight\n\
\x20 desc show system ballot.des --component \"Voter(1)\"\n\
\x20 desc show observer ballot.des --view strong")]
pub struct Show {
    /// What to show
    what: What,
    /// The model, or `-` for standard input
    file: String,
    #[command(flatten)]
    looking: Looking,
    /// A component or monitor with its arguments, in place of a system: `User(2)`
    #[arg(long, value_name = "COMPONENT", conflicts_with = "system", help_heading = "View")]
    component: Option<String>,
    /// The format [default: by the extension of the output file, else a table]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    format: Option<Format>,
    /// Write to a file
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Mark the witness of the first violated check
    #[arg(long, help_heading = "Output")]
    highlight: bool,
    /// The direction of the drawing
    #[arg(long, value_name = "WAY", default_value = "auto", help_heading = "Output")]
    direction: Way,
    /// The width of a TikZ picture: `8cm`, `0.5\\linewidth` [default: its natural size]
    #[arg(long, value_name = "LENGTH", value_parser = draw::tikz::length, help_heading = "Output")]
    width: Option<String>,
    /// Omit the legend
    #[arg(long, help_heading = "Output")]
    no_legend: bool,
    /// Hide the secret states instead of single states
    #[arg(long, help_heading = "View")]
    opacity: bool,
    /// Limit on the sets and pairs to build
    #[arg(long, value_name = "N", value_parser = integer::<u64>, default_value_t = 100_000, help_heading = "Search")]
    max_pairs: u64,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    limits: RunLimits,
}

/// What to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// G: the system itself
    System,
    /// G_m or Ĝ_w: every state is initial
    Variant,
    /// Obs(G): the estimates
    Observer,
    /// The table of adjoint state sets
    Adjoint,
    /// Obs_m(G) or Obs_w(Ĝ): from the adjoint sets
    ModifiedObserver,
    /// Cc(G_m, Obs_m(G)) or its weak form: exposures are red
    Composition,
    /// Ĝ: the system augmented with the order of first appearance of the anonymous events
    Augmented,
}

impl From<What> for draw::subject::What {
    fn from(what: What) -> draw::subject::What {
        match what {
            What::System => draw::subject::What::System,
            What::Variant => draw::subject::What::Variant,
            What::Observer => draw::subject::What::Observer,
            What::Adjoint => draw::subject::What::Adjoint,
            What::ModifiedObserver => draw::subject::What::ModifiedObserver,
            What::Composition => draw::subject::What::Composition,
            What::Augmented => draw::subject::What::Augmented,
        }
    }
}

/// The format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text in columns
    Table,
    /// A drawing for the screen and the web
    Svg,
    /// A drawing for LaTeX
    Tikz,
    /// A graph for Graphviz
    Dot,
    /// A JSON document
    Json,
}

/// The direction of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Way {
    /// Whichever fits a page best
    Auto,
    /// From left to right
    Right,
    /// From top to bottom
    Down,
}

impl Show {
    pub fn run(&self, session: &mut Session) -> Ended {
        let format = self.format()?;
        if self.width.is_some() && format != Format::Tikz {
            return Err(Failure::new("`--width` is the width of a TikZ picture").help("add `--format tikz`"));
        }
        let outputs = Outputs::new(self.output.as_deref(), &[&self.file])?;
        let resources = self.limits.begin();
        let reading = self.reading.within(resources);
        let unit = match &self.component {
            Some(component) => load_component(&self.file, component, &reading)?,
            None => load(&self.file, &reading),
        };
        outputs.spare(&unit.paths)?;
        let model = unit.model(session)?;
        let usual = if self.what == What::Augmented { View::Weak } else { View::Strong };
        let eye = self.looking.eye(model, usual, session)?;
        let subject = Subject {
            eye,
            what: self.what,
            opacity: self.opacity,
            highlight: self.highlight,
            view_is_given: self.looking.view.is_some(),
            max_pairs: self.max_pairs,
            resources: resources.less(model.bytes()),
        };
        let picture = subject.picture(session)?;
        let text = self.written(&picture, eye.system, format)?;
        match &self.output {
            Some(path) => files::write(path, text.as_bytes())?,
            None if format == Format::Table => session.tell(&text)?,
            None => session.print(&text)?,
        }
        Ok(unit.status())
    }

    fn written(&self, picture: &Picture, system: &System, format: Format) -> Result<String, Failure> {
        let direction = match self.direction {
            Way::Auto => Direction::Auto,
            Way::Right => Direction::Right,
            Way::Down => Direction::Down,
        };
        let width = self.width.clone();
        let options = Options { direction, legend: !self.no_legend, width, ..Options::default() };
        match (picture, format) {
            (Picture::Table(table, _), Format::Table) => Ok(table.text()),
            (Picture::Table(table, _), Format::Tikz) => Ok(draw::tikz::tabular(table)),
            (Picture::Table(_, value), Format::Json) => Ok(format!("{value:#}\n")),
            (Picture::Table(..), _) => Err(Failure::new("the adjoint sets are a table, not a drawing")
                .help("use `--format table`, `json`, or `tikz` for a LaTeX tabular")),
            (Picture::Graph(graph), Format::Table) => Ok(draw::table::write(graph)),
            (Picture::Graph(graph), Format::Dot) => Ok(draw::dot::write(graph)),
            (Picture::Graph(graph), Format::Json) => Ok(format!("{:#}\n", draw::json::value(graph, system))),
            (Picture::Graph(graph), Format::Svg) => draw::svg(graph, &options).map_err(|large| too_large(&large)),
            (Picture::Graph(graph), Format::Tikz) => draw::tikz(graph, &options).map_err(|large| too_large(&large)),
        }
    }

    fn format(&self) -> Result<Format, Failure> {
        match (self.format, &self.output) {
            (Some(format), _) => Ok(format),
            (None, None) => Ok(Format::Table),
            (None, Some(path)) => by_extension(path),
        }
    }
}

fn by_extension(path: &Path) -> Result<Format, Failure> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("tex" | "tikz") => Ok(Format::Tikz),
        Some("dot" | "gv") => Ok(Format::Dot),
        Some("json") => Ok(Format::Json),
        Some("txt") => Ok(Format::Table),
        _ => Err(Failure::new(format!("the extension of `{}` is not a known format", path.display()))
            .help("use .svg, .tex, .dot, .json or .txt, or add `--format`")),
    }
}

fn too_large(large: &TooLarge) -> Failure {
    Failure::new(large.to_string())
        .help("write DOT and let Graphviz draw it: `--format dot -o graph.dot`, then `sfdp -Tsvg graph.dot`")
}
