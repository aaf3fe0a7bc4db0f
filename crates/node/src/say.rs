//! The messages between nodes, beside the frames of their tables: one variant for each row of `spec/95-invite.md`. JSON becomes types here
//! and nowhere else. A message with a bad field is ignored; it does not close the link.

use outis_table::TableId;
use serde_json::{Value, json};

use crate::invite::Address;
use crate::names::{Key, MAX_NAME, clean, hex, unhex};

/// Longest chat line, in characters.
pub const MAX_CHAT: usize = 500;
/// Largest address, in bytes.
const MAX_ADDRESS: usize = 512;
/// Largest part of an address that only later versions read, in bytes.
const MAX_MORE: usize = 64;
/// Largest offer, in bytes.
const MAX_OFFER: usize = 4_096;
/// How many seats a table may have.
const MAX_SEATS: usize = 16;

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Say {
    /// The greeting, with the version. It comes first.
    Hi {
        /// The protocol.
        protocol: String,
        /// The version of the program.
        program: String,
    },
    /// A guest presents an invite.
    Knock(Knock),
    /// The host admits a guest. `None` if the details cannot be read.
    Welcome(Option<Shown>, Option<Box<Welcome>>),
    /// The host refuses a guest.
    Refuse(Option<Shown>, NotLetIn),
    /// Which seats are taken, and by whom.
    Gathering(String, Vec<SeatTold>),
    /// The host closes a room, or dismisses a guest.
    Gone(String),
    /// A guest leaves before the game begins.
    Unseat(Shown),
    /// The table begins.
    Offer(Box<Offered>),
    /// The host knows the guest, and has no answer yet.
    Soon,
    /// The host wants another game with the players of this table.
    Again(TableId),
    /// A line of chat for the others at a table.
    Chat(TableId, String),
    /// The person has left a table for good.
    Left(TableId),
    /// Something else: a message of a different version, or one that is not well formed.
    Unheard,
}

/// The secret of an invite as it was presented: the answer repeats it unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown(String);

impl Shown {
    /// Writes a secret.
    pub fn of(secret: &[u8; 16]) -> Self {
        Self(hex(secret))
    }

    /// The secret, if it is one.
    pub fn secret(&self) -> Option<[u8; 16]> {
        unhex(&self.0)?.try_into().ok()
    }
}

/// An invite that a guest presents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knock {
    /// Its secret.
    pub secret: Option<Shown>,
    /// The guest's nonce.
    pub nonce: Option<[u8; 32]>,
    /// The guest's name.
    pub name: String,
    /// Where the guest may be found.
    pub address: Option<Vec<u8>>,
    /// The table after which another game is wanted.
    pub again: Option<TableId>,
}

/// What a host sends to a guest that it admits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Welcome {
    /// The host's name for the table.
    pub room: String,
    /// The number that the invite promised.
    pub number: [u8; 32],
    /// The game.
    pub game: String,
    /// The host's options.
    pub dials: Vec<i64>,
    /// The grade; `None` means the default.
    pub grade: Option<String>,
    /// The guest's seat.
    pub seat: u8,
    /// Who sits where.
    pub seats: Vec<SeatTold>,
    /// The host's name.
    pub name: String,
}

/// Why a guest is not admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotLetIn {
    /// Another key has used the invite.
    Used,
    /// It has expired.
    Expired,
    /// No seat is free.
    Full,
    /// That key already has a seat there.
    Seated,
    /// The host does not know the invite.
    Unknown,
}

impl NotLetIn {
    const ALL: [Self; 5] = [Self::Used, Self::Expired, Self::Full, Self::Seated, Self::Unknown];

    /// The word for it in a message.
    pub fn name(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::Expired => "expired",
            Self::Full => "full",
            Self::Seated => "seated",
            Self::Unknown => "unknown",
        }
    }
}

/// What the host says about a seat at a waiting table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatTold {
    /// Who has it.
    pub kind: Told,
    /// The player's name.
    pub name: String,
}

/// Who has a seat, as the host says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Nobody.
    Open,
    /// A bot.
    Bot,
    /// A person.
    Peer,
}

