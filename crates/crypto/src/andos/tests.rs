//! What is handed over, what is hidden, and what is refused.

use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;

type Secret = SemiHonestSecret<TOY, TOY_HALF>;
const SHAPE: Shape = Shape { secrets: 64, bits: 4 };

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

fn sender(seed: u64) -> (Secret, SemiHonestList<TOY>, Vec<u8>) {
    let rng = &mut rng(seed);
    let secret = Secret::random(rng);
    let secrets: Vec<u8> = (0..64u8).map(|n| n.wrapping_mul(7) & 15).collect();
    let list = secret.seal(&secrets, 4, rng).unwrap();
    (secret, list, secrets)
}

fn form(secret: &Secret, packing: Packing) -> Form<TOY> {
    Form { key: *secret.key(), shape: SHAPE, packing }
}

#[test]
fn dc_26_and_27_every_secret_is_handed_over_through_bytes() {
    let (secret, list, secrets) = sender(1);
    let key = SemiHonestKey::from_bytes(&secret.key().to_bytes(), &()).unwrap();
    assert_eq!(key, *secret.key());
    for packing in [Packing::Full, Packing::Compact] {
        let form = form(&secret, packing);
        let list = SemiHonestList::from_bytes(&list.to_bytes(), &form).unwrap();
        for (index, expected) in secrets.iter().enumerate() {
            let (packet, query) = key.ask(&list, index, packing, &mut rng(index as u64)).unwrap();
            let packet = SemiHonestPacket::from_bytes(&packet.to_bytes(), &form).unwrap();
            let answer = secret.answer(&packet, SHAPE).unwrap();
            let answer = SemiHonestAnswer::from_bytes(&answer.to_bytes(), &SHAPE).unwrap();
            assert_eq!(query.open(answer), *expected, "{packing:?} {index}");
            assert_eq!(SemiHonestQuery::recall(query.expose_secret(), SHAPE).open(answer), *expected);
        }
    }
}

#[test]
fn the_modulus_of_play_works_too() {
    let rng = &mut rng(2);
    let secret = SemiHonestSecret::<PLAY, PLAY_HALF>::random(rng);
    let list = secret.seal(&[0, 1, 2, 3, 255], 8, rng).unwrap();
    let (packet, query) = secret.key().ask(&list, 4, Packing::Compact, rng).unwrap();
    assert_eq!((packet.to_bytes().len(), list.to_bytes().len()), (8 * 256, 5 * 8 * 256));
    assert_eq!(query.open(secret.answer(&packet, list.shape()).unwrap()), 255);
}

#[test]
fn keys_have_a_non_residue_of_symbol_plus_one() {
    for seed in 0..8 {
        let secret = Secret::random(&mut rng(seed));
        let y = secret.key.y;
        assert!(is_plus(&y, secret.key.ring.modulus()));
        assert!(matches!(y.jacobi_symbol(&secret.p.to_odd().unwrap()), JacobiSymbol::MinusOne));
    }
}

/// Everything public has the symbol +1 whatever it seals, and what is residue and what is not is a fair coin whatever is
/// asked for: with the primes in hand, four bits of 64 packets each are counted for three very different choices.
#[test]
fn packets_do_not_depend_on_the_index() {
    let (secret, list, _) = sender(3);
    let p = secret.p.to_odd().unwrap();
    for packing in [Packing::Full, Packing::Compact] {
        for index in [0, 17, 63] {
            let mut non_residues = 0;
            let mut places = vec![];
            for n in 0..64 {
                let (packet, _) = secret.key.ask(&list, index, packing, &mut rng(1000 + n)).unwrap();
                assert!(packet.elements.iter().all(|element| is_plus(element, secret.key.ring.modulus())));
                let row = packet.asked(SHAPE).unwrap();
                non_residues += row.iter().filter(|e| matches!(e.jacobi_symbol(&p), JacobiSymbol::MinusOne)).count();
                places.extend(packet.place);
            }
            // 256 fair coins: eight deviations either way.
            assert!((64..=192).contains(&non_residues), "{packing:?} {index}: {non_residues}");
            places.sort_unstable();
            places.dedup();
            assert!(packing == Packing::Compact || places.len() > 24, "the place wanders");
        }
    }
}

