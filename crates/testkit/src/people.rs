//! The players of a seeded table: identities, tickets and keys that follow from the seed.

use outis_table::Seat;
use outis_table::identity::Identity;
use outis_table::offer::{OfferSeat, Ticket};
use outis_table::seal::SealKey;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// The identity of a seat in a seeded world.
pub fn identity(seed: u64, seat: Seat) -> Identity {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    rng.set_stream(u64::from(seat.0) + 1);
    let mut secret = [0u8; 32];
    rng.fill_bytes(&mut secret);
    Identity::from_secret(&secret)
}

/// A seat of a seeded world, with the nonce it drew.
pub(crate) fn offer_seat(seed: u64, salt: u64, seat: Seat) -> OfferSeat {
    let mut rng = ChaCha20Rng::seed_from_u64(seed ^ salt.rotate_left(32));
    rng.set_stream(u64::from(seat.0) + 101);
    let identity = identity(seed, seat);
    OfferSeat { key: identity.public(), nonce: Ticket::draw(&identity, b"world", 0, &mut rng).nonce() }
}

/// The key of a seat's journal.
pub(crate) fn seal_key(seat: Seat) -> SealKey {
    SealKey::new([seat.0 + 1; 32])
}
