//! Tables of five (E4): of the tarokks that the three players beside the declarer discarded, only the sum is revealed. Each of
//! their discards has a bit under the joint key, with a proof that the card may be discarded and that the bit is 1 exactly for
//! a tarokk. The bits are added up, and all four players together open the sum alone.

use outis_crypto::batch::Batch;
use outis_crypto::card::{Code, Faces, OwnCard};
use outis_crypto::challenger::{Challenger, Purpose, Source};
use outis_crypto::codec::{Decode, DecodeError, Encode, Reader};
use outis_crypto::group::{Element, RistrettoPoint, Scalar, mul_generator, zero_point};
use outis_crypto::key::{JointKey, SeatSecret};
use outis_crypto::secret::SecretScalar;
use outis_crypto::sigma::{AnyOf, AnyOfProof, Base, Invalid, Relation, SameExponent, Sigma, SigmaProof, SigmaShape};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;

/// A bit with its proof.
#[derive(Clone, Debug)]
pub struct Bit {
    /// `(s·G, b·G + s·H)`.
    pub code: Code,
    proof: AnyOfProof,
}

/// A seat's share of the sum: `x·S1` with its proof.
#[derive(Clone, Debug)]
pub struct SumShare {
    /// `x·S1`.
    pub share: Element,
    proof: SigmaProof,
}

const BRANCH: SigmaShape = SigmaShape { equations: 4, secrets: 2 };
const SHARE: SigmaShape = SigmaShape { equations: 2, secrets: 1 };

/// For every card that may be discarded: the code holds it, and the bit says whether it is a tarokk.
fn statement<'a>(
    key: &'a Element,
    g: &'a Element,
    code: &'a Code,
    bit: &'a Code,
    cards: &[(Card, &'a Element)],
) -> AnyOf<'a> {
    let minus = |whole: &'a Element, factor: Scalar, part: &'a Element| {
        if factor == Scalar::ZERO { Base::One(whole) } else { Base::Sum(vec![(Scalar::ONE, whole), (-factor, part)]) }
    };
    let branch = |(card, face): &(Card, &'a Element)| {
        let mut relation = Relation::new();
        let (r, s) = (relation.secret(), relation.secret());
        relation.demand(Base::One(&code.c1), [(r, Base::One(g))]);
        relation.demand(minus(&code.c2, Scalar::ONE, face), [(r, Base::One(key))]);
        relation.demand(Base::One(&bit.c1), [(s, Base::One(g))]);
        let value = if card.is_tarokk() { Scalar::ONE } else { Scalar::ZERO };
        relation.demand(minus(&bit.c2, value, g), [(s, Base::One(key))]);
        relation
    };
    AnyOf { branches: cards.iter().map(branch).collect() }
}

fn faces(pack: &Faces, allowed: CardSet) -> Vec<(Card, &Element)> {
    let face = |card: Card| pack.get(usize::from(card.number())).expect("the pack has a face for every card");
    allowed.iter().map(|card| (card, face(card))).collect()
}

