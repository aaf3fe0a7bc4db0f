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

impl Ask {
    /// Reads a request.
    pub fn read(message: &Value) -> Result<Self, Text> {
        Self::of(message).ok_or_else(|| sorry("request"))?
    }

    /// `None` if a required field is missing.
    fn of(message: &Value) -> Option<Result<Self, Text>> {
        let ask = message["ask"].as_str()?;
        let text = |name: &str| message[name].as_str().map(str::to_owned);
        let table = || text("table");
        let seat = || message["seat"].as_u64().and_then(|seat| u8::try_from(seat).ok()).map(Seat);
        let flag = |name: &str| message[name].as_bool();
        let number = |name: &str| message[name].as_u64();
        Some(Ok(match ask {
            "profile" => return Some(ProfileChange::of(message).map(Self::Profile).ok_or_else(|| sorry("request"))),
            "start" => return Some(Start::of(message).map(|start| Self::Start(Box::new(start)))),
            "invite" => Self::Invite(table()?, number("hours").and_then(|n| u32::try_from(n).ok()).unwrap_or(24)),
            "uninvite" => Self::Uninvite(table()?),
            "join" => Self::Join(text("text")?),
            "fill" => Self::Fill(table()?, level(&message["level"])),
            "dismiss" => Self::Dismiss(table()?, seat()?),
            "begin" => Self::Begin(table()?),
            "watch" => Self::Watch(table().unwrap_or_default()),
            "unwatch" => Self::Unwatch(table().unwrap_or_default()),
            // A round that is not a number does not stand for any round.
            "act" if message["round"].is_null() => Self::Act(table()?, text("token")?, None),
            "act" => Self::Act(table()?, text("token")?, Some(u32::try_from(number("round")?).ok()?)),
            "cover" => Self::Hand(table()?, None),
            "take" => Self::Hand(table()?, Some(seat()?)),
            "why" => Self::Why(table()?, text("token")?),
            "chronicle" => Self::Chronicle(table()?, number("from").and_then(|n| usize::try_from(n).ok()).unwrap_or(0)),
            "chat" => Self::Chat(table()?, text("text")?),
            "mute" => Self::Mute(table()?, seat()?, flag("on").unwrap_or(true)),
            "leave" => Self::Leave(table()?),
            "wait" => Self::Wait(table()?),
            "rematch" => Self::Rematch(table()?),
            "replay" => Self::Replay(table()?, seat()),
            "forget" => Self::Forget(table()?),
            "network" => return Some(network(message)),
            "lobby" => Self::Lobby(message.get("text").map(|text| text.as_str().map(str::to_owned)), flag("shelve")),
            "open" => Self::Open,
            "publish" => {
                // What does not fit is not "none": the table would be listed for everyone, or played live.
                let days = match &message["days"] {
                    Value::Null => None,
                    // More than any game takes is the most that it takes.
                    _ => Some(u8::try_from(number("days")?.min(u8::MAX.into())).ok()?),
                };
                let code = match &message["code"] {
                    Value::Null => None,
                    _ => Some(text("code")?),
                };
                Self::Publish(table()?, days, code)
            }
            "unpublish" => Self::Unpublish(table()?),
            "claim" => Self::Claim(text("notice")?),
            "block" => {
                let key = unhex(message["key"].as_str()?)?.try_into().map(Key).ok()?;
                Self::Block(key, text("name").unwrap_or_default(), flag("on").unwrap_or(true))
            }
            "find" => Self::Find(text("code")?),
            "quick" => Self::Quick(text("game").unwrap_or_default()),
            "lab" => match message.get("experiment") {
                None | Some(Value::Null) => Self::Lab(None),
                Some(_) => Self::Lab(Some((text("experiment")?, text("version")?))),
            },
            _ => Self::Bridge(ask.strip_prefix("bridge-")?.to_owned(), message.clone()),
        }))
    }
}

impl ProfileChange {
    fn of(message: &Value) -> Option<Self> {
        let language = match message.get("language") {
            None => None,
            Some(Value::Null) => Some(None),
            Some(Value::String(code)) if matches!(&**code, "en" | "hu") => Some(Some(code.clone())),
            Some(_) => return None,
        };
        let theme = match message["theme"].as_str() {
            Some(theme @ ("auto" | "dark" | "light")) => Some(theme.to_owned()),
            None => None,
            Some(_) => return None,
        };
        let name = message["name"].as_str().map(str::to_owned);
        Some(Self { name, language, theme, prefs: message["prefs"].as_object().cloned() })
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

    fn of(message: &Value) -> Result<Self, Text> {
        let name = |name: &Value| clean(name.as_str().unwrap_or_default(), MAX_NAME);
        let dials = match &message["dials"] {
            Value::Null => None,
            dials => Some(serde_json::from_value(dials.clone()).map_err(|_| sorry("request"))?),
        };
        let grade = match &message["grade"] {
            Value::Null => None,
            // A grade that is not a text is one that no game has.
            grade => Some(grade.as_str().unwrap_or_default().to_owned()),
        };
        let flag = |name: &str| message[name].as_bool().unwrap_or(false);
        Ok(Self {
            game: message["game"].as_str().unwrap_or_default().to_owned(),
            dials,
            grade,
            bots: message["bots"].as_array().map(|bots| bots.iter().map(level).collect()).unwrap_or_default(),
            pace: serde_json::from_value(message["pace"].clone()).unwrap_or_default(),
            name: name(&message["as"]),
            beside: message["beside"].as_array().map(|names| names.iter().map(name).collect()),
            watch: flag("watch"),
            crook: flag("crook"),
        })
    }
}

fn level(value: &Value) -> u8 {
    value.as_u64().and_then(|level| u8::try_from(level).ok()).unwrap_or(1).max(1)
}

fn network(message: &Value) -> Result<Ask, Text> {
    let network = match message["mode"].as_str() {
        Some("direct") => Network::Direct { local: flag(message, "local")? },
        Some("public") => Network::Anywhere,
        Some("relay") => match message["relay"].as_str().and_then(Relay::from_text) {
            Some(relay) => Network::Relay { relay: relay.to_text(), only: flag(message, "only")? },
            None => return Err(sorry("relay")),
        },
        _ => return Err(sorry("request")),
    };
    Ok(Ask::Network(network, flag(message, "lan")?))
}

/// Reads a flag: `false` if it is absent, an error if it is neither true nor false.
fn flag(message: &Value, name: &str) -> Result<bool, Text> {
    match &message[name] {
        Value::Null => Ok(false),
        Value::Bool(flag) => Ok(*flag),
        _ => Err(sorry("request")),
    }
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
}
