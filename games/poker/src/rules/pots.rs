//! Side pots, and who gets them.

use outis_table::Seat;
use outis_table::seats::Seats;

use super::betting::after;

/// A pot and those who can win it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pot {
    /// Chips.
    pub chips: u32,
    /// Seats that have not folded and have paid their full part of it.
    pub claimants: Seats,
}

/// Divides what the seats have paid into pots, the main pot first. What a folded seat paid beyond all that are still
/// in belongs to the last pot.
pub fn pots(paid: &[u32], live: Seats) -> Vec<Pot> {
    let mut levels: Vec<u32> = live.iter().map(|seat| paid[usize::from(seat.0)]).collect();
    levels.sort_unstable();
    levels.dedup();
    // A player who has paid nothing wins nothing, unless there is nobody else to win it.
    if levels.len() > 1 {
        levels.retain(|level| *level > 0);
    }
    let mut pots = Vec::new();
    let mut below = 0;
    for (i, level) in levels.iter().enumerate() {
        let top = if i + 1 == levels.len() { u32::MAX } else { *level };
        let chips = paid.iter().map(|chips| (*chips).min(top).saturating_sub(below)).sum();
        let claimants = live.iter().filter(|seat| paid[usize::from(seat.0)] >= *level).collect();
        pots.push(Pot { chips, claimants });
        below = *level;
    }
    pots
}

/// The part of the highest payment that nobody has matched: it goes back to the seat that paid it.
pub fn uncalled(paid: &[u32]) -> Option<(Seat, u32)> {
    let (at, most) = paid.iter().enumerate().max_by_key(|(_, chips)| **chips)?;
    let second = paid.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, chips)| *chips).max().unwrap_or(0);
    (*most > second).then_some((Seat(at as u8), most - second))
}

/// Splits chips evenly; odd chips go one by one to the first seats clockwise after the button (PD-10).
pub fn split(chips: u32, among: Seats, button: Seat, seats: u8) -> Vec<(Seat, u32)> {
    let n = among.len() as u32;
    if n == 0 {
        return Vec::new();
    }
    let order = after(button, seats).filter(|seat| among.contains(*seat));
    order.zip(0u32..).map(|(seat, i)| (seat, chips / n + u32::from(i < chips % n))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(list: &[u8]) -> Seats {
        list.iter().map(|seat| Seat(*seat)).collect()
    }

    #[test]
    fn side_pots_by_hand() {
        // Seat 0 all in for 50, seat 1 for 120, seats 2 and 3 paid 200, seat 3 folded.
        let made = pots(&[50, 120, 200, 200], seats(&[0, 1, 2]));
        let expected = [(200, &[0, 1, 2][..]), (210, &[1, 2]), (160, &[2])];
        assert_eq!(made, expected.map(|(chips, claimants)| Pot { chips, claimants: seats(claimants) }));
        // A folded seat has paid more than any that is left.
        let made = pots(&[50, 120, 20], seats(&[0, 2]));
        assert_eq!(made.iter().map(|pot| pot.chips).collect::<Vec<_>>(), [60, 130]);
        assert_eq!(uncalled(&[50, 120, 20]), Some((Seat(1), 70)));
        assert_eq!(uncalled(&[50, 50, 20]), None);
    }

    #[test]
    fn odd_chips_go_to_the_left_of_the_button() {
        assert_eq!(split(11, seats(&[0, 2, 3]), Seat(2), 4), [(Seat(3), 4), (Seat(0), 4), (Seat(2), 3)]);
        assert!(split(5, Seats::NONE, Seat(0), 3).is_empty());
    }
}
