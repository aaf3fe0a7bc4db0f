//! What can be wrong with a file. An application puts it into words of its own; `Display` is English.

use core::fmt;

use super::MAX_BYTES;
use crate::board::Board;
use crate::deal::NoDeal;
use crate::sheet::{BadSheets, SheetName};

/// Why a file was refused. Exhaustive, so that whoever translates it cannot miss one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// More bytes than are read.
    #[error("the file is too large (more than {} MB)", Self::MAX_MEGABYTES)]
    TooLarge,
    /// Nothing in the file is a deal.
    #[error("there is no deal in the file")]
    NoDeals,
    /// Nothing in the file is a hand.
    #[error("there are no hands in the file")]
    NoHands,
    /// More boards than this.
    #[error("there are too many boards (at most {})", grouped(*.0))]
    ManyBoards(u16),
    /// A hand of a deal is left out.
    #[error("a hand is missing; a complete deal is needed")]
    HandMissing,
    /// The first seat of a deal is not named.
    #[error("a deal starts with N:, E:, S: or W:")]
    FirstSeat,
    /// There is no colon behind the first seat.
    #[error("a colon is missing after the first seat")]
    Colon,
    /// A hand has too few dots.
    #[error("a hand needs four holdings with dots between them")]
    FourHoldings,
    /// A hand has too many dots.
    #[error("a hand has more than four holdings")]
    ManyHoldings,
    /// A deal has too many hands.
    #[error("there are more than four hands")]
    ManyHands,
    /// A rank was expected.
    #[error("{0} is not a rank")]
    Rank(Quoted),
    /// A rank of no suit (LIN).
    #[error("a rank comes before any suit")]
    RankFirst,
    /// A suit was expected.
    #[error("{0} is not a suit")]
    Suit(Quoted),
    /// A card was expected.
    #[error("{0} is not a card")]
    Card(Quoted),
    /// A seat was expected.
    #[error("{0} is not a seat")]
    Seat(Quoted),
    /// The number of a board was expected.
    #[error("{0} is not a board number")]
    Board(Quoted),
    /// A line of hands as found has no board number.
    #[error("a line starts with the number of its board")]
    BoardFirst,
    /// No board has the next number.
    #[error("there is no board number")]
    NoBoard,
    /// A vulnerability was expected.
    #[error("{0} is not a vulnerability")]
    Vulnerability(Quoted),
    /// The dealer of a LIN file is not 1 to 4.
    #[error("the dealer is a number from 1 to 4")]
    DealerNumber,
    /// A PBN tag has no value.
    #[error("a tag needs a value in quotation marks")]
    TagValue,
    /// The value of a PBN tag does not end.
    #[error("the quotation mark is not closed")]
    TagQuote,
    /// A PBN tag does not end.
    #[error("the tag is not closed with a bracket")]
    TagBracket,
    /// Double-dummy results were expected.
    #[error("20 hexadecimal digits up to d are needed")]
    Tricks,
    /// What opens a seal was expected.
    #[error("128 hexadecimal digits are needed")]
    Sealed,
    /// A row of the table of results (PBN).
    #[error("a row of results needs declarer, strain and tricks")]
    Row,
    /// Four hands that are no deal.
    #[error(transparent)]
    Deal(#[from] NoDeal),
    /// Numbers that are no sheets.
    #[error(transparent)]
    Sheets(#[from] BadSheets),
    /// A sheet has too many or too few numbers.
    #[error("{0} does not have 52 numbers")]
    SheetLength(SheetName),
    /// The sheets and the deal beside them differ.
    #[error("the sheets do not give this deal")]
    SheetTarget,
    /// The text is not JSON.
    #[error("this is not valid JSON")]
    JsonSyntax,
    /// The text is the beginning of JSON.
    #[error("the JSON ends too early")]
    JsonEnd,
    /// The text is other JSON.
    #[error("this is not the JSON that Outis writes")]
    JsonContent,
    /// The same, of one deal of a list.
    #[error("deal {number}: {why}")]
    InDeal {
        /// Counted from 1.
        number: usize,
        /// What is wrong with it.
        why: Box<Reason>,
    },
    /// The file of a toss.
    #[error(transparent)]
    Toss(#[from] BadToss),
}

impl Reason {
    /// What [`Reason::TooLarge`] means.
    pub const MAX_MEGABYTES: usize = MAX_BYTES >> 20;
}

/// What can be wrong with the public text of a toss among clubs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadToss {
    /// A line that no toss has.
    #[error("a toss has no such line")]
    Line,
    /// A line that every toss has.
    #[error("a toss needs the lines about, clubs and boards")]
    Needs,
    /// The number of clubs is no number, too large or too small.
    #[error("a toss needs 2 to 16 clubs")]
    Clubs,
    /// The line of the boards.
    #[error("write: boards 24 from 1")]
    Boards,
    /// There are no such boards.
    #[error("boards are numbered from 1 to {}", grouped(Board::MAX))]
    NoBoards,
    /// A line that was there before, with other content.
    #[error("this differs from an earlier line")]
    Differs,
    /// A part without club or digits.
    #[error("a club’s number and digits are needed")]
    Part,
    /// A part of no club.
    #[error("there is no club with this number")]
    NoClub,
    /// The digits of a commitment.
    #[error("these are not the 64 hexadecimal digits of a commitment")]
    Commitment,
    /// The digits of a reveal.
    #[error("these are not the 128 hexadecimal digits of a reveal")]
    Reveal,
    /// A part that was there before, with other digits.
    #[error("this club has already given something else")]
    Changed,
}

/// A piece of a file as it may be shown: short, in quotation marks, control characters escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quoted(String);

impl Quoted {
    /// How many characters are shown.
    const MAX: usize = 40;

    pub(crate) fn new(piece: impl fmt::Display) -> Self {
        let piece = piece.to_string();
        let short: String = piece.chars().take(Self::MAX).collect();
        Self(format!("{short:?}{}", if short.len() < piece.len() { "…" } else { "" }))
    }
}

impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A number as English writes it.
pub(crate) fn grouped(number: u16) -> String {
    if number < 10_000 { number.to_string() } else { format!("{},{:03}", number / 1_000, number % 1_000) }
}
