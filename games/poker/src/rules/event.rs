//! What players do, and what observers learn.

use outis_table::Seat;
use outis_table::codec::Encode;
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

/// Only for what is drawn for the step: it is on no wire and in no log.
impl Encode for Action {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Play(plays) => out.extend([0, u8::from(*plays)]),
            Self::Bet(Bet::Fold) => out.push(1),
            Self::Bet(Bet::Check) => out.push(2),
            Self::Bet(Bet::Call) => out.push(3),
            Self::Bet(Bet::To(chips)) => {
                out.push(4);
                chips.encode(out);
            }
            Self::Discard(cards) => out.extend([5, *cards]),
            Self::Show(shows) => out.extend([6, u8::from(*shows)]),
        }
    }
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
    /// A seat discards these of its cards.
    Discards(Seat, u8),
    /// Everyone has new cards for those.
    Redealt,
    /// A seat shows these cards, or gives them up.
    Shows(Seat, Option<Vec<Card>>),
}
