//! A repair as a terminal shows it.

use super::{Moved, Repair, RepairReport, StorySummary};
use crate::diagnostic::words::{count, grouped};
use crate::repair::{Ending, Tries};
use crate::report::formats::text::answer_word;
use crate::report::phrasing::Words;
use crate::resources::Stop;
use crate::source::Sources;
use std::fmt::Write;

/// The report of one system, without colours. `diffs` are the changed lines of each repair.
pub fn text(report: &RepairReport, sources: &Sources, diffs: &[String], words: Words) -> String {
    let mut out = format!("{}  system {}  {}\n", word(report), report.name, sources.place(report.span));
    let _ = writeln!(out, "  {}", headline(report));
    if words.whole {
        let _ = writeln!(out, "  {}", effort(report));
    }
    if report.usual && !report.goal.is_empty() && report.ending != Ending::Nothing {
        let _ = writeln!(
            out,
            "  the file offers nothing by `may`: every observable event may be hidden or merged, at cost 1 each"
        );
    }
    if !report.left_out.is_empty() {
        let _ = writeln!(out, "  left out, as facts of the model as it is written: {}", quoted(&report.left_out));
    }
    for (at, repair) in report.repairs.iter().enumerate().filter(|_| report.ending != Ending::Nothing) {
        out.push('\n');
        if report.repairs.len() > 1 {
            let _ = writeln!(out, "  choice {}, cost {}", at + 1, grouped(repair.cost));
        }
        repair.levers.iter().for_each(|lever| write_lever(&mut out, lever, sources));
        out += &verdicts(repair, words);
        if let Some(diff) = diffs.get(at).filter(|diff| !diff.is_empty()) {
            let _ = write!(out, "\n{}", indented(diff));
        }
    }
    if let Some(summary) = &report.survives {
        let _ = write!(out, "\n  with every lever moved, {}", violated(summary));
    }
    if let Some(line) = &report.would_help {
        let _ = writeln!(out, "  help: this line would make a repair possible: `{line}`");
    }
    if let Some(tries) = report.further {
        out += &indented(&unhelped(tries).join("\n"));
    }
    if let Some(fault) = &report.fault {
        let _ =
            writeln!(out, "  internal error: a choice was not proved on the changed text: {fault}; please report it");
    }
    out
}

fn word(report: &RepairReport) -> &'static str {
    match report.ending {
        Ending::Nothing => "nothing to repair",
        Ending::Repaired => "repaired",
        Ending::Impossible => "impossible",
        Ending::Undecided(_) => "undecided",
    }
}

/// How it ended, in one sentence.
pub fn headline(report: &RepairReport) -> String {
    let levers = count(report.n_levers as u64, "lever");
    match report.ending {
        Ending::Nothing if report.goal.is_empty() => "no check is a plain assertion of a property".to_owned(),
        Ending::Nothing => format!("every check passes: {}", count(report.goal.len() as u64, "check")),
        Ending::Repaired => {
            let cost = report.lower_bound.unwrap_or_default();
            format!("cost {}, and nothing cheaper is enough ({levers})", grouped(cost))
        }
        Ending::Impossible => format!("no choice is enough ({levers})"),
        Ending::Undecided(stop) => {
            let bound = report.lower_bound.unwrap_or_default();
            let found = report.repairs.first().map_or_else(
                || "no choice that is enough was found".to_owned(),
                |best| format!("the best choice found costs {}", grouped(best.cost)),
            );
            format!("{}: {found}, and none costs less than {} ({levers})", limit(stop), grouped(bound))
        }
    }
}

/// What it took. The figures depend on the number of threads.
fn effort(report: &RepairReport) -> String {
    format!(
        "{} visited: {} refuted by a known run, {} implied by others; {}",
        count(report.effort.candidates, "choice"),
        grouped(report.effort.refuted),
        grouped(report.effort.implied),
        count(report.effort.searched, "search").replace("searchs", "searches")
    )
}

/// Whether a further line would have helped, where none is known: a sentence in lines.
pub fn unhelped(tries: Tries) -> Vec<String> {
    let Some(stop) = tries.stop else {
        return vec!["no single further event to hide or to merge would help".to_owned()];
    };
    let why = if stop == Stop::Timeout { "the time for that was over" } else { limit(stop) };
    let rest = match tries.decided {
        0 => format!("of {}, none was decided: {why}", grouped(tries.levers as u64)),
        decided => {
            let (decided, all) = (grouped(decided as u64), grouped(tries.levers as u64));
            format!("{decided} of {all} would not, the others were not decided: {why}")
        }
    };
    vec!["not known: whether a further line that hides or merges one event would help;".to_owned(), rest]
}

fn limit(stop: Stop) -> &'static str {
    match stop {
        Stop::Timeout => "the time limit was reached",
        Stop::Memory => "the memory limit was reached",
        Stop::Pairs => "the limit on pairs was reached",
        Stop::States => "the product is too large",
        Stop::Interrupted => "it was interrupted",
    }
}

fn write_lever(out: &mut String, lever: &Moved, sources: &Sources) {
    let place = lever.span.map_or_else(String::new, |span| format!("  {}", sources.place(span)));
    let _ = writeln!(out, "  {}  cost {}{place}", lever.text, grouped(lever.cost));
    if let Some(summary) = &lever.without {
        let _ = write!(out, "    without it, {}", violated(summary));
    }
}

fn violated(summary: &StorySummary) -> String {
    format!("`{}` is violated:\n    {}\n", summary.check, summary.story)
}

/// The verdicts on the changed text.
fn verdicts(repair: &Repair, words: Words) -> String {
    let mut out = String::from("\n  afterwards\n");
    for system in repair.after.systems() {
        for at in 0..system.n_checks() {
            let check = system.check(at);
            let is_goal = repair.checks.contains(&at);
            if is_goal || !check.passed() {
                let mark = if is_goal { "" } else { " (left out)" };
                let vacuous = check.vacuity.map_or_else(String::new, |why| format!("; vacuously: {}", why.reason()));
                let said = words.headline(&check);
                let _ = writeln!(out, "    {}  {}: {said}{vacuous}{mark}", answer_word(&check), check.text);
            }
        }
    }
    out
}

fn quoted(texts: &[String]) -> String {
    let all: Vec<String> = texts.iter().map(|text| format!("`{text}`")).collect();
    all.join(", ")
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}