impl Told {
    /// The word for it in a message.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Bot => "bot",
            Self::Peer => "peer",
        }
    }
}

/// An offered table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// The host's name for it.
    pub room: String,
    /// The offer, encoded.
    pub offer: Vec<u8>,
    /// One for each seat.
    pub seats: Vec<ChairTold>,
}

/// A seat of an offered table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChairTold {
    /// The player's name.
    pub name: String,
    /// Whether a bot plays it.
    pub bot: bool,
    /// The node where it sits.
    pub home: Option<Key>,
    /// Where that node may be found.
    pub address: Option<Vec<u8>>,
}

impl Say {
    /// Reads a message; `None` if the bytes are not even JSON.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let words: Value = serde_json::from_slice(bytes).ok()?;
        Some(Self::of(&words).unwrap_or(Self::Unheard))
    }

    fn of(words: &Value) -> Option<Self> {
        let shown = || text(&words["secret"], 64).map(|secret| Shown(secret.to_owned()));
        let room = || words["room"].as_str().unwrap_or_default().to_owned();
        let table = || bytes(&words["table"]).map(TableId);
        let name = || clean(words["name"].as_str().unwrap_or_default(), MAX_NAME);
        Some(match words["say"].as_str()? {
            "hi" => Self::Hi {
                protocol: words["protocol"].as_str().unwrap_or_default().to_owned(),
                program: clean(words["program"].as_str().unwrap_or("?"), 20),
            },
            "knock" => Self::Knock(Knock {
                secret: shown(),
                nonce: bytes(&words["nonce"]),
                name: name(),
                address: address(words),
                again: bytes(&words["again"]).map(TableId),
            }),
            "welcome" => Self::Welcome(shown(), Welcome::of(words, name()).map(Box::new)),
            "refuse" => {
                let why = words["why"].as_str();
                let why = NotLetIn::ALL.into_iter().find(|known| Some(known.name()) == why);
                Self::Refuse(shown(), why.unwrap_or(NotLetIn::Unknown))
            }
            "gathering" => Self::Gathering(room(), seats(&words["seats"])),
            "gone" => Self::Gone(words["room"].as_str()?.to_owned()),
            "unseat" => Self::Unseat(shown()?),
            "offer" => Self::Offer(Box::new(Offered::of(words, room())?)),
            "soon" => Self::Soon,
            "again" => Self::Again(table()?),
            "chat" => Self::Chat(table()?, clean(words["text"].as_str().unwrap_or_default(), MAX_CHAT)),
            "left" => Self::Left(table()?),
            _ => Self::Unheard,
        })
    }

    /// The message as JSON: absent values are null, and names are in order.
    pub fn to_value(&self) -> Value {
        let shown = |secret: &Option<Shown>| secret.as_ref().map(|shown| shown.0.clone());
        let told = |seats: &[SeatTold]| {
            let seat =
                |(i, seat): (usize, &SeatTold)| json!({ "seat": i, "kind": seat.kind.name(), "name": seat.name });
            seats.iter().enumerate().map(seat).collect::<Vec<_>>()
        };
        match self {
            Self::Hi { protocol, program } => json!({ "say": "hi", "protocol": protocol, "program": program }),
            Self::Knock(knock) => with_address(
                json!({
                    "say": "knock", "secret": shown(&knock.secret), "nonce": knock.nonce.map(|nonce| hex(&nonce)),
                    "name": knock.name, "again": knock.again.map(|table| hex(&table.0)),
                }),
                knock.address.as_deref(),
            ),
            Self::Welcome(secret, Some(w)) => json!({
                "say": "welcome", "secret": shown(secret), "room": w.room, "number": hex(&w.number), "game": w.game,
                "dials": w.dials, "grade": w.grade, "seat": w.seat, "seats": told(&w.seats), "name": w.name,
            }),
            Self::Welcome(secret, None) => json!({ "say": "welcome", "secret": shown(secret) }),
            Self::Refuse(secret, why) => json!({ "say": "refuse", "secret": shown(secret), "why": why.name() }),
            Self::Gathering(room, seats) => json!({ "say": "gathering", "room": room, "seats": told(seats) }),
            Self::Gone(room) => json!({ "say": "gone", "room": room }),
            Self::Unseat(secret) => json!({ "say": "unseat", "secret": secret.0 }),
            Self::Offer(offered) => {
                let seat = |seat: &ChairTold| {
                    let told =
                        json!({ "name": seat.name, "bot": seat.bot, "home": seat.home.map(|home| hex(&home.0)) });
                    with_address(told, seat.address.as_deref())
                };
                let seats: Vec<Value> = offered.seats.iter().map(seat).collect();
                json!({ "say": "offer", "room": offered.room, "offer": hex(&offered.offer), "seats": seats })
            }
            Self::Soon => json!({ "say": "soon" }),
            Self::Again(table) => json!({ "say": "again", "table": hex(&table.0) }),
            Self::Chat(table, text) => json!({ "say": "chat", "table": hex(&table.0), "text": text }),
            Self::Left(table) => json!({ "say": "left", "table": hex(&table.0) }),
            Self::Unheard => Value::Null,
        }
    }
}

