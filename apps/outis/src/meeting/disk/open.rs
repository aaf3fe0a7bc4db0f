//! Problems with the file. The storage library panics if a file contradicts itself; this module turns that into an
//! ordinary error.

use std::cell::Cell;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::PathBuf;
use std::sync::Once;

use redb::Error;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}
static HOOK: Once = Once::new();

/// Runs work on the file; a panic counts as damage.
pub fn caught<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let done = catch_unwind(AssertUnwindSafe(work));
    done.unwrap_or_else(|_| Err(Error::Corrupted("its parts contradict each other".to_owned())))
}

/// The same without printing the panic, for opening, where the error has its own message.
pub fn calmly<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| {
            if !QUIET.get() {
                usual(info);
            }
        }));
    });
    QUIET.set(true);
    let done = caught(work);
    QUIET.set(false);
    done
}

/// Why a store cannot be opened.
#[derive(Debug)]
pub enum Unopened {
    /// The file does not contain what was written.
    Damaged(PathBuf, String),
    /// The disk or the system refuses.
    Failing(PathBuf, String),
}

impl Unopened {
    /// Classifies an error.
    pub fn new(path: PathBuf, error: &Error) -> Self {
        let damaged = match error {
            Error::Corrupted(_) => true,
            Error::Io(error) => matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof),
            _ => false,
        };
        let why = error.to_string();
        if damaged { Self::Damaged(path, why) } else { Self::Failing(path, why) }
    }
}

impl std::fmt::Display for Unopened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Damaged(path, why) => {
                write!(f, "{} is damaged; restore it from a backup ({})", path.display(), why.trim_end_matches('.'))
            }
            Self::Failing(path, why) => write!(f, "{}: the store fails: {why}", path.display()),
        }
    }
}

impl std::error::Error for Unopened {}
