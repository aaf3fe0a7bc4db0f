//! A claim to have no move (V10, DCP-12), true and false, in positions that no short game leads to.

use std::sync::Arc;

use outis_crypto::challenger::Challenger;
use outis_crypto::disclosure::Prepared;
use outis_crypto::encrypted_number::Known;
use outis_crypto::group::random_scalar;
use outis_crypto::key::testing::table_of;
use outis_crypto::selection::Pair;
use outis_table::game::{Checks, Referee, Setting};
use outis_table::{Context, Head, Seat, TableId};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::protocol::layout::values;
use crate::protocol::referee::Awaiting;
use crate::protocol::step::Turn;
use crate::protocol::{Cheated, Step, Table};
use crate::rules::board::Color;
use crate::rules::options::Options;
use crate::rules::position::Position;
use crate::rules::tickets::TICKETS;

/// What is said to a claim of White, made with the key of White and with that of Black.
fn claims(fen: &str) -> [Option<Cheated>; 2] {
    let rng = &mut ChaCha20Rng::seed_from_u64(1);
    let position = Position::from_fen(fen).expect("a position");
    let (secrets, key) = table_of(2, rng);
    let setting = Setting { table: TableId([0; 32]), options: Options::default(), seats: 2, parameters: Vec::new() };
    let mut table = Table::open(&setting).expect("a table");
    let encrypt = |color, rng: &mut ChaCha20Rng| {
        let known = values(position.side(color)).into_iter().map(|value| Known::new(value, random_scalar(rng)));
        known.map(|known| known.cipher(&key)).collect::<Vec<_>>()
    };
    table.states = Color::ALL.map(|color| Arc::new(encrypt(color, rng)));
    table.key = Some(Arc::new(key));
    table.awaiting = Awaiting::Turn;
    let context = |seat| Context { table: TableId([0; 32]), deal: 0, seat, head: Head([2; 32]) };
    let prepared = Prepared::new(&secrets[1], secrets[0].key(), TICKETS, &1u32, rng).expect("prepared");
    let states = [&table.states[0][..], &table.states[1][..]];
    let sight = table.sight(Color::Black, states).expect("keys");
    let view = sight.issue(&secrets[1], prepared, &mut Challenger::new(&context(Seat(1))), rng).expect("a view");
    table.views[0] = Some(Arc::new(view.answers().iter().map(Pair::from).collect()));
    [0, 1].map(|i| {
        let claim = Step::Turn(Turn::Claim(secrets[i].secret().clone()));
        table.judge_step(&claim, &context(Seat(0)), false, Checks::default()).err()
    })
}

#[test]
fn a_claim_is_good_if_and_only_if_no_open_answer_is_a_move() {
    // Nothing can move. The pawn on a2 sees that b3 is empty: that answer is open, and no move.
    let stuck = "KRRRRRRR/PPPPPPPP/8/8/8/p7/P7/4k3 w - - 0 1";
    assert_eq!(Position::from_fen(stuck).expect("a position").moves(), []);
    assert_eq!(claims(stuck), [None, Some(Cheated::Claim)], "with its own key only");
    // The same with something to take on b3, and with nothing in the way of the pawn.
    for free in ["KRRRRRRR/PPPPPPPP/8/8/8/pp6/P7/4k3 w - - 0 1", "KRRRRRRR/PPPPPPPP/8/8/8/8/P7/4k3 w - - 0 1"] {
        assert_eq!(claims(free), [Some(Cheated::Claim); 2], "{free}");
    }
}
