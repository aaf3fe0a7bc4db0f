//! Cheats at the document's own dealing. Every deck of a cheat is false, so that it is caught at the first opening.

use outis_crypto::challenger::{Nonces, Purpose, Source};
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::group::{Element, Scalar};
use outis_crypto::key::SeatSecret;
use outis_crypto::secret::SecretScalar;
use outis_crypto::sra::classic::{
    Answer, Draw, FirstDeck, FirstOpening, Offered, Revealed, Role, SecondDeck, SecondOpening, Where,
};
use outis_table::Context;
use outis_table::cheat::Cheat;
use outis_table::game::Made;

use crate::protocol::deal::{AnyDealer, Classic, Said, Secret, Shown};
use crate::protocol::player::Memo;
use crate::protocol::{Hand, Step, Table};
use crate::rules::Phase;
use crate::rules::cards::PACK;

fn classic(table: &Table) -> Option<&Classic> {
    match &table.dealer {
        Some(AnyDealer::Classic(classic)) => Some(classic),
        _ => None,
    }
}

/// First's decks with cards and keys of the cheat's choice.
fn decks(
    context: &Context,
    n: usize,
    cards: impl Fn(u32) -> u32,
    key: impl Fn(usize, &mut Nonces) -> SeatSecret,
    rng: &mut impl Source,
) -> Made<Step, Memo> {
    let mut source = Nonces::hedged(const { Purpose::new("classic cheat") }, context, [], rng);
    let (at, pack) = (Where::of(context), (0..PACK as u32).map(cards).collect::<Vec<_>>());
    let keys: Vec<SeatSecret> = (0..n).map(|deck| key(deck, &mut source)).collect();
    let offered: Vec<FirstDeck> = keys.iter().map(|key| FirstDeck::make(&at, &pack, key, &mut source)).collect();
    let memo = Memo::Key(Box::new(Secret::First(keys)));
    Made { step: Step::Deal(Said::FirstDecks(Offered(offered.into()))), memo }
}

/// Second's decks with the card of first's first place on its own first place, too; under a factor, so that no two points are equal.
fn peeking(offered: &Offered<SecondDeck>, places: (usize, usize)) -> Option<Offered<SecondDeck>> {
    let peek = |deck: &SecondDeck| {
        let mut deck = deck.clone();
        deck.points[places.1] = Element::new(deck.points[places.0].point() * Scalar::from(2u64))?;
        Some(deck)
    };
    offered.0.iter().map(peek).collect::<Option<Vec<_>>>().map(|decks| Offered(decks.into()))
}

/// First's decks with the last bit of each box changed. (A deck's bytes end with its boxes.)
fn broken_boxes(offered: &Offered<FirstDeck>) -> Option<Offered<FirstDeck>> {
    let broken = |deck: &FirstDeck| {
        let mut bytes = deck.to_bytes();
        let each = bytes.len().checked_sub(32 + 64 * PACK)? / PACK;
        bytes[32 + 64 * PACK..].chunks_mut(each).for_each(|locked| locked[each - 1] ^= 1);
        FirstDeck::from_bytes(&bytes, &PACK).ok()
    };
    offered.0.iter().map(broken).collect::<Option<Vec<_>>>().map(|decks| Offered(decks.into()))
}

/// Adds one to the first number of some bytes.
fn plus_one(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let number: [u8; 32] = bytes.get(..32)?.try_into().ok()?;
    let number = Option::<Scalar>::from(Scalar::from_canonical_bytes(number))? + Scalar::from(1u64);
    bytes[..32].copy_from_slice(number.as_bytes());
    Some(bytes)
}

/// A draw that sends the last card of the deck in place of the first that is dealt, with the proof of the true one. (Its bytes are hashes,
/// points, proof.)
fn wrong_card(classic: &Classic, secret: &Secret, draw: &Draw) -> Option<Draw> {
    let (Secret::First(keys), deck) = (secret, classic.deck()?) else { return None };
    let inverse = keys.get(classic.kept()?.0)?.secret().expose_secret().invert();
    let other = Element::new(deck.second().points.get(PACK - 1)?.point() * inverse)?;
    let (asked, dealt) = (classic.asked().len(), classic.dealt().len());
    let mut bytes = draw.to_bytes();
    bytes.get_mut(32 * asked..32 * asked + 32).filter(|_| dealt > 0)?.copy_from_slice(other.as_bytes());
    Draw::from_bytes(&bytes, &(asked, dealt)).ok()
}

/// The last card of the deck, and its nonce, in place of the first that was asked for. (What opens a deck is key, order, nonces.)
fn wrong_answer(classic: &Classic, secret: &Secret, answer: &Answer) -> Option<Answer> {
    let Secret::Second(secrets) = secret else { return None };
    let (deck, bytes) = (classic.deck()?, secrets.get(classic.kept()?.1)?.to_bytes());
    let (from, nonce) = (usize::from(*bytes.get(32 + PACK - 1)?), 32 + PACK + 32 * (PACK - 1));
    let other = (*deck.first().points.get(from)?, bytes.get(nonce..nonce + 32)?.try_into().ok()?);
    let mut answer = answer.clone();
    *answer.0.first_mut()? = other;
    Some(answer)
}

