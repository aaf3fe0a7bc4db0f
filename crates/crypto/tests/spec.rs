//! The specification and the code agree on their names: every id that the code cites is explained in `spec/sources.md`,
//! every label is on its page, and no requirement id is given twice.

#![expect(clippy::disallowed_methods, reason = "a test may read the project's own files")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use outis_crypto::labels::Label;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files below `folder` with this extension, build output left out.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "target") {
                found.extend(files(&path, extension));
            }
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found
}

fn digits(text: &str) -> bool {
    (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a word is an id of `spec/sources.md`: `TK-20`, `RC-15a`, `S-11`, `F5`, `SR2`.
fn is_source(word: &str) -> bool {
    if let Some((family, number)) = word.split_once('-') {
        let number = number.strip_suffix(['a', 'b', 'c', 'd']).unwrap_or(number);
        return ["TK", "RC", "S", "SRA", "DC", "ZT", "BR"].contains(&family) && (digits(number) || number == "T");
    }
    let family = word.trim_end_matches(|c: char| c.is_ascii_digit());
    ["F", "C", "V", "E", "SR"].contains(&family) && digits(&word[family.len()..])
}

/// Words that could be ids: letters, digits and hyphens.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).map(|w| w.trim_matches('-'))
}

/// The ids that have a row of their own in a table.
fn explained() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("spec/sources.md")).unwrap();
    let cell = |line: &str| line.strip_prefix("| ")?.split_once(" |").map(|(id, _)| id.to_owned());
    text.lines().filter_map(cell).flat_map(|ids| listed(&ids)).filter(|id| is_source(id)).collect()
}

/// The ids of a cell: one, several with commas, or `DC-1 to DC-4`.
fn listed(cell: &str) -> Vec<String> {
    let number =
        |id: &str| id.split_once('-').and_then(|(family, n)| Some((family.to_owned(), n.parse::<u32>().ok()?)));
    let range = cell.split_once(" to ").and_then(|(first, last)| Some((number(first)?, number(last)?)));
    match range {
        Some(((family, first), (_, last))) => (first..=last).map(|n| format!("{family}-{n}")).collect(),
        None => cell.split(", ").map(str::to_owned).collect(),
    }
}

#[test]
fn ids_are_recognised() {
    for id in ["TK-20", "TK-T", "RC-15a", "RC-4", "S-11", "SRA-7", "F5", "F15", "C1", "V16", "E1", "SR2"] {
        assert!(is_source(id), "{id}");
    }
    for word in ["S-", "TK-", "F", "E100", "CH-3", "SH-5", "ENC-1", "G1", "c1", "SHA-512", "F5x", "cut-and-choose"] {
        assert!(!is_source(word), "{word}");
    }
}

#[test]
fn every_id_that_is_cited_is_explained() {
    let explained = explained();
    assert!(explained.len() > 100, "the tables of sources.md were not understood");
    let mut unknown: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    let sources = ["crates", "games", "apps"].map(|floor| files(&root().join(floor), "rs")).concat();
    for path in sources.into_iter().chain(files(&root().join("spec"), "md")) {
        let text = fs::read_to_string(&path).unwrap();
        for id in words(&text).filter(|word| is_source(word) && !explained.contains(*word)) {
            unknown.entry(id.to_owned()).or_default().insert(path.clone());
        }
    }
    // This file names forms that are no citations, and sources.md says which families come later.
    let later = |id: &str| id == "TK-30";
    unknown.retain(|id, _| !later(id));
    assert!(unknown.is_empty(), "cited, but not explained in spec/sources.md: {unknown:#?}");
}

#[test]
fn every_label_is_specified() {
    let text = fs::read_to_string(root().join("spec/20-challenger.md")).unwrap();
    for label in Label::ALL {
        assert!(text.contains(&format!("| `{label}` |")), "{label} is missing in the table of labels");
    }
}

/// Capital letters and a number, as opposed to other words in bold.
fn is_requirement(id: &str) -> bool {
    id.split_once('-').is_some_and(|(family, number)| {
        family.bytes().all(|b| b.is_ascii_uppercase()) && number.starts_with(|c: char| c.is_ascii_digit())
    })
}

#[test]
fn requirement_ids_are_unique_and_references_to_them_exist() {
    let mut defined: BTreeMap<String, PathBuf> = BTreeMap::new();
    let pages = files(&root().join("spec"), "md");
    let texts: Vec<String> = pages.iter().map(|page| fs::read_to_string(page).unwrap()).collect();
    for (page, text) in pages.iter().zip(&texts) {
        // The first word in bold of an item; a title may follow it.
        let bold = text.lines().filter_map(|line| line.strip_prefix("- **")?.split_once("**"));
        let first = bold.filter_map(|(bold, _)| bold.split_whitespace().next());
        for id in first.filter(|id| is_requirement(id)) {
            let twice = defined.insert(id.to_owned(), page.clone());
            assert!(twice.is_none(), "{id} is defined in {} and {}", page.display(), twice.unwrap().display());
        }
    }
    assert!(defined.len() > 100, "the requirements were not understood");
    let families: BTreeSet<&str> = defined.keys().filter_map(|id| id.split_once('-')).map(|(f, _)| f).collect();
    let rust = ["crates", "games", "apps"].map(|floor| files(&root().join(floor), "rs")).concat();
    let sources: Vec<(PathBuf, String)> =
        rust.into_iter().map(|p| (p.clone(), fs::read_to_string(p).unwrap())).collect();
    let all = pages.into_iter().zip(texts).chain(sources.into_iter().filter(|(p, _)| !p.ends_with("spec.rs")));
    for (path, text) in all {
        for word in words(&text) {
            if let Some((family, number)) = word.split_once('-')
                && families.contains(family)
                && digits(number)
            {
                assert!(defined.contains_key(word), "{word}, cited in {}, is no requirement", path.display());
            }
        }
    }
}
