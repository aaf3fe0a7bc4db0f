//! This machine's randomness, for everything that may be secret: keys, tickets, the steps of a seat.
//!
//! The generator that `rand` keeps for each thread asks the system only occasionally. A machine that is restored to an
//! earlier state, memory included, would then draw the same numbers again. So every call here asks the system, which
//! most virtual machines notify of a restore, and adds the time, which differs even without such a notification, and a
//! counter.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use rand::rngs::{StdRng, SysRng};
use rand::{Rng, SeedableRng, TryRng};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// A new generator, from the system and the time. If the system has no randomness, the program ends at once: nothing can be played then,
/// and a table that died of it could not even be reported. Whatever was said is on the disk.
pub fn rng() -> StdRng {
    let mut system = Zeroizing::new([0u8; 32]);
    if let Err(error) = SysRng.try_fill_bytes(&mut *system) {
        eprintln!("outis: the system gives no randomness: {error}");
        std::process::abort();
    }
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    static CALLS: AtomicU64 = AtomicU64::new(0);
    seeded(&system, time, CALLS.fetch_add(1, Ordering::Relaxed))
}

/// Fresh random bytes.
pub fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0u8; N];
    rng().fill_bytes(&mut bytes);
    bytes
}

fn seeded(system: &[u8; 32], time: u128, call: u64) -> StdRng {
    let hash = Sha256::new().chain_update(b"outis/1 machine").chain_update(system);
    let seed = hash.chain_update(time.to_le_bytes()).chain_update(call.to_le_bytes()).finalize();
    StdRng::from_seed(*Zeroizing::new(seed.into()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_system_that_repeats_itself_is_not_enough_to_draw_the_same() {
        let draw = |system: u8, time: u128, call: u64| {
            let mut bytes = [0u8; 32];
            seeded(&[system; 32], time, call).fill_bytes(&mut bytes);
            bytes
        };
        let base = draw(1, 1, 1);
        assert_eq!(base, draw(1, 1, 1));
        assert!([draw(2, 1, 1), draw(1, 2, 1), draw(1, 1, 2)].iter().all(|other| *other != base));
        assert_ne!(bytes::<32>(), bytes::<32>());
    }

    /// Except in measurements, nothing in the program draws from a thread's generator or makes its own.
    #[test]
    fn only_this_module_asks_the_machine() {
        const NEEDLES: [&str; 10] = [
            "rand::rng(",
            "ThreadRng",
            "thread_rng",
            "SysRng",
            "OsRng",
            "from_rng(",
            "make_rng(",
            "rand::random",
            "getrandom",
            "rand_chacha",
        ];
        fn look(folder: &Path, found: &mut Vec<String>) {
            for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                let name = path.file_name().and_then(|name| name.to_str()).unwrap();
                if path.is_dir() && !["bench", "tests"].contains(&name) {
                    look(&path, found);
                } else if name.ends_with(".rs") && name != "random.rs" && !name.starts_with("tests") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                    let drawing = lines.filter(|line| NEEDLES.iter().any(|needle| line.contains(needle)));
                    found.extend(drawing.map(|line| format!("{}: {}", path.display(), line.trim())));
                }
            }
        }
        let mut found = Vec::new();
        look(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
        assert!(found.is_empty(), "draw from `random::rng()` instead:\n{}", found.join("\n"));
    }
}
