//! The search: trick by trick, card by card.

use super::moves::{Move, Moves};
use super::table::Table;
use crate::card::{Seat, Suit};
use crate::contract::Strain;
use crate::deal::Deal;

/// The index of "no trump suit".
pub(super) const NOTRUMP: usize = 4;

/// With fewer tricks left it is faster to search again than to remember.
const REMEMBER: u32 = 3;

/// A position at the start of a trick, and the memory. Seats and suits are indices; seats 0 and 2 are North and South.
pub(super) struct Search {
    /// Cards left, by seat and suit.
    pub hands: [[u16; 4]; 4],
    /// Cards left by suit, those of the current trick included.
    pub all: [u16; 4],
    pub trump: usize,
    /// For every set of cards of every suit: the owners from the top, two bits each.
    owners: Vec<u32>,
    table: Table,
}

/// The cards of a trick so far.
#[derive(Clone, Copy)]
pub(super) struct Trick {
    pub leader: usize,
    pub played: [(usize, u16); 4],
    pub count: usize,
    /// Which of the cards is winning.
    pub best: usize,
}

impl Search {
    pub fn new(deal: &Deal) -> Self {
        let hands = Seat::ALL.map(|seat| Suit::ALL.map(|suit| deal.hand(seat).ranks(suit)));
        let mut owners = vec![0u32; 4 << 13];
        for suit in 0..4 {
            for set in 1usize..1 << 13 {
                let top = set.ilog2();
                let owner = (0u32..4).find(|s| hands[*s as usize][suit] >> top & 1 == 1).unwrap_or(0);
                owners[suit << 13 | set] = owner << 30 | owners[suit << 13 | (set ^ 1 << top)] >> 2;
            }
        }
        Self { hands, all: [(1 << 13) - 1; 4], trump: NOTRUMP, owners, table: Table::new() }
    }

    pub fn begin(&mut self, strain: Strain) {
        self.trump = strain.index();
        self.table.clear();
    }

    /// How many tricks North and South make when this seat leads.
    pub fn solve(&mut self, leader: Seat, guess: u8) -> u8 {
        let mut ns = guess;
        if self.lead(leader.index(), 13, i32::from(ns)).0 {
            while ns < 13 && self.lead(leader.index(), 13, i32::from(ns) + 1).0 {
                ns += 1;
            }
            return ns;
        }
        while ns > 0 {
            ns -= 1;
            if self.lead(leader.index(), 13, i32::from(ns)).0 {
                break;
            }
        }
        ns
    }

    /// Whether North and South get `need` of the tricks that are left, and the cards that this depends on: of each
    /// suit the lowest one, together with all above it.
    fn lead(&mut self, leader: usize, left: u32, need: i32) -> (bool, u64) {
        if need <= 0 {
            return (true, 0);
        }
        let need_u = need as u32;
        if need_u > left {
            return (false, 0);
        }
        let ns = leader & 1 == 0;
        if left == 1 {
            return self.last_trick(leader);
        }
        let quick = self.quick(leader, left);
        if ns && quick.tricks >= need_u {
            return (true, quick.cards);
        }
        if !ns && quick.tricks > left - need_u {
            return (false, quick.cards);
        }
        let late = self.late(leader);
        if ns && late.tricks > left - need_u {
            return (false, late.cards);
        }
        if !ns && late.tricks >= need_u {
            return (true, late.cards);
        }
        if left < REMEMBER {
            let trick = Trick { leader, played: [(0, 0); 4], count: 0, best: 0 };
            let (makes, cards, _) = self.try_all(trick, self.leads(leader), left, need);
            return (makes, cards);
        }
        let key = self.key(leader, left);
        let owners = self.owners();
        let hint = match self.table.probe(key, owners, need as u8) {
            Ok(hit) => return (hit.makes, self.lowest(hit.counts)),
            Err(hint) => hint,
        };
        let trick = Trick { leader, played: [(0, 0); 4], count: 0, best: 0 };
        let mut moves = self.leads(leader);
        if let Some(hint) = hint {
            let (suit, place) = (usize::from(hint >> 4), u32::from(hint & 15));
            for m in moves.iter_mut() {
                if m.suit == suit && self.place(m.suit, m.bit) == place {
                    m.weight += 1000;
                }
            }
        }
        let (makes, cards, best) = self.try_all(trick, moves, left, need);
        let counts = self.counts(cards);
        let hint = (best.suit as u8) << 4 | self.place(best.suit, best.bit) as u8;
        let (lower, upper) = if makes { (need as u8, left as u8) } else { (0, need as u8 - 1) };
        self.table.store(key, owners, counts, lower, upper, hint);
        (makes, cards)
    }

    /// The next card of a trick that has begun.
    fn follow(&mut self, trick: Trick, left: u32, need: i32) -> (bool, u64) {
        let moves = self.replies(&trick);
        let (makes, cards, _) = self.try_all(trick, moves, left, need);
        (makes, cards)
    }

