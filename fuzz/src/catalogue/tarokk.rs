//! Tarokk.

use outis_tarokk::protocol::Step as TarokkStep;
use outis_tarokk::protocol::bits::SumShare;
use outis_tarokk::protocol::player::Memo as TarokkMemo;
use outis_tarokk::rules::options::Options as TarokkOptions;

use super::{Decoder, Sizes, both, decoders};
use crate::table;

decoders! {
    "tarokk options": TarokkOptions, _ => &(), _ => vec![31, 2, 0, 60, 0], 0, 0;
    "tarokk sum": SumShare, _ => &(), w => w.tarokk_sum(), 0, 0;
    "tarokk step": TarokkStep, s => &table::tarokk_step(s.a), w => w.tarokk_sum(), 0, 0;
    "tarokk call": TarokkStep, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("call")).said.clone(), table::tarokk_longest("call"), 0;
    "tarokk discard": TarokkStep, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("discard")).said.clone(), table::tarokk_longest("discard"), 0;
    "tarokk tell": TarokkStep, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("tell")).said.clone(), table::tarokk_longest("tell"), 0;
    "tarokk annul": TarokkStep, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("annul")).said.clone(), table::tarokk_longest("annul"), 0;
    "tarokk word": TarokkStep, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("word")).said.clone(), table::tarokk_longest("word"), 0;
    "tarokk play": TarokkStep, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("play")).said.clone(), table::tarokk_longest("play"), 0;
    "tarokk open": TarokkStep, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("open")).said.clone(), table::tarokk_longest("open"), 0;
    "tarokk memo": TarokkMemo, _ => &(), _ => vec![0], 0, 0;
}
