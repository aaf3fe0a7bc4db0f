//! Two machines play at one table, and one of them crashes: before, during and after everything that its table wants done, with a disk
//! that answers at once or late. No seat may sign twice for one position: the other would find a fault, or a different history.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use std::collections::{BTreeMap, VecDeque};

use outis_game::ending::Ending;
use outis_game::{SeatSpec, Who};
use outis_table::codec::Encode;
use outis_table::game::Grade;
use outis_table::identity::Identity;
use outis_table::offer::{Offer, OfferSeat, Ticket};
use outis_table::seal::SealKey;
use outis_table::seats::Seats;
use outis_table::session::Config;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::journal::{good_before, split};
use crate::names::Key;
use crate::table_info::Pace;
use crate::table_info::{SeatInfo, VERSION};

/// A stopwatch for tests that measure no costs.
pub fn no_clock() -> u64 {
    0
}

/// What a machine knows before anything happens.
pub struct Machine {
    game: &'static dyn Game,
    pub info: TableInfo,
    pub offer: Offer,
    players: Vec<Identity>,
}

impl Machine {
    /// A table of this game, with the default options if there are none; with who sits where, as this machine sees it.
    pub fn new(game: &'static dyn Game, dials: &[i64], kind: impl Fn(u8) -> Kind) -> Self {
        let usual: Vec<i64> = game.dials(Grade::Hardened).iter().map(|dial| dial.usual).collect();
        let dials = if dials.is_empty() { usual } else { dials.to_vec() };
        let (options, seats) = game.choose(Grade::Hardened, &dials).unwrap();
        let players: Vec<Identity> = (0..seats).map(|seat| Identity::from_secret(&[seat + 1; 32])).collect();
        let chair = |(seat, who): (u8, &Identity)| OfferSeat { key: who.public(), nonce: [seat; 32] };
        let offer = Offer {
            game: game.name().to_owned(),
            options,
            parameters: Grade::Hardened.parameters(),
            seats: (0u8..).zip(&players).map(chair).collect(),
            after: None,
        };
        let seat = |(seat, who): (u8, &Identity)| {
            let key = Key(*who.public().as_bytes());
            SeatInfo {
                kind: kind(seat),
                name: String::new(),
                key,
                home: key,
                address: Vec::new(),
                compare: None,
                number: None,
            }
        };
        let own = (0..seats).find(|seat| kind(*seat) == Kind::You).unwrap_or(0);
        let info = TableInfo {
            version: VERSION,
            id: "table".to_owned(),
            game: game.name().to_owned(),
            dials,
            own: Seat(own),
            seats: (0u8..).zip(&players).map(seat).collect(),
            offer: offer.to_bytes(),
            host: own == 0,
            pace: Pace::None,
            watch: false,
            began: 0,
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
        };
        Self { game, info, offer, players }
    }
}

/// All seats of a machine sit down, or continue from what the disk has; returns also how much of that is good.
pub fn sit(
    machine: &Machine,
    disk: Option<&[u8]>,
    now: Millis,
    rng: &mut dyn CryptoRng,
) -> (Vec<Box<dyn Sitting>>, usize) {
    let seats = machine.players.len();
    let (streams, good) = disk.map_or((vec![Vec::new(); seats], 0), |disk| split(disk, seats).unwrap());
    let mut kept: Vec<usize> = streams.iter().map(Vec::len).collect();
    let mut sittings = Vec::new();
    for (seat, stream) in streams.iter().enumerate().filter(|(seat, _)| machine.info.seats[*seat].kind != Kind::Peer) {
        let (identity, key) = (machine.players[seat].clone(), SealKey::new([seat as u8; 32]));
        let who = Who { identity, key, config: Config::default(), now, cheat: None };
        sittings.push(if stream.is_empty() {
            let ticket = Ticket::from_unused_nonce(machine.offer.seats[seat].nonce);
            machine.game.sit(SeatSpec { offer: machine.offer.clone(), ticket, who }, rng).unwrap()
        } else {
            let (sitting, read) = machine.game.resume(stream, who, rng).unwrap();
            kept[seat] = read;
            sitting
        });
    }
    match disk.filter(|_| streams.iter().zip(&kept).any(|(stream, kept)| stream.len() > *kept)) {
        Some(disk) => sit(machine, Some(&disk[..good_before(disk, &kept)]), now, rng),
        None => (sittings, good),
    }
}

/// How a machine crashes when it handles an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Before it is done; what was not safe is lost.
    Before,
    /// In the middle of a write; everything that was written before is there.
    Torn,
    /// After it is done; everything that was written is there.
    After,
    /// After it is done; what was not safe is lost.
    AfterLost,
}

