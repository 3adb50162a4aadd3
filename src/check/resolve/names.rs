//! The names of one kind in one body, and references to them.
//!
//! Names are compared by their text, so a member of a family is found under `held[2]`, and a reference to a whole family under
//! the names that start with `held[`. States and events are separate: one name may be both.

use crate::check::context::Context;
use crate::check::resolve::expand;
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::import::{Names, Place};
use crate::source::{FileId, Span};
use crate::syntax::ast::{Index, Ref};
use crate::syntax::spelling;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

#[derive(Debug)]
pub(in crate::check) struct Table {
    /// `state` or `event`.
    pub kind: &'static str,
    /// The file of all spans.
    pub file: FileId,
    pub names: Names,
    /// The declaration of each name, by id.
    pub places: Vec<Place>,
    /// The file of each span, if there are several.
    files: Vec<FileId>,
    /// The position just after the last declared name, for a quick fix.
    pub end: Option<Span>,
    families: OnceLock<FxHashMap<String, Family>>,
}

/// The names `base[...]`.
#[derive(Debug)]
struct Family {
    /// The number of indices, of the first member.
    arity: usize,
    members: Vec<u32>,
    /// The least and the greatest first index.
    ends: (i64, i64),
}

impl Table {
    pub fn new(kind: &'static str, file: FileId) -> Table {
        Table {
            kind,
            file,
            names: Names::new(),
            places: Vec::new(),
            files: Vec::new(),
            end: None,
            families: OnceLock::new(),
        }
    }

    pub fn of(kind: &'static str, file: FileId, names: Names, places: Vec<Place>) -> Table {
        Table { names, places, ..Table::new(kind, file) }
    }

    /// Adds a name; returns the declaration of an earlier one.
    pub fn declare(&mut self, name: &str, place: Place) -> Result<u32, Place> {
        let (id, new) = self.names.insert(name);
        if !new {
            return Err(self.places[id as usize]);
        }
        self.places.push(place);
        self.families.take();
        Ok(id)
    }

    pub fn len(&self) -> u32 {
        self.names.len() as u32
    }

    pub fn span(&self, id: u32) -> Option<Span> {
        let file = self.files.get(id as usize).copied().unwrap_or(self.file);
        self.places.get(id as usize).map(|place| place.span(file))
    }

    /// Whether a name or a family is declared.
    pub fn has(&self, base: &str) -> bool {
        self.names.find(base).is_some() || self.families().contains_key(base)
    }

    /// Adds a name of any file if it is new; its id.
    pub fn share(&mut self, name: &str, at: Option<Span>) -> u32 {
        let (id, new) = self.names.insert(name);
        if new {
            let at = at.unwrap_or(Span::new(self.file, 0, 0));
            self.places.push(Place { start: at.start, end: at.end });
            self.files.push(at.file);
        }
        id
    }

    /// Adds a name as written, for [`Lookup::knows`]: a family is represented by its member with every index 1.
    pub fn mention(&mut self, base: &str, indices: usize, place: Place) {
        let _ = match indices {
            0 => self.declare(base, place),
            _ => self.declare(&mentioned(base, indices), place),
        };
        if let Some((base, at)) = member(base) {
            let _ = self.declare(&mentioned(base, at.len()), place);
        }
    }

    fn families(&self) -> &FxHashMap<String, Family> {
        self.families.get_or_init(|| {
            let mut families: FxHashMap<String, Family> = FxHashMap::default();
            for (id, name) in self.names.iter().enumerate() {
                if let Some((base, indices)) = member(&name) {
                    let first = indices.first().copied().unwrap_or(0);
                    let family = families.entry(base.to_owned()).or_insert_with(|| Family {
                        arity: indices.len(),
                        members: Vec::new(),
                        ends: (first, first),
                    });
                    family.members.push(id as u32);
                    family.ends = (family.ends.0.min(first), family.ends.1.max(first));
                }
            }
            families
        })
    }

    pub fn family(&self, base: &str) -> Option<&[u32]> {
        self.families().get(base).map(|family| family.members.as_slice())
    }
}

/// The base and the indices of the name of a member of a family.
fn member(name: &str) -> Option<(&str, Vec<i64>)> {
    let (base, rest) = name.strip_suffix(']')?.split_once('[')?;
    let indices: Option<Vec<i64>> = rest.split(',').map(|index| index.trim().parse().ok()).collect();
    Some((base, indices?)).filter(|(base, _)| !base.is_empty())
}

/// The representative member of a family.
fn mentioned(base: &str, indices: usize) -> String {
    let mut name = String::new();
    expand::spell(&mut name, base, &vec![1; indices]);
    name
}

/// The scope of a lookup, for messages.
pub(in crate::check) struct Lookup<'a> {
    pub table: &'a Table,
    /// Names of other kinds.
    pub others: &'a [&'a Table],
    /// "this system", "component `Mix`".
    pub owner: &'a str,
}