/// With the same randomness, packets for different secrets differ by public factors only in the compact form; and nothing
/// repeats when the same secret is asked for twice (DC-28).
#[test]
fn dc_28_no_two_packets_share_a_number() {
    let (secret, list, _) = sender(4);
    for packing in [Packing::Full, Packing::Compact] {
        let rng = &mut rng(5);
        let mut seen: Vec<_> = (0..6)
            .flat_map(|_| secret.key.ask(&list, 9, packing, rng).unwrap().0.elements)
            .chain(list.elements.iter().copied())
            .collect();
        let count = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), count);
    }
}

/// What the type names say: a receiver who does not follow the protocol learns the sum of two secrets from one answer. The
/// test is here so that nobody takes this tool for more than it is.
#[test]
fn a_receiver_that_deviates_is_not_stopped() {
    let (secret, list, secrets) = sender(6);
    let key = secret.key();
    let rows = (list.row(3), list.row(40));
    let mut row: Vec<_> =
        rows.0.iter().zip(&rows.1).map(|(a, b)| key.ring.mul(a, &key.ring.in_montgomery_form(b))).collect();
    let mask = key.mask_row(&mut row, &mut Nonces::hedged(const { Purpose::new("test") }, &0u8, [], &mut rng(7)));
    let answer = secret.answer(&SemiHonestPacket { elements: row, place: None }, SHAPE).unwrap();
    assert_eq!((answer.0 ^ mask) & 15, secrets[3] ^ secrets[40]);
}

#[test]
fn a_secret_is_recalled_from_its_journal() {
    let (secret, list, secrets) = sender(13);
    let bytes = secret.expose_secret();
    let recalled = Secret::recall(&bytes).unwrap();
    let (packet, query) = secret.key.ask(&list, 5, Packing::Compact, &mut rng(1)).unwrap();
    assert_eq!(query.open(recalled.answer(&packet, SHAPE).unwrap()), secrets[5]);
    assert!(Secret::recall(&bytes[1..]).is_none());
    let mut other = bytes.clone();
    other[1] ^= 1;
    assert!(Secret::recall(&other).is_none(), "another prime");
}

#[test]
fn bad_sizes_are_refused() {
    let rng = &mut rng(8);
    let (secret, list, _) = sender(8);
    assert_eq!(secret.seal(&[], 4, rng).unwrap_err(), Refused::Shape);
    assert_eq!(secret.seal(&[0; 257], 4, rng).unwrap_err(), Refused::Shape);
    assert_eq!(secret.seal(&[0], 9, rng).unwrap_err(), Refused::Shape);
    assert_eq!(secret.seal(&[16], 4, rng).unwrap_err(), Refused::Secret);
    assert_eq!(secret.key.ask(&list, 64, Packing::Full, rng).unwrap_err(), Refused::Secret);
    let (packet, _) = secret.key.ask(&list, 1, Packing::Full, rng).unwrap();
    let other = Shape::new(63, 4).unwrap();
    assert_eq!(secret.answer(&packet, other).unwrap_err(), Refused::Shape);
}

#[test]
fn keys_that_cannot_be_are_refused() {
    let (secret, ..) = sender(9);
    let good = secret.key().to_bytes();
    let fault = |bytes: &[u8]| SemiHonestKey::<TOY>::from_bytes(bytes, &()).unwrap_err();
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        change(&mut bytes);
        fault(&bytes)
    };
    assert_eq!(with(&|b| b[0] ^= 1).fault, Malformed::Modulus, "even");
    assert_eq!(with(&|b| b[0] ^= 2).fault, Malformed::Modulus, "3 modulo 4");
    assert_eq!(with(&|b| b[31] &= 0x7f).fault, Malformed::Modulus, "too short");
    assert_eq!(with(&|b| b[32..].fill(0)).fault, Malformed::Residue, "zero");
    assert_eq!(with(&|b| b.copy_within(0..32, 32)).fault, Malformed::Residue, "the modulus itself");
    assert_eq!(with(&|b| b.truncate(63)).fault, Malformed::Truncated(1));
    assert_eq!(with(&|b| b.push(0)).fault, Malformed::Trailing(1));
    assert_eq!(with(&|b| b[32..].copy_from_slice(&minus(&secret))).fault, Malformed::Symbol);
    assert_eq!(with(&|b| b[32..].copy_from_slice(&minus(&secret))).offset, 32);
}

