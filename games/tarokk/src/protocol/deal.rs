//! What is public about the cards of a deal: codes, what was drawn, what was discarded, and what was proved of it.

use std::sync::Arc;

use outis_crypto::card::Code;
use outis_crypto::deck::{AcceptedShares, DrawnCodes};
use outis_crypto::key::JointKey;
use outis_table::Seat;

use super::claim::{Ledger, Rule};
use crate::rules::auction::Contract;
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::figures::Figure;
use crate::rules::knowledge::own_side;
use crate::rules::play::playable;
use crate::rules::seats::Player;
use crate::rules::state::{Plays, Spoken};
use crate::rules::talon::split;

/// The codes of a deal after the hands are made. Everything here is public.
#[derive(Clone, Debug)]
pub struct Deal {
    /// The joint key of the four players.
    pub key: Arc<JointKey>,
    /// The hands.
    pub hands: [Vec<Code>; 4],
    /// The hands as they were before the talon.
    pub dealt: [Vec<Code>; 4],
    /// The talon, in the order in which it is taken; gone when it was shared.
    pub talon: Vec<Code>,
    /// What each player takes from the talon, the others' shares removed; none before.
    pub drawn: Option<[Vec<Code>; 4]>,
    /// Who has taken up the talon.
    pub merged: [bool; 4],
    /// What each player discarded and has not shown.
    pub laid: [Vec<Code>; 4],
    /// The number of tarokks that each announced.
    pub told: [usize; 4],
    /// The bits of the discards, at a table of five.
    pub bits: [Vec<Code>; 4],
    /// What the declarer has shown of its discard.
    pub shown: CardSet,
    /// Whether everyone has announced their discarded tarokks.
    pub all_told: bool,
    /// Whether the trial bidder has shown its honour.
    pub tried: bool,
    /// What was proved.
    pub ledger: Ledger,
}

/// Places of the talon in the deck.
pub const TALON: core::ops::Range<usize> = 0..6;

/// Places of a player's hand in the deck: five cards, then four (TK-34).
pub fn places(player: Player) -> impl Iterator<Item = usize> {
    let (five, four) = (6 + 5 * player.index(), 26 + 4 * player.index());
    (five..five + 5).chain(four..four + 4)
}

/// The codes of a player's hand, in a deck of 42: a deck has another number of cards only if it could not be read.
pub fn hand_of(deck: &[Code], player: Player) -> Vec<Code> {
    places(player).map(|at| deck[at]).collect()
}

/// What each player takes from the talon.
pub fn talon_of(talon: &[Code], contract: &Contract) -> [Vec<Code>; 4] {
    let split = split(contract.declarer, contract.bid);
    let (mut taken, mut from) = ([const { Vec::new() }; 4], 0);
    for player in contract.declarer.round() {
        let to = from + split[player.index()];
        taken[player.index()] = talon[from..to].to_vec();
        from = to;
    }
    taken
}

/// Shares of some players' cards, each with the player that draws.
pub type Shared = Vec<(Player, AcceptedShares)>;

/// What is left of everyone's drawn codes when all others' shares are taken off.
pub fn strip(
    key: &JointKey,
    seat_of: impl Fn(Player) -> Seat,
    codes: &[Vec<Code>; 4],
    shares: &Shared,
) -> Option<[Vec<Code>; 4]> {
    let mut left = [const { Vec::new() }; 4];
    for player in Player::ALL.into_iter().filter(|player| !codes[player.index()].is_empty()) {
        let own: Vec<AcceptedShares> =
            shares.iter().filter(|(drawer, _)| *drawer == player).map(|(_, shares)| shares.clone()).collect();
        left[player.index()] = DrawnCodes::for_drawer(key, &codes[player.index()], &own, seat_of(player)).ok()?.codes;
    }
    Some(left)
}

impl Deal {
    /// After the hands are made.
    pub fn new(key: Arc<JointKey>, deck: &[Code], hands: [Vec<Code>; 4]) -> Self {
        Self {
            key,
            dealt: hands.clone(),
            hands,
            talon: deck[TALON].to_vec(),
            drawn: None,
            merged: [false; 4],
            laid: [const { Vec::new() }; 4],
            told: [0; 4],
            bits: [const { Vec::new() }; 4],
            shown: CardSet::EMPTY,
            all_told: false,
            tried: false,
            ledger: Ledger::dealt(),
        }
    }

    /// The exchange is over. What a partner has signalled in the auction it still holds, for that cannot be discarded.
    pub fn exchanged(&mut self, contract: &Contract) {
        self.ledger.exchanged(self.shown);
        if let (Some(partner), Some(card)) = (contract.known_partner(), contract.must_call()) {
            self.ledger.holds(partner, card);
        }
    }
}

/// RC-15d, RC-20 and RC-21 when all cards of a player are open (E5): what it did against a duty that hung on a secret.
pub fn breach(ledger: &Ledger, spoken: &Spoken, plays: &Plays, who: Player, laid: CardSet) -> Option<Rule> {
    let (declarer, called) = (spoken.contract.declarer, spoken.announcing.called());
    if who != declarer && called.is_some_and(|card| laid.contains(card)) && !ledger.kontra[who.index()] {
        return Some(Rule::ForcedKontra);
    }
    let side = own_side(declarer, called, who, plays.of(who));
    let at = plays.all().iter().position(|play| *play == (who, Card::PAGAT))?;
    if !spoken.announcing.has_announced(side, Figure::PagatUltimo) {
        return None;
    }
    let hand: CardSet = plays.all()[at..].iter().filter(|(player, _)| *player == who).map(|(_, card)| *card).collect();
    let led = (at % 4 != 0).then(|| plays.all()[at / 4 * 4].1);
    let rule = if led.is_none() { Rule::PagatLed } else { Rule::PagatKept };
    (playable(hand, led, false).len() > 1).then_some(rule)
}
