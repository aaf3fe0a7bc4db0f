//! All-or-nothing disclosure of secrets over Goldwasser–Micali, **for players who follow the protocol only**.
//!
//! A sender has a list of secrets; a receiver learns one of them and nothing of the others, and the sender does not learn
//! which one (Brassard, Crépeau, Robert 1986). A bit `b` is sealed as `x²·y^b` modulo a product of two primes, with a random
//! `x` and a public non-residue `y`. The receiver asks for a secret by a *packet*, in which seals are masked by random
//! squares and random bits; the sender, who has the primes, says which of them are residues; the receiver removes its bits
//! again.
//!
//! Nothing is proved here: a sender may seal anything and answer anything, and a receiver may ask for anything, even for
//! the sum of two secrets. For that reason every name says `SemiHonest`. Among players who are curious but follow the
//! protocol, the receiver's choice is hidden perfectly. The other secrets are hidden if residues and non-residues of Jacobi
//! symbol +1 cannot be told apart without the primes.
//!
//! Widths are in limbs: `L` of the modulus, `H = L/2` of a prime. [`PLAY`] and [`PLAY_HALF`] are for play;
//! [`TOY`] and [`TOY_HALF`] are for tests. The normative page is `spec/59-andos.md`.

mod residue;

use core::fmt;

use crypto_bigint::{Choice, CtEq, CtSelect, JacobiSymbol, Odd, U128, U256, U1024, U2048, Uint};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use self::residue::{Ring, blum_prime, is_plus, is_residue};
use crate::challenger::{Nonces, Purpose, Source};
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use crate::permutation::Permutation;

/// Limbs of a modulus of 2048 bits.
pub const PLAY: usize = U2048::LIMBS;
/// Limbs of its primes.
pub const PLAY_HALF: usize = U1024::LIMBS;
/// Limbs of a modulus of 256 bits: for tests only, since anyone can factor it.
pub const TOY: usize = U256::LIMBS;
/// Limbs of its primes.
pub const TOY_HALF: usize = U128::LIMBS;

/// Most secrets in a list.
pub const MAX_SECRETS: usize = 256;
/// Most bits in a secret.
pub const MAX_BITS: usize = 8;

/// How many secrets a list has, of how many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    secrets: usize,
    bits: usize,
}

impl Shape {
    /// `None` unless there are 1 to [`MAX_SECRETS`] secrets of 1 to [`MAX_BITS`] bits.
    pub const fn new(secrets: usize, bits: usize) -> Option<Self> {
        let fits = secrets >= 1 && secrets <= MAX_SECRETS && bits >= 1 && bits <= MAX_BITS;
        if fits { Some(Self { secrets, bits }) } else { None }
    }

    /// Secrets.
    pub const fn secrets(self) -> usize {
        self.secrets
    }

    /// Bits of each.
    pub const fn bits(self) -> usize {
        self.bits
    }
}

/// What a packet holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// The whole list, masked and in secret order, and the place that is asked for: as published.
    Full,
    /// The masked seals of the wanted secret alone. They are uniform whatever they mask, so among players who follow the
    /// protocol the rest of the list hides nothing more; it served the proof that is left out.
    Compact,
}

/// Why something was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// Sizes do not fit.
    #[error("the list or the packet has the wrong shape")]
    Shape,
    /// A secret has too many bits, or there is no such secret.
    #[error("no such secret")]
    Secret,
    /// A number in the row that is asked for has a Jacobi symbol other than +1.
    #[error("the Jacobi symbol is not +1")]
    Symbol,
}

/// The public key of a sender: the modulus `m` and a non-residue `y` of Jacobi symbol +1. That `m` is a product of two
/// primes and `y` no residue is *not* proved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SemiHonestKey<const L: usize> {
    ring: Ring<L>,
    y: Uint<L>,
    /// `y` in Montgomery form.
    lifted: Uint<L>,
}

impl<const L: usize> SemiHonestKey<L> {
    fn new(modulus: Odd<Uint<L>>, y: Uint<L>) -> Self {
        let ring = Ring::new(modulus);
        Self { ring, y, lifted: ring.in_montgomery_form(&y) }
    }

    /// Bytes of one number.
    pub const ELEMENT: usize = Uint::<L>::BYTES;

    /// A uniform square times `y` to the power of a bit, in Montgomery form. Constant time in the bit.
    fn factor(&self, bit: Choice, source: &mut Nonces) -> Uint<L> {
        let power = self.ring.one().ct_select(&self.lifted, bit);
        self.ring.mul(&self.ring.random_square(source), &power)
    }

