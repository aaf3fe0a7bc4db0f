//! A seat that holds two codes of one face, and asks to show that they are two cards of a set: `containment::prove` says
//! that it gives `None` for a claim that does not hold, but gives a proof that the table will refuse and blame it for.

use outis_crypto::card::{Faces, OwnCard};
use outis_crypto::challenger::Challenger;
use outis_crypto::containment;
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::deck::create;
use outis_crypto::key::testing::table_of;
use outis_crypto::shuffle::CommitmentKey;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

#[test]
fn an_honest_prover_notices_that_its_claim_is_false() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let (_, key) = table_of(2, &mut rng);
    let pack = Faces::new("test", 8);
    let hand: Vec<OwnCard> = [1, 1].iter().map(|c| create(&key, &pack, *c, &mut rng).unwrap()).collect();
    let context = Context { table: TableId([7; 32]), deal: 1, seat: Seat(1), head: Head([1; 32]) };
    let claim = (&pack, &[1usize, 2, 3][..]);
    let mut challenger = Challenger::new(&context);
    let proof = containment::prove(&CommitmentKey::new(8), &key, claim, &hand, &mut challenger, &mut rng);
    assert!(proof.is_none(), "a false proof was made for an honest seat");
}
