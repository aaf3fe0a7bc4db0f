//! What comes by mail: seat requests as a host, answers to ours as a guest, and correspondence games. While the opponent is away, messages go
//! through a mailbox instead of a link. A table does not notice the difference: it asks again for whatever is lost.

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

/// Answers to strangers that may wait for the disk beside everything else.
const MAX_WAITING: usize = 64;

/// How long an invite by letter is good, in hours: at a table where people wait, and by letters.
const LIVE: u32 = 1;
const PATIENT: u32 = 14 * 24;

impl Node {
    /// Whether mail may be read. What comes is heard once, and its answers wait for a box, a lobby and a disk: nothing that could not be
    /// answered is taken out of the mailbox, whoever fills it.
    pub(super) fn may_read_mail(&self) -> bool {
        self.outbox.count() < MAX_ANSWERS
            && !self.refused.contains_key(&Item::Gathering)
            && self.saved.waiting(&Item::Gathering).count() < MAX_WAITING
    }

    pub(super) fn take_mail(&mut self, answer: Answer, rng: &mut dyn CryptoRng) {
        let now = self.now.mono;
        let page = match answer {
            Answer::Mail(page) => page,
            // It is overloaded, or closes: what lies there is not known.
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
            // The next letter may be for a table that this one has offered.
            self.settle_gathering(rng);
        }
        // Who knocked was answered, and hears that first.
        if self.lobby.mail.is_fetched && !std::mem::replace(&mut self.lobby.has_visited, true) {
            self.gather(|gathering, own| gathering.visits(own));
            self.settle_gathering(rng);
            self.speak_now(rng);
        }
    }

    /// A letter came. The sender is who signed it.
    pub fn heard_letter(&mut self, from: Key, parcel: Parcel, rng: &mut dyn CryptoRng) {
        // A game goes on, and ends; nothing else of somebody who is blocked is heard.
        let is_blocked = self.settings.is_blocked(&from);
        match parcel {
            Parcel::Frame { table, from: sender, to, frame, .. } => {
                self.frame(from, TableId(table), Route { from: Seat(sender), to: Seat(to) }, frame, rng);
            }
            Parcel::Words(words) => match Say::read(words.as_bytes()) {
                None => {}
                Some(say) if is_blocked && !matches!(say, Say::Left(_)) => {}
                Some(Say::Knock(knock)) => self.knock_by_letter(from, &knock, rng),
                // As at the door: a stranger may knock, and nothing else.
                Some(words) if self.is_known(&from) => self.heard(from, words),
                Some(_) => {}
            },
            _ if is_blocked => {}
            Parcel::Invite { notice, text } => self.heard_answer(from, &notice, Some(&text), rng),
            Parcel::Sorry { notice } => self.heard_answer(from, &notice, None, rng),
        }
    }

    // --- as a host --------------------------------------------------------------------------------------------------------

    /// Somebody would like a seat at one of our tables. The notice must be one of ours; the invite is for that one alone, for
    /// nobody else can open the letter.
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
        // An invite that is given out is known after a crash.
        let free = self.saved.say(Some(&Item::Gathering), Waiting::Parcel(guest, Box::new(answer)));
        if let Some(Waiting::Parcel(guest, answer)) = free {
            self.write(guest, &answer, rng);
        }
    }

    /// An invite for somebody who asked through the lobby: the one that they got before, as long as it is good. If there are too many
    /// out, the oldest that was given so and not used is void: people who ask and do not come keep nobody out.
    fn invite_who_asks(&mut self, id: &str, guest: Key, rng: &mut dyn CryptoRng) -> Option<String> {
        let secret = |text: &str| Invite::from_text(text).ok().map(|invite| invite.secret);
        let seconds = u32::try_from(self.now.wall / 1_000).unwrap_or(u32::MAX);
        let posted = self.lobby.posted.get_mut(id)?;
        // Those that have expired, or were made void, are given to nobody again.
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
                // Nobody's invite is void for one that cannot be made.
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

    /// Begins correspondence games as soon as everybody has come: the host may be asleep.
    pub(super) fn begin_by_letters(&mut self, rng: &mut dyn CryptoRng) {
        let patient = self.lobby.posted.iter().filter(|(_, posted)| posted.days.is_some()).map(|(id, _)| id.clone());
        let is_full = |id: &TableName| self.gathering.openings(id).is_some_and(|room| room.open == 0);
        // A disk that refused is asked again now and then.
        let full: Vec<TableName> = patient.filter(is_full).filter(|_| self.tries_at.is_none()).collect();
        for id in full {
            // If it cannot begin now, it is tried again in the next round.
            let _ = self.gather(|gathering, own| gathering.begin(own, &id, rng));
        }
    }

    // --- as a guest -------------------------------------------------------------------------------------------------------

    /// A host answers to a wish of ours. It must be the host whom we asked, the invite must lead to that very host, and what is
    /// played there must be what was listed.
    fn heard_answer(&mut self, from: Key, notice: &Name, text: Option<&str>, rng: &mut dyn CryptoRng) {
        let Some(signed) = self.lobby.asked(&from, notice) else { return };
        let notice = signed.body();
        let phase = match text.map(Invite::from_text) {
            None => Wish::No("full"),
            // Nobody is sat down at a table for which they have long stopped waiting.
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
            // An invite to somebody else's node in the host's own letter: the host is not who it seems.
            Some(_) => {
                self.tell(Tell::Notice("bad", Text::new("node.notice.lobby-host"), None));
                Wish::No("unsound")
            }
        };
        // The seat is noted before the claim that led to it is forgotten.
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

    /// Somebody else's table was found: ours is not needed. Whoever looks at it is taken along.
    fn leave_quick_match(&mut self, id: &str, who: &str) {
        // A table that begins is not left: somebody sits at it.
        let Some(own) = self.lobby.quick.take().filter(|own| !self.starting.contains_key(own)) else { return };
        self.lobby.moves(own.clone(), id.to_owned());
        let text = Text::new("node.notice.seated").with("who", Arg::Plain(clean(who, MAX_NAME)));
        self.tell(Tell::Notice("good", text, Some(id.to_owned())));
        self.unlist(&own);
        self.gather(|gathering, _| gathering.leave(&own));
    }
}
