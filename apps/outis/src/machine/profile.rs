//! The profile: the person's identity on this machine, and the folder with everything that belongs to them.
//!
//! | file | what | secret |
//! |---|---|---|
//! | `keys.json` | identity, key of the journals | yes: readable by its owner only |
//! | `open.html` | opens the page in the browser, once | yes, for a minute: readable by its owner only |
//! | `profile.json` | name, language, theme, the page's preferences | no |
//! | `lock` | held by the one process that uses the profile | no |
//! | `tables/ID/` | one folder for each table | the journal is encrypted |
//! | `lobby` | tables that gather players, with their invites | encrypted |
//! | `meeting` | tables listed in a lobby, and seats requested | encrypted |
//! | `outbox/N` | messages that wait for the lobby | sealed for their recipients |
//! | `bridge/ID` | one file for each session of bridge | encrypted |

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use outis_table::identity::Identity;
use rand::Rng;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use zeroize::{Zeroize, Zeroizing};

use outis_node::names::{hex, unhex};

use crate::machine::private_files::{make_private_dir, private_file, replace};
use crate::machine::wall_clock::epoch;
use outis_node::keys::Keyring;
use outis_node::settings::Settings;
use outis_node::table_info::VERSION;

/// Why a profile cannot be used. Each text says what to do.
#[derive(Debug)]
pub enum Unusable {
    /// No folder is known for this user.
    NoFolder,
    /// Another process uses it. The second field says whether other users of this machine could read it until now.
    InUse(PathBuf, Option<Exposed>),
    /// A file or folder cannot be read or written.
    File(PathBuf, io::Error),
    /// The keys are damaged.
    Damaged(PathBuf),
    /// The keys are gone, but there are tables that were played with them.
    Missing(PathBuf),
    /// A later version of Outis made it.
    Newer(PathBuf),
}

impl std::fmt::Display for Unusable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoFolder => f.write_str("cannot find a folder for your data; name one with --profile DIR"),
            Self::InUse(dir, _) => write!(
                f,
                "another Outis is using the profile {}; continue there, stop it, or choose another with --profile DIR",
                dir.display()
            ),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Damaged(path) => write!(
                f,
                "{} is damaged; without it your identity and your open games cannot be read. Nothing was changed. \
                 Restore the file from a backup, or start again with --profile DIR",
                path.display()
            ),
            Self::Missing(path) => write!(
                f,
                "{} is missing; without it your identity and your open games cannot be read. Nothing was changed. \
                 Restore the file from a backup, or start again with --profile DIR",
                path.display()
            ),
            Self::Newer(path) => write!(
                f,
                "{} was written by a later version of Outis. Nothing was changed. Use that version, or another folder \
                 with --profile DIR",
                path.display()
            ),
        }
    }
}

impl std::error::Error for Unusable {}

#[derive(Serialize, Deserialize)]
struct Keys {
    version: u32,
    identity: String,
    seal: String,
}

impl Drop for Keys {
    fn drop(&mut self) {
        [&mut self.identity, &mut self.seal].into_iter().for_each(Zeroize::zeroize);
    }
}

/// What was done about a profile that other users of this machine could read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposed {
    /// They can no longer read it.
    Tightened,
    /// They still can: the system does not allow the change.
    Open,
}

/// An open profile; no other process can open it in the meantime.
pub struct Profile {
    dir: PathBuf,
    keys: Keyring,
    /// Whether `profile.json` could not be read and was put aside.
    pub put_aside: bool,
    /// Whether other users of this machine could read it, and what was done about that.
    pub exposed: Option<Exposed>,
    settings: Settings,
    _lock: File,
    #[cfg(test)]
    _bell: super::tests::bell::RingsAtEnd,
}

impl Profile {
    /// The default folder for this user's data.
    pub fn usual_dir() -> Result<PathBuf, Unusable> {
        let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = || of("HOME");
        let base = if cfg!(windows) {
            of("APPDATA")
        } else if cfg!(target_os = "macos") {
            home().map(|home| home.join("Library/Application Support"))
        } else {
            of("XDG_DATA_HOME").filter(|dir| dir.is_absolute()).or_else(|| home().map(|home| home.join(".local/share")))
        };
        base.map(|base| base.join("outis")).ok_or(Unusable::NoFolder)
    }

