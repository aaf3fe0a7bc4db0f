//! Who sits where at a new table, and how this machine's seats sit down: the list of seats, offers, tickets and sessions.

use outis_crypto::challenger::{Nonces, Purpose};
use outis_game::present::{OptionSpec, below};
use outis_game::sitting::Sitting;
use outis_game::{Game, Picture, SeatSpec, Who};
use outis_table::Seat;
use outis_table::codec::{Decode, Encode};
use outis_table::game::{Grade, Millis};
use outis_table::identity::{Identity, IdentityKey};
use outis_table::offer::{Offer, OfferSeat, Ticket};
use outis_table::seal::Broken;
use outis_table::seats::Seats;
use outis_table::session::{Config, Misuse};
use rand_core::CryptoRng;

use crate::keys::Keyring;
use crate::names::{Key, spoken};
use crate::table_info::{Crook, Kind, Pace, SeatInfo, TableInfo, VERSION};

/// The beat on which frames leave for other machines, in milliseconds: longer than any step takes to make on most machines.
const PACE: Millis = 50;

/// A table where everyone is at this machine: people, usually one, and bots.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The host's options; empty for the defaults.
    pub dials: Vec<i64>,
    /// The grade of its protocol.
    pub grade: Grade,
    /// The names of the people, who have the first seats; the first is the owner of the profile.
    pub people: Vec<String>,
    /// Levels of the bots at the other seats.
    pub bots: Vec<u8>,
    /// How long the bots think.
    pub pace: Pace,
    /// Whether a bot plays the person's seat as well.
    pub watch: bool,
    /// Whether one of the bots cheats; the person does not learn which.
    pub crook: bool,
}

/// Names for bots, by seat.
const BOTS: [&str; 9] = ["Ada", "Blaise", "Cleo", "Dénes", "Emmy", "Ferenc", "Gerti", "Hugo", "Ilka"];

/// The name of the bot in a seat, different from the names taken.
pub fn bot_name(seat: u8, taken: &[&str]) -> String {
    let first = (usize::from(seat) + BOTS.len() - 1) % BOTS.len();
    let free = BOTS.iter().cycle().skip(first).take(BOTS.len()).find(|name| !taken.contains(name));
    free.map_or_else(|| format!("Bot {seat}"), |name| (*name).to_owned())
}

/// A ticket of an identity for what it was invited to, drawn now.
pub fn ticket(identity: &Identity, invitation: &[&[u8]], wall: u64, rng: &mut dyn CryptoRng) -> Ticket {
    Ticket::draw(identity, &invitation.concat(), wall, rng)
}

/// The secret and the number of an invite to a room, drawn now.
pub fn invite_secrets(keys: &Keyring, room: &str, wall: u64, rng: &mut dyn CryptoRng) -> ([u8; 16], [u8; 32]) {
    let subject = (room.as_bytes(), &wall.to_le_bytes()[..]);
    let secret = keys.identity().long_term();
    let mut source = Nonces::first(const { Purpose::new("invite") }, &subject, &secret, [], rng);
    (*source.bytes(), *source.bytes())
}

/// The default options of a game in a grade.
pub fn usual(game: &dyn Game, grade: Grade) -> Vec<i64> {
    game.dials(grade).iter().map(|dial| dial.usual).collect()
}

/// Whether an option sets a clock that is not meant for days: seconds per move, or minutes for the whole game.
pub fn ticks(dial: &OptionSpec) -> bool {
    matches!(dial.name, "clock" | "minutes")
}

/// The default options of a game for people who pass a device to each other: without a clock that would run while they do.
pub fn unhurried(game: &dyn Game, grade: Grade) -> Vec<i64> {
    let calm = |dial: &OptionSpec| if ticks(dial) { dial.range.0 } else { dial.usual };
    game.dials(grade).iter().map(calm).collect()
}

