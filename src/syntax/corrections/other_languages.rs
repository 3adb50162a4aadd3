//! Keywords and symbols of other languages: `and`, `<>`, `1 to 3`, `alphabet`, `let N = 3`.

use super::{Correction, Failure, Place, keywords, range};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::token::{TokenKind, WordClass, class_of};

/// Keywords of other languages, and their counterparts.
const HEADS: &[(&str, &[&str])] = &[
    ("const", &["let", "var", "define", "param", "parameter", "constant"]),
    ("import", &["include", "use", "require", "using", "load"]),
    ("component", &["process", "module", "template", "proctype", "subsystem"]),
    ("system", &["automaton", "model", "machine", "fsm", "nfa", "dfa", "lts"]),
    ("states", &["nodes", "locations", "places"]),
    ("events", &["alphabet", "actions", "labels", "sigma"]),
    ("initial", &["start", "init"]),
    ("observable", &["visible", "observed"]),
    ("unobservable", &["hidden", "silent", "invisible", "unobserved", "nonobservable"]),
    ("anonymous", &["anon", "anonymized", "anonymised"]),
    ("secret", &["private", "confidential"]),
    ("observer", &["intruder", "attacker", "adversary", "eavesdropper"]),
    ("check", &["assert", "verify", "property", "prove", "query"]),
    ("compose", &["parallel", "sync", "synchronize", "product"]),
    ("for", &["foreach", "forall", "repeat"]),
    ("if", &["when"]),
];

/// Superfluous keywords before transitions.
const TRANSITIONS: &[&str] = &["transitions", "transition", "trans", "delta", "edges", "arcs"];

/// `alphabet a, b;`
pub(super) fn head(failure: &Failure<'_, '_>) -> Option<Correction> {
    let head = failure.tokens.get(failure.head_at()).copied().filter(|_| failure.taken() <= 6)?;
    let written = failure.head().to_lowercase();
    let meant = HEADS.iter().find(|(_, others)| others.contains(&written.as_str()))?.0;
    let fits = keywords::beginnings(failure).any(|word| word == meant);
    let fault = Diagnostic::new(
        Code::E0112,
        failure.span(head),
        format!("no {} starts with `{}`", keywords::thing(failure.place), failure.head()),
    )
    .label("a keyword of another language")
    .help(format!("write `{meant}`"));
    fits.then(|| Correction::edit(fault, format!("replace with `{meant}`"), range(head), meant))
}

/// `transitions A -a-> B;`, `transitions: A -a-> B;`, `transitions { A -a-> B; }`
pub(super) fn transitions(failure: &Failure<'_, '_>) -> Option<Correction> {
    let head = failure.tokens.get(failure.head_at()).copied()?;
    if !TRANSITIONS.contains(&failure.head()) || failure.taken() > 1 {
        return None;
    }
    let fault = Diagnostic::new(Code::E0112, failure.span(head), "transitions have no keyword")
        .label("not needed")
        .help("write each transition alone: `A -a-> B;`");
    let next = failure.tokens.get(failure.head_at() + 1).filter(|next| next.kind != TokenKind::ParenOpen);
    let Some(found) = next else { return Some(Correction::certain(fault)) };
    let end = if found.kind == TokenKind::Colon { found.end } else { found.start };
    Some(Correction::edit(fault, "remove it", head.start as usize..end as usize, ""))
}

/// `marked A, B;`
pub(super) fn marking(failure: &Failure<'_, '_>) -> Option<Correction> {
    let head = failure.tokens.get(failure.head_at()).copied()?;
    let marks = matches!(failure.head(), "marked" | "accepting" | "forbidden");
    let fault =
        Diagnostic::new(Code::E0112, failure.span(head), format!("no statement starts with `{}`", failure.head()))
            .label("the language has no marked states")
            .help("remove the statement: every run counts, whatever its last state");
    (marks && failure.place == Place::Block && failure.taken() <= 1).then(|| Correction::certain(fault))
}

/// `N = 3;`
pub(super) fn unintroduced(failure: &Failure<'_, '_>) -> Option<Correction> {
    let head = failure.tokens.get(failure.head_at()).copied().filter(|head| head.kind == TokenKind::Ident)?;
    let assigns = failure.tokens.get(failure.head_at() + 1).is_some_and(|next| next.kind == TokenKind::Equals);
    if !assigns || failure.taken() > 1 || class_of(failure.head()).is_some() {
        return None;
    }
    let written = failure.head();
    if failure.place == Place::File {
        let fault = Diagnostic::new(Code::E0112, failure.span(head), format!("no item starts with `{written}`"))
            .label("a constant starts with `const`")
            .help(format!("write `const {written} = ...;`"));
        let at = head.start as usize;
        return Some(Correction::edit(fault, "insert `const`", at..at, "const "));
    }
    let fault = Diagnostic::new(Code::E0112, failure.span(head), format!("no statement starts with `{written}`"))
        .label("the language has no assignment")
        .help("name a part with `compose a = A, b = B;`, a constant with `const N = 3;` outside all braces");
    Some(Correction::certain(fault))
}