    /// Asks for one secret of a list.
    pub fn ask(
        &self,
        list: &SemiHonestList<L>,
        index: usize,
        packing: Packing,
        rng: &mut (impl Source + ?Sized),
    ) -> Result<(SemiHonestPacket<L>, SemiHonestQuery), Refused> {
        let Shape { secrets, bits } = list.shape;
        if index >= secrets {
            return Err(Refused::Secret);
        }
        // Hedged with the list and the question: the masks of one question must not cover another.
        let asked = Zeroizing::new((index as u64).to_le_bytes());
        let draws = &mut Nonces::hedged(const { Purpose::new("andos question") }, &(self, list), [&asked[..]], rng);
        match packing {
            Packing::Compact => {
                let mut row = list.row(index);
                let mask = self.mask_row(&mut row, draws);
                Ok((SemiHonestPacket { elements: row, place: None }, SemiHonestQuery { mask, bits }))
            }
            Packing::Full => {
                let order = Permutation::random(secrets, draws);
                let mut elements = Vec::with_capacity(secrets * bits);
                let (mut mask, mut place) = (0, 0);
                for (at, source) in (0u16..).zip(order.expose_secret()) {
                    let mut row = list.row(*source as usize);
                    let row_mask = self.mask_row(&mut row, draws);
                    let here = u64::from(*source).ct_eq(&(index as u64));
                    mask = mask.ct_select(&row_mask, here);
                    place = place.ct_select(&at, here);
                    elements.append(&mut row);
                }
                Ok((SemiHonestPacket { elements, place: Some(place) }, SemiHonestQuery { mask, bits }))
            }
        }
    }

    /// Masks seals in place and says with which bits.
    fn mask_row(&self, row: &mut [Uint<L>], source: &mut Nonces) -> u8 {
        let mask: Zeroizing<[u8; 1]> = source.bytes();
        for (n, seal) in row.iter_mut().enumerate() {
            *seal = self.ring.mul(seal, &self.factor(bit(mask[0], n), source));
        }
        mask[0]
    }
}

/// Bit `n` of a byte.
fn bit(byte: u8, n: usize) -> Choice {
    Choice::from_u8_lsb(byte >> n & 1)
}

impl<const L: usize> fmt::Debug for SemiHonestKey<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SemiHonestKey({} bits)", Uint::<L>::BITS)
    }
}

impl<const L: usize> Encode for SemiHonestKey<L> {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.ring.modulus().as_ref().to_le_bytes().as_ref());
        out.extend_from_slice(self.y.to_le_bytes().as_ref());
    }
}

impl<const L: usize> Decode for SemiHonestKey<L> {
    type Shape = ();

    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let wrong = reader.error("andos.modulus", Malformed::Modulus);
        let modulus = number::<L>(reader, "andos.modulus")?;
        let (low, high) = (modulus.as_words()[0], modulus.bits_vartime());
        let odd = modulus.to_odd().into_option().filter(|_| low & 3 == 1 && high == Uint::<L>::BITS);
        let Some(odd) = odd else { return Err(wrong) };
        let y = element(reader, "andos.y", &odd, true)?;
        Ok(Self::new(odd, y))
    }
}

fn number<const L: usize>(reader: &mut Reader<'_>, field: &'static str) -> Result<Uint<L>, DecodeError> {
    Ok(Uint::from_le_slice(reader.bytes(field, Uint::<L>::BYTES)?))
}

/// A number in `1..m`, with the Jacobi symbol +1 if `plus` says to look at it.
fn element<const L: usize>(
    reader: &mut Reader<'_>,
    field: &'static str,
    modulus: &Odd<Uint<L>>,
    plus: bool,
) -> Result<Uint<L>, DecodeError> {
    let (range, symbol) = (reader.error(field, Malformed::Residue), reader.error(field, Malformed::Symbol));
    let number = number(reader, field)?;
    if !is_residue(&number, modulus.as_ref()) {
        return Err(range);
    }
    if plus && !is_plus(&number, modulus) {
        return Err(symbol);
    }
    Ok(number)
}

/// What a sender knows: a prime of the modulus. Wiped when dropped, and never printed.
pub struct SemiHonestSecret<const L: usize, const H: usize> {
    key: SemiHonestKey<L>,
    p: Zeroizing<Uint<H>>,
}

impl<const L: usize, const H: usize> SemiHonestSecret<L, H> {
    /// Makes a key: two primes that are 3 modulo 4, and a random non-residue of Jacobi symbol +1 (for such primes, minus a
    /// random square).
    pub fn random(source: &mut (impl Source + ?Sized)) -> Self {
        const { assert!(L == 2 * H, "a modulus is twice as wide as its primes") };
        let p = blum_prime::<H>(source);
        loop {
            let q = blum_prime::<H>(source);
            let modulus: Uint<L> = p.resize::<L>().wrapping_mul(&q.resize::<L>());
            let Some(odd) = modulus.to_odd().into_option().filter(|_| *p != *q) else { continue };
            let square = Ring::new(odd).random_square(source);
            return Self { key: SemiHonestKey::new(odd, modulus.wrapping_sub(&square)), p };
        }
    }

