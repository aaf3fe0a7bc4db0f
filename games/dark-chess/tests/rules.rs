//! Rules and sight: known counts, tickets against sight and moves, knowledge against truth.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use outis_dark_chess::rules::board::{Color, Piece, Square};
use outis_dark_chess::rules::game::DarkChess;
use outis_dark_chess::rules::knowledge::{Action, Event, Knowledge, Outcome};
use outis_dark_chess::rules::moves::{Announcement, Kind, Move, moves, promotions};
use outis_dark_chess::rules::options::{Options, Stalemate};
use outis_dark_chess::rules::position::Position;
use outis_dark_chess::rules::sight::{Shown, View};
use outis_dark_chess::rules::tickets::{self, tickets};
use outis_game::present::below;
use outis_table::Seat;
use outis_table::codec::{Decode, Encode};
use outis_table::game::{Observer, Rules};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a position")
}

fn find(position: &Position, uci: &str) -> Option<Move> {
    position.moves().into_iter().find(|mv| mv.to_string() == uci)
}

fn play(position: &mut Position, line: &str) -> Announcement {
    let mut heard = Announcement::Quiet;
    for uci in line.split_ascii_whitespace() {
        let mv = find(position, uci).unwrap_or_else(|| panic!("{uci} in {position}"));
        heard = position.play(&mv);
    }
    heard
}

fn shown(position: &Position, color: Color, name: &str) -> Shown {
    position.view(color).shown(position.side(color), square(name))
}

#[test]
fn the_start_has_the_known_numbers_of_games() {
    let start = Position::start();
    assert_eq!((1..=4).map(|depth| start.perft(depth)).collect::<Vec<_>>(), [20, 400, 8_902, 197_742]);
    // Kiwipete with castling through attacked squares and no check.
    let kiwipete = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    assert_eq!((1..=3).map(|depth| kiwipete.perft(depth)).collect::<Vec<_>>(), [48, 2_049, 98_903]);
}

#[test]
#[ignore = "half a minute without optimisation: cargo test --release -- --ignored"]
fn the_start_has_the_known_number_of_games_of_five_moves() {
    assert_eq!(Position::start().perft(5), 4_897_256);
}

/// Games of random moves, drawn towards the special ones.
fn random_game(seed: u64, mut each: impl FnMut(&Position, &[Move])) {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut position = Position::start();
    for _ in 0..160 {
        let moves = position.moves();
        each(&position, &moves);
        if moves.is_empty() {
            break;
        }
        let special: Vec<&Move> = moves
            .iter()
            .filter(|mv| mv.promotes.is_some() || matches!(mv.kind, Kind::Passant | Kind::Castle(_) | Kind::PushTwo))
            .collect();
        let mv = if !special.is_empty() && below(2, &mut rng) == 0 {
            *special[below(special.len(), &mut rng)]
        } else {
            let calm: Vec<&Move> = moves
                .iter()
                .filter(|mv| position.side(position.turn.other()).piece(mv.to) != Some(Piece::King))
                .collect();
            if calm.is_empty() { moves[0] } else { *calm[below(calm.len(), &mut rng)] }
        };
        position.play(&mv);
    }
}

/// What the open tickets tell about moves.
fn by_tickets(position: &Position) -> Vec<Move> {
    let (color, other) = (position.turn, position.turn.other());
    let (own, theirs) = (position.side(color), position.side(other));
    let mut found = Vec::new();
    for ticket in tickets(color) {
        if ticket.condition(own, theirs) == 0 && ticket.moves(ticket.content(theirs)) {
            let pawn = own.piece(ticket.from) == Some(Piece::Pawn);
            for promotes in promotions(color, ticket.to).map(|piece| piece.filter(|_| pawn)) {
                let mv = Move { from: ticket.from, to: ticket.to, promotes, kind: ticket.kind };
                if !found.contains(&mv) {
                    found.push(mv);
                }
            }
        }
    }
    found.sort_unstable();
    found
}

