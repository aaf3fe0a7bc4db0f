//! Errors of the operating system about files and connections, as texts: the system's own messages are in English.

use std::fmt;
use std::io::{Error, ErrorKind};
use std::path::Path;

use outis_game::words::{Arg, Language, Text};

use crate::machine::profile::{Exposed, Unusable};
use crate::speech::Speech;

/// Why something failed. An unusual reason stays in English and is marked as such.
pub fn system(error: &Error) -> Text {
    let id = match error.kind() {
        ErrorKind::NotFound => "node.system.not-found",
        ErrorKind::PermissionDenied => "node.system.denied",
        ErrorKind::AlreadyExists => "node.system.exists",
        ErrorKind::StorageFull => "node.system.full",
        ErrorKind::QuotaExceeded => "node.system.quota",
        ErrorKind::ReadOnlyFilesystem => "node.system.read-only",
        ErrorKind::IsADirectory => "node.system.folder",
        ErrorKind::NotADirectory => "node.system.no-folder",
        ErrorKind::InvalidFilename => "node.system.name",
        ErrorKind::FileTooLarge => "node.system.large",
        ErrorKind::ResourceBusy | ErrorKind::ExecutableFileBusy => "node.system.busy",
        ErrorKind::UnexpectedEof => "node.system.short",
        ErrorKind::InvalidData => "node.system.content",
        ErrorKind::AddrInUse => "node.system.address.taken",
        ErrorKind::AddrNotAvailable => "node.system.address.none",
        ErrorKind::ConnectionRefused => "node.system.refused",
        ErrorKind::NetworkUnreachable | ErrorKind::HostUnreachable | ErrorKind::NetworkDown => {
            "node.system.unreachable"
        }
        ErrorKind::TimedOut => "node.system.late",
        _ => return Text::new("node.system.other").with("words", Arg::Plain(error.to_string())),
    };
    Text::new(id)
}

/// The same for a named file.
pub fn of_file(file: &Path, error: &Error) -> Text {
    in_file(file, system(error))
}

/// What is wrong with a named file.
pub fn in_file(file: &Path, why: Text) -> Text {
    Text::new("node.system.file").with("file", Arg::Plain(file.display().to_string())).with("why", why)
}

/// A failure that is reported in the language of the environment; `Display` is English.
#[derive(Debug)]
pub struct Said(pub Text);

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Speech::of(Language::En).say(&self.0))
    }
}

impl std::error::Error for Said {}

/// The text of an error, if it has one.
pub fn text(error: &(dyn std::error::Error + 'static)) -> Option<Text> {
    // A system error that carries its own message says more than its kind.
    let io = || error.downcast_ref::<Error>().filter(|error| error.get_ref().is_none()).map(system);
    let said = error.downcast_ref::<Said>().map(|Said(text)| text.clone());
    said.or_else(|| error.downcast_ref::<Unusable>().map(of_profile)).or_else(io)
}

/// Why a profile cannot be used.
fn of_profile(unusable: &Unusable) -> Text {
    let (id, path) = match unusable {
        Unusable::NoFolder => return Text::new("node.profile.no-folder"),
        Unusable::File(path, error) => return of_file(path, error),
        Unusable::InUse(path, None) => ("node.profile.in-use", path),
        Unusable::InUse(path, Some(Exposed::Tightened)) => ("node.profile.in-use.exposed", path),
        Unusable::InUse(path, Some(Exposed::Open)) => ("node.profile.in-use.exposed.open", path),
        Unusable::Damaged(path) => ("node.profile.damaged", path),
        Unusable::Missing(path) => ("node.profile.missing", path),
        Unusable::Newer(path) => ("node.profile.newer", path),
    };
    Text::new(id).with("file", Arg::Plain(path.display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_reasons_have_words_in_every_language() {
        let usual = [
            (ErrorKind::NotFound, "nincs ilyen fájl vagy mappa"),
            (ErrorKind::PermissionDenied, "nincs hozzá jogosultságod"),
            (ErrorKind::AlreadyExists, "már van ilyen nevű fájl"),
            (ErrorKind::StorageFull, "betelt a lemez"),
            (ErrorKind::IsADirectory, "ez mappa, nem fájl"),
        ];
        let words = Language::ALL.map(crate::words::of_node);
        for (kind, hungarian) in usual {
            let text = of_file(Path::new("a.log"), &kind.into());
            let [en, hu] = words.each_ref().map(|words| words.say(&text, &|_| String::new()));
            assert_eq!(hu, format!("a.log: {hungarian}"));
            assert!(en.starts_with("a.log: ") && en != hu && !en.contains("node."), "{en}");
        }
        let other = system(&Error::other("the dog ate it"));
        let [en, hu] = words.each_ref().map(|words| words.say(&other, &|_| String::new()));
        assert_eq!(
            (&*en, &*hu),
            ("the system reports “the dog ate it”", "a rendszer jelzése (angolul): „the dog ate it”")
        );
    }
}
