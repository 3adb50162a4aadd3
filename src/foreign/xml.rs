//! XML as the readers of Supremica and WATERS need it: elements with places, and nothing that can explode.
//!
//! No entity beyond the five and character numbers is read, a document type declaration is refused, and nesting is bounded.

use super::Place;
use super::fault::Faults;
use crate::diagnostic::{Code, Diagnostic};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Elements deeper than this are not read. WATERS nests eight deep.
const DEEPEST: usize = 100;

/// An element opens or closes.
pub(super) enum Node<'a> {
    /// `<Name ...>` or `<Name ... />`; the latter is followed by a [`Node::Close`] too.
    Open(Element<'a>),
    /// `</Name>`
    Close,
    /// Text between elements that is not blank.
    Text,
    /// The end of the file.
    End,
}

/// An opening tag.
pub(super) struct Element<'a> {
    /// Its name, without a prefix.
    pub(super) name: String,
    /// From `<` to `>`.
    pub(super) place: Place,
    tag: BytesStart<'a>,
}

/// Reads nodes; the first fault ends the file.
pub(super) struct Xml<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    offset: usize,
    depth: usize,
    closing: bool,
    failed: bool,
}

impl<'a> Xml<'a> {
    pub(super) fn new(text: &'a str) -> Xml<'a> {
        let body = text.trim_start_matches('\u{feff}');
        Xml {
            text,
            reader: Reader::from_str(body),
            offset: text.len() - body.len(),
            depth: 0,
            closing: false,
            failed: false,
        }
    }

    /// The next node. After a fault: the end.
    pub(super) fn next(&mut self, faults: &mut Faults) -> Node<'a> {
        if self.failed {
            return Node::End;
        }
        if std::mem::take(&mut self.closing) {
            self.depth -= 1;
            return Node::Close;
        }
        match self.step(faults) {
            Ok(node) => node,
            Err(fault) => {
                self.failed = true;
                faults.push(*fault);
                Node::End
            }
        }
    }

    /// Leaves the element that was just opened.
    pub(super) fn skip(&mut self, faults: &mut Faults) {
        let depth = self.depth;
        while self.depth >= depth {
            if let Node::End = self.next(faults) {
                return;
            }
        }
    }

    fn step(&mut self, faults: &Faults) -> Result<Node<'a>, Box<Diagnostic>> {
        loop {
            let start = self.position();
            let event = self.reader.read_event().map_err(|error| self.broken(&error.to_string(), faults))?;
            let place = Place::new(start, self.position());
            match event {
                Event::Start(tag) => return self.open(tag, place, false, faults),
                Event::Empty(tag) => return self.open(tag, place, true, faults),
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    return Ok(Node::Close);
                }
                Event::Text(text) if text.trim().is_empty() => {}
                Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => return Ok(Node::Text),
                Event::DocType(_) => return Err(hostile(faults, place, "a document type declaration is not read")),
                Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
                Event::Eof if self.depth > 0 => return Err(self.cut_off(faults)),
                Event::Eof => return Ok(Node::End),
            }
        }
    }

    fn open(
        &mut self,
        tag: BytesStart<'a>,
        place: Place,
        empty: bool,
        faults: &Faults,
    ) -> Result<Node<'a>, Box<Diagnostic>> {
        self.depth += 1;
        self.closing = empty;
        if self.depth > DEEPEST {
            return Err(hostile(faults, place, &format!("elements are nested more than {DEEPEST} deep")));
        }
        Ok(Node::Open(Element { name: tag.local_name().as_ref().to_owned(), place, tag }))
    }

    fn broken(&self, reason: &str, faults: &Faults) -> Box<Diagnostic> {
        let at = (self.offset + self.reader.error_position() as usize).min(self.text.len());
        let mut start = at;
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let fault = faults.at(Code::E0602, Place::new(start, start), format!("this is not well-formed XML: {reason}"));
        Box::new(fault.label("here"))
    }

    fn cut_off(&self, faults: &Faults) -> Box<Diagnostic> {
        let end = Place::new(self.text.len(), self.text.len());
        let fault = faults.at(Code::E0602, end, "the file ends inside an element");
        Box::new(fault.label("the file ends here").help("the file may have been cut off: export it again"))
    }

    fn position(&self) -> usize {
        self.offset + self.reader.buffer_position() as usize
    }
}

fn hostile(faults: &Faults, place: Place, message: &str) -> Box<Diagnostic> {
    Box::new(faults.at(Code::E0609, Place::new(place.start as usize, place.start as usize + 1), message).label("here"))
}

impl Element<'_> {
    /// The value of an attribute; a fault if it cannot be read.
    pub(super) fn get(&self, name: &str, faults: &mut Faults) -> Option<String> {
        for attribute in self.tag.attributes() {
            let Ok(attribute) = attribute else {
                faults.syntax(self.place, "well-formed attributes");
                return None;
            };
            if attribute.key.local_name().as_ref() != name {
                continue;
            }
            return match attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0) {
                Ok(value) => Some(value.into_owned()),
                Err(_) => {
                    faults.push(*hostile(
                        faults,
                        self.place,
                        &format!("the attribute `{name}` uses an unknown entity"),
                    ));
                    None
                }
            };
        }
        None
    }

    /// The value of an attribute that must be there.
    pub(super) fn need(&self, name: &str, faults: &mut Faults) -> Option<String> {
        let value = self.get(name, faults);
        if value.is_none() {
            faults.syntax(self.place, &format!("the attribute `{name}`"));
        }
        value
    }

    /// Whether an attribute says true; none: it is not there.
    pub(super) fn flag(&self, name: &str, faults: &mut Faults) -> Option<bool> {
        let value = self.get(name, faults)?;
        match value.to_ascii_lowercase().as_str() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => {
                faults.syntax(self.place, &format!("`{name}` to be true or false"));
                None
            }
        }
    }
}
