//! A ply of dark chess: from the decision to move until both seats have seen its effect.

use std::hint::black_box;

use outis_dark_chess::protocol::drill::Drill;

use super::Work;
use super::baseline::Baseline;
use super::measure::{micros, own};
use super::source;
use crate::exit::Failure;

fn drill() -> Result<Drill, Failure> {
    Ok(Drill::new(&mut source()).ok_or("an honest game can be played")?)
}

/// `darkchess.ply`: the time of a ply on the main threads of both seats, one after the other, each with a helper
/// thread. It is the time that passes if a second processor is free. Work prepared while a player thinks is not
/// included.
pub fn ply(_: usize) -> Result<Work, Failure> {
    timed(|ply| own(&mut || ply()))
}

/// `darkchess.ply.work`: the total processor time of a ply.
pub fn work(_: usize) -> Result<Work, Failure> {
    timed(|ply| micros(&mut || ply()))
}

fn timed(measure: fn(&mut dyn FnMut()) -> f64) -> Result<Work, Failure> {
    let drill = drill()?;
    let run = move || {
        drill.get_ready(&mut source());
        measure(&mut || assert!(black_box(drill.ply(&mut source())).is_some(), "an honest ply is accepted"))
    };
    Ok(Work::Sample { run: Box::new(run), floor: Baseline::unit() })
}

/// `darkchess.idle`: what both seats prepare for a ply.
pub fn idle(_: usize) -> Result<Work, Failure> {
    let drill = drill()?;
    let run = move || micros(&mut || drill.get_ready(&mut source()));
    Ok(Work::Sample { run: Box::new(run), floor: Baseline::unit() })
}

/// `darkchess.bytes`: all messages of a ply.
pub fn bytes(_: usize) -> Result<Work, Failure> {
    Ok(Work::Bytes(drill()?.ply(&mut source()).ok_or("an honest ply is accepted")?))
}
