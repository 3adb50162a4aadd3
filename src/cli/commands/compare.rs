//! `desc compare FILE`: the size and the time of every method on a model.
//!
//! The empirical counterpart of the paper's tables 4.3 and 4.4. Each method decides each check of the file, with the
//! same limits, and the results are compared: a disagreement is a bug in `desc`, and the exit code is 1.

use crate::cli::args::look::MessageFormat;
use crate::cli::args::pick;
use crate::cli::run::interrupt;
use crate::cli::run::limits::RunLimits;
use crate::cli::run::load::{Reading, load};
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use clap::Args;
use desc::automaton::view::View;
use desc::baselines::{self, Outcome};
use desc::draw::table::Table;
use desc::model::{Horizon, Model, OWN, Property, Question, System, ViewId};
use desc::paper::{self, Budget, bound};
use desc::resources::Resources;
use desc::verdict::{Exposure, Finding};
use desc::verify::{self, Options};
use serde_json::{Value, json};
use std::time::Duration;

/// Compare the engine with other methods on the checks of a model: composition, two-way observer, and others.
#[derive(Debug, Args)]
#[command(after_help = "The observer decides exposure 0 only; the initial-state estimator decides initial-state \
    checks only. A size is the number of pairs or states that a method builds.\n\n\
    Within `--timeout` every method has an equal share of the time that is left. Without it, a method has 10 s.\n\n\
    Example:\n  desc compare ballot.des --timeout 20s")]
pub struct Compare {
    /// The model, or `-` for standard input
    file: String,
    /// The system [default: all]
    #[arg(long, value_name = "NAME")]
    system: Option<String>,
    #[command(flatten)]
    limits: RunLimits,
    #[command(flatten)]
    reading: Reading,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    message_format: MessageFormat,
}

/// One query: view, property, initial-state or not.
#[derive(PartialEq)]
struct Asked {
    view_id: ViewId,
    property: Property,
    initial: bool,
}

/// The result of one method.
struct Line {
    method: &'static str,
    size: u64,
    unit: &'static str,
    outcome: Outcome,
}

impl Compare {
    pub fn run(&self, session: &mut Session) -> Ended {
        interrupt::listen();
        let resources = self.resources();
        let unit = load(&self.file, &self.reading.within(resources));
        let model = unit.model(session)?;
        let systems = self.systems(model)?;
        let asked: Vec<(&System, Asked)> = systems
            .into_iter()
            .flat_map(|system| questions(system).into_iter().map(move |asked| (system, asked)))
            .collect();
        let mut turns = Turns {
            resources: resources.less(model.bytes()),
            left: asked.iter().map(|(_, asked)| asked.methods()).sum(),
        };
        let mut agree = true;
        let mut values = Vec::new();
        for (system, asked) in &asked {
            let lines = turns.lines(system, asked);
            agree &= disagreement(&lines).is_none();
            match self.message_format {
                MessageFormat::Human => session.tell(&text(system, asked, &lines))?,
                MessageFormat::Json => values.push(value(system, asked, &lines)),
            }
        }
        if self.message_format == MessageFormat::Json {
            session.print(&format!("{:#}\n", json!({"schema": 1, "questions": values})))?;
        }
        Ok(match agree {
            false => Status::Failed,
            true => unit.status(),
        })
    }

    /// What the whole comparison may use.
    fn resources(&self) -> Resources<'static> {
        let resources = self.limits.begin();
        let usual = if self.limits.memory.is_none() { USUAL_MEMORY } else { u64::MAX };
        Resources { memory: resources.memory.map(|memory| memory.min(usual)), ..resources }
    }

    fn systems<'m>(&self, model: &'m Model) -> Result<Vec<&'m System>, Failure> {
        match self.system.as_deref() {
            None => Ok(model.systems().iter().collect()),
            name => Ok(vec![pick::system(model, name)?]),
        }
    }
}

/// The memory of a comparison that has no limit.
const USUAL_MEMORY: u64 = 1 << 30;

/// The time of one method when the comparison has no limit.
const USUAL_TIME: Duration = Duration::from_secs(10);

