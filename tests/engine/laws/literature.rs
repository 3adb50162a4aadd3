//! The automata of the figures of Saboori and Hadjicostis (2007, 2009, 2011) and Falcone and Marchand (2013, 2015).

use desc::automaton::view::Observability;
use desc::automaton::{Automaton, Builder, EventId, StateId, StateSet};

/// An automaton with its secret and its distances; none: never.
pub struct Model {
    pub name: &'static str,
    pub automaton: Automaton,
    pub observabilities: Vec<Observability>,
    pub secret: StateSet,
    pub opacity: Option<u64>,
    pub anonymity: Option<u64>,
}

/// Starts at 0. Each word is source, event, target; event `u` is not seen.
fn model(name: &'static str, words: &str, secret: &[u32], opacity: Option<u64>, anonymity: Option<u64>) -> Model {
    let edges: Vec<(u32, u32, u32)> = words
        .split_whitespace()
        .map(|word| {
            let letters: Vec<char> = word.chars().collect();
            let state = |at: usize| letters[at].to_digit(10).expect("a state is a digit");
            (state(0), "abcu".find(letters[1]).expect("an event is one of a, b, c, u") as u32, state(2))
        })
        .collect();
    let last = edges.iter().flat_map(|&(source, _, target)| [source, target]).max().unwrap_or(0);
    let mut builder = Builder::new(last as usize + 1, 4);
    builder.initial(StateId(0));
    for (source, event, target) in edges {
        builder.transition(StateId(source), EventId(event), StateId(target));
    }
    Model {
        name,
        automaton: builder.freeze(),
        observabilities: vec![
            Observability::Visible,
            Observability::Visible,
            Observability::Visible,
            Observability::Silent,
        ],
        secret: secret.iter().map(|&state| StateId(state)).collect(),
        opacity,
        anonymity,
    }
}

pub fn models() -> Vec<Model> {
    vec![
        model("Saboori 2007, figure 1a", "0a0 0u2 2a1 1b0 1u3 3b1", &[1], Some(2), Some(2)),
        model("Saboori 2009, example 1", "0b1 0u2 0a3 2b2 1b4 3b4 4a4", &[0], Some(1), Some(0)),
        model("Saboori 2009, figure 1b", "0a1 0u2 1u3 2a4 3a5 4a6", &[1, 6], None, None),
        model("Saboori 2011, figure 1a", "0b1 0u2 0a3 2b2 1b4 3b4 4a4", &[3], Some(0), Some(0)),
        model(
            "Falcone 2013, figure 2a",
            "0b0 0u1 1a2 2b3 3a4 4a4 4b4 0a5 5b6 6a5 6b7 7a7 7b7",
            &[3, 6],
            Some(0),
            Some(0),
        ),
        model("Falcone 2013, figure 2b", "0u1 1a2 2b3 3a3 0a4 4b5 5b5", &[2], Some(2), Some(0)),
        model("Falcone 2015, figure 2c", "0u1 1a2 2b3 3a4 4a4 0a5 5b6 6a7 7a7", &[2, 6], None, None),
        model("Falcone 2015, figure 2d", "0u1 1a2 2b3 3a4 4c2 0a5 5b6 6a7 7c5", &[2, 7], None, None),
        model("Falcone 2015, figure 2e", "0a1 1b1 0u2 2a2 2b3 3a0 3b3", &[2], Some(0), Some(0)),
    ]
}
