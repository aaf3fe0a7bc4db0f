//! Dark chess, in both grades.

use outis_dark_chess::classic::Lists;
use outis_dark_chess::classic::player::Memo as ClassicChessMemo;
use outis_dark_chess::classic::step::{Step as ClassicChessStep, Turn as ClassicChessTurn};
use outis_dark_chess::protocol::Step;
use outis_dark_chess::protocol::player::Memo;
use outis_dark_chess::protocol::step::Turn;
use outis_dark_chess::protocol::turn::Moved;
use outis_dark_chess::rules::moves::{Announcement, Move};
use outis_dark_chess::rules::options::Options;

use super::{Decoder, Sizes, both};
use crate::{andos, table};

decoders! {
    "classic chess lists": Lists<4>, _ => andos::key_of(), _ => andos::lists(), 0, 0;
    "classic chess turn": ClassicChessTurn, _ => &(), _ => vec![0, 36, 1], 0, 0;
    "classic chess key": ClassicChessStep<4>, s => &andos::kind(s.a), _ => andos::step(0), 0, 0;
    "classic chess step": ClassicChessStep<4>, s => &andos::kind(s.a), _ => andos::step(2), 2, 0;
    "classic chess ask": ClassicChessStep<4>, s => &andos::kind(s.a), _ => andos::step(3), 3, 0;
    "classic chess reply": ClassicChessStep<4>, s => &andos::kind(s.a), _ => andos::step(4), 4, 0;
    "classic chess memo": ClassicChessMemo<4, 2>, _ => &(), _ => vec![3, 2, 0, 7, 9], 0, 0;
    "dark chess options": Options, _ => &(), _ => vec![1, 50, 2, 60, 0, 0, 0], 0, 0;
    "dark chess options with increment": Options, _ => &(), _ => vec![1, 50, 6, 88, 2, 0, 0, 5, 0], 0, 0;
    "dark chess move": Move, _ => &(), _ => vec![4, 48, 56, 5], 0, 0;
    "dark chess moved": Moved, s => &table::charter(s.b), w => table::chess_move(w.key.element().as_bytes()), 0, 0;
    "dark chess turn": Turn, s => &(table::charter(s.b), s.a == 1), _ => vec![3], 0, 0;
    "dark chess step": Step, s => &table::chess_step(s.a, s.b), _ => vec![1], 0, 0;
    "dark chess memo": Memo, _ => &(), _ => vec![0], 0, 0;
    "dark chess announcement": Announcement, _ => &(), _ => vec![36, 1], 0, 0;
}
