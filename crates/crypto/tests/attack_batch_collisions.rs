//! Attack: `batch::Encoded` hashes an element by its first eight bytes and says that each collision "costs a search". It
//! costs none: encodings are chosen directly, and about every fourth string is one. All elements of a false proof share one
//! bucket, so collecting them takes quadratic time.

use std::time::{Duration, Instant};

use outis_crypto::batch::{Batch, Equation};
use outis_crypto::challenger::Challenger;
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::group::{Element, Scalar};
use outis_crypto::sigma::Possession;

/// `n` valid encodings; with `aimed`, all with the same first eight bytes. Tries per element are counted.
fn elements(n: usize, aimed: bool) -> (Vec<Element>, usize) {
    let (mut found, mut tries) = (Vec::new(), 0usize);
    while found.len() < n {
        tries += 1;
        let mut bytes = [0u8; 32];
        let at = if aimed { 8 } else { 0 };
        bytes[at..at + 8].copy_from_slice(&(2 * tries as u64).wrapping_mul(0x9e37_79b9_7f4a_7c14).to_le_bytes());
        bytes[0] &= 0xfe;
        found.extend(Element::from_encoding(bytes));
    }
    (found, tries)
}

fn collect(elements: &[Element]) -> Duration {
    let context = Context { table: TableId([7; 32]), deal: 1, seat: Seat(1), head: Head([1; 32]) };
    let mut challenger = Challenger::new(&context);
    let seal = challenger.open(&Possession { key: elements[0] }).close(&Scalar::ONE);
    let mut equation = Equation::new();
    elements.iter().for_each(|e| equation.add(Scalar::ONE, e));
    let begin = Instant::now();
    let mut batch = Batch::new();
    batch.claim(seal, [equation]);
    begin.elapsed()
}

/// As many elements as the shadows of one classic proof about 128 cards (a decoder allows eight times as many).
#[test]
fn aimed_encodings_cost_no_more_than_others() {
    const N: usize = 128 * 128 * 2;
    let (plain, _) = elements(N, false);
    let (aimed, tries) = elements(N, true);
    let (honest, hostile) = (collect(&plain), collect(&aimed));
    eprintln!("{N} elements: {honest:?} honest, {hostile:?} aimed, {:.1} tries each", tries as f64 / N as f64);
    assert!(hostile < 20 * honest, "{hostile:?} against {honest:?}");
}

/// The same through bytes that a peer may send: a classic proof about 52 cards, its shadows replaced.
#[test]
fn a_false_classic_proof_costs_no_more_to_collect_than_a_true_one() {
    use outis_crypto::card::Faces;
    use outis_crypto::codec::{Decode, Encode};
    use outis_crypto::deck::open_deck;
    use outis_crypto::key::testing::table_of;
    use outis_crypto::shuffle::classic::{self, CutAndChoose};
    use outis_crypto::shuffle::reencrypt;
    use rand_core::SeedableRng;

    const CARDS: usize = 52;
    let mut rng = rand_chacha::ChaCha20Rng::seed_from_u64(1);
    let (_, key) = table_of(2, &mut rng);
    let input = open_deck(&key, &Faces::new("test", CARDS));
    let (output, secret) = reencrypt::shuffle(&key, &input.0, &mut rng).unwrap();
    let decks = (&input.0[..], &output.0[..]);
    let challenger =
        || Challenger::new(&Context { table: TableId([7; 32]), deal: 1, seat: Seat(1), head: Head([1; 32]) });
    let honest = classic::prove::<128>(&key, decks, &secret, &mut challenger(), &mut rng).unwrap();
    let mut bytes = honest.to_bytes();
    let aimed = elements(128 * CARDS * 2, true).0;
    aimed.iter().enumerate().for_each(|(i, e)| bytes[32 * i..32 * i + 32].copy_from_slice(e.as_bytes()));
    let hostile = CutAndChoose::<128>::from_bytes(&bytes, &CARDS).unwrap();
    let time = |proof: &CutAndChoose<128>| {
        let begin = Instant::now();
        classic::verify(&key, decks, proof, &mut challenger(), &mut Batch::new()).unwrap();
        begin.elapsed()
    };
    let (honest, hostile) = (time(&honest), time(&hostile));
    eprintln!("collecting one classic proof: {honest:?} honest, {hostile:?} aimed");
    assert!(hostile < 5 * honest, "{hostile:?} against {honest:?}");
}
