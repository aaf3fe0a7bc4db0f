//! For the catalogue: bot and view.

use outis_game::present::{OptionSpec, Present};
use outis_game::words::Text;
use outis_table::Seat;
use outis_table::game::Grade;
use rand_core::CryptoRng;
use serde_json::{Value, json};

use crate::protocol::Hand;
use crate::rules::{Action, Card, Knowledge, Options, scores, turn};

impl Present for Hand {
    const SUMMARY: &'static str = "everyone draws one card from a deck that all have shuffled; the highest shown wins";
    const GRADES: &'static [Grade] = &Grade::ALL;

    fn dials(_: Grade) -> &'static [OptionSpec] {
        &[
            OptionSpec { name: "seats", range: (3, 5), usual: 3, values: &[] },
            OptionSpec { name: "cards", range: (5, 52), usual: 52, values: &[] },
            OptionSpec { name: "deals", range: (1, 20), usual: 2, values: &[] },
            OptionSpec { name: "clock", range: (0, 255), usual: 60, values: &[] },
        ]
    }

    fn choose(grade: Grade, dials: &[i64]) -> Option<(Options, u8)> {
        let &[seats, cards, deals, clock] = dials else { return None };
        let allowed = dials.iter().zip(Self::dials(grade)).all(|(at, dial)| (dial.range.0..=dial.range.1).contains(at));
        let number = |value: i64| u8::try_from(value).ok().filter(|_| allowed);
        let options = Options { cards: number(cards)?, deals: number(deals)?, clock: number(clock)? };
        Some((options, number(seats)?))
    }

    /// A small pack, once.
    fn brief(grade: Grade) -> (Options, u8) {
        let (options, seats) = Self::usual(grade);
        (Options { cards: 12, deals: 1, ..options }, seats)
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
        for deal in (0..k.calls.len()).filter(|deal| !k.calls[*deal].is_empty()) {
            lines.push(Text::new("high-card.deal").with("n", deal as i64 + 1).with("calls", calls(k, deal)));
        }
        lines.extend(k.card.map(|card| Text::new("high-card.own").with("card", name(card))));
        for (seat, score) in (0u8..).zip(scores(&k.calls, k.seats)) {
            lines.push(Text::new("high-card.score").with("who", Seat(seat)).with("points", score));
        }
        lines
    }

    /// A call is read out alone, without those before it in its deal.
    fn news(before: &Knowledge, after: &Knowledge) -> Vec<Text> {
        let known = Self::lines(before);
        let told = |deal: usize| before.calls.get(deal).map_or(0, Vec::len);
        let called = (0..after.calls.len()).flat_map(|deal| calls(after, deal).into_iter().skip(told(deal)));
        let others = Self::lines(after).into_iter().filter(|line| line.id != "high-card.deal");
        called.chain(others.filter(|line| !known.contains(line))).collect()
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

    fn words() -> &'static str {
        include_str!("../words/high-card.json")
    }
}

/// The calls of a deal, one by one.
fn calls(k: &Knowledge, deal: usize) -> Vec<Text> {
    let said = k.calls[deal].iter().enumerate().filter_map(|(at, call)| {
        let seat = turn(deal, at, k.seats)?;
        Some(match call {
            Some(card) => Text::new("high-card.shows").with("who", seat).with("card", name(*card)),
            None => Text::new("high-card.passes").with("who", seat),
        })
    });
    said.collect()
}

/// A card as a text.
fn name(card: Card) -> Text {
    Text::new(format!("high-card.card.{}", card.0))
}
