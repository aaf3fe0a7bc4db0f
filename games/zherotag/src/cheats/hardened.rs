//! Cheats with what the other seat sees, in the hardened grade.

use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::disclosure::Disclosure;
use outis_crypto::group::{Element, mul_generator, random_scalar};
use outis_table::Context;
use outis_table::cheat::Cheat;
use outis_table::game::MadeBy;

use crate::protocol::place::PositionSecret;
use crate::protocol::referee::Told;
use crate::protocol::sight::QUESTIONS;
use crate::protocol::step::Sighted;
use crate::protocol::{Hand, Step, Table};
use crate::rules::{Cell, Direction};

/// Bytes of the tag, and of one answer behind it: `C`, `W`.
const TAG: usize = 32;
const ANSWER: usize = 64;

/// The answers of a step, wherever they stand.
fn answers(step: &mut Step) -> Option<&mut Disclosure> {
    match step {
        Step::Answer(answers) => Some(answers),
        Step::Move(step) => match &mut step.sight {
            Sighted::Hardened(told) => Some(&mut told.1),
            Sighted::Classic(_) => None,
        },
        _ => None,
    }
}

/// Writes other answers into a step.
fn rewrite(mut made: MadeBy<Hand>, change: impl FnOnce(&mut [u8]) -> Option<()>) -> MadeBy<Hand> {
    if let Some(answers) = answers(&mut made.step) {
        let mut bytes = answers.to_bytes();
        if change(&mut bytes).is_some()
            && let Ok(changed) = Disclosure::from_bytes(&bytes, &QUESTIONS)
        {
            *answers = changed;
        }
    }
    made
}

/// Shows the other seat what it would see if this king stood elsewhere.
fn pretend(
    hand: &Hand,
    table: &Table,
    context: &Context,
    mut made: MadeBy<Hand>,
    at: Cell,
    rng: &mut impl Source,
) -> MadeBy<Hand> {
    let elsewhere = table
        .key
        .as_ref()
        .and_then(|key| PositionSecret::fresh(at, &hand.key.as_ref()?.secret, context, rng).encrypt(key));
    let told = elsewhere.zip(hand.key.as_ref()).and_then(|(place, own)| {
        table.sight(hand.seat(), &place)?.issue(&own.secret, context, &mut Challenger::new(context), rng)
    });
    if let (Some(answers), Some(told)) = (answers(&mut made.step), told) {
        *answers = told;
    }
    made
}

pub(super) fn cheats() -> Vec<Cheat<Hand>> {
    vec![
        Cheat {
            name: "hide",
            summary: "answers with garbage, so that the opponent never sees it",
            check: "sight",
            removable: true,
            tamper: |_, _, _, made, rng| {
                rewrite(made, |bytes| {
                    for half in bytes[..TAG + QUESTIONS * ANSWER].chunks_mut(32) {
                        half.copy_from_slice(Element::new(mul_generator(&random_scalar(rng)))?.as_bytes());
                    }
                    Some(())
                })
            },
        },
        Cheat {
            name: "doctored-place",
            summary: "answers truthfully, but about a square where it does not stand",
            check: "sight",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let far = i16::from(table.options.grid) - 1 - hand.standing.cell.x;
                pretend(hand, table, context, made, Cell { x: far, y: hand.standing.cell.y }, rng)
            },
        },
        Cheat {
            name: "steered-answer",
            summary: "opens an answer that should stay closed, so that the opponent sees a king where there is none",
            check: "sight",
            removable: true,
            tamper: |hand, table, _, made, rng| {
                // With r = 0 instead of r' + hash: C = t·G, W = t·B opens to nothing, whatever the condition is.
                let t = random_scalar(rng);
                let viewer = table.seat_key(outis_table::Seat(1 - hand.seat().0)).copied();
                rewrite(made, |bytes| {
                    let at = TAG + Direction::ALL[7].index() * ANSWER;
                    bytes[at..at + 32].copy_from_slice(Element::new(mul_generator(&t))?.as_bytes());
                    bytes[at + 32..at + 64].copy_from_slice(Element::new(viewer?.point() * t)?.as_bytes());
                    Some(())
                })
            },
        },
        Cheat {
            name: "old-answer",
            summary: "repeats the answers of an earlier move",
            check: "repeated",
            removable: false,
            tamper: |hand, table, _, made, _| {
                let other = usize::from(1 - hand.seat().0);
                let old = match &table.told[other] {
                    Some((_, Told::Answers(tag, answers))) => {
                        tag.to_bytes().into_iter().chain(answers.iter().flat_map(Encode::to_bytes)).collect()
                    }
                    _ => Vec::new(),
                };
                rewrite(made, |bytes| {
                    bytes.get_mut(..old.len())?.copy_from_slice(&old);
                    Some(())
                })
            },
        },
    ]
}
