//! A session of bridge: the deals with their sheets, as made, and beside them what happened to single boards at the
//! table. The deals never change, so a correction can be undone and the seal still opens.

use std::collections::BTreeMap;

use outis_bridge::board::Board;
use outis_bridge::card::Suit;
use outis_bridge::commands::{self, Refused};
use outis_bridge::deal::Deal;
use outis_bridge::formats::{self, BadFile, Found, Reason, json};
use outis_bridge::layout::Dealt;
use outis_bridge::record::Record;
use outis_bridge::repair::{self, Finding};
use outis_bridge::seal::Seal;
use outis_bridge::sheet::{Scheme, Sheets};
use rand::CryptoRng;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Most boards in a session.
pub const MAX_BOARDS: usize = 256;
const VERSION: u32 = 1;

/// The deals, sheets and corrections of a session.
#[derive(Clone)]
pub struct Evening {
    /// The title printed on every page.
    pub title: String,
    /// When it was made, in milliseconds since 1970.
    pub made: u64,
    boards: Vec<(Record, Option<Sheets>)>,
    marks: BTreeMap<u16, Mark>,
}

/// How a board differs from its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Not played as recorded, and nobody knows what was played (BR-17).
    Invalid,
    /// Suits were exchanged when the pack was sorted (BR-21): suit `i` of the record became `to[i]`.
    Suits([Suit; 4]),
    /// These cards were played (BR-16).
    Played(Box<Record>),
}

#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    title: String,
    made: u64,
    boards: String,
    marks: BTreeMap<u16, KeptMark>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KeptMark {
    Invalid,
    Suits([char; 4]),
    Played(String),
}

/// Which boards are dealt.
#[derive(Clone, Copy, Debug)]
pub struct Boards {
    /// How many.
    pub count: u16,
    /// The number of the first.
    pub first: u16,
}