/// `if N > 2 and N < 5`, `for i in 1 to 3`, `i <> j`, `1..=3`
pub(super) fn operator(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found()?;
    let next = failure.near(1);
    let joined = |kind: TokenKind| next.filter(|next| next.kind == kind && next.start == found.end);
    let joined_before =
        |kind: TokenKind| failure.near(-1).filter(|before| before.kind == kind && before.end == found.start);
    let (place, meant) = match failure.word(0).to_lowercase().as_str() {
        "and" if failure.expects("&&") => (range(found), "&&"),
        "or" if failure.expects("||") => (range(found), "||"),
        "mod" if failure.expects("%") => (range(found), "%"),
        "to" | "until" | ":" if failure.expects("..") => (range(found), ".."),
        "-" if failure.expects("..") && joined(TokenKind::Greater).is_some() => return None,
        "where" | "when" if failure.expects("if") => (range(found), "if"),
        "with" | "and" if failure.expects("if") && failure.has_taken("in") => (range(found), "if"),
        "=" | ":" | "from" if failure.expects("in") && !failure.expects("=") => (range(found), "in"),
        "." if joined_before(TokenKind::DotDot).is_some() => (range(found), ""),
        "=" if joined_before(TokenKind::DotDot).is_some() => (range(found), ""),
        ">" => {
            let before = joined_before(TokenKind::Less)?;
            (before.start as usize..found.end as usize, "!=")
        }
        "=" if failure.expects("!=") && joined(TokenKind::Not).is_some() => {
            (found.start as usize..next?.end as usize, "!=")
        }
        "=" if failure.expects("<=") && joined(TokenKind::Less).is_some() => {
            (found.start as usize..next?.end as usize, "<=")
        }
        "=>" if failure.expects(">=") => (range(found), ">="),
        "&" if failure.expects("&&") => (range(found), "&&"),
        "|" if failure.expects("||") => (range(found), "||"),
        _ => return None,
    };
    let shown = &failure.patch.text()[place.clone()];
    let (message, help) = match (meant, failure.kind(-1)) {
        ("", _) => (
            format!("`..{shown}` in a range"),
            "write `..`: both ends belong to the range, `1..3` is 1, 2, 3".to_owned(),
        ),
        _ => (format!("`{shown}` is written `{meant}` here"), format!("write `{meant}`")),
    };
    let fault = Diagnostic::new(Code::E0111, failure.span_of(place.clone()), message)
        .label(if meant.is_empty() { "not needed".to_owned() } else { format!("expected `{meant}`") })
        .help(help);
    let title = if meant.is_empty() { format!("remove `{shown}`") } else { format!("replace with `{meant}`") };
    let apart = failure.near(-1).is_some_and(|before| before.end as usize == place.start);
    let text = if apart && meant == "in" { " in" } else { meant };
    Some(Correction::edit(fault, title, place, text))
}

/// `N^2`, `N ** 2`, `2N`
pub(super) fn arithmetic(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found()?;
    let factor = failure.near(-1).filter(|factor| factor.kind == TokenKind::Integer && factor.end == found.start);
    let counts = matches!(failure.head(), "const" | "for" | "if");
    if let (Some(factor), TokenKind::Ident, true) = (factor, found.kind, counts) {
        let meant = format!("{} * {}", failure.word(-1), failure.word(0));
        let whole = factor.start as usize..found.end as usize;
        let fault = Diagnostic::new(Code::E0124, failure.span_of(whole), "`*` is missing")
            .label("a product?")
            .help(format!("write `{meant}`"));
        return Some(Correction::edit(fault, "insert `*`", failure.gap(), " * "));
    }
    let power = failure.word(0) == "^" || failure.word(0) == "*" && failure.word(-1) == "*";
    let fault = failure
        .fault(Code::E0103, "there is no power operator")
        .label("not part of the language")
        .help("write the product: `N * N`");
    power.then(|| Correction::certain(fault))
}

/// `for i in 1..3 and j in 1..3`
pub(super) fn joined_binders(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|_| matches!(failure.word(0), "and" | "&&" | ";"))?;
    if failure.word(2) != "in" || !failure.expects(",") {
        return None;
    }
    let fault = failure
        .fault(Code::E0111, format!("`{}` between indices", failure.word(0)))
        .label("expected `,`")
        .help("separate indices with commas: `for i in 1..3, j in 1..3 { ... }`");
    Some(Correction::edit(fault, "replace with `,`", failure.gap().start..found.end as usize, ","))
}

