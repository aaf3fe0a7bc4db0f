//! A deal that a bot imagines: all cards are given, and the rules of thumb play them.

use super::seen::{Course, Seen};
use super::sound;
use crate::rules::announce::Announcement;
use crate::rules::auction::Bid;
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::facts::{Facts, Sides, Trick};
use crate::rules::seats::Player;
use crate::rules::settle::{Account, payments};

/// A deal with all its cards.
#[derive(Clone, Copy, Debug)]
pub struct Imagined {
    /// What is public.
    pub course: Course,
    /// The cards in hand.
    pub hands: [CardSet; 4],
    /// The nine cards after the exchange.
    pub kept: [CardSet; 4],
    /// The discards.
    pub away: [CardSet; 4],
    tricks: [Trick; 9],
}

/// What the settlement asks beside the cards.
#[derive(Clone, Copy, Debug)]
pub struct Stakes<'a> {
    /// The bid.
    pub bid: Bid,
    /// The level of kontra of the game.
    pub game_kontra: u8,
    /// The announced figures.
    pub announcements: &'a [Announcement],
}

impl Imagined {
    /// `before` are the finished tricks.
    pub fn new(course: Course, hands: [CardSet; 4], kept: [CardSet; 4], away: [CardSet; 4], before: &[Trick]) -> Self {
        let none = Trick { leader: Player::FIRST, cards: [Card::PAGAT; 4] };
        let mut tricks = [none; 9];
        tricks[..before.len()].copy_from_slice(before);
        Self { course, hands, kept, away, tricks }
    }

    /// Who is with whom in this deal.
    pub fn sides(&self) -> Sides {
        let declarer = self.course.declarer;
        let holds = |player: &Player| self.course.called.is_some_and(|card| self.kept[player.index()].contains(card));
        Sides { declarer, partner: Player::ALL.into_iter().filter(|player| *player != declarer).find(holds) }
    }

    /// The player whose turn it is plays a card.
    pub fn play(&mut self, card: Card) {
        let (who, number, leader) = (self.course.turn(), self.course.finished, self.course.leader);
        self.hands[who.index()].remove(card);
        if let Some(trick) = self.tricks.get_mut(number) {
            trick.leader = leader;
            trick.cards[self.course.on_table] = card;
        }
        self.course.push(card);
    }

    /// Everyone plays to the end by the rules of thumb, each seeing only its own cards.
    pub fn finish(mut self) -> Facts {
        while self.course.finished < 9 {
            let who = self.course.turn();
            let i = who.index();
            let card = match self.hands[i].len() {
                1 => self.hands[i].iter().next().unwrap_or(Card::PAGAT),
                _ => sound::card(&Seen::new(self.course, who, self.hands[i], self.kept[i], self.away[i])),
            };
            self.play(card);
        }
        Facts::of(&self.tricks, &self.away, self.sides())
    }
}

impl Stakes<'_> {
    /// What a deal pays to a player, before the factor of a double round.
    pub fn pays(&self, facts: Facts, sides: Sides, player: Player) -> i64 {
        let account =
            Account { bid: self.bid, game_kontra: self.game_kontra, announcements: self.announcements, facts };
        payments(&account.items(), sides)[player.index()]
    }
}
