//! `desc examples [NAME]`: the casebook inside the program.
//!
//! Without a name, the models are listed; a name writes one of them, or a folder of them, to the
//! current folder; `--print` prints it instead. An existing file is never overwritten.

mod list;

use crate::cli::args::pick;
use crate::cli::run::session::Session;
use crate::cli::run::status::{Ended, Failure, Status};
use crate::files;
use clap::Args;
use list::EXAMPLES;
use std::path::{Path, PathBuf};

/// List the built-in example models, or write them to files.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 desc examples\n\
\x20 desc examples tour\n\
\x20 desc examples dining_cryptographers --print")]
pub struct Examples {
    /// An example (`tour/01_first_check`, or only `01_first_check`), a folder (`tour`), or `all` [default: list them]
    name: Option<String>,
    /// Print it instead of writing a file
    #[arg(long, requires = "name")]
    print: bool,
    /// The folder to write to
    #[arg(long, value_name = "DIR", default_value = ".")]
    into: PathBuf,
}

#[derive(Clone, Copy, Debug)]
struct Example {
    /// The path below `examples/` without the extension: `tour/01_first_check`.
    path: &'static str,
    text: &'static str,
}

impl Example {
    /// `tour` of `tour/01_first_check`; empty for a model without a folder.
    fn folder(&self) -> &'static str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// `01_first_check` of `tour/01_first_check`.
    fn name(&self) -> &'static str {
        self.path.rsplit_once('/').map_or(self.path, |(_, name)| name)
    }

    /// The title: its first comment line.
    fn title(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        first.trim_start_matches('/').trim().trim_end_matches('.')
    }
}

impl Examples {
    pub fn run(&self, session: &mut Session) -> Ended {
        let Some(name) = &self.name else {
            session.print(&listing())?;
            return Ok(Status::Passed);
        };
        for example in find(name)? {
            if self.print {
                session.print(example.text)?;
            } else {
                self.write(example, name, session)?;
            }
        }
        Ok(Status::Passed)
    }

    fn write(&self, example: &Example, asked: &str, session: &mut Session) -> Result<(), Failure> {
        let path = self.into.join(below(example, asked)).with_extension("des");
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(|error| Failure::writing(folder, &error))?;
        files::create(&path, example.text.as_bytes())?;
        session.print(&format!("wrote {}\n", path.strip_prefix(".").unwrap_or(&path).display()))
    }
}

/// The output path of an example: without its folder if it was requested alone.
fn below(example: &Example, asked: &str) -> PathBuf {
    PathBuf::from(if is_one(example, asked) { example.name() } else { example.path })
}

fn is_one(example: &Example, asked: &str) -> bool {
    let asked = asked.strip_suffix(".des").unwrap_or(asked);
    asked == example.path || asked == example.name()
}

/// The examples that a name denotes; at least one.
fn find(name: &str) -> Result<Vec<&'static Example>, Failure> {
    let asked = name.trim_end_matches('/');
    if let Some(exact) = EXAMPLES.iter().find(|example| example.path == asked.strip_suffix(".des").unwrap_or(asked)) {
        return Ok(vec![exact]);
    }
    let meant = |example: &&Example| asked == "all" || asked == example.folder() || is_one(example, asked);
    let found: Vec<&Example> = EXAMPLES.iter().filter(meant).collect();
    if found.is_empty() {
        let known = EXAMPLES.iter().flat_map(|example| [example.path, example.name(), example.folder()]);
        let unknown = pick::unknown("example", name, known.filter(|name| !name.is_empty()));
        return Err(unknown.help_otherwise("`desc examples` lists them all"));
    }
    Ok(found)
}

fn listing() -> String {
    let width = EXAMPLES.iter().map(|example| example.path.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut folder = EXAMPLES.first().map_or("", Example::folder);
    for example in EXAMPLES {
        if example.folder() != folder {
            folder = example.folder();
            text.push('\n');
        }
        text += &format!("{:width$}  {}\n", example.path, example.title());
    }
    text + "\nWrite one to a file: desc examples NAME. A folder: desc examples tour. All: desc examples all.\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_found_by_path_name_and_folder() {
        assert_eq!(find("tour/01_first_check").unwrap().len(), 1);
        assert_eq!(find("01_first_check.des").unwrap().len(), 1);
        assert_eq!(find("questioning").unwrap().len(), 1, "a whole path comes before the end of another one");
        assert_eq!(find("tour/").unwrap().len(), 10);
        assert_eq!(find("all").unwrap().len(), EXAMPLES.len());
        let failure = find("crowd").unwrap_err();
        assert_eq!(failure.help.as_deref(), Some("did you mean `crowds`?"));
    }

    #[test]
    fn one_example_is_written_here_and_a_folder_below() {
        let example = find("crowds").unwrap()[0];
        assert_eq!(below(example, "crowds"), PathBuf::from("crowds"));
        assert_eq!(below(example, "protocols"), PathBuf::from("protocols/crowds"));
    }

    #[test]
    fn every_example_has_a_title_that_fits_on_a_line() {
        for example in EXAMPLES {
            assert!((10..=110).contains(&example.title().len()), "{}: {:?}", example.path, example.title());
        }
    }
}
