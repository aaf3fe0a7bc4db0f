//! `auction`, `discard`, `annulment` and `call`: everything before the first announcement.

use serde_json::{Value, json};

use super::read::{At, card_sets};
use crate::rules::auction::{Auction, Call, Outcome};
use crate::rules::call::check_call;
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::discard::{annulment as ground_for, check_discard};
use crate::rules::illegal::Illegal;
use crate::rules::options::Options;
use crate::rules::seats::Player;
use crate::rules::talon::split;

pub(super) fn auction(input: &At<'_>) -> Result<Value, String> {
    let holds = card_sets(&input.field("holds")?)?;
    for (player, twice) in Player::ALL.into_iter().zip(twice(&holds)) {
        if let Some(card) = twice {
            return input.field("holds")?.wrong(format_args!("{player} holds {card} and so does another player"));
        }
    }
    let options = Options::default();
    let mut auction = Auction::new(options);
    let mut silent: Vec<Player> = Vec::new();
    for (i, at) in input.field("calls")?.list()?.iter().enumerate() {
        let [who, call] = at.pair()?;
        let who = who.player()?;
        let call = call.named("three, two, one, solo, hold or pass", Call::parse)?;
        // When nobody can continue, those who would still have had a turn may say "pass", which changes nothing.
        if let Some(Outcome::Won(contract)) = auction.outcome() {
            let said = |player: Player| auction.calls().contains(&(player, Call::Pass)) || silent.contains(&player);
            let last = silent.last().copied().or(auction.calls().last().map(|(player, _)| *player));
            let due =
                last.and_then(|last| (1..4).map(|n| last.after(n)).find(|p| *p != contract.declarer && !said(*p)));
            if call == Call::Pass && due == Some(who) {
                silent.push(who);
                continue;
            }
        }
        if let Err(reason) = auction.check(who, holds[who.index()], call) {
            return Ok(json!({ "legal": false, "illegal_index": i, "reason": reason.to_string() }));
        }
        auction.say(who, call);
    }
    let contract = match auction.outcome() {
        None => return Ok(json!({ "legal": true, "complete": false })),
        Some(Outcome::ThrownIn) => return Ok(json!({ "legal": true, "complete": true, "outcome": "thrown_in" })),
        Some(Outcome::Won(contract)) => contract,
    };
    let bound = |player: &Player| contract.must_announce_ultimo(*player, holds[player.index()], &options);
    let invit = contract.invit.map(|invit| {
        let accepted = contract.accepted().is_some();
        json!({ "by": invit.by.number(), "card": invit.card.to_string(), "accepted": accepted })
    });
    Ok(json!({
        "legal": true,
        "complete": true,
        "declarer": contract.declarer.number(),
        "bid": contract.bid.name(),
        "talon_split": split(contract.declarer, contract.bid),
        "must_call": contract.must_call().map(|card| card.to_string()),
        "must_announce_pagat_ultimo": Player::ALL.into_iter().find(bound).map(Player::number),
        "invit": invit,
        "yielded_by": contract.yielded_by.map(Player::number),
    }))
}

/// For every player, a card that an earlier player holds too.
fn twice(holds: &[CardSet; 4]) -> [Option<Card>; 4] {
    let mut seen = CardSet::EMPTY;
    holds.map(|hand| {
        let again = hand.iter().find(|card| seen.contains(*card));
        seen = seen.union(hand);
        again
    })
}

pub(super) fn discard(input: &At<'_>) -> Result<Value, String> {
    let role = input.field("role")?.text()?;
    let due = input.field("cards_taken_from_talon")?.number(0, 3)? as usize;
    let hand = input.field("hand_before_discard")?;
    let cards = hand.card_set()?;
    if cards.len() != 9 + due {
        return hand.wrong(format_args!("{} cards are needed, found {}", 9 + due, cards.len()));
    }
    let discard = input.field("discard")?.card_set()?;
    let signalled = input.optional("signalled_card_of_this_player")?.map(|at| at.card()).transpose()?;
    let verdict = check_discard(cards, due, discard, signalled);
    let reason = match (verdict, discard.tarokks().len(), role) {
        (Err(reason), ..) => reason.to_string(),
        (Ok(()), 0, _) => "allowed: no tarokk is discarded".to_owned(),
        (Ok(()), n, "declarer") => format!("allowed: tarokks discarded and shown until the first lead: {n}"),
        (Ok(()), n, _) => format!("allowed: tarokks discarded, the number to be told: {n}"),
    };
    Ok(json!({ "legal": verdict.is_ok(), "reason": reason }))
}

pub(super) fn annulment(input: &At<'_>) -> Result<Value, String> {
    let hand = input.field("hand_after_exchange")?;
    let cards = hand.card_set()?;
    if cards.len() != 9 {
        return hand.wrong(format_args!("9 cards are needed, found {}", cards.len()));
    }
    let discard = input.field("own_discard")?.card_set()?;
    if let Some(card) = discard.iter().find(|card| cards.contains(*card)) {
        return input.field("own_discard")?.wrong(format_args!("{card} is in the hand"));
    }
    let phase = input.field("phase")?;
    let verdict = match phase.text()? {
        "after_exchange" => ground_for(cards, discard),
        "announcements_started" => Err(Illegal::AnnulLate),
        other => {
            return phase.wrong(format_args!("expected after_exchange or announcements_started, found {other}"));
        }
    };
    let reason = verdict.map_or_else(|reason| reason.to_string(), |reason| reason.sentence().to_owned());
    Ok(json!({ "may_annul": verdict.is_ok(), "ground": reason }))
}

pub(super) fn call(input: &At<'_>) -> Result<Value, String> {
    let at = input.field("declarer_hand")?;
    let hand = at.card_set()?;
    if hand.len() > 9 {
        return at.wrong(format_args!("9 cards are needed, found {}", hand.len()));
    }
    let discard = input.field("declarer_discard")?.card_set()?;
    if let Some(card) = discard.iter().find(|card| hand.contains(*card)) {
        return input.field("declarer_discard")?.wrong(format_args!("{card} is in the hand"));
    }
    let by_others = input.field("tarokks_discarded_by_others")?.number(0, 6)? as usize;
    let obliged = input.nullable("auction_obliges")?.map(|at| at.card()).transpose()?;
    let called = input.field("called")?.card()?;
    let verdict = check_call(hand, by_others, obliged, called);
    let reason = match verdict {
        Err(reason) => reason.to_string(),
        Ok(()) if hand.contains(called) => format!("allowed: the {called} is in the own hand, one against three"),
        Ok(()) if discard.contains(called) => format!("allowed: the {called} is in the own discard, one against three"),
        Ok(()) => format!("allowed: the holder of the {called} becomes the partner"),
    };
    Ok(json!({ "legal": verdict.is_ok(), "reason": reason }))
}
