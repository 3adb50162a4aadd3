//! A composed model as text, made by a list of bytes: parts, monitors, labels with indices, agents, observers and pools, and checks of
//! every kind. The fuzzer and the laws read the same models.

/// Bytes as choices; after the last one every choice is the first.
struct Choices<'b>(std::slice::Iter<'b, u8>);

impl Choices<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.0.next().map_or(0, |&byte| usize::from(byte) % n)
    }

    fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

/// The model of these bytes. It has a meaning, or an error that is the user's: a pool that is refused, a set that is empty.
pub fn composed(bytes: &[u8]) -> String {
    let mut choices = Choices(bytes.iter());
    let (persons, doors) = (1 + choices.below(2), 1 + choices.below(2));
    let mut text = format!("const P = {persons};\nconst D = {doors};\n");
    text += &person(&mut choices);
    text += "monitor Entered(i) {\n    states no, yes;\n    initial no;\n    no -door[1, i]-> yes;\n}\n";
    text += "system All {\n    compose p[i] = Person(i) for i in 1..P, seen[i] = Entered(i) for i in 1..P;\n";
    text += &observers(&mut choices);
    for _ in 0..2 + choices.below(3) {
        text += &check(&mut choices);
    }
    text + "}\n"
}

fn person(choices: &mut Choices<'_>) -> String {
    let mut text = "component Person(i) {\n    states out, in[1..D];\n    initial ".to_owned();
    text += choices.of(&["out", "out, in[1]"]);
    text += ";\n    events door[1..D, i], leave[i], rest;\n    for d in 1..D {\n        out -door[d, i]-> in[d];\n";
    text += choices.of(&["        in[d] -leave[i]-> out;\n", "        in[d] -leave[i]-> in[1];\n", ""]);
    text += choices.of(&[
        "        in[d] -rest-> in[d];\n",
        "        in[d] -rest-> out;\n",
        "        in[d] -door[d, i]-> out;\n",
    ]);
    text + "    }\n    final out, in;\n}\n"
}

fn observers(choices: &mut Choices<'_>) -> String {
    let doors = ["as opens[d] by person[i]", "as opens by person[i]", "as opens[d]", "as opens", "by person[i]"];
    let leaves = ["as leaves by person[i]", "as leaves", "as opens[1] by person[i]", "by person[i]"];
    let mut text = String::new();
    for name in ["First", "Second"] {
        text += &format!("    observer {name} {{\n");
        text += choices.of(&["        observable events;\n", "        observable events \\ {rest};\n"]);
        text += &format!("        anonymous door[d, i] {} for d in 1..D, i in 1..P;\n", choices.of(&doors));
        text += &format!(
            "        anonymous leave[i] {} for i in 1..P{};\n",
            choices.of(&leaves),
            choices.of(&["", " if i != 2"])
        );
        text += "    }\n";
    }
    text + "    observer Both = First + Second;\n"
}

fn check(choices: &mut Choices<'_>) -> String {
    let projection = choices.of(&["weak", "strong", "natural"]);
    let horizon = choices.of(&["infinite-step", "0-step", "1-step", "exactly 1-step"]);
    let set = choices.of(&["p[1].in[1]", "seen[1].yes", "p[P].out", "p[1].in & seen[P].no"]);
    let against = choices.of(&["First", "Second", "Both"]);
    match choices.below(7) {
        0 => format!("    check {projection} {horizon} about p[1] against {against};\n"),
        1 => format!("    check {projection} {horizon} about seen[P] except seen[P].no against {against};\n"),
        2 => format!("    check {projection} {horizon} except {{{set}}} against {against};\n"),
        3 => format!("    check {projection} {horizon} opacity of {set} against {against};\n"),
        4 => format!("    check {projection} {horizon} opacity of {set} throughout against {against};\n"),
        5 => format!("    check {projection} initial-final opacity of {{p[1].out}} -> {{{set}}} against {against};\n"),
        _ => format!("    check {projection} initial-state opacity of p[1].out against {against};\n"),
    }
}
