//! The verdict on a log, without the types of a game.

use outis_table::audit::{Audit, Verdict};
use outis_table::game::{Grade, Referee};
use outis_table::seats::Seats;

use crate::words::Text;

/// The sentence about a failed check, from the game's catalogue or, for checks of the table, from the node's. Not every
/// check has a sentence.
pub fn fault(game: &str, check: &str) -> Text {
    let is_tables = matches!(check, "equivocation" | "malformed" | "out-of-turn");
    Text::new(if is_tables { format!("node.fault.{check}") } else { format!("{game}.fault.{check}") })
}

/// What a readable log shows (LOG-14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// Everything is valid, and the game is over.
    Finished,
    /// Everything is valid, but the log ends before the game does: it was cut, or saved early.
    Unfinished,
    /// The same, but it ends with a timeout claim, which nobody can prove.
    Claimed,
    /// A seat broke a rule.
    Fault {
        /// The seat at fault.
        seat: u8,
    },
    /// The file is not what the seats signed.
    Forged,
}

impl Shows {
    /// The name used in the specification.
    pub fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Unfinished => "unfinished",
            Self::Claimed => "claimed",
            Self::Fault { .. } => "fault",
            Self::Forged => "forged",
        }
    }

    /// Whether everything in the log is valid, as far as it goes.
    pub fn is_in_order(self) -> bool {
        matches!(self, Self::Finished | Self::Unfinished | Self::Claimed)
    }

    /// The seat at fault.
    pub fn blames(self) -> Option<u8> {
        if let Self::Fault { seat } = self { Some(seat) } else { None }
    }
}

/// The verdict on a log, with its details.
pub struct Finding {
    /// Hash of the log's final state.
    pub head: String,
    /// Number of seats.
    pub seats: usize,
    /// Number of completed rounds.
    pub rounds: u32,
    /// The verdict.
    pub verdict: Shows,
    /// The seat of the entry where the verdict was reached. It is at fault only if the verdict is `fault`.
    pub seat: Option<u8>,
    /// The round of that entry.
    pub round: Option<u32>,
    /// The check that failed.
    pub check: Option<&'static str>,
    /// The verdict as a sentence, in English.
    pub words: String,
    /// The grade that was played; empty if the parameters name none.
    pub grade: &'static str,
    /// Seats that had yet to act at the end of the log.
    pub waiting: Seats,
    /// Seats that have not signed the end of a finished game.
    pub unsigned: Vec<u8>,
    /// Signed timeout claims: the claimant and the silent seats.
    pub claims: Vec<(u8, Vec<u8>)>,
    /// The result, or the scores that the score rule gives to this end.
    pub scores: Option<Vec<i64>>,
}

impl Finding {
    /// The finding of an audit.
    pub fn of<R: Referee>(audit: &Audit<R>) -> Self {
        let (verdict, place, check, words) = match &audit.verdict {
            Verdict::Finished if audit.unsigned().is_empty() => {
                (Shows::Finished, None, None, "everything in it is valid, and all seats signed the result".to_owned())
            }
            Verdict::Finished => {
                let missing = audit.unsigned();
                let verb = if missing.len() == 1 { "has" } else { "have" };
                let words = "everything in it is valid, and the game is over; but";
                (Shows::Finished, None, None, format!("{words} {missing} {verb} not signed the result"))
            }
            Verdict::Unfinished { waiting_for } if audit.claims.is_empty() => {
                let words = "valid so far, but the log ends before the game does; the next step is due from";
                (Shows::Unfinished, None, None, format!("{words} {waiting_for}"))
            }
            Verdict::Unfinished { waiting_for } => {
                let words = "valid so far; it ends with a timeout claim, which nobody can prove, against";
                (Shows::Claimed, None, None, format!("{words} {waiting_for}"))
            }
            Verdict::Fault(charge) => {
                let (place, check) = (charge.place, charge.broken.check());
                (Shows::Fault { seat: place.seat.0 }, Some(place), Some(check), charge.broken.to_string())
            }
            Verdict::Forged { place, check } => {
                let words = "the file is not what the seats signed; no seat is at fault".to_owned();
                (Shows::Forged, Some(*place), Some(*check), words)
            }
        };
        Self {
            head: audit.trial.head().0.iter().map(|byte| format!("{byte:02x}")).collect(),
            seats: audit.trial.offer().seats.len(),
            rounds: audit.trial.round(),
            verdict,
            seat: place.map(|place| place.seat.0),
            round: place.map(|place| place.round),
            check,
            words,
            grade: Grade::of(&audit.trial.offer().parameters).map_or("", Grade::name),
            waiting: match audit.verdict {
                Verdict::Unfinished { waiting_for } => waiting_for,
                _ => Seats::NONE,
            },
            unsigned: audit.unsigned().iter().map(|seat| seat.0).collect(),
            claims: audit.claims.iter().map(|c| (c.claimant.0, c.silent.iter().map(|s| s.0).collect())).collect(),
            scores: audit.scores.clone(),
        }
    }
}
