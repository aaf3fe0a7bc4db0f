//! The requests of the page, and their results; their types are in [`outis_node::ask`].

use outis_game::words::Text;
use outis_table::game::Grade;
use serde_json::{Value, json};

use super::bridge;
use crate::node::hub::{Answer, Node, sorry};
use crate::node::store::{self, Plan};
use outis_game::Picture;
use outis_node::ask::{Ask, ProfileChange, Start};
use outis_node::table::{TableAsk, TableReply};

/// Does what is asked, and answers: at once, or when a table has answered. Watching is the socket's own business.
pub fn carry_out(node: &Node, ask: Ask, reply: impl FnOnce(Answer) + Send + 'static) {
    let (table, ask) = match ask {
        Ask::Act(table, token, round) => (table, TableAsk::Act { token, round }),
        Ask::Hand(table, to) => (table, TableAsk::Hand(to)),
        Ask::Why(table, token) => (table, TableAsk::Why(token)),
        Ask::Chronicle(table, from) => (table, TableAsk::Chronicle(from)),
        other => return reply(at_once(node, other)),
    };
    node.ask(&table, ask, |answer| reply(answer.map(|answer| told(&answer))));
}

/// What a table answered, for the page.
fn told(reply: &TableReply) -> Value {
    match reply {
        TableReply::Why(why) => json!({ "text": why.as_ref().map(Text::to_json) }),
        TableReply::Chronicle(parts) => json!({ "parts": parts }),
        _ => json!({}),
    }
}

fn at_once(node: &Node, ask: Ask) -> Answer {
    let done = |done: Answer<()>| done.map(|()| json!({}));
    match ask {
        Ask::Profile(change) => done(profile(node, change)),
        Ask::Start(plan) => start(node, *plan),
        Ask::Invite(table, hours) => {
            node.invite(&table, hours).map(|(text, until)| json!({ "text": text, "until": until }))
        }
        Ask::Uninvite(table) => done(node.uninvite(&table)),
        Ask::Join(text) => node.join(&text).map(|id| json!({ "table": id })),
        Ask::Fill(table, level) => done(node.fill(&table, level)),
        Ask::Dismiss(table, seat) => done(node.dismiss(&table, seat)),
        Ask::Begin(table) => done(node.begin(&table)),
        Ask::Chat(table, text) => done(node.chat(&table, &text)),
        Ask::Mute(table, seat, on) => done(node.mute(&table, seat, on)),
        Ask::Leave(table) => done(node.leave(&table)),
        Ask::Wait(table) => done(node.stop_waiting(&table)),
        Ask::Rematch(table) => node.rematch(&table).map(|id| json!({ "table": id })),
        Ask::Replay(table, seat) => {
            let (shown, me) = node.replay(&table, seat)?;
            Ok(json!({ "pictures": pictures(&shown), "me": me.0 }))
        }
        Ask::Forget(table) => done(node.forget(&table)),
        Ask::Network(network, lan) => {
            node.change(|settings| (settings.network, settings.lan) = (network, lan))?;
            node.reconnect();
            Ok(json!({}))
        }
        Ask::Lobby(text, shelve) => {
            if let Some(text) = text {
                node.set_lobby(text.as_deref())?;
            }
            if let Some(shelve) = shelve {
                node.change(|settings| settings.shelve = shelve)?;
                node.look_at_board();
            }
            Ok(node.open_json())
        }
        Ask::Open => {
            node.look_at_board();
            Ok(json!({ "open": node.open_json() }))
        }
        Ask::Publish(table, days, code) => done(node.publish(&table, days, code.as_deref())),
        Ask::Unpublish(table) => done(node.unpublish(&table)),
        Ask::Claim(notice) => done(node.claim(&notice)),
        Ask::Block(key, name, on) => done(node.block(key, &name, on)),
        Ask::Find(code) => done(node.find_code(&code)),
        Ask::Quick(game) => {
            let game = Node::game(&game)?;
            node.quick(game.name(), store::usual(game)).map(|id| json!({ "table": id }))
        }
        Ask::Bridge(what, message) => bridge::carry_out(node, &what, &message),
        // The socket's, and the tables'.
        Ask::Watch(_) | Ask::Unwatch(_) | Ask::Act(..) | Ask::Hand(..) | Ask::Why(..) | Ask::Chronicle(..) => {
            Err(sorry("request"))
        }
    }
}

fn profile(node: &Node, change: ProfileChange) -> Answer<()> {
    node.change(|settings| {
        settings.name = change.name.unwrap_or_else(|| std::mem::take(&mut settings.name));
        settings.theme = change.theme.unwrap_or_else(|| std::mem::take(&mut settings.theme));
        settings.prefs = change.prefs.unwrap_or_else(|| std::mem::take(&mut settings.prefs));
        if let Some(language) = change.language {
            settings.language = language;
        }
    })
}

fn start(node: &Node, plan: Start) -> Answer {
    let Start { dials, grade, bots, pace, name, beside, watch, crook, .. } = plan;
    let game = Node::game(&plan.game)?;
    let dials = dials.unwrap_or_else(|| if beside.is_some() { store::unhurried(game) } else { store::usual(game) });
    let (_, seats) = game.choose(&dials).ok_or_else(|| sorry("choices"))?;
    let grade = match grade {
        None => Grade::Hardened,
        Some(name) => *game.grades().iter().find(|grade| name == grade.name()).ok_or_else(|| sorry("choices"))?,
    };
    let mut people = vec![if name.is_empty() { node.name() } else { name }];
    people.extend(beside.into_iter().flatten().take(usize::from(seats)));
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

/// A replay, for the page.
pub fn pictures(pictures: &[Picture]) -> Vec<Value> {
    let lines = |lines: &[Text]| lines.iter().map(Text::to_json).collect::<Vec<_>>();
    pictures.iter().map(|p| json!({ "round": p.round, "view": p.view, "lines": lines(&p.lines) })).collect()
}
