//! `desc max FILE`: exposure distance, maximal K, and the paper's bound (section 5).

use crate::cli::args::look::{Looking, MessageFormat, View};
use crate::cli::args::pick;
use crate::cli::args::search::{Searching, grown_beside};
use crate::cli::run::interrupt;
use crate::cli::run::known::Known;
use crate::cli::run::limits::{backstop, started};
use crate::cli::run::load::{Reading, load};
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use clap::Args;
use desc::draw::observation::observer;
use desc::draw::table::Table;
use desc::model::{Measure, Model, Property, System, ViewId};
use desc::paper::adjoint::single_states;
use desc::report::MaxK;
use desc::resources::Resources;
use desc::verdict::{Exposure, Finding, Measured, Results};
use desc::verify::{Options, Progress, verify};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Find the largest K for which K-step anonymity and opacity hold, in each view.
#[derive(Debug, Args)]
#[command(
    after_help = "exposure: the least K that violates the property. saturation: the depth at which this search finds \
    no new pairs. bound: the paper's upper bound on K, |X| * 2^|X| (weak: with the augmented states).\n\n\
    Example:\n  desc max ballot.des"
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
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    message_format: MessageFormat,
}

impl Max {
    /// Prints the numbers of every system, or of the named one; after an interrupt, those known so far.
    pub fn run(&self, session: &mut Session) -> Ended {
        interrupt::listen();
        let resources = self.searching.limits.resources(started(), 1);
        let unit = load(&self.file, &self.reading.within(resources));
        let mut status = unit.status();
        let mut model = unit.into_model(session)?;
        let mut measures = self.measures(&model)?;
        model.measure_instead(|system| measures.remove(&system.name).unwrap_or_default());
        let mut texts = Vec::new();
        let mut values = Vec::new();
        let (model, results) = self.measured(model, resources);
        for (system, results) in model.systems().iter().zip(&results) {
            let lines = || system.measures.iter().zip(&results.measures);
            if lines().any(|(_, measured)| is_open(measured.finding.exposure)) {
                status = Status::Undecided;
            }
            texts.push(format!("{}\n\n{}", system.name, table(lines(), session.out.ascii)));
            values.push(json!({"name": system.name, "measures": lines().map(value).collect::<Vec<_>>()}));
        }
        match self.message_format {
            MessageFormat::Human => session.tell(&texts.join("\n"))?,
            MessageFormat::Json => session.print(&format!("{:#}\n", json!({"schema": 1, "systems": values})))?,
        }
        Ok(status)
    }

    fn measures(&self, model: &Model) -> Result<BTreeMap<String, Vec<Measure>>, Failure> {
        let systems = match self.looking.system.as_deref() {
            None if !model.systems().is_empty() => model.systems().iter().collect(),
            name => vec![pick::system(model, name)?],
        };
        systems.into_iter().map(|system| Ok((system.name.clone(), self.measures_of(system)?))).collect()
    }

    fn measures_of(&self, system: &System) -> Result<Vec<Measure>, Failure> {
        let observer = observer(system, self.looking.against.as_deref())?;
        let views = self.looking.view.map_or_else(|| vec![View::Natural, View::Strong, View::Weak], |view| vec![view]);
        let secret = system.secret.iter().map(|secret| Property::Opacity { secret: secret.clone() });
        let mut measures = Vec::new();
        for property in [single_states()].into_iter().chain(secret) {
            for view in &views {
                let view_id = ViewId { observer, projection: view.projection() };
                let property = property.clone();
                measures.push(Measure { name: None, text: String::new(), span: system.span, view_id, property });
            }
        }
        Ok(measures)
    }

    /// The results of each system, partial after an interrupt.
    fn measured(&self, model: Model, resources: Resources<'static>) -> (Arc<Model>, Vec<Results>) {
        let (model, known) = (Arc::new(model), Arc::<Mutex<Known>>::default());
        let (of_thread, board, searching) = (Arc::clone(&model), Arc::clone(&known), self.searching.clone());
        let work = move || {
            let systems = of_thread.systems();
            for (at, system) in systems.iter().enumerate() {
                let share = |left: Duration| resources.within(left / (systems.len() - at) as u32);
                let share = resources.time_left().map_or(resources, share);
                let results = verify_telling(system, share, of_thread.bytes(), &searching, &board);
                held(&board).decided(results);
            }
        };
        interrupt::attended(work, || false, resources.deadline.map(backstop));
        let mut known = std::mem::take(&mut *held(&known));
        known.give_up(model.systems(), resources.to_tell());
        (model, known.results)
    }
}

