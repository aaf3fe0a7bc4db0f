//! The journal of one table: encrypted records of all seats of this process, in the order in which they were made; how much of it is safe,
//! and what a crash leaves of it.

use outis_table::Seat;
use outis_table::seal::MAX_RECORD;

/// A record is a seat, a length and the sealed bytes.
const HEAD: usize = 5;

/// Bytes to put into the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// The position in the file; whatever was there is cut off.
    pub at: u64,
    /// The bytes; empty if only earlier ones are to be made safe.
    pub bytes: Vec<u8>,
    /// Whether to make everything up to their end safe from a power cut.
    pub urgent: bool,
    /// How often the disk had refused when this was decided: the answer must repeat it.
    pub attempt: u64,
}

/// How much of a table's records has reached the disk.
pub struct Journal {
    /// `false` for games that nobody wants to keep: then everything counts as safe.
    keeps: bool,
    /// The length that is safe from a power cut.
    safe: u64,
    /// What was handed out after that. It is kept until it is safe: a system that reports a failed sync may have dropped the data, and
    /// would report success the next time (N-9).
    written: Vec<u8>,
    /// Records that were not handed out yet.
    pending: Vec<u8>,
    /// The length that is being made safe.
    syncing: u64,
    /// How often the disk has refused. Its answer to an earlier attempt says nothing about this one.
    attempt: u64,
}

impl Journal {
    /// A journal that keeps nothing.
    pub fn nowhere() -> Self {
        Self { keeps: false, ..Self::on(0) }
    }

    /// A journal that continues after this many good bytes.
    pub fn on(safe: u64) -> Self {
        Self { keeps: true, safe, written: Vec::new(), pending: Vec::new(), syncing: safe, attempt: 0 }
    }

    /// Adds a record, in memory.
    pub fn note(&mut self, seat: Seat, record: &[u8]) {
        if self.keeps {
            self.pending.push(seat.0);
            self.pending.extend_from_slice(&(record.len() as u32).to_le_bytes());
            self.pending.extend_from_slice(record);
        }
    }

    /// Its length, with everything that was added.
    pub fn mark(&self) -> u64 {
        self.safe + (self.written.len() + self.pending.len()) as u64
    }

    /// Whether it is safe up to this length.
    pub fn is_safe_up_to(&self, mark: u64) -> bool {
        mark <= self.safe
    }

    /// Whether everything that was added is safe.
    pub fn is_safe(&self) -> bool {
        self.mark() == self.safe
    }

    /// Whether something was added that is not yet being made safe.
    pub fn is_waiting(&self) -> bool {
        self.syncing < self.mark()
    }

    /// How many bytes wait for a disk that refuses them.
    pub fn waiting(&self) -> usize {
        self.pending.len()
    }

    /// What to write now, if anything.
    pub fn append(&mut self, urgent: bool) -> Option<Append> {
        let urgent = urgent && self.is_waiting();
        if self.pending.is_empty() && !urgent {
            return None;
        }
        let at = self.safe + self.written.len() as u64;
        let bytes = std::mem::take(&mut self.pending);
        self.written.extend_from_slice(&bytes);
        if urgent {
            self.syncing = self.mark();
        }
        Some(Append { at, bytes, urgent, attempt: self.attempt })
    }

    /// The journal is safe up to this length, by what was appended in this attempt. An answer to an earlier attempt comes too late: its
    /// bytes were handed out again since. Returns whether the answer counts.
    pub fn appended(&mut self, attempt: u64, up_to: u64) -> bool {
        if attempt != self.attempt {
            return false;
        }
        let more = usize::try_from(up_to.saturating_sub(self.safe)).unwrap_or(usize::MAX).min(self.written.len());
        self.written.drain(..more);
        self.safe += more as u64;
        true
    }

    /// The disk refused: nothing that was written since the last safe length counts as written, and all of it is written again. Returns
    /// whether this is news: one failure may be reported for each of several appends.
    pub fn failed(&mut self, attempt: u64) -> bool {
        if attempt != self.attempt {
            return false;
        }
        self.attempt += 1;
        self.written.append(&mut self.pending);
        std::mem::swap(&mut self.written, &mut self.pending);
        self.syncing = self.safe;
        true
    }
}

