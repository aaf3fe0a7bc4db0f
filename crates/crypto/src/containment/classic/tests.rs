use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::card::Faces;
use crate::context::{Context, Head, Seat, TableId};
use crate::deck::create;
use crate::key::testing::table_of;
use crate::labels::Label;
use crate::permutation::Permutation;

const CONTEXT: Context = Context { table: TableId([7; 32]), deal: 1, seat: Seat(2), head: Head([9; 32]) };

type Proof = ClassicContainment<128>;

struct Bench {
    rng: ChaCha20Rng,
    key: JointKey,
    pack: Faces,
}

impl Bench {
    fn new(seed: u64) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (_, key) = table_of(3, &mut rng);
        Self { rng, key, pack: Faces::new("tarokk", 8) }
    }

    fn hand(&mut self, cards: &[usize]) -> Vec<OwnCard> {
        cards.iter().map(|c| create(&self.key, &self.pack, *c, &mut self.rng).unwrap()).collect()
    }

    fn prove(&mut self, set: &[usize], cards: &[OwnCard]) -> Option<Proof> {
        prove(&self.key, Subset { pack: &self.pack, cards: set }, cards, &mut Challenger::new(&CONTEXT), &mut self.rng)
    }

    /// The proof of a liar, who holds other cards: it pads with the rest of what it claims and opens what it can.
    fn lie(&mut self, set: &[usize], cards: &[OwnCard], claimed: &[usize]) -> Proof {
        let faces = select(Subset { pack: &self.pack, cards: set }).unwrap();
        let mut rest = self.hand(&set.iter().copied().filter(|c| !claimed.contains(c)).collect::<Vec<_>>());
        let padding = Codes(rest.drain(..faces.len() - cards.len()).map(|own| own.code).collect());
        let output: Vec<Code> = codes(cards).into_iter().chain(padding.0.iter().copied()).collect();
        let masks = cards.iter().map(|own| own.randomness.expose_secret() - Scalar::ONE);
        let masks = masks.chain(core::iter::repeat(Scalar::ONE)).take(faces.len()).collect();
        let permutation = Permutation::new((0..faces.len() as u32).collect()).unwrap();
        let secret = ShuffleSecret { permutation, masks: Zeroizing::new(masks) };
        let mut challenger = Challenger::new(&CONTEXT);
        let own = codes(cards);
        let mut opened = challenger.open(&claim::<128>(&self.key, &faces, &own));
        opened.message("padding", &padding);
        let proof = CutAndChoose::prove_in(opened, &self.key, &output, &secret, &mut self.rng).unwrap();
        ClassicContainment { padding, proof }
    }

    fn verify(&self, set: &[usize], codes: &[Code], proof: &Proof, context: &Context) -> Result<bool, &'static str> {
        let mut batch = Batch::new();
        let mut challenger = Challenger::new(context);
        verify(&self.key, Subset { pack: &self.pack, cards: set }, codes, proof, &mut challenger, &mut batch)
            .map_err(|i| i.why)?;
        match batch.settle() {
            Ok(_) => Ok(true),
            Err(refuted) => {
                assert_eq!(refuted.claims[0].label, Label::ClassicContainment);
                Ok(false)
            }
        }
    }
}

fn codes(cards: &[OwnCard]) -> Vec<Code> {
    cards.iter().map(|own| own.code).collect()
}

#[test]
fn every_size_of_claim_is_accepted_by_the_same_path() {
    let mut bench = Bench::new(1);
    let claims: [(&[usize], &[usize]); 5] =
        [(&[5], &[5]), (&[3, 5, 7], &[7]), (&[4, 1, 2], &[2, 4]), (&[0, 1, 2], &[2, 0, 1]), (&[7, 0, 6, 3], &[3, 6])];
    for (set, held) in claims {
        let hand = bench.hand(held);
        let bytes = bench.prove(set, &hand).unwrap().to_bytes();
        assert_eq!(bytes.len(), 64 * (set.len() - held.len()) + CutAndChoose::<128>::bytes(set.len()));
        let shape = ContainmentShape { codes: held.len(), faces: set.len() };
        let proof = Proof::from_bytes(&bytes, &shape).unwrap();
        assert_eq!(bench.verify(set, &codes(&hand), &proof, &CONTEXT), Ok(true), "{held:?} in {set:?}");
    }
}

/// E9: padding that anyone can read would show the held cards by complement.
#[test]
fn padding_is_fresh_and_holds_the_rest_of_the_set() {
    let mut bench = Bench::new(2);
    let (set, hand) = ([0, 2, 4, 6], bench.hand(&[4]));
    let (first, second) = (bench.prove(&set, &hand).unwrap(), bench.prove(&set, &hand).unwrap());
    let open = open_codes(&bench.key, &select(Subset { pack: &bench.pack, cards: &set }).unwrap());
    for (code, again) in first.padding.0.iter().zip(&second.padding.0) {
        assert_ne!(code, again);
        assert_ne!(code.c1, Element::generator());
        assert!(!open.0.contains(code));
        assert!(!bench.pack.as_slice().contains(&code.c2));
    }
}

