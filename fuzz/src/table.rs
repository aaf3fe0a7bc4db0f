//! A finished game of matching pennies, with all its messages.

use std::sync::{Arc, OnceLock};

use outis_crypto::sra::classic::Role;
use outis_dark_chess::protocol::charter::Charter;
use outis_dark_chess::protocol::step::Kind as ChessKind;
use outis_dark_chess::rules::board::Color;
use outis_high_card::protocol::step::Kind as CardKind;
use outis_matching_pennies::protocol::{Hand, Kind};
use outis_matching_pennies::rules::Options;
use outis_poker::protocol::deal::{Kind as DealKind, Scheme};
use outis_poker::protocol::step::Kind as PokerKind;
use outis_table::codec::{Decode, Encode};
use outis_table::entry::{Entry, Place};
use outis_table::evidence::Equivocation;
use outis_table::export::{self, Record};
use outis_table::game::{Checks, Grade, Referee};
use outis_table::judged_log::{JudgedLog, Stage};
use outis_table::keys::KeyKind;
use outis_table::offer::{Offer, Ticket};
use outis_table::seal::SealKey;
use outis_table::session::wire::{Frame, Status};
use outis_table::session::{Config, Session};
use outis_table::{Head, Seat};
use outis_tarokk::cost::Sample;
use outis_tarokk::protocol::Table as Tarokk;
use outis_tarokk::protocol::grade::Tools;
use outis_tarokk::protocol::step::Kind as TarokkKind;
use outis_testkit::World;
use outis_testkit::people::identity;
use outis_zherotag::protocol::Hand as ZheroTag;
use outis_zherotag::protocol::step::Kind as ZheroTagKind;
use outis_zherotag::rules::Options as ZheroTagOptions;
use rand_chacha::ChaCha20Rng;

const SEED: u64 = 1;
const OPTIONS: Options = Options { throws: 2, clock: 0 };

/// What was said.
pub struct Recorded {
    /// Every frame.
    pub frames: Vec<Vec<u8>>,
    /// An entry with a payload.
    pub entry: Entry,
    /// What was agreed.
    pub offer: Offer,
}

/// The one table of a process; always the same.
pub fn recorded() -> &'static Recorded {
    static RECORDED: OnceLock<Recorded> = OnceLock::new();
    RECORDED.get_or_init(|| {
        let played = World::<Hand>::new(&OPTIONS, 2, SEED).captured().play();
        let (offer, _) = export::read(&played.logs[0]).expect("an honest log is readable");
        let spoken = |frame: &Vec<u8>| match Frame::from_bytes(frame, &()) {
            Ok(Frame::Entry(entry)) if !entry.payload().is_empty() => Some(entry),
            _ => None,
        };
        let entry = played.frames.iter().find_map(spoken).expect("somebody said something");
        Recorded { frames: played.frames, entry, offer }
    })
}

/// The offer of that table.
pub fn offer() -> &'static Offer {
    &recorded().offer
}

/// A session of seat 0 that has just sat down at that very table.
pub fn sit(rng: &mut ChaCha20Rng) -> Session<Hand> {
    let ticket = Ticket::from_unused_nonce(offer().seats[0].nonce);
    let config = Config { patience: Some(60_000), ..Config::default() };
    Session::new(offer().clone(), ticket, identity(SEED, Seat(0)), SealKey::new([1; 32]), config, 0, rng)
        .expect("an honest seat sits down")
}

/// A proof of equivocation that convicts.
pub fn equivocation() -> Equivocation {
    let place = Place { round: 1, seat: Seat(1) };
    let say = |byte| Entry::dangerously_sign(&identity(SEED, Seat(1)), offer().id(), place, Head([0; 32]), vec![byte]);
    Equivocation::find(offer(), offer().id(), &say(1), &say(2)).expect("two different entries for one place")
}

/// A claim of silence: 39 bytes and a signature, which no decoder checks.
pub fn silence() -> Vec<u8> {
    vec![1; 103]
}

/// A status.
pub fn status() -> Vec<u8> {
    let have = outis_table::seats::Seats::all(1);
    Frame::Status(Status { round: 1, head: Head([2; 32]), have, ask: true, token: 3 }).to_bytes()
}

/// A kind of step of matching pennies.
pub fn penny(which: usize) -> &'static Kind {
    if which.is_multiple_of(2) { &Kind::Lay } else { &Kind::Show }
}

