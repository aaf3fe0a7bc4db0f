//! A whole table: sessions, bots, simulated time, and everything that can go wrong.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use outis_game::present::Present;
use outis_table::Seat;
use outis_table::codec::{Decode, Encode};
use outis_table::entry::{Place, Utterance};
use outis_table::game::{ActionOf, Checks, Grade, Millis, Referee, RefereeOf, Rules, RulesOf};
use outis_table::judged_log::Stage;
use outis_table::offer::{Offer, Ticket};
use outis_table::session::wire::Frame;
use outis_table::session::{Config, End, Input, Output, Session, What};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use crate::cheat::{Sent, Wire, WireCheat};
use crate::net::Net;
use crate::outcome::{Crash, Moment, Outcome, Work};
use crate::people::{identity, offer_seat, seal_key};
use crate::truth::{Oracle, Truth, Watch};
use crate::twin::Twin;

/// Picks one of the legal actions by its index.
pub type Script<P> = fn(&[ActionOf<P>]) -> usize;

struct SimulatedSeat<P: Present> {
    session: Option<Session<P>>,
    journal: Vec<u8>,
    outputs: usize,
    /// An action that was taken, and the round it was meant for; it becomes part of the truth once the seat has signed
    /// it.
    pending: Option<(u32, ActionOf<P>)>,
    deciding: bool,
    wire_cheat: Option<WireCheat>,
    twin: Option<Twin<P>>,
    /// Length of the journal before its last record.
    before: usize,
    wake: Option<Millis>,
}

enum Happening {
    Deliver(Seat, Vec<u8>),
    Wake,
    Decide,
    Restart,
}

type Scheduled = (Reverse<Millis>, Reverse<u64>, usize);

/// One table with all its seats.
pub struct World<P: Present> {
    offer: Offer,
    options: <RulesOf<P> as Rules>::Options,
    seats: Vec<SimulatedSeat<P>>,
    net: Net,
    crash: Option<Crash>,
    nap: Option<(Seat, Millis, Millis)>,
    config: Config,
    tamper: Option<(Seat, outis_table::cheat::Tamper<P>)>,
    cheater: Option<Seat>,
    rng: ChaCha20Rng,
    now: Millis,
    queue: BinaryHeap<Scheduled>,
    happenings: BTreeMap<u64, Happening>,
    sequence: u64,
    seed: u64,
    oracle: Option<Box<dyn Watch<P>>>,
    said: BTreeMap<Place, Utterance>,
    script: Option<Script<P>>,
    level: u8,
    traffic: Vec<(Seat, Seat, usize)>,
    noise: Vec<Vec<u8>>,
    frames: Option<Vec<Vec<u8>>>,
    bytes: u64,
    afterwards: usize,
    clock: Option<fn() -> u64>,
    made: BTreeMap<&'static str, Work>,
}

impl<P: Present> World<P> {
    /// A table of bots, reproducible from the seed.
    pub fn new(options: &<RulesOf<P> as Rules>::Options, seats: u8, seed: u64) -> Self {
        let rng = ChaCha20Rng::seed_from_u64(seed);
        let offer = Offer {
            game: RefereeOf::<P>::GAME.into(),
            options: options.to_bytes(),
            parameters: Vec::new(),
            seats: (0..seats).map(|seat| offer_seat(seed, 0, Seat(seat))).collect(),
            after: None,
        };
        let state = |_| SimulatedSeat {
            session: None,
            journal: Vec::new(),
            outputs: 0,
            pending: None,
            deciding: false,
            wire_cheat: None,
            twin: None,
            before: 0,
            wake: None,
        };
        Self {
            offer,
            options: options.clone(),
            seats: (0..seats).map(state).collect(),
            net: Net::GOOD,
            crash: None,
            nap: None,
            config: Config { patience: Some(600_000), ..Config::default() },
            tamper: None,
            cheater: None,
            rng,
            now: 1_000,
            queue: BinaryHeap::new(),
            happenings: BTreeMap::new(),
            sequence: 0,
            seed,
            oracle: None,
            said: BTreeMap::new(),
            script: None,
            level: 1,
            traffic: Vec::new(),
            noise: Vec::new(),
            frames: None,
            bytes: 0,
            afterwards: 0,
            clock: None,
            made: BTreeMap::new(),
        }
    }

    /// Uses bots of this level.
    #[must_use]
    pub fn level(mut self, level: u8) -> Self {
        self.level = level;
        self
    }

    /// Plays in this grade; the default is hardened.
    #[must_use]
    pub fn grade(mut self, grade: Grade) -> Self {
        self.offer.parameters = grade.parameters();
        self
    }

