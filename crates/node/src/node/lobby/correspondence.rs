//! What comes by mail: seat requests as a host, answers to this node's own requests as a guest, and correspondence games. While an opponent
//! is away, messages go through a mailbox instead of a link. A table does not notice the difference: it asks again for what is lost.

use outis_game::words::{Arg, Text};
use outis_meeting::Name;
use outis_meeting::check::Opened;
use outis_meeting::notice::{Pace, SeatClaim};
use outis_meeting::parcel::Parcel;
use outis_meeting::wire::Answer;
use outis_table::{Seat, TableId};
use rand_core::CryptoRng;

use crate::ask::{TableName, sorry};
use crate::gathering::Terms;
use crate::invite::Invite;
use crate::lobby::correspondence::MAX_ANSWERS;
use crate::lobby::seat_requests::Wish;
use crate::names::{Key, MAX_NAME, clean};
use crate::node::asked::fresh_name;
use crate::node::disk::Waiting;
use crate::node::others::Route;
use crate::node::{Node, Tell};
use crate::saved::Item;
use crate::say::Say;

/// How many answers to unknown nodes may wait for the disk, beside everything else.
const MAX_WAITING: usize = 64;

/// How long an invite sent through the lobby is good, in hours: for a table where people wait, and for a correspondence game.
const LIVE: u32 = 1;
const PATIENT: u32 = 14 * 24;

impl Node {
    /// Whether mail may be read. The node handles each message once, and its answers wait for the outbox, the lobby and the disk. So it
    /// takes no message out of the mailbox that it could not answer, even if an attacker fills the mailbox.
    pub(super) fn may_read_mail(&self) -> bool {
        self.outbox.count() < MAX_ANSWERS
            && !self.refused.contains_key(&Item::Gathering)
            && self.saved.waiting(&Item::Gathering).count() < MAX_WAITING
    }

    pub(super) fn take_mail(&mut self, answer: Answer, rng: &mut dyn CryptoRng) {
        let now = self.now.mono;
        let page = match answer {
            Answer::Mail(page) => page,
            // The lobby is overloaded or closing: what the mailbox holds is unknown.
            Answer::Sorry(_) => return self.lobby.mail.later(now),
            _ => return self.makes_no_sense(),
        };
        if !page.is_empty() {
            self.lobby.talk().into_iter().for_each(|talk| talk.stirred = Some(now));
        }
        for opened in self.lobby.mail.open(now, self.keys.identity(), &page) {
            match opened {
                Ok(Opened::Claim(claim)) => self.heard_claim(claim.body(), rng),
                Ok(Opened::Letter(from, parcel)) => self.heard_letter(Key(*from.as_bytes()), parcel, rng),
                Err(how) => self.misbehaved(&how),
            }
            // The next message may be for a table that this one offered.
            self.settle_gathering(rng);
        }
        // Guests whose invites came in this mail have been answered; those answers go first.
        if self.lobby.mail.is_fetched && !std::mem::replace(&mut self.lobby.has_visited, true) {
            self.gather(|gathering, own| gathering.visits(own));
            self.settle_gathering(rng);
            self.speak_now(rng);
        }
    }

    /// A message came. The sender is the key that signed it.
    pub fn heard_letter(&mut self, from: Key, parcel: Parcel, rng: &mut dyn CryptoRng) {
        // Games with a blocked player continue and end; everything else from them is ignored.
        let is_blocked = self.settings.is_blocked(&from);
        match parcel {
            Parcel::Frame { table, from: sender, to, frame, .. } => {
                self.frame(from, TableId(table), Route { from: Seat(sender), to: Seat(to) }, frame, rng);
            }
            Parcel::Words(words) => match Say::read(words.as_bytes()) {
                None => {}
                Some(say) if is_blocked && !matches!(say, Say::Left(_)) => {}
                Some(Say::Knock(knock)) => self.knock_by_letter(from, &knock, rng),
                // As on a link: an unknown node may present an invite, and do nothing else.
                Some(words) if self.is_known(&from) => self.heard(from, words),
                Some(_) => {}
            },
            _ if is_blocked => {}
            Parcel::Invite { notice, text } => self.heard_answer(from, &notice, Some(&text), rng),
            Parcel::Sorry { notice } => self.heard_answer(from, &notice, None, rng),
        }
    }

    // --- as a host --------------------------------------------------------------------------------------------------------

    /// A player requests a seat at a table that this node hosts. The request must name one of its listings. The invite is for that player
    /// alone: only they can open the message.
    pub fn heard_claim(&mut self, claim: &SeatClaim, rng: &mut dyn CryptoRng) {
        let (guest, notice) = (Key(*claim.guest.as_bytes()), claim.notice);
        if self.settings.is_blocked(&guest) {
            return;
        }
        let id = self.lobby.listed_as(&claim.room, &notice);
        let answer = match id.and_then(|id| self.invite_who_asks(&id, guest, rng)) {
            Some(text) => Parcel::Invite { notice, text },
            None => Parcel::Sorry { notice },
        };
        self.settle_gathering(rng);
        // An invite that was given out must still be known after a crash.
        let free = self.saved.say(Some(&Item::Gathering), Waiting::Parcel(guest, Box::new(answer)));
        if let Some(Waiting::Parcel(guest, answer)) = free {
            self.write(guest, &answer, rng);
        }
    }

