//! Nothing below the applications draws its own randomness (S-8, K-3): the sources of all crates and games are read, and
//! wherever a generator is asked for bytes, or made, the place must be listed here with its reason.
#![expect(clippy::disallowed_methods, reason = "a test that reads the sources")]

use std::path::{Path, PathBuf};

/// What asks a generator for something, or makes one.
const DRAWS: [&str; 17] = [
    "fill_bytes",
    "next_u32",
    "next_u64",
    ".random_range",
    ".random_bool",
    ".random::<",
    ".sample(",
    "from_rng",
    "from_seed",
    "seed_from_u64",
    "make_rng",
    "::generate(",
    "_with_rng(",
    "SysRng",
    "getrandom",
    "rand::rng(",
    " Source for ",
];

/// Who may, how often, and why. The paths begin at the root of the project.
const ALLOWED: [(&str, usize, &str); 15] = [
    (
        "crates/crypto/src/challenger.rs",
        8,
        "the one way to draw: the fresh bytes of a seed, what a generator must have, and the kinds of sources",
    ),
    ("crates/meeting/src/service/attacks.rs", 1, "only in tests"),
    ("crates/node/src/gathering/crashes.rs", 1, "only in tests"),
    ("crates/node/src/table/asks.rs", 2, "only in tests"),
    ("crates/node/src/table/bots.rs", 2, "only in tests"),
    ("crates/node/src/table/crashes.rs", 2, "only in tests"),
    ("crates/game/src/present.rs", 1, "the choices of bots, whose generator is a source in play"),
    ("crates/testkit/src/net.rs", 2, "a bad network for tests"),
    ("crates/testkit/src/people.rs", 3, "people for tests, by number"),
    ("crates/testkit/src/world.rs", 4, "a world for tests, by number"),
    ("games/bridge/src/draw.rs", 1, "a club deals for itself: there is no secret to hedge with, and no second use"),
    ("games/bridge/src/toss.rs", 3, "a club's secret is drawn once; its part and the deals are made from it again"),
    ("games/dark-chess/src/cheats.rs", 1, "a cheat that repeats itself on purpose"),
    ("games/dark-chess/src/cheats/stage.rs", 2, "a staged game, by number"),
    ("games/tarokk/src/cheats/stage.rs", 2, "a staged game, by number"),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = entry.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        if entry.is_dir() && name != "tests" {
            sources(&entry, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(entry);
        }
    }
}

/// The source without its unit tests and comments. Only the module itself is left out: what stands behind it counts.
fn code(text: &str) -> String {
    let (before, after) = match text.split_once("#[cfg(test)]\nmod tests {") {
        Some((before, tests)) => (before, tests.split_once("\n}\n").map_or("", |(_, after)| after)),
        None => (text, ""),
    };
    let lines = before.lines().chain(after.lines());
    lines.filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_stands_behind_unit_tests_counts() {
    let text = "a\n#[cfg(test)]\nmod tests {\n    rng.next_u32();\n}\n\nlet f = R::next_u64;\n// next_u32\n";
    assert_eq!(code(text), "a\n\nlet f = R::next_u64;");
}

#[test]
fn only_one_place_draws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for floor in ["crates", "games"] {
        for entry in std::fs::read_dir(root.join(floor)).expect("a floor") {
            let folder = entry.expect("a crate").path().join("src");
            sources(&folder, &mut found);
        }
    }
    assert!(found.len() > 200, "the sources were not found");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for file in found {
        let name = file.strip_prefix(&root).expect("below the root").to_str().expect("a path").replace('\\', "/");
        let text = code(&std::fs::read_to_string(&file).expect("a source"));
        let count: usize = DRAWS.iter().map(|draw| text.matches(draw).count()).sum();
        let allowed = ALLOWED.iter().find(|(path, ..)| *path == name).map_or(0, |(_, count, _)| *count);
        seen += usize::from(allowed > 0);
        if count != allowed {
            wrong.push(format!("{name}: {count} draws, {allowed} are allowed"));
        }
    }
    assert!(wrong.is_empty(), "draw from `Nonces` instead, or give a reason here:\n{}", wrong.join("\n"));
    assert_eq!(seen, ALLOWED.len(), "a place is allowed that does not exist");
}
