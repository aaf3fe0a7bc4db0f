//! What a page may ask for: one variant for each row of `spec/90-page.md`. JSON becomes types here; a request that does not fit is refused
//! before anything is done.

use outis_game::words::Text;
use outis_table::Seat;
use serde_json::{Map, Value};

use crate::invite::Relay;
use crate::names::{Key, MAX_NAME, clean, unhex};
use crate::settings::Network;
use crate::table_info::Pace;

/// An error that a page can show.
pub fn sorry(id: &str) -> Text {
    Text::new(format!("node.error.{id}"))
}

/// The name of a table on this machine.
pub type TableName = String;

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// Changes the profile.
    Profile(ProfileChange),
    /// Opens a table.
    Start(Box<Start>),
    /// Makes an invite that is good for this many hours.
    Invite(TableName, u32),
    /// Makes unused invites void.
    Uninvite(TableName),
    /// Takes an invite.
    Join(String),
    /// Gives the open seats to bots.
    Fill(TableName, u8),
    /// Sends a guest away.
    Dismiss(TableName, Seat),
    /// Begins the game.
    Begin(TableName),
    /// Begins to watch a table.
    Watch(TableName),
    /// Stops watching it.
    Unwatch(TableName),
    /// Takes an action, chosen in this round.
    Act(TableName, String, Option<u32>),
    /// Covers the device, or lets the player in a seat take it.
    Hand(TableName, Option<Seat>),
    /// Asks why an action is not possible.
    Why(TableName, String),
    /// Asks for the finished parts of a game, from this one on.
    Chronicle(TableName, usize),
    /// Sends a line of chat.
    Chat(TableName, String),
    /// Mutes a seat, or no longer mutes it.
    Mute(TableName, Seat, bool),
    /// Leaves a table.
    Leave(TableName),
    /// Stops waiting for players who do not answer.
    Wait(TableName),
    /// Asks for another game with the same players.
    Rematch(TableName),
    /// Asks what a seat knew, step by step.
    Replay(TableName, Option<Seat>),
    /// Deletes a past game.
    Forget(TableName),
    /// Sets how others may reach this node, and whether it looks for players on the local network.
    Network(Network, bool),
    /// Sets the lobby (`Some(None)`: none), and whether finished games are offered to its archive.
    Lobby(Option<Option<String>>, Option<bool>),
    /// Asks for the lobby's open tables.
    Open,
    /// Lists a table in the lobby.
    Publish(TableName, Option<u8>, Option<String>),
    /// Withdraws its listing.
    Unpublish(TableName),
    /// Requests a seat.
    Claim(String),
    /// Blocks a player, or unblocks them.
    Block(Key, String, bool),
    /// Looks for private tables with this code.
    Find(String),
    /// Asks for a quick match: a table with any player who wants the same.
    Quick(String),
    /// The list of experiments of the laboratory; or one run, by experiment and version.
    Lab(Option<(String, String)>),
    /// Uses the bridge tools; the name is what follows `bridge-`.
    Bridge(String, Value),
}

/// Changes to the profile; what is absent stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfileChange {
    /// The name.
    pub name: Option<String>,
    /// The language; `Some(None)`: the browser's.
    pub language: Option<Option<String>>,
    /// The theme.
    pub theme: Option<String>,
    /// What the page stores.
    pub prefs: Option<Map<String, Value>>,
}

/// A table to open.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// The game.
    pub game: String,
    /// The options; `None`: the defaults.
    pub dials: Option<Vec<i64>>,
    /// The grade; `None`: hardened.
    pub grade: Option<String>,
    /// Levels of the bots.
    pub bots: Vec<u8>,
    /// How long the bots think.
    pub pace: Pace,
    /// The person's name at this table only.
    pub name: String,
    /// Names of further people at this machine, if the request mentions them at all.
    pub beside: Option<Vec<String>>,
    /// Whether a bot plays the person's seat.
    pub watch: bool,
    /// Whether one of the bots cheats.
    pub crook: bool,
}