    /// Bytes of the secret in a journal.
    pub const BYTES: usize = Uint::<H>::BYTES + 2 * Uint::<L>::BYTES;

    /// The secret for a journal, from which [`SemiHonestSecret::recall`] makes it again: the prime, then the public key.
    pub fn expose_secret(&self) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(Self::BYTES));
        bytes.extend_from_slice(self.p.to_le_bytes().as_ref());
        self.key.encode(&mut bytes);
        bytes
    }

    /// A secret from a journal; `None` if the bytes are not one.
    pub fn recall(bytes: &[u8]) -> Option<Self> {
        let (p, key) = bytes.split_at_checked(Uint::<H>::BYTES)?;
        let (p, key) = (Zeroizing::new(Uint::<H>::from_le_slice(p)), SemiHonestKey::from_bytes(key, &()).ok()?);
        let odd = p.to_odd().into_option()?;
        let divides = key.ring.modulus().as_ref().rem(odd.as_nz_ref()).is_zero_vartime();
        (divides && p.bits_vartime() == Uint::<H>::BITS).then_some(Self { key, p })
    }

    /// The public key.
    pub fn key(&self) -> &SemiHonestKey<L> {
        &self.key
    }

    /// Seals secrets of at most `bits` bits.
    pub fn seal(
        &self,
        secrets: &[u8],
        bits: usize,
        rng: &mut (impl Source + ?Sized),
    ) -> Result<SemiHonestList<L>, Refused> {
        let shape = Shape::new(secrets.len(), bits).ok_or(Refused::Shape)?;
        if secrets.iter().any(|secret| u16::from(*secret) >> bits != 0) {
            return Err(Refused::Secret);
        }
        // Hedged with the prime and the secrets: equal squares under two lists would show which bits differ.
        let prime = Zeroizing::new(self.p.to_le_bytes().as_ref().to_vec());
        let mut source = Nonces::hedged(const { Purpose::new("andos seal") }, &self.key, [&prime[..], secrets], rng);
        let bits = secrets.iter().flat_map(|secret| (0..bits).map(|n| bit(*secret, n)));
        Ok(SemiHonestList { shape, elements: bits.map(|bit| self.plain(bit, &mut source)).collect() })
    }

    fn plain(&self, bit: Choice, source: &mut Nonces) -> Uint<L> {
        self.key.ring.mul(&Uint::ONE, &self.key.factor(bit, source))
    }

    /// Answers a packet: which of the seals that are asked for are non-residues. In constant time.
    pub fn answer(&self, packet: &SemiHonestPacket<L>, shape: Shape) -> Result<SemiHonestAnswer, Refused> {
        let row = packet.asked(shape).ok_or(Refused::Shape)?;
        let Some(p) = self.p.to_odd().into_option() else { return Err(Refused::Shape) };
        let mut answer = 0;
        for (n, element) in row.iter().enumerate() {
            // Of a whole list, only the row that is asked for is used.
            if packet.place.is_some() && !is_plus(element, self.key.ring.modulus()) {
                return Err(Refused::Symbol);
            }
            answer |= u8::from(matches!(element.jacobi_symbol(&p), JacobiSymbol::MinusOne)) << n;
        }
        Ok(SemiHonestAnswer(answer))
    }
}

impl<const L: usize, const H: usize> fmt::Debug for SemiHonestSecret<L, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SemiHonestSecret(<secret>)")
    }
}

/// The sealed list of a sender. What is in it is *not* proved.
#[derive(Clone, PartialEq, Eq)]
pub struct SemiHonestList<const L: usize> {
    shape: Shape,
    elements: Vec<Uint<L>>,
}

impl<const L: usize> SemiHonestList<L> {
    /// Its shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The seals of one secret, found without an address that depends on which.
    fn row(&self, index: usize) -> Vec<Uint<L>> {
        let mut row = vec![Uint::ZERO; self.shape.bits];
        for (at, seals) in (0u64..).zip(self.elements.chunks_exact(self.shape.bits)) {
            let here = at.ct_eq(&(index as u64));
            for (kept, seal) in row.iter_mut().zip(seals) {
                *kept = kept.ct_select(seal, here);
            }
        }
        row
    }
}

/// What is needed to read a list or a packet.
#[derive(Clone, Copy, Debug)]
pub struct Form<const L: usize> {
    /// The sender's key.
    pub key: SemiHonestKey<L>,
    /// The shape of the list.
    pub shape: Shape,
    /// What a packet holds.
    pub packing: Packing,
}

