//! Figures of *Cryptographic Dark Chess*: what a player asks, computed from our board and from the classic grade.

use std::collections::BTreeSet;

use outis_crypto::andos::{Packing, SemiHonestKey, SemiHonestSecret, TOY, TOY_HALF};
use outis_crypto::codec::Encode;
use outis_dark_chess::classic::secrets::SHAPE;
use outis_dark_chess::classic::{Announced, Budget, Content, Phase, ROUNDS};
use outis_dark_chess::rules::board::{Bits, Color, Piece, Square, reach};
use outis_dark_chess::rules::side::Side;
use outis_dark_chess::rules::sight::{fronts, takers};

use super::found::{Found, said};
use super::{Entry, n, source};

/// Its figures, as `spec/figures.md` lists them.
pub const FIGURES: &[Entry] = &[
    Entry {
        id: "dark-chess.1",
        section: "5.1",
        what: "files and ranks of the board",
        theirs: "{1, 2, ..., 7, 8}",
        how: "the files and ranks that our squares have",
        find: |theirs| {
            let [files, ranks] = sides_of_board();
            Found::when(said(theirs).last() == Some(&files) && files == ranks, format!("{files} × {ranks}"))
        },
    },
    Entry {
        id: "dark-chess.2",
        section: "5.1",
        what: "squares that a player keeps track of",
        theirs: "64 squares",
        how: "squares of our board",
        find: |theirs| Found::numbers(theirs, &[n(Square::all().count())]),
    },
    Entry {
        id: "dark-chess.3",
        section: "5.1",
        what: "bits of the kind of a piece, empty and unknown included",
        theirs: "3 bits for the piece type",
        how: "the smallest width that holds all contents of a square",
        find: |theirs| Found::numbers(theirs, &[width(contents().len())]),
    },
    Entry {
        id: "dark-chess.4",
        section: "5.1",
        what: "bits of a square",
        theirs: "encoded in 4 bits",
        how: "the width of a secret of the classic grade, and that no two contents have one code",
        find: |theirs| {
            let codes: BTreeSet<u8> = Color::ALL
                .into_iter()
                .flat_map(|color| contents().into_iter().map(move |content| content.code(color)))
                .collect();
            Found::numbers(theirs, &[n(SHAPE.bits())]).and(width(codes.len()) == n(SHAPE.bits()))
        },
    },
    Entry {
        id: "dark-chess.5",
        section: "5.1",
        what: "coordinates of c4 in the example",
        theirs: "c4 … S_{W,3,4}",
        how: "file and rank of our square c4, counted from 1",
        find: |theirs| {
            let c4: Square = "c4".parse().expect("a square");
            let (file, rank) = (c4.file() + 1, c4.rank() + 1);
            Found::when(theirs.ends_with(&format!("S_{{W,{file},{rank}}}")), format!("{file}, {rank}"))
        },
    },
    Entry {
        id: "dark-chess.6",
        section: "5.4, Definition 2",
        what: "questions for a knight at most",
        theirs: "max(Knight) = 8",
        how: "the most squares that it looks at from anywhere on an empty board; the classic grade asks as many",
        find: |theirs| bound(theirs, Piece::Knight),
    },
    Entry {
        id: "dark-chess.7",
        section: "5.4, Definition 2",
        what: "questions for a bishop at most",
        theirs: "max(Bishop) = 13",
        how: "the most squares that it looks at from anywhere on an empty board; the classic grade asks as many",
        find: |theirs| bound(theirs, Piece::Bishop),
    },
    Entry {
        id: "dark-chess.8",
        section: "5.4, Definition 2",
        what: "questions for a rook at most",
        theirs: "max(Rook) = 14",
        how: "the most squares that it looks at from anywhere on an empty board; the classic grade asks as many",
        find: |theirs| bound(theirs, Piece::Rook),
    },
    Entry {
        id: "dark-chess.9",
        section: "5.4, Definition 2",
        what: "questions for a king at most",
        theirs: "max(King) = 8",
        how: "the most squares that it looks at from anywhere on an empty board; the classic grade asks as many",
        find: |theirs| bound(theirs, Piece::King),
    },
    Entry {
        id: "dark-chess.10",
        section: "5.4, Definition 2",
        what: "questions for a queen at most",
        theirs: "max(Queen) = 27",
        how: "the most squares that it looks at from anywhere on an empty board; the classic grade asks as many",
        find: |theirs| bound(theirs, Piece::Queen),
    },
    Entry {
        id: "dark-chess.11",
        section: "5.4, Definition 2",
        what: "questions for a pawn at most",
        theirs: "max(Pawn) = 27",
        how: "the same for whatever a pawn may become; the classic grade asks as many",
        find: |theirs| bound(theirs, Piece::Pawn),
    },
    Entry {
        id: "dark-chess.12",
        section: "5.4",
        what: "squares that a pawn looks at by itself, over the three phases",
        theirs: "an upper bound of 5",
        how: "front diagonals, squares ahead and squares beside it, the most over all squares",
        find: |theirs| Found::numbers(theirs, &[pawn_itself()]),
    },
    Entry {
        id: "dark-chess.13",
        section: "5.4, Definition 3",
        what: "the bound of one of the four diagonals",
        theirs: "n < min(i-1, 8-j)",
        how: "the query sets as printed, counted on every square, against the reach of our bishop",
        find: |_| printed_diagonal(),
    },
    Entry {
        id: "dark-chess.14",
        section: "5.4, pawn phase",
        what: "squares ahead that a pawn asks for",
        theirs: "j > 2 … j = 2 … j < 7 … j = 7",
        how: "the squares ahead of a pawn, for both colours and every square that a pawn can stand on",
        find: |_| {
            let (right, of) = squares_ahead();
            Found::all(right, of, "squares of pawns")
        },
    },
    Entry {
        id: "dark-chess.15",
        section: "5.4, en passant phase",
        what: "ranks from which a pawn takes in passing",
        theirs: "W and j = 5 … B and j = 4",
        how: "the ranks of our squares from which a pawn takes in passing, White then Black",
        find: |theirs| {
            let ranks = Color::ALL.map(passing_ranks);
            Found::numbers(theirs, &ranks.clone().map(|ranks| n(ranks[0])))
                .and(ranks.iter().all(|ranks| ranks.len() == 1))
        },
    },
    Entry {
        id: "dark-chess.16",
        section: "5.4",
        what: "secrets of a list and their bits",
        theirs: "64 4-bit secrets",
        how: "the shape of the lists of the classic grade",
        find: |theirs| Found::numbers(theirs, &[n(SHAPE.secrets()), n(SHAPE.bits())]),
    },
    Entry {
        id: "dark-chess.17",
        section: "5.4",
        what: "number of a secret",
        theirs: "k = 8(j - 1) + i",
        how: "our number of every square, counted from 1",
        find: |_| {
            let right = Square::all()
                .filter(|square| square.index() + 1 == 8 * usize::from(square.rank()) + usize::from(square.file()) + 1);
            Found::all(right.count(), Square::all().count(), "squares")
        },
    },
    Entry {
        id: "dark-chess.18",
        section: "5.4, step 7",
        what: "numbers in a whole packet",
        theirs: "1 ≤ k ≤ 64 and 1 ≤ j ≤ 4",
        how: "the numbers of a whole packet as it is sent, with a modulus of 256 bits",
        find: |theirs| {
            let count = numbers_of_a_packet();
            let said = said(theirs);
            Found::when(said.len() == 4 && count == said[1] * said[3], format!("{count} numbers"))
        },
    },
    Entry {
        id: "dark-chess.19",
        section: "5.5",
        what: "steps of a turn of both players",
        theirs: "10. P_W QUERY",
        how: "for each of two movers: MOVE, then RESET and QUERY of both",
        find: |theirs| {
            let sides = n(Color::ALL.len());
            Found::numbers(theirs, &[sides * (1 + 2 * sides)])
        },
    },
    Entry {
        id: "dark-chess.20",
        section: "5.6",
        what: "questions for three pawns",
        theirs: "3 pawns requires 81 queries",
        how: "the general phase of the first protocol for as many pawns (all three phases, padded alike, would be three times that)",
        find: |theirs| {
            let pawns = said(theirs)[0];
            let mut counts = [0; 6];
            counts[Piece::Pawn.index()] = pawns as u8;
            Found::numbers(theirs, &[pawns, asked(Budget::Document, &Announced(counts), Phase::General)])
        },
    },
    Entry {
        id: "dark-chess.21",
        section: "5.6",
        what: "questions that suffice for everything",
        theirs: "at most 88",
        how: "the bounded budget, for all pieces and for a king alone",
        find: |theirs| {
            let king = Announced([0, 0, 0, 0, 0, 1]);
            let total = |announced: &Announced| n(Budget::Bound.total(announced));
            Found::numbers(theirs, &[total(&Announced::START)]).and(total(&king) == total(&Announced::START))
        },
    },
    Entry {
        id: "dark-chess.22",
        section: "5.6",
        what: "of these, in the general phase",
        theirs: "64 in general phase",
        how: "the bounded budget",
        find: |theirs| Found::numbers(theirs, &[asked(Budget::Bound, &Announced::START, Phase::General)]),
    },
    Entry {
        id: "dark-chess.23",
        section: "5.6",
        what: "of these, in the en passant phase",
        theirs: "8 in en passant phase",
        how: "the bounded budget",
        find: |theirs| Found::numbers(theirs, &[asked(Budget::Bound, &Announced::START, Phase::Passant)]),
    },
    Entry {
        id: "dark-chess.24",
        section: "5.6",
        what: "of these, in the pawn phase",
        theirs: "16 in pawn phase",
        how: "the bounded budget",
        find: |theirs| Found::numbers(theirs, &[asked(Budget::Bound, &Announced::START, Phase::Pawn)]),
    },
    Entry {
        id: "dark-chess.25",
        section: "5.6",
        what: "squares worth a question at the start",
        theirs: "–",
        how: "the board without the pieces of one side",
        find: |_| {
            Found::derived((Square::all().count() - Side::start(Color::White).occupied().len() as usize).to_string())
        },
    },
    Entry {
        id: "dark-chess.26",
        section: "5.4",
        what: "questions of the general phase at the start",
        theirs: "–",
        how: "the first protocol with all pieces on the board",
        find: |_| Found::derived(asked(Budget::Document, &Announced::START, Phase::General).to_string()),
    },
    Entry {
        id: "dark-chess.27",
        section: "5.4",
        what: "questions of a QUERY at the start if the other two phases are padded as the first",
        theirs: "–",
        how: "the first protocol, and for each pawn as many questions twice more",
        find: |_| {
            let general = asked(Budget::Document, &Announced::START, Phase::General);
            let pawns = i64::from(Announced::START.0[Piece::Pawn.index()]);
            Found::derived((general + 2 * pawns * of_piece(Piece::Pawn)).to_string())
        },
    },
];