/// A running machine.
struct Running {
    machine: Machine,
    table: Table,
    inbox: VecDeque<In>,
    /// What was written, and how much of it is safe.
    file: Vec<u8>,
    safe: usize,
    /// Answers of the disk that are still to come, by time: the attempt, and the length that is safe.
    answers: BTreeMap<(Millis, u64), (u64, u64)>,
    wake: Option<Millis>,
}

struct World {
    machines: Vec<Running>,
    now: Millis,
    rng: ChaCha20Rng,
    /// How long the disk takes, in milliseconds.
    late: Millis,
    /// How many outputs the machine that crashes has had.
    step: usize,
    crash: Option<(usize, usize, How)>,
    /// From which of its outputs on the disk of the first machine refuses; then, until when.
    full: Option<(usize, Option<Millis>)>,
}

/// How long a disk is full: longer than the clock runs.
const FULL: Millis = 80_000;

impl World {
    fn new(game: &'static dyn Game, late: Millis, crash: Option<(usize, usize, How)>) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(7);
        let machine = |own: u8| {
            let kind = move |seat: u8| if seat == own { Kind::You } else { Kind::Peer };
            let mut machine = Machine::new(game, &[], kind);
            machine.info.watch = true;
            machine
        };
        let mut start = |machine: Machine| {
            let (sittings, _) = sit(&machine, None, 0, &mut rng);
            let now = Now { mono: 0, wall: 0 };
            let table = Table::new(game, machine.info.clone(), sittings, Journal::on(0), now, no_clock);
            let (inbox, answers) = (VecDeque::from([In::Tick]), BTreeMap::new());
            Running { machine, table, inbox, file: Vec::new(), safe: 0, answers, wake: None }
        };
        let machines = vec![start(machine(0)), start(machine(1))];
        Self { machines, now: 0, rng, late, step: 0, crash, full: None }
    }

    /// Plays until both are done; returns how many outputs the machine that crashes, or else the first, had.
    fn play(&mut self) -> usize {
        while self.machines.iter().any(|m| m.table.outcome.is_none() || !m.inbox.is_empty()) {
            assert!(self.now < 600_000, "nothing moves any more: {:?}", self.crash);
            for who in 0..self.machines.len() {
                while let Some(input) = self.machines[who].inbox.pop_front() {
                    self.give(who, input);
                }
            }
            let is_over = self.machines.iter().all(|machine| machine.table.outcome.is_some());
            if !is_over && self.machines.iter().all(|machine| machine.inbox.is_empty()) {
                self.pass();
            }
        }
        self.step
    }

    /// Advances the time to the next event.
    fn pass(&mut self) {
        let wakes = self.machines.iter().filter_map(|machine| machine.wake);
        let answers =
            self.machines.iter().filter_map(|machine| machine.answers.first_key_value().map(|(key, _)| key.0));
        self.now = wakes.chain(answers).min().unwrap_or(self.now + 1_000).max(self.now + 1);
        for machine in &mut self.machines {
            while let Some((at, (attempt, up_to))) =
                machine.answers.first_key_value().map(|(at, answer)| (*at, *answer))
            {
                if at.0 > self.now {
                    break;
                }
                machine.answers.remove(&at);
                machine.safe = machine.safe.max(up_to as usize);
                machine.inbox.push_back(In::Appended { attempt, up_to });
            }
            machine.inbox.push_back(In::Tick);
        }
    }

    fn give(&mut self, who: usize, input: In) {
        let (now, rng) = (Now { mono: self.now, wall: self.now }, &mut self.rng);
        self.machines[who].table.handle(now, input, rng);
        loop {
            let out = self.machines[who].table.poll();
            // A crash at a mere report makes no difference.
            let matters = !matches!(&out, Out::From(told) if !matches!(told, FromTable::Frame { .. }));
            let counts = self.crash.map_or(who == 0, |(crashes, ..)| crashes == who);
            self.step += usize::from(counts && matters);
            let how = self.crash.filter(|(crashes, at, _)| matters && *crashes == who && *at + 1 == self.step);
            let how = how.map(|(.., how)| how);
            match (how, out) {
                (Some(How::Before), _) => return self.restart(who, true),
                (Some(How::Torn), Out::Append(append)) => {
                    let machine = &mut self.machines[who];
                    machine.file.truncate(append.at as usize);
                    machine.file.extend_from_slice(&append.bytes[..append.bytes.len() / 2]);
                    return self.restart(who, false);
                }
                (Some(How::Torn), _) => return self.restart(who, false),
                (_, Out::Idle(wake)) => {
                    self.machines[who].wake = wake;
                    return how.map_or((), |how| self.restart(who, how == How::AfterLost));
                }
                (Some(how), out) => {
                    self.carry_out(who, out);
                    return self.restart(who, how == How::AfterLost);
                }
                (None, out) => self.carry_out(who, out),
            }
        }
    }

