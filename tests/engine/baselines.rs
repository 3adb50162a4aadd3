//! The classic methods, the paper's constructions and the engine agree on random models.

use desc::automaton::view::{GroupId, Observability, Observer, Projection, View};
use desc::automaton::{Automaton, Builder, EventId, StateId};
use desc::baselines;
use desc::model::{ClassId, Classes, Horizon, OWN, Property, ViewId};
use desc::paper::{self, Budget};
use desc::resources::Resources;
use desc::verdict::Exposure;
use desc::verify::{Options, Tuning, decide_with};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

#[derive(Debug)]
struct Random {
    automaton: Automaton,
    observer: Observer,
    properties: Vec<Property>,
}

fn models() -> impl Strategy<Value = Random> {
    (1..6u32, 1..5u32).prop_flat_map(|(n, m)| {
        let transitions = proptest::collection::vec((0..n, 0..m, 0..n), 0..12);
        let observabilities = proptest::collection::vec(0..4u8, m as usize);
        let initial = proptest::collection::btree_set(0..n, 1..=n as usize);
        let classes = proptest::collection::vec(0..3u32, n as usize);
        let secret = proptest::collection::btree_set(0..n, 0..=n as usize);
        (initial, transitions, observabilities, classes, secret).prop_map(
            move |(initial, transitions, observabilities, classes, secret)| {
                let mut builder = Builder::new(n as usize, m as usize);
                initial.into_iter().for_each(|state| builder.initial(StateId(state)));
                for (source, event, target) in transitions {
                    builder.transition(StateId(source), EventId(event), StateId(target));
                }
                let observability = |observability: u8| {
                    [
                        Observability::Silent,
                        Observability::Visible,
                        Observability::Anonymous(GroupId(0)),
                        Observability::Anonymous(GroupId(0)),
                    ][usize::from(observability)]
                };
                let names = (0..3).map(|class| format!("class {class}")).collect();
                let classes = Classes { of: classes.into_iter().map(ClassId).collect(), names, subject: None };
                Random {
                    automaton: builder.freeze(),
                    observer: Observer::new(observabilities.into_iter().map(observability).collect()),
                    properties: vec![
                        Property::Anonymity { among: 2, classes: None, except: None },
                        Property::Anonymity { among: 3, classes: None, except: None },
                        Property::Anonymity { among: 2, classes: Some(classes), except: None },
                        Property::Opacity { secret: secret.into_iter().map(StateId).collect() },
                    ],
                }
            },
        )
    })
}

fn engine(view: &View<'_>, property: &Property, horizon: Horizon) -> Exposure {
    decide_with(view, property, horizon, &Options::default(), Tuning::default()).exposure
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(2026), ..ProptestConfig::default() })]

    #[test]
    fn every_method_finds_the_same_exposure_distance(model in models()) {
        for projection in [Projection::Natural, Projection::Strong, Projection::Weak] {
            let view = View { automaton: &model.automaton, observer: &model.observer, projection };
            let view_id = ViewId { observer: OWN, projection };
            for property in &model.properties {
                let by_engine = engine(&view, property, Horizon::Infinite);
                let by_paper = paper::decide(view, view_id, property, Horizon::Infinite, Budget::unlimited()).exposure;
                let by_two_ways = baselines::two_way(view, property, Resources::default()).exposure;
                prop_assert_eq!(by_two_ways, by_paper, "two-way and paper, {} {:?}", projection, property);
                prop_assert_eq!(by_two_ways, by_engine, "two-way and engine, {} {:?}", projection, property);
                let now = baselines::observer(view, property, Resources::default()).exposure;
                prop_assert_eq!(now == Exposure::At(0), by_engine == Exposure::At(0), "observer, {}", projection);
            }
        }
    }

    #[test]
    fn the_initial_state_estimator_agrees(model in models()) {
        for projection in [Projection::Natural, Projection::Strong, Projection::Weak] {
            let view = View { automaton: &model.automaton, observer: &model.observer, projection };
            let property = &model.properties[3];
            let by_engine = engine(&view, property, Horizon::Initial);
            // The estimator keeps up to 2^(|X|^2) maps: where those are too many, it has no opinion.
            let limits = Resources { memory: Some(4 << 20), ..Resources::default() };
            let estimator = baselines::initial_estimator(view, property, limits);
            if estimator.stopped.is_none() {
                prop_assert_eq!(estimator.exposure, by_engine, "{} {:?}", projection, property);
            }
        }
    }
}

#[test]
fn a_method_gives_up_at_its_limit() {
    let mut builder = Builder::new(40, 2);
    builder.initial(StateId(0));
    for state in 0..39 {
        builder.transition(StateId(state), EventId(0), StateId(state + 1));
        builder.transition(StateId(state), EventId(1), StateId(state + 1));
    }
    builder.transition(StateId(0), EventId(0), StateId(0));
    builder.transition(StateId(0), EventId(1), StateId(0));
    let automaton = builder.freeze();
    let observer = Observer::new(vec![Observability::Visible; 2]);
    let view = View { automaton: &automaton, observer: &observer, projection: Projection::Natural };
    let property = Property::Opacity { secret: [StateId(39)].into_iter().collect() };
    let limits = Resources { memory: Some(200), ..Resources::default() };
    assert!(baselines::two_way(view, &property, limits).stopped.is_some());
    assert_eq!(baselines::observer(view, &property, limits).exposure, Exposure::Unknown);
}