/// The explanation of F15.
const DIAGONAL: &str = "With this bound no bishop asks for more than 12 squares, while Definition 2 of the same section says 13. A bishop \
     on h1 never asks for a8 (F15).";

/// The number of files and of ranks.
fn sides_of_board() -> [i64; 2] {
    let count = |of: fn(Square) -> u8| n(Square::all().map(of).collect::<BTreeSet<u8>>().len());
    [count(Square::file), count(Square::rank)]
}

/// The number of bits that distinguish this many values.
fn width(things: usize) -> i64 {
    (0..).find(|bits| 1usize << *bits >= things).expect("few things")
}

/// Everything that a square may contain, as an answer encodes it.
fn contents() -> Vec<Content> {
    let pieces = Piece::ALL.into_iter().map(Content::Piece);
    pieces.chain([Content::Empty, Content::Unknown]).collect()
}

/// The number of questions in a phase.
fn asked(budget: Budget, announced: &Announced, phase: Phase) -> i64 {
    (0..ROUNDS).map(|round| n(budget.questions(announced, phase, round))).sum()
}

/// The number of questions that the classic grade asks for one piece in the general phase.
fn of_piece(piece: Piece) -> i64 {
    let mut counts = [0; 6];
    counts[piece.index()] = 1;
    asked(Budget::Document, &Announced(counts), Phase::General)
}

