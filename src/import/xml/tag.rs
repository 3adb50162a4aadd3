//! Whether one tag is well-formed: a name, then attributes with quoted values, each once and each after a blank.
//!
//! WHY: quick-xml cuts tags at their `>` and looks at an attribute only when it is asked for. A tag whose `>` is missing swallows the
//! next one, and what stood there would be lost without a word.

/// What is wrong with a tag, and where in it.
pub(super) struct Malformed {
    /// The byte of the tag at which it goes wrong.
    pub(super) at: usize,
    /// What is wrong, as the end of a sentence.
    pub(super) reason: String,
}

/// Checks `<Name a="1" b='2'>`, `<Name/>` and, with their own `ends`, declarations. Gives the names of the attributes.
pub(super) fn check<'a>(tag: &'a str, start: &str, ends: &[&str]) -> Result<Vec<&'a str>, Malformed> {
    let mut scan = Scan { tag, at: start.len() };
    scan.name("a name")?;
    let mut names = Vec::new();
    loop {
        let parted = scan.blank();
        if ends.contains(&scan.rest()) {
            return Ok(names);
        }
        if scan.rest().starts_with(['/', '<']) {
            return Err(scan.wrong("the `>` of this tag is missing"));
        }
        if !parted {
            return Err(scan.wrong("white space is missing between two attributes"));
        }
        let name = scan.attribute()?;
        if names.contains(&name) {
            return Err(scan.wrong(format!("the attribute `{name}` appears twice in one tag")));
        }
        names.push(name);
    }
}

/// Whether a text is white space to XML.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

struct Scan<'a> {
    tag: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        &self.tag[self.at..]
    }

    fn wrong(&self, reason: impl Into<String>) -> Malformed {
        Malformed { at: self.at, reason: reason.into() }
    }

    /// Passes white space; whether there was any.
    fn blank(&mut self) -> bool {
        let length = self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\r', '\n']).len();
        self.at += length;
        length > 0
    }

    fn name(&mut self, what: &str) -> Result<&'a str, Malformed> {
        let rest = self.rest();
        let begins = |c: char| c.is_alphabetic() || c == '_' || c == ':';
        let length = rest.find(|c: char| !begins(c) && !c.is_numeric() && c != '-' && c != '.').unwrap_or(rest.len());
        if !rest.starts_with(begins) {
            return Err(self.wrong(format!("expected {what}, or the end of the tag")));
        }
        self.at += length;
        Ok(&rest[..length])
    }

    /// `name = "value"`
    fn attribute(&mut self) -> Result<&'a str, Malformed> {
        let name = self.name("an attribute")?;
        self.blank();
        if !self.rest().starts_with('=') {
            return Err(self.wrong(format!("the attribute `{name}` has no value")));
        }
        self.at += 1;
        self.blank();
        self.value(name)?;
        Ok(name)
    }

    fn value(&mut self, name: &str) -> Result<(), Malformed> {
        let rest = self.rest();
        let Some(quote) = rest.chars().next().filter(|quote| matches!(quote, '"' | '\'')) else {
            return Err(self.wrong(format!("the value of `{name}` is not in quotes")));
        };
        let inner = &rest[1..];
        let end = inner.find(quote).unwrap_or(inner.len());
        if let Some(open) = inner[..end].find('<') {
            self.at += 1 + open;
            return Err(self.wrong(format!("the value of `{name}` does not end before the next tag")));
        }
        self.at += (end + 2).min(rest.len());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a tag goes wrong.
    fn wrong(tag: &str) -> Option<usize> {
        check(tag, "<", &[">", "/>"]).err().map(|malformed| malformed.at)
    }

    #[test]
    fn a_tag_is_a_name_and_attributes_in_quotes() {
        for tag in ["<A>", "<a:A/>", "<A  b = \"1\"\n\tc='2'/>", "<A b=\"x>y\">", "<A />"] {
            assert_eq!(wrong(tag), None, "{tag}");
        }
    }

    #[test]
    fn a_tag_goes_wrong_where_it_goes_wrong() {
        assert_eq!(wrong("<A b=\"1\"/\n<C d=\"2\"/>"), Some(8), "the `>` of a tag is missing");
        assert_eq!(wrong("<A b=\"1\"\n<C d=\"2\"/>"), Some(9));
        assert_eq!(wrong("<A b>"), Some(4));
        assert_eq!(wrong("<A b=1>"), Some(5));
        assert_eq!(wrong("<A b=\"1\"c=\"2\">"), Some(8));
        assert_eq!(wrong("<A b=\"1\" b=\"2\">"), Some(14));
        assert_eq!(wrong("<A b=\"1\n<C d=\">"), Some(8));
        assert_eq!(wrong("<1>"), Some(1));
        assert_eq!(wrong("< A>"), Some(1));
    }
}
