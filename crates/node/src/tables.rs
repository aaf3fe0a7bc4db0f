//! The tables that this node knows, open and past: what is stored about each, what lists show of it, and its chat. The games themselves run
//! elsewhere ([`crate::table`]) and report.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use outis_game::ending::Ending;
use outis_table::entry::Place;
use outis_table::offer::Offer;
use outis_table::seats::Seats;
use outis_table::{Seat, TableId};
use serde_json::{Value, json};

use crate::ask::TableName;
use crate::names::{Key, hex};
use crate::say::ChairTold;
use crate::table::{Glance, Outcome};
use crate::table_info::{Kind, TableInfo};

/// How many lines of chat are kept.
const KEPT_CHAT: usize = 200;
/// For how long, in milliseconds, a node that was away is told that this node left a table; and of how many tables.
const LATELY: u64 = 7 * 24 * 3_600_000;
const MAX_LEFT: usize = 16;
/// How many deleted games are remembered for that.
const MAX_DELETED: usize = 64;

/// A line of chat.
#[derive(Clone, Debug)]
pub struct ChatLine {
    /// The player's seat.
    pub seat: Seat,
    /// The text, made harmless.
    pub text: String,
    /// When it came, in milliseconds since 1970.
    pub at: u64,
}

impl ChatLine {
    /// For the page.
    pub fn to_json(&self) -> Value {
        json!({ "seat": self.seat.0, "text": self.text, "at": self.at })
    }
}

/// A table that is open here.
pub struct OpenTable {
    /// What is stored about it.
    pub about: TableInfo,
    /// Its id in its log.
    pub log: TableId,
    /// What it reported last.
    pub glance: Glance,
    /// The result, while a question is open that cannot change it.
    pub decided: Option<Outcome>,
    /// How the game ends if the person leaves, while that is being written.
    pub leaving: Option<Outcome>,
    /// In a correspondence game: for each entry of this node's seats, the seats to which it is on its way, until these are all of them.
    posting: BTreeMap<Place, Seats>,
    /// The chat.
    said: VecDeque<ChatLine>,
    /// The seats that are muted.
    pub muted: Seats,
    /// The seats whose players want another game.
    pub rematch: Seats,
}

impl OpenTable {
    fn new(about: TableInfo, log: TableId) -> Self {
        let (glance, said) = (Glance::default(), VecDeque::new());
        let (muted, rematch) = (Seats::NONE, Seats::NONE);
        let posting = BTreeMap::new();
        Self { about, log, glance, decided: None, leaving: None, posting, said, muted, rematch }
    }

    /// Whether a player sits at another machine.
    pub fn has_peers(&self) -> bool {
        !self.about.is_local()
    }

    /// Whether a node speaks for a seat (INV-3).
    pub fn speaks_for(&self, home: &Key, seat: Seat) -> bool {
        self.about.speaks_for(home, seat)
    }

    /// The seat of the person at a node: the one that has the node's own key.
    pub fn person_of(&self, home: &Key) -> Option<Seat> {
        let chairs = (0u8..).zip(&self.about.seats);
        let is_it = |seat: u8, key: &Key| key == home && self.speaks_for(home, Seat(seat));
        chairs.into_iter().find(|(seat, chair)| is_it(*seat, &chair.key)).map(|(seat, _)| Seat(seat))
    }

    /// In a correspondence game: an entry of one of this node's seats is on its way to another seat. Returns whether that changes what is
    /// stored.
    pub fn is_posted(&mut self, place: Place, to: Seat) -> bool {
        if place.round < self.about.posted(place.seat) {
            return false;
        }
        let chairs = (0u8..).zip(&self.about.seats);
        let elsewhere: Seats = chairs.filter(|(_, c)| c.kind == Kind::Peer).map(|(seat, _)| Seat(seat)).collect();
        let reached = self.posting.entry(place).or_insert(Seats::NONE);
        reached.insert(to);
        if !elsewhere.without(*reached).is_empty() {
            return false;
        }
        self.posting.retain(|posting, _| posting.seat != place.seat || posting.round > place.round);
        self.about.post(place.seat, place.round.saturating_add(1))
    }