impl Evening {
    /// A session of random deals with sheets.
    pub fn deal(
        title: String,
        made: u64,
        boards: Boards,
        scheme: Scheme,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Self, Refused> {
        if boards.count == 0 || usize::from(boards.count) > MAX_BOARDS {
            return Err(Refused::Boards);
        }
        let records = commands::deal(boards.count, boards.first, rng)?;
        Ok(Self::with_sheets(title, made, records, scheme, rng))
    }

    /// A session of given deals, with new sheets if there is a scheme. If the file is one of Outis's own and every deal
    /// has sheets and a seal, its sheets are kept.
    pub fn given(
        title: String,
        made: u64,
        bytes: &[u8],
        scheme: Option<Scheme>,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Self, BadFile> {
        let records = formats::read(bytes)?;
        if records.len() > MAX_BOARDS {
            return Err(BadFile { line: 0, column: 0, reason: Reason::ManyBoards(MAX_BOARDS as u16) });
        }
        let own = std::str::from_utf8(bytes).ok().and_then(|text| json::read(text).ok());
        let is_whole = |boards: &Vec<(Record, Option<Sheets>)>| {
            boards.iter().all(|(record, sheets)| sheets.is_some() && record.sealed.is_some())
        };
        let mut evening = match (own.filter(is_whole), scheme) {
            (Some(boards), _) => Self { title, made, boards, marks: BTreeMap::new() },
            (None, Some(scheme)) => Self::with_sheets(title, made, records, scheme, rng),
            (None, None) => {
                let boards = records.into_iter().map(|record| (record, None)).collect();
                Self { title, made, boards, marks: BTreeMap::new() }
            }
        };
        // What the file declares invalid is a mark here, so that it is seen and can be undone.
        for (record, _) in evening.boards.iter_mut().filter(|(record, _)| record.invalid) {
            record.invalid = false;
            evening.marks.insert(record.board.number(), Mark::Invalid);
        }
        Ok(evening)
    }

    fn with_sheets(
        title: String,
        made: u64,
        records: Vec<Record>,
        scheme: Scheme,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Self {
        let boards = commands::sheets(records, scheme, rng).into_iter().map(|(record, sheets)| (record, Some(sheets)));
        Self { title, made, boards: boards.collect(), marks: BTreeMap::new() }
    }

    /// The deals with their sheets, as made; `None` if any deal has no sheets.
    pub fn sheets(&self) -> Option<Vec<Dealt>> {
        self.boards.iter().map(|(record, sheets)| Some((record.clone(), sheets.clone()?))).collect()
    }

    /// The boards by their numbers.
    pub fn boards(&self) -> Vec<Board> {
        self.boards.iter().map(|(record, _)| record.board).collect()
    }

    /// The records of what was played.
    pub fn records(&self) -> Vec<Record> {
        let played = |(record, _): &(Record, Option<Sheets>)| match self.marks.get(&record.board.number()) {
            None => record.clone(),
            Some(Mark::Invalid) => Record { invalid: true, ..record.clone() },
            Some(Mark::Suits(to)) => repair::rename_suits(record, *to).unwrap_or_else(|| record.clone()),
            Some(Mark::Played(played)) => Record { sealed: record.sealed, ..(**played).clone() },
        };
        self.boards.iter().map(played).collect()
    }

    /// The boards to solve: as dealt or, where different cards were played, as played.
    pub fn to_solve(&self) -> Vec<Record> {
        let solved = |(record, _): &(Record, Option<Sheets>)| match self.marks.get(&record.board.number()) {
            Some(Mark::Played(played)) => (**played).clone(),
            _ => record.clone(),
        };
        self.boards.iter().map(solved).collect()
    }

    /// Takes the results of [`Evening::to_solve`]. Each result goes only to the deal it was computed for, so a
    /// correction made in the meantime gets none.
    pub fn take_results(&mut self, solved: &[Record]) {
        for ((record, _), solved) in self.boards.iter_mut().zip(solved) {
            match self.marks.get_mut(&record.board.number()) {
                Some(Mark::Played(played)) if played.deal == solved.deal => played.tricks = solved.tricks,
                _ if record.deal == solved.deal => record.tricks = solved.tricks,
                _ => {}
            }
        }
    }

    /// The seal from before play, if every board has its part of it.
    pub fn seal(&self) -> Option<Seal> {
        Seal::of(self.boards.iter().map(|(record, _)| record))
    }

    fn record(&self, board: u16) -> Result<&Record, Refused> {
        let found = self.boards.iter().find(|(record, _)| record.board.number() == board);
        found.map(|(record, _)| record).ok_or(Refused::NoBoard(board))
    }

    /// What is wrong with a board, judging by the hands that were looked at.
    pub fn look(&self, found: &Found) -> Result<Finding, Refused> {
        Ok(repair::look(&self.record(found.0.number())?.deal, &found.1))
    }

    /// Records what was played on a board. Returns `false` if too few hands were looked at to know.
    pub fn played(&mut self, found: &Found) -> Result<bool, Refused> {
        let finding = self.look(found)?;
        let board = found.0.number();
        let whole = found.1.iter().all(Option::is_some);
        let deal = Deal::from_hands(found.1.map(Option::unwrap_or_default)).ok().filter(|_| whole);
        match (finding, deal) {
            (Finding::Right, _) => drop(self.marks.remove(&board)),
            (Finding::SuitsRenamed(to), _) => drop(self.marks.insert(board, Mark::Suits(to))),
            (_, Some(deal)) => {
                let played = repair::amend(self.record(board)?, deal);
                self.marks.insert(board, Mark::Played(Box::new(played)));
            }
            (_, None) => return Ok(false),
        }
        Ok(true)
    }

    /// Marks a board, or removes its mark.
    pub fn mark(&mut self, board: u16, mark: Option<Mark>) -> Result<(), Refused> {
        self.record(board)?;
        match mark {
            Some(mark) => drop(self.marks.insert(board, mark)),
            None => drop(self.marks.remove(&board)),
        }
        Ok(())
    }

    /// For the page: everything except the cards.
    pub fn to_json(&self, id: &str) -> Value {
        let numbers: Vec<u16> = self.boards.iter().map(|(record, _)| record.board.number()).collect();
        let marks: Vec<Value> = self
            .marks
            .iter()
            .map(|(board, mark)| match mark {
                Mark::Invalid => json!({ "board": board, "mark": "invalid" }),
                Mark::Suits(to) => json!({ "board": board, "mark": "suits", "to": to.map(Suit::letter) }),
                Mark::Played(_) => json!({ "board": board, "mark": "played" }),
            })
            .collect();
        let open = self.to_solve().iter().filter(|record| record.tricks.is_none()).count();
        json!({ "evening": id, "title": self.title, "made": self.made, "boards": numbers, "marks": marks,
                "sheets": self.boards.iter().all(|(_, sheets)| sheets.is_some()), "unsolved": open,
                "seal": self.seal().map(|seal| seal.to_string()), "code": self.seal().map(|seal| seal.qr_text()) })
    }

    /// The session as bytes, for its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let kept = |mark: &Mark| match mark {
            Mark::Invalid => KeptMark::Invalid,
            Mark::Suits(to) => KeptMark::Suits(to.map(Suit::letter)),
            Mark::Played(record) => KeptMark::Played(json::write(&[((**record).clone(), None)])),
        };
        let marks = self.marks.iter().map(|(board, mark)| (*board, kept(mark))).collect();
        let (title, made) = (self.title.clone(), self.made);
        let kept = Kept { version: VERSION, title, made, boards: json::write(&self.boards), marks };
        serde_json::to_vec(&kept).unwrap_or_default()
    }

    /// The session from the bytes of its file.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let kept: Kept = serde_json::from_slice(bytes).ok().filter(|kept: &Kept| kept.version == VERSION)?;
        let mark = |(board, mark): (u16, KeptMark)| {
            Some((
                board,
                match mark {
                    KeptMark::Invalid => Mark::Invalid,
                    KeptMark::Suits(to) => {
                        let mut suits = Suit::ALL;
                        for (suit, letter) in suits.iter_mut().zip(to) {
                            *suit = Suit::parse(letter)?;
                        }
                        Mark::Suits(suits)
                    }
                    KeptMark::Played(record) => Mark::Played(Box::new(json::read(&record).ok()?.pop()?.0)),
                },
            ))
        };
        let marks = kept.marks.into_iter().map(mark).collect::<Option<_>>()?;
        Some(Self { title: kept.title, made: kept.made, boards: json::read(&kept.boards).ok()?, marks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outis_bridge::card::{Hand, Seat};
    use outis_bridge::seal::{self, Verdict};
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    fn evening() -> Evening {
        Evening::deal("Tuesday".into(), 5, Boards { count: 4, first: 7 }, Scheme::EXTRA, &mut StdRng::seed_from_u64(1))
            .unwrap()
    }

    fn hands(record: &Record) -> [Option<Hand>; 4] {
        Seat::ALL.map(|seat| Some(record.deal.hand(seat)))
    }

    #[test]
    fn what_is_kept_comes_back() {
        let mut evening = evening();
        let other = hands(&evening.records()[2]);
        let board = |n| Board::new(n).unwrap();
        evening.mark(7, Some(Mark::Invalid)).unwrap();
        evening.mark(8, Some(Mark::Suits([Suit::Hearts, Suit::Spades, Suit::Diamonds, Suit::Clubs]))).unwrap();
        assert!(evening.played(&(board(10), other)).unwrap());
        let again = Evening::from_bytes(&evening.to_bytes()).unwrap();
        assert_eq!(again.to_json("x"), evening.to_json("x"));
        let same = |a: Vec<Record>, b: Vec<Record>| assert_eq!(a, b);
        same(again.records(), evening.records());
        assert_eq!(again.sheets(), evening.sheets());
        for bad in [&b""[..], b"{}", &evening.to_bytes()[..40]] {
            assert!(Evening::from_bytes(bad).is_none());
        }
        assert!(matches!(evening.mark(3, None), Err(Refused::NoBoard(3))));
    }

    #[test]
    fn corrections_change_the_record_and_can_be_taken_back() {
        let mut evening = evening();
        let before = evening.records();
        let seal = evening.seal().unwrap();
        assert_eq!(seal::verify(&before, &seal), Verdict::Holds);
        // North and South have exchanged their hands.
        let mut found = hands(&before[0]);
        found.swap(0, 2);
        let found = (before[0].board, found);
        assert!(matches!(evening.look(&found), Ok(Finding::HandsMoved(_))));
        assert!(evening.played(&found).unwrap());
        assert_eq!(evening.records()[0].deal.hand(Seat::North), before[0].deal.hand(Seat::South));
        assert_eq!(seal::verify(&evening.records(), &seal), Verdict::Changed(vec![7]));
        // One hand is not enough to know what was played.
        let one = (before[1].board, [found.1[0], None, None, None]);
        assert!(!evening.played(&one).unwrap());
        evening.mark(7, None).unwrap();
        assert_eq!(evening.records(), before);
        assert_eq!(evening.seal(), Some(seal));
    }

    #[test]
    fn results_go_to_the_boards_that_were_solved() {
        let mut evening = evening();
        let moved = hands(&evening.records()[3]);
        evening.played(&(Board::new(7).unwrap(), moved)).unwrap();
        let mut solved = evening.to_solve();
        assert_eq!(solved[0].deal, solved[3].deal);
        let tricks = outis_bridge::dd::Tricks::new([[6, 7, 8, 9, 5]; 4]);
        solved.iter_mut().for_each(|record| record.tricks = tricks);
        // The correction of board 7 is undone before the results arrive.
        evening.mark(7, None).unwrap();
        evening.take_results(&solved);
        let known: Vec<bool> = evening.records().iter().map(|record| record.tricks.is_some()).collect();
        assert_eq!(known, [false, true, true, true]);
    }

    #[test]
    fn deals_of_others_get_sheets_or_stay_as_they_are() {
        let mut rng = StdRng::seed_from_u64(3);
        let evening = evening();
        let print = commands::Print::default();
        let pbn = commands::convert(&evening.records(), &print, commands::Format::Pbn).unwrap();
        let plain = Evening::given("x".into(), 1, &pbn, None, &mut rng).unwrap();
        assert_eq!((plain.seal(), plain.sheets().is_none()), (evening.seal(), true));
        let dealt = Evening::given("x".into(), 1, &pbn, Some(Scheme::PAPER), &mut rng).unwrap();
        assert_ne!(dealt.seal(), evening.seal());
        assert_eq!(dealt.sheets().unwrap()[2].1.deal().unwrap(), evening.records()[2].deal);
        let own = commands::write_sheets(&evening.sheets().unwrap(), &print, commands::Format::Json).unwrap();
        let back = Evening::given("x".into(), 1, &own, Some(Scheme::PAPER), &mut rng).unwrap();
        assert_eq!((back.seal(), back.sheets()), (evening.seal(), evening.sheets()));
        // Invalid records stay invalid, and the mark can be undone.
        let mut other = self::evening();
        other.mark(9, Some(Mark::Invalid)).unwrap();
        let file = commands::convert(&other.records(), &print, commands::Format::Pbn).unwrap();
        let mut read = Evening::given("x".into(), 1, &file, None, &mut rng).unwrap();
        assert_eq!(Record::invalid_ones(&read.records()), [9]);
        read.mark(9, None).unwrap();
        assert_eq!(read.records(), evening.records());
        let bad = Evening::given("x".into(), 1, b"1 AK.Q", None, &mut rng).err().unwrap();
        assert_eq!(bad.line, 1);
    }
}
