//! Notes: small files in the profile, each encrypted under its own key and replaced as a whole.

use std::io;
use std::path::{Path, PathBuf};

use outis_table::seal::{open_note, seal_note};
use zeroize::Zeroizing;

use crate::machine::private_files::replace;
use crate::random;
use outis_node::keys::Keyring;

/// Writes a note. Its name is part of its key, so one note cannot replace another.
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

/// Renames a note that cannot be read, so that nothing overwrites it; returns its new path.
pub fn put_aside(path: &Path) -> PathBuf {
    let name = |n: u32| path.with_extension(if n == 1 { "damaged".to_owned() } else { format!("damaged-{n}") });
    let free = (1..100).map(name).find(|name| !name.exists());
    free.filter(|name| std::fs::rename(path, name).is_ok()).unwrap_or_else(|| path.to_owned())
}
