//! How the talon is shared (TK-46).

use super::auction::Bid;
use super::cards::Card;
use super::cardset::CardSet;
use super::seats::Player;

/// Number of talon cards by player. The declarer takes as many as it bid; the rest goes round as evenly as possible, the
/// players right after the declarer taking one more where needed.
pub fn split(declarer: Player, bid: Bid) -> [usize; 4] {
    let shares = match bid {
        Bid::Three => [3, 1, 1, 1],
        Bid::Two => [2, 2, 1, 1],
        Bid::One => [1, 2, 2, 1],
        Bid::Solo => [0, 2, 2, 2],
    };
    let mut split = [0; 4];
    for (player, share) in declarer.round().into_iter().zip(shares) {
        split[player.index()] = share;
    }
    split
}

/// The talon cards by player: the declarer takes from the top, then the others in order.
pub fn share(talon: &[Card; 6], declarer: Player, bid: Bid) -> [CardSet; 4] {
    let split = split(declarer, bid);
    let mut shares = [CardSet::EMPTY; 4];
    let mut from = 0;
    for player in declarer.round() {
        let to = from + split[player.index()];
        shares[player.index()] = talon[from..to].iter().copied().collect();
        from = to;
    }
    shares
}
