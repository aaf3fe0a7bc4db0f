//! Why an action is not allowed now.

use outis_game::words::Text;

use super::parts::Parts;
use super::text::{card, cards, figure, msg, seat, suit, target};
use crate::rules::announce::Token;
use crate::rules::auction::{Call, Contract};
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::discard::check_discard;
use crate::rules::illegal::Illegal;
use crate::rules::knowledge::{Knowledge, check};
use crate::rules::seats::Player;
use crate::rules::state::{Action, Phase};

/// Reads a token, as [`super::token`] writes it, in the light of the phase: the same word can be said in two of them.
pub fn parse(k: &Knowledge, token: &str) -> Option<Action> {
    let answer = match token {
        "annul" => Some(Action::Annul(true)),
        "play-on" => Some(Action::Annul(false)),
        "claim" => Some(Action::Claim(true)),
        "no-claim" => Some(Action::Claim(false)),
        "end-table" => Some(Action::EndTable),
        _ => None,
    };
    if answer.is_some() {
        return answer;
    }
    if let Some(names) = token.strip_prefix("discard:") {
        let named: Option<CardSet> = names.split('+').map(Card::parse).collect();
        return named.map(Action::Discard);
    }
    let word = || Token::parse(token).map(Action::Say);
    let call = || Call::parse(token).map(Action::Call);
    let card = || {
        let card = Card::parse(token)?;
        let discarding = matches!(k.public.phase, Phase::AwaitingDiscards(..));
        Some(if discarding { Action::Discard(CardSet::from([card])) } else { Action::Play(card) })
    };
    match k.public.phase {
        Phase::AwaitingCall(_) => call().or_else(word),
        _ => word().or_else(call),
    }
    .or_else(card)
}

/// Why a token of the page cannot be done now; nothing if it can, or if it means nothing.
pub fn refusal(k: &Knowledge, token: &str) -> Option<Text> {
    why(k, &parse(k, token)?)
}

/// Why an action is not possible now. One card alone is asked about as a part of a discard.
pub fn why(k: &Knowledge, action: &Action) -> Option<Text> {
    let public = &k.public;
    let Some(at) = k.seat else { return Some(msg("illegal.spectator")) };
    let me = public.seating.player(at);
    let hand = k.cards.as_ref().map(|cards| cards.hand).unwrap_or_default();
    let refused = match (&public.phase, action, me) {
        (Phase::AwaitingDiscards(contract, done), Action::Discard(set), Some(me))
            if !done[me.index()] && set.len() == 1 =>
        {
            check_discard(hand, 1, *set, contract.signalled(me)).err()
        }
        // At a table, the player whose turn it is calls the end (TD-32).
        (_, Action::EndTable, _) if !public.awaited_seats().contains(&at) => {
            Some(public.awaited().first().map_or(Illegal::Now, |turn| Illegal::Turn(*turn)))
        }
        _ => check(public, at, k.cards.as_ref(), action).err(),
    }?;
    Some(reason(k, hand, refused))
}

/// The cards that may be part of a discard.
pub fn discardable(contract: &Contract, me: Player, hand: CardSet) -> CardSet {
    hand.filter(|card| check_discard(hand, 1, CardSet::from([card]), contract.signalled(me)).is_ok())
}

