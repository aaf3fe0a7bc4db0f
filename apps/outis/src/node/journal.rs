//! The journal of one table: encrypted records of all seats of this process, in the order in which they were made.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use outis_table::Seat;
use outis_table::seal::MAX_RECORD;

/// A record is a seat, a length and the sealed bytes.
const HEAD: usize = 5;

/// Where records go: a file, or nowhere for games that nobody wants to keep.
pub struct Journal {
    medium: Option<Box<dyn Medium>>,
    /// Length that is safe from a power cut.
    safe: u64,
    /// What was written behind that. It is kept until it is safe: when a system says that it could not make it safe, it may have thrown it
    /// away, and would say the next time that all is well.
    written: Vec<u8>,
    /// Records that are not written yet.
    pending: Vec<u8>,
    /// Whether the file ended in the middle of a record, which was dropped.
    pub was_cut: bool,
    /// Whether the medium refuses everything.
    #[cfg(test)]
    pub fails: bool,
}

/// What a journal is written on.
pub trait Medium: Send {
    /// Puts these bytes behind so many others, and cuts off whatever was there.
    fn write_from(&mut self, at: u64, bytes: &[u8]) -> io::Result<()>;
    /// Makes everything safe from a power cut.
    fn sync(&mut self) -> io::Result<()>;
}

impl Medium for File {
    fn write_from(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.set_len(at)?;
        self.seek(SeekFrom::Start(at))?;
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

impl Journal {
    /// Forgets everything.
    pub fn nowhere() -> Self {
        Self {
            medium: None,
            safe: 0,
            written: Vec::new(),
            pending: Vec::new(),
            was_cut: false,
            #[cfg(test)]
            fails: false,
        }
    }

    /// On a medium that holds so many good bytes.
    fn on(medium: impl Medium + 'static, safe: u64) -> Self {
        Self { medium: Some(Box::new(medium)), safe, ..Self::nowhere() }
    }

    /// A new file. It is there before anything else says that there is a table.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        file.sync_all()?;
        if let Some(folder) = path.parent() {
            sync_folder(folder)?;
        }
        let good = file.metadata()?.len();
        Ok(Self::on(file, good))
    }

    /// A file that is there; also what is in it, by seat. One that is damaged is an error of kind `InvalidData`: to go on from
    /// before the damage would be to forget what was said.
    pub fn open(path: &Path, seats: usize) -> io::Result<(Self, Vec<Vec<u8>>)> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (streams, good) = split(&bytes, seats)?;
        // A program that was killed has written what it had not made safe: nobody builds on that.
        file.sync_all()?;
        let was_cut = good < bytes.len();
        Ok((Self { was_cut, ..Self::on(file, good as u64) }, streams))
    }

    /// Adds a record, in memory.
    pub fn note(&mut self, seat: Seat, record: &[u8]) {
        if self.medium.is_some() {
            self.pending.push(seat.0);
            self.pending.extend_from_slice(&(record.len() as u32).to_le_bytes());
            self.pending.extend_from_slice(record);
        }
    }

    /// Writes what was added. After an error nothing is lost: it is written again the next time.
    pub fn write(&mut self) -> io::Result<()> {
        let Some(medium) = self.medium.as_mut().filter(|_| !self.pending.is_empty()) else { return Ok(()) };
        #[cfg(test)]
        if self.fails {
            return Err(io::Error::other("a test lets it fail"));
        }
        // Whatever a failed attempt left behind is overwritten.
        medium.write_from(self.safe + self.written.len() as u64, &self.pending)?;
        self.written.append(&mut self.pending);
        Ok(())
    }

    /// Makes it safe from a power cut. After an error nothing of what was written since the last time is believed to be there: all of it is
    /// written again.
    pub fn sync(&mut self) -> io::Result<()> {
        let Some(medium) = self.medium.as_mut().filter(|_| !self.written.is_empty()) else { return Ok(()) };
        let synced = medium.sync();
        match synced {
            Ok(()) => {
                self.safe += self.written.len() as u64;
                self.written.clear();
            }
            Err(_) => {
                self.written.append(&mut self.pending);
                std::mem::swap(&mut self.written, &mut self.pending);
            }
        }
        synced
    }

