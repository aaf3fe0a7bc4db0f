//! Scripted cheats, each with the check that stops it.

mod classic;

use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::group::Element;
use outis_crypto::key::SeatSecret;
use outis_crypto::secret::SecretScalar;
use outis_crypto::sra;
use outis_table::Context;
use outis_table::cheat::{Cheat, Cheats};
use outis_table::game::{Grade, Made};

use crate::protocol::deal::{AnyDealer, Layers, Said, Secret, Shown};
use crate::protocol::player::Memo;
use crate::protocol::{Hand, Step, Table};
use crate::rules::cards::PACK;
use crate::rules::{Bet, Phase};

/// The deck of a table that deals by layers.
fn layers(table: &Table) -> Option<&Layers> {
    match &table.dealer {
        Some(AnyDealer::Layers(layers)) => Some(layers),
        _ => None,
    }
}

/// An honest layer under a key.
fn cover(layers: &Layers, context: &Context, key: &SeatSecret, rng: &mut impl Source) -> Option<sra::Layer> {
    layers.deck.cover(&layers.commitments, key, &mut Challenger::new(context), rng)
}

/// A layer in which the second card was exchanged for a point of one's own. (Its bytes are key, deck, proof.)
fn own_card(layer: &sra::Layer) -> Option<sra::Layer> {
    let mut bytes = layer.to_bytes();
    bytes[64..96].copy_from_slice(Element::hash("a card of one's own", &[]).as_bytes());
    sra::Layer::from_bytes(&bytes, &PACK).ok()
}

/// A removal that uncovers the last card of the deck in place of the first that was to be uncovered, with the proof of the
/// true one. (Its bytes are points, proof.)
fn other_card(layers: &Layers, context: &Context, secret: &Secret, rng: &mut impl Source) -> Option<sra::Removal> {
    let places = layers.places(context.seat);
    let honest = layers.deck.take_off(secret.key()?, &places, &mut Challenger::new(context), rng)?;
    let inverse = secret.key()?.secret().expose_secret().invert();
    let other = Element::new(layers.deck.point(PACK - 1)?.point() * inverse)?;
    let mut bytes = honest.to_bytes();
    bytes[..32].copy_from_slice(other.as_bytes());
    sra::Removal::from_bytes(&bytes, &places.len()).ok()
}

/// Claims two aces (or five high cards) with the proof of the true ones. (Its bytes are cards, proof.)
fn aces(shown: &sra::Showing, cards: usize) -> Option<sra::Showing> {
    let mut bytes = shown.to_bytes();
    for i in 0..cards {
        let card = (PACK - 1 - i) as u16;
        bytes[2 * i..2 * i + 2].copy_from_slice(&card.to_le_bytes());
    }
    sra::Showing::from_bytes(&bytes, &cards).ok()
}

impl Cheats for Hand {
    fn cheats() -> Vec<Cheat<Self>> {
        hardened().into_iter().chain(classic::cheats()).collect()
    }

    fn grade(name: &str) -> Grade {
        let is_classic = classic::cheats().iter().any(|cheat| cheat.name == name);
        if is_classic { Grade::Classic } else { Grade::Hardened }
    }
}

fn hardened() -> Vec<Cheat<Hand>> {
    vec![
        Cheat {
            name: "old-key",
            summary: "uses the same key in every hand, so that an accomplice recognises cards from earlier hands",
            check: "old-key",
            removable: true,
            tamper: |_, table, context, made, rng| {
                let key = SeatSecret::from_secret(SecretScalar::new((7 + u64::from(context.seat.0)).into()));
                match (&made.step, layers(table), key) {
                    (Step::Deal(Said::Layer(_)), Some(layers), Some(key)) => {
                        let Some(layer) = cover(layers, context, &key, rng) else { return made };
                        let memo = Memo::Key(Box::new(Secret::Key { key, opening: None }));
                        Made { step: Step::Deal(Said::Layer(Box::new(layer))), memo }
                    }
                    _ => made,
                }
            },
        },
        Cheat {
            name: "own-card",
            summary: "shuffles, then puts a card of its own making into the deck",
            check: "shuffle",
            // Whom it hurts depends on where the others' shuffles put it: shown in a test of its own.
            removable: false,
            tamper: |_, _, _, made, _| match &made.step {
                Step::Deal(Said::Layer(layer)) => match own_card(layer) {
                    Some(layer) => Made { step: Step::Deal(Said::Layer(Box::new(layer))), memo: made.memo },
                    None => made,
                },
                _ => made,
            },
        },
        Cheat {
            name: "other-card",
            summary: "deals its neighbour the last card of the deck instead of the right one",
            check: "layer",
            removable: true,
            tamper: |hand, table, context, made, rng| match (&made.step, layers(table), &hand.secret) {
                (Step::Deal(Said::Removal(_)), Some(layers), Some(secret)) if table.public.phase == Phase::Deal => {
                    match other_card(layers, context, secret, rng) {
                        Some(removal) => Made { step: Step::Deal(Said::Removal(Box::new(removal))), memo: made.memo },
                        None => made,
                    }
                }
                _ => made,
            },
        },
        Cheat {
            name: "claims-aces",
            summary: "shows aces that it was never dealt",
            check: "show",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let (Step::Show(_), Some(layers), Some(secret)) = (&made.step, layers(table), &hand.secret) else {
                    return made;
                };
                let places = table.places(hand.seat());
                let shown =
                    secret.key().and_then(|key| layers.deck.show(key, &places, &mut Challenger::new(context), rng));
                match shown.and_then(|shown| aces(&shown, places.len())) {
                    Some(shown) => Made { step: Step::Show(Some(Shown::Layers(Box::new(shown)))), memo: made.memo },
                    None => made,
                }
            },
        },
        Cheat {
            name: "overbet",
            summary: "bets chips that it does not have",
            check: "bet",
            removable: false,
            tamper: |_, _, _, made, _| match &made.step {
                Step::Bet(_) => Made { step: Step::Bet(Bet::To(u32::MAX)), memo: made.memo },
                _ => made,
            },
        },
    ]
}
