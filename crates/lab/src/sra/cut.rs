//! F3: cut and choose lets a false deck pass one time in `N`, not one in `2^N`. A proof lets none pass.

use outis_crypto::batch::Batch;
use outis_crypto::challenger::{Challenger, Nonces};
use outis_crypto::key::SeatSecret;
use outis_crypto::shuffle::{CommitmentKey, Decks, exponent};
use outis_crypto::sra;
use outis_crypto::sra::classic::{self, FirstDeck, Offered, Where};

use super::{ALICE, BOB, PARTIES, context};
use crate::Version;
use crate::run::{Bars, Outcome, Run, number};

const CARDS: usize = 4;
/// Alice's deck: no card 3, and card 0 twice.
const FALSE: [u32; CARDS] = [0, 0, 1, 2];
const DECKS: usize = 8;
const TRIALS: usize = 160;

pub fn cut(version: Version, source: &mut Nonces) -> Run {
    let run = Run::new("sra-cut", PARTIES);
    match version {
        Version::Published => published(run, source),
        Version::Repaired => repaired(run, source),
    }
}

/// One cut and choose with a false deck at place 0: the deck that Bob keeps, and whether the opened ones are in order.
fn once(source: &mut Nonces) -> (Offered<FirstDeck>, usize, bool) {
    let at = Where::of(&context(ALICE, 0));
    let (mut secrets, decks) = classic::shuffle_first(&context(ALICE, 0), CARDS, DECKS, source);
    let mut decks = decks.0.to_vec();
    secrets[0] = SeatSecret::random(source);
    decks[0] = FirstDeck::make(&at, &FALSE, &secrets[0], source);
    let offered = Offered(decks.into());
    let kept = classic::choose(&context(BOB, 1), &offered, source);
    let opening = classic::open_first(&secrets, kept).expect("one of the decks was chosen");
    let passes = offered.is_opened(&at, kept, &opening);
    (offered, kept, passes)
}

fn published(mut run: Run, source: &mut Nonces) -> Run {
    let (offered, kept, passes) = once(source);
    run.sends(ALICE, BOB, "decks")
        .with("n", number(DECKS))
        .shows("false-deck", &offered.0[0])
        .learns(ALICE, "decks-alice")
        .learns(BOB, "decks-bob");
    run.sends(BOB, ALICE, "choose").with("kept", number(kept + 1));
    run.sends(ALICE, BOB, "open").learns(BOB, if passes { "open-passes" } else { "open-caught" });
    let passed = (0..TRIALS).filter(|_| once(source).2).count();
    let step = run
        .works(ALICE, "again")
        .with("trials", number(TRIALS))
        .with("passed", number(passed))
        .with("n", number(DECKS));
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    step.bars = Some(Bars {
        bars: vec![("1/8".to_owned(), count(passed)), ("7/8".to_owned(), count(TRIALS - passed))],
        expected: TRIALS as f64 / DECKS as f64,
    });
    run.ends(Outcome::of_attack(passed > 0))
}

fn repaired(mut run: Run, source: &mut Nonces) -> Run {
    let faces = sra::faces(&context(ALICE, 0).table, 0, CARDS + 1);
    // A card of the pack is replaced by one that is not in it. (Two equal cards could not even be written down.)
    let (faces, other) = faces.as_slice().split_at(CARDS);
    let held = [&faces[1..], other].concat();
    let (secret, commitments) = (SeatSecret::random(source), CommitmentKey::new(CARDS));
    let (output, order) = exponent::shuffle(&secret, &held, source).expect("no face is the identity");
    let decks = Decks { input: faces, output: &output };
    let context = context(ALICE, 0);
    let proof = exponent::prove(&commitments, &secret, decks, &order, &mut Challenger::new(&context), source);
    let accepted = proof.is_some_and(|proof| {
        run.sends(ALICE, BOB, "proof")
            .shows("false-deck", &output[..])
            .shows("proof", &proof)
            .learns(ALICE, "decks-alice");
        let mut batch = Batch::new();
        exponent::verify(
            &commitments,
            secret.key(),
            Decks { input: faces, output: &output },
            &proof,
            &mut Challenger::new(&context),
            &mut batch,
        )
        .is_ok()
            && batch.settle().is_ok()
    });
    run.works(BOB, "verify").learns(BOB, if accepted { "verify-accepted" } else { "verify-refused" });
    run.ends(Outcome::of_attack(accepted))
}
