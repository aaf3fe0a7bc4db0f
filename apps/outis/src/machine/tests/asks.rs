//! Requests that tests make of a node and wait for.

use std::time::Duration;

use outis_game::Game;
use outis_meeting::notice::{Notice, SeatClaim, Signed};
use outis_meeting::parcel::Parcel;
use outis_node::ask::{Ask, Start};
use outis_node::gathering::Openings;
use outis_node::node::Reply;
use outis_node::seating::Plan;
use outis_node::table::TableAsk;
use outis_node::table_info::{Pace, TableInfo};
use outis_table::Seat;
use outis_table::game::Grade;
use serde_json::Value;

use crate::machine::drive::{Answer, Node, sorry};
use outis_node::names::Key;
use outis_node::say::Say;

impl Node {
    pub fn start(&self, game: &'static dyn Game, plan: &Plan) -> Answer<String> {
        let Plan { dials, grade, people, bots, pace, watch, crook } = plan.clone();
        let dials = (!dials.is_empty()).then_some(dials);
        let seats = game
            .choose(grade, dials.as_deref().unwrap_or(&outis_node::seating::usual(game, grade)))
            .map_or(0, |(_, seats)| seats);
        if people.is_empty() || people.len() + bots.len() != usize::from(seats) {
            // Otherwise the table would wait for guests.
            return Err(sorry("choices"));
        }
        let (name, beside) = (people[0].clone(), (people.len() > 1).then(|| people[1..].to_vec()));
        let (game, grade) = (game.name().to_owned(), Some(grade.name().to_owned()));
        self.ask_for_table(Ask::Start(Box::new(Start { game, dials, grade, bots, pace, name, beside, watch, crook })))
    }

    pub fn gather(&self, game: &str, dials: Vec<i64>, grade: Grade, bots: &[u8], pace: Pace) -> Answer<String> {
        let dials = (!dials.is_empty()).then_some(dials);
        let (grade, bots) = (Some(grade.name().to_owned()), bots.to_vec());
        self.ask_for_table(Ask::Start(Box::new(Start { dials, grade, bots, pace, ..Start::of_game(game) })))
    }

    pub fn rematch(&self, id: &str) -> Answer<Option<String>> {
        self.ask_for_table(Ask::Rematch(id.to_owned())).map(Some)
    }

    pub fn forget(&self, id: &str) -> Answer<()> {
        self.ask_and_wait(Ask::Forget(id.to_owned())).map(drop)
    }

    pub fn chat(&self, id: &str, text: &str) -> Answer<()> {
        self.ask_and_wait(Ask::Chat(id.to_owned(), text.to_owned())).map(drop)
    }

    pub fn stop_waiting(&self, id: &str) -> Answer<()> {
        self.ask_and_wait(Ask::Wait(id.to_owned())).map(drop)
    }

    pub fn hand(&self, id: &str, to: Option<Seat>) -> Answer<()> {
        self.ask_table_and_wait(id, TableAsk::Hand(to)).map(drop).map_err(|refused| refused.text())
    }

    pub fn about(&self, id: &str) -> Answer<TableInfo> {
        let about = self.look(|core, _| core.tables().get(id).map(|open| open.about.clone()));
        about.ok_or_else(|| sorry("table"))
    }

    pub fn open_names(&self) -> Vec<String> {
        self.look(|core, _| core.tables().iter().map(|open| open.about.id.clone()).collect())
    }

    pub fn past_games(&self) -> Vec<TableInfo> {
        self.look(|core, _| core.tables().past().cloned().collect())
    }

    pub fn past_json(&self) -> Value {
        self.look(|core, _| core.tables().past_json())
    }

    pub fn tables_json(&self) -> Value {
        self.look(|core, _| core.tables_json())
    }

    pub fn letters_json(&self) -> Value {
        self.look(|core, _| core.tables().letters_json())
    }

    pub fn chat_json(&self, id: &str) -> Vec<Value> {
        self.look(|core, _| core.tables().get(id).map(|open| open.chat()).unwrap_or_default())
    }

    pub fn openings(&self, id: &str) -> Option<Openings> {
        self.look(|core, _| core.gathering().openings(id))
    }

    pub fn set_lobby(&self, text: Option<&str>) -> Answer<()> {
        self.ask_and_wait(Ask::Lobby(Some(text.map(str::to_owned)), None)).map(drop)
    }

    /// Sets when the node disconnects from a quiet lobby and how often it connects to look for messages.
    pub fn set_line_policy(&self, quiet: Duration, look_in: Duration) {
        self.with(|core, _| core.set_line_policy(quiet.as_millis() as u64, look_in.as_millis() as u64));
    }

    pub fn unpublish(&self, id: &str) -> Answer<()> {
        self.ask_and_wait(Ask::Unpublish(id.to_owned())).map(drop)
    }

    pub fn block(&self, key: Key, name: &str, on: bool) -> Answer<()> {
        self.ask_and_wait(Ask::Block(key, name.to_owned(), on)).map(drop)
    }

    pub fn quick(&self, game: &str, dials: Vec<i64>) -> Answer<String> {
        match self.wait_for(|core, ask, rng| core.quick_match(ask, game, dials, rng))? {
            Reply::Table(id) => Ok(id),
            _ => Err(sorry("table")),
        }
    }

    pub fn board(&self) -> Vec<Signed<Notice>> {
        self.look(|core, _| core.lobby().board())
    }

    pub fn meeting_state(&self) -> Answer<bool> {
        self.look(|core, _| core.lobby().state())
    }

    /// Number of messages that may be sent now.
    pub fn letters_to_send(&self) -> usize {
        self.look(|core, _| core.outbox().ready().count())
    }

    pub fn is_shelved(&self, id: &str) -> bool {
        self.look(|core, _| core.lobby().is_shelved(id))
    }

    pub fn is_unfit_for_shelf(&self, id: &str) -> bool {
        self.look(|core, _| core.lobby().is_unfit(id))
    }

    pub fn heard_claim(&self, claim: &SeatClaim) {
        self.with(|core, rng| core.heard_claim(claim, rng));
    }

    pub fn heard_letter(&self, from: Key, parcel: Parcel) {
        self.with(|core, rng| core.heard_letter(from, parcel, rng));
    }

    /// Puts a message into the outbox and waits for the disk.
    pub fn write(&self, to: Key, parcel: &Parcel) {
        self.with(|core, rng| core.write(to, parcel, rng));
        self.wait_for_disk();
    }

    pub fn heard(&self, from: Key, word: Say) {
        self.with(|core, _| core.heard(from, word));
    }

    /// Makes the last entry of a correspondence game look older.
    pub fn set_back(&self, id: &str, millis: u64) {
        let about = self.about(id).unwrap();
        let (count, at) = about.moved.unwrap();
        self.give(outis_node::node::Input::Table(
            id.to_owned(),
            outis_node::table::FromTable::Moved(count, at - millis),
        ));
        self.wait_for_disk();
    }

    /// Makes a job of the table panic.
    pub fn stumble(&self, id: &str) {
        self.pool().stumble(id);
    }
}
