//! For spectators: the verdict on a log file, from its bytes alone. It needs no secret, no clock and no randomness, and
//! takes time linear in the file.

use outis_crypto::codec::DecodeError;

use crate::claim::Silence;
use crate::entry::{Entry, OVERHEAD, Place};
use crate::evidence::Equivocation;
use crate::export::{Record, read};
use crate::game::{Checks, Later, Observer, Referee, Rules};
use crate::judged_log::{Admission, AdmissionOf, Broken, FaultReport, JudgedLog};
use crate::seats::Seats;

/// Why a log gets no verdict at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The bytes are not a log.
    #[error("{}", what_is_wrong(.0))]
    Bytes(#[from] DecodeError),
    /// The offer cannot be played.
    #[error("the table rules in this log are not valid: {0}")]
    Offer(&'static str),
}

/// What is wrong with a file that should be a log, and what to do.
fn what_is_wrong(error: &DecodeError) -> String {
    match error.field {
        "log.magic" => "this file is not an Outis log; choose one that was saved at the end of a game".to_owned(),
        "log.version" => "this log was written by another version of Outis; check it with that version".to_owned(),
        _ => format!("this log is damaged or incomplete; ask for a new copy ({error})"),
    }
}

/// What a log shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict<F> {
    /// The log is valid and complete. [`Audit::unsigned`] says which seats have not signed the end.
    Finished,
    /// The log is valid so far, but the game is not finished.
    Unfinished {
        /// The seats that had yet to act.
        waiting_for: Seats,
    },
    /// A seat broke the rules.
    Fault(FaultReport<F>),
    /// The file is not what the seats signed: altered, cut or assembled. That says nothing against any seat.
    Forged {
        /// The entry that does not fit.
        place: Place,
        /// Which check it failed: `signature`, `chain`, `order`, `claim`, `proof`, `odd`.
        check: &'static str,
    },
}

/// The judged log.
#[derive(Clone, Debug)]
pub struct Audit<R: Referee> {
    /// The verdict.
    pub verdict: Verdict<R::Fault>,
    /// The log, as far as it is valid.
    pub trial: JudgedLog<R>,
    /// The public events, each with its round.
    pub events: Vec<(u32, <R::Rules as Rules>::Event)>,
    /// Timeout claims.
    pub claims: Vec<Silence>,
    /// The result, or the scores that the score rule gives to this end.
    pub scores: Option<Vec<i64>>,
}

impl<R: Referee> Audit<R> {
    /// The seats that have yet to sign the final head of a finished game. Such a seat may have been shown a different
    /// log.
    pub fn unsigned(&self) -> Seats {
        match self.trial.is_over() {
            true => self.trial.offer().everyone().without(self.trial.signed()),
            false => Seats::NONE,
        }
    }

    /// What a spectator knows after each public event, starting before the first.
    pub fn spectate(&self) -> Result<Shown<R>, <R::Rules as Rules>::Illegal> {
        let seats = self.trial.offer().seats.len() as u8;
        let mut knowledge = R::Rules::initial_knowledge(self.trial.options(), seats, Observer::Spectator);
        let mut shown = vec![(0, knowledge.clone())];
        for (round, event) in &self.events {
            knowledge = R::Rules::learn(knowledge, event)?;
            shown.push((*round, knowledge.clone()));
        }
        Ok(shown)
    }
}

/// What a spectator knows, by round.
pub type Shown<R> = Vec<(u32, <<R as Referee>::Rules as Rules>::Knowledge)>;

/// An entry read from a log, for statistics.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    /// Name of its round's purpose.
    pub what: &'static str,
    /// Its position.
    pub place: Place,
    /// Size of the whole entry in bytes.
    pub bytes: usize,
}

/// The collected proofs are settled once they have this many different elements: a longer sum is hardly cheaper per
/// element, and the memory that a file can make the verifier use stays bounded.
const MOST_TOGETHER: usize = 1 << 15;

/// Judges a log file.
///
/// The proofs of all entries are checked together, with weights that are hashed from all of them. An entry is judged on
/// the condition that the proofs up to and including its own hold. If they all do, the verdict is the one that judging
/// entry by entry would have reached. If not, no conclusion counts, and the log is judged again, entry by entry, to
/// find the first that is wrong.
pub fn audit<R: Referee>(bytes: &[u8]) -> Result<Audit<R>, Unreadable> {
    match together(bytes) {
        Ok(audit) => Ok(audit),
        Err(Doubt::Unreadable(unreadable)) => Err(unreadable),
        Err(Doubt::Refuted) => audit_with(bytes, Checks::default(), |_| {}),
    }
}

/// Judges a log file with given checks, entry by entry, and reports every entry after judging it.
pub fn audit_with<R: Referee>(
    bytes: &[u8],
    checks: Checks<'static>,
    tell: impl FnMut(Read),
) -> Result<Audit<R>, Unreadable> {
    judge_all(bytes, checks, |trial, entry| Ok(trial.admit(entry)), tell)
}

