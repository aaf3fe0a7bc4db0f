//! Invites: one text that lets one person take one seat, once. The normative page is `spec/95-invite.md`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use data_encoding::BASE64URL_NOPAD;
use outis_table::TableId;
use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_table::identity::framed;

use crate::names::{Key, spoken};

/// The prefix of an invite; its number is the version of what follows. The second is written only where the first has no room for what the
/// invite must say, so that earlier programs read all others.
pub const PREFIX: &str = "outis1.";
/// The prefix of an invite with more about the relay.
pub const PREFIX_2: &str = "outis2.";
/// Longest invite that is read.
const MAX_TEXT: usize = 1_024;
/// Longest message with an invite at its end.
const MAX_MESSAGE: usize = 8 << 10;
/// Longest URL of a relay.
const MAX_URL: usize = 255;
/// How many addresses one node may have.
pub const MAX_ADDRESSES: usize = 16;

/// Where a node may be found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// On the internet or a local network.
    pub direct: Vec<SocketAddr>,
    /// The relay where it listens, if any.
    pub relay: Option<Relay>,
}

/// A relay, with what players must know about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relay {
    /// Its URL.
    pub url: String,
    /// The UDP port where a node learns the address at which others see it; 0: there is none.
    pub discovery: u16,
    /// SHA-256 digest of its self-signed certificate, if it has one.
    pub pin: Option<[u8; 32]>,
}

impl Relay {
    /// A relay of which only the URL is known.
    pub fn plain(url: impl Into<String>) -> Self {
        Self { url: url.into(), discovery: 0, pin: None }
    }

    /// As one text, for settings and the command line: the URL, then `#udp=PORT&pin=DIGEST` as far as these are known.
    pub fn to_text(&self) -> String {
        let udp = (self.discovery != 0).then(|| format!("udp={}", self.discovery));
        let pin = self.pin.map(|pin| format!("pin={}", BASE64URL_NOPAD.encode(&pin)));
        let more: Vec<String> = udp.into_iter().chain(pin).collect();
        if more.is_empty() { self.url.clone() } else { format!("{}#{}", self.url, more.join("&")) }
    }

    /// Reads such a text.
    pub fn from_text(text: &str) -> Option<Self> {
        let (url, more) = text.trim().split_once('#').unwrap_or((text.trim(), ""));
        let mut relay = Self::plain(url);
        for part in more.split('&').filter(|part| !part.is_empty()) {
            match part.split_once('=')? {
                ("udp", port) => relay.discovery = port.parse().ok()?,
                ("pin", pin) => relay.pin = Some(BASE64URL_NOPAD.decode(pin.as_bytes()).ok()?.try_into().ok()?),
                _ => return None,
            }
        }
        (relay.is_web() && url.len() <= MAX_URL).then_some(relay)
    }

    /// Whether more is known about it than its URL.
    pub fn has_more(&self) -> bool {
        self.discovery != 0 || self.pin.is_some()
    }

    /// Whether both have the same URL.
    pub fn is_at(&self, other: &Self) -> bool {
        self.url.trim_end_matches('/') == other.url.trim_end_matches('/')
    }

    /// Whether its URL is plain: a host, perhaps a port and a path; no password and no query.
    fn is_web(&self) -> bool {
        let rest = self.url.strip_prefix("https://").or_else(|| self.url.strip_prefix("http://"));
        let is_odd = |c: char| !c.is_ascii_graphic() || matches!(c, '@' | '?' | '#' | '\\');
        rest.is_some_and(|rest| !rest.contains(is_odd) && is_place(rest.split('/').next().unwrap_or("")))
    }
}

/// Whether a text is a host and perhaps a port.
fn is_place(text: &str) -> bool {
    let (host, port) = match text.rfind(':').filter(|_| !text.ends_with(']')) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let is_port = |port: &str| port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    // A host that ends in a number is an address.
    let last = host.trim_end_matches('.').rsplit('.').next().unwrap_or("");
    let is_host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(ip) => ip.parse::<Ipv6Addr>().is_ok(),
        None if last.starts_with(|c: char| c.is_ascii_digit()) && !last.contains(|c: char| c.is_ascii_alphabetic()) => {
            host.parse::<Ipv4Addr>().is_ok()
        }
        None => !last.is_empty() && host.chars().all(is_name),
    };
    is_host && port.is_none_or(is_port)
}

