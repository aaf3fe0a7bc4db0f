//! One table in the middle of a deal, always the same: what the examples are taken from.

use outis_crypto::codec::Encode;
use std::sync::OnceLock;

use outis_crypto::card::{Code, Codes, Faces, OwnCard};
use outis_crypto::cases::{Case, Cases};
use outis_crypto::challenger::Challenger;
use outis_crypto::commit::{Commitment, Opening, Place};
use outis_crypto::context::{Context, Seat};
use outis_crypto::deck;
use outis_crypto::disclosure::{Disclosed, Question};
use outis_crypto::encrypted_number::{Cipher, Form, Known, Numbers};
use outis_crypto::group::{Element, Scalar, mul_generator, random_scalar};
use outis_crypto::key::testing::table_of;
use outis_crypto::key::{JointKey, SeatSecret};
use outis_crypto::labels::Label;
use outis_crypto::one_of_many::OneOfMany;
use outis_crypto::one_of_rows::OneOfRows;
use outis_crypto::secret::SecretScalar;
use outis_crypto::selection::{Entry as Choice, Pair, Selected};
use outis_crypto::shuffle::reencrypt::ShuffleSecret;
use outis_crypto::shuffle::{CommitmentKey, exponent, recreate, reencrypt};
use outis_crypto::sigma::{AnyOf, Base, Possession, Reencryption, Relation, SameCard, SameExponent, Sigma, SigmaProof};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::claims::{CLAIMS, Claim, context};
use crate::{andos, table};

/// Cards in the pack of the examples: enough for two digits in a one-of-many proof, few enough for many runs a second.
pub(crate) const PACK: usize = 6;

/// Cards of the cut-and-choose proofs, which have 128 shadows of each.
pub(crate) const PAIR: usize = 2;

/// Cards of the long examples, which only get decoded: just above a power of two, where a vector that grows wastes most.
pub(crate) const MANY: usize = 65;

/// A table in the middle of a deal, with all that the proofs are about.
pub struct World {
    pub(crate) commitments: CommitmentKey,
    pub(crate) seats: Vec<SeatSecret>,
    pub(crate) key: JointKey,
    pub(crate) faces: Faces,
    pub(crate) deck: Codes,
    pub(crate) hand: Vec<OwnCard>,
    pub(crate) drawn: Vec<Code>,
    pub(crate) commitment: (Commitment, Opening),
    pub(crate) reencryption: (Reencryption, SecretScalar),
    pub(crate) shuffled: (Codes, ShuffleSecret),
    pub(crate) pair: (Codes, ShuffleSecret),
    pub(crate) raised: (Vec<Element>, outis_crypto::permutation::Permutation),
    pub(crate) recreated: (Codes, recreate::RecreationSecret),
    pub(crate) bystander: (Possession, SigmaProof, Context),
    pub(crate) proofs: Vec<Vec<u8>>,
}

/// The one world of a process; always the same.
pub fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        // Tables that decoders look things up in are nobody's input: they are made before any budget counts.
        table::charter(0);
        andos::key_of();
        World::new().expect("an honest deal works")
    })
}

impl World {
    fn new() -> Option<Self> {
        for label in Label::ALL {
            assert!(CLAIMS.iter().any(|claim| claim.label == Some(*label)), "{label} must be in CLAIMS");
        }
        let rng = &mut ChaCha20Rng::seed_from_u64(1);
        let (seats, key) = table_of(3, rng);
        let faces = Faces::new("fuzz", PACK);
        let deck = deck::open_deck(&key, &faces);
        let hand = (0..2).map(|card| deck::create(&key, &faces, card, rng)).collect::<Option<Vec<_>>>()?;
        let drawn: Vec<Code> =
            [0, 4].iter().map(|card| encrypt(seats[0].key(), faces.get(*card)?, rng)).collect::<Option<_>>()?;
        let mask = random_scalar(rng);
        let (input, output) = (hand[0].code, add(&hand[0].code, key.element(), &mask)?);
        let (created, secret) = recreate::recreate(&seats[0], &key, &faces, &hand[..1], &drawn, rng)?;
        let place = Context { seat: Seat(1), ..context() };
        let bystander = Possession { key: *seats[1].key() };
        let honest = bystander.prove(seats[1].secret(), &mut Challenger::new(&place), rng)?;
        let mut world = Self {
            commitments: CommitmentKey::new(PACK),
            commitment: seats[0].commit(&Place::of(&context()), rng),
            reencryption: (Reencryption { key: *key.element(), input, output }, SecretScalar::new(mask)),
            shuffled: reencrypt::shuffle(&key, &deck.0, rng)?,
            pair: reencrypt::shuffle(&key, &deck.0[..PAIR], rng)?,
            raised: exponent::shuffle(&seats[0], faces.as_slice(), rng)?,
            recreated: (Codes(created.iter().map(|own| own.code).collect()), secret),
            bystander: (bystander, honest, place),
            proofs: Vec::new(),
            seats,
            key,
            faces,
            deck,
            hand,
            drawn,
        };
        world.proofs = CLAIMS.iter().map(|claim| (claim.prove)(&world, rng)).collect::<Option<_>>()?;
        Some(world)
    }

