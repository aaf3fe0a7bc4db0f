//! The node: everything of the machine that a table needs. Files, threads, clock, links to other nodes.
//!
//! | module | one idea |
//! |---|---|
//! | [`sitting`] | one seat of ours at one table, whatever the game |
//! | [`table`], [`timeline`] | our seat and the bots of one table; what happened, with costs |
//! | [`floor`] | all tables, the worker threads, the clock: the API for whoever plays |
//! | [`standing`] | what a person sees of a table |
//! | [`hub`] | the node as a whole: what a person may ask of it |
//! | [`lobby`], [`invite`], [`net`] | tables that wait for people, and links to their nodes |
//! | [`meet`] | our side of a meeting place: notices, claims, letters, the shelf |
//! | [`club`] | the bridge tools of the page |
//! | [`profile`], [`about`], [`journal`], [`store`], [`notes`] | what is kept on disk |

pub mod about;
pub mod blocks;
pub mod club;
pub mod code;
pub mod floor;
pub mod hub;
pub mod invite;
pub mod journal;
pub mod lobby;
pub mod meet;
pub mod net;
pub mod notes;
pub mod profile;
pub mod sitting;
pub mod standing;
pub mod store;
pub mod table;
pub mod timeline;

#[cfg(test)]
mod tests_of_crooks;
#[cfg(test)]
mod tests_of_letters;
#[cfg(test)]
mod tests_of_meeting;
#[cfg(test)]
mod tests_of_nodes;
#[cfg(test)]
mod tests_of_sharing;
#[cfg(test)]
mod tests_of_shelf;

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A public identity key as bytes; also the name of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub [u8; 32]);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…", &hex(&self.0)[..8])
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&hex(&self.0))
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let bytes = unhex(&text).and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or_else(|| serde::de::Error::custom("not a key"))
    }
}

/// Lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(bytes)
}

/// Back from hexadecimal digits.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    data_encoding::HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()
}

/// Milliseconds since 1970 by the wall clock: for people, never for deciding anything at a table.
pub fn epoch() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
    // In a development build `OUTIS_CLOCK` sets the clock wrong by so many seconds.
    #[cfg(debug_assertions)]
    if let Some(wrong) = std::env::var("OUTIS_CLOCK").ok().and_then(|text| text.parse::<i64>().ok()) {
        return now.saturating_add_signed(wrong.saturating_mul(1_000));
    }
    now
}

/// Somebody's words, made harmless: no control or direction characters, at most `most` characters.
pub fn clean(text: &str, most: usize) -> String {
    let is_odd = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
    };
    let plain: String =
        text.chars().map(|c| if c == '\n' || c == '\t' { ' ' } else { c }).filter(|c| !is_odd(*c)).collect();
    plain.trim().chars().take(most).collect::<String>().trim_end().to_owned()
}

/// A key in short words that can be read aloud in any language: five letters for 16 bits, consonants and vowels in turn.
pub fn spoken(bytes: &[u8]) -> String {
    const CONSONANTS: &[u8; 16] = b"bdfghjklmnprstvz";
    const VOWELS: &[u8; 4] = b"aiou";
    let words = bytes.chunks_exact(2).map(|pair| {
        let n = u16::from_be_bytes([pair[0], pair[1]]);
        let consonant = |shift: u16| char::from(CONSONANTS[usize::from(n >> shift & 15)]);
        let vowel = |shift: u16| char::from(VOWELS[usize::from(n >> shift & 3)]);
        [consonant(12), vowel(10), consonant(6), vowel(4), consonant(0)].into_iter().collect::<String>()
    });
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
pub(crate) fn scratch(name: &str) -> std::path::PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let n = COUNT.fetch_add(1, Ordering::Relaxed);
    let dir = std::env::temp_dir().join(format!("outis-{name}-{}-{n}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_others_are_made_harmless() {
        assert_eq!(clean(" <b>x</b>\n\u{202e}y\u{1b}[31m ", 99), "<b>x</b> y[31m");
        assert_eq!(clean("ááááá", 3), "ááá");
        assert_eq!(clean("\u{0}\u{200f}", 3), "");
    }

    #[test]
    fn keys_can_be_read_aloud() {
        assert_eq!(spoken(&[127, 0, 0, 1]), "lusab-babad");
    }
}