#[test]
fn open_tickets_are_the_moves_and_the_views() {
    let (mut kinds, mut most, mut promoted) = ([0usize; 9], 0, 0);
    for seed in 0..60 {
        random_game(seed, |position, moves| {
            if position.winner().is_none() {
                assert_eq!(by_tickets(position), moves, "{position}");
            }
            for mv in moves {
                kinds[usize::from(mv.kind.number())] += 1;
                promoted += usize::from(mv.promotes.is_some());
                assert!(tickets::of_move(position.turn, mv).is_some());
            }
            for color in Color::ALL {
                // The viewer's opponent no longer claims its double step once the viewer has moved.
                let (own, other) = (position.side(color), position.side(color.other()));
                let list = tickets(color).iter().enumerate();
                let open = list.filter(|(_, ticket)| ticket.condition(own, other) == 0);
                let open = open.map(|(number, ticket)| (number, ticket.content(other)));
                assert_eq!(View::from_open(color, own, open), Some(position.view(color)), "{color:?} in {position}");
                most =
                    tickets(color).iter().map(|ticket| ticket.condition(own, other)).max().max(Some(most)).unwrap_or(0);
            }
        });
    }
    assert!(kinds.iter().all(|count| *count > 0) && promoted > 0, "{kinds:?} {promoted}");
    assert!(most <= 14, "{most}");
}

#[test]
fn fen_can_be_read_back() {
    for seed in 100..110 {
        random_game(seed, |position, _| {
            let read = Position::from_fen(&position.to_string()).expect("own notation");
            let plain = |mut position: Position| {
                position.sides.iter_mut().for_each(|side| side.promoted = Default::default());
                position
            };
            assert_eq!(read, plain(*position));
        });
    }
    for bad in [
        "",
        "8/8 w - -",
        "8/8/8/8/8/8/8/9 w - -",
        "8/8/8/8/8/8/8/ppppppppp w - -",
        "8/8/8/8/8/8/8/P7 w - -",
        "KK6/8/8/8/8/8/8/8 w - -",
        "8/8/8/8/8/8/8/K7 x - -",
        "8/8/8/8/8/8/8/K7 w X -",
        "8/8/8/8/8/8/8/K7 w - e3",
        "8/8/8/8/8/8/8/K7 w - z9",
        "8/8/8/8/8/8/8/K6x w - -",
        "8/8/8/8/8/8/8/K88888888888888888888 w - -",
    ] {
        assert!(Position::from_fen(bad).is_err(), "{bad}");
    }
}

#[test]
fn partial_sight_never_hides_what_is_seen_completely() {
    // F13: the pawn on e4 only feels something on e5; the bishop on h2 sees the knight.
    let feels = position("4k3/8/8/4n3/4P3/8/8/4K3 w - - 0 1");
    assert_eq!(shown(&feels, Color::White, "e5"), Shown::Blocked);
    let sees = position("4k3/8/8/4n3/4P3/8/7B/4K3 w - - 0 1");
    assert_eq!(shown(&sees, Color::White, "e5"), Shown::Other(Piece::Knight));
    // A double step is seen as far as it could go.
    let second = position("4k3/8/8/8/4n3/8/4P3/K7 w - - 0 1");
    assert_eq!(shown(&second, Color::White, "e3"), Shown::Empty);
    assert_eq!(shown(&second, Color::White, "e4"), Shown::Blocked);
    let first = position("4k3/8/8/8/8/4n3/4P3/K7 w - - 0 1");
    assert_eq!(shown(&first, Color::White, "e3"), Shown::Blocked);
    assert_eq!(shown(&first, Color::White, "e4"), Shown::Dark);
}

#[test]
fn a_pawn_that_can_be_taken_in_passing_is_seen_for_one_turn_by_the_side_to_move() {
    let mut game = Position::start();
    play(&mut game, "e2e4 a7a6 e4e5 d7d5");
    assert_eq!(shown(&game, Color::White, "d5"), Shown::Other(Piece::Pawn));
    assert_eq!(shown(&game, Color::White, "d6"), Shown::Empty);
    assert_eq!(game.view(Color::White).passant, Some(3));
    // F14: after another move of White the pawn is dark again, at once.
    let mut later = game;
    play(&mut later, "a2a3");
    assert_eq!(shown(&later, Color::White, "d5"), Shown::Dark);
    play(&mut later, "a6a5");
    assert_eq!(shown(&later, Color::White, "d5"), Shown::Dark);
    assert!(find(&later, "e5d6").is_none());
    // DC-G5: the pawn's own square is announced.
    assert_eq!(play(&mut game, "e5d6"), Announcement::Capture(square("d5"), Piece::Pawn));
    assert_eq!(game.piece(square("d5")), None);
}

