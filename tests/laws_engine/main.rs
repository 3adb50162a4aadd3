//! Laws of the engine, on random models and on models of the literature.
//!
//! Three routes must agree on verdict and distance: the engine, the paper's construction by the letter, and a route that
//! follows each member of an estimate on its own.

mod random;

use desc::model::{Horizon, Property};
use desc::verify::lab::{Distance, Switches, examine, literal, member_by_member};
use desc::verify::{Exposure, Finding, Options};
use random::{Case, case};
use std::collections::BTreeMap;

const CASES: u64 = 6_000;
const MOST: usize = 60_000;

fn horizon(case: &Case) -> Horizon {
    if case.initial { Horizon::Initial } else { Horizon::Infinite }
}

fn engine(case: &Case, switches: Switches) -> Finding {
    let finding = examine(&case.view(), &case.property, horizon(case), &Options::default(), switches);
    assert_eq!(finding.fault, None, "{case:#?}");
    assert_eq!(finding.witness.is_some(), matches!(finding.exposure, Exposure::At(_)), "{case:#?}");
    finding
}

fn distance(exposure: Exposure) -> Distance {
    match exposure {
        Exposure::At(least) => Distance::At(least),
        Exposure::Never => Distance::Never,
        Exposure::Beyond(_) | Exposure::Unknown => Distance::TooLarge,
    }
}

fn kind_of(case: &Case) -> &'static str {
    match case.property {
        Property::Anonymity { among: 3.., classes: Some(_) } => "about, among",
        _ => case.kind,
    }
}

#[test]
fn the_engine_agrees_with_the_construction_of_the_paper_and_with_a_third_route() {
    let mut histogram: BTreeMap<(String, Distance), usize> = BTreeMap::new();
    for seed in 0..CASES {
        let case = case(seed);
        let found = distance(engine(&case, Switches::default()).exposure);
        let by_letter = literal(&case.view(), &case.property, case.initial, MOST);
        if by_letter == Distance::TooLarge {
            continue;
        }
        assert_eq!(found, by_letter, "engine and literal construction, seed {seed}: {case:#?}");
        let third = member_by_member(&case.view(), &case.property, case.initial, MOST);
        if third != Distance::TooLarge {
            assert_eq!(found, third, "engine and third route, seed {seed}: {case:#?}");
        }
        *histogram.entry((format!("{:8} {}", case.projection, kind_of(&case)), found)).or_default() += 1;
    }
    let mut table = String::new();
    let kinds: std::collections::BTreeSet<&String> = histogram.keys().map(|(kind, _)| kind).collect();
    for kind in kinds {
        table += &format!("{kind:22}");
        for at in 0..=6 {
            table += &format!(" {:5}", histogram.get(&(kind.clone(), Distance::At(at))).unwrap_or(&0));
        }
        let further: usize = histogram
            .iter()
            .filter(|((of, found), _)| of == kind && matches!(found, Distance::At(7..)))
            .map(|(_, count)| count)
            .sum();
        table += &format!(" {further:5} {:5}\n", histogram.get(&(kind.clone(), Distance::Never)).unwrap_or(&0));
    }
    println!("{:22}     0     1     2     3     4     5     6    7+ never\n{table}", "view, question");
    for at in (0..=6).map(Distance::At).chain([Distance::Never]) {
        for projection in ["natural", "strong", "weak"] {
            let met = histogram.iter().any(|((kind, found), _)| kind.starts_with(projection) && *found == at);
            assert!(met, "no {projection} case with {at:?}");
        }
    }
}

#[test]
fn every_way_of_pruning_can_be_switched_off_without_changing_an_answer() {
    let all = Switches::default();
    let off = [
        Switches::none(),
        Switches { antichain: false, ..all },
        Switches { own: false, ..all },
        Switches { twins: false, ..all },
        Switches { simulation: false, ..all },
        Switches { twins: false, simulation: false, ..all },
        Switches { behind: false, ..all },
        Switches { front: false, ..all },
        Switches { front: false, behind: true, ..Switches::none() },
        Switches { front: false, behind: true, antichain: true, ..Switches::none() },
        Switches { antichain: true, ..Switches::none() },
        Switches { twins: true, ..Switches::none() },
        Switches { simulation: true, ..Switches::none() },
    ];
    for seed in CASES..CASES + 2_000 {
        let case = case(seed);
        let found = engine(&case, all).exposure;
        for switches in off {
            assert_eq!(found, engine(&case, switches).exposure, "{switches:?}, seed {seed}: {case:#?}");
        }
    }
}