/// Claims the highest cards that nobody has seen, with the nonces of the true ones. (A card comes last in its bytes.)
fn aces(table: &Table, revealed: &Revealed) -> Option<Revealed> {
    let hand = &table.public.hand;
    let seen = |card: &u8| {
        let shown = hand.shown.iter().flatten().flatten().flatten();
        hand.board.iter().chain(shown).any(|known| known.0 == *card)
    };
    let role = if matches!(revealed, Revealed::First(_)) { Role::First } else { Role::Second };
    let (n, mut bytes) = (revealed.cards().len(), revealed.to_bytes());
    let each = bytes.len().checked_div(n)?;
    for (at, card) in (0..PACK as u8).rev().filter(|card| !seen(card)).take(n).enumerate() {
        bytes[each * (at + 1) - 4..each * (at + 1)].copy_from_slice(&u32::from(card).to_le_bytes());
    }
    Revealed::from_bytes(&bytes, &(role, n)).ok()
}

/// Changes what is said while cards are dealt.
fn dealing(made: Made<Step, Memo>, change: impl FnOnce(&Said) -> Option<Said>) -> Made<Step, Memo> {
    match &made.step {
        Step::Deal(said) => match change(said) {
            Some(said) => Made { step: Step::Deal(said), memo: made.memo },
            None => made,
        },
        _ => made,
    }
}

pub(super) fn cheats() -> Vec<Cheat<Hand>> {
    vec![
        Cheat {
            name: "two-aces",
            summary: "puts a second ace of spades into every deck, in place of the two of clubs",
            check: "decks",
            removable: false,
            tamper: |_, _, context, made, rng| match &made.step {
                Step::Deal(Said::FirstDecks(offered)) => {
                    let ace = |card| if card == 0 { PACK as u32 - 1 } else { card };
                    decks(context, offered.0.len(), ace, |_, source| SeatSecret::random(source), rng)
                }
                _ => made,
            },
        },
        Cheat {
            name: "broken-box",
            summary: "locks other cards into the boxes of every deck than those it hashes",
            check: "decks",
            removable: true,
            tamper: |_, _, _, made, _| {
                dealing(made, |said| match said {
                    Said::FirstDecks(offered) => broken_boxes(offered).map(Said::FirstDecks),
                    _ => None,
                })
            },
        },
        Cheat {
            name: "peek",
            summary: "puts a card of the opponent's on its own place, too, to look at it",
            check: "decks",
            removable: false,
            tamper: |hand, table, _, made, _| {
                let other = (0..2).map(outis_table::Seat).find(|seat| *seat != hand.seat());
                let place = |seat| table.places(seat).first().copied();
                let places = other.and_then(place).zip(place(hand.seat()));
                dealing(made, |said| match (said, places) {
                    (Said::SecondDecks(offered), Some(places)) => peeking(offered, places).map(Said::SecondDecks),
                    _ => None,
                })
            },
        },
        Cheat {
            name: "other-key",
            summary: "opens its decks with a key that it did not use",
            check: "decks",
            removable: true,
            tamper: |_, _, _, made, _| {
                dealing(made, |said| match said {
                    Said::FirstOpening(opening) => {
                        let bytes = plus_one(opening.to_bytes())?;
                        FirstOpening::from_bytes(&bytes, &opening.0.len()).ok().map(Said::FirstOpening)
                    }
                    Said::SecondOpening(opening) => {
                        let bytes = plus_one(opening.to_bytes())?;
                        let opening = SecondOpening::from_bytes(&bytes, &(opening.0.len(), PACK)).ok()?;
                        Some(Said::SecondOpening(Box::new(opening)))
                    }
                    _ => None,
                })
            },
        },
        Cheat {
            name: "reused-keys",
            summary: "uses the same keys in every hand",
            check: "old-key",
            removable: true,
            tamper: |_, _, context, made, rng| match &made.step {
                Step::Deal(Said::FirstDecks(offered)) => {
                    let key = |deck: usize, source: &mut Nonces| {
                        let secret = SecretScalar::new((7 + 100 * u64::from(context.seat.0) + deck as u64).into());
                        SeatSecret::from_secret(secret).unwrap_or_else(|| SeatSecret::random(source))
                    };
                    decks(context, offered.0.len(), |card| card, key, rng)
                }
                _ => made,
            },
        },
        Cheat {
            name: "wrong-card",
            summary: "sends the opponent the last card of the deck instead of the right one",
            check: "card",
            removable: true,
            tamper: |hand, table, _, made, _| {
                let known = classic(table).zip(hand.secret.as_ref()).filter(|_| table.public.phase == Phase::Deal);
                dealing(made, |said| match (said, known) {
                    (Said::Draw(draw), Some((classic, secret))) => {
                        wrong_card(classic, secret, draw).map(|draw| Said::Draw(Box::new(draw)))
                    }
                    _ => None,
                })
            },
        },
        Cheat {
            name: "wrong-answer",
            summary: "answers with the last card of the deck instead of the one that was asked for",
            check: "card",
            removable: true,
            tamper: |hand, table, _, made, _| {
                let known = classic(table).zip(hand.secret.as_ref()).filter(|_| table.public.phase == Phase::Deal);
                dealing(made, |said| match (said, known) {
                    (Said::Answer(answer), Some((classic, secret))) => {
                        wrong_answer(classic, secret, answer).map(Said::Answer)
                    }
                    _ => None,
                })
            },
        },
        Cheat {
            name: "shows-aces",
            summary: "shows aces that it was not dealt",
            check: "show",
            removable: true,
            tamper: |_, table, _, made, _| match &made.step {
                Step::Show(Some(Shown::Classic(revealed))) => match aces(table, revealed) {
                    Some(aces) => Made { step: Step::Show(Some(Shown::Classic(aces))), memo: made.memo },
                    None => made,
                },
                _ => made,
            },
        },
    ]
}