    /// Opens a profile, or creates it.
    pub fn open(dir: &Path) -> Result<Self, Unusable> {
        let at = |path: PathBuf| move |error| Unusable::File(path, error);
        make_private_dir(dir).map_err(at(dir.to_owned()))?;
        let tables = dir.join("tables");
        make_private_dir(&tables).map_err(at(tables))?;
        // This comes first: a user who may enter the folder could hold the lock, and so prevent the folder from being
        // closed to them.
        let exposed = tighten(dir);
        let path = dir.join("lock");
        let lock = private_file().create(true).truncate(false).write(true).open(&path).map_err(at(path.clone()))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Unusable::InUse(dir.to_owned(), exposed)),
            Err(TryLockError::Error(error)) => return Err(Unusable::File(path, error)),
        }
        let keys = read_keys(&dir.join("keys.json"), || is_used(dir))?;
        let secret = |text: &str| -> Option<Zeroizing<[u8; 32]>> {
            let bytes = Zeroizing::new(unhex(text)?);
            bytes.as_slice().try_into().ok().map(Zeroizing::new)
        };
        let damaged = || Unusable::Damaged(dir.join("keys.json"));
        let identity = Identity::from_secret(&*secret(&keys.identity).ok_or_else(damaged)?);
        let seal = secret(&keys.seal).ok_or_else(damaged)?;
        let (settings, put_aside) = read_settings(&dir.join("profile.json"))?;
        let keys = Keyring::new(identity, seal);
        Ok(Self {
            dir: dir.to_owned(),
            keys,
            put_aside,
            exposed,
            settings,
            _lock: lock,
            #[cfg(test)]
            _bell: super::tests::bell::RingsAtEnd,
        })
    }

    /// The person's secrets.
    pub fn keys(&self) -> &Keyring {
        &self.keys
    }

    /// The person's settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The folder of the profile.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Changes the person's settings.
    pub fn change(&mut self, change: impl FnOnce(&mut Settings)) -> io::Result<()> {
        let settings = self.settings.changed(epoch(), change).map_err(io::Error::other)?;
        replace(&self.dir.join("profile.json"), &settings.to_file())?;
        self.settings = settings;
        Ok(())
    }
}

/// Whether anything in this folder depends on the old keys. New keys may be made only if nothing does. A folder that
/// cannot be read counts as used.
fn is_used(dir: &Path) -> io::Result<bool> {
    for sealed in ["lobby", "meeting"] {
        if dir.join(sealed).try_exists()? {
            return Ok(true);
        }
    }
    for folder in ["tables", "outbox", "bridge"] {
        let is_empty = match fs::read_dir(dir.join(folder)) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(error),
        };
        if !is_empty {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads the keys, or makes new ones for a new profile. With new keys, nothing in an old profile could be read.
fn read_keys(path: &Path, is_used: impl FnOnce() -> io::Result<bool>) -> Result<Keys, Unusable> {
    let failed = |error| Unusable::File(path.to_owned(), error);
    match fs::read(path) {
        Ok(bytes) => {
            let bytes = Zeroizing::new(bytes);
            let value: Value = serde_json::from_slice(&bytes).map_err(|_| Unusable::Damaged(path.to_owned()))?;
            if value["version"].as_u64().is_some_and(|version| version > VERSION.into()) {
                return Err(Unusable::Newer(path.to_owned()));
            }
            serde_json::from_value(value).map_err(|_| Unusable::Damaged(path.to_owned()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if is_used().map_err(failed)? {
                return Err(Unusable::Missing(path.to_owned()));
            }
            let fresh = |n: usize| {
                let mut bytes = Zeroizing::new(vec![0u8; n]);
                crate::random::rng().fill_bytes(&mut bytes);
                hex(&bytes)
            };
            let keys = Keys { version: VERSION, identity: fresh(32), seal: fresh(32) };
            let bytes = Zeroizing::new(serde_json::to_vec(&keys).map_err(|error| failed(error.into()))?);
            replace(path, &bytes).map_err(failed)?;
            Ok(keys)
        }
        Err(error) => Err(failed(error)),
    }
}

/// Reads the settings. Damaged settings are renamed and replaced by the defaults: nothing in them is worth refusing to
/// start.
fn read_settings(path: &Path) -> Result<(Settings, bool), Unusable> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Settings::default(), false)),
        Err(error) => return Err(Unusable::File(path.to_owned(), error)),
    };
    match serde_json::from_slice::<Settings>(&bytes) {
        Ok(settings) if settings.version > VERSION => Err(Unusable::Newer(path.to_owned())),
        Ok(settings) => Ok((settings, false)),
        Err(_) => {
            let aside = path.with_extension("json.damaged");
            fs::rename(path, &aside).map_err(|error| Unusable::File(path.to_owned(), error))?;
            Ok((Settings::default(), true))
        }
    }
}

