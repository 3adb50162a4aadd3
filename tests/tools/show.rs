//! The commands that look at a model: show, estimate, project, max.

use std::fs;
use std::process::{Command, Output};

const FIGURE: &str = "examples/paper/figure_3_1.des";
const QUESTIONING: &str = "examples/paper/questioning.des";
const MAXIMAL: &str = "examples/paper/maximal_k.des";

fn desc(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_desc")).args(arguments).env("NO_COLOR", "1").output().unwrap()
}

/// What a command prints, when it succeeds.
fn printed(arguments: &[&str]) -> String {
    let output = desc(arguments);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{complaint}");
    String::from_utf8(output.stdout).unwrap()
}

/// What a command complains, when the input is not fine.
fn refused(arguments: &[&str]) -> String {
    let output = desc(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// The words of a command line; double quotes keep words together.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            other => words.last_mut().unwrap().push(other),
        }
    }
    words
}

#[test]
fn every_command_of_the_map_of_the_paper_runs() {
    let page = fs::read_to_string("examples/paper/README.md").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let quoted = page.lines().filter(|line| line.starts_with('|')).flat_map(|line| line.split('`').skip(1).step_by(2));
    let mut count = 0;
    for line in quoted.filter_map(|text| text.strip_prefix("desc ")) {
        let expand = |word: String| match word.as_str() {
            "F" => FIGURE.to_owned(),
            "Q" => QUESTIONING.to_owned(),
            "K" => MAXIMAL.to_owned(),
            file if file.ends_with(".svg") => folder.path().join(file).to_string_lossy().into_owned(),
            _ => word,
        };
        let arguments: Vec<String> = words(line).into_iter().map(expand).collect();
        printed(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        count += 1;
    }
    assert!(count > 40, "{count} commands");
    assert!(fs::read_to_string(folder.path().join("questioning.svg")).unwrap().starts_with("<svg"));
}

#[test]
fn tables_4_1_and_4_2_are_printed() {
    insta::assert_snapshot!("table_4_1", printed(&["show", "adjoint", FIGURE]));
    insta::assert_snapshot!("table_4_2", printed(&["show", "adjoint", FIGURE, "--view", "weak"]));
}

#[test]
fn ascii_is_only_ascii() {
    for arguments in [
        ["show", "composition", FIGURE, "--view", "weak", "--ascii"],
        ["show", "augmented", FIGURE, "--view", "weak", "--ascii"],
        ["max", FIGURE, "--ascii", "--view", "strong", "--quiet"],
        ["estimate", FIGURE, "--view=weak", "--observe", "?1 ?1", "--ascii"],
    ] {
        let text = printed(&arguments);
        assert!(text.is_ascii(), "{text}");
    }
}

#[test]
fn estimates_are_tabled_with_what_is_learned_later() {
    insta::assert_snapshot!("estimate_weak", printed(&["estimate", FIGURE, "--observe", "?1 ?1 c"]));
    insta::assert_snapshot!("estimate_at", printed(&["estimate", QUESTIONING, "--observe", "γ γ", "--at", "1"]));
    let impossible = printed(&["estimate", FIGURE, "--view", "natural", "--observe", "c a"]);
    assert!(impossible.contains("no run has this observation: the estimate is empty from step 1 on"), "{impossible}");
}

#[test]
fn estimates_as_json() {
    let text = printed(&["estimate", FIGURE, "--observe", "γ₁ γ1", "--message-format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["observation"], serde_json::json!(["?1", "?1"]));
    assert_eq!(document["steps"][2]["estimate"], serde_json::json!(["2"]));
    assert_eq!(document["steps"][2]["delayed"][0], serde_json::json!({"at": 0, "estimate": ["0"]}));
}

#[test]
fn maximal_k_of_each_view() {
    // WHY not a snapshot: how deep the engine must look may shrink as it gets cleverer.
    let text = printed(&["max", QUESTIONING]);
    let cells: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let row = |view: &str| cells.iter().find(|row| row.get(1) == Some(&view)).unwrap();
    assert_eq!(row("natural")[2..4], ["0", "none"]);
    assert_eq!(row("strong")[2..4], ["never", "∞"]);
    assert_eq!(row("weak")[2..4], ["never", "∞"]);
    assert_eq!(row("strong")[5], "4608");
    assert_eq!(row("weak")[5], "2934*2^2934");
    let literal = printed(&["max", MAXIMAL, "--method", "literal", "--view", "strong", "--message-format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&literal).unwrap();
    let measure = &document["systems"][0]["measures"][0];
    assert_eq!((&measure["exposure"], &measure["max_k"]), (&serde_json::json!(2), &serde_json::json!(1)));
    assert_eq!(measure["bound"], "10240");
    assert_eq!(
        (&measure["max_k_number"], &measure["max_k_infinite"]),
        (&serde_json::json!(1), &serde_json::json!(false))
    );
    let document: serde_json::Value =
        serde_json::from_str(&printed(&["max", QUESTIONING, "--message-format", "json"])).unwrap();
    let measures = document["systems"][0]["measures"].as_array().unwrap();
    let numbers: Vec<_> =
        measures.iter().map(|measure| (measure["max_k_number"].as_i64(), &measure["max_k_infinite"])).collect();
    assert!(numbers.contains(&(Some(-1), &false.into())) && numbers.contains(&(None, &true.into())), "{numbers:?}");
}

#[test]
fn nodes_in_json_name_their_states() {
    let text = printed(&["show", "observer", QUESTIONING, "--view", "natural", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let initial = &document["nodes"][0];
    assert_eq!(
        (&initial["states"], &initial["state_names"]),
        (&serde_json::json!([0, 1]), &serde_json::json!(["M", "N"]))
    );
}

#[test]
fn a_tikz_picture_has_named_nodes_and_a_width() {
    let text = printed(&["show", "system", QUESTIONING, "--format", "tikz", "--width", "0.5\\linewidth"]);
    assert!(text.contains("\\resizebox{0.5\\linewidth}{!}"), "{text}");
    assert!(text.contains("] (M) at (") && text.contains("] (G) at ("), "{text}");
    assert_eq!(
        text.matches('{').count() - text.matches("\\{").count(),
        text.matches('}').count() - text.matches("\\}").count()
    );
    let desc =
        |arguments: &[&str]| Command::new(env!("CARGO_BIN_EXE_desc")).args(arguments).output().unwrap().status.code();
    assert_eq!(desc(&["show", "system", QUESTIONING, "--format", "svg", "--width", "8cm"]), Some(2));
    assert_eq!(desc(&["show", "system", QUESTIONING, "--format", "tikz", "--width", "8"]), Some(2));
}

#[test]
fn every_structure_comes_in_every_format() {
    let structures = ["system", "variant", "observer", "modified-observer", "composition"];
    for what in structures {
        for view in ["natural", "strong", "weak"] {
            let shown = |format: &str| printed(&["show", what, FIGURE, "--view", view, "--format", format]);
            assert!(shown("svg").trim_end().ends_with("</svg>"));
            assert!(shown("tikz").contains("\\end{tikzpicture}"));
            assert!(shown("dot").starts_with("digraph"));
            let document: serde_json::Value = serde_json::from_str(&shown("json")).unwrap();
            assert!(!document["nodes"].as_array().unwrap().is_empty(), "{what} {view}");
        }
    }
    assert!(printed(&["show", "adjoint", FIGURE, "--format", "tikz"]).contains("\\{4, 5, 6\\}"));
}

#[test]
fn the_witness_of_a_violated_check_is_marked() {
    let text = printed(&["show", "composition", FIGURE, "--view", "weak", "--highlight"]);
    assert!(text.contains("initial, exposed, witness"), "{text}");
    let run = printed(&["show", "system", FIGURE, "--highlight"]);
    assert!(run.lines().any(|line| line.starts_with('2') && line.contains("witness")), "{run}");
}

#[test]
fn what_does_not_exist_is_refused_with_a_suggestion() {
    let cases: [(&[&str], &str); 8] = [
        (&["show", "observer", FIGURE, "--system", "Figur31"], "did you mean `Figure31`?"),
        (&["show", "observer", FIGURE, "--against", "Plan"], "did you mean `Plain`?"),
        (&["show", "observer", FIGURE, "--view", "week"], "weak"),
        (&["show", "observr", FIGURE], "observer"),
        (&["show", "augmented", FIGURE, "--view", "strong"], "only the weak view has an augmented system"),
        (&["show", "adjoint", FIGURE, "--format", "svg"], "a table, not a drawing"),
        (&["estimate", FIGURE, "--view", "weak", "--observe", "?"], "number it in the order of first appearance: `?1`"),
        (&["estimate", FIGURE, "--observe", "u"], "`u` is unobservable"),
    ];
    for (arguments, says) in cases {
        let complaint = refused(arguments);
        assert!(complaint.contains(says), "{arguments:?}\n{complaint}");
    }
}

#[test]
fn a_structure_beyond_the_limit_is_undecided() {
    let output = desc(&["show", "composition", FIGURE, "--max-pairs", "5"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("more than 5 nodes, sets and pairs"));
}
