//! The view that is asked for is the view of the rules.

mod session;
mod table;

use outis_crypto::andos::{Packing, SemiHonestSecret, TOY, TOY_HALF};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use super::schedule::of_piece;
use super::secrets::{SHAPE, secrets};
use super::*;
use crate::rules::board::{Bits, Color, Piece, Square};
use crate::rules::moves::{Kind, Move};
use crate::rules::position::Position;
use crate::rules::side::Side;
use crate::rules::sight::View;

const BUDGETS: [Budget; 2] = [Budget::Document, Budget::Bound];

fn below(rng: &mut ChaCha20Rng, n: usize) -> usize {
    (rng.next_u32() as usize) % n.max(1)
}

/// A QUERY with the secrets told plainly.
fn plainly(color: Color, position: &Position, budget: Budget) -> Asker {
    let other = position.side(color.other());
    let mut asker = Asker::new(color, position.side(color), budget);
    while !asker.is_done() {
        let tell = |slot: &Slot| secrets(slot.phase, color.other(), other)[slot.square.index()];
        let codes: Vec<u8> = asker.plan().iter().map(tell).collect();
        asker.take(&codes).expect("the answers are true");
    }
    asker
}

/// One move: a special one if there is any, most of the time.
fn choose(rng: &mut ChaCha20Rng, moves: &[Move]) -> Move {
    let special =
        |mv: &&Move| mv.promotes.is_some() || matches!(mv.kind, Kind::Castle(_) | Kind::Passant | Kind::PushTwo);
    let specials: Vec<&Move> = moves.iter().filter(special).collect();
    if !specials.is_empty() && below(rng, 3) == 0 {
        return *specials[below(rng, specials.len())];
    }
    moves[below(rng, moves.len())]
}

/// Plays at random, and looks at the position after every move that does not end the game.
fn play(seed: u64, plies: usize, mut look: impl FnMut(&Position)) -> Vec<Kind> {
    let rng = &mut ChaCha20Rng::seed_from_u64(seed);
    let (mut position, mut kinds) = (Position::start(), Vec::new());
    look(&position);
    for _ in 0..plies {
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        let mv = choose(rng, &moves);
        kinds.push(mv.kind);
        position.play(&mv);
        if position.winner().is_some() {
            break;
        }
        look(&position);
    }
    kinds
}

#[test]
fn dc_33_the_view_is_that_of_the_rules_after_every_move() {
    let mut kinds = Vec::new();
    for seed in 0..40 {
        kinds.extend(play(seed, 160, |position| {
            for (color, budget) in Color::ALL.into_iter().flat_map(|color| BUDGETS.map(|budget| (color, budget))) {
                let asker = plainly(color, position, budget);
                assert_eq!(asker.view(), position.view(color), "{position} {color:?} {budget:?}");
                assert_eq!(asker.open_lines(), 0);
            }
        }));
    }
    for kind in Kind::ALL {
        assert!(kinds.contains(&kind), "{kind:?} never happened");
    }
}

#[test]
fn the_view_is_that_of_the_rules_through_the_cryptography() {
    let rng = &mut ChaCha20Rng::seed_from_u64(99);
    let keys = [(); 2].map(|()| SemiHonestSecret::<TOY, TOY_HALF>::random(rng));
    for (seed, budget, packing, plies) in [
        (1, Budget::Document, Packing::Compact, 12),
        (2, Budget::Bound, Packing::Compact, 40),
        (3, Budget::Bound, Packing::Full, 2),
    ] {
        play(seed, plies, |position| {
            for color in Color::ALL {
                let secret = &keys[color.other().index()];
                let lists = Lists::seal(secret, color.other(), position.side(color.other()), rng).unwrap();
                let mut asker = Asker::new(color, position.side(color), budget);
                while !asker.is_done() {
                    let (packets, queries) = asker.ask(secret.key(), &lists, packing, rng).unwrap();
                    let answers: Vec<_> = packets.iter().map(|packet| secret.answer(packet, SHAPE).unwrap()).collect();
                    asker.hear(&queries, &answers).unwrap();
                }
                assert_eq!(asker.view(), position.view(color), "{position} {color:?} {budget:?} {packing:?}");
            }
        });
    }
}

