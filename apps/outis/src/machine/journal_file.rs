//! The journal of one table as a file: bytes are appended in order, and synced when that is urgent.
//! [`outis_node::journal`] decides when it is.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use outis_node::journal::{self, Append, Damaged};

use crate::machine::private_files::private_file;

/// The file of a journal.
pub struct JournalFile {
    medium: Box<dyn Medium>,
    /// Length of the valid part; bytes are never written beyond a gap.
    good: u64,
    /// Length that would survive a power cut.
    safe: u64,
    /// Whether the file ended in an incomplete record, which was dropped.
    pub was_cut: bool,
    /// Whether every write fails.
    #[cfg(test)]
    pub fails: bool,
}

/// The storage that a journal is written to.
pub trait Medium: Send {
    /// Writes bytes at this position and truncates the rest.
    fn write_from(&mut self, at: u64, bytes: &[u8]) -> io::Result<()>;
    /// Makes everything written survive a power cut.
    fn sync(&mut self) -> io::Result<()>;
    /// Writes the existing bytes again, in place; an interruption leaves them unchanged.
    fn write_again(&mut self, bytes: &[u8]) -> io::Result<()>;
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

    fn write_again(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::Start(0))?;
        self.write_all(bytes)
    }
}

impl JournalFile {
    /// A journal on a medium that holds this many valid bytes.
    fn on(medium: impl Medium + 'static, good: u64) -> Self {
        Self {
            medium: Box::new(medium),
            good,
            safe: good,
            was_cut: false,
            #[cfg(test)]
            fails: false,
        }
    }

    /// Creates a new file. It exists before anything else refers to the table. A file that is not empty is an error of
    /// kind `InvalidData`: a new table must not continue after another's records.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = private_file().create(true).truncate(false).read(true).write(true).open(path)?;
        if file.metadata()?.len() > 0 {
            return Err(io::ErrorKind::InvalidData.into());
        }
        file.sync_all()?;
        if let Some(folder) = path.parent() {
            sync_folder(folder)?;
        }
        Ok(Self::on(file, 0))
    }

    /// Opens an existing file and returns its content by seat. A damaged file is an error of kind `InvalidData`:
    /// continuing from before the damage would mean forgetting what was signed.
    pub fn open(path: &Path, seats: usize) -> io::Result<(Self, Vec<Vec<u8>>)> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Self::take_up(file, &bytes, seats)
    }

    /// Continues on a medium from which these bytes were read. It writes them again before it relies on them: if an
    /// earlier process failed to sync them, the system may hold them in memory only, and still report success (N-9).
    fn take_up(mut medium: impl Medium + 'static, bytes: &[u8], seats: usize) -> io::Result<(Self, Vec<Vec<u8>>)> {
        let (streams, good) = journal::split(bytes, seats).map_err(damaged)?;
        medium.write_again(&bytes[..good])?;
        medium.sync()?;
        Ok((Self { was_cut: good < bytes.len(), ..Self::on(medium, good as u64) }, streams))
    }

    /// Length of the valid part.
    pub fn length(&self) -> u64 {
        self.good
    }

    /// Writes; if the append is urgent, syncs and returns the synced length. After an error, only what was synced
    /// before counts as written.
    pub fn append(&mut self, append: &Append) -> io::Result<Option<u64>> {
        let written = self.write(append);
        if written.is_err() {
            self.good = self.good.min(self.safe);
        }
        written
    }

    fn write(&mut self, append: &Append) -> io::Result<Option<u64>> {
        if append.at > self.good {
            return Err(io::Error::other("what comes before it is not there"));
        }
        #[cfg(test)]
        if self.fails {
            return Err(io::Error::other("a test lets it fail"));
        }
        // This overwrites anything that a failed attempt left behind.
        if !append.bytes.is_empty() || append.at < self.good {
            self.medium.write_from(append.at, &append.bytes)?;
        }
        self.good = append.at + append.bytes.len() as u64;
        if !append.urgent {
            return Ok(None);
        }
        self.medium.sync()?;
        self.safe = self.good;
        Ok(Some(self.safe))
    }

    /// Truncates the file at the first record that extends beyond what its seat could read.
    pub fn cut(&mut self, path: &Path, kept: &[usize]) -> io::Result<()> {
        let good = journal::good_before(&std::fs::read(path)?, kept) as u64;
        (self.good, self.safe) = (self.good.min(good), self.safe.min(good));
        self.medium.write_from(self.good, &[])
    }
}