    /// Tries the moves of the seat whose turn it is until one reaches its side's aim.
    fn try_all(&mut self, trick: Trick, mut moves: Moves, left: u32, need: i32) -> (bool, u64, Move) {
        let seat = (trick.leader + trick.count) & 3;
        let aim = seat & 1 == 0;
        let mut union = 0;
        // Below these, cards of a suit are like one that has failed.
        let mut floor = [0u16; 4];
        let mut first = None;
        while let Some(m) = moves.take_best() {
            first = first.or(Some(m));
            if m.bit < floor[m.suit] {
                continue;
            }
            self.hands[seat][m.suit] ^= m.bit;
            let next = trick.with(m.suit, m.bit, self.trump);
            let (makes, cards) =
                if next.count == 4 { self.finish(&next, left, need) } else { self.follow(next, left, need) };
            self.hands[seat][m.suit] ^= m.bit;
            if makes == aim {
                return (makes, cards, m);
            }
            union |= cards;
            let relevant = (cards >> (16 * m.suit)) as u16;
            let lowest = if relevant == 0 { 1 << 13 } else { relevant & relevant.wrapping_neg() };
            if m.bit < lowest {
                floor[m.suit] = floor[m.suit].max(lowest);
            }
            // One card was tried for the whole group. That the others are like it matters too, unless all are small:
            // with other owners of the lower ones there would be more to try.
            if m.high >= lowest {
                union |= lane(m.suit, m.low);
            }
        }
        (!aim, union, first.unwrap_or_default())
    }

    /// A full trick: who won it, and on.
    fn finish(&mut self, trick: &Trick, left: u32, need: i32) -> (bool, u64) {
        let winner = (trick.leader + trick.best) & 3;
        let (suit, bit) = trick.played[trick.best];
        let by_rank = trick.played.iter().filter(|(s, _)| *s == suit).count() > 1;
        for (s, b) in trick.played {
            self.all[s] ^= b;
        }
        let won = i32::from(winner & 1 == 0);
        let (makes, mut cards) = self.lead(winner, left - 1, need - won);
        for (s, b) in trick.played {
            self.all[s] ^= b;
        }
        if by_rank {
            cards |= lane(suit, bit);
        }
        (makes, cards)
    }

    /// The last trick plays itself; one trick is asked for.
    fn last_trick(&self, leader: usize) -> (bool, u64) {
        let mut trick = Trick { leader, played: [(0, 0); 4], count: 0, best: 0 };
        for i in 0..4 {
            let hand = &self.hands[(leader + i) & 3];
            let suit = (0..4).find(|s| hand[*s] != 0).unwrap_or(0);
            trick = trick.with(suit, hand[suit], self.trump);
        }
        let (suit, bit) = trick.played[trick.best];
        let by_rank = trick.played.iter().filter(|(s, _)| *s == suit).count() > 1;
        ((leader + trick.best) & 1 == 0, if by_rank { lane(suit, bit) } else { 0 })
    }

    /// The lengths of three suits in every hand, the tricks left (hence the fourth), and the leader.
    fn key(&self, leader: usize, left: u32) -> u64 {
        let mut key = u64::from(left) << 2 | leader as u64;
        for hand in &self.hands {
            for ranks in &hand[..3] {
                key = key << 4 | u64::from(ranks.count_ones());
            }
        }
        key
    }

    fn owners(&self) -> u128 {
        let lane = |s: usize| u128::from(self.owners[s << 13 | usize::from(self.all[s])]);
        lane(0) | lane(1) << 32 | lane(2) << 64 | lane(3) << 96
    }

    /// How many cards from the top of each suit are at or above the lowest that matters.
    fn counts(&self, cards: u64) -> [u8; 4] {
        core::array::from_fn(|s| {
            let lane = (cards >> (16 * s)) as u16;
            if lane == 0 { 0 } else { (self.all[s] >> lane.trailing_zeros()).count_ones() as u8 }
        })
    }

    /// The reverse of `counts`.
    fn lowest(&self, counts: [u8; 4]) -> u64 {
        let mut cards = 0;
        for (suit, count) in counts.into_iter().enumerate().filter(|(_, n)| *n > 0) {
            let mut set = self.all[suit];
            let skip = set.count_ones() - u32::from(count);
            for _ in 0..skip {
                set &= set - 1;
            }
            cards |= lane(suit, set & set.wrapping_neg());
        }
        cards
    }

    /// The place of a card counted from the top of what is left of its suit.
    fn place(&self, suit: usize, bit: u16) -> u32 {
        (self.all[suit] & !(bit | (bit - 1))).count_ones()
    }
}

impl Trick {
    fn with(mut self, suit: usize, bit: u16, trump: usize) -> Self {
        let (best_suit, best_bit) = self.played[self.best];
        if self.count > 0 && (if suit == best_suit { bit > best_bit } else { suit == trump }) {
            self.best = self.count;
        }
        self.played[self.count] = (suit, bit);
        self.count += 1;
        self
    }
}

/// A set of cards of one suit among the four lanes.
pub(super) const fn lane(suit: usize, bits: u16) -> u64 {
    (bits as u64) << (16 * suit)
}