impl Welcome {
    fn of(words: &Value, name: String) -> Option<Self> {
        let grade = match &words["grade"] {
            Value::Null => None,
            grade => Some(grade.as_str()?.to_owned()),
        };
        Some(Self {
            room: text(&words["room"], 64)?.to_owned(),
            number: bytes(&words["number"])?,
            game: words["game"].as_str()?.to_owned(),
            dials: serde_json::from_value(words["dials"].clone()).ok()?,
            grade,
            seat: words["seat"].as_u64()?.try_into().ok()?,
            seats: seats(&words["seats"]),
            name,
        })
    }
}

impl Offered {
    fn of(words: &Value, room: String) -> Option<Self> {
        let offer = unhex(text(&words["offer"], 2 * MAX_OFFER)?)?;
        let seat = |told: &Value| ChairTold {
            name: clean(told["name"].as_str().unwrap_or_default(), MAX_NAME),
            bot: told["bot"].as_bool().unwrap_or(false),
            home: bytes(&told["home"]).map(Key),
            address: address(told),
        };
        let seats = words["seats"].as_array()?.iter().take(MAX_SEATS + 1).map(seat).collect();
        Some(Self { room, offer, seats })
    }
}

fn text(value: &Value, most: usize) -> Option<&str> {
    value.as_str().filter(|text| text.len() <= most)
}

fn bytes<const N: usize>(value: &Value) -> Option<[u8; N]> {
    unhex(value.as_str().filter(|text| text.len() == 2 * N)?)?.try_into().ok()
}

/// An address is two fields: `address`, which every version reads, and `relay`, if more is known of the relay.
fn address(words: &Value) -> Option<Vec<u8>> {
    let known = unhex(text(&words["address"], 2 * MAX_ADDRESS)?)?;
    let more = text(&words["relay"], 2 * MAX_MORE).and_then(unhex).unwrap_or_default();
    let whole = [&known[..], &more].concat();
    Some(if Address::from_bytes(&whole).is_some() { whole } else { known })
}

#[expect(clippy::indexing_slicing, reason = "a JSON object that was made here")]
fn with_address(mut words: Value, address: Option<&[u8]>) -> Value {
    let parts = address.map(Address::split);
    words["address"] = json!(parts.map(|(known, _)| hex(known)));
    if let Some((_, more)) = parts.filter(|(_, more)| !more.is_empty()) {
        words["relay"] = json!(hex(more));
    }
    words
}