    /// A player writes a line of chat; returns it, unless they are muted.
    pub fn say(&mut self, seat: Seat, text: String, at: u64) -> Option<ChatLine> {
        if text.is_empty() || self.muted.contains(seat) {
            return None;
        }
        let line = ChatLine { seat, text, at };
        self.said.push_back(line.clone());
        while self.said.len() > KEPT_CHAT {
            self.said.pop_front();
        }
        Some(line)
    }

    /// A player wants another game; returns whether that is new.
    pub fn wants_again(&mut self, seat: Seat) -> bool {
        let is_new = !self.rematch.contains(seat);
        self.rematch.insert(seat);
        is_new
    }

    /// The chat, for the page.
    pub fn chat(&self) -> Vec<Value> {
        self.said.iter().map(ChatLine::to_json).collect()
    }

    /// The person at a node has left for good; returns their seat if that is new. After the end of the game, leaving is nothing new.
    pub fn leaves(&mut self, home: &Key) -> Option<Seat> {
        let seat = self.person_of(home).filter(|seat| !self.about.left.contains(*seat) && self.about.end.is_none())?;
        let seats = (0..self.about.seats.len() as u8).map(Seat);
        let theirs: Vec<Seat> = seats.filter(|seat| self.speaks_for(home, *seat)).collect();
        theirs.into_iter().for_each(|seat| self.about.left.insert(seat));
        Some(seat)
    }

    /// The host says where the players at the table may be found by now; returns whether that is new.
    pub fn renew(&mut self, host: &Key, told: &[ChairTold]) -> bool {
        let about = &mut self.about;
        let is_host = !about.host && about.seats.first().is_some_and(|chair| chair.home == *host);
        if !is_host || about.seats.len() != told.len() {
            return false;
        }
        let mut changed = false;
        for (chair, told) in about.seats.iter_mut().zip(told).filter(|(chair, _)| chair.kind == Kind::Peer) {
            if let Some(address) = told.address.as_ref().filter(|_| told.home == Some(chair.home))
                && !address.is_empty()
                && *address != chair.address
            {
                chair.address.clone_from(address);
                changed = true;
            }
        }
        changed
    }
}

/// All tables that a node knows.
#[derive(Default)]
pub struct Tables {
    open: BTreeMap<TableName, OpenTable>,
    past: BTreeMap<TableName, TableInfo>,
    /// Tables that continued after a bug in the program: each may do so once.
    revived: BTreeSet<TableName>,
    /// Games that were deleted in this run, where other nodes may still wait for this one.
    deleted: VecDeque<TableInfo>,
}

impl Tables {
    /// Starts with these past games.
    pub fn of_past(past: impl IntoIterator<Item = TableInfo>) -> Self {
        let past = past.into_iter().map(|about| (about.id.clone(), about)).collect();
        Self { past, ..Self::default() }
    }

    /// A table begins, or continues.
    pub fn open(&mut self, about: TableInfo, log: TableId) {
        let id = about.id.clone();
        let mut table = OpenTable::new(about, log);
        if let Some(before) = self.open.remove(&id) {
            (table.said, table.muted, table.rematch) = (before.said, before.muted, before.rematch);
            table.leaving = before.leaving;
        }
        self.open.insert(id, table);
    }

    /// What is known of an open table.
    pub fn get(&self, id: &str) -> Option<&OpenTable> {
        self.open.get(id)
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, id: &str) -> Option<&mut OpenTable> {
        self.open.get_mut(id)
    }

    /// All open tables.
    pub fn iter(&self) -> impl Iterator<Item = &OpenTable> {
        self.open.values()
    }

    /// The tables with others that are played at once, and at which somebody was heard since the program was started.
    pub fn attended(&self) -> impl Iterator<Item = &str> {
        let is_attended = |open: &&OpenTable| open.has_peers() && open.glance.hears && open.about.end.is_none();
        self.open.values().filter(is_attended).map(|open| &*open.about.id)
    }

    /// How many are open.
    pub fn count(&self) -> usize {
        self.open.len()
    }

    /// What is stored about a table, open or past.
    pub fn about(&self, id: &str) -> Option<&TableInfo> {
        self.open.get(id).map(|open| &open.about).or_else(|| self.past.get(id))
    }

