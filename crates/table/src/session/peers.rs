//! Loss, forks, floods and clocks: how a session deals with the other seats.

use outis_crypto::codec::Encode;
use outis_crypto::context::Seat;
use rand_core::CryptoRng;

use super::journal::Note;
use super::wire::{Frame, Status};
use super::{End, Output, Session};
use crate::claim::Silence;
use crate::entry::{Entry, Place};
use crate::evidence::Equivocation;
use crate::game::{Millis, Player};
use crate::judged_log::{Broken, FaultReport};
use crate::seats::Seats;

/// First pause before asking again; it doubles up to [`LAST_GAP`].
pub(super) const FIRST_GAP: Millis = 200;
pub(super) const LAST_GAP: Millis = 4_000;
/// Answers that a link may get at once, and the time after which it may get one more. It is more than one, because two
/// seats that wait for each other ask at the same moment, and answering must not use up the allowance for one's own
/// question.
const MAX_ANSWERS: u32 = 4;
const ANSWER_GAP: Millis = 20;
/// How many rounds ahead entries are set aside, and how many entries of one seat.
const WINDOW: u32 = 8;
/// Bytes set aside per seat.
const MAX_ASIDE: usize = 2 << 20;
/// Entries in one answer.
const MAX_ANSWER: usize = 64;
/// Invalid frames that a link may send at once, and the time after which one is forgiven.
const MAX_STRIKES: u32 = 32;
const FORGIVE: Millis = 250;
/// How often a peer may report, after this seat's restart, that it has an entry of this seat without sending it.
const MAX_BOASTS: u32 = 12;
/// With two or more others, a resumed seat waits for one that does not answer at most half the clock, within these
/// limits. The lower limit is longer than [`LAST_GAP`]: by then the others have asked each other.
const WAIT_LEAST: Millis = 5_000;
const WAIT_MOST: Millis = 30_000;
/// How long a fork may stay unexplained if no patience is set.
const EXPLAIN: Millis = 60_000;
/// The token of a seat that ends the table as a claimant did: the claimant need not stay for it. No question has this
/// token.
const ACKNOWLEDGED: u64 = u64::MAX;

/// A count that decreases by one in a given time.
#[derive(Clone, Copy, Default)]
struct Leak {
    level: u32,
    since: Millis,
}

impl Leak {
    fn level(&mut self, now: Millis, every: Millis) -> u32 {
        let gone = now.saturating_sub(self.since) / every;
        if gone > 0 {
            self.level = self.level.saturating_sub(u32::try_from(gone).unwrap_or(u32::MAX));
            self.since = now;
        }
        self.level
    }

    fn add(&mut self) {
        self.level = self.level.saturating_add(1);
    }
}

/// The state of the link to one seat.
#[derive(Clone, Copy, Default)]
pub(super) struct Link {
    strikes: Leak,
    answers: Leak,
    boasts: u32,
}

impl Link {
    /// Whether the link has sent so many invalid frames that nothing from it is read for now. Costs a comparison.
    pub(super) fn is_throttled(&mut self, now: Millis) -> bool {
        self.strikes.level(now, FORGIVE) >= MAX_STRIKES
    }

    /// Whether the link has had all its answers for now; if not, counts one more.
    fn is_rationed(&mut self, now: Millis) -> bool {
        let rationed = self.answers.level(now, ANSWER_GAP) >= MAX_ANSWERS;
        if !rationed {
            self.answers.add();
        }
        rationed
    }

    /// The peer reports that it has more than this seat, and has shown nothing new since the last time. Returns whether
    /// that was once too often.
    fn boast(&mut self) -> bool {
        self.boasts = self.boasts.saturating_add(1);
        self.boasts > MAX_BOASTS
    }

    pub(super) fn progress(&mut self) {
        self.boasts = 0;
    }

    pub(super) fn strike(&mut self) {
        self.strikes.add();
    }
}

impl<P: Player> Session<P> {
    pub(super) fn strike(&mut self, from: Seat) {
        if let Some(link) = self.links.get_mut(usize::from(from.0)) {
            link.strike();
        }
    }

