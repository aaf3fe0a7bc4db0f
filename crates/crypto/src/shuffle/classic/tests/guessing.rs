//! The interactive form, and the one strategy that a cheater has: to guess the coin.

use super::interactive::{AwaitingOpenings, cast};
use super::*;
use crate::coin::{AwaitingCommitments, Coin, Toss};
use crate::context::SeatSet;
use crate::shuffle::Decks;

const SEATS: [Seat; 3] = [Seat(0), Seat(1), Seat(2)];

const OPENING: Context = Context { head: Head([10; 32]), ..CONTEXT };

fn toss(toss: &Toss, seats: &[Seat], rng: &mut ChaCha20Rng) -> Coin {
    let mut table = AwaitingCommitments::new(*toss).unwrap();
    let mut kept = Vec::new();
    for seat in seats {
        let (contribution, commitment) = toss.contribute(*seat, rng);
        table.accept(*seat, commitment).unwrap();
        kept.push((*seat, contribution));
    }
    let mut table = table.all_in().unwrap();
    for (seat, contribution) in kept {
        let reveal = contribution.reveal(&table).unwrap();
        table.accept(seat, &reveal).unwrap();
    }
    table.all_in().unwrap()
}

fn holds<const ROUNDS: usize>(table: &AwaitingOpenings<ROUNDS>, coin: &Coin, openings: &Openings<ROUNDS>) -> bool {
    let mut batch = Batch::new();
    table.accept(coin, openings, &mut Challenger::new(&OPENING), &mut batch).unwrap();
    batch.settle().is_ok()
}

/// Shadows for guessed bits, and the ways that open them: from the false output where the guess is 1, from the input
/// where it is 0. Right guesses are opened truthfully.
fn prepare<const ROUNDS: usize>(bench: &mut Bench, guess: &[bool]) -> (Shadows<ROUNDS>, Openings<ROUNDS>) {
    let mut decks = Vec::new();
    let mut ways = Vec::new();
    for bit in guess {
        let deck = if *bit { &bench.output.0 } else { &bench.input.0 };
        let (shadow, way) = reencrypt::shuffle(&bench.key, deck, &mut bench.rng).unwrap();
        decks.push(shadow);
        ways.push(way);
    }
    let openings = Openings::answer(&vec![true; guess.len()], ways, &bench.secret);
    (Shadows::new(decks).unwrap(), openings)
}

/// A table at which the shuffler has put a card of its own into the deck.
fn cheated(seed: u64) -> Bench {
    let mut bench = Bench::new(2, seed);
    bench.output.0[0] = crate::deck::create(&bench.key, &Faces::new("other", 1), 0, &mut bench.rng).unwrap().code;
    bench
}

#[test]
fn three_messages_prove_an_honest_shuffle() {
    let mut bench = Bench::new(5, 1);
    let decks = Decks { input: &bench.input.0, output: &bench.output.0 };
    let (shuffler, shadows) = cast::<40>(&bench.key, decks, &bench.secret, &CONTEXT, &mut bench.rng).unwrap();
    let shadows = Shadows::<40>::from_bytes(&shadows.to_bytes(), &5).unwrap();
    let table = AwaitingOpenings::new(&bench.key, decks, shadows, &CONTEXT).unwrap();
    assert_eq!(table.toss(), shuffler.toss());
    let coin = toss(table.toss(), &SEATS, &mut bench.rng);
    let openings = shuffler.open(&coin, &mut Challenger::new(&OPENING)).unwrap();
    assert_eq!(openings.to_bytes().len(), Openings::<40>::bytes(5));
    let openings = Openings::<40>::from_bytes(&openings.to_bytes(), &5).unwrap();
    assert!(holds(&table, &coin, &openings));
    // The same openings do not answer another coin.
    let other = toss(table.toss(), &SEATS, &mut bench.rng);
    assert!(!holds(&table, &other, &openings));
    // Nor do other openings answer this one.
    for (round, k) in [(0, 0), (39, 4)] {
        let mut wrong = openings.clone();
        wrong.openings[round].masks[k] += Scalar::ONE;
        assert!(!holds(&table, &coin, &wrong));
        let mut wrong = openings.clone();
        wrong.openings[round].order.swap(k, 2);
        assert!(!holds(&table, &coin, &wrong));
    }
    let mut short = openings.clone();
    short.openings.pop();
    let refused = table.accept(&coin, &short, &mut Challenger::new(&OPENING), &mut Batch::new()).unwrap_err();
    assert_eq!(refused.why, "the openings have another shape than the shadows");
    let mut elsewhere = Challenger::new(&Context { seat: Seat(2), ..OPENING });
    let refused = table.accept(&coin, &openings, &mut elsewhere, &mut Batch::new()).unwrap_err();
    assert_eq!(refused.why, "another seat opens than the one that cast the shadows");
}

