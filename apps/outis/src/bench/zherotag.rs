//! A turn of ZheroTag in both grades: one seat's time, and the size of all messages.

use std::hint::black_box;

use outis_table::Seat;
use outis_table::game::Grade;
use outis_zherotag::protocol::drill::Drill;

use super::Work;
use super::baseline::Baseline;
use super::measure::micros;
use super::source;
use crate::exit::Failure;

fn drill(grade: Grade, grid: usize) -> Result<Drill, Failure> {
    let grid = u8::try_from(grid).map_err(|_| "no such grid")?;
    Ok(Drill::new(grade, grid, &mut source()).ok_or("an honest turn can be played")?)
}

fn turn(grade: Grade, grid: usize) -> Result<Work, Failure> {
    let drill = drill(grade, grid)?;
    let mut turn = move || assert!(black_box(drill.work(Seat(0), &mut source())), "an honest turn is accepted");
    Ok(Work::Sample { run: Box::new(move || micros(&mut turn)), floor: Baseline::unit() })
}

/// `zherotag.turn`: the work of the moving seat in a turn, which makes and encodes its own steps, and decodes and
/// checks the opponent's.
pub fn hardened(grid: usize) -> Result<Work, Failure> {
    turn(Grade::Hardened, grid)
}

/// [`hardened()`] in the classic grade.
pub fn classic(grid: usize) -> Result<Work, Failure> {
    turn(Grade::Classic, grid)
}

/// `zherotag.bytes`: all messages of a turn.
pub fn hardened_bytes(grid: usize) -> Result<Work, Failure> {
    Ok(Work::Bytes(drill(Grade::Hardened, grid)?.bytes()))
}

/// [`hardened_bytes()`] in the classic grade.
pub fn classic_bytes(grid: usize) -> Result<Work, Failure> {
    Ok(Work::Bytes(drill(Grade::Classic, grid)?.bytes()))
}