    /// Stores a signed entry of a later round. Two different ones for one position convict at once.
    pub(super) fn set_aside(&mut self, from: Seat, entry: Entry, rng: &mut impl CryptoRng) {
        let place = entry.place();
        let known = self.early.get(&place);
        if place.round > self.trial.round() + WINDOW || known.is_some_and(|k| k.utterance() == entry.utterance()) {
            return;
        }
        let table = self.trial.table();
        if !entry.is_signed(self.trial.offer(), table) {
            return self.strike(from);
        }
        if let Some(known) = known {
            if let Some(proof) = Equivocation::find(self.trial.offer(), table, known, &entry) {
                self.convict(FaultReport { place, broken: Broken::Equivocation(Box::new(proof)) }, None, rng);
            }
            return;
        }
        let aside: usize =
            self.early.values().filter(|e| e.place().seat == place.seat).map(|e| e.payload().len()).sum();
        if aside + entry.payload().len() <= MAX_ASIDE {
            self.early.insert(place, entry);
        }
    }

    /// A seat signed over a different history. This seat sends the entry to everyone, sends its own history to the peer
    /// that delivered it and to the signer, and makes no step until the difference is explained: one of the entries of
    /// the round before was signed twice. But a seat from which no step is due cannot delay others with an invented
    /// history: if it is a victim, its echo will be missing before any secret is released.
    pub(super) fn dispute(&mut self, from: Seat, entry: Entry) {
        let place = entry.place();
        let is_awaited = place.round == self.trial.round() && self.trial.missing().contains(place.seat);
        if self.fork.is_none() && is_awaited {
            self.send_all(&Frame::Entry(entry.clone()).to_bytes());
            self.fork = Some((entry, self.now));
        } else if self.links.get_mut(usize::from(from.0)).is_none_or(|link| link.is_rationed(self.now)) {
            return;
        }
        for seat in [Some(from), Some(place.seat).filter(|seat| *seat != from)].into_iter().flatten() {
            self.show_round(seat, place.round.saturating_sub(1));
        }
    }

    /// Whether an entry contradicts the one that waits to be explained: then its signer signed both.
    pub(super) fn contradiction(&self, entry: &Entry) -> Option<Equivocation> {
        let (forked, _) = self.fork.as_ref().filter(|(forked, _)| forked.place() == entry.place())?;
        Equivocation::find(self.trial.offer(), self.trial.table(), forked, entry)
    }

    fn show_round(&mut self, to: Seat, round: u32) {
        let frames: Vec<_> =
            self.trial.entries(round).into_iter().map(|e| Frame::Entry(e.clone()).to_bytes()).collect();
        frames.into_iter().for_each(|frame| self.outbox.push_back(Output::Transmit(to, frame)));
    }

    /// A peer reports its position: sends what it lacks, and this seat's history if the peer has a different one.
    pub(super) fn answer(&mut self, from: Seat, status: &Status) {
        let Some(link) = self.links.get_mut(usize::from(from.0)) else { return };
        let rationed = link.is_rationed(self.now);
        self.hear(from, status);
        if rationed {
            return;
        }
        if let Some(frame) = self.accusation() {
            self.outbox.push_back(Output::Transmit(from, frame));
        }
        #[cfg(feature = "cheats")]
        self.lie_again(from);
        let round = self.trial.round();
        if status.round <= round {
            if self.trial.head_before(status.round) != Some(status.head) {
                self.show_round(from, status.round.saturating_sub(1));
            } else {
                let mut frames = Vec::new();
                for r in (status.round..=round).take(WINDOW as usize) {
                    let lacks = |e: &&Entry| r > status.round || !status.have.contains(e.place().seat);
                    let entries = self.trial.entries(r).into_iter().filter(lacks).filter(|e| e.place().seat != from);
                    frames.extend(entries.map(|entry| Frame::Entry(entry.clone()).to_bytes()));
                    // The peer may have forgotten an entry of its own; then it must receive it.
                    let own = self.trial.entry(Place { round: r, seat: from });
                    frames.extend(own.filter(lacks_own(status, r, from)).map(|e| Frame::Entry(e.clone()).to_bytes()));
                    if frames.len() >= MAX_ANSWER {
                        break;
                    }
                }
                frames.into_iter().for_each(|frame| self.outbox.push_back(Output::Transmit(from, frame)));
            }
        }
        // A seat of this program that was behind when this one conceded a claim ends with it now.
        if let Some(claim) = self.claim.as_ref().filter(|_| self.config.kin.contains(from)) {
            self.outbox.push_back(Output::Transmit(from, Frame::Claim(claim.clone()).to_bytes()));
        }
        // To a seat that this one claims to be silent, the claim is the answer: a status that overtakes it, or comes
        // without it, would mean that there is none. A seat that left without a claim plays on for nobody: whoever waits
        // for its answer before a step would make the step, and then claim that this one is silent.
        let is_gone = self.claim.is_none() && matches!(self.end, Some(End::Silence { .. }));
        if status.ask && !is_gone && !(self.fork.is_none() && self.unaware().contains(from)) {
            self.send_status(from, false, status.token);
        }
    }