    fn carry_out(&mut self, who: usize, out: Out) {
        let (now, late) = (self.now, self.late);
        let is_full = who == 0 && self.is_full();
        let machine = &mut self.machines[who];
        match out {
            Out::Append(append) if is_full => machine.inbox.push_back(In::AppendFailed { attempt: append.attempt }),
            Out::Append(append) => {
                assert!(append.at as usize <= machine.file.len() && append.at as usize >= machine.safe, "no gap");
                machine.file.truncate(append.at as usize);
                machine.file.extend_from_slice(&append.bytes);
                let end = machine.file.len() as u64;
                if append.urgent && late == 0 {
                    machine.safe = machine.file.len();
                    machine.inbox.push_back(In::Appended { attempt: append.attempt, up_to: end });
                } else if append.urgent {
                    let n = machine.answers.last_key_value().map_or(0, |(key, _)| key.1 + 1);
                    machine.answers.insert((now + late, n), (append.attempt, end));
                }
            }
            Out::Work(seat, work) => machine.inbox.push_back(In::Done(seat, work.run(), None)),
            Out::Think(seat, round, thought) => machine.inbox.push_back(In::Decided(seat, round, thought.think())),
            Out::From(FromTable::Frame { from, seat, bytes, .. }) => {
                self.machines[1 - who].inbox.push_back(In::Frame { from, to: seat, bytes });
            }
            // This test asks nothing and watches nothing.
            _ => {}
        }
    }

    fn is_full(&mut self) -> bool {
        let (now, step) = (self.now, self.step);
        let full = self.full.as_mut().filter(|(from, _)| step >= *from);
        full.is_some_and(|(_, until)| now < *until.get_or_insert(now + FULL))
    }

    /// The machine is switched off, and on again with what its disk has.
    fn restart(&mut self, who: usize, lost: bool) {
        let machine = &mut self.machines[who];
        if lost {
            machine.file.truncate(machine.safe);
        }
        let (sittings, good) = sit(&machine.machine, Some(&machine.file), self.now, &mut self.rng);
        machine.file.truncate(good);
        machine.safe = good;
        let info = machine.machine.info.clone();
        let now = Now { mono: self.now, wall: self.now };
        let journal = Journal::on(good as u64);
        machine.table = Table::new(machine.machine.game, info, sittings, journal, now, no_clock);
        (machine.inbox, machine.wake) = (VecDeque::from([In::Tick]), None);
        machine.answers.clear();
    }

    /// Both machines have the same game, and no seat is blamed.
    fn check(&self) {
        let ended =
            |machine: &Running| (machine.table.outcome.as_ref().map(|o| o.end), machine.table.own().unwrap().head());
        let ends: Vec<_> = self.machines.iter().map(ended).collect();
        assert!(ends.iter().all(|(end, _)| *end == Some(Ending::Finished)), "{:?}: {ends:?}", self.crash);
        assert_eq!(ends[0].1, ends[1].1, "{:?}", self.crash);
    }
}

#[test]
fn nobody_speaks_twice_whenever_a_machine_crashes() {
    let game = outis_catalogue::game("matching-pennies").unwrap();
    for late in [0, 700] {
        for who in 0..2 {
            let never = (who, usize::MAX - 1, How::Before);
            let mut whole = World::new(game, late, Some(never));
            let steps = whole.play();
            whole.check();
            assert!(steps > 20, "{steps} outputs");
            for at in 0..steps {
                for how in [How::Before, How::Torn, How::After, How::AfterLost] {
                    let mut world = World::new(game, late, Some((who, at, how)));
                    world.play();
                    world.check();
                }
            }
        }
    }
}

/// The disk does not answer, and a peer asks and asks: what waits is bounded, and a peer that needs more asks again.
#[test]
fn what_waits_for_the_disk_has_a_bound() {
    use outis_table::session::wire::{Frame, Status};
    let game = outis_catalogue::game("matching-pennies").unwrap();
    let mut world = World::new(game, 0, None);
    let mut rng = ChaCha20Rng::seed_from_u64(8);
    let table = &mut world.machines[0].table;
    let status = Status { round: 0, head: outis_table::Head([0; 32]), have: Seats::NONE, ask: true, token: 7 };
    let question = Frame::Status(status).to_bytes();
    let mut give = |now: Millis, input: In| {
        let (mut inputs, mut frames, mut end) = (VecDeque::from([input]), 0, None);
        while let Some(input) = inputs.pop_front() {
            table.handle(Now { mono: now, wall: now }, input, &mut rng);
            loop {
                match table.poll() {
                    Out::Append(append) => end = Some((append.attempt, append.at + append.bytes.len() as u64)),
                    Out::From(FromTable::Frame { .. }) => frames += 1,
                    Out::Work(seat, work) => inputs.push_back(In::Done(seat, work.run(), None)),
                    Out::Idle(_) => break,
                    _ => {}
                }
            }
        }
        (frames, end)
    };
    let mut last = give(0, In::Tick).1;
    for now in (0..20_000).step_by(20) {
        let (frames, end) = give(now, In::Frame { from: Seat(1), to: Seat(0), bytes: question.clone() });
        assert_eq!(frames, 0, "nothing is safe");
        last = end.or(last);
    }
    let (attempt, up_to) = last.expect("something was to be written");
    let (frames, _) = give(20_000, In::Appended { attempt, up_to });
    assert_eq!(frames, MOST_HELD);
    assert!(give(20_020, In::Frame { from: Seat(1), to: Seat(0), bytes: question }).0 > 0, "and it is answered again");
}