/// Why checking all proofs together gave no verdict.
enum Doubt {
    Unreadable(Unreadable),
    /// A proof does not hold.
    Refuted,
}

impl From<Unreadable> for Doubt {
    fn from(unreadable: Unreadable) -> Self {
        Self::Unreadable(unreadable)
    }
}

/// Judges a log file, all proofs together.
fn together<R: Referee>(bytes: &[u8]) -> Result<Audit<R>, Doubt> {
    let later = Later::default();
    let admit = |trial: &mut JudgedLog<R>, entry: &Entry| {
        let admitted = trial.admit_later(entry, &later);
        if later.holds(MOST_TOGETHER) { Ok(admitted) } else { Err(Doubt::Refuted) }
    };
    let audit = judge_all(bytes, Checks::default(), admit, |_| {})?;
    if later.holds(0) { Ok(audit) } else { Err(Doubt::Refuted) }
}

fn judge_all<R: Referee, E: From<Unreadable>>(
    bytes: &[u8],
    checks: Checks<'static>,
    admit: impl Fn(&mut JudgedLog<R>, &Entry) -> Result<AdmissionOf<R>, E>,
    mut tell: impl FnMut(Read),
) -> Result<Audit<R>, E> {
    let (offer, records) = read(bytes).map_err(Unreadable::from)?;
    let mut trial = JudgedLog::<R>::new(offer, checks).map_err(Unreadable::Offer)?;
    let mut events = Vec::new();
    let mut claims: Vec<Silence> = Vec::new();
    let mut odd = Seats::NONE;
    let mut verdict = None;
    let mut last = None;
    for record in records {
        match record.map_err(Unreadable::from)? {
            Record::Entry(entry) if claims.is_empty() && odd.is_empty() => {
                let place = entry.place();
                let forged = |check| Some(Verdict::Forged { place, check });
                let read = Read { what: trial.what(), place, bytes: OVERHEAD + entry.payload().len() };
                // A file has one order. Only a refused entry stands where it arrived, at the end.
                let is_next = last < Some(place);
                last = Some(place);
                verdict = match admit(&mut trial, &entry)? {
                    Admission::Accepted | Admission::Completed(_) if !is_next => forged("order"),
                    Admission::Accepted => None,
                    Admission::Completed(told) => {
                        events.extend(told.into_iter().map(|event| (place.round, event)));
                        None
                    }
                    Admission::Known | Admission::Early => forged("order"),
                    Admission::Unsigned => forged("signature"),
                    Admission::Fork => forged("chain"),
                    Admission::Refused(charge) => Some(Verdict::Fault(charge)),
                };
                tell(read);
            }
            Record::Equivocation(proof) => verdict = Some(weigh(&trial, proof)),
            Record::Entry(entry) => verdict = Some(Verdict::Forged { place: entry.place(), check: "order" }),
            Record::Silence(claim) => {
                let again = claims.iter().any(|known| known.claimant == claim.claimant);
                if again || !trial.allows(&claim, odd) {
                    let place = Place { round: claim.round, seat: claim.claimant };
                    verdict = Some(Verdict::Forged { place, check: "claim" });
                } else {
                    claims.push(claim);
                }
            }
            // Odd entries stand before the claims that rest on them (LOG-13).
            Record::Odd(entry) if !claims.is_empty() => {
                verdict = Some(Verdict::Forged { place: entry.place(), check: "order" });
            }
            Record::Odd(entry) if !odd.contains(entry.place().seat) && trial.is_odd(&entry) => {
                odd.insert(entry.place().seat);
            }
            Record::Odd(entry) => verdict = Some(Verdict::Forged { place: entry.place(), check: "odd" }),
        }
        if verdict.is_some() {
            break;
        }
    }
    let verdict = verdict.unwrap_or_else(|| match trial.is_over() {
        true => Verdict::Finished,
        false => Verdict::Unfinished { waiting_for: trial.missing() },
    });
    let silent = claims.iter().fold(Seats::NONE, |all, claim| all.iter().chain(claim.silent.iter()).collect());
    let scores = match &verdict {
        Verdict::Fault(charge) => trial.scores_after(charge.place.seat),
        Verdict::Unfinished { .. } if !silent.is_empty() => trial.scores_without(silent),
        _ => trial.referee().map(Referee::scores),
    };
    Ok(Audit { verdict, trial, events, claims, scores })
}

fn weigh<R: Referee>(trial: &JudgedLog<R>, proof: Equivocation) -> Verdict<R::Fault> {
    let place = proof.place();
    if trial.convicts(&proof) {
        Verdict::Fault(FaultReport { place, broken: Broken::Equivocation(Box::new(proof)) })
    } else {
        Verdict::Forged { place, check: "proof" }
    }
}
