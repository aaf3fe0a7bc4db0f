//! ZheroTag.

use outis_zherotag::protocol::place::{OnGrid, Position};
use outis_zherotag::protocol::player::Memo;
use outis_zherotag::protocol::psi::{Ask, Reply};
use outis_zherotag::protocol::step::{Move, Step};
use outis_zherotag::rules::Options;

use super::{Decoder, Sizes, both};
use crate::table;

decoders! {
    "zherotag options": Options, _ => &(), _ => vec![6, 60, 60, 1], 0, 0;
    "zherotag place": Position, _ => &(), _ => table::zherotag("place"), 0, 0;
    "zherotag grid": OnGrid, s => &table::grid(s.a), _ => table::zherotag("grid"), 4, 0;
    "zherotag ask": Ask, s => &table::grid(s.a), _ => table::zherotag("ask"), 4, 0;
    "zherotag reply": Reply, s => &table::grid(s.a), _ => table::zherotag("reply"), 4, 0;
    "zherotag move": Move, s => &(table::grade(s.b), table::grid(s.a)), _ => table::zherotag("move"), 4, 0;
    "zherotag step": Step, s => &table::zherotag_step(s.a), _ => table::zherotag("step"), 2, 0;
    "zherotag memo": Memo, _ => &(), _ => vec![0], 0, 0;
}
