//! `among N` of weak views: what survives of each class tells the same as a choice of classes.

use super::{MOST, engine};
use crate::support::agents::agent_case;
use crate::support::dice::Dice;
use crate::support::oracle::{Distance, literal};
use crate::support::random::{Case, Shape, cases};
use desc::automaton::view::{GroupId, Observability, Observer, Projection};
use desc::model::{ClassId, Classes, Property};
use desc::verify::Tuning;
use std::collections::BTreeMap;

/// A dense weak model with many initial states, asked for two to five candidates.
fn among_case(seed: u64) -> Case {
    let mut dice = Dice::new(seed ^ 0xA707);
    let (n_states, n_events) = (3 + dice.below(5), 1 + dice.below(3));
    let edge = |dice: &mut Dice| (dice.below(n_states), dice.below(n_events), dice.below(n_states));
    let edges = (0..n_states + dice.below(3 * n_states)).map(|_| edge(&mut dice)).collect();
    let initial = (0..n_states).filter(|_| dice.chance(75)).collect();
    let shape = Shape { n_states, n_events, initial, edges, copy: vec![0; n_states] };
    let seen = |dice: &mut Dice| match dice.below(12) {
        0 => Observability::Silent,
        1 => Observability::Visible,
        _ => Observability::Anonymous(GroupId::from_index(dice.below(12) / 11)),
    };
    let observer = Observer::new((0..n_events).map(|_| seen(&mut dice)).collect());
    Case {
        automaton: shape.freeze(),
        observer,
        projection: Projection::Weak,
        property: among(&mut dice, n_states),
        initial: false,
        kind: "among",
    }
}

fn among(dice: &mut Dice, n_states: usize) -> Property {
    let n_classes = 3 + dice.below(4);
    let classes = dice.chance(40).then(|| Classes {
        of: (0..n_states).map(|_| ClassId::from_index(dice.below(n_classes))).collect(),
        names: (0..n_classes).map(|class| format!("class {class}")).collect(),
        subject: None,
    });
    let some =
        |dice: &mut Dice| (0..n_states).filter(|_| dice.chance(30)).map(desc::automaton::StateId::from_index).collect();
    let except = dice.chance(30).then(|| some(dice));
    Property::Anonymity { among: 3 + dice.below(3) as u32, classes, except }
}

#[test]
fn bundles_tell_the_same_as_the_construction_of_the_paper_and_as_every_choice_of_classes() {
    let (mut met, mut proved): (BTreeMap<String, usize>, usize) = (BTreeMap::new(), 0);
    let plain = (0..cases()).map(|seed| (seed, among_case(seed)));
    let of_agents = (0..cases() / 2).map(|seed| {
        let case = agent_case(seed + 70_000);
        let property = among(&mut Dice::new(seed), case.automaton.n_states());
        (seed, Case { property, projection: Projection::Weak, initial: false, ..case })
    });
    for (seed, case) in plain.chain(of_agents) {
        let all = Tuning { acts_once: false, strong_first: false, ..Tuning::default() };
        let by_choice = engine(&case, Tuning { bundles_from: u64::MAX, ..all });
        let expected = Distance::from(by_choice.exposure);
        for tuning in [Tuning { bundles_from: 0, ..all }, Tuning { bundles_from: 0, first_slice: 1, ..Tuning::none() }]
        {
            let found = engine(&case, tuning);
            assert_eq!(Distance::from(found.exposure), expected, "seed {seed}: {case:#?}");
            proved += usize::from(found.certificate.is_some());
            let by_letter = literal(&case.view(), &case.property, false, MOST);
            assert!(by_letter == Distance::TooLarge || by_letter == expected, "seed {seed}: {by_letter:?} {case:#?}");
        }
        *met.entry(format!("{expected:?}")).or_default() += 1;
    }
    println!("{met:#?}, {proved} proved");
    assert!(proved > 100, "{proved}");
    for distance in ["Never", "At(0)", "At(1)", "At(2)", "At(3)"] {
        assert!(met.get(distance).is_some_and(|&count| count > 4), "{met:#?}");
    }
}
