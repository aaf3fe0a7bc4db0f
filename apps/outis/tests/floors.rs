//! Dependencies point downwards only: the rules of a game name no cryptographic type.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn rules_know_no_cryptography() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut seen = 0;
    for game in fs::read_dir(games).unwrap().map(|entry| entry.unwrap().path()) {
        let mut files = vec![game.join("src/rules.rs")];
        if let Ok(folder) = fs::read_dir(game.join("src/rules")) {
            files.extend(folder.map(|entry| entry.unwrap().path()));
        }
        for file in files.into_iter().filter(|file| file.extension().is_some_and(|ext| ext == "rs") && file.exists()) {
            let text = fs::read_to_string(&file).unwrap();
            for word in ["outis_crypto", "outis_table::entry", "outis_table::session", "rand_core", "protocol::"] {
                assert!(!text.contains(word), "{} names {word}", file.display());
            }
            seen += 1;
        }
    }
    assert!(seen >= 2, "the games were not found");
}

/// What is insecure on purpose stays in the laboratory: nothing that plays depends on it.
#[test]
fn only_the_program_depends_on_the_laboratory() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut seen = 0;
    for folder in ["crates", "games"].map(|folder| root.join(folder)) {
        for manifest in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().join("Cargo.toml")) {
            let text = fs::read_to_string(&manifest).unwrap_or_default();
            let is_itself = manifest.ends_with("lab/Cargo.toml");
            assert_eq!(text.contains("outis-lab"), is_itself, "{}", manifest.display());
            seen += usize::from(is_itself);
        }
    }
    assert_eq!(seen, 1, "the laboratory was not found");
}

/// The names of endings and verdicts are each written in one place, and compared nowhere.
#[test]
fn no_word_is_compared() {
    fn look(dir: &Path, found: &mut Vec<String>) {
        for path in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                look(&path, found);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            let words = outis_game::ending::Ending::ALL.map(outis_game::ending::Ending::name).into_iter().chain([
                "unfinished",
                "claimed",
                "forged",
            ]);
            for word in words {
                let compared = [format!("== \"{word}\""), format!("!= \"{word}\""), format!("Some(\"{word}\")")];
                for bad in compared.iter().filter(|bad| text.contains(*bad)) {
                    found.push(format!("{}: {bad}", path.display()));
                }
            }
        }
    }
    let mut found = Vec::new();
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    look(&src, &mut found);
    // `left` is also a message between nodes.
    found.retain(|place| !place.contains("\"left\""));
    assert_eq!(found, Vec::<String>::new());
}

/// The node's core does not depend on the machine, neither in its source nor in its manifest.
#[test]
fn the_core_of_the_node_has_no_machine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/node");
    fn files(dir: &Path, found: &mut Vec<PathBuf>) {
        for path in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() { files(&path, found) } else { found.push(path) }
        }
    }
    let (mut seen, mut all) = (0, Vec::new());
    files(&root.join("src"), &mut all);
    for file in all {
        let text = fs::read_to_string(&file).unwrap();
        for word in [
            "tokio",
            "iroh",
            "redb",
            "axum",
            "std::fs",
            "std::thread",
            "Instant",
            "SystemTime",
            "Mutex",
            "async fn",
            ".await",
        ] {
            assert!(!text.contains(word), "{} names {word}", file.display());
        }
        seen += 1;
    }
    assert!(seen >= 8, "the core was not found");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    for machine in ["tokio", "iroh", "redb", "axum", "rand.", "rustix", "getrandom"] {
        assert!(!manifest.contains(machine), "it depends on {machine}");
    }
}
