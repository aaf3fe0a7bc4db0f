//! The lobby's answers. The node believes nothing merely because the lobby says it.

use outis_game::words::Text;
use outis_meeting::notice::{Notice, Signed};
use outis_meeting::wire::{Answer, Refusal, Request};
use rand_core::CryptoRng;

use crate::ask::{TableName, sorry};
use crate::lobby::PastLog;
use crate::lobby::line::Asked;
use crate::lobby::seat_requests::Wish;
use crate::lobby::{LobbyOut, NoLobby, Phase};
use crate::names::clean;
use crate::node::{Node, Tell};

/// The pause before the next message, after the lobby refused to accept one for now.
const LETTERS_AGAIN: u64 = 1_000;

impl Node {
    pub(super) fn lobby_answers(&mut self, answer: Answer, rng: &mut dyn CryptoRng) {
        // Unasked, a lobby sends only bells.
        let Some(asked) = self.lobby.talk().and_then(|talk| talk.asked.take()) else { return self.makes_no_sense() };
        // A lobby that answers is worth calling again soon if the line breaks.
        self.lobby.pause = 0;
        match asked {
            Asked::Mail => self.take_mail(answer, rng),
            // If it was not cleared, the mail comes again on the next line.
            Asked::Clear(position) => self.lobby.mail.is_cleared(position),
            Asked::Withdraw(room) => {
                // The node remembers it until it is withdrawn: the line may break, and the lobby may fail.
                if is_down(&answer) {
                    self.lobby.gone.retain(|gone| *gone != room);
                    self.keep_lobby();
                }
            }
            Asked::TakeDown(id) => self.is_taken_down(&id, &answer),
            Asked::Post(id, notice) => self.is_posted(id, *notice, &answer),
            Asked::Seat(name) => {
                let Some(claim) = self.lobby.claim(&name) else { return };
                match answer {
                    Answer::Done => claim.sent = true,
                    // The node tries again.
                    Answer::Sorry(Refusal::TooMany | Refusal::Failing | Refusal::Closing) => {}
                    Answer::Sorry(refusal) => claim.phase = Wish::No(refusal.word()),
                    _ => {}
                }
                self.tell(Tell::Open);
            }
            Asked::Query(query) => {
                let answer = match answer {
                    Answer::Sorry(refusal) => Err(sorry(&format!("lobby.{}", refusal.word()))),
                    said => Ok(said),
                };
                self.tell_lobby(LobbyOut::Answered(query, answer));
            }
            Asked::Letter(number) => self.is_handed_over(number, &answer),
            Asked::Code(code) => {
                if let Answer::Board(found) = answer {
                    let blocked = self.settings.blocked_keys();
                    let odd = self.lobby.board.take_found(&code, found, self.now.wall, &blocked);
                    odd.iter().for_each(|how| self.misbehaved(how));
                    self.tell(Tell::Open);
                } else {
                    // The lobby does not answer: do not ask for ever in this round.
                    self.next_part();
                }
            }
            Asked::Board => match answer {
                Answer::Board(page) => {
                    let walk = self.lobby.talk().and_then(|talk| talk.walk.as_mut());
                    walk.into_iter().for_each(|walk| walk.take(page.clone()));
                }
                _ => self.board_is_read(),
            },
            Asked::Consent(id) => self.has_consent(id, answer),
            // The machine answers this, not the lobby.
            Asked::Log(_) => self.makes_no_sense(),
            Asked::Deposit(id) => match answer {
                Answer::Done => self.is_published(&id, true),
                Answer::Sorry(Refusal::TooLarge | Refusal::Senseless) => self.is_published(&id, false),
                _ => {}
            },
            Asked::Hello => {
                if let Answer::Welcome { name, people, .. } = answer {
                    self.set_phase(Phase::Here { name: clean(&name, 80), people });
                }
            }
        }
    }

    pub(super) fn makes_no_sense(&mut self) {
        self.hang_up();
        self.lobby_is_lost(NoLobby::Nonsense);
    }

    fn is_taken_down(&mut self, id: &TableName, answer: &Answer) {
        let Some(posted) = self.lobby.posted.get_mut(id).filter(|_| is_down(answer)) else { return };
        (posted.hung, posted.down) = (None, true);
        if self.gathering.openings(id).is_none() && !self.starting.contains_key(id) {
            self.lobby.drop_listing(id);
            self.keep_lobby();
        }
        self.tell(Tell::Open);
    }

