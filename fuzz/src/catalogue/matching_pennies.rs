//! Matching pennies.

use outis_matching_pennies::protocol::{Memo, Step};
use outis_matching_pennies::rules::{Options, Side};

use super::{Decoder, Sizes, both};
use crate::table;

decoders! {
    "pennies options": Options, _ => &(), _ => vec![3, 60], 0, 0;
    "side": Side, _ => &(), _ => vec![1], 0, 0;
    "pennies step": Step, s => table::penny(s.a), _ => vec![0; 33], 1, 0;
    "pennies memo": Memo, _ => &(), _ => vec![0; 33], 0, 0;
}
