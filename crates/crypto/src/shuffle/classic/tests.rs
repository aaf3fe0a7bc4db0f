use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::card::{Codes, Faces};
use crate::codec::Malformed;
use crate::context::{Context, Head, Seat, TableId};
use crate::deck::open_deck;
use crate::key::testing::table_of;
use crate::labels::Label;
use crate::permutation::Permutation;
use crate::shuffle::Decks;

mod guessing;

const CONTEXT: Context = Context { table: TableId([7; 32]), deal: 1, seat: Seat(1), head: Head([9; 32]) };

/// A table with an honest shuffle of a small deck.
struct Bench {
    rng: ChaCha20Rng,
    key: JointKey,
    input: Codes,
    output: Codes,
    secret: ShuffleSecret,
}

impl Bench {
    fn new(cards: usize, seed: u64) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (_, key) = table_of(3, &mut rng);
        // Not the open deck: its first halves are all equal, which a mistake could hide behind.
        let (input, _) = reencrypt::shuffle(&key, &open_deck(&key, &Faces::new("test", cards)).0, &mut rng).unwrap();
        let (output, secret) = reencrypt::shuffle(&key, &input.0, &mut rng).unwrap();
        Self { rng, key, input, output, secret }
    }

    /// The proof that a shuffler with this secret makes, whether it fits the output or not.
    fn prove(&mut self, output: &Codes) -> CutAndChoose<128> {
        let statement = claim::<128>(self.key.element(), Decks { input: &self.input.0, output: &output.0 });
        let mut challenger = Challenger::new(&CONTEXT);
        CutAndChoose::prove_in(challenger.open(&statement), &self.key, &output.0, &self.secret, &mut self.rng).unwrap()
    }

    fn verify(&self, output: &Codes, proof: &CutAndChoose<128>, context: &Context) -> Result<bool, &'static str> {
        let mut batch = Batch::new();
        let decks = Decks { input: &self.input.0, output: &output.0 };
        verify(&self.key, decks, proof, &mut Challenger::new(context), &mut batch).map_err(|invalid| invalid.why)?;
        match batch.settle() {
            Ok(_) => Ok(true),
            Err(refuted) => {
                let claim = refuted.claims[0];
                assert_eq!((claim.seat, claim.label), (context.seat, Label::ClassicShuffle));
                Ok(false)
            }
        }
    }
}

impl Opening {
    fn to_secret(&self) -> ShuffleSecret {
        let permutation = Permutation::new(self.order.iter().map(|k| u32::from(*k)).collect()).unwrap();
        ShuffleSecret { permutation, masks: Zeroizing::new(self.masks.clone()) }
    }
}

#[test]
fn an_honest_shuffle_is_accepted_and_its_size_is_what_the_type_says() {
    for cards in [1, 2, 5] {
        let mut bench = Bench::new(cards, cards as u64);
        let mut challenger = Challenger::new(&CONTEXT);
        let decks = Decks { input: &bench.input.0, output: &bench.output.0 };
        let proof: CutAndChoose<128> =
            prove(&bench.key, decks, &bench.secret, &mut challenger, &mut bench.rng).unwrap();
        let bytes = proof.to_bytes();
        assert_eq!(bytes.len(), CutAndChoose::<128>::bytes(cards));
        let proof = CutAndChoose::from_bytes(&bytes, &cards).unwrap();
        assert_eq!(bench.verify(&bench.output, &proof, &CONTEXT), Ok(true));
        assert_eq!(proof.to_bytes(), bytes);
    }
    assert_eq!(CutAndChoose::<128>::bytes(52), 652_288);
}

