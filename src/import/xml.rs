//! XML as the readers of Supremica and WATERS need it: elements with places, and nothing that can explode.
//!
//! No entity beyond the five and character numbers is read, a document type declaration is refused, and nesting is bounded.
//!
//! A file that is not well-formed is refused where it goes wrong. quick-xml sees to the end tags; tags themselves, what may stand where, and
//! that there is one root are seen to here. Text may stand only in elements that are skipped: the formats have none elsewhere.

mod tag;

use super::Place;
use super::fault::{Faults, short};
use crate::diagnostic::{Code, Diagnostic, near};
use quick_xml::Reader;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesRef, BytesStart, Event};
use std::borrow::Cow;
use tag::Malformed;

/// Elements deeper than this are not read. WATERS nests eight deep.
const DEEPEST: usize = 100;

/// What an element takes: three names and a place, in lists that double.
pub(super) const ELEMENT: usize = 256;

/// An element opens or closes.
pub(super) enum Node<'a> {
    /// `<Name ...>` or `<Name ... />`; the latter is followed by a [`Node::Close`] too.
    Open(Element<'a>),
    /// `</Name>`
    Close,
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
    /// Whether the root was opened.
    rooted: bool,
    closing: bool,
    /// Inside an element that is skipped.
    skipping: bool,
    failed: bool,
}

impl<'a> Xml<'a> {
    pub(super) fn new(text: &'a str) -> Xml<'a> {
        let body = text.trim_start_matches('\u{feff}');
        let mut reader = Reader::from_str(body);
        reader.config_mut().check_comments = true;
        let offset = text.len() - body.len();
        Xml { text, reader, offset, depth: 0, rooted: false, closing: false, skipping: false, failed: false }
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
        self.skipping = true;
        while self.depth >= depth {
            if let Node::End = self.next(faults) {
                break;
            }
        }
        self.skipping = false;
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
                Event::Text(text) if tag::is_blank(&text) => {}
                Event::Text(_) | Event::CData(_) => self.text(place, faults)?,
                Event::GeneralRef(reference) => self.reference(&reference, place, faults)?,
                Event::DocType(_) => {
                    return Err(hostile(faults, place, "document type declarations are not supported"));
                }
                Event::Decl(_) => self.declaration(place, faults)?,
                Event::PI(instruction) => self.instruction(instruction.target(), place, faults)?,
                Event::Comment(_) => {}
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
        self.tag(place, faults)?;
        if self.depth == 0 && std::mem::replace(&mut self.rooted, true) {
            return Err(self.malformed(place, "a second root element", faults));
        }
        self.depth += 1;
        self.closing = empty;
        if self.depth > DEEPEST {
            return Err(hostile(faults, place, &format!("elements are nested more than {DEEPEST} deep")));
        }
        let element = Element { name: tag.local_name().as_ref().to_owned(), place, tag };
        match element.unreadable() {
            Some(attribute) => Err(unknown_entity(faults, place, &format!("the attribute `{attribute}`"))),
            None => Ok(Node::Open(element)),
        }
    }

    fn tag(&self, place: Place, faults: &Faults) -> Result<(), Box<Diagnostic>> {
        let checked = tag::check(self.slice(place), "<", &[">", "/>"]);
        checked.map(|_| ()).map_err(|wrong| self.inside(place, &wrong, faults))
    }

    /// `<?xml version="1.0"?>` stands once, at the very start.
    fn declaration(&self, place: Place, faults: &Faults) -> Result<(), Box<Diagnostic>> {
        if place.start as usize != self.offset {
            return Err(self.malformed(place, "`<?xml ...?>` is allowed only at the start of a file", faults));
        }
        let text = self.slice(place);
        let names = tag::check(text, "<?", &["?>"]).map_err(|wrong| self.inside(place, &wrong, faults))?;
        let known = names.iter().all(|name| ["version", "encoding", "standalone"].contains(name));
        if names.first() == Some(&"version") && known && !text.contains('&') {
            return Ok(());
        }
        Err(self.malformed(place, "`<?xml ...?>` has only a version, an encoding and `standalone`", faults))
    }

    /// `<?tool ...?>` is left alone.
    fn instruction(&self, target: &str, place: Place, faults: &Faults) -> Result<(), Box<Diagnostic>> {
        if target.starts_with(|c: char| c.is_alphabetic() || c == '_') && !target.eq_ignore_ascii_case("xml") {
            return Ok(());
        }
        Err(self.malformed(place, "an instruction `<?...?>` without a name", faults))
    }

    fn text(&self, place: Place, faults: &Faults) -> Result<(), Box<Diagnostic>> {
        if self.skipping {
            return Ok(());
        }
        let text = self.slice(place);
        let start = place.start as usize + text.len() - text.trim_start().len();
        Err(self.malformed(Place::new(start, place.end as usize), "text where only elements are allowed", faults))
    }

    /// `&amp;` in a text.
    fn reference(&self, reference: &BytesRef<'_>, place: Place, faults: &Faults) -> Result<(), Box<Diagnostic>> {
        let known = matches!(reference.resolve_char_ref(), Ok(Some(_)))
            || quick_xml::escape::resolve_predefined_entity(reference).is_some();
        if known { self.text(place, faults) } else { Err(unknown_entity(faults, place, "the text")) }
    }

    /// A fault at a byte of a tag.
    fn inside(&self, place: Place, wrong: &Malformed, faults: &Faults) -> Box<Diagnostic> {
        let start = place.start as usize + wrong.at;
        self.malformed(Place::new(start, place.end as usize), &wrong.reason, faults)
    }

    /// A fault at the first character of a place.
    fn malformed(&self, place: Place, reason: &str, faults: &Faults) -> Box<Diagnostic> {
        let first = self.slice(place).chars().next().map_or(0, char::len_utf8);
        let place = Place::new(place.start as usize, place.start as usize + first);
        Box::new(faults.at(Code::E0602, place, format!("this is not well-formed XML: {reason}")).label("here"))
    }

    fn slice(&self, place: Place) -> &'a str {
        &self.text[place.start as usize..place.end as usize]
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
        Box::new(fault.label("the file ends here").help("the file may be truncated: export it again"))
    }