    /// Whether something is written but not yet safe.
    pub fn is_unsynced(&self) -> bool {
        !self.written.is_empty()
    }

    /// How many bytes wait for a disk that refuses them.
    pub fn waiting(&self) -> usize {
        self.pending.len()
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
        self.safe = self.safe.min(at as u64);
        let safe = self.safe;
        self.medium.as_mut().map_or(Ok(()), |medium| medium.write_from(safe, &[]))
    }
}

/// What a journal file holds, by seat; for replays.
pub fn read(path: &Path, seats: usize) -> io::Result<Vec<Vec<u8>>> {
    split(&std::fs::read(path)?, seats).map(|(streams, _)| streams)
}

fn split(bytes: &[u8], seats: usize) -> io::Result<(Vec<Vec<u8>>, usize)> {
    let (mut streams, mut at) = (vec![Vec::new(); seats], 0);
    while let Some((seat, record)) = next(&bytes[at..], seats) {
        streams[seat].extend_from_slice(record);
        at += HEAD + record.len();
    }
    match is_torn(&bytes[at..], seats) {
        true => Ok((streams, at)),
        false => Err(io::Error::from(io::ErrorKind::InvalidData)),
    }
}

/// Seat and length at the beginning of a record, if they make sense. A sealed record begins with its own length, so the two
/// lengths tell damage.
fn head(bytes: &[u8], seats: usize) -> Option<(usize, usize, &[u8])> {
    let (seat, rest) = bytes.split_first()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length) as usize;
    let inner = rest.first_chunk::<4>().map(|inner| u32::from_le_bytes(*inner) as usize);
    let fits = usize::from(*seat) < seats && (5..=MAX_RECORD + 64).contains(&length);
    let fits = fits && inner.is_none_or(|inner| inner == length - 4);
    fits.then_some((usize::from(*seat), length, rest))
}

/// The first whole record; a torn tail has none.
fn next(bytes: &[u8], seats: usize) -> Option<(usize, &[u8])> {
    let (seat, length, rest) = head(bytes, seats)?;
    rest.get(..length).map(|record| (seat, record))
}

/// Whether what is behind the last whole record is what a crash leaves: a part of one, or room that was never written.
fn is_torn(tail: &[u8], seats: usize) -> bool {
    let zeros = |bytes: &[u8]| bytes.iter().all(|byte| *byte == 0);
    let part = || head(tail, seats).is_some_and(|(_, length, rest)| rest.len() < length);
    // The beginning of a record may be written, and zeros for its rest.
    let begun = || tail.len() > HEAD && zeros(&tail[HEAD..]) && usize::from(tail[0]) < seats;
    tail.len() < HEAD || zeros(tail) || part() || begun()
}