    /// Uses this network.
    #[must_use]
    pub fn net(mut self, net: Net) -> Self {
        self.net = net;
        self
    }

    /// Crashes a program in this way.
    #[must_use]
    pub fn crash(mut self, crash: Crash) -> Self {
        self.crash = Some(crash);
        self
    }

    /// One seat's program sleeps from one time to another: inputs that arrive meanwhile are handled when it wakes.
    #[must_use]
    pub fn nap(mut self, seat: Seat, from: Millis, to: Millis) -> Self {
        self.nap = Some((seat, from, to));
        self
    }

    /// A cheat changes one seat's steps.
    #[must_use]
    pub fn tamper(mut self, seat: Seat, tamper: outis_table::cheat::Tamper<P>) -> Self {
        self.tamper = Some((seat, tamper));
        self.cheater = Some(seat);
        self.oracle = None;
        self
    }

    /// A cheat changes one seat's messages.
    #[must_use]
    pub fn wire(mut self, seat: Seat, wire: Wire, from_round: u32) -> Self {
        let wire_cheat = WireCheat::new(wire, identity(self.seed, seat), seat, self.seats.len(), from_round);
        self.seats[usize::from(seat.0)].wire_cheat = Some(wire_cheat);
        self.cheater = Some(seat);
        self.oracle = None;
        self
    }

    /// Uses this policy at every seat.
    #[must_use]
    pub fn config(mut self, config: Config) -> Self {
        self.config = config;
        self
    }

    /// Uses these checks.
    #[must_use]
    pub fn checks(mut self, checks: Checks<'static>) -> Self {
        self.config.checks = checks;
        self
    }

    /// Every seat takes the action that the script picks among the legal ones, in place of the bot's.
    #[must_use]
    pub fn script(mut self, script: Script<P>) -> Self {
        self.script = Some(script);
        self
    }

    /// Injects these frames: each arrives at some time, at some seat, over some link.
    #[must_use]
    pub fn noise(mut self, frames: Vec<Vec<u8>>) -> Self {
        self.noise = frames;
        self
    }

    /// The same players at another table: all randomness except the identities is drawn again.
    #[must_use]
    pub fn salted(mut self, salt: u64) -> Self {
        self.rng.set_stream(salt + 1_000);
        self.offer.seats = (0..self.seats.len() as u8).map(|seat| offer_seat(self.seed, salt, Seat(seat))).collect();
        self
    }

    /// Keeps every frame for the outcome.
    #[must_use]
    pub fn captured(mut self) -> Self {
        self.frames = Some(Vec::new());
        self
    }

    /// Times the making of every step with this clock.
    #[must_use]
    pub fn timed(mut self, clock: fn() -> u64) -> Self {
        self.clock = Some(clock);
        self
    }

    /// Follows the full state, and compares it with what every seat knows whenever no step is due.
    #[must_use]
    pub fn watched(mut self) -> Self
    where
        P: Truth,
    {
        self.oracle = Some(Box::new(Oracle::<P>::new(&self.options, self.seats.len() as u8)));
        self
    }

    /// Plays until every seat has ended, or until nothing happens any longer.
    pub fn play(mut self) -> Outcome<P> {
        for seat in (0..self.seats.len() as u8).map(Seat) {
            let session = Session::new(
                self.offer.clone(),
                self.ticket(seat),
                identity(self.seed, seat),
                seal_key(seat),
                self.config,
                self.now,
                &mut self.rng,
            );
            // Options and seats come from the test itself, so a refusal is the test's mistake.
            let session = session.unwrap_or_else(|misuse| panic!("the table cannot be opened: {misuse}"));
            self.install(seat, session);
            self.drain(seat);
        }
        for frame in core::mem::take(&mut self.noise) {
            let seats = self.seats.len() as u32;
            let to = self.rng.next_u32() % seats;
            let from = (to + 1 + self.rng.next_u32() % (seats - 1)) % seats;
            let at = self.now + self.rng.next_u64() % 2_000;
            self.schedule(at, Seat(to as u8), Happening::Deliver(Seat(from as u8), frame));
        }
        let (mut steps, mut over) = (0u64, None);
        while let Some((Reverse(at), Reverse(sequence), index)) = self.queue.pop() {
            steps += 1;
            assert!(steps < 5_000_000, "the table does not come to an end");
            if let Some((_, _, to)) =
                self.nap.filter(|(seat, from, to)| usize::from(seat.0) == index && (*from..*to).contains(&at))
            {
                self.queue.push((Reverse(to), Reverse(sequence), index));
                continue;
            }
            self.now = at;
            if let Some(happening) = self.happenings.remove(&sequence) {
                self.happen(Seat(index as u8), happening);
                self.compare();
            }
            if self.is_over() {
                // With a cheater at the table, all seats are watched a while longer: they may sign nothing new now.
                let since = *over.get_or_insert(self.now);
                if self.cheater.is_none() || self.now > since + 10_000 {
                    break;
                }
            }
        }
        let export = |state: &SimulatedSeat<P>| state.session.as_ref().map_or(Vec::new(), Session::export);
        Outcome {
            reports: self.seats.iter().map(|c| c.session.as_ref().and_then(Session::report)).collect(),
            logs: self.seats.iter().map(export).collect(),
            time: self.now,
            compared: self.oracle.as_ref().map_or(0, |oracle| oracle.compared()),
            spectator: self.oracle.as_ref().map(|oracle| oracle.spectator()),
            traffic: self.traffic,
            frames: self.frames.unwrap_or_default(),
            outputs: self.seats.iter().map(|state| state.outputs).collect(),
            journals: self.seats.iter().map(|state| state.journal.len()).collect(),
            bytes: self.bytes,
            afterwards: self.afterwards,
            made: self.made,
        }
    }