/// A table of people at this machine and bots: what is stored about it, and its offer.
pub fn local(
    game: &dyn Game,
    plan: &Plan,
    keys: &Keyring,
    id: String,
    wall: u64,
    rng: &mut dyn CryptoRng,
) -> Result<(TableInfo, Offer), Misuse> {
    if !game.grades().contains(&plan.grade) {
        return Err(Misuse::Offer("the game is not played in this grade"));
    }
    let dials = match &*plan.dials {
        [] if plan.people.len() > 1 => unhurried(game, plan.grade),
        [] => usual(game, plan.grade),
        chosen => chosen.to_vec(),
    };
    let (options, seats) =
        game.choose(plan.grade, &dials).ok_or(Misuse::Offer("the game does not allow these options"))?;
    if plan.people.is_empty() || plan.people.len() + plan.bots.len() != usize::from(seats) {
        return Err(Misuse::Offer("the number of players does not fit the number of seats"));
    }
    // A bot that plays the person's seat has a name of its own.
    let watch = plan.watch && plan.people.len() == 1;
    let people = if watch { vec![bot_name(0, &[])] } else { plan.people.clone() };
    let mut chairs: Vec<SeatInfo> = (0u8..).zip(&people).map(|(seat, name)| person(keys, &id, seat, name)).collect();
    let people: Vec<&str> = people.iter().map(String::as_str).collect();
    for (seat, level) in (chairs.len() as u8..).zip(&plan.bots) {
        chairs.push(bot(keys, &id, seat, *level, &people));
    }
    let crook = match (plan.crook, game.tricks(plan.grade).is_empty() || plan.bots.is_empty()) {
        (false, _) => None,
        (true, true) => return Err(Misuse::Offer("nobody can cheat here")),
        (true, false) => {
            let seat = plan.people.len() + below(plan.bots.len(), rng);
            Some(Crook { seat: Seat(seat as u8), trick: None })
        }
    };
    let mut offered = Vec::new();
    for (seat, chair) in (0u8..).zip(&chairs) {
        let identity = if seat == 0 { keys.identity().clone() } else { keys.bot(&id, seat) };
        let nonce = ticket(&identity, &[id.as_bytes(), &[seat]], wall, rng).nonce();
        offered.push(OfferSeat { key: key(&chair.key)?, nonce });
    }
    let parameters = plan.grade.parameters();
    let offer = Offer { game: game.name().to_owned(), options, parameters, seats: offered, after: None };
    let about = begun(id, dials, chairs, &offer, wall);
    Ok((TableInfo { pace: plan.pace, watch, crook, ..about }, offer))
}

/// What is stored about a table that this node hosts and that begins now.
pub fn begun(id: String, dials: Vec<i64>, seats: Vec<SeatInfo>, offer: &Offer, wall: u64) -> TableInfo {
    TableInfo {
        version: VERSION,
        id,
        game: offer.game.clone(),
        dials,
        own: Seat(0),
        seats,
        offer: offer.to_bytes(),
        host: true,
        pace: Pace::Calm,
        watch: false,
        began: wall,
        ended: None,
        end: None,
        scores: None,
        rounds: 0,
        head: String::new(),
        days: None,
        moved: None,
        posted: Vec::new(),
        left: Seats::NONE,
        crook: None,
        claim: Vec::new(),
    }
}

/// The seat of a person at this machine. The first person is the owner of the profile; the others, like bots, have a key for this table
/// only.
fn person(keys: &Keyring, table: &str, seat: u8, name: &str) -> SeatInfo {
    let key = if seat == 0 { keys.key() } else { Key(*keys.bot(table, seat).public().as_bytes()) };
    let name = if name.is_empty() { spoken(&key.0[..2]) } else { name.to_owned() };
    SeatInfo { kind: Kind::You, name, key, home: keys.key(), address: Vec::new(), compare: None, number: None }
}

/// The seat of a bot at this machine.
pub fn bot(keys: &Keyring, table: &str, seat: u8, level: u8, people: &[&str]) -> SeatInfo {
    let key = Key(*keys.bot(table, seat).public().as_bytes());
    let (kind, name) = (Kind::Bot { level }, bot_name(seat, people));
    SeatInfo { kind, name, key, home: keys.key(), address: Vec::new(), compare: None, number: None }
}

/// A key, checked.
pub fn key(key: &Key) -> Result<IdentityKey, Misuse> {
    IdentityKey::from_bytes(&key.0, &()).map_err(|_| Misuse::Offer("a seat has no good key"))
}

/// Seats all players of this machine at an offered table. Their nonces in the offer must be this node's: the caller has compared them.
/// `crook` says how to cheat, if the program was started to cheat.
pub fn sit(
    game: &'static dyn Game,
    about: &TableInfo,
    offer: &Offer,
    keys: &Keyring,
    crook: Option<&Crook>,
    now: Millis,
    rng: &mut dyn CryptoRng,
) -> Result<Vec<Box<dyn Sitting>>, Misuse> {
    let mut sittings = Vec::new();
    for seat in ours(about) {
        let mut who = who(about, keys, seat, Back { now, down: 0, unwritten: 0 });
        who.cheat = who.cheat.or_else(|| crook.filter(|crook| crook.seat.0 == seat).map(Crook::plan));
        let offered = offer.seats.get(usize::from(seat)).ok_or(Misuse::Offer("it has fewer seats"))?;
        let ticket = Ticket::from_unused_nonce(offered.nonce);
        sittings.push(game.sit(SeatSpec { offer: offer.clone(), ticket, who }, rng)?);
    }
    Ok(sittings)
}