/// What is read from a request.
type Read<T> = Result<T, Text>;

/// The fields of a request. A field may be missing, or null; one that is there and is not what it should be makes the whole request
/// unreadable: half of what a person asked for is not what they asked for.
#[derive(Clone, Copy)]
pub struct Fields<'a>(pub &'a Value);

impl<'a> Fields<'a> {
    /// A field, read in this way.
    pub fn get<T>(self, name: &str, read: impl FnOnce(&'a Value) -> Option<T>) -> Read<Option<T>> {
        match &self.0[name] {
            Value::Null => Ok(None),
            value => read(value).map(Some).ok_or_else(|| sorry("request")),
        }
    }

    /// A text.
    pub fn text(self, name: &str) -> Read<Option<String>> {
        self.get(name, |value| value.as_str().map(str::to_owned))
    }

    /// A number, within its type.
    pub fn number<N: TryFrom<u64>>(self, name: &str) -> Read<Option<N>> {
        self.get(name, |value| N::try_from(value.as_u64()?).ok())
    }

    /// Yes or no.
    pub fn flag(self, name: &str) -> Read<Option<bool>> {
        self.get(name, Value::as_bool)
    }

    /// A list.
    pub fn list<T>(self, name: &str, read: impl FnMut(&'a Value) -> Option<T>) -> Read<Option<Vec<T>>> {
        self.get(name, |value| value.as_array()?.iter().map(read).collect())
    }
}

/// A field that must be there.
pub fn must<T>(field: Read<Option<T>>) -> Read<T> {
    field?.ok_or_else(|| sorry("request"))
}

impl Ask {
    /// Reads a request.
    pub fn read(message: &Value) -> Read<Self> {
        let fields = Fields(message);
        let text = |name: &str| must(fields.text(name));
        let table = || text("table");
        let seat = || must(fields.number("seat")).map(Seat);
        let ask = text("ask")?;
        Ok(match &*ask {
            "profile" => Self::Profile(ProfileChange::of(fields)?),
            "start" => Self::Start(Box::new(Start::of(fields)?)),
            "invite" => Self::Invite(table()?, fields.number("hours")?.unwrap_or(24)),
            "uninvite" => Self::Uninvite(table()?),
            "join" => Self::Join(text("text")?),
            "fill" => Self::Fill(table()?, fields.get("level", level)?.unwrap_or(1)),
            "dismiss" => Self::Dismiss(table()?, seat()?),
            "begin" => Self::Begin(table()?),
            "watch" => Self::Watch(table()?),
            "unwatch" => Self::Unwatch(table()?),
            "act" => Self::Act(table()?, text("token")?, fields.number("round")?),
            "cover" => Self::Hand(table()?, None),
            "take" => Self::Hand(table()?, Some(seat()?)),
            "why" => Self::Why(table()?, text("token")?),
            "chronicle" => Self::Chronicle(table()?, fields.number("from")?.unwrap_or(0)),
            "chat" => Self::Chat(table()?, text("text")?),
            "mute" => Self::Mute(table()?, seat()?, fields.flag("on")?.unwrap_or(true)),
            "leave" => Self::Leave(table()?),
            "wait" => Self::Wait(table()?),
            "rematch" => Self::Rematch(table()?),
            "replay" => Self::Replay(table()?, fields.number("seat")?.map(Seat)),
            "forget" => Self::Forget(table()?),
            "network" => network(fields)?,
            "lobby" => {
                // Null means: none.
                let lobby = message.get("text").map(|_| fields.text("text")).transpose()?;
                Self::Lobby(lobby, fields.flag("shelve")?)
            }
            "open" => Self::Open,
            "publish" => {
                // More than any game takes is the most that it takes.
                let days = fields.get("days", |days| Some(days.as_u64()?.min(u8::MAX.into()) as u8))?;
                Self::Publish(table()?, days, fields.text("code")?)
            }
            "unpublish" => Self::Unpublish(table()?),
            "claim" => Self::Claim(text("notice")?),
            "block" => {
                let key = must(fields.get("key", |key| unhex(key.as_str()?)?.try_into().map(Key).ok()))?;
                Self::Block(key, fields.text("name")?.unwrap_or_default(), fields.flag("on")?.unwrap_or(true))
            }
            "find" => Self::Find(text("code")?),
            "quick" => Self::Quick(text("game")?),
            "lab" => match fields.text("experiment")? {
                None => Self::Lab(None),
                Some(experiment) => Self::Lab(Some((experiment, text("version")?))),
            },
            other => match other.strip_prefix("bridge-") {
                Some(what) => Self::Bridge(what.to_owned(), message.clone()),
                None => return Err(sorry("request")),
            },
        })
    }
}

impl ProfileChange {
    fn of(fields: Fields<'_>) -> Read<Self> {
        let known = |of: &'static [&str]| {
            move |value: &Value| of.iter().find(|one| value == **one).map(|one| (*one).to_owned())
        };
        // Null means: the browser's.
        let language = fields.0.get("language").map(|_| fields.get("language", known(&["en", "hu"]))).transpose()?;
        let theme = fields.get("theme", known(&["auto", "dark", "light"]))?;
        let prefs = fields.get("prefs", |prefs| prefs.as_object().cloned())?;
        Ok(Self { name: fields.text("name")?, language, theme, prefs })
    }
}

impl Start {
    /// A game with its default options, and no other players yet.
    pub fn of_game(game: &str) -> Self {
        Self {
            game: game.to_owned(),
            dials: None,
            grade: None,
            bots: Vec::new(),
            pace: Pace::Calm,
            name: String::new(),
            beside: None,
            watch: false,
            crook: false,
        }
    }

