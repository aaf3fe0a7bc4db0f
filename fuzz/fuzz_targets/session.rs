//! A session that gets the messages of a finished game: in any order, damaged, again and again. No panic, and nobody is
//! blamed, because nobody signed anything wrong.
#![no_main]

use libfuzzer_sys::fuzz_target;
use outis_fuzz::mutate::{damage, take};
use outis_fuzz::table::{recorded, sit};
use outis_matching_pennies::protocol::Hand;
use outis_matching_pennies::rules::Side;
use outis_table::Seat;
use outis_table::session::{Input, Output, Session, What};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fuzz_target!(|input: &[u8]| {
    let mut input = input;
    let rng = &mut ChaCha20Rng::seed_from_u64(1);
    let mut session = sit(rng);
    drain(&mut session, 0, rng);
    let mut now = 0;
    for _ in 0..64 {
        if input.is_empty() {
            break;
        }
        let [kind, which, later, length] = take(&mut input);
        now += u64::from(later) * 10;
        match kind % 8 {
            0 => give(&mut session, now, What::Tick, rng),
            1 => give(&mut session, now, What::Act(Side::Heads), rng),
            _ => {
                let frames = &recorded().frames;
                let mut frame = frames[usize::from(which) % frames.len()].clone();
                let (program, rest) = input.split_at(usize::from(length % 32).min(input.len()));
                damage(&mut frame, program);
                input = rest;
                // From the other seat, from oneself, or from nowhere.
                let from = Seat(if kind & 0x80 == 0 { 1 } else { which % 4 });
                give(&mut session, now, What::Receive(from, &frame), rng);
            }
        }
        let blamed = session.report().is_some_and(|report| report.provable().is_some());
        assert!(!blamed, "an innocent seat is blamed: {:?}", session.report());
    }
});

fn give(session: &mut Session<Hand>, now: u64, what: What<'_, Hand>, rng: &mut ChaCha20Rng) {
    // An action out of turn is refused; that is part of the fuzzing.
    let _ = session.handle(Input { now, what }, rng);
    drain(session, now, rng);
}

fn drain(session: &mut Session<Hand>, now: u64, rng: &mut ChaCha20Rng) {
    loop {
        match session.poll() {
            Output::Compute(job) => {
                let done = job.run();
                drain(session, now, rng);
                return give(session, now, What::Done(done), rng);
            }
            Output::Idle(_) => return,
            _ => {}
        }
    }
}
