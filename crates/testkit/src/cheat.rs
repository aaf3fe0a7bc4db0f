//! Cheats on the wire: what a dishonest program can do to its own seat's messages, in any game. It holds the seat's
//! signing key and signs again what it changes.

use outis_table::codec::{Decode, Encode};
use outis_table::entry::{Entry, Place};
use outis_table::game::Millis;
use outis_table::identity::Identity;
use outis_table::session::wire::Frame;
use outis_table::{Head, Seat, TableId};

/// A kind of cheat on the wire. Each changes the seat's entries from a given round on (round 1 or later).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Signs two different entries for one position and sends them to different seats (to a single peer: both).
    Equivocate,
    /// Signs one entry over two different histories.
    TwoHistories,
    /// Alters a byte and leaves the signature unchanged.
    Alter,
    /// Replaces the payload with garbage and signs it.
    Rubbish,
    /// Sends nothing any longer.
    Omit,
    /// Sends everything much too late.
    Delay,
    /// Signs an earlier payload again for this position.
    Replay,
    /// Signs an entry in another seat's name.
    Impersonate,
}

impl Wire {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Equivocate,
        Self::TwoHistories,
        Self::Alter,
        Self::Rubbish,
        Self::Omit,
        Self::Delay,
        Self::Replay,
        Self::Impersonate,
    ];

    /// Short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Equivocate => "equivocate",
            Self::TwoHistories => "two-histories",
            Self::Alter => "alter",
            Self::Rubbish => "rubbish",
            Self::Omit => "omit",
            Self::Delay => "delay",
            Self::Replay => "replay",
            Self::Impersonate => "impersonate",
        }
    }

    /// What it tries, in one sentence.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Equivocate => "signs two different entries for one log position and shows each to a different seat",
            Self::TwoHistories => "signs one entry that continues two different logs",
            Self::Alter => "alters a byte of an entry after it was signed",
            Self::Rubbish => "signs rubbish in place of a step",
            Self::Omit => "stops sending",
            Self::Delay => "sends everything long after the clock has run out",
            Self::Replay => "signs an earlier step of its own again, at a later log position",
            Self::Impersonate => "signs an entry in the name of another seat",
        }
    }

    /// The checks, one of which must catch it; empty if it cannot be distinguished from silence.
    pub fn checks(self) -> &'static [&'static str] {
        match self {
            Self::Equivocate | Self::TwoHistories => &["equivocation"],
            Self::Rubbish => &["malformed"],
            // An earlier payload is not a valid step here, or its proof was made for another position.
            Self::Replay => &["malformed", "opening", "key", "shuffle", "share"],
            Self::Alter | Self::Omit | Self::Delay | Self::Impersonate => &[],
        }
    }
}

/// A cheat on the wire, with its state.
pub struct WireCheat {
    wire: Wire,
    identity: Identity,
    seat: Seat,
    from_round: u32,
    victim: Option<Seat>,
    last: Option<Entry>,
    /// The second entry of an equivocating seat, for its first position from that round on.
    second: Option<Entry>,
}

/// One message to send: recipient, delay from now, bytes.
pub type Sent = (Seat, Millis, Vec<u8>);

impl WireCheat {
    /// A cheat for the seat with this identity at a table of `seats` seats, active from a round on.
    pub fn new(wire: Wire, identity: Identity, seat: Seat, seats: usize, from_round: u32) -> Self {
        let victim = (seats > 2).then_some(Seat(u8::from(seat.0 == 0)));
        Self { wire, identity, seat, from_round, victim, last: None, second: None }
    }

    /// The position at which an equivocating seat is about to sign its first double entry, if this frame is that entry.
    pub(crate) fn parts(&self, frame: &[u8]) -> Option<Place> {
        let place = crate::twin::place(frame)?;
        let is_it = place.seat == self.seat && place.round >= self.from_round;
        (self.wire == Wire::Equivocate && self.second.is_none() && is_it).then_some(place)
    }

    /// Whether this frame is the entry that it signs twice.
    pub(crate) fn says_twice(&self, frame: &[u8]) -> bool {
        let place = crate::twin::place(frame);
        place.is_some() && place == self.second.as_ref().map(Entry::place)
    }

    /// The seat that it deceives; `None` with a single peer.
    pub(crate) fn victim(&self) -> Option<Seat> {
        self.victim
    }

    /// Sets the second entry. Without a different one, it signs the same payload over a different history.
    pub(crate) fn part(&mut self, table: TableId, first: &[u8], second: Option<Entry>) {
        let Ok(Frame::Entry(first)) = Frame::from_bytes(first, &()) else { return };
        let second = second.filter(|second| second.utterance() != first.utterance());
        let odd = || {
            let head = Head([0x5a; 32]);
            Entry::dangerously_sign(&self.identity, table, first.place(), head, first.payload().to_vec())
        };
        self.second = Some(second.unwrap_or_else(odd));
    }

    /// What is sent in place of one honest message.
    pub fn pass(&mut self, table: TableId, to: Seat, bytes: Vec<u8>) -> Vec<Sent> {
        let honest = |bytes| vec![(to, 0, bytes)];
        let Ok(Frame::Entry(entry)) = Frame::from_bytes(&bytes, &()) else {
            let mute = self.wire == Wire::Omit && self.last.is_some();
            return if mute { Vec::new() } else { honest(bytes) };
        };
        let Place { round, seat } = entry.place();
        if seat != self.seat || round < self.from_round {
            if seat == self.seat {
                self.last = Some(entry);
            }
            return honest(bytes);
        }
        let sign = |seat, prev, payload: Vec<u8>| {
            let place = Place { round, seat };
            Frame::Entry(Entry::dangerously_sign(&self.identity, table, place, prev, payload)).to_bytes()
        };
        let mut other = entry.payload().to_vec();
        match other.first_mut() {
            Some(byte) => *byte ^= 1,
            None => other.push(1),
        }
        match self.wire {
            Wire::Equivocate => {
                let second = self.second.clone().filter(|second| second.place() == entry.place());
                match (second.map(crate::twin::frame), self.victim) {
                    (Some(second), Some(victim)) if victim == to => honest(second),
                    (Some(second), None) => vec![(to, 0, second), (to, 5, bytes)],
                    _ => honest(bytes),
                }
            }
            Wire::TwoHistories => {
                let second = sign(seat, Head([0x5a; 32]), entry.payload().to_vec());
                vec![(to, 0, bytes), (to, 5, second)]
            }
            Wire::Alter => {
                let mut bytes = bytes;
                let middle = bytes.len() / 2;
                bytes[middle] ^= 0x10;
                honest(bytes)
            }
            Wire::Rubbish => honest(sign(seat, entry.prev(), vec![0xee; 7])),
            Wire::Omit => Vec::new(),
            Wire::Delay => vec![(to, 10_000_000, bytes)],
            Wire::Replay => match &self.last {
                Some(last) => honest(sign(seat, entry.prev(), last.payload().to_vec())),
                None => honest(bytes),
            },
            Wire::Impersonate => vec![(to, 0, sign(Seat(u8::from(seat.0 == 0)), entry.prev(), other))],
        }
    }
}
