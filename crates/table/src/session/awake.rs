//! A program that slept (was stopped, suspended or starved of its processor) does not know what the others sent
//! meanwhile; a seat that is late does not know whether others have given up on it. Both ask before they make a step
//! (TAB-27).
//!
//! The lapse counts against the sleeper alone: it is added to the time that the others have, while the sleeper's own clock
//! runs through it.

use outis_crypto::challenger::{Nonces, Purpose};
use outis_crypto::context::Seat;
use rand_core::CryptoRng;

use super::Session;
use super::peers::{FIRST_GAP, LAST_GAP};
use crate::game::{Millis, Player, Referee};
use crate::judged_log::Stage;
use crate::seats::Seats;

/// A program that is woken this much later than requested was not running.
const NAP: Millis = 1_000;
/// A seat that claims a timeout has listened for this long: when a program continues after a pause that is too short to
/// count as a sleep, messages may still be unread. [`PAUSE`] is the longest interval between two inputs that does not
/// count as a pause.
const LISTENS: Millis = 1_000;
const PAUSE: Millis = LISTENS + 500;
/// After this time, a link that broke during the sleep is restored, if the peer is there (INV-12).
const LINKED: Millis = 15_000;
/// What the plain clock of a round allows for proving, pacing and transmission, as TAB-25 does.
const GRACE: Millis = 2_000;

/// The seat has asked the others for their positions. Until it knows them, it makes no step and no claim.
pub(super) struct Asking {
    /// How long it was not running before it asked.
    lapse: Millis,
    /// When it asked.
    at: Millis,
    /// The seats that have not answered.
    unheard: Seats,
}

/// How the seat slept in the open round, and whether it was late.
#[derive(Clone, Copy, Default)]
pub(super) struct Slept {
    /// How long: the time in which it did not listen to the others.
    time: Millis,
    /// When it last woke.
    woke: Option<Millis>,
    /// When it last learned what it had missed.
    knew: Option<Millis>,
    /// When it was late itself: a late seat gives the others as much time.
    late: Option<Millis>,
    /// Until when it was alone: cut off, and nobody had answered.
    alone: Option<Millis>,
    /// How long it was awake and kept from its step, because it was not answered. Its own clock does not run out for that reason:
    /// otherwise a seat that does not answer could claim that it was silent.
    kept: Millis,
}

impl<P: Player> Session<P> {
    /// Notices that the program was not running when it wanted to be woken. In a correspondence game no seat waits
    /// awake.
    pub(super) fn notice_sleep(&mut self, now: Millis, rng: &mut impl CryptoRng) {
        let due = self.wake().filter(|_| self.config.by_letters.is_none());
        if due.is_none_or(|due| now <= due.max(self.now).saturating_add(NAP)) {
            return;
        }
        // It may have fallen asleep right after its last input.
        self.lapse(now, now.saturating_sub(self.now), rng);
    }

    /// Notices a pause between two inputs.
    pub(super) fn notice_pause(&mut self, now: Millis) {
        if now > self.now.saturating_add(PAUSE) {
            self.listens = now;
        }
    }

    /// The seat was away for this long: it asks what it has missed.
    pub(super) fn lapse(&mut self, now: Millis, lapse: Millis, rng: &mut impl CryptoRng) {
        if self.end.is_some() {
            self.now = now;
            return;
        }
        self.slept = Slept { time: self.slept.time.saturating_add(lapse), woke: Some(now), knew: None, ..self.slept };
        self.fork.iter_mut().for_each(|(_, since)| *since = since.saturating_add(lapse));
        self.now = now;
        self.ask_first(lapse, rng);
    }

    /// Time passes while the program runs. What it was waiting for in this time decides whose time it is: nobody's, if it heard nobody
    /// and may do nothing before it does (TAB-28).
    pub(super) fn elapse(&mut self, to: Millis) {
        let gap = to.saturating_sub(self.now);
        let is_late = self.own_time_ends().is_some_and(|at| self.now >= at.saturating_add(self.slept.kept));
        if self.is_alone() {
            self.slept.time = self.slept.time.saturating_add(gap);
            self.slept.alone = Some(to.max(self.now));
        }
        if !is_late && (self.asking.is_some() || !self.unheard.is_empty()) {
            self.slept.kept = self.slept.kept.saturating_add(gap);
        }
        self.now = self.now.max(to);
    }

    /// Whether it is cut off, and no seat of another program that is still in the game has answered.
    fn is_alone(&self) -> bool {
        let others = self.elsewhere().without(self.gone());
        let asks = self.asking.as_ref().filter(|_| self.asks_until().is_none());
        let waits_for = [Some(self.unheard), asks.map(|asking| asking.unheard)];
        let is_nobody = |unheard: &Seats| !others.is_empty() && unheard.without(self.gone()) == others;
        self.end.is_none() && waits_for.iter().flatten().any(is_nobody)
    }

