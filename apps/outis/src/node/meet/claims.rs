//! Seat requests: as a host, admitting players who ask; as a guest, taking the requested seat and no other.

use outis_game::words::{Arg, Text};
use outis_meeting::notice::{Notice, Pace, SeatClaim, Signed, quick};
use outis_meeting::parcel::Parcel;
use outis_node::gathering::Terms;
use outis_table::identity::Identity;

use super::{Posted, Wish};
use crate::machine::drive::{Event, Node, sorry};
use crate::node::invite::Invite;
use crate::node::profile::MAX_NAME;
use crate::node::{Key, epoch};
use outis_node::lobby::correspondence::MAX_ANSWERS;
use outis_node::node::{Reply, Tell};

/// How long an invite by letter is good, in hours: at a table where people wait, and by letters.
const LIVE: u32 = 1;
const PATIENT: u32 = 14 * 24;
/// After this time a host that has not answered is asked no more, in milliseconds.
const PATIENCE: u64 = 60_000;

impl Node {
    pub(super) fn make_claim(&self, identity: &Identity, notice: &Signed<Notice>) -> Option<Signed<SeatClaim>> {
        let (host, room) = (notice.body().host, notice.body().room);
        let mut who = self.look(|core, _| core.name());
        while who.len() > usize::from(outis_meeting::notice::MAX_WHO) {
            who.pop();
        }
        let claim = SeatClaim { guest: identity.public(), who, host, room, notice: notice.name(), at: epoch() };
        Signed::new(identity, claim)
    }

    /// Somebody would like a seat at one of our tables. The notice must be one of ours; the invite is for that one alone, for
    /// nobody else can open the letter.
    pub(in crate::node) fn heard_claim(&self, claim: &SeatClaim) {
        let guest = Key(*claim.guest.as_bytes());
        if self.letters_waiting() >= MAX_ANSWERS || self.look(|core, _| core.settings().is_blocked(&guest)) {
            return;
        }
        let found = self.meet(|state| {
            let ours = |posted: &Posted| posted.room == claim.room && posted.names.contains(&claim.notice);
            let (id, posted) = state.posted.iter().find(|(_, posted)| ours(posted))?;
            Some((id.clone(), posted.days, posted.given.get(&guest).cloned()))
        });
        let notice = claim.notice;
        let answer = match found {
            None => Parcel::Sorry { notice },
            Some((_, _, Some(text))) => Parcel::Invite { notice, text },
            Some((id, days, None)) => match self.invite_who_asks(&id, guest, days) {
                Some(text) => Parcel::Invite { notice, text },
                None => Parcel::Sorry { notice },
            },
        };
        self.with(|core, rng| core.write(guest, &answer, rng));
    }

    /// An invite for somebody who asked through the lobby. If there are too many out, the oldest that was given so and not
    /// used is void: people who ask and do not come keep nobody out.
    fn invite_who_asks(&self, id: &str, guest: Key, days: Option<u8>) -> Option<String> {
        let hours = if days.is_some() { PATIENT } else { LIVE };
        let text = self.invite(id, hours).or_else(|why| {
            let given = self.meet(|state| state.posted.get(id).map(|posted| posted.given.clone()).unwrap_or_default());
            let secret = |text: &String| Invite::from_text(text).ok().map(|invite| invite.secret);
            let secrets: Vec<[u8; 16]> = given.values().filter_map(secret).collect();
            let gone = self.with(|core, _| core.void_oldest(id, &secrets)).ok_or(why)?;
            self.meet(|state| {
                if let Some(posted) = state.posted.get_mut(id) {
                    posted.given.retain(|_, text| secret(text) != Some(gone));
                }
            });
            self.invite(id, hours)
        });
        let (text, _) = text.ok()?;
        self.meet(|state| {
            if let Some(posted) = state.posted.get_mut(id) {
                posted.given.insert(guest, text.clone());
            }
        });
        self.keep_meeting_note();
        Some(text)
    }

