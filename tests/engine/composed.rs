//! Composed models with every construct for parts: the engine and the literal construction say the same of each check.

use crate::support::composed::composed;
use crate::support::dice::Dice;
use desc::check::{Settings, check};
use desc::diagnostic::any_error;
use desc::source::{NoImports, Sources};
use desc::syntax;
use desc::verdict::Answer;
use desc::verify::{Limits, Method, Options, verify};
use std::collections::BTreeMap;

#[test]
fn the_engine_and_the_literal_construction_agree_on_composed_models() {
    let limits = Limits { pairs: Some(20_000), ..Limits::default() };
    let (mut refused, mut answers): (usize, BTreeMap<String, usize>) = (0, BTreeMap::new());
    for seed in 0..120 {
        let mut dice = Dice::new(seed ^ 0xC0_4905);
        let bytes: Vec<u8> = (0..48).map(|_| dice.roll() as u8).collect();
        let text = composed(&bytes);
        let mut sources = Sources::new();
        let (entry, faults) = syntax::read(&mut sources, "composed.des", text.clone().into_bytes());
        let checked = check(entry, &mut sources, &NoImports, &Settings::default());
        assert!(faults.is_empty(), "{faults:?}\n{text}");
        let Some(model) = checked.model else {
            assert!(any_error(&checked.diagnostics));
            refused += 1;
            continue;
        };
        for system in model.systems() {
            let [quick, literal] = [Method::Engine, Method::Literal]
                .map(|method| verify(system, &Options { limits, method, ..Options::default() }));
            for ((asked, one), other) in system.checks.iter().zip(&quick.checks).zip(&literal.checks) {
                let (one, other) = (one.answer(), other.answer());
                let open = one == Answer::Undecided || other == Answer::Undecided;
                assert!(open || one == other, "{}: {one:?}, literal {other:?}\n{text}", asked.text);
                *answers.entry(format!("{one:?}")).or_default() += usize::from(!open);
            }
        }
    }
    let decided = |word: &str| answers.get(word).copied().unwrap_or(0);
    assert!(refused < 100 && decided("Holds") > 8 && decided("Violated") > 20, "{refused} refused, {answers:?}");
}