impl<const L: usize> fmt::Debug for SemiHonestList<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SemiHonestList({} secrets of {} bits)", self.shape.secrets, self.shape.bits)
    }
}

impl<const L: usize> Encode for SemiHonestList<L> {
    fn encode(&self, out: &mut Vec<u8>) {
        self.elements.iter().for_each(|element| out.extend_from_slice(element.to_le_bytes().as_ref()));
    }
}

impl<const L: usize> Decode for SemiHonestList<L> {
    type Shape = Form<L>;

    fn read(reader: &mut Reader<'_>, form: &Form<L>) -> Result<Self, DecodeError> {
        let (count, modulus) = (form.shape.secrets * form.shape.bits, form.key.ring.modulus());
        let read = |reader: &mut Reader<'_>| element(reader, "andos.seal", modulus, true);
        let elements = reader.list("andos.seal", count, Uint::<L>::BYTES, read)?;
        Ok(Self { shape: form.shape, elements })
    }
}

/// A question. That it asks for one secret of the list is *not* proved.
#[derive(Clone, PartialEq, Eq)]
pub struct SemiHonestPacket<const L: usize> {
    elements: Vec<Uint<L>>,
    /// Which row is asked for, in a whole list.
    place: Option<u16>,
}

impl<const L: usize> SemiHonestPacket<L> {
    /// The seals that are asked for.
    fn asked(&self, shape: Shape) -> Option<&[Uint<L>]> {
        match self.place {
            None if self.elements.len() == shape.bits => Some(&self.elements),
            Some(place) if self.elements.len() == shape.secrets * shape.bits => {
                self.elements.chunks_exact(shape.bits).nth(place.into())
            }
            _ => None,
        }
    }
}

impl<const L: usize> fmt::Debug for SemiHonestPacket<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SemiHonestPacket({} numbers, place {:?})", self.elements.len(), self.place)
    }
}

impl<const L: usize> Encode for SemiHonestPacket<L> {
    fn encode(&self, out: &mut Vec<u8>) {
        self.elements.iter().for_each(|element| out.extend_from_slice(element.to_le_bytes().as_ref()));
        if let Some(place) = self.place {
            out.extend_from_slice(&place.to_le_bytes());
        }
    }
}

impl<const L: usize> Decode for SemiHonestPacket<L> {
    type Shape = Form<L>;

    fn read(reader: &mut Reader<'_>, form: &Form<L>) -> Result<Self, DecodeError> {
        let Shape { secrets, bits } = form.shape;
        let (count, plus) = match form.packing {
            Packing::Full => (secrets * bits, false),
            Packing::Compact => (bits, true),
        };
        let read = |reader: &mut Reader<'_>| element(reader, "andos.masked", form.key.ring.modulus(), plus);
        let elements = reader.list("andos.masked", count, Uint::<L>::BYTES, read)?;
        let place = match form.packing {
            Packing::Full => Some(reader.count("andos.place", 0, (secrets - 1) as u16)? as u16),
            Packing::Compact => None,
        };
        Ok(Self { elements, place })
    }
}

/// What the receiver keeps of a question: the bits by which it masked. Wiped when dropped, and never printed.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct SemiHonestQuery {
    mask: u8,
    bits: usize,
}

impl SemiHonestQuery {
    /// The secret.
    pub fn open(&self, answer: SemiHonestAnswer) -> u8 {
        (answer.0 ^ self.mask) & low_bits(self.bits)
    }

    /// The question for a journal, from which [`SemiHonestQuery::recall`] makes it again.
    pub fn expose_secret(&self) -> u8 {
        self.mask
    }

    /// A question from a journal.
    pub fn recall(mask: u8, shape: Shape) -> Self {
        Self { mask, bits: shape.bits }
    }
}

impl fmt::Debug for SemiHonestQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SemiHonestQuery(<secret>)")
    }
}

fn low_bits(bits: usize) -> u8 {
    u8::try_from((1u16 << bits.min(MAX_BITS)) - 1).expect("eight bits are a byte")
}

/// An answer: bit `n` is set if seal `n` is a non-residue. That it is true is *not* proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemiHonestAnswer(u8);

impl Encode for SemiHonestAnswer {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(self.0);
    }
}

impl Decode for SemiHonestAnswer {
    type Shape = Shape;

    fn read(reader: &mut Reader<'_>, shape: &Shape) -> Result<Self, DecodeError> {
        let largest = low_bits(shape.bits);
        let wrong = |got: u8| Malformed::Count { got: got.into(), min: 0, max: largest.into() };
        let at = reader.error("andos.answer", Malformed::Truncated(1));
        let byte = reader.u8("andos.answer")?;
        if byte > largest {
            return Err(DecodeError { fault: wrong(byte), ..at });
        }
        Ok(Self(byte))
    }
}

#[cfg(test)]
mod tests;
