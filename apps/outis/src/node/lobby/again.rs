//! Another game with the same players: the host opens a room for those who sat at the table, and they join without an
//! invite. Everyone is asked; nobody is moved automatically.

use outis_game::words::Text;
use outis_table::TableId;

use super::{Again, Guest, Host, MAX_ROOMS, Name, Place, Room, Ticket};
use crate::machine::tables::lock;
use crate::node::hub::{Answer, Event, Node, sorry};
use crate::node::invite::{Address, Invite, again, promise};
use crate::node::say::Say;
use crate::node::store::{fresh_id, ticket};
use crate::node::table_info::{Kind, TableInfo};
use crate::node::{Key, epoch, hex};

impl Node {
    /// The person wants to play again with the same people: the name of the table that waits for them.
    pub(in crate::node) fn again(&self, about: &TableInfo) -> Answer<String> {
        if let Some(id) = self.0.lobby.again_of(&about.id) {
            return Ok(id);
        }
        let table = self.open_table(&about.id, |open| open.log).ok_or_else(|| sorry("again"))?;
        let room = if about.host { self.host_again(about, table)? } else { self.guest_again(about, table)? };
        let mut rooms = lock(&self.0.lobby.rooms);
        if rooms.len() >= MAX_ROOMS {
            return Err(sorry("tables"));
        }
        let id = fresh_id();
        rooms.insert(id.clone(), room);
        drop(rooms);
        self.keep_lobby().inspect_err(|_| self.take_back(&id))?;
        self.tell(Event::Tables);
        self.tell(Event::Table(about.id.clone()));
        for home in peers(about) {
            self.linked(home);
        }
        if let Some(net) = self.0.net.get() {
            net.look_around();
        }
        Ok(id)
    }

    fn host_again(&self, about: &TableInfo, table: TableId) -> Answer<Room> {
        let game = Self::game(&about.game)?;
        let dials = game.again(&about.dials);
        let (options, _) = game.choose(&dials).ok_or_else(|| sorry("choices"))?;
        let (mut seats, mut invites) = (Vec::new(), Vec::new());
        for (seat, chair) in (0u8..).zip(&about.seats) {
            seats.push(match chair.kind {
                Kind::You => Place::Ours,
                Kind::Bot { level } => Place::Bot(level),
                Kind::Peer => {
                    let (secret, number) = again(&table, &chair.home);
                    let only = Some((chair.home, seat, chair.compare.clone()));
                    invites.push(Ticket { secret, number, until: u32::MAX, used: None, only });
                    Place::Open
                }
            });
        }
        Ok(Room::Host(Host {
            game: Name(game.name()),
            dials,
            options,
            parameters: about.grade().ok_or_else(|| sorry("again"))?.parameters(),
            pace: about.pace,
            since: epoch(),
            seats,
            invites,
            again: Some(Again { id: about.id.clone(), table: hex(&table.0) }),
            days: about.days,
            begun: false,
        }))
    }

    fn guest_again(&self, about: &TableInfo, table: TableId) -> Answer<Room> {
        let host = about.seats.first().ok_or_else(|| sorry("again"))?;
        let dials = Self::game(&about.game)?.again(&about.dials);
        let (secret, number) = again(&table, &self.key());
        let identity = self.profile(|profile| profile.keys().identity().clone());
        let address = Address::from_bytes(&host.address).unwrap_or_default();
        let invite = Invite { until: u32::MAX, host: host.home, secret, promise: promise(&number), address };
        Ok(Room::Guest(Box::new(Guest {
            invite,
            nonce: ticket(&identity, &[&host.home.0, &secret]).nonce(),
            since: epoch(),
            welcome: None,
            seats: Vec::new(),
            again: Some(Again { id: about.id.clone(), table: hex(&table.0) }),
            compare: host.compare.clone(),
            expect: Some((about.game.clone(), about.grade().ok_or_else(|| sorry("again"))?.name().to_owned(), dials)),
            days: about.days,
            taken: false,
        })))
    }

    /// Those of a room for another game who have not come yet, if this node is one of them.
    pub(super) fn call_again(&self, key: Key) -> Vec<Say> {
        let waits = |room: &Room| match room {
            Room::Host(Host { again: Some(again), invites, .. }) => {
                let theirs = |t: &Ticket| t.used.is_none() && t.only.as_ref().is_some_and(|(only, ..)| *only == key);
                again.table().filter(|_| invites.iter().any(theirs)).map(Say::Again)
            }
            _ => None,
        };
        lock(&self.0.lobby.rooms).values().filter_map(waits).collect()
    }

    /// Somebody at a table that is over wants another game: shown, once, and nothing else.
    pub(super) fn wanted_again(&self, from: Key, table: Option<TableId>) -> Option<()> {
        let id = self.find(table?)?;
        let about = self.about(&id).ok().filter(|about| about.end.is_some())?;
        let seat = (0u8..).zip(&about.seats).find(|(_, chair)| chair.kind == Kind::Peer && chair.key == from)?.0;
        let seat = outis_table::Seat(seat);
        if self.wants_again(&id, seat) {
            let text = Text::new("node.notice.again").with("who", seat);
            self.tell(Event::Notice("info", text, Some(id.clone())));
            self.tell(Event::Table(id));
        }
        Some(())
    }
}

/// The nodes of the others at a table.
fn peers(about: &TableInfo) -> Vec<Key> {
    let mut homes: Vec<Key> =
        about.seats.iter().filter(|chair| chair.kind == Kind::Peer).map(|chair| chair.home).collect();
    homes.sort_unstable();
    homes.dedup();
    homes
}