fn seats(value: &Value) -> Vec<SeatTold> {
    let seat = |told: &Value| SeatTold {
        kind: match told["kind"].as_str() {
            Some("bot") => Told::Bot,
            Some("peer") => Told::Peer,
            _ => Told::Open,
        },
        name: clean(told["name"].as_str().unwrap_or_default(), MAX_NAME),
    };
    value.as_array().into_iter().flatten().take(MAX_SEATS).map(seat).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &Value) -> Say {
        Say::read(value.to_string().as_bytes()).unwrap()
    }

    /// Every message of an earlier program is read, and written again with the same bytes.
    #[test]
    fn what_was_said_is_said_the_same() {
        let said = include_str!("../../../apps/outis/tests/golden/said.json");
        let said: Vec<Value> = serde_json::from_str(said).unwrap();
        let mut kinds = std::collections::BTreeSet::new();
        for words in said {
            let read = read(&words);
            assert_eq!(read.to_value().to_string(), words.to_string());
            kinds.insert(words["say"].as_str().unwrap().to_owned());
            // An unknown field changes nothing.
            let mut more = words.clone();
            more["unknown"] = json!([1, { "x": null }]);
            assert_eq!(self::read(&more), read);
        }
        assert_eq!(kinds.len(), 12, "{kinds:?}");
    }

    /// A program that does not know the field reads the rest as before.
    #[test]
    fn more_about_a_relay_is_a_field_of_its_own() {
        use crate::invite::Relay;
        let relay = Relay { url: "http://192.0.2.1".into(), discovery: 7842, pin: Some([3; 32]) };
        let new = Address { direct: Vec::new(), relay: Some(relay) };
        let plain = Address { direct: Vec::new(), relay: Some(Relay::plain("http://192.0.2.1")) };
        let chair = ChairTold { name: "Anna".into(), bot: false, home: None, address: Some(new.to_bytes()) };
        let offer = Say::Offer(Box::new(Offered { room: "r".into(), offer: vec![1], seats: vec![chair] }));
        let knock =
            Knock { secret: None, nonce: None, name: "Anna".into(), address: Some(new.to_bytes()), again: None };
        for say in [Say::Knock(knock), offer] {
            let mut words = say.to_value();
            assert_eq!(read(&words), say);
            let told = if words["seats"].is_array() { &mut words["seats"][0] } else { &mut words };
            assert_eq!(told["address"], json!(hex(&plain.to_bytes())));
            for bad in [json!(3), json!("xy"), json!("00"), json!("00".repeat(65))] {
                told["relay"] = bad;
                assert_eq!(address(told), Some(plain.to_bytes()));
            }
        }
    }

    /// A bad field makes the node ignore the message, or treat its question as unknown; it never closes a link, and nothing long is kept.
    #[test]
    fn bad_fields_are_not_heard() {
        let said: Vec<Value> =
            serde_json::from_str(include_str!("../../../apps/outis/tests/golden/said.json")).unwrap();
        let bad = [json!(null), json!(7), json!("x"), json!(["y"]), json!({}), json!("0".repeat(20_000))];
        for words in &said {
            for (field, bad) in words.as_object().unwrap().keys().flat_map(|f| bad.iter().map(move |b| (f, b))) {
                let mut words = words.clone();
                words[field] = bad.clone();
                let _ = read(&words).to_value();
            }
        }
        for (words, heard) in [
            (json!({ "say": "fly" }), Say::Unheard),
            (json!({ "say": 3 }), Say::Unheard),
            (json!([1]), Say::Unheard),
            (json!({ "say": "left" }), Say::Unheard),
            (json!({ "say": "refuse", "why": "tired" }), Say::Refuse(None, NotLetIn::Unknown)),
            (json!({ "say": "welcome", "secret": "00", "seat": 300 }), Say::Welcome(Some(Shown("00".into())), None)),
            (json!({ "say": "gathering", "room": 1, "seats": 2 }), Say::Gathering(String::new(), Vec::new())),
        ] {
            assert_eq!(read(&words), heard, "{words}");
        }
        assert_eq!(Say::read(b"not json"), None);
        let upper = read(&json!({ "say": "again", "table": "AB".repeat(32) }));
        assert_eq!(upper, Say::Again(TableId([0xab; 32])), "digits may be capitals");
        let many = json!({ "say": "gathering", "room": "r", "seats": vec![json!({ "kind": "peer", "name": "\u{202e}x" }); 99] });
        let Say::Gathering(_, seats) = read(&many) else { panic!() };
        assert_eq!((seats.len(), &*seats[0].name), (MAX_SEATS, "x"));
    }
}
