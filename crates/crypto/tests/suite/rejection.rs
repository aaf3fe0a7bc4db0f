//! The rejection suite: written once, run for every label.

use outis_crypto::batch::Batch;
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::group::Element;
use outis_crypto::labels::Label;
use outis_crypto::secret::SecretScalar;
use outis_crypto::sigma::{
    AnyOf, AnyOfProof, Base, Possession, Relation, SameExponent, SameExponents, Sigma, SigmaProof,
};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use crate::catalogue::{Kind, Refusal, Sample, all, samples};

/// Proofs up to this size are tried with every single bit flipped.
const SMALL: usize = 200;
/// Proofs up to this size are tried with a bit of every byte flipped, and all bits of some fields; larger ones (cut and
/// choose, which repeats itself 128 times) with a bit of every 61st byte.
const MIDDLE: usize = 4096;

#[test]
fn every_label_has_samples() {
    for label in Label::ALL {
        let found = samples(*label, 1);
        assert!(!found.is_empty(), "{label} has no sample");
        assert!(found.iter().all(|sample| sample.label == *label && !sample.lies.is_empty()), "{label}");
    }
}

#[test]
fn honest_proofs_are_accepted() {
    for seed in [1, 2, 3] {
        for sample in Label::ALL.iter().flat_map(|label| samples(*label, seed)) {
            assert_eq!(sample.verify(&sample.context, &sample.inputs, &sample.proof), Ok(()), "{}", sample.title());
            assert_eq!(sample.layout.size(), sample.proof.len(), "{}: layout", sample.title());
        }
    }
}

#[test]
fn lies_are_refused_and_the_liar_is_named() {
    for seed in [1, 2] {
        for sample in Label::ALL.iter().flat_map(|label| samples(*label, seed)) {
            for lie in &sample.lies {
                match sample.verify(&sample.context, &lie.inputs, &lie.proof) {
                    Err(Refusal::Proof(refuted)) => {
                        assert_eq!(refuted.claims.len(), 1);
                        assert_eq!(refuted.claims[0].seat, sample.context.seat, "{}: {}", sample.title(), lie.name);
                    }
                    other => panic!("{}: {}: {other:?}", sample.title(), lie.name),
                }
            }
        }
    }
}

/// Every bit of a small proof; of a larger one one bit every few bytes, and every bit of one field of each kind.
fn bits_to_flip(sample: &Sample) -> Vec<usize> {
    let bytes = sample.proof.len();
    if bytes <= SMALL {
        return (0..8 * bytes).collect();
    }
    let mut rng = ChaCha20Rng::seed_from_u64(bytes as u64);
    let stride = if bytes <= MIDDLE { 1 } else { 61 };
    let mut chosen: Vec<usize> =
        (0..bytes).step_by(stride).map(|byte| 8 * byte + rng.next_u32() as usize % 8).collect();
    let kinds: Vec<_> = sample.layout.items().collect();
    for wanted in [Kind::Element, Kind::Scalar] {
        let fields: Vec<_> = kinds.iter().filter(|(_, _, kind)| *kind == wanted).collect();
        let (at, _, kind) = fields[rng.next_u32() as usize % fields.len()];
        chosen.extend((8 * at..8 * (at + kind.size())).step_by(stride.min(8)));
    }
    if let Some((at, _, kind)) = kinds.iter().rfind(|(_, _, kind)| matches!(kind, Kind::Count(..))) {
        chosen.extend(8 * at..8 * (at + kind.size()));
    }
    chosen
}

#[test]
fn every_flipped_bit_is_refused() {
    for sample in all() {
        for bit in bits_to_flip(&sample) {
            let mut proof = sample.proof.clone();
            proof[bit / 8] ^= 1 << (bit % 8);
            let verdict = sample.verify(&sample.context, &sample.inputs, &proof);
            assert!(verdict.is_err(), "{}: bit {bit} does not count", sample.title());
        }
    }
}

#[test]
fn every_public_input_counts() {
    for sample in all() {
        let variants = sample.inputs.variants();
        assert!(variants.len() >= sample.inputs.0.len());
        for (what, inputs) in variants {
            let verdict = sample.verify(&sample.context, &inputs, &sample.proof);
            assert!(verdict.is_err(), "{}: {what} does not count", sample.title());
        }
    }
}

