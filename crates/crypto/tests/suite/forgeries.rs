//! Forgeries written out: each is shown to work on the weak form that others have shipped, and to fail on ours.
//!
//! | test | break | source |
//! |---|---|---|
//! | [`weak_challenge`] | the statement is not hashed | S-1 |
//! | [`rogue_key`] | keys without proof of possession or commitment | S-4 |
//! | [`early_weights`] | batch weights that do not cover the responses; folding weights known before the reply | C1, V1, C4 |
//! | [`one_of_many`] | slots that hold no entry, digits that are none | V2 |

mod early_weights;
mod one_of_many;
mod rogue_key;
mod weak_challenge;

use outis_crypto::batch::{Batch, Refuted};
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::group::{Element, RistrettoPoint, Scalar, random_scalar};
use outis_crypto::sigma::{Sigma, SigmaProof};
use rand_chacha::ChaCha20Rng;
use sha2::{Digest, Sha512};

use crate::catalogue::context;

/// A hash of points and scalars as a weak protocol would take it.
fn hash(parts: &[&[u8]]) -> Scalar {
    let digest = parts.iter().fold(Sha512::new(), |state, part| state.chain_update(part)).finalize();
    Scalar::from_bytes_mod_order_wide(&digest.into())
}

fn element(point: RistrettoPoint) -> Element {
    Element::new(point).expect("not the identity")
}

fn g() -> RistrettoPoint {
    *Element::generator().point()
}

fn random_element(rng: &mut ChaCha20Rng) -> Element {
    element(g() * random_scalar(rng))
}

/// A sigma proof from its parts, as a forger would put it on the wire.
fn sigma_proof<S: Sigma>(statement: &S, commitments: &[Element], responses: &[Scalar]) -> SigmaProof {
    let mut bytes = Vec::new();
    commitments.iter().for_each(|e| e.encode(&mut bytes));
    responses.iter().for_each(|s| s.encode(&mut bytes));
    SigmaProof::from_bytes(&bytes, &statement.shape()).expect("a well-formed proof")
}

/// The challenge that our verifier will compute for these commitments.
fn our_challenge<S: Sigma>(statement: &S, commitments: &[Element]) -> Scalar {
    let mut challenger = Challenger::new(&context());
    let mut opened = challenger.open(statement);
    let _ = statement.relation(&mut opened);
    opened.message("commitments", &commitments.to_vec());
    opened.challenge("c")
}

fn check<S: Sigma>(statement: &S, proof: &SigmaProof) -> Result<(), Refuted> {
    let mut batch = Batch::new();
    statement.verify(proof, &mut Challenger::new(&context()), &mut batch).expect("a statement in order");
    batch.settle().map(drop)
}