/// The most squares that a piece sees from any square of an empty board.
fn most(piece: Piece) -> i64 {
    let seen = |from| i64::from(reach(Color::White, piece, from, Bits::EMPTY).len());
    Square::all().map(seen).max().unwrap_or(0)
}

/// max(p) of Definition 2.
fn bound(theirs: &str, piece: Piece) -> Found {
    let becomes = Piece::PROMOTIONS.into_iter().filter(|_| piece == Piece::Pawn);
    let looks = becomes.chain([piece]).map(most).max().unwrap_or(0);
    Found::numbers(theirs, &[looks]).and(of_piece(piece) == looks)
}

/// Squares on which pawns can stand.
fn of_pawns() -> impl Iterator<Item = Square> {
    Square::all().filter(|square| (1..7).contains(&square.rank()))
}

/// The most squares that a pawn looks at in all three phases.
fn pawn_itself() -> i64 {
    let looks = |from: Square| {
        let beside = (0..8).filter(|file| takers(Color::White, *file).has(from)).count();
        n(reach(Color::White, Piece::Pawn, from, Bits::EMPTY).len()) + n(fronts(Color::White, from).count() + beside)
    };
    of_pawns().map(looks).max().unwrap_or(0)
}

/// The number of squares on a bishop's diagonals as printed, with `<` in one of them (F15).
fn printed_diagonals(square: Square) -> i64 {
    let (i, j) = (n(square.file()) + 1, n(square.rank()) + 1);
    let north_west = ((i - 1).min(8 - j) - 1).max(0);
    (8 - i.max(j)) + (8 - i).min(j - 1) + north_west + (i.min(j) - 1)
}

