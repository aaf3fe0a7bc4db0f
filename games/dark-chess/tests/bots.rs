//! The bots: what they do is allowed, what they imagine fits what they see, and each level is better than the one below.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use outis_dark_chess::bot::think::{DEEP, Effort, QUICK, counted};
use outis_dark_chess::bot::tournament::{duel, game};
use outis_dark_chess::bot::{self, belief};
use outis_dark_chess::rules::game::DarkChess;
use outis_dark_chess::rules::knowledge::{Action, Event};
use outis_dark_chess::rules::options::Options;
use outis_dark_chess::rules::position::Position;
use outis_table::Seat;
use outis_table::game::{Observer, Rules};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

#[test]
fn a_little_thought_beats_none() {
    let pairs = if cfg!(debug_assertions) { 12 } else { 100 };
    let standing = duel(2, 1, pairs, &mut ChaCha20Rng::seed_from_u64(1)).expect("only legal actions");
    assert!(standing.mean > 0.0, "{standing:?}");
}

/// `cargo test --release -p outis-dark-chess --test bots -- --ignored`: minutes. Results are in `docs/bots.md`.
#[test]
#[ignore = "takes minutes"]
fn every_level_beats_the_one_below() {
    for (level, pairs) in [(2, 150), (3, 25)] {
        let standing = duel(level, level - 1, pairs, &mut ChaCha20Rng::seed_from_u64(7)).expect("only legal actions");
        assert!(standing.mean - standing.interval > 0.0, "level {level}: {standing:?}");
    }
}

#[test]
fn the_highest_level_plays_a_whole_game() {
    let options = Options { quiet: 10, ..Options::default() };
    let state = game(&options, [3, 2], &mut ChaCha20Rng::seed_from_u64(2)).expect("only legal actions");
    assert!(state.public().is_over());
}

#[test]
fn imagined_boards_fit_what_is_seen() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let (mut followed, mut strewn, mut moments) = (0, 0, 0);
    for _ in 0..3 {
        let mut state = DarkChess::start(&Options::default(), 2);
        while !state.public().is_over() && state.moves().len() < 70 {
            let seat = Seat((state.moves().len() % 2) as u8);
            let k = DarkChess::observe(&state, Observer::Seat(seat));
            let mine = k.mine.as_ref().expect("a seat");
            let truth = state.position().side(mine.color.other());
            if state.moves().len() % 6 < 2 {
                moments += 1;
                let (real, cheap) = (belief::follow(&k, 12, &mut rng), belief::strew(&k, 4, &mut rng));
                for side in real.iter().chain(&cheap) {
                    assert!(belief::fits_view(mine.color, mine.now(), side, true));
                    assert_eq!(side.occupied().len(), truth.occupied().len(), "as many pieces as there are");
                }
                followed += usize::from(!real.is_empty());
                strewn += usize::from(!cheap.is_empty());
            }
            let action = bot::choose(1, &k, &k.legal(), &mut rng).expect("a bot always has an idea");
            DarkChess::apply(&mut state, seat, &action).expect("a legal action");
        }
    }
    assert!(followed * 10 >= moments * 9 && strewn * 10 >= moments * 8, "{followed} {strewn} of {moments}");
}

#[test]
fn a_bot_takes_the_king_and_never_gives_up() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let mut state = DarkChess::start(&Options::default(), 2);
    for uci in ["e2e4", "e7e6", "d1h5", "e8e7", "a2a3", "e7f6", "a3a4", "f6f5"] {
        let mv = state.position().moves().into_iter().find(|mv| mv.to_string() == uci).expect("possible");
        let seat = Seat((state.moves().len() % 2) as u8);
        DarkChess::apply(&mut state, seat, &Action::Move(mv)).expect("legal");
    }
    let k = DarkChess::observe(&state, Observer::Seat(Seat(0)));
    for level in 1..=bot::LEVELS {
        let Some(Action::Move(mv)) = bot::choose(level, &k, &k.legal(), &mut rng) else { panic!("level {level}") };
        assert_eq!(mv.to.to_string(), "f5", "level {level}");
    }
    // Nothing else left than to give up or to show that there is no move.
    let stuck = Position::from_fen("8/8/8/8/8/p7/P7/8 w - - 0 1").expect("a position");
    assert!(stuck.moves().is_empty());
    let asked = DarkChess::observe(
        &DarkChess::start(&Options { review: true, ..Options::default() }, 2),
        Observer::Seat(Seat(0)),
    );
    let over = asked.learn(&Event::Resigned).expect("fits");
    assert_eq!(bot::choose(3, &over, &over.legal(), &mut rng), Some(Action::Show));
}

/// How much is looked at has an end, whatever is hidden; and with less time there is still a move.
#[test]
fn thinking_has_an_end() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let mut state = DarkChess::start(&Options::default(), 2);
    let mut most = 0;
    while !state.public().is_over() && state.moves().len() < 40 {
        let seat = Seat((state.moves().len() % 2) as u8);
        let k = DarkChess::observe(&state, Observer::Seat(seat));
        if state.moves().len() % 8 < 2 {
            for effort in [QUICK, DEEP, Effort { positions: 900, ..DEEP }, Effort { positions: 0, ..QUICK }] {
                let (action, looked) = counted(&k, &effort, &mut rng);
                assert!(action.is_some_and(|action| k.legal().contains(&action)));
                assert!(looked <= effort.positions, "{looked} of {}", effort.positions);
                most = most.max(looked);
            }
        }
        let action = bot::choose(1, &k, &k.legal(), &mut rng).expect("a bot always has an idea");
        DarkChess::apply(&mut state, seat, &action).expect("a legal action");
    }
    assert!(most > 10_000, "{most}: the count counts");
}