/// What can be read from a journal.
pub enum Return {
    /// Seats that continue.
    Seats(Vec<Box<dyn Sitting>>),
    /// One seat lost its last record, so the others must forget what came after it, as if the crash had been earlier: this many bytes of
    /// each are good.
    Cut(Vec<usize>),
}

/// When seats continue after a restart.
#[derive(Clone, Copy, Debug)]
pub struct Back {
    /// The time now, by a clock that never goes back.
    pub now: Millis,
    /// How long the program was not running, as far as the machine knows: time that counts against them alone (TAB-27).
    pub down: Millis,
    /// How long ago their journal was last written.
    pub unwritten: Millis,
}

/// Lets all seats of this machine continue from what the journal has of each.
pub fn resume(
    game: &'static dyn Game,
    about: &TableInfo,
    keys: &Keyring,
    streams: &[Vec<u8>],
    back: Back,
    rng: &mut dyn CryptoRng,
) -> Result<Return, Broken> {
    let mut sittings: Vec<Box<dyn Sitting>> = Vec::new();
    let mut kept: Vec<usize> = streams.iter().map(Vec::len).collect();
    for seat in ours(about) {
        let (stream, kept) = (streams.get(usize::from(seat)), kept.get_mut(usize::from(seat)));
        // A seat writes a record before anything says that there is a table: if it is missing, more may be missing.
        let (stream, kept) = stream.zip(kept).ok_or(Broken::Empty)?;
        let (sitting, read) = game.resume(stream, who(about, keys, seat, back), rng)?;
        *kept = read;
        sittings.push(sitting);
    }
    let is_cut = streams.iter().zip(&kept).any(|(stream, kept)| stream.len() > *kept);
    Ok(if is_cut { Return::Cut(kept) } else { Return::Seats(sittings) })
}

/// What a seat of this node knew at a table, step by step.
pub fn recall(
    game: &'static dyn Game,
    about: &TableInfo,
    seat: Seat,
    keys: &Keyring,
    stream: &[u8],
    rng: &mut dyn CryptoRng,
) -> Result<Vec<Picture>, Broken> {
    game.recall(stream, who(about, keys, seat.0, Back { now: 0, down: 0, unwritten: 0 }), rng)
}

/// The seats of this machine.
fn ours(about: &TableInfo) -> Vec<u8> {
    (0u8..).zip(&about.seats).filter(|(_, chair)| chair.kind != Kind::Peer).map(|(seat, _)| seat).collect()
}

fn who(about: &TableInfo, keys: &Keyring, seat: u8, back: Back) -> Who {
    let is_profile = about.seats.get(usize::from(seat)).is_some_and(|chair| chair.key == keys.key());
    let identity = if is_profile { keys.identity().clone() } else { keys.bot(&about.id, seat) };
    // Frames leave this machine on a beat, so that nobody can infer from their time which cards or pieces a seat holds.
    let pace = (!about.is_local()).then_some(PACE);
    let others = ours(about).into_iter().filter(|other| *other != seat).map(Seat);
    // At a table where everyone is at this machine, clocks count between its seats too.
    let kin = if about.is_local() { Seats::NONE } else { others.collect() };
    let by_letters = about.days.map(|_| about.posted(Seat(seat)));
    // If all seats were down together, none of them has waited.
    let age = |age: Millis| if about.is_local() { 0 } else { age };
    let (down, unwritten) = (age(back.down), age(back.unwritten));
    let config = Config { pace, by_letters, kin, down, unwritten, ..Config::default() };
    let cheat = about.crook().filter(|crook| crook.seat.0 == seat).map(Crook::plan);
    Who { identity, key: keys.seal_key(&about.id, seat), config, now: back.now, cheat }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;
    use zeroize::Zeroizing;

    use super::*;

    /// A machine that was reset to an earlier moment does not give a second invite the secret of the first (S-8).
    #[test]
    fn a_repeated_generator_repeats_no_invite() {
        let drawn = |key: u8, room: &str, wall: u64| {
            let keys = Keyring::new(Identity::from_secret(&[key; 32]), Zeroizing::new([9; 32]));
            invite_secrets(&keys, room, wall, &mut ChaCha20Rng::seed_from_u64(99))
        };
        let (secret, number) = drawn(1, "room", 5);
        assert_eq!((secret, number), drawn(1, "room", 5));
        for (other, another) in [drawn(2, "room", 5), drawn(1, "moor", 5), drawn(1, "room", 6)] {
            assert!(other != secret && another != number);
        }
    }
}
