//! Requests to a lobby, and its answers. The link identifies the client; each request has one answer, in order; a
//! notification (*bell*) may come in between.

use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_table::identity::IdentityKey;
use outis_table::letter::Letter;

use crate::archive::{Consent, GameVerdict, MAX_LOG, Shelved};
use crate::bytes::{list, option, put, put_list, put_long, put_option, take, take_long, text};
use crate::notice::{MAX_GAME, MAX_SEATS, MAX_WHO, Notice, SeatClaim, Signed};
use crate::{Millis, Name};

/// The version of the protocol. A client with a different one gets an error and nothing else.
pub const VERSION: u16 = 1;
/// Largest message except a log.
pub const MAX_MESSAGE: usize = (1 << 20) + (64 << 10);
/// Largest message of all.
pub const MAX_LARGE: usize = MAX_LOG + 64;
/// Most items in one answer.
pub const MAX_ITEMS: u16 = 200;
/// Largest encoded offer of a table.
const MAX_OFFER: u16 = 4_096;
/// Bytes of a log in one answer.
pub const CHUNK: usize = 256 << 10;

/// A visitor's request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// The first message: the version, and a name for the list of visitors (empty: not listed).
    Hello {
        /// [`VERSION`].
        version: u16,
        /// A name, or an empty string.
        who: String,
    },
    /// Lists a table, in place of an older notice about the same table.
    Post(Signed<Notice>),
    /// Removes the visitor's own listing.
    Withdraw([u8; 16]),
    /// The open tables.
    Board {
        /// Only this game.
        game: Option<String>,
        /// Only notices after this position.
        after: Option<[u8; 48]>,
    },
    /// The private tables with this code.
    Room(Name),
    /// Requests a seat.
    Claim(Signed<SeatClaim>),
    /// The visitors who are present.
    People,
    /// Leaves a message.
    Send(Box<Letter>),
    /// The messages and seat requests after a position.
    Mail(u64),
    /// Confirms that everything up to a position has been received and stored.
    Clear(u64),
    /// Consents to publishing the game with this offer.
    Consent {
        /// The offer, whose digest is the table id.
        offer: Vec<u8>,
        /// The consents of the sender's seats.
        consents: Vec<Signed<Consent>>,
    },
    /// Delivers the log of a game that all players have agreed to publish.
    Deposit(Vec<u8>),
    /// Lists the archive, newest first.
    Shelf {
        /// Only games with this player.
        player: Option<IdentityKey>,
        /// Only this game.
        game: Option<String>,
        /// No earlier than this.
        from: Millis,
        /// No later than this; `0` for no limit.
        to: Millis,
        /// Only games after this one in the list.
        after: Option<Name>,
    },
    /// A part of the log of an archived game.
    Fetch {
        /// The hash of the log.
        log: Name,
        /// The first byte of the part.
        offset: u32,
    },
    /// Requests work, from a verifier.
    Work,
    /// Reports a result, from a verifier.
    Found {
        /// The job.
        job: u64,
        /// The attempt, as assigned.
        attempt: u64,
        /// The result.
        verdict: Box<Signed<GameVerdict>>,
    },
    /// Results that count, after a position: everything needed to recompute the ratings.
    Results(u64),
}

/// A piece of mail in a mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mail {
    /// A request for a seat at one of the client's tables.
    Claim(Box<Signed<SeatClaim>>),
    /// A message.
    Letter(Box<Letter>),
}

/// The lobby's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The greeting.
    Welcome {
        /// The lobby's version.
        version: u16,
        /// Its name, for display.
        name: String,
        /// Its clock.
        now: Millis,
        /// The number of visitors.
        people: u32,
    },
    /// The request was carried out.
    Done,
    /// Notices.
    Board(Vec<Signed<Notice>>),
    /// The visitors who are present: keys and names.
    People(Vec<(IdentityKey, String)>),
    /// Messages and seat requests with their positions.
    Mail(Vec<(u64, Mail)>),
    /// The seats that have not consented yet, and whether the log is wanted.
    Missing {
        /// Seats.
        seats: Vec<u8>,
        /// Whether a player should deliver the log.
        wanted: bool,
    },
    /// Games in the archive.
    Shelf(Vec<Shelved>),
    /// A part of a log.
    Part {
        /// Total size in bytes.
        total: u32,
        /// The bytes from the requested offset on.
        bytes: Vec<u8>,
    },
    /// Work for a verifier, or none.
    Work(Option<Task>),
    /// Results with their positions.
    Results(Vec<(u64, Signed<GameVerdict>)>),
    /// The request was refused, and why.
    Sorry(Refusal),
    /// The mailbox has something new. This is not an answer to a request.
    Bell,
}