/// Removes other users' access to the folder of a profile and to its keys.
#[cfg(unix)]
fn tighten(dir: &Path) -> Option<Exposed> {
    use std::os::unix::fs::PermissionsExt;
    let is_open = |path: &Path| fs::metadata(path).is_ok_and(|known| known.permissions().mode() & 0o077 != 0);
    let mut found = None;
    // A folder without keys had no secret to read.
    let has_keys = dir.join("keys.json").exists();
    for (path, mode) in [(dir.to_owned(), 0o700), (dir.join("tables"), 0o700), (dir.join("keys.json"), 0o600)] {
        if is_open(&path) {
            let _ = fs::set_permissions(&path, fs::Permissions::from_mode(mode));
            let now = if is_open(&path) { Exposed::Open } else { Exposed::Tightened };
            found = found.filter(|earlier| *earlier == Exposed::Open).or(Some(now));
        }
    }
    found.filter(|_| has_keys)
}

#[cfg(not(unix))]
fn tighten(_: &Path) -> Option<Exposed> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::scratch;

    #[test]
    fn a_profile_stays_the_same_and_belongs_to_one() {
        let dir = scratch("profile");
        let mut profile = Profile::open(&dir).unwrap();
        let key = profile.keys().key();
        assert!(matches!(Profile::open(&dir), Err(Unusable::InUse(..))));
        profile.change(|settings| settings.name = "  Anna\u{202e}\n ".into()).unwrap();
        assert_eq!(profile.settings().name, "Anna");
        let bot = profile.keys().bot("t", 1).public();
        drop(profile);
        let again = Profile::open(&dir).unwrap();
        assert_eq!((again.keys().key(), &*again.settings().name), (key, "Anna"));
        assert_eq!(again.keys().bot("t", 1).public(), bot);
        assert_ne!(again.keys().bot("t", 2).public(), bot);
        #[cfg(unix)]
        for (file, mode) in [("keys.json", 0o600), ("tables", 0o700)] {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(dir.join(file)).unwrap().permissions().mode() & 0o777, mode, "{file}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn nobody_reads_new_keys_through_a_file_that_was_prepared() {
        use std::io::Read;
        use std::os::unix::fs::PermissionsExt;
        let dir = scratch("prepared");
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("keys.part"), b"mine").unwrap();
        fs::set_permissions(dir.join("keys.part"), fs::Permissions::from_mode(0o666)).unwrap();
        let mut held = File::open(dir.join("keys.part")).unwrap();
        drop(Profile::open(&dir).unwrap());
        let mut seen = Vec::new();
        held.read_to_end(&mut seen).unwrap();
        assert_eq!(seen, b"mine");
        assert_eq!(fs::metadata(dir.join("keys.json")).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn what_others_could_read_is_closed_and_told() {
        use std::os::unix::fs::PermissionsExt;
        let dir = scratch("exposed");
        fs::create_dir_all(&dir).unwrap();
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(Profile::open(&dir).unwrap().exposed, None, "there was nothing to read");
        assert_eq!(fs::metadata(&dir).unwrap().permissions().mode() & 0o777, 0o700);
        for (file, loose, tight) in [("", 0o755, 0o700), ("keys.json", 0o644, 0o600), ("tables", 0o770, 0o700)] {
            let path = dir.join(file);
            fs::set_permissions(&path, fs::Permissions::from_mode(loose)).unwrap();
            assert_eq!(Profile::open(&dir).unwrap().exposed, Some(Exposed::Tightened), "{file}");
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, tight, "{file}");
        }
        assert_eq!(Profile::open(&dir).unwrap().exposed, None);
    }

    /// Earlier versions stored a token for the page among the keys.
    #[test]
    fn the_keys_of_an_earlier_version_are_read() {
        let dir = scratch("earlier");
        make_private_dir(&dir).unwrap();
        let (identity, seal, token) = ("1f".repeat(32), "2e".repeat(32), "3d".repeat(16));
        let keys = format!(r#"{{"version":1,"identity":"{identity}","seal":"{seal}","token":"{token}"}}"#);
        replace(&dir.join("keys.json"), keys.as_bytes()).unwrap();
        let profile = Profile::open(&dir).unwrap();
        assert_eq!(profile.keys().key().0, *Identity::from_secret(&[0x1f; 32]).public().as_bytes());
    }

    /// Another user who may enter the folder holds its lock: the profile cannot be used, but that user loses access to
    /// it.
    #[cfg(unix)]
    #[test]
    fn a_profile_is_tightened_before_it_is_locked() {
        use std::os::unix::fs::PermissionsExt;
        let dir = scratch("held");
        drop(Profile::open(&dir).unwrap());
        let keys = dir.join("keys.json");
        for (path, mode) in [(&dir, 0o755), (&keys, 0o644)] {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        let held = File::open(dir.join("lock")).unwrap();
        held.lock().unwrap();
        // The next start finds nothing wrong, so the problem is reported now.
        assert!(matches!(Profile::open(&dir), Err(Unusable::InUse(_, Some(Exposed::Tightened)))));
        assert!(matches!(Profile::open(&dir), Err(Unusable::InUse(_, None))));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&dir), mode(&keys), mode(&dir.join("lock"))), (0o700, 0o600, 0o600));
    }

    /// New keys are made only in an empty profile: with new keys, nothing stored there could be read, and nobody would
    /// know why.
    #[test]
    fn nobody_gets_new_keys_who_has_something() {
        for kept in ["lobby", "meeting", "outbox/1", "bridge/1", "tables/1"] {
            let dir = scratch("no-keys");
            drop(Profile::open(&dir).unwrap());
            fs::remove_file(dir.join("keys.json")).unwrap();
            drop(Profile::open(&dir).unwrap());
            fs::remove_file(dir.join("keys.json")).unwrap();
            make_private_dir(dir.join(kept).parent().unwrap()).unwrap();
            fs::write(dir.join(kept), b"sealed").unwrap();
            assert!(matches!(Profile::open(&dir), Err(Unusable::Missing(_))), "{kept}");
            assert!(!dir.join("keys.json").exists());
        }
        // A folder that cannot be read may hold something.
        let dir = scratch("no-keys");
        drop(Profile::open(&dir).unwrap());
        fs::remove_file(dir.join("keys.json")).unwrap();
        fs::write(dir.join("bridge"), b"").unwrap();
        assert!(matches!(Profile::open(&dir), Err(Unusable::File(..))));
        assert!(!dir.join("keys.json").exists());
    }

    #[test]
    fn damaged_files_are_said_and_kept() {
        let dir = scratch("damaged");
        drop(Profile::open(&dir).unwrap());
        fs::write(dir.join("profile.json"), b"{").unwrap();
        assert!(Profile::open(&dir).unwrap().put_aside);
        assert!(dir.join("profile.json.damaged").exists());
        fs::write(
            dir.join("profile.json"),
            br#"{"version": 9, "name": "", "language": null, "theme": "auto", "fresh": true, "prefs": {}}"#,
        )
        .unwrap();
        assert!(matches!(Profile::open(&dir), Err(Unusable::Newer(_))));
        fs::remove_file(dir.join("profile.json")).unwrap();
        let good = fs::read(dir.join("keys.json")).unwrap();
        for bad in [&good[..good.len() / 2], b"{}", br#"{"version":1,"identity":"00","seal":"00","token":"00"}"#] {
            fs::write(dir.join("keys.json"), bad).unwrap();
            assert!(matches!(Profile::open(&dir), Err(Unusable::Damaged(_))));
            assert_eq!(fs::read(dir.join("keys.json")).unwrap(), bad, "nothing was changed");
        }
        // Missing keys are replaced only if nothing was played with them (F6).
        fs::remove_file(dir.join("keys.json")).unwrap();
        make_private_dir(&dir.join("tables/0011")).unwrap();
        assert!(matches!(Profile::open(&dir), Err(Unusable::Missing(_))));
        assert!(!dir.join("keys.json").exists(), "nothing was changed");
        fs::remove_dir(dir.join("tables/0011")).unwrap();
        assert!(Profile::open(&dir).is_ok());
    }
}
