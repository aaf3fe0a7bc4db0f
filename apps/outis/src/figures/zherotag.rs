//! Figures of *ZheroTag*.

use std::collections::BTreeSet;

use outis_table::Seat;
use outis_table::game::{Observer, Rules};
use outis_zherotag::rules::board::{start, targets};
use outis_zherotag::rules::{Cell, Options, ZheroTag, mover};

use super::found::Found;
use super::{Entry, n};

/// The published program's grid.
const GRID: u8 = 6;
const OPTIONS: Options = Options { grid: GRID, limit: 0, clock: 0, replay: false, sealed: false };

/// Its figures, as `spec/figures.md` lists them.
pub const FIGURES: &[Entry] = &[
    Entry {
        id: "zherotag.1",
        section: "Game Description",
        what: "neighbours of a square",
        theirs: "the 8 surrounding squares",
        how: "the steps that a king has on a grid of 6 × 6: most, and all numbers that occur",
        find: |theirs| {
            let counts = neighbours();
            let list: Vec<String> = counts.iter().map(ToString::to_string).collect();
            Found::numbers(theirs, &counts.last().map(|most| n(*most)).into_iter().collect::<Vec<_>>())
                .with(format!("corner, edge and middle: {}", list.join(", ")))
        },
    },
    Entry {
        id: "zherotag.2",
        section: "Game Description",
        what: "players",
        theirs: "with two players",
        how: "the seats of our table",
        find: |theirs| Found::numbers(theirs, &[n(seats())]),
    },
    Entry {
        id: "zherotag.3",
        section: "Game Description",
        what: "pieces of a player",
        theirs: "a single piece",
        how: "kings at the start, divided by the players",
        find: |theirs| Found::numbers(theirs, &[n(start(GRID).len()) / n(seats())]),
    },
    Entry {
        id: "zherotag.4",
        section: "PSI based on Diffie-Hellman",
        what: "updates after a move",
        theirs: "two times",
        how: "views that both seats get after one move",
        find: |theirs| Found::numbers(theirs, &[n(looks_after_a_move())]),
    },
];

/// The numbers of steps that are possible from a square of the grid, ascending.
fn neighbours() -> Vec<usize> {
    let counts: BTreeSet<usize> = Cell::all(GRID).map(|cell| targets(GRID, cell).count()).collect();
    counts.into_iter().collect()
}

fn seats() -> u8 {
    *ZheroTag::seats(&OPTIONS).end()
}

/// The number of views that the two seats have after the first move.
fn looks_after_a_move() -> usize {
    let mut state = ZheroTag::start(&OPTIONS, seats());
    let step = ZheroTag::legal(&ZheroTag::observe(&state, Observer::Seat(mover(0))))[0];
    ZheroTag::apply(&mut state, mover(0), &step).expect("a legal step");
    (0..seats()).map(|seat| ZheroTag::observe(&state, Observer::Seat(Seat(seat))).sights.len()).sum()
}
