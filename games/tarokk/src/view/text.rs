//! Names of things, and what players say at a table.

use outis_game::words::Text;
use outis_table::Seat;

use crate::rules::announce::{Announcement, Target, Token};
use crate::rules::auction::{Bid, Call, Promise};
use crate::rules::cards::{Card, Suit};
use crate::rules::cardset::CardSet;
use crate::rules::figures::{Figure, Side};
use crate::rules::knowledge::Knowledge;
use crate::rules::seats::{Player, Seating};
use crate::rules::state::{Action, Phase};

/// A message of this game.
pub fn msg(id: &str) -> Text {
    Text::new(format!("tarokk.{id}"))
}

/// A card.
pub fn card(card: Card) -> Text {
    Text::new(format!("tarokk.card.{card}"))
}

/// Cards by name.
pub fn cards(set: CardSet) -> Vec<Text> {
    set.held().into_iter().map(card).collect()
}

/// A suit.
pub fn suit(suit: Suit) -> Text {
    msg(&format!("suit.{}", suit.letter()))
}

/// A bid.
pub fn bid(bid: Bid) -> Text {
    msg(&format!("bid.{}", bid.name()))
}

/// A figure.
pub fn figure(figure: Figure) -> Text {
    msg(&format!("figure.{}", figure.name()))
}

/// A side.
pub fn side(side: Side) -> Text {
    msg(&format!("side.{}", side.name()))
}

/// Kontra, rekontra and so on.
pub fn kontra(level: u8) -> Text {
    msg(&format!("kontra.{level}"))
}

/// What kontra can be said to.
pub fn target(target: Target) -> Text {
    match target {
        Target::Game => msg("target.game"),
        Target::Figure(f) => figure(f),
    }
}

/// A number with its sign.
pub fn signed(points: i64) -> Text {
    match points {
        0 => msg("points.zero"),
        1.. => msg("points.plus").with("n", points),
        _ => msg("points.minus").with("n", -points),
    }
}

/// The seat of a player.
pub fn seat(seating: Seating, player: Player) -> Seat {
    Seat(seating.seat(player))
}

/// Something that someone says.
pub fn says(seating: Seating, who: Player, what: Text) -> Text {
    msg("says").with("who", seat(seating, who)).with("what", what)
}

/// A call as it is said.
pub fn call(call: Call) -> Text {
    msg(&format!("call.{call}"))
}

/// A call with what it promises.
pub fn called(what: Call, promise: Promise) -> Text {
    match promise {
        Promise::Nothing => call(what),
        Promise::Invit(promised) => msg("call.invit").with("call", call(what)).with("card", card(promised)),
        Promise::Yield => msg("call.yield").with("call", call(what)),
    }
}

/// A word of the announcements as it is said; `alone`: nothing else was said in this turn.
pub fn word(word: Token, alone: bool) -> Text {
    match word {
        Token::Count(n) => msg(&format!("say.{n}")),
        Token::Call(card) => msg(&format!("say.call.{card}")),
        Token::Announce(f) => figure(f),
        Token::Kontra(level, of) => msg("say.kontra").with("kontra", kontra(level)).with("what", target(of)),
        Token::Pass if alone => msg("say.go"),
        Token::Pass => msg("say.pass"),
    }
}

/// An announced figure and what it is worth now.
pub fn announced(a: &Announcement, points: i64) -> Text {
    let text = match a.kontra {
        0 => msg("announced"),
        level => msg("announced.kontra").with("kontra", kontra(level)),
    };
    text.with("figure", figure(a.figure)).with("side", side(a.side)).with("points", points)
}

/// A short name of an action, the same in every language.
pub fn token(action: &Action) -> String {
    match action {
        Action::Call(call) => call.to_string(),
        Action::Discard(cards) => {
            let names: Vec<String> = cards.held().iter().map(ToString::to_string).collect();
            format!("discard:{}", names.join("+"))
        }
        Action::Annul(true) => "annul".to_owned(),
        Action::Annul(false) => "play-on".to_owned(),
        Action::Say(word) => word.to_string(),
        Action::Play(card) => card.to_string(),
        Action::Claim(true) => "claim".to_owned(),
        Action::Claim(false) => "no-claim".to_owned(),
        Action::EndTable => "end-table".to_owned(),
    }
}

/// What a button for the action says.
pub fn caption(k: &Knowledge, action: &Action) -> Text {
    match action {
        Action::Call(what) => match (&k.public.phase, k.seat.and_then(|seat| k.public.seating.player(seat))) {
            (Phase::AwaitingCall(auction), Some(me)) => called(*what, auction.promise(me, *what)),
            _ => call(*what),
        },
        Action::Discard(set) => msg("do.discard").with("cards", cards(*set)),
        Action::Annul(true) => msg("do.annul"),
        Action::Annul(false) => msg("do.play_on"),
        Action::Say(what) => {
            let alone = match &k.public.phase {
                Phase::AwaitingWord(_, announcing) => announcing.this_turn().is_empty(),
                _ => true,
            };
            word(*what, alone)
        }
        Action::Play(what) => card(*what),
        Action::Claim(true) => msg("do.claim"),
        Action::Claim(false) => msg("do.no_claim"),
        Action::EndTable => msg("do.end_table"),
    }
}