/// Work for a verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The job.
    pub job: u64,
    /// The attempt, as assigned.
    pub attempt: u64,
    /// The hash of the log to check.
    pub log: Name,
}

/// Why a request is refused. The numbers never change their meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[repr(u8)]
#[non_exhaustive]
pub enum Refusal {
    /// The bytes cannot be decoded.
    #[error("the lobby does not understand the request")]
    Senseless = 1,
    /// A different version.
    #[error("the lobby runs a different version")]
    Version = 2,
    /// A signature is missing, or made by a different key.
    #[error("the signature does not match the sender")]
    Unsigned = 3,
    /// This key may not do that.
    #[error("your key may not do that")]
    NotYours = 4,
    /// It has expired, or its content is not valid.
    #[error("it has expired or is not valid")]
    Unsound = 5,
    /// It does not exist, or no longer exists.
    #[error("it no longer exists")]
    Gone = 6,
    /// All seats are taken.
    #[error("all seats are taken")]
    Full = 7,
    /// Too many at once, or within a short time.
    #[error("too many requests; try again later")]
    TooMany = 8,
    /// The operator has blocked this key.
    #[error("the lobby has blocked your key")]
    Blocked = 9,
    /// Too large.
    #[error("it is too large")]
    TooLarge = 10,
    /// The lobby's store fails.
    #[error("the lobby cannot write at the moment; nothing was stored")]
    Failing = 11,
    /// The lobby is shutting down.
    #[error("the lobby is shutting down; try again later")]
    Closing = 12,
    /// Another change came first.
    #[error("someone else changed it first; refresh and try again")]
    Changed = 13,
    /// Not all players have consented.
    #[error("not all players have agreed")]
    NotAgreed = 14,
}

impl Refusal {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Senseless,
        Self::Version,
        Self::Unsigned,
        Self::NotYours,
        Self::Unsound,
        Self::Gone,
        Self::Full,
        Self::TooMany,
        Self::Blocked,
        Self::TooLarge,
        Self::Failing,
        Self::Closing,
        Self::Changed,
        Self::NotAgreed,
    ];

    /// A short name for it, for the catalogues.
    pub fn word(self) -> &'static str {
        match self {
            Self::Senseless => "senseless",
            Self::Version => "version",
            Self::Unsigned => "unsigned",
            Self::NotYours => "not-yours",
            Self::Unsound => "unsound",
            Self::Gone => "gone",
            Self::Full => "full",
            Self::TooMany => "too-many",
            Self::Blocked => "blocked",
            Self::TooLarge => "too-large",
            Self::Failing => "failing",
            Self::Closing => "closing",
            Self::Changed => "changed",
            Self::NotAgreed => "not-agreed",
        }
    }
}

