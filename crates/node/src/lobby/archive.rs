//! Publishing games: with the consent of all players; this player's consent is a setting.

use outis_game::ending::Ending;
use outis_meeting::archive::{Consent, MAX_LOG};
use outis_meeting::notice::Signed;
use outis_table::Head;
use outis_table::codec::Decode;
use outis_table::history::History;
use outis_table::offer::Offer;

use super::{Lobby, PastLog, short};
use crate::keys::Keyring;
use crate::names::unhex;
use crate::saved::Millis;
use crate::table_info::{Kind, TableInfo};

/// The pause before this node asks again whether all players consent, at first and at last; and for how long after the end of a game it
/// asks.
const AGAIN: Millis = 5_000;
const SELDOM: Millis = 3_600_000;
const PATIENCE: Millis = 30 * 24 * 3_600_000;
/// For this long after the end, the other nodes are likely to be just as far.
const FRESH: Millis = 60_000;

/// The pause before this node asks again whether all players consent to publish a game, by the time since its end: short in the first
/// minute, then growing with that time. So a game to which another player does not agree costs about one question an hour.
fn pause(over: Millis) -> Millis {
    over.saturating_sub(FRESH).clamp(AGAIN, SELDOM)
}

/// Whether a game may be published: played with other nodes, to its end, and ended since the person agreed to publish.
fn is_for_archive(about: &TableInfo, since: u64) -> bool {
    !about.is_local() && about.end == Some(Ending::Finished) && about.ended.is_some_and(|ended| ended >= since)
}

fn head(about: &TableInfo) -> Option<[u8; 32]> {
    unhex(&about.head)?.try_into().ok()
}

impl Lobby {
    /// Whether it is time to offer a game.
    pub(crate) fn is_due(&self, about: &TableInfo, since: u64, now: Millis, wall: Millis) -> bool {
        let Some(ended) = about.ended.filter(|_| is_for_archive(about, since)) else { return false };
        let pause = pause(wall.saturating_sub(ended));
        let is_done = self.shelved.contains(&about.id) || self.unfit.contains(&about.id);
        let waits = self.tried.get(&about.id).is_some_and(|at| now < at.saturating_add(pause));
        ended.saturating_add(PATIENCE) > wall && !is_done && !waits
    }

    /// Whether a correspondence game that is just over has not been offered yet.
    pub(crate) fn is_unoffered(&self, about: &TableInfo, since: u64) -> bool {
        let offered =
            self.shelved.contains(&about.id) || self.unfit.contains(&about.id) || self.tried.contains_key(&about.id);
        about.days.is_some() && is_for_archive(about, since) && !offered
    }
}

/// The consents that this node can give: the person's own, and those of the bots that it brought.
pub(crate) fn consents(about: &TableInfo, keys: &Keyring) -> Option<Vec<Signed<Consent>>> {
    let (table, head) = (Offer::from_bytes(&about.offer, &()).ok()?.id().0, head(about)?);
    let ours = (0u8..).zip(&about.seats).filter(|(_, chair)| chair.kind != Kind::Peer);
    let consents = ours.filter_map(|(seat, chair)| {
        let identity = match chair.kind {
            Kind::Bot { .. } => keys.bot(&about.id, seat),
            _ => keys.identity().clone(),
        };
        let player = identity.public();
        Signed::new(&identity, Consent { player, who: short(&chair.name), table, head })
    });
    Some(consents.collect())
}

/// Whether an archive can accept a log: it is not too large, and it is the history that this node agreed to.
pub fn past_log(about: &TableInfo, log: Vec<u8>) -> PastLog {
    let is_ours = |history: History| head(about).is_some_and(|head| history.ends_at(&Head(head)));
    let is_fit = log.len() <= MAX_LOG && History::read(&log).is_ok_and(is_ours);
    if is_fit { PastLog::Fit(log) } else { PastLog::Unfit }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consent_is_asked_after_less_and_less_often() {
        // One game, checked every five seconds for a month, as the line does.
        let (mut asked, mut last, mut first_minute) = (0, None, 0);
        for second in (0..30 * 24 * 3_600u64).step_by(5) {
            let over = second * 1_000;
            if last.is_none_or(|last: Millis| over.saturating_sub(last) >= pause(over)) {
                (asked, last) = (asked + 1, Some(over));
                first_minute += u32::from(second <= 60);
            }
        }
        assert_eq!(first_minute, 13, "while the others are likely to be there");
        assert!((720..760).contains(&asked), "then about once an hour: {asked}");
    }
}
