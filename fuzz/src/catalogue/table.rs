//! What a table is made of.

use outis_crypto::codec::Encode;
use outis_table::claim::Silence;
use outis_table::entry::Entry;
use outis_table::evidence::Equivocation;
use outis_table::export::Record;
use outis_table::identity::{IdentityKey, Signature};
use outis_table::keys::{KeyKind, KeyStep, OwnKey};
use outis_table::letter::Letter;
use outis_table::offer::Offer;
use outis_table::session::wire::Frame;

use super::{Decoder, Sizes, both};
use crate::{meeting, table};

decoders! {
    "identity": IdentityKey, _ => &(), _ => table::offer().seats[0].key.to_bytes(), 0, 0;
    "signature": Signature, _ => &(), _ => table::recorded().entry.signature().to_bytes(), 0, 0;
    "offer": Offer, _ => &(), _ => table::offer().to_bytes(), 0, 0;
    "entry": Entry, _ => &(), _ => table::recorded().entry.to_bytes(), 0, 0;
    "equivocation": Equivocation, _ => &(), _ => table::equivocation().to_bytes(), 0, 0;
    "silence": Silence, _ => &(), _ => table::silence(), 0, 0;
    "record": Record, _ => &(), _ => Record::Entry(table::recorded().entry.clone()).to_bytes(), 0, 0;
    "frame": Frame, _ => &(), _ => table::recorded().frames[0].clone(), 0, 0;
    "status": Frame, _ => &(), _ => table::status(), 0, 0;
    "key step": KeyStep, s => &[KeyKind::Commit, KeyKind::Reveal][s.a % 2], w => w.commitment.0.to_bytes(), 0, 0;
    "own key": OwnKey, _ => &(), _ => [vec![1], vec![0; 63]].concat(), 0, 0;
    "letter": Letter, _ => &(), _ => meeting::letter().to_bytes(), 0, 0;
}