    /// An invite for a player who asked through the lobby: the one that they got before, while it is good. If too many are out, the oldest
    /// unused one that was given this way becomes void: players who ask and do not come keep nobody out.
    fn invite_who_asks(&mut self, id: &str, guest: Key, rng: &mut dyn CryptoRng) -> Option<String> {
        let secret = |text: &str| Invite::from_text(text).ok().map(|invite| invite.secret);
        let seconds = u32::try_from(self.now.wall / 1_000).unwrap_or(u32::MAX);
        let posted = self.lobby.posted.get_mut(id)?;
        // An invite that has expired or become void is not given again.
        let (gathering, begun) = (&self.gathering, self.tables.get(id));
        let sits = |key: &Key| begun.is_some_and(|open| open.about.peers().contains(key));
        let is_good = |key: &Key, secret| gathering.is_good(id, &secret, key, seconds) || sits(key);
        posted.given.retain(|key, text| secret(text).is_some_and(|secret| is_good(key, secret)));
        if let Some(text) = posted.given.get(&guest) {
            return Some(text.clone());
        }
        let hours = if posted.days.is_some() { PATIENT } else { LIVE };
        let secrets: Vec<[u8; 16]> = posted.given.values().filter_map(|text| secret(text)).collect();
        let invite = self.gather(|gathering, own| gathering.invite(own, id, hours, rng));
        let invite = match invite {
            Ok(invite) => invite,
            Err(_) => {
                // No invite becomes void for one that cannot be made.
                let is_open = self.gathering.openings(id).is_some_and(|room| room.open > 0);
                (is_open && self.links.address().is_some()).then_some(())?;
                let gone = self.gathering.void_oldest(id, &secrets)?;
                let posted = self.lobby.posted.get_mut(id)?;
                posted.given.retain(|_, text| secret(text) != Some(gone));
                self.gather(|gathering, own| gathering.invite(own, id, hours, rng)).ok()?
            }
        };
        let text = invite.to_text();
        self.lobby.posted.get_mut(id)?.given.insert(guest, text.clone());
        self.keep_lobby();
        Some(text)
    }

    /// Begins correspondence games as soon as all players have come: the host may be away.
    pub(super) fn begin_by_letters(&mut self, rng: &mut dyn CryptoRng) {
        let patient = self.lobby.posted.iter().filter(|(_, posted)| posted.days.is_some()).map(|(id, _)| id.clone());
        let is_full = |id: &TableName| self.gathering.openings(id).is_some_and(|room| room.open == 0);
        // A disk that refused is asked again after a pause.
        let full: Vec<TableName> = patient.filter(is_full).filter(|_| self.tries_at.is_none()).collect();
        for id in full {
            // If it cannot begin now, the next round tries again.
            let _ = self.gather(|gathering, own| gathering.begin(own, &id, rng));
        }
    }

    // --- as a guest -------------------------------------------------------------------------------------------------------

    /// A host answers a seat request of this node. It must be the host that was asked, the invite must lead to that host, and the table
    /// must be what was listed.
    fn heard_answer(&mut self, from: Key, notice: &Name, text: Option<&str>, rng: &mut dyn CryptoRng) {
        let Some(signed) = self.lobby.asked(&from, notice) else { return };
        let notice = signed.body();
        let phase = match text.map(Invite::from_text) {
            None => Wish::No("full"),
            // Nobody gets a seat at a table after they stopped waiting for it.
            Some(_) if notice.until <= self.now.wall => Wish::No("gone"),
            Some(Ok(invite)) if invite.host == from => {
                let days = match notice.pace {
                    Pace::Live => None,
                    Pace::Days(days) => Some(days),
                };
                let expect = Some((notice.game.clone(), notice.grade.clone(), notice.dials.clone()));
                let (fresh, terms) = (fresh_name(rng), Terms { expect, days });
                let text = text.unwrap_or_default();
                match self.gather(|gathering, own| gathering.join(own, fresh, text, terms, rng)) {
                    Ok(id) => Wish::In(id),
                    Err(_) => Wish::No("unsound"),
                }
            }
            // The host's message has an invite to a different node: the host is not who it seems.
            Some(_) => {
                self.tell(Tell::Notice("bad", Text::new("node.notice.lobby-host"), None));
                Wish::No("unsound")
            }
        };
        // The seat is noted before the request that led to it is forgotten.
        self.settle_gathering(rng);
        self.lobby.claim(&signed.name()).into_iter().for_each(|claim| claim.phase = phase.clone());
        match phase {
            Wish::In(id) => self.leave_quick_match(&id, &notice.who),
            Wish::No(why) => self.tell(Tell::Notice("bad", sorry(&format!("lobby.{why}")), None)),
            Wish::Waiting => {}
        }
        self.keep_lobby();
        self.lobby_changed();
    }

    /// The quick match found another player's table, so this node's own is not needed. A page that shows it moves along.
    fn leave_quick_match(&mut self, id: &str, who: &str) {
        // A table that is beginning stays: a guest sits at it.
        let Some(own) = self.lobby.quick.take().filter(|own| !self.starting.contains_key(own)) else { return };
        self.lobby.moves(own.clone(), id.to_owned());
        let text = Text::new("node.notice.seated").with("who", Arg::Plain(clean(who, MAX_NAME)));
        self.tell(Tell::Notice("good", text, Some(id.to_owned())));
        self.unlist(&own);
        self.gather(|gathering, _| gathering.leave(&own));
    }
}
