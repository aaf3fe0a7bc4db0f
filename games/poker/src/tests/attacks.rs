//! Attacks of a single seat that no scripted cheat covers: dealing by shares, cards exchanged among places, two things said.

use outis_crypto::codec::{Decode, Encode};
use outis_crypto::key::SeatSecret;
use outis_crypto::secret::SecretScalar;
use outis_crypto::{deck, sra};

use super::*;
use crate::protocol::deal::{Said, Secret};

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
        .rig(Seat(1), |_, _, context, made, rng| {
            let (Step::Deal(Said::Commit(_)), Some(key)) =
                (&made.step, SeatSecret::from_secret(SecretScalar::new(7u64.into())))
            else {
                return made;
            };
            let (commitment, opening) = key.commit(&Place::of(context), rng);
            let memo = Memo::Key(Box::new(Secret { key, opening: Some(opening) }));
            Made { step: Step::Deal(Said::Commit(commitment)), memo }
        })
        .play();
    suite::convicted(&outcome, Seat(1), &["old-key"], "the same key twice");
}

#[test]
fn cards_exchanged_between_two_places_are_refused() {
    // The shares of two cards of a rival, or the layers of two, the wrong way round: each is a true card of the deck.
    for options in [SHARES, SHORT] {
        let outcome = World::<Hand>::new(&options, 2, 1)
            .rig(Seat(0), |_, _, _, made, _| match &made.step {
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
            .rig(Seat(1), |_, _, _, made, _| match &made.step {
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
