//! For the catalogue: bot, view and cheats.

use outis_crypto::card::Codes;
use outis_crypto::challenger::Challenger;
use outis_crypto::commit::Place;
use outis_crypto::deck::share;
use outis_crypto::key::SeatSecret;
use outis_crypto::secret::SecretScalar;
use outis_crypto::shuffle::reencrypt;
use outis_table::Seat;
use outis_table::cheat::{Cheat, Cheats};
use outis_table::game::Made;
use outis_table::present::{Dial, Present};
use outis_table::words::{Language, Text};
use rand_core::CryptoRng;
use serde_json::{Value, json};

use crate::protocol::player::Memo;
use crate::protocol::referee::Awaiting;
use crate::protocol::{Hand, Step};
use crate::rules::{Action, Card, Knowledge, Options, scores, turn};

impl Present for Hand {
    const SUMMARY: &'static str = "everyone draws one card from a pack shuffled by all; the highest shown wins";

    fn dials() -> &'static [Dial] {
        &[
            Dial { name: "seats", range: (3, 5), usual: 3, values: &[] },
            Dial { name: "cards", range: (5, 52), usual: 52, values: &[] },
            Dial { name: "deals", range: (1, 20), usual: 2, values: &[] },
            Dial { name: "clock", range: (0, 255), usual: 60, values: &[] },
        ]
    }

    fn choose(dials: &[i64]) -> Option<(Options, u8)> {
        let &[seats, cards, deals, clock] = dials else { return None };
        let allowed = dials.iter().zip(Self::dials()).all(|(at, dial)| (dial.range.0..=dial.range.1).contains(at));
        let number = |value: i64| u8::try_from(value).ok().filter(|_| allowed);
        let options = Options { cards: number(cards)?, deals: number(deals)?, clock: number(clock)? };
        Some((options, number(seats)?))
    }

    /// Shows whenever it may: to pass a card that could win gains nothing.
    fn bot(_: u8, _: &Knowledge, legal: &[Action], _: &mut impl CryptoRng) -> Option<Action> {
        legal.first().copied()
    }

    fn view(k: &Knowledge) -> Value {
        let calls: Vec<Vec<Option<u8>>> =
            k.calls.iter().map(|deal| deal.iter().map(|call| call.map(|card| card.0)).collect()).collect();
        let next = k.calls.last().and_then(|deal| turn(k.calls.len() - 1, deal.len(), k.seats)).filter(|_| k.dealt);
        json!({ "version": 1, "seats": k.seats, "deals": k.options.deals, "dealt": k.dealt,
                "card": k.card.map(|card| card.0), "turn": next.map(|seat| seat.0), "calls": calls,
                "scores": scores(&k.calls, k.seats) })
    }

    fn lines(k: &Knowledge) -> Vec<Text> {
        let mut lines = Vec::new();
        for (deal, calls) in k.calls.iter().enumerate().filter(|(_, calls)| !calls.is_empty()) {
            let said = calls.iter().enumerate().filter_map(|(at, call)| {
                let seat = turn(deal, at, k.seats)?;
                Some(match call {
                    Some(card) => Text::new("high-card.shows").with("who", seat).with("card", name(*card)),
                    None => Text::new("high-card.passes").with("who", seat),
                })
            });
            let calls: Vec<Text> = said.collect();
            lines.push(Text::new("high-card.deal").with("n", deal as i64 + 1).with("calls", calls));
        }
        lines.extend(k.card.map(|card| Text::new("high-card.own").with("card", name(card))));
        for (seat, score) in (0u8..).zip(scores(&k.calls, k.seats)) {
            lines.push(Text::new("high-card.score").with("who", Seat(seat)).with("points", score));
        }
        lines
    }

    fn token(action: &Action) -> String {
        match action {
            Action::Show => "show",
            Action::Pass => "pass",
        }
        .to_owned()
    }

    fn caption(k: &Knowledge, action: &Action) -> Text {
        let caption = Text::new(format!("high-card.{}", Self::token(action)));
        match (action, k.card) {
            (Action::Show, Some(card)) => caption.with("card", name(card)),
            _ => caption,
        }
    }

    fn words(language: Language) -> &'static str {
        match language {
            Language::En => include_str!("../words/en.json"),
            Language::Hu => include_str!("../words/hu.json"),
        }
    }
}

