//! Faults do not hide each other, and none is the echo of another: as many diagnostics as there are faults, whichever meet.
//!
//! A sound system gets some of the statements below in between its own. Each is wrong in its own way and has nothing to do with the
//! others; so whatever is chosen, in whatever order, each must be told, once, with its code, on its line.

use desc::check::{Settings, check};
use desc::diagnostic::Code;
use desc::source::{NoImports, Sources};
use desc::syntax;
use proptest::prelude::*;

const BEFORE: &str = "const N = 3;

component Lamp(i) {
    states  off, on;
    initial off;
    events  flip[i];
    off -flip[i]-> on -flip[i]-> off;
}

system Lamps { compose lamp[i] = Lamp(i) for i in 1..N; check not 1-step about lamp[1]; }

system Faulty {
    states     A, B, held[1..N];
    initial    A;
    events     a, b, hidden, send[1..N];
    observable events \\ {hidden};
    anonymous  send[1..2], send[3];
    secret     B;
    A -a-> B -b-> A -hidden-> B;
    for i in 1..N { A -send[i]-> held[i] -b-> A; }
    observer Clerk { observable a, b; anonymous a, b; }
    check sure: weak 2-step against Clerk;
";

const AFTER: &str = "    check weak infinite-step opacity;\n}\n";

/// One line each, and the code that it must raise on that line.
const FAULTS: &[(&str, Code)] = &[
    ("A -nope-> B;", Code::E0201),
    ("Nowhere -a-> B;", Code::E0201),
    ("held[M] -a-> A;", Code::E0201),
    ("A -B-> held[1];", Code::E0202),
    ("initial events;", Code::E0202),
    ("states held[1];", Code::E0203),
    ("for i in 1..2, i in 1..2 { B -a-> A; }", Code::E0203),
    ("A -send[1, 2]-> B;", Code::E0302),
    ("A -send[9]-> B;", Code::E0303),
    ("for i in 5..1 { B -b-> B; }", Code::E0304),
    ("states big[1..1000000000000];", Code::E0305),
    ("A -send[1 / 0]-> B;", Code::E0306),
    ("held[9223372036854775807 + 1] -b-> B;", Code::E0307),
    ("if N { B -b-> held[2]; }", Code::E0308),
    ("if N > 5 { B -unheard-> held[2]; }", Code::E0201),
    ("observer Odd { states X; }", Code::E0401),
    ("observer Blind { observable a; anonymous a, b; }", Code::E0404),
    ("observer Both { observable a, b, hidden, send; unobservable b; }", Code::E0405),
    ("observer Less { observable a, b; unobservable send; }", Code::E0406),
    ("observer Twice { observable a, b, send; anonymous a, b as x; anonymous b, send as y; }", Code::E0407),
    ("observer Names { observable a, b, send; anonymous send as b; }", Code::E0408),
    ("A => B;", Code::E0113),
    ("A -> B;", Code::E0113),
    ("A a-> held[2];", Code::E0113),
    ("A -“b”-> B;", Code::E0104),
    ("states = X;", Code::E0114),
    ("stats Y;", Code::E0112),
    ("A - B;", Code::E0111),
    ("secret {A, B;", Code::E0107),
    ("check weak 2 step;", Code::E0115),
    ("check strong;", Code::E0115),
    ("check -1-step;", Code::E0507),
    ("check 99999999999999999999-step;", Code::E0507),
    ("check curent-state;", Code::E0112),
    ("check weakly 5-step;", Code::E0112),
    ("check opacity 8-step;", Code::E0111),
    ("check strong weak 8-step against Clerk;", Code::E0111),
    ("Lamp || Lamp;", Code::E0122),
    ("check 6-step amongst 3;", Code::E0112),
    ("A a-> B;", Code::E0113),
    ("check infinte-step;", Code::E0201),
    ("check weak 1-step against Nobody;", Code::E0201),
    ("check initial-state;", Code::E0502),
    ("check 1-step among 1;", Code::E0503),
    ("check 3-step about {A} | {A, B};", Code::E0504),
    ("check 4-step opacity among 3;", Code::E0505),
    ("check estimate weak [?1 ?3] = {A};", Code::E0506),
    ("check estimate [a] given [b] = {A};", Code::E0508),
    ("check sure: 7-step;", Code::E0203),
    ("compose lamp = Lamp(1) || Lamp(2);", Code::E0116),
    ("for i in 1..2 held[i] -a-> held[3];", Code::E0124),
    ("for i in 1..2 held[i] -a-> B; }", Code::E0124),
    ("if N > 2 held[1] -b-> B;", Code::E0124),
    ("if N > 2 held[2] -b-> B; else B -b-> held[2];", Code::E0124),
    ("if N > 2 { held[3] -b-> B; } else B -b-> held[3];", Code::E0124),
    ("observer Bare observable a, b;", Code::E0124),
    ("A -a, b}-> held[1];", Code::E0108),
    ("A -{a; b}-> held[3];", Code::E0111),
    // Signs and words of other languages.
    ("for i in {1, 2} { held[i] -b-> B; }", Code::E0111),
    ("for i in {1, 3} { held[i] -b-> B; }", Code::E0111),
    ("for i in [1..2] { held[i] -b-> B; }", Code::E0111),
    ("for (i in 1..2) { held[i] -b-> B; }", Code::E0111),
    ("for i = 1..2 { held[i] -b-> B; }", Code::E0111),
    ("for i in 1 to 2 { held[i] -b-> B; }", Code::E0111),
    ("for i in 1..=2 { held[i] -b-> B; }", Code::E0111),
    ("for i in 1...2 { held[i] -b-> B; }", Code::E0111),
    ("for i in N { held[i] -b-> B; }", Code::E0111),
    ("for i in 1..2 and j in 1..2 { held[i] -b-> held[j]; }", Code::E0111),
    ("for i in 1..2, j in 1..2 where i != j { held[i] -b-> held[j]; }", Code::E0111),
    ("for i in 1..2, j in 1..2 if i <> j { held[i] -b-> held[j]; }", Code::E0111),
    ("if N > 2 and N < 9 { held[1] -b-> B; }", Code::E0111),
    ("if not N > 9 { held[1] -b-> B; }", Code::E0111),
    ("if N > 2 then { held[1] -b-> B; }", Code::E0111),
    ("if N > 9 { held[1] -b-> B; } elif N > 8 { held[1] -b-> A; }", Code::E0112),
    ("initial A and B;", Code::E0111),
    ("initial states A, B;", Code::E0123),
    ("secret state B;", Code::E0123),
    ("start A;", Code::E0112),
    ("nodes Z;", Code::E0112),
    ("marked A, B;", Code::E0112),
    ("transitions A -a-> held[1];", Code::E0112),
    ("transitions { A -a-> held[2]; }", Code::E0112),
    ("x = Lamp;", Code::E0112),
    ("intruder Spy { observable a, b; }", Code::E0112),
    ("observer Most { observable events - {hidden}; }", Code::E0111),
    ("observer Any { observable *; }", Code::E0111),
    ("observer All { observable all; }", Code::E0201),
    ("observer Not { not observable hidden; }", Code::E0112),
    ("observer Two { observable a, b, send; anonymous a, b as x, send as y; }", Code::E0111),
    ("observer Is { observable a, b, send; anonymous a, b is x; }", Code::E0111),
    ("observer Comma { observable a, b, anonymous a, b; }", Code::E0110),
    // Brackets of the wrong kind, lists.
    ("states {C, D};", Code::E0111),
    ("states = {C1, D1};", Code::E0114),
    ("states C2 D2 E2 F2;", Code::E0124),
    ("states q1..q9;", Code::E0127),
    ("states r(1..3);", Code::E0111),
    ("states C', D';", Code::E0103),
    ("held(1) -a-> held[2];", Code::E0111),
    ("held[1] -[a]-> held[1];", Code::E0111),
    ("held1 -a-> A;", Code::E0201),
    // Arrows.
    ("A a B;", Code::E0113),
    ("(A, b, held[2]);", Code::E0111),
    ("(A, b, B);", Code::E0113),
    ("B <-a- A;", Code::E0113),
    ("A -a->;", Code::E0113),
    ("-a-> B;", Code::E0113),
    ("-> B;", Code::E0113),
    ("A –b→ held[3];", Code::E0104),
    ("a -A-> B;", Code::E0202),
    ("A -b-> held[3]; -- comment", Code::E0103),
    ("# comment; isn't \"it { one", Code::E0103),
    ("A -a-b-> held[2];", Code::E0113),
    ("A -a->> held[2];", Code::E0113),
    ("A <-a-> held[2];", Code::E0113),
    ("A -a-> held[2] if N > 2;", Code::E0111),
    ("C9, D9;", Code::E0111),
    ("held[1][2] -a-> B;", Code::E0111),
    ("held_{1} -a-> B;", Code::E0111),
    ("if N =! 2 { held[1] -b-> B; }", Code::E0111),
    ("if N => 2 { held[1] -b-> B; }", Code::E0111),
    ("if N > 2 & N < 9 { held[1] -b-> B; }", Code::E0111),
    ("if 2N > 2 { held[1] -b-> B; }", Code::E0124),
    ("if N^2 > 2 { held[1] -b-> B; }", Code::E0103),
    ("if true { held[1] -b-> B; }", Code::E0201),
    // Checks.
    ("check 60-step opaque;", Code::E0111),
    ("check 61-step fails;", Code::E0111),
    ("check weak and strong 62-step;", Code::E0111),
    ("check weak N-1-step;", Code::E0115),
    ("among 3;", Code::E0112),
    ("check estimate [a] != {B};", Code::E0111),
    ("check projection [a b] -> [a b];", Code::E0114),
    ("check projection [a.b] = [a b a];", Code::E0506),
    ("check estimate strong [?1 ?2] = {A};", Code::E0506),
    ("check infinite_step opacity;", Code::E0115),
    ("check currentstate opacity;", Code::E0115),
    ("check current-step opacity;", Code::E0201),
    ("check weak ∞-step;", Code::E0104),
    ("check weak opacity;", Code::E0115),
    ("check anonymity weak 20-step;", Code::E0111),
    ("check odd weak 21-step;", Code::E0124),
    ("check my odd one: weak 22-step;", Code::E0111),
    ("check weak not 23-step;", Code::E0111),
    ("check !weak 24-step;", Code::E0111),
    ("not check weak 25-step;", Code::E0112),
    ("weak 26-step;", Code::E0112),
    ("check 27-step exactly;", Code::E0111),
    ("check against Clerk 28-step;", Code::E0111),
    ("check 29-step for Clerk;", Code::E0111),
    ("check 30-step against observer Clerk;", Code::E0111),
    ("check 31-step among 3 states;", Code::E0111),
    ("check 32-step at least 3;", Code::E0111),
    ("check 33-step about {A}, {B};", Code::E0111),
    ("check 34-step about {a, b};", Code::E0202),
    ("check measure weak;", Code::E0111),
    ("measure weak 2-step;", Code::E0111),
    ("check estimate weak (a) = {B};", Code::E0111),
    ("check estimate weak ?1 = {A, B};", Code::E0111),
    ("check weak estimate [b] = {A};", Code::E0111),
    ("check estimate weak [a b] == {A};", Code::E0114),
    ("check estimate weak [a] after [a b] = {B};", Code::E0111),
    ("check estimate weak [b a] = [B];", Code::E0111),
    ("check projection weak [send[1] send[2]] = [γ_1 γ_2];", Code::E0201),
    ("int x = 0;", Code::E0130),
    ("var y: 0..5;", Code::E0130),
    ("x := x + 1;", Code::E0130),
    ("A -a / x := x + 1-> B;", Code::E0130),
    ("A -a [x > 0]-> B;", Code::E0131),
    ("guard x > 0;", Code::E0131),
    ("A -a {0.5}-> B;", Code::E0132),
    ("A -a-> 0.5: B;", Code::E0132),
    ("A -a-> B @ 0.5;", Code::E0132),
    ("check P>=0.5 35-step;", Code::E0132),
    ("clock z;", Code::E0133),
    ("A -a-> B after 3;", Code::E0133),
    ("A -b-> B in 5s;", Code::E0133),
    ("check always A;", Code::E0134),
    ("check AG !B;", Code::E0134),
    ("check [] !B;", Code::E0134),
    ("check deadlock-free;", Code::E0134),
    ("ltl { G !B; }", Code::E0134),
    ("invariant x <= 5;", Code::E0134),
    ("priority a > b;", Code::E0135),
    ("fairness a;", Code::E0135),
    ("hide a;", Code::E0136),
    ("hide {a, b};", Code::E0136),
    ("rename a -> b;", Code::E0137),
    ("rename a to b;", Code::E0137),
    ("chan c;", Code::E0139),
    ("A -a!-> B;", Code::E0139),
    ("A -b?x-> B;", Code::E0139),
    ("while x < 3 { A -a-> B; }", Code::E0140),
    ("atomic { A -a-> B; }", Code::E0140),
];

/// The code and the line of everything that is wrong, warnings included.
fn found(text: &str) -> Vec<(u32, Code)> {
    let mut sources = Sources::new();
    let (entry, mut faults) = syntax::read(&mut sources, "faulty.des", text.as_bytes().to_vec());
    faults.extend(check(entry, &mut sources, &NoImports, &Settings::default()).diagnostics);
    let line = |at: u32| 1 + text[..at as usize].matches('\n').count() as u32;
    let mut found: Vec<_> = faults.iter().map(|fault| (line(fault.primary.span.start), fault.code)).collect();
    found.sort_unstable();
    found
}

/// The sound system with some faults, and what they must raise.
fn broken(chosen: &[usize]) -> (String, Vec<(u32, Code)>) {
    let first = 1 + BEFORE.matches('\n').count() as u32;
    let lines: String = chosen.iter().map(|&fault| format!("    {}\n", FAULTS[fault].0)).collect();
    let expected = (first..).zip(chosen).map(|(line, &fault)| (line, FAULTS[fault].1)).collect();
    (format!("{BEFORE}{lines}{AFTER}"), expected)
}

#[test]
fn the_system_is_sound_without_them() {
    assert_eq!(found(&broken(&[]).0), []);
}

#[test]
fn each_fault_alone_is_told_once() {
    let wrong: Vec<_> = (0..FAULTS.len())
        .map(|fault| (FAULTS[fault], found(&broken(&[fault]).0), broken(&[fault]).1))
        .filter(|(_, found, expected)| found != expected)
        .map(|wrong| format!("{wrong:?}\n"))
        .collect();
    assert!(wrong.is_empty(), "fault, what it raises, what it should:\n{}", wrong.concat());
}

#[test]
fn all_faults_together_are_told_each_once() {
    let (text, expected) = broken(&(0..FAULTS.len()).collect::<Vec<_>>());
    assert_eq!(found(&text), expected);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn ten_faults_are_ten_diagnostics(
        chosen in Just((0..FAULTS.len()).collect::<Vec<_>>()).prop_shuffle().prop_map(|all| all[..10].to_vec()),
    ) {
        let (text, expected) = broken(&chosen);
        prop_assert_eq!(found(&text), expected, "{}", text);
    }
}
