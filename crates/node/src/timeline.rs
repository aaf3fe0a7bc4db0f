//! The fairness timeline: one line for each entry of the log, with what it cost to make and to check.

use std::time::Duration;

use outis_game::sitting::Admitted;
use outis_table::Seat;
use serde_json::{Value, json};

use crate::names::hex;

/// One entry of the log, as a curious person may see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its number, from 0.
    pub n: usize,
    /// The log round.
    pub round: u32,
    /// The seat that made it.
    pub seat: Seat,
    /// Name of the step.
    pub what: &'static str,
    /// Whether it is from this machine's own seat.
    pub own: bool,
    /// Its size in bytes.
    pub bytes: usize,
    /// How long it took to make, if it was made here.
    pub made: Option<Duration>,
    /// How long this machine took to check it.
    pub judged: Option<Duration>,
    /// The log hash that it signs.
    pub head: String,
    /// When it came, by this machine's clock, in milliseconds since 1970.
    pub at: u64,
    /// The check that it failed.
    pub refused: Option<&'static str>,
}

impl Step {
    /// An accepted entry.
    pub fn new(n: usize, entry: &Admitted, own: Seat, at: u64) -> Self {
        Self {
            n,
            round: entry.place.round,
            seat: entry.place.seat,
            what: entry.what,
            own: entry.place.seat == own,
            bytes: entry.bytes,
            made: None,
            judged: None,
            head: hex(&entry.head.0),
            at,
            refused: None,
        }
    }

    /// A refused entry.
    pub fn refused(n: usize, round: u32, seat: Seat, check: Option<&'static str>, at: u64) -> Self {
        let (head, refused) = (String::new(), Some(check.unwrap_or("rules")));
        Self { n, round, seat, what: "refused", own: false, bytes: 0, made: None, judged: None, head, at, refused }
    }

    /// For the page.
    pub fn to_json(&self) -> Value {
        let micros = |time: Option<Duration>| time.map(|time| time.as_micros() as u64);
        json!({ "n": self.n, "round": self.round, "seat": self.seat.0, "what": self.what, "own": self.own,
                "bytes": self.bytes, "made_us": micros(self.made), "judged_us": micros(self.judged),
                "head": self.head, "at": self.at, "check": self.refused,
                "verdict": if self.refused.is_some() { "refused" } else { "accepted" } })
    }
}
