//! The ElGamal deck, protocol by protocol as in chapter 4 of the thesis.
//!
//! | thesis | here |
//! |---|---|
//! | 4.1 open encryption of the faces (TK-13) | [`open_deck`] |
//! | 4.2.1 card from its face (TK-14) | [`create`] |
//! | 4.2.3 drawing a card (TK-16) | [`share`], [`accept_shares`], [`DrawnCodes`] |
//! | 4.2.4 playing a card (TK-17) | [`share`] of all seats, [`DrawnCodes::open`]; or the owner's [`CardOpening`] (E8) |
//! | 4.3.1 to 4.3.3 shuffling (TK-18 to TK-20) | [`crate::shuffle::reencrypt`], [`crate::shuffle::classic`] |
//! | 4.3.4 re-created hand (TK-21, F5) | [`crate::shuffle::recreate`] |
//! | 4.3.5 rule check (TK-22) | [`crate::containment`] |

use zeroize::Zeroizing;

use crate::batch::{Batch, Pending};
use crate::card::{Code, Codes, Faces, MAX_CARDS, OwnCard};
use crate::challenger::{Challenger, Nonces, Purpose, Source};
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader, encode_all};
use crate::context::Seat;
use crate::group::{Element, RistrettoPoint, Scalar, half, mul_generator};
use crate::key::{JointKey, SeatSecret};
use crate::secret::SecretScalar;
use crate::shuffle::reencrypt::{self, ShuffleSecret};
use crate::sigma::{Invalid, SameExponents, Sigma, SigmaProof, SigmaShape};

/// *Inicializálás* (TK-13, thesis 4.1): every face encrypted with randomness 1, for all to see. Here each card is there
/// exactly once, and every proof of a shuffle carries that on.
pub fn open_deck(key: &JointKey, faces: &Faces) -> Codes {
    open_codes(key, faces.as_slice())
}

/// Open encryptions of some faces.
pub(crate) fn open_codes(key: &JointKey, faces: &[Element]) -> Codes {
    let c1 = Element::generator();
    let sum = |face: &Element| Element::new(face.point() + key.element().point());
    let code = |face: &Element| Code {
        c1,
        c2: sum(face).expect("every seat proved that it knows its part of the key, and nobody the logarithm of a face"),
    };
    Codes(faces.iter().map(code).collect())
}

/// *Kártya létrehozása típusértékből* (TK-14, thesis 4.2.1): a fresh code of a known card.
pub fn create(key: &JointKey, faces: &Faces, card: usize, rng: &mut (impl Source + ?Sized)) -> Option<OwnCard> {
    let face = faces.lookup(card)?;
    let which = Zeroizing::new((card as u64).to_le_bytes());
    let mut rng = Nonces::hedged(const { Purpose::new("create") }, key.element(), [&which[..]], rng);
    let randomness = SecretScalar::random(&mut rng);
    let code = encrypt(key, &face, randomness.expose_secret())?;
    Some(OwnCard { code, card, randomness })
}

pub(crate) fn encrypt(key: &JointKey, face: &RistrettoPoint, r: &Scalar) -> Option<Code> {
    Some(Code { c1: Element::new(mul_generator(r))?, c2: Element::new(face + key.mul(r))? })
}

/// One seat's shares of some codes with one proof for all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shares {
    shares: Vec<Element>,
    proof: SigmaProof,
}

/// The sharing half of *kártya húzása* and *kártya kijátszása* (TK-16, TK-17): `e_j = x·c1_j` for every code, with one
/// batched proof of equal exponents (TK-15).
pub fn share(
    secret: &SeatSecret,
    codes: &[Code],
    challenger: &mut Challenger,
    rng: &mut (impl Source + ?Sized),
) -> Option<Shares> {
    let factor = Zeroizing::new(half(secret.secret().expose_secret()));
    let halves: Vec<RistrettoPoint> = codes.iter().map(|code| code.c1.point() * *factor).collect();
    let shares = Element::all_doubled(&halves)?;
    let bases = first_halves(codes);
    let statement = SameExponents { key: *secret.key(), bases: &bases, powers: &shares };
    let proof = statement.prove(secret.secret(), challenger, rng)?;
    Some(Shares { shares, proof })
}