/// Contexts that differ from the given one in one part.
pub fn other_contexts(base: &Context) -> [(&'static str, Context); 4] {
    let mut head = base.head.0;
    head[31] ^= 1;
    [
        ("table", Context { table: TableId([0x33; 32]), ..*base }),
        ("deal", Context { deal: base.deal + 1, ..*base }),
        ("seat", Context { seat: Seat(base.seat.0 ^ 1), ..*base }),
        ("head", Context { head: Head(head), ..*base }),
    ]
}

#[test]
fn a_proof_holds_at_its_own_table_deal_seat_and_log_only() {
    for sample in all() {
        for (part, context) in other_contexts(&sample.context) {
            match sample.verify(&context, &sample.inputs, &sample.proof) {
                Err(Refusal::Proof(refuted)) => assert_eq!(refuted.claims[0].seat, context.seat),
                other => panic!("{}: another {part}: {other:?}", sample.title()),
            }
        }
    }
}

#[test]
fn a_proof_of_one_label_proves_no_other() {
    let samples = all();
    let mut tried = 0;
    for proof in &samples {
        for claim in samples.iter().filter(|claim| claim.label != proof.label) {
            let verdict = claim.verify(&claim.context, &claim.inputs, &proof.proof);
            assert!(verdict.is_err(), "a proof of {} passes for {}", proof.title(), claim.title());
            tried += usize::from(claim.proof.len() == proof.proof.len());
        }
    }
    assert!(tried >= 6, "some labels must share a shape, or this test shows nothing");
}

#[test]
fn damaged_lengths_are_refused_when_decoding() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    for sample in all() {
        let proof = &sample.proof;
        let random = |n: usize, rng: &mut ChaCha20Rng| {
            let mut bytes = vec![0; n];
            rng.fill_bytes(&mut bytes);
            bytes
        };
        let damaged = [
            vec![],
            proof[..proof.len() - 1].to_vec(),
            proof[..proof.len() - 32].to_vec(),
            proof[32..].to_vec(),
            [&proof[..], &[0]].concat(),
            [&proof[..], &proof[..]].concat(),
            random(proof.len(), &mut rng),
            vec![0; proof.len()],
            vec![0xff; proof.len()],
        ];
        for (i, bytes) in damaged.iter().enumerate() {
            match sample.verify(&sample.context, &sample.inputs, bytes) {
                Err(Refusal::Decode(_)) => {}
                other => panic!("{}: damage {i}: {other:?}", sample.title()),
            }
        }
    }
}

/// C3: proofs of one entry follow each other on one challenger, so neither can be repeated or change its place.
#[test]
fn a_proof_cannot_be_repeated_in_its_entry() {
    for sample in all() {
        let (mut challenger, mut batch) = (Challenger::new(&sample.context), Batch::new());
        for _ in 0..2 {
            (sample.check)(&sample.inputs, &sample.proof, &mut challenger, &mut batch).unwrap();
        }
        let refuted = batch.settle().unwrap_err();
        assert_eq!(refuted.claims.iter().map(|claim| claim.index).collect::<Vec<_>>(), [1], "{}", sample.title());
    }
}

#[test]
fn a_proof_made_first_is_not_accepted_second() {
    let (first, second) = (samples(Label::Possession, 1).remove(0), samples(Label::SameExponent, 1).remove(0));
    let mut batch = Batch::new();
    let mut challenger = Challenger::new(&first.context);
    (first.check)(&first.inputs, &first.proof, &mut challenger, &mut batch).unwrap();
    (second.check)(&second.inputs, &second.proof, &mut challenger, &mut batch).unwrap();
    let refuted = batch.settle().unwrap_err();
    assert_eq!(refuted.claims.len(), 1, "the first stands");
    assert_eq!((refuted.claims[0].index, refuted.claims[0].label), (1, Label::SameExponent));
}