/// Reads the content of a journal file by seat, for replays.
pub fn read(path: &Path, seats: usize) -> io::Result<Vec<Vec<u8>>> {
    journal::split(&std::fs::read(path)?, seats).map(|(streams, _)| streams).map_err(damaged)
}

fn damaged(_: Damaged) -> io::Error {
    io::Error::from(io::ErrorKind::InvalidData)
}

/// Makes the existence of the files in a folder survive a power cut.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(test)]
    SYNCED.with_borrow_mut(|synced| synced.push(folder.to_owned()));
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
thread_local! {
    /// The folders that this thread has synced.
    pub static SYNCED: std::cell::RefCell<Vec<std::path::PathBuf>> = const { std::cell::RefCell::new(Vec::new()) };
}

#[cfg(test)]
mod tests {
    use outis_node::journal::Journal;
    use outis_table::Seat;

    use super::*;

    /// A disk that loses its cache when a write fails, as Linux may do: reading still returns the bytes, but they are
    /// not on the disk.
    #[derive(Clone, Default)]
    struct Flaky(std::sync::Arc<std::sync::Mutex<Cells>>);

    #[derive(Default)]
    struct Cells {
        safe: Vec<u8>,
        cached: Vec<u8>,
        /// Which bytes of the cache must still be written.
        dirty: Vec<bool>,
        fails: bool,
        /// Whether the cache keeps showing bytes that could not be written, as on some file systems.
        pretends: bool,
    }

    impl Medium for Flaky {
        fn write_from(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
            let mut cells = self.0.lock().unwrap();
            cells.cached.resize(at as usize, 0);
            cells.cached.extend_from_slice(bytes);
            cells.dirty.resize(at as usize, false);
            cells.dirty.resize(at as usize + bytes.len(), true);
            Ok(())
        }

        fn write_again(&mut self, bytes: &[u8]) -> io::Result<()> {
            let mut cells = self.0.lock().unwrap();
            cells.cached[..bytes.len()].copy_from_slice(bytes);
            cells.dirty[..bytes.len()].fill(true);
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            let mut cells = self.0.lock().unwrap();
            let length = cells.cached.len();
            cells.safe.resize(length, 0);
            if cells.fails {
                // The pages are marked clean, and hold either what the disk holds or what it should hold.
                if !cells.pretends {
                    cells.cached = cells.safe.clone();
                }
                cells.dirty.fill(false);
                return Err(io::Error::other("the disk is gone"));
            }
            for at in 0..length {
                if std::mem::take(&mut cells.dirty[at]) {
                    cells.safe[at] = cells.cached[at];
                }
            }
            Ok(())
        }
    }

    /// N-9 across a restart: a process failed to sync its journal. The next process may read bytes that exist only in
    /// memory, so it relies on them only after writing them again.
    #[test]
    fn what_an_earlier_process_could_not_make_safe_is_written_again() {
        for pretends in [false, true] {
            let disk = Flaky::default();
            disk.0.lock().unwrap().pretends = pretends;
            let (mut file, mut journal) = (JournalFile::on(disk.clone(), 0), Journal::on(0));
            journal.note(Seat(0), &record(b"one"));
            file.append(&journal.append(true).unwrap()).unwrap();
            journal.note(Seat(0), &record(b"two"));
            disk.0.lock().unwrap().fails = true;
            assert!(file.append(&journal.append(true).unwrap()).is_err());
            drop((file, journal));
            // The next process reads the journal, continues and appends a record; then the power fails.
            disk.0.lock().unwrap().fails = false;
            let read = disk.0.lock().unwrap().cached.clone();
            let (mut file, streams) = JournalFile::take_up(disk.clone(), &read, 1).unwrap();
            let mut journal = Journal::on(file.length());
            journal.note(Seat(0), &record(b"three"));
            assert!(file.append(&journal.append(true).unwrap()).unwrap().is_some(), "what is built on it may leave");
            let left = disk.0.lock().unwrap().safe.clone();
            let (kept, good) = journal::split(&left, 1).unwrap();
            assert_eq!((good, &kept[0]), (left.len(), &[&streams[0][..], &record(b"three")].concat()), "{pretends}");
        }
    }

    #[test]
    fn a_new_table_does_not_go_on_behind_what_another_one_said() {
        let path = std::env::temp_dir().join(format!("outis-journal-new-{}", std::process::id()));
        std::fs::write(&path, b"").unwrap();
        assert!(JournalFile::create(&path).is_ok(), "one that never got that far");
        std::fs::write(&path, b"said").unwrap();
        assert_eq!(JournalFile::create(&path).err().map(|error| error.kind()), Some(io::ErrorKind::InvalidData));
        assert_eq!(std::fs::read(&path).unwrap(), b"said");
        std::fs::remove_file(&path).unwrap();
    }