    /// After a restart: the peer has now reported what it has, and that includes no entry of this seat that the seat
    /// does not remember. Only an answer to a question of this run counts: an older status may be from before the peer
    /// received this seat's last entry. It counts only in the same round: a peer that is behind may have set that entry
    /// aside.
    fn hear(&mut self, from: Seat, status: &Status) {
        if !status.ask && status.token == ACKNOWLEDGED {
            self.acknowledged.insert(from);
        }
        if status.ask || status.token != self.token {
            return;
        }
        self.hear_answer(from, status.round);
        if self.unheard.is_empty() {
            return;
        }
        let knows_more = status.round != self.trial.round()
            || (status.have.contains(self.me) && !self.trial.spoken().contains(self.me));
        // Otherwise a peer that reports an entry which it never shows could keep this seat silent for ever.
        let boasts = knows_more && self.links.get_mut(usize::from(from.0)).is_some_and(Link::boast);
        if !knows_more || boasts {
            self.unheard.remove(from);
            self.ask_no_more(from);
        }
        if !knows_more {
            self.hear_enough(from);
        }
    }

    /// After a restart: a peer has answered, and has nothing of this seat that it does not remember.
    fn hear_enough(&mut self, from: Seat) {
        // A peer that answers now has had time to get from the others what they have of this seat. A seat that still
        // does not answer would gain nothing by answering with a lie, and must not gain by silence either. If all
        // others are out of the game, they may have left: then this program's own seats are enough.
        let (waited, elsewhere) = (self.now >= self.back.saturating_add(self.wait()), self.elsewhere());
        let counts = elsewhere.contains(from) && elsewhere.len() > 1 || elsewhere.without(self.gone()).is_empty();
        if waited && counts {
            self.unheard = Seats::NONE;
        }
    }

    fn wait(&self) -> Millis {
        let clock = self.trial.clock().or(self.config.patience);
        clock.map_or(WAIT_MOST, |clock| (clock / 2).clamp(WAIT_LEAST, WAIT_MOST))
    }

    fn send_status(&mut self, to: Seat, ask: bool, token: u64) {
        let (round, head, have) = (self.trial.round(), self.trial.head(), self.trial.spoken());
        let frame = Frame::Status(Status { round, head, have, ask, token }).to_bytes();
        self.outbox.push_back(Output::Transmit(to, frame));
    }

    /// Sends this seat's entries since a round again, except to a seat that must have them: a seat that spoke in a
    /// round had all entries of the rounds before. A seat that has not spoken yet may not know of the table, and asks
    /// when it does.
    pub(super) fn say_again(&mut self, since: u32) {
        let (me, last) = (self.me, self.trial.round());
        for seat in self.elsewhere().iter() {
            let spoke = (0..=last).rev().find(|round| self.trial.entry(Place { round: *round, seat }).is_some());
            let Some(spoke) = spoke else { continue };
            let own = (spoke.max(since)..=last).filter_map(|round| self.trial.entry(Place { round, seat: me }));
            let frames: Vec<_> = own.map(|entry| Frame::Entry(entry.clone()).to_bytes()).collect();
            frames.into_iter().for_each(|frame| self.outbox.push_back(Output::Transmit(seat, frame)));
        }
    }

    /// Time passed: asks again, and ends what cannot continue.
    pub(super) fn tick(&mut self, rng: &mut impl CryptoRng) {
        if self.end.is_some() {
            return;
        }
        let explain = self.config.patience.unwrap_or(EXPLAIN);
        let unexplained = self.fork.as_ref().filter(|(_, since)| self.now >= since.saturating_add(explain));
        if let Some(odd) = unexplained.map(|(entry, _)| entry.clone()) {
            return self.leave(Seats::one(odd.place().seat), Some(odd), true, rng);
        }
        if let Some(claim) = self.conceded() {
            let (claimant, seats) = (claim.claimant, claim.silent);
            self.note(&Note::Left { seats, claim: Some(claim.clone()), odd: None }, rng);
            self.left(seats, Some(claim.clone()), None);
            // The other seats of this program end with it: none of them claims a timeout about it.
            let frame = Frame::Claim(claim).to_bytes();
            self.config.kin.iter().for_each(|seat| self.outbox.push_back(Output::Transmit(seat, frame.clone())));
            return self.send_status(claimant, false, ACKNOWLEDGED);
        }
        let silent = self.trial.missing().without(self.config.kin);
        // There are two histories: a silent seat may only be waiting for an explanation.
        let is_late = self.fork.is_none() && self.claims_at().is_some_and(|at| self.now >= at);
        if is_late && !silent.is_empty() && !silent.contains(self.me) {
            return self.leave_late(silent, rng);
        }
        // Nobody is there who could report what this seat has signed, or whether it was given up on.
        if let Some(seats) = self.cut_off_from().filter(|_| self.alone_until().is_some_and(|at| self.now >= at)) {
            return self.leave(seats, None, false, rng);
        }
        if !self.is_waiting() {
            self.ping = None;
            return;
        }
        let due = *self.ping.get_or_insert(self.now.saturating_add(self.gap));
        if self.now >= due {
            self.ask_everyone();
            self.gap = (self.gap * 2).min(LAST_GAP);
            self.ping = Some(self.now.saturating_add(self.gap));
        }
    }

