//! Nothing below the applications draws its own randomness (S-8, K-3): the sources of all crates and games are read, and
//! wherever a generator is asked for bytes, or made, the place must be listed here with its reason.
#![expect(clippy::disallowed_methods, reason = "a test that reads the sources")]

use std::path::{Path, PathBuf};

/// What asks a generator for something, or makes one. Of `rand`'s `.shuffle(` and `.choose(` only the form that names a
/// generator counts: other things are shuffled and chosen here, too.
const DRAWS: [&str; 24] = [
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
    "OsRng",
    "thread_rng",
    "random_mod",
    "random_bits",
    "SliceRandom",
    "IndexedRandom",
    "IteratorRandom",
];

/// What begins a chain of sources without a long-term secret, or declares bytes to be one.
const BEGINNINGS: [&str; 3] = ["Nonces::keyless(", "contribute_again(", "LongTerm::new("];

/// Where that is done, and why. Every other chain begins with `Nonces::first`, which cannot be called without a secret.
const BEGUN: [(&str, usize, &str); 12] = [
    ("crates/crypto/src/coin.rs", 3, "a seat's part, from a source; or made again from a secret that serves it alone"),
    (
        "crates/table/src/identity.rs",
        2,
        "an identity is the first secret of all; from then on it is the long-term secret",
    ),
    ("crates/table/src/seal.rs", 1, "the key of a journal is a long-term secret"),
    ("games/bridge/src/seal.rs", 1, "a club has no secret but its cards, and these are hashed in"),
    ("games/bridge/src/toss.rs", 1, "a club's part, made again from the secret that it keeps for this toss"),
    ("games/dark-chess/src/cheats.rs", 1, "a cheat that repeats itself on purpose"),
    ("games/dark-chess/src/cheats/stage.rs", 2, "a staged game, by number"),
    ("games/tarokk/src/cheats/stage.rs", 5, "a staged game, by number"),
    ("apps/outis/src/bench.rs", 1, "a measurement: nothing is secret"),
    ("apps/outis/src/demo/table.rs", 1, "a demonstration: nothing is secret"),
    ("apps/outis/src/lab.rs", 1, "a demonstration: nothing is secret"),
    ("apps/outis/src/figures.rs", 1, "a measurement: nothing is secret"),
];

