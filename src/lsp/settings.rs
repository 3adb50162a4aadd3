//! What the user may set, in `initializationOptions` and in `workspace/didChangeConfiguration`.

use desc::{check, verify};
use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;

/// The most states that a composition may have before the editor leaves it to the command line.
const MAX_STATES: usize = 200_000;

/// The most transitions, likewise.
const MAX_TRANSITIONS: usize = 2_000_000;

/// How much longer a check may take when the user asked for it by its button.
const PATIENCE: u32 = 12;

/// What the user may set.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Deciding checks in the background.
    pub verify: Verify,
    /// Where verdicts are shown.
    pub verdicts: Verdicts,
}

/// Deciding checks in the background.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct Verify {
    /// Whether to do it without being asked.
    pub enabled: bool,
    /// Seconds for one system.
    pub timeout: f64,
    /// Mebibytes for one search.
    pub memory: u64,
}

impl Default for Verify {
    fn default() -> Verify {
        Verify { enabled: true, timeout: 5.0, memory: 512 }
    }
}

/// Where verdicts are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdicts {
    /// After the check, with a button above it; a client that shows nothing after it gets the verdict above it.
    #[default]
    Both,
    /// After the check.
    Inlay,
    /// Above the check.
    Lens,
    /// Nowhere.
    Off,
}

impl Settings {
    /// Reads settings, wrapped in `desc` or not. What cannot be read leaves everything as it is.
    pub fn update(&mut self, value: &Value) {
        let inner = value.get("desc").unwrap_or(value);
        if let Ok(read) = Settings::deserialize(inner) {
            *self = read;
        }
    }

    /// Whether verdicts are shown after checks.
    pub fn inlays(&self) -> bool {
        matches!(self.verdicts, Verdicts::Both | Verdicts::Inlay)
    }

    /// Whether verdicts are shown above checks.
    pub fn lenses(&self) -> bool {
        matches!(self.verdicts, Verdicts::Both | Verdicts::Lens)
    }

    /// The limits of a search; a search that was asked for may take longer.
    pub fn limits(&self, asked: bool) -> verify::Limits {
        let factor = if asked { PATIENCE } else { 1 };
        let seconds = self.verify.timeout.clamp(0.01, 86_400.0);
        verify::Limits {
            timeout: Some(Duration::from_secs_f64(seconds) * factor),
            memory: Some(self.verify.memory.clamp(1, 1 << 20) << 20),
            pairs: None,
        }
    }

    /// The settings of the checker.
    pub fn checking(&self) -> check::Settings {
        let lazy = Some(check::Limits::LAZY);
        let limits = check::Limits { states: MAX_STATES, transitions: MAX_TRANSITIONS, lazy, ..Default::default() };
        check::Settings { defines: Vec::new(), limits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_are_read_in_both_forms_and_nonsense_changes_nothing() {
        let mut settings = Settings::default();
        settings.update(&json!({"desc": {"verify": {"enabled": false}, "verdicts": "lens"}}));
        assert!(!settings.verify.enabled && settings.lenses() && !settings.inlays());
        settings.update(&json!({"verify": {"timeout": -3.0}}));
        assert!(settings.verify.enabled && settings.limits(false).timeout.unwrap() > Duration::ZERO);
        settings.update(&json!({"verify": 7}));
        assert_eq!(settings.verify.memory, 512);
    }
}
