//! The explorer in a terminal: keys → observation → scene → screen.

use super::begin;
use crate::cli::run::limits::RunLimits;
use desc::automaton::view::Projection;
use desc::explore::Goal;
use desc::explore::scene::{self, Names, NextSign, Scene};
use desc::model::{ObserverId, System, ViewId};
use desc::resources::Stop;
use desc::source::Span;
use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span as Words};
use ratatui::widgets::{Block, Paragraph, Wrap};
use std::io;
use std::time::{Duration, Instant};

/// How long one key may take.
const MOST_TIME: Duration = Duration::from_secs(10);

/// What is played on: a system, and how to find its text.
pub struct Table<'a> {
    pub system: &'a System,
    pub limits: &'a RunLimits,
    pub place: &'a dyn Fn(Span) -> String,
    pub text: &'a dyn Fn(Span) -> String,
}

/// Where the player is.
struct Player<'a> {
    table: Table<'a>,
    view: ViewId,
    check: Option<usize>,
    seen: Vec<String>,
    scene: Result<Scene, Stop>,
    chosen: usize,
    note: String,
}

/// Plays until the player ends it.
pub fn play(table: Table<'_>, view: ViewId, check: Option<usize>, seen: &[String]) -> io::Result<()> {
    let mut player = Player::new(table, view, check, seen);
    let mut terminal = ratatui::try_init()?;
    let ended = loop {
        if let Err(error) = terminal.draw(|frame| player.draw(frame)) {
            break Err(error);
        }
        match event::read() {
            Err(error) => break Err(error),
            Ok(Event::Key(key)) if key.kind == KeyEventKind::Press => {
                let interrupted = key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c');
                if interrupted || !player.key(key.code) {
                    break Ok(());
                }
            }
            Ok(_) => {}
        }
    };
    ratatui::try_restore()?;
    ended
}

