//! What the page may ask.

use serde::Deserialize;

/// A request of the page.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Request {
    /// Reads a text: faults and colours.
    Open { text: String, seconds: f64 },
    /// Decides every check of the text.
    Decide { seconds: f64 },
    /// Tells how a check is violated.
    Story { system: usize, check: usize, seconds: f64 },
    /// Says what stands at a position.
    Hover { at: usize },
    /// Says what may stand at a position.
    Complete { at: usize },
    /// Lays the text out.
    Format {},
    /// Explains a code.
    Explain { code: String },
    /// Plays the intruder.
    Explore(Play),
    /// Says which version this is.
    About {},
}

/// An observation of an intruder.
#[derive(Debug, Deserialize)]
pub struct Play {
    /// The number of the system.
    pub system: usize,
    /// Through whose eyes.
    pub view: Eyes,
    /// The number of the check whose property is looked for; none: the state at any instant.
    pub check: Option<usize>,
    /// What was seen, sign by sign.
    pub observation: Vec<String>,
    /// Whether to go on to the nearest exposure.
    #[serde(default)]
    pub jump: bool,
    /// Another intruder.
    pub other: Option<Eyes>,
    /// How long it may take.
    pub seconds: f64,
}

/// An observer, by number, and a projection.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Eyes {
    /// The number of the observer; 0: the system's own.
    pub observer: usize,
    /// The projection.
    pub projection: Projection,
}

/// A projection.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Projection {
    Natural,
    Strong,
    Weak,
}