    fn is_posted(&mut self, id: TableName, notice: Signed<Notice>, answer: &Answer) {
        match answer {
            Answer::Done => {
                self.lobby.posted.get_mut(&id).into_iter().for_each(|posted| posted.hangs(notice.clone()));
                self.keep_lobby();
                self.tell(Tell::Open);
            }
            Answer::Sorry(refusal @ (Refusal::Unsound | Refusal::Blocked)) => {
                self.lobby.drop_listing(&id);
                let text = sorry(&format!("lobby.{}", refusal.word()));
                self.tell(Tell::Notice("bad", text, Some(id)));
                self.tell(Tell::Open);
            }
            // The listing there is newer: this clock went back, and the note is lost. The next serial number is larger.
            Answer::Sorry(Refusal::Changed) => {
                if let Some(posted) = self.lobby.posted.get_mut(&id) {
                    posted.serial = notice.body().serial.saturating_add(3_600_000);
                }
            }
            // The node tries again.
            _ => {}
        }
    }

    fn is_handed_over(&mut self, number: u64, answer: &Answer) {
        match answer {
            Answer::Done => {}
            // Nothing is lost: the node tries again.
            Answer::Sorry(Refusal::Failing | Refusal::Changed) => {
                // It may be that mailbox alone.
                return self.outbox.rest(number, self.now.mono.saturating_add(LETTERS_AGAIN));
            }
            Answer::Sorry(Refusal::TooMany | Refusal::Closing) => {
                self.lobby.letters_at = self.now.mono.saturating_add(LETTERS_AGAIN);
                return;
            }
            Answer::Sorry(refusal) => {
                let text = sorry(&format!("lobby.{}", refusal.word()));
                let text = Text::new("node.notice.letter").with("why", text);
                self.tell(Tell::Notice("bad", text, None));
            }
            _ => return self.makes_no_sense(),
        }
        self.handed_over(number);
    }

    /// The list of open tables has been read, or as much of it as the lobby shows.
    pub(super) fn board_is_read(&mut self) {
        let Some(walk) = self.lobby.talk().and_then(|talk| talk.walk.take()) else { return };
        let blocked = self.settings.blocked_keys();
        let (changed, odd) = self.lobby.board.take_open(walk.board, self.now.wall, &blocked);
        odd.iter().for_each(|how| self.misbehaved(how));
        if changed {
            self.tell(Tell::Open);
        }
        if self.lobby.go_quickly(self.now.wall) {
            self.lobby_changed();
        }
    }

    // --- the archive ------------------------------------------------------------------------------------------------------

    fn has_consent(&mut self, id: TableName, answer: Answer) {
        match answer {
            Answer::Missing { seats, wanted: false } if seats.is_empty() => self.is_published(&id, true),
            Answer::Missing { wanted: true, .. } => {
                self.lobby.talk().into_iter().for_each(|talk| talk.asked = Some(Asked::Log(id.clone())));
                self.tell_lobby(LobbyOut::Log(id));
            }
            _ => {}
        }
    }

    /// The log of a game that all players agreed to publish.
    pub(super) fn log_for_archive(&mut self, id: &str, log: PastLog) {
        let is_wanted =
            |talk: &&mut crate::lobby::line::Talk| matches!(&talk.asked, Some(Asked::Log(wanted)) if wanted == id);
        let Some(talk) = self.lobby.talk().filter(is_wanted) else { return };
        talk.asked = None;
        match log {
            // The node offers it again later.
            PastLog::Missing => {}
            PastLog::Unfit => self.is_published(id, false),
            PastLog::Fit(log) => {
                talk.asked = Some(Asked::Deposit(id.to_owned()));
                let (line, request) = (talk.number, Box::new(Request::Deposit(log)));
                self.tell_lobby(LobbyOut::Ask { line, request });
            }
        }
    }

    /// A game is in the archive, or never will be.
    fn is_published(&mut self, id: &str, is_there: bool) {
        let games = if is_there { &mut self.lobby.shelved } else { &mut self.lobby.unfit };
        games.insert(id.to_owned());
        self.keep_lobby();
        self.tell(Tell::Open);
    }
}

/// Whether a listing is withdrawn. One that the lobby does not have counts as withdrawn.
fn is_down(answer: &Answer) -> bool {
    !matches!(answer, Answer::Sorry(Refusal::TooMany | Refusal::Failing | Refusal::Closing | Refusal::Changed))
}
