//! Files and folders that only their owner can read, and files that are replaced as a whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Puts new bytes in place of a file, all or nothing, durably, readable by its owner only.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = path.with_extension("part");
    // What is left of an earlier try, or was put there by somebody who still holds it open, is never written to.
    match fs::remove_file(&part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = private_file().create_new(true).write(true).open(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&part, path)?;
    if let (true, Some(dir)) = (cfg!(unix), path.parent()) {
        File::open(dir)?.sync_all()?;
    }
    Ok(())
}

/// How a file is made that only its owner can read.
pub fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes a folder that only its owner can enter.
pub fn make_private_dir(dir: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}