impl<'a> Player<'a> {
    fn new(table: Table<'a>, view: ViewId, check: Option<usize>, seen: &[String]) -> Player<'a> {
        let scene = Err(Stop::Interrupted);
        let mut player = Player { table, view, check, seen: seen.to_vec(), scene, chosen: 0, note: String::new() };
        player.look(false);
        player
    }

    /// Follows the observation again, perhaps to the nearest exposure.
    fn look(&mut self, jump: bool) {
        let mut monitor = self.table.limits.resources(Instant::now(), 1).within(MOST_TIME).monitor();
        self.note.clear();
        let followed = begin(self.table.system, self.view, self.check, &mut monitor).and_then(|mut play| {
            for word in &self.seen {
                if !play.see(word, &mut monitor)? {
                    self.note = format!("`{word}` cannot come next");
                    break;
                }
            }
            if jump && !play.jump(&mut monitor)? {
                self.note = "no continuation exposes anything: this intruder never learns it".to_owned();
            }
            play.scene(&mut monitor)
        });
        if let Ok(scene) = &followed {
            self.seen = scene.observation.iter().map(|sign| sign.word.clone()).collect();
            self.chosen = self.chosen.min(scene.next.len().saturating_sub(1));
        }
        self.scene = followed;
    }

    /// Acts on a key; false: that was the end.
    fn key(&mut self, key: KeyCode) -> bool {
        let n_signs = self.scene.as_ref().map_or(0, |scene| scene.next.len());
        match key {
            KeyCode::Char('q') | KeyCode::Esc => return false,
            KeyCode::Down | KeyCode::Char('j') => self.chosen = (self.chosen + 1).min(n_signs.saturating_sub(1)),
            KeyCode::Up | KeyCode::Char('k') => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Enter | KeyCode::Right => self.see(self.chosen),
            KeyCode::Char(digit @ '1'..='9') => self.see(digit as usize - '1' as usize),
            KeyCode::Backspace | KeyCode::Left => {
                self.seen.pop();
                self.look(false);
            }
            KeyCode::Char('r') => self.again(),
            KeyCode::Char('x') => self.look(true),
            KeyCode::Char('v') => self.change_view(),
            KeyCode::Char('c') => self.change_check(),
            _ => {}
        }
        true
    }

    fn see(&mut self, number: usize) {
        let sign = self.scene.as_ref().ok().and_then(|scene| scene.next.get(number));
        if let Some(next) = sign {
            self.seen.push(next.sign.word.clone());
            self.look(false);
        }
    }

    fn again(&mut self) {
        self.seen.clear();
        self.chosen = 0;
        self.look(false);
    }

    /// The next projection, then the next observer.
    fn change_view(&mut self) {
        let ViewId { observer, projection } = self.view;
        self.view = match projection {
            Projection::Natural => ViewId { observer, projection: Projection::Strong },
            Projection::Strong => ViewId { observer, projection: Projection::Weak },
            Projection::Weak => {
                let next = (observer.index() + 1) % self.table.system.observers.len();
                ViewId { observer: ObserverId::from_index(next), projection: Projection::Natural }
            }
        };
        self.again();
    }

    /// The next check that asks for a property, and then none: the state at any instant.
    fn change_check(&mut self) {
        let first = self.check.map_or(0, |at| at + 1);
        let checks = &self.table.system.checks;
        self.check = (first..checks.len()).find(|&at| Goal::of(&checks[at]).is_some());
        if let Some(at) = self.check {
            self.view = checks[at].question.view_id();
        }
        self.again();
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        let said = self.head(usize::from(frame.area().width));
        let areas = Layout::vertical([
            Constraint::Length(said.len() as u16),
            Constraint::Min(6),
            Constraint::Length(6),
            Constraint::Length(2),
        ]);
        let [head, middle, source, foot] = areas.areas(frame.area());
        let [left, right] = Layout::horizontal([Constraint::Length(42), Constraint::Min(24)]).areas(middle);
        frame.render_widget(Paragraph::new(said), head);
        match &self.scene {
            Ok(scene) => {
                frame.render_widget(paragraph("can come next", self.nexts(scene)), left);
                let room = (usize::from(right.width.saturating_sub(2)), usize::from(right.height.saturating_sub(2)));
                frame.render_widget(paragraph("known of every instant", known(scene, room)), right);
                frame.render_widget(paragraph("source", self.source(scene)), source);
            }
            Err(stop) => {
                let said = format!("{} was reached: {}", stop.limit(), stop.remedy());
                frame.render_widget(paragraph("too large", vec![Line::from(said)]), middle);
            }
        }
        frame.render_widget(Paragraph::new(self.foot()), foot);
    }

    /// Who looks for what, in two lines where one is too short; and the last of what was seen, as much as there is room for.
    fn head(&self, columns: usize) -> Vec<Line<'static>> {
        let system = self.table.system;
        let observer = system.observer(self.view.observer).name.as_ref();
        let against = observer.map(|name| format!(" against {name}")).unwrap_or_default();
        let goal = self.check.map_or("the state, at any instant", |at| &system.checks[at].text);
        let view = plain(&format!("{}, {} view{against}", system.name, self.view.projection));
        let goal = plain(&format!("looks for: {goal}"));
        let whole = Line::from(format!("{view}; {goal}"));
        let mut lines = if whole.width() <= columns { vec![whole] } else { vec![Line::from(view), Line::from(goal)] };
        lines.iter_mut().for_each(|line| line.style = BOLD);
        lines.push(self.seen(columns));
        lines
    }

    fn seen(&self, columns: usize) -> Line<'static> {
        let seen: Vec<String> = match &self.scene {
            Ok(scene) => scene.observation.iter().map(|sign| plain(&sign.shown)).collect(),
            Err(_) => self.seen.iter().map(|word| plain(word)).collect(),
        };
        if seen.is_empty() {
            return Line::from("seen: nothing yet");
        }
        let from = |first: usize| {
            Line::from(format!("seen: {}{}", if first > 0 { "... " } else { "" }, seen[first..].join(" ")))
        };
        (0..seen.len()).map(from).find(|line| line.width() <= columns).unwrap_or_else(|| from(seen.len() - 1))
    }

    fn nexts(&self, scene: &Scene) -> Vec<Line<'static>> {
        if scene.next.is_empty() {
            return vec![Line::from("nothing more can be seen")];
        }
        scene.next.iter().enumerate().map(|(at, next)| self.next(at, next)).collect()
    }

    fn next(&self, at: usize, next: &NextSign) -> Line<'static> {
        let states = if next.remain == 1 { "state" } else { "states" };
        let exposes = next.exposes.first().map(|at| format!("  exposes instant {at}")).unwrap_or_default();
        let text = format!("{} {:<10} {} {states}{exposes}", at + 1, next.sign.shown, next.remain);
        let style = if next.exposes.is_empty() { Style::new() } else { EXPOSED };
        Line::from(plain(&text)).style(if at == self.chosen { style.add_modifier(Modifier::REVERSED) } else { style })
    }

    /// The lines of the text that show the chosen sign.
    fn source(&self, scene: &Scene) -> Vec<Line<'static>> {
        let places = scene.next.get(self.chosen).map_or(&[][..], |next| &next.places);
        let line = |&place: &Span| {
            let text = (self.table.text)(place);
            plain(&format!("{}  {}", (self.table.place)(place), text.lines().next().unwrap_or_default()))
        };
        let mut lines: Vec<String> = Vec::new();
        for text in places.iter().map(line) {
            if !lines.contains(&text) {
                lines.push(text);
            }
        }
        lines.into_iter().map(Line::from).collect()
    }

    fn foot(&self) -> Vec<Line<'static>> {
        let keys = "↑↓ Enter see  ⌫ back  x nearest exposure  v view  c check  r start again  q end";
        vec![Line::from(Words::styled(plain(&self.note), EXPOSED)), Line::from(keys)]
    }
}

