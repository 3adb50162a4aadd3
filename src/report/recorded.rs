//! A document of `desc check --message-format json`, read back, as far as two reports are compared.

use super::Swept;
use super::baseline::Standing;
use crate::resources::Resources;
use crate::resources::json::{self, Unread};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Deserialize)]
pub(super) struct RecordedDocument {
    schema: u32,
    pub systems: Vec<RecordedSystem>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RecordedSystem {
    pub file: String,
    pub name: String,
    #[serde(default)]
    pub states: usize,
    #[serde(default)]
    pub events: usize,
    #[serde(default)]
    pub transitions: usize,
    pub checks: Vec<RecordedCheck>,
    #[serde(default)]
    pub measures: Vec<RecordedMeasure>,
    /// Of one run of a sweep: the values of the constants.
    #[serde(default)]
    values: Option<BTreeMap<String, i64>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RecordedCheck {
    #[serde(default)]
    pub name: Option<String>,
    pub text: String,
    #[serde(default)]
    pub line: u32,
    pub verdict: String,
    pub passed: bool,
    #[serde(default)]
    pub negated: bool,
    #[serde(default)]
    pub exposure: Option<u64>,
    #[serde(default)]
    pub max_k: Option<RecordedMaxK>,
    #[serde(default)]
    pub witness: Option<RecordedWitness>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RecordedMeasure {
    #[serde(default)]
    pub name: Option<String>,
    pub text: String,
    #[serde(default)]
    pub line: u32,
    #[serde(default)]
    pub max_k: Option<RecordedMaxK>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged)]
pub(super) enum RecordedMaxK {
    Steps(i64),
    Word(String),
}

/// What the intruder saw, and what they were sure of.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct RecordedWitness {
    pub observation: Vec<String>,
    pub at: u64,
    pub estimate: Vec<String>,
}

impl RecordedDocument {
    /// Reads a document.
    ///
    /// # Errors
    /// What is wrong with it, if it is none, and when it takes more than the resources allow.
    pub fn read(text: &str, resources: Resources<'_>) -> Result<RecordedDocument, Unread> {
        let value = json::read(text, &mut resources.monitor())?;
        let document: RecordedDocument =
            serde_json::from_value(value).map_err(|error| Unread::Wrong(error.to_string()))?;
        match document.schema {
            1 => Ok(document),
            other => Err(Unread::Wrong(format!("its schema is {other}, but only 1 is known"))),
        }
    }
}

impl RecordedSystem {
    /// As the title of a system in a report.
    pub fn title(&self) -> String {
        let values = self.values.iter().flatten().map(|(name, &value)| (name.clone(), value));
        match self.values {
            None => self.name.clone(),
            Some(_) => format!("{} ({})", self.name, Swept::words(values)),
        }
    }
}

impl RecordedCheck {
    pub fn standing(&self) -> Standing {
        match (self.passed, &*self.verdict) {
            (true, _) => Standing::Passed,
            (false, "undecided") => Standing::Undecided,
            (false, _) => Standing::Failed(self.exposure.filter(|_| !self.negated)),
        }
    }
}

impl RecordedMeasure {
    pub fn standing(&self) -> Standing {
        match &self.max_k {
            Some(RecordedMaxK::Steps(steps)) => Standing::Measured(*steps),
            Some(RecordedMaxK::Word(word)) if word == "none" => Standing::Measured(-1),
            Some(RecordedMaxK::Word(_)) => Standing::Measured(i64::MAX),
            None => Standing::Undecided,
        }
    }
}
