//! Tricks that a side can be sure of without a search.
//!
//! The side on lead cashes top cards that nobody can beat or ruff; the other side has top trumps that win whenever
//! they are played. Every count comes with the cards that it rests on.

use super::search::{NOTRUMP, Search, lane, top};

/// A number of tricks and the lowest cards that the number depends on.
#[derive(Clone, Copy)]
pub(super) struct Sure {
    pub tricks: u32,
    pub cards: u64,
}

impl Search {
    /// Tricks that the leader's side can take at once.
    pub(super) fn quick(&self, leader: usize, left: u32) -> Sure {
        let partner = leader ^ 2;
        let rivals = [leader ^ 1, leader ^ 3];
        let trump = self.trump;
        let mut sure = Sure { tricks: 0, cards: 0 };
        let mut runs = [0; 4];
        // Trumps first: what the rivals have left of them can ruff.
        let mut ruffs = [false; 2];
        if trump != NOTRUMP {
            let (run, bit) = self.run(leader, trump);
            runs[trump] = run;
            if run > 0 {
                sure.tricks += self.stretched(leader, trump, run);
                sure.cards |= lane(trump, bit);
            }
            ruffs = rivals.map(|r| self.length(r, trump) > run);
        }
        let safe = |suit: usize, wanted: u32| {
            (0..2).filter(|i| ruffs[*i]).fold(wanted, |n, i| n.min(self.length(rivals[i], suit)))
        };
        for suit in (0..4).filter(|s| *s != trump) {
            let (run, bit) = self.run(leader, suit);
            runs[suit] = run;
            if run > 0 {
                let wanted = if ruffs == [false; 2] { self.stretched(leader, suit, run) } else { run };
                let safe = safe(suit, wanted);
                if safe > 0 {
                    sure.tricks += safe;
                    sure.cards |= lane(suit, bit);
                }
            }
        }
        // Partner's winners in suits where the leader has none, if a suit leads there.
        let mut crossing = false;
        let mut more = Sure { tricks: 0, cards: 0 };
        for suit in (0..4).filter(|s| runs[*s] == 0) {
            let (run, bit) = self.run(partner, suit);
            if run > 0 {
                let wanted = if ruffs == [false; 2] { self.stretched(partner, suit, run) } else { run };
                let count = if suit == trump { run } else { safe(suit, wanted) };
                if count > 0 {
                    more.tricks += count;
                    more.cards |= lane(suit, bit);
                    crossing |= self.length(leader, suit) > 0;
                }
            }
        }
        // Partner's winners right below the leader's: cash those, then lead a small one.
        for suit in (0..4).filter(|s| runs[*s] > 0 && self.length(leader, *s) > runs[*s]) {
            let (run, bit) = self.run_below(leader, partner, suit);
            let kept = run.min(self.length(partner, suit).saturating_sub(runs[suit]));
            let wanted = runs[suit] + kept;
            let count = if suit == trump { wanted } else { safe(suit, wanted) };
            if count > runs[suit] {
                more.tricks += count - runs[suit];
                more.cards |= lane(suit, bit);
                crossing = true;
            }
        }
        if crossing {
            sure.tricks += more.tricks;
            sure.cards |= more.cards;
        }
        sure.tricks = sure.tricks.min(left);
        sure
    }

    /// Tricks that the side not on lead gets in any case.
    pub(super) fn late(&self, leader: usize) -> Sure {
        let rivals = [leader ^ 1, leader ^ 3];
        if self.trump != NOTRUMP {
            return self.top_trumps(rivals);
        }
        // Notrump: if whatever the leader leads can be won by a rival, that rival cashes his own top cards.
        let mut least = Sure { tricks: u32::MAX, cards: 0 };
        let mut cards = 0;
        for suit in (0..4).filter(|s| self.length(leader, *s) > 0) {
            let top = top(self.all[suit]);
            let Some(rival) = rivals.into_iter().find(|r| self.hands[*r][suit] & top != 0) else {
                return Sure { tricks: 0, cards: 0 };
            };
            let mut tricks = 0;
            for s in 0..4 {
                let (run, bit) = self.run(rival, s);
                tricks += run;
                cards |= lane(s, bit);
            }
            least.tricks = least.tricks.min(tricks);
        }
        least.cards = cards;
        least
    }

    /// The top trumps of a side; those in the longer part of the run are played in different tricks.
    fn top_trumps(&self, side: [usize; 2]) -> Sure {
        let suit = self.trump;
        let mut rest = self.all[suit];
        let mut counts = [0; 2];
        let mut cards = 0;
        while rest != 0 {
            let top = top(rest);
            match side.iter().position(|s| self.hands[*s][suit] & top != 0) {
                Some(i) => counts[i] += 1,
                None => break,
            }
            cards = top;
            rest ^= top;
        }
        Sure { tricks: counts[0].max(counts[1]), cards: lane(suit, cards) }
    }

    /// How many of the highest cards of a suit a seat has in a row, and the lowest of them.
    fn run(&self, seat: usize, suit: usize) -> (u32, u16) {
        let mine = self.hands[seat][suit];
        let others = self.all[suit] & !mine;
        // My cards above the highest card of the others.
        let above = if others == 0 { mine } else { mine & !(u16::MAX >> others.leading_zeros()) };
        (above.count_ones(), above & above.wrapping_neg())
    }

    /// The same for a seat once the top cards of another one are gone.
    fn run_below(&self, first: usize, seat: usize, suit: usize) -> (u32, u16) {
        let mine = self.hands[seat][suit];
        let (_, lowest) = self.run(first, suit);
        let others = self.all[suit] & !mine & (lowest.max(1) - 1);
        let below = mine & (lowest.max(1) - 1);
        let above = if others == 0 { below } else { below & !(u16::MAX >> others.leading_zeros()) };
        (above.count_ones(), above & above.wrapping_neg())
    }

    /// The whole length of a suit if the top cards draw all that the rivals have and partner cannot be in the way.
    fn stretched(&self, seat: usize, suit: usize, run: u32) -> u32 {
        let others = [1, 2, 3].into_iter().map(|i| self.length(seat ^ i, suit)).max().unwrap_or(0);
        if others <= run { self.length(seat, suit) } else { run }
    }
}