    /// The entry by which the seat sat down leaves now. Nobody can have waited for it before.
    pub(super) fn begin(&mut self, now: Millis) {
        if *self.trial.stage() == Stage::Seating {
            self.now = self.now.max(now);
            self.since = self.now;
            self.ping = self.ping.map(|_| self.now.saturating_add(self.gap));
        }
    }

    /// A token for the questions of this moment, which distinguishes their answers from earlier ones.
    pub(super) fn fresh_token(&self, rng: &mut impl CryptoRng) -> u64 {
        let moment = (self.trial.context(self.me), &self.now.to_le_bytes()[..]);
        u64::from_le_bytes(
            *Nonces::first(const { Purpose::new("token") }, &moment, &self.identity.long_term(), [], rng).bytes(),
        )
    }

    /// Asks all other seats and waits for the answers. Only answers to this question count.
    fn ask_first(&mut self, lapse: Millis, rng: &mut impl CryptoRng) {
        let lapse = self.asking.as_ref().map_or(lapse, |asking| asking.lapse.saturating_add(lapse));
        self.asking = Some(Asking { lapse, at: self.now, unheard: self.elsewhere() });
        self.token = self.fresh_token(rng);
        self.gap = FIRST_GAP;
        self.ping = Some(self.now.saturating_add(self.gap));
        self.ask_everyone();
    }

    /// Asks before it makes a step, once per round, if its own time is up: another seat may have given up.
    pub(super) fn ask_if_late(&mut self, rng: &mut impl CryptoRng) {
        let round = self.trial.round();
        let is_late = self.own_time_ends().is_some_and(|at| self.now >= at) && self.config.by_letters.is_none();
        if is_late && self.asking.is_none() && self.asked_late != Some(round) {
            self.asked_late = Some(round);
            self.slept.late = Some(self.now);
            self.ask_first(0, rng);
        }
    }

    /// A peer answers the question, by a status or by a claim. A peer in a later round has yet to show what it has.
    pub(super) fn hear_answer(&mut self, from: Seat, round: u32) {
        if round <= self.trial.round()
            && let Some(asking) = &mut self.asking
        {
            asking.unheard.remove(from);
        }
    }

    /// A peer answers that it has more than this seat and never shows it, or that there is nothing: it is asked no more.
    pub(super) fn ask_no_more(&mut self, seat: Seat) {
        self.asking.iter_mut().for_each(|asking| asking.unheard.remove(seat));
    }

    /// How long to wait for the answers: not for ever, unless a seat that does not answer may have given up on this
    /// one.
    pub(super) fn asks_until(&self) -> Option<Millis> {
        let asking = self.asking.as_ref()?;
        let wait = match asking.unheard {
            Seats::NONE => 0,
            unheard if self.may_be_given_up_by(unheard) => return None,
            none if none == self.elsewhere() => LINKED,
            _ => LAST_GAP,
        };
        Some(asking.at.saturating_add(wait))
    }

    /// Whether seats that do not answer may have given up on this one. If its own step is due and late, those may that
    /// owe no step, and any of them if nobody answers. If it waits for others, it may have slept through its own turn
    /// with nobody there to report it, but only if that whole turn fits into the sleep.
    fn may_be_given_up_by(&self, unheard: Seats) -> bool {
        let gone = self.gone();
        let (missing, unheard, others) = (self.trial.missing(), unheard.without(gone), self.elsewhere().without(gone));
        let nobody_answers = !others.is_empty() && unheard == others;
        if missing.contains(self.me) {
            let is_over = self.own_time_ends().is_some_and(|at| self.now >= at);
            is_over && (nobody_answers || !unheard.without(missing).is_empty())
        } else {
            nobody_answers && self.slept.time >= self.own_next_time().unwrap_or(GRACE)
        }
    }

    /// The least time that this seat would have in a turn of its own after the open round, if there is a clock.
    fn own_next_time(&self) -> Option<Millis> {
        let bank = self.clocks().map(|clocks| clocks.of(self.me));
        let round = self.trial.referee().and_then(Referee::shortest_clock);
        bank.into_iter().chain(round).min().map(|clock| clock.saturating_add(GRACE))
    }

    /// Seats that this one must hear from before it makes a step or a claim, however long it takes: it slept, was late
    /// or was restarted, and they may have given up on it.
    pub fn cut_off_from(&self) -> Option<Seats> {
        let is_alone = |unheard: &Seats| !unheard.without(self.gone()).is_empty() && *unheard == self.elsewhere();
        let alone = Some(self.unheard).filter(is_alone);
        let asking = self.asking.as_ref().filter(|_| self.asks_until().is_none()).map(|asking| asking.unheard);
        alone.or(asking).filter(|_| self.end.is_none())
    }

