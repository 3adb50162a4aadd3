//! `-D N=5`, `-D N=2..6`, `-D N=2,4,8`: constants given on the command line, with one value or several.
//!
//! Several values make a sweep: the model is run for each of them, and for each combination of several such constants. Only
//! `desc check` and `desc report` do that; every other command wants one value of each.

use super::load::integer;
use super::status::Failure;
use desc::syntax::spelling;

/// How many values one constant may have, and how many combinations a run.
const MAX_VALUES: usize = 10_000;

/// A constant and its values, in the order in which they were given; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    pub values: Vec<i64>,
    /// As it was written: `N=2..6`.
    pub text: String,
}

impl Definition {
    /// A constant with one value.
    pub fn one((name, value): &(String, i64)) -> Definition {
        Definition { name: name.clone(), values: vec![*value], text: format!("{name}={value}") }
    }

    pub fn first(&self) -> Option<(String, i64)> {
        self.values.first().map(|&value| (self.name.clone(), value))
    }
}

/// The values of the constants of a model.
pub type Values = Vec<(String, i64)>;

/// One model to run: a file, the constants that are given, and those of them that are swept.
#[derive(Clone, Debug)]
pub struct Task {
    pub path: String,
    pub defines: Values,
    /// None: nothing is swept.
    pub swept: Option<Values>,
}

/// Parses `NAME=VALUES`.
pub fn definition(text: &str) -> Result<Definition, String> {
    let (name, values) = text.split_once('=').ok_or("expected NAME=VALUE, as in `-D N=5`")?;
    if name.is_empty() {
        return Err("the name before `=` is missing".to_owned());
    }
    if !spelling::is_identifier(name) {
        return Err(format!("`{name}` is no name of a constant: it is one word of letters, digits and `_`"));
    }
    let mut all = Vec::new();
    for part in values.split(',') {
        all.extend(range(part)?);
        if all.len() > MAX_VALUES {
            return Err(format!("more than {MAX_VALUES} values"));
        }
    }
    let mut known = std::collections::HashSet::new();
    all.retain(|value| known.insert(*value));
    Ok(Definition { name: name.to_owned(), values: all, text: text.to_owned() })
}

/// `5` or `2..6`.
fn range(part: &str) -> Result<Vec<i64>, String> {
    let Some((first, last)) = part.split_once("..") else { return Ok(vec![integer(part)?]) };
    let (first, last): (i64, i64) = (integer(first)?, integer(last)?);
    if first > last {
        return Err(format!("the range `{part}` runs backwards: write `{last}..{first}`"));
    }
    if last.abs_diff(first) >= MAX_VALUES as u64 {
        return Err(format!("more than {MAX_VALUES} values"));
    }
    Ok((first..=last).collect())
}

/// The first definition with several values.
pub fn several(definitions: &[Definition]) -> Option<&Definition> {
    definitions.iter().find(|definition| definition.values.len() > 1)
}

/// Every file with every combination of the values; of two definitions of one constant, the last counts.
pub fn tasks(files: &[String], definitions: &[Definition]) -> Result<Vec<Task>, Failure> {
    let combinations = combinations(definitions)?;
    let is_swept = |name: &str| definitions.iter().any(|known| known.name == name && known.values.len() > 1);
    let sweeps = several(definitions).is_some();
    let task = |path: &String, defines: &Values| Task {
        path: path.clone(),
        defines: defines.clone(),
        swept: sweeps.then(|| defines.iter().filter(|(name, _)| is_swept(name)).cloned().collect()),
    };
    Ok(files.iter().flat_map(|path| combinations.iter().map(move |defines| task(path, defines))).collect())
}

fn combinations(definitions: &[Definition]) -> Result<Vec<Values>, Failure> {
    let mut all: Vec<Values> = vec![Vec::new()];
    for (at, Definition { name, values, .. }) in definitions.iter().enumerate() {
        if definitions[at + 1..].iter().any(|later| later.name == *name) {
            continue;
        }
        if all.len().saturating_mul(values.len()) > MAX_VALUES {
            return Err(Failure::new(format!("more than {MAX_VALUES} combinations of values"))
                .help("give fewer values, or several commands"));
        }
        let with = |before: &Values, value: i64| before.iter().cloned().chain([(name.clone(), value)]).collect();
        all = all.iter().flat_map(|before| values.iter().map(move |&value| with(before, value))).collect();
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<i64> {
        definition(text).expect(text).values
    }

    #[test]
    fn a_constant_has_one_value_or_several() {
        assert_eq!(values("N=5"), [5]);
        assert_eq!(values("N=-1..2"), [-1, 0, 1, 2]);
        assert_eq!(values("N=2,4,8"), [2, 4, 8]);
        assert_eq!(values("N=2..4,4,9"), [2, 3, 4, 9]);
        for wrong in
            ["N", "=3", "N=", "N=6..2", "N=1,,2", "N=1..", "N=a", "2=3", "N=0..10000", "N=0..9223372036854775807"]
        {
            assert!(definition(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn several_constants_are_combined_and_the_last_definition_counts() {
        let definitions = ["N=1", "M=1,2", "N=3,4"].map(|text| definition(text).expect(text));
        let tasks = tasks(&["a.des".to_owned()], &definitions).unwrap_or_default();
        let told: Vec<Vec<i64>> =
            tasks.iter().map(|task| task.defines.iter().map(|(_, value)| *value).collect()).collect();
        assert_eq!(told, [[1, 3], [1, 4], [2, 3], [2, 4]]);
        assert!(combinations(&["A=1..200", "B=1..200"].map(|text| definition(text).expect(text))).is_err());
    }

    #[test]
    fn one_value_of_each_is_no_sweep() {
        let tasks = tasks(&["a.des".to_owned()], &[definition("N=3").expect("one")]).unwrap_or_default();
        assert!(tasks.len() == 1 && tasks[0].swept.is_none() && tasks[0].defines == [("N".to_owned(), 3)]);
    }
}
