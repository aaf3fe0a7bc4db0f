//! The game without cryptography.

use core::convert::Infallible;
use core::ops::RangeInclusive;

use outis_table::Seat;
use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_table::game::{Observer, Rules};

/// Matching pennies.
#[derive(Clone, Debug)]
pub struct Pennies;

/// How a penny lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Side {
    Heads,
    Tails,
}

/// What the host may set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// One to a hundred throws.
    pub throws: u8,
    /// Seconds to lay a penny; 0: no clock.
    pub clock: u8,
}

/// What can be known: one's own penny when it is laid, both when they are turned over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// I laid mine.
    Laid(Side),
    /// Both lie open, by seat.
    Shown([Side; 2]),
}

/// What one observer knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// The options.
    pub options: Options,
    /// Who knows it.
    pub who: Observer,
    /// The observer's own penny, while it lies face down.
    pub own: Option<Side>,
    /// The throws so far.
    pub shown: Vec<[Side; 2]>,
}

/// The full state.
pub struct FullState {
    options: Options,
    laid: [Option<Side>; 2],
    shown: Vec<[Side; 2]>,
}

/// Why an action is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no penny to lay or to show now")]
pub struct Illegal;

impl Rules for Pennies {
    type Options = Options;
    type Action = Side;
    type Event = Event;
    type Illegal = Illegal;
    type Chance = Infallible;
    type FullState = FullState;
    type Knowledge = Knowledge;

    fn seats(_: &Options) -> RangeInclusive<u8> {
        2..=2
    }

    fn start(options: &Options, _: u8) -> FullState {
        FullState { options: options.clone(), laid: [None; 2], shown: Vec::new() }
    }

    fn awaits_chance(_: &FullState) -> bool {
        false
    }

    fn chance(_: &mut FullState, never: Infallible) -> Result<(), Illegal> {
        match never {}
    }

    fn apply(state: &mut FullState, who: Seat, side: &Side) -> Result<(), Illegal> {
        let penny = state.laid.get_mut(usize::from(who.0)).ok_or(Illegal)?;
        if penny.is_some() || state.shown.len() >= usize::from(state.options.throws) {
            return Err(Illegal);
        }
        *penny = Some(*side);
        if let [Some(a), Some(b)] = state.laid {
            state.shown.push([a, b]);
            state.laid = [None; 2];
        }
        Ok(())
    }

    fn observe(state: &FullState, who: Observer) -> Knowledge {
        let own = match who {
            Observer::Seat(seat) => state.laid[usize::from(seat.0)],
            Observer::Spectator => None,
        };
        Knowledge { options: state.options.clone(), who, own, shown: state.shown.clone() }
    }

    fn initial_knowledge(options: &Options, _: u8, who: Observer) -> Knowledge {
        Knowledge { options: options.clone(), who, own: None, shown: Vec::new() }
    }

    fn legal(k: &Knowledge) -> Vec<Side> {
        let plays = k.who != Observer::Spectator;
        let throws_left = k.shown.len() < usize::from(k.options.throws);
        if plays && throws_left && k.own.is_none() { vec![Side::Heads, Side::Tails] } else { Vec::new() }
    }

    fn learn(mut k: Knowledge, event: &Event) -> Result<Knowledge, Illegal> {
        match event {
            Event::Laid(_) if k.own.is_some() => return Err(Illegal),
            Event::Laid(side) => k.own = Some(*side),
            Event::Shown(pennies) => {
                k.own = None;
                k.shown.push(*pennies);
            }
        }
        Ok(k)
    }
}

/// One point for every throw: to seat 0 for a match, else to seat 1.
pub fn scores(shown: &[[Side; 2]]) -> [i64; 2] {
    let matches = shown.iter().filter(|[a, b]| a == b).count() as i64;
    [matches, shown.len() as i64 - matches]
}

impl Encode for Options {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&[self.throws, self.clock]);
    }
}

impl Decode for Options {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let options = Self { throws: reader.u8("throws")?, clock: reader.u8("clock")? };
        if !(1..=100).contains(&options.throws) {
            let fault = Malformed::Count { got: options.throws.into(), min: 1, max: 100 };
            return Err(reader.error("throws", fault));
        }
        Ok(options)
    }
}

impl Encode for Side {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(*self as u8);
    }
}

impl Decode for Side {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        match reader.u8("side")? {
            0 => Ok(Self::Heads),
            1 => Ok(Self::Tails),
            tag => Err(reader.error("side", Malformed::Tag(tag))),
        }
    }
}