/// A grade of high card.
pub fn grade(which: usize) -> Grade {
    Grade::ALL[1 - which % 2]
}

/// A kind of step of tarokk, as far as it does not depend on the game in progress.
pub fn tarokk_step(which: usize) -> TarokkKind {
    static TOOLS: OnceLock<[Tools; 2]> = OnceLock::new();
    let tools =
        |which: usize| TOOLS.get_or_init(|| Grade::ALL.map(|grade| Tools::new(grade, "tarokk")))[which % 2].clone();
    match which % 6 {
        0 => TarokkKind::Sum,
        1 => TarokkKind::Key(KeyKind::Commit),
        2 => TarokkKind::Key(KeyKind::Reveal),
        3 => TarokkKind::Shuffle(tools(which / 6)),
        4 => TarokkKind::Hand(tools(which / 6)),
        _ => TarokkKind::Draw(vec![9, 9, which % 10]),
    }
}

/// A step that somebody said in a deal of tarokk: what it was for, the kind that was due, its bytes.
pub struct Turn {
    what: &'static str,
    /// What a decoder must know.
    pub kind: TarokkKind,
    /// What was said.
    pub said: Vec<u8>,
}

/// Every step of two deals of tarokk, with four seats and with five.
pub fn tarokk_turns() -> &'static [Turn] {
    static TURNS: OnceLock<Vec<Turn>> = OnceLock::new();
    TURNS.get_or_init(|| {
        let deals = [4, 5].into_iter().flat_map(|seats| Sample::deals(seats, Grade::Hardened, || 0.0).take(1));
        deals.flat_map(|deal| turns_of(&deal.log)).collect()
    })
}

fn turns_of(log: &[u8]) -> Vec<Turn> {
    let (offer, records) = export::read(log).expect("an honest log is readable");
    let mut trial = JudgedLog::<Tarokk>::new(offer, Checks::default()).expect("an honest offer");
    let mut turns = Vec::new();
    for record in records {
        let Ok(Record::Entry(entry)) = record else { continue };
        if let (Stage::Steps(expectation), Some(referee)) = (trial.stage(), trial.referee()) {
            let (what, kind) = (expectation.what, referee.shape(entry.place().seat));
            turns.push(Turn { what, kind, said: entry.payload().to_vec() });
        }
        trial.admit(&entry);
    }
    turns
}

/// One of these steps, whatever the number.
pub fn tarokk_turn(which: usize) -> &'static Turn {
    let turns = tarokk_turns();
    &turns[which % turns.len()]
}

/// The longest step of some round.
pub fn tarokk_longest(what: &str) -> usize {
    let of_round = tarokk_turns().iter().enumerate().filter(|(_, turn)| turn.what == what);
    of_round.max_by_key(|(_, turn)| turn.said.len()).map_or(0, |(at, _)| at)
}

/// What is due while cards are dealt at poker.
pub fn poker_deal(which: usize, size: usize) -> DealKind {
    match which % 15 {
        0 => DealKind::Layer(size),
        1 => DealKind::Removal(size),
        2 => DealKind::Key(KeyKind::Commit),
        3 => DealKind::Key(KeyKind::Reveal),
        4 => DealKind::Shuffle(size),
        5 => DealKind::Shares(size),
        6 => DealKind::FirstDecks(size),
        7 => DealKind::SecondDecks(size),
        8 => DealKind::Keep(size),
        9 => DealKind::FirstOpening(size),
        10 => DealKind::SecondOpening(size),
        11 => DealKind::Draw { asked: size % 64, dealt: size / 64 },
        12 => DealKind::Answer(size),
        13 => DealKind::TurnUp(size),
        _ => DealKind::Nothing,
    }
}

/// The scheme and the number of shown cards.
pub fn poker_shown(which: usize) -> (Scheme, usize) {
    let scheme = match which % 4 {
        0 => Scheme::Layers,
        1 => Scheme::Shares,
        2 => Scheme::Classic(Role::First),
        _ => Scheme::Classic(Role::Second),
    };
    (scheme, which / 4)
}

/// A kind of step of poker.
pub fn poker_step(which: usize, size: usize) -> PokerKind {
    let (scheme, cards) = poker_shown(size);
    match which % 7 {
        0 => PokerKind::Play,
        1 => PokerKind::Bet,
        2 => PokerKind::Discard,
        3 => PokerKind::Show(scheme, cards),
        4 => PokerKind::Decide,
        5 => PokerKind::Open(scheme, cards),
        _ => PokerKind::Deal(poker_deal(which / 7, size)),
    }
}