    /// Ends the table because some seats are silent now. It does so only if no step of this seat is due, if this seat
    /// may not make one before it hears from them, or if the result is fixed. A player who leaves before the clock has
    /// run out has nothing to claim.
    pub(super) fn stop_waiting(&mut self, rng: &mut impl CryptoRng) {
        if let Some(seats) = self.cut_off_from().filter(|_| self.fork.is_none()) {
            return self.leave(seats, None, false, rng);
        }
        let silent = self.trial.missing();
        let may = self.trial.is_over() || !silent.contains(self.me);
        if self.end.is_none() && self.fork.is_none() && !silent.is_empty() && may {
            match self.claims_at().is_some_and(|at| self.now >= at) {
                true => self.leave_late(silent, rng),
                false => self.leave(silent, None, false, rng),
            }
        }
    }

    /// Stops waiting for seats whose time is up. It makes no claim about those that gave up on this seat while it was
    /// down.
    fn leave_late(&mut self, silent: Seats, rng: &mut impl CryptoRng) {
        let named = silent.without(self.gave_up);
        if named.is_empty() { self.leave(silent, None, false, rng) } else { self.leave(named, None, true, rng) }
    }

    /// For the first step of a restarted seat: a seat that claims by then that its time was up has left, and may be
    /// right.
    pub(super) fn note_gave_up(&mut self) {
        if std::mem::take(&mut self.resumed) {
            let fits = |claim: &&Silence| claim.silent.contains(self.me) && self.trial.fits(claim, Seats::NONE);
            let left: Vec<Seat> = self.claims.values().filter(fits).map(|claim| claim.claimant).collect();
            left.into_iter().for_each(|seat| self.gave_up.insert(seat));
        }
    }

    /// Stops waiting for some seats, and records that. It makes a claim only if that is in order.
    fn leave(&mut self, seats: Seats, odd: Option<Entry>, is_late: bool, rng: &mut impl CryptoRng) {
        let (table, round, prev) = (self.trial.table(), self.trial.round(), self.trial.head());
        let claim = Silence::sign(&self.identity, table, self.me, round, prev, seats.without(self.config.kin));
        let excuse = odd.as_ref().map_or(Seats::NONE, |odd| Seats::one(odd.place().seat));
        let claim = Some(claim).filter(|claim| is_late && !self.trial.is_over() && self.trial.allows(claim, excuse));
        self.note(&Note::Left { seats, claim: claim.clone(), odd: odd.clone() }, rng);
        self.left(seats, claim, odd);
        if let Some(frame) = self.accusation() {
            self.send_all(&frame);
        }
    }

    /// A peer no longer waits for this seat. This seat itself knows whether its time is up, so the claim is only
    /// stored. It may arrive before the entries that it refers to, which are in transit or were lost: that is nobody's
    /// fault.
    pub(super) fn hear_claim(&mut self, from: Seat, claim: Silence, rng: &mut impl CryptoRng) {
        if self.config.kin.contains(from) {
            return self.hear_kin(from, claim, rng);
        }
        let round = self.trial.round();
        let is_about_us = (round..=round + WINDOW).contains(&claim.round) && claim.silent.contains(self.me);
        // A claim that names more seats is new; a flood of them costs a few signature checks.
        let is_known = self.claims.get(&from).is_some_and(|known| {
            known.round > claim.round || (known.round == claim.round && claim.silent.without(known.silent).is_empty())
        });
        // This seat may have been restarted once more since.
        if self.resumed && self.end.is_none() && claim.round < round && claim.silent.contains(self.me) {
            if claim.claimant == from && claim.is_signed(self.trial.offer(), self.trial.table()) {
                self.gave_up.insert(from);
            }
            return;
        }
        if self.end.is_some() || !is_about_us {
            return;
        }
        if is_known {
            return self.hear_fitting(from);
        }
        let is_signed = claim.claimant == from && claim.is_signed(self.trial.offer(), self.trial.table());
        if is_signed && !claim.silent.contains(claim.claimant) {
            self.claims.insert(from, claim);
            self.hear_fitting(from);
        } else {
            self.strike(from);
        }
    }