/// Shares of one seat that were proved. Made only by [`accept_shares`], usable only after its batch is settled.
#[derive(Clone, Debug)]
pub struct AcceptedShares {
    seat: Seat,
    key: Element,
    bases: Vec<Element>,
    shares: Vec<Element>,
}

impl AcceptedShares {
    /// The shares of some of the codes, by their positions; `None` if there is no such position.
    pub fn pick(&self, at: &[usize]) -> Option<Self> {
        let of = |list: &[Element]| at.iter().map(|i| list.get(*i).copied()).collect::<Option<Vec<_>>>();
        Some(Self { seat: self.seat, key: self.key, bases: of(&self.bases)?, shares: of(&self.shares)? })
    }

    /// Whether they were proved for exactly these codes.
    fn is_of(&self, codes: &[Code]) -> bool {
        self.bases.iter().eq(codes.iter().map(|code| &code.c1))
    }
}

/// Adds the proof of a seat's shares of `codes` to `batch`.
pub fn accept_shares(
    key: &JointKey,
    seat: Seat,
    codes: &[Code],
    shares: &Shares,
    challenger: &mut Challenger,
    batch: &mut Batch,
) -> Result<Pending<AcceptedShares>, Invalid> {
    let invalid = |why| Invalid { label: crate::labels::Label::SameExponents, why };
    if challenger.seat() != seat {
        return Err(invalid("the shares are in another seat's entry"));
    }
    let seat_key = *key.seat(seat).ok_or(invalid("this seat holds no share of the key"))?;
    let bases = first_halves(codes);
    let statement = SameExponents { key: seat_key, bases: &bases, powers: &shares.shares };
    statement.verify(&shares.proof, challenger, batch)?;
    batch
        .pend(AcceptedShares { seat, key: seat_key, bases, shares: shares.shares.clone() })
        .ok_or(invalid("the batch is empty"))
}

fn first_halves(codes: &[Code]) -> Vec<Element> {
    codes.iter().map(|code| code.c1).collect()
}

impl Encode for Shares {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { shares, proof } = self;
        encode_all(shares, out);
        proof.encode(out);
    }
}

impl Decode for Shares {
    /// Number of codes.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, n: &usize) -> Result<Self, DecodeError> {
        if *n == 0 || *n > MAX_CARDS {
            let fault = Malformed::Count { got: *n as u64, min: 1, max: MAX_CARDS as u64 };
            return Err(reader.error("shares", fault));
        }
        Ok(Self {
            shares: reader.elements("shares", *n)?,
            proof: SigmaProof::read(reader, &SigmaShape { equations: 2, secrets: 1 })?,
        })
    }
}

/// Why a card cannot be opened yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// A seat's shares are missing, doubled or for other codes.
    #[error("exactly one set of shares of these codes is needed from {0}")]
    Shares(Seat),
    /// The code holds no card of the pack.
    #[error("code {0} holds no card of the pack")]
    NoCard(usize),
}

/// Codes from which the shares of some seats were taken off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnCodes {
    /// The codes that are left.
    pub codes: Vec<Code>,
}

impl DrawnCodes {
    /// Takes off the shares of every seat but `drawer`: what is left is encrypted under the drawer's key alone (TK-16).
    pub fn for_drawer(
        key: &JointKey,
        codes: &[Code],
        shares: &[AcceptedShares],
        drawer: Seat,
    ) -> Result<Self, OpenError> {
        let rest = strip(key, codes, shares, Some(drawer))?;
        let code = |(j, (code, c2)): (usize, (&Code, RistrettoPoint))| {
            Ok(Code { c1: code.c1, c2: Element::new(c2).ok_or(OpenError::NoCard(j))? })
        };
        Ok(Self { codes: codes.iter().zip(rest).enumerate().map(code).collect::<Result<_, _>>()? })
    }

