//! What the terminal prints while the host of an invite has not answered. `outis_node::calling` decides what there is
//! to say; this module prints each sentence once, when the call has lasted long enough for it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use outis_game::words::Text;
use outis_node::calling::Remark;

/// A call to a host.
pub struct Calling {
    /// The table that waits for the host.
    pub table: String,
    began: Instant,
    said: BTreeSet<String>,
}

impl Calling {
    /// Starts a call for a seat at this table.
    pub fn new(table: &str) -> Self {
        Self { table: table.to_owned(), began: Instant::now(), said: BTreeSet::new() }
    }

    /// How long the call has lasted.
    pub fn lasts(&self) -> Duration {
        self.began.elapsed()
    }

    /// The remarks that are due now and have not been printed before.
    pub fn news(&mut self, remarks: Vec<Remark>) -> Vec<Text> {
        self.at(self.lasts(), remarks)
    }

    fn at(&mut self, time: Duration, remarks: Vec<Remark>) -> Vec<Text> {
        let due = remarks.into_iter().filter(|remark| Duration::from_millis(remark.after) <= time);
        due.map(|remark| remark.text).filter(|text| self.said.insert(text.id.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sentence_is_said_once_when_it_is_time() {
        let remark = |after, id: &str| Remark { after, text: Text::new(id) };
        let known = || vec![remark(0, "over"), remark(3_000, "no-host"), remark(10_000, "long")];
        let mut call = Calling::new("table");
        let mut said = |seconds, remarks| -> Vec<String> {
            call.at(Duration::from_secs(seconds), remarks).into_iter().map(|text| text.id).collect()
        };
        assert_eq!(said(0, known()), ["over"]);
        assert_eq!(said(2, known()), [""; 0]);
        assert_eq!(said(4, vec![remark(0, "relay.open"), remark(3_000, "no-host")]), ["relay.open", "no-host"]);
        assert_eq!(said(11, known()), ["long"]);
        assert_eq!(said(20, known()), [""; 0]);
    }
}