impl Lookup<'_> {
    /// Adds the ids that a reference denotes to `out`, ignoring its member. `false` after an error.
    pub fn resolve(&self, cx: &mut Context<'_>, reference: &Ref, out: &mut Vec<u32>) -> bool {
        if reference.indices().is_empty() {
            return self.plain(cx, reference, out);
        }
        let mut sound = true;
        let expanded = cx.members(reference, &mut |cx, name| match self.table.names.find(name) {
            Some(id) => out.push(id),
            None if sound => {
                self.missing(cx, reference, name);
                sound = false;
            }
            None => {}
        });
        expanded && sound
    }

    fn plain(&self, cx: &mut Context<'_>, reference: &Ref, out: &mut Vec<u32>) -> bool {
        let name = cx.text(&reference.name);
        if let Some(id) = self.table.names.find(&name) {
            out.push(id);
        } else if let Some(members) = self.table.family(&name) {
            out.extend_from_slice(members);
        } else {
            self.missing(cx, reference, &name);
            return false;
        }
        true
    }

    /// Whether a reference names something that is declared, without evaluating its indices; an error if not. The table has
    /// [`Table::mention`]ed names.
    pub fn knows(&self, cx: &mut Context<'_>, reference: &Ref) -> bool {
        let base = cx.text(&reference.name);
        let known = match reference.indices().len() {
            0 => self.table.names.find(&base).is_some() || self.table.family(&base).is_some(),
            indices => self.table.names.find(&mentioned(&base, indices)).is_some(),
        };
        let is_member =
            || member(&base).is_some_and(|(base, at)| self.table.names.find(&mentioned(base, at.len())).is_some());
        let known = known || is_member();
        if !known {
            let end = reference.member().map_or(reference.span().end, |member| member.span().start - 1);
            let written = Span { end, ..reference.span() };
            self.missing(cx, reference, cx.file.slice(written));
        }
        known
    }

    /// Reports why a name is unknown, once per name.
    fn missing(&self, cx: &mut Context<'_>, reference: &Ref, name: &str) {
        let base = cx.text(&reference.name);
        if cx.is_silenced(self.table.kind, &base) {
            return;
        }
        let fault = self.why(cx, reference, name, &base);
        if fault.code == Code::E0202 && cx.is_blamed(reference.span()) {
            return;
        }
        // Of a name without indices, or a family with one member, the declaration is to blame, not each use.
        let is_single = self.table.family(&base).is_none_or(|members| members.len() == 1);
        let about_indices = matches!(fault.code, Code::E0302 | Code::E0303) && !is_single;
        if !about_indices {
            cx.suppress(self.table.kind, &base);
        }
        cx.fault(fault);
    }

    fn why(&self, cx: &mut Context<'_>, reference: &Ref, name: &str, base: &str) -> Diagnostic {
        let (kind, wanted) = (self.table.kind, reference.indices().len());
        if let Some(family) = self.table.families().get(base) {
            let declared = self.table.span(family.members[0]);
            return if family.arity == wanted {
                out_of_range(kind, name, base, family, reference.span(), declared)
            } else {
                wrong_arity(kind, base, family.arity, wanted, reference.span(), declared)
            };
        }
        if let Some(id) = self.table.names.find(base) {
            return wrong_arity(kind, base, 0, wanted, reference.span(), self.table.span(id));
        }
        let other = self.others.iter().find_map(|other| {
            let id = other.names.find(name).or_else(|| other.family(base).map(|members| members[0]))?;
            Some((other.kind, other.span(id)))
        });
        if let Some((other, declared)) = other {
            return wrong_kind(name, kind, other, reference.span(), declared);
        }
        if let Some(near) = self.member_meant(base).or_else(|| self.indexed_meant(cx, base)).or_else(|| {
            // A set takes no index and has no parts.
            reference.rest.is_none().then(|| set_meant(kind, base))?
        }) {
            return self.unknown(cx, reference, name, Some(&near));
        }
        let bases = self.table.families().keys().map(String::as_str);
        let nearest = match cx.near.nearest(base, self.table.names.iter()) {
            Some(near) => Some(near),
            None => cx.near.nearest(base, bases),
        };
        self.unknown(cx, reference, name, nearest.as_deref().map(spelling::member).as_deref())
    }

    /// `h1`, `h_1` for `h[1]`, as it is written.
    fn member_meant(&self, name: &str) -> Option<String> {
        let base = name.trim_end_matches(|character: char| character.is_ascii_digit());
        let index: i64 = name[base.len()..].parse().ok()?;
        let member = format!("{}[{index}]", base.trim_end_matches('_'));
        self.table.names.find(&member).map(|_| spelling::member(&member).into_owned())
    }

    /// `h_i`, `hi` for `h[i]`, where `i` is an index.
    fn indexed_meant(&self, cx: &Context<'_>, name: &str) -> Option<String> {
        let meant = cx.bindings.iter().find_map(|(index, _)| {
            let base = name.strip_suffix(&**index)?.trim_end_matches('_');
            self.table.family(base).map(|_| format!("{}[{index}]", spelling::name(base)))
        });
        meant.filter(|_| !name.is_empty())
    }

    /// `nearest`: what was probably meant, as it is written.
    fn unknown(&self, cx: &Context<'_>, reference: &Ref, name: &str, nearest: Option<&str>) -> Diagnostic {
        let kind = self.table.kind;
        let fault = Diagnostic::new(Code::E0201, reference.span(), format!("unknown {kind} `{name}`"))
            .label(format!("not declared in {}", self.owner));
        if let Some(near) = nearest {
            let at = if near.ends_with(']') { reference.span() } else { reference.name.span };
            return fault.help(format!("did you mean `{near}`?")).fix(format!("replace with `{near}`"), at, near);
        }
        if kind == "part" {
            let known: Vec<_> = self.table.names.iter().take(20).collect();
            return fault.help(format!("the parts are {}", wording::written_list(&known)));
        }
        let written = cx.written(reference);
        let has_range = reference.indices().iter().any(|index| matches!(index, Index::Range(..)));
        let fault = fault.help(match kind {
            "part" => {
                format!(
                    "add it to the composition: `compose {} = Component;`",
                    spelling::name(&cx.text(&reference.name))
                )
            }
            _ => format!("declare it: `{kind}s {written};`"),
        });
        match self.table.end {
            Some(end) if reference.indices().is_empty() => {
                let written = cx.text(&reference.name);
                fault.fix(format!("declare the {kind} `{name}`"), end, format!(", {}", spelling::name(&written)))
            }
            Some(end) if !has_range && member(name).is_some() => {
                fault.fix(format!("declare the {kind} `{name}`"), end, format!(", {}", spelling::member(name)))
            }
            _ => fault,
        }
    }
}