impl Asked {
    /// How many methods can decide it.
    fn methods(&self) -> u32 {
        if self.initial { 3 } else { 4 }
    }
}

/// Gives every method its share of the time.
struct Turns {
    resources: Resources<'static>,
    /// How many methods have not run yet.
    left: u32,
}

impl Turns {
    /// What the next method may use.
    fn next(&mut self) -> Resources<'static> {
        let share = self.resources.time_left().map_or(USUAL_TIME, |left| left / self.left.max(1));
        self.left = self.left.saturating_sub(1);
        self.resources.within(share)
    }

    fn lines(&mut self, system: &System, asked: &Asked) -> Vec<Line> {
        let observer = &system.observer(asked.view_id.observer).observer;
        let view = View { automaton: &system.automaton, observer, projection: asked.view_id.projection };
        let horizon = if asked.initial { Horizon::Initial } else { Horizon::Infinite };
        let first = self.next();
        let limits = verify::Limits { timeout: first.time_left(), memory: first.memory, pairs: None };
        let options = Options { limits, interrupted: first.interrupted, grown: first.growth, ..Options::default() };
        let mut resources = || self.next();
        let engine = verify::decide(&view, &asked.property, horizon, &options);
        let literal = paper::decide(view, asked.view_id, &asked.property, horizon, Budget::new(None, resources()));
        let mut lines = vec![
            of_finding("engine", "pairs", &engine),
            of_finding("concurrent composition (the paper)", "pairs", &literal),
        ];
        let mut classic = |method, unit, outcome: Outcome| {
            lines.push(Line { method, size: outcome.states, unit, outcome });
        };
        if !asked.property.has_exposed_sets() {
            return lines;
        }
        if asked.initial {
            classic(
                "initial-state estimator",
                "sets",
                baselines::initial_estimator(view, &asked.property, resources()),
            );
        } else {
            classic("two-way observer", "pairs", baselines::two_way(view, &asked.property, resources()));
            classic("observer (current-state only)", "sets", baselines::observer(view, &asked.property, resources()));
        }
        lines
    }
}

fn of_finding(method: &'static str, unit: &'static str, finding: &Finding) -> Line {
    let outcome = Outcome {
        exposure: finding.exposure,
        states: finding.cost.pairs,
        memory: finding.cost.memory,
        stopped: finding.stopped,
        time: finding.cost.time,
    };
    Line { method, size: finding.cost.pairs, unit, outcome }
}

/// The distinct queries of the checks and measures; without any, anonymity and opacity in each view.
fn questions(system: &System) -> Vec<Asked> {
    let mut asked: Vec<Asked> = Vec::new();
    let mut add = |view_id, property: &Property, initial| {
        let question = Asked { view_id, property: property.clone(), initial };
        if !asked.contains(&question) {
            asked.push(question);
        }
    };
    for check in &system.checks {
        if let Question::Property { view_id, property, horizon } = &check.question {
            add(*view_id, property, *horizon == Horizon::Initial);
        }
    }
    system.measures.iter().for_each(|measure| add(measure.view_id, &measure.property, false));
    if asked.is_empty() {
        use desc::automaton::view::Projection::*;
        for projection in [Natural, Strong, Weak] {
            let view_id = ViewId { observer: OWN, projection };
            asked.push(Asked {
                view_id,
                property: Property::Anonymity { among: 2, classes: None, except: None },
                initial: false,
            });
        }
    }
    asked
}

/// Two methods with different results.
fn disagreement(lines: &[Line]) -> Option<(&'static str, &'static str)> {
    let full = |line: &&Line| line.outcome.exposure.is_exact();
    let first = lines.iter().find(full)?;
    for line in lines {
        let contradicts = match (first.outcome.exposure, line.outcome.exposure) {
            (_, Exposure::Unknown) => false,
            (Exposure::At(least), Exposure::Beyond(safe)) => least <= safe,
            (_, Exposure::Beyond(_)) => false,
            (Exposure::At(least), Exposure::AtMost { most, safe }) => {
                least > most || safe.is_some_and(|safe| least <= safe)
            }
            // The observer sees nothing later than now.
            (expected, found) => expected != found,
        };
        if contradicts {
            return Some((first.method, line.method));
        }
    }
    None
}

