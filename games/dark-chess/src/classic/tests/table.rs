//! Whole games at a table, with a toy modulus: both seats know what the rules let them know, and a spectator finds the log
//! in order. Every memo goes through its bytes, as after a crash.

use outis_crypto::andos::{TOY, TOY_HALF};
use outis_table::audit::{Verdict, audit};
use outis_table::codec::{Decode, Encode};
use outis_table::entry::{Entry, Place};
use outis_table::export::{Record, header};
use outis_table::game::{Checks, Grade, Observer, Player, Referee, Rules};
use outis_table::identity::Identity;
use outis_table::judged_log::{Admission, JudgedLog, Stage};
use outis_table::offer::{Offer, OfferSeat, Ticket};
use outis_table::{Context, Head, Seat, TableId};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use crate::classic::player::{Hand, Memo};
use crate::classic::referee::{Awaiting, Irregular, Table};
use crate::classic::step::{Kind, Step, Turn};
use crate::classic::{Announced, Budget, ROUNDS};
use crate::rules::game::{DarkChess, FullState};
use crate::rules::knowledge::{Action, Knowledge, Outcome, Review};
use crate::rules::moves::Move;
use crate::rules::options::Options;
use crate::rules::position::Position;

type ToyTable = Table<TOY>;
type ToyHand = Hand<TOY, TOY_HALF>;