/// Makes it safe that a file is there.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk whose cache is lost when it cannot be written, as Linux may do: what was read before is read, but it is not there.
    #[derive(Clone, Default)]
    struct Flaky(std::sync::Arc<std::sync::Mutex<Cells>>);

    #[derive(Default)]
    struct Cells {
        safe: Vec<u8>,
        cached: Vec<u8>,
        fails: bool,
    }

    impl Medium for Flaky {
        fn write_from(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
            let mut cells = self.0.lock().unwrap();
            cells.cached.resize(at as usize, 0);
            cells.cached.extend_from_slice(bytes);
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            let mut cells = self.0.lock().unwrap();
            if cells.fails {
                // The pages are called clean, and hold what the disk holds.
                let (length, safe) = (cells.cached.len(), cells.safe.clone());
                cells.cached = safe;
                cells.cached.resize(length, 0);
                cells.safe.resize(length, 0);
                return Err(io::Error::other("the disk is gone"));
            }
            cells.safe = cells.cached.clone();
            Ok(())
        }
    }

    /// N-9: when a sync fails, what was written before it is not believed to be there.
    #[test]
    fn after_a_failed_sync_everything_since_the_last_good_one_is_written_again() {
        let disk = Flaky::default();
        let mut journal = Journal::on(disk.clone(), 0);
        let whole = |texts: &[&[u8]]| -> Vec<u8> {
            texts.iter().flat_map(|t| [&[1][..], &(t.len() as u32 + 4).to_le_bytes(), &record(t)].concat()).collect()
        };
        journal.note(Seat(1), &record(b"one"));
        journal.write().unwrap();
        journal.sync().unwrap();
        disk.0.lock().unwrap().fails = true;
        journal.note(Seat(1), &record(b"two"));
        journal.write().unwrap();
        assert!(journal.sync().is_err());
        journal.note(Seat(1), &record(b"three"));
        journal.write().unwrap();
        assert!(journal.sync().is_err() && journal.sync().is_ok(), "nothing is written: nothing to make safe");
        disk.0.lock().unwrap().fails = false;
        journal.write().unwrap();
        journal.sync().unwrap();
        assert_eq!(disk.0.lock().unwrap().safe, whole(&[b"one", b"two", b"three"]));
        assert!(!journal.is_unsynced() && journal.waiting() == 0);
    }

    /// As the sealing makes them: with their length before them.
    fn record(text: &[u8]) -> Vec<u8> {
        [&(text.len() as u32).to_le_bytes()[..], text].concat()
    }

    fn stream(texts: &[&[u8]]) -> Vec<u8> {
        texts.iter().flat_map(|text| record(text)).collect()
    }

    #[test]
    fn records_come_back_by_seat_and_torn_tails_are_cut() {
        let path = std::env::temp_dir().join(format!("outis-journal-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        assert!(Journal::open(&path, 2).is_err(), "one that is gone is not one that is empty");
        let mut journal = Journal::create(&path).unwrap();
        for (seat, text) in [(0, &b"one"[..]), (1, b"two"), (0, b"three")] {
            journal.note(Seat(seat), &record(text));
            journal.write().unwrap();
        }
        journal.sync().unwrap();
        let (first, second) = (stream(&[b"one", b"three"]), stream(&[b"two"]));
        assert_eq!(read(&path, 2).unwrap(), [first.clone(), second.clone()]);
        let whole = std::fs::read(&path).unwrap();
        let torn: [&[u8]; 5] =
            [b"\x01", b"\x01\x09\0\0\0", b"\x01\x09\0\0\0\x05\0\0\0part", &[0; 10], b"\x01\x09\0\0\0\0\0\0\0\0\0"];
        for tail in torn {
            std::fs::write(&path, [&whole[..], tail].concat()).unwrap();
            let (mut journal, streams) = Journal::open(&path, 2).unwrap();
            assert!(journal.was_cut, "and it is told");
            assert_eq!(streams[1], second);
            journal.note(Seat(1), &record(b"four"));
            journal.write().unwrap();
            assert_eq!(read(&path, 2).unwrap(), [first.clone(), stream(&[b"two", b"four"])]);
        }
        // A seat could read only its first record: the second one, and all that came after it, goes.
        let (mut journal, _) = Journal::open(&path, 2).unwrap();
        journal.cut(&path, &[7, 7]).unwrap();
        assert_eq!(read(&path, 2).unwrap(), [record(b"one"), record(b"two")]);

        // Damage is no torn tail, wherever it is in what is not sealed: nothing is cut, nobody goes on.
        let long = [&whole[..], &[1, 104, 0, 0, 0], &record(&[7; 100])].concat();
        let heads = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 17, 24, 25, 30].into_iter();
        for (at, bit) in heads.flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut bytes = long.clone();
            bytes[at] ^= 1 << bit;
            std::fs::write(&path, &bytes).unwrap();
            let damaged = Journal::open(&path, 2).err().map(|error| error.kind());
            // Only whose record it is goes unseen here; the seal tells that.
            let is_seat = [0, 12, 24].contains(&at) && bit == 0;
            assert_eq!(damaged, (!is_seat).then_some(io::ErrorKind::InvalidData), "bit {bit} of byte {at}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
        std::fs::remove_file(&path).unwrap();
    }
}