    fn of(fields: Fields<'_>) -> Read<Self> {
        let name = |name: &Value| name.as_str().map(|name| clean(name, MAX_NAME));
        Ok(Self {
            game: must(fields.text("game"))?,
            dials: fields.list("dials", Value::as_i64)?,
            grade: fields.text("grade")?,
            bots: fields.list("bots", level)?.unwrap_or_default(),
            pace: fields.get("pace", |pace| serde_json::from_value(pace.clone()).ok())?.unwrap_or_default(),
            name: fields.get("as", name)?.unwrap_or_default(),
            beside: fields.list("beside", name)?,
            watch: fields.flag("watch")?.unwrap_or(false),
            crook: fields.flag("crook")?.unwrap_or(false),
        })
    }
}

/// The level of a bot; the lowest is 1.
fn level(value: &Value) -> Option<u8> {
    Some(u8::try_from(value.as_u64()?).ok()?.max(1))
}

fn network(fields: Fields<'_>) -> Read<Ask> {
    let flag = |name: &str| fields.flag(name).map(|flag| flag.unwrap_or(false));
    let network = match &*must(fields.text("mode"))? {
        "direct" => Network::Direct { local: flag("local")? },
        "public" => Network::Anywhere,
        "relay" => match fields.text("relay")?.as_deref().and_then(Relay::from_text) {
            Some(relay) => Network::Relay { relay: relay.to_text(), only: flag("only")? },
            None => return Err(sorry("relay")),
        },
        _ => return Err(sorry("request")),
    };
    Ok(Ask::Network(network, flag("lan")?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_question_is_read_whole_or_not_at_all() {
        let read = |message: Value| Ask::read(&message).map_err(|text| text.id);
        assert_eq!(
            read(json!({ "ask": "act", "table": "t", "token": "x", "round": 3, "more": 1 })),
            Ok(Ask::Act("t".into(), "x".into(), Some(3)))
        );
        assert_eq!(read(json!({ "ask": "act", "table": "t" })), Err("node.error.request".into()));
        assert_eq!(read(json!({ "ask": "take", "table": "t", "seat": 300 })), Err("node.error.request".into()));
        assert_eq!(read(json!({ "ask": "network", "mode": "relay", "relay": "x" })), Err("node.error.relay".into()));
        assert_eq!(
            read(json!({ "ask": "act", "table": "t", "token": "x", "round": "3" })),
            Err("node.error.request".into()),
            "not: whichever round"
        );
        let relay = |only: Value| {
            read(json!({ "ask": "network", "mode": "relay", "relay": "https://r.example", "only": only }))
        };
        assert_eq!(relay(json!("yes")), Err("node.error.request".into()), "not: no");
        assert!(relay(json!(true)).is_ok() && relay(json!(null)).is_ok());
        assert_eq!(read(json!({ "ask": "lobby", "text": null })), Ok(Ask::Lobby(Some(None), None)));
        assert_eq!(read(json!({ "ask": "lobby" })), Ok(Ask::Lobby(None, None)));
        let publish =
            |code: Value, days: Value| read(json!({ "ask": "publish", "table": "t", "code": code, "days": days }));
        assert_eq!(publish(json!(null), json!(null)), Ok(Ask::Publish("t".into(), None, None)));
        assert_eq!(publish(json!("friends"), json!(3)), Ok(Ask::Publish("t".into(), Some(3), Some("friends".into()))));
        assert_eq!(publish(json!(1234), json!(null)), Err("node.error.request".into()), "not: for everyone");
        assert_eq!(publish(json!(null), json!("3")), Err("node.error.request".into()), "not: live");
        assert_eq!(publish(json!(null), json!(300)), Ok(Ask::Publish("t".into(), Some(255), None)), "not: live");
        for odd in [json!({}), json!([]), json!({ "ask": 3 }), json!({ "ask": "fly" })] {
            assert_eq!(read(odd), Err("node.error.request".into()));
        }
    }

    /// Every field that may be missing: null is as good as missing, and nothing else stands for it.
    #[test]
    fn a_field_that_does_not_fit_is_not_one_that_is_missing() {
        let whole = [
            json!({ "ask": "profile", "name": "Anna", "language": "hu", "theme": "dark", "prefs": {} }),
            json!({ "ask": "start", "game": "poker", "dials": [1, -1], "grade": "classic", "bots": [1, 2], "pace": "quick",
                    "as": "Anna", "beside": ["Béla"], "watch": true, "crook": false }),
            json!({ "ask": "invite", "table": "t", "hours": 2 }),
            json!({ "ask": "fill", "table": "t", "level": 2 }),
            json!({ "ask": "act", "table": "t", "token": "x", "round": 1 }),
            json!({ "ask": "chronicle", "table": "t", "from": 2 }),
            json!({ "ask": "mute", "table": "t", "seat": 1, "on": false }),
            json!({ "ask": "replay", "table": "t", "seat": 1 }),
            json!({ "ask": "network", "mode": "direct", "local": true, "lan": false }),
            json!({ "ask": "lobby", "text": "here", "shelve": true }),
            json!({ "ask": "publish", "table": "t", "days": 2, "code": "friends" }),
            json!({ "ask": "block", "key": "00".repeat(32), "name": "Anna", "on": true }),
            json!({ "ask": "lab", "experiment": "e", "version": "v" }),
        ];
        let must = ["ask", "table", "game", "token", "key", "mode", "version"];
        for message in whole {
            assert!(Ask::read(&message).is_ok(), "{message}");
            for (name, value) in message.as_object().unwrap() {
                let with = |value: Value| {
                    let mut changed = message.clone();
                    changed[name] = value;
                    Ask::read(&changed)
                };
                let odd = [
                    json!({ "x": [] }),
                    json!([[]]),
                    json!(0.5),
                    if value.is_string() { json!(1) } else { json!("1") },
                ];
                for odd in odd.into_iter().filter(|odd| !(name == "prefs" && odd.is_object())) {
                    assert_eq!(
                        with(odd.clone()).map_err(|text| text.id.to_string()),
                        Err("node.error.request".into()),
                        "{name}: {odd}"
                    );
                }
                let is_seat = name == "seat" && message["ask"] == "mute";
                let is_optional = !(must.contains(&&**name) || is_seat);
                assert!(value.is_null() || with(Value::Null).is_ok() == is_optional, "{name}");
            }
        }
    }
}
