//! The game without cryptography.

pub mod board;

use core::convert::Infallible;
use core::ops::RangeInclusive;

use outis_table::Seat;
use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_table::game::{Observer, Rules};

pub use board::{Cell, Direction};
use board::{MAX_GRID, MIN_GRID, start, targets};

/// ZheroTag.
#[derive(Clone, Debug)]
pub struct ZheroTag;

/// What is agreed about the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The grid has this many rows and columns.
    pub grid: u8,
    /// After this many moves of both kings together the game is a draw; 0: never.
    pub limit: u8,
    /// Seconds for each move (0: no clock).
    pub clock: u8,
    /// Whether both paths are shown to everyone when the game is over.
    pub replay: bool,
    /// Whether the result is signed before that. Tables of earlier versions are not so.
    pub sealed: bool,
}

/// What can be known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The king whose turn it was has moved, nobody else knows where.
    Moved,
    /// That was mine, and it stands here now.
    Went(Cell),
    /// After the last move I see the other king here, or I do not see it.
    Looked(Option<Cell>),
    /// The king whose turn it was stepped onto the other one, in this direction.
    Captured(Direction),
    /// The paths of both kings.
    Revealed([Vec<Cell>; 2]),
}

/// What one observer knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// The options.
    pub options: Options,
    /// Who knows it.
    pub who: Observer,
    /// Moves made so far by both kings, a capture included.
    pub moves: u16,
    /// Where its own king stood, from the start to now.
    pub path: Vec<Cell>,
    /// Where the other king was seen after each move that was no capture.
    pub sights: Vec<Option<Cell>>,
    /// The step that ended the game.
    pub capture: Option<Direction>,
    /// Both paths, if they were shown.
    pub paths: Option<[Vec<Cell>; 2]>,
}

/// The full state.
pub struct FullState {
    options: Options,
    paths: [Vec<Cell>; 2],
    moves: u16,
    capture: Option<Direction>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This seat stepped onto the other king.
    Captured(Seat),
    /// The limit of moves was reached.
    Draw,
}

/// Why an action is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// It is the other seat's turn, or nobody's.
    #[error("it is not this seat's turn")]
    Turn,
    /// The step leads off the grid.
    #[error("a king stays on the grid")]
    Outside,
    /// Something that cannot be now.
    #[error("this cannot happen now")]
    Now,
}

/// Whose turn it is after this many moves: seat 0 begins.
pub fn mover(moves: u16) -> Seat {
    Seat((moves % 2) as u8)
}

/// A game without a limit is a draw after this many moves: counters end somewhere, and so must a table.
pub const MOST_MOVES: u16 = 60_000;

/// How the game ended, if it did, after this many moves of which the last may have been a capture.
pub fn end(options: &Options, moves: u16, captured: bool) -> Option<End> {
    match (captured, options.limit) {
        (true, _) => Some(End::Captured(mover(moves + 1))),
        (false, 0) => (moves >= MOST_MOVES).then_some(End::Draw),
        (false, limit) => (moves >= u16::from(limit)).then_some(End::Draw),
    }
}

/// The winner takes one point from the other.
pub fn scores(end: Option<End>) -> Vec<i64> {
    match end {
        Some(End::Captured(Seat(0))) => vec![1, -1],
        Some(End::Captured(_)) => vec![-1, 1],
        _ => vec![0, 0],
    }
}

impl Rules for ZheroTag {
    type Options = Options;
    type Action = Direction;
    type Event = Event;
    type Illegal = Illegal;
    type Chance = Infallible;
    type FullState = FullState;
    type Knowledge = Knowledge;

    fn seats(_: &Options) -> RangeInclusive<u8> {
        2..=2
    }

    fn start(options: &Options, _: u8) -> FullState {
        let paths = start(options.grid).map(|cell| vec![cell]);
        FullState { options: options.clone(), paths, moves: 0, capture: None }
    }

    fn awaits_chance(_: &FullState) -> bool {
        false
    }

    fn chance(_: &mut FullState, never: Infallible) -> Result<(), Illegal> {
        match never {}
    }

    fn apply(state: &mut FullState, who: Seat, direction: &Direction) -> Result<(), Illegal> {
        let over = end(&state.options, state.moves, state.capture.is_some()).is_some();
        if over || who != mover(state.moves) {
            return Err(Illegal::Turn);
        }
        let (own, other) = (usize::from(who.0), usize::from(1 - who.0));
        let to = state.paths[own].last().ok_or(Illegal::Now)?.step(*direction);
        if !to.is_on(state.options.grid) {
            return Err(Illegal::Outside);
        }
        if state.paths[other].last() == Some(&to) {
            state.capture = Some(*direction);
        }
        state.paths[own].push(to);
        state.moves += 1;
        Ok(())
    }

