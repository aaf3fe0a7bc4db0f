use super::*;
use crate::protocol::layout::values;
use crate::rules::position::Position;

/// The value of a form over plain numbers.
fn value(form: &Form, numbers: &[u32]) -> i64 {
    let term = |(factor, at): &(i32, u32)| i64::from(*factor) * i64::from(numbers[*at as usize]);
    i64::from(form.constant) + form.terms.iter().map(term).sum::<i64>()
}

fn holds(alternative: &Alternative, numbers: &[u32]) -> bool {
    alternative.iter().all(|form| value(form, numbers) == 0)
}

/// Whether a plan satisfies its charter, in the clear; the answer that its entry needs is not asked for.
fn allowed(charter: &Charter, entry: &Entry, before: &Side, plan: &Plan) -> bool {
    let numbers: Vec<u32> = values(before).into_iter().chain(plan.values.iter().copied()).collect();
    let column = |(k, form): (u32, &Form)| {
        let wanted = entry.values.iter().find(|(at, _)| *at == k).map_or(0, |(_, value)| *value);
        value(form, &numbers) == i64::from(wanted)
    };
    let selected = (0..).zip(&charter.columns).all(column);
    let cases = charter.cases.iter().all(|case| case.iter().any(|alternative| holds(alternative, &numbers)));
    selected && cases
}

fn step(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn lists_have_the_counted_entries() {
    for color in Color::ALL {
        let charter = Charter::of(color);
        assert_eq!(charter.quiet.len(), 1948 - 84 - 14 + 24);
        assert_eq!((charter.columns.len(), charter.cases.len()), (144, 66));
        for square in Square::all() {
            for piece in Piece::ALL {
                let captures = charter.captures(square, piece);
                assert!((20..=70).contains(&captures.len()), "{}", captures.len());
                let passant = captures.iter().filter(|(_, mv)| mv.kind == Kind::Passant).count();
                let possible = piece == Piece::Pawn && square.rank() == color.rank(4);
                assert_eq!(passant > 0, possible);
            }
        }
        // Pawns on the last rank become something, in every list (V14).
        let all = charter.quiet.iter().cloned().chain(Square::all().flat_map(|s| charter.captures(s, Piece::Rook)));
        let last = all.filter(|(entry, mv)| {
            tickets(color)[entry.answer as usize].movers() == [Piece::Pawn] && mv.to.rank() == color.rank(7)
        });
        assert!(last.into_iter().all(|(_, mv)| mv.promotes.is_some()));
    }
}

/// In random games every legal move satisfies the charter, and its plan leads to the state that the rules lead to.
#[test]
fn legal_moves_satisfy_the_charter() {
    let charters = Color::ALL.map(Charter::of);
    let (mut castled, mut passed, mut promoted) = (0, 0, 0);
    for seed in 1..30u64 {
        let (mut position, mut state) = (Position::start(), seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..120 {
            let (color, moves) = (position.turn, position.moves());
            let charter = &charters[color.index()];
            for mv in &moves {
                let special = matches!(mv.kind, Kind::Castle(_) | Kind::Passant) || mv.promotes.is_some();
                if !special && !step(&mut state).is_multiple_of(24) {
                    continue;
                }
                castled += u32::from(matches!(mv.kind, Kind::Castle(_)));
                passed += u32::from(mv.kind == Kind::Passant);
                promoted += u32::from(mv.promotes.is_some());
                let heard = mv.announcement(color, &position.view(color));
                let plan = Plan::of(charter, position.side(color), mv, heard).expect("listed");
                let (entry, _) = &charter.choices(heard)[plan.entry as usize];
                assert!(allowed(charter, entry, position.side(color), &plan), "{mv:?}");
                let after = position.after(mv);
                assert_eq!(crate::protocol::layout::after(&plan.values), values(after.side(color)), "{mv:?}");
            }
            if moves.is_empty() {
                break;
            }
            // Special moves first.
            let rare: Vec<_> = moves
                .iter()
                .filter(|mv| matches!(mv.kind, Kind::Castle(_) | Kind::Passant) || mv.promotes.is_some())
                .collect();
            let pick = step(&mut state) as usize;
            let mv = if rare.is_empty() { moves[pick % moves.len()] } else { *rare[pick % rare.len()] };
            position.play(&mv);
        }
    }
    assert!(castled > 5 && passed > 2 && promoted > 5, "{castled} {passed} {promoted}");
}

/// V3: for given columns at most one new content of a square is accepted, whatever was there and whatever moves.
#[test]
fn a_square_has_one_outcome() {
    let charter = Charter::of(Color::White);
    let content = |bits: &mut [u32], code: usize| (0..6).for_each(|p| bits[p] = u32::from(code == p + 1));
    for square in Square::all() {
        let case = &charter.cases[square.index()];
        let mut numbers = vec![0u32; super::super::layout::SIDE + super::super::layout::FRESH];
        let wing = rook(Color::White, square).map(|(wing, _)| wing);
        for columns in 0..8u32 {
            let (from, to, castles) = (columns & 1, columns >> 1 & 1, columns >> 2);
            if castles == 1 && wing.is_none() {
                continue;
            }
            numbers[New::From(square).at() as usize] = from;
            numbers[New::To(square).at() as usize] = to;
            if let Some(wing) = wing {
                numbers[New::Castles(wing).at() as usize] = castles;
            }
            for (old, moved, placed) in (0..7 * 7 * 7).map(|n| (n % 7, n / 7 % 7, n / 49)) {
                content(&mut numbers[piece(square, Piece::Pawn) as usize..], old);
                content(&mut numbers[New::Moved(Piece::Pawn).at() as usize..], moved);
                content(&mut numbers[New::Placed(Piece::Pawn).at() as usize..], placed);
                let mut accepted = Vec::new();
                for new in 0..7 {
                    content(&mut numbers[New::Piece(square, Piece::Pawn).at() as usize..], new);
                    accepted.extend(case.iter().filter(|a| holds(a, &numbers)).map(|_| new));
                }
                assert!(accepted.len() <= 1, "{square}: {columns:b} {old} {moved} {placed}: {accepted:?}");
            }
        }
    }
}

/// Doctored plans: something is done on the side of a good move. The charter must refuse each.
#[test]
fn nothing_can_be_done_on_the_side() {
    let charter = Charter::of(Color::White);
    let position = Position::from_fen("r3k2r/ppp2ppp/8/3pP3/8/8/PPP2PPP/R3K2R w KQkq d6 0 1").expect("a position");
    let own = position.side(Color::White);
    for mv in position.moves().into_iter().filter(|mv| mv.kind != Kind::Orthogonal) {
        let heard = mv.announcement(Color::White, &position.view(Color::White));
        let plan = Plan::of(&charter, own, &mv, heard).expect("listed");
        let choices = charter.choices(heard);
        let entry = &choices[plan.entry as usize].0;
        assert!(allowed(&charter, entry, own, &plan));
        for at in 0..plan.values.len() {
            for value in [0, 1, 2] {
                let mut doctored = plan.clone();
                doctored.values[at] = value;
                assert_eq!(
                    allowed(&charter, entry, own, &doctored),
                    doctored == plan,
                    "{mv:?}: number {at} set to {value}"
                );
            }
        }
        for (other, as_move) in &choices {
            // A pawn takes where a bishop would go: which of the two it is, the answer decides.
            assert_eq!(allowed(&charter, other, own, &plan), other.values == entry.values, "{mv:?} as {as_move:?}");
        }
    }
}
