//! The bridge tools: no cryptography, hence no baseline.

use std::hint::black_box;

use outis_bridge::commands;
use outis_bridge::dd::Solver;
use outis_bridge::sheet::Scheme;
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::Work;
use crate::bridge::work::deep;
use crate::exit::Failure;

/// `bridge.deals`: drawing deals and making their sheets, per board.
pub fn deals(n: usize) -> Result<Work, Failure> {
    let boards = u16::try_from(n)?;
    let run = move || {
        let rng = &mut rand::rng();
        let records = commands::deal(boards, 1, rng).expect("boards from 1 on");
        drop(black_box(commands::sheets(records, Scheme::EXTRA, rng)));
    };
    Ok(Work::Time { run: Box::new(run), per_run: u32::from(boards), floor: None })
}

/// `bridge.double_dummy`: all 20 results of a deal on one thread, for the same deals on every machine.
pub fn double_dummy(n: usize) -> Result<Work, Failure> {
    let boards = u16::try_from(n)?;
    let records = commands::deal(boards, 1, &mut StdRng::seed_from_u64(1))?;
    let mut solver = Solver::default();
    let run = move || {
        deep(|| {
            records.iter().for_each(|record| {
                black_box(solver.solve(&record.deal));
            })
        });
    };
    Ok(Work::Time { run: Box::new(run), per_run: u32::from(boards), floor: None })
}
