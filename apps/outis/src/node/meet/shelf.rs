//! Publishing games: with the consent of all players; this player's consent is a setting.

use std::time::{Duration, Instant};

use outis_meeting::archive::{Consent, MAX_LOG};
use outis_meeting::notice::Signed;
use outis_meeting::wire::{Answer, Refusal, Request};
use outis_table::Head;
use outis_table::codec::Decode;
use outis_table::history::History;
use outis_table::offer::Offer;

use crate::machine::drive::{Event, Node};
use crate::meeting::line::{Broken, Line};
use crate::meeting::name;
use crate::node::epoch;
use crate::node::table_info::{Kind, TableInfo};
use outis_game::ending::Ending;
use outis_node::node::Tell;

/// How often consent is asked after at first, and at last; and for how long after the end of a game.
const AGAIN: Duration = Duration::from_secs(5);
const SELDOM: Duration = Duration::from_secs(3_600);
const PATIENCE: u64 = 30 * 24 * 3_600_000;
/// While the others are likely to be just as far.
const FRESH: Duration = Duration::from_secs(60);

/// The pause before consent to a game is asked after again, by the time since its end: in the first minute it is short, then it grows
/// as that time does. So twenty games to which somebody else does not agree cost a few questions an hour.
fn pause(over: Duration) -> Duration {
    over.saturating_sub(FRESH).clamp(AGAIN, SELDOM)
}

/// What became of a game that was offered.
enum Fate {
    /// It is there.
    There,
    /// It will never be.
    Never,
}

/// Whether a game is one to be offered: with others, played to its end, and since that is wanted.
fn is_for_shelf(about: &TableInfo, since: u64) -> bool {
    !about.is_local() && about.end == Some(Ending::Finished) && about.ended.is_some_and(|ended| ended >= since)
}

impl Node {
    /// The consents that are ours to give: our own, and those of the bots that we brought.
    fn consents(&self, about: &TableInfo, table: [u8; 32]) -> Vec<Signed<Consent>> {
        let keys = self.look(|core, _| core.keys().clone());
        let Some(head) = name(&about.head) else { return Vec::new() };
        let ours = (0u8..).zip(&about.seats).filter(|(_, chair)| chair.kind != Kind::Peer);
        ours.filter_map(|(seat, chair)| {
            let identity = match chair.kind {
                Kind::Bot { .. } => keys.bot(&about.id, seat),
                _ => keys.identity().clone(),
            };
            let mut who = chair.name.clone();
            while who.len() > usize::from(outis_meeting::notice::MAX_WHO) {
                who.pop();
            }
            let player = identity.public();
            Signed::new(&identity, Consent { player, who, table, head })
        })
        .collect()
    }

    /// Agrees to finished games being published, and brings the log where everybody has agreed.
    pub(super) async fn fill_shelf(&self, line: &mut Line) -> Result<(), Broken> {
        let Some(since) = self.look(|core, _| core.settings().shelves_since()) else { return Ok(()) };
        let now = epoch();
        let is_due = |about: &TableInfo| {
            let Some(ended) = about.ended.filter(|_| is_for_shelf(about, since)) else { return false };
            let pause = pause(Duration::from_millis(now.saturating_sub(ended)));
            let waits = |at: &Instant| at.elapsed() < pause;
            ended + PATIENCE > now
                && self.meet(|state| {
                    let done = state.shelved.contains(&about.id) || state.unfit.contains(&about.id);
                    !done && !state.tried.get(&about.id).is_some_and(waits)
                })
        };
        for about in self
            .look(|core, _| core.tables().past().cloned().collect::<Vec<_>>())
            .into_iter()
            .filter(is_due)
            .collect::<Vec<_>>()
        {
            self.meet(|state| state.tried.insert(about.id.clone(), Instant::now()));
            let Ok(offer) = Offer::from_bytes(&about.offer, &()) else { continue };
            let consents = self.consents(&about, offer.id().0);
            let answer = line.ask(&Request::Consent { offer: about.offer.clone(), consents }).await?;
            let fate = match answer {
                Answer::Missing { seats, wanted: false } => seats.is_empty().then_some(Fate::There),
                Answer::Missing { wanted: true, .. } => match tokio::task::block_in_place(|| self.log_for(&about)) {
                    None => Some(Fate::Never),
                    Some(log) => match line.ask(&Request::Deposit(log)).await? {
                        Answer::Done => Some(Fate::There),
                        Answer::Sorry(Refusal::TooLarge | Refusal::Senseless) => Some(Fate::Never),
                        _ => None,
                    },
                },
                _ => None,
            };
            let Some(fate) = fate else { continue };
            self.meet(|state| match fate {
                Fate::There => state.shelved.insert(about.id.clone()),
                Fate::Never => state.unfit.insert(about.id.clone()),
            });
            self.keep_meeting_note();
            self.tell(Event::Node(Tell::Open));
        }
        Ok(())
    }

    /// The log of a game, if it is one that an archive can take: not too large, and the history to which we have agreed.
    fn log_for(&self, about: &TableInfo) -> Option<Vec<u8>> {
        let log = self.log(&about.id).filter(|log| log.len() <= MAX_LOG)?;
        History::read(&log)
            .is_ok_and(|history| history.ends_at(&Head(name(&about.head).unwrap_or_default())))
            .then_some(log)
    }

    /// Whether a correspondence game that is just over has not been offered to the archive yet.
    pub fn has_letters_to_shelve(&self) -> bool {
        let Some(since) = self.look(|core, _| core.settings().shelves_since()) else { return false };
        let offered = |id: &String| {
            self.meet(|state| state.shelved.contains(id) || state.unfit.contains(id) || state.tried.contains_key(id))
        };
        let fits = |about: &TableInfo| about.days.is_some() && is_for_shelf(about, since);
        self.look(|core, _| core.tables().past().cloned().collect::<Vec<_>>())
            .iter()
            .any(|about| fits(about) && !offered(&about.id))
    }

    /// Whether the archive will never have a game of ours: it is too large, or not what we agreed to.
    pub fn is_unfit_for_shelf(&self, id: &str) -> bool {
        self.meet(|state| state.unfit.contains(id))
    }

    /// Whether a game of ours is in the archive, as far as we know.
    pub fn is_shelved(&self, id: &str) -> bool {
        self.meet(|state| state.shelved.contains(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consent_is_asked_after_less_and_less_often() {
        // One game, looked at every five seconds for a month, as the line does.
        let (mut asked, mut last, mut first_minute) = (0, None, 0);
        for second in (0..30 * 24 * 3_600u64).step_by(5) {
            let over = Duration::from_secs(second);
            if last.is_none_or(|last: Duration| over.saturating_sub(last) >= pause(over)) {
                (asked, last) = (asked + 1, Some(over));
                first_minute += u32::from(second <= 60);
            }
        }
        assert_eq!(first_minute, 13, "while the others are likely to be there");
        assert!((720..760).contains(&asked), "then about once an hour: {asked}");
    }
}