/// TK-T: the thesis's formula for the composed masks has the wrong index. Both ways to a shadow are held against TK-19.
#[test]
fn both_ways_to_a_shadow_are_shuffles_by_tk_19() {
    for cards in [1, 2, 3, 4, 7, 13] {
        let mut bench = Bench::new(cards, 20 + cards as u64);
        let Bench { rng, key, input, output, secret } = &mut bench;
        for _ in 0..5 {
            let (shadow, way) = reencrypt::shuffle(key, &output.0, rng).unwrap();
            let ways = || vec![way.clone()];
            let from_output = Openings::<1>::answer(&[true], ways(), secret).openings[0].to_secret();
            let from_input = Openings::<1>::answer(&[false], ways(), secret).openings[0].to_secret();
            assert!(reencrypt::check(key, &output.0, &shadow.0, &from_output));
            assert!(reencrypt::check(key, &input.0, &shadow.0, &from_input));
            // The equations say what TK-19 says, also when it says no.
            let shadows = Shadows::<1>::new(vec![shadow.clone()]).unwrap();
            for (bit, way) in [(true, &from_output), (false, &from_input), (true, &from_input)] {
                let deck = if bit { &*output } else { &*input };
                let opening = Openings::<1>::answer(&[true], vec![way.clone()], secret);
                let mut batch = Batch::new();
                let decks = Decks { input: &input.0, output: &output.0 };
                let seal = Challenger::new(&CONTEXT).open(&claim::<1>(key.element(), decks)).close(&opening);
                batch.claim(seal, equations(key.element(), decks, &[bit], &shadows, &opening));
                assert_eq!(batch.settle().is_ok(), reencrypt::check(key, &deck.0, &shadow.0, way));
            }
        }
    }
}

/// What is opened is a uniform order whichever way it is opened: 12 cells, 11 degrees of freedom, 10⁻⁶ tail at 50.
#[test]
fn openings_do_not_show_the_order() {
    let mut bench = Bench::new(3, 40);
    let mut counts = std::collections::BTreeMap::new();
    let samples = 2_400u32;
    for i in 0..samples {
        let (_, way) = reencrypt::shuffle(&bench.key, &bench.output.0[..], &mut bench.rng).unwrap();
        let bit = i % 2 == 0;
        let opening = Openings::<1>::answer(&[bit], vec![way], &bench.secret).openings.remove(0);
        *counts.entry((bit, opening.order)).or_insert(0u32) += 1;
    }
    let expected = f64::from(samples) / 12.0;
    let chi: f64 = counts.values().map(|c| (f64::from(*c) - expected).powi(2) / expected).sum();
    assert_eq!(counts.len(), 12);
    assert!(chi < 50.0, "chi-square {chi}");
}

/// S-11: what a shuffler may try with the deck. It opens what it can, which is every way from its own output.
#[test]
fn a_deck_with_other_cards_is_refused() {
    let mut bench = Bench::new(3, 2);
    let honest = bench.output.clone();
    let foreign = crate::deck::create(&bench.key, &Faces::new("other", 1), 0, &mut bench.rng).unwrap().code;
    let (again, _) = reencrypt::shuffle(&bench.key, &honest.0[1..2], &mut bench.rng).unwrap();
    let random = Code { c1: Element::hash("test", &[b"c1"]), c2: Element::hash("test", &[b"c2"]) };
    let half = Code { c1: honest.0[0].c1, c2: random.c2 };
    for (name, code) in [("replaced", foreign), ("duplicated", again.0[0]), ("random", random), ("half", half)] {
        let mut output = honest.clone();
        output.0[0] = code;
        let proof = bench.prove(&output);
        assert_eq!(bench.verify(&output, &proof, &CONTEXT), Ok(false), "{name}");
    }
    let mut output = honest.clone();
    output.0[0] = output.0[1];
    let proof = bench.prove(&output);
    assert_eq!(bench.verify(&output, &proof, &CONTEXT), Err("two codes of the deck are the same"));
}