impl Encode for Request {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Hello { version, who } => {
                out.push(0);
                out.extend_from_slice(&version.to_le_bytes());
                put(out, who.as_bytes());
            }
            Self::Post(notice) => {
                out.push(1);
                notice.encode(out);
            }
            Self::Withdraw(room) => {
                out.push(2);
                out.extend_from_slice(room);
            }
            Self::Board { game, after } => {
                out.push(3);
                put_option(out, game.as_ref(), |game, out| put(out, game.as_bytes()));
                put_option(out, *after, |after, out| out.extend_from_slice(&after));
            }
            Self::Room(code) => {
                out.push(4);
                out.extend_from_slice(code);
            }
            Self::Claim(claim) => {
                out.push(5);
                claim.encode(out);
            }
            Self::People => out.push(6),
            Self::Send(letter) => {
                out.push(7);
                letter.encode(out);
            }
            Self::Mail(after) => {
                out.push(8);
                out.extend_from_slice(&after.to_le_bytes());
            }
            Self::Clear(upto) => {
                out.push(9);
                out.extend_from_slice(&upto.to_le_bytes());
            }
            Self::Consent { offer, consents } => {
                out.push(10);
                put(out, offer);
                put_list(out, consents, Encode::encode);
            }
            Self::Deposit(log) => {
                out.push(11);
                put_long(out, log);
            }
            Self::Shelf { player, game, from, to, after } => {
                out.push(12);
                put_option(out, player.as_ref(), |player, out| player.encode(out));
                put_option(out, game.as_ref(), |game, out| put(out, game.as_bytes()));
                out.extend_from_slice(&from.to_le_bytes());
                out.extend_from_slice(&to.to_le_bytes());
                put_option(out, *after, |after, out| out.extend_from_slice(&after));
            }
            Self::Fetch { log, offset } => {
                out.push(13);
                out.extend_from_slice(log);
                out.extend_from_slice(&offset.to_le_bytes());
            }
            Self::Work => out.push(14),
            Self::Found { job, attempt, verdict } => {
                out.push(15);
                out.extend_from_slice(&job.to_le_bytes());
                out.extend_from_slice(&attempt.to_le_bytes());
                verdict.encode(out);
            }
            Self::Results(after) => {
                out.push(16);
                out.extend_from_slice(&after.to_le_bytes());
            }
        }
    }
}

impl Decode for Request {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(match reader.u8("request.tag")? {
            0 => Self::Hello { version: reader.u16("hello.version")?, who: text(reader, "hello.who", MAX_WHO)? },
            1 => Self::Post(Signed::read(reader, &())?),
            2 => Self::Withdraw(reader.array("withdraw.room")?),
            3 => Self::Board {
                game: option(reader, "board.game", |r| text(r, "board.game", MAX_GAME))?,
                after: option(reader, "board.after", |r| r.array("board.after"))?,
            },
            4 => Self::Room(reader.array("room.code")?),
            5 => Self::Claim(Signed::read(reader, &())?),
            6 => Self::People,
            7 => Self::Send(Box::new(Letter::read(reader, &())?)),
            8 => Self::Mail(reader.u64("mail.after")?),
            9 => Self::Clear(reader.u64("clear.upto")?),
            10 => Self::Consent {
                offer: take(reader, "consent.offer", MAX_OFFER)?.to_vec(),
                consents: list(reader, "consent.list", MAX_SEATS.into(), 162, |r| Signed::read(r, &()))?,
            },
            11 => Self::Deposit(take_long(reader, "deposit.log", MAX_LOG)?.to_vec()),
            12 => Self::Shelf {
                player: option(reader, "shelf.player", |r| IdentityKey::read(r, &()))?,
                game: option(reader, "shelf.game", |r| text(r, "shelf.game", MAX_GAME))?,
                from: reader.u64("shelf.from")?,
                to: reader.u64("shelf.to")?,
                after: option(reader, "shelf.after", |r| r.array("shelf.after"))?,
            },
            13 => Self::Fetch { log: reader.array("fetch.log")?, offset: reader.u32("fetch.offset")? },
            14 => Self::Work,
            15 => Self::Found {
                job: reader.u64("found.job")?,
                attempt: reader.u64("found.attempt")?,
                verdict: Box::new(Signed::read(reader, &())?),
            },
            16 => Self::Results(reader.u64("results.after")?),
            tag => return Err(reader.error("request.tag", Malformed::Tag(tag))),
        })
    }
}

impl Encode for Mail {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Claim(claim) => {
                out.push(0);
                claim.encode(out);
            }
            Self::Letter(letter) => {
                out.push(1);
                letter.encode(out);
            }
        }
    }
}

impl Decode for Mail {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        match reader.u8("mail.tag")? {
            0 => Ok(Self::Claim(Box::new(Signed::read(reader, &())?))),
            1 => Ok(Self::Letter(Box::new(Letter::read(reader, &())?))),
            tag => Err(reader.error("mail.tag", Malformed::Tag(tag))),
        }
    }
}

