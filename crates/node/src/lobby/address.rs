//! The address of a lobby: one text to put into the settings. It holds the key, so nobody can impersonate the lobby.

use data_encoding::BASE64URL_NOPAD;
use outis_table::codec::{DecodeError, Malformed, Reader};
use outis_table::statement::name_of;

use crate::invite::Address;
use crate::names::Key;

/// The prefix of every such text; its number is the version of what follows.
pub const PREFIX: &str = "outislobby1.";
/// Longest text that is read.
const MAX_TEXT: usize = 4_096;
/// How many processes one lobby may have.
const MAX_DOORS: u8 = 8;

/// A lobby: one or more processes over one store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LobbyAddress {
    /// The key and the address of each process.
    pub doors: Vec<(Key, Address)>,
}

impl LobbyAddress {
    /// The text to hand out.
    pub fn to_text(&self) -> String {
        let mut bytes = vec![self.doors.len().min(MAX_DOORS.into()) as u8];
        for (key, address) in self.doors.iter().take(MAX_DOORS.into()) {
            bytes.extend_from_slice(&key.0);
            address.encode_known(&mut bytes);
        }
        let check = name_of("lobby", &bytes);
        bytes.extend_from_slice(&check[..4]);
        format!("{PREFIX}{}", BASE64URL_NOPAD.encode(&bytes))
    }

    /// Reads a text, with any white space that a mail program put into it; or the whole line that `outis lobby` prints.
    pub fn from_text(text: &str) -> Option<Self> {
        if text.len() > MAX_TEXT {
            return None;
        }
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let text = text.strip_prefix("lobby:").unwrap_or(&text);
        let bytes = BASE64URL_NOPAD.decode(text.strip_prefix(PREFIX)?.as_bytes()).ok()?;
        let (bytes, check) = bytes.split_last_chunk::<4>()?;
        if name_of("lobby", bytes)[..4] != *check {
            return None;
        }
        Self::read(bytes).ok()
    }

    fn read(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let count = reader.u8("lobby.count")?;
        if count == 0 || count > MAX_DOORS {
            let fault = Malformed::Count { got: count.into(), min: 1, max: MAX_DOORS.into() };
            return Err(reader.error("lobby.count", fault));
        }
        let mut doors = Vec::new();
        for _ in 0..count {
            doors.push((Key(reader.array("lobby.key")?), Address::read_known(&mut reader)?));
        }
        reader.finish()?;
        Ok(Self { doors })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invite::Relay;

    #[test]
    fn addresses_survive_mail_and_nothing_else_passes_for_one() {
        let door = |n: u8| {
            let direct = vec!["192.0.2.7:4433".parse().unwrap()];
            (Key([n; 32]), Address { direct, relay: (n > 1).then(|| Relay::plain("https://relay.example")) })
        };
        let lobby = LobbyAddress { doors: vec![door(1), door(2), door(3)] };
        let text = lobby.to_text();
        let (a, b) = text.split_at(60);
        assert_eq!(LobbyAddress::from_text(&format!(" {a}\n {b} ")), Some(lobby.clone()));
        assert_eq!(
            LobbyAddress::from_text(&format!("lobby: {text}\n")),
            Some(lobby.clone()),
            "the line as it was printed"
        );
        for i in PREFIX.len()..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[i] = if bytes[i] == b'A' { b'B' } else { b'A' };
            assert_ne!(
                LobbyAddress::from_text(&String::from_utf8(bytes).unwrap()),
                Some(lobby.clone()),
                "character {i}"
            );
            assert_eq!(LobbyAddress::from_text(&text[..i]), None);
        }
        assert_eq!(LobbyAddress::from_text(&LobbyAddress { doors: vec![] }.to_text()), None);
    }
}
