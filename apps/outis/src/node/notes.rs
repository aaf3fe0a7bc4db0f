//! Notes: small files of the profile, each encrypted under a key of its own and replaced as a whole.

use std::io;
use std::path::Path;

use outis_table::seal::{open_note, seal_note};
use zeroize::Zeroizing;

use super::profile::{Keyring, replace};
use crate::random;

/// Writes a note. Its name is part of its key, so no note can be put in the place of another.
pub fn write(keys: &Keyring, name: &str, path: &Path, plain: &[u8]) -> io::Result<()> {
    replace(path, &seal_note(keys.note_key(name), plain, &mut random::rng()))
}

/// Reads a note; `None` if there is none.
pub fn read(keys: &Keyring, name: &str, path: &Path) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    let sealed = match std::fs::read(path) {
        Ok(sealed) => sealed,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let note = open_note(keys.note_key(name), &sealed);
    note.map(Some).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is damaged, or of another profile"))
}
