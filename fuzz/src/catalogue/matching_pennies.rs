//! Matching pennies.

use outis_matching_pennies::protocol::{Memo as PenniesMemo, Step as PenniesStep};
use outis_matching_pennies::rules::{Options as PenniesOptions, Side};

use super::{Decoder, Sizes, both, decoders};
use crate::table;

decoders! {
    "pennies options": PenniesOptions, _ => &(), _ => vec![3, 60], 0, 0;
    "side": Side, _ => &(), _ => vec![1], 0, 0;
    "pennies step": PenniesStep, s => table::penny(s.a), _ => vec![0; 33], 1, 0;
    "pennies memo": PenniesMemo, _ => &(), _ => vec![0; 33], 0, 0;
}
