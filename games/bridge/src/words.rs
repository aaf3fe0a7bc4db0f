//! The words on paper, in English and Hungarian.

use crate::board::Vulnerability;
use crate::card::Seat;

/// A language of printed matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Hungarian.
    Hungarian,
}

impl Language {
    /// `en` or `hu`.
    pub fn parse(code: &str) -> Option<Self> {
        match code {
            "en" => Some(Self::English),
            "hu" => Some(Self::Hungarian),
            _ => None,
        }
    }

    /// The code for HTML.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Hungarian => "hu",
        }
    }

    pub(crate) const fn words(self) -> &'static Words {
        match self {
            Self::English => &ENGLISH,
            Self::Hungarian => &HUNGARIAN,
        }
    }
}

pub(crate) struct Words {
    pub board: &'static str,
    pub dealer: &'static str,
    pub vulnerable: &'static str,
    pub sides: [&'static str; 4],
    pub seats: [&'static str; 4],
    /// Seats in one or two letters.
    pub letters: [&'static str; 4],
    pub person: &'static str,
    pub boards: &'static str,
    pub first: &'static str,
    pub second: &'static str,
    pub single: &'static str,
    pub suit_order: &'static str,
    pub first_how: [&'static str; 3],
    pub second_how: [&'static str; 2],
    /// The second line with an extra permutation: the hands are left for somebody else.
    pub second_extra: &'static str,
    pub single_how: [&'static str; 2],
    pub extra: &'static str,
    pub extra_how: &'static str,
    pub top: &'static str,
    pub bottom: &'static str,
    pub check: &'static str,
    pub piles: &'static str,
    pub fold: &'static str,
    pub secret: &'static str,
    pub hand_records: &'static str,
    pub curtain: &'static str,
    pub par: &'static str,
    pub points: &'static str,
    pub makes: &'static str,
    pub invalid: &'static str,
    pub passed: &'static str,
}

impl Words {
    pub fn side(&self, vulnerability: Vulnerability) -> &'static str {
        self.sides[match vulnerability {
            Vulnerability::None => 0,
            Vulnerability::NorthSouth => 1,
            Vulnerability::EastWest => 2,
            Vulnerability::Both => 3,
        }]
    }

    pub const fn seat(&self, seat: Seat) -> &'static str {
        self.seats[seat.index()]
    }
}

const ENGLISH: Words = Words {
    board: "Board",
    dealer: "Dealer",
    vulnerable: "Vul",
    sides: ["none", "N–S", "E–W", "both"],
    seats: ["North", "East", "South", "West"],
    letters: ["N", "E", "S", "W"],
    person: "Sheet for person",
    boards: "boards",
    first: "FIRST DEAL",
    second: "SECOND DEAL",
    single: "RANDOM DEAL",
    suit_order: "Sort the pack, from the top",
    first_how: [
        "each suit from the Ace down to the 2, face down",
        "Deal face down, one card per number, on top of pile 1 2 3 4.",
        "Then put pile 1 on pile 2, both on 3, all on 4. Pass on.",
    ],
    second_how: [
        "Deal the pack you were given, face down, one card per number.",
        "Count 13 in each hand, shuffle each hand shortly, put it into its pocket.",
    ],
    second_extra: "Count 13 in each, shuffle each shortly, leave them as 1 2 3 4. Another person puts them into pockets.",
    single_how: [
        "Mix the pack, then deal face down, one card per number.",
        "Use each row of numbers once: cross out the sheet afterwards.",
    ],
    extra: "Last, by this dealer or a third person: put hands into pockets",
    extra_how: "not for the second dealer",
    top: "top",
    bottom: "bottom",
    check: "check",
    piles: "piles now",
    fold: "fold here",
    secret: "Never show this sheet to the person with the other one. Print on one side only.",
    hand_records: "Hand records",
    curtain: "Curtain card",
    par: "Par",
    points: "Points",
    makes: "Makes",
    invalid: "not as played: this record is invalid",
    passed: "passed out",
};

const HUNGARIAN: Words = Words {
    board: "Kiosztás",
    dealer: "Osztó",
    vulnerable: "Bella",
    sides: ["senki", "É–D", "K–Ny", "mindenki"],
    seats: ["Észak", "Kelet", "Dél", "Nyugat"],
    letters: ["É", "K", "D", "Ny"],
    person: "Osztólap, személy:",
    boards: "kiosztások",
    first: "ELSŐ OSZTÁS",
    second: "MÁSODIK OSZTÁS",
    single: "VÉLETLEN OSZTÁS",
    suit_order: "Rendezd a paklit, felülről",
    first_how: [
        "minden szín az ásztól a kettesig, lappal lefelé",
        "Ossz lefelé fordítva, számonként egy lapot az 1 2 3 4 halom tetejére.",
        "Végül az 1. halom a 2.-ra, ez a 3.-ra, minden a 4.-re. Add tovább.",
    ],
    second_how: [
        "A kapott paklit oszd lefelé fordítva, számonként egy lapot.",
        "Minden kézben 13 lap: számold meg, keverd meg röviden, tedd a zsebébe.",
    ],
    second_extra: "Minden kézben 13 lap: keverd meg röviden, hagyd így: 1 2 3 4. Más teszi a zsebekbe.",
    single_how: [
        "Keverd meg a paklit, majd ossz lefelé fordítva, számonként egy lapot.",
        "Minden számsor egyszer használható: utána húzd át a lapot.",
    ],
    extra: "Végül ez az osztó vagy egy harmadik: kezek a zsebekbe",
    extra_how: "a második osztó ne lássa",
    top: "felül",
    bottom: "alul",
    check: "ellenőrző",
    piles: "halmok",
    fold: "itt hajtsd",
    secret: "Ne mutasd meg annak, akinél a másik lap van. Csak egy oldalra nyomtasd.",
    hand_records: "Kiosztások",
    curtain: "Függönylap",
    par: "Par",
    points: "Pontok",
    makes: "Teljesíthető",
    invalid: "nem így játszották: ez a leírás érvénytelen",
    passed: "körpassz",
};