fn printed_diagonal() -> Found {
    let printed = Square::all().map(printed_diagonals).max().unwrap_or(0);
    let ours = |square| n(reach(Color::White, Piece::Bishop, square, Bits::EMPTY).len());
    let differ = Square::all().filter(|square| printed_diagonals(*square) != ours(*square)).count();
    let h1: Square = "h1".parse().expect("a square");
    let argument = printed < most(Piece::Bishop) && printed_diagonals(h1) + 1 == ours(h1);
    let squares = format!(
        "{printed} squares at most by the printed sets, {} by Definition 2 and by ours; {differ} squares differ",
        most(Piece::Bishop)
    );
    Found::wrong(argument, squares, DIAGONAL)
}

/// From how many squares pawns of either colour ask for as many squares ahead as printed, and how many squares there
/// are.
fn squares_ahead() -> (usize, usize) {
    let mut right = 0;
    for (color, home) in [(Color::White, 2), (Color::Black, 7)] {
        let printed = |pawn: &Square| if pawn.rank() + 1 == home { 2 } else { 1 };
        right += of_pawns().filter(|pawn| fronts(color, *pawn).count() == printed(pawn)).count();
    }
    (right, Color::ALL.len() * of_pawns().count())
}

/// The ranks, counted from 1, from which a colour captures en passant.
fn passing_ranks(color: Color) -> Vec<u8> {
    let ranks: BTreeSet<u8> = (0..8)
        .flat_map(|file| takers(color, file).iter().collect::<Vec<_>>())
        .map(|square| square.rank() + 1)
        .collect();
    ranks.into_iter().collect()
}

/// The count of numbers in a whole packet, without the index at its end.
fn numbers_of_a_packet() -> i64 {
    let rng = &mut source();
    let secret = SemiHonestSecret::<TOY, TOY_HALF>::random(rng);
    let list = secret.seal(&[0; SHAPE.secrets()], SHAPE.bits(), rng).expect("a list of that shape");
    let (packet, _) = secret.key().ask(&list, 0, Packing::Full, rng).expect("a question about it");
    n((packet.to_bytes().len() - size_of::<u16>()) / SemiHonestKey::<TOY>::ELEMENT)
}
