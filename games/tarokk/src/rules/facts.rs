//! What happened in a deal, as far as the settlement needs it (TK-51, TK-59).

use super::cards::{Card, Rank, Suit};
use super::cardset::CardSet;
use super::figures::{Figure, GAME_FROM, Side};
use super::play::winner;
use super::seats::Player;

/// Who was on which side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The declarer.
    pub declarer: Player,
    /// Its partner; none if it plays alone against three.
    pub partner: Option<Player>,
}

/// A finished trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trick {
    /// Who led.
    pub leader: Player,
    /// The cards in the order in which they were played.
    pub cards: [Card; 4],
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Card points by side: tricks and discards.
    pub points: [u8; 2],
    /// Tricks by side.
    pub tricks: [u8; 2],
    /// The side whose tricks hold skíz, XXI and pagát.
    pub honours: [Side; 3],
    /// The side whose tricks hold the kings of hearts, diamonds, clubs and spades.
    pub kings: [Side; 4],
    /// The side that played the pagát to the ninth trick, and whether the pagát won it.
    pub pagat_last: Option<(Side, bool)>,
    /// The side whose skíz took the other side's XXI.
    pub xxi_caught_by: Option<Side>,
}

/// The honours in the order of [`Facts::honours`].
pub const HONOURS: [Card; 3] = [Card::SKIZ, Card::XXI, Card::PAGAT];

impl Sides {
    /// The side of a player.
    pub fn of(&self, player: Player) -> Side {
        if player == self.declarer || Some(player) == self.partner { Side::Declarer } else { Side::Opponents }
    }
}

impl Trick {
    /// Who takes it.
    pub fn winner(&self) -> Player {
        self.leader.after(winner(&self.cards))
    }

    /// Who played a card to it.
    pub fn player_of(&self, card: Card) -> Option<Player> {
        self.cards.iter().position(|played| *played == card).map(|at| self.leader.after(at))
    }
}

impl Facts {
    /// Reads nine tricks. The declarer's discard counts for its side, the other three for the opponents, even that of the
    /// partner (TK-47).
    pub fn of(tricks: &[Trick; 9], discards: &[CardSet; 4], sides: Sides) -> Self {
        let taken_by = |card: Card| {
            let trick = tricks.iter().find(|trick| trick.cards.contains(&card));
            trick.map_or(Side::Opponents, |trick| sides.of(trick.winner()))
        };
        let mut facts = Self {
            points: [0; 2],
            tricks: [0; 2],
            honours: HONOURS.map(taken_by),
            kings: Suit::ALL.map(|suit| taken_by(Card::coloured(suit, Rank::King))),
            pagat_last: None,
            xxi_caught_by: None,
        };
        for trick in tricks {
            let side = sides.of(trick.winner());
            facts.tricks[side.index()] += 1;
            facts.points[side.index()] += trick.cards.iter().map(|card| card.points()).sum::<u8>();
            if let (Some(skiz), Some(xxi)) = (trick.player_of(Card::SKIZ), trick.player_of(Card::XXI)) {
                facts.xxi_caught_by = (sides.of(skiz) != sides.of(xxi)).then(|| sides.of(skiz));
            }
        }
        for player in Player::ALL {
            let side = if player == sides.declarer { Side::Declarer } else { Side::Opponents };
            facts.points[side.index()] += discards[player.index()].points();
        }
        let last = &tricks[8];
        facts.pagat_last = last.player_of(Card::PAGAT).map(|player| (sides.of(player), last.winner() == player));
        facts
    }

    /// Who won the game: the declarer's side from 48 points on (TK-59).
    pub fn winner(&self) -> Side {
        if self.points[Side::Declarer.index()] >= GAME_FROM { Side::Declarer } else { Side::Opponents }
    }

    /// Whether a side made a figure (TK-51).
    pub fn made(&self, side: Side, figure: Figure) -> bool {
        match figure {
            Figure::Trull => self.honours == [side; 3],
            Figure::FourKings => self.kings == [side; 4],
            Figure::Double => self.points[side.index()] >= super::figures::DOUBLE_FROM,
            Figure::Volat => self.tricks[side.index()] == 9,
            Figure::PagatUltimo => self.pagat_last == Some((side, true)),
            Figure::XxiCatch => self.xxi_caught_by == Some(side),
        }
    }
}
