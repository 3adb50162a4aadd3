//! The explorer's screen after some keys.

use super::*;
use desc::model::OWN;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

const MODEL: &str = "system Door {\n    states A, B, C; initial A, B;\n    events a, b, c; anonymous a, b;\n    \
                     A -a-> A; B -b-> B; B -c-> C;\n    check weak current-state;\n}\n";

/// The screen after some keys.
fn screen(keys: &[KeyCode]) -> String {
    screen_of(MODEL, keys)
}

fn screen_of(model: &str, keys: &[KeyCode]) -> String {
    screen_in((90, 20), model, keys)
}

/// The screen in a window of so many columns and rows; it is drawn after each key.
fn screen_in((columns, rows): (u16, u16), model: &str, keys: &[KeyCode]) -> String {
    let checked = desc::check("door.des", model);
    let system = &checked.model().expect("it is right").systems()[0];
    let limits = RunLimits::default();
    let table = Table {
        system,
        limits: &limits,
        place: &|_| "door.des:4".to_owned(),
        text: &|span| model[span.range()].to_owned(),
    };
    let view = ViewId { observer: OWN, projection: Projection::Weak };
    let mut player = Player::new(table, view, Some(0), &[]);
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a screen");
    terminal.draw(|frame| player.draw(frame)).expect("it is drawn");
    for &key in keys {
        assert!(player.key(key));
        terminal.draw(|frame| player.draw(frame)).expect("it is drawn");
    }
    terminal.backend().to_string()
}

#[test]
fn the_screen_shows_the_signs_that_can_come_and_where_they_are_written() {
    let shown = screen(&[]);
    assert!(shown.contains("seen: nothing yet") && shown.contains("{A, B}"), "{shown}");
    assert!(shown.contains("c          1 state  exposes instant 1"), "{shown}");
    assert!(shown.contains("door.des:4  B -c-> C"), "{shown}");
}

#[test]
fn keys_see_signs_go_back_jump_and_change_the_view() {
    assert!(screen(&[KeyCode::Down, KeyCode::Enter]).contains("seen: γ₁"));
    assert!(screen(&[KeyCode::Char('2'), KeyCode::Backspace]).contains("seen: nothing yet"));
    let exposed = screen(&[KeyCode::Char('x')]);
    assert!(exposed.contains("seen: c") && exposed.contains("{C}  exposed"), "{exposed}");
    assert!(screen(&[KeyCode::Char('v')]).contains("Door, natural view"));
    assert!(screen(&[KeyCode::Char('c')]).contains("looks for: the state, at any instant"));
}

#[test]
fn many_states_of_a_composed_system_are_those_of_its_parts() {
    let model = "component U(i) { states in, out; initial in; events go[i]; in -go[i]-> out; }\n\
                 system S { compose u[i] = U(i) for i in 1..3; unobservable go[2..3]; check weak current-state; }\n";
    let shown = screen_of(model, &[KeyCode::Enter]);
    assert!(shown.contains("0  start    4 states; u[1]: {in}"), "{shown}");
    assert!(shown.contains("1  go[1]    4 states "), "the parts are listed below: {shown}");
    assert!(shown.contains("u[1]         {out}") && shown.contains("u[3]         {in, out}"), "{shown}");
    let alike = model.replace("initial in", "initial states").replace("unobservable go[2..3]", "anonymous events");
    let unknown = screen_of(&alike, &[]);
    assert!(unknown.contains("0  start    8 states "), "{unknown}");
    assert_eq!(unknown.matches("in -go[i]-> out").count(), 1, "a line of the text is shown once: {unknown}");
}

#[test]
fn the_last_instant_is_in_sight_however_much_was_seen() {
    let model = "system Loops { states A, B; initial A, B; events a; A -a-> A; B -a-> B; check weak current-state; }";
    let shown = screen_of(model, &[KeyCode::Enter; 15]);
    assert!(shown.contains("15 a        {A, B}"), "{shown}");
    assert!(shown.contains("(9 earlier instants are left out)") && !shown.contains("0  start"), "{shown}");
    let model = model.replace("A, B;", "A;").replace(" B -a-> B;", "").replace("current-state", "infinite-step");
    let exposed = screen_of(&model, &[KeyCode::Enter; 15]);
    assert!(exposed.contains("0  start    {A}  exposed") && exposed.contains("15 a        {A}  exposed"), "{exposed}");
}

#[test]
fn what_is_looked_for_and_the_last_signs_are_in_sight() {
    let model = "system Long { states A, B; initial A, B; events a_long_name; A -a_long_name-> A; B -a_long_name-> B; \
                 check weak current-state against Somebody_with_a_much_longer_name; observer Somebody_with_a_much_longer_name {} }";
    let shown = screen_of(model, &[KeyCode::Enter; 9]);
    assert!(shown.contains("\"Long, weak view "), "{shown}");
    assert!(
        shown.contains("\"looks for: check weak current-state against Somebody_with_a_much_longer_name "),
        "{shown}"
    );
    assert!(shown.contains("\"seen: ... a_long_name a_long_name"), "{shown}");
}