    /// The open table with this id in its log.
    pub fn find(&self, log: TableId) -> Option<&OpenTable> {
        self.open.values().find(|open| open.log == log)
    }

    /// The name on this machine of the table with this id in its log, open or past.
    pub fn named(&self, log: TableId) -> Option<TableName> {
        let past = || self.past.values().find(|about| Offer::id_of(&about.offer) == log);
        self.find(log).map(|open| &open.about).or_else(past).map(|about| about.id.clone())
    }

    /// Removes a table.
    pub fn close(&mut self, id: &str) {
        self.open.remove(id);
    }

    /// What the disk should have about a table. Once the disk has the log, this says that the person leaves, before anyone is told.
    pub fn kept(&self, id: &str, has_log: bool) -> Option<TableInfo> {
        let mut about = self.about(id)?.clone();
        let leaving = self.open.get(id).and_then(|open| open.leaving.clone()).filter(|_| has_log);
        leaving.into_iter().for_each(|outcome| about.end(outcome));
        Some(about)
    }

    /// Ends a table, and returns what is stored about it.
    pub fn end(&mut self, id: &str, outcome: Outcome) -> Option<TableInfo> {
        let open = self.open.get_mut(id)?;
        open.about.end(outcome);
        (open.decided, open.leaving) = (None, None);
        self.past.insert(id.to_owned(), open.about.clone());
        Some(open.about.clone())
    }

    /// A bug in the program ended a table in memory; returns whether the table may continue.
    pub fn may_revive(&mut self, id: &str) -> bool {
        self.revived.insert(id.to_owned())
    }

    /// A table cannot continue: it is over.
    pub fn over(&mut self, id: &str, at: u64) {
        if let Some(open) = self.open.get_mut(id) {
            (open.about.end, open.about.ended) = (Some(Ending::Local), Some(at));
            self.past.insert(id.to_owned(), open.about.clone());
        }
    }

    /// All games that are over.
    pub fn past(&self) -> impl Iterator<Item = &TableInfo> {
        self.past.values()
    }

    /// Whether a game is over.
    pub fn is_past(&self, id: &str) -> bool {
        self.past.contains_key(id)
    }

    /// Removes and returns a past game, if there is one.
    pub fn forget(&mut self, id: &str) -> Option<TableInfo> {
        let about = self.past.remove(id)?;
        self.open.remove(id);
        if about.days.is_some() || is_left(&about) && !about.is_local() {
            self.deleted.push_back(about.clone());
            self.deleted.drain(..self.deleted.len().saturating_sub(MAX_DELETED));
        }
        Some(about)
    }

    /// Puts a past game back.
    pub fn restore(&mut self, about: TableInfo) {
        self.deleted.retain(|deleted| deleted.id != about.id);
        self.past.insert(about.id.clone(), about);
    }

    /// Whether a node sits at an open table. A node that sat at a finished table may still need this node's last signature, or have to
    /// learn that this node left.
    pub fn knows(&self, key: &Key, wall: u64) -> bool {
        let sits = |open: &OpenTable| open.has_peers() && open.about.seats.iter().any(|chair| chair.home == *key);
        let was_left = |about: &TableInfo| was_left_lately(about, key, wall);
        self.open.values().any(sits) || self.had_letters_with(key) || self.all_past().any(was_left)
    }

    /// The latest tables that this node left recently and where that node sat: it may have been away, and may wait there.
    pub fn left_with(&self, home: &Key, wall: u64) -> Vec<TableInfo> {
        let mut left: Vec<_> = self.all_past().filter(|about| was_left_lately(about, home, wall)).collect();
        left.sort_by_key(|about| std::cmp::Reverse(about.ended));
        left.truncate(MAX_LEFT);
        left.into_iter().cloned().collect()
    }

