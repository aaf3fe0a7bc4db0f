//! The address of a lobby: one text to put into the settings. It holds the key, so nobody can impersonate the lobby.

use data_encoding::BASE64URL_NOPAD;
use outis_table::codec::{DecodeError, Malformed, Reader};
use outis_table::statement::name_of;

use crate::invite::{Address, Relay};
use crate::names::Key;

/// The prefix of such a text; its number is the version of what follows. The second is written only where the first has no room for what is
/// known about a relay, so that earlier programs read all others.
pub const PREFIX: &str = "outislobby1.";
/// The prefix of a text with more about relays.
pub const PREFIX_2: &str = "outislobby2.";
/// Longest text that is read.
const MAX_TEXT: usize = 8 << 10;
/// How many processes one lobby may have.
const MAX_DOORS: u8 = 8;

/// A lobby: one or more processes over one store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LobbyAddress {
    /// The key and the address of each process.
    pub doors: Vec<(Key, Address)>,
}

impl LobbyAddress {
    fn has_more(&self) -> bool {
        self.relays().any(Relay::has_more)
    }

    /// The relays beside its processes: they serve everyone who uses this lobby.
    pub fn relays(&self) -> impl Iterator<Item = &Relay> {
        self.doors.iter().filter_map(|(_, address)| address.relay.as_ref())
    }

    /// The text to hand out.
    pub fn to_text(&self) -> String {
        let is_second = self.has_more();
        let mut bytes = vec![self.doors.len().min(MAX_DOORS.into()) as u8];
        for (key, address) in self.doors.iter().take(MAX_DOORS.into()) {
            bytes.extend_from_slice(&key.0);
            if is_second { address.encode_whole(&mut bytes) } else { address.encode_known(&mut bytes) }
        }
        let check = name_of("lobby", &bytes);
        bytes.extend_from_slice(&check[..4]);
        format!("{}{}", if is_second { PREFIX_2 } else { PREFIX }, BASE64URL_NOPAD.encode(&bytes))
    }

    /// Reads a text, with any white space that a mail program put into it; or the whole line that `outis lobby` prints.
    pub fn from_text(text: &str) -> Option<Self> {
        if text.len() > MAX_TEXT {
            return None;
        }
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let text = text.strip_prefix("lobby:").unwrap_or(&text);
        let (body, is_second) = match text.strip_prefix(PREFIX) {
            Some(body) => (body, false),
            None => (text.strip_prefix(PREFIX_2)?, true),
        };
        let bytes = BASE64URL_NOPAD.decode(body.as_bytes()).ok()?;
        let (bytes, check) = bytes.split_last_chunk::<4>()?;
        if name_of("lobby", bytes)[..4] != *check {
            return None;
        }
        // A lobby has one text only: the second version is for what the first cannot say.
        Self::read(bytes, is_second).ok().filter(|lobby| lobby.has_more() == is_second)
    }

    fn read(bytes: &[u8], is_second: bool) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let count = reader.u8("lobby.count")?;
        if count == 0 || count > MAX_DOORS {
            let fault = Malformed::Count { got: count.into(), min: 1, max: MAX_DOORS.into() };
            return Err(reader.error("lobby.count", fault));
        }
        let mut doors = Vec::new();
        for _ in 0..count {
            let key = Key(reader.array("lobby.key")?);
            let read = if is_second { Address::read_whole } else { Address::read_known };
            doors.push((key, read(&mut reader)?));
        }
        reader.finish()?;
        Ok(Self { doors })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_survive_mail_and_nothing_else_passes_for_one() {
        let door = |n: u8| {
            let direct = vec!["192.0.2.7:4433".parse().unwrap()];
            (Key([n; 32]), Address { direct, relay: (n > 1).then(|| Relay::plain("https://relay.example")) })
        };
        let mut with_more = door(3);
        with_more.1.relay.iter_mut().for_each(|relay| (relay.discovery, relay.pin) = (7842, Some([5; 32])));
        for last in [door(3), with_more] {
            survives(&LobbyAddress { doors: vec![door(1), door(2), last] });
        }
        assert_eq!(LobbyAddress::from_text(&LobbyAddress { doors: vec![] }.to_text()), None);
    }

    fn survives(lobby: &LobbyAddress) {
        let text = lobby.to_text();
        assert!(text.starts_with(if lobby.has_more() { PREFIX_2 } else { PREFIX }));
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
    }

    /// Each version says only what needs it, and nothing has two texts.
    #[test]
    fn a_version_is_as_low_as_it_can_be() {
        let lobby = |relay| {
            let direct = vec!["192.0.2.7:4433".parse().unwrap()];
            LobbyAddress { doors: vec![(Key([1; 32]), Address { direct, relay })] }
        };
        let text = |prefix: &str, mut bytes: Vec<u8>| {
            let check = name_of("lobby", &bytes);
            bytes.extend_from_slice(&check[..4]);
            format!("{prefix}{}", BASE64URL_NOPAD.encode(&bytes))
        };
        let bytes = |lobby: &LobbyAddress, is_second: bool| {
            let mut bytes = vec![1];
            bytes.extend_from_slice(&lobby.doors[0].0.0);
            let address = &lobby.doors[0].1;
            if is_second {
                address.encode_whole(&mut bytes)
            } else {
                address.encode_known(&mut bytes)
            }
            bytes
        };
        let plain = lobby(Some(Relay::plain("https://relay.example")));
        let full = lobby(Some(Relay { discovery: 9, ..Relay::plain("https://relay.example") }));
        assert_eq!(LobbyAddress::from_text(&text(PREFIX, bytes(&plain, false))), Some(plain.clone()));
        assert_eq!(LobbyAddress::from_text(&text(PREFIX_2, bytes(&full, true))), Some(full.clone()));
        assert_eq!(full.relays().map(|relay| relay.discovery).collect::<Vec<_>>(), [9]);
        for wrong in
            [text(PREFIX_2, bytes(&plain, true)), text(PREFIX_2, bytes(&full, false)), text(PREFIX, bytes(&full, true))]
        {
            assert_eq!(LobbyAddress::from_text(&wrong), None, "{wrong}");
        }
        // A port without a relay leads nowhere.
        let odd = [&bytes(&lobby(None), false)[..], &[9, 0, 0]].concat();
        assert_eq!(LobbyAddress::from_text(&text(PREFIX_2, odd)), None);
    }
}