    /// A host answers to a wish of ours. It must be the host whom we asked, the invite must lead to that very host, and what is
    /// played there must be what hung on the board.
    pub(super) fn heard_answer(&self, from: Key, notice: outis_meeting::Name, text: Option<&str>) {
        let wish = self.meet(|state| {
            let asked = |claim: &&super::Claimed| claim.notice.name() == notice && claim.phase == Wish::Waiting;
            state.claims.iter().find(asked).map(|claim| claim.notice.clone())
        });
        let Some(signed) = wish.filter(|signed| *signed.body().host.as_bytes() == from.0) else { return };
        let notice = signed.body();
        let phase = match text.map(Invite::from_text) {
            None => Wish::No("full"),
            // Nobody is sat down at a table for which they have long stopped waiting.
            Some(_) if notice.until <= epoch() => Wish::No("gone"),
            Some(Ok(invite)) if invite.host == from => {
                let days = match notice.pace {
                    Pace::Live => None,
                    Pace::Days(days) => Some(days),
                };
                let expect = Some((notice.game.clone(), notice.grade.clone(), notice.dials.clone()));
                let terms = Terms { expect, days };
                match self.wait_for(|core, ask, rng| core.join_as(ask, text.unwrap_or_default(), terms, rng)) {
                    Ok(Reply::Table(id)) => Wish::In(id),
                    _ => Wish::No("unsound"),
                }
            }
            // An invite to somebody else's node in the host's own letter: the host is not who it seems.
            Some(_) => {
                self.tell(Event::Node(Tell::Notice("bad", Text::new("node.notice.lobby-host"), None)));
                Wish::No("unsound")
            }
        };
        let came = matches!(phase, Wish::In(_));
        let own = self.meet(|state| {
            for claim in state.claims.iter_mut().filter(|claim| claim.notice == signed) {
                claim.phase = phase.clone();
            }
            if came { state.quick.take() } else { None }
        });
        // Somebody else's table was found: ours is not needed. Whoever looks at it is taken along.
        if let (Some(own), Wish::In(id)) = (own, &phase) {
            self.meet(|state| {
                state.moved.push_back((own.clone(), id.clone()));
                state.moved.drain(..state.moved.len().saturating_sub(super::MAX_MOVED));
            });
            let who = Arg::Plain(crate::node::clean(&notice.who, MAX_NAME));
            let text = Text::new("node.notice.seated").with("who", who);
            self.tell(Event::Node(Tell::Notice("good", text, Some(id.clone()))));
            let _ = self.unpublish(&own);
            let _ = self.leave(&own);
        }
        self.keep_meeting_note();
        if let Wish::No(why) = phase {
            self.tell(Event::Node(Tell::Notice("bad", sorry(&format!("lobby.{why}")), None)));
        }
        self.tell(Event::Node(Tell::Open));
    }

    /// Quick match: goes to an older table that suits, if there is one.
    pub(super) fn go_quickly(&self) {
        let claimed = self.meet(|state| {
            // A host that does not answer is passed over.
            let late = |claim: &mut super::Claimed| {
                claim.phase == Wish::Waiting && claim.sent && claim.at + PATIENCE < epoch()
            };
            let is_live = |claim: &super::Claimed| claim.notice.body().pace == Pace::Live;
            for claim in state.claims.iter_mut().filter(|claim| is_live(claim)) {
                if late(claim) {
                    claim.phase = Wish::No("silent-host");
                }
            }
            let own = state.posted.get(state.quick.as_ref()?)?.hung.clone()?;
            if state.claims.iter().any(|claim| claim.phase == Wish::Waiting) {
                return None;
            }
            let tried = |signed: &Signed<Notice>| state.claims.iter().any(|claim| claim.notice.name() == signed.name());
            let board: Vec<_> = state.board.iter().filter(|signed| !tried(signed)).cloned().collect();
            let first = quick(own.body(), true, &board)?.clone();
            state.wish_for(first);
            Some(())
        });
        if claimed.is_some() {
            self.ring();
            self.tell(Event::Node(Tell::Open));
        }
    }
}