    /// The nodes to link with, and where they may be found: first what each says of itself (a host, and this node's guests), then what a
    /// host says of others. A node whose player has left is not called.
    pub fn wanted(&self) -> Vec<(Key, Vec<u8>)> {
        let played = self.open.values().map(|open| &open.about).filter(|about| about.end.is_none());
        let chairs = played.flat_map(|about| {
            let host = about.seats.first().map(|chair| chair.home);
            let peers = about.seats.iter().filter(|chair| chair.kind == Kind::Peer && !about.has_left(&chair.home));
            peers.map(move |chair| (!about.host && Some(chair.home) != host, chair))
        });
        let mut wanted: Vec<_> = chairs.collect();
        wanted.sort_by_key(|(is_hearsay, _)| *is_hearsay);
        wanted.into_iter().map(|(_, chair)| (chair.home, chair.address.clone())).collect()
    }

    /// The tables in play that this node hosts and where other nodes sit.
    pub fn hosted(&self) -> Vec<TableInfo> {
        let hosted = |open: &&OpenTable| open.about.host && open.about.end.is_none() && open.has_peers();
        self.open.values().filter(hosted).map(|open| open.about.clone()).collect()
    }

    /// Whether a node sits at one of this node's correspondence games.
    pub fn has_letters_with(&self, key: &Key) -> bool {
        self.open.values().any(|open| is_letter_of(&open.about, key))
    }

    /// Whether a node sat with this one in a correspondence game that is over: it may not know that yet.
    fn had_letters_with(&self, home: &Key) -> bool {
        self.all_past().any(|about| is_letter_of(about, home))
    }

    /// The past games, including deleted ones.
    fn all_past(&self) -> impl Iterator<Item = &TableInfo> {
        self.past.values().chain(&self.deleted)
    }

    /// Whether a node sat with this one in this correspondence game, which is over here and is closed, or which this node stopped waiting
    /// in.
    pub fn is_over_for(&self, home: &Key, log: TableId) -> bool {
        let is_open = self.find(log).is_some();
        self.letters_with(home, log).any(|about| !is_open || about.end == Some(Ending::Silence))
    }

    /// Whether a node sat with this one at this table, and it was a correspondence game.
    pub fn was_letter_table(&self, home: &Key, log: TableId) -> bool {
        self.letters_with(home, log).next().is_some()
    }

    fn letters_with(&self, home: &Key, log: TableId) -> impl Iterator<Item = &TableInfo> {
        // Any peer may ask for any table, as often as it likes: so the offer is hashed, not decoded.
        let is_it = move |about: &TableInfo| Offer::id_of(&about.offer) == log;
        let home = *home;
        self.all_past().filter(move |about| is_letter_of(about, &home) && is_it(about))
    }

    /// The tables that are in play or have just ended, for the page's list.
    pub fn summaries(&self) -> Vec<Value> {
        let summary = |open: &OpenTable| {
            let about = &open.about;
            let is_over = about.end.is_some() || open.decided.is_some();
            let turn = !about.watch && !is_over && open.glance.turn;
            json!({ "table": about.id, "game": about.game, "turn": turn, "practice": about.crook().is_some(), "since": about.began,
                    "phase": if is_over { "over" } else { "playing" },
                    "names": about.seats.iter().map(|chair| &chair.name).collect::<Vec<_>>() })
        };
        self.open.values().map(summary).collect()
    }

    /// The past games, newest first, for the page; including games that are decided while a question is open that cannot change the result.
    pub fn past_json(&self) -> Value {
        let decided = |open: &OpenTable| {
            let mut about = open.about.clone();
            open.decided.clone().map(|outcome| about.end(outcome)).map(|()| about)
        };
        let mut games: Vec<TableInfo> = self.open.values().filter_map(decided).collect();
        games.extend(self.past.values().cloned());
        games.sort_by_key(|about| std::cmp::Reverse(about.ended));
        let game = |about: TableInfo| {
            json!({ "table": about.id, "game": about.game, "me": (!about.watch && !about.is_shared()).then_some(about.own.0),
                    "people": about.people().iter().map(|seat| seat.0).collect::<Vec<_>>(), "grade": about.grade().map(outis_table::game::Grade::name),
                    "names": about.seats.iter().map(|chair| &chair.name).collect::<Vec<_>>(),
                    "began": about.began, "ended": about.ended, "scores": about.scores, "end": about.end,
                    "rounds": about.rounds, "head": about.head, "practice": about.crook().is_some(), "bots": about.is_local() })
        };
        games.into_iter().map(game).collect()
    }