/// Damage that no crash leaves behind. To continue from before it would be to forget entries that this seat has signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

/// The records of each seat, and how many bytes of the journal are good. A torn tail is cut; whatever else does not fit is damage.
pub fn split(bytes: &[u8], seats: usize) -> Result<(Vec<Vec<u8>>, usize), Damaged> {
    let (mut streams, mut rest) = (vec![Vec::new(); seats], bytes);
    while let Some((seat, record, behind)) = next(rest, seats) {
        streams.get_mut(seat).into_iter().for_each(|stream: &mut Vec<u8>| stream.extend_from_slice(record));
        rest = behind;
    }
    if is_torn(rest, seats) { Ok((streams, bytes.len() - rest.len())) } else { Err(Damaged) }
}

/// The length before the first record that goes beyond what its seat could read.
pub fn good_before(bytes: &[u8], kept: &[usize]) -> usize {
    let (mut rest, mut left) = (bytes, kept.to_vec());
    while let Some((seat, record, behind)) = next(rest, kept.len()) {
        let Some(fits) = left.get(seat).and_then(|left| left.checked_sub(record.len())) else { break };
        left.get_mut(seat).into_iter().for_each(|left| *left = fits);
        rest = behind;
    }
    bytes.len() - rest.len()
}

/// Seat and length at the beginning of a record, if they are plausible. A sealed record begins with its own length, so damage shows where
/// the two lengths differ.
fn head(bytes: &[u8], seats: usize) -> Option<(usize, usize, &[u8])> {
    let (seat, rest) = bytes.split_first()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length) as usize;
    let inner = rest.first_chunk::<4>().map(|inner| u32::from_le_bytes(*inner) as usize);
    let fits = usize::from(*seat) < seats && (5..=MAX_RECORD + 64).contains(&length);
    let fits = fits && inner.is_none_or(|inner| inner == length - 4);
    fits.then_some((usize::from(*seat), length, rest))
}

/// The first whole record, and what follows it; a torn tail has none.
fn next(bytes: &[u8], seats: usize) -> Option<(usize, &[u8], &[u8])> {
    let (seat, length, rest) = head(bytes, seats)?;
    rest.split_at_checked(length).map(|(record, behind)| (seat, record, behind))
}

/// Whether what follows the last whole record is what a crash leaves: a part of a record, or space that was never written.
fn is_torn(tail: &[u8], seats: usize) -> bool {
    let zeros = |bytes: &[u8]| bytes.iter().all(|byte| *byte == 0);
    let part = || head(tail, seats).is_some_and(|(_, length, rest)| rest.len() < length);
    // The beginning of a record may be written, with zeros for the rest.
    let begun = || {
        let of_a_seat = tail.first().is_some_and(|seat| usize::from(*seat) < seats);
        of_a_seat && tail.get(HEAD..).is_some_and(|rest| !rest.is_empty() && zeros(rest))
    };
    tail.len() < HEAD || zeros(tail) || part() || begun()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The disk's answer to an attempt that failed says nothing about the next one.
    #[test]
    fn a_late_answer_to_an_attempt_that_failed_makes_nothing_safe() {
        let mut journal = Journal::on(0);
        journal.note(Seat(0), b"said");
        let (mark, first) = (journal.mark(), journal.append(true).expect("to be written"));
        assert!(journal.failed(first.attempt));
        let again = journal.append(true).expect("to be written again");
        assert_eq!((again.at, &again.bytes), (first.at, &first.bytes));
        assert!(
            !journal.appended(first.attempt, mark) && !journal.is_safe_up_to(mark),
            "only what was handed out the second time counts"
        );
        assert!(!journal.failed(first.attempt), "nor does a late refusal begin a third attempt");
        assert!(journal.appended(again.attempt, mark) && journal.is_safe_up_to(mark));
    }
}
