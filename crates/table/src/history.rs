//! For archives that know no game: whether a log file holds the history that its players name by a log hash. It checks
//! everything that needs no rules: order, signatures and the chain of hashes (LOG-5, LOG-6, LOG-8, LOG-13). It does not
//! judge the steps.

use outis_crypto::codec::DecodeError;
use outis_crypto::context::{Head, Seat};

use crate::entry::Place;
use crate::export::{Record, read};
use crate::judged_log::round_head;
use crate::offer::Offer;

/// Why a log file is not the history of a game played to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoryMismatch {
    /// The bytes are not a log.
    #[error("not a log: {0}")]
    Bytes(#[from] DecodeError),
    /// A record other than an entry, or an entry out of order.
    #[error("a record is not in its place")]
    Order,
    /// An entry that its seat has not signed.
    #[error("{} has not signed its entry in round {}", .0.seat, .0.round)]
    Unsigned(Place),
    /// An entry over a different history.
    #[error("the entry of {} in round {} follows a different history", .0.seat, .0.round)]
    Chain(Place),
}

/// One round, as far as it can be checked without rules.
#[derive(Clone, Debug)]
struct Round {
    number: u32,
    prev: Head,
    /// The seats that made a step, and the digests of their payloads.
    said: Vec<(Seat, [u8; 32])>,
    /// Whether all payloads are empty: sitting down, or an echo.
    silent: bool,
}

impl Round {
    fn head(&self) -> Head {
        round_head(self.prev, self.number, &self.said)
    }

    /// Whether it can be the round in which all seats sign the end.
    fn closes(&self, offer: &Offer) -> bool {
        self.number > 0 && self.silent && self.said.len() == offer.seats.len()
    }
}

/// The history in a log file: signed, in order, and on one chain.
#[derive(Clone, Debug)]
pub struct History {
    offer: Offer,
    before: Option<Round>,
    last: Option<Round>,
}

impl History {
    /// Reads a log file. It must consist of entries alone: a log with claims, odd entries or proofs of equivocation is
    /// not that of a game played to its end.
    pub fn read(bytes: &[u8]) -> Result<Self, HistoryMismatch> {
        let (offer, records) = read(bytes)?;
        let table = offer.id();
        let (mut before, mut last) = (None, None::<Round>);
        for record in records {
            let Record::Entry(entry) = record? else { return Err(HistoryMismatch::Order) };
            let place = entry.place();
            let open = match last.as_mut() {
                Some(round) if round.number == place.round => round,
                _ => {
                    let (number, prev) = last.as_ref().map_or((0, Head(table.0)), |l| (l.number + 1, l.head()));
                    if place.round != number {
                        return Err(HistoryMismatch::Order);
                    }
                    before = last.take();
                    last.insert(Round { number, prev, said: Vec::new(), silent: true })
                }
            };
            if open.said.last().is_some_and(|(seat, _)| *seat >= place.seat) {
                return Err(HistoryMismatch::Order);
            }
            if entry.prev() != open.prev {
                return Err(HistoryMismatch::Chain(place));
            }
            if !entry.is_signed(&offer, table) {
                return Err(HistoryMismatch::Unsigned(place));
            }
            open.said.push((place.seat, entry.utterance().payload));
            open.silent &= entry.payload().is_empty();
        }
        Ok(Self { offer, before, last })
    }

    /// The offer.
    pub fn offer(&self) -> &Offer {
        &self.offer
    }

    /// The head after the last round, provided that the round is complete.
    pub fn head(&self) -> Head {
        self.last.as_ref().map_or_else(|| Head(self.offer.id().0), Round::head)
    }

    /// Whether this is the history with that head: the last round leads to it, or only signatures of the end follow it,
    /// by some of the seats and for the first time (TAB-16). So nobody can add anything to what all consented to.
    #[must_use]
    pub fn ends_at(&self, head: &Head) -> bool {
        if self.head() == *head {
            return true;
        }
        let (Some(before), Some(last)) = (&self.before, &self.last) else { return false };
        let partly = last.silent && last.said.len() < self.offer.seats.len();
        last.prev == *head && partly && !before.closes(&self.offer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outis_crypto::codec::Encode;

    const FINISHED: &[u8] = include_bytes!("../../../spec/vectors/log/finished.log");
    const UNSIGNED: &[u8] = include_bytes!("../../../spec/vectors/log/unsigned.log");

    /// A log file with the header of `log` and the records that `choose` leaves.
    fn with(log: &[u8], choose: impl FnOnce(&mut Vec<Record>)) -> Vec<u8> {
        let (offer, records) = read(log).unwrap();
        let mut records: Vec<Record> = records.map(Result::unwrap).collect();
        choose(&mut records);
        let mut file = crate::export::header(&offer);
        records.iter().for_each(|record| record.encode(&mut file));
        file
    }

    #[test]
    fn a_finished_log_ends_at_its_head_and_nowhere_else() {
        let history = History::read(FINISHED).unwrap();
        let head = history.head();
        let written = head.0.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        assert!(
            include_str!("../../../spec/vectors/log/README.md").contains(&written),
            "the page of vectors says {written}"
        );
        assert!(history.ends_at(&head) && !history.ends_at(&Head([7; 32])));
        assert!(!history.ends_at(&Head(history.offer().id().0)));
        let before = history.last.as_ref().unwrap().prev;
        assert!(!history.ends_at(&before), "all have signed the end: then that is the history");
        // If one signature of the end is missing, the head is the one before.
        let partly = History::read(&with(FINISHED, |records| drop(records.pop()))).unwrap();
        assert!(partly.ends_at(&before) && !partly.ends_at(&head));
        let none = History::read(&with(FINISHED, |records| records.truncate(records.len() - 2))).unwrap();
        assert!(none.ends_at(&before) && !none.ends_at(&head));
        assert!(History::read(UNSIGNED).is_ok_and(|history| !history.ends_at(&head)));
    }

    #[test]
    fn what_is_not_signed_in_order_and_on_one_chain_is_no_history() {
        let stray = |log: &[u8]| History::read(log).unwrap_err();
        assert!(matches!(stray(include_bytes!("../../../spec/vectors/log/altered.log")), HistoryMismatch::Unsigned(_)));
        assert!(matches!(stray(include_bytes!("../../../spec/vectors/log/cut.log")), HistoryMismatch::Bytes(_)));
        assert_eq!(stray(include_bytes!("../../../spec/vectors/log/reordered.log")), HistoryMismatch::Order);
        assert_eq!(stray(include_bytes!("../../../spec/vectors/log/silence.log")), HistoryMismatch::Order);
        assert_eq!(stray(include_bytes!("../../../spec/vectors/log/equivocation.log")), HistoryMismatch::Order);
        assert!(matches!(stray(&[FINISHED, b"rest"].concat()), HistoryMismatch::Bytes(_)));
        assert_eq!(stray(&with(FINISHED, |records| records.swap(2, 3))), HistoryMismatch::Order);
        assert_eq!(stray(&with(FINISHED, |records| records.insert(1, records[0].clone()))), HistoryMismatch::Order);
        assert!(matches!(stray(&with(FINISHED, |records| drop(records.remove(2)))), HistoryMismatch::Chain(_)));
        assert_eq!(stray(&with(FINISHED, |records| drop(records.drain(..2)))), HistoryMismatch::Order);
    }
}
