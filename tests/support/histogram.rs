//! How many questions of each kind have which distance.

use super::oracle::Distance;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// By kind of question and distance.
#[derive(Debug, Default)]
pub struct Histogram(BTreeMap<(String, Distance), usize>);

impl Histogram {
    pub fn add(&mut self, kind: impl Into<String>, found: Distance) {
        *self.0.entry((kind.into(), found)).or_default() += 1;
    }

    /// How many questions whose kind begins so have a distance.
    pub fn count(&self, kind: &str, wanted: Distance) -> usize {
        self.0.iter().filter(|((of, found), _)| of.starts_with(kind) && *found == wanted).map(|(_, count)| count).sum()
    }

    pub fn total(&self) -> usize {
        self.0.values().sum()
    }
}

impl fmt::Display for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:22}     0     1     2     3     4     5     6    7+ never", "")?;
        for kind in self.0.keys().map(|(kind, _)| kind).collect::<BTreeSet<_>>() {
            let count = |wanted: &dyn Fn(Distance) -> bool| -> usize {
                self.0.iter().filter(|((of, found), _)| of == kind && wanted(*found)).map(|(_, count)| count).sum()
            };
            write!(f, "{kind:22}")?;
            for at in 0..=6 {
                write!(f, " {:5}", count(&|found| found == Distance::At(at)))?;
            }
            let further = count(&|found| matches!(found, Distance::At(7..)));
            writeln!(f, " {further:5} {:5}", count(&|found| found == Distance::Never))?;
        }
        Ok(())
    }
}