#[test]
fn a_king_castles_out_of_through_and_into_attack_and_loses_the_right_as_in_chess() {
    let attacked = position("4k3/8/8/8/4r3/5r2/6r1/R3K2R w KQ - 0 1");
    assert!(find(&attacked, "e1g1").is_some() && find(&attacked, "e1c1").is_some());
    let mut castled = attacked;
    play(&mut castled, "e1c1");
    assert_eq!(castled.piece(square("d1")), Some((Color::White, Piece::Rook)));
    assert_eq!(castled.piece(square("a1")), None);
    // There and back: the right is gone.
    let mut moved = position("4k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1");
    play(&mut moved, "a1b1 e8d8 b1a1 d8e8");
    assert!(find(&moved, "e1c1").is_none() && find(&moved, "e1g1").is_some());
    // The rook is taken in its corner; another one later stands there.
    play(&mut moved, "a1a2 h8h1 a2h2 h1g1 h2h1 e8d8");
    assert!(find(&moved, "e1g1").is_none());
    // Something in between that the rook sees.
    assert!(find(&position("4k3/8/8/8/8/8/8/Rn2K3 w Q - 0 1"), "e1c1").is_none());
}

#[test]
fn a_king_may_stand_in_check_and_be_taken() {
    let mut game = position("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1");
    assert_eq!(play(&mut game, "e8e7"), Announcement::Quiet);
    assert_eq!(play(&mut game, "e2e7"), Announcement::Capture(square("e7"), Piece::King));
    assert_eq!(game.winner(), Some(Color::White));
    assert!(game.moves().is_empty());
}

