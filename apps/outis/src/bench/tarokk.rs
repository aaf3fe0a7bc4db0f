//! Whole games of tarokk: one seat's time for the deal and for the game, a spectator's time for the log, and the bytes
//! sent. `n` is the number of seats; every run plays the same few deals.

use std::hint::black_box;
use std::sync::OnceLock;

use outis_table::audit::{Verdict, audit};
use outis_table::game::Grade;
use outis_tarokk::cost::Sample;
use outis_tarokk::protocol::Table;

use super::Work;
use super::baseline::Baseline;
use super::measure::{micros, now};
use crate::exit::Failure;

/// Number of deals over which the hardened lines take the mean.
const DEALS: usize = 4;

/// `tarokk.deal`: one seat's time for keys, shuffles, draw and hands.
pub fn deal(n: usize) -> Result<Work, Failure> {
    sample(n, Grade::Hardened, Sample::deal_time)
}

/// `tarokk.game`: one seat's time for a complete deal with its play.
pub fn game(n: usize) -> Result<Work, Failure> {
    sample(n, Grade::Hardened, Sample::game_time)
}

/// `tarokk.verify_log`: a spectator verifies the log of that deal.
pub fn verify_log(n: usize) -> Result<Work, Failure> {
    verify(n, Grade::Hardened)
}

/// `tarokk.bytes`: what one seat sends to all others.
pub fn bytes(n: usize) -> Result<Work, Failure> {
    sent(n, Grade::Hardened)
}

/// [`deal()`] in the classic grade.
pub fn classic_deal(n: usize) -> Result<Work, Failure> {
    sample(n, Grade::Classic, Sample::deal_time)
}

/// [`game()`] in the classic grade.
pub fn classic_game(n: usize) -> Result<Work, Failure> {
    sample(n, Grade::Classic, Sample::game_time)
}

/// [`verify_log()`] in the classic grade.
pub fn classic_verify_log(n: usize) -> Result<Work, Failure> {
    verify(n, Grade::Classic)
}

/// [`bytes()`] in the classic grade.
pub fn classic_bytes(n: usize) -> Result<Work, Failure> {
    sent(n, Grade::Classic)
}

/// The first deals that are played to the last trick, shared by all lines; only one in the classic grade, where a deal
/// takes seconds.
fn deals(n: usize, grade: Grade) -> Result<&'static [Sample], Failure> {
    static PLAYED: [OnceLock<Vec<Sample>>; 3] = [const { OnceLock::new() }; 3];
    let (at, count) = match (grade, n) {
        (Grade::Hardened, 4) => (0, DEALS),
        (Grade::Hardened, 5) => (1, DEALS),
        (Grade::Classic, 4) => (2, 1),
        _ => return Err("tarokk has four seats or five, measured in the classic grade with four".into()),
    };
    Ok(PLAYED[at].get_or_init(|| Sample::deals(n as u8, grade, now).take(count).collect()))
}

fn mean(samples: &[Sample], figure: impl Fn(&Sample) -> f64) -> f64 {
    samples.iter().map(figure).sum::<f64>() / samples.len() as f64
}

fn sample(n: usize, grade: Grade, time: fn(&Sample) -> f64) -> Result<Work, Failure> {
    let deals = deals(n, grade)?;
    let again =
        move |deal: &Sample| time(&Sample::play(deal.seats, grade, deal.seed, now).expect("the same deal again"));
    // A deal that takes seconds is not played again for every line.
    let run = move || if grade == Grade::Classic { mean(deals, time) } else { mean(deals, again) };
    Ok(Work::Sample { run: Box::new(run), floor: Baseline::unit() })
}

fn verify(n: usize, grade: Grade) -> Result<Work, Failure> {
    let deals = deals(n, grade)?;
    let verify = |deal: &Sample| {
        micros(&mut || {
            let audited = black_box(audit::<Table>(&deal.log)).expect("a log");
            assert_eq!(audited.verdict, Verdict::Finished, "an honest log");
        })
    };
    Ok(Work::Sample { run: Box::new(move || mean(deals, verify)), floor: Baseline::unit() })
}

fn sent(n: usize, grade: Grade) -> Result<Work, Failure> {
    Ok(Work::Bytes(mean(deals(n, grade)?, Sample::sent) as usize))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The mean and the largest of some figures.
    fn summary(figures: &[f64]) -> String {
        let mean = figures.iter().sum::<f64>() / figures.len() as f64;
        format!("{mean:.0} ({:.0})", figures.iter().copied().fold(0.0, f64::max))
    }

    #[test]
    #[ignore = "prints figures: cargo test --release -p outis -- --ignored --nocapture costs"]
    fn costs() {
        for (grade, seats, deals) in [(Grade::Hardened, 4, 24), (Grade::Hardened, 5, 24), (Grade::Classic, 4, 2)] {
            let mut unit = Baseline::unit();
            let unit = (0..20).map(|_| micros(&mut unit.run)).fold(f64::INFINITY, f64::min) / f64::from(unit.units);
            let samples: Vec<Sample> = Sample::deals(seats, grade, now).take(deals).collect();
            let verify = |sample: &Sample| {
                let began = now();
                let audited = audit::<Table>(&sample.log).expect("a log");
                assert_eq!(audited.verdict, Verdict::Finished);
                (now() - began) / unit
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
}
