//! Which invites a host accepts, and what a guest believes: one gathering against messages from others.

use std::cell::RefCell;

use outis_game::ending::Ending;
use outis_table::codec::{Decode, Encode};
use outis_table::game::Grade;
use outis_table::identity::Identity;
use outis_table::offer::OfferSeat;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use zeroize::Zeroizing;

use super::*;
use crate::invite::again;
use crate::say::{NotLetIn, Offered};

const DAY: u64 = 86_400_000;

/// A node: its gathering, and the tables that it has opened.
struct Side {
    keys: Keyring,
    gathering: Gathering,
    tables: RefCell<Vec<TableInfo>>,
    address: Address,
    wall: u64,
    rng: ChaCha20Rng,
}

struct Opened<'a>(&'a RefCell<Vec<TableInfo>>);

impl Known for Opened<'_> {
    fn about(&self, id: &str) -> Option<TableInfo> {
        self.0.borrow().iter().find(|about| about.id == id).cloned()
    }

    fn find(&self, log: TableId) -> Option<TableName> {
        self.0.borrow().iter().find(|about| log_of(about) == log).map(|about| about.id.clone())
    }

    fn hosted(&self) -> Vec<TableInfo> {
        self.0.borrow().iter().filter(|about| about.host && about.end.is_none()).cloned().collect()
    }

    fn is_blocked(&self, _: &Key) -> bool {
        false
    }
}

fn log_of(about: &TableInfo) -> TableId {
    Offer::from_bytes(&about.offer, &()).unwrap().id()
}

impl Side {
    fn new(secret: u8) -> Self {
        let keys = Keyring::new(Identity::from_secret(&[secret; 32]), Zeroizing::new([secret; 32]));
        let rng = ChaCha20Rng::seed_from_u64(u64::from(secret));
        let (gathering, tables) = (Gathering::default(), RefCell::default());
        Self { keys, gathering, tables, address: Address::default(), wall: DAY, rng }
    }

    fn key(&self) -> Key {
        self.keys.key()
    }