#[test]
fn a_deck_with_a_card_too_few_or_too_many_is_refused() {
    let mut bench = Bench::new(3, 3);
    let honest = bench.output.clone();
    let proof = bench.prove(&honest);
    let other_number = Err("the deck has another number of cards than before");
    let missing = Codes(honest.0[..2].to_vec());
    let extra = Codes(honest.0.iter().copied().chain([bench.input.0[0]]).collect());
    assert_eq!(bench.verify(&missing, &proof, &CONTEXT), other_number);
    assert_eq!(bench.verify(&extra, &proof, &CONTEXT), other_number);
    // A proof about two cards does not fit three, and an empty deck proves nothing (S-3).
    let small = Bench::new(2, 3).prove(&Bench::new(2, 3).output);
    assert_eq!(bench.verify(&honest, &small, &CONTEXT), Err("the proof has a different shape from its statement"));
    assert!(reencrypt::reshuffle(&bench.key, &missing.0, &bench.secret).is_none());
    assert!(!reencrypt::check(&bench.key, &bench.input.0[..2], &missing.0, &bench.secret));
    let mut challenger = Challenger::new(&CONTEXT);
    let empty = Decks { input: &[], output: &[] };
    assert!(prove::<128>(&bench.key, empty, &bench.secret, &mut challenger, &mut bench.rng).is_none());
    let fewer = Decks { input: &honest.0, output: &missing.0 };
    assert!(prove::<128>(&bench.key, fewer, &bench.secret, &mut challenger, &mut bench.rng).is_none());
    let two = Decks { input: &honest.0[..2], output: &missing.0 };
    assert!(prove::<128>(&bench.key, two, &bench.secret, &mut challenger, &mut bench.rng).is_none());
    let nothing = verify(&bench.key, empty, &proof, &mut challenger, &mut Batch::new()).unwrap_err();
    assert_eq!(nothing.why, "an empty deck proves nothing");
}

#[test]
fn a_proof_holds_for_one_shuffle_at_one_place() {
    let mut bench = Bench::new(2, 4);
    let output = bench.output.clone();
    let proof = bench.prove(&output);
    let places = [
        Context { table: TableId([8; 32]), ..CONTEXT },
        Context { deal: 2, ..CONTEXT },
        Context { seat: Seat(2), ..CONTEXT },
        Context { head: Head([8; 32]), ..CONTEXT },
    ];
    for place in places {
        assert_eq!(bench.verify(&output, &proof, &place), Ok(false));
    }
    bench.input.0.swap(0, 1);
    assert_eq!(bench.verify(&output, &proof, &CONTEXT), Ok(false), "another input");
    bench.input.0.swap(0, 1);
    let mut swapped = output.clone();
    swapped.0.swap(0, 1);
    assert_eq!(bench.verify(&swapped, &proof, &CONTEXT), Ok(false), "another output");
    let key = core::mem::replace(&mut bench.key, table_of(3, &mut ChaCha20Rng::seed_from_u64(99)).1);
    assert_eq!(bench.verify(&output, &proof, &CONTEXT), Ok(false), "another key");
    bench.key = key;
    assert_eq!(bench.verify(&output, &proof, &CONTEXT), Ok(true));
}

#[test]
fn a_wrong_permutation_or_mask_is_refused() {
    let mut bench = Bench::new(3, 5);
    let output = bench.output.clone();
    let honest = bench.secret.clone();
    bench.secret.permutation = Permutation::new(vec![1, 2, 0]).unwrap().after(&honest.permutation);
    let proof = bench.prove(&output);
    assert_eq!(bench.verify(&output, &proof, &CONTEXT), Ok(false), "permutation");
    bench.secret = honest.clone();
    bench.secret.masks[1] += Scalar::ONE;
    let proof = bench.prove(&output);
    assert_eq!(bench.verify(&output, &proof, &CONTEXT), Ok(false), "mask");
    bench.secret = honest;
    let honest = bench.prove(&output);
    let mut proof = honest.clone();
    proof.openings.openings[100].order.swap(0, 2);
    assert_eq!(bench.verify(&output, &proof, &CONTEXT), Ok(false), "one opened order");
    let mut proof = honest.clone();
    proof.openings.openings.swap(3, 4);
    assert_eq!(bench.verify(&output, &proof, &CONTEXT), Ok(false), "openings of each other");
    let mut proof = honest.clone();
    proof.openings.openings.pop();
    assert!(bench.verify(&output, &proof, &CONTEXT).is_err(), "a round less");
    let mut proof = honest;
    proof.shadows.decks.clear();
    proof.openings.openings.clear();
    assert!(bench.verify(&output, &proof, &CONTEXT).is_err(), "no rounds");
}

