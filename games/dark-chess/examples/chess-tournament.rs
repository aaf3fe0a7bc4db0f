//! One level of bots against another:
//! `cargo run --release -p outis-dark-chess --example chess-tournament -- LEVEL AGAINST PAIRS [SEED]`.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a program, not the library: it reads a clock"
)]

use outis_dark_chess::bot::tournament::duel;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let (&[level, against, pairs], seed) = match &numbers[..] {
        [level, against, pairs] => (&[*level, *against, *pairs], 1),
        [level, against, pairs, seed] => (&[*level, *against, *pairs], *seed),
        _ => return eprintln!("tournament LEVEL AGAINST PAIRS [SEED]"),
    };
    let began = std::time::Instant::now();
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    match duel(level as u8, against as u8, pairs as usize, &mut rng) {
        Some(standing) => println!(
            "level {level} against {against}, {pairs} pairs of games, seed {seed}: won, drawn, lost {:?}, mean {:+.3} ± \
             {:.3} (95 %), {:.1} s",
            standing.games,
            standing.mean,
            standing.interval,
            began.elapsed().as_secs_f64()
        ),
        None => eprintln!("a bot did something that is not allowed"),
    }
}