fn heading(system: &System, asked: &Asked) -> String {
    let property = match &asked.property {
        Property::Opacity { secret } if secret.len() == 1 => "opacity of 1 secret state".to_owned(),
        Property::Opacity { secret } => format!("opacity of {} secret states", secret.len()),
        Property::Anonymity { among, classes, except } => {
            let about = classes.as_ref().map(|classes| classes.subject.as_deref().unwrap_or("classes"));
            let about = about.map_or_else(String::new, |subject| format!(", about {subject}"));
            let except = except.as_ref().map_or_else(String::new, |set| format!(", except {} states", set.len()));
            format!("anonymity among {among}{about}{except}")
        }
        Property::OfParts(_) => "a property of parts".to_owned(),
        Property::Throughout { secret } => format!("opacity of {} secret states throughout", secret.len()),
        Property::InitialFinal { from, to } => format!("opacity of {} -> {} states", from.len(), to.len()),
    };
    let from = if asked.initial { "initial-state " } else { "" };
    let against = system
        .observer(asked.view_id.observer)
        .name
        .as_deref()
        .map_or(String::new(), |name| format!(" against {name}"));
    format!("{}: {} {from}{property}{against}", system.name, asked.view_id.projection)
}

fn text(system: &System, asked: &Asked, lines: &[Line]) -> String {
    let automaton = &system.automaton;
    let view = View {
        automaton,
        observer: &system.observer(asked.view_id.observer).observer,
        projection: asked.view_id.projection,
    };
    let mut table = Table::new(["method", "exposure", "size", "", "ms", "MiB"]);
    for line in lines {
        let size = if line.outcome.stopped.is_some() { "-".to_owned() } else { line.size.to_string() };
        let milliseconds = format!("{:.3}", line.outcome.time.as_secs_f64() * 1e3);
        let memory = format!("{:.2}", line.outcome.memory as f64 / f64::from(1 << 20));
        table.row([line.method.to_owned(), told(&line.outcome), size, line.unit.to_owned(), milliseconds, memory]);
    }
    let disagreement = disagreement(lines).map_or(String::new(), |(one, other)| {
        format!("\nDISAGREEMENT: {one} and {other} give different results. Please report this model.\n")
    });
    format!(
        "{}\n  {} states, {} events, {} transitions; the paper's bound on K: {}\n\n{}{disagreement}\n",
        heading(system, asked),
        automaton.n_states(),
        automaton.n_events(),
        automaton.n_transitions(),
        bound::bound(view),
        table.text(),
    )
}

/// The exposure distance of a method as text.
fn told(outcome: &Outcome) -> String {
    let said = match outcome.exposure {
        Exposure::At(least) => least.to_string(),
        Exposure::Never => "never".to_owned(),
        Exposure::Beyond(safe) => format!("> {safe}"),
        Exposure::AtMost { most, .. } => format!("at most {most}"),
        Exposure::Unknown => "?".to_owned(),
    };
    match outcome.stopped {
        Some(stop) => format!("{said} ({})", format!("{stop:?}").to_lowercase()),
        None => said,
    }
}

fn value(system: &System, asked: &Asked, lines: &[Line]) -> Value {
    let method = |line: &Line| {
        let (exposure, decided) = match line.outcome.exposure {
            Exposure::At(least) => (json!(least), true),
            Exposure::Never => (Value::Null, true),
            Exposure::Beyond(_) | Exposure::AtMost { .. } | Exposure::Unknown => (Value::Null, false),
        };
        json!({
            "method": line.method, "decided": decided, "exposure": exposure, "size": line.size, "unit": line.unit,
            "seconds": line.outcome.time.as_secs_f64(), "bytes": line.outcome.memory,
            "stopped": line.outcome.stopped.map(|stop| format!("{stop:?}").to_lowercase()),
        })
    };
    json!({
        "system": system.name, "question": heading(system, asked),
        "methods": lines.iter().map(method).collect::<Vec<_>>(),
        "agree": disagreement(lines).is_none(),
    })
}
