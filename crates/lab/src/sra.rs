//! Extended SRA: the protocol, and what is wrong with it as published.

mod cut;
mod draw;
mod marks;
mod prime;

use crypto_bigint::{U1280, Uint};
use outis_crypto::challenger::Nonces;
use outis_crypto::context::{Context, Head, Seat, TableId};

pub use self::cut::cut;
pub use self::draw::draw;
pub use self::marks::marks;
pub use self::prime::prime;
use crate::modular::Group;

const PARTIES: &[&str] = &["Alice", "Bob"];
const ALICE: usize = 0;
const BOB: usize = 1;

/// Words of a number modulo `2^1279 − 1`.
const WORDS: usize = U1280::LIMBS;
/// The small prime factors of `2^1279 − 2`.
pub(crate) const FACTORS: [u64; 11] = [2, 3, 7, 19, 73, 1279, 5113, 17467, 66457, 102_241, 228_479];

/// The group that the document suggests: modulo `2^1279 − 1`.
pub(crate) fn published_group() -> Group<WORDS> {
    Group::new(Uint::MAX.wrapping_shr_vartime(1))
}

/// `n‖m`: a long random number and four bytes of card.
pub(crate) fn plain(group: &Group<WORDS>, card: usize, source: &mut Nonces) -> Uint<WORDS> {
    let nonce = group.random(1200, source);
    nonce.wrapping_shl_vartime(32).wrapping_add(&Uint::from_u64(card as u64))
}

fn bytes(n: &Uint<WORDS>) -> Vec<u8> {
    n.to_be_bytes().as_ref().to_vec()
}

/// Where a seat's entry stands in these runs.
fn context(seat: usize, head: u8) -> Context {
    Context { table: TableId([3; 32]), deal: 0, seat: Seat(seat as u8), head: Head([head; 32]) }
}
