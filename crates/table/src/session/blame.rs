//! How a session treats entries and proofs: it adds them, refuses them with evidence, or recognises them as its own.

use outis_crypto::codec::Encode;
use outis_crypto::context::Seat;
use rand_core::CryptoRng;

use super::journal::Note;
use super::wire::Frame;
use super::{End, FaultOf, Session};
use crate::entry::{Entry, Place};
use crate::evidence::Equivocation;
use crate::game::{Player, Refused};
use crate::judged_log::{Admission, Broken, FaultReport, Stage};

impl<P: Player> Session<P> {
    /// Handles an entry that came over the link of `from`.
    pub(super) fn take(&mut self, from: Seat, entry: Entry, rng: &mut impl CryptoRng) {
        let place = entry.place();
        // A finished game still accepts the last signatures of its result.
        let is_closing = self.end == Some(End::Finished) && *self.trial.stage() == Stage::Closing;
        if self.end.is_some() && !is_closing {
            return self.take_late(from, &entry, rng);
        }
        if place.seat == self.me {
            self.recognise(from, &entry, rng);
            return;
        }
        if let Some(proof) = self.contradiction(&entry) {
            return self.convict(FaultReport { place, broken: Broken::Equivocation(Box::new(proof)) }, None, rng);
        }
        match self.trial.admit(&entry) {
            Admission::Known => {}
            Admission::Early => self.set_aside(from, entry, rng),
            Admission::Unsigned => self.strike(from),
            Admission::Fork => self.dispute(from, entry),
            Admission::Refused(charge) => self.convict(charge, Some(entry), rng),
            Admission::Accepted => {
                self.gave_up.remove(place.seat);
                self.note(&Note::Peer(entry), rng);
            }
            Admission::Completed(events) => {
                // Whoever speaks has not left, whatever it claimed.
                self.gave_up.remove(place.seat);
                self.charge(rng);
                self.note(&Note::Peer(entry), rng);
                self.turn(&events, rng);
            }
        }
    }

    /// After the end only one thing still matters: whether a seat signed something different for a position that has an
    /// entry of it.
    fn take_late(&mut self, from: Seat, entry: &Entry, rng: &mut impl CryptoRng) {
        let place = entry.place();
        if !self.is_open_to_proof() || place.seat == self.me {
            return;
        }
        let (offer, table) = (self.trial.offer(), self.trial.table());
        let odd = self.fork.as_ref().map(|(odd, _)| odd).filter(|odd| odd.place() == place);
        let known = [self.trial.entry(place), odd].into_iter().flatten().collect::<Vec<_>>();
        let differ = known.iter().filter(|known| known.utterance() != entry.utterance()).collect::<Vec<_>>();
        if differ.is_empty() {
            return;
        }
        match differ.into_iter().find_map(|known| Equivocation::find(offer, table, known, entry)) {
            Some(proof) => {
                self.convict(FaultReport { place, broken: Broken::Equivocation(Box::new(proof)) }, None, rng)
            }
            None => self.strike(from),
        }
    }

    /// Whether a proof of equivocation would still change something: it overrides everything that cannot be proved. A
    /// result that all seats have signed stands.
    fn is_open_to_proof(&self) -> bool {
        match &self.end {
            None | Some(End::Silence { .. } | End::Fork { .. } | End::Unprovable { .. }) => true,
            Some(End::Finished) => *self.trial.stage() == Stage::Closing,
            Some(_) => false,
        }
    }

    /// An entry of this very seat comes back. If the seat does not know it, its stored state is older than what it has
    /// signed.
    fn recognise(&mut self, from: Seat, entry: &Entry, rng: &mut impl CryptoRng) {
        let place = entry.place();
        let known = self.trial.entry(place).is_some_and(|own| own.utterance() == entry.utterance());
        if known {
            return;
        }
        if entry.is_signed(self.trial.offer(), self.trial.table()) {
            self.note(&Note::RolledBack(place.round), rng);
            self.end(End::RolledBack { round: place.round });
        } else {
            self.strike(from);
        }
    }

    /// A peer sends a proof of equivocation. It counts only if it convicts on its own.
    pub(super) fn believe(&mut self, from: Seat, proof: Equivocation, rng: &mut impl CryptoRng) {
        if !self.is_open_to_proof() {
            return;
        }
        if self.trial.convicts(&proof) {
            self.convict(
                FaultReport { place: proof.place(), broken: Broken::Equivocation(Box::new(proof)) },
                None,
                rng,
            );
        } else {
            self.strike(from);
        }
    }

    pub(super) fn convict(
        &mut self,
        charge: FaultReport<FaultOf<P>>,
        refused: Option<Entry>,
        rng: &mut impl CryptoRng,
    ) {
        match (&charge.broken, refused) {
            (Broken::Equivocation(proof), _) => self.note(&Note::Convicted(*proof.clone()), rng),
            (_, Some(entry)) => {
                self.note(&Note::Refused(entry.clone()), rng);
                self.evidence = Some(entry);
            }
            (_, None) => {}
        }
        if self.is_open_to_proof() {
            self.end = None;
        }
        self.end(End::Fault(charge));
        if let Some(frame) = self.accusation() {
            self.send_all(&frame);
        }
    }

    /// What convinces the others: a proof of equivocation, or the entry that they will refuse, or find odd, as well.
    /// Otherwise this seat's claim, which proves nothing, so that the seats that it names need not wait for this one.
    pub(super) fn accusation(&self) -> Option<Vec<u8>> {
        let odd = self.fork.as_ref().map(|(entry, _)| entry);
        match (&self.end, self.evidence.as_ref().or(odd)) {
            (Some(End::Fault(FaultReport { broken: Broken::Equivocation(proof), .. })), _) => {
                Some(Frame::Proof(*proof.clone()).to_bytes())
            }
            (_, Some(entry)) => Some(Frame::Entry(entry.clone()).to_bytes()),
            _ => {
                let claim = self.claim.as_ref().filter(|claim| claim.claimant == self.me);
                claim.map(|claim| Frame::Claim(claim.clone()).to_bytes())
            }
        }
    }

    pub(super) fn refuse(&mut self, refused: Refused<FaultOf<P>>) {
        let round = self.trial.round();
        self.end(match refused {
            Refused::Local(why) => End::Local { round, why },
            Refused::Unprovable(seat, why) => End::Unprovable { seat, round, why },
            Refused::Provable(seat, fault) => End::Fault(FaultReport {
                place: Place { round: round.saturating_sub(1), seat },
                broken: Broken::Game(fault),
            }),
        });
    }

    pub(super) fn end(&mut self, end: End<FaultOf<P>>) {
        if self.end.is_none() {
            self.end = Some(end);
            self.ping = None;
            self.held = None;
            self.early.clear();
        }
    }
}
