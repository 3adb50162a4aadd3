//! The stories of properties that say more than the state at one instant.

use crate::api::check;
use crate::automaton::{StateId, StateSet};
use crate::model::{Horizon, Property, Question};
use crate::verify::Options;

/// What is told of a model whose only check asks this instead.
fn told(text: &str, property: Property, horizon: Horizon) -> String {
    let mut checked = check("model.des", text);
    let asked = checked.model_mut().expect("nothing is wrong with it");
    let Question::Property { view_id, .. } = asked.systems[0].checks[0].question else { panic!("a property") };
    asked.systems[0].checks[0].question = Question::Property { view_id, property, horizon };
    checked.verify(&Options::default()).to_text()
}

fn states<const N: usize>(ids: [u32; N]) -> StateSet {
    ids.into_iter().map(StateId).collect()
}

/// Figure 2-c of Falcone and Marchand (2015).
const FIGURE: &str = "system S {
    states 0, 1, 2, 3, 4, 5, 6, 7;
    initial 0;
    events a, b, tau;
    observable a, b;
    secret 2, 6;
    0 -tau-> 1 -a-> 2 -b-> 3 -a-> 4 -a-> 4;
    0 -a-> 5 -b-> 6 -a-> 7 -a-> 7;
    check 1-step opacity;
}";

/// Whether a text has all of these lines and phrases, whatever white space is between their words.
#[track_caller]
fn says(text: &str, phrases: &[&str]) {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for phrase in phrases {
        assert!(words(text).contains(&words(phrase)), "not said: {phrase}\n{text}");
    }
}

#[test]
fn a_story_of_opacity_throughout_follows_the_runs_without_a_secret_state() {
    let text = told(FIGURE, Property::Throughout { secret: states([2, 6]) }, Horizon::Steps(1));
    says(
        &text,
        &[
            "sees a b and is then sure that the system was in a secret state in the last step, after a: every run that looks \
         the same was.",
            "1 a {2, 5} 0 -a-> 5, 1 -a-> 2",
            "states of runs without a secret state since step 1: {5}",
            "2 b {} not 5: b from there enters a secret state, only 5 -b-> 6",
            "step 2: from `5` shows b, and enters a secret state",
        ],
    );
}

#[test]
fn what_is_certain_of_the_start_and_of_the_last_observation_is_said_so() {
    let text = told(FIGURE, Property::Throughout { secret: states([0, 1, 2, 6]) }, Horizon::Infinite);
    says(&text, &["Before anything is seen, the intruder is sure that the system is or was in a secret state."]);
    let text = told(FIGURE, Property::Throughout { secret: states([2, 5]) }, Horizon::Infinite);
    says(&text, &["sees a and is sure that the system was in a secret state since the last observation"]);
}

const TRIPS: &str = "system Trips {
    states A, B, C, D, E;
    initial A, B;
    events go, left, right;
    A -go-> C; B -go-> D;
    C -left-> E; D -right-> E; D -left-> C;
    check 0-step opacity;
    secret A;
}";

#[test]
fn a_story_of_beginnings_with_ends_says_which_beginning_is_ruled_out() {
    let trip = |from, to| told(TRIPS, Property::InitialFinal { from, to }, Horizon::Steps(0));
    says(
        &trip(states([1]), states([4])),
        &[
            "sees go right and is sure that the run began in {B} and is now in {E}.",
            "not from A: no `right` from there, only C -left-> E (by now in {C})",
        ],
    );
    says(&trip(states([0]), states([4])), &["holds for every observation"]);
}

#[test]
fn a_state_that_is_excepted_is_an_alternative_and_no_exposure() {
    let property = |except| Property::Anonymity { among: 2, classes: None, except };
    says(&told(TRIPS, property(None), Horizon::Steps(0)), &["the system is now in state `E`"]);
    says(&told(TRIPS, property(Some(states([4]))), Horizon::Infinite), &["after go, the system was in state `D`"]);
    says(&told(TRIPS, property(Some(states([1, 2, 3, 4]))), Horizon::Infinite), &["holds for any number of steps"]);
}