const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const EXPOSED: Style = Style::new().fg(ratatui::style::Color::Red).add_modifier(Modifier::BOLD);

fn paragraph(title: &'static str, lines: Vec<Line<'static>>) -> Paragraph<'static> {
    Paragraph::new(lines).wrap(Wrap { trim: false }).block(Block::bordered().title(title))
}

/// What is known of every instant, and of each part now. Where that is more than the columns and rows of the pane hold, older instants are left
/// out: those of which nothing is exposed, and then all but the first that is.
fn known(scene: &Scene, (columns, rows): (usize, usize)) -> Vec<Line<'static>> {
    let is_composed = !scene.parts.is_empty();
    let mut instants: Vec<(Line<'static>, bool)> =
        scene.instants.iter().map(|each| (instant(each, is_composed), each.exposed)).collect();
    let mut below: Vec<Line<'static>> = Vec::new();
    if is_composed {
        below.push(Line::from("part by part, now:").style(BOLD));
        below.extend(
            scene.parts.iter().map(|part| Line::from(plain(&format!("{:<12} {}", part.name, set(&part.states))))),
        );
    }
    let height = |line: &Line<'_>| line.width().div_ceil(columns.max(1)).max(1);
    let mut needed: usize = instants.iter().map(|(line, _)| line).chain(&below).map(height).sum();
    let mut n_left_out = 0;
    while needed + usize::from(n_left_out > 0) > rows {
        let older = instants.len().saturating_sub(1);
        let hidden = instants[..older].iter().position(|(_, exposed)| !exposed);
        let Some(at) = hidden.or((older > 1).then_some(1)) else { break };
        needed -= height(&instants.remove(at).0);
        n_left_out += 1;
    }
    let left_out = (n_left_out > 0).then(|| Line::from(format!("({n_left_out} earlier instants are left out)")));
    left_out.into_iter().chain(instants.into_iter().map(|(line, _)| line)).chain(below).collect()
}

fn instant(instant: &scene::Instant, is_composed: bool) -> Line<'static> {
    let sees = instant.sees.as_ref().map_or("start", |sign| &sign.shown);
    let exposed = if instant.exposed { "  exposed" } else { "" };
    let text = format!("{:<3}{sees:<8} {}{exposed}", instant.at, possible(instant, is_composed));
    Line::from(plain(&text)).style(if instant.exposed { EXPOSED } else { Style::new() })
}

/// The most states of a composed system that are named whole.
const FEW: usize = 3;

/// What was possible at an instant: states of the system or, of many states of a composed one, those of the parts of which something is known.
fn possible(instant: &scene::Instant, is_composed: bool) -> String {
    if instant.states.count <= FEW || !is_composed {
        return set(&instant.states);
    }
    let parts = instant.parts.iter().map(|part| format!("; {}: {}", part.name, set(&part.states)));
    format!("{} states{}", instant.states.count, parts.collect::<String>())
}

fn set(states: &Names) -> String {
    let more = states.count - states.names.len();
    let more = if more > 0 { format!(", ... {more} more") } else { String::new() };
    format!("{{{}{more}}}", states.names.join(", "))
}

/// Names come from the input: a control character never reaches the terminal.
fn plain(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { '·' } else { character }).collect()
}

#[cfg(test)]
mod tests;
