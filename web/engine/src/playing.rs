//! Playing the intruder: a request to a scene.

use crate::places::Places;
use crate::requests::{self, Eyes};
use desc::automaton::view::Projection;
use desc::explore::Goal;
use desc::explore::scene::{Play, Scene};
use desc::ide::Document;
use desc::model::{ObserverId, System, ViewId};
use desc::resources::{Monitor, Resources, Stop};
use serde_json::{Value, json};

/// Sees what the request says, and tells what is known then.
pub fn explore(
    system: &System,
    play: &requests::Play,
    document: &Document,
    places: &Places,
    resources: Resources<'_>,
) -> Value {
    let (Some(view), Ok(other)) =
        (view_of(system, play.view), play.other.map(|other| view_of(system, other).ok_or(())).transpose())
    else {
        return json!({"error": "there is no such observer"});
    };
    let goal = play.check.and_then(|at| system.checks.get(at)).and_then(Goal::of).unwrap_or_default();
    match played(system, (view, other), goal, play, &mut resources.monitor()) {
        Ok(Played { scene, others, found }) => {
            let lines: Vec<Vec<usize>> = scene.next.iter().map(|next| lines(next, document)).collect();
            let ranges: Vec<Vec<[usize; 2]>> =
                scene.next.iter().map(|next| next.places.iter().map(|&place| places.range(place)).collect()).collect();
            json!({"scene": scene, "others": others, "found": found, "lines": lines, "ranges": ranges})
        }
        Err(stop) => stopped(stop),
    }
}

/// A limit was reached.
pub fn stopped(stop: Stop) -> Value {
    json!({"stopped": stop.limit(), "remedy": stop.remedy()})
}

/// The lines of the text where a sign comes from.
fn lines(next: &desc::explore::scene::NextSign, document: &Document) -> Vec<usize> {
    let lines = next.places.iter().map(|place| document.file().lines().line_of(place.start) + 1);
    let mut lines: Vec<usize> = lines.collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

struct Played {
    scene: Scene,
    others: Option<desc::explore::scene::Others>,
    /// Whether the way to an exposure was found; none: it was not looked for.
    found: Option<bool>,
}

fn played(
    system: &System,
    (view, other): (ViewId, Option<ViewId>),
    goal: Goal,
    play: &requests::Play,
    monitor: &mut Monitor<'_>,
) -> Result<Played, Stop> {
    let mut at = Play::new(system, view, goal, monitor)?;
    for word in &play.observation {
        if !at.see(word, monitor)? {
            break;
        }
    }
    let found = if play.jump { Some(at.jump(monitor)?) } else { None };
    let others = other.map(|other| at.others(other, monitor)).transpose()?;
    Ok(Played { scene: at.scene(monitor)?, others, found })
}

fn view_of(system: &System, eyes: Eyes) -> Option<ViewId> {
    let projection = match eyes.projection {
        requests::Projection::Natural => Projection::Natural,
        requests::Projection::Strong => Projection::Strong,
        requests::Projection::Weak => Projection::Weak,
    };
    (eyes.observer < system.observers.len())
        .then(|| ViewId { observer: ObserverId::from_index(eyes.observer), projection })
}
