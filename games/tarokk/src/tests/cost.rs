//! What a deal costs, for the table of the specification.

use std::collections::BTreeMap;

use outis_crypto::group::{Scalar, random_scalar};
use outis_table::audit::audit;
use outis_table::game::Checks;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::bench::{Bench, lively};
use crate::protocol::Table;
use crate::rules::options::Options;
use crate::rules::state::Outcome;

/// Microseconds on a clock that only tests may read.
#[allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a measurement, and no part of the protocol")]
pub fn micros() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64() * 1e6
}

/// Microseconds of one multiplication by a secret scalar.
fn unit() -> f64 {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let scalars: Vec<Scalar> = (0..2_000).map(|_| random_scalar(&mut rng)).collect();
    let mut point = *outis_crypto::group::Element::hash("cost", &[]).point();
    let began = micros();
    scalars.iter().for_each(|scalar| point *= scalar);
    let unit = (micros() - began) / scalars.len() as f64;
    assert!(outis_crypto::group::Element::new(point).is_some());
    unit
}

#[test]
#[ignore = "prints figures: cargo test --release -p outis-tarokk -- --ignored --nocapture costs"]
fn costs() {
    for (grade, seats, games) in [(&[][..], 4, 12), (&[], 5, 12), (&[1], 4, 2)] {
        let unit = unit();
        let (mut played, mut rows) = (0u32, BTreeMap::<&str, [f64; 4]>::new());
        let (mut seat_time, mut deal_time, mut verify, mut bytes, mut worst) = (0.0, 0.0, 0.0, 0.0, [0.0f64; 3]);
        for seed in 0.. {
            if played == games {
                break;
            }
            let options = Options { deals: 1, ..Options::default() };
            let mut bench = Bench::new(options, seats, seed, grade, Checks::default());
            bench.play(&mut lively).expect("honest seats");
            let results = &bench.referee().public().results;
            if results.len() != 1 || !matches!(results[0].outcome, Outcome::Played(_)) {
                continue;
            }
            played += 1;
            let n = f64::from(seats);
            let mut rounds = BTreeMap::<&str, u32>::new();
            let (mut whole, mut deal) = (0.0, 0.0);
            for cost in &bench.stage.costs {
                let row = rows.entry(cost.what).or_default();
                // A seat makes its own steps and judges everybody's.
                let mine = (cost.make / n + cost.judge) / unit;
                row[0] += cost.make / unit;
                row[1] += cost.judge / unit;
                row[2] += cost.bytes as f64;
                row[3] += 1.0;
                whole += mine;
                if ["commit", "reveal", "shuffle", "draw", "hand"].contains(&cost.what) {
                    deal += mine;
                }
                *rounds.entry(cost.what).or_default() += 1;
            }
            let log = bench.stage.export();
            let began = micros();
            let audited = audit::<Table>(&log).expect("a log");
            let spent = (micros() - began) / unit;
            assert_eq!(audited.verdict, outis_table::audit::Verdict::Finished);
            let sent: f64 = bench.stage.costs.iter().map(|cost| cost.bytes as f64).sum::<f64>() / n * (n - 1.0);
            seat_time += whole;
            deal_time += deal;
            verify += spent;
            bytes += sent;
            worst = [worst[0].max(whole), worst[1].max(spent), worst[2].max(sent)];
        }
        let mean = |sum: f64| sum / f64::from(played);
        println!("grade {grade:?}, {seats} seats, unit {unit:.1} µs, {played} played deals, means (worst):");
        println!("  deal {:.0} units of one seat, game {:.0} ({:.0})", mean(deal_time), mean(seat_time), worst[0]);
        println!(
            "  verify {:.0} ({:.0}), sent per seat {:.0} ({:.0}) bytes",
            mean(verify),
            worst[1],
            mean(bytes),
            worst[2]
        );
        for (what, [make, judge, bytes, entries]) in rows {
            let per = |sum: f64| sum / entries.max(1.0);
            println!(
                "  {what:8} entries {:5.1} make {:7.1} judge {:7.1} bytes {:8.0}",
                entries / f64::from(played),
                per(make),
                per(judge),
                per(bytes)
            );
        }
    }
}