    fn is_over(&self) -> bool {
        let ended = |c: &SimulatedSeat<P>| c.session.as_ref().is_some_and(|s| s.report().is_some());
        let honest = |seat: usize| self.cheater != Some(Seat(seat as u8));
        self.seats.iter().enumerate().filter(|(seat, _)| honest(*seat)).all(|(_, state)| ended(state))
    }

    fn install(&mut self, seat: Seat, session: Session<P>) {
        let session = match self.tamper {
            Some((rigged, tamper)) if rigged == seat => session.dangerously_rigged(Some(tamper)),
            _ => session,
        };
        self.seats[usize::from(seat.0)].session = Some(session);
    }

    fn ticket(&self, seat: Seat) -> Ticket {
        Ticket::from_unused_nonce(self.offer.seats[usize::from(seat.0)].nonce)
    }

    fn happen(&mut self, seat: Seat, happening: Happening) {
        match happening {
            Happening::Restart => {
                let state = &self.seats[usize::from(seat.0)];
                let journal = state.journal.clone();
                let (identity, key) = (identity(self.seed, seat), seal_key(seat));
                let resumed =
                    Session::resume(&journal, identity.clone(), key.clone(), self.config, self.now, &mut self.rng);
                match resumed {
                    Ok(resumed) => {
                        self.seats[usize::from(seat.0)].journal.truncate(resumed.kept);
                        self.install(seat, resumed.session);
                    }
                    Err(outis_table::seal::Broken::Empty) => {
                        // Nothing was ever written, so the seat sits down for the first time.
                        self.seats[usize::from(seat.0)].journal.clear();
                        let fresh = Session::new(
                            self.offer.clone(),
                            self.ticket(seat),
                            identity,
                            key,
                            self.config,
                            self.now,
                            &mut self.rng,
                        );
                        self.install(seat, fresh.unwrap_or_else(|misuse| panic!("{misuse}")));
                    }
                    Err(broken) => panic!("the journal of seat {} is lost: {broken}", seat.0),
                }
                self.drain(seat);
                self.settle(seat);
                self.seats[usize::from(seat.0)].pending = None;
            }
            Happening::Deliver(from, bytes) => match &self.seats[usize::from(seat.0)].twin {
                Some(twin) if twin.victim == from => self.whisper(seat, What::Receive(from, &bytes)),
                _ => self.give(seat, What::Receive(from, &bytes)),
            },
            Happening::Wake if self.seats[usize::from(seat.0)].wake.is_some_and(|wake| wake <= self.now) => {
                self.seats[usize::from(seat.0)].wake = None;
                self.give(seat, What::Tick);
                self.whisper(seat, What::Tick);
            }
            // A later output has requested a different time.
            Happening::Wake => {}
            Happening::Decide => self.decide(seat),
        }
    }

    fn decide(&mut self, seat: Seat) {
        self.seats[usize::from(seat.0)].deciding = false;
        let state = &self.seats[usize::from(seat.0)];
        let sessions: Vec<&Session<P>> = self.seats.iter().filter_map(|state| state.session.as_ref()).collect();
        let Some(session) = state.session.as_ref().filter(|session| session.is_my_turn()) else { return };
        let Some(knowledge) = session.knowledge() else { return };
        let players: Vec<&P> = sessions.iter().filter_map(|s| s.player()).collect();
        if let (Some(oracle), Some(referee)) = (&mut self.oracle, session.trial().referee())
            && (players.len() < self.seats.len() || !oracle.nature(&players, referee))
        {
            // A seat is down, and only all secrets together show the outcome of chance: decide a little later.
            return self.postpone(seat);
        }
        let legal = RulesOf::<P>::legal(knowledge);
        let action = match self.script {
            Some(script) => legal.get(script(&legal)).cloned(),
            None => P::bot(self.level, knowledge, &legal, &mut self.rng),
        };
        let Some(action) = action else { return };
        let round = session.trial().round();
        self.seats[usize::from(seat.0)].pending = Some((round, action.clone()));
        self.give(seat, What::Act(action));
    }

