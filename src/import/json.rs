//! JSON of our own: the one format that carries every name.
//!
//! ```json
//! {"name": "plant", "states": ["0", "1"], "initial": ["0"], "secret": ["1"],
//!  "events": ["a", "u"], "observable": ["a"], "anonymous": [], "transitions": [["0", "a", "1"]]}
//! ```
//!
//! Names are strings or whole numbers. `initial` may be left out only if `--initial` says it. `secret`, `observable` and `anonymous` may be left out: the file then has no opinion.
//! A list of such objects is a list of models; an object with `parts`, a list of such objects, is their composition. Other keys
//! are left alone, with a warning, unless they are a slip away from a key that would have been read. The schema stands in `docs/src/commands/model.schema.json`.

mod value;

use super::fault::{Faults, Watch, observe, short};
use super::{Foreign, Part, Place, Transition};
use crate::diagnostic::{Code, Diagnostic, near};
use crate::source::{FileId, SourceFile};
use rustc_hash::FxHashMap;
use value::{Kind, Value};

/// Reads a JSON file: one model or a list of them.
pub(super) fn read(id: FileId, file: &SourceFile, watch: &Watch) -> (Option<Vec<Foreign>>, Vec<Diagnostic>) {
    let mut reader = Reader { id, text: file.text(), faults: Faults::new(id, watch) };
    let mut models = Vec::new();
    if let Some(value) = value::parse(file.text(), &mut reader.faults) {
        match value.kind {
            Kind::List(values) => models.extend(values.into_iter().filter_map(|value| reader.model(value))),
            _ => models.extend(reader.model(value)),
        }
        if models.is_empty() && reader.faults.is_empty() {
            reader.faults.syntax(Place::new(0, 1.min(file.text().len())), "at least one model");
        }
    }
    reader.faults.finish(models)
}

struct Reader<'a> {
    id: FileId,
    text: &'a str,
    faults: Faults,
}

/// The keys that mean something.
const KEYS: [&str; 9] =
    ["name", "parts", "states", "initial", "secret", "events", "observable", "anonymous", "transitions"];

/// The entries of an object that mean something.
#[derive(Default)]
struct Entries {
    name: Option<String>,
    parts: Option<Vec<Value>>,
    states: Option<Vec<Value>>,
    initial: Option<Vec<Value>>,
    /// The list of `initial`.
    initial_place: Option<Place>,
    secret: Option<Vec<Value>>,
    events: Option<Vec<Value>>,
    observable: Option<Vec<Value>>,
    anonymous: Option<Vec<Value>>,
    transitions: Option<Vec<Value>>,
    others: Vec<String>,
}

