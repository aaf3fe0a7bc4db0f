//! For applications: how a game ended.

use core::fmt;

use outis_crypto::context::{Seat, TableId};

use crate::game::Fault;
use crate::judged_log::FaultReport;
use crate::seats::Seats;

/// Why a session no longer takes part.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum End<F> {
    /// The game was played to its end.
    Finished,
    /// A seat broke a rule, and the log proves it.
    Fault(FaultReport<F>),
    /// A seat broke a rule, but only this seat can know that.
    Unprovable {
        /// The seat at fault.
        seat: Seat,
        /// The round.
        round: u32,
        /// What it did.
        why: &'static str,
    },
    /// Seats did not speak before the clock ran out.
    Silence {
        /// The silent seats.
        seats: Seats,
        /// The round.
        round: u32,
    },
    /// A seat signed over a different history and did not explain it in time. A victim of an equivocation can always
    /// explain: it has the entry that was signed twice. To a spectator this is no proof, so it counts like silence.
    Fork {
        /// The seat whose entry did not fit.
        seat: Seat,
        /// The round.
        round: u32,
    },
    /// The stored state of this very seat is older than what it has signed. It signs nothing more.
    RolledBack {
        /// A round in which the seat has an entry that it does not remember.
        round: u32,
    },
    /// An error of this program; nothing was sent.
    Local {
        /// The round.
        round: u32,
        /// The error.
        why: &'static str,
    },
}

impl<F: Fault> fmt::Display for End<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished => f.write_str("the game is over"),
            Self::Fault(FaultReport { place, broken }) => {
                write!(f, "{} in round {}: {broken} [{}]", place.seat, place.round, broken.check())
            }
            Self::Unprovable { seat, round, why } => write!(f, "{seat} in round {round}: {why} (unprovable)"),
            Self::Silence { seats, round } => write!(f, "{seats} did not answer in round {round} (unprovable)"),
            Self::Fork { seat, round } => {
                write!(f, "{seat} has a different log in round {round}, unexplained")
            }
            Self::RolledBack { round } => {
                write!(f, "the stored state is older than what this seat signed in round {round}")
            }
            Self::Local { round, why } => write!(f, "internal error in round {round}: {why}"),
        }
    }
}

/// The end of a table, with everything to report about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<F> {
    /// The table.
    pub table: TableId,
    /// Number of completed rounds.
    pub rounds: u32,
    /// How it ended.
    pub end: End<F>,
    /// Seats that have not signed the final head of a finished game.
    pub unsigned: Seats,
    /// The result, or the scores that the score rule gives to this end; `None` if the game never began.
    pub scores: Option<Vec<i64>>,
}

impl<F: Fault> Report<F> {
    /// The seat at fault beyond doubt, with the evidence.
    pub fn provable(&self) -> Option<&FaultReport<F>> {
        match &self.end {
            End::Fault(charge) => Some(charge),
            _ => None,
        }
    }

    /// The seat at fault as far as this seat knows, without proof.
    pub fn unprovable(&self) -> Seats {
        match &self.end {
            End::Unprovable { seat, .. } | End::Fork { seat, .. } => Seats::one(*seat),
            _ => Seats::NONE,
        }
    }

    /// The seats that were silent.
    pub fn silent(&self) -> Seats {
        match &self.end {
            End::Silence { seats, .. } => *seats,
            _ => Seats::NONE,
        }
    }
}