fn reason(k: &Knowledge, hand: CardSet, illegal: Illegal) -> Text {
    let parts = Parts::of(&k.public);
    let led = parts.plays.and_then(|plays| plays.led()).and_then(Card::suit);
    match illegal {
        Illegal::Now => msg("illegal.now"),
        Illegal::Turn(player) => msg("illegal.turn").with("who", seat(k.public.seating, player)),
        Illegal::NoHonour => msg("illegal.no_honour"),
        Illegal::TooLow => msg("illegal.too_low"),
        Illegal::CannotHold => msg("illegal.cannot_hold"),
        Illegal::HeldAlready => msg("illegal.held_already"),
        Illegal::InvitWithout(promised) => msg("illegal.invit_without").with("card", card(promised)),
        Illegal::YieldWithout => msg("illegal.yield_without"),
        Illegal::NotInHand(missing) => msg("illegal.not_in_hand").with("card", card(missing)),
        Illegal::DiscardCount { due, .. } => msg("illegal.discard_count").with("n", due as i64),
        Illegal::DiscardFive(five) => msg("illegal.discard_five").with("card", card(five)),
        Illegal::DiscardSignalled(signalled) => msg("illegal.discard_signalled").with("card", card(signalled)),
        Illegal::NoGround => msg("illegal.no_ground"),
        Illegal::AnnulAfterTarokk => msg("illegal.annul_after_tarokk"),
        Illegal::AnnulLate => msg("illegal.annul_late"),
        Illegal::CallKind => msg("illegal.call_kind"),
        Illegal::CallObliged(obliged) => msg("illegal.call_obliged").with("card", card(obliged)),
        Illegal::CallTwenty => msg("illegal.call_twenty"),
        Illegal::CallHighest(highest) => msg("illegal.call_highest").with("card", card(highest)),
        Illegal::CallOwn => msg("illegal.call_own"),
        Illegal::CallOnce => msg("illegal.call_once"),
        Illegal::CallOrder => msg("illegal.call_order"),
        Illegal::CountFalse(n) => msg("illegal.count_false").with("n", n as i64),
        Illegal::CountTwice => msg("illegal.count_twice"),
        Illegal::CountDue => msg("illegal.count_due"),
        Illegal::FigureTwice(twice) => msg("illegal.figure_twice").with("figure", figure(twice)),
        Illegal::DoubleWithVolat => msg("illegal.double_with_volat"),
        Illegal::DoubleAfterVolat => msg("illegal.double_after_volat"),
        Illegal::WrongSide => msg("illegal.wrong_side"),
        Illegal::NoKontraNow(of) => msg("illegal.nothing_to_double").with("what", target(of)),
        Illegal::KontraDue => msg("illegal.kontra_due"),
        Illegal::UltimoDue => msg("illegal.ultimo_due"),
        Illegal::Closed => msg("illegal.closed"),
        Illegal::FollowSuit => match led {
            Some(led) => msg("illegal.follow_suit").with("suit", suit(led)).with("cards", cards(hand.of(led))),
            None => msg("illegal.follow_tarokk"),
        },
        Illegal::PlayTarokk => match led {
            Some(led) => msg("illegal.play_tarokk").with("suit", suit(led)),
            None => msg("illegal.follow_tarokk"),
        },
        Illegal::KeepPagat => msg("illegal.keep_pagat"),
        Illegal::EndCalled => msg("illegal.end_called"),
        Illegal::SitsOut => msg("illegal.sits_out"),
    }
}

#[cfg(test)]
mod tests {
    use outis_game::words::{Catalogue, Language};

    use super::*;
    use crate::rules::announce::Target;
    use crate::rules::figures::Figure;
    use crate::rules::learn::initial_knowledge;
    use crate::rules::options::Options;
    use crate::rules::seats::Seating;

    #[test]
    fn every_reason_has_words() {
        let k = initial_knowledge(Options::default(), Seating::new(4, 0).expect("four seats"), Some(0));
        let xx = Card::XX;
        let all = [
            Illegal::Now,
            Illegal::Turn(Player::FIRST),
            Illegal::NoHonour,
            Illegal::TooLow,
            Illegal::CannotHold,
            Illegal::HeldAlready,
            Illegal::InvitWithout(xx),
            Illegal::YieldWithout,
            Illegal::NotInHand(xx),
            Illegal::DiscardCount { due: 2, got: 1 },
            Illegal::DiscardFive(xx),
            Illegal::DiscardSignalled(xx),
            Illegal::NoGround,
            Illegal::AnnulAfterTarokk,
            Illegal::AnnulLate,
            Illegal::CallKind,
            Illegal::CallObliged(xx),
            Illegal::CallTwenty,
            Illegal::CallHighest(xx),
            Illegal::CallOwn,
            Illegal::CallOnce,
            Illegal::CallOrder,
            Illegal::CountFalse(8),
            Illegal::CountTwice,
            Illegal::CountDue,
            Illegal::FigureTwice(Figure::Trull),
            Illegal::DoubleWithVolat,
            Illegal::DoubleAfterVolat,
            Illegal::WrongSide,
            Illegal::NoKontraNow(Target::Game),
            Illegal::KontraDue,
            Illegal::UltimoDue,
            Illegal::Closed,
            Illegal::FollowSuit,
            Illegal::PlayTarokk,
            Illegal::KeepPagat,
            Illegal::EndCalled,
            Illegal::SitsOut,
        ];
        for language in Language::ALL {
            let words = Catalogue::read(language, crate::view::words()).expect("a catalogue");
            for illegal in all {
                let said = words.say(&reason(&k, CardSet::ALL, illegal), &|seat| format!("S{}", seat.0));
                assert!(!said.starts_with("tarokk.") && !said.contains('{'), "{said}");
            }
        }
    }
}
