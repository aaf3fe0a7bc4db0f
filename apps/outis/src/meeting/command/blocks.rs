//! Blocking a player from the terminal.

use std::io::Write;

use outis_meeting::wire::{Answer, Request};
use outis_table::identity::IdentityKey;
use serde_json::Value;

use super::{Asker, digits, name};
use crate::app::NodeArgs;
use crate::exit::Failure;
use crate::node::blocks::set_blocked;
use crate::node::profile::Profile;
use crate::node::{Key, clean, spoken};
use outis_node::settings::Blocked;

/// Whether somebody is blocked in a profile.
pub fn is_blocked(profile: &Profile, key: &IdentityKey) -> bool {
    profile.settings().blocked.iter().any(|blocked| blocked.key.0 == *key.as_bytes())
}

fn profile(node: &NodeArgs) -> Result<Profile, Failure> {
    let dir = node.profile.clone().map_or_else(Profile::usual_dir, Ok)?;
    Ok(Profile::open(&dir)?)
}

fn words(key: &Key) -> String {
    spoken(&key.0[..6])
}

/// Finds somebody by words among those who are in the lobby now or have tables there.
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
        [] => Err(Failure::usage("nobody in the lobby has these safety words; give the key of 64 digits")),
        _ => Err(Failure::usage("several players have these safety words; give the key of 64 digits")),
    }
}

/// Blocks somebody.
pub fn block(who: &str, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let ((key, called), mut profile) = match name(who) {
        Some(key) => ((Key(key), String::new()), profile(node)?),
        None => {
            let mut asker = Asker::new(node)?;
            (find(who, &mut asker)?, asker.caller.profile)
        }
    };
    if key == profile.keys().key() {
        return Err(Failure::usage("you cannot block yourself"));
    }
    set_blocked(&mut profile, key, &called, true)?;
    Ok(writeln!(out, "blocked: {} {called}", words(&key))?)
}

/// Takes somebody off the list.
pub fn unblock(who: &str, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut profile = profile(node)?;
    let is = |blocked: &&Blocked| name(who) == Some(blocked.key.0) || words(&blocked.key) == who;
    let found = profile.settings().blocked.iter().find(is).map(|blocked| blocked.key);
    let key = found.ok_or_else(|| Failure::usage("no blocked player has this key or these safety words"))?;
    set_blocked(&mut profile, key, "", false)?;
    Ok(writeln!(out, "unblocked: {}", words(&key))?)
}

/// Who is blocked.
pub fn list(json: bool, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let profile = profile(node)?;
    let blocked = &profile.settings().blocked;
    if json {
        writeln!(out, "{}", Value::Array(blocked.iter().map(Blocked::to_json).collect()))?;
    } else {
        for one in blocked {
            writeln!(out, "{} ({}) {}", clean(&one.name, 40), words(&one.key), digits(&one.key.0))?;
        }
    }
    Ok(())
}
