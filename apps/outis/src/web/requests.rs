//! The page's requests and their results; [`outis_node::ask`] has their types.

use outis_node::ask::Ask;
use outis_node::pages;
use outis_node::table::TableAsk;
use serde_json::json;

use super::bridge;
use crate::bridge::evenings::Evenings;
use crate::lab;
use crate::machine::drive::{Answer, Node, sorry};

/// Carries out a request and answers at once, or when a table has answered. The socket handles watching itself.
pub fn carry_out(node: &Node, evenings: &Evenings, ask: Ask, reply: impl FnOnce(Answer) + Send + 'static) {
    let (table, ask) = match ask {
        Ask::Act(table, token, round) => (table, TableAsk::Act { token, round }),
        Ask::Hand(table, to) => (table, TableAsk::Hand(to)),
        Ask::Why(table, token) => (table, TableAsk::Why(token)),
        Ask::Chronicle(table, from) => (table, TableAsk::Chronicle(from)),
        Ask::Bridge(what, message) => return reply(bridge::carry_out(evenings, &what, &message)),
        Ask::Lab(wanted) => return experiment(wanted, reply),
        other => return ask_node(node, other, reply),
    };
    node.ask_table(&table, ask, |answer| reply(answer.map(|answer| pages::of_table(&answer))));
}

/// The laboratory. An attack takes its time, and the node must not wait for it.
fn experiment(wanted: Option<(String, String)>, reply: impl FnOnce(Answer) + Send + 'static) {
    let Some((experiment, version)) = wanted else { return reply(Ok(lab::list())) };
    std::thread::spawn(move || reply(lab::run_once(&experiment, &version).ok_or_else(|| sorry("request"))));
}

fn ask_node(node: &Node, ask: Ask, reply: impl FnOnce(Answer) + Send + 'static) {
    let answer = match ask {
        Ask::Replay(table, seat) => {
            node.replay(&table, seat).map(|(shown, me)| json!({ "pictures": pages::pictures(&shown), "me": me.0 }))
        }
        lobby @ (Ask::Lobby(..) | Ask::Open) => {
            let (is_open, shows) = (matches!(lobby, Ask::Open), node.clone());
            return node.ask(lobby, move |answer| {
                let open = answer.map(|_| shows.open_json());
                reply(open.map(|open| if is_open { json!({ "open": open }) } else { open }));
            });
        }
        // The answer says nothing about a table that has begun: the page watches it.
        begin @ Ask::Begin(_) => return node.ask(begin, |answer| reply(answer.map(|_| json!({})))),
        other => return node.ask(other, |answer| reply(answer.map(pages::of_node))),
    };
    reply(answer);
}
