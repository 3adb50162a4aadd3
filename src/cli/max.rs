//! `desc max FILE`: how late an intruder may learn: exposure distance, maximal K, and the paper's bound (section 5).

use super::check::interrupt;
use super::check::limits::{Searching, resident_memory};
use super::load::{Reading, load};
use super::look::{Looking, MessageFormat, View, observer};
use super::pick;
use super::session::Session;
use super::status::{Ended, Failure, Status};
use clap::Args;
use desc::automaton::view::View as Seen;
use desc::draw::table::Table;
use desc::model::{Horizon, Model, Property, System};
use desc::paper::adjoint::single_states;
use desc::paper::bound;
use desc::verify::{Exposure, Finding, Options, lab};
use serde_json::{Value, json};

/// Find the largest K for which K-step anonymity and opacity hold, in each view.
#[derive(Debug, Args)]
#[command(
    after_help = "exposure: the least K that violates the property. saturation: the depth at which this search finds \
    nothing new. bound: the K beyond which nothing can change, by the paper: |X| * 2^|X|, weak with the augmented states."
)]
pub struct Max {
    /// The model, or `-` for standard input
    file: String,
    #[command(flatten)]
    looking: Looking,
    #[command(flatten)]
    searching: Searching,
    #[command(flatten)]
    reading: Reading,
    /// How the result is printed
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    message_format: MessageFormat,
}

/// One line: a view, a property, and what was found.
struct Line {
    view: View,
    property: &'static str,
    finding: Finding,
    bound: String,
}

impl Max {
    /// Prints the numbers of every system, or of the one that is named.
    pub fn run(&self, session: &mut Session) -> Ended {
        interrupt::listen();
        let unit = load(&self.file, &self.reading);
        let model = unit.model(session)?;
        let mut status = Status::Passed;
        let mut texts = Vec::new();
        let mut values = Vec::new();
        for system in self.systems(model)? {
            let lines = self.lines(system)?;
            if lines.iter().any(|line| is_open(line.finding.exposure)) {
                status = Status::Undecided;
            }
            texts.push(format!("{}\n\n{}", system.name, table(&lines, session.out.ascii)));
            values.push(json!({"name": system.name, "measures": lines.iter().map(value).collect::<Vec<_>>()}));
        }
        match self.message_format {
            MessageFormat::Human => session.print(&texts.join("\n"))?,
            MessageFormat::Json => session.print(&format!("{:#}\n", json!({"schema": 1, "systems": values})))?,
        }
        Ok(status)
    }

    fn systems<'m>(&self, model: &'m Model) -> Result<Vec<&'m System>, Failure> {
        match self.looking.system.as_deref() {
            None if !model.systems().is_empty() => Ok(model.systems().iter().collect()),
            name => Ok(vec![pick::system(model, name)?]),
        }
    }

    fn lines(&self, system: &System) -> Result<Vec<Line>, Failure> {
        let observer = &system.observer(observer(system, self.looking.against.as_deref())?).observer;
        let views = self.looking.view.map_or_else(|| vec![View::Natural, View::Strong, View::Weak], |view| vec![view]);
        let mut properties = vec![("anonymity", single_states())];
        if let Some(secret) = &system.secret {
            properties.push(("opacity", Property::Opacity { secret: secret.clone() }));
        }
        let mut lines = Vec::new();
        for (name, property) in &properties {
            for &view in &views {
                let seen = Seen { automaton: &system.automaton, observer, projection: view.projection() };
                let finding = self.examine(&seen, property);
                lines.push(Line { view, property: name, finding, bound: bound::bound(seen) });
            }
        }
        Ok(lines)
    }

    fn examine(&self, view: &Seen<'_>, property: &Property) -> Finding {
        let options = Options {
            limits: self.searching.limits(1),
            threads: self.searching.threads.unwrap_or(0),
            method: self.searching.method(),
            interrupted: Some(interrupt::flag()),
            resident: Some(&resident_memory),
            ..Options::default()
        };
        interrupt::patiently(|| lab::examine(view, property, Horizon::Infinite, &options, lab::Switches::default()))
    }
}

fn is_open(exposure: Exposure) -> bool {
    matches!(exposure, Exposure::Beyond(_) | Exposure::Unknown)
}

fn table(lines: &[Line], ascii: bool) -> String {
    let (infinite, at_least) = if ascii { ("infinite", ">=") } else { ("∞", "≥") };
    let mut table = Table::new(["property", "view", "exposure", "maximal K", "saturation", "bound"]);
    for line in lines {
        let (exposure, maximal) = match line.finding.exposure {
            Exposure::At(0) => ("0".to_owned(), "none".to_owned()),
            Exposure::At(least) => (least.to_string(), (least - 1).to_string()),
            Exposure::Never => ("never".to_owned(), infinite.to_owned()),
            Exposure::Beyond(safe) => ("unknown".to_owned(), format!("{at_least} {safe}")),
            Exposure::Unknown => ("unknown".to_owned(), "unknown".to_owned()),
        };
        let saturation = line.finding.saturation.map_or("-".to_owned(), |depth| depth.to_string());
        let view = line.view.projection().to_string();
        table.row([line.property.to_owned(), view, exposure, maximal, saturation, line.bound.clone()]);
    }
    table.text()
}

fn value(line: &Line) -> Value {
    let (exposure, max_k) = match line.finding.exposure {
        Exposure::At(0) => (json!(0), json!("none")),
        Exposure::At(least) => (json!(least), json!(least - 1)),
        Exposure::Never => (Value::Null, json!("infinite")),
        Exposure::Beyond(_) | Exposure::Unknown => (Value::Null, Value::Null),
    };
    json!({
        "projection": line.view.projection().word(), "property": line.property, "exposure": exposure, "max_k": max_k,
        "saturation": line.finding.saturation, "bound": line.bound,
    })
}