    /// When a seat that is cut off gives up, without a claim, if it has a patience.
    pub(super) fn alone_until(&self) -> Option<Millis> {
        let (patience, _) = (self.config.patience?, self.cut_off_from()?);
        let from = self.asking.as_ref().map_or(self.back, |asking| asking.at);
        Some(from.saturating_add(patience)).filter(|_| self.fork.is_none())
    }

    /// Drops the question once it is answered, or once the wait was long enough.
    pub(super) fn know(&mut self) {
        if self.asks_until().is_some_and(|until| self.now >= until) {
            self.asking = None;
            self.slept.knew = Some(self.now);
        }
    }

    /// How long in the open round this seat was kept from its step.
    pub(super) fn kept_waiting(&self) -> Millis {
        self.slept.kept
    }

    /// A round begins. What arrived during a sleep may have arrived at its very beginning.
    pub(super) fn begin_awake(&mut self) {
        let lapse = self.asking.as_ref().map_or(0, |asking| asking.lapse);
        self.since = self.now.saturating_sub(lapse);
        let woke = self.slept.woke.filter(|_| self.asking.is_some());
        self.slept = Slept { time: self.now.saturating_sub(self.since), woke, ..Slept::default() };
    }

    /// How long a seat has had in the open round, by this seat's measure. Time that this seat slept counts only against
    /// itself; time that others kept it waiting does not even count against itself.
    pub(super) fn length_for(&self, seat: Seat) -> Millis {
        let not_its_own = if seat == self.me { self.kept_waiting() } else { self.slept.time };
        self.now.saturating_sub(self.since).saturating_sub(not_its_own)
    }

    /// How long the open round may last before a seat counts as late.
    fn clock_with_grace(&self) -> Option<Millis> {
        self.bank_time().or(self.trial.clock().map(|clock| clock.saturating_add(GRACE)))
    }

    /// The deadline of the missing seats, if there is a clock.
    pub fn deadline(&self) -> Option<Millis> {
        let slept = if self.trial.missing().contains(self.me) { 0 } else { self.slept.time };
        let clock = self.agreed_clock().or(self.own_patience());
        clock.map(|clock| self.since.saturating_add(clock).saturating_add(slept))
    }

    fn own_patience(&self) -> Option<Millis> {
        self.config.patience.filter(|_| !matches!(self.trial.stage(), Stage::Closed))
    }

    /// From when on the missing seats may be claimed to be silent: their time is up, and this seat was awake and
    /// listening.
    pub(super) fn claims_at(&self) -> Option<Millis> {
        if self.cut_off_from().is_some() {
            return None;
        }
        let clock = self.clock_with_grace().or(self.own_patience())?;
        let over = self.since.saturating_add(clock).saturating_add(self.slept.time);
        let awake = self.slept.woke.max(self.slept.late).max(self.slept.alone);
        let awake = awake.map(|since| since.saturating_add(clock.clamp(LAST_GAP, LINKED)));
        let listens = Some(self.listens.saturating_add(LISTENS)).filter(|_| self.config.by_letters.is_none());
        [Some(over), awake, self.asks_until(), listens].into_iter().flatten().max()
    }

    /// When the seat must wake for a claim that it may make at this time: once before, so that it has listened by then.
    pub(super) fn looks_before(&self, claims: Millis) -> Millis {
        Some(claims.saturating_sub(LISTENS)).filter(|at| *at > self.now).unwrap_or(claims)
    }

    /// When this seat's own time for the open round is up, by what all players accepted.
    pub(super) fn own_time_ends(&self) -> Option<Millis> {
        self.clock_with_grace().map(|clock| self.since.saturating_add(clock))
    }

    /// Whether a step of this seat was decided in time and is still being made, and the seat has not slept since it
    /// last learned the others' positions.
    pub(super) fn is_making_in_time(&self) -> bool {
        let in_time = self.own_time_ends().is_some_and(|at| self.begun < at);
        let knew = self.slept.woke.is_none() || self.slept.knew.is_some_and(|knew| knew <= self.begun);
        in_time && knew && self.cut_off_from().is_none() && (self.computing || self.held.is_some())
    }

    /// A seat whose clock runs wakes from time to time: only in this way does it notice that it slept.
    pub(super) fn looks_up_at(&self) -> Option<Millis> {
        self.agreed_clock().map(|_| self.now.saturating_add(LAST_GAP))
    }
}
