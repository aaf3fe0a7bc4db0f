//! The options that the host sets.

use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};

/// Which poker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// Texas hold'em: two cards each, five for all.
    Holdem,
    /// Five-card draw: five cards each, one exchange.
    Draw,
}

/// How much may be bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Up to everything one has.
    None,
    /// Fixed amounts, four bets to a round.
    Fixed,
}

/// How hands are shown at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Showing {
    /// One after the other, each knowing what was shown before.
    InTurn,
    /// Everyone decides without knowing what the others decide; then the cards are shown.
    AtOnce,
}

/// By which protocol the cards are dealt. To the rules it is only a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dealing {
    /// Layers that everyone puts on and removes.
    Sra,
    /// Encryption under a joint key.
    ElGamal,
}

/// The options of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which poker.
    pub game: Game,
    /// How much may be bet.
    pub limit: Limit,
    /// How hands are shown.
    pub showing: Showing,
    /// How cards are dealt.
    pub dealing: Dealing,
    /// Number of hands; fewer are played if one seat has won all chips.
    pub hands: u8,
    /// Chips of each seat at the start.
    pub stack: u32,
    /// The big blind; the small one is half of it.
    pub blind: u16,
    /// What every seat pays in every hand.
    pub ante: u16,
    /// Seconds for each decision (0: no clock).
    pub clock: u8,
    /// Decks of each cut and choose, where cards are dealt as the document has it: by two seats, in layers. `None` in the hardened
    /// grade.
    pub decks: Option<u8>,
}

/// Least and most of each number.
pub const HANDS: (u32, u32) = (1, 200);
/// Chips at the start.
pub const STACK: (u32, u32) = (2, 1_000_000);
/// The big blind; even.
pub const BLIND: (u32, u32) = (2, 10_000);
/// The ante.
pub const ANTE: (u32, u32) = (0, 10_000);
/// Decks of a cut and choose.
pub const DECKS: (u32, u32) = (2, 64);

impl Options {
    /// A small table of hold'em without limit.
    pub const USUAL: Self = Self {
        game: Game::Holdem,
        limit: Limit::None,
        showing: Showing::InTurn,
        dealing: Dealing::Sra,
        hands: 10,
        stack: 1000,
        blind: 10,
        ante: 0,
        clock: 60,
        decks: None,
    };

    /// Whether all numbers are within their bounds.
    pub fn is_allowed(&self) -> bool {
        let within = |n: u32, (least, most): (u32, u32)| (least..=most).contains(&n);
        within(self.hands.into(), HANDS)
            && within(self.stack, STACK)
            && within(self.blind.into(), BLIND)
            && self.blind.is_multiple_of(2)
            && within(self.ante.into(), ANTE)
            && self.decks.is_none_or(|decks| within(decks.into(), DECKS) && self.dealing == Dealing::Sra)
    }

    /// Cards that a seat is dealt.
    pub fn hole(&self) -> usize {
        match self.game {
            Game::Holdem => 2,
            Game::Draw => 5,
        }
    }

    /// The big blind in chips.
    pub fn big(&self) -> u32 {
        self.blind.into()
    }

    /// The small blind in chips.
    pub fn small(&self) -> u32 {
        self.big() / 2
    }

    /// The least bet or raise of a round of betting, counted from zero.
    pub fn bet(&self, street: u8) -> u32 {
        let late = match self.game {
            Game::Holdem => street >= 2,
            Game::Draw => street >= 1,
        };
        if self.limit == Limit::Fixed && late { 2 * self.big() } else { self.big() }
    }
}

impl Encode for Options {
    fn encode(&self, out: &mut Vec<u8>) {
        let names = [self.game as u8, self.limit as u8, self.showing as u8, self.dealing as u8];
        out.extend_from_slice(&names);
        out.extend_from_slice(&[self.hands, self.clock]);
        out.extend_from_slice(&self.stack.to_le_bytes());
        out.extend_from_slice(&self.blind.to_le_bytes());
        out.extend_from_slice(&self.ante.to_le_bytes());
        out.extend(self.decks);
    }
}

impl Decode for Options {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let mut either = |field| match reader.u8(field)? {
            0 => Ok(false),
            1 => Ok(true),
            tag => Err(reader.error(field, Malformed::Tag(tag))),
        };
        let (game, limit) = (either("game")?, either("limit")?);
        let (showing, dealing) = (either("showing")?, either("dealing")?);
        let options = Self {
            game: if game { Game::Draw } else { Game::Holdem },
            limit: if limit { Limit::Fixed } else { Limit::None },
            showing: if showing { Showing::AtOnce } else { Showing::InTurn },
            dealing: if dealing { Dealing::ElGamal } else { Dealing::Sra },
            hands: reader.u8("hands")?,
            clock: reader.u8("clock")?,
            stack: reader.u32("stack")?,
            blind: reader.u16("blind")?,
            ante: reader.u16("ante")?,
            decks: (reader.left() > 0).then(|| reader.u8("decks")).transpose()?,
        };
        let fault = Malformed::Count { got: options.blind.into(), min: BLIND.0.into(), max: BLIND.1.into() };
        if options.is_allowed() { Ok(options) } else { Err(reader.error("options", fault)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_one_encoding() {
        let options = Options { game: Game::Draw, dealing: Dealing::ElGamal, ante: 3, ..Options::USUAL };
        assert_eq!(Options::from_bytes(&options.to_bytes(), &()), Ok(options.clone()));
        for wrong in [
            Options { blind: 3, ..options.clone() },
            Options { blind: 0, ..options.clone() },
            Options { hands: 0, ..options.clone() },
            Options { stack: 1, ..options.clone() },
            Options { ante: 10_001, ..options.clone() },
        ] {
            assert!(Options::from_bytes(&wrong.to_bytes(), &()).is_err(), "{wrong:?}");
        }
        let classic = Options { decks: Some(16), ..Options::USUAL };
        assert_eq!((options.to_bytes().len(), classic.to_bytes().len()), (14, 15));
        assert_eq!(Options::from_bytes(&classic.to_bytes(), &()), Ok(classic.clone()));
        for wrong in [
            Options { decks: Some(1), ..classic.clone() },
            Options { decks: Some(0), ..classic.clone() },
            Options { decks: Some(65), ..classic.clone() },
            Options { dealing: Dealing::ElGamal, ..classic.clone() },
        ] {
            assert!(Options::from_bytes(&wrong.to_bytes(), &()).is_err(), "{wrong:?}");
        }
        assert!(Options::from_bytes(&[classic.to_bytes(), vec![16]].concat(), &()).is_err());
        let mut bytes = options.to_bytes();
        bytes[1] = 2;
        assert!(Options::from_bytes(&bytes, &()).is_err());
    }
}