    /// The correspondence games: who is to move in each, and whether it is the person's turn.
    pub fn letters_json(&self) -> Value {
        let table = |open: &OpenTable| {
            let about = &open.about;
            let named = |seat: Seat| about.seats.get(usize::from(seat.0)).map(|chair| &chair.name);
            let missing = open.glance.missing.iter().filter(|seat| *seat != about.own);
            let waits: Vec<&String> = missing.filter_map(named).collect();
            let left: Vec<&String> = about.left.iter().filter_map(named).collect();
            about.days.map(|days| {
                json!({ "table": about.id, "game": about.game, "days": days, "turn": open.glance.turn, "end": about.end,
                        "waits": waits, "left": left, "until": about.until(),
                        "names": about.seats.iter().map(|chair| &chair.name).collect::<Vec<_>>(),
                        "log": hex(&open.log.0) })
            })
        };
        self.open.values().filter_map(table).collect()
    }
}

/// Whether this node stopped playing at a table recently, and that node sat there.
fn was_left_lately(about: &TableInfo, home: &Key, wall: u64) -> bool {
    let is_late = about.ended.is_some_and(|at| wall < at.saturating_add(LATELY));
    is_left(about) && is_late && about.peers().contains(home)
}

/// Whether this node plays no more at a table, which need not be over for the others. Whoever waits no longer for them has left, too: their
/// programs may have been down, and a claim is said only by a table that is open.
fn is_left(about: &TableInfo) -> bool {
    matches!(about.end, Some(Ending::Left | Ending::RolledBack | Ending::Local | Ending::Silence))
}