    /// The honest proof of a claim.
    pub fn proof(&self, claim: &Claim) -> &[u8] {
        self.named(claim.name)
    }

    pub(crate) fn named(&self, name: &str) -> &[u8] {
        let at = CLAIMS.iter().position(|claim| claim.name == name).expect("a claim of the catalogue");
        &self.proofs[at]
    }

    pub(crate) fn many_shares(&self) -> Vec<u8> {
        let mut bytes = self.seats[0].key().to_bytes().repeat(MANY);
        bytes.extend_from_slice(self.named("re-encryption"));
        bytes
    }

    /// A share with the proof of one, which are of the right form and not about each other.
    pub(crate) fn tarokk_sum(&self) -> Vec<u8> {
        let _ = table::tarokk_step(3);
        [&self.key.element().as_bytes()[..], self.named("same exponent")].concat()
    }

    /// A layer: key, deck, proof.
    pub(crate) fn layer(&self) -> Vec<u8> {
        let mut bytes = self.seats[0].key().to_bytes();
        self.raised.0.iter().for_each(|point| point.encode(&mut bytes));
        bytes.extend_from_slice(self.named("exponent shuffle"));
        bytes
    }

    /// Two shown cards: numbers, and a proof of the right shape.
    pub(crate) fn showing(&self) -> Vec<u8> {
        let shares = self.named("shares");
        [&[3, 0, 51, 0], &shares[shares.len() - 96..]].concat()
    }

    pub(crate) fn high_card_shuffle(&self) -> Vec<u8> {
        [self.shuffled.0.to_bytes(), self.named("shuffle").to_vec()].concat()
    }

    pub(crate) fn two_openings(&self) -> Vec<u8> {
        self.named("classic shuffle")[128 * PAIR * 64..][..2 * PAIR * 34].to_vec()
    }

    pub(crate) fn possession(&self) -> Possession {
        Possession { key: *self.seats[0].key() }
    }

    pub(crate) fn same_exponent(&self) -> SameExponent {
        let h = self.faces.as_slice()[0];
        let y = h.point() * self.seats[0].secret().expose_secret();
        SameExponent { g: Element::generator(), x: *self.seats[0].key(), h, y: Element::new(y).expect("not zero") }
    }

    pub(crate) fn same_card(&self) -> SameCard {
        SameCard {
            seat_key: *self.seats[0].key(),
            joint_key: *self.key.element(),
            drawn: self.drawn[0],
            created: self.hand[0].code,
        }
    }

