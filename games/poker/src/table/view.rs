//! The view as JSON, version 1, made from knowledge alone.

use outis_table::Seat;
use outis_table::game::Observer;
use outis_table::seats::Seats;
use serde_json::{Value, json};

use crate::history;
use crate::rules::options::{Dealing, Game, Limit, Showing};
use crate::rules::rank::worth;
use crate::rules::record::Record;
use crate::rules::{Card, Event, Knowledge, Phase, Public};
use crate::table::having;

fn names(cards: &[Card]) -> Vec<String> {
    cards.iter().map(Card::to_string).collect()
}

/// What the observer may see.
pub(super) fn view(k: &Knowledge) -> Value {
    let (public, hand, options) = (&k.public, &k.public.hand, &k.public.options);
    let me = match k.who {
        Observer::Seat(seat) => Some(seat),
        Observer::Spectator => None,
    };
    let seat = |seat: Seat| {
        let at = usize::from(seat.0);
        let shown = hand.shown[at].as_ref().map(|shown| shown.as_ref().map(|cards| names(cards)));
        let best = hand.shown[at]
            .as_ref()
            .and_then(|shown| shown.as_ref())
            .map(|cards| worth(&[&cards[..], &hand.board].concat()));
        json!({
            "stack": public.stacks[at], "bet": hand.betting.bets[at], "paid": hand.paid[at],
            "playing": hand.dealt.contains(seat), "folded": hand.dealt.contains(seat) && !hand.live.contains(seat),
            "cards": if hand.dealt.contains(seat) { options.hole() } else { 0 },
            "shown": shown.flatten(), "gave_up": hand.shown[at] == Some(None),
            "best": best.map(|worth| worth.category().name()), "have": best.map(|worth| having(worth).to_json()),
            "discards": hand.discards[at].map(u8::count_ones),
        })
    };
    let raise = public.choices().filter(|_| k.is_deciding()).map(|choices| {
        let pot = public.pot() + choices.call;
        json!({ "call": choices.call, "least": choices.raise.map(|(least, _)| least),
                "most": choices.raise.map(|(_, most)| most), "asked": hand.betting.asked, "pot": pot })
    });
    json!({
        "version": 1,
        "game": match options.game { Game::Holdem => "holdem", Game::Draw => "draw" },
        "limit": match options.limit { Limit::None => "none", Limit::Fixed => "fixed" },
        "showing": match options.showing { Showing::InTurn => "turn", Showing::AtOnce => "once" },
        "dealing": match options.dealing { Dealing::Sra => "layers", Dealing::ElGamal => "shares" },
        "decks": options.decks,
        "hands": options.hands, "hand": public.past.len(), "blind": options.blind, "ante": options.ante,
        "phase": phase(public.phase), "button": public.button.0, "me": me.map(|seat| seat.0),
        "seats": (0..public.seats).map(|n| seat(Seat(n))).collect::<Vec<_>>(),
        "deciding": public.deciding().iter().map(|seat| seat.0).collect::<Vec<_>>(),
        "cards": names(&k.cards), "best": k.worth().map(|worth| worth.category().name()),
        "have": k.worth().map(|worth| having(worth).to_json()),
        "small": hand.record.small.map(|seat| seat.0), "big": hand.record.big.map(|seat| seat.0),
        "board": names(&hand.board), "pot": public.pot(), "bets": raise,
        "pots": public.pots().iter().map(|pot| json!({ "chips": pot.chips,
            "seats": pot.claimants.iter().map(|seat| seat.0).collect::<Vec<_>>() })).collect::<Vec<_>>(),
        "draw": (public.phase == Phase::Discard).then(|| public.left_to_draw()),
        "scores": public.scores(), "leaving": me.and_then(|seat| leaving(public, seat)),
        "last": public.past.last().map(|record| over(k, record, me)),
    })
}

/// The score of a seat if it left now (PD-14). Nothing is lost where no clock runs, or by a player who is out.
fn leaving(public: &Public, seat: Seat) -> Option<i64> {
    let stays = public.options.clock == 0 || public.phase == Phase::Over || public.out().contains(seat);
    if stays { None } else { public.forfeit(Seats::one(seat)).get(usize::from(seat.0)).copied() }
}

/// All hands that are over.
pub(super) fn chronicle(k: &Knowledge) -> Vec<Value> {
    let me = match k.who {
        Observer::Seat(seat) => Some(seat),
        Observer::Spectator => None,
    };
    k.public.past.iter().map(|record| over(k, record, me)).collect()
}

/// A hand that is over: as JSON and as text, with the cards of this seat, and what the shown hands were in words.
fn over(k: &Knowledge, record: &Record, me: Option<Seat>) -> Value {
    let options = &k.public.options;
    let held = k.held.get(usize::from(record.number)).map(Vec::as_slice).unwrap_or_default();
    let own = me.map(|seat| (seat, held));
    let mut hand = history::json(options, record, own);
    let board = record.board();
    let have = |event: &Event| match event {
        Event::Shows(seat, Some(cards)) => {
            let have = having(worth(&[&cards[..], &board].concat()));
            Some(json!({ "seat": seat.0, "have": have.to_json() }))
        }
        _ => None,
    };
    if let Some(fields) = hand.as_object_mut() {
        fields.insert("have".to_owned(), record.events.iter().filter_map(have).collect());
        // A reader who knows the names puts them in.
        let name = |seat: Seat| format!("Player {}", seat.0 + 1);
        fields.insert("text".to_owned(), history::text(options, "outis", record, own, &name).into());
    }
    hand
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Ready => "ready",
        Phase::Deal => "deal",
        Phase::Bet => "bet",
        Phase::Board(_) => "board",
        Phase::Discard => "discard",
        Phase::Redeal => "redeal",
        Phase::Show => "show",
        Phase::Over => "over",
    }
}