/// `all`, `event` for `events`.
fn set_meant(kind: &str, name: &str) -> Option<String> {
    let sets: &[&str] = match kind {
        "event" => &["events", "observable", "unobservable", "anonymous"],
        "state" => &["states", "initial", "secret"],
        _ => return None,
    };
    let all = matches!(name, "all" | "All" | "alphabet").then(|| sets[0]);
    all.or_else(|| crate::check::resolve::near::nearest(name, sets)).map(str::to_owned)
}

fn wrong_kind(name: &str, wanted: &str, found: &str, at: Span, declared: Option<Span>) -> Diagnostic {
    let found = wording::with_article(found);
    let (wanted, help) = match wanted {
        "part" => (
            "a state of a part".to_owned(),
            "name the part and its state: `u[1].waiting`; what has happened is a state of a `monitor`",
        ),
        _ => (
            wording::with_article(wanted),
            "an arrow reads `state -event-> state`; `initial` and `secret` take states, the other sets take events",
        ),
    };
    let fault = Diagnostic::new(Code::E0202, at, format!("`{name}` is {found}, not {wanted}"))
        .label(format!("expected {wanted}"))
        .help(help);
    declared.into_iter().fold(fault, |fault, span| fault.also(span, "declared here"))
}

fn wrong_arity(kind: &str, base: &str, has: usize, given: usize, at: Span, declared: Option<Span>) -> Diagnostic {
    let takes = if has == 0 {
        "no index".to_owned()
    } else {
        wording::count(has as u64, "indice").replace("1 indice", "1 index")
    };
    let message = format!("the {kind} `{base}` takes {takes}, not {given}");
    let written = spelling::name(base);
    let example = if has == 0 { written.into_owned() } else { format!("{written}[{}]", vec!["1"; has].join(", ")) };
    let fault = Diagnostic::new(Code::E0302, at, message)
        .label(format!("{given} given here"))
        .help(format!("write it as it is declared: `{example}`"));
    declared.into_iter().fold(fault, |fault, span| fault.also(span, "declared here"))
}

fn out_of_range(kind: &str, name: &str, base: &str, family: &Family, at: Span, declared: Option<Span>) -> Diagnostic {
    let (low, high) = family.ends;
    let known = if family.arity == 1 && low == high {
        format!("`{base}[{low}]` is")
    } else if family.arity == 1 {
        format!("`{base}[{low}..{high}]` are")
    } else {
        format!("{} members of `{base}` are", family.members.len())
    };
    let fault = Diagnostic::new(Code::E0303, at, format!("index out of range: there is no {kind} `{name}`"))
        .label(format!("only {known} declared"));
    let fault = if low == high && low > 1 {
        fault.help(format!("change the index, or declare a range: `{}[1..{low}]`", spelling::name(base)))
    } else {
        fault.help("change the index, or widen the declaration")
    };
    declared.into_iter().fold(fault, |fault, span| fault.also(span, "declared here"))
}
