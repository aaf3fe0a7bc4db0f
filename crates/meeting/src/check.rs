//! What a careful client checks in a lobby's answers. It believes nothing merely because the lobby says so.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use outis_table::codec::Decode;
use outis_table::identity::{Identity, IdentityKey};

use crate::notice::{Notice, SeatClaim, Signed};
use crate::parcel::Parcel;
use crate::wire::Mail;
use crate::{Millis, Name};

/// How many positions of the list, and how many messages, are remembered.
const MEMORY: usize = 10_000;

/// Something that an honest lobby would not have sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LobbyMisbehaviour {
    /// A notice, seat request or message that is not signed by the key it names.
    #[error("something without a valid signature")]
    Forged,
    /// A notice that has expired or is not valid.
    #[error("a listing that has expired")]
    Stale,
    /// A notice that its host has since replaced.
    #[error("an old listing that its host has replaced")]
    Replayed,
    /// A host signed two different notices with the same serial number.
    #[error("two different listings from one host under one number: the host tells people different things")]
    Equivocation(Box<[Signed<Notice>; 2]>),
    /// Something addressed to someone else.
    #[error("something meant for someone else")]
    Misdirected,
    /// A message that cannot be decrypted.
    #[error("a message that cannot be opened")]
    Unopened,
    /// Positions in the mailbox that decrease.
    #[error("messages in the wrong order")]
    Disorder,
}

/// The notices seen in the list of open tables.
#[derive(Default)]
pub struct BoardMemory {
    seen: BTreeMap<[u8; 48], Signed<Notice>>,
    order: VecDeque<[u8; 48]>,
}

impl BoardMemory {
    /// Checks notices; returns those that may be shown, and what is wrong with the others.
    pub fn look(&mut self, board: Vec<Signed<Notice>>, now: Millis) -> (Vec<Signed<Notice>>, Vec<LobbyMisbehaviour>) {
        let (mut good, mut odd, mut here) = (Vec::new(), Vec::new(), BTreeSet::new());
        for signed in board {
            match self.judge(&signed, now) {
                Ok(()) if here.insert(signed.body().place()) => good.push(signed),
                Ok(()) => {}
                Err(oddity) => odd.push(oddity),
            }
        }
        (good, odd)
    }

    fn judge(&mut self, signed: &Signed<Notice>, now: Millis) -> Result<(), LobbyMisbehaviour> {
        if !signed.is_signed() {
            return Err(LobbyMisbehaviour::Forged);
        }
        if !signed.body().is_sound(now) {
            return Err(LobbyMisbehaviour::Stale);
        }
        let place = signed.body().place();
        match self.seen.get(&place) {
            Some(known) if known.body().serial > signed.body().serial => return Err(LobbyMisbehaviour::Replayed),
            Some(known) if known.body().serial == signed.body().serial && known.body() != signed.body() => {
                return Err(LobbyMisbehaviour::Equivocation(Box::new([known.clone(), signed.clone()])));
            }
            Some(_) => {}
            None => {
                self.order.push_back(place);
                if self.order.len() > MEMORY
                    && let Some(oldest) = self.order.pop_front()
                {
                    self.seen.remove(&oldest);
                }
            }
        }
        self.seen.insert(place, signed.clone());
        Ok(())
    }
}

/// A piece of mail that its sender addressed to this client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// A seat request.
    Claim(Box<Signed<SeatClaim>>),
    /// A message.
    Letter(Box<IdentityKey>, Parcel),
}

/// The client's mail: each piece is opened once, in order, whatever the lobby does.
#[derive(Default)]
pub struct Inbox {
    last: u64,
    known: BTreeSet<Name>,
    order: VecDeque<Name>,
}

impl Inbox {
    /// Continues after a position that was reached earlier.
    pub fn after(last: u64) -> Self {
        Self { last, ..Self::default() }
    }

    /// For a new connection: positions start again, and earlier mail is still known.
    pub fn rewind(&mut self) {
        self.last = 0;
    }

    /// The position up to which everything has been read.
    pub fn position(&self) -> u64 {
        self.last
    }

    /// Opens one piece of mail. `Ok(None)` means that it came before.
    pub fn open(&mut self, own: &Identity, position: u64, mail: &Mail) -> Result<Option<Opened>, LobbyMisbehaviour> {
        if position <= self.last {
            return Err(LobbyMisbehaviour::Disorder);
        }
        self.last = position;
        let name = outis_table::statement::name_of("mail", &outis_table::codec::Encode::to_bytes(mail));
        if !self.known.insert(name) {
            return Ok(None);
        }
        self.order.push_back(name);
        if self.order.len() > MEMORY
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        match mail {
            Mail::Claim(claim) if claim.body().host != own.public() => Err(LobbyMisbehaviour::Misdirected),
            Mail::Claim(claim) if !claim.is_signed() => Err(LobbyMisbehaviour::Forged),
            Mail::Claim(claim) => Ok(Some(Opened::Claim(claim.clone()))),
            Mail::Letter(letter) if *letter.to() != own.public() => Err(LobbyMisbehaviour::Misdirected),
            Mail::Letter(letter) if !letter.is_signed() => Err(LobbyMisbehaviour::Forged),
            Mail::Letter(letter) => {
                let plain = letter.open(own).map_err(|_| LobbyMisbehaviour::Unopened)?;
                let parcel = Parcel::from_bytes(&plain, &()).map_err(|_| LobbyMisbehaviour::Unopened)?;
                Ok(Some(Opened::Letter(Box::new(*letter.from()), parcel)))
            }
        }
    }
}
