//! The requests of the page, and their results; their types are in [`outis_node::ask`].

use outis_game::Picture;
use outis_game::words::Text;
use outis_node::ask::Ask;
use outis_node::node::Reply;
use outis_node::table::{TableAsk, TableReply};
use serde_json::{Value, json};

use super::bridge;
use crate::machine::drive::{Answer, Node};

/// Does what is asked, and answers: at once, or when a table has answered. Watching is the socket's own business.
pub fn carry_out(node: &Node, ask: Ask, reply: impl FnOnce(Answer) + Send + 'static) {
    let (table, ask) = match ask {
        Ask::Act(table, token, round) => (table, TableAsk::Act { token, round }),
        Ask::Hand(table, to) => (table, TableAsk::Hand(to)),
        Ask::Why(table, token) => (table, TableAsk::Why(token)),
        Ask::Chronicle(table, from) => (table, TableAsk::Chronicle(from)),
        other => return ask_node(node, other, reply),
    };
    node.ask_table(&table, ask, |answer| reply(answer.map(|answer| told(&answer))));
}

/// What a table answered, for the page.
fn told(reply: &TableReply) -> Value {
    match reply {
        TableReply::Why(why) => json!({ "text": why.as_ref().map(Text::to_json) }),
        TableReply::Chronicle(parts) => json!({ "parts": parts }),
        _ => json!({}),
    }
}

/// What the node answered, for the page.
fn shown(reply: Reply) -> Value {
    match reply {
        Reply::Done => json!({}),
        Reply::Table(id) => json!({ "table": id }),
        Reply::Invite(text, until) => json!({ "text": text, "until": until }),
    }
}

fn ask_node(node: &Node, ask: Ask, reply: impl FnOnce(Answer) + Send + 'static) {
    let answer = match ask {
        Ask::Replay(table, seat) => {
            node.replay(&table, seat).map(|(shown, me)| json!({ "pictures": pictures(&shown), "me": me.0 }))
        }
        Ask::Bridge(what, message) => bridge::carry_out(node, &what, &message),
        lobby @ (Ask::Lobby(..) | Ask::Open) => {
            let (is_open, shows) = (matches!(lobby, Ask::Open), node.clone());
            return node.ask(lobby, move |answer| {
                let open = answer.map(|_| shows.open_json());
                reply(open.map(|open| if is_open { json!({ "open": open }) } else { open }));
            });
        }
        // Nothing is sent about a table that has begun: the page watches it.
        begin @ Ask::Begin(_) => return node.ask(begin, |answer| reply(answer.map(|_| json!({})))),
        other => return node.ask(other, |answer| reply(answer.map(shown))),
    };
    reply(answer);
}

/// A replay, for the page.
pub fn pictures(pictures: &[Picture]) -> Vec<Value> {
    let lines = |lines: &[Text]| lines.iter().map(Text::to_json).collect::<Vec<_>>();
    pictures.iter().map(|p| json!({ "round": p.round, "view": p.view, "lines": lines(&p.lines) })).collect()
}
