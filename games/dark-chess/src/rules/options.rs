//! What a table may agree on where the document is silent.

use outis_table::Seat;
use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_table::game::{Bank, Millis, round_clock};

use super::board::Color;

/// What it means that the side to move has no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stalemate {
    /// Nobody wins.
    Draw,
    /// A player without a legal move has lost.
    Loss,
}

/// The options. Each is explained in `spec/games/dark-chess-rules.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whose pieces are white: seat 0 or seat 1.
    pub white: Seat,
    /// After this many moves of each side without a capture the game is drawn; 0: never.
    pub quiet: u8,
    /// What it means to have no move.
    pub stalemate: Stalemate,
    /// Whether the players are asked at the end to show each other the whole game.
    pub review: bool,
    /// Whether the result is signed before they are asked. Tables of earlier versions are not so.
    pub sealed: bool,
    /// Seconds for each move; 0: no clock. A slow game has days of them.
    pub clock: u32,
    /// With this, the clock is for the whole game, and each of its own moves adds this many seconds.
    pub increment: Option<u16>,
}

/// The longest clock: thirty days.
pub const LONGEST: u32 = 30 * DAY;

/// The longest clock for a whole game: three hours.
pub const LONGEST_GAME: u32 = 3 * 60 * 60;

/// The largest increment: ten minutes.
pub const LARGEST_INCREMENT: u16 = 600;

/// What every step of both seats has at a table with a clock for the whole game.
const STEP: Millis = 60_000;

/// Seconds of a day.
pub const DAY: u32 = 24 * 60 * 60;

impl Default for Options {
    fn default() -> Self {
        Self {
            white: Seat(0),
            quiet: 50,
            stalemate: Stalemate::Draw,
            review: false,
            sealed: false,
            clock: 0,
            increment: None,
        }
    }
}

impl Options {
    /// The colour of a seat.
    pub fn color(&self, seat: Seat) -> Color {
        if seat == self.white { Color::White } else { Color::Black }
    }

    /// Milliseconds for a step by a person, or for one that needs none; `None` without clocks.
    pub fn time(&self, by_hand: bool) -> Option<Millis> {
        // With a clock for the whole game, this one is for steps of both seats.
        round_clock(self.clock, by_hand).map(|clock| if self.increment.is_some() { STEP } else { clock })
    }

    /// The clocks for the whole game, if they are that.
    pub fn bank(&self) -> Option<Bank> {
        let increment = u64::from(self.increment?) * 1000;
        Some(Bank { start: u64::from(self.clock) * 1000, increment })
    }

    /// The seat of a colour.
    pub fn seat(&self, color: Color) -> Seat {
        match color {
            Color::White => self.white,
            Color::Black => Seat(1 - self.white.0.min(1)),
        }
    }
}

/// White's seat, quiet moves, a byte with stalemate (bit 0), review (bit 1), whether the clock is for the whole game (bit 2) and whether
/// the result is signed before the review (bit 3, only with bit 1), the clock as `u32`; with bit 2 the increment as `u16`.
impl Encode for Options {
    fn encode(&self, out: &mut Vec<u8>) {
        let bits = u8::from(self.stalemate == Stalemate::Loss)
            | u8::from(self.review) << 1
            | u8::from(self.increment.is_some()) << 2
            | u8::from(self.sealed && self.review) << 3;
        out.extend_from_slice(&[self.white.0, self.quiet, bits]);
        out.extend_from_slice(&self.clock.to_le_bytes());
        self.increment.iter().for_each(|increment| out.extend_from_slice(&increment.to_le_bytes()));
    }
}

impl Decode for Options {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let white = reader.u8("options.white")?;
        if white > 1 {
            return Err(reader.error("options.white", Malformed::Tag(white)));
        }
        let quiet = reader.u8("options.quiet")?;
        let bits = reader.u8("options.choices")?;
        if bits > 15 || bits & 10 == 8 {
            return Err(reader.error("options.choices", Malformed::Tag(bits)));
        }
        let whole = bits & 4 == 4;
        let (min, max) = if whole { (1, LONGEST_GAME) } else { (0, LONGEST) };
        let clock = reader.u32("options.clock")?;
        if !(min..=max).contains(&clock) {
            let fault = Malformed::Count { got: clock.into(), min: min.into(), max: max.into() };
            return Err(reader.error("options.clock", fault));
        }
        let increment = if whole { Some(reader.u16("options.increment")?) } else { None };
        if let Some(got) = increment.filter(|increment| *increment > LARGEST_INCREMENT) {
            let fault = Malformed::Count { got: got.into(), min: 0, max: LARGEST_INCREMENT.into() };
            return Err(reader.error("options.increment", fault));
        }
        Ok(Self {
            white: Seat(white),
            quiet,
            stalemate: if bits & 1 == 1 { Stalemate::Loss } else { Stalemate::Draw },
            review: bits & 2 == 2,
            sealed: bits & 8 == 8,
            clock,
            increment,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_one_encoding() {
        for bits in [0, 1, 2, 3, 10, 11] {
            let options = Options::from_bytes(&[1, 30, bits, 44, 1, 0, 0], &()).expect("well formed");
            assert_eq!(options.to_bytes(), [1, 30, bits, 44, 1, 0, 0]);
            assert_eq!((options.clock, options.color(Seat(0))), (300, Color::Black));
        }
        let wrong = [[2, 0, 0, 0, 0, 0, 0], [0, 0, 8, 0, 0, 0, 0], [0, 0, 16, 0, 0, 0, 0], [0, 0, 0, 1, 141, 39, 0]];
        for wrong in wrong {
            assert!(Options::from_bytes(&wrong, &()).is_err(), "{wrong:?}");
        }
        assert_eq!(Options::from_bytes(&[0, 0, 0, 0, 141, 39, 0], &()).map(|options| options.clock), Ok(LONGEST));
    }

    #[test]
    fn a_clock_for_the_whole_game_has_one_encoding() {
        for bits in [4, 5, 6, 7, 14, 15] {
            let bytes = [0, 30, bits, 48, 42, 0, 0, 88, 2];
            let options = Options::from_bytes(&bytes, &()).expect("well formed");
            assert_eq!(options.to_bytes(), bytes);
            assert_eq!(options.bank(), Some(Bank { start: 10_800_000, increment: 600_000 }), "the largest of both");
            assert_eq!(options.time(true), options.time(false), "a question to both is not a matter of hours");
        }
        // No time at all, too much time, too large an increment, none where there must be one, one where there must be none.
        let wrong: [&[u8]; 5] = [
            &[0, 0, 4, 0, 0, 0, 0, 1, 0],
            &[0, 0, 4, 49, 42, 0, 0, 1, 0],
            &[0, 0, 4, 60, 0, 0, 0, 89, 2],
            &[0, 0, 4, 60, 0, 0, 0],
            &[0, 0, 0, 60, 0, 0, 0, 1, 0],
        ];
        for wrong in wrong {
            assert!(Options::from_bytes(wrong, &()).is_err(), "{wrong:?}");
        }
        assert_eq!(Options { clock: 300, ..Options::default() }.bank(), None);
    }
}