#[test]
fn dc_20_and_34_the_numbers_of_questions() {
    let total = |phase| (0..ROUNDS).map(|round| Budget::Document.questions(&Announced::START, phase, round)).sum();
    let totals: [usize; 3] = Phase::ALL.map(total);
    assert_eq!(totals, [321, 16, 16]);
    assert_eq!(Budget::Document.total(&Announced::START), 353);
    assert_eq!(Budget::Bound.total(&Announced::START), 88);
    assert_eq!(Budget::Bound.total(&Announced([0, 0, 0, 0, 0, 1])), 88, "whatever is on the board");
    let most = [(Piece::Knight, 8), (Piece::Bishop, 13), (Piece::Rook, 14), (Piece::King, 8), (Piece::Queen, 27)];
    for (piece, count) in most.into_iter().chain([(Piece::Pawn, 27)]) {
        let asked: usize = (0..ROUNDS).map(|round| of_piece(piece, Phase::General, round)).sum();
        assert_eq!(asked, count, "{piece:?}");
    }
}

/// Sizes of all rounds follow from what is announced: what the other hears of two very different positions is the same.
#[test]
fn dc_g9_rounds_have_the_same_size_whatever_is_seen() {
    for seed in 0..10 {
        play(seed, 120, |position| {
            for (color, budget) in Color::ALL.into_iter().flat_map(|color| BUDGETS.map(|budget| (color, budget))) {
                let mut asker = Asker::new(color, position.side(color), budget);
                let announced = *asker.announced();
                assert!(announced.is_possible());
                for round in 0..ROUNDS {
                    let plan = asker.plan();
                    for phase in Phase::ALL {
                        let asked = plan.iter().filter(|slot| slot.phase == phase).count();
                        assert_eq!(asked, budget.questions(&announced, phase, round));
                    }
                    let tell = |slot: &Slot| {
                        secrets(slot.phase, color.other(), position.side(color.other()))[slot.square.index()]
                    };
                    asker.take(&plan.iter().map(tell).collect::<Vec<_>>()).unwrap();
                }
            }
        });
    }
}

#[test]
fn dc_21_a_promoted_pawn_is_announced_as_a_pawn() {
    let mut side = Side::start(Color::White);
    side.pieces[Piece::Pawn.index()] &= !square("a2").bit();
    side.put(Piece::Queen, square("c5"));
    side.promoted = square("c5").bit();
    assert_eq!(Announced::of(&side), Announced::START);
    let position = Position { sides: [side, Side::start(Color::Black)], turn: Color::White };
    assert_eq!(plainly(Color::White, &position, Budget::Document).view(), position.view(Color::White));
    side.promoted = Bits::EMPTY;
    assert!(!Announced::of(&side).is_possible(), "two queens are not announced");
}

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

#[test]
fn f13_what_is_known_is_not_forgotten_in_front_of_a_pawn() {
    // The bishop on c1 and the pawn on e2 both look at e3.
    let position = Position::from_fen("4k3/8/8/8/8/4n3/4P3/2B1K3 w - - 0 1").unwrap();
    for budget in BUDGETS {
        let view = plainly(Color::White, &position, budget).view();
        assert_eq!(view.piece(square("e3")), Some(Piece::Knight));
        assert!(!view.blocked.has(square("e3")));
    }
}

#[test]
fn f14_and_f15_passing_is_seen_by_who_is_to_move_and_h1_sees_a8() {
    let mut position = Position::from_fen("4k3/8/8/8/3p4/8/4P3/4K2B w - - 0 1").unwrap();
    assert!(plainly(Color::White, &position, Budget::Document).view().seen.has(square("a8")));
    let double = position.moves().into_iter().find(|mv| mv.kind == Kind::PushTwo).unwrap();
    position.play(&double);
    assert_eq!(plainly(Color::Black, &position, Budget::Document).view().passant, Some(4));
    let other = position.moves().into_iter().find(|mv| mv.kind != Kind::Passant).unwrap();
    position.play(&other);
    assert_eq!(plainly(Color::Black, &position, Budget::Document).view().passant, None);
}

