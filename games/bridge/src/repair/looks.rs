//! Repair with the fewest looks: what can be concluded when only some of the hands were looked at.

use super::{Finding, diagnose, permutations};
use crate::card::{Hand, Seat, Suit};
use crate::deal::Deal;

/// Like [`diagnose`] with the hands that someone has seen so far, North first. As long as several simple explanations
/// (all right, hands in other pockets, suits exchanged) fit, it names the hand whose sight rules out most; if none fits,
/// all hands are needed.
pub fn look(record: &Deal, seen: &[Option<Hand>; 4]) -> Finding {
    if let [Some(north), Some(east), Some(south), Some(west)] = *seen {
        return diagnose(record, &[north, east, south, west]);
    }
    let unseen: Vec<Seat> = Seat::ALL.into_iter().filter(|s| seen[s.index()].is_none()).collect();
    let fits = |(_, hands): &(Finding, [Hand; 4])| hands.iter().zip(seen).all(|(h, s)| s.is_none_or(|s| s == *h));
    let left: Vec<(Finding, [Hand; 4])> = explanations(record).into_iter().filter(fits).collect();
    match &left[..] {
        [(finding, _)] => finding.clone(),
        [] => Finding::Look(unseen[0]),
        several => {
            // The largest group of explanations that would still look alike, for each hand.
            let alike = |seat: &Seat| {
                let hand = |i: usize| several[i].1[seat.index()];
                (0..several.len()).map(|i| (0..several.len()).filter(|j| hand(*j) == hand(i)).count()).max()
            };
            Finding::Look(unseen.into_iter().min_by_key(alike).unwrap_or(Seat::North))
        }
    }
}

/// The simple explanations with the hands that they would give; equal hands are listed once.
fn explanations(record: &Deal) -> Vec<(Finding, [Hand; 4])> {
    let hands = Seat::ALL.map(|s| record.hand(s));
    let mut list = vec![(Finding::Right, hands)];
    for to in permutations() {
        let seats = to.map(|i| Seat::ALL[i]);
        let mut moved = hands;
        for (seat, hand) in seats.iter().zip(hands) {
            moved[seat.index()] = hand;
        }
        let suits = to.map(|i| Suit::ALL[i]);
        let renamed = record.with_suits(suits).map(|deal| Seat::ALL.map(|s| deal.hand(s)));
        let found = [(Finding::HandsMoved(seats), Some(moved)), (Finding::SuitsRenamed(suits), renamed)];
        for (finding, hands) in found.into_iter().filter_map(|(f, h)| Some((f, h?))) {
            if !list.iter().any(|(_, known)| *known == hands) {
                list.push((finding, hands));
            }
        }
    }
    list
}