/// One truth under several labels: the same relation with the same witness, and still each proof counts for its own.
#[test]
fn the_same_relation_under_another_label_is_another_claim() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let context = crate::catalogue::context();
    let secret = SecretScalar::random(&mut rng);
    let times = |base: &Element| Element::new(base.point() * secret.expose_secret()).unwrap();
    let (g, base) = (Element::generator(), Element::hash("rejection", &[]));
    let (key, power) = (times(&g), times(&base));
    let pair = SameExponent { g, x: key, h: base, y: power };
    let many = SameExponents { key, bases: &[base], powers: &[power] };
    let possession = Possession { key };
    let mut relation = Relation::new();
    let x = relation.secret();
    relation.demand(Base::One(&key), [(x, Base::One(&g))]);
    let any = AnyOf { branches: vec![relation] };

    let of_pair = pair.prove(&secret, &mut Challenger::new(&context), &mut rng).unwrap();
    let of_many = many.prove(&secret, &mut Challenger::new(&context), &mut rng).unwrap();
    let of_key = possession.prove(&secret, &mut Challenger::new(&context), &mut rng).unwrap();
    let of_any = any.prove(0, &[*secret.expose_secret()], &mut Challenger::new(&context), &mut rng).unwrap();

    fn sigma<S: Sigma>(context: &Context, statement: &S, proof: &[u8]) -> bool {
        let mut batch = Batch::new();
        let proof = SigmaProof::from_bytes(proof, &statement.shape()).unwrap();
        statement.verify(&proof, &mut Challenger::new(context), &mut batch).unwrap();
        batch.settle().is_ok()
    }
    let alternative = |proof: &[u8]| {
        let mut batch = Batch::new();
        let proof = AnyOfProof::from_bytes(proof, &any.shape()).unwrap();
        any.verify(&proof, &mut Challenger::new(&context), &mut batch).unwrap();
        batch.settle().is_ok()
    };
    let (of_pair, of_many) = (of_pair.to_bytes(), of_many.to_bytes());
    assert!(sigma(&context, &pair, &of_pair) && sigma(&context, &many, &of_many));
    assert!(!sigma(&context, &pair, &of_many) && !sigma(&context, &many, &of_pair));
    let (of_key, of_any) = (of_key.to_bytes(), of_any.to_bytes());
    assert!(sigma(&context, &possession, &of_key) && alternative(&of_any));
    assert!(!sigma(&context, &possession, &of_any) && !alternative(&of_key));
}

/// Two statements that differ in nothing but the label.
mod twins {
    use outis_crypto::challenger::Opened;
    use outis_crypto::group::{Element, Scalar};
    use outis_crypto::secret::SecretScalar;
    use outis_crypto::sigma::{Base, Relation, Sigma, SigmaShape};
    use outis_crypto::{labels, statement};

    statement! {
        /// `power = x·base`, under the label of possession.
        pub struct First = Possession {
            pub base: Element,
            pub power: Element,
        }
    }

    labels! {
        /// As a game makes its own.
        pub const LABELS: "twins" = {
            /// Another label.
            SECOND = "second/1",
        }
    }

    statement! {
        /// The same under another label, made outside the crate.
        pub struct Second = (SECOND) {
            pub base: Element,
            pub power: Element,
        }
    }

    macro_rules! power {
        ($($name:ident)*) => {$(
            impl Sigma for $name {
                type Witness = SecretScalar;

                fn shape(&self) -> SigmaShape {
                    SigmaShape { equations: 1, secrets: 1 }
                }

                fn relation<'s>(&'s self, _: &mut Opened<'_>) -> Relation<'s> {
                    let mut relation = Relation::new();
                    let x = relation.secret();
                    relation.demand(Base::One(&self.power), [(x, Base::One(&self.base))]);
                    relation
                }

                fn secrets(witness: &SecretScalar) -> zeroize::Zeroizing<Vec<Scalar>> {
                    zeroize::Zeroizing::new(vec![*witness.expose_secret()])
                }
            }
        )*};
    }

    power!(First Second);
}

#[test]
fn the_label_alone_tells_two_claims_apart() {
    let mut rng = ChaCha20Rng::seed_from_u64(6);
    let context = crate::catalogue::context();
    let secret = SecretScalar::random(&mut rng);
    let base = Element::hash("twins", &[]);
    let power = Element::new(base.point() * secret.expose_secret()).unwrap();
    let (first, second) = (twins::First { base, power }, twins::Second { base, power });
    assert_eq!(first.to_bytes(), second.to_bytes());
    let proof = first.prove(&secret, &mut Challenger::new(&context), &mut rng).unwrap();
    let mut batch = Batch::new();
    first.verify(&proof, &mut Challenger::new(&context), &mut batch).unwrap();
    second.verify(&proof, &mut Challenger::new(&context), &mut batch).unwrap();
    let claims = batch.settle().unwrap_err().claims;
    assert_eq!(claims.iter().map(|claim| claim.label).collect::<Vec<_>>(), twins::LABELS);
}