/// Measures one system, and publishes its progress.
fn verify_telling(
    system: &System,
    resources: Resources<'_>,
    bytes: u64,
    searching: &Searching,
    board: &Mutex<Known>,
) -> Results {
    let resources = resources.less(bytes);
    let tell = |progress: &Progress| held(board).told(progress);
    let found = |initial: bool, finding: &Arc<Finding>| held(board).found(initial, finding);
    let grown = || grown_beside(bytes, &resources);
    let options = Options {
        limits: searching.limits(&resources),
        threads: searching.threads.unwrap_or(0),
        method: searching.method(),
        progress: Some(&tell),
        found: Some(&found),
        interrupted: Some(interrupt::flag()),
        grown: Some(&grown),
        ..Options::default()
    };
    verify(system, &options)
}

fn held(known: &Mutex<Known>) -> MutexGuard<'_, Known> {
    // WHY: a panic elsewhere does not make what is known wrong.
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_open(exposure: Exposure) -> bool {
    !exposure.is_exact()
}

fn property(measure: &Measure) -> &'static str {
    match measure.property {
        Property::Anonymity { .. } => "anonymity",
        Property::Opacity { .. } => "opacity",
        Property::OfParts(_) => "of parts",
        Property::Throughout { .. } => "opacity throughout",
        Property::InitialFinal { .. } => "initial-final opacity",
    }
}

fn table<'a>(lines: impl Iterator<Item = (&'a Measure, &'a Measured)>, ascii: bool) -> String {
    let (infinite, at_least, at_most) = if ascii { ("infinite", ">=", "<=") } else { ("∞", "≥", "≤") };
    let mut table = Table::new(["property", "view", "exposure", "maximal K", "saturation", "bound"]);
    for (measure, measured) in lines {
        let (exposure, maximal) = match measured.finding.exposure {
            Exposure::At(0) => ("0".to_owned(), "none".to_owned()),
            Exposure::At(least) => (least.to_string(), (least - 1).to_string()),
            Exposure::Never => ("never".to_owned(), infinite.to_owned()),
            Exposure::Beyond(safe) => ("unknown".to_owned(), format!("{at_least} {safe}")),
            Exposure::AtMost { most, .. } => (format!("{at_most} {most}"), format!("< {most}")),
            Exposure::Unknown => ("unknown".to_owned(), "unknown".to_owned()),
        };
        let saturation = measured.finding.saturation.map_or("-".to_owned(), |depth| depth.to_string());
        let view = measure.view_id.projection.to_string();
        table.row([property(measure).to_owned(), view, exposure, maximal, saturation, measured.bound.clone()]);
    }
    table.text()
}

fn value((measure, measured): (&Measure, &Measured)) -> Value {
    let (exposure, max_k) = match measured.finding.exposure {
        Exposure::At(0) => (json!(0), json!("none")),
        Exposure::At(least) => (json!(least), json!(least - 1)),
        Exposure::Never => (Value::Null, json!("infinite")),
        Exposure::Beyond(_) | Exposure::AtMost { .. } | Exposure::Unknown => (Value::Null, Value::Null),
    };
    let most = MaxK::from(measured.finding.exposure);
    let at_most = measured.finding.exposure.most().filter(|_| exposure.is_null());
    json!({
        "exposure_at_most": at_most,
        "projection": measure.view_id.projection.word(), "property": property(measure), "exposure": exposure, "max_k": max_k,
        "max_k_number": most.number(), "max_k_infinite": most.is_infinite(),
        "saturation": measured.finding.saturation, "bound": measured.bound,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use desc::verify::Phase;

    const MODEL: &str =
        "system Pair { states A, B; initial A, B; events t; anonymous t; secret A; A -t-> A; B -t-> B; }\n";

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        max: Max,
    }

    #[test]
    fn lines_that_were_finished_are_told_when_the_others_are_given_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pair.des").to_string_lossy().into_owned();
        std::fs::write(&path, MODEL).expect("a file");
        let max = Command::parse_from(["max", &path]).max;
        let mut model = load(&path, &max.reading).checked.model.expect("a model");
        let mut measures = max.measures(&model).expect("measures");
        model.measure_instead(|system| measures.remove(&system.name).unwrap_or_default());
        let all = verify(&model.systems()[0], &Options::default());
        let mut known = Known::default();
        for ended in [0, 4] {
            known.found(false, &all.measures[ended].finding);
        }
        known.told(&Progress { phase: Phase::Layers, layer: 9, ..Progress::default() });
        known.give_up(model.systems(), Resources::default());

        let lines = || model.systems()[0].measures.iter().zip(&known.results[0].measures);
        let told: Vec<String> = table(lines(), true)
            .lines()
            .skip(1)
            .map(|line| line.split_whitespace().take(4).collect::<Vec<_>>().join(" "))
            .collect();
        let expected = [
            "anonymity natural never infinite",
            "anonymity strong unknown unknown",
            "anonymity weak unknown unknown",
            "opacity natural unknown unknown",
            "opacity strong never infinite",
            "opacity weak unknown unknown",
        ];
        assert_eq!(told, expected);
        assert_eq!(lines().filter(|(_, measured)| is_open(measured.finding.exposure)).count(), 4);
    }
}
