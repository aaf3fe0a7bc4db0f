//! The search: trick by trick, card by card.

use super::moves::{Killers, Move, Moves};
use super::table::{Bounds, Position, Table};
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
    /// How many they are: four bits for each seat and suit.
    lengths: u64,
    /// Cards left by suit, those of the current trick included.
    pub all: [u16; 4],
    pub trump: usize,
    pub killers: Killers,
    /// For every set of cards of every suit: the owners from the top, two bits each.
    owners: Vec<u32>,
    table: Table,
}

/// The cards of a trick so far.
#[derive(Clone, Copy)]
pub(super) struct Trick {
    pub leader: usize,
    pub count: usize,
    /// Which of the cards is winning.
    pub best: usize,
    suits: [u8; 4],
    bits: [u16; 4],
}

/// Whether North and South reach their aim, and the cards that this depends on: of each suit the lowest one, together
/// with all above it, sixteen bits per suit.
type Answer = (bool, u64);

impl Search {
    pub(super) fn new(deal: &Deal, strain: Strain) -> Self {
        let hands = Seat::ALL.map(|seat| Suit::ALL.map(|suit| deal.hand(seat).ranks(suit)));
        let mut owners = vec![0u32; 4 << 13];
        let mut lengths = 0;
        for suit in 0..4 {
            for set in 1usize..1 << 13 {
                let top = set.ilog2();
                let owner = (0u32..4).find(|s| hands[*s as usize][suit] >> top & 1 == 1).unwrap_or(0);
                owners[suit << 13 | set] = owner << 30 | owners[suit << 13 | (set ^ 1 << top)] >> 2;
            }
            for (seat, hand) in hands.iter().enumerate() {
                lengths |= u64::from(hand[suit].count_ones()) << shift(seat, suit);
            }
        }
        Self {
            hands,
            lengths,
            all: [(1 << 13) - 1; 4],
            trump: strain.index(),
            killers: Killers::default(),
            owners,
            table: Table::new(),
        }
    }

    /// How many tricks North and South make when this seat leads.
    pub(super) fn solve(&mut self, leader: Seat, guess: u8) -> u8 {
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

    /// Whether North and South get `need` of the tricks that are left.
    fn lead(&mut self, leader: usize, left: u32, need: i32) -> Answer {
        if need <= 0 {
            return (true, 0);
        }
        let need_u = need as u32;
        if need_u > left {
            return (false, 0);
        }
        if left == 1 {
            return self.last_trick(leader);
        }
        // What the leader's side must get to decide the question in its favour, and the other side in its own.
        let ns = leader & 1 == 0;
        let (ours, theirs) = if ns { (need_u, left - need_u + 1) } else { (left - need_u + 1, need_u) };
        let quick = self.quick(leader, left);
        if quick.tricks >= ours {
            return (ns, quick.cards);
        }
        let late = self.late(leader);
        if late.tricks >= theirs {
            return (!ns, late.cards);
        }
        let trick = Trick::new(leader);
        if left < REMEMBER {
            let (makes, cards, _) = self.try_all(&trick, &mut self.leads(leader, left), left, need);
            return (makes, cards);
        }
        let position = Position { lengths: self.lengths, owners: self.owners(), leader };
        let hint = match self.table.probe(&position, need as u8) {
            Ok(hit) => return (hit.makes, self.lowest(hit.counts)),
            Err(hint) => hint,
        };
        let mut moves = self.leads(leader, left);
        if let Some(hint) = hint {
            let (suit, place) = (usize::from(hint >> 4), u32::from(hint & 15));
            moves.prefer(|m| m.suit() == suit && self.place(suit, m.bit) == place);
        }
        let (makes, cards, best) = self.try_all(&trick, &mut moves, left, need);
        let (lower, upper) = if makes { (need as u8, left as u8) } else { (0, need as u8 - 1) };
        let lead = best.suit << 4 | self.place(best.suit(), best.bit) as u8;
        self.table.store(&position, Bounds { counts: self.counts(cards), lower, upper, lead });
        (makes, cards)
    }

    /// Tries the moves of the seat whose turn it is until one reaches its side's aim; also returns that move.
    fn try_all(&mut self, trick: &Trick, moves: &mut Moves, left: u32, need: i32) -> (bool, u64, Move) {
        let seat = trick.turn();
        let aim = seat & 1 == 0;
        let mut union = 0;
        // Below these, cards of a suit are like one that has failed.
        let mut floor = [0u16; 4];
        let mut first = None;
        while let Some(m) = moves.take_best() {
            let suit = m.suit();
            if m.bit < floor[suit] {
                continue;
            }
            first = first.or(Some(m));
            self.hands[seat][suit] ^= m.bit;
            self.lengths -= 1 << shift(seat, suit);
            let next = trick.with(suit, m.bit, self.trump);
            let (makes, cards) = if next.count == 4 {
                self.finish(&next, left, need)
            } else {
                let (makes, cards, _) = self.try_all(&next, &mut self.replies(&next), left, need);
                (makes, cards)
            };
            self.hands[seat][suit] ^= m.bit;
            self.lengths += 1 << shift(seat, suit);
            if makes == aim {
                if trick.count == 0 {
                    self.killers.worked(seat, left, m);
                }
                return (makes, cards, m);
            }
            union |= cards;
            let relevant = (cards >> (16 * suit)) as u16;
            let lowest = if relevant == 0 { 1 << 13 } else { relevant & relevant.wrapping_neg() };
            if m.bit < lowest {
                floor[suit] = floor[suit].max(lowest);
            }
            // One card was tried for the whole group. That the others are like it matters too, unless all are small:
            // with other owners of the lower ones there would be more to try.
            if m.high >= lowest {
                union |= lane(suit, m.low);
            }
        }
        (!aim, union, first.unwrap_or_default())
    }

    /// A full trick: who won it, and on.
    fn finish(&mut self, trick: &Trick, left: u32, need: i32) -> Answer {
        let winner = (trick.leader + trick.best) & 3;
        for i in 0..4 {
            self.all[trick.suit(i)] ^= trick.bits[i];
        }
        let won = i32::from(winner & 1 == 0);
        let (makes, cards) = self.lead(winner, left - 1, need - won);
        for i in 0..4 {
            self.all[trick.suit(i)] ^= trick.bits[i];
        }
        (makes, cards | trick.won_by_rank())
    }

    /// The last trick plays itself; one trick is asked for.
    fn last_trick(&self, leader: usize) -> Answer {
        let mut trick = Trick::new(leader);
        for _ in 0..4 {
            let hand = &self.hands[trick.turn()];
            let suit = (0..4).find(|s| hand[*s] != 0).unwrap_or(0);
            trick = trick.with(suit, hand[suit], self.trump);
        }
        ((leader + trick.best) & 1 == 0, trick.won_by_rank())
    }

    fn owners(&self) -> [u64; 2] {
        let lane = |s: usize| u64::from(self.owners[s << 13 | usize::from(self.all[s])]);
        [lane(0) | lane(1) << 32, lane(2) | lane(3) << 32]
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
            let mut above = self.all[suit];
            for _ in 1..count {
                above ^= top(above);
            }
            cards |= lane(suit, top(above));
        }
        cards
    }