/// A number of Jacobi symbol −1.
fn minus(secret: &Secret) -> Vec<u8> {
    let modulus = secret.key.ring.modulus();
    let minus = |n: &u64| matches!(U256::from_u64(*n).jacobi_symbol(modulus), JacobiSymbol::MinusOne);
    let found = (2..).find(minus).unwrap();
    U256::from_u64(found).to_le_bytes().as_ref().to_vec()
}

#[test]
fn lists_and_packets_with_a_bad_number_are_refused() {
    let (secret, list, _) = sender(10);
    let p: Uint<TOY> = secret.p.resize();
    let modulus = secret.key.ring.modulus().as_ref().to_le_bytes();
    let bad: [(&str, Vec<u8>, Malformed); 5] = [
        ("zero", vec![0; 32], Malformed::Residue),
        ("the modulus", modulus.as_ref().to_vec(), Malformed::Residue),
        ("above", vec![0xff; 32], Malformed::Residue),
        ("a prime of the modulus", p.to_le_bytes().as_ref().to_vec(), Malformed::Symbol),
        ("symbol -1", minus(&secret), Malformed::Symbol),
    ];
    let (compact, full) = (form(&secret, Packing::Compact), form(&secret, Packing::Full));
    for (name, number, fault) in &bad {
        let mut bytes = list.to_bytes();
        bytes[32 * 5..32 * 6].copy_from_slice(number);
        let error = SemiHonestList::from_bytes(&bytes, &full).unwrap_err();
        assert_eq!((error.fault, error.offset), (*fault, 160), "list: {name}");

        let mut bytes = secret.key.ask(&list, 0, Packing::Compact, &mut rng(1)).unwrap().0.to_bytes();
        bytes[32 * 3..].copy_from_slice(number);
        assert_eq!(SemiHonestPacket::from_bytes(&bytes, &compact).unwrap_err().fault, *fault, "compact: {name}");

        let packet = secret.key.ask(&list, 0, Packing::Full, &mut rng(1)).unwrap().0;
        let (place, mut bytes) = (usize::from(packet.place.unwrap()), packet.to_bytes());
        bytes[place * 128..place * 128 + 32].copy_from_slice(number);
        match SemiHonestPacket::from_bytes(&bytes, &full) {
            Err(error) => assert_eq!((error.fault, *fault), (Malformed::Residue, Malformed::Residue), "full: {name}"),
            Ok(packet) => assert_eq!(secret.answer(&packet, SHAPE).unwrap_err(), Refused::Symbol, "full: {name}"),
        }
    }
}

#[test]
fn wrong_lengths_places_and_answers_are_refused() {
    let (secret, list, _) = sender(11);
    let full = form(&secret, Packing::Full);
    let good = secret.key.ask(&list, 0, Packing::Full, &mut rng(1)).unwrap().0.to_bytes();
    let (mut long, mut place) = (good.clone(), good.clone());
    long.push(0);
    place[64 * 128] = 64;
    assert!(SemiHonestPacket::from_bytes(&good, &full).is_ok());
    assert_eq!(SemiHonestPacket::from_bytes(&long, &full).unwrap_err().fault, Malformed::Trailing(1));
    let fault = SemiHonestPacket::from_bytes(&place, &full).unwrap_err().fault;
    assert!(matches!(fault, Malformed::Count { got: 64.., max: 63, .. }), "{fault:?}");
    let error = SemiHonestPacket::from_bytes(&good[..100], &full).unwrap_err();
    assert!(matches!(error.fault, Malformed::Truncated(_)), "before anything is allocated");
    let error = SemiHonestAnswer::from_bytes(&[16], &SHAPE).unwrap_err();
    assert_eq!((error.fault, error.offset), (Malformed::Count { got: 16, min: 0, max: 15 }, 0));
}

#[test]
fn secrets_are_mute() {
    let (secret, list, _) = sender(12);
    let (_, query) = secret.key.ask(&list, 0, Packing::Compact, &mut rng(1)).unwrap();
    assert_eq!(format!("{secret:?} {query:?}"), "SemiHonestSecret(<secret>) SemiHonestQuery(<secret>)");
}
