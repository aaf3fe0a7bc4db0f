//! Cheats with keys, decks and hands.

use outis_crypto::card::{Code, Codes, OwnCard};
use outis_crypto::challenger::Challenger;
use outis_crypto::challenger::Nonces;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::commit::{Commitment, Place};
use outis_crypto::deck::{create, share};
use outis_crypto::group::Element;
use outis_crypto::key::{JointKey, KeyReveal, SeatSecret};
use outis_crypto::shuffle::recreate::Hands;
use outis_crypto::shuffle::{Decks, recreate, reencrypt};
use outis_table::Context;
use outis_table::cheat::Cheat;
use outis_table::game::Made;
use outis_table::keys::cheats::{KeepsKey, late_key, old_key};
use outis_table::keys::{KeyStep, OwnKey};

use crate::protocol::deal::places;
use crate::protocol::evidence::divide;
use crate::protocol::grade::MakeProof;
use crate::protocol::player::{MadeStep, Memo, secrets};
use crate::protocol::referee::Awaiting;
use crate::protocol::{Hand, Step, Table};
use crate::rules::cards::Card;

impl KeepsKey for Hand {
    fn own_key(&self) -> Option<&OwnKey> {
        self.key.as_ref()
    }

    fn key_step(step: &Step) -> Option<&KeyStep> {
        if let Step::Key(step) = step { Some(step) } else { None }
    }

    fn made(step: KeyStep, own: OwnKey) -> MadeStep {
        Made { step: Step::Key(step), memo: Memo { key: Some(own), ..Memo::default() } }
    }
}

pub(super) fn cheats() -> Vec<Cheat<Hand>> {
    vec![
        late_key(),
        Cheat {
            name: "rogue-key",
            summary: "commits to and reveals a key made to cancel the others out, without knowing its secret",
            check: "key",
            removable: true,
            tamper: |hand, _, context, made, rng| match (&made.step, &hand.key) {
                (Step::Key(KeyStep::Commit(_)), _) => {
                    let secret = SeatSecret::random(rng);
                    let (commitment, opening) = Commitment::new("key", &Place::of(context), rogue().as_bytes(), rng);
                    Hand::made(KeyStep::Commit(commitment), OwnKey { secret, opening })
                }
                (Step::Key(KeyStep::Reveal(reveal)), Some(_)) => {
                    // Its own proof of possession, under the key that is not its own.
                    let mut bytes = reveal.to_bytes();
                    bytes[..32].copy_from_slice(rogue().as_bytes());
                    let reveal = KeyReveal::from_bytes(&bytes, &()).ok();
                    instead(made, reveal.map(|reveal| plain(Step::Key(KeyStep::Reveal(Box::new(reveal))))))
                }
                _ => made,
            },
        },
        old_key(),
        Cheat {
            name: "second-skiz",
            summary: "shuffles honestly, then puts a fresh encryption of the skíz where its own hand will be",
            check: "shuffle",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let step = second_skiz(hand, table, context, rng);
                instead(made, step.map(plain))
            },
        },
        Cheat {
            name: "false-share",
            summary: "gives shares made with a different key, so that the others cannot read their cards",
            check: "share",
            removable: true,
            tamper: |hand, table, context, made, rng| match (&made.step, &table.awaiting) {
                (Step::Draw(_), Awaiting::Shares(..)) => {
                    let step = false_shares(hand, table, context, rng);
                    instead(made, step.map(plain))
                }
                _ => made,
            },
        },
        Cheat {
            name: "false-talon",
            summary: "gives talon shares made with a different key, so that the others cannot read what they take",
            check: "share",
            removable: true,
            tamper: |hand, table, context, made, rng| match (&made.step, &table.awaiting) {
                (Step::Draw(_), Awaiting::Game(_)) => {
                    let step = false_shares(hand, table, context, rng);
                    instead(made, step.map(plain))
                }
                _ => made,
            },
        },
        Cheat {
            name: "invented-hand",
            summary: "seals the nine cards that it would like to have",
            check: "hand",
            removable: true,
            tamper: |hand, table, context, made, rng| match (&made.step, &table.awaiting) {
                (Step::Hand(..), Awaiting::Hands(key, _, drawn)) => {
                    let drawn = table.player(hand.seat()).map(|player| &drawn[player.index()][..]);
                    let wish = drawn.and_then(|drawn| wish(&[], drawn, key, hand, table, context, rng));
                    wish.map_or(made, |(cards, codes, proof)| {
                        let memo = Memo { hand: Some(secrets(&cards)), ..Memo::default() };
                        Made { step: Step::Hand(codes, proof), memo }
                    })
                }
                _ => made,
            },
        },
        Cheat {
            name: "swapped-talon",
            summary: "takes up different cards from those that the talon gave it",
            check: "talon",
            removable: true,
            tamper: |hand, table, context, made, rng| match (&made.step, &table.awaiting) {
                (Step::Discard(Some(_), places), Awaiting::Game(deal)) => {
                    let drawn = table.player(hand.seat()).zip(deal.drawn.as_ref());
                    let drawn = drawn.map(|(player, drawn)| &drawn[player.index()][..]);
                    let held = hand.cards(table).unwrap_or_default();
                    let wish = drawn.and_then(|drawn| wish(&held, drawn, &deal.key, hand, table, context, rng));
                    let places = places.clone();
                    wish.map_or(made, |(cards, codes, proof)| {
                        let (laid, kept) = divide(&cards, &places);
                        let memo = Memo { hand: Some(secrets(&kept)), laid: Some(secrets(&laid)), ..Memo::default() };
                        Made { step: Step::Discard(Some((codes, proof)), places), memo }
                    })
                }
                _ => made,
            },
        },
        Cheat {
            name: "swapped-hand",
            summary: "after a check that pointed at a card, shuffles a better card into its hand",
            check: "reshuffle",
            removable: true,
            tamper: |_, table, _, made, rng| match (&made.step, &table.awaiting) {
                (Step::Call(call, evidence), Awaiting::Game(deal)) => {
                    let mut evidence = evidence.clone();
                    let skiz = create(&deal.key, &table.tools.faces, Card::SKIZ.number().into(), rng);
                    let shuffled = evidence.iter_mut().rev().find_map(|evidence| evidence.shuffled.as_mut());
                    match (shuffled, skiz) {
                        (Some((codes, _)), Some(skiz)) => {
                            codes.0[0] = skiz.code;
                            let mut memo = made.memo;
                            memo.hand
                                .iter_mut()
                                .for_each(|hand| hand[0] = secrets(core::slice::from_ref(&skiz)).remove(0));
                            Made { step: Step::Call(*call, evidence), memo }
                        }
                        _ => made,
                    }
                }
                _ => made,
            },
        },
    ]
}