    /// The place of a card counted from the top of what is left of its suit.
    fn place(&self, suit: usize, bit: u16) -> u32 {
        (self.all[suit] & !(bit | (bit - 1))).count_ones()
    }

    /// How many cards of a suit a seat has.
    pub(super) fn length(&self, seat: usize, suit: usize) -> u32 {
        (self.lengths >> shift(seat, suit)) as u32 & 15
    }
}

impl Trick {
    const fn new(leader: usize) -> Self {
        Self { leader, count: 0, best: 0, suits: [0; 4], bits: [0; 4] }
    }

    /// Who plays next.
    pub(super) const fn turn(&self) -> usize {
        (self.leader + self.count) & 3
    }

    pub(super) const fn suit(&self, i: usize) -> usize {
        self.suits[i] as usize
    }

    /// The suit that was led.
    pub(super) const fn led(&self) -> usize {
        self.suits[0] as usize
    }

    /// The card that is winning.
    pub(super) const fn winning(&self) -> (usize, u16) {
        (self.suits[self.best] as usize, self.bits[self.best])
    }

    fn with(&self, suit: usize, bit: u16, trump: usize) -> Self {
        let mut next = *self;
        let (best_suit, best_bit) = self.winning();
        if self.count > 0 && (if suit == best_suit { bit > best_bit } else { suit == trump }) {
            next.best = self.count;
        }
        next.suits[self.count] = suit as u8;
        next.bits[self.count] = bit;
        next.count += 1;
        next
    }

    /// The winning card, if there was another one of its suit.
    fn won_by_rank(&self) -> u64 {
        let (suit, bit) = self.winning();
        let others = (0..4).filter(|i| self.suit(*i) == suit).count() > 1;
        if others { lane(suit, bit) } else { 0 }
    }
}

/// A set of cards of one suit among the four lanes.
pub(super) const fn lane(suit: usize, bits: u16) -> u64 {
    (bits as u64) << (16 * suit)
}

/// The highest card of a set that is not empty.
pub(super) const fn top(bits: u16) -> u16 {
    1 << (15 - (bits | 1).leading_zeros())
}

/// Where a length is among the sixteen.
const fn shift(seat: usize, suit: usize) -> usize {
    4 * (4 * seat + suit)
}
