//! What a deal costs, for the table of the specification.

use std::collections::BTreeMap;

use outis_crypto::group::{Scalar, random_scalar};
use outis_table::audit::{Verdict, audit};
use outis_table::game::Grade;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::cost::Sample;
use crate::protocol::Table;

/// Microseconds on a clock that only tests may read.
#[allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a measurement, and no part of the protocol")]
fn micros() -> f64 {
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

/// The mean and the largest of some figures.
fn summary(figures: &[f64]) -> String {
    let mean = figures.iter().sum::<f64>() / figures.len() as f64;
    format!("{mean:.0} ({:.0})", figures.iter().copied().fold(0.0, f64::max))
}

#[test]
#[ignore = "prints figures: cargo test --release -p outis-tarokk -- --ignored --nocapture costs"]
fn costs() {
    for (grade, seats, deals) in [(Grade::Hardened, 4, 24), (Grade::Hardened, 5, 24), (Grade::Classic, 4, 2)] {
        let unit = unit();
        let samples: Vec<Sample> = Sample::deals(seats, grade, micros).take(deals).collect();
        let verify = |sample: &Sample| {
            let began = micros();
            let audited = audit::<Table>(&sample.log).expect("a log");
            assert_eq!(audited.verdict, Verdict::Finished);
            (micros() - began) / unit
        };
        let of = |figure: &dyn Fn(&Sample) -> f64| summary(&samples.iter().map(figure).collect::<Vec<_>>());
        println!("{}, {seats} seats, unit {unit:.1} µs, {deals} played deals, means (worst):", grade.name());
        println!("  deal {} units of one seat", of(&|sample| sample.deal_time() / unit));
        println!("  game {} units of one seat", of(&|sample| sample.game_time() / unit));
        println!("  verify {} units", of(&verify));
        println!("  sent by one seat {} bytes", of(&Sample::sent));
        let mut rows = BTreeMap::<&str, [f64; 4]>::new();
        for cost in samples.iter().flat_map(|sample| &sample.entries) {
            let row = rows.entry(cost.what).or_default();
            let more = [1.0, cost.make / unit, cost.judge / unit, cost.bytes as f64];
            row.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        for (what, [entries, make, judge, bytes]) in rows {
            let (each, deals) = (entries / deals as f64, entries);
            println!(
                "  {what:8} entries {each:5.1} make {:7.1} judge {:7.1} bytes {:8.0}",
                make / deals,
                judge / deals,
                bytes / deals
            );
        }
    }
}