/// Plays a random game of knowledge: what every observer learns from events is what it should know of the truth.
#[test]
fn what_is_learned_is_what_the_truth_tells() {
    let mut ends = std::collections::BTreeMap::new();
    for seed in 0..40 {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let options = Options { white: Seat((seed % 2) as u8), quiet: 12, review: seed % 3 == 0, ..Options::default() };
        let mut state = DarkChess::start(&options, 2);
        let watchers = [Observer::Seat(Seat(0)), Observer::Seat(Seat(1)), Observer::Spectator];
        let mut known = watchers.map(|who| DarkChess::initial_knowledge(&options, 2, who));
        loop {
            for (who, k) in watchers.into_iter().zip(&known) {
                assert_eq!(&DarkChess::observe(&state, who), k);
            }
            let Some(at) = (0..2).find(|seat| !known[*seat].legal().is_empty()) else { break };
            let legal = known[at].legal();
            let rare = |action: &Action| matches!(action, Action::Resign | Action::Accept) && below(12, &mut rng) > 0;
            let wanted: Vec<Action> = legal
                .iter()
                .copied()
                .filter({
                    let mut rare = rare;
                    move |a| !rare(a)
                })
                .collect();
            let action = wanted[below(wanted.len(), &mut rng)];
            let seat = Seat(at as u8);
            DarkChess::apply(&mut state, seat, &action).expect("legal by knowledge is legal in truth");
            let public = match action {
                Action::Move(_) => Event::Moved(*state.public().heard.last().expect("moved"), None),
                Action::Offer => Event::Offered,
                Action::Accept => Event::Accepted,
                Action::Resign => Event::Resigned,
                Action::Claim => Event::Stalemated,
                Action::Show | Action::Keep => {
                    let other = [Action::Show, Action::Keep][below(2, &mut rng)];
                    DarkChess::apply(&mut state, Seat(1), &other).expect("asked");
                    let yes = [action == Action::Show, other == Action::Show];
                    Event::Answered([yes[usize::from(options.white.0)], yes[1 - usize::from(options.white.0)]])
                }
            };
            for (i, k) in known.iter_mut().enumerate() {
                let event = match (&public, action) {
                    (Event::Moved(heard, _), Action::Move(mv)) if i == at => Event::Moved(*heard, Some(mv)),
                    (event, _) => event.clone(),
                };
                *k = k.clone().learn(&event).expect("fits");
                if let (Event::Moved(..), Some(color), None) = (&event, k.color(), k.public.outcome) {
                    assert!(k.legal().is_empty(), "the view is due first");
                    *k = k.clone().learn(&Event::Sees(state.position().view(color))).expect("a view is due");
                }
                if public == Event::Answered([true; 2]) {
                    *k = k.clone().learn(&Event::Shown(state.moves().to_vec())).expect("agreed");
                }
            }
        }
        assert!(state.public().is_over());
        let name = match state.public().outcome.expect("over") {
            Outcome::King(_) => "king",
            Outcome::Resigned(_) => "resigned",
            Outcome::Agreed => "agreed",
            Outcome::Quiet => "quiet",
            Outcome::Stalemate(_) => "stalemate",
        };
        *ends.entry(name).or_insert(0) += 1;
        assert_eq!(state.public().scores(&options).iter().sum::<i64>(), 0);
    }
    assert!(ends.len() >= 3, "{ends:?}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let options = Options::default();
    let white = Knowledge::start(&options, Observer::Seat(Seat(0)));
    let black = Knowledge::start(&options, Observer::Seat(Seat(1)));
    let e4 = find(&Position::start(), "e2e4").expect("a move");
    let e5 = Move { to: square("e5"), ..e4 };
    let quiet = Announcement::Quiet;
    assert!(white.clone().learn(&Event::Moved(quiet, Some(e5))).is_err());
    assert!(white.clone().learn(&Event::Moved(quiet, None)).is_err());
    assert!(white.clone().learn(&Event::Moved(Announcement::Capture(square("e4"), Piece::Pawn), Some(e4))).is_err());
    assert!(black.clone().learn(&Event::Moved(quiet, Some(e4))).is_err());
    assert!(black.clone().learn(&Event::Moved(Announcement::Capture(square("e4"), Piece::Pawn), None)).is_err());
    assert!(black.clone().learn(&Event::Moved(Announcement::Capture(square("e7"), Piece::Queen), None)).is_err());
    assert!(white.clone().learn(&Event::Sees(View::DARK)).is_err());
    assert!(white.clone().learn(&Event::Accepted).is_err());
    assert!(white.clone().learn(&Event::Answered([true; 2])).is_err());
    let moved = black.clone().learn(&Event::Moved(quiet, None)).expect("fits");
    assert!(moved.clone().learn(&Event::Moved(quiet, None)).is_err(), "the view is due");
    let over = white.learn(&Event::Resigned).expect("fits");
    assert!(over.learn(&Event::Resigned).is_err());
}

#[test]
fn stalemate_is_a_draw_or_a_loss_as_agreed() {
    // Black's king has one square left, own pieces on the others; its pawn is blocked.
    let stuck = position("8/8/8/8/8/p7/P7/8 b - - 0 1");
    assert!(moves(Color::Black, stuck.side(Color::Black), &stuck.view(Color::Black)).is_empty());
    let ended = Outcome::Stalemate(Color::Black);
    assert_eq!(ended.winner(&Options::default()), None);
    assert_eq!(ended.winner(&Options { stalemate: Stalemate::Loss, ..Options::default() }), Some(Color::White));
}

#[test]
fn moves_and_announcements_have_one_encoding() {
    random_game(7, |position, moves| {
        for mv in moves {
            assert_eq!(Move::from_bytes(&mv.to_bytes(), &()), Ok(*mv));
            let heard = mv.announcement(position.turn, &position.view(position.turn));
            assert_eq!(Announcement::from_bytes(&heard.to_bytes(), &()), Ok(heard));
            assert_eq!(position.clone().play(mv), heard);
        }
    });
    for bad in [[9, 0, 0, 0], [0, 64, 0, 0], [0, 0, 64, 0], [0, 0, 0, 1], [0, 0, 0, 6]] {
        assert!(Move::from_bytes(&bad, &()).is_err());
    }
    assert!(Announcement::from_bytes(&[1, 0], &()).is_err() && Announcement::from_bytes(&[0, 7], &()).is_err());
}
