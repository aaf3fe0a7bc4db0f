//! Which cards to try, and in which order. The order changes the time of a search, never its result.

use super::search::{NOTRUMP, Search, Trick, top};

/// A card to try for a group of touching cards: the suit, its bit, the ends of the group, and how early to try it.
#[derive(Clone, Copy, Default)]
pub(super) struct Move {
    pub suit: u8,
    pub bit: u16,
    pub high: u16,
    pub low: u16,
    pub weight: i16,
}

impl Move {
    pub(super) const fn suit(&self) -> usize {
        self.suit as usize
    }
}

/// At most thirteen moves.
pub(super) struct Moves {
    list: [Move; 13],
    len: usize,
}

/// The lead that worked last, by seat and tricks left.
#[derive(Default)]
pub(super) struct Killers([[(u8, u16); 14]; 4]);

impl Killers {
    pub(super) fn worked(&mut self, seat: usize, left: u32, m: Move) {
        self.0[seat][left as usize] = (m.suit, m.bit);
    }

    fn bonus(&self, seat: usize, left: u32, suit: usize, bit: u16) -> i32 {
        if self.0[seat][left as usize] == (suit as u8, bit) { 20 } else { 0 }
    }
}

impl Search {
    /// The leads of a seat.
    pub(super) fn leads(&self, seat: usize, left: u32) -> Moves {
        let mut moves = Moves::new();
        for suit in (0..4).filter(|s| self.hands[seat][*s] != 0) {
            let base = self.lead_value(seat, suit);
            let top = top(self.all[suit]);
            for (high, low) in self.groups(seat, suit) {
                let (bit, weight) = if high == top { (high, base + 14) } else { (low, base + 10 - rank(low)) };
                let weight = weight + self.killers.bonus(seat, left, suit, bit);
                moves.push(suit, bit, high, low, weight);
            }
        }
        moves
    }

    /// How attractive it is to lead a suit.
    fn lead_value(&self, seat: usize, suit: usize) -> i32 {
        let (lho, partner, rho) = ((seat + 1) & 3, seat ^ 2, (seat + 3) & 3);
        let top = top(self.all[suit]);
        let holds = |s: usize| self.hands[s][suit] & top != 0;
        let mut value = if holds(seat) {
            4
        } else if holds(partner) {
            24
        } else if holds(lho) {
            12
        } else {
            0
        };
        if self.trump == NOTRUMP {
            let ours = self.length(seat, suit) + self.length(partner, suit);
            let theirs = self.length(lho, suit).max(self.length(rho, suit));
            value += (ours as i32 - theirs as i32) * 2;
        } else if suit != self.trump {
            let ruffs = |s: usize| self.hands[s][suit] == 0 && self.hands[s][self.trump] != 0;
            value += if ruffs(lho) || ruffs(rho) { -32 } else { 0 };
            value += if ruffs(partner) { 14 } else { 0 };
        }
        value
    }

    /// The cards that the next seat may play to a trick.
    pub(super) fn replies(&self, trick: &Trick) -> Moves {
        let mut moves = Moves::new();
        let seat = trick.turn();
        let led = trick.led();
        let partner_holds = self.partner_holds(trick, seat);
        let follows = self.hands[seat][led] != 0;
        for suit in (0..4).filter(|s| (*s == led) == follows) {
            for (high, low) in self.groups(seat, suit) {
                let (best_suit, best_bit) = trick.winning();
                let beats = if suit == best_suit { high > best_bit } else { suit == self.trump };
                let bit = if beats { high } else { low };
                let weight = if !beats {
                    30 - rank(low) + if follows { 0 } else { self.discard_value(seat, suit, low) }
                } else if partner_holds {
                    10 - rank(high)
                } else if self.survives(trick, suit, high) {
                    60 - rank(high)
                } else {
                    12 - rank(high)
                };
                moves.push(suit, bit, high, low, weight);
            }
        }
        moves
    }

    /// From long suits, not from winners, not from trumps.
    fn discard_value(&self, seat: usize, suit: usize, low: u16) -> i32 {
        let winner = self.all[suit] >> rank(low) == 1;
        self.length(seat, suit) as i32 - if winner { 10 } else { 0 } - if suit == self.trump { 8 } else { 0 }
    }

    /// Whether a winning card of the seat in turn holds against the next seat, if that one still plays.
    fn survives(&self, trick: &Trick, suit: usize, bit: u16) -> bool {
        if trick.count == 3 {
            return true;
        }
        let led = trick.led();
        let hand = &self.hands[(trick.leader + trick.count + 1) & 3];
        let led = if trick.count == 0 { suit } else { led };
        if hand[led] != 0 {
            suit != led || hand[led] < bit
        } else if self.trump == NOTRUMP || hand[self.trump] == 0 {
            true
        } else {
            suit == self.trump && hand[self.trump] < bit
        }
    }

    /// Whether partner wins the trick anyway: already and safely, or as the last to play.
    fn partner_holds(&self, trick: &Trick, seat: usize) -> bool {
        let (best_suit, best_bit) = trick.winning();
        if trick.count >= 2 {
            return trick.best == trick.count - 2 && self.survives(trick, best_suit, best_bit);
        }
        let led = trick.led();
        let strength = |seat: usize| {
            let hand = &self.hands[seat & 3];
            if hand[led] != 0 {
                (led == self.trump, hand[led])
            } else if self.trump != NOTRUMP && hand[self.trump] != 0 {
                (true, hand[self.trump])
            } else {
                (false, 0)
            }
        };
        let last = strength(seat + 2);
        last > strength(seat + 1) && last > (best_suit == self.trump, best_bit)
    }

    /// The highest and the lowest card of every group of touching cards of a seat in a suit.
    fn groups(&self, seat: usize, suit: usize) -> impl Iterator<Item = (u16, u16)> {
        let mut mine = self.hands[seat][suit];
        let others = self.all[suit] & !mine;
        core::iter::from_fn(move || {
            if mine == 0 {
                return None;
            }
            let high = 1u16 << rank(mine);
            // Everything of mine above the next card of someone else.
            let below = others & (high - 1);
            let group = if below == 0 { mine } else { mine & !(u16::MAX >> below.leading_zeros()) };
            mine ^= group;
            Some((high, group & group.wrapping_neg()))
        })
    }
}

impl Moves {
    fn new() -> Self {
        Self { list: [Move::default(); 13], len: 0 }
    }

    fn push(&mut self, suit: usize, bit: u16, high: u16, low: u16, weight: i32) {
        self.list[self.len] = Move { suit: suit as u8, bit, high, low, weight: weight as i16 };
        self.len += 1;
    }

    /// Puts the moves that fit before all others.
    pub(super) fn prefer(&mut self, fits: impl Fn(&Move) -> bool) {
        self.list[..self.len].iter_mut().filter(|m| fits(m)).for_each(|m| m.weight += 1000);
    }

    /// Removes and returns the heaviest.
    pub(super) fn take_best(&mut self) -> Option<Move> {
        let (index, _) = self.list[..self.len].iter().enumerate().max_by_key(|(_, m)| m.weight)?;
        self.len -= 1;
        self.list.swap(index, self.len);
        Some(self.list[self.len])
    }
}

/// The place of the highest bit.
fn rank(bits: u16) -> i32 {
    15 - bits.leading_zeros() as i32
}