/// Nothing leaves before the disk answers; and after a refusal, everything since the last safe length is written again.
#[test]
fn no_frame_leaves_before_its_mark() {
    let game = outis_catalogue::game("matching-pennies").unwrap();
    let mut world = World::new(game, 0, None);
    let mut rng = ChaCha20Rng::seed_from_u64(8);
    let table = &mut world.machines[0].table;
    let (mut inputs, mut file, mut frames, mut urgent) = (VecDeque::from([In::Tick]), Vec::new(), 0, 0);
    let mut run = |table: &mut Table, inputs: &mut VecDeque<In>, now: Millis| {
        let (mut appends, mut failing) = (Vec::new(), None);
        while let Some(input) = inputs.pop_front() {
            table.handle(Now { mono: now, wall: now }, input, &mut rng);
            loop {
                match table.poll() {
                    Out::Append(append) => appends.push(append),
                    Out::From(FromTable::Frame { .. }) => frames += 1,
                    Out::From(FromTable::Disk(fails)) => failing = Some(fails),
                    Out::Work(seat, work) => inputs.push_back(In::Done(seat, work.run(), None)),
                    Out::Idle(_) => break,
                    _ => {}
                }
            }
        }
        (appends, failing, frames)
    };
    let mut write = |appends: Vec<Append>| {
        for append in appends {
            file.truncate(append.at as usize);
            file.extend_from_slice(&append.bytes);
            urgent += usize::from(append.urgent);
        }
        (file.clone(), urgent)
    };
    let (appends, _, frames) = run(table, &mut inputs, 0);
    assert!(appends.iter().any(|append| append.urgent), "something is to leave");
    let (first, _) = write(appends);
    assert_eq!(frames, 0, "nothing is safe");
    inputs.extend([In::Tick, In::Tick]);
    assert_eq!(run(table, &mut inputs, 10).2, 0, "nor by waiting");
    inputs.push_back(In::AppendFailed { attempt: 0 });
    assert_eq!(run(table, &mut inputs, 20).1, Some(true));
    inputs.push_back(In::Tick);
    assert!(run(table, &mut inputs, 30).0.is_empty(), "not at once");
    inputs.push_back(In::Tick);
    let (again, _, frames) = run(table, &mut inputs, 30 + RETRY);
    assert_eq!((again[0].at, frames), (0, 0));
    assert!(again[0].bytes.starts_with(&first), "everything is written again");
    let end = again.last().map(|append| append.at + append.bytes.len() as u64).unwrap();
    inputs.push_back(In::Appended { attempt: 1, up_to: end });
    let (_, failing, frames) = run(table, &mut inputs, 40 + RETRY);
    assert_eq!(failing, Some(false));
    assert!(frames > 0, "now it leaves");
}

/// A disk is full for longer than the clock runs: to the others this machine is silent, and it makes no timeout claim against them.
#[test]
fn whose_disk_is_full_accuses_nobody() {
    let game = outis_catalogue::game("matching-pennies").unwrap();
    let steps = World::new(game, 0, None).play();
    let mut claimed = 0;
    for at in 0..steps {
        let mut world = World::new(game, 0, None);
        world.full = Some((at, None));
        while world.now < 3 * FULL {
            for who in 0..2 {
                while let Some(input) = world.machines[who].inbox.pop_front() {
                    world.give(who, input);
                }
            }
            if world.machines.iter().all(|machine| machine.inbox.is_empty()) {
                world.pass();
            }
        }
        let claims = |who: usize| outis_table::denial::claims(&world.machines[who].table.export()).unwrap();
        assert!(claims(0).iter().all(|claim| claim.claimant != Seat(0)), "full from output {at} on");
        claimed += claims(1).len();
    }
    assert!(claimed > 0, "the other does claim");
}
