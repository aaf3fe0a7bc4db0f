//! Attack: one false proof in a big batch (a whole log). Naming it takes, for every claim, a pass over the points of *all*
//! claims: quadratic time. 16,000 claims settle in half a second if all are true and in 53 seconds if one is false.

use std::time::{Duration, Instant};

use outis_crypto::batch::Batch;
use outis_crypto::challenger::Challenger;
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::key::SeatSecret;
use outis_crypto::sigma::{Possession, Sigma, SigmaProof};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn challenger(deal: u32) -> Challenger {
    Challenger::new(&Context { table: TableId([7; 32]), deal, seat: Seat(0), head: Head([1; 32]) })
}

/// Time to settle; with `false_one`, the first proof was made for another deal.
fn settle(proofs: &[(Possession, SigmaProof)], false_one: bool) -> Duration {
    let mut batch = Batch::new();
    for (deal, (statement, proof)) in (0..).zip(proofs) {
        let at = if false_one && deal == 0 { u32::MAX } else { deal };
        statement.verify(proof, &mut challenger(at), &mut batch).unwrap();
    }
    let begin = Instant::now();
    let settled = batch.settle();
    let time = begin.elapsed();
    assert_eq!(settled.err().map(|refuted| refuted.claims.len()), false_one.then_some(1));
    time
}

#[test]
fn to_name_one_false_claim_takes_linear_time() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let mut prove = |deal: u32| {
        let secret = SeatSecret::random(&mut rng);
        let statement = Possession { key: *secret.key() };
        let proof = statement.prove(secret.secret(), &mut challenger(deal), &mut rng).unwrap();
        (statement, proof)
    };
    let proofs: Vec<_> = (0..4000).map(&mut prove).collect();
    let (few, many) = (settle(&proofs[..500], true), settle(&proofs, true));
    eprintln!("naming one false claim: {few:?} of 500, {many:?} of 4000; all true: {:?}", settle(&proofs, false));
    assert!(many < 20 * few, "eight times the claims take {many:?} against {few:?}");
}