impl Bit {
    /// Makes the bit of a discard, with its randomness; `None` if the card is not allowed.
    pub fn make(
        key: &JointKey,
        pack: &Faces,
        allowed: CardSet,
        own: &OwnCard,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<(Self, SecretScalar)> {
        let s = SecretScalar::random(&mut challenger.draw(
            const { Purpose::new("bit") },
            &own.code,
            [&own.randomness],
            rng,
        ));
        Some((Self::make_with(&s, key, pack, allowed, own, challenger, rng)?, s))
    }

    /// The same with given randomness.
    pub(crate) fn make_with(
        s: &SecretScalar,
        key: &JointKey,
        pack: &Faces,
        allowed: CardSet,
        own: &OwnCard,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<Self> {
        let (cards, g) = (faces(pack, allowed), Element::generator());
        // Every card is looked at and none is branched on or addressed: neither which one it is nor its bit shows in the time.
        let (mut real, mut found, mut bit) = (0u64, Choice::from(0), zero_point());
        for (i, (card, _)) in (0u64..).zip(&cards) {
            let here = u64::from(card.number()).ct_eq(&(own.card as u64));
            let value = if card.is_tarokk() { *g.point() } else { zero_point() };
            real.conditional_assign(&i, here);
            bit.conditional_assign(&value, here);
            found |= here;
        }
        bool::from(found).then_some(())?;
        let mask = key.element().point() * s.expose_secret();
        let code = Code { c1: Element::new(mul_generator(s.expose_secret()))?, c2: Element::new(bit + mask)? };
        let secrets = [*own.randomness.expose_secret(), *s.expose_secret()];
        let proof =
            statement(key.element(), &g, &own.code, &code, &cards).prove(real as usize, &secrets, challenger, rng)?;
        Some(Self { code, proof })
    }

    /// Adds the proof to `batch`.
    pub fn verify(
        &self,
        key: &JointKey,
        pack: &Faces,
        allowed: CardSet,
        code: &Code,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<(), Invalid> {
        let (cards, g) = (faces(pack, allowed), Element::generator());
        statement(key.element(), &g, code, &self.code, &cards).verify(&self.proof, challenger, batch)
    }

    /// Reads the bit of a discard that may be one of some cards.
    pub fn read(reader: &mut Reader<'_>, allowed: CardSet) -> Result<Self, DecodeError> {
        let code = Code::read(reader, &())?;
        Ok(Self { code, proof: AnyOfProof::read(reader, &vec![BRANCH; allowed.len()])? })
    }

    /// Whether the opened randomness shows that a bit is 0.
    pub fn is_zero(key: &JointKey, bit: &Code, s: &Scalar) -> bool {
        Element::new(mul_generator(s)).as_ref() == Some(&bit.c1)
            && Element::new(key.element().point() * s).as_ref() == Some(&bit.c2)
    }
}

/// The sum of some bits, under the joint key; `None` if it degenerates, which chance does not.
pub fn sum(bits: &[Code]) -> Option<Code> {
    let add = |half: fn(&Code) -> &Element| {
        Element::new(bits.iter().fold(zero_point(), |sum: RistrettoPoint, bit| sum + half(bit).point()))
    };
    Some(Code { c1: add(|bit| &bit.c1)?, c2: add(|bit| &bit.c2)? })
}

impl SumShare {
    /// Shares the sum.
    pub fn make(secret: &SeatSecret, sum: &Code, challenger: &mut Challenger, rng: &mut impl Source) -> Option<Self> {
        let share = Element::new(sum.c1.point() * secret.secret().expose_secret())?;
        let statement = SameExponent { g: Element::generator(), x: *secret.key(), h: sum.c1, y: share };
        Some(Self { share, proof: statement.prove(secret.secret(), challenger, rng)? })
    }

    /// Adds the proof to `batch`.
    pub fn verify(
        &self,
        seat_key: &Element,
        sum: &Code,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<(), Invalid> {
        SameExponent { g: Element::generator(), x: *seat_key, h: sum.c1, y: self.share }.verify(
            &self.proof,
            challenger,
            batch,
        )
    }
}

/// What the sum is, once all shares of it are there; at most `most`.
pub fn open_sum(sum: &Code, shares: &[Element], most: usize) -> Option<usize> {
    let point = shares.iter().fold(*sum.c2.point(), |point, share| point - share.point());
    (0..=most).find(|n| mul_generator(&Scalar::from(*n as u64)) == point)
}

impl Encode for Bit {
    fn encode(&self, out: &mut Vec<u8>) {
        self.code.encode(out);
        self.proof.encode(out);
    }
}

impl Encode for SumShare {
    fn encode(&self, out: &mut Vec<u8>) {
        self.share.encode(out);
        self.proof.encode(out);
    }
}

impl Decode for SumShare {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(Self { share: reader.element("sum.share")?, proof: SigmaProof::read(reader, &SHARE)? })
    }
}
