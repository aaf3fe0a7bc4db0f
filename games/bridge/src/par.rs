//! Par: the result when both sides bid perfectly, knowing all the cards.
//!
//! The auction is solved as what it is, a game with open cards: from every state (last bid, whose turn, how many passes)
//! the side to bid picks what is best for it, and a contract that fails is doubled. There are a few thousand states.

use crate::board::Vulnerability;
use crate::card::Seat;
use crate::contract::{Played, Strain};
use crate::dd::Tricks;

/// The par of a deal for one dealer and vulnerability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Par {
    /// The score, positive for North–South.
    pub score_ns: i32,
    /// The contracts that reach it; empty if the deal is passed out.
    pub contracts: Vec<Played>,
}

/// Solves the auction.
pub fn par(tricks: &Tricks, dealer: Seat, vulnerability: Vulnerability) -> Par {
    let auction = Auction { tricks, vulnerability };
    // The value once a seat has made a bid, for all bids and bidders, from the highest bid down.
    let mut spoken = vec![[0i32; 4]; BIDS];
    for bid in (0..BIDS).rev() {
        for bidder in Seat::ALL {
            let mut value = auction.score(bid, bidder);
            // The third pass ends the auction, so the seats are taken backwards.
            for turn in (1..=3).rev() {
                let seat = bidder.plus(turn);
                value = auction.choose(seat, bid + 1, value, &spoken);
            }
            spoken[bid][bidder.index()] = value;
        }
    }
    // Four passes at the start: no score.
    let mut value = 0;
    for turn in (0..4).rev() {
        value = auction.choose(dealer.plus(turn), 0, value, &spoken);
    }
    Par { score_ns: value, contracts: auction.contracts(value) }
}

/// All bids from 1♣ to 7NT.
const BIDS: usize = 35;

struct Auction<'a> {
    tricks: &'a Tricks,
    vulnerability: Vulnerability,
}

impl Auction<'_> {
    fn played(&self, bid: usize, declarer: Seat) -> Played {
        let strain = Strain::BIDDING[bid % 5];
        let tricks = self.tricks.of(declarer, strain);
        let level = (bid / 5 + 1) as u8;
        Played { level, strain, declarer, doubled: tricks < level + 6, tricks }
    }

    /// The score for North–South.
    fn score(&self, bid: usize, declarer: Seat) -> i32 {
        let score = self.played(bid, declarer).score(self.vulnerability.covers(declarer));
        if declarer.is_ns() { score } else { -score }
    }

    /// What a seat makes of its turn: `pass`, or the best bid from `lowest` on.
    fn choose(&self, seat: Seat, lowest: usize, pass: i32, spoken: &[[i32; 4]]) -> i32 {
        let bids = (lowest..BIDS).map(|b| spoken[b][seat.index()]);
        if seat.is_ns() { bids.fold(pass, i32::max) } else { bids.fold(pass, i32::min) }
    }

    /// The contracts that end the auction at this score: over them the rivals have nothing better to bid. Of each strain
    /// and declarer the lowest.
    fn contracts(&self, value: i32) -> Vec<Played> {
        let mut found: Vec<Played> = Vec::new();
        if value == 0 {
            return found;
        }
        for (bid, declarer) in (0..BIDS).flat_map(|bid| Seat::ALL.map(|seat| (bid, seat))) {
            let played = self.played(bid, declarer);
            if self.score(bid, declarer) == value
                && self.is_last(bid, declarer, value)
                && !found.iter().any(|f| (f.strain, f.declarer) == (played.strain, played.declarer))
            {
                found.push(played);
            }
        }
        found
    }

    /// Whether no higher bid of the rivals, left to them, would be better for them.
    fn is_last(&self, bid: usize, declarer: Seat, value: i32) -> bool {
        let rivals = [declarer.plus(1), declarer.plus(3)];
        (bid + 1..BIDS)
            .flat_map(|b| rivals.map(|seat| self.score(b, seat)))
            .all(|score| if declarer.is_ns() { score >= value } else { score <= value })
    }
}
