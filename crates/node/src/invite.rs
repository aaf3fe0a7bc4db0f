//! Invites: one text that lets one person take one seat, once. The normative page is `spec/95-invite.md`.

use std::net::{IpAddr, SocketAddr};

use data_encoding::BASE64URL_NOPAD;
use outis_table::TableId;
use outis_table::codec::{DecodeError, Reader};
use sha2::{Digest, Sha512};

use crate::names::{Key, spoken};

/// What every invite begins with; the number is the version of what follows.
pub const PREFIX: &str = "outis1.";
/// Longest invite that is looked at.
const MAX_TEXT: usize = 1_024;
/// Most addresses of one node.
pub const MAX_ADDRESSES: usize = 16;

/// Where a node may be found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// On the internet or a local network.
    pub direct: Vec<SocketAddr>,
    /// The relay where it listens, if any.
    pub relay: Option<String>,
}

/// An invite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invite {
    /// When it ends, in seconds since 1970.
    pub until: u32,
    /// The host.
    pub host: Key,
    /// Shows that the guest was invited.
    pub secret: [u8; 16],
    /// Digest of a number that the host tells after it knows the guest's.
    pub promise: [u8; 32],
    /// Where the host may be found.
    pub address: Address,
}

/// Why a text is no invite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoInvite {
    /// It is something else, or damaged.
    Unreadable,
    /// It was made by another version.
    OtherVersion,
}

impl Invite {
    /// The text to send to a friend.
    pub fn to_text(&self) -> String {
        let mut bytes = self.until.to_le_bytes().to_vec();
        bytes.extend_from_slice(&self.host.0);
        bytes.extend_from_slice(&self.secret);
        bytes.extend_from_slice(&self.promise);
        self.address.encode(&mut bytes);
        let check = digest("invite", [&bytes[..]]);
        bytes.extend_from_slice(&check[..4]);
        format!("{PREFIX}{}", BASE64URL_NOPAD.encode(&bytes))
    }

    /// Reads a text, with whatever white space a mail program put into it.
    pub fn from_text(text: &str) -> Result<Self, NoInvite> {
        if text.len() > MAX_TEXT {
            return Err(NoInvite::Unreadable);
        }
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let Some(body) = text.strip_prefix(PREFIX) else {
            let other = text.strip_prefix("outis").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            return Err(if other { NoInvite::OtherVersion } else { NoInvite::Unreadable });
        };
        let bytes = BASE64URL_NOPAD.decode(body.as_bytes()).map_err(|_| NoInvite::Unreadable)?;
        let (bytes, check) = bytes.split_last_chunk::<4>().ok_or(NoInvite::Unreadable)?;
        if digest("invite", [bytes])[..4] != *check {
            return Err(NoInvite::Unreadable);
        }
        Self::read(bytes).map_err(|_| NoInvite::Unreadable)
    }

    fn read(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let invite = Self {
            until: reader.u32("invite.until")?,
            host: Key(reader.array("invite.host")?),
            secret: reader.array("invite.secret")?,
            promise: reader.array("invite.promise")?,
            address: Address::read(&mut reader)?,
        };
        reader.finish()?;
        Ok(invite)
    }
}

impl Address {
    /// As bytes: relay, then addresses.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode(&mut out);
        out
    }

    /// From bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let address = Self::read(&mut reader).ok()?;
        reader.finish().ok()?;
        Some(address)
    }

    /// Appends it.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let relay = self.relay.as_deref().unwrap_or_default();
        out.push(relay.len() as u8);
        out.extend_from_slice(&relay.as_bytes()[..usize::from(relay.len() as u8)]);
        let direct = &self.direct[..self.direct.len().min(MAX_ADDRESSES)];
        out.push(direct.len() as u8);
        for address in direct {
            match address.ip() {
                IpAddr::V4(ip) => {
                    out.push(4);
                    out.extend_from_slice(&ip.octets());
                }
                IpAddr::V6(ip) => {
                    out.push(6);
                    out.extend_from_slice(&ip.octets());
                }
            }
            out.extend_from_slice(&address.port().to_le_bytes());
        }
    }

    /// Reads what [`Address::encode`] wrote.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        use outis_table::codec::Malformed;
        let length = reader.u8("address.relay")?;
        let relay = reader.bytes("address.relay", length.into())?;
        let relay = String::from_utf8(relay.to_vec());
        let relay = relay.map_err(|_| reader.error("address.relay", Malformed::Tag(0)))?;
        let count = reader.u8("address.count")?;
        if usize::from(count) > MAX_ADDRESSES {
            let fault = Malformed::Count { got: count.into(), min: 0, max: MAX_ADDRESSES as u64 };
            return Err(reader.error("address.count", fault));
        }
        let mut direct = Vec::new();
        for _ in 0..count {
            let ip: IpAddr = match reader.u8("address.kind")? {
                4 => reader.array::<4>("address.ip")?.into(),
                6 => reader.array::<16>("address.ip")?.into(),
                tag => return Err(reader.error("address.kind", Malformed::Tag(tag))),
            };
            direct.push(SocketAddr::new(ip, reader.u16("address.port")?));
        }
        Ok(Self { direct, relay: Some(relay).filter(|relay| !relay.is_empty()) })
    }
}