    fn observe(state: &FullState, who: Observer) -> Knowledge {
        let FullState { options, paths, moves, capture } = state;
        let over = end(options, *moves, capture.is_some()).is_some();
        let (path, sights) = match who {
            Observer::Spectator => (Vec::new(), Vec::new()),
            Observer::Seat(seat) => {
                let (own, other) = (usize::from(seat.0), usize::from(1 - seat.0));
                let quiet = moves - u16::from(capture.is_some());
                // After `n` moves seat 0 has made the odd one more.
                let at = |seat: usize, n: u16| paths[seat][(usize::from(n) + 1 - seat) / 2];
                let seen = |n| Some(at(other, n)).filter(|cell| at(own, n).towards(*cell).is_some());
                (paths[own].clone(), (1..=quiet).map(seen).collect())
            }
        };
        Knowledge {
            options: options.clone(),
            who,
            moves: *moves,
            path,
            sights,
            capture: *capture,
            paths: (over && options.replay).then(|| paths.clone()),
        }
    }

    fn initial_knowledge(options: &Options, _: u8, who: Observer) -> Knowledge {
        let path = match who {
            Observer::Seat(seat) => start(options.grid).get(usize::from(seat.0)).copied().into_iter().collect(),
            Observer::Spectator => Vec::new(),
        };
        let options = options.clone();
        Knowledge { options, who, moves: 0, path, sights: Vec::new(), capture: None, paths: None }
    }

    fn legal(k: &Knowledge) -> Vec<Direction> {
        let (Observer::Seat(me), Some(at)) = (k.who, k.path.last()) else { return Vec::new() };
        let looked = k.sights.len() == usize::from(k.moves);
        if k.end().is_some() || mover(k.moves) != me || !looked {
            return Vec::new();
        }
        targets(k.options.grid, *at).map(|(direction, _)| direction).collect()
    }

    fn learn(mut k: Knowledge, event: &Event) -> Result<Knowledge, Illegal> {
        match event {
            Event::Moved if k.end().is_none() => k.moves += 1,
            Event::Went(cell) if k.capture.is_none() => k.path.push(*cell),
            Event::Looked(seen) if k.capture.is_none() => k.sights.push(*seen),
            Event::Captured(direction) if k.end().is_none() => {
                if k.who == Observer::Seat(mover(k.moves)) {
                    let at = k.path.last().ok_or(Illegal::Now)?.step(*direction);
                    k.path.push(at);
                }
                k.moves += 1;
                k.capture = Some(*direction);
            }
            Event::Revealed(paths) if k.end().is_some() && k.paths.is_none() => k.paths = Some(paths.clone()),
            _ => return Err(Illegal::Now),
        }
        Ok(k)
    }
}

impl Knowledge {
    /// How the game ended, if it did.
    pub fn end(&self) -> Option<End> {
        end(&self.options, self.moves, self.capture.is_some())
    }

    /// Its own seat.
    pub fn me(&self) -> Option<Seat> {
        match self.who {
            Observer::Seat(seat) => Some(seat),
            Observer::Spectator => None,
        }
    }

    /// Where its own king stands.
    pub fn at(&self) -> Option<Cell> {
        self.path.last().copied()
    }

    /// Where the other king is seen now.
    pub fn sees(&self) -> Option<Cell> {
        self.sights.last().copied().flatten().filter(|_| self.sights.len() == usize::from(self.moves))
    }

    /// Where the other king was last known to be, and after how many moves that was: where it was seen, or its corner.
    pub fn last_known(&self) -> Option<(Cell, u16)> {
        let me = self.me()?;
        let seen = self.sights.iter().rposition(Option::is_some);
        let seen = seen.and_then(|at| Some((self.sights[at]?, at as u16 + 1)));
        seen.or_else(|| Some((*start(self.options.grid).get(usize::from(1 - me.0.min(1)))?, 0)))
    }
}

impl Encode for Options {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { grid, limit, clock, replay, sealed } = self;
        let paths = u8::from(*replay) + u8::from(*replay && *sealed);
        out.extend_from_slice(&[*grid, *limit, *clock, paths]);
    }
}

impl Decode for Options {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let mut bounded = |field, min: u8, max: u8| {
            let got = reader.u8(field)?;
            let fault = Malformed::Count { got: got.into(), min: min.into(), max: max.into() };
            if (min..=max).contains(&got) { Ok(got) } else { Err(reader.error(field, fault)) }
        };
        let (grid, limit) = (bounded("grid", MIN_GRID, MAX_GRID)?, bounded("limit", 0, u8::MAX)?);
        let (clock, paths) = (bounded("clock", 0, u8::MAX)?, bounded("replay", 0, 2)?);
        Ok(Self { grid, limit, clock, replay: paths > 0, sealed: paths == 2 })
    }
}

#[cfg(test)]
mod tests;