    fn postpone(&mut self, seat: Seat) {
        self.seats[usize::from(seat.0)].deciding = true;
        self.schedule(self.now + 100, seat, Happening::Decide);
    }

    fn give(&mut self, seat: Seat, what: What<'_, P>) {
        let state = &mut self.seats[usize::from(seat.0)];
        let Some(session) = state.session.as_mut() else { return };
        let input = Input { now: self.now, what };
        session.handle(input, &mut self.rng).unwrap_or_else(|misuse| panic!("seat {}: {misuse}", seat.0));
        self.drain(seat);
    }

    fn drain(&mut self, seat: Seat) {
        let at = usize::from(seat.0);
        loop {
            let Some(session) = self.seats[at].session.as_mut() else { return };
            match session.poll() {
                Output::Persist(bytes) => {
                    if self.dies(seat, Moment::Before) {
                        return;
                    }
                    if self.dies(seat, Moment::Torn) {
                        self.seats[at].journal.extend_from_slice(&bytes[..bytes.len() / 2]);
                        return;
                    }
                    self.seats[at].before = self.seats[at].journal.len();
                    self.seats[at].journal.extend_from_slice(&bytes);
                    if self.dies(seat, Moment::After) {
                        return;
                    }
                    self.seats[at].outputs += 1;
                }
                Output::Transmit(to, bytes) => {
                    if self.dies(seat, Moment::Before) || self.dies(seat, Moment::Torn) {
                        return;
                    }
                    self.transmit(seat, to, bytes);
                    if self.dies(seat, Moment::After) {
                        return;
                    }
                    self.seats[at].outputs += 1;
                }
                Output::Compute(job) => {
                    let what = match session.expects() {
                        Stage::Steps(expectation) => expectation.what,
                        _ => "",
                    };
                    let what = if job.is_idle() { "idle" } else { what };
                    let began = self.clock.map(|clock| clock());
                    let done = job.run();
                    let work = self.made.entry(what).or_default();
                    work.steps += 1;
                    work.time += self.clock.map_or(0, |clock| clock()).saturating_sub(began.unwrap_or(0));
                    // The contract: first take the remaining outputs, then give the result.
                    self.drain(seat);
                    self.give(seat, What::Done(done));
                    return;
                }
                Output::View(_) => {}
                Output::Idle(wake) => {
                    let wake = wake.map(|wake| wake.max(self.now));
                    if self.seats[at].wake != wake {
                        self.seats[at].wake = wake;
                        if let Some(wake) = wake {
                            self.schedule(wake, seat, Happening::Wake);
                        }
                    }
                    break;
                }
            }
        }
        self.settle(seat);
        let state = &mut self.seats[at];
        if state.session.as_ref().is_some_and(Session::is_my_turn) && !state.deciding {
            state.deciding = true;
            self.schedule(self.now + 30, seat, Happening::Decide);
        }
    }

    /// Whether the crash is due; if so, the seat's program is gone, with everything that it had not written.
    fn dies(&mut self, seat: Seat, moment: Moment) -> bool {
        let state = &mut self.seats[usize::from(seat.0)];
        let due = self.crash.is_some_and(|c| c.seat == seat && c.at == state.outputs && c.moment == moment);
        if due {
            self.crash = None;
            state.session = None;
            state.deciding = false;
            state.wake = None;
            self.schedule(self.now + 777, seat, Happening::Restart);
        }
        due
    }

    fn transmit(&mut self, from: Seat, to: Seat, bytes: Vec<u8>) {
        self.part(from, &bytes);
        let state = &mut self.seats[usize::from(from.0)];
        let split = state.twin.as_ref().is_some_and(|twin| twin.victim == to);
        if split && state.wire_cheat.as_ref().is_none_or(|wire_cheat| !wire_cheat.says_twice(&bytes)) {
            return;
        }
        let table = self.offer.id();
        let sent = match &mut state.wire_cheat {
            Some(wire_cheat) => wire_cheat.pass(table, to, bytes),
            None => vec![(to, 0, bytes)],
        };
        self.carry(from, sent);
    }