/// An invite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invite {
    /// When it expires, in seconds since 1970.
    pub until: u32,
    /// The host.
    pub host: Key,
    /// Shows that the guest was invited.
    pub secret: [u8; 16],
    /// Digest of a number that the host sends once it knows the guest's.
    pub promise: [u8; 32],
    /// Where the host may be found.
    pub address: Address,
}

/// Why a text is not an invite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoInvite {
    /// It is something else, or damaged.
    Unreadable,
    /// It was made by a different version.
    OtherVersion,
}

impl Invite {
    /// The text to send to a friend.
    pub fn to_text(&self) -> String {
        let mut bytes = self.to_bytes();
        let check = digest("invite", [&bytes[..]]);
        bytes.extend_from_slice(&check[..4]);
        format!("{}{}", self.prefix(), BASE64URL_NOPAD.encode(&bytes))
    }

    fn prefix(&self) -> &'static str {
        if self.address.more().is_empty() { PREFIX } else { PREFIX_2 }
    }

    /// Reads a text, with any white space that a mail program put into it, and with any text before it: a friend may paste the whole
    /// message. Nothing may follow the invite.
    pub fn from_text(text: &str) -> Result<Self, NoInvite> {
        if text.len() > MAX_MESSAGE {
            return Err(NoInvite::Unreadable);
        }
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let found = [PREFIX, PREFIX_2].into_iter().filter_map(|prefix| Some((prefix, text.rsplit_once(prefix)?.1)));
        // An older one may be quoted above it.
        let Some((prefix, body)) = found.min_by_key(|(_, body)| body.len()) else {
            let other = text.split("outis").skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            return Err(if other { NoInvite::OtherVersion } else { NoInvite::Unreadable });
        };
        if body.len() > MAX_TEXT {
            return Err(NoInvite::Unreadable);
        }
        let bytes = BASE64URL_NOPAD.decode(body.as_bytes()).map_err(|_| NoInvite::Unreadable)?;
        let (bytes, check) = bytes.split_last_chunk::<4>().ok_or(NoInvite::Unreadable)?;
        if digest("invite", [bytes])[..4] != *check {
            return Err(NoInvite::Unreadable);
        }
        let invite: Self = Decode::from_bytes(bytes, &()).map_err(|_| NoInvite::Unreadable)?;
        if invite.prefix() == prefix { Ok(invite) } else { Err(NoInvite::Unreadable) }
    }
}

/// The bytes between prefix and check.
impl Decode for Invite {
    type Shape = ();

    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(Self {
            until: reader.u32("invite.until")?,
            host: Key(reader.array("invite.host")?),
            secret: reader.array("invite.secret")?,
            promise: reader.array("invite.promise")?,
            address: Decode::read(reader, &())?,
        })
    }
}

impl Encode for Invite {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.until.to_le_bytes());
        out.extend_from_slice(&self.host.0);
        out.extend_from_slice(&self.secret);
        out.extend_from_slice(&self.promise);
        self.address.encode(out);
    }
}

