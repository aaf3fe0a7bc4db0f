//! The cheats that the game must survive. Each makes every proof that it can.

use outis_crypto::card::Codes;
use outis_crypto::challenger::Challenger;
use outis_crypto::deck::{DrawnCodes, Shares, share};
use outis_crypto::group::Element;
use outis_crypto::key::SeatSecret;
use outis_crypto::shuffle::{Decks, reencrypt};
use outis_table::cheat::{Cheat, Cheats};
use outis_table::codec::{Decode, Encode};
use outis_table::game::{Made, MadeBy};
use outis_table::keys::cheats::{KeepsKey, late_key, old_key};
use outis_table::keys::{KeyStep, OwnKey};

use crate::protocol::player::Memo;
use crate::protocol::referee::Awaiting;
use crate::protocol::{Hand, ShuffleProof, Step};

impl KeepsKey for Hand {
    fn own_key(&self) -> Option<&OwnKey> {
        self.key.as_ref()
    }

    fn key_step(step: &Step) -> Option<&KeyStep> {
        if let Step::Key(step) = step { Some(step) } else { None }
    }

    fn made(step: KeyStep, own: OwnKey) -> MadeBy<Self> {
        Made { step: Step::Key(step), memo: Memo(Some(own)) }
    }
}

impl Cheats for Hand {
    fn cheats() -> Vec<Cheat<Self>> {
        vec![
            late_key(),
            old_key(),
            Cheat {
                name: "second-ace",
                summary: "shuffles honestly, then puts a fresh encryption of an ace where its own card will be",
                check: "shuffle",
                removable: true,
                tamper: |hand, table, context, made, rng| match (&made.step, &table.phase) {
                    (Step::Shuffle(deck, _), Awaiting::Shuffle(key, before, _)) => {
                        let Some((after, order)) = reencrypt::shuffle(key, &before.0, rng) else { return made };
                        let top = usize::from(table.options.cards) - 1;
                        let ace = outis_crypto::deck::create(key, &table.faces, top, rng);
                        let mut codes = after.0;
                        if let (Some(ace), Some(own)) = (ace, codes.get_mut(usize::from(hand.seat().0))) {
                            *own = ace.code;
                        }
                        let decks = Decks { input: &before.0, output: &codes };
                        let mut challenger = Challenger::new(context);
                        let proof = ShuffleProof::make(table, key, decks, &order, &mut challenger, rng);
                        debug_assert_eq!(deck.len(), codes.len());
                        match proof {
                            Some(proof) => Made { step: Step::Shuffle(Codes(codes), proof), memo: made.memo },
                            None => made,
                        }
                    }
                    _ => made,
                },
            },
            Cheat {
                name: "false-share",
                summary: "gives shares made with a different key, so that the others cannot read their cards",
                check: "share",
                removable: true,
                tamper: |hand, table, context, made, rng| match (&made.step, &table.phase) {
                    (Step::Draw(_), Awaiting::Shares(_, deck)) => {
                        let (other, mut challenger) = (SeatSecret::random(rng), Challenger::new(context));
                        let codes = table.others(hand.seat()).into_iter().map(|seat| table.card_of(deck, seat));
                        let shares = codes.map(|code| share(&other, &[code?], &mut challenger, rng));
                        match shares.collect() {
                            Some(shares) => Made { step: Step::Draw(shares), memo: made.memo },
                            None => made,
                        }
                    }
                    _ => made,
                },
            },
            Cheat {
                name: "made-up-card",
                summary: "shows the highest card instead of its own, with a made-up share",
                check: "share",
                removable: true,
                tamper: |hand, table, context, made, rng| match (&made.step, &table.phase, &hand.key) {
                    (Step::Call(_), Awaiting::Call(key, deck, drawn), Some(OwnKey { secret, .. })) => {
                        let Some(code) = table.card_of(deck, hand.seat()) else { return made };
                        let honest = share(secret, &[code], &mut Challenger::new(context), rng);
                        // What is left of the code under its own key, less the face that it shall show.
                        let others = drawn.iter().filter(|(drawer, _)| *drawer == hand.seat());
                        let others: Vec<_> = others.map(|(_, shares)| shares.clone()).collect();
                        let left = DrawnCodes::for_drawer(key, &[code], &others, hand.seat());
                        let left = left.ok().and_then(|left| left.codes.first().copied());
                        let top = table.faces.get(usize::from(table.options.cards) - 1);
                        let (Some(honest), Some(left), Some(top)) = (honest, left, top) else { return made };
                        let Some(share) = Element::new(left.c2.point() - top.point()) else { return made };
                        let mut bytes = honest.to_bytes();
                        bytes[..32].copy_from_slice(share.as_bytes());
                        match Shares::from_bytes(&bytes, &1) {
                            Ok(shares) => Made { step: Step::Call(Some(shares)), memo: made.memo },
                            Err(_) => made,
                        }
                    }
                    _ => made,
                },
            },
            Cheat {
                name: "show-low",
                summary: "shows a card that is already beaten",
                check: "too-low",
                removable: true,
                tamper: |hand, table, context, made, rng| match (&made.step, &table.phase, &hand.key) {
                    (Step::Call(None), Awaiting::Call(_, deck, _), Some(OwnKey { secret, .. })) => {
                        let code = table.card_of(deck, hand.seat());
                        let shares = code.and_then(|code| share(secret, &[code], &mut Challenger::new(context), rng));
                        Made { step: Step::Call(shares), memo: made.memo }
                    }
                    _ => made,
                },
            },
        ]
    }
}
