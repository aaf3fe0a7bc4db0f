//! Resuming after a crash: the journal is replayed, and nothing new is signed before every other seat has reported what
//! it holds.
//!
//! Endings are recorded too: a table that was left stays left.
//!
//! Why it waits: a journal may be older than what the seat has already signed (a restored backup, a disk that lied).
//! Then the peers have an entry that the seat does not remember. They send it back, the seat recognises its own
//! signature, and it stops instead of signing a second, different entry for that position.

use core::fmt;

use rand_core::CryptoRng;

use super::journal::Note;
use super::{Config, End, Output, Session};
use crate::game::{KnowledgeOf, Millis, Player};
use crate::identity::Identity;
use crate::judged_log::Admission;
use crate::seal::{Broken, Chain, SealKey};
use crate::seats::Seats;

/// A resumed session.
pub struct Resumed<P: Player> {
    /// The session; take its outputs first.
    pub session: Session<P>,
    /// Length of the journal that was read: truncate a torn tail there before anything is appended.
    pub kept: usize,
}

impl<P: Player> fmt::Debug for Resumed<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resumed").field("kept", &self.kept).finish_non_exhaustive()
    }
}

impl<P: Player> Session<P> {
    /// Resumes a session from its journal. Proofs of entries that this seat has judged before are not checked again.
    pub fn resume(
        journal: &[u8],
        identity: Identity,
        key: SealKey,
        config: Config,
        now: Millis,
        rng: &mut impl CryptoRng,
    ) -> Result<Resumed<P>, Broken> {
        let mut chain = Chain::new(key.clone());
        let records = chain.open(journal)?;
        let kept = records.iter().map(|record| 4 + 24 + record.len() + 16).sum();
        let mut notes = records.iter().enumerate().map(|(i, plain)| (i, Note::from_plain(plain)));
        let Some((_, Ok(Note::Start(offer)))) = notes.next() else { return Err(Broken::Empty) };
        let mut session = Self::empty(offer, identity, key, config, now).map_err(|_| Broken::Foreign)?;
        for (i, note) in notes {
            let note = note.map_err(|_| Broken::Content(i))?;
            session.replay(note, rng).ok_or(Broken::Content(i))?;
        }
        // What the replay wanted to record is in the journal already.
        session.chain = chain;
        session.outbox.clear();
        session.computing = false;
        session.resumed = session.config.by_letters.is_none();
        let by_letters = session.config.by_letters;
        // The open round has lasted since its last record at the least; in a correspondence game nobody counts. A wall clock may have been
        // anything.
        let age = |age: Millis| if by_letters.is_some() { 0 } else { age.min(now) };
        let down = age(session.config.down);
        let unwritten = age(session.config.unwritten).max(down);
        (session.since, session.back) = (now.saturating_sub(unwritten), now);
        session.unheard = if by_letters.is_some() { Seats::NONE } else { session.elsewhere() };
        session.token = session.fresh_token(rng);
        if session.end.is_none() && unwritten > 0 {
            session.lapse(now, down, rng);
        } else if session.end.is_none() {
            session.ask_everyone();
        }
        by_letters.into_iter().for_each(|round| session.say_again(round));
        if let Some(knowledge) = session.knowledge().cloned() {
            session.outbox.push_back(Output::View(knowledge));
        }
        session.pump(rng);
        session.tick(rng);
        Ok(Resumed { session, kept })
    }

    /// What the seat knew after each round in its journal: the seat's own replay.
    pub fn recall(
        journal: &[u8],
        identity: Identity,
        key: SealKey,
        rng: &mut impl CryptoRng,
    ) -> Result<Vec<(u32, KnowledgeOf<P>)>, Broken> {
        let records = Chain::new(key.clone()).open(journal)?;
        let mut notes = records.iter().enumerate().map(|(i, plain)| (i, Note::from_plain(plain)));
        let Some((_, Ok(Note::Start(offer)))) = notes.next() else { return Err(Broken::Empty) };
        let mut session = Self::empty(offer, identity, key, Config::default(), 0).map_err(|_| Broken::Foreign)?;
        let mut known = Vec::new();
        for (i, note) in notes {
            let note = note.map_err(|_| Broken::Content(i))?;
            session.replay(note, rng).ok_or(Broken::Content(i))?;
            for output in session.outbox.drain(..) {
                if let Output::View(knowledge) = output {
                    known.push((session.trial.round(), knowledge));
                }
            }
        }
        Ok(known)
    }

    fn replay(&mut self, note: Note, rng: &mut impl CryptoRng) -> Option<()> {
        let (entry, memo) = match note {
            Note::Start(_) => return None,
            Note::Own(entry, memo) => (entry, memo),
            Note::Peer(entry) => (entry, None),
            Note::Spent(round, cost) => {
                self.spend(round, cost);
                return (round == self.trial.round()).then_some(());
            }
            Note::Convicted(proof) => {
                self.believe(self.me, proof, rng);
                return self.end.is_some().then_some(());
            }
            Note::Left { seats, claim, odd } => {
                self.left(seats, claim, odd);
                return Some(());
            }
            Note::RolledBack(round) => {
                self.end(End::RolledBack { round });
                return Some(());
            }
            Note::Refused(entry) => {
                // Judged again in full: an accusation is never taken on trust, not even the seat's own. An accusation
                // that no longer holds is not part of the game, and its entry must not be admitted instead.
                let Admission::Refused(charge) = self.trial.admit(&entry) else { return None };
                self.convict(charge, Some(entry), rng);
                return Some(());
            }
        };
        let admission = self.trial.readmit(&entry);
        if let Some(memo) = memo {
            self.remember(&memo);
        }
        match admission {
            Admission::Accepted => Some(()),
            Admission::Completed(events) => {
                self.turn(&events, rng);
                Some(())
            }
            _ => None,
        }
    }
}
