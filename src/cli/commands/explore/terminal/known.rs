//! What is known: every instant, and the parts of a composed system now.

use super::lines::wrapped;
use super::{BOLD, EXPOSED, plain};
use desc::explore::scene::{Instant, Names, Part, Scene};
use ratatui::style::Style;
use ratatui::text::Line;

/// An instant that is shown, and whether it is exposed.
type Shown = (Vec<Line<'static>>, bool);

/// What is known of every instant, and of each part now. Where that is more than the columns and rows of the pane hold, older instants are left
/// out: those of which nothing is exposed, and then all but the first that is.
pub fn known(scene: &Scene, (columns, rows): (usize, usize)) -> Vec<Line<'static>> {
    let below = parts(scene, columns);
    let mut instants = instants(scene, columns);
    let mut needed: usize = below.len() + instants.iter().map(|(lines, _)| lines.len()).sum::<usize>();
    let mut n_left_out = 0;
    while needed + usize::from(n_left_out > 0) > rows {
        let older = instants.len().saturating_sub(1);
        let hidden = instants[..older].iter().position(|(_, exposed)| !exposed);
        let Some(at) = hidden.or((older > 1).then_some(1)) else { break };
        needed -= instants.remove(at).0.len();
        n_left_out += 1;
    }
    let left_out = match n_left_out {
        0 => None,
        1 => Some("(1 earlier instant is left out)".to_owned()),
        many => Some(format!("({many} earlier instants are left out)")),
    };
    left_out.map(Line::from).into_iter().chain(instants.into_iter().flat_map(|(lines, _)| lines)).chain(below).collect()
}

/// Every instant; the parts of the last one are listed below.
fn instants(scene: &Scene, columns: usize) -> Vec<Shown> {
    let last = scene.instants.len().saturating_sub(1);
    let named = |at| match (scene.parts.is_empty(), at < last) {
        (true, _) => Named::Whole,
        (false, true) => Named::Parts,
        (false, false) => Named::Below,
    };
    let shown = |(at, each): (usize, &Instant)| (instant(each, named(at), columns), each.exposed);
    scene.instants.iter().enumerate().map(shown).collect()
}

fn parts(scene: &Scene, columns: usize) -> Vec<Line<'static>> {
    let heading = Line::from("part by part, now:").style(BOLD);
    let parts = scene.parts.iter().flat_map(|each| part(each, columns));
    (!scene.parts.is_empty()).then_some(heading).into_iter().chain(parts).collect()
}

/// How the many states of an instant are named.
enum Named {
    /// As states of the system.
    Whole,
    /// By those of the parts of which something is known.
    Parts,
    /// By the list below, which is of the same instant.
    Below,
}

fn instant(instant: &Instant, named: Named, columns: usize) -> Vec<Line<'static>> {
    let sees = instant.sees.as_ref().map_or("start", |sign| &sign.shown);
    let exposed = if instant.exposed { "  exposed" } else { "" };
    let text = format!("{:<3}{sees:<8} {}{exposed}", instant.at, possible(instant, named));
    wrapped(&plain(&text), if instant.exposed { EXPOSED } else { Style::new() }, columns)
}

fn part(part: &Part, columns: usize) -> Vec<Line<'static>> {
    wrapped(&plain(&format!("{:<12} {}", part.name, set(&part.states))), Style::new(), columns)
}

/// The most states of a composed system that are named whole.
const FEW: usize = 3;

/// What was possible at an instant.
fn possible(instant: &Instant, named: Named) -> String {
    let parts = match named {
        _ if instant.states.count <= FEW => return set(&instant.states),
        Named::Whole => return set(&instant.states),
        Named::Parts => &instant.parts[..],
        Named::Below => &[],
    };
    let parts = parts.iter().map(|part| format!("; {}: {}", part.name, set(&part.states)));
    format!("{} states{}", instant.states.count, parts.collect::<String>())
}

fn set(states: &Names) -> String {
    let more = states.count - states.names.len();
    let more = if more > 0 { format!(", ... {more} more") } else { String::new() };
    format!("{{{}{more}}}", states.names.join(", "))
}
