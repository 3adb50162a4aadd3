//! The files of the arguments: a folder denotes the models below it.

use crate::cli::run::status::Failure;
use crate::files::STDIN;
use std::path::Path;

/// The files, in the order of the arguments; those of a folder sorted by path.
pub fn expand(arguments: &[String]) -> Result<Vec<String>, Failure> {
    let mut files = Vec::new();
    for argument in arguments {
        if argument != STDIN && Path::new(argument).is_dir() {
            files.extend(below(argument)?);
        } else {
            files.push(argument.clone());
        }
    }
    Ok(files)
}

fn not_text(path: &Path) -> Failure {
    Failure::new(format!("cannot read `{}`: its name is not UTF-8", path.display())).help("give it another name")
}

fn below(folder: &str) -> Result<Vec<String>, Failure> {
    let mut files = Vec::new();
    for entry in ignore::WalkBuilder::new(folder).build() {
        let entry = entry.map_err(|error| Failure::new(format!("cannot read the folder `{folder}`: {error}")))?;
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        if is_file && entry.path().extension().is_some_and(|extension| extension == "des") {
            files.push(entry.path().to_str().ok_or_else(|| not_text(entry.path()))?.to_owned());
        }
    }
    if files.is_empty() {
        return Err(Failure::new(format!("there is no `.des` file in the folder `{folder}`")));
    }
    files.sort();
    Ok(files)
}