    pub(crate) fn any_of(&self) -> AnyOf<'_> {
        let knows = |key| {
            let mut relation = Relation::new();
            let x = relation.secret();
            relation.demand(Base::One(key), [(x, Base::One(generator()))]);
            relation
        };
        AnyOf { branches: vec![knows(self.seats[1].key()), knows(self.seats[0].key())] }
    }

    /// Two questions about the codes of the hand, as if they were numbers, and a public one.
    pub(crate) fn disclosed<T>(&self, then: impl FnOnce(&Disclosed<'_>) -> T) -> T {
        let ciphers = [Cipher::from(self.hand[0].code), Cipher::from(self.hand[1].code), Cipher::public(2)];
        let sums = [Form::number(0).plus(-1, 2)];
        let question = |i| Question { condition: Form::number(3), message: Form::constant(i).plus(2, 1) };
        let (numbers, questions) = (Numbers { ciphers: &ciphers, sums: &sums }, [question(0), question(1)]);
        let (issuer, viewer) = (self.seats[0].key(), self.seats[1].key());
        then(&Disclosed { issuer, viewer, numbers, questions: &questions })
    }

    /// Two numbers whose maker is known.
    pub(crate) fn known() -> [Known; 2] {
        [Known::new(1, Scalar::from(5u64)), Known::new(2, Scalar::from(6u64))]
    }

    /// "The first is 1 or 4, the second is 2."
    pub(crate) fn cases<T>(&self, then: impl FnOnce(&Cases<'_>) -> T) -> T {
        let ciphers = Self::known().map(|known| known.cipher(&self.key));
        let is = |at, value: i32| vec![Form::constant(-value).plus(1, at)];
        let cases: [Case; 2] = [vec![is(0, 4), is(0, 1)], vec![is(1, 2)]];
        then(&Cases { key: self.key.element(), numbers: Numbers { ciphers: &ciphers, sums: &[] }, cases: &cases })
    }

    /// The first of some pairs is of seat 0's key, and belongs to the numbers.
    pub(crate) fn selected<T>(&self, then: impl FnOnce(&Selected<'_>) -> T) -> T {
        let ciphers = Self::known().map(|known| known.cipher(&self.key));
        let secret = self.seats[0].secret().expose_secret();
        let pair = |face: &Element| Pair { base: *face, power: Element::new(face.point() * secret).unwrap_or(*face) };
        let answers: Vec<Pair> = self.faces.as_slice().iter().map(pair).collect();
        let entry = |i: u32| Choice { answer: i, message: 0, values: vec![(0, i as i32 + 1), (1, 2)] };
        let entries: Vec<Choice> = (0..PACK as u32).map(entry).collect();
        let columns = [Form::number(0), Form::number(1)];
        then(&Selected {
            key: self.key.element(),
            viewer: self.seats[0].key(),
            answers: &answers,
            entries: &entries,
            numbers: Numbers { ciphers: &ciphers, sums: &[] },
            columns: &columns,
        })
    }

    /// The first seat's key was used on the second face, whose number a code under the joint key holds.
    pub(crate) fn one_of_rows<T>(&self, with: impl FnOnce(&OneOfRows<'_>) -> T) -> T {
        let (bases, numbers) = (&self.faces.as_slice()[..PACK], [3, 4, 5, 6, 7, 8]);
        let power = bases[1].point() * self.seats[0].secret().expose_secret();
        let (r, joint) = (self.hand[0].randomness.expose_secret(), self.key.element());
        let c2 = mul_generator(&Scalar::from(numbers[1])) + joint.point() * r;
        let code = Code { c1: Element::new(mul_generator(r)).expect("r"), c2: Element::new(c2).expect("not zero") };
        let powers = [Element::new(power).expect("not zero")];
        with(&OneOfRows { key: self.seats[0].key(), powers: &powers, bases, numbers: &numbers, joint, code })
    }

    pub(crate) fn one_of_many(&self) -> OneOfMany<'_> {
        OneOfMany { key: self.key.element(), code: self.hand[0].code, faces: self.faces.as_slice() }
    }
}

fn generator() -> &'static Element {
    static GENERATOR: OnceLock<Element> = OnceLock::new();
    GENERATOR.get_or_init(Element::generator)
}

fn encrypt(key: &Element, face: &Element, rng: &mut ChaCha20Rng) -> Option<Code> {
    let r = random_scalar(rng);
    Some(Code { c1: Element::new(mul_generator(&r))?, c2: Element::new(face.point() + key.point() * r)? })
}

fn add(code: &Code, key: &Element, r: &Scalar) -> Option<Code> {
    let c1 = Element::new(code.c1.point() + mul_generator(r))?;
    Some(Code { c1, c2: Element::new(code.c2.point() + key.point() * r)? })
}
