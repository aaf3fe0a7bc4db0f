//! Poker.

use outis_crypto::codec::Encode;
use outis_poker::protocol::Step;
use outis_poker::protocol::deal::{Said, Shown};
use outis_poker::protocol::player::Memo;
use outis_poker::rules::Options;

use super::{Decoder, Sizes, both};
use crate::table;
use crate::world::PACK;

decoders! {
    "poker options": Options, _ => &(), _ => Options::USUAL.to_bytes(), 0, 0;
    "classic poker options": Options, _ => &(),
        _ => Options { decks: Some(16), ..Options::USUAL }.to_bytes(), 0, 0;
    "poker deal": Said, s => &table::poker_deal(s.a, s.b), w => w.layer(), 0, PACK;
    "poker shown": Shown, s => &table::poker_shown(s.a), w => w.showing(), 8, 0;
    "poker step": Step, s => &table::poker_step(s.a, s.b), w => [vec![1], w.showing()].concat(), 3, 8;
    "classic poker memo": Memo, _ => &(),
        w => [vec![4, 2], w.seats[0].secret().expose_secret().to_bytes().repeat(2)].concat(), 0, 0;
    "poker memo": Memo, _ => &(), w => [vec![0], w.seats[0].secret().expose_secret().to_bytes().to_vec()].concat(), 0, 0;
}
