//! Does the time of making the bit of a discard depend on the card? A check in the style of dudect, run by hand:
//!
//! ```text
//! cargo run --release -p outis-tarokk --features outis-crypto/testing --example bit-timing [SECONDS-PER-CHECK]
//! ```
//!
//! The method and the last result are in `docs/timing.md`.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example measures time")]

#[path = "../../../crates/crypto/examples/timing/harness.rs"]
mod harness;

use outis_crypto::card::Faces;
use outis_crypto::challenger::{Challenger, Nonces, Purpose};
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::deck::create;
use outis_crypto::key::{JointKey, SeatKey, SeatSecret};
use outis_tarokk::protocol::bits::Bit;
use outis_tarokk::rules::cards::Card;
use outis_tarokk::rules::cardset::CardSet;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

fn source(rng: &mut ChaCha20Rng) -> Nonces {
    Nonces::keyless(const { Purpose::new("timing") }, &[][..] as &[u8], [], rng)
}

/// A challenger at a fresh place: what is public is fresh in both classes.
fn challenger(rng: &mut ChaCha20Rng) -> Challenger {
    let mut head = Head([0; 32]);
    rng.fill_bytes(&mut head.0);
    Challenger::new(&Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head })
}

fn main() {
    let bench = harness::Bench::from_arguments();
    let rng = &mut ChaCha20Rng::seed_from_u64(2);
    let context = Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([0; 32]) };
    let secret = SeatSecret::draw(&context, &mut source(rng));
    let (commitment, opening) = secret.commit(&outis_crypto::commit::Place::of(&context), &mut source(rng));
    let reveal = secret.reveal(opening, &mut Challenger::new(&context), &mut source(rng)).expect("a reveal");
    let own = SeatKey::accept(&context, &commitment, &reveal).expect("a key");
    let key = JointKey::aggregate(&[Seat(0)], vec![own]).expect("a joint key");
    let pack = Faces::new("tarokk", Card::all().count());
    let allowed: CardSet = Card::all().collect();
    for (name, fixed_card) in [("bit of a discard, the first tarokk", 41), ("bit of a discard, the first card", 0)] {
        bench.check(
            name,
            |fixed, rng| {
                let random = (rng.next_u64() % 42) as usize;
                let card = if fixed { fixed_card } else { random };
                let own = create(&key, &pack, card, &mut source(rng)).expect("a card");
                (own, challenger(rng), source(rng))
            },
            |(own, mut challenger, mut source)| Bit::make(&key, &pack, allowed, &own, &mut challenger, &mut source),
        );
    }
}
