//! Games for the shelf: with the consent of everybody, ours by a setting.

use std::time::{Duration, Instant};

use outis_meeting::archive::Consent;
use outis_meeting::notice::Signed;
use outis_meeting::wire::{Answer, Refusal, Request};
use outis_table::codec::Decode;
use outis_table::offer::Offer;

use crate::meeting::line::{Broken, Line};
use crate::meeting::name;
use crate::node::about::{About, Kind};
use crate::node::epoch;
use crate::node::hub::{Event, Node};

/// How often consent is asked after, and for how long after the end of a game.
const AGAIN: Duration = Duration::from_secs(5);
const PATIENCE: u64 = 30 * 24 * 3_600_000;

impl Node {
    /// A table is over.
    pub(in crate::node) fn offer_to_shelf(&self, _: &str) {
        self.ring();
    }

    /// The consents that are ours to give: our own, and those of the bots that we brought.
    fn consents(&self, about: &About, table: [u8; 32]) -> Vec<Signed<Consent>> {
        let keys = self.profile(|profile| profile.keys().clone());
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

    /// Agrees to finished games being put on the shelf, and brings the log where everybody has agreed.
    pub(super) async fn fill_shelf(&self, line: &mut Line) -> Result<(), Broken> {
        if !self.profile(|profile| profile.settings().shelve) {
            return Ok(());
        }
        let now = epoch();
        let fits = |about: &About| {
            let recent = about.ended.is_some_and(|ended| ended + PATIENCE > now);
            !about.is_local() && about.end.as_deref() == Some("finished") && recent
        };
        let done = self.meet(|state| {
            let waits = |at: &Instant| at.elapsed() < AGAIN;
            let waiting = state.tried.iter().filter(|(_, at)| waits(at)).map(|(id, _)| id.clone());
            state.shelved.iter().cloned().chain(waiting).collect::<Vec<_>>()
        });
        let games: Vec<About> = self.past_games().into_iter().filter(|a| fits(a) && !done.contains(&a.id)).collect();
        for about in games {
            self.meet(|state| state.tried.insert(about.id.clone(), Instant::now()));
            let Ok(offer) = Offer::from_bytes(&about.offer, &()) else { continue };
            let consents = self.consents(&about, offer.id().0);
            let answer = line.ask(&Request::Consent { offer: about.offer.clone(), consents }).await?;
            let there = match answer {
                Answer::Missing { seats, wanted: false } => seats.is_empty(),
                Answer::Missing { wanted: true, .. } => {
                    let log = tokio::task::block_in_place(|| self.log(&about.id)).unwrap_or_default();
                    match line.ask(&Request::Deposit(log)).await? {
                        Answer::Done => true,
                        // It will never fit.
                        Answer::Sorry(refusal) => matches!(refusal, Refusal::TooLarge | Refusal::Senseless),
                        _ => false,
                    }
                }
                _ => false,
            };
            if there {
                self.meet(|state| state.shelved.insert(about.id.clone()));
                self.keep_meeting_note();
                self.tell(Event::Open);
            }
        }
        Ok(())
    }

    /// Whether a game by letters that is just over has not been offered to the shelf yet.
    pub fn has_letters_to_shelve(&self) -> bool {
        let shelve = self.profile(|profile| profile.settings().shelve);
        let offered = |id: &String| self.meet(|state| state.shelved.contains(id) || state.tried.contains_key(id));
        let fits = |about: &About| about.days.is_some() && about.end.as_deref() == Some("finished");
        shelve && self.past_games().iter().any(|about| fits(about) && !offered(&about.id))
    }

    /// Whether a game of ours is on the shelf, as far as we know.
    pub fn is_shelved(&self, id: &str) -> bool {
        self.meet(|state| state.shelved.contains(id))
    }
}