    fn carry(&mut self, from: Seat, sent: Vec<Sent>) {
        for (to, later, bytes) in sent {
            if self.cheater != Some(from) {
                self.witness(from, &bytes);
            }
            self.traffic.push((from, to, bytes.len()));
            if let Some(frames) = &mut self.frames {
                frames.push(bytes.clone());
            }
            self.bytes += bytes.len() as u64;
            for at in self.net.deliveries(from, to, self.now, &mut self.rng) {
                self.schedule(at + later, to, Happening::Deliver(from, bytes.clone()));
            }
        }
    }

    /// An equivocating seat is about to make its entry: from here on, its second program sends to the victim.
    fn part(&mut self, seat: Seat, bytes: &[u8]) {
        let (table, seed, now, config) = (self.offer.id(), self.seed, self.now, self.config);
        let state = &mut self.seats[usize::from(seat.0)];
        let Some(wire_cheat) = &mut state.wire_cheat else { return };
        let Some(place) = wire_cheat.parts(bytes) else { return };
        let victim = wire_cheat.victim().unwrap_or(Seat(u8::from(seat.0 == 0)));
        let journal = &state.journal[..state.before];
        let twin = Twin::new(identity(seed, seat), victim, journal, config, now, place, &mut self.rng);
        let (twin, second) = twin.unzip();
        wire_cheat.part(table, bytes, second);
        state.twin = twin.filter(|_| wire_cheat.victim().is_some());
    }

    /// Passes an input to the second program of a seat, and delivers what it sends to the victim.
    fn whisper(&mut self, seat: Seat, what: What<'_, P>) {
        let now = self.now;
        let Some(twin) = &mut self.seats[usize::from(seat.0)].twin else { return };
        let victim = twin.victim;
        let sent = twin.give(now, what, &mut self.rng);
        self.carry(seat, sent.into_iter().map(|bytes| (victim, 0, bytes)).collect());
    }

    /// Checks that no honest seat ever signs two different entries for one position.
    fn witness(&mut self, from: Seat, bytes: &[u8]) {
        if let Ok(Frame::Entry(entry)) = Frame::from_bytes(bytes, &())
            && entry.place().seat == from
        {
            let session = self.seats[usize::from(from.0)].session.as_ref();
            let refused = session.and_then(Session::report).is_some_and(|report| report.end != End::Finished);
            if refused && !self.said.contains_key(&entry.place()) {
                self.afterwards += 1;
            }
            let first = self.said.entry(entry.place()).or_insert(*entry.utterance());
            assert_eq!(first, entry.utterance(), "seat {} equivocates in round {}", from.0, entry.place().round);
        }
    }

    /// Makes an action part of the truth once its seat has signed it.
    fn settle(&mut self, seat: Seat) {
        let state = &mut self.seats[usize::from(seat.0)];
        let Some(session) = &state.session else { return };
        let Some((round, _)) = state.pending else { return };
        if session.trial().entry(Place { round, seat }).is_some()
            && let (Some((_, action)), Some(oracle)) = (state.pending.take(), &mut self.oracle)
        {
            oracle.apply(seat, &action);
        }
    }

    /// Compares with the truth if all seats are in the same round and no step is due.
    fn compare(&mut self) {
        let Some(oracle) = &mut self.oracle else { return };
        let mut sessions = Vec::new();
        for state in &self.seats {
            match &state.session {
                Some(session) => sessions.push(session),
                None => return,
            }
        }
        let Some(first) = sessions.first() else { return };
        let quiet = |stage: &Stage| match stage {
            Stage::Steps(expectation) => expectation.by_hand,
            Stage::Echo(then) => then.by_hand,
            Stage::Closing | Stage::Closed => true,
            Stage::Seating => false,
        };
        // All seats have received everything, so an action in progress is already part of the truth.
        let place = |s: &Session<P>| (s.trial().head(), s.trial().spoken());
        let together = sessions.iter().all(|s| place(s) == place(first) && quiet(s.expects()));
        let players: Vec<&P> = sessions.iter().filter_map(|s| s.player()).collect();
        if let (true, true, Some(referee)) = (together, players.len() == sessions.len(), first.trial().referee())
            && self.seats.iter().all(|state| state.pending.is_none())
        {
            oracle.compare(&players, referee);
        }
    }

    fn schedule(&mut self, at: Millis, seat: Seat, happening: Happening) {
        self.sequence += 1;
        self.happenings.insert(self.sequence, happening);
        self.queue.push((Reverse(at), Reverse(self.sequence), usize::from(seat.0)));
    }

    /// The options of the table.
    pub fn options(&self) -> &<RulesOf<P> as Rules>::Options {
        &self.options
    }
}