struct Played {
    truth: FullState,
    log: Vec<u8>,
    trial: JudgedLog<ToyTable>,
    /// Name of the round and bytes of the payload, entry by entry.
    sizes: Vec<(&'static str, usize)>,
    /// How often both seats' knowledge was compared with the truth.
    compared: usize,
}

fn offer(options: &Options, rng: &mut ChaCha20Rng) -> (Offer, [Identity; 2]) {
    let identities = [(); 2].map(|()| {
        let mut secret = [0; 32];
        rng.fill_bytes(&mut secret);
        Identity::from_secret(&secret)
    });
    let seats = identities
        .iter()
        .map(|identity| OfferSeat { key: identity.public(), nonce: Ticket::draw(identity, b"stage", 0, rng).nonce() });
    let offer = Offer {
        game: ToyTable::GAME.into(),
        options: options.to_bytes(),
        parameters: Grade::Classic.parameters(),
        seats: seats.collect(),
        after: None,
    };
    (offer, identities)
}

/// Plays until the policy has no more to say.
fn play(options: Options, seed: u64, mut policy: impl FnMut(&[Action]) -> Option<Action>) -> Played {
    let rng = &mut ChaCha20Rng::seed_from_u64(seed);
    let (offer, identities) = offer(&options, rng);
    let mut trial = JudgedLog::<ToyTable>::new(offer, Checks::default()).expect("a good offer");
    let (mut hands, mut log, mut sizes) = (Vec::new(), header(trial.offer()), Vec::new());
    let (mut truth, mut compared) = (DarkChess::start(&options, 2), 0);
    'game: loop {
        let by_hand = match trial.stage() {
            Stage::Closed => break,
            Stage::Steps(expectation) => Some(expectation.by_hand),
            _ => None,
        };
        let (what, round) = (trial.what(), trial.round());
        let mut said = Vec::new();
        for seat in trial.speakers().iter() {
            let at = usize::from(seat.0);
            let (context, table) = (trial.context(seat), trial.referee());
            let payload = match (by_hand, table) {
                (Some(by_hand), Some(table)) => {
                    let hand: &mut ToyHand = &mut hands[at];
                    let made = if by_hand {
                        let Some(action) = policy(&DarkChess::legal(hand.knowledge())) else { break 'game };
                        DarkChess::apply(&mut truth, seat, &action).expect("the rules allow it");
                        hand.act(table, &context, &action, rng).expect("a legal action")
                    } else {
                        hand.due(table, &context, rng).expect("a step is due")
                    };
                    hand.remember(Memo::from_bytes(&made.memo.to_bytes(), &()).expect("its own memo"));
                    made.step.to_bytes()
                }
                _ => Vec::new(),
            };
            said.push((seat, payload));
        }
        for (seat, payload) in said {
            sizes.push((what, payload.len()));
            let place = Place { round, seat };
            let identity = &identities[usize::from(seat.0)];
            let entry = Entry::dangerously_sign(identity, trial.table(), place, trial.head(), payload);
            Record::Entry(entry.clone()).encode(&mut log);
            match trial.admit(&entry) {
                Admission::Refused(charge) => panic!("{charge:?}"),
                Admission::Completed(events) => {
                    let Some(table) = trial.referee() else { continue };
                    if hands.is_empty() {
                        hands = [Seat(0), Seat(1)].map(|seat| ToyHand::sit(table, seat)).into();
                    } else if by_hand.is_some() {
                        hands.iter_mut().for_each(|hand| hand.learn(table, &events).expect("honest players"));
                    }
                }
                _ => {}
            }
        }
        let settled = |table: &ToyTable| matches!(table.awaiting, Awaiting::Turn | Awaiting::Nothing);
        if trial.referee().is_some_and(settled) {
            for (seat, hand) in [Seat(0), Seat(1)].into_iter().zip(&hands) {
                let ideal = DarkChess::observe(&truth, Observer::Seat(seat));
                assert_eq!(&ideal, hand.knowledge(), "seat {} after {} moves", seat.0, truth.moves().len());
            }
            compared += 1;
        }
    }
    Played { truth, log, trial, sizes, compared }
}

fn script(words: &'static str) -> impl FnMut(&[Action]) -> Option<Action> {
    let mut words = words.split_ascii_whitespace();
    move |legal| {
        let word = words.next()?;
        let name = |action: &Action| match action {
            Action::Move(mv) => mv.to_string(),
            other => format!("{other:?}").to_lowercase(),
        };
        let found = legal.iter().find(|action| name(action) == word).copied();
        assert!(found.is_some(), "{word} is not legal: {legal:?}");
        found
    }
}

/// A double step captured en passant, a promotion with capture, castling, a king taken; then both show the game.
const GAME: &str = "e2e4 b8c6 e4e5 f7f5 e5f6 d7d5 f6g7 c8e6 g7h8q d8d6 h8g8 e8c8 g8f8 a7a6 f8d8 a6a5 d8c8 show show";

#[test]
fn a_whole_game_is_known_to_both_and_in_order() {
    let options = Options { review: true, white: Seat(1), ..Options::default() };
    let played = play(options, 1, script(GAME));
    assert!(played.compared > 16, "{}", played.compared);
    assert!(matches!(played.truth.public().outcome, Some(Outcome::King(_))));
    let audited = audit::<ToyTable>(&played.log).expect("a readable log");
    assert_eq!(audited.verdict, Verdict::Finished);
    assert_eq!(audited.scores, played.trial.referee().map(Referee::scores));
    let shown = played.trial.referee().map(|table| table.public.review.clone());
    assert_eq!(shown, Some(Review::Shown(played.truth.moves().to_vec())));
}

/// A game that was shown, but is not the one that was heard, ends where it stops to fit; and that is said.
#[test]
fn a_review_that_is_cut_short_says_so() {
    let options = Options { review: true, ..Options::default() };
    let mut played = play(options, 1, script(GAME));
    let mut table = played.trial.referee().expect("a table").clone();
    let moves = played.truth.moves().to_vec();
    assert_eq!(table.public.shown_until(), None);
    let of = |color: usize| moves.iter().skip(color).step_by(2).copied().collect::<Vec<_>>();
    let mut shows = |white: Vec<Move>, black: Vec<Move>| {
        (table.awaiting, table.public.review) = (Awaiting::Show, Review::Agreed);
        table.advance(vec![(Seat(0), Step::Show(white)), (Seat(1), Step::Show(black))]).expect("both have shown");
        let known = Knowledge {
            public: table.public.clone(),
            ..DarkChess::initial_knowledge(&options, 2, Observer::Spectator)
        };
        let said = crate::view::events::lines(&known).iter().any(|line| line.id == "dark-chess.review.cut");
        (table.public.shown_until(), said)
    };
    assert_eq!(shows(of(0), of(1)), (None, false));
    // A move that is not allowed, and one that is, but was not heard: a pawn that takes nothing.
    let mut lie = of(0);
    lie[1] = lie[0];
    assert_eq!(shows(lie, of(1)), (Some(2), true));
    let mut quiet = of(0);
    quiet[2] = moves_after(&moves[..4]).into_iter().find(|mv| mv.to_string() == "e5e6").expect("a quiet move");
    assert_eq!(shows(quiet, of(1)), (Some(4), true));
    played.sizes.clear();
}

fn moves_after(moves: &[Move]) -> Vec<Move> {
    let mut position = Position::start();
    for mv in moves {
        let _ = position.play(mv);
    }
    position.moves()
}

#[test]
fn draws_resignations_and_the_quiet_end() {
    let ends = [
        ("e2e4 offer e7e5 accept", Outcome::Agreed),
        ("e2e4 resign", Outcome::Resigned(crate::rules::board::Color::White)),
        ("e2e4 e7e5", Outcome::Quiet),
    ];
    for (words, outcome) in ends {
        let options = Options { quiet: if outcome == Outcome::Quiet { 1 } else { 50 }, ..Options::default() };
        let played = play(options, 2, script(words));
        assert_eq!(played.truth.public().outcome, Some(outcome), "{words}");
        assert_eq!(audit::<ToyTable>(&played.log).expect("a readable log").verdict, Verdict::Finished);
    }
}

/// Two games with other moves but the same captures: count, order and sizes of all entries are the same.
#[test]
fn traffic_tells_nothing_but_captures() {
    let sizes = |words| play(Options::default(), 3, script(words)).sizes;
    let quiet = sizes("e2e4 e7e5 g1f3 b8c6");
    assert_eq!(quiet, sizes("a2a3 h7h6 b1c3 a7a5"));
    let rounds = quiet.iter().filter(|(what, _)| *what == "ask").count();
    assert_eq!(rounds, 4 * 2 * ROUNDS);
    let asked: usize = quiet.iter().filter(|(what, _)| *what == "ask").map(|(_, size)| size).sum();
    assert_eq!(asked, 4 * 2 * Budget::Document.total(&Announced::START) * 4 * 32);
}

#[test]
fn steps_out_of_order_are_refused() {
    let played = play(Options::default(), 4, script("e2e4"));
    let table = played.trial.referee().expect("an open table");
    let weigh = |seat, step: &Step<TOY>| table.weigh(Seat(seat), step, Checks::default());
    assert_eq!(weigh(1, &Step::Turn(Turn::Accept)), Err(Irregular::Offer));
    assert_eq!(weigh(1, &Step::Turn(Turn::Offer)), Ok(()));
    assert_eq!(weigh(1, &Step::Review(true)), Err(Irregular::Kind));
    assert_eq!(weigh(1, &Step::Ask(Vec::new())), Err(Irregular::Kind));
    assert_eq!(weigh(1, &Step::Show(Vec::new())), Err(Irregular::Kind));
    assert!(Step::<TOY>::from_bytes(&[5], &Kind::Turn).is_err());
    assert!(Step::<TOY>::from_bytes(&[0, 64, 1], &Kind::Turn).is_err());
    assert!(Step::<TOY>::from_bytes(&[], &Kind::Nothing).is_err());
    let key = table.keys[0].clone().expect("a key");
    let mut lists = [9, 2, 2, 2, 1, 1].to_vec();
    lists.resize(6 + 3 * 64 * 4 * 32, 1);
    assert!(Step::<TOY>::from_bytes(&lists, &Kind::Lists(key)).is_err(), "nine pawns");
}

#[test]
fn a_table_of_another_grade_is_not_opened() {
    let (mut offer, _) = offer(&Options::default(), &mut ChaCha20Rng::seed_from_u64(5));
    offer.parameters = Vec::new();
    assert!(JudgedLog::<ToyTable>::new(offer, Checks::default()).is_err());
}

/// A machine that was put back to an earlier moment draws another key at another table or another place of the log (S-8).
#[test]
fn a_repeated_generator_repeats_no_key() {
    let (offer, identities) = offer(&Options::default(), &mut ChaCha20Rng::seed_from_u64(1));
    let mut trial = JudgedLog::<ToyTable>::new(offer, Checks::default()).expect("a good offer");
    while !matches!(trial.stage(), Stage::Steps(_)) {
        for seat in trial.speakers().iter() {
            let place = Place { round: trial.round(), seat };
            let identity = &identities[usize::from(seat.0)];
            let entry = Entry::dangerously_sign(identity, trial.table(), place, trial.head(), Vec::new());
            assert!(!matches!(trial.admit(&entry), Admission::Refused(_)));
        }
    }
    let table = trial.referee().expect("everybody sits");
    let (hand, here) = (ToyHand::sit(table, Seat(0)), trial.context(Seat(0)));
    let key = |context: Context| {
        hand.due(table, &context, &mut ChaCha20Rng::seed_from_u64(99)).expect("a key is due").step.to_bytes()
    };
    assert_eq!(key(here), key(here));
    for other in [Context { table: TableId([9; 32]), ..here }, Context { head: Head([9; 32]), ..here }] {
        assert_ne!(key(here), key(other));
    }
}
