//! A QUERY of classic dark chess from the start position, with a modulus of 2048 bits: the seals, all questions, all answers.

use std::hint::black_box;

use outis_crypto::andos::{PLAY, PLAY_HALF, Packing, SemiHonestSecret};
use outis_crypto::codec::{Decode, Encode};
use outis_dark_chess::classic::{Announced, Asker, Budget, Lists, secrets::SHAPE};
use outis_dark_chess::rules::board::Color;
use outis_dark_chess::rules::side::Side;

use super::Work;
use super::baseline::Baseline;
use super::source;
use crate::exit::Failure;

type Secret = SemiHonestSecret<PLAY, PLAY_HALF>;

fn secret() -> Secret {
    Secret::random(&mut source())
}

fn budget(questions: usize) -> Result<Budget, Failure> {
    let budgets = [Budget::Document, Budget::Bound];
    let found = budgets.into_iter().find(|budget| budget.total(&Announced::START) == questions);
    Ok(found.ok_or("no such number of questions")?)
}

/// Runs both sides of a QUERY, decoding what each receives; returns the number of bytes sent.
fn query(secret: &Secret, budget: Budget, packing: Packing) -> Option<usize> {
    let rng = &mut source();
    let lists = Lists::seal(secret, Color::Black, &Side::start(Color::Black), rng).ok()?.to_bytes();
    let mut sent = lists.len();
    let lists = Lists::from_bytes(&lists, secret.key()).ok()?;
    let form = outis_crypto::andos::Form { key: *secret.key(), shape: SHAPE, packing };
    let mut asker = Asker::new(Color::White, &Side::start(Color::White), budget);
    while !asker.is_done() {
        let (packets, queries) = asker.ask(secret.key(), &lists, packing, rng).ok()?;
        let mut answers = Vec::with_capacity(packets.len());
        for packet in packets {
            let bytes = packet.to_bytes();
            let packet = outis_crypto::andos::SemiHonestPacket::from_bytes(&bytes, &form).ok()?;
            answers.push(secret.answer(&packet, SHAPE).ok()?);
            sent += bytes.len() + 1;
        }
        asker.hear(&queries, &answers).ok()?;
    }
    black_box(asker.view());
    Some(sent)
}

fn time(questions: usize, packing: Packing) -> Result<Work, Failure> {
    let (budget, secret) = (budget(questions)?, secret());
    let run = move || assert!(query(&secret, budget, packing).is_some(), "an honest QUERY is answered");
    Ok(Work::Time { run: Box::new(run), per_run: 1, floor: Some(Baseline::unit()) })
}

fn bytes(questions: usize, packing: Packing) -> Result<Work, Failure> {
    let secret = secret();
    let sent = query(&secret, budget(questions)?, packing).ok_or("an honest QUERY is answered")?;
    Ok(Work::Bytes(sent))
}

/// `darkchess.query.full`: with whole packets, as published.
pub fn full(questions: usize) -> Result<Work, Failure> {
    time(questions, Packing::Full)
}

/// Its bytes, both ways.
pub fn full_bytes(questions: usize) -> Result<Work, Failure> {
    bytes(questions, Packing::Full)
}

/// `darkchess.query.compact`: with only the seals that are asked for.
pub fn compact(questions: usize) -> Result<Work, Failure> {
    time(questions, Packing::Compact)
}

/// Its bytes, both ways.
pub fn compact_bytes(questions: usize) -> Result<Work, Failure> {
    bytes(questions, Packing::Compact)
}
