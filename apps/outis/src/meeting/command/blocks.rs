//! Blocking a player from the terminal.

use std::io::Write;

use outis_game::words::Text;
use outis_meeting::wire::{Answer, Request};
use outis_table::identity::IdentityKey;
use serde_json::Value;

use super::{Asker, digits, name};
use crate::app::NodeArgs;
use crate::exit::Failure;
use crate::machine::profile::Profile;
use crate::machine::wall_clock::epoch;
use crate::speech::{Speech, plain};
use outis_node::names::{Key, clean, spoken};
use outis_node::settings::Blocked;

/// Whether a player is blocked in a profile.
pub fn is_blocked(profile: &Profile, key: &IdentityKey) -> bool {
    profile.settings().blocked.iter().any(|blocked| blocked.key.0 == *key.as_bytes())
}

fn profile(node: &NodeArgs) -> Result<Profile, Failure> {
    let dir = node.profile.clone().map_or_else(Profile::usual_dir, Ok)?;
    Ok(Profile::open(&dir)?)
}

fn sorry(id: &str) -> Failure {
    Failure::usage(Speech::new().say(&Text::new(id)))
}

fn words(key: &Key) -> String {
    spoken(&key.0[..6])
}

/// Finds a player by safety words among those who are in the lobby now or have a table there.
fn find(who: &str, asker: &mut Asker) -> Result<(Key, String), Failure> {
    let mut found: Vec<(Key, String)> = Vec::new();
    if let Answer::Board(board) = asker.ask(Request::Board { game: None, after: None })? {
        found.extend(board.iter().map(|s| (Key(*s.body().host.as_bytes()), clean(&s.body().who, 40))));
    }
    if let Answer::People(people) = asker.ask(Request::People)? {
        found.extend(people.iter().map(|(key, who)| (Key(*key.as_bytes()), clean(who, 40))));
    }
    found.retain(|(key, _)| words(key) == who);
    found.sort();
    found.dedup_by_key(|(key, _)| *key);
    match &*found {
        [one] => Ok(one.clone()),
        [] => Err(sorry("terminal.lobby.words.none")),
        _ => Err(sorry("terminal.lobby.words.several")),
    }
}

/// Blocks a player.
pub fn block(who: &str, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let ((key, called), mut profile) = match name(who) {
        Some(key) => ((Key(key), String::new()), profile(node)?),
        None => {
            let mut asker = Asker::new(node)?;
            (find(who, &mut asker)?, asker.caller.profile)
        }
    };
    if key == profile.keys().key() {
        return Err(sorry("node.error.block.own"));
    }
    profile.settings().may_block(&key, true).map_err(std::io::Error::other)?;
    profile.change(|settings| settings.block(key, &called, true, epoch()))?;
    let text = Text::new("terminal.lobby.blocked").with("words", plain(words(&key))).with("who", plain(called));
    Ok(writeln!(out, "{}", Speech::new().say(&text))?)
}

/// Unblocks a player.
pub fn unblock(who: &str, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut profile = profile(node)?;
    let is = |blocked: &&Blocked| name(who) == Some(blocked.key.0) || words(&blocked.key) == who;
    let found = profile.settings().blocked.iter().find(is).map(|blocked| blocked.key);
    let key = found.ok_or_else(|| sorry("terminal.lobby.not-blocked"))?;
    profile.change(|settings| settings.block(key, "", false, epoch()))?;
    let text = Text::new("terminal.lobby.unblocked").with("words", plain(words(&key)));
    Ok(writeln!(out, "{}", Speech::new().say(&text))?)
}

/// Lists the blocked players.
pub fn list(json: bool, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let profile = profile(node)?;
    let blocked = &profile.settings().blocked;
    if json {
        writeln!(out, "{}", Value::Array(blocked.iter().map(Blocked::to_json).collect()))?;
    } else if blocked.is_empty() {
        writeln!(out, "{}", Speech::new().say(&Text::new("terminal.lobby.nobody-blocked")))?;
    } else {
        for one in blocked {
            writeln!(out, "{} ({}) {}", clean(&one.name, 40), words(&one.key), digits(&one.key.0))?;
        }
    }
    Ok(())
}
