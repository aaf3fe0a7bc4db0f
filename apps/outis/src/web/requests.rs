//! What the page may ask, and what comes of it.

use outis_table::Seat;
use outis_table::game::Grade;
use outis_table::words::Text;
use serde_json::{Map, Value, json};

use super::bridge;
use crate::catalogue::Picture;
use crate::node::about::Pace;
use crate::node::hub::{Answer, Node, sorry};
use crate::node::profile::{MAX_NAME, Network};
use crate::node::store::{self, Plan};
use crate::node::{Key, clean};

/// Does what is asked. Watching is the socket's own business.
pub fn carry_out(node: &Node, ask: &str, message: &Value) -> Answer {
    let table = || message["table"].as_str().ok_or_else(|| sorry("request"));
    let text = |name: &str| message[name].as_str().ok_or_else(|| sorry("request"));
    let seat =
        || message["seat"].as_u64().and_then(|seat| u8::try_from(seat).ok()).map(Seat).ok_or_else(|| sorry("request"));
    let done = json!({});
    match ask {
        "profile" => profile(node, message).map(|()| done),
        "start" => start(node, message),
        "invite" => {
            let hours = message["hours"].as_u64().and_then(|hours| u32::try_from(hours).ok()).unwrap_or(24);
            node.invite(table()?, hours).map(|(text, until)| json!({ "text": text, "until": until }))
        }
        "uninvite" => node.uninvite(table()?).map(|()| done),
        "join" => node.join(text("text")?).map(|id| json!({ "table": id })),
        "fill" => node.fill(table()?, level(&message["level"])).map(|()| done),
        "dismiss" => node.dismiss(table()?, seat()?).map(|()| done),
        "begin" => node.begin(table()?).map(|()| done),
        "act" => {
            let round = message["round"].as_u64().and_then(|round| u32::try_from(round).ok());
            node.act(table()?, text("token")?, round).map(|()| done)
        }
        "cover" => node.hand(table()?, None).map(|()| done),
        "take" => node.hand(table()?, Some(seat()?)).map(|()| done),
        "why" => node.why(table()?, text("token")?).map(|why| json!({ "text": why.map(|text| text.to_json()) })),
        "chronicle" => {
            let from = message["from"].as_u64().and_then(|from| usize::try_from(from).ok()).unwrap_or(0);
            node.chronicle(table()?, from).map(|parts| json!({ "parts": parts }))
        }
        "chat" => node.chat(table()?, text("text")?).map(|()| done),
        "mute" => node.mute(table()?, seat()?, message["on"].as_bool().unwrap_or(true)).map(|()| done),
        "leave" => node.leave(table()?).map(|()| done),
        "wait" => node.stop_waiting(table()?).map(|()| done),
        "rematch" => node.rematch(table()?).map(|id| json!({ "table": id })),
        "replay" => {
            let (shown, me) = node.replay(table()?, seat().ok())?;
            Ok(json!({ "pictures": pictures(&shown), "me": me.0 }))
        }
        "forget" => node.forget(table()?).map(|()| done),
        "network" => network(node, message).map(|()| done),
        "lobby" => {
            if message.get("text").is_some() {
                node.set_lobby(message["text"].as_str())?;
            }
            if let Some(shelve) = message["shelve"].as_bool() {
                node.change(|settings| settings.shelve = shelve)?;
                node.look_at_board();
            }
            Ok(node.open_json())
        }
        "open" => {
            node.look_at_board();
            Ok(json!({ "open": node.open_json() }))
        }
        "publish" => {
            let days = message["days"].as_u64().and_then(|days| u8::try_from(days).ok());
            node.publish(table()?, days, message["code"].as_str()).map(|()| done)
        }
        "unpublish" => node.unpublish(table()?).map(|()| done),
        "claim" => node.claim(text("notice")?).map(|()| done),
        "block" => {
            let key = crate::meeting::name(text("key")?).map(Key).ok_or_else(|| sorry("request"))?;
            let name = message["name"].as_str().unwrap_or_default();
            node.block(key, name, message["on"].as_bool().unwrap_or(true)).map(|()| done)
        }
        "find" => node.find_code(text("code")?).map(|()| done),
        "quick" => {
            let game = Node::game(message["game"].as_str().unwrap_or_default())?;
            node.quick(game.name(), store::usual(game)).map(|id| json!({ "table": id }))
        }
        _ => match ask.strip_prefix("bridge-") {
            Some(ask) => bridge::carry_out(node, ask, message),
            None => Err(sorry("request")),
        },
    }
}

