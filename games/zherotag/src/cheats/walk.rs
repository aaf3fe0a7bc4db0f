//! Cheats of a walking king, and with keys: the same in both grades.

use outis_crypto::challenger::Source;
use outis_crypto::group::random_scalar;
use outis_table::Context;
use outis_table::cheat::Cheat;
use outis_table::game::Made;
use outis_table::game::MadeBy;
use outis_table::keys::cheats::{KeepsKey, late_key};
use outis_table::keys::{KeyStep, OwnKey};

use crate::protocol::player::Memo;
use crate::protocol::{Hand, Step, Table};
use crate::rules::{Cell, Direction};

/// Goes to a square to which no step leads, and says that it is one step to the north.
fn go(
    hand: &Hand,
    table: &Table,
    context: &Context,
    made: MadeBy<Hand>,
    to: Option<Cell>,
    rng: &mut impl Source,
) -> MadeBy<Hand> {
    let (Step::Move(_), Some(to)) = (&made.step, to) else { return made };
    // A true step is said to be what it is: only the square is wrong.
    let direction = hand.standing.cell.towards(to).unwrap_or(Direction::ALL[1]);
    hand.go(table, context, to, direction, rng).unwrap_or(made)
}

impl KeepsKey for Hand {
    fn own_key(&self) -> Option<&OwnKey> {
        self.key.as_ref()
    }

    fn key_step(step: &Step) -> Option<&KeyStep> {
        if let Step::Key(step) = step { Some(step) } else { None }
    }

    fn made(step: KeyStep, own: OwnKey) -> MadeBy<Self> {
        Made { step: Step::Key(step), memo: Memo::Key(own) }
    }
}

pub(super) fn cheats() -> Vec<Cheat<Hand>> {
    vec![
        late_key(),
        Cheat {
            name: "stay",
            summary: "stays where it is, under a fresh encryption, and calls it a move",
            check: "step",
            removable: true,
            tamper: |hand, table, context, made, rng| go(hand, table, context, made, Some(hand.standing.cell), rng),
        },
        Cheat {
            name: "jump",
            summary: "moves two squares at once",
            check: "step",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let twice = |direction: Direction| hand.standing.cell.step(direction).step(direction);
                let to = Direction::ALL.into_iter().map(twice).find(|to| to.is_on(table.options.grid));
                go(hand, table, context, made, to, rng)
            },
        },
        Cheat {
            name: "leave",
            summary: "steps off the board, where nobody can follow",
            check: "grid",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let (at, grid) = (hand.standing.cell, table.options.grid);
                let steps = Direction::ALL.into_iter().map(|direction| at.step(direction));
                let to = steps.into_iter().find(|to| at.is_on(grid) && !to.is_on(grid));
                go(hand, table, context, made, to, rng)
            },
        },
        Cheat {
            name: "blind-capture",
            summary: "claims to capture a king that it does not see",
            check: "capture",
            removable: true,
            tamper: |hand, table, context, made, rng| match &made.step {
                Step::Move(_) => match hand.capture(table, context, Direction::ALL[4], rng) {
                    Some(step) => Made { step, memo: Memo::Nothing },
                    None => made,
                },
                _ => made,
            },
        },
        Cheat {
            name: "false-path",
            summary: "shows a different key at the end, so that nobody can read where it went",
            check: "show",
            removable: true,
            tamper: |_, _, _, made, rng| match &made.step {
                Step::Show(_) => Made { step: Step::Show(random_scalar(rng)), memo: made.memo },
                _ => made,
            },
        },
    ]
}