/// Whether this is a correspondence game at which that node sat.
fn is_letter_of(about: &TableInfo, home: &Key) -> bool {
    about.days.is_some() && about.seats.iter().any(|chair| chair.kind == Kind::Peer && chair.home == *home)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::crashes::Machine;

    /// A table that this node hosts, with a player at another machine; and that player's key.
    fn hosted() -> (Tables, Key, TableId) {
        let game = outis_catalogue::game("matching-pennies").unwrap();
        let kind = |seat| if seat == 0 { Kind::You } else { Kind::Peer };
        let machine = Machine::new(game, &[], kind);
        let (mut tables, log) = (Tables::default(), machine.offer.id());
        let other = machine.info.seats[1].home;
        tables.open(machine.info, log);
        (tables, other, log)
    }

    fn ids(left: &[TableInfo]) -> Vec<TableId> {
        left.iter().map(|about| Offer::id_of(&about.offer)).collect()
    }

    #[test]
    fn a_node_speaks_for_its_own_seats() {
        let (tables, other, log) = hosted();
        let open = tables.find(log).unwrap();
        assert!(open.speaks_for(&other, Seat(1)));
        assert!(!open.speaks_for(&other, Seat(0)) && !open.speaks_for(&other, Seat(9)));
        assert!(!open.speaks_for(&Key([9; 32]), Seat(1)), "a stranger");
        assert_eq!(open.person_of(&other), Some(Seat(1)));
    }

    #[test]
    fn leaving_is_told_once_and_not_after_the_end() {
        let (mut tables, other, _) = hosted();
        assert_eq!(tables.get_mut("table").unwrap().leaves(&Key([9; 32])), None);
        assert_eq!(tables.get_mut("table").unwrap().leaves(&other), Some(Seat(1)));
        assert_eq!(tables.get_mut("table").unwrap().leaves(&other), None, "once");
        assert!(tables.about("table").unwrap().has_left(&other));
        assert!(tables.wanted().is_empty(), "nobody calls who has left");
        let (mut tables, other, log) = hosted();
        let outcome = Outcome { end: Ending::Left, at: 7, scores: None, rounds: 3, head: String::new() };
        assert!(tables.end("table", outcome).is_some_and(|about| about.ended == Some(7)));
        assert_eq!(tables.get_mut("table").unwrap().leaves(&other), None, "it is over");
        assert!(tables.is_past("table") && tables.hosted().is_empty() && tables.wanted().is_empty());
        assert!(tables.knows(&other, 7), "it may still need our last signature");
        tables.close("table");
        assert!(tables.knows(&other, 7) && ids(&tables.left_with(&other, 7)) == [log], "it may not have heard of it");
        assert!(!tables.knows(&Key([9; 32]), 7) && tables.left_with(&Key([9; 32]), 7).is_empty());
        assert!(!tables.knows(&other, 7 + LATELY) && tables.left_with(&other, 7 + LATELY).is_empty(), "not for ever");
    }

    /// Whoever was given up on hears at least that: while the table is still shown, when it is closed, and after a restart.
    #[test]
    fn a_player_who_was_given_up_on_hears_of_it() {
        let (mut tables, other, log) = hosted();
        let outcome = Outcome { end: Ending::Silence, at: 7, scores: None, rounds: 3, head: String::new() };
        tables.end("table", outcome);
        let restarted = Tables::of_past(tables.past().cloned());
        let shown = ids(&tables.left_with(&other, 7));
        tables.close("table");
        assert_eq!(
            (shown, ids(&tables.left_with(&other, 7)), ids(&restarted.left_with(&other, 7))),
            (vec![log], vec![log], vec![log])
        );
        assert!(tables.knows(&other, 7) && restarted.knows(&other, 7));
    }

    /// What a node says of itself comes first, whatever another host says of it, and whatever the order of the tables' names.
    #[test]
    fn ones_own_word_comes_before_hearsay() {
        let (first, other, log) = hosted();
        let about = first.about("table").unwrap().clone();
        for (own, hearsay) in [("a", "b"), ("b", "a")] {
            let mut tables = Tables::default();
            let mut ours = about.clone();
            (ours.id, ours.seats[1].address) = (own.into(), b"own".to_vec());
            tables.open(ours, log);
            let mut theirs = about.clone();
            (theirs.id, theirs.host, theirs.seats[1].address) = (hearsay.into(), false, b"hearsay".to_vec());
            theirs.seats[0].home = Key([9; 32]);
            tables.open(theirs, TableId([9; 32]));
            let of_other = tables.wanted().into_iter().filter(|(home, _)| *home == other).map(|(_, at)| at);
            assert_eq!(of_other.collect::<Vec<_>>(), [b"own".to_vec(), b"hearsay".to_vec()]);
        }
    }

    #[test]
    fn addresses_come_from_the_host_alone() {
        let (mut tables, other, _) = hosted();
        let told = |address: &[u8]| {
            let chair =
                |home| ChairTold { name: String::new(), bot: false, home: Some(home), address: Some(address.to_vec()) };
            vec![chair(Key([0; 32])), chair(other)]
        };
        let open = tables.get_mut("table").unwrap();
        assert!(!open.renew(&other, &told(b"there")), "we host it");
        open.about.host = false;
        open.about.seats.swap(0, 1);
        let told = |address: &[u8]| told(address).into_iter().rev().collect::<Vec<_>>();
        assert!(!open.renew(&Key([9; 32]), &told(b"there")), "not a guest's business");
        assert!(open.renew(&other, &told(b"there")) && !open.renew(&other, &told(b"there")), "once");
        assert!(!open.renew(&other, &told(b"")), "nothing is no address");
        assert_eq!(open.about.seats[0].address, b"there");
    }

    #[test]
    fn what_is_said_is_bounded_and_outlives_a_mistake() {
        let (mut tables, _, log) = hosted();
        let open = tables.get_mut("table").unwrap();
        for i in 0..KEPT_CHAT + 5 {
            assert!(open.say(Seat(1), format!("{i}"), 0).is_some());
        }
        assert!(open.say(Seat(1), String::new(), 0).is_none());
        open.muted.insert(Seat(1));
        assert!(open.say(Seat(1), "hush".into(), 0).is_none());
        assert_eq!((open.chat().len(), &open.chat()[0]["text"]), (KEPT_CHAT, &json!("5")));
        let about = open.about.clone();
        assert!(tables.may_revive("table") && !tables.may_revive("table"));
        tables.open(about, log);
        assert_eq!(tables.get("table").unwrap().chat().len(), KEPT_CHAT);
    }
}
