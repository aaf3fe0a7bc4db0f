//! Another game with the same players: the host opens a room for those who sat at the table, and they join without an
//! invite. Everyone is asked; nobody is moved automatically.

use outis_game::words::Text;
use outis_table::{Seat, TableId};
use rand_core::CryptoRng;

use super::{Again, Gathering, Guest, Host, Out, Own, Room, SeatState, Ticket};
use crate::ask::{TableName, sorry};
use crate::invite::{Address, Invite, again, promise};
use crate::names::{Key, hex};
use crate::say::Say;
use crate::seating::ticket;
use crate::table_info::{Kind, SeatInfo, TableInfo};

impl Gathering {
    /// The person wants to play again with the same players, after this table. Returns the name of the table that waits for them: `fresh`
    /// if there was none.
    pub fn again(
        &mut self,
        own: Own<'_>,
        fresh: TableName,
        about: &TableInfo,
        table: TableId,
        rng: &mut dyn CryptoRng,
    ) -> Result<TableName, Text> {
        if let Some(id) = self.again_of(&about.id) {
            return Ok(id);
        }
        let room = if about.host { host_again(own, about, table)? } else { guest_again(own, about, table, rng)? };
        self.add(fresh.clone(), room)?;
        self.out.push_back(Out::Changed(about.id.clone()));
        for home in about.peers() {
            self.linked(own, home);
        }
        self.out.push_back(Out::LookAround);
        Ok(fresh)
    }

    /// A player at a table that is over wants another game: this is shown, and nothing else happens.
    pub(super) fn wanted_again(&mut self, own: Own<'_>, from: Key, table: Option<TableId>) -> Option<()> {
        let id = own.known.find(table?)?;
        let about = own.known.about(&id).filter(|about| about.end.is_some())?;
        let is_theirs = |(_, chair): &(u8, &SeatInfo)| chair.kind == Kind::Peer && chair.key == from;
        let seat = (0u8..).zip(&about.seats).find(is_theirs)?.0;
        self.out.push_back(Out::WantsAgain(id, Seat(seat)));
        Some(())
    }

    /// The room for another game after this table.
    pub fn again_of(&self, table: &str) -> Option<TableName> {
        let after = |room: &Room| match room {
            Room::Host(Host { again, .. }) => again.as_ref().is_some_and(|again| again.id == table),
            Room::Guest(guest) => guest.again.as_ref().is_some_and(|again| again.id == table),
        };
        self.rooms.iter().find(|(_, room)| after(room)).map(|(id, _)| id.clone())
    }

    /// Calls a node that has not yet come to a room for another game.
    pub(super) fn call_again(&mut self, key: Key) {
        let theirs = |t: &Ticket| t.used.is_none() && t.only.as_ref().is_some_and(|(only, ..)| *only == key);
        for room in self.rooms.values() {
            if let Room::Host(Host { again: Some(again), invites, .. }) = room
                && let Some(table) = again.table().filter(|_| invites.iter().any(theirs))
            {
                self.out.push_back(Out::Say(key, Say::Again(table)));
            }
        }
    }

    /// Whether this node waits for this host to want another game after this table.
    pub(super) fn waits_again(&self, host: &Key, table: TableId) -> bool {
        let theirs = |guest: &Guest| guest.again.as_ref().and_then(Again::table) == Some(table);
        self.rooms.values().any(|room| {
            matches!(room, Room::Guest(guest) if guest.invite.host == *host && guest.welcome.is_none() && theirs(guest))
        })
    }
}

fn host_again(own: Own<'_>, about: &TableInfo, table: TableId) -> Result<Room, Text> {
    let game = own.game(&about.game)?;
    let dials = game.again(&about.dials);
    let grade = about.grade().ok_or_else(|| sorry("again"))?;
    let (options, _) = game.choose(grade, &dials).ok_or_else(|| sorry("choices"))?;
    let (mut seats, mut invites) = (Vec::new(), Vec::new());
    for (seat, chair) in (0u8..).zip(&about.seats) {
        seats.push(match chair.kind {
            Kind::You => SeatState::Ours,
            Kind::Bot { level } => SeatState::Bot(level),
            Kind::Peer => {
                let (secret, number) = again(&table, &chair.home);
                let only = Some((chair.home, seat, chair.compare.clone()));
                invites.push(Ticket { secret, number, until: u32::MAX, used: None, only, unsaved: false });
                SeatState::Open
            }
        });
    }
    Ok(Room::Host(Host {
        game: game.name().to_owned(),
        dials,
        options,
        parameters: grade.parameters(),
        pace: about.pace,
        since: own.wall,
        seats,
        invites,
        again: Some(Again { id: about.id.clone(), table: hex(&table.0) }),
        days: about.days,
        begun: false,
    }))
}

fn guest_again(own: Own<'_>, about: &TableInfo, table: TableId, rng: &mut dyn CryptoRng) -> Result<Room, Text> {
    let host = about.seats.first().ok_or_else(|| sorry("again"))?;
    let dials = own.game(&about.game)?.again(&about.dials);
    let grade = about.grade().ok_or_else(|| sorry("again"))?.name().to_owned();
    let (secret, number) = again(&table, &own.key());
    let address = Address::from_bytes(&host.address).unwrap_or_default();
    let invite = Invite { until: u32::MAX, host: host.home, secret, promise: promise(&number), address };
    Ok(Room::Guest(Box::new(Guest {
        invite,
        nonce: ticket(own.keys.identity(), &[&host.home.0, &secret], own.wall, rng).nonce(),
        since: own.wall,
        welcome: None,
        seats: Vec::new(),
        again: Some(Again { id: about.id.clone(), table: hex(&table.0) }),
        compare: host.compare.clone(),
        expect: Some((about.game.clone(), grade, dials)),
        days: about.days,
        taken: false,
    })))
}