/// A card as a text.
fn name(card: Card) -> Text {
    Text::new(format!("high-card.card.{}", card.0))
}

impl Cheats for Hand {
    fn cheats() -> Vec<Cheat<Self>> {
        vec![
            Cheat {
                name: "late-key",
                summary: "reveals, with a good proof of possession, another key than it committed to",
                check: "key",
                removable: false,
                rig: |hand, _, context, made, rng| match (&made.step, &hand.key) {
                    (Step::Reveal(_), Some((_, opening))) => {
                        let other = SeatSecret::random(rng);
                        let reveal = other.reveal(*opening, &mut Challenger::new(context), rng);
                        reveal.map(Box::new).map(Step::Reveal).map_or(
                            Made { step: made.step, memo: made.memo },
                            |step| Made { step, memo: Memo::nothing() },
                        )
                    }
                    _ => made,
                },
            },
            Cheat {
                name: "old-key",
                summary: "takes the same key in every deal, so that what one deal gave away of it counts in the next",
                check: "old-key",
                removable: true,
                rig: |_, _, context, made, rng| match (
                    &made.step,
                    SeatSecret::from_secret(SecretScalar::new(7u64.into())),
                ) {
                    (Step::Commit(_), Some(secret)) => {
                        let (commitment, opening) = secret.commit(&Place::of(context), rng);
                        Made { step: Step::Commit(commitment), memo: Memo::key(secret, opening) }
                    }
                    _ => made,
                },
            },
            Cheat {
                name: "second-ace",
                summary: "shuffles honestly, then puts a fresh encryption of the ace of its choice in its own place",
                check: "shuffle",
                removable: true,
                rig: |hand, table, context, made, rng| match (&made.step, &table.phase) {
                    (Step::Shuffle(deck, _), Awaiting::Shuffle(key, before, _)) => {
                        let Some((after, order)) = reencrypt::shuffle(key, &before.0, rng) else { return made };
                        let top = usize::from(table.options.cards) - 1;
                        let ace = outis_crypto::deck::create(key, &table.faces, top, rng);
                        let mut codes = after.0;
                        if let (Some(ace), Some(own)) = (ace, codes.get_mut(usize::from(hand.seat().0))) {
                            *own = ace.code;
                        }
                        let decks = (&before.0[..], &codes[..]);
                        let mut challenger = Challenger::new(context);
                        let proof = reencrypt::prove(&table.commitments, key, decks, &order, &mut challenger, rng);
                        debug_assert_eq!(deck.len(), codes.len());
                        match proof {
                            Some(proof) => Made { step: Step::Shuffle(Codes(codes), Box::new(proof)), memo: made.memo },
                            None => made,
                        }
                    }
                    _ => made,
                },
            },
            Cheat {
                name: "false-share",
                summary: "gives shares made with another key, so that the others draw nonsense",
                check: "share",
                removable: false,
                rig: |hand, table, context, made, rng| match (&made.step, &table.phase) {
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
                name: "borrowed-card",
                summary: "shows the next seat's card as its own",
                check: "share",
                removable: false,
                rig: |hand, table, context, made, rng| match (&made.step, &table.phase, &hand.key) {
                    (Step::Call(_), Awaiting::Call(_, deck, _), Some((secret, _))) => {
                        let neighbour = table.others(hand.seat()).first().copied().unwrap_or(hand.seat());
                        let code = table.card_of(deck, neighbour);
                        let shares = code.and_then(|code| share(secret, &[code], &mut Challenger::new(context), rng));
                        Made { step: Step::Call(shares), memo: made.memo }
                    }
                    _ => made,
                },
            },
            Cheat {
                name: "show-low",
                summary: "shows a card that is already beaten",
                check: "too-low",
                removable: true,
                rig: |hand, table, context, made, rng| match (&made.step, &table.phase, &hand.key) {
                    (Step::Call(None), Awaiting::Call(_, deck, _), Some((secret, _))) => {
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
