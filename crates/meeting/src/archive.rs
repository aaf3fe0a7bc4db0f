//! Finished games: which players consent to publishing a log, and what verifiers found in it.

use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_table::identity::IdentityKey;

use crate::bytes::{list, put, put_list, text};
use crate::notice::{MAX_GAME, MAX_SEATS, MAX_WHO, Signed, Statement};
use crate::{Millis, Name};

/// Longest text of a verdict, in bytes.
pub const MAX_WORDS: u16 = 400;
/// Most verdicts stored for one game.
pub const MAX_VERDICTS: u16 = 8;
/// Games in one answer about the archive: each may carry several verdicts. A shorter answer is the last one.
pub const PAGE: usize = 50;
/// Largest log that can be published.
pub const MAX_LOG: usize = 64 << 20;

/// A seat's consent that the log of a table is shown to everyone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// The key of the seat.
    pub player: IdentityKey,
    /// The name under which the player wants to appear in the archive.
    pub who: String,
    /// The table.
    pub table: Name,
    /// The final head as this seat knows it.
    pub head: Name,
}

impl Statement for Consent {
    const LABEL: &'static str = "consent";
    fn signer(&self) -> &IdentityKey {
        &self.player
    }
}

impl Encode for Consent {
    fn encode(&self, out: &mut Vec<u8>) {
        self.player.encode(out);
        put(out, self.who.as_bytes());
        out.extend_from_slice(&self.table);
        out.extend_from_slice(&self.head);
    }
}

impl Decode for Consent {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(Self {
            player: IdentityKey::read(reader, &())?,
            who: text(reader, "consent.who", MAX_WHO)?,
            table: reader.array("consent.table")?,
            head: reader.array("consent.head")?,
        })
    }
}

/// The outcome of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Played to its end, and everything is valid.
    Finished,
    /// Broken off, and everything before that is valid.
    Unfinished,
    /// A seat broke a rule, or a proof of its step failed.
    Fault(u8),
    /// The log was altered.
    Forged,
    /// The bytes are not a log of a version that the verifier knows.
    Unreadable,
}

/// A verifier's result, from the bytes of the log alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameVerdict {
    /// The verifier.
    pub verifier: IdentityKey,
    /// The hash of the bytes that were checked.
    pub log: Name,
    /// The table that the log is about.
    pub table: Name,
    /// The final head.
    pub head: Name,
    /// The game.
    pub game: String,
    /// The players' keys by seat.
    pub players: Vec<IdentityKey>,
    /// The outcome.
    pub outcome: Outcome,
    /// Scores by seat; empty unless the game is finished.
    pub scores: Vec<i64>,
    /// The time of the check, by the verifier's clock.
    pub at: Millis,
    /// The result as text.
    pub words: String,
}

impl Statement for GameVerdict {
    const LABEL: &'static str = "verdict";
    fn signer(&self) -> &IdentityKey {
        &self.verifier
    }
}

impl GameVerdict {
    /// Whether it can be counted: a finished game with one score for each of at least two players.
    pub fn counts(&self) -> bool {
        self.outcome == Outcome::Finished && self.players.len() >= 2 && self.scores.len() == self.players.len()
    }
}

impl Encode for GameVerdict {
    fn encode(&self, out: &mut Vec<u8>) {
        self.verifier.encode(out);
        for name in [&self.log, &self.table, &self.head] {
            out.extend_from_slice(name);
        }
        put(out, self.game.as_bytes());
        put_list(out, &self.players, |player, out| player.encode(out));
        match self.outcome {
            Outcome::Finished => out.push(0),
            Outcome::Unfinished => out.push(1),
            Outcome::Fault(seat) => out.extend_from_slice(&[2, seat]),
            Outcome::Forged => out.push(3),
            Outcome::Unreadable => out.push(4),
        }
        put_list(out, &self.scores, |score, out| out.extend_from_slice(&score.to_le_bytes()));
        out.extend_from_slice(&self.at.to_le_bytes());
        put(out, self.words.as_bytes());
    }
}

impl Decode for GameVerdict {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(Self {
            verifier: IdentityKey::read(reader, &())?,
            log: reader.array("verdict.log")?,
            table: reader.array("verdict.table")?,
            head: reader.array("verdict.head")?,
            game: text(reader, "verdict.game", MAX_GAME)?,
            players: list(reader, "verdict.players", MAX_SEATS.into(), 32, |r| IdentityKey::read(r, &()))?,
            outcome: match reader.u8("verdict.outcome")? {
                0 => Outcome::Finished,
                1 => Outcome::Unfinished,
                2 => Outcome::Fault(reader.u8("verdict.seat")?),
                3 => Outcome::Forged,
                4 => Outcome::Unreadable,
                tag => return Err(reader.error("verdict.outcome", Malformed::Tag(tag))),
            },
            scores: list(reader, "verdict.scores", MAX_SEATS.into(), 8, |r| r.u64("verdict.score").map(|n| n as i64))?,
            at: reader.u64("verdict.at")?,
            words: text(reader, "verdict.words", MAX_WORDS)?,
        })
    }
}

/// A game in the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelved {
    /// The table.
    pub table: Name,
    /// The hash of the log's bytes.
    pub log: Name,
    /// The game, according to the log.
    pub game: String,
    /// When it arrived, by the clock of the lobby.
    pub at: Millis,
    /// All players' consents, by seat.
    pub consents: Vec<Signed<Consent>>,
    /// The verifiers' results.
    pub verdicts: Vec<Signed<GameVerdict>>,
}

impl Encode for Shelved {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.table);
        out.extend_from_slice(&self.log);
        put(out, self.game.as_bytes());
        out.extend_from_slice(&self.at.to_le_bytes());
        put_list(out, &self.consents, Encode::encode);
        put_list(out, &self.verdicts, Encode::encode);
    }
}

impl Decode for Shelved {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(Self {
            table: reader.array("shelved.table")?,
            log: reader.array("shelved.log")?,
            game: text(reader, "shelved.game", MAX_GAME)?,
            at: reader.u64("shelved.at")?,
            consents: list(reader, "shelved.consents", MAX_SEATS.into(), 162, |r| Signed::read(r, &()))?,
            verdicts: list(reader, "shelved.verdicts", MAX_VERDICTS, 209, |r| Signed::read(r, &()))?,
        })
    }
}

impl Shelved {
    /// Whether everything in it is signed and about this very game, so that a reader need not trust the archive: the
    /// consents are by different keys and to the same final head, each result is about this table and this log, and a
    /// result *finished* names those keys and that head.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let Some(head) = self.consents.first().map(|consent| consent.body().head) else { return false };
        let keys: Vec<&IdentityKey> = self.consents.iter().map(|consent| &consent.body().player).collect();
        let distinct = keys.iter().enumerate().all(|(i, key)| !keys.iter().take(i).any(|earlier| earlier == key));
        let agree = |consent: &Signed<Consent>| {
            consent.body().table == self.table && consent.body().head == head && consent.is_signed()
        };
        let found = |verdict: &Signed<GameVerdict>| {
            let body = verdict.body();
            let is_theirs = body.players.iter().eq(keys.iter().copied()) && body.head == head && body.game == self.game;
            body.table == self.table
                && body.log == self.log
                && (is_theirs || body.outcome != Outcome::Finished)
                && verdict.is_signed()
        };
        distinct && self.consents.iter().all(agree) && self.verdicts.iter().all(found)
    }
}
