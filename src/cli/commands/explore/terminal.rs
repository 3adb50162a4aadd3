//! The explorer in a terminal: keys → observation → scene → screen.

mod known;
mod lines;

use super::begin;
use crate::cli::run::limits::RunLimits;
use desc::automaton::view::Projection;
use desc::explore::Goal;
use desc::explore::scene::{NextSign, Scene};
use desc::model::{ObserverId, System, ViewId};
use desc::resources::Stop;
use desc::source::Span;
use known::known;
use lines::{inner_size, packed, pane, wrapped};
use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use std::io;
use std::time::{Duration, Instant};

/// How long one key may take, without `--timeout`.
const MOST_TIME: Duration = Duration::from_secs(10);

/// How many lines PageUp and PageDown move.
const PAGE: usize = 5;

const KEYS: [&str; 7] = ["↑↓ Enter see", "⌫ back", "x nearest exposure", "v view", "c check", "r start again", "q end"];

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
    /// How many lines of what is known are above the pane.
    above: usize,
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
        let mut player =
            Player { table, view, check, seen: seen.to_vec(), scene, chosen: 0, above: 0, note: String::new() };
        player.look(false);
        player
    }

    /// Follows the observation again, perhaps to the nearest exposure.
    fn look(&mut self, jump: bool) {
        let limits = self.table.limits;
        let most = limits.timeout.unwrap_or(MOST_TIME);
        let mut monitor = limits.resources(Instant::now(), 1).within(most).monitor();
        self.note.clear();
        self.above = 0;
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
            KeyCode::PageDown => self.above += PAGE,
            KeyCode::PageUp => self.above = self.above.saturating_sub(PAGE),
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

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let columns = usize::from(frame.area().width);
        let (said, foot) = (self.head(columns), self.foot(columns));
        let areas = Layout::vertical([
            Constraint::Length(said.len() as u16),
            Constraint::Min(6),
            Constraint::Length(6),
            Constraint::Length(foot.len() as u16),
        ]);
        let [head, middle, source, below] = areas.areas(frame.area());
        frame.render_widget(Paragraph::new(said), head);
        match &self.scene {
            Ok(scene) => {
                let [left, right] = Layout::horizontal([Constraint::Length(42), Constraint::Min(24)]).areas(middle);
                let known = known(scene, inner_size(right));
                self.above = self.above.min(known.len().saturating_sub(inner_size(right).1));
                frame.render_widget(self.nexts(scene, left), left);
                frame.render_widget(pane("known of every instant", known, right, self.above, "PageDown: "), right);
                frame.render_widget(pane("source", self.source(scene, inner_size(source).0), source, 0, ""), source);
            }
            Err(stop) => {
                let said = format!("what they know was not computed {}; {}", stop.limit(), stop.remedy());
                let lines = wrapped(&said, Style::new(), inner_size(middle).0);
                frame.render_widget(pane("too large", lines, middle, 0, ""), middle);
            }
        }
        frame.render_widget(Paragraph::new(foot), below);
    }

    /// Who looks for what, in more lines where one is too short; and the last of what was seen, as much as there is room for.
    fn head(&self, columns: usize) -> Vec<Line<'static>> {
        let system = self.table.system;
        let observer = system.observer(self.view.observer).name.as_ref();
        let against = observer.map(|name| format!(" against {name}")).unwrap_or_default();
        let goal = self.check.map_or("the state, at any instant", |at| &system.checks[at].text);
        let view = plain(&format!("{}, {} view{against}", system.name, self.view.projection));
        let goal = plain(&format!("looks for: {goal}"));
        let whole = Line::from(format!("{view}; {goal}")).style(BOLD);
        let apart = || [view, goal].iter().flat_map(|each| wrapped(each, BOLD, columns)).collect();
        let mut lines = if whole.width() <= columns { vec![whole] } else { apart() };
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

    /// What can come next; the chosen sign is in sight.
    fn nexts(&self, scene: &Scene, area: Rect) -> Paragraph<'static> {
        let (columns, rows) = inner_size(area);
        let mut lines = Vec::new();
        let mut first = 0;
        for (at, next) in scene.next.iter().enumerate() {
            lines.extend(self.next(at, next, columns));
            first = if at == self.chosen { lines.len().saturating_sub(rows) } else { first };
        }
        if lines.is_empty() {
            lines.push(Line::from("nothing more can be seen"));
        }
        pane("can come next", lines, area, first, "")
    }

    fn next(&self, at: usize, next: &NextSign, columns: usize) -> Vec<Line<'static>> {
        let states = if next.remain == 1 { "state" } else { "states" };
        let exposes = next.exposes.first().map(|at| format!("  exposes instant {at}")).unwrap_or_default();
        let text = format!("{} {:<10} {} {states}{exposes}", at + 1, next.sign.shown, next.remain);
        let style = if next.exposes.is_empty() { Style::new() } else { EXPOSED };
        let style = if at == self.chosen { style.add_modifier(Modifier::REVERSED) } else { style };
        wrapped(&plain(&text), style, columns)
    }

    /// The lines of the text that show the chosen sign.
    fn source(&self, scene: &Scene, columns: usize) -> Vec<Line<'static>> {
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
        lines.iter().flat_map(|line| wrapped(line, Style::new(), columns)).collect()
    }

    fn foot(&self, columns: usize) -> Vec<Line<'static>> {
        let mut lines = wrapped(&plain(&self.note), EXPOSED, columns);
        lines.extend(packed(KEYS.into_iter(), "  ", "", columns).into_iter().map(Line::from));
        lines
    }
}

const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const EXPOSED: Style = Style::new().fg(ratatui::style::Color::Red).add_modifier(Modifier::BOLD);

/// Names come from the input: a control character never reaches the terminal.
fn plain(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { '·' } else { character }).collect()
}

#[cfg(test)]
mod tests;