    fn position(&self) -> usize {
        self.offset + self.reader.buffer_position() as usize
    }
}

fn hostile(faults: &Faults, place: Place, message: &str) -> Box<Diagnostic> {
    Box::new(faults.at(Code::E0609, Place::new(place.start as usize, place.start as usize + 1), message).label("here"))
}

fn unknown_entity(faults: &Faults, place: Place, what: &str) -> Box<Diagnostic> {
    hostile(faults, place, &format!("{what} uses an unknown entity"))
}

impl Element<'_> {
    /// The name of an attribute that uses an unknown entity.
    fn unreadable(&self) -> Option<String> {
        let broken = |attribute: &Attribute<'_>| attribute.value.contains('&') && value(attribute).is_none();
        self.attributes().find(broken).map(|attribute| attribute.key.local_name().as_ref().to_owned())
    }

    /// Refuses an attribute that is a slip away from one of those that are read; others are left alone.
    pub(super) fn no_slips(&self, read: &[&str], faults: &mut Faults) {
        for attribute in self.attributes() {
            let name = attribute.key.local_name();
            if !read.contains(&name.as_ref())
                && let Some(meant) = near::nearest(name.as_ref(), read.iter().copied())
            {
                faults.push(misspelt_attribute(name.as_ref(), meant, self.place, faults));
            }
        }
    }

    fn attributes(&self) -> impl Iterator<Item = Attribute<'_>> {
        self.tag.attributes().flatten()
    }

    /// The value of an attribute.
    //
    // INVARIANT: every attribute was found well-formed and readable when the tag was opened.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        value(&self.attributes().find(|attribute| attribute.key.local_name().as_ref() == name)?)
    }

    /// The value of an attribute that must be there. One that is misspelt is told by [`Element::no_slips`].
    pub(super) fn need(&self, name: &str, faults: &mut Faults) -> Option<String> {
        let value = self.get(name);
        let slip =
            |attribute: Attribute<'_>| near::nearest(attribute.key.local_name().as_ref(), [name].into_iter()).is_some();
        if value.is_none() && !self.attributes().any(slip) {
            faults.syntax(self.place, &format!("the attribute `{name}`"));
        }
        value
    }

    /// Whether an attribute says true; none: it is not there.
    pub(super) fn flag(&self, name: &str, faults: &mut Faults) -> Option<bool> {
        let value = self.get(name)?;
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

/// What an attribute says; none: an unknown entity.
fn value(attribute: &Attribute<'_>) -> Option<String> {
    attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok().map(Cow::into_owned)
}

fn misspelt_attribute(name: &str, meant: &str, place: Place, faults: &Faults) -> Diagnostic {
    let fault = faults.at(Code::E0602, place, format!("unknown attribute `{}`", short(name)));
    fault.label("in this tag").help(format!("did you mean `{meant}`?"))
}
