//! A verifier: takes a log from the queue, checks it from its bytes alone, and signs the result.

use std::time::Duration;

use outis_game::finding::Shows;
use outis_meeting::Name;
use outis_meeting::archive::{GameVerdict, MAX_LOG, Outcome};
use outis_meeting::notice::Signed;
use outis_meeting::store::blob_name;
use outis_meeting::wire::{Answer, Refusal, Request};
use outis_table::export;
use outis_table::identity::Identity;

/// How many times per log it waits a second after making too many requests.
pub const PATIENCE: u32 = 60;

/// The result of one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// There was nothing to do.
    Idle,
    /// One log was checked and its result reported.
    Done(Outcome),
    /// The lobby refused.
    Failed,
}

/// Takes one job, if there is one, and completes it.
pub fn turn(identity: &Identity, now: u64, ask: &mut dyn FnMut(Request) -> Option<Answer>) -> Turn {
    let task = match ask(Request::Work) {
        Some(Answer::Work(Some(task))) => task,
        Some(Answer::Work(None)) => return Turn::Idle,
        _ => return Turn::Failed,
    };
    let Some(log) = fetch(task.log, ask) else { return Turn::Failed };
    let Some(verdict) = judge(identity, task.log, &log, now) else { return Turn::Failed };
    let outcome = verdict.body().outcome;
    let found = Request::Found { job: task.job, attempt: task.attempt, verdict: Box::new(verdict) };
    match ask(found) {
        Some(Answer::Done) => Turn::Done(outcome),
        _ => Turn::Failed,
    }
}

/// Fetches a log part by part, and checks its hash.
pub fn fetch(log: Name, ask: &mut dyn FnMut(Request) -> Option<Answer>) -> Option<Vec<u8>> {
    let (mut bytes, mut patience) = (Vec::new(), PATIENCE);
    loop {
        let (total, part) = match ask(Request::Fetch { log, offset: bytes.len() as u32 })? {
            Answer::Part { total, bytes } => (total, bytes),
            // A long log exceeds what one client may read at once.
            Answer::Sorry(Refusal::TooMany) if patience > 0 => {
                patience -= 1;
                std::thread::sleep(Duration::from_secs(1));
                continue;
            }
            _ => return None,
        };
        bytes.extend_from_slice(&part);
        if bytes.len() >= total as usize {
            break;
        }
        if part.is_empty() || bytes.len() > MAX_LOG {
            return None;
        }
    }
    (blob_name(&bytes) == log).then_some(bytes)
}

/// Processes untrusted bytes; `None` if that panics. A log that causes a panic would otherwise end one verifier after
/// another.
fn calmly<T>(work: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).ok()
}

/// The verdict on a log as a verifier signs it (MEET-2 has no separate outcome for a timeout claim).
pub fn outcome(shows: Shows) -> Outcome {
    match shows {
        Shows::Finished => Outcome::Finished,
        Shows::Unfinished | Shows::Claimed => Outcome::Unfinished,
        Shows::Fault { seat } => Outcome::Fault(seat),
        Shows::Forged => Outcome::Forged,
    }
}

/// The signed verdict on a log; `None` only if it does not even name a table.
fn judge(identity: &Identity, name: Name, log: &[u8], now: u64) -> Option<Signed<GameVerdict>> {
    let (offer, _) = export::read(log).ok()?;
    let players = offer.seats.iter().map(|chair| chair.key).collect();
    let mut verdict = GameVerdict {
        verifier: identity.public(),
        log: name,
        table: offer.id().0,
        head: [0; 32],
        game: offer.game.clone(),
        players,
        outcome: Outcome::Unreadable,
        scores: Vec::new(),
        at: now,
        words: String::new(),
    };
    match outis_catalogue::game(&offer.game).map(|game| calmly(|| game.verify(log))) {
        None => verdict.words = "a game that this verifier does not know".to_owned(),
        Some(None) => verdict.words = "the verifier stumbled over it".to_owned(),
        Some(Some(Err(error))) => verdict.words = error.to_string(),
        Some(Some(Ok(finding))) => {
            verdict.head = super::name(&finding.head).expect("the head of a history is 32 bytes");
            verdict.outcome = outcome(finding.verdict);
            if verdict.outcome == Outcome::Finished {
                match finding.scores {
                    Some(scores) => verdict.scores = scores,
                    None => verdict.outcome = Outcome::Unreadable,
                }
            }
            verdict.words = finding.words;
        }
    }
    // The limit is in bytes; the cut is at a character boundary.
    let mut end = verdict.words.len().min(outis_meeting::archive::MAX_WORDS.into());
    while !verdict.words.is_char_boundary(end) {
        end -= 1;
    }
    verdict.words.truncate(end);
    Signed::new(identity, verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verifier_survives_what_it_stumbles_over() {
        assert_eq!(calmly(|| 1), Some(1));
        assert_eq!(calmly(|| Vec::<u8>::new()[1]), None);
    }
}
