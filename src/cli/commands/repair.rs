//! `desc repair FILE`: the least that must change for the checks to hold.

use crate::cli::args::look::MessageFormat;
use crate::cli::args::pick;
use crate::cli::args::search::{Searching, grown_beside};
use crate::cli::run::interrupt;
use crate::cli::run::limits::started;
use crate::cli::run::load::{Reading, Unit, integer, load};
use crate::cli::run::outputs::Outputs;
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use crate::cli::run::sweep::{Definition, definition};
use crate::files::{self, Beside};
use clap::Args;
use desc::diagnostic::any_error;
use desc::model::change::Lever;
use desc::model::{Model, System};
use desc::repair::Ending;
use desc::repair::fresh::Original;
use desc::repair::offered;
use desc::report::phrasing::Words;
use desc::report::repairs::{NoGoal, RepairReport, Wanted, changed_text, json, named_goals, repair, text};
use desc::resources::Resources;
use desc::syntax::{self, Parsed};
use desc::verify::Options;
use similar::TextDiff;
use std::path::{Path, PathBuf};

/// Find the cheapest changes under which every check passes, among those that the model allows.
#[derive(Debug, Args)]
#[command(
    after_help = "A model allows changes by `may`: `may hide log cost 3;`, `may anonymise vote[1..3] as voted;`, `may disable late;`. \
    Without any, every observable event may be hidden or merged. What is found is proved on the changed text.\n\n\
    Exit codes: 0 repaired, or nothing to repair; 1 no change that is allowed is enough; 2 invalid input; 3 undecided.\n\n\
    Examples:\n  desc repair clinic.des\n  desc repair clinic.des --all --diff\n  desc repair clinic.des --may \"hide log\" --apply"
)]
pub struct Repair {
    /// The model, or `-` for standard input
    file: String,
    /// Only this system [default: all]
    #[arg(long, value_name = "NAME", help_heading = "Goal")]
    system: Option<String>,
    /// Only these checks must pass, by name [default: every check that plainly asserts a property]
    #[arg(id = "goal", long = "check", value_name = "NAME", help_heading = "Goal")]
    checks: Vec<String>,
    /// One more change that is allowed, as after `may`: `hide log cost 3`
    #[arg(long = "may", value_name = "CHANGE", help_heading = "Goal")]
    offers: Vec<String>,
    /// Every minimal choice, cheapest first
    #[arg(long, help_heading = "Goal")]
    all: bool,
    /// The first N minimal choices, cheapest first
    #[arg(long, value_name = "N", value_parser = integer::<usize>, help_heading = "Goal")]
    most: Option<usize>,
    /// Print only the lines that change, as a diff
    #[arg(long, conflicts_with_all = ["apply", "output"], help_heading = "Output")]
    diff: bool,
    /// Change the file
    #[arg(long, conflicts_with = "output", help_heading = "Output")]
    apply: bool,
    /// Write the changed file here
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    searching: Searching,
    // WHY not all options for reading: those for foreign models have a `--check` of their own.
    /// Override a constant
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = definition, help_heading = "Model")]
    defines: Vec<Definition>,
    /// Limit on the states of a system
    #[arg(long, value_name = "N", value_parser = integer::<usize>, help_heading = "Model")]
    max_states: Option<usize>,
    /// Limit on the transitions of a system
    #[arg(long, value_name = "N", value_parser = integer::<usize>, help_heading = "Model")]
    max_transitions: Option<usize>,
    /// The folder that must contain all imports [default: the folder of the file]
    #[arg(long, value_name = "DIR", help_heading = "Model")]
    import_root: Option<PathBuf>,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    message_format: MessageFormat,
}

impl Repair {
    /// Repairs every system, or the named one.
    pub fn run(&self, session: &mut Session) -> Ended {
        if self.apply && self.file == files::STDIN {
            return Err(Failure::new("standard input cannot be changed").help("write the changed model with `-o FILE`"));
        }
        interrupt::listen();
        let resources = self.searching.limits.resources(started(), 1);
        let reading = self.reading(resources);
        let bytes = files::read(&self.file, &resources).map_err(|unread| unread.failure(&self.file))?;
        let unit = load(&self.file, &reading);
        let parsed = syntax::parse(unit.entry, unit.sources.get(unit.entry));
        if unit.checked.model.is_some() && any_error(&parsed.diagnostics) {
            return Err(Failure::new(format!("`{}` is no `.des` file", unit.name()))
                .help("convert it first: `desc import FILE -o model.des`"));
        }
        if self.message_format == MessageFormat::Json && unit.checked.model.is_none() {
            let file = unit.sources.get(unit.entry);
            session.print(&json::document(file, &unit.sources, &unit.checked.diagnostics, &[]))?;
            return Ok(Status::Fault);
        }
        let model = unit.model(session)?;
        let reports = self.reports(&unit, model, &parsed, &reading)?;
        let changed = changed_text(unit.sources.get(unit.entry), &reports);
        self.write(&unit, &bytes, changed.as_deref())?;
        self.tell(session, &unit, &reports)?;
        Ok(reports.iter().map(status).fold(unit.status(), Status::and))
    }