/// Any set of pieces anywhere, with anything in their way: all lines are walked to their ends within the rounds. Positions
/// that leave much open are changed a little and tried again, so this looks for the worst.
#[test]
fn eight_rounds_are_enough_for_any_set_of_pieces() {
    let rng = &mut ChaCha20Rng::seed_from_u64(5);
    for _ in 0..60 {
        let mut best = (0, random_sides(rng));
        for _ in 0..60 {
            let mut sides = best.1;
            for _ in 0..=below(rng, 3) {
                shift(rng, &mut sides);
            }
            let position = Position { sides, turn: Color::White };
            for budget in BUDGETS {
                let asker = plainly(Color::White, &position, budget);
                assert_eq!(asker.open_lines(), 0, "{position} {budget:?}");
                assert_eq!(asker.view(), position.view(Color::White), "{position} {budget:?}");
            }
            let need = rounds_needed(&position);
            if need >= best.0 {
                best = (need, sides);
            }
        }
        assert!(best.0 <= ROUNDS);
    }
}

fn rounds_needed(position: &Position) -> usize {
    let other = position.side(Color::Black);
    let mut asker = Asker::new(Color::White, position.side(Color::White), Budget::Bound);
    while !asker.is_done() && asker.open_lines() > 0 {
        let tell = |slot: &Slot| secrets(slot.phase, Color::Black, other)[slot.square.index()];
        asker.take(&asker.plan().iter().map(tell).collect::<Vec<_>>()).unwrap();
    }
    asker.round()
}

/// A king and up to fifteen pieces, eight of them whatever a pawn may become; of the other, few.
fn random_sides(rng: &mut ChaCha20Rng) -> [Side; 2] {
    let mut sides = [Side::default(); 2];
    let free = |sides: &[Side; 2], rng: &mut ChaCha20Rng| loop {
        let square = Square::all().nth(below(rng, 64)).unwrap();
        if sides.iter().all(|side| !side.occupied().has(square)) {
            return square;
        }
    };
    let rest = [
        Piece::King,
        Piece::Queen,
        Piece::Rook,
        Piece::Rook,
        Piece::Bishop,
        Piece::Bishop,
        Piece::Knight,
        Piece::Knight,
    ];
    for piece in rest.into_iter().take(1 + below(rng, 8)) {
        let at = free(&sides, rng);
        sides[0].put(piece, at);
    }
    for _ in 0..below(rng, 9) {
        let at = free(&sides, rng);
        sides[0].put([Piece::Queen, Piece::Rook, Piece::Queen][below(rng, 3)], at);
        sides[0].promoted |= at.bit();
    }
    for _ in 0..below(rng, 4) {
        let at = free(&sides, rng);
        sides[1].put(Piece::Knight, at);
    }
    sides
}

/// Moves one piece of White somewhere else.
fn shift(rng: &mut ChaCha20Rng, sides: &mut [Side; 2]) {
    let men: Vec<(Piece, Square)> = sides[0].men().collect();
    let Some((piece, from)) = men.get(below(rng, men.len())).copied() else { return };
    let to = Square::all().nth(below(rng, 64)).unwrap();
    if sides.iter().any(|side| side.occupied().has(to)) {
        return;
    }
    sides[0].pieces[piece.index()] &= !from.bit();
    sides[0].put(piece, to);
    if sides[0].promoted.has(from) {
        sides[0].promoted = sides[0].promoted & !from.bit() | to.bit();
    }
}

#[test]
fn answers_that_make_no_sense_are_noticed() {
    let position = Position::start();
    let fresh = || Asker::new(Color::White, position.side(Color::White), Budget::Bound);
    let count = fresh().plan().len();
    let nothing = Content::Empty.code(Color::Black);
    assert_eq!(fresh().take(&vec![nothing; count]), Ok(()));
    assert_eq!(fresh().take(&vec![nothing; count - 1]), Err(Unsound), "too few");
    assert_eq!(fresh().take(&vec![Content::Empty.code(Color::White); count]), Err(Unsound), "another colour");
    assert_eq!(fresh().take(&vec![Content::Unknown.code(Color::Black); count]), Err(Unsound), "no such secret");
    assert_eq!(fresh().view(), View { ..View::DARK });
}

#[test]
fn dc_13_squares_are_four_bits() {
    assert_eq!(Content::Piece(Piece::Knight).code(Color::Black), 0b1010);
    for color in Color::ALL {
        let contents = Piece::ALL.map(Content::Piece).into_iter().chain([Content::Empty, Content::Unknown]);
        for content in contents {
            assert_eq!(Content::of(content.code(color), color), Some(content));
            assert_eq!(Content::of(content.code(color), color.other()), None);
        }
    }
}