impl Address {
    /// The address as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        Encode::to_bytes(self)
    }

    /// Reads an address that takes up all of these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Decode::from_bytes(bytes, &()).ok()
    }

    /// The bytes that every version reads, and those that only this one does: messages have a field for each.
    pub fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
        let mut reader = Reader::new(bytes);
        let known = Self::read_known(&mut reader).map_or(bytes.len(), |_| bytes.len() - reader.left());
        bytes.split_at(known)
    }

    /// The part of it that may be called: another person wrote it, and may have written anything.
    pub fn usable(self) -> Self {
        let is_one_node = |at: &SocketAddr| {
            let ip = at.ip().to_canonical();
            let is_broadcast = matches!(ip, IpAddr::V4(ip) if ip.is_broadcast());
            at.port() != 0 && !ip.is_unspecified() && !ip.is_multicast() && !is_broadcast
        };
        let direct = self.direct.into_iter().filter(is_one_node).collect();
        Self { direct, relay: self.relay.filter(Relay::is_web) }
    }

    fn relay(&self) -> Option<&Relay> {
        self.relay.as_ref().filter(|relay| relay.url.len() <= MAX_URL)
    }

    /// What earlier versions do not know; empty if there is nothing.
    fn more(&self) -> Vec<u8> {
        let Some(relay) = self.relay().filter(|relay| relay.has_more()) else { return Vec::new() };
        let mut out = relay.discovery.to_le_bytes().to_vec();
        out.push(relay.pin.is_some().into());
        out.extend(relay.pin.iter().flatten());
        out
    }

    fn read_more(&mut self, reader: &mut Reader<'_>) -> Result<(), DecodeError> {
        let (discovery, pin) = Self::read_details(reader)?;
        let Some(relay) = &mut self.relay else { return Err(reader.error("relay.pin", Malformed::Tag(0))) };
        (relay.discovery, relay.pin) = (discovery, pin);
        // No details have one encoding only: none at all.
        if relay.has_more() { Ok(()) } else { Err(reader.error("relay.discovery", Malformed::Tag(0))) }
    }

    /// Appends what every version reads. A relay whose URL is too long is left out.
    pub fn encode_known(&self, out: &mut Vec<u8>) {
        let relay = self.relay().map_or("", |relay| &relay.url);
        out.push(relay.len() as u8);
        out.extend_from_slice(relay.as_bytes());
        out.push(self.direct.len().min(MAX_ADDRESSES) as u8);
        for address in self.direct.iter().take(MAX_ADDRESSES) {
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

    /// Appends everything, in a form that more may follow.
    pub fn encode_whole(&self, out: &mut Vec<u8>) {
        self.encode_known(out);
        let more = self.more();
        out.extend_from_slice(if more.is_empty() { &[0, 0, 0] } else { &more });
    }

    /// Reads what [`Address::encode_whole`] wrote.
    pub fn read_whole(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut address = Self::read_known(reader)?;
        let (discovery, pin) = Self::read_details(reader)?;
        match &mut address.relay {
            Some(relay) => (relay.discovery, relay.pin) = (discovery, pin),
            None if discovery == 0 && pin.is_none() => {}
            None => return Err(reader.error("relay.pin", Malformed::Tag(0))),
        }
        Ok(address)
    }

    fn read_details(reader: &mut Reader<'_>) -> Result<(u16, Option<[u8; 32]>), DecodeError> {
        let discovery = reader.u16("relay.discovery")?;
        match reader.u8("relay.pin")? {
            0 => Ok((discovery, None)),
            1 => Ok((discovery, Some(reader.array("relay.pin")?))),
            tag => Err(reader.error("relay.pin", Malformed::Tag(tag))),
        }
    }

    /// Reads what [`Address::encode_known`] wrote.
    pub fn read_known(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
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
        Ok(Self { direct, relay: Some(relay).filter(|relay| !relay.is_empty()).map(Relay::plain) })
    }
}

/// The relay, the addresses, and to the end what else is known about the relay.
impl Decode for Address {
    type Shape = ();

    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let mut address = Self::read_known(reader)?;
        if reader.left() > 0 {
            address.read_more(reader)?;
        }
        Ok(address)
    }
}

impl Encode for Address {
    fn encode(&self, out: &mut Vec<u8>) {
        self.encode_known(out);
        out.extend_from_slice(&self.more());
    }
}

/// What the host promises in the invite. It sends the number itself once it has the guest's.
pub fn promise(number: &[u8; 32]) -> [u8; 32] {
    digest("promise", [&number[..]])
}

/// The safety words that both sides see. Neither side could choose its number after it knew the other's, so someone who intercepts
/// the connection cannot make two different pairs of keys give the same words except by luck: once in 2^48.
pub fn compare(host: &Key, guest: &Key, host_number: &[u8; 32], guest_number: &[u8; 32]) -> String {
    spoken(&digest("compare", [&host.0[..], &guest.0, host_number, guest_number])[..6])
}

/// The words that all seats of a table see. The id is a digest of the offer, which holds every seat's keys and nonces; whoever wants two
/// tables with the same words makes about 2^48 offers while the players wait.
pub fn table_words(table: &TableId) -> String {
    spoken(&table.0[..16])
}

