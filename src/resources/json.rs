//! JSON that is counted while it is read.

use super::{Monitor, Stop};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// Why there is no document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// What is wrong with the text.
    Wrong(String),
    /// The resources were used up.
    Stopped(Stop),
}

/// Reads a JSON text. The document stays counted.
///
/// # Errors
/// When it is no JSON, or takes more than the resources allow.
pub fn read(text: &str, monitor: &mut Monitor<'_>) -> Result<Value, Unread> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = Counted(monitor).deserialize(&mut json);
    match (value.and_then(|value| json.end().map(|()| value)), monitor.stopped()) {
        (Ok(value), None) => Ok(value),
        (_, Some(stop)) => Err(Unread::Stopped(stop)),
        (Err(error), None) => Err(Unread::Wrong(error.to_string())),
    }
}

/// What an entry of an object takes beside its name: value, name, hash and index, in tables that are half empty.
const ENTRY: usize = 2 * (size_of::<Value>() + size_of::<String>() + 2 * size_of::<usize>());

/// What an element of a list takes.
const ELEMENT: usize = 2 * size_of::<Value>();

struct Counted<'m, 'r>(&'m mut Monitor<'r>);

impl Counted<'_, '_> {
    fn hold<E: Error>(&mut self, bytes: usize) -> Result<(), E> {
        let held = self.0.hold(bytes as u64).and_then(|()| self.0.spend(1));
        held.map_err(|_| E::custom("the resources are used up"))
    }
}

impl<'de> DeserializeSeed<'de> for Counted<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Counted<'_, '_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<Value, E> {
        self.hold(text.len())?;
        Ok(Value::from(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = list.next_element_seed(Counted(&mut *self.0))? {
            self.hold(ELEMENT)?;
            elements.push(element);
        }
        Ok(Value::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut object: A) -> Result<Value, A::Error> {
        let mut entries = Map::new();
        while let Some(name) = object.next_key::<String>()? {
            self.hold(ENTRY + name.len())?;
            entries.insert(name, object.next_value_seed(Counted(&mut *self.0))?);
        }
        Ok(Value::Object(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::Resources;

    #[test]
    fn a_document_is_read_as_it_is() {
        let text = r#"{"b": [1, -2, 0.5, true, null, "x"], "a": {"deep": [[]]}, "b2": 18446744073709551615}"#;
        assert_eq!(read(text, &mut Resources::default().monitor()), Ok(serde_json::from_str(text).expect("JSON")));
    }

    #[test]
    fn what_is_no_document_is_said() {
        let wrong = |text: &str| match read(text, &mut Resources::default().monitor()) {
            Err(Unread::Wrong(reason)) => reason,
            other => panic!("{text}: {other:?}"),
        };
        assert!(wrong("[1,]").contains("line 1"));
        assert!(wrong("[] x").contains("trailing characters"));
        assert!(wrong(&"[".repeat(100_000)).contains("recursion limit"));
    }

    #[test]
    fn a_document_that_does_not_fit_is_not_read() {
        let text = format!("[{}0]", "0, ".repeat(999));
        let limited = |bytes: usize| Resources { memory: Some(bytes as u64), ..Resources::default() };
        let read = |bytes: usize| read(&text, &mut limited(bytes).monitor());
        assert!(read(1000 * ELEMENT).is_ok());
        assert_eq!(read(1000 * ELEMENT - 1), Err(Unread::Stopped(Stop::Memory)));
    }
}
