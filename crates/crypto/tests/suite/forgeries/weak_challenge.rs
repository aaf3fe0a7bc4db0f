//! S-1: a challenge over the commitments alone. The forger picks the proof first and solves for the statement.

use outis_crypto::group::{Element, Scalar, random_scalar};
use outis_crypto::sigma::SameExponent;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::{check, element, hash, our_challenge, random_element, sigma_proof};

/// Chaum and Pedersen's verifier with the weak challenge `c = H(a, b)`.
fn weak_verifier(s: &SameExponent, a: &Element, b: &Element, r: &Scalar) -> bool {
    let c = hash(&[a.as_bytes(), b.as_bytes()]);
    s.g.point() * r == a.point() + s.x.point() * c && s.h.point() * r == b.point() + s.y.point() * c
}

/// `a = k₁·g`, `b = k₂·h`, any `r`; then `x = (r·g − a)/c` and `y = (r·h − b)/c` have exponents `(r − k₁)/c` and
/// `(r − k₂)/c`, which differ.
fn solve(g: Element, h: Element, (k1, k2): (&Scalar, &Scalar), r: &Scalar, c: &Scalar) -> SameExponent {
    let inverse = c.invert();
    let x = element((g.point() * r - g.point() * k1) * inverse);
    let y = element((h.point() * r - h.point() * k2) * inverse);
    SameExponent { g, x, h, y }
}

#[test]
fn a_statement_solved_for_after_the_challenge_passes_the_weak_form_only() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let (g, h) = (random_element(&mut rng), random_element(&mut rng));
    let [k1, k2, r] = [(); 3].map(|()| random_scalar(&mut rng));
    let (a, b) = (element(g.point() * k1), element(h.point() * k2));
    let c = hash(&[a.as_bytes(), b.as_bytes()]);
    let statement = solve(g, h, (&k1, &k2), &r, &c);
    // The statement is false: the exponent of x, which the forger knows, is not that of y.
    let exponent = (r - k1) * c.invert();
    assert_eq!(element(g.point() * exponent), statement.x);
    assert_ne!(element(h.point() * exponent), statement.y);

    assert!(weak_verifier(&statement, &a, &b, &r), "the weak form is broken");
    assert!(check(&statement, &sigma_proof(&statement, &[a, b], &[r])).is_err());
}

/// The same forger against our challenge: each solved statement moves the challenge that it was solved for.
#[test]
fn solving_for_our_challenge_moves_it() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let (g, h) = (random_element(&mut rng), random_element(&mut rng));
    let [k1, k2, r] = [(); 3].map(|()| random_scalar(&mut rng));
    let commitments = [element(g.point() * k1), element(h.point() * k2)];
    let mut statement = solve(g, h, (&k1, &k2), &r, &Scalar::ONE);
    for _ in 0..16 {
        let c = our_challenge(&statement, &commitments);
        statement = solve(g, h, (&k1, &k2), &r, &c);
        assert_ne!(our_challenge(&statement, &commitments), c);
        assert!(check(&statement, &sigma_proof(&statement, &commitments, &[r])).is_err());
    }
    // The tools of this test are not what makes it fail: with one exponent the same steps give a proof.
    let x = random_scalar(&mut rng);
    let honest = SameExponent { g, x: element(g.point() * x), h, y: element(h.point() * x) };
    let commitments = [element(g.point() * k1), element(h.point() * k1)];
    let r = k1 + our_challenge(&honest, &commitments) * x;
    assert!(check(&honest, &sigma_proof(&honest, &commitments, &[r])).is_ok());
}
