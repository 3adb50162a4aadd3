//! The report as a part of another page: a notebook shows ten of them, each with its own ids, style and script.
//!
//! The page's rules apply below the class `desc-report` only, so that they touch nothing else, and ids and links begin with the
//! name of the fragment.

use super::{FileReport, Page, Report, SCRIPT, STEPS, STYLE};
use crate::report::scribe::Scribe;
use crate::resources::Resources;
use std::fmt::Write;
use std::sync::LazyLock;

/// The class that the rules apply to.
const CLASS: &str = ".desc-report";

static SCOPED: LazyLock<String> = LazyLock::new(|| scoped(&without_comments(STYLE)) + BESIDE);

/// Notebooks have rules of their own for tables, which this outweighs.
const BESIDE: &str =
    ".desc-report.desc-report :is(th, td, tr) { text-align: left; vertical-align: top; white-space: normal; }\n";

/// The verdicts, drawings and stories of a report, to stand in a page beside others. `name` is an id that no other element has.
pub fn fragment(report: &Report, name: &str, resources: Resources<'_>) -> String {
    let mut body = Vec::new();
    let mut page = Page { out: Scribe::new(&mut body, resources, STEPS), drawings: 0, file: 0 };
    report.files.iter().enumerate().for_each(|(at, file): (usize, &FileReport)| page.file(at, file));
    // WHY ignored: memory takes what is written.
    let _ = page.out.finish();
    let body = named(&String::from_utf8_lossy(&body), name);
    let mut out = format!("<div class=\"desc-report\" id=\"{name}\">\n<style>{}</style>\n{body}", *SCOPED);
    let _ = write!(out, "<script>{}</script>\n</div>\n", script(name));
    out
}

/// The stylesheet alone, for other parts of such a page.
pub fn style() -> &'static str {
    &SCOPED
}

/// The same elements with the name of the fragment before every id. Names of the model cannot look like one: their quotes are escaped.
fn named(body: &str, name: &str) -> String {
    // The text of the model stands in a cell already: here it is folded.
    let mut body = body.replace("<details class=\"text\" open>", "<details class=\"text\">");
    for attribute in [" id=\"", " href=\"#", " aria-labelledby=\""] {
        body = body.replace(attribute, &format!("{attribute}{name}-"));
    }
    body
}

/// The page's script for the elements of this fragment. A notebook may run it before they are in the document.
fn script(name: &str) -> String {
    let script =
        SCRIPT.replace("document.querySelectorAll", "root.querySelectorAll").replace("export function", "function");
    format!(
        "(function start(tries) {{\nconst root = document.getElementById(\"{name}\");\n\
         if (!root) {{ if (tries > 0) setTimeout(start, 50, tries - 1); return; }}\n{script}\n}})(200);\n"
    )
}

fn without_comments(style: &str) -> String {
    let after = |part: &str| part.split_once("*/").map_or(String::new(), |(_, rest)| rest.to_owned());
    style.split("/*").enumerate().map(|(at, part)| if at == 0 { part.to_owned() } else { after(part) }).collect()
}

/// A stylesheet whose rules apply below [`CLASS`] only. Rules for printed pages as a whole are left out.
fn scoped(style: &str) -> String {
    let mut out = String::with_capacity(style.len() * 2);
    let mut rest = style;
    while let Some(open) = rest.find('{') {
        let selector = rest[..open].trim();
        let end = matching(&rest[open..]).map_or(rest.len(), |length| open + length);
        let inside = rest[open + 1..end].trim_end_matches('}');
        match selector {
            _ if selector.starts_with("@page") => {}
            _ if selector.starts_with("@media") => {
                let whole = &rest[open + 1..end - 1];
                let _ = writeln!(out, "{selector} {{\n{}}}", scoped(whole));
            }
            _ => {
                let _ = writeln!(out, "{} {{{inside}}}", selectors(selector));
            }
        }
        rest = &rest[end..];
    }
    out
}

/// The length of a block from its opening brace to its closing one.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at + 1),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn selectors(list: &str) -> String {
    let one = |selector: &str| match selector.trim() {
        ":root" | "body" => CLASS.to_owned(),
        other => format!("{CLASS} {other}"),
    };
    list.split(',').map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_applies_below_the_class_only() {
        let style = scoped(
            ":root { --a: 1; }\nbody, .x a { margin: 0; }\n@media print { .y { top: 0; } @page { margin: 0; } }",
        );
        assert_eq!(
            style,
            ".desc-report { --a: 1; }\n.desc-report, .desc-report .x a { margin: 0; }\n\
             @media print {\n.desc-report .y { top: 0; }\n}\n"
        );
        let selects = |line: &&str| line.contains(" {") && !line.starts_with('@');
        assert!(SCOPED.lines().filter(selects).all(|line| line.starts_with(CLASS)), "{}", *SCOPED);
    }

    #[test]
    fn two_fragments_share_no_id() {
        let text = "system S { states A, B; initial A; events a; A -a-> B; B -a-> A; check current-state; }";
        let report = crate::check("s.des", text).verify(&crate::Options::default());
        let ids = |name: &str| {
            let html = fragment(&report, name, Resources::default());
            let ids = html.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap_or("").to_owned());
            ids.collect::<Vec<String>>()
        };
        let (one, two) = (ids("one"), ids("two"));
        assert!(one.len() > 5 && one.iter().all(|id| id.starts_with("one")));
        assert!(one.iter().all(|id| !two.contains(id)));
    }
}
