//! All figures are computed, none is a literal, and none of the list is missing.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

use super::*;
use crate::exit::Exit;

/// Computed once for all tests, because some figures take a second.
fn all() -> &'static [Figure] {
    static FIGURES: OnceLock<Vec<Figure>> = OnceLock::new();
    FIGURES.get_or_init(|| compute(""))
}

#[test]
fn every_figure_comes_out_or_is_argued_to_be_wrong() {
    let differ: Vec<String> = all()
        .iter()
        .filter(|figure| figure.verdict == Verdict::Differs)
        .map(|figure| format!("{}: {} is printed, {} was found", figure.id, figure.theirs, figure.ours))
        .collect();
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    for figure in all() {
        assert!(!figure.ours.is_empty(), "{}", figure.id);
        assert_eq!(figure.why.is_some(), figure.verdict == Verdict::Wrong, "{}", figure.id);
        assert_eq!(figure.theirs == "–", figure.verdict == Verdict::Derived, "{}", figure.id);
    }
    let kinds: BTreeSet<Verdict> = all().iter().map(|figure| figure.verdict).collect();
    assert_eq!(kinds.len(), Verdict::ALL.len() - 1, "each kind but the last occurs");
}

#[test]
fn the_list_of_the_specification_is_covered() {
    let page = include_str!("../../../../spec/figures.md");
    let row = |line: &str| -> Option<[String; 3]> {
        let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").map(str::to_owned);
        let [id, section, printed] = [cells.next()?, cells.next()?, cells.next()?];
        id.contains('.').then_some([id, section, printed])
    };
    let listed: Vec<[String; 3]> = page.lines().filter_map(row).collect();
    let computed: Vec<[String; 3]> =
        all().iter().map(|figure| [figure.id, figure.section, figure.theirs].map(str::to_owned)).collect();
    assert!(listed.len() > 100, "the page was not understood");
    for (listed, computed) in listed.iter().zip(&computed) {
        assert_eq!(listed, computed);
    }
    assert_eq!(listed.len(), computed.len());
}

#[test]
fn figures_are_numbered_in_order() {
    for Document { figures, .. } in DOCUMENTS {
        let name = figures[0].id.split('.').next().expect("a name");
        for (number, entry) in (1..).zip(figures) {
            assert_eq!(entry.id, format!("{name}.{number}"));
        }
    }
}

/// Our side of a comparison is never a literal, and a verdict always results from a comparison.
#[test]
fn nothing_is_typed_in() {
    let typed =
        ["Found::when(true", "Found::wrong(true", ".and(true", "Found{ours", "Verdict::Agrees", "Verdict::Wrong"];
    let text = ["derived", "observed", "measured"].map(|kind| format!("Found::{kind}(\""));
    let lists = (0..10).map(|digit| format!("Found::numbers(theirs,&[{digit}"));
    let needles: Vec<String> = typed.map(str::to_owned).into_iter().chain(text).chain(lists).collect();
    fn look(folder: &Path, needles: &[String], found: &mut Vec<String>) {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap();
            if path.is_dir() {
                look(&path, needles, found);
            } else if !["found.rs", "tests.rs"].contains(&name) {
                let code: String = std::fs::read_to_string(&path).unwrap().split_whitespace().collect();
                found.extend(needles.iter().filter(|needle| code.contains(*needle)).map(|n| format!("{name}: {n}")));
            }
        }
    }
    let mut found = Vec::new();
    look(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/figures"), &needles, &mut found);
    assert!(found.is_empty(), "typed in:\n{}", found.join("\n"));
}

#[test]
fn lines_have_exactly_the_promised_fields() {
    let json = serde_json::to_value(&all()[0]).unwrap();
    let mut fields: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["document", "how", "id", "ours", "section", "theirs", "verdict", "what", "why"]);
    assert_eq!((json["id"].as_str(), json["verdict"].as_str()), (Some("dark-chess.1"), Some("agrees")));
}

#[test]
fn the_command_prints_filters_and_ends_with_its_code() {
    let say = |filter: &str, json: bool| {
        let mut out = Vec::new();
        run(&FiguresArgs { filter: Some(filter.to_owned()), json }, &mut out).map(|()| String::from_utf8(out).unwrap())
    };
    let text = say("zherotag", false).unwrap();
    assert!(text.starts_with("ZheroTag\n\nzherotag.1 · ") && text.ends_with("4 figures: 4 × agrees.\n"), "{text}");
    let list: serde_json::Value = serde_json::from_str(&say("dark-chess.13", true).unwrap()).unwrap();
    assert_eq!((list.as_array().unwrap().len(), list[0]["verdict"].as_str()), (1, Some("wrong")));
    assert_eq!(say("no-such-id", false).unwrap_err().exit, Exit::Usage);
    let bad = Figure { verdict: Verdict::Differs, ..all()[0].clone() };
    let refused = conclude(&[all()[1].clone(), bad]).unwrap_err();
    assert_eq!((refused.exit, refused.to_string().contains("dark-chess.1")), (Exit::Fault, true));
}