fn level(value: &Value) -> u8 {
    value.as_u64().and_then(|level| u8::try_from(level).ok()).unwrap_or(1).max(1)
}

fn profile(node: &Node, message: &Value) -> Answer<()> {
    let language = match &message["language"] {
        Value::Null => None,
        Value::String(code) if matches!(&**code, "en" | "hu") => Some(code.clone()),
        _ => return Err(sorry("request")),
    };
    let theme = match message["theme"].as_str() {
        Some(theme @ ("auto" | "dark" | "light")) => Some(theme.to_owned()),
        None => None,
        Some(_) => return Err(sorry("request")),
    };
    let prefs: Option<Map<String, Value>> = message["prefs"].as_object().cloned();
    node.change(|settings| {
        if let Some(name) = message["name"].as_str() {
            settings.name = name.to_owned();
        }
        if message.get("language").is_some() {
            settings.language = language;
        }
        if let Some(theme) = theme {
            settings.theme = theme;
        }
        if let Some(prefs) = prefs {
            settings.prefs = prefs;
        }
    })
}

fn start(node: &Node, message: &Value) -> Answer {
    let game = Node::game(message["game"].as_str().unwrap_or_default())?;
    let dials: Vec<i64> = match &message["dials"] {
        Value::Null if message["beside"].is_array() => store::unhurried(game),
        Value::Null => store::usual(game),
        dials => serde_json::from_value(dials.clone()).map_err(|_| sorry("request"))?,
    };
    let (_, seats) = game.choose(&dials).ok_or_else(|| sorry("choices"))?;
    let grade = match &message["grade"] {
        Value::Null => Grade::Hardened,
        name => *game.grades().iter().find(|grade| *name == grade.name()).ok_or_else(|| sorry("choices"))?,
    };
    let bots: Vec<u8> = message["bots"].as_array().map(|bots| bots.iter().map(level).collect()).unwrap_or_default();
    let pace: Pace = serde_json::from_value(message["pace"].clone()).unwrap_or_default();
    let name = |name: &Value| clean(name.as_str().unwrap_or_default(), MAX_NAME);
    let mut people = vec![Some(name(&message["as"])).filter(|name| !name.is_empty()).unwrap_or_else(|| node.name())];
    let others = message["beside"].as_array().into_iter().flatten().take(usize::from(seats));
    people.extend(others.map(name));
    let [watch, crook] = ["watch", "crook"].map(|name| message[name].as_bool().unwrap_or(false));
    let is_open = people.len() == 1 && bots.len() + 1 < usize::from(seats);
    if is_open && crook {
        // Bots cheat where nobody else is at the table.
        return Err(sorry("choices"));
    }
    let id = if is_open {
        node.gather(game.name(), dials, grade, &bots, pace)?
    } else {
        node.start(game, &Plan { dials, grade, people, bots, pace, watch, crook })?
    };
    Ok(json!({ "table": id }))
}

fn network(node: &Node, message: &Value) -> Answer<()> {
    let network = match message["mode"].as_str() {
        Some("direct") => Network::Direct,
        Some("public") => Network::Public,
        Some("relay") => match message["relay"].as_str() {
            Some(relay) if relay.starts_with("https://") || relay.starts_with("http://") => {
                Network::Relay { relay: relay.to_owned(), only: message["only"].as_bool().unwrap_or(false) }
            }
            _ => return Err(sorry("relay")),
        },
        _ => return Err(sorry("request")),
    };
    let lan = message["lan"].as_bool().unwrap_or(false);
    node.change(|settings| (settings.network, settings.lan) = (network, lan))?;
    node.reconnect();
    Ok(())
}

/// A replay, for the page.
pub fn pictures(pictures: &[Picture]) -> Vec<Value> {
    let lines = |lines: &[Text]| lines.iter().map(Text::to_json).collect::<Vec<_>>();
    pictures.iter().map(|p| json!({ "round": p.round, "view": p.view, "lines": lines(&p.lines) })).collect()
}