    fn reading(&self, resources: Resources<'static>) -> Reading {
        Reading {
            defines: self.defines.clone(),
            max_states: self.max_states,
            max_transitions: self.max_transitions,
            import_root: self.import_root.clone(),
            resources,
            ..Reading::default()
        }
    }

    fn reports(
        &self,
        unit: &Unit,
        model: &Model,
        parsed: &Parsed,
        reading: &Reading,
    ) -> Result<Vec<RepairReport>, Failure> {
        let systems = match self.system.as_deref() {
            None if !model.systems().is_empty() => model.systems().iter().collect(),
            name => vec![pick::system(model, name)?],
        };
        self.known_checks(&systems)?;
        let loader = Beside::new(&self.file, reading.import_root.as_deref()).within(reading.resources);
        let settings = reading.settings();
        let (sources, entry) = (&unit.sources, unit.entry);
        let original = Original { sources, entry, tree: &parsed.file, loader: &loader, settings: &settings };
        systems.into_iter().map(|system| self.report(&original, model, system, reading.resources)).collect()
    }

    fn report(
        &self,
        original: &Original<'_>,
        model: &Model,
        system: &System,
        resources: Resources<'static>,
    ) -> Result<RepairReport, Failure> {
        let levers = if self.offers.is_empty() { None } else { Some(self.levers(original, system)?) };
        let most = self.most.unwrap_or(if self.all { usize::MAX } else { 1 });
        let wanted = Wanted { checks: self.checks.clone(), most, levers };
        let bytes = model.bytes();
        let resources = resources.less(bytes);
        let grown = || grown_beside(bytes, &resources);
        let options = Options {
            limits: self.searching.limits(&resources),
            threads: self.searching.threads.unwrap_or(0),
            method: self.searching.method(),
            interrupted: Some(interrupt::flag()),
            grown: Some(&grown),
            ..Options::default()
        };
        Ok(repair(original, system, &wanted, &options, false))
    }

    /// The levers of a system with those of the command line.
    fn levers(&self, original: &Original<'_>, system: &System) -> Result<Vec<Lever>, Failure> {
        offered::levers(original, system, &self.offers).map_err(|fault| {
            let help = "write it as after `may`: `--may \"hide log cost 3\"`";
            Failure::new(format!("`--may`, in system `{}`: {fault}", system.name)).help(help)
        })
    }

    /// Every `--check` must name a check that can be a goal.
    fn known_checks(&self, systems: &[&System]) -> Result<(), Failure> {
        named_goals(systems, &self.checks).map_err(|unnamed| match unnamed {
            NoGoal::Unknown(name) => {
                let names = systems.iter().flat_map(|system| &system.checks).filter_map(|check| check.name.as_deref());
                pick::unknown("check", &name, names)
            }
            NoGoal::Fact(name) => Failure::new(NoGoal::message(&name)).help(NoGoal::HELP),
        })
    }

    fn write(&self, unit: &Unit, read: &[u8], changed: Option<&str>) -> Result<(), Failure> {
        let Some(changed) = changed else { return Ok(()) };
        if let Some(output) = &self.output {
            Outputs::new([output.as_path()], &unit.paths)?;
            return files::write(output, changed.as_bytes());
        }
        if self.apply {
            return files::replace(Path::new(&self.file), read, changed.as_bytes());
        }
        Ok(())
    }

    fn tell(&self, session: &mut Session, unit: &Unit, reports: &[RepairReport]) -> Result<(), Failure> {
        let file = unit.sources.get(unit.entry);
        if self.message_format == MessageFormat::Json {
            return session.print(&json::document(file, &unit.sources, &unit.checked.diagnostics, reports));
        }
        let diff = |text: &str| {
            TextDiff::from_lines(file.text(), text).unified_diff().header(file.name(), file.name()).to_string()
        };
        if self.diff {
            let changed = changed_text(file, reports);
            return session.print(&changed.map_or_else(String::new, |text| diff(&text)));
        }
        let words = Words { ascii: session.out.ascii, whole: session.verbose > 0 };
        let told = reports.iter().map(|report| {
            let diffs: Vec<String> = report.repairs.iter().map(|repair| diff(&repair.text)).collect();
            text::text(report, &unit.sources, &diffs, words)
        });
        session.tell(&told.collect::<Vec<_>>().join("\n"))
    }
}

fn status(report: &RepairReport) -> Status {
    match report.ending {
        Ending::Nothing | Ending::Repaired => Status::Passed,
        Ending::Impossible => Status::Failed,
        Ending::Undecided(_) => Status::Undecided,
    }
}
