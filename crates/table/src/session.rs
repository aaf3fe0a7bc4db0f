//! For applications: one seat at one table, without clock, socket, file or thread.
//!
//! **The contract.** Give one [`Input`] to [`Session::handle`]; take [`Output`]s from [`Session::poll`] until `Idle`;
//! only then give another. Make each `Persist` durable before you take the next output. The session enforces the first
//! half (it refuses an input before `Idle`) and relies on you for the second.

mod awake;
mod bank;
mod blame;
#[cfg(feature = "cheats")]
mod crooked;
mod job;
mod journal;
mod pace;
mod peers;
mod report;
mod resume;
pub mod wire;

use std::collections::{BTreeMap, VecDeque};

use outis_crypto::challenger::{Nonces, Purpose};
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::context::Seat;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use awake::{Asking, Slept};
pub use bank::Clocks;
pub use job::{Done, Job};
use job::{Finished, Task};
use journal::Note;
use pace::DelayedStep;
use peers::Link;
pub use report::{End, Report};
pub use resume::Resumed;
use wire::{Frame, MAX_FRAME};

use crate::claim::Silence;
use crate::entry::{Entry, Place};
use crate::export::{self, Record};
use crate::game::{ActionOf, Checks, EventOf, KnowledgeOf, Made, Millis, Player, Referee, Rules, RulesOf};
use crate::identity::Identity;
use crate::judged_log::{Admission, Broken, FaultReport, JudgedLog, Stage};
use crate::offer::{Offer, Ticket};
use crate::seal::{Chain, SealKey};
use crate::seats::Seats;

/// One event, and when it happened.
pub struct Input<'a, P: Player> {
    /// The time, on any clock that does not run backwards.
    pub now: Millis,
    /// The event.
    pub what: What<'a, P>,
}

/// The events of a session.
pub enum What<'a, P: Player> {
    /// The person in this seat decided.
    Act(ActionOf<P>),
    /// Bytes arrived from a peer.
    Receive(Seat, &'a [u8]),
    /// Time passed.
    Tick,
    /// The person in this seat no longer waits for silent seats, with or without a clock.
    StopWaiting,
    /// A job is done.
    Done(Done<P>),
    /// For this long, nothing that this seat signed could leave, because its own disk refused it. It counts as sleep.
    Stalled(Millis),
    /// The seat sat down some time ago, and its entry leaves only now: its time begins now.
    Begins,
}

/// What a session asks its application to do.
#[must_use = "an output that is not acted upon is lost"]
pub enum Output<P: Player> {
    /// Append these bytes to the seat's journal and make them durable before anything else.
    Persist(Vec<u8>),
    /// Send these bytes to a seat. They may be lost.
    Transmit(Seat, Vec<u8>),
    /// Run this job anywhere and give back its result.
    Compute(Job<P>),
    /// What the seat knows has changed.
    View(KnowledgeOf<P>),
    /// Nothing more; give a `Tick` at this time if nothing happens before.
    Idle(Option<Millis>),
}

/// An input that does not fit. The session is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misuse {
    /// Outputs of the last input have not been taken yet.
    #[error("take all outputs before the next input")]
    Undrained,
    /// This seat has nothing to decide now.
    #[error("it is not this seat's turn")]
    NotYourTurn,
    /// The rules do not allow it.
    #[error("the rules do not allow this action now")]
    Illegal,
    /// The identity has no seat in the offer, or the offer cannot be played.
    #[error("{0}")]
    Offer(&'static str),
}

