//! `legal`, `trick` and `deal`: playing cards.

use serde_json::{Map, Value, json};

use super::read::{At, card_sets};
use super::score::facts_value;
use crate::rules::announce::Announcement;
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::discard::check_discard;
use crate::rules::facts::{Facts, Sides, Trick};
use crate::rules::figures::Figure;
use crate::rules::play::{check_play, playable, winner};
use crate::rules::seats::Player;
use crate::rules::settle::{Account, payments};
use crate::rules::talon::split;

pub(super) fn legal(input: &At<'_>) -> Result<Value, String> {
    let at = input.field("hand")?;
    let hand = at.cards()?;
    if !(1..=9).contains(&hand.len()) {
        return at.wrong(format_args!("1 to 9 cards are needed, found {}", hand.len()));
    }
    let at = input.field("trick_so_far")?;
    let trick = at.cards()?;
    if trick.len() > 3 {
        return at.wrong(format_args!("0 to 3 cards are needed, found {}", trick.len()));
    }
    if let Some(card) = trick.iter().find(|card| hand.contains(card)) {
        return at.wrong(format_args!("{card} is in the hand"));
    }
    let keep = input.optional("pagat_ultimo_announced_by_holders_side")?.map_or(Ok(false), |at| at.flag())?;
    let allowed = playable(hand.iter().copied().collect(), trick.first().copied(), keep);
    let cards: Vec<String> = hand.iter().filter(|card| allowed.contains(**card)).map(Card::to_string).collect();
    Ok(json!({ "cards": cards }))
}

pub(super) fn trick(input: &At<'_>) -> Result<Value, String> {
    let at = input.field("trick")?;
    let cards = at.cards()?;
    if cards.len() != 4 {
        return at.wrong(format_args!("4 cards are needed, found {}", cards.len()));
    }
    let points: u8 = cards.iter().map(|card| card.points()).sum();
    Ok(json!({ "winner_index": winner(&cards), "points": points }))
}

pub(super) fn deal(input: &At<'_>) -> Result<Value, String> {
    let leader = input.field("first_leader")?.player()?;
    let declarer = input.field("declarer")?.player()?;
    let partner = input.nullable("partner")?.map(|at| at.player()).transpose()?;
    if partner == Some(declarer) {
        return input.field("partner")?.wrong("the declarer is not its own partner; null means one against three");
    }
    let sides = Sides { declarer, partner };
    let bid = input.field("bid")?.bid()?;
    let due = split(declarer, bid);
    let at = input.field("hands_after_exchange")?;
    let mut hands = card_sets(&at)?;
    let laid_at = input.field("discards")?;
    let discards = card_sets(&laid_at)?;
    let mut seen = CardSet::EMPTY;
    for player in Player::ALL {
        let (hand, discard) = (hands[player.index()], discards[player.index()]);
        if hand.len() != 9 {
            return at.wrong(format_args!("{player} needs 9 cards, found {}", hand.len()));
        }
        if let Err(reason) = check_discard(hand.union(discard), due[player.index()], discard, None) {
            return laid_at.wrong(format_args!("{player}: {reason}"));
        }
        for card in hand.iter().chain(discard.iter()) {
            if !seen.insert(card) {
                return at.wrong(format_args!("{card} is there twice"));
            }
        }
    }
    let announcer = input.optional("pagat_ultimo_announced_by_side_of_player")?;
    let side = announcer.map(|at| at.player()).transpose()?.map(|player| sides.of(player));
    let announcements: Vec<Announcement> =
        side.map(|side| Announcement { figure: Figure::PagatUltimo, side, kontra: 0 }).into_iter().collect();

    let keep = |player: Player| side == Some(sides.of(player));
    let tricks = tricks(&input.field("plays")?, leader, &mut hands, keep)?;
    let facts = Facts::of(&tricks, &discards, sides);
    let account = Account { bid, game_kontra: 0, announcements: &announcements, facts };
    let amounts = payments(&account.items(), sides);
    let amounts: Map<String, Value> =
        Player::ALL.into_iter().map(|player| (format!("{player:?}"), json!(amounts[player.index()]))).collect();
    Ok(json!({
        "winners": tricks.map(|trick| trick.winner().number()),
        "points_declarer": facts.points[0],
        "facts": facts_value(&facts),
        "payments": amounts,
    }))
}

/// Plays 36 cards, each of them checked.
fn tricks(
    plays: &At<'_>,
    leader: Player,
    hands: &mut [CardSet; 4],
    keep_pagat: impl Fn(Player) -> bool,
) -> Result<[Trick; 9], String> {
    let list = plays.list()?;
    if list.len() != 36 {
        return plays.wrong(format_args!("36 plays are needed, found {}", list.len()));
    }
    let mut leader = leader;
    let mut tricks = Vec::new();
    for four in list.chunks_exact(4) {
        let mut cards: Vec<Card> = Vec::new();
        for (at, due) in four.iter().zip(leader.round()) {
            let [who, card] = at.pair()?;
            let card = card.card()?;
            if who.player()? != due {
                return at.wrong(format_args!("it is {due}'s turn"));
            }
            let hand = &mut hands[due.index()];
            if let Err(reason) = check_play(*hand, cards.first().copied(), keep_pagat(due), card) {
                return at.wrong(reason);
            }
            hand.remove(card);
            cards.push(card);
        }
        let trick = Trick { leader, cards: [0, 1, 2, 3].map(|i| cards[i]) };
        leader = trick.winner();
        tricks.push(trick);
    }
    <[Trick; 9]>::try_from(tricks).or_else(|_| plays.wrong("36 plays are needed"))
}