/// A kind of step of ZheroTag.
pub fn zherotag_step(which: usize) -> ZheroTagKind {
    let grid = grid(which / 8);
    match which % 8 {
        0 => ZheroTagKind::Key(KeyKind::Commit),
        1 => ZheroTagKind::Key(KeyKind::Reveal),
        2 => ZheroTagKind::Turn(Grade::Hardened, 4),
        3 => ZheroTagKind::Turn(Grade::Classic, grid),
        4 => ZheroTagKind::Answer,
        5 => ZheroTagKind::Reply(grid, true),
        6 => ZheroTagKind::Reply(grid, false),
        _ => ZheroTagKind::Show,
    }
}

/// A size of a grid, or something that is none.
pub fn grid(size: usize) -> u8 {
    size as u8
}

/// Parts of the steps of two short games of ZheroTag, one in each grade.
pub fn zherotag(part: &str) -> Vec<u8> {
    static SAID: OnceLock<[Vec<Vec<u8>>; 2]> = OnceLock::new();
    let said = SAID.get_or_init(|| {
        [Grade::Hardened, Grade::Classic].map(|grade| {
            let options = ZheroTagOptions { grid: 4, limit: 1, clock: 0, replay: false, sealed: false };
            let played = World::<ZheroTag>::new(&options, 2, SEED).grade(grade).play();
            let (_, records) = export::read(&played.logs[0]).expect("an honest log is readable");
            let payload = |record| match record {
                Ok(Record::Entry(entry)) if !entry.payload().is_empty() => Some(entry.payload().to_vec()),
                _ => None,
            };
            records.filter_map(payload).collect()
        })
    });
    // A tag, a place and the proof of a step; then what differs.
    let (place, step) = (128, 992);
    let turn = |grade: usize| said[grade].iter().max_by_key(|said| said.len()).expect("a move").clone();
    match part {
        "place" => turn(0)[1..][..place].to_vec(),
        "grid" => turn(0)[1 + place + step..][..768].to_vec(),
        "ask" => said[1][said[1].len() - 3][1 + place + step..].to_vec(),
        "reply" => said[1][said[1].len() - 1].clone(),
        "move" => turn(0)[1..].to_vec(),
        _ => turn(0),
    }
}

/// A kind of step of high card.
pub fn card_step(which: usize, size: usize) -> CardKind {
    match which % 5 {
        0 => CardKind::Key(KeyKind::Commit),
        1 => CardKind::Key(KeyKind::Reveal),
        2 => CardKind::Shuffle(size, grade(which / 5)),
        3 => CardKind::Draw(size),
        _ => CardKind::Call,
    }
}

/// The charter of a colour of dark chess.
pub fn charter(which: usize) -> Arc<Charter> {
    static CHARTERS: OnceLock<[Arc<Charter>; 2]> = OnceLock::new();
    CHARTERS.get_or_init(|| Color::ALL.map(|color| Arc::new(Charter::of(color))))[which % 2].clone()
}

/// A step of dark chess.
pub fn chess_step(which: usize, color: usize) -> ChessKind {
    match which % 7 {
        0 => ChessKind::Review,
        1 => ChessKind::Key(KeyKind::Commit),
        2 => ChessKind::Key(KeyKind::Reveal),
        3 => ChessKind::View,
        4 => ChessKind::Turn(charter(color), color / 2 % 2 == 1),
        5 => ChessKind::Show,
        _ => ChessKind::Nothing,
    }
}

/// A quiet move of the right form, whose proofs prove nothing: 536 codes, a selection of 1,874 entries, 66 cases.
pub fn chess_move(element: &[u8]) -> Vec<u8> {
    let scalar = [&[1][..], &[0; 31]].concat();
    let list = |parts: &[(bool, usize)]| {
        let part = |(is_element, n): &(bool, usize)| (if *is_element { element } else { &scalar }).repeat(*n);
        parts.iter().flat_map(part).collect::<Vec<u8>>()
    };
    let selection = [(true, 4 + 4 + 4), (false, 86 + 3), (true, 3), (false, 1)];
    let cases = [(true, 404), (false, 136 + 202)];
    [vec![0, 0], list(&[(true, 2 * 536)]), list(&selection), list(&cases)].concat()
}
