//! The journal of one table: sealed records of all seats of this process, in the order in which they were made.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use outis_table::Seat;
use outis_table::seal::MAX_RECORD;

/// A record is a seat, a length and the sealed bytes.
const HEAD: usize = 5;

/// Where records go: a file, or nowhere for games that nobody wants to keep.
pub struct Journal {
    file: Option<File>,
    /// Length of the file that is known to be good.
    good: u64,
    /// Records that are not written yet.
    pending: Vec<u8>,
    unsynced: bool,
}

impl Journal {
    /// Forgets everything.
    pub fn nowhere() -> Self {
        Self { file: None, good: 0, pending: Vec::new(), unsynced: false }
    }

    /// A file; also what is in it, by seat.
    pub fn open(path: &Path, seats: usize) -> io::Result<(Self, Vec<Vec<u8>>)> {
        let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (streams, good) = split(&bytes, seats);
        Ok((Self { file: Some(file), good: good as u64, pending: Vec::new(), unsynced: false }, streams))
    }

    /// Adds a record, in memory.
    pub fn note(&mut self, seat: Seat, record: &[u8]) {
        if self.file.is_some() {
            self.pending.push(seat.0);
            self.pending.extend_from_slice(&(record.len() as u32).to_le_bytes());
            self.pending.extend_from_slice(record);
        }
    }

    /// Writes what was added. After an error nothing is lost: it is written again the next time.
    pub fn write(&mut self) -> io::Result<()> {
        let Some(file) = self.file.as_mut().filter(|_| !self.pending.is_empty()) else { return Ok(()) };
        // Whatever a failed attempt left behind is overwritten.
        file.set_len(self.good)?;
        file.seek(SeekFrom::Start(self.good))?;
        file.write_all(&self.pending)?;
        self.good += self.pending.len() as u64;
        self.pending.clear();
        self.unsynced = true;
        Ok(())
    }

    /// Makes it safe from a power cut.
    pub fn sync(&mut self) -> io::Result<()> {
        if let Some(file) = self.file.as_ref().filter(|_| self.unsynced) {
            file.sync_data()?;
            self.unsynced = false;
        }
        Ok(())
    }

    /// Whether something is written but not yet safe.
    pub fn is_unsynced(&self) -> bool {
        self.unsynced
    }

    /// Cuts the file before the first record of a seat that goes beyond what the seat could read.
    pub fn cut(&mut self, path: &Path, kept: &[usize]) -> io::Result<()> {
        let bytes = std::fs::read(path)?;
        let (mut at, mut seen) = (0usize, vec![0usize; kept.len()]);
        while let Some((seat, record)) = next(&bytes[at..], kept.len()) {
            seen[seat] += record.len();
            if seen[seat] > kept[seat] {
                break;
            }
            at += HEAD + record.len();
        }
        self.good = self.good.min(at as u64);
        if let Some(file) = &self.file {
            file.set_len(self.good)?;
        }
        Ok(())
    }
}

/// What a journal file holds, by seat; for replays.
pub fn read(path: &Path, seats: usize) -> io::Result<Vec<Vec<u8>>> {
    std::fs::read(path).map(|bytes| split(&bytes, seats).0)
}

fn split(bytes: &[u8], seats: usize) -> (Vec<Vec<u8>>, usize) {
    let (mut streams, mut at) = (vec![Vec::new(); seats], 0);
    while let Some((seat, record)) = next(&bytes[at..], seats) {
        streams[seat].extend_from_slice(record);
        at += HEAD + record.len();
    }
    (streams, at)
}

/// The first whole record; a torn tail has none.
fn next(bytes: &[u8], seats: usize) -> Option<(usize, &[u8])> {
    let (seat, rest) = bytes.split_first()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length) as usize;
    let fits = usize::from(*seat) < seats && length > 0 && length <= MAX_RECORD + 64;
    rest.get(..length).filter(|_| fits).map(|record| (usize::from(*seat), record))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_by_seat_and_torn_tails_are_cut() {
        let path = std::env::temp_dir().join(format!("outis-journal-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let (mut journal, empty) = Journal::open(&path, 2).unwrap();
        assert!(empty.iter().all(Vec::is_empty));
        for (seat, record) in [(0, &b"one"[..]), (1, b"two"), (0, b"three")] {
            journal.note(Seat(seat), record);
            journal.write().unwrap();
        }
        journal.sync().unwrap();
        assert_eq!(read(&path, 2).unwrap(), [b"onethree".to_vec(), b"two".to_vec()]);
        let whole = std::fs::read(&path).unwrap();
        for tail in [&b"\x01"[..], b"\x01\x09\0\0\0part", b"\0\0\0\0\0\0\0\0\0\0", b"\x07\x01\0\0\0x"] {
            std::fs::write(&path, [&whole[..], tail].concat()).unwrap();
            let (mut journal, streams) = Journal::open(&path, 2).unwrap();
            assert_eq!(streams[1], b"two");
            journal.note(Seat(1), b"four");
            journal.write().unwrap();
            assert_eq!(read(&path, 2).unwrap(), [b"onethree".to_vec(), b"twofour".to_vec()]);
        }
        // A seat could read only its first record: the second one, and all that came after it, goes.
        let (mut journal, _) = Journal::open(&path, 2).unwrap();
        journal.cut(&path, &[3, 3]).unwrap();
        assert_eq!(read(&path, 2).unwrap(), [b"one".to_vec(), b"two".to_vec()]);
        std::fs::remove_file(&path).unwrap();
    }
}
