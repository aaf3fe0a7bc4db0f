//! The words on paper, in English and Hungarian.

use crate::board::{Board, Vulnerability};
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
    /// Before the number of a board, and after it.
    pub numbered: [&'static str; 2],
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
    /// Before the order of suits, and after it: then follows the first card.
    pub sort: [&'static str; 2],
    pub first_how: [&'static str; 2],
    pub second_how: [&'static str; 2],
    /// The last step without and with an extra permutation, when the hands are left for someone else.
    pub pockets: &'static str,
    pub second_extra: &'static str,
    pub single_how: [&'static str; 2],
    pub extra: &'static str,
    /// The heading of the third person's sheet, what to do, and what not to do.
    pub third: [&'static str; 3],
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
    /// Before the numbers of the boards whose records are invalid (BR-17).
    pub invalid_list: &'static str,
    /// The heading of a sorting slip, its steps, and who followed them (BR-22).
    pub sorting: &'static str,
    pub sorting_how: [&'static str; 3],
    pub sorted_by: &'static str,
    pub passed: &'static str,
    pub seal: &'static str,
    /// How to use the seal: before play, after play.
    pub seal_how: [&'static str; 3],
    pub amended: &'static str,
    /// Boards dealt by people who make mistakes, and what became of them.
    pub simulated: &'static str,
    pub cures: [&'static str; 6],
    /// Steps of dealing: sorting, a card, stacking, counting, pockets, boards dealt again; first deal, second deal, all, and what a
    /// measured time means for a card.
    pub times: [&'static str; 10],
    pub repair: Repair,
}

/// What to do about a fouled board. Lists follow some of them.
pub(crate) struct Repair {
    pub right: &'static str,
    pub counts: &'static str,
    pub moved: &'static str,
    pub suits: &'static str,
    pub cards: &'static str,
    pub different: &'static str,
    pub look: &'static str,
    pub count: &'static str,
    pub missing: &'static str,
    pub several: &'static str,
}

impl Words {
    /// A board by its number.
    pub(crate) fn board(&self, board: Board) -> String {
        let [before, after] = self.numbered;
        format!("{before}{board}{after}")
    }

    pub(crate) fn side(&self, vulnerability: Vulnerability) -> &'static str {
        self.sides[match vulnerability {
            Vulnerability::None => 0,
            Vulnerability::NorthSouth => 1,
            Vulnerability::EastWest => 2,
            Vulnerability::Both => 3,
        }]
    }

    pub(crate) const fn seat(&self, seat: Seat) -> &'static str {
        self.seats[seat.index()]
    }
}

const ENGLISH: Words = Words {
    numbered: ["Board ", ""],
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
    sort: ["Sort the pack, from the top:", "each Ace to 2, face down. First card:"],
    first_how: [
        "Deal one card per number, face down, on top of pile 1, 2, 3 or 4.",
        "Put pile 1 on pile 2, both on 3, all on 4. Pass the pack on.",
    ],
    second_how: [
        "Take the pack you were given. Deal one card per number, face down.",
        "Count 13 cards in each hand. Shuffle each hand briefly.",
    ],
    pockets: "Put the hands into their pockets:",
    second_extra: "Leave the hands as 1 2 3 4. Another person puts them into the pockets.",
    single_how: [
        "Shuffle the pack, then deal face down, one card per number.",
        "Use each row of numbers once: cross out the sheet afterwards.",
    ],
    extra: "When the other person has dealt, put the hands into the pockets:",
    third: [
        "Put the hands into the pockets",
        "When both dealers have finished a board, put its four hands into these pockets and tick the box.",
        "Show this sheet to neither dealer.",
    ],
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
    invalid: "invalid record: not what was played",
    invalid_list: "Invalid records (not what was played)",
    sorting: "Sort this board for next time",
    sorting_how: [
        "Take all four hands of the board. Sort them into suits, each from the Ace down to the 2.",
        "Put each suit face down in a packet of its own, the Ace on top.",
        "Put the four packets into the board, in any order, and tick the box.",
    ],
    sorted_by: "Sorted by",
    passed: "passed out",
    seal: "Seal",
    seal_how: [
        "Pin this up before play. It fixes all boards and reveals nothing about them.",
        "After play, anyone can check that the hand records are the boards that were fixed:",
        "outis bridge check RECORDS --seal and the digits above",
    ],
    amended: "amended: not as sealed before play",
    simulated: "{} boards dealt by people who make mistakes",
    cures: [
        "as recorded",
        "found by counting, before anyone looks (BR-20)",
        "hands in the wrong pockets: moved without looking",
        "suits exchanged: rename them in the record (BR-21)",
        "a few cards: curtain cards or a non-player (BR-18, BR-19)",
        "record invalid, but still a good random deal (BR-15, BR-17)",
    ],
    times: [
        "Sorting the pack",
        "A card",
        "Stacking the piles",
        "Counting and shuffling the hands",
        "Into the pockets",
        "Boards dealt again",
        "First deal of a board",
        "Second deal of a board",
        "All boards",
        "A card, by the measured time",
    ],
    repair: Repair {
        right: "The cards are as recorded.",
        counts: "The hands are not a complete deal. Repair this first, before anyone looks at more cards:",
        moved: "The hands are right but in the wrong pockets. Without looking at any card, move these hands:",
        suits: "The pack was sorted in the wrong order of suits. Leave the cards and rename the suits in the record:",
        cards: "A few cards are in the wrong hands. Before play, someone who is not playing moves them; after play, \
                amend the record instead:",
        different: "{} cards differ. Play the board as it is and declare its record invalid.",
        look: "There is more than one explanation. Someone who is not playing looks at this hand next: {}.",
        count: "{what} has {n} cards",
        missing: "{what} is in no hand",
        several: "{what} is in more than one hand",
    },
};

const HUNGARIAN: Words = Words {
    numbered: ["", ". kiosztás"],
    dealer: "Osztó:",
    vulnerable: "Bella:",
    sides: ["senki", "É–D", "K–Ny", "mind"],
    seats: ["Észak", "Kelet", "Dél", "Nyugat"],
    letters: ["É", "K", "D", "Ny"],
    person: "Osztólap:",
    boards: "kiosztások:",
    first: "ELSŐ OSZTÁS",
    second: "MÁSODIK OSZTÁS",
    single: "VÉLETLEN OSZTÁS",
    sort: ["Rendezd a paklit, felülről:", "mind ásztól 2-ig, képpel lefelé. Első lap:"],
    first_how: [
        "Ossz képpel lefelé, számonként egy lapot az 1–4. halom tetejére.",
        "Tedd az 1. halmot a 2.-ra, ezt a 3.-ra, mindet a 4.-re. Add tovább.",
    ],
    second_how: [
        "Fogd a kapott paklit. Ossz képpel lefelé, számonként egy lapot.",
        "Számold meg: minden kézben 13 lap. Keverd meg röviden mindegyiket.",
    ],
    pockets: "Tedd a kezeket a zsebekbe:",
    second_extra: "Hagyd a kezeket így: 1 2 3 4. Más teszi őket a zsebekbe.",
    single_how: [
        "Keverd meg a paklit, majd ossz képpel lefelé, számonként egy lapot.",
        "Minden számsor csak egyszer használható: utána húzd át a lapot.",
    ],
    extra: "Amikor a másik osztó végzett, tedd a kezeket a zsebekbe:",
    third: [
        "Tedd a kezeket a zsebekbe",
        "Amikor mindkét osztó végzett egy kiosztással, tedd a négy kezet ezekbe a zsebekbe, és pipáld ki.",
        "Egyik osztónak se mutasd meg ezt a lapot.",
    ],
    top: "felül",
    bottom: "alul",
    check: "ellenőrző",
    piles: "halmok",
    fold: "itt hajtsd",
    secret: "Ne mutasd meg annak, akinél a másik lap van. Csak egy oldalra nyomtasd.",
    hand_records: "Leírások",
    curtain: "Függönylap",
    par: "Par",
    points: "Pontok",
    makes: "Teljesíthető",
    invalid: "érvénytelen leírás: nem ezt játszották",
    invalid_list: "Érvénytelen leírások (nem ezt játszották)",
    sorting: "Rendezd ezt a paklit a következő alkalomra",
    sorting_how: [
        "Vedd ki a tokból mind a négy kezet. Rendezd színek szerint, mindegyiket ásztól 2-ig.",
        "Minden szín külön csomag legyen, képpel lefelé, felül az ász.",
        "Tedd a négy csomagot bármilyen sorrendben a tokba, és pipáld ki a négyzetet.",
    ],
    sorted_by: "Rendezte",
    passed: "körpassz",
    seal: "Pecsét",
    seal_how: [
        "Játék előtt tűzd ki. Rögzíti az összes kiosztást, és semmit sem árul el róluk.",
        "Játék után bárki ellenőrizheti, hogy a leírásokban a rögzített kiosztások vannak-e:",
        "outis bridge check LEÍRÁSOK --seal és a fenti számjegyek",
    ],
    amended: "javítva: nem az, amit a pecsét rögzített",
    simulated: "{} kiosztás, hibázó emberek osztották",
    cures: [
        "a leírással egyezik",
        "számolással kiderül, mielőtt bárki belenéz (BR-20)",
        "kezek rossz zsebben: belenézés nélkül áttehetők",
        "felcserélt színek: a leírásban kell kicserélni (BR-21)",
        "néhány lap: függönylappal, vagy olyan javítja, aki nem játszik (BR-18, BR-19)",
        "a leírás érvénytelen, de véletlen kiosztásnak jó (BR-15, BR-17)",
    ],
    times: [
        "A pakli rendezése",
        "Egy lap",
        "A halmok összerakása",
        "A kezek megszámolása és megkeverése",
        "Zsebekbe",
        "Újraosztva",
        "Egy kiosztás első osztása",
        "Egy kiosztás második osztása",
        "Minden kiosztás",
        "Egy lap a mért idő szerint",
    ],
    repair: Repair {
        right: "A lapok megegyeznek a leírással.",
        counts: "A kezek nem adnak ki teljes kiosztást. Előbb ezt javítsátok; addig senki se nézzen meg több lapot:",
        moved: "A kezek jók, de rossz zsebben vannak. A lapok megnézése nélkül tedd át ezeket a kezeket:",
        suits: "A paklit rossz színsorrendben rendezték. A lapok maradjanak, a leírásban cseréld fel a színeket:",
        cards: "Néhány lap rossz kézben van. Játék előtt olyasvalaki teszi helyre, aki nem játszik; játék után inkább \
                a leírást javítsd:",
        different: "{} lap eltér. Játsszátok így, és a leírást nyilvánítsátok érvénytelennek.",
        look: "Több magyarázat is lehetséges. Valaki, aki nem játszik, ezt a kezet nézze meg: {}.",
        count: "{what}: {n} lap",
        missing: "{what} egyik kézben sincs",
        several: "{what} több kézben is ott van",
    },
};
