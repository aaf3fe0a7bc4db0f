//! Attacks of a single seat that no scripted cheat covers: dealing by shares, cards exchanged among places, two things said.

use outis_crypto::codec::{Decode, Encode};
use outis_crypto::key::SeatSecret;
use outis_crypto::secret::SecretScalar;
use outis_crypto::{deck, sra};
use outis_table::audit::{Verdict, audit};
use outis_table::claim::Silence;
use outis_table::denial::{claims, deniers};
use outis_table::export::{Record, header, read};
use outis_table::keys::KeyStep;
use outis_testkit::people::identity;

use super::*;
use crate::protocol::deal::{Said, Secret};
use crate::rules::record::Record as Played;

/// Exchanges the first two of some parts of equal length.
fn swapped(mut bytes: Vec<u8>, length: usize) -> Vec<u8> {
    let (first, second) = bytes[..2 * length].split_at_mut(length);
    first.swap_with_slice(second);
    bytes
}

fn swapped_shares(shares: &deck::Shares, cards: usize) -> Option<Box<deck::Shares>> {
    deck::Shares::from_bytes(&swapped(shares.to_bytes(), 32), &cards).ok().map(Box::new)
}

/// How many elements are in bytes that end with the proof of equal exponents.
fn elements(bytes: usize) -> usize {
    (bytes - 96) / 32
}

#[test]
fn by_shares_a_key_of_an_earlier_hand_is_refused() {
    let outcome = World::<Hand>::new(&SHARES, 2, 1)
        .tamper(Seat(1), |_, _, context, made, rng| {
            let (Step::Deal(Said::Key(KeyStep::Commit(_))), Some(key)) =
                (&made.step, SeatSecret::from_secret(SecretScalar::new(7u64.into())))
            else {
                return made;
            };
            let (commitment, opening) = key.commit(&Place::of(context), rng);
            let memo = Memo::Key(Box::new(Secret::Key { key, opening: Some(opening) }));
            Made { step: Step::Deal(Said::Key(KeyStep::Commit(commitment))), memo }
        })
        .play();
    suite::convicted(&outcome, Seat(1), &["old-key"], "the same key twice");
}

#[test]
fn cards_exchanged_between_two_places_are_refused() {
    // The shares of two cards of a rival, or the layers of two, the wrong way round: each is a true card of the deck.
    for options in [SHARES, SHORT] {
        let outcome = World::<Hand>::new(&options, 2, 1)
            .tamper(Seat(0), |_, _, _, made, _| match &made.step {
                Step::Deal(Said::Shares(shares)) => {
                    let changed = swapped_shares(shares, elements(shares.to_bytes().len()));
                    Made { step: Step::Deal(Said::Shares(changed.unwrap())), memo: made.memo }
                }
                Step::Deal(Said::Removal(removal)) => {
                    let bytes = swapped(removal.to_bytes(), 32);
                    let changed = sra::Removal::from_bytes(&bytes, &elements(bytes.len())).unwrap();
                    Made { step: Step::Deal(Said::Removal(Box::new(changed))), memo: made.memo }
                }
                _ => made,
            })
            .play();
        suite::convicted(&outcome, Seat(0), &["layer"], "two cards exchanged");
    }
}

#[test]
fn own_cards_shown_the_wrong_way_round_are_refused() {
    for options in [SHARES, SHORT] {
        let outcome = World::<Hand>::new(&Options { hands: 6, ..options }, 2, 3)
            .tamper(Seat(1), |_, _, _, made, _| match &made.step {
                Step::Show(Some(Shown::Shares(shares))) => {
                    let changed = swapped_shares(shares, 2).map(Shown::Shares);
                    Made { step: Step::Show(changed), memo: made.memo }
                }
                Step::Show(Some(Shown::Layers(shown))) => {
                    let bytes = swapped(shown.to_bytes(), 2);
                    let changed = sra::Showing::from_bytes(&bytes, &2).ok().map(Box::new);
                    Made { step: Step::Show(changed.map(Shown::Layers)), memo: made.memo }
                }
                _ => made,
            })
            .play();
        suite::convicted(&outcome, Seat(1), &["show"], "the wrong way round");
    }
}

#[test]
fn po_8_two_things_said_in_a_round_without_an_echo_convict() {
    // The last seat takes its layer off the board first, the first seat last; both also bet and show.
    suite::equivocations::<Hand>(&Options { hands: 1, ..SHORT }, 3, 1, Seat(2));
}

