//! What people do, and what can be known.

use outis_table::Seat;
use outis_table::seats::Seats;

use super::betting::Bet;
use super::cards::Card;

/// What a person may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Plays the next hand, or sits it out.
    Play(bool),
    /// Bets.
    Bet(Bet),
    /// Exchanges the cards whose bits are set; none at all stands pat.
    Discard(u8),
    /// At the end: shows its cards, or gives them up unseen.
    Show(bool),
}

/// What can be known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// These seats play the next hand.
    In(Seats),
    /// They have their cards.
    Dealt,
    /// Mine are these, now.
    Own(Vec<Card>),
    /// A seat bets.
    Bets(Seat, Bet),
    /// These cards are turned up for all.
    Board(Vec<Card>),
    /// A seat lays these of its cards aside.
    Discards(Seat, u8),
    /// Everybody has new cards for those.
    Redealt,
    /// A seat shows these cards, or gives them up.
    Shows(Seat, Option<Vec<Card>>),
}
