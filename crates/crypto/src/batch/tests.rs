use super::*;
use crate::challenger::Challenger;
use crate::context::{Context, Head, TableId};
use crate::sigma::Possession;

fn g(factor: u64) -> Element {
    Element::new(crate::group::mul_generator(&Scalar::from(factor))).unwrap()
}

/// The seal of a proof of `seat` with a response.
fn seal(seat: u8, response: &Scalar) -> Seal {
    let context = Context { table: TableId([1; 32]), deal: 0, seat: Seat(seat), head: Head([2; 32]) };
    Challenger::new(&context).open(&Possession { key: g(3) }).close(response)
}

fn equation<'a>(terms: &[(Scalar, &'a Element)]) -> Equation<'a> {
    let mut equation = Equation::new();
    equation.add_all(Scalar::ONE, terms.iter().copied());
    equation
}

/// C1 against our own weights: who knows them can cancel one error with another. That they cover the responses is all
/// that stands against it, and it stands.
#[test]
fn cancelled_errors_pass_only_if_the_responses_are_not_sealed() {
    let (base, two) = (g(1), g(2));
    let error = Scalar::from(5u64);
    // Two equations `response·G − response'·2G`, one of each claim; the first is off by `error`.
    let first = [(Scalar::from(7u64) + error, &base), (-Scalar::ONE, &base), (-Scalar::from(3u64), &two)];
    let second = |fix: Scalar| [(Scalar::from(4u64) + fix, &base), (-Scalar::from(2u64), &two)];
    let run = |seals: [Seal; 2], fix: Scalar| {
        let mut batch = Batch::new();
        let [a, b] = seals;
        batch.claim(a, [equation(&first)]);
        batch.claim(b, [equation(&second(fix))]);
        batch
    };
    let honest = [seal(0, &Scalar::ONE), seal(1, &Scalar::from(4u64))];
    assert_eq!(run(honest.clone(), Scalar::ZERO).settle().unwrap_err().claims[0].seat, Seat(0));

    let seed = run(honest.clone(), Scalar::ZERO).seed();
    let fix = -error * weight(&seed, 0) * weight(&seed, 1).invert();
    assert!(run(honest.clone(), fix).settle().is_ok(), "with stale seals the forger wins");
    // The seal of what was really sent covers the changed response: the weights move, both are named.
    let [a, _] = honest;
    let sent = [a, seal(1, &(Scalar::from(4u64) + fix))];
    let named: Vec<u8> = run(sent, fix).settle().unwrap_err().claims.iter().map(|claim| claim.seat.0).collect();
    assert_eq!(named, [0, 1]);
}

#[test]
fn every_equation_of_a_claim_counts() {
    let base = g(1);
    let (good, bad) = ([(Scalar::ONE, &base), (-Scalar::ONE, &base)], [(Scalar::ONE, &base)]);
    for at in 0..4 {
        let mut batch = Batch::new();
        batch.claim(seal(0, &Scalar::ONE), [equation(&good)]);
        batch.claim(seal(1, &Scalar::ONE), (0..4).map(|i| equation(if i == at { &bad } else { &good })));
        batch.claim(seal(2, &Scalar::ONE), [equation(&good)]);
        let claims = batch.settle().unwrap_err().claims;
        assert_eq!(claims, [Claim { seat: Seat(1), label: Label::Possession, index: 1 }]);
    }
}

#[test]
fn weights_are_short_distinct_and_never_zero() {
    let weights: Vec<Scalar> = (0..200).map(|i| weight(&[7; 64], i)).collect();
    assert!(weights.iter().all(|w| *w != Scalar::ZERO && w.as_bytes()[16..] == [0; 16]));
    let mut sorted: Vec<_> = weights.iter().map(Scalar::to_bytes).collect();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), weights.len());
    assert_ne!(weight(&[7; 64], 0), weight(&[8; 64], 0));
}

/// Elements with any first eight bytes cost a peer nothing: a quarter of all even numbers are encodings.
#[test]
fn elements_that_share_their_first_bytes_are_told_apart() {
    let encoding = |i: u64| {
        let mut bytes = [0; 32];
        bytes[0] = 2;
        bytes[8..16].copy_from_slice(&i.to_le_bytes());
        Element::from_encoding(bytes).ok()
    };
    let alike: Vec<Element> = (0..).filter_map(encoding).take(50).collect();
    let cancel = |e| [(Scalar::ONE, e), (-Scalar::ONE, e)];
    let mut batch = Batch::new();
    let mut equation = Equation::new();
    equation.add_all(Scalar::ONE, alike.iter().flat_map(cancel));
    batch.claim(seal(3, &Scalar::ONE), [equation]);
    assert_eq!(batch.points.len(), alike.len());
    assert!(batch.settle().is_ok());

    let mut batch = Batch::new();
    let mut equation = Equation::new();
    equation.add_all(Scalar::ONE, [(Scalar::ONE, &alike[0]), (-Scalar::ONE, &alike[1])]);
    batch.claim(seal(3, &Scalar::ONE), [equation]);
    assert!(batch.settle().is_err());
}

#[test]
fn a_claim_without_equations_is_refuted() {
    let mut batch = Batch::new();
    let mut truth = Equation::new();
    let generator = Element::generator();
    truth.add_all(Scalar::ONE, [(Scalar::ONE, &generator), (-Scalar::ONE, &generator)]);
    batch.claim(seal(3, &Scalar::ONE), [truth]);
    batch.claim(seal(3, &Scalar::ONE), []);
    let refuted = batch.settle().unwrap_err();
    assert_eq!(refuted.claims.iter().map(|claim| claim.index).collect::<Vec<_>>(), [1]);
}

/// Batches that are put into a larger one keep their claims apart there, and share elements and weights.
#[test]
fn deferred_batches_are_settled_together() {
    let (base, two) = (g(1), g(2));
    let truth = [(Scalar::from(2u64), &base), (-Scalar::ONE, &two)];
    let lie = [(Scalar::ONE, &base), (-Scalar::ONE, &two)];
    let batch = |seat: u8, equations: &[&[(Scalar, &Element)]]| {
        let mut batch = Batch::new();
        equations.iter().for_each(|terms| batch.claim(seal(seat, &Scalar::ONE), [equation(terms)]));
        batch
    };
    let mut all = Batch::new();
    let pending = |batch: &Batch| batch.pend(7).expect("a claim");
    let first = batch(0, &[&truth, &truth]);
    let value = pending(&first);
    let settled = first.defer(&mut all);
    assert_eq!(settled.release(value), Some(7), "on condition");
    let _ = batch(1, &[&truth]).defer(&mut all);
    assert_eq!((all.len(), all.elements()), (3, 2));
    assert!(all.clone().settle().is_ok());
    let _ = batch(2, &[&truth, &lie]).defer(&mut all);
    let refuted = all.clone().settle().unwrap_err();
    assert_eq!(refuted.claims, [Claim { seat: Seat(2), label: Label::Possession, index: 4 }]);
    let _ = Batch::new().defer(&mut all);
    // A claim without an equation is not forgotten either.
    let mut vacuous = Batch::new();
    vacuous.claim(seal(3, &Scalar::ONE), []);
    let _ = vacuous.defer(&mut all);
    assert_eq!(all.settle().unwrap_err().claims.len(), 2);
}
