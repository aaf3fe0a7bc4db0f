//! `announce`: a whole round of announcements.

use serde_json::{Value, json};

use super::read::At;
use crate::rules::announce::{Announcing, Speaker, Token};
use crate::rules::cards::Card;
use crate::rules::figures::Side;
use crate::rules::seats::Player;

/// What the question says about the players.
struct Situation {
    declarer: Player,
    holder: Option<Player>,
    tarokks: [usize; 4],
    known: [Option<Side>; 4],
    discarder: Option<Player>,
    bound_to_ultimo: Option<Player>,
    declarer_holds_xx: Option<bool>,
}

impl Situation {
    fn read(input: &At<'_>) -> Result<Self, String> {
        let player = |name: &str| input.optional(name)?.map(|at| at.player()).transpose();
        let declarer = input.field("declarer")?.player()?;
        let mut known = [None; 4];
        if let Some(at) = input.optional("sides_known_from_auction")? {
            for (slot, at) in known.iter_mut().zip(at.by_player()?) {
                *slot = at.map(|at| at.side()).transpose()?;
            }
        }
        let mut tarokks = [0; 4];
        if let Some(at) = input.optional("tarokk_count_in_hand")? {
            for (slot, at) in tarokks.iter_mut().zip(at.by_player()?) {
                *slot = at.map_or(Ok(0), |at| at.number(0, 9))? as usize;
            }
        }
        let partner = Player::ALL.into_iter().find(|p| *p != declarer && known[p.index()] == Some(Side::Declarer));
        let bound_to_ultimo = match input.optional("inviter_with_pagat_only")? {
            Some(at) if at.is_flag() => partner.filter(|_| at.flag() == Ok(true)),
            Some(at) => Some(at.player()?),
            None => None,
        };
        player("pagat_holder")?;
        let situation = Self {
            declarer,
            holder: player("holder_of_called_tarokk")?,
            tarokks,
            known,
            discarder: player("discarder_of_called_tarokk")?,
            bound_to_ultimo,
            declarer_holds_xx: input.optional("declarer_holds_XX")?.map(|at| at.flag()).transpose()?,
        };
        if situation.holder.is_some() && situation.discarder.is_some() {
            return input.wrong("the called tarokk is held by one player and discarded by another");
        }
        for player in Player::ALL {
            if situation.known[player.index()].is_some_and(|side| side != situation.side(player)) {
                return input.wrong(format_args!("{player} is known to be on another side than it is"));
            }
        }
        Ok(situation)
    }

    fn side(&self, player: Player) -> Side {
        if player == self.declarer || self.holder == Some(player) { Side::Declarer } else { Side::Opponents }
    }

    fn speaker(&self, player: Player) -> Speaker {
        Speaker {
            side: self.side(player),
            tarokks: self.tarokks[player.index()],
            must_kontra: self.discarder == Some(player) && player != self.declarer,
            must_ultimo: self.bound_to_ultimo == Some(player),
        }
    }
}

pub(super) fn announce(input: &At<'_>) -> Result<Value, String> {
    let situation = Situation::read(input)?;
    let mut announcing = Announcing::new(situation.declarer, None);
    for player in Player::ALL {
        if let Some(side) = situation.known[player.index()] {
            announcing.make_known(player, side);
        }
    }
    let illegal = |turn: usize, token: usize, reason: String| {
        Ok(json!({ "legal": false, "first_illegal": [turn, token], "reason": reason }))
    };
    let turns = input.field("turns")?.list()?;
    for (t, at) in turns.iter().enumerate() {
        let [who, tokens] = at.pair()?;
        let who = who.player()?;
        let tokens = tokens.list()?;
        for (k, at) in tokens.iter().enumerate() {
            let token =
                at.named("something that can be said, such as call:XX, 8_tarokks or kontra:game", Token::parse)?;
            if token == Token::Call(Card::XX)
                && situation.declarer_holds_xx.is_some_and(|holds| holds != (situation.holder == Some(who)))
                && who == situation.declarer
            {
                return at.wrong("declarer_holds_XX and holder_of_called_tarokk do not agree");
            }
            if let Err(reason) = announcing.check(who, &situation.speaker(who), token) {
                return illegal(t, k, reason.to_string());
            }
            announcing.say(who, token);
        }
        let unfinished = announcing.turn() == Some(who) && t + 1 < turns.len();
        if tokens.is_empty() || unfinished {
            return illegal(t, tokens.len(), "a turn ends with pass".to_owned());
        }
    }
    Ok(json!({ "legal": true, "closed": announcing.turn().is_none() }))
}
