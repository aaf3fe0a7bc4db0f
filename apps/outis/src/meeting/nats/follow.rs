//! The background task: it creates the streams, keeps the mirror up to date, sends notifications for new messages, and
//! checks from time to time that the engine still answers.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::try_join_all;
use serde_json::json;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use super::Shared;
use super::link::{Fail, LIMIT, Link, Post};
use super::mirror::Stored;
use crate::machine::tables::lock;
use crate::meeting::serve::say;

/// How often it checks that the engine answers.
const LOOK: Duration = Duration::from_secs(2);
/// How long it waits before it starts over.
const REST: Duration = Duration::from_millis(300);

/// Why following ended.
enum End {
    /// The connection is new, or an expected message did not arrive: start over.
    Anew,
    /// The engine failed.
    Failed(Fail),
}

impl From<Fail> for End {
    fn from(fail: Fail) -> Self {
        Self::Failed(fail)
    }
}

/// What one run passes on to the next.
#[derive(Default)]
struct Past {
    /// The last message for which notifications have been sent.
    rung: Option<u64>,
    /// Since when the engine fails.
    failing: Option<Instant>,
}

/// Detects that a follower has stalled.
#[derive(Default)]
struct Halt {
    here: u64,
    end: u64,
}

impl Halt {
    /// Records the follower's position and the end of the stream. Returns whether the follower has not moved although
    /// messages were due.
    fn halts(&mut self, here: u64, end: u64) -> bool {
        let halts = here < self.end && here == self.here;
        *self = Self { here, end };
        halts
    }
}

/// Runs until it is dropped.
pub async fn keep_following(shared: Arc<Shared>) {
    let mut past = Past::default();
    loop {
        let end = follow(&shared, &mut past).await;
        lock(&shared.mirror).lost();
        if let Err(End::Failed(fail)) = end {
            note(&shared, &mut past, fail);
        }
        sleep(REST).await;
    }
}

/// A leader election is waited for; any longer failure blocks all calls.
fn note(shared: &Shared, past: &mut Past, fail: Fail) {
    let since = *past.failing.get_or_insert_with(Instant::now);
    let (Fail::Again(why) | Fail::Final(why)) = fail else { return };
    if since.elapsed() >= LIMIT || shared.link.hindrance().is_some() {
        shared.link.hinder(&why);
    }
}

/// The engine answers. If it was blocked, it must also accept a message before it is relied on again: a server that has
/// lost the majority may still answer.
async fn free(shared: &Shared, past: &mut Past) -> Result<(), Fail> {
    let Shared { link, names, .. } = shared;
    if link.hindrance().is_some() {
        match link.publish(&Post { subject: &names.probe(), ..Post::default() }).await {
            // A full engine is not offline: reading and removing still work.
            Ok(_) | Err(Fail::Final(_)) => {}
            Err(fail) => return Err(fail),
        }
        link.free();
    }
    past.failing = None;
    Ok(())
}

/// The end of a stream. A leader that was just elected may not know everything yet, so it is asked again before
/// messages count as lost.
async fn end_of(link: &Link, stream: &str, known: u64) -> Result<u64, Fail> {
    let mut end = link.end(stream).await?;
    for _ in 0..10 {
        if end >= known {
            break;
        }
        sleep(REST).await;
        end = link.end(stream).await?;
    }
    Ok(end)
}

async fn follow(shared: &Shared, past: &mut Past) -> Result<(), End> {
    let Shared { link, names, mirror, bells, replicas, room } = shared;
    let connections = link.connections();
    let streams = names.streams(*replicas, *room);
    try_join_all(streams.iter().map(|stream| link.prepare(stream))).await?;
    let end = end_of(link, &names.log, past.rung.unwrap_or(0)).await?;
    // The engine may have lost its last messages, with a majority of its servers or by an operator's action. Their
    // numbers are then used again, and no reader's position is valid.
    let lost = past.rung.is_some_and(|rung| rung > end);
    if lost {
        say("engine-went-back", json!({ "letters": end }));
    }
    let rung = if lost { 0 } else { past.rung.unwrap_or(end) };
    let (mut letters, some) = link.follow(&names.log, rung + 1, true).await?;
    let mut rung = if some { rung } else { rung.max(end) };
    past.rung = Some(rung);
    if lost {
        for bell in lock(bells).iter() {
            bell("");
        }
    }

    let newest = lock(mirror).newest();
    let end = end_of(link, &names.values, newest).await?;
    {
        let mut mirror = lock(mirror);
        if end < newest {
            say("engine-went-back", json!({ "values": end }));
            mirror.forget();
        }
        mirror.begin();
    }
    let (mut values, some) = link.follow(&names.values, 0, false).await?;
    if !some {
        lock(mirror).reached(end);
    }
    free(shared, past).await?;

    let mut look = interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut of_values, mut of_letters) = (Halt::default(), Halt::default());
    // Number of messages that arrived, and that number at the last check that found the mirror incomplete.
    let (mut came, mut missing) = (0u64, None);
    loop {
        tokio::select! {
            message = values.next() => {
                let Some(Ok(message)) = message else { return Err(End::Anew) };
                let Ok(info) = message.info() else { return Err(End::Anew) };
                came += 1;
                let mut mirror = lock(mirror);
                if let Some((place, key)) = names.read_value(&message.subject) {
                    mirror.take_in(place, &key, Stored::read(info.stream_sequence, &message.payload));
                }
                if info.pending == 0 {
                    mirror.reached(info.stream_sequence.max(end));
                } else if mirror.is_complete() {
                    mirror.reached(info.stream_sequence);
                }
            }
            message = letters.next() => {
                let Some(Ok(message)) = message else { return Err(End::Anew) };
                let Ok(info) = message.info() else { return Err(End::Anew) };
                rung = info.stream_sequence;
                past.rung = Some(rung);
                if let Some(stream) = names.read_entry(&message.subject) {
                    for bell in lock(bells).iter() {
                        bell(stream);
                    }
                }
            }
            _ = look.tick() => {
                if link.connections() != connections {
                    return Err(End::Anew);
                }
                let newest = lock(mirror).newest();
                match (link.end(&names.values).await, link.end(&names.log).await) {
                    (Ok(values), Ok(letters)) => {
                        if values < newest || letters < rung {
                            return Err(End::Anew);
                        }
                        free(shared, past).await?;
                        let (upto, complete) = {
                            let mirror = lock(mirror);
                            (mirror.upto(), mirror.is_complete())
                        };
                        let stuck = !complete && missing.replace(came) == Some(came);
                        // A message that was removed before it arrived never comes; starting over detects that as well.
                        if of_values.halts(upto, values) | of_letters.halts(rung, letters) | stuck {
                            return Err(End::Anew);
                        }
                    }
                    (Err(Fail::NoStream), _) | (_, Err(Fail::NoStream)) => return Err(End::Anew),
                    (Err(fail), _) | (_, Err(fail)) => note(shared, past, fail),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_follower_halts_if_what_was_to_come_did_not() {
        let mut halt = Halt::default();
        assert!(!halt.halts(0, 0) && !halt.halts(0, 5), "there is something to come since now");
        assert!(!halt.halts(2, 5), "it moves");
        assert!(halt.halts(2, 5));
        assert!(!halt.halts(5, 5) && !halt.halts(5, 5));
    }
}
