//! The thesis: the joint key.

use outis_crypto::card::Faces;
use outis_crypto::challenger::{Challenger, Nonces};
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::commit::{Commitment, Place};
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::group::{Element, RistrettoPoint, mul_generator};
use outis_crypto::key::{KeyReveal, SeatKey, SeatSecret};

use crate::Version;
use crate::run::{Outcome, Run, number, numbers};

const PARTIES: &[&str] = &["Anna", "Béla", "Cili", "Dóra"];
const DORA: usize = 3;
const CARDS: usize = 42;

/// F6: the last to publish a key chooses it so that she alone holds the secret of the sum.
pub fn rogue_key(version: Version, source: &mut Nonces) -> Run {
    let run = Run::new("tarokk-rogue-key", PARTIES);
    match version {
        Version::Published => published(run, source),
        Version::Repaired => repaired(run, source),
    }
}

/// The key that makes the sum of all keys Dóra's own.
fn rogue(own: &SeatSecret, others: &[SeatSecret]) -> Element {
    let sum = others.iter().fold(*own.key().point(), |rest: RistrettoPoint, other| rest - other.key().point());
    Element::new(sum).expect("random keys do not cancel out")
}

fn published(mut run: Run, source: &mut Nonces) -> Run {
    let others: Vec<SeatSecret> = (0..DORA).map(|_| SeatSecret::random(source)).collect();
    for (who, secret) in others.iter().enumerate() {
        run.publishes(who, "key").shows("key", secret.key());
    }
    let own = SeatSecret::random(source);
    let key = rogue(&own, &others);
    run.publishes(DORA, "rogue").shows("key", &key).learns(DORA, "rogue-dora");
    let joint = Element::new(others.iter().fold(*key.point(), |sum: RistrettoPoint, other| sum + other.key().point()));
    let joint = joint.expect("random keys do not cancel out");
    run.works(0, "joint").shows("joint-key", &joint).learns(0, "joint-anna");

    // Any deck, however well it is shuffled by the others: here with Anna's randomness.
    let faces = Faces::new("laboratory", CARDS);
    let deck: Vec<(RistrettoPoint, RistrettoPoint)> = faces
        .as_slice()
        .iter()
        .map(|face| {
            let r = source.draw();
            (mul_generator(&r), face.point() + joint.point() * r)
        })
        .collect();
    let order = outis_crypto::permutation::Permutation::random(CARDS, source);
    let order: Vec<usize> = order.expose_secret().iter().map(|card| *card as usize).collect();
    let shuffled: Vec<_> = order.iter().map(|card| deck[*card]).collect();
    let first = Element::new(shuffled[0].1).expect("the sum of random points");
    run.publishes(0, "deck").with("n", number(CARDS)).shows("first-card", &first);

    let read = |(c1, c2): &(RistrettoPoint, RistrettoPoint)| {
        let face = c2 - c1 * own.secret().expose_secret();
        faces.as_slice().iter().position(|own| *own.point() == face)
    };
    let found: Vec<usize> = shuffled.iter().filter_map(read).collect();
    run.works(DORA, "read").with("n", number(found.len())).learns_text(
        DORA,
        "read-dora",
        vec![("cards", numbers(found.iter().copied().take(12)))],
    );
    run.ends(Outcome::of_attack(found == order))
}

fn context(seat: usize, head: u8) -> Context {
    Context { table: TableId([4; 32]), deal: 0, seat: Seat(seat as u8), head: Head([head; 32]) }
}

fn repaired(mut run: Run, source: &mut Nonces) -> Run {
    let secrets: Vec<SeatSecret> = (0..PARTIES.len()).map(|_| SeatSecret::random(source)).collect();
    let mut openings = Vec::new();
    for (who, secret) in secrets.iter().enumerate() {
        let (commitment, opening) = secret.commit(&Place::of(&context(who, 0)), source);
        run.publishes(who, "commit").shows("commitment", &commitment);
        openings.push((commitment, opening));
    }
    let reveal = |who: usize, source: &mut Nonces| {
        secrets[who].reveal(openings[who].1, &mut Challenger::new(&context(who, 1)), source)
    };
    for who in 0..DORA {
        let shown = reveal(who, source).expect("an honest proof of possession");
        let good = SeatKey::accept(&context(who, 1), &openings[who].0, &shown).is_ok();
        run.publishes(who, if good { "reveal" } else { "reveal-false" }).shows("key", secrets[who].key());
    }
    // Now Dóra knows the others' keys, and replaces hers: under her commitment, and with the proof that she can make.
    let key = rogue(&secrets[DORA], &secrets[..DORA]);
    let mut bytes = reveal(DORA, source).expect("an honest proof of possession").to_bytes();
    bytes[..32].copy_from_slice(key.as_bytes());
    let shown = KeyReveal::from_bytes(&bytes, &()).expect("a key, an opening and a proof, as before");
    let first = SeatKey::accept(&context(DORA, 1), &openings[DORA].0, &shown);
    run.publishes(DORA, "rogue")
        .shows("key", &key)
        .learns(0, if first.is_ok() { "accepted" } else { "refused-commitment" });
    // Had she known the keys before she committed, the proof of possession would still be missing.
    let (commitment, opening) = Commitment::new("key", &Place::of(&context(DORA, 0)), key.as_bytes(), source);
    let mut bytes = secrets[DORA]
        .reveal(opening, &mut Challenger::new(&context(DORA, 1)), source)
        .expect("an honest proof")
        .to_bytes();
    bytes[..32].copy_from_slice(key.as_bytes());
    let shown = KeyReveal::from_bytes(&bytes, &()).expect("a key, an opening and a proof, as before");
    let second = SeatKey::accept(&context(DORA, 1), &commitment, &shown);
    run.publishes(DORA, "again")
        .shows("commitment", &commitment)
        .shows("key", &key)
        .learns(0, if second.is_ok() { "accepted" } else { "refused-proof" });
    run.ends(Outcome::of_attack(first.is_ok() || second.is_ok()))
}
