//! Dependencies only go down: the rules of a game name no cryptographic type.

use std::fs;
use std::path::Path;

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