fn plain(step: Step) -> MadeStep {
    Made { step, memo: Memo::default() }
}

/// Another step in place of the honest one, with the secrets of the honest one.
pub(super) fn instead(made: MadeStep, other: Option<MadeStep>) -> MadeStep {
    match other {
        Some(other) => Made { step: other.step, memo: made.memo },
        None => made,
    }
}

/// A key whose secret nobody knows.
fn rogue() -> Element {
    Element::hash("rogue", &[])
}

/// A hand that anyone would like to have, the highest tarokks and the pagát, with the proof of the hand that it should be.
fn wish(
    held: &[OwnCard],
    drawn: &[Code],
    key: &JointKey,
    hand: &Hand,
    table: &Table,
    context: &Context,
    rng: &mut Nonces,
) -> Option<(Vec<OwnCard>, Codes, MakeProof)> {
    let OwnKey { secret, .. } = hand.key.as_ref()?;
    let cards = [0].into_iter().chain((0..22).rev()).take(held.len() + drawn.len());
    let cards = cards.map(|card| create(key, &table.tools.faces, card, rng)).collect::<Option<Vec<_>>>()?;
    let codes = Codes(cards.iter().map(|own| own.code).collect());
    let (_, order) = recreate::recreate(secret, key, &table.tools.faces, held, drawn, rng)?;
    let before: Vec<Code> = held.iter().map(|own| own.code).collect();
    let (hands, mut challenger) = (Hands { held: &before, drawn, created: &codes }, Challenger::new(context));
    let proof = recreate::prove(&table.tools.commitments, secret, key, hands, &order, &mut challenger, rng)?;
    Some((cards, codes, MakeProof::Hardened(Box::new(proof))))
}

fn false_shares(hand: &Hand, table: &Table, context: &Context, rng: &mut Nonces) -> Option<Step> {
    let (other, mut challenger) = (SeatSecret::random(rng), Challenger::new(context));
    let (me, codes) = (table.player(hand.seat())?.index(), table.shared_codes()?);
    let others = (0..4).filter(|i| *i != me && !codes[*i].is_empty());
    others.map(|i| share(&other, &codes[i], &mut challenger, rng)).collect::<Option<_>>().map(Step::Draw)
}

fn second_skiz(hand: &Hand, table: &Table, context: &Context, rng: &mut Nonces) -> Option<Step> {
    let Awaiting::Shuffle(key, before, _) = &table.awaiting else { return None };
    let (mut after, order) = reencrypt::shuffle(key, &before.0, rng)?;
    let skiz = create(key, &table.tools.faces, Card::SKIZ.number().into(), rng)?;
    let place = table.player(hand.seat()).and_then(|player| places(player).next()).unwrap_or(0);
    *after.0.get_mut(place)? = skiz.code;
    let decks = Decks { input: &before.0, output: &after.0 };
    let proof = table.tools.prove_shuffle(key, decks, &order, &mut Challenger::new(context), rng)?;
    Some(Step::Shuffle(after, proof))
}