impl Reader<'_> {
    fn model(&mut self, value: Value) -> Option<Foreign> {
        let place = value.place;
        let mut entries = self.entries(value)?;
        let Some(parts) = entries.parts.take() else {
            let name = entries.name.clone();
            return Some(Foreign { name, parts: vec![self.part(entries, place)] });
        };
        let mut read = Vec::new();
        self.faults.another_model();
        for part in parts {
            let place = part.place;
            if let Some(entries) = self.entries(part) {
                self.faults.automaton(entries.name.as_deref().unwrap_or_default(), opening(place));
                read.push(self.part(entries, place));
            }
        }
        if read.is_empty() {
            self.faults.syntax(place, "at least one part");
            return None;
        }
        Some(Foreign { name: entries.name, parts: read })
    }

    fn entries(&mut self, value: Value) -> Option<Entries> {
        let Kind::Object(pairs) = value.kind else {
            self.faults.syntax(value.place, "an object `{...}`");
            return None;
        };
        let mut entries = Entries::default();
        let composition = pairs.iter().any(|(key, ..)| key == "parts");
        let mut seen: FxHashMap<String, Place> = FxHashMap::default();
        for (key, place, value) in pairs {
            if let Some(&first) = seen.get(&key) {
                self.faults.twice("key", &key, place, first);
                continue;
            }
            seen.insert(key.clone(), place);
            if composition && !matches!(key.as_str(), "name" | "parts") && KEYS.contains(&key.as_str()) {
                self.beside_parts(&key, place);
                continue;
            }
            let slot = match key.as_str() {
                "name" => {
                    entries.name = self.name(&value);
                    continue;
                }
                "parts" => &mut entries.parts,
                "states" => &mut entries.states,
                "initial" => &mut entries.initial,
                "secret" => &mut entries.secret,
                "events" => &mut entries.events,
                "observable" => &mut entries.observable,
                "anonymous" => &mut entries.anonymous,
                "transitions" => &mut entries.transitions,
                _ => {
                    self.unknown_key(&key, place);
                    entries.others.push(key);
                    continue;
                }
            };
            match value.kind {
                Kind::List(values) => {
                    *slot = Some(values);
                    if key == "initial" {
                        entries.initial_place = Some(value.place);
                    }
                }
                _ => self.faults.syntax(value.place, "a list `[...]`"),
            }
        }
        Some(entries)
    }

    /// A slip would change the model without a word; another word is somebody's note.
    fn unknown_key(&mut self, key: &str, place: Place) {
        match near::nearest(key, KEYS.into_iter()) {
            Some(meant) => self.misspelt_key(key, meant, place),
            None => self.key_not_read(key, place),
        }
    }

    fn misspelt_key(&mut self, key: &str, meant: &str, place: Place) {
        let fault = self.faults.at(Code::E0602, place, format!("unknown key `{}`", short(key)));
        self.faults.push(fault.label("not a key of a model").help(format!("did you mean `{meant}`?")));
    }

    fn key_not_read(&mut self, key: &str, place: Place) {
        let warning = self.faults.at(Code::W0613, place, format!("the key `{}` is ignored", short(key)));
        self.faults
            .warn(warning.label("has no meaning here").help(format!("a model has the keys {}", KEYS.join(", "))));
    }

    fn beside_parts(&mut self, key: &str, place: Place) {
        let fault = self.faults.at(Code::E0602, place, format!("`{key}` beside `parts` is ignored"));
        self.faults.push(fault.label("belongs to a part").help("move it into the part that it describes"));
    }

    fn part(&mut self, entries: Entries, place: Place) -> Part {
        let mut part = Part::new(self.id, entries.name.unwrap_or_default());
        for (key, missing) in [("states", entries.states.is_none()), ("transitions", entries.transitions.is_none())] {
            if missing {
                self.faults.syntax(place, &format!("the key `{key}`"));
            }
        }
        self.declare_states(&mut part, entries.states.as_deref().unwrap_or(&[]));
        let open = entries.events.is_none();
        self.declare_events(&mut part, entries.events.as_deref().unwrap_or(&[]));
        for value in entries.transitions.as_deref().unwrap_or(&[]) {
            self.transition(&mut part, value, open);
        }
        part.initial_place = entries.initial_place.unwrap_or(opening(place));
        part.initial = self.states(&part, entries.initial.as_deref().unwrap_or(&[]));
        part.secret = entries.secret.map(|values| self.states(&part, &values));
        if let Some(values) = &entries.observable {
            self.observability(&mut part, values);
        }
        for value in entries.anonymous.as_deref().unwrap_or(&[]) {
            if let Some(event) = self.event(&mut part, value, false) {
                part.facts[event as usize].anonymous = true;
            }
        }
        if !entries.others.is_empty() {
            part.notes.push(format!("ignored keys: {}", entries.others.join(", ")));
        }
        part
    }

    fn declare_states(&mut self, part: &mut Part, values: &[Value]) {
        for value in values {
            let Some(name) = self.name(value) else { continue };
            let (state, new) = part.states.insert(&name);
            if new {
                part.state_places.push(value.place);
            } else {
                self.faults.twice("state", &name, value.place, part.state_places[state as usize]);
            }
        }
    }

    fn declare_events(&mut self, part: &mut Part, values: &[Value]) {
        for value in values {
            let Some(name) = self.name(value) else { continue };
            match part.events.find(&name) {
                Some(event) => self.faults.twice("event", &name, value.place, part.facts[event as usize].place),
                None => {
                    part.event(&name, value.place);
                }
            }
        }
    }

    fn transition(&mut self, part: &mut Part, value: &Value, open: bool) {
        let Kind::List(values) = &value.kind else {
            return self.faults.syntax(value.place, "`[SOURCE, EVENT, TARGET]`");
        };
        let [source, event, target] = values.as_slice() else {
            return self.faults.syntax(value.place, "`[SOURCE, EVENT, TARGET]`");
        };
        let (source, target) = (self.state(part, source), self.state(part, target));
        let event = self.event(part, event, open);
        if let (Some(source), Some(event), Some(target)) = (source, event, target) {
            part.transitions.push(Transition { source, event, target, place: value.place });
        }
    }

    /// Everything that is not listed is unobservable.
    fn observability(&mut self, part: &mut Part, values: &[Value]) {
        let mut seen = vec![false; part.events.len()];
        for value in values {
            if let Some(event) = self.event(part, value, false) {
                seen[event as usize] = true;
                observe(part, event, true, part.facts[event as usize].place, &mut self.faults);
            }
        }
        for event in (0..part.events.len() as u32).filter(|&event| !seen[event as usize]) {
            observe(part, event, false, part.facts[event as usize].place, &mut self.faults);
        }
    }

    fn states(&mut self, part: &Part, values: &[Value]) -> Vec<u32> {
        values.iter().filter_map(|value| self.state(part, value)).collect()
    }

    fn state(&mut self, part: &Part, value: &Value) -> Option<u32> {
        let name = self.name(value)?;
        let state = part.states.find(&name);
        if state.is_none() {
            self.faults.unknown("state", &name, value.place);
        }
        state
    }

    fn event(&mut self, part: &mut Part, value: &Value, open: bool) -> Option<u32> {
        let name = self.name(value)?;
        match part.events.find(&name) {
            None if open => Some(part.event(&name, value.place)),
            None => {
                self.faults.unknown("event", &name, value.place);
                None
            }
            known => known,
        }
    }

    fn name(&mut self, value: &Value) -> Option<String> {
        match &value.kind {
            Kind::Text(text) => Some(text.clone()),
            Kind::Integer => Some(self.text[value.place.start as usize..value.place.end as usize].to_owned()),
            _ => {
                self.faults.syntax(value.place, "a name: a string or a whole number");
                None
            }
        }
    }
}

/// The `{` of an object.
fn opening(object: Place) -> Place {
    Place { end: object.start + 1, ..object }
}