/// `if N > 2 then {`, `if N > 2: {`, `for i in 1..3 do {`
pub(super) fn opening_word(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|_| matches!(failure.word(0), "then" | "do" | ":"))?;
    let last = failure.near(1).is_none() && matches!(failure.head(), "if" | "for" | "else");
    let word = failure.word(0);
    let fault = failure
        .fault(Code::E0111, format!("a block has no `{word}`"))
        .label("not needed")
        .help(format!("remove the `{word}`: `{{` starts the block"));
    let removed = failure.gap().start..found.end as usize;
    last.then(|| Correction::edit(fault, format!("remove `{word}`"), removed, ""))
}

/// `if not N > 2`
pub(super) fn negation(failure: &Failure<'_, '_>) -> Option<Correction> {
    let not = failure.near(-1).filter(|_| failure.word(-1) == "not" && matches!(failure.head(), "if" | "for"))?;
    let end = failure.patch.text().trim_end().len();
    let fault = Diagnostic::new(Code::E0111, failure.span(not), "a condition is negated with `!`")
        .label("expected `!`")
        .help("write `!( ... )` around the condition");
    let start = not.start as usize..failure.found()?.start as usize;
    let edits = vec![(start, "!(".to_owned()), (end..end, ")".to_owned())];
    Some(Correction { diagnostic: fault, title: "write `!( ... )`".to_owned(), edits })
}

/// `elif N > 1 {`, `elseif N > 1 {`
pub(super) fn else_if(failure: &Failure<'_, '_>) -> Option<Correction> {
    let head = failure.tokens.get(failure.head_at()).copied()?;
    let is_one = matches!(failure.head(), "elif" | "elseif" | "elsif" | "elsf");
    let fault =
        Diagnostic::new(Code::E0112, failure.span(head), format!("no statement starts with `{}`", failure.head()))
            .label("a keyword of another language")
            .help("write `else if ... { ... }`")
            .fix("replace with `else if`", failure.span(head), "else if");
    is_one.then(|| Correction::certain(fault))
}

/// `initial A and B;`, `observable events except {e};`, `events - {e}`
pub(super) fn set_operator(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|_| failure.after_operand())?;
    let in_statement = class_of(failure.head()) == Some(WordClass::Set);
    let meant = match failure.word(0) {
        "and" | "or" | "plus" | "+" if failure.expects(",") => ",",
        "or" | "union" if failure.expects("|") => "|",
        "except" | "without" | "minus" | "but" if failure.expects("\\") => "\\",
        "-" | "/" if failure.expects("\\") && in_statement => "\\",
        "intersect" | "inter" if failure.expects("&") => "&",
        "is" | "like" if failure.expects("as") && failure.kind(1).is_some_and(TokenKind::is_name) => "as",
        _ => return None,
    };
    let help = match meant {
        "," => "separate names with commas: `A, B`".to_owned(),
        "\\" => "write `\\` for all but these: `events \\ {a, b}`".to_owned(),
        "as" => "write `as` before the label: `anonymous a, b as label;`".to_owned(),
        _ => format!("write `{meant}`"),
    };
    let fault = failure
        .fault(Code::E0111, format!("`{}` between names", failure.word(0)))
        .label(format!("expected `{meant}`"))
        .help(help);
    let place = if meant == "," { failure.gap().start..found.end as usize } else { range(found) };
    Some(Correction::edit(fault, format!("replace with `{meant}`"), place, meant))
}

/// `observable *;`
pub(super) fn star(failure: &Failure<'_, '_>) -> Option<Correction> {
    let found = failure.found().filter(|found| found.kind == TokenKind::Star && failure.taken() == 1)?;
    let meant = match failure.head() {
        "initial" | "secret" | "final" => "states",
        "observable" | "unobservable" | "anonymous" => "events",
        _ => return None,
    };
    let fault = failure
        .fault(Code::E0111, format!("the set of all {meant} is written `{meant}`"))
        .label(format!("expected `{meant}`"))
        .help(format!("write `{} {meant};`", failure.head()));
    Some(Correction::edit(fault, format!("replace with `{meant}`"), range(found), meant))
}

/// `not observable a;`, `not check weak 2-step;`
pub(super) fn not_first(failure: &Failure<'_, '_>) -> Option<Correction> {
    let not =
        failure.tokens.get(failure.head_at()).copied().filter(|_| matches!(failure.head(), "not" | "un" | "non"))?;
    let hyphen = failure.tokens.get(failure.head_at() + 1).is_some_and(|next| next.kind == TokenKind::Minus);
    let next = failure.tokens.get(failure.head_at() + 1 + usize::from(hyphen)).copied()?;
    let meant = match next.text(failure.patch.text()) {
        "observable" => "unobservable",
        "check" if !hyphen => "check not",
        _ => return None,
    };
    let whole = not.start as usize..next.end as usize;
    let fault =
        Diagnostic::new(Code::E0112, failure.span(not), format!("no statement starts with `{}`", failure.head()))
            .label(format!("expected `{meant}`"))
            .help(format!("write `{meant} ...`"));
    Some(Correction::edit(fault, format!("write `{meant}`"), whole, meant))
}