    /// Does something with the gathering; returns what it wants. Tables that it wants opened are opened.
    fn with<T>(&mut self, with: impl FnOnce(&mut Gathering, Own<'_>, &mut ChaCha20Rng) -> T) -> (T, Vec<Out>) {
        let known = Opened(&self.tables);
        let (keys, address, game) = (&self.keys, Some(&self.address), outis_catalogue::game as fn(&str) -> _);
        let own = Own { keys, name: "Name", address, is_own_relay: false, game, known: &known, wall: self.wall };
        let value = with(&mut self.gathering, own, &mut self.rng);
        let mut outs = Vec::new();
        while let Some(out) = self.gathering.poll() {
            match out {
                Out::Seat(table) => {
                    let id = table.about.id.clone();
                    self.tables.borrow_mut().push(table.about);
                    self.gathering.seated(own, &id, true);
                }
                out => outs.push(out),
            }
        }
        (value, outs)
    }

    fn hears(&mut self, from: Key, word: Say) -> Vec<Out> {
        self.with(|gathering, own, _| gathering.heard(own, from, word)).1
    }

    /// Ends all games.
    fn ends(&mut self) {
        self.tables.borrow_mut().iter_mut().for_each(|about| about.end = Some(Ending::Finished));
    }
}

fn said(outs: &[Out]) -> Vec<Say> {
    outs.iter().filter_map(|out| if let Out::Say(_, word) = out { Some(word.clone()) } else { None }).collect()
}

fn is_bad(out: &Out) -> bool {
    matches!(out, Out::Notice("bad", ..))
}

/// Carries messages both ways until there are none left.
fn talk(host: &mut Side, guest: &mut Side, first: Vec<Say>) {
    let (mut to_host, mut to_guest) = (first, Vec::new());
    while !to_host.is_empty() || !to_guest.is_empty() {
        for word in std::mem::take(&mut to_host) {
            to_guest.extend(said(&host.hears(guest.key(), word)));
        }
        for word in std::mem::take(&mut to_guest) {
            to_host.extend(said(&guest.hears(host.key(), word)));
        }
    }
}

/// A host, a guest with an invite, the invite, and what the guest sends when its link comes up.
fn invited() -> (Side, Side, String, Vec<Say>) {
    invited_to([1, 0], Terms::default())
}

/// The same, to a table with these options, and what the guest expects of it.
fn invited_to(dials: [i64; 2], terms: Terms) -> (Side, Side, String, Vec<Say>) {
    let (mut host, mut guest) = (Side::new(1), Side::new(2));
    let (grade, pace) = (Grade::Hardened, Pace::None);
    let plan = RoomPlan { game: "matching-pennies", dials: dials.to_vec(), grade, bots: &[], pace };
    host.with(|g, own, _| g.gather(own, "room".into(), plan)).0.unwrap();
    let text = host.with(|g, own, rng| g.invite(own, "room", 1, rng)).0.unwrap().to_text();
    let knocks = joined_with(&mut guest, "mine", &text, terms);
    (host, guest, text, knocks)
}

fn joined(guest: &mut Side, fresh: &str, text: &str) -> Vec<Say> {
    joined_with(guest, fresh, text, Terms::default())
}

fn joined_with(guest: &mut Side, fresh: &str, text: &str, terms: Terms) -> Vec<Say> {
    let (id, outs) = guest.with(|g, own, rng| g.join(own, fresh.into(), text, terms, rng));
    assert_eq!(id.unwrap(), fresh);
    said(&outs)
}

fn begin(host: &mut Side, room: &str) -> Vec<Say> {
    let (begun, outs) = host.with(|g, own, rng| g.begin(own, room, rng));
    begun.unwrap();
    said(&outs)
}

/// A host and its guest after a game, and a third node.
fn after_a_game() -> (Side, Side, Side) {
    let (mut host, mut guest, _, knocks) = invited();
    talk(&mut host, &mut guest, knocks);
    for word in begin(&mut host, "room") {
        guest.hears(host.key(), word);
    }
    assert_eq!(guest.tables.borrow().len(), 1);
    host.ends();
    guest.ends();
    (host, guest, Side::new(3))
}

fn again_at(side: &mut Side, fresh: &str) -> Vec<Say> {
    let about = side.tables.borrow()[0].clone();
    let (room, outs) = side.with(|g, own, rng| g.again(own, fresh.into(), &about, log_of(&about), rng));
    room.unwrap();
    said(&outs)
}

/// MEET-7: a guest who was promised days per move sits down at no table where a clock of seconds could cost it the game.
#[test]
fn days_per_move_hide_no_clock() {
    for (clock, sits) in [(0, true), (10, false)] {
        let (mut host, mut guest, _, knocks) = invited_to([1, clock], Terms { expect: None, days: Some(3) });
        talk(&mut host, &mut guest, knocks);
        for word in begin(&mut host, "room") {
            guest.hears(host.key(), word);
        }
        assert_eq!(!guest.tables.borrow().is_empty(), sits, "{clock}");
    }
}

#[test]
fn a_guest_who_comes_too_late_to_a_table_is_told() {
    let (mut host, mut guest, text, knocks) = invited();
    // The host admits the guest, begins and ends; the guest received nothing.
    knocks.iter().for_each(|word| drop(host.hears(guest.key(), word.clone())));
    begin(&mut host, "room");
    let is_refused = |outs: &[Out]| matches!(said(outs)[..], [Say::Refuse(_, NotLetIn::Used)]);
    // With a different nonce, the guest does not get the table (INV-4); with its own, it does.
    let other = joined(&mut Side { rng: ChaCha20Rng::seed_from_u64(9), ..Side::new(2) }, "other", &text);
    let outs = host.hears(guest.key(), other[0].clone());
    assert!(is_refused(&outs) && !outs.iter().any(is_bad), "it is nobody else");
    assert!(matches!(said(&host.hears(guest.key(), knocks[0].clone()))[..], [Say::Welcome(..), Say::Offer(_)]));
    host.ends();
    let outs = host.hears(guest.key(), knocks[0].clone());
    assert!(is_refused(&outs) && !outs.iter().any(is_bad));
    assert!(guest.hears(host.key(), said(&outs).remove(0)).iter().any(is_bad), "the person is told");
    // Another node with the same invite is refused, and the host should know that.
    let outs = host.hears(Side::new(7).key(), knocks[0].clone());
    assert!(is_refused(&outs) && outs.iter().any(is_bad));
}

#[test]
fn a_table_that_could_not_begin_spends_no_invite() {
    let (mut host, mut guest, _, knocks) = invited();
    talk(&mut host, &mut guest, knocks.clone());
    let known = Opened(&host.tables);
    let (keys, address, game) = (&host.keys, Some(&host.address), outis_catalogue::game as fn(&str) -> _);
    let own = Own { keys, name: "Name", address, is_own_relay: false, game, known: &known, wall: DAY };
    host.gathering.begin(own, "room", &mut host.rng).unwrap();
    while host.gathering.poll().is_some() {}
    host.gathering.seated(own, "room", false);
    assert!(host.gathering.leave("room").is_some());
    while host.gathering.poll().is_some() {}
    assert!(matches!(said(&host.hears(guest.key(), knocks[0].clone()))[..], [Say::Refuse(_, NotLetIn::Unknown)]));
}

#[test]
fn a_wish_for_another_game_is_heard_each_time() {
    let (mut host, mut guest, third) = after_a_game();
    let wish = again_at(&mut guest, "again");
    let shows = |outs: &[Out]| outs.iter().any(|out| matches!(out, Out::WantsAgain(..)));
    assert!(shows(&host.hears(guest.key(), wish[0].clone())));
    // The host opens a room for it, and no other node learns of that: the secret can be computed from the log (INV-14).
    again_at(&mut host, "second");
    talk(&mut host, &mut guest, wish.clone());
    let outs = host.hears(third.key(), wish[0].clone());
    assert!(matches!(said(&outs)[..], [Say::Refuse(_, NotLetIn::Unknown)]));
    assert!(!outs.iter().any(is_bad));
    begin(&mut host, "second");
    let outs = host.hears(third.key(), wish[0].clone());
    assert!(matches!(said(&outs)[..], [Say::Refuse(_, NotLetIn::Unknown)]) && !outs.iter().any(is_bad));
    // After that game, the guest wants another one after the first table.
    host.ends();
    assert!(shows(&host.hears(guest.key(), wish[0].clone())));
    let Say::Knock(knock) = &wish[0] else { panic!() };
    assert_eq!(knock.secret, Some(Shown::of(&again(&knock.again.unwrap(), &guest.key()).0)));
}

#[test]
fn the_host_sits_on_the_first_seat() {
    let (mut host, mut guest, _, knocks) = invited();
    let answers = said(&host.hears(guest.key(), knocks[0].clone()));
    let welcome = answers.into_iter().find(|word| matches!(word, Say::Welcome(..))).unwrap();
    let Say::Welcome(secret, Some(told)) = welcome.clone() else { panic!() };
    let odd = Say::Welcome(secret, Some(Box::new(say_at(*told, 0))));
    assert!(guest.hears(host.key(), odd).iter().any(is_bad), "a welcome to the host's own seat");
    guest.hears(host.key(), welcome);
    // An offer that puts another player in the host's seat; everything else is as it should be.
    let offers = begin(&mut host, "room");
    let Some(Say::Offer(true_offer)) = offers.into_iter().find(|word| matches!(word, Say::Offer(_))) else { panic!() };
    let mut offer = Offer::from_bytes(&true_offer.offer, &()).unwrap();
    let third = Side::new(3);
    let key = crate::seating::key(&third.key()).map_err(drop).unwrap();
    offer.seats[0] = OfferSeat { key, nonce: offer.seats[0].nonce };
    let mut seats = true_offer.seats.clone();
    seats[0].home = Some(third.key());
    let forged = Offered { room: true_offer.room.clone(), offer: offer.to_bytes(), seats };
    guest.hears(host.key(), Say::Offer(Box::new(forged)));
    assert!(guest.tables.borrow().is_empty());
    guest.hears(host.key(), Say::Offer(true_offer));
    assert_eq!(guest.tables.borrow().len(), 1);
}

fn say_at(told: crate::say::Welcome, seat: u8) -> crate::say::Welcome {
    crate::say::Welcome { seat, ..told }
}

/// A node that uses one host's relay tells that host alone.
#[test]
fn a_relay_of_somebody_else_is_named_to_nobody_else() {
    let (mut host, mut guest, text, _) = invited();
    let at = |relay: Option<&str>| Address { direct: Vec::new(), relay: relay.map(Relay::plain) };
    let named = |word: &Say| match word {
        Say::Knock(knock) => Address::from_bytes(knock.address.as_ref().unwrap()).unwrap().relay,
        Say::Offer(offered) => Address::from_bytes(offered.seats[0].address.as_ref().unwrap()).unwrap().relay,
        _ => panic!(),
    };
    guest.address = at(Some("https://relay.example"));
    let host_key = host.key();
    let knocks = |guest: &mut Side| said(&guest.with(|g, own, _| g.linked(own, host_key)).1);
    assert_eq!(named(&knocks(&mut guest)[0]), None);
    // This invite names that relay itself.
    let mut invite = Invite::from_text(&text).map_err(drop).unwrap();
    invite.address = at(Some("https://relay.example/"));
    let mut other = Side::new(2);
    other.address = guest.address.clone();
    joined(&mut other, "other", &invite.to_text());
    assert_eq!(named(&knocks(&mut other)[0]), other.address.relay);
    // The host uses another player's relay for a while.
    let knock = knocks(&mut guest).remove(0);
    host.hears(guest.key(), knock);
    host.address = guest.address.clone();
    let offers = begin(&mut host, "room");
    assert_eq!(named(offers.last().unwrap()), None);
}