/// The log of seat 1 as it forges it: it ends before the word of seat 2 in a round, which it says it never got.
fn false_claim(log: &[u8], seed: u64, round: u32) -> (Vec<u8>, Silence) {
    let (offer, records) = read(log).unwrap();
    let (mut file, mut prev) = (header(&offer), None);
    for record in records.map(Result::unwrap) {
        if let Record::Entry(entry) = &record
            && entry.place() == (outis_table::entry::Place { round, seat: Seat(2) })
        {
            prev = Some(entry.prev());
            break;
        }
        record.encode(&mut file);
    }
    let prev = prev.expect("seat 2 speaks in this round");
    let silent = Seats::one(Seat(2));
    let claim = Silence::dangerously_sign(&identity(seed, Seat(1)), offer.id(), Seat(1), round, prev, silent);
    Record::Silence(claim.clone()).encode(&mut file);
    (file, claim)
}

#[test]
fn a_false_claim_of_silence_is_denied_by_everybody_else() {
    // Everyone checks and calls. Rounds: 1 to sit, 3 shuffles, an echo, 2 to uncover, 3 bets, an echo, 3 for the board; then
    // seats 1, 2 and 0 bet in rounds 14 to 16. Seat 1 does not like the board and stops after its bet.
    let options = Options { hands: 1, ..SHORT };
    let outcome = World::<Hand>::new(&options, 3, 5).script(|_| 0).wire(Seat(1), Wire::Omit, 16).play();
    let seats = Seats::one(Seat(2));
    let (log, claim) = false_claim(&outcome.logs[0], 5, 15);
    // To a spectator who has nothing else this log is as good as any: silence cannot be proved, nor disproved.
    let audited = audit::<Table>(&log).unwrap();
    assert_eq!((audited.verdict, audited.claims.len()), (Verdict::Unfinished { waiting_for: seats }, 1));
    assert!(audited.scores.unwrap()[2] < 0);
    // But the logs of both others have that word, and both signed what came after it; nobody signed that it was missing.
    for other in [0, 2] {
        assert_eq!(deniers(&claim, &outcome.logs[other]).unwrap(), Seats::all(3).without(Seats::one(Seat(1))));
        let scores = audit::<Table>(&outcome.logs[other]).unwrap().scores.unwrap();
        assert!(scores[1] < 0 && scores[2] >= 0, "seat 1 pays in every log but its own: {scores:?}");
    }
    // The true claim of the others is denied by nobody, and a claim is no denial of itself.
    for claim in claims(&outcome.logs[0]).unwrap() {
        assert!([&log, &outcome.logs[0], &outcome.logs[2]].iter().all(|log| deniers(&claim, log).unwrap().is_empty()));
    }
    assert!(deniers(&claim, &log).unwrap().is_empty());
    // Of an earlier word even its own later signature says that it was there.
    let (_, early) = false_claim(&outcome.logs[0], 5, 9);
    assert_eq!(deniers(&early, &outcome.logs[0]).unwrap(), Seats::all(3));
}

#[test]
fn pd_1_who_is_out_may_leave() {
    // Blind and ante take half of what everyone has, so that someone is out after a few hands. Nobody waits for it.
    let options = Options { hands: 5, stack: 60, blind: 20, ante: 10, ..SHORT };
    let mut left = 0;
    for seed in 0..20 {
        let outcome = World::<Hand>::new(&options, 3, seed).script(|_| 0).play();
        let trial = audit::<Table>(&outcome.logs[0]).unwrap().trial;
        let past = &trial.referee().unwrap().public.past;
        let broke = |hand: &Played| hand.after.iter().position(|chips| *chips == 0);
        let Some((hand, out)) = past.iter().enumerate().find_map(|(n, hand)| Some((n, broke(hand)?))) else { continue };
        // The round before the next hand: from there on the seat says nothing.
        let mut ready = (0..trial.round()).filter(|round| trial.what_of(*round) == Some("ready"));
        let (Some(round), out) = (ready.nth(hand), Seat(out as u8)) else { continue };
        let again = World::<Hand>::new(&options, 3, seed).script(|_| 0).wire(out, Wire::Omit, round).play();
        for seat in Seats::all(3).without(Seats::one(out)).iter().map(|seat| usize::from(seat.0)) {
            let (report, before) = (again.reports[seat].as_ref().unwrap(), outcome.reports[seat].as_ref().unwrap());
            assert_eq!((&report.end, &report.scores), (&End::Finished, &before.scores), "seed {seed}, seat {seat}");
            assert_eq!((report.rounds, report.unsigned), (before.rounds - 1, Seats::one(out)), "but for its signature");
        }
        left += 1;
        if left == 2 {
            return;
        }
    }
    panic!("nobody was out while others went on");
}