/// TK-20: a cheater survives `s` rounds with probability `2⁻ˢ`. With three rounds it is right one time in eight, and
/// exactly then; 4 standard deviations.
#[test]
fn a_cheater_who_guesses_survives_as_often_as_the_bound_says() {
    let mut bench = cheated(2);
    let trials = 640;
    let mut survived = 0;
    for trial in 0..trials {
        let guess: Vec<bool> = (0..3).map(|i| trial >> i & 1 == 1).collect();
        let (shadows, openings) = prepare::<3>(&mut bench, &guess);
        let decks = Decks { input: &bench.input.0, output: &bench.output.0 };
        let table = AwaitingOpenings::new(&bench.key, decks, shadows, &CONTEXT).unwrap();
        let coin = toss(table.toss(), &SEATS, &mut bench.rng);
        let survives = holds(&table, &coin, &openings);
        assert_eq!(survives, coin.bits(3) == guess);
        survived += u32::from(survives);
    }
    let (mean, deviation) = (f64::from(trials) / 8.0, (f64::from(trials) * 7.0 / 64.0).sqrt());
    assert!((f64::from(survived) - mean).abs() < 4.0 * deviation, "{survived} of {trials}");
    assert_eq!(Shadows::<3>::SOUNDNESS_BITS, 3);
}

/// TK-23: bits from a hash are no coin: a cheater tries shadows until the bits are those that it guessed, alone and
/// unseen. Six rounds cost it some sixty tries; this is why fewer than 128 do not compile.
#[test]
fn a_cheater_grinds_through_few_rounds_of_a_non_interactive_proof() {
    let mut bench = cheated(7);
    let guess = [true, false, true, true, false, false];
    for tries in 1.. {
        assert!(tries < 1_000);
        let (shadows, openings) = prepare::<6>(&mut bench, &guess);
        let decks = Decks { input: &bench.input.0, output: &bench.output.0 };
        let mut challenger = Challenger::new(&CONTEXT);
        let mut opened = challenger.open(&claim::<6>(bench.key.element(), decks));
        opened.message("shadows", &shadows);
        let bits = opened.challenge_bits("bits", 6);
        if bits == guess {
            let mut batch = Batch::new();
            let seal = opened.close(&openings);
            batch.claim(seal, equations(bench.key.element(), decks, &bits, &shadows, &openings));
            assert!(batch.settle().is_ok());
            break;
        }
    }
}

/// S-14: who knows the bits beforehand proves anything, in any number of rounds. Therefore a coin is about the shadows:
/// one that was tossed earlier, or for other shadows, does not serve.
#[test]
fn a_coin_that_was_known_before_the_shadows_is_refused() {
    let mut bench = cheated(3);
    let early = Toss {
        purpose: "classic-shuffle",
        table: CONTEXT.table,
        deal: CONTEXT.deal,
        subject: [0; 32],
        seats: SeatSet::new(&SEATS).unwrap(),
    };
    let coin = toss(&early, &SEATS, &mut bench.rng);
    let bits = coin.bits(40);
    let (shadows, openings) = prepare::<40>(&mut bench, &bits);
    let decks = Decks { input: &bench.input.0, output: &bench.output.0 };
    // Every opening is true of these bits: with a challenge known in advance a false shuffle passes.
    let mut batch = Batch::new();
    let seal = Challenger::new(&OPENING).open(&claim::<40>(bench.key.element(), decks)).close(&openings);
    batch.claim(seal, equations(bench.key.element(), decks, &bits, &shadows, &openings));
    assert!(batch.settle().is_ok());
    // The table asks what the coin was tossed for.
    let table = AwaitingOpenings::new(&bench.key, decks, shadows, &CONTEXT).unwrap();
    let refused = table.accept(&coin, &openings, &mut Challenger::new(&OPENING), &mut Batch::new()).unwrap_err();
    assert_eq!(refused.why, "the coin was tossed for something else");
}

