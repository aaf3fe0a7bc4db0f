//! A disk that fills up under a lobby: the lobby reports it, loses nothing that it has confirmed, still serves readers,
//! and continues when there is space.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use outis_meeting::parcel::Parcel;
use outis_meeting::service::{Limits, Meeting, Setup};
use outis_meeting::wire::{Answer, Mail, Refusal, Request};
use outis_table::codec::{Decode, Encode};
use outis_table::identity::Identity;
use outis_table::letter::Letter;
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::{Disk, builder};

/// When a full disk reports the error.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Says {
    /// When the file is extended.
    AtOnce,
    /// When the new part is written.
    Later,
    /// When the file is synced: once, as a real disk does.
    AtTheEnd,
}

/// A disk in memory, with limited space.
#[derive(Clone, Debug)]
struct Small {
    bytes: Arc<Mutex<Vec<u8>>>,
    room: Arc<AtomicU64>,
    lost: Arc<AtomicBool>,
    says: Says,
}

impl Small {
    fn with<T>(&self, with: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        with(&mut self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn fits(&self, when: Says, end: u64) -> io::Result<()> {
        let full = self.says == when && end > self.room.load(Ordering::SeqCst);
        if full { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

impl redb::StorageBackend for Small {
    fn len(&self) -> io::Result<u64> {
        Ok(self.with(|bytes| bytes.len() as u64))
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let from = offset as usize;
        self.with(|bytes| match bytes.get(from..from + out.len()) {
            Some(part) => {
                out.copy_from_slice(part);
                Ok(())
            }
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        })
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.fits(Says::AtOnce, len)?;
        self.with(|bytes| bytes.resize(len as usize, 0));
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        if self.lost.swap(false, Ordering::SeqCst) { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let end = offset + data.len() as u64;
        self.fits(Says::Later, end)?;
        if self.fits(Says::AtTheEnd, end).is_err() {
            self.lost.store(true, Ordering::SeqCst);
        }
        let from = offset as usize;
        self.with(|bytes| match bytes.get_mut(from..from + data.len()) {
            Some(part) => {
                part.copy_from_slice(data);
                Ok(())
            }
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        })
    }
}

fn meeting(small: &Small) -> Meeting {
    let small = small.clone();
    let disk = Disk::over(move || Ok(builder().create_with_backend(small.clone())?)).unwrap();
    let limits = Limits { burst: 100_000, ..Limits::default() };
    Meeting::new(Box::new(disk), Setup { limits, ..Setup::default() })
}

/// The numbers of all messages in a mailbox.
fn mailbox(meeting: &Meeting, reader: &Identity) -> Vec<u64> {
    let (mut numbers, mut after) = (Vec::new(), 0);
    loop {
        let Answer::Mail(mail) = meeting.answer(&reader.public(), 1, Request::Mail(after)) else { panic!("no mail") };
        let Some((last, _)) = mail.last() else { return numbers };
        after = *last;
        for (_, piece) in &mail {
            let Mail::Letter(letter) = piece else { panic!("no letter") };
            let plain = letter.open(reader).unwrap();
            let Ok(Parcel::Frame { serial, .. }) = Parcel::from_bytes(&plain, &()) else { panic!("no frame") };
            numbers.push(serial);
        }
    }
}

fn fill(says: Says) {
    let [anna, bela] = [[1; 32], [2; 32]].map(|secret| Identity::from_secret(&secret));
    let letter = |serial: u64| {
        let parcel = Parcel::Frame { table: [0; 32], serial, from: 0, to: 1, frame: vec![7; 60_000] };
        let mut rng = StdRng::seed_from_u64(serial);
        Letter::seal(&anna, &bela.public(), &parcel.to_bytes(), &mut rng).unwrap()
    };
    let send =
        |meeting: &Meeting, serial: u64| meeting.answer(&anna.public(), 1, Request::Send(Box::new(letter(serial))));
    let small = Small { bytes: Arc::default(), room: Arc::new(AtomicU64::new(u64::MAX)), lost: Arc::default(), says };
    let place = meeting(&small);
    assert_eq!(send(&place, 0), Answer::Done);
    small.room.store(small.with(|bytes| bytes.len() as u64) + (1 << 20), Ordering::SeqCst);
    let mut answers = (1..1_000).map(|serial| (serial, send(&place, serial)));
    let (refused, answer) = answers.find(|(_, answer)| *answer != Answer::Done).unwrap();
    // The error has the text of the manual, and nothing of the message is stored.
    assert_eq!(answer, Answer::Sorry(Refusal::Failing), "{says:?}");
    assert_eq!(Refusal::Failing.to_string(), "the lobby cannot write at the moment; nothing was stored");
    let taken: Vec<u64> = (0..refused).collect();
    assert!(refused > 2, "{says:?}: there was room for some");
    // A disk that reports the error only at the sync may have stored the refused message: it was not confirmed, and it
    // counts once.
    let holds = |read: &[u64], when: &str| {
        let late = says == Says::AtTheEnd && read.split_last() == Some((&refused, &*taken));
        assert!(read == taken || late, "{says:?}, {when}: {read:?} of {taken:?}");
    };
    holds(&mailbox(&place, &bela), "everything that was acknowledged can be read");
    // A crash in this state loses nothing either, once there is space.
    let crashed = Small { bytes: Arc::new(Mutex::new(small.with(|bytes| bytes.clone()))), ..small.clone() };
    let elsewhere = Small { room: Arc::new(AtomicU64::new(u64::MAX)), ..crashed };
    holds(&mailbox(&meeting(&elsewhere), &bela), "after a crash");
    small.room.store(u64::MAX, Ordering::SeqCst);
    assert_eq!(send(&place, refused), Answer::Done, "{says:?}: it goes on by itself");
    assert_eq!(send(&place, refused), Answer::Done, "{says:?}: sent again");
    let taken: Vec<u64> = (0..=refused).collect();
    assert_eq!(mailbox(&place, &bela), taken, "{says:?}: each once, in order");
}

#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    [Says::AtOnce, Says::Later, Says::AtTheEnd].into_iter().for_each(fill);
}
