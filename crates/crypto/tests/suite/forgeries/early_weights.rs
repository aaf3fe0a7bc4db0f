//! C1 and V1: a weight that can be computed before everything it weighs is fixed.

use outis_crypto::batch::Batch;
use outis_crypto::challenger::Challenger;
use outis_crypto::group::{Element, RistrettoPoint, Scalar, random_scalar};
use outis_crypto::labels::Label;
use outis_crypto::secret::SecretScalar;
use outis_crypto::sigma::{Possession, SameExponent, SameExponents, Sigma};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::{check, element, g, hash, our_challenge, random_element, sigma_proof};
use crate::catalogue::context;

/// C1: a false share of a card, checked in one batch with a harmless proof of the same seat. The error of the first is
/// cancelled by a wrong response of the second, because the weights of the broken batch were known when it was made.
#[test]
fn batch_weights_cover_the_responses() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let [x, kid, k1, k2, d] = [(); 5].map(|()| random_scalar(&mut rng));
    let c1 = random_element(&mut rng);
    let share = SameExponent {
        g: Element::generator(),
        x: element(g() * x),
        h: c1,
        y: element(c1.point() * x + g() * d), // false: off by d·G, so it opens another card
    };
    let harmless = Possession { key: element(g() * kid) };
    let first = [element(g() * k1), element(c1.point() * k1)];
    let second = [element(g() * k2)];
    // Both proofs are made in one entry, the second on top of the first.
    let c = our_challenge(&share, &first);
    let z = k1 + c * x;
    let share_proof = sigma_proof(&share, &first, &[z]);
    let mut challenger = Challenger::new(&context());
    share.verify(&share_proof, &mut challenger, &mut Batch::new()).unwrap();
    let cc = {
        let mut opened = challenger.open(&harmless);
        opened.message("commitments", &second.to_vec());
        opened.challenge("c")
    };

    // The broken batch: weights from statements, commitments and challenges, but not from the responses.
    let parts = [&share.x, &share.h, &share.y, &harmless.key, &first[0], &first[1], &second[0]];
    let seed = hash(&parts.map(|e| &e.as_bytes()[..]));
    let weights: [Scalar; 3] =
        core::array::from_fn(|i| hash(&[seed.as_bytes(), c.as_bytes(), cc.as_bytes(), &[i as u8]]));
    let broken_batch = |z: &Scalar, zz: &Scalar| {
        let e1 = g() * z - first[0].point() - share.x.point() * c;
        let e2 = c1.point() * z - first[1].point() - share.y.point() * c;
        let e3 = g() * zz - second[0].point() - harmless.key.point() * cc;
        e1 * weights[0] + e2 * weights[1] + e3 * weights[2] == RistrettoPoint::default()
    };
    let honest = k2 + cc * kid;
    assert!(!broken_batch(&z, &honest), "the share is false");
    let forged = honest + weights[1] * weights[2].invert() * c * d;
    assert!(broken_batch(&z, &forged), "the broken batch is broken");

    // Ours: the same two proofs, both false, both named; beside the good proof of another seat, which is not.
    let mut batch = Batch::new();
    let mut challenger = Challenger::new(&context());
    share.verify(&share_proof, &mut challenger, &mut batch).unwrap();
    harmless.verify(&sigma_proof(&harmless, &second, &[forged]), &mut challenger, &mut batch).unwrap();
    let bystander = crate::catalogue::samples(Label::SameCard, 9).remove(0);
    (bystander.check)(&bystander.inputs, &bystander.proof, &mut Challenger::new(&bystander.context), &mut batch)
        .unwrap();
    let named: Vec<_> = batch.settle().unwrap_err().claims.iter().map(|claim| (claim.index, claim.label)).collect();
    assert_eq!(named, [(0, Label::SameExponent), (1, Label::Possession)]);

    // With the honest second response only the share is named.
    let mut batch = Batch::new();
    let mut challenger = Challenger::new(&context());
    share.verify(&share_proof, &mut challenger, &mut batch).unwrap();
    harmless.verify(&sigma_proof(&harmless, &second, &[honest]), &mut challenger, &mut batch).unwrap();
    let named: Vec<_> = batch.settle().unwrap_err().claims.iter().map(|claim| claim.index).collect();
    assert_eq!(named, [0]);
}

/// Powers that are wrong by amounts which the given weights cancel.
fn cancelled(bases: &[Element], beta: &Scalar, weights: &[Scalar], rng: &mut ChaCha20Rng) -> Vec<Element> {
    let mut errors: Vec<RistrettoPoint> = bases[1..].iter().map(|_| g() * random_scalar(rng)).collect();
    let sum: RistrettoPoint = errors.iter().zip(weights).map(|(error, w)| error * w).sum();
    errors.push(-(sum * weights[bases.len() - 1].invert()));
    bases.iter().zip(errors).map(|(base, error)| element(base.point() * beta + error)).collect()
}

/// V1 and C4: powers answered after the folding weights are known. The broken check folds with weights of the asker's
/// message; then every single answer can be false and the fold still true.
#[test]
fn folding_weights_cover_the_powers() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let bases: Vec<Element> = (0..8).map(|_| random_element(&mut rng)).collect();
    let beta = random_scalar(&mut rng);
    let key = element(g() * beta);
    let early: Vec<Scalar> = (0..8u8).map(|i| hash(&[bases[0].as_bytes(), bases[7].as_bytes(), &[i]])).collect();
    let powers = cancelled(&bases, &beta, &early, &mut rng);
    assert!(bases.iter().zip(&powers).all(|(base, power)| element(base.point() * beta) != *power));

    // The broken form: one Chaum–Pedersen proof over the folded pair.
    let fold = |list: &[Element]| element(list.iter().zip(&early).map(|(e, w)| e.point() * w).sum());
    let folded = SameExponent { g: Element::generator(), x: key, h: fold(&bases), y: fold(&powers) };
    let secret = SecretScalar::new(beta);
    let proof = folded.prove(&secret, &mut Challenger::new(&context()), &mut rng).unwrap();
    assert!(check(&folded, &proof).is_ok(), "the broken form is broken");

    // Ours draws the weights over the powers.
    let statement = SameExponents { key, bases: &bases, powers: &powers };
    let proof = statement.prove(&secret, &mut Challenger::new(&context()), &mut rng).unwrap();
    assert_eq!(check(&statement, &proof).unwrap_err().claims[0].label, Label::SameExponents);
}

/// The same forger against our weights: it reads them, cancels for them, and by that moves them.
#[test]
fn cancelling_for_our_weights_moves_them() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let bases: Vec<Element> = (0..4).map(|_| random_element(&mut rng)).collect();
    let beta = random_scalar(&mut rng);
    let key = element(g() * beta);
    let weights = |powers: &[Element]| {
        let statement = SameExponents { key, bases: &bases, powers };
        Challenger::new(&context()).open(&statement).challenges("weights", bases.len())
    };
    let mut powers: Vec<Element> = bases.iter().map(|base| element(base.point() * beta)).collect();
    for _ in 0..8 {
        let seen = weights(&powers);
        powers = cancelled(&bases, &beta, &seen, &mut rng);
        assert!(weights(&powers).iter().zip(&seen).all(|(new, old)| new != old));
        let statement = SameExponents { key, bases: &bases, powers: &powers };
        let proof = statement.prove(&SecretScalar::new(beta), &mut Challenger::new(&context()), &mut rng).unwrap();
        assert!(check(&statement, &proof).is_err());
    }
}