/// Local policy, which other seats need not share.
#[derive(Clone, Copy, Debug, Default)]
pub struct Config {
    /// How long to wait in rounds for which the options set no clock; `None` waits for ever. A seat that is given up on
    /// for that reason alone pays nothing.
    pub patience: Option<Millis>,
    /// Each step of this seat leaves a whole number of these intervals after it became due or was decided, however long
    /// the work took; `None` sends at once. It should be longer than the longest work and much shorter than the clocks.
    pub pace: Option<Millis>,
    /// For a correspondence game. The others may be away for days, so after a restart this seat does not wait until
    /// they have reported which entries of it they hold; the journal's owner must then never go back to an older one
    /// (TAB-12). Its entries before this round are on their way to them. It sends the later ones again after a restart,
    /// because days may pass before anyone asks.
    pub by_letters: Option<u32>,
    /// For a session that is resumed: how long its program was not running, as far as the machine knows. Such a program is like one
    /// that slept: the time is its own (TAB-27).
    pub down: Millis,
    /// The same: how long ago the last record of its journal was written. The open round has lasted at least that long.
    pub unwritten: Millis,
    /// The other seats that this program plays: it makes no timeout claim about them, and if one of them concedes a
    /// claim, the table ends for all.
    pub kin: Seats,
    /// Which checks are made.
    pub checks: Checks<'static>,
}

/// Capacity for the secrets of one step: a vector that grows leaves copies of secrets behind.
const MEMO: usize = 16 << 10;

type FaultOf<P> = <<P as Player>::Referee as Referee>::Fault;

/// One seat at one table.
pub struct Session<P: Player> {
    me: Seat,
    identity: Identity,
    chain: Chain,
    config: Config,
    trial: JudgedLog<P::Referee>,
    player: Option<P>,
    outbox: VecDeque<Output<P>>,
    links: Vec<Link>,
    /// Signed entries of later rounds, at most one per position and a few per seat.
    early: BTreeMap<Place, Entry>,
    computing: bool,
    /// The last round in which the player was given time to prepare.
    readied: Option<u32>,
    /// When the step in progress became due or was decided.
    begun: Millis,
    /// A finished step that waits for its time.
    held: Option<DelayedStep>,
    /// After a restart: seats that have not yet reported which entries of this seat they hold. Until then nothing new
    /// is signed.
    unheard: Seats,
    /// When this run of the program resumed the session.
    back: Millis,
    /// Identifies the questions of this run of the program: after a restart, only answers to them count.
    token: u64,
    /// An entry signed over a different history from this seat's, and since when it waits to be explained.
    fork: Option<(Entry, Millis)>,
    end: Option<End<FaultOf<P>>>,
    /// The refused entry, if the table ended with a refusal.
    evidence: Option<Entry>,
    claim: Option<Silence>,
    /// Claims about this seat by seats that no longer wait for it, for this round or a later one: one signed claim of
    /// each.
    claims: BTreeMap<Seat, Silence>,
    /// Whether it was restarted and has said nothing since: how long it was down it may not know.
    resumed: bool,
    /// Seats that gave up on it while it was down: they have left, unless they speak again, and it does not call them silent.
    gave_up: Seats,
    /// The seats that have confirmed that they ended the table as this seat's claim does.
    acknowledged: Seats,
    /// The question that must be answered before the seat acts or claims.
    asking: Option<Asking>,
    /// The time that it slept in the open round.
    slept: Slept,
    /// The last round in which it asked because its own time was up.
    asked_late: Option<u32>,
    /// Since when it has been listening without a pause.
    listens: Millis,
    now: Millis,
    since: Millis,
    /// The time that each seat has left for the whole game, if there is such a clock.
    clocks: Option<Clocks>,
    ping: Option<Millis>,
    gap: Millis,
    judge_own: bool,
    #[cfg(feature = "cheats")]
    crook: crooked::Crooked<P>,
}

