//! What a page shows of a waiting table.
#![expect(
    clippy::indexing_slicing,
    reason = "fields of JSON: one that is missing reads as null, and what is written to was made here"
)]

use outis_table::game::Grade;
use serde_json::{Value, json};

use super::{Gathering, Guest, Host, Own, Room, SeatState, Ticket};
use crate::invite::{Invite, promise};
use crate::names::{Key, hex, spoken};
use crate::seating;
use crate::view::Link;

impl Gathering {
    /// For the list of tables.
    pub fn summaries(&self) -> Vec<Value> {
        let summary = |(id, room): (&String, &Room)| match room {
            Room::Host(host) => {
                let guests = host.seats.iter().filter_map(|seat| match seat {
                    SeatState::Guest { name, .. } => Some(name),
                    _ => None,
                });
                json!({ "table": id, "game": host.game, "phase": "gathering", "names": guests.collect::<Vec<_>>(),
                        "turn": host.is_ready(), "since": host.since })
            }
            Room::Guest(guest) => {
                let welcome = guest.welcome.as_ref();
                json!({ "table": id, "game": welcome.map(|w| &w.game), "turn": false, "phase": "gathering",
                        "names": welcome.map(|w| &w.host_name).into_iter().collect::<Vec<_>>(), "since": guest.since })
            }
        };
        self.rooms.iter().map(summary).collect()
    }

    /// A waiting table, for the page.
    pub fn state(&self, own: Own<'_>, id: &str, link: &dyn Fn(&Key) -> Link) -> Option<Value> {
        let describe = |key: &Key| match link(key) {
            Link::Here => "here",
            Link::Left => "left",
            Link::Connecting => "connecting",
            Link::Away(_) => "away",
        };
        let mut state = match self.rooms.get(id)? {
            Room::Host(host) => {
                let seats: Vec<Value> = (0u8..)
                    .zip(&host.seats)
                    .map(|(seat, place)| Host::describe(seat, place, own.name, &describe))
                    .collect();
                json!({ "game": host.game, "dials": host.dials, "me": 0, "host": true, "seats": seats,
                        "ready": host.is_ready(), "invites": host.open_invites(own),
                        "grade": Grade::of(&host.parameters).map(Grade::name) })
            }
            Room::Guest(guest) => {
                let welcome = guest.welcome.as_ref();
                let seats = guest.describe(own.name, describe(&guest.invite.host));
                json!({ "game": welcome.map(|w| &w.game), "dials": welcome.map(|w| &w.dials), "me": welcome.map(|w| w.seat),
                        "host": false, "seats": seats, "ready": false, "invites": [],
                        "grade": welcome.and_then(|w| Grade::of(&w.parameters)).map(Grade::name) })
            }
        };
        state["again"] = json!(match self.rooms.get(id)? {
            Room::Host(host) => host.again.is_some(),
            Room::Guest(guest) => guest.again.is_some(),
        });
        state["table"] = json!(id);
        state["phase"] = json!("gathering");
        state["days"] = json!(match self.rooms.get(id)? {
            Room::Host(host) => host.days,
            Room::Guest(guest) => guest.days,
        });
        for empty in ["view", "expects", "report", "scores"] {
            state[empty] = Value::Null;
        }
        for empty in ["lines", "actions"] {
            state[empty] = json!([]);
        }
        Some(state)
    }
}

impl Guest {
    /// The seats as this guest sees them: its own, the host's with the safety words, and what the host says about the others.
    fn describe(&self, own: &str, link: &str) -> Vec<Value> {
        let host = json!({ "seat": 0, "kind": "peer", "name": "", "ready": true });
        let mut seats = if self.seats.is_empty() { vec![host] } else { self.seats.clone() };
        let mine = self.welcome.as_ref().map(|welcome| usize::from(welcome.seat));
        for (i, seat) in seats.iter_mut().enumerate() {
            if Some(i) == mine {
                (seat["kind"], seat["name"]) = (json!("you"), json!(own));
            } else if i == 0 {
                (seat["compare"], seat["link"]) = (json!(self.words()), json!(link));
            }
        }
        seats
    }
}

impl Host {
    /// Invites that are unused and on the disk, ready to send, with the current addresses. The newest comes last.
    fn open_invites(&self, own: Own<'_>) -> Vec<Value> {
        let Some(address) = own.invite_address() else { return Vec::new() };
        let (host, now) = (own.key(), own.seconds());
        let open = self.invites.iter().filter(|t| t.used.is_none() && t.until > now && t.only.is_none() && !t.unsaved);
        let text = |ticket: &Ticket| {
            let (until, secret, promise) = (ticket.until, ticket.secret, promise(&ticket.number));
            let invite = Invite { until, host, secret, promise, address: address.clone() };
            json!({ "text": invite.to_text(), "until": u64::from(until) * 1_000 })
        };
        open.map(text).collect()
    }

    fn describe(seat: u8, place: &SeatState, own: &str, link: &dyn Fn(&Key) -> &'static str) -> Value {
        match place {
            SeatState::Open => json!({ "seat": seat, "kind": "open", "name": "", "ready": false, "link": "away" }),
            SeatState::Ours => json!({ "seat": seat, "kind": "you", "name": own, "ready": true, "link": "here" }),
            SeatState::Bot(level) => {
                json!({ "seat": seat, "kind": "bot", "name": seating::bot_name(seat, &[own]), "level": level,
                                         "ready": true, "link": "here" })
            }
            SeatState::Guest { key, name, compare, .. } => {
                json!({ "seat": seat, "kind": "peer", "name": name, "key": hex(&key.0), "words": spoken(&key.0[..6]),
                        "compare": compare, "ready": true, "link": link(key) })
            }
        }
    }
}
