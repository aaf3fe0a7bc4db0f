//! Keys, and how bytes and other people's words are written.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Longest name of a person, in characters.
pub const MAX_NAME: usize = 40;

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

/// The bytes that hexadecimal digits stand for.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    data_encoding::HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()
}

/// Another person's words, made harmless: no control or direction characters, at most `most` characters.
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
    let letter =
        |of: &[u8], n: u16| of.get(usize::from(n) % of.len()).copied().map(char::from).expect("there are letters");
    let words = bytes.as_chunks::<2>().0.iter().map(|pair| {
        let n = u16::from_be_bytes(*pair);
        let consonant = |shift: u16| letter(CONSONANTS, n >> shift);
        let vowel = |shift: u16| letter(VOWELS, n >> shift);
        [consonant(12), vowel(10), consonant(6), vowel(4), consonant(0)].into_iter().collect::<String>()
    });
    words.collect::<Vec<_>>().join("-")
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