/// Who may, how often, and why. The paths begin at the root of the project.
const ALLOWED: [(&str, usize, &str); 13] = [
    (
        "crates/crypto/src/challenger.rs",
        8,
        "the one way to draw: the fresh bytes of a seed, what a generator must have, and the kinds of sources",
    ),
    ("crates/node/src/lobby/board.rs", 1, "where one begins to read a board, which is no secret"),
    ("crates/node/src/lobby/line.rs", 1, "when one looks in at a lobby again, which is no secret"),
    ("crates/node/src/node/asked.rs", 1, "the name of a table on this machine, which is no secret"),
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
        if entry.is_dir() {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
}

/// The modules that a source declares for tests alone: `#[cfg(test)]`, and `mod NAME;` in the next line.
fn only_in_tests(text: &str) -> impl Iterator<Item = &str> {
    text.split("#[cfg(test)]\n").skip(1).filter_map(|after| {
        let (words, _) = after.split_once('\n')?.0.split_once(';')?;
        words.split_once("mod ").map(|(_, name)| name)
    })
}

/// Where the modules lie that this file declares.
fn modules_of(file: &Path) -> PathBuf {
    let folder = file.parent().expect("a file lies in a folder");
    match file.file_stem().and_then(|name| name.to_str()).expect("a name") {
        "lib" | "main" | "mod" => folder.to_owned(),
        name => folder.join(name),
    }
}

/// The sources of a package that are not for tests alone.
fn shipped(package: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    sources(&package.join("src"), &mut found);
    let mut tests = Vec::new();
    for file in &found {
        let text = std::fs::read_to_string(file).expect("a source");
        tests.extend(only_in_tests(&text).map(|name| modules_of(file).join(name)));
    }
    found.retain(|file| !tests.iter().any(|module| file.starts_with(module) || *file == module.with_extension("rs")));
    found
}

#[test]
fn only_what_is_declared_for_tests_is_left_out() {
    let text = "mod a;\n#[cfg(test)]\nmod b;\n#[cfg(test)]\npub(crate) mod c;\n#[cfg(test)]\nfn d() {}\nmod e;\n#[cfg(test)]\nmod tests {\n";
    assert_eq!(only_in_tests(text).collect::<Vec<_>>(), ["b", "c"]);
    assert_eq!(modules_of(Path::new("src/node.rs")), Path::new("src/node"));
    assert_eq!(modules_of(Path::new("src/lib.rs")), Path::new("src"));
    let node = shipped(&root().join("crates/node"));
    let has = |name: &str| node.iter().any(|file| file.ends_with(name));
    assert!(has("src/gathering.rs") && has("src/gathering/host.rs") && !has("src/gathering/knocks.rs"));
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
    let wrong = counted(&["crates", "games"], &DRAWS, &ALLOWED);
    assert!(wrong.is_empty(), "draw from `Nonces` instead, or give a reason here:\n{}", wrong.join("\n"));
}

#[test]
fn every_chain_of_sources_begins_with_a_secret() {
    let wrong = counted(&["crates", "games", "apps"], &BEGINNINGS, &BEGUN);
    assert!(wrong.is_empty(), "begin with `Nonces::first` instead, or give a reason here:\n{}", wrong.join("\n"));
}

/// What comes from `rand` is not there to be called: its traits shuffle and choose without a name that this test would know.
#[test]
fn no_lower_crate_depends_on_a_generator_of_its_own() {
    let mut seen = 0;
    for manifest in packages(&["crates", "games"]).map(|folder| folder.join("Cargo.toml")) {
        let text = std::fs::read_to_string(&manifest).expect("a manifest");
        let text = text.split("[dev-dependencies]").next().expect("there is a first part");
        for name in ["rand", "getrandom", "fastrand", "oorandom"] {
            let mut lines = text.lines().filter(|line| {
                let rest = line.trim_start().trim_start_matches("dependencies.").strip_prefix(name);
                rest.is_some_and(|rest| rest.starts_with([' ', '.', '=', ']']))
            });
            assert_eq!(lines.next(), None, "{}", manifest.display());
        }
        seen += 1;
    }
    assert!(seen > 10, "the packages were not found");
}

fn packages(floors: &[&str]) -> impl Iterator<Item = PathBuf> {
    let floors: Vec<PathBuf> = floors.iter().map(|floor| root().join(floor)).collect();
    let entries = floors.into_iter().flat_map(|floor| std::fs::read_dir(floor).expect("a floor"));
    entries.map(|entry| entry.expect("a package").path()).filter(|path| path.join("Cargo.toml").exists())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Where the sources of these floors have a needle more often, or less often, than is allowed.
fn counted(floors: &[&str], needles: &[&str], allowed: &[(&str, usize, &str)]) -> Vec<String> {
    let found: Vec<PathBuf> = packages(floors).flat_map(|package| shipped(&package)).collect();
    assert!(found.len() > 200, "the sources were not found");
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for file in found {
        let name = file.strip_prefix(root()).expect("below the root").to_str().expect("a path").replace('\\', "/");
        let text = code(&std::fs::read_to_string(&file).expect("a source"));
        let count: usize = needles.iter().map(|needle| text.matches(needle).count()).sum();
        let allowed = allowed.iter().find(|(path, ..)| *path == name).map_or(0, |(_, count, _)| *count);
        seen += usize::from(allowed > 0);
        if count != allowed {
            wrong.push(format!("{name}: {count}, and {allowed} are allowed"));
        }
    }
    if seen != allowed.len() {
        wrong.push("a place is allowed that does not exist".to_owned());
    }
    wrong
}
