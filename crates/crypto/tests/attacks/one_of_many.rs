//! A second prover of the one-of-many proof (one digit), free to cheat: mixtures of faces instead of a face.

use outis_crypto::batch::Batch;
use outis_crypto::card::{Code, Faces};
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::group::{Element, RistrettoPoint, Scalar, mul_generator, public_msm, random_scalar};
use outis_crypto::key::testing::table_of;
use outis_crypto::one_of_many::{OneOfMany, OneOfManyProof};
use outis_crypto::shuffle::CommitmentKey;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn challenger() -> Challenger {
    Challenger::new(&Context { table: TableId([7; 32]), deal: 1, seat: Seat(0), head: Head([9; 32]) })
}

fn commit(vector: &[Scalar], r: &Scalar) -> Element {
    let slot = |i: usize| *Element::hash("commitment slot", &[&(i as u32).to_le_bytes()]).point();
    let points: Vec<RistrettoPoint> = (0..vector.len()).map(slot).collect();
    Element::new(public_msm(vector, &points) + Element::hash("commitment blind", &[]).point() * r).unwrap()
}

/// The code is `Σ sigma_j·face_j`, encrypted; `guess` moves the error of the bit check into `C`, for that challenge.
fn accepted(sigma: &[Scalar], guess: Option<u64>) -> bool {
    let mut rng = ChaCha20Rng::seed_from_u64(7);
    let (_, key) = table_of(2, &mut rng);
    let n = sigma.len();
    let pack = Faces::new("test", n);
    let (faces, h) = (pack.as_slice(), *key.element().point());
    let mix = |s: &[Scalar]| public_msm(s, faces.iter().map(Element::point));
    let code = |r: &Scalar, card: RistrettoPoint| Code {
        c1: Element::new(mul_generator(r)).unwrap(),
        c2: Element::new(card + h * r).unwrap(),
    };
    let r = random_scalar(&mut rng);
    let statement = OneOfMany { key: key.element(), code: code(&r, mix(sigma)), faces };
    let mut a: Vec<Scalar> = (0..n).map(|_| random_scalar(&mut rng)).collect();
    a[0] = -a[1..].iter().sum::<Scalar>();
    let b: Vec<Scalar> = (0..5).map(|_| random_scalar(&mut rng)).collect();
    let one = Scalar::ONE;
    let guess = Scalar::from(guess.unwrap_or(0));
    let c: Vec<Scalar> = a.iter().zip(sigma).map(|(a, s)| a * (one - s - s) + guess * (s * (one - s))).collect();
    let d: Vec<Scalar> = a.iter().map(|a| -(a * a)).collect();
    let digits = [commit(&a, &b[0]), commit(sigma, &b[1]), commit(&c, &b[2]), commit(&d, &b[3])];
    let lower = vec![code(&b[4], -mix(&a))];
    let mut challenger_ = challenger();
    let mut opened = challenger_.open(&statement);
    opened.message("digits", &digits[..]);
    opened.message("lower", &lower);
    let x = opened.challenge("x");
    let mut bytes = Vec::new();
    digits.iter().for_each(|e| e.encode(&mut bytes));
    lower[0].encode(&mut bytes);
    (1..n).for_each(|j| (a[j] + x * sigma[j]).encode(&mut bytes));
    [b[0] + x * b[1], b[3] + x * b[2], r * x - b[4]].iter().for_each(|s| s.encode(&mut bytes));
    let proof = OneOfManyProof::from_bytes(&bytes, &n).unwrap();
    let mut batch = Batch::new();
    statement.verify(&CommitmentKey::new(16), &proof, &mut challenger(), &mut batch).unwrap();
    batch.settle().is_ok()
}

#[test]
fn a_face_is_accepted_and_a_mixture_is_not() {
    let of = |v: &[i64]| -> Vec<Scalar> {
        v.iter()
            .map(|s| if *s < 0 { -Scalar::from(s.unsigned_abs()) } else { Scalar::from(s.unsigned_abs()) })
            .collect()
    };
    for honest in [&[1i64][..], &[0, 1], &[1, 0], &[0, 0, 1], &[0, 1, 0, 0]] {
        assert!(accepted(&of(honest), None), "{honest:?}");
    }
    for false_one in [&[2i64, -1][..], &[1, 1, -1], &[0, 0], &[1, 1], &[3, -1, -1, 0], &[2]] {
        assert!(!accepted(&of(false_one), None), "{false_one:?}");
        assert!(!accepted(&of(false_one), Some(5)), "{false_one:?}");
    }
}