/// The secret and the number of the invite that a player who sat at a table has for another game with the same players. Both sides can
/// compute them; what binds the seat is the key of the link, and the safety words are those from before.
pub fn again(table: &TableId, guest: &Key) -> ([u8; 16], [u8; 32]) {
    let secret = digest("again", [&table.0[..], &guest.0]);
    let mut short = [0u8; 16];
    short.copy_from_slice(&secret[..16]);
    (short, digest("again number", [&table.0[..], &guest.0]))
}

fn digest<'a>(label: &'a str, parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    framed([&b"outis/1 invite"[..], label.as_bytes()].into_iter().chain(parts))
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
            address: Address { direct, relay: Some(Relay::plain("https://relay.example")) },
        }
    }

    fn second(discovery: u16, pin: Option<[u8; 32]>) -> Invite {
        let mut invite = invite();
        invite.address.relay = Some(Relay { discovery, pin, ..Relay::plain("https://relay.example") });
        invite
    }

    /// An address may say anything: what leads to no node is dropped, and the rest stays.
    #[test]
    fn what_cannot_be_called_is_dropped() {
        let good = ["192.0.2.7:9", "127.0.0.1:9", "[2001:db8::7]:9"];
        let bad = [
            "192.0.2.7:0",
            "0.0.0.0:9",
            "255.255.255.255:9",
            "224.0.0.1:9",
            "[ff02::1]:9",
            "[::]:9",
            "[::ffff:224.0.0.1]:9",
        ];
        let direct = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<SocketAddr>>();
        let usable = |relay: &str| {
            let direct = [direct(&good), direct(&bad)].concat();
            Address { direct, relay: Some(Relay::plain(relay)) }.usable()
        };
        for relay in [
            "ftp://a.example",
            "https://",
            "https://u:p@a.example",
            "http://:80",
            "http:///x",
            "https://a.example/?x",
            "http://[",
            "http://x:99999",
            "http://a%zz",
            "http://1.2.3.999",
            "http://x:",
        ] {
            assert_eq!(usable(relay), Address { direct: direct(&good), relay: None }, "{relay}");
        }
        for relay in ["https://a.example", "http://192.0.2.1:3340/", "http://[2001:db8::1]:3340"] {
            assert_eq!(usable(relay).relay, Some(Relay::plain(relay)));
        }
    }

    #[test]
    fn invites_survive_mail_and_nothing_else_passes_for_one() {
        for invite in [invite(), second(7842, None), second(0, Some([5; 32])), second(1, Some([6; 32]))] {
            let text = invite.to_text();
            assert_eq!(Invite::from_text(&text).as_ref(), Ok(&invite));
            let (a, b) = text.split_at(50);
            assert_eq!(Invite::from_text(&format!(" {a}\r\n  {b}\n")).as_ref(), Ok(&invite));
            // A friend pastes the whole message into a field that has one line; but text after the invite is not guessed at.
            assert_eq!(
                Invite::from_text(&format!("Anna invites you to outis. Paste this:{text}")).as_ref(),
                Ok(&invite)
            );
            assert!(Invite::from_text(&format!("{text} See you!")).is_err());
            assert!(Invite::from_text(&format!("{}{text}", " ".repeat(MAX_MESSAGE))).is_err());
            for i in PREFIX.len()..text.len() {
                let mut bytes = text.clone().into_bytes();
                bytes[i] = if bytes[i] == b'A' { b'B' } else { b'A' };
                let damaged = String::from_utf8(bytes).unwrap();
                assert_ne!(Invite::from_text(&damaged).as_ref(), Ok(&invite), "character {i}");
            }
            for cut in 0..text.len() {
                assert!(Invite::from_text(&text[..cut]).is_err());
            }
        }
        assert_eq!(Invite::from_text("outis3.abc"), Err(NoInvite::OtherVersion));
        assert_eq!(Invite::from_text("Here it is: outis3.abc"), Err(NoInvite::OtherVersion));
        assert_eq!(Invite::from_text("hello"), Err(NoInvite::Unreadable));
    }

    /// What an earlier program wrote is read, and is still written where it suffices; nothing has two encodings.
    #[test]
    fn a_version_is_as_low_as_it_can_be() {
        let old_text = "outis1.ALM_cQcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHCAgICAgICAgICAgICAgICAkJCQkJCQkJCQk\
            JCQkJCQkJCQkJCQkJCQkJCQkJCQkJFWh0dHBzOi8vcmVsYXkuZXhhbXBsZQIEwAACB1ERBiABDbgAAAAAAAAAAAAAA\
            AEJAD9PabY";
        let new_text = "outis2.ALM_cQcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHCAgICAgICAgICAgICAgICAkJCQkJCQkJCQk\
            JCQkJCQkJCQkJCQkJCQkJCQkJCQkJFWh0dHBzOi8vcmVsYXkuZXhhbXBsZQIEwAACB1ERBiABDbgAAAAAAAAAAAAAA\
            AEJAKIeAQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFStQWGg";
        assert_eq!(invite().to_text(), old_text);
        assert_eq!(second(7842, Some([5; 32])).to_text(), new_text);
        assert!(second(7842, None).to_text().starts_with(PREFIX_2));
        let bytes = |invite: &Invite| {
            let text = invite.to_text();
            BASE64URL_NOPAD.decode(&text.as_bytes()[PREFIX.len()..]).unwrap()
        };
        let text = |prefix: &str, mut bytes: Vec<u8>| {
            let check = digest("invite", [&bytes[..]]);
            bytes.extend_from_slice(&check[..4]);
            format!("{prefix}{}", BASE64URL_NOPAD.encode(&bytes))
        };
        let (old, new) = (bytes(&invite()), bytes(&second(7842, Some([5; 32]))));
        let (old, new) = (&old[..old.len() - 4], &new[..new.len() - 4]);
        assert_eq!(new.strip_prefix(old).unwrap()[..4], [0xa2, 0x1e, 1, 5]);
        assert!(Invite::from_text(&text(PREFIX, old.to_vec())).is_ok());
        assert!(Invite::from_text(&text(PREFIX_2, new.to_vec())).is_ok());
        let mut without = invite();
        without.address.relay = None;
        let without = bytes(&without);
        for wrong in [
            text(PREFIX_2, old.to_vec()),
            text(PREFIX, new.to_vec()),
            text(PREFIX_2, [old, &[0, 0, 0]].concat()),
            text(PREFIX_2, [old, &[1, 0, 2]].concat()),
            text(PREFIX_2, [new, &[0]].concat()),
            text(PREFIX_2, [&without[..without.len() - 4], &[1, 0, 0]].concat()),
        ] {
            assert_eq!(Invite::from_text(&wrong), Err(NoInvite::Unreadable), "{wrong}");
        }
    }

    #[test]
    fn an_address_is_said_in_two_parts_of_which_the_first_is_the_old_one() {
        let (old, new) = (invite().address, second(7842, Some([5; 32])).address);
        let bytes = new.to_bytes();
        let (known, more) = Address::split(&bytes);
        assert_eq!((known, more.len()), (&old.to_bytes()[..], 35));
        assert_eq!(Address::from_bytes(known), Some(old));
        assert_eq!(Address::from_bytes(&bytes), Some(new));
        for cut in known.len() + 1..bytes.len() {
            assert_eq!(Address::from_bytes(&bytes[..cut]), None);
        }
        assert_eq!(Address::split(b"elsewhere"), (&b"elsewhere"[..], &b""[..]), "what nobody can read stays whole");
    }

    #[test]
    fn a_relay_is_one_text() {
        let pin = Some([7; 32]);
        for relay in [Relay::plain("http://192.0.2.1:3340"), Relay { discovery: 9, pin, ..Relay::plain("https://r/") }]
        {
            assert_eq!(Relay::from_text(&format!(" {} ", relay.to_text())), Some(relay));
        }
        let long = format!("https://{}", "x".repeat(300));
        for wrong in [
            "",
            "ftp://x",
            "relay.example",
            "http://x#udp=70000",
            "http://x#pin=AA",
            "http://x#udp",
            "http://x#a=1",
            &long,
        ] {
            assert_eq!(Relay::from_text(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_table_has_eight_words() {
        let (one, other) = (table_words(&TableId([7; 32])), table_words(&TableId([8; 32])));
        assert!(one != other && one.split('-').count() == 8, "{one}");
        let mut near = [7; 32];
        near[15] = 8;
        assert_ne!(table_words(&TableId(near)), one);
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