impl<P: Player> Session<P> {
    /// Sits down at an offered table, with the ticket that was drawn for this invitation.
    pub fn new(
        offer: Offer,
        ticket: Ticket,
        identity: Identity,
        key: SealKey,
        config: Config,
        now: Millis,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Misuse> {
        let mut session = Self::empty(offer.clone(), identity, key, config, now)?;
        if offer.seats.get(usize::from(session.me.0)).map(|chair| chair.nonce) != Some(ticket.nonce()) {
            return Err(Misuse::Offer("the offer does not have the nonce that was drawn for it"));
        }
        session.note(&Note::Start(offer), rng);
        session.pump(rng);
        session.tick(rng);
        Ok(session)
    }

    fn empty(offer: Offer, identity: Identity, key: SealKey, config: Config, now: Millis) -> Result<Self, Misuse> {
        let me = offer.seat_of(&identity.public()).ok_or(Misuse::Offer("this identity has no seat at the table"))?;
        let links = offer.seats.iter().map(|_| Link::default()).collect();
        let trial = JudgedLog::new(offer, config.checks).map_err(Misuse::Offer)?;
        Ok(Self {
            me,
            identity,
            chain: Chain::new(key),
            config,
            trial,
            player: None,
            outbox: VecDeque::new(),
            links,
            early: BTreeMap::new(),
            computing: false,
            readied: None,
            begun: now,
            held: None,
            unheard: Seats::NONE,
            back: now,
            token: 0,
            fork: None,
            end: None,
            evidence: None,
            claim: None,
            claims: BTreeMap::new(),
            resumed: false,
            gave_up: Seats::NONE,
            acknowledged: Seats::NONE,
            asking: None,
            slept: Slept::default(),
            asked_late: None,
            listens: now,
            now,
            since: now,
            clocks: None,
            ping: None,
            gap: peers::FIRST_GAP,
            judge_own: true,
            #[cfg(feature = "cheats")]
            crook: crooked::Crooked::default(),
        })
    }

    /// Handles one input. A refused input changes nothing.
    pub fn handle(&mut self, input: Input<'_, P>, rng: &mut impl CryptoRng) -> Result<(), Misuse> {
        if !self.outbox.is_empty() {
            return Err(Misuse::Undrained);
        }
        match input.what {
            // A disk may also have been slow to refuse: all the time since the last input is lost.
            What::Stalled(lapse) => {
                let lapse = lapse.max(input.now.saturating_sub(self.now));
                self.lapse(self.now.max(input.now), lapse, rng);
            }
            What::Begins => self.begin(input.now),
            _ => self.notice_sleep(input.now, rng),
        }
        self.notice_pause(input.now);
        self.elapse(input.now);
        self.know();
        match input.what {
            What::Act(action) => self.act(action, rng)?,
            What::Receive(from, bytes) => self.receive(from, bytes, rng),
            What::Tick | What::Stalled(_) | What::Begins => {}
            What::StopWaiting => self.stop_waiting(rng),
            What::Done(done) => self.done(done, rng),
        }
        self.know();
        self.pump(rng);
        self.tick(rng);
        Ok(())
    }

    /// The next output; `Idle` when there is none.
    pub fn poll(&mut self) -> Output<P> {
        self.outbox.pop_front().unwrap_or(Output::Idle(self.wake()))
    }

    /// This seat.
    pub fn seat(&self) -> Seat {
        self.me
    }

    /// The log with the referee's state.
    pub fn trial(&self) -> &JudgedLog<P::Referee> {
        &self.trial
    }

    /// What must happen next at this table.
    pub fn expects(&self) -> &Stage {
        self.trial.stage()
    }

    /// How long the open round may last by what all players accepted.
    fn agreed_clock(&self) -> Option<Millis> {
        self.bank_time().or(self.trial.clock())
    }

    /// A seat that has left with a claim that this seat's time is up, although by this seat's clock it is not.
    pub fn accuser(&self) -> Option<Seat> {
        self.accused().filter(|_| self.end.is_none()).map(|claim| claim.claimant)
    }

    /// Seats that this one has claimed to be silent and that have not confirmed the claim: it should stay reachable for
    /// them.
    pub fn unaware(&self) -> Seats {
        let own = self.claim.as_ref().filter(|claim| claim.claimant == self.me);
        own.map_or(Seats::NONE, |claim| claim.silent.without(self.acknowledged))
    }

    /// Whether the end of this table rests on a timeout claim, this seat's or another's.
    pub fn is_claimed(&self) -> bool {
        self.claim.is_some()
    }

    /// Whether the person in this seat must decide.
    pub fn is_my_turn(&self) -> bool {
        let by_hand = matches!(self.trial.stage(), Stage::Steps(expectation) if expectation.by_hand);
        by_hand && self.may_speak() && !self.computing && self.held.is_none()
    }

    /// The seat's secrets and knowledge, once all seats are taken.
    pub fn player(&self) -> Option<&P> {
        self.player.as_ref()
    }

    /// What the seat knows, once all seats are taken.
    pub fn knowledge(&self) -> Option<&KnowledgeOf<P>> {
        self.player.as_ref().map(Player::knowledge)
    }

    /// Whether a step of this seat is being made.
    pub fn is_working(&self) -> bool {
        self.computing
    }

    /// Size of the stored entries of later rounds: what peers can make this seat store beyond the log itself.
    pub fn aside(&self) -> usize {
        self.early.values().map(|entry| entry.payload().len()).sum()
    }

    /// How the table ended, once it has.
    pub fn report(&self) -> Option<Report<FaultOf<P>>> {
        let end = self.end.clone()?;
        let stand = || self.trial.referee().map(Referee::scores);
        let scores = match &end {
            End::Fault(charge) => self.trial.scores_after(charge.place.seat),
            End::Silence { seats, .. } if self.claim.is_some() => self.trial.scores_without(*seats),
            End::Fork { seat, .. } if self.claim.is_some() => self.trial.scores_without(Seats::one(*seat)),
            _ => stand(),
        };
        let unsigned = match self.trial.is_over() {
            true => self.trial.offer().everyone().without(self.trial.signed()),
            false => Seats::NONE,
        };
        Some(Report { table: self.trial.table(), rounds: self.trial.round(), end, unsigned, scores })
    }

    /// The log as a file: all entries in order, then the timeout claim with what excuses it, then the proof of
    /// equivocation.
    pub fn export(&self) -> Vec<u8> {
        let mut file = export::header(self.trial.offer());
        let said = (0..=self.trial.round()).flat_map(|round| self.trial.entries(round)).chain(&self.evidence);
        said.for_each(|entry| Record::Entry(entry.clone()).encode(&mut file));
        if let Some(claim) = &self.claim {
            let odd = self.fork.iter().filter(|(entry, _)| claim.silent.contains(entry.place().seat));
            odd.for_each(|(entry, _)| Record::Odd(entry.clone()).encode(&mut file));
            Record::Silence(claim.clone()).encode(&mut file);
        }
        if let Some(End::Fault(FaultReport { broken: Broken::Equivocation(proof), .. })) = &self.end {
            Record::Equivocation(*proof.clone()).encode(&mut file);
        }
        file
    }

    /// The randomness of a bot in this seat: its choices are as secret as a person's.
    pub fn thinking(&self, rng: &mut impl CryptoRng) -> Nonces {
        let moment = ((self.trial.context(self.me), self.trial.round()), &self.now.to_le_bytes()[..]);
        Nonces::first(const { Purpose::new("thinking") }, &moment, &self.identity.long_term(), [], rng)
    }

    fn act(&mut self, action: ActionOf<P>, rng: &mut impl CryptoRng) -> Result<(), Misuse> {
        let player = self.player.as_ref().filter(|_| self.is_my_turn()).ok_or(Misuse::NotYourTurn)?;
        if !RulesOf::<P>::allows(player.knowledge(), &action) {
            return Err(Misuse::Illegal);
        }
        self.begun = self.now;
        self.compute(Task::Act(action), rng);
        Ok(())
    }

    fn compute(&mut self, task: Task<ActionOf<P>>, rng: &mut impl CryptoRng) {
        let job = self
            .player
            .as_ref()
            .and_then(|player| Job::new(player, &self.trial, &self.identity, self.me, self.now, task, rng));
        #[cfg(feature = "cheats")]
        let job = job.map(|job| self.crook.corrupt(job));
        match job {
            Some(job) => {
                self.computing = true;
                self.outbox.push_back(Output::Compute(job));
            }
            None => self.end(End::Local { round: self.trial.round(), why: "there is no player yet" }),
        }
    }

    fn done(&mut self, done: Done<P>, rng: &mut impl CryptoRng) {
        // The player already has what it prepared; nothing else depends on it.
        let Finished::Made(made) = done.result else { return };
        if !self.computing || done.round != self.trial.round() {
            return;
        }
        self.computing = false;
        #[cfg(feature = "cheats")]
        (self.crook.trick = done.trick);
        if !self.may_speak() {
            return;
        }
        match made {
            Some(Made { step, memo }) => {
                let mut kept = Zeroizing::new(Vec::with_capacity(MEMO));
                memo.encode(&mut kept);
                self.release(step.to_bytes(), Some(kept), rng);
            }
            None => self.end(End::Local { round: self.trial.round(), why: "the player made no step" }),
        }
    }

    fn may_speak(&self) -> bool {
        let is_free = self.end.is_none() && self.fork.is_none() && self.unheard.is_empty();
        is_free && self.trial.missing().contains(self.me) && self.conceded().is_none()
    }

    /// Takes all steps that need no person.
    fn pump(&mut self, rng: &mut impl CryptoRng) {
        self.let_go(rng);
        while self.may_speak() && !self.computing && self.held.is_none() {
            match self.trial.stage() {
                Stage::Seating | Stage::Echo(_) | Stage::Closing => {
                    self.begun = self.since;
                    self.release(Vec::new(), None, rng);
                }
                Stage::Steps(expectation) if !expectation.by_hand => {
                    self.begun = self.since;
                    self.compute(Task::Due, rng);
                }
                Stage::Steps(_) | Stage::Closed => break,
            }
        }
        self.get_ready(rng);
    }

    /// While a player thinks, this seat's player may prepare: once per round, in the background.
    fn get_ready(&mut self, rng: &mut impl CryptoRng) {
        let somebody_thinks = matches!(self.trial.stage(), Stage::Steps(expectation) if expectation.by_hand);
        let (Some(player), Some(referee)) = (&self.player, self.trial.referee()) else { return };
        let round = Some(self.trial.round());
        if !somebody_thinks || self.computing || self.end.is_some() || self.readied == round {
            return;
        }
        if player.can_get_ready(referee) {
            self.readied = round;
            let job = Job::new(player, &self.trial, &self.identity, self.me, self.now, Task::GetReady, rng);
            self.outbox.extend(job.map(Output::Compute));
        }
    }

    /// Signs, judges, records and sends, in this order. Nothing leaves that this seat would refuse from others.
    fn speak(&mut self, payload: Vec<u8>, memo: Option<Zeroizing<Vec<u8>>>, rng: &mut impl CryptoRng) {
        self.note_gave_up();
        let place = Place { round: self.trial.round(), seat: self.me };
        let entry = Entry::sign(&self.identity, self.trial.table(), place, self.trial.head(), payload);
        let admission = match self.trial.admit(&entry) {
            // What this seat says proves that another broke the rules: it is said, as the last word of the table.
            Admission::Refused(charge) if charge.place.seat != self.me => {
                return self.convict(charge, Some(entry), rng);
            }
            admission => admission,
        };
        let accepted = matches!(admission, Admission::Accepted | Admission::Completed(_));
        if !accepted {
            self.end(End::Local { round: place.round, why: "this seat's own step failed its own check" });
        }
        if !accepted && self.judge_own {
            return;
        }
        let frame = Frame::Entry(entry.clone()).to_bytes();
        let note = Note::Own(entry, memo);
        if matches!(admission, Admission::Completed(_)) {
            self.charge(rng);
        }
        if accepted {
            self.note(&note, rng);
        }
        #[cfg(feature = "cheats")]
        self.crook.said(accepted, &frame);
        self.send_all(&frame);
        if let Note::Own(_, Some(memo)) = &note {
            self.remember(memo);
            let known = self.knowledge().cloned();
            known.into_iter().for_each(|knowledge| self.outbox.push_back(Output::View(knowledge)));
        }
        if let Admission::Completed(events) = admission {
            self.turn(&events, rng);
        }
    }

    fn remember(&mut self, memo: &[u8]) {
        match (P::Memo::from_bytes(memo, &()), &mut self.player) {
            (Ok(memo), Some(player)) => player.remember(memo),
            _ => self.end(End::Local { round: self.trial.round(), why: "a memo does not decode" }),
        }
    }

    /// After a completed round: learns from it and continues with entries that came early.
    fn turn(&mut self, events: &[EventOf<P>], rng: &mut impl CryptoRng) {
        self.set_clocks();
        (self.ping, self.gap) = (None, peers::FIRST_GAP);
        (self.computing, self.held) = (false, None);
        self.links.iter_mut().for_each(Link::progress);
        let Some(referee) = self.trial.referee() else { return };
        let player = self.player.get_or_insert_with(|| P::sit(referee, self.me));
        match player.learn(referee, events) {
            Ok(()) => self.outbox.push_back(Output::View(player.knowledge().clone())),
            Err(refused) => self.refuse(refused),
        }
        if *self.trial.stage() == Stage::Closed {
            self.end(End::Finished);
        }
        let round = self.trial.round();
        self.early.retain(|place, _| place.round >= round);
        self.claims.retain(|_, claim| claim.round >= round);
        let next: Vec<Place> = self.early.keys().copied().take_while(|place| place.round == round).collect();
        for place in next {
            if let Some(entry) = self.early.remove(&place) {
                self.take(place.seat, entry, rng);
            }
        }
    }

    fn receive(&mut self, from: Seat, bytes: &[u8], rng: &mut impl CryptoRng) {
        let now = self.now;
        let Some(link) = self.links.get_mut(usize::from(from.0)).filter(|_| from != self.me) else { return };
        if link.is_throttled(now) {
            return;
        }
        if bytes.len() > MAX_FRAME {
            link.strike();
            return;
        }
        match Frame::from_bytes(bytes, &()) {
            Ok(Frame::Entry(entry)) => self.take(from, entry, rng),
            Ok(Frame::Status(status)) => self.answer(from, &status),
            Ok(Frame::Proof(proof)) => self.believe(from, proof, rng),
            Ok(Frame::Claim(claim)) => self.hear_claim(from, claim, rng),
            Err(_) => link.strike(),
        }
    }

    fn note(&mut self, note: &Note, rng: &mut impl CryptoRng) {
        self.outbox.push_back(Output::Persist(self.chain.seal(&note.to_plain(), rng)));
    }

    fn send_all(&mut self, frame: &[u8]) {
        for seat in self.others().iter() {
            self.outbox.push_back(Output::Transmit(seat, frame.to_vec()));
        }
    }

    fn others(&self) -> Seats {
        self.trial.offer().everyone().without(Seats::one(self.me))
    }

    /// The seats of other programs. Only they can report what this one has missed or forgotten: its own seats sleep,
    /// crash and are restored together.
    fn elsewhere(&self) -> Seats {
        self.others().without(self.config.kin)
    }

    /// The seats that are out of the game; nobody waits for them.
    fn gone(&self) -> Seats {
        self.trial.referee().map_or(Seats::NONE, Referee::gone)
    }
}
