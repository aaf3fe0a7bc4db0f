//! A node as it is in memory: the tables that wait and the tables that are played have one owner. What else a node has is still with the
//! machine, and moves here.

use std::collections::BTreeSet;

use outis_game::Game;
use outis_table::TableId;

use crate::ask::TableName;
use crate::gathering::{Gathering, Known, Out, Own};
use crate::invite::Address;
use crate::keys::Keyring;
use crate::names::Key;
use crate::table_info::TableInfo;
use crate::tables::Tables;

/// A node.
#[derive(Default)]
pub struct Node {
    /// Tables that wait for people.
    pub gathering: Gathering,
    /// Tables that are played, and past ones.
    pub tables: Tables,
}

/// What the machine knows of the person and of the moment.
pub struct Me {
    /// The person's secrets.
    pub keys: Keyring,
    /// The person's name.
    pub name: String,
    /// Of whom nothing is to be heard.
    pub blocked: BTreeSet<Key>,
    /// Where others may find us; `None` while there is no network.
    pub address: Option<Address>,
    /// Whether the relay of that address is one of ours.
    pub is_own_relay: bool,
    /// The games that this program has.
    pub game: fn(&str) -> Option<&'static dyn Game>,
    /// Milliseconds since 1970.
    pub wall: u64,
}

impl Node {
    /// Something happens to the tables that wait; what comes of it, and what is to be done.
    pub fn gather<T>(&mut self, me: &Me, with: impl FnOnce(&mut Gathering, Own<'_>) -> T) -> (T, Vec<Out>) {
        let Self { gathering, tables } = self;
        let known = Played { tables, blocked: &me.blocked };
        let value = with(gathering, me.own(&known));
        (value, std::iter::from_fn(|| gathering.poll()).collect())
    }

    /// Looks at the tables that wait.
    pub fn waiting<T>(&self, me: &Me, look: impl FnOnce(&Gathering, Own<'_>) -> T) -> T {
        let known = Played { tables: &self.tables, blocked: &me.blocked };
        look(&self.gathering, me.own(&known))
    }
}

impl Me {
    fn own<'a>(&'a self, known: &'a dyn Known) -> Own<'a> {
        let Self { keys, name, address, is_own_relay, game, wall, .. } = self;
        Own { keys, name, address: address.as_ref(), is_own_relay: *is_own_relay, game: *game, known, wall: *wall }
    }
}

struct Played<'a> {
    tables: &'a Tables,
    blocked: &'a BTreeSet<Key>,
}

impl Known for Played<'_> {
    fn about(&self, id: &str) -> Option<TableInfo> {
        self.tables.get(id).map(|open| open.about.clone())
    }

    fn find(&self, log: TableId) -> Option<TableName> {
        self.tables.find(log).map(|open| open.about.id.clone())
    }

    fn hosted(&self) -> Vec<TableInfo> {
        self.tables.hosted()
    }

    fn is_blocked(&self, key: &Key) -> bool {
        self.blocked.contains(key)
    }
}

#[cfg(test)]
mod tests {
    use outis_table::game::Grade;
    use outis_table::identity::Identity;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;
    use zeroize::Zeroizing;

    use super::*;
    use crate::gathering::RoomPlan;
    use crate::invite::Relay;
    use crate::table_info::Pace;

    /// A guest at a table elsewhere is at the relay of that table for a while: its own invites do not lead there.
    #[test]
    fn an_invite_names_no_relay_of_others() {
        let rng = &mut ChaCha20Rng::seed_from_u64(1);
        let direct = vec!["192.0.2.7:9".parse().unwrap()];
        let address = Address { direct, relay: Some(Relay::plain("https://relay.example")) };
        let mut me = Me {
            keys: Keyring::new(Identity::from_secret(&[7; 32]), Zeroizing::new([7; 32])),
            name: "Anna".into(),
            blocked: BTreeSet::new(),
            address: Some(address.clone()),
            is_own_relay: false,
            game: outis_catalogue::game,
            wall: 1_000_000,
        };
        let mut node = Node::default();
        let plan = RoomPlan {
            game: "matching-pennies",
            dials: Vec::new(),
            grade: Grade::Hardened,
            bots: &[],
            pace: Pace::None,
        };
        node.gather(&me, |gathering, own| gathering.gather(own, "room".into(), plan)).0.unwrap();
        let mut invited = |me: &Me| node.gather(me, |gathering, own| gathering.invite(own, "room", 1, rng)).0.unwrap();
        assert_eq!(invited(&me).address, Address { relay: None, ..address.clone() });
        me.is_own_relay = true;
        assert_eq!(invited(&me).address, address);
    }
}