/// What the host promises in the invite and tells after it has the guest's number.
pub fn promise(number: &[u8; 32]) -> [u8; 32] {
    digest("promise", [&number[..]])
}

/// The words that both sides see. Neither side could choose its number after it knew the other's, so somebody in the middle
/// cannot make two different pairs of keys give the same words but by luck: once in 2^48.
pub fn compare(host: &Key, guest: &Key, host_number: &[u8; 32], guest_number: &[u8; 32]) -> String {
    spoken(&digest("compare", [&host.0[..], &guest.0, host_number, guest_number])[..6])
}

/// Secret and number of the invite that somebody who sat at a table has for another game with the same people. Both know
/// them; what binds the seat is the key of the link, and the words are those that were compared before.
pub fn again(table: &TableId, guest: &Key) -> ([u8; 16], [u8; 32]) {
    let secret = digest("again", [&table.0[..], &guest.0]);
    let mut short = [0u8; 16];
    short.copy_from_slice(&secret[..16]);
    (short, digest("again number", [&table.0[..], &guest.0]))
}

fn digest<'a>(label: &'a str, parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut state = Sha512::new();
    for part in [&b"outis/1 invite"[..], label.as_bytes()].into_iter().chain(parts) {
        state.update((part.len() as u64).to_le_bytes());
        state.update(part);
    }
    let mut short = [0u8; 32];
    short.copy_from_slice(&state.finalize()[..32]);
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invite() -> Invite {
        let direct = vec!["192.0.2.7:4433".parse().unwrap(), "[2001:db8::1]:9".parse().unwrap()];
        Invite {
            until: 1_900_000_000,
            host: Key([7; 32]),
            secret: [8; 16],
            promise: [9; 32],
            address: Address { direct, relay: Some("https://relay.example".into()) },
        }
    }

    #[test]
    fn invites_survive_mail_and_nothing_else_passes_for_one() {
        let text = invite().to_text();
        assert_eq!(Invite::from_text(&text), Ok(invite()));
        let (a, b) = text.split_at(50);
        assert_eq!(Invite::from_text(&format!(" {a}\r\n  {b}\n")), Ok(invite()));
        for i in PREFIX.len()..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[i] = if bytes[i] == b'A' { b'B' } else { b'A' };
            let damaged = String::from_utf8(bytes).unwrap();
            assert_ne!(Invite::from_text(&damaged), Ok(invite()), "character {i}");
        }
        for cut in 0..text.len() {
            assert!(Invite::from_text(&text[..cut]).is_err());
        }
        assert_eq!(Invite::from_text("outis2.abc"), Err(NoInvite::OtherVersion));
        assert_eq!(Invite::from_text("hello"), Err(NoInvite::Unreadable));
    }

    #[test]
    fn words_depend_on_everything() {
        let base = compare(&Key([1; 32]), &Key([2; 32]), &[3; 32], &[4; 32]);
        assert_eq!(base.len(), 17);
        assert_ne!(compare(&Key([2; 32]), &Key([1; 32]), &[3; 32], &[4; 32]), base);
        assert_ne!(compare(&Key([1; 32]), &Key([2; 32]), &[5; 32], &[4; 32]), base);
        assert_ne!(compare(&Key([1; 32]), &Key([2; 32]), &[3; 32], &[5; 32]), base);
    }
}