    /// N-9: after a failed sync, nothing written since the last successful one counts as stored.
    #[test]
    fn after_a_failed_sync_everything_since_the_last_good_one_is_written_again() {
        let disk = Flaky::default();
        let (mut file, mut journal) = (JournalFile::on(disk.clone(), 0), Journal::on(0));
        let whole = |texts: &[&[u8]]| -> Vec<u8> {
            texts.iter().flat_map(|t| [&[1][..], &(t.len() as u32 + 4).to_le_bytes(), &record(t)].concat()).collect()
        };
        let mut add = |text: &[u8]| {
            journal.note(Seat(1), &record(text));
            let append = journal.append(true).unwrap();
            match file.append(&append) {
                Ok(up_to) => journal.appended(append.attempt, up_to.unwrap()),
                Err(_) => journal.failed(append.attempt),
            };
            journal.is_safe()
        };
        assert!(add(b"one"));
        disk.0.lock().unwrap().fails = true;
        assert!(!add(b"two") && !add(b"three"));
        disk.0.lock().unwrap().fails = false;
        assert!(add(b"four"));
        assert_eq!(disk.0.lock().unwrap().safe, whole(&[b"one", b"two", b"three", b"four"]));
        // An append decided before the failure was known is refused, because it would leave a gap.
        let late = Append { at: 1_000, bytes: vec![1], urgent: true, attempt: 0 };
        assert!(file.append(&late).is_err());
    }

    /// A record in the format of the sealing layer: its length, then its bytes.
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
        assert!(JournalFile::open(&path, 2).is_err(), "one that is gone is not one that is empty");
        let (mut file, mut journal) = (JournalFile::create(&path).unwrap(), Journal::on(0));
        for (seat, text) in [(0, &b"one"[..]), (1, b"two"), (0, b"three")] {
            journal.note(Seat(seat), &record(text));
            file.append(&journal.append(false).unwrap()).unwrap();
        }
        assert_eq!(file.append(&journal.append(true).unwrap()).unwrap(), Some(journal.mark()));
        let (first, second) = (stream(&[b"one", b"three"]), stream(&[b"two"]));
        assert_eq!(read(&path, 2).unwrap(), [first.clone(), second.clone()]);
        let whole = std::fs::read(&path).unwrap();
        let torn: [&[u8]; 5] =
            [b"\x01", b"\x01\x09\0\0\0", b"\x01\x09\0\0\0\x05\0\0\0part", &[0; 10], b"\x01\x09\0\0\0\0\0\0\0\0\0"];
        for tail in torn {
            std::fs::write(&path, [&whole[..], tail].concat()).unwrap();
            let (mut file, streams) = JournalFile::open(&path, 2).unwrap();
            assert!(file.was_cut, "and it is told");
            assert_eq!(streams[1], second);
            let mut journal = Journal::on(file.length());
            journal.note(Seat(1), &record(b"four"));
            file.append(&journal.append(false).unwrap()).unwrap();
            assert_eq!(read(&path, 2).unwrap(), [first.clone(), stream(&[b"two", b"four"])]);
        }
        // One seat could read only its first record: its second record and everything after it are cut.
        let (mut file, _) = JournalFile::open(&path, 2).unwrap();
        file.cut(&path, &[7, 7]).unwrap();
        assert_eq!(read(&path, 2).unwrap(), [record(b"one"), record(b"two")]);

        // Damage outside the sealed bytes is not a torn tail, wherever it is: nothing is cut, and the table does not
        // continue.
        let long = [&whole[..], &[1, 104, 0, 0, 0], &record(&[7; 100])].concat();
        let heads = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 17, 24, 25, 30].into_iter();
        for (at, bit) in heads.flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut bytes = long.clone();
            bytes[at] ^= 1 << bit;
            std::fs::write(&path, &bytes).unwrap();
            let damaged = JournalFile::open(&path, 2).err().map(|error| error.kind());
            // Only a changed seat number goes unnoticed here; the seal detects it.
            let is_seat = [0, 12, 24].contains(&at) && bit == 0;
            assert_eq!(damaged, (!is_seat).then_some(io::ErrorKind::InvalidData), "bit {bit} of byte {at}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
        std::fs::remove_file(&path).unwrap();
    }
}