#[test]
fn cards_outside_the_set_and_cards_held_twice_cannot_be_claimed() {
    let mut bench = Bench::new(3);
    let set = [0, 1, 2];
    for held in [&[3][..], &[0, 3], &[1, 1]] {
        let hand = bench.hand(held);
        assert_eq!(bench.prove(&set, &hand), None, "{held:?}");
        // Who proves it all the same is refused.
        let claimed = &set[..held.len()];
        let proof = bench.lie(&set, &hand, claimed);
        assert_eq!(bench.verify(&set, &codes(&hand), &proof, &CONTEXT), Ok(false), "{held:?}");
    }
    // Mistaken about one's own randomness.
    let mut hand = bench.hand(&[1]);
    hand[0].randomness = bench.hand(&[1])[0].randomness.clone();
    assert_eq!(bench.prove(&set, &hand), None);
    // A code of nothing.
    let mut hand = bench.hand(&[1]);
    hand[0].code.c2 = Element::hash("test", &[b"random"]);
    let proof = bench.lie(&set, &hand, &[1]);
    assert_eq!(bench.verify(&set, &codes(&hand), &proof, &CONTEXT), Ok(false));
}

#[test]
fn padding_of_another_card_or_number_is_refused() {
    let mut bench = Bench::new(4);
    let set = [0, 1, 2];
    let hand = bench.hand(&[1]);
    let held = codes(&hand);
    let honest = bench.prove(&set, &hand).unwrap();
    let mut proof = honest.clone();
    proof.padding.0[0] = bench.hand(&[5])[0].code;
    assert_eq!(bench.verify(&set, &held, &proof, &CONTEXT), Ok(false));
    let mut proof = honest.clone();
    proof.padding.0[0] = held[0];
    assert_eq!(bench.verify(&set, &held, &proof, &CONTEXT), Err("a code is listed twice"));
    let mut proof = honest.clone();
    proof.padding.0.pop();
    assert_eq!(bench.verify(&set, &held, &proof, &CONTEXT), Err("codes and padding are not as many as the set"));
    proof.padding.0.clear();
    assert_eq!(
        bench.verify(&[1], &held, &proof, &CONTEXT),
        Err("the proof has a different shape from its statement"),
        "a proof about three cards for a set of one"
    );
}

#[test]
fn claims_out_of_order_are_refused_by_both_sides() {
    let mut bench = Bench::new(5);
    let hand = bench.hand(&[1, 2]);
    let held = codes(&hand);
    let proof = bench.prove(&[0, 1, 2], &hand).unwrap();
    let twice = [hand[0].clone(), hand[0].clone()];
    let cases: [(&[usize], &[OwnCard], &str); 5] = [
        (&[0, 1, 2], &[], "a claim about no card proves nothing"),
        (&[], &[], "a claim about no card proves nothing"),
        (&[1], &hand, "more codes than the set has cards"),
        (&[0, 1, 2], &twice, "a code is listed twice"),
        (&[1, 2, 1], &hand, "a face is listed twice"),
    ];
    for (set, cards, why) in cases {
        assert_eq!(bench.prove(set, cards), None, "{why}");
        assert_eq!(bench.verify(set, &codes(cards), &proof, &CONTEXT), Err(why));
    }
    assert_eq!(bench.prove(&[1, 2, 8], &hand), None);
    let unknown = Err("the set names a card that is not in the pack");
    assert_eq!(bench.verify(&[1, 2, 8], &held, &proof, &CONTEXT), unknown);
    for shape in [(0, 3), (4, 3), (1, 1041), (0, 0)] {
        let shape = ContainmentShape { codes: shape.0, faces: shape.1 };
        let error = Proof::from_bytes(&proof.to_bytes(), &shape).unwrap_err();
        assert!(matches!(error.fault, Malformed::Count { .. }), "{error}");
    }
}

#[test]
fn a_proof_holds_for_one_claim_at_one_place() {
    let mut bench = Bench::new(6);
    let set = [0, 1];
    let hand = bench.hand(&[1]);
    let held = codes(&hand);
    let proof = bench.prove(&set, &hand).unwrap();
    let places = [
        Context { table: TableId([8; 32]), ..CONTEXT },
        Context { deal: 2, ..CONTEXT },
        Context { seat: Seat(1), ..CONTEXT },
        Context { head: Head([8; 32]), ..CONTEXT },
    ];
    for place in places {
        assert_eq!(bench.verify(&set, &held, &proof, &place), Ok(false));
    }
    assert_eq!(bench.verify(&[0, 2], &held, &proof, &CONTEXT), Ok(false), "another set");
    assert_eq!(bench.verify(&[1, 0], &held, &proof, &CONTEXT), Ok(false), "another order");
    let other = codes(&bench.hand(&[1]));
    assert_eq!(bench.verify(&set, &other, &proof, &CONTEXT), Ok(false), "another code of the card");
    let bytes = proof.to_bytes();
    for i in 0..16 {
        let at = (8 * bytes.len() - 1) * i / 15;
        let mut changed = bytes.clone();
        changed[at / 8] ^= 1 << (at % 8);
        if let Ok(proof) = Proof::from_bytes(&changed, &ContainmentShape { codes: 1, faces: 2 }) {
            assert_eq!(bench.verify(&set, &held, &proof, &CONTEXT), Ok(false), "bit {at}");
        }
    }
    assert_eq!(bench.verify(&set, &held, &proof, &CONTEXT), Ok(true));
}