#[test]
fn no_bit_of_a_proof_may_change() {
    let mut bench = Bench::new(2, 6);
    let output = bench.output.clone();
    let bytes = bench.prove(&output).to_bytes();
    let openings = Shadows::<128>::bytes(2);
    let (mut malformed, mut refuted) = (0, 0);
    for (start, end) in [(0, openings), (openings, openings + 4), (openings + 4, bytes.len())] {
        for i in 0..12 {
            let at = 8 * start + (8 * (end - start) - 1) * i / 11;
            let mut changed = bytes.clone();
            changed[at / 8] ^= 1 << (at % 8);
            match CutAndChoose::<128>::from_bytes(&changed, &2) {
                Err(_) => malformed += 1,
                Ok(proof) => {
                    assert_eq!(bench.verify(&output, &proof, &CONTEXT), Ok(false), "bit {at}");
                    refuted += 1;
                }
            }
        }
    }
    assert!(malformed > 0 && refuted > 0, "{malformed} malformed, {refuted} refuted");
}

#[test]
fn decoders_say_what_is_wrong_and_where() {
    let mut bench = Bench::new(3, 7);
    let output = bench.output.clone();
    let bytes = bench.prove(&output).to_bytes();
    let read = |bytes: &[u8], cards: usize| {
        let error = CutAndChoose::<128>::from_bytes(bytes, &cards).unwrap_err();
        (error.fault, error.field, error.offset)
    };
    let order = Shadows::<128>::bytes(3);
    let with = |at: usize, new: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        bytes
    };
    let repeated = with(order, &[1, 0, 1, 0, 2, 0]);
    assert_eq!(read(&repeated, 3), (Malformed::Repeated(1), "opening.order", order + 2));
    let outside = with(order, &[0, 0, 1, 0, 3, 0]);
    assert_eq!(read(&outside, 3), (Malformed::Count { got: 3, min: 0, max: 2 }, "opening.order", order + 4));
    let zero = with(order + 6, &[0; 32]);
    assert_eq!(read(&zero, 3), (Malformed::ScalarZero, "opening.masks", order + 6));
    let large = with(order + 38, &[0xff; 32]);
    assert_eq!(read(&large, 3), (Malformed::ScalarRange, "opening.masks", order + 38));
    let identity = with(32, &[0; 32]);
    assert_eq!(read(&identity, 3), (Malformed::Identity, "code.c2", 32));
    let long: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    assert_eq!(read(&long, 3), (Malformed::Trailing(1), "end of input", bytes.len()));
    // A round too few: the shape asks for 128 and nothing is allocated for what is not there (S-3).
    let short = &bytes[..127 * 3 * (64 + 34)];
    assert!(matches!(read(short, 3).0, Malformed::Truncated(_)));
    assert!(matches!(read(&[], MAX_CLASSIC_CARDS).0, Malformed::Truncated(_)));
    for cards in [0, MAX_CLASSIC_CARDS + 1, usize::MAX] {
        let fault = Malformed::Count { got: cards as u64, min: 1, max: MAX_CLASSIC_CARDS as u64 };
        assert_eq!(read(&bytes, cards), (fault, "shadows", 0));
    }
}

/// A generator that repeats itself must not open one shadow both ways.
#[test]
fn shadows_differ_by_place_and_witness_even_if_the_generator_repeats() {
    let bench = Bench::new(2, 8);
    let cast_at = |context: &Context, secret: &ShuffleSecret| {
        let mut challenger = Challenger::new(context);
        let opened = challenger
            .open(&claim::<128>(bench.key.element(), Decks { input: &bench.input.0, output: &bench.output.0 }));
        let mut source = hedged(&opened, secret, &mut ChaCha20Rng::seed_from_u64(1));
        cast::<1>(&bench.key, &bench.output.0, secret, &mut source).unwrap().0
    };
    let base = cast_at(&CONTEXT, &bench.secret);
    let mut other = bench.secret.clone();
    other.masks[0] += Scalar::ONE;
    assert_eq!(base, cast_at(&CONTEXT, &bench.secret));
    assert_ne!(base, cast_at(&Context { head: Head([1; 32]), ..CONTEXT }, &bench.secret));
    assert_ne!(base, cast_at(&CONTEXT, &other));
}
