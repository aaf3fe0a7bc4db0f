//! Tarokk.

use outis_tarokk::protocol::Step;
use outis_tarokk::protocol::bits::SumShare;
use outis_tarokk::protocol::player::Memo;
use outis_tarokk::rules::options::Options;

use super::{Decoder, Sizes, both};
use crate::table;

decoders! {
    "tarokk options": Options, _ => &(), _ => vec![31, 2, 0, 60, 0], 0, 0;
    "tarokk sum": SumShare, _ => &(), w => w.tarokk_sum(), 0, 0;
    "tarokk step": Step, s => &table::tarokk_step(s.a), w => w.tarokk_sum(), 0, 0;
    "tarokk call": Step, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("call")).said.clone(), table::tarokk_longest("call"), 0;
    "tarokk discard": Step, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("discard")).said.clone(), table::tarokk_longest("discard"), 0;
    "tarokk tell": Step, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("tell")).said.clone(), table::tarokk_longest("tell"), 0;
    "tarokk annul": Step, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("annul")).said.clone(), table::tarokk_longest("annul"), 0;
    "tarokk word": Step, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("word")).said.clone(), table::tarokk_longest("word"), 0;
    "tarokk play": Step, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("play")).said.clone(), table::tarokk_longest("play"), 0;
    "tarokk open": Step, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("open")).said.clone(), table::tarokk_longest("open"), 0;
    "tarokk memo": Memo, _ => &(), _ => vec![0], 0, 0;
}