/// A model in which any of 40 signs can come.
fn alphabet() -> String {
    let sides: String = (0..40).map(|at| format!(" A -e[{at}]-> B; B -e[{at}]-> A;")).collect();
    format!(
        "system Many {{ states A, B; initial A, B; events e[0..39];{sides} check natural infinite-step opacity; secret A; }}"
    )
}

#[test]
fn the_chosen_sign_is_in_sight_however_many_can_come() {
    let first = screen_of(&alphabet(), &[]);
    assert!(first.contains("1 e[0] ") && !first.contains("40 e[39]") && first.contains(" more"), "{first}");
    let last = screen_of(&alphabet(), &[KeyCode::Down; 60]);
    assert!(last.contains("40 e[39]") && !last.contains("1 e[0] "), "{last}");
    let back = screen_of(&alphabet(), &[[KeyCode::Down; 60], [KeyCode::Up; 60]].concat());
    assert_eq!(back, first);
}

#[test]
fn what_is_known_of_many_parts_is_scrolled() {
    let model = "component U(i) { states in, out; initial states; events go[i]; in -go[i]-> out; }\n\
                 system S { compose u[i] = U(i) for i in 1..9; anonymous events; check weak current-state; }\n";
    let window = |keys: &[KeyCode]| screen_in((80, 18), model, keys);
    let first = window(&[]);
    assert!(first.contains("part by part, now:") && !first.contains("u[9]"), "{first}");
    assert!(first.contains("PageDown: 5 more"), "{first}");
    let below = window(&[KeyCode::PageDown, KeyCode::PageDown, KeyCode::PageDown]);
    assert!(below.contains("u[9]         {in, out}") && !below.contains("PageDown"), "{below}");
    assert_eq!(window(&[KeyCode::PageDown, KeyCode::PageDown, KeyCode::PageUp]), first);
    assert!(
        window(&[KeyCode::PageDown, KeyCode::Enter]).contains("1 earlier instant is left out"),
        "it starts at the top again"
    );
}

#[test]
fn a_narrow_window_loses_no_word() {
    let shown = screen_in((44, 24), MODEL, &[KeyCode::Char('c'), KeyCode::Char('v'), KeyCode::Char('x')]);
    assert!(shown.contains("\"looks for: the state, at any instant "), "{shown}");
    assert!(shown.contains("q end"), "{shown}");
    let model = "system Loops { states A, B; initial A, B; events a; A -a-> A; B -a-> B; check weak current-state; }";
    let never = screen_in((44, 24), model, &[KeyCode::Char('x')]);
    assert!(
        never.contains("\"no continuation exposes anything: this") && never.contains("\"  intruder never learns it"),
        "{never}"
    );
}

#[test]
fn what_is_not_computed_in_time_is_said() {
    let checked = desc::check("door.des", MODEL);
    let system = &checked.model().expect("it is right").systems()[0];
    let limits = RunLimits::default();
    let table = Table { system, limits: &limits, place: &|_| String::new(), text: &|_| String::new() };
    let view = ViewId { observer: OWN, projection: Projection::Weak };
    let mut player = Player::new(table, view, None, &[]);
    player.scene = Err(Stop::Timeout);
    let mut terminal = Terminal::new(TestBackend::new(44, 20)).expect("a screen");
    terminal.draw(|frame| player.draw(frame)).expect("it is drawn");
    let shown = terminal.backend().to_string();
    assert!(shown.contains("what they know was not computed within"), "{shown}");
    assert!(shown.contains("time limit; allow more time:"), "{shown}");
}

#[test]
fn text_is_wrapped_at_spaces_and_a_long_word_is_broken() {
    let lines = |text: &str| -> Vec<String> {
        lines::wrapped(text, Style::new(), 8).iter().map(|line| line.to_string()).collect()
    };
    assert_eq!(lines("one two three"), ["one two", "  three"]);
    assert_eq!(lines("1  γ  {A}"), ["1  γ ", "  {A}"]);
    assert_eq!(lines("abcdefghijk"), ["abcdefgh", "ijk"]);
    assert_eq!(lines(""), [""]);
}

#[test]
fn the_end_is_a_key() {
    let checked = desc::check("door.des", MODEL);
    let system = &checked.model().expect("it is right").systems()[0];
    let limits = RunLimits::default();
    let table = Table { system, limits: &limits, place: &|_| String::new(), text: &|_| String::new() };
    let view = ViewId { observer: OWN, projection: Projection::Weak };
    assert!(!Player::new(table, view, None, &[]).key(KeyCode::Char('q')));
    assert_eq!(plain("a\u{1b}[2Jb"), "a·[2Jb");
}
