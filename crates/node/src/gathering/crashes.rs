//! A host and a guest in simulated time, from the first invite to another game. One of them crashes before and after everything that its
//! gathering wants done, with a disk that answers at once, answers late, or refuses for a while. In the end both sit at the same table.

use std::collections::BTreeMap;

use outis_game::ending::Ending;
use outis_table::codec::Decode;
use outis_table::game::Grade;
use outis_table::identity::Identity;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use zeroize::Zeroizing;

use super::*;
use crate::saved::{Item, Saved};
use crate::table_info::Kind;

type Millis = u64;

/// How a node crashes at something that it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Before,
    After,
}

/// What a disk is like.
#[derive(Clone, Copy, Debug)]
enum Disk {
    /// It takes so long.
    Late(Millis),
    /// It refuses everything in this time.
    Refuses(Millis, Millis),
}

/// A node: what is in memory, and what is on its disk.
struct Sim {
    keys: Keyring,
    gathering: Gathering,
    saved: Saved<(Key, Say)>,
    /// What is being written, and when that is done.
    writing: Option<(Millis, Vec<u8>)>,
    note: Option<Vec<u8>>,
    tables: BTreeMap<TableName, TableInfo>,
    /// What the person knows, who does not crash: the text of an invite that was seen.
    text: Option<String>,
    /// An invite whose note is being written.
    unseen: Option<(String, u64)>,
}

impl Sim {
    fn new(secret: u8) -> Self {
        let keys = Keyring::new(Identity::from_secret(&[secret; 32]), Zeroizing::new([secret; 32]));
        let (gathering, saved) = (Gathering::default(), Saved::default());
        Self { keys, gathering, saved, writing: None, note: None, tables: BTreeMap::new(), text: None, unseen: None }
    }

    /// The tables on the disk that are played, after this one.
    fn table(&self, after: Option<&TableName>) -> Option<&TableInfo> {
        self.tables.values().find(|about| Some(&about.id) != after)
    }
}

/// What a node knows of its tables.
struct Played<'a> {
    tables: &'a BTreeMap<TableName, TableInfo>,
    over: Option<&'a TableName>,
}

impl Known for Played<'_> {
    fn about(&self, id: &str) -> Option<TableInfo> {
        let end = |about: &TableInfo| if Some(&about.id) == self.over { Some(Ending::Finished) } else { None };
        self.tables.get(id).map(|about| TableInfo { end: end(about), ..about.clone() })
    }

    fn find(&self, log: TableId) -> Option<TableName> {
        let is_it = |about: &&TableInfo| Offer::from_bytes(&about.offer, &()).is_ok_and(|offer| offer.id() == log);
        self.tables.values().find(is_it).map(|about| about.id.clone())
    }

    fn hosted(&self) -> Vec<TableInfo> {
        let hosted = |about: &&TableInfo| about.host && Some(&about.id) != self.over;
        self.tables.values().filter(hosted).cloned().collect()
    }

    fn is_blocked(&self, _: &Key) -> bool {
        false
    }
}

struct World {
    nodes: [Sim; 2],
    /// Words on their way to each.
    wires: [VecDeque<Say>; 2],
    up: bool,
    now: Millis,
    rng: ChaCha20Rng,
    disk: Disk,
    /// Things that the node which crashes has done.
    step: usize,
    crash: Option<(usize, usize, How)>,
    names: u64,
    /// The table that is over, by each node's name of it.
    first: [Option<TableName>; 2],
}

/// Cut short by a crash.
struct Crashed;

impl World {
    fn new(disk: Disk, crash: Option<(usize, usize, How)>) -> Self {
        Self {
            nodes: [Sim::new(1), Sim::new(2)],
            wires: [VecDeque::new(), VecDeque::new()],
            up: false,
            now: 1_000_000,
            rng: ChaCha20Rng::seed_from_u64(7),
            disk,
            step: 0,
            crash,
            names: 0,
            first: [None, None],
        }
    }

    fn key(&self, who: usize) -> Key {
        self.nodes[who].keys.key()
    }

    fn fresh(&mut self) -> TableName {
        self.names += 1;
        format!("{:016x}", self.names)
    }

    /// One thing that a node does; it may crash before it, or after.
    fn once(&mut self, who: usize, act: impl FnOnce(&mut Self)) -> Result<(), Crashed> {
        let crashes = self.crash.filter(|(crashes, ..)| *crashes == who);
        let how = crashes.filter(|(_, at, _)| *at == self.step).map(|(.., how)| how);
        self.step += usize::from(crashes.is_some() || (self.crash.is_none() && who == 0));
        if how == Some(How::Before) {
            return Err(self.restart(who));
        }
        act(self);
        if how == Some(How::After) { Err(self.restart(who)) } else { Ok(()) }
    }