    /// Another seat of this program has conceded a claim: the table ends with the same claim.
    fn hear_kin(&mut self, from: Seat, claim: Silence, rng: &mut impl CryptoRng) {
        let is_signed = claim.is_signed(self.trial.offer(), self.trial.table());
        let fits = claim.silent.contains(from) && self.trial.fits(&claim, Seats::NONE);
        if self.end.is_none() && self.fork.is_none() && is_signed && fits {
            let seats = claim.silent;
            self.note(&Note::Left { seats, claim: Some(claim.clone()), odd: None }, rng);
            self.left(seats, Some(claim), None);
        }
    }

    /// Once a claim is in order, it answers this seat's question: its claimant has no entry of this seat in the open
    /// round.
    fn hear_fitting(&mut self, from: Seat) {
        if let Some(claim) = self.claims.get(&from).filter(|claim| self.trial.fits(claim, Seats::NONE)) {
            self.hear_answer(from, claim.round);
            self.unheard.remove(from);
            self.hear_enough(from);
        }
    }

    /// Another seat's claim about this one in the open round, if it is in order by now.
    pub(super) fn accused(&self) -> Option<&Silence> {
        self.claims.values().find(|claim| claim.silent.contains(self.me) && self.trial.fits(claim, Seats::NONE))
    }

    /// Another seat's claim that this seat's time is up, if by this seat's clock it is: then there is nothing left to
    /// wait for.
    pub(super) fn conceded(&self) -> Option<Silence> {
        let claim = self.accused()?;
        self.concedes_at().is_some_and(|at| self.now >= at).then(|| claim.clone())
    }

    /// When this seat's own clock runs out, if another seat claims that it has. A step decided in time is not late.
    fn concedes_at(&self) -> Option<Millis> {
        // A seat that may not make its step, because of a fork or after a restart, was not kept from it by its clock.
        let is_free = self.fork.is_none() && self.unheard.is_empty() && !self.is_making_in_time();
        let time = self.accused().filter(|_| is_free).and(self.own_time_ends());
        time.map(|time| time.saturating_add(self.kept_waiting()))
    }

    /// Ends the table as [`Session::leave`] recorded it.
    pub(super) fn left(&mut self, seats: Seats, claim: Option<Silence>, odd: Option<Entry>) {
        let round = self.trial.round();
        self.claim = claim;
        self.end(match &odd {
            Some(odd) => End::Fork { seat: odd.place().seat, round },
            // The result stands; only the last signatures of it are missing.
            None if self.trial.is_over() => End::Finished,
            None => End::Silence { seats, round },
        });
        self.fork = odd.map(|odd| (odd, self.now)).or(self.fork.take());
    }

    /// Whether the session waits for anything that a peer has to send.
    fn is_waiting(&self) -> bool {
        let others = self.trial.missing().without(Seats::one(self.me));
        !others.is_empty() || !self.unheard.is_empty() || self.fork.is_some() || self.asking.is_some()
    }

    pub(super) fn wake(&self) -> Option<Millis> {
        if self.end.is_some() {
            return None;
        }
        let silent = self.trial.missing().without(self.config.kin);
        let waits = self.fork.is_none() && !silent.is_empty() && !silent.contains(self.me);
        let claims = self.claims_at().filter(|_| waits).map(|at| self.looks_before(at));
        let explain =
            self.fork.as_ref().map(|(_, since)| since.saturating_add(self.config.patience.unwrap_or(EXPLAIN)));
        let may_let_go = self.may_speak() && self.asking.is_none();
        let held = self.held.as_ref().filter(|_| may_let_go).map(|held| held.at);
        let own = [self.concedes_at(), self.alone_until(), self.asks_until(), self.looks_up_at()];
        [self.ping, claims, explain, held].into_iter().chain(own).flatten().min()
    }

    pub(super) fn ask_everyone(&mut self) {
        self.others().iter().for_each(|seat| self.send_status(seat, true, self.token));
    }
}

/// Whether a peer lacks its own entry of round `r`.
fn lacks_own(status: &Status, r: u32, from: Seat) -> impl Fn(&&Entry) -> bool {
    let lacks = r > status.round || !status.have.contains(from);
    move |_| lacks
}