    /// Opens codes to everyone, with a share of every seat (TK-17).
    pub fn open(
        key: &JointKey,
        faces: &Faces,
        codes: &[Code],
        shares: &[AcceptedShares],
    ) -> Result<Vec<usize>, OpenError> {
        let face = |(j, point): (usize, RistrettoPoint)| {
            Element::new(point).and_then(|face| faces.find(&face)).ok_or(OpenError::NoCard(j))
        };
        strip(key, codes, shares, None)?.into_iter().enumerate().map(face).collect()
    }
}

/// `c2 − Σ e` over exactly one set of shares for every seat of the key but the excepted one.
fn strip(
    key: &JointKey,
    codes: &[Code],
    shares: &[AcceptedShares],
    except: Option<Seat>,
) -> Result<Vec<RistrettoPoint>, OpenError> {
    let mut points: Vec<RistrettoPoint> = codes.iter().map(|code| *code.c2.point()).collect();
    for seat in key.seats().iter().map(|k| k.seat()).chain(except) {
        let own: Vec<&AcceptedShares> = shares.iter().filter(|s| s.seat == seat).collect();
        match (own.as_slice(), Some(seat) == except) {
            ([], true) if key.seat(seat).is_some() => {}
            ([one], false) if Some(&one.key) == key.seat(seat) && one.is_of(codes) => {
                for (p, e) in points.iter_mut().zip(&one.shares) {
                    *p -= e.point();
                }
            }
            _ => return Err(OpenError::Shares(seat)),
        }
    }
    if let Some(stranger) = shares.iter().find(|s| key.seat(s.seat).is_none()) {
        return Err(OpenError::Shares(stranger.seat));
    }
    Ok(points)
}

/// The owner's opening of a code: its card and its randomness (E8). One message, no proof, and nobody else can stall it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardOpening {
    /// The card.
    pub card: u16,
    randomness: Scalar,
}

impl CardOpening {
    /// Publishes what only the owner knew.
    pub fn new(own: &OwnCard) -> Self {
        Self { card: own.card as u16, randomness: *own.randomness.expose_secret() }
    }

    /// Whether `code` is this card with this randomness: `c1 = r·G` and `c2 = d + r·h`.
    #[must_use]
    pub fn opens(&self, key: &JointKey, faces: &Faces, code: &Code) -> bool {
        let face = faces.get(usize::from(self.card));
        face.and_then(|face| encrypt(key, face.point(), &self.randomness)).is_some_and(|made| made == *code)
    }
}

impl Encode for CardOpening {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { card, randomness } = self;
        out.extend_from_slice(&card.to_le_bytes());
        randomness.encode(out);
    }
}

impl Decode for CardOpening {
    /// Number of cards in the pack.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, pack: &usize) -> Result<Self, DecodeError> {
        if *pack == 0 || *pack > MAX_CARDS {
            let fault = Malformed::Count { got: *pack as u64, min: 1, max: MAX_CARDS as u64 };
            return Err(reader.error("opened.card", fault));
        }
        let card = reader.count("opened.card", 0, (*pack - 1) as u16)? as u16;
        Ok(Self { card, randomness: reader.scalar("opened.randomness")? })
    }
}

/// A shuffle of one's own hand whose randomness one keeps knowing (RC-4, E6): the new hand, and the secret to prove it
/// with [`reencrypt::prove`].
pub fn shuffle_hand(
    key: &JointKey,
    hand: &[OwnCard],
    rng: &mut (impl Source + ?Sized),
) -> Option<(Vec<OwnCard>, ShuffleSecret)> {
    let codes: Vec<Code> = hand.iter().map(|own| own.code).collect();
    let (output, secret) = reencrypt::shuffle(key, &codes, rng)?;
    let mut cards: Zeroizing<Vec<u32>> = Zeroizing::new(hand.iter().map(|own| own.card as u32).collect());
    let mut old: Zeroizing<Vec<Scalar>> =
        Zeroizing::new(hand.iter().map(|own| *own.randomness.expose_secret()).collect());
    secret.permutation.apply(&mut cards);
    secret.permutation.apply(&mut old);
    let own = |(i, code): (usize, Code)| OwnCard {
        code,
        card: cards[i] as usize,
        randomness: SecretScalar::new(old[i] + secret.masks[i]),
    };
    Some((output.0.into_iter().enumerate().map(own).collect(), secret))
}

#[cfg(test)]
mod tests;
