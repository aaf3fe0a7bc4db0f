//! One level of bots against another: `cargo run --release -p outis-tarokk --example tournament -- LEVEL AGAINST PACKS [SEED]`.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a program, not the library: it reads a clock"
)]

use outis_tarokk::bot::tournament::duel;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let (&[level, against, packs], seed) = match &numbers[..] {
        [level, against, packs] => (&[*level, *against, *packs], 1),
        [level, against, packs, seed] => (&[*level, *against, *packs], *seed),
        _ => return eprintln!("tournament LEVEL AGAINST PACKS [SEED]"),
    };
    let began = std::time::Instant::now();
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    match duel(level as u8, against as u8, packs as usize, &mut rng) {
        Some(standing) => println!(
            "level {level} against {against}, {packs} packs dealt twice, seed {seed}: {:+.3} ± {:.3} points per seat and \
             deal (95 %), {:.1} s",
            standing.mean,
            standing.interval,
            began.elapsed().as_secs_f64()
        ),
        None => eprintln!("a bot did something that is not allowed"),
    }
}