/// S-14: the shuffler and one verifier toss among themselves, as often as it takes.
#[test]
fn a_coin_without_every_seat_is_refused() {
    let mut bench = cheated(4);
    let guess = [true, false, true];
    let (shadows, openings) = prepare::<3>(&mut bench, &guess);
    let decks = Decks { input: &bench.input.0, output: &bench.output.0 };
    let table = AwaitingOpenings::new(&bench.key, decks, shadows, &CONTEXT).unwrap();
    let coin = loop {
        let among = Toss { seats: SeatSet::new(&SEATS[1..]).unwrap(), ..*table.toss() };
        let coin = toss(&among, &SEATS[1..], &mut bench.rng);
        if coin.bits(3) == guess {
            break coin;
        }
    };
    let refused = table.accept(&coin, &openings, &mut Challenger::new(&OPENING), &mut Batch::new()).unwrap_err();
    assert_eq!(refused.why, "the coin was tossed for something else");
}

#[test]
fn the_shuffler_opens_nothing_for_a_foreign_coin_and_the_coin_is_bound_to_place_and_shadows() {
    let mut bench = Bench::new(2, 5);
    let decks = Decks { input: &bench.input.0, output: &bench.output.0 };
    let (shuffler, shadows) = cast::<8>(&bench.key, decks, &bench.secret, &CONTEXT, &mut bench.rng).unwrap();
    let (_, others) = cast::<8>(&bench.key, decks, &bench.secret, &CONTEXT, &mut bench.rng).unwrap();
    let toss_of = |shadows: &Shadows<8>, context: &Context| {
        *AwaitingOpenings::new(&bench.key, decks, shadows.clone(), context).unwrap().toss()
    };
    let own = *shuffler.toss();
    assert_eq!(toss_of(&shadows, &CONTEXT), own);
    assert_ne!(toss_of(&others, &CONTEXT), own);
    assert_ne!(toss_of(&shadows, &Context { seat: Seat(2), ..CONTEXT }), own);
    assert_ne!(toss_of(&shadows, &Context { head: Head([1; 32]), ..CONTEXT }), own);
    assert_ne!(toss_of(&shadows, &Context { table: TableId([1; 32]), ..CONTEXT }), own);
    let foreign = toss(&toss_of(&others, &CONTEXT), &SEATS, &mut bench.rng);
    assert!(shuffler.open(&foreign, &mut Challenger::new(&OPENING)).is_none());
}

#[test]
fn interactive_claims_out_of_order_are_refused() {
    let mut bench = Bench::new(3, 6);
    let decks = Decks { input: &bench.input.0, output: &bench.output.0 };
    let (_, shadows) = cast::<2>(&bench.key, decks, &bench.secret, &CONTEXT, &mut bench.rng).unwrap();
    let refuse =
        |decks: Decks<'_>| AwaitingOpenings::new(&bench.key, decks, shadows.clone(), &CONTEXT).unwrap_err().why;
    assert_eq!(refuse(Decks { input: &[], output: &[] }), "an empty deck proves nothing");
    assert_eq!(
        refuse(Decks { output: &decks.output[..2], ..decks }),
        "the deck has another number of cards than before"
    );
    assert_eq!(
        refuse(Decks { input: &decks.input[..2], output: &decks.output[..2] }),
        "the shadows have another number of cards"
    );
    let twice = [decks.output[0], decks.output[0], decks.output[1]];
    assert_eq!(refuse(Decks { output: &twice, ..decks }), "two codes of the deck are the same");
    assert!(
        cast::<2>(&bench.key, Decks { input: &[], output: &[] }, &bench.secret, &CONTEXT, &mut bench.rng).is_none()
    );
}
