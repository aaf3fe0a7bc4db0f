//! High card.

use outis_high_card::protocol::player::Memo;
use outis_high_card::protocol::shuffling::ShuffleProof;
use outis_high_card::protocol::step::Step;
use outis_high_card::rules::Options;

use super::{Decoder, Sizes, both};
use crate::table;
use crate::world::PACK;

decoders! {
    "high-card options": Options, _ => &(), _ => vec![52, 1, 0], 0, 0;
    "high-card step": Step, s => &table::card_step(s.a, s.b), w => w.high_card_shuffle(), 2, PACK;
    "high-card shuffle": ShuffleProof, s => &(s.a, table::grade(s.b)), w => w.named("shuffle").to_vec(), PACK, 0;
    "high-card memo": Memo, _ => &(), _ => [vec![1], vec![0; 63]].concat(), 0, 0;
}