impl Encode for Answer {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Welcome { version, name, now, people } => {
                out.push(0);
                out.extend_from_slice(&version.to_le_bytes());
                put(out, name.as_bytes());
                out.extend_from_slice(&now.to_le_bytes());
                out.extend_from_slice(&people.to_le_bytes());
            }
            Self::Done => out.push(1),
            Self::Board(notices) => {
                out.push(2);
                put_list(out, notices, Encode::encode);
            }
            Self::People(people) => {
                out.push(3);
                put_list(out, people, |(key, who), out| {
                    key.encode(out);
                    put(out, who.as_bytes());
                });
            }
            Self::Mail(mail) => {
                out.push(4);
                put_list(out, mail, |(position, mail), out| {
                    out.extend_from_slice(&position.to_le_bytes());
                    mail.encode(out);
                });
            }
            Self::Missing { seats, wanted } => {
                out.push(5);
                put(out, seats);
                out.push(u8::from(*wanted));
            }
            Self::Shelf(games) => {
                out.push(6);
                put_list(out, games, Encode::encode);
            }
            Self::Part { total, bytes } => {
                out.push(7);
                out.extend_from_slice(&total.to_le_bytes());
                put_long(out, bytes);
            }
            Self::Work(task) => {
                out.push(8);
                put_option(out, *task, |task, out| {
                    out.extend_from_slice(&task.job.to_le_bytes());
                    out.extend_from_slice(&task.attempt.to_le_bytes());
                    out.extend_from_slice(&task.log);
                });
            }
            Self::Results(results) => {
                out.push(9);
                put_list(out, results, |(position, verdict), out| {
                    out.extend_from_slice(&position.to_le_bytes());
                    verdict.encode(out);
                });
            }
            Self::Sorry(refusal) => out.extend_from_slice(&[10, *refusal as u8]),
            Self::Bell => out.push(11),
        }
    }
}

impl Decode for Answer {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(match reader.u8("answer.tag")? {
            0 => Self::Welcome {
                version: reader.u16("welcome.version")?,
                name: text(reader, "welcome.name", MAX_WHO)?,
                now: reader.u64("welcome.now")?,
                people: reader.u32("welcome.people")?,
            },
            1 => Self::Done,
            2 => Self::Board(list(reader, "board", MAX_ITEMS, 141, |r| Signed::read(r, &()))?),
            3 => Self::People(list(reader, "people", MAX_ITEMS, 34, |r| {
                Ok((IdentityKey::read(r, &())?, text(r, "people.who", MAX_WHO)?))
            })?),
            4 => Self::Mail(list(reader, "mail", MAX_ITEMS, 195, |r| {
                Ok((r.u64("mail.position")?, Mail::read(r, &())?))
            })?),
            5 => Self::Missing {
                seats: take(reader, "missing.seats", MAX_SEATS.into())?.to_vec(),
                wanted: match reader.u8("missing.wanted")? {
                    0 => false,
                    1 => true,
                    tag => return Err(reader.error("missing.wanted", Malformed::Tag(tag))),
                },
            },
            6 => Self::Shelf(list(reader, "shelf", MAX_ITEMS, 78, |r| Shelved::read(r, &()))?),
            7 => {
                Self::Part { total: reader.u32("part.total")?, bytes: take_long(reader, "part.bytes", CHUNK)?.to_vec() }
            }
            8 => Self::Work(option(reader, "work", |r| {
                Ok(Task { job: r.u64("work.job")?, attempt: r.u64("work.attempt")?, log: r.array("work.log")? })
            })?),
            9 => Self::Results(list(reader, "results", MAX_ITEMS, 217, |r| {
                Ok((r.u64("results.position")?, Signed::read(r, &())?))
            })?),
            10 => {
                let tag = reader.u8("sorry")?;
                let refusal = Refusal::ALL.into_iter().find(|refusal| *refusal as u8 == tag);
                Self::Sorry(refusal.ok_or_else(|| reader.error("sorry", Malformed::Tag(tag)))?)
            }
            11 => Self::Bell,
            tag => return Err(reader.error("answer.tag", Malformed::Tag(tag))),
        })
    }
}