    /// The node is off, and on again with what its disk has. Its link is cut.
    fn restart(&mut self, who: usize) -> Crashed {
        let node = &mut self.nodes[who];
        let tables = &node.tables;
        let read = |note: &Vec<u8>| Gathering::read(note, outis_catalogue::game, |id| tables.contains_key(id));
        let kept = node.note.as_ref().map(|note| read(note).expect("it was written by this version"));
        (node.gathering, node.saved) = (kept.unwrap_or_default(), Saved::default());
        (node.writing, node.unseen) = (None, None);
        self.up = false;
        Crashed
    }

    /// Something happens to the gathering of a node, and what it wants is done.
    fn with<T>(
        &mut self,
        who: usize,
        with: impl FnOnce(&mut Gathering, Own<'_>, &mut ChaCha20Rng) -> T,
    ) -> Result<T, Crashed> {
        let value = self.tell(who, with);
        while let Some(out) = self.nodes[who].gathering.poll() {
            match out {
                // A table that begins is on the disk before anything is said of it.
                Out::Seat(table) => {
                    let id = table.about.id.clone();
                    self.once(who, |world| drop(world.nodes[who].tables.insert(table.about.id.clone(), table.about)))?;
                    self.tell(who, |gathering, own, _| gathering.seated(own, &id, true));
                }
                Out::Save => self.once(who, |world| world.save(who))?,
                Out::Say(to, word) => self.once(who, |world| world.say(who, to, word))?,
                Out::Notice(level, text, _) => assert_ne!(level, "bad", "{text:?}, {:?}", self.crash),
                Out::Renew(..) | Out::WantsAgain(..) | Out::Changed(_) | Out::Tables | Out::LookAround => {}
            }
        }
        Ok(value)
    }

    fn tell<T>(&mut self, who: usize, with: impl FnOnce(&mut Gathering, Own<'_>, &mut ChaCha20Rng) -> T) -> T {
        let (wall, game, address) = (self.now, outis_catalogue::game, Address::default());
        let node = &mut self.nodes[who];
        let name = if who == 0 { "Anna" } else { "Béla" };
        let known = Played { tables: &node.tables, over: self.first[who].as_ref() };
        let own =
            Own { keys: &node.keys, name, address: Some(&address), is_own_relay: false, game, known: &known, wall };
        with(&mut node.gathering, own, &mut self.rng)
    }

    fn save(&mut self, who: usize) {
        let node = &mut self.nodes[who];
        node.saved.change(Item::Gathering, node.gathering.note());
        self.write(who);
    }

    fn write(&mut self, who: usize) {
        let (now, disk) = (self.now, self.disk);
        let node = &mut self.nodes[who];
        if node.writing.is_none()
            && let Some((_, bytes)) = node.saved.next(now)
        {
            let late = if let Disk::Late(late) = disk { late } else { 0 };
            node.writing = Some((now + late, bytes));
        }
        let is_done = |(at, _): &mut (Millis, Vec<u8>)| *at <= now;
        if let Some((_, bytes)) = node.writing.take_if(is_done) {
            let refuses = matches!(disk, Disk::Refuses(from, to) if (from..to).contains(&now));
            node.note = (!refuses).then_some(bytes).or(node.note.take());
            let done = node.saved.done(&Item::Gathering, !refuses, now);
            done.words.into_iter().for_each(|(to, word)| self.utter(to, word));
            if !refuses {
                self.write(who);
            }
        }
    }

    /// A word leaves when what it speaks of is safe. A table is, before it is offered.
    fn say(&mut self, who: usize, to: Key, word: Say) {
        let item = Item::of(&word, |_| None).filter(|item| *item == Item::Gathering);
        if let Some((to, word)) = self.nodes[who].saved.say(item.as_ref(), (to, word)) {
            self.utter(to, word);
        }
    }

    fn utter(&mut self, to: Key, word: Say) {
        let to = usize::from(to == self.key(1));
        if self.up {
            self.wires[to].push_back(word);
        }
    }

    fn hears(&mut self, who: usize, word: Say) -> Result<(), Crashed> {
        assert!(!matches!(word, Say::Refuse(..)), "{word:?}, {:?}", self.crash);
        let from = self.key(1 - who);
        self.with(who, |gathering, own, _| gathering.heard(own, from, word))
    }

    /// The link is up again.
    fn link(&mut self) -> Result<(), Crashed> {
        self.up = true;
        self.wires.iter_mut().for_each(VecDeque::clear);
        for who in 0..2 {
            let other = self.key(1 - who);
            self.with(who, |g, own, _| g.linked(own, other))?;
        }
        Ok(())
    }

    /// What the host does next, as a program that begins when everybody is there.
    fn host(&mut self) -> Result<(), Crashed> {
        let over = self.first[0].clone();
        if self.nodes[0].table(over.as_ref()).is_some() {
            return Ok(());
        }
        let Some(id) = self.nodes[0].gathering.names().pop() else {
            let fresh = self.fresh();
            let (grade, pace) = (Grade::Hardened, Pace::None);
            let plan = RoomPlan { game: "matching-pennies", dials: vec![1, 0], grade, bots: &[], pace };
            return match over {
                None => self.with(0, |g, own, _| g.gather(own, fresh, plan)).map(|done| done.unwrap()),
                Some(over) => self.again(0, &over, fresh),
            };
        };
        if self.nodes[0].gathering.openings(&id).is_some_and(|room| room.open == 0) {
            // It may have begun, and wait for nothing but the note.
            let _ = self.with(0, |g, own, rng| g.begin(own, &id, rng))?;
        } else if over.is_none() && self.nodes[0].text.is_none() && self.nodes[0].unseen.is_none() {
            let invite = self.with(0, |g, own, rng| g.invite(own, &id, 24, rng))?.unwrap();
            let node = &mut self.nodes[0];
            // Whoever copies it is told of it when it is safe.
            node.unseen = Some((invite.to_text(), node.saved.change(Item::Gathering, node.gathering.note())));
        }
        Ok(())
    }

    fn guest(&mut self) -> Result<(), Crashed> {
        let over = self.first[1].clone();
        if self.nodes[1].table(over.as_ref()).is_some() || !self.nodes[1].gathering.names().is_empty() {
            return Ok(());
        }
        let fresh = self.fresh();
        match (over, self.nodes[0].text.clone()) {
            (Some(over), _) => self.again(1, &over, fresh),
            (None, Some(text)) => {
                let joined = self.with(1, |g, own, rng| g.join(own, fresh, &text, Terms::default(), rng))?;
                joined.map(drop).map_err(|text| panic!("{text:?}"))
            }
            (None, None) => Ok(()),
        }
    }

    fn again(&mut self, who: usize, over: &TableName, fresh: TableName) -> Result<(), Crashed> {
        let about = self.nodes[who].tables[over].clone();
        let table = Offer::from_bytes(&about.offer, &()).unwrap().id();
        self.with(who, |g, own, rng| g.again(own, fresh, &about, table, rng))?
            .map(drop)
            .map_err(|text| panic!("{text:?}"))
    }

    /// Both sit at the same table.
    fn is_done(&self) -> bool {
        let table = |who: usize| self.nodes[who].table(self.first[who].as_ref());
        matches!((table(0), table(1)), (Some(one), Some(other)) if one.offer == other.offer)
    }

    /// A tenth of a second.
    fn turn(&mut self) -> Result<(), Crashed> {
        self.now += 100;
        for who in 0..2 {
            self.write(who);
            let node = &mut self.nodes[who];
            let saved = &node.saved;
            let seen = node.unseen.take_if(|(_, change)| saved.is_safe_up_to(&Item::Gathering, *change));
            node.text = seen.map(|(text, _)| text).or(node.text.take());
        }
        if !self.up {
            self.link()?;
        }
        self.host()?;
        self.guest()?;
        for who in 0..2 {
            while let Some(word) = self.wires[who].pop_front() {
                self.hears(who, word)?;
            }
        }
        Ok(())
    }

    /// From the invite to a table, and from there to another one; how much the node that crashes did.
    fn play(&mut self) -> usize {
        for game in 0..2 {
            let began = self.now;
            while !self.is_done() {
                // A crash only cuts the turn short.
                let _ = self.turn();
                assert!(
                    self.now < began + 60_000,
                    "nobody sits down at game {game}: {:?}, {:?}",
                    self.crash,
                    self.disk
                );
            }
            self.check(game);
            for who in 0..2 {
                self.first[who] = self.nodes[who].table(self.first[who].as_ref()).map(|about| about.id.clone());
            }
        }
        self.step
    }

    fn check(&self, game: usize) {
        let [host, guest] = [0, 1].map(|who| self.nodes[who].table(self.first[who].as_ref()).unwrap());
        assert_eq!(host.seats[1].key, self.key(1), "the seat is of whom was invited (INV-4)");
        assert_eq!((guest.seats[0].key, guest.seats[0].kind), (self.key(0), Kind::Peer));
        assert!(host.seats[1].compare.is_some(), "game {game}");
        assert_eq!(host.seats[1].compare, guest.seats[0].compare, "both see the same words (INV-6)");
        assert_eq!(self.nodes[1].tables.len(), game + 1, "one invite, one table");
    }
}

#[test]
fn who_was_welcomed_sits_whenever_a_node_crashes() {
    for disk in [Disk::Late(0), Disk::Late(350), Disk::Refuses(1_000_300, 1_004_000)] {
        for who in 0..2 {
            let steps = World::new(disk, Some((who, usize::MAX, How::Before))).play();
            assert!(steps > 8, "{steps} steps");
            for at in 0..steps {
                for how in [How::Before, How::After] {
                    World::new(disk, Some((who, at, how))).play();
                }
            }
        }
    }
}
