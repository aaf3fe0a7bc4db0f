//! For every module that reads or writes bytes: one canonical encoding per type, with sizes known from context.
//!
//! A decoder never learns a length from the peer that it could know from the table: the number of cards, seats and
//! rounds arrives as the [`Decode::Shape`]. Where a count must travel, [`Reader::count`] bounds it before anything is
//! allocated. Every value has exactly one encoding, and bytes left over are an error.
//! The byte layouts are normative in `spec/10-encoding.md`.

use core::fmt;

use crate::group::{Element, Scalar};
use crate::parallel::both;

/// A value with one canonical encoding.
pub trait Encode {
    /// Appends the canonical encoding.
    fn encode(&self, out: &mut Vec<u8>);

    /// The canonical encoding as a fresh vector.
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode(&mut out);
        out
    }
}

/// A value that is read from bytes whose size follows from what the reader already knows.
pub trait Decode: Sized {
    /// What must be known beforehand: a number of cards, of rounds, of seats. `()` where the size is fixed.
    type Shape: ?Sized;

    /// Reads one value and leaves the reader behind it.
    fn read(reader: &mut Reader<'_>, shape: &Self::Shape) -> Result<Self, DecodeError>;

    /// Reads one value that must fill `bytes` exactly.
    fn from_bytes(bytes: &[u8], shape: &Self::Shape) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let value = Self::read(&mut reader, shape)?;
        reader.finish()?;
        Ok(value)
    }
}

/// Why bytes were refused, in which field, and how far into the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What is wrong.
    pub fault: Malformed,
    /// The field that was being read, as named in the specification.
    pub field: &'static str,
    /// Offset of that field in the input.
    pub offset: usize,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: {}", self.field, self.offset, self.fault)
    }
}

impl core::error::Error for DecodeError {}

/// So many bytes, in words.
fn bytes(count: usize) -> impl fmt::Display {
    fmt::from_fn(move |f| write!(f, "{count} {}", if count == 1 { "byte" } else { "bytes" }))
}

/// The ways in which bytes can fail to be a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformed {
    /// A count, index or shape that the context does not allow.
    #[error("{got} is outside {min}..={max}")]
    Count {
        /// What was read.
        got: u64,
        /// Smallest allowed value.
        min: u64,
        /// Largest allowed value.
        max: u64,
    },
    /// The group identity where an element must not be it.
    #[error("the identity is not allowed here")]
    Identity,
    /// A group element that is not the canonical encoding of any point.
    #[error("not a canonical group element")]
    NotAnElement,
    /// A scalar that is not reduced modulo the group order.
    #[error("scalar not below the group order")]
    ScalarRange,
    /// A scalar that must not be zero.
    #[error("zero is not allowed here")]
    ScalarZero,
    /// A byte that is none of the allowed tags.
    #[error("tag {0} is unknown")]
    Tag(u8),
    /// Bytes left over after a complete value.
    #[error("{} left over", bytes(*.0))]
    Trailing(usize),
    /// The input ended inside the field.
    #[error("input ends {} short", bytes(*.0))]
    Truncated(usize),
    /// A modulus that cannot be a product of two primes of the right size.
    #[error("not a modulus of this size")]
    Modulus,
    /// A number that is not a residue other than zero.
    #[error("not between 1 and the modulus")]
    Residue,
    /// A residue whose Jacobi symbol is not +1.
    #[error("the Jacobi symbol is not +1")]
    Symbol,
    /// Two entries that must differ are equal.
    #[error("entry {0} repeats an earlier one")]
    Repeated(usize),
}

/// From this many points on a second thread helps to read them.
const LONG: usize = 256;

/// A cursor over untrusted bytes.
pub struct Reader<'a> {
    rest: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the first byte.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, offset: 0 }
    }

    /// Bytes not yet read.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// An error about the field that starts at the cursor.
    pub fn error(&self, field: &'static str, fault: Malformed) -> DecodeError {
        DecodeError { fault, field, offset: self.offset }
    }

    /// Takes exactly `len` bytes.
    pub fn bytes(&mut self, field: &'static str, len: usize) -> Result<&'a [u8], DecodeError> {
        let Some((head, rest)) = self.rest.split_at_checked(len) else {
            return Err(self.error(field, Malformed::Truncated(len - self.rest.len())));
        };
        self.rest = rest;
        self.offset += len;
        Ok(head)
    }

    /// Takes an array of `N` bytes.
    pub fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], DecodeError> {
        let Some((head, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(self.error(field, Malformed::Truncated(N - self.rest.len())));
        };
        self.rest = rest;
        self.offset += N;
        Ok(*head)
    }

    /// One byte.
    pub fn u8(&mut self, field: &'static str) -> Result<u8, DecodeError> {
        Ok(self.array::<1>(field)?[0])
    }

    /// Two bytes, little endian.
    pub fn u16(&mut self, field: &'static str) -> Result<u16, DecodeError> {
        Ok(u16::from_le_bytes(self.array(field)?))
    }

    /// Four bytes, little endian.
    pub fn u32(&mut self, field: &'static str) -> Result<u32, DecodeError> {
        Ok(u32::from_le_bytes(self.array(field)?))
    }

    /// Eight bytes, little endian.
    pub fn u64(&mut self, field: &'static str) -> Result<u64, DecodeError> {
        Ok(u64::from_le_bytes(self.array(field)?))
    }

    /// A two-byte count between `min` and `max`: refused before anything is allocated for it.
    pub fn count(&mut self, field: &'static str, min: u16, max: u16) -> Result<usize, DecodeError> {
        let at = self.offset;
        let got = self.u16(field)?;
        if got < min || got > max {
            let fault = Malformed::Count { got: got.into(), min: min.into(), max: max.into() };
            return Err(DecodeError { fault, field, offset: at });
        }
        Ok(usize::from(got))
    }

    /// A group element, canonical and not the identity.
    pub fn element(&mut self, field: &'static str) -> Result<Element, DecodeError> {
        let at = self.offset;
        let bytes = self.array::<32>(field)?;
        Element::from_encoding(bytes).map_err(|fault| DecodeError { fault, field, offset: at })
    }

    /// `n` group elements.
    pub fn elements(&mut self, field: &'static str, n: usize) -> Result<Vec<Element>, DecodeError> {
        self.long_list(field, n, 32, |reader| reader.element(field))
    }

    /// A scalar, reduced and not zero.
    pub fn scalar(&mut self, field: &'static str) -> Result<Scalar, DecodeError> {
        let at = self.offset;
        let bytes = self.array::<32>(field)?;
        let refuse = |fault| DecodeError { fault, field, offset: at };
        if bytes == [0; 32] {
            return Err(refuse(Malformed::ScalarZero));
        }
        Option::from(Scalar::from_canonical_bytes(bytes)).ok_or_else(|| refuse(Malformed::ScalarRange))
    }

    /// `n` scalars.
    pub fn scalars(&mut self, field: &'static str, n: usize) -> Result<Vec<Scalar>, DecodeError> {
        self.list(field, n, 32, |reader| reader.scalar(field))
    }

    /// `n` items of `size` bytes each, in a vector of exactly their number.
    pub fn list<T>(
        &mut self,
        field: &'static str,
        n: usize,
        size: usize,
        mut read: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        self.demand(field, n, size)?;
        let mut items = Vec::with_capacity(n);
        for _ in 0..n {
            items.push(read(self)?);
        }
        Ok(items)
    }

    /// The same where reading an item takes long (decompressing points): many are read in two halves side by side. The
    /// error is that of the first bad item. `read` takes exactly `size` bytes.
    pub fn long_list<T: Send>(
        &mut self,
        field: &'static str,
        n: usize,
        size: usize,
        read: impl Fn(&mut Self) -> Result<T, DecodeError> + Sync,
    ) -> Result<Vec<T>, DecodeError> {
        if n < LONG || n.saturating_mul(size) > self.rest.len() {
            return self.list(field, n, size, read);
        }
        let (bytes, rest) = self.rest.split_at(n * size);
        let (offset, half) = (self.offset, n / 2 * size);
        let part = |bytes, offset, n| Self { rest: bytes, offset }.list(field, n, size, &read);
        let (one, other) =
            both(|| part(&bytes[..half], offset, n / 2), || part(&bytes[half..], offset + half, n - n / 2));
        let mut items = one?;
        items.append(&mut other?);
        self.rest = rest;
        self.offset = offset + bytes.len();
        Ok(items)
    }

    /// Refuses at once if fewer than `n` items of `size` bytes are left: nothing is allocated for absent bytes.
    pub fn demand(&self, field: &'static str, n: usize, size: usize) -> Result<(), DecodeError> {
        let need = n.saturating_mul(size);
        if need > self.rest.len() {
            return Err(self.error(field, Malformed::Truncated(need - self.rest.len())));
        }
        Ok(())
    }

    /// Ends the input: anything left over is an error.
    pub fn finish(self) -> Result<(), DecodeError> {
        match self.rest.len() {
            0 => Ok(()),
            left => Err(self.error("end of input", Malformed::Trailing(left))),
        }
    }
}

impl Encode for Scalar {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.as_bytes());
    }
}

impl Encode for [u8; 32] {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }
}

impl Encode for u8 {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }
}

impl Encode for u32 {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }
}

/// A slice in a *statement*: its length as four bytes, then its items. (On the wire, lengths come from the shape.)
impl<T: Encode> Encode for [T] {
    fn encode(&self, out: &mut Vec<u8>) {
        // Lengths beyond 2^32 cannot arise: the caps of spec/10-encoding.md are far below.
        (self.len() as u32).encode(out);
        self.iter().for_each(|item| item.encode(out));
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn encode(&self, out: &mut Vec<u8>) {
        self.as_slice().encode(out);
    }
}

impl<A: Encode, B: Encode> Encode for (A, B) {
    fn encode(&self, out: &mut Vec<u8>) {
        self.0.encode(out);
        self.1.encode(out);
    }
}

impl<T: Encode + ?Sized> Encode for &T {
    fn encode(&self, out: &mut Vec<u8>) {
        (**self).encode(out);
    }
}

/// Appends items without a length: for messages whose shape fixes it.
pub fn encode_all<'a, T: Encode + 'a>(items: impl IntoIterator<Item = &'a T>, out: &mut Vec<u8>) {
    items.into_iter().for_each(|item| item.encode(out));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_bounded_before_use() {
        let mut reader = Reader::new(&[0xff, 0xff]);
        let error = reader.count("cards", 1, 52).unwrap_err();
        assert_eq!(error.fault, Malformed::Count { got: 65535, min: 1, max: 52 });
        assert_eq!((error.field, error.offset), ("cards", 0));
    }

    #[test]
    fn a_list_longer_than_the_input_is_refused_before_allocation() {
        let error = Reader::new(&[1; 64]).elements("deck", usize::MAX / 2).unwrap_err();
        assert!(matches!(error.fault, Malformed::Truncated(_)));
    }

    /// Items, place after them and the first error are those of a short list, wherever the bad ones are.
    #[test]
    fn a_long_list_is_read_like_a_short_one() {
        let good = (0..2 * LONG as u64).flat_map(|i| Scalar::from(i + 1).to_bytes()).collect::<Vec<u8>>();
        let read = |bytes: &[u8], long: bool| {
            let mut reader = Reader::new(bytes);
            let scalar = |reader: &mut Reader<'_>| reader.scalar("z");
            let items = if long {
                reader.long_list("z", 2 * LONG - 1, 32, scalar)
            } else {
                reader.list("z", 2 * LONG - 1, 32, scalar)
            };
            items.map(|items| (items, reader.offset, reader.left()))
        };
        assert_eq!(read(&good, true), read(&good, false));
        assert_eq!(read(&good[..good.len() - 64], true), read(&good[..good.len() - 64], false));
        for bad in [vec![3], vec![LONG + 7], vec![2, LONG + 1], vec![2 * LONG - 2]] {
            let mut bytes = good.clone();
            for at in &bad {
                bytes[32 * at..32 * at + 32].fill(0);
            }
            let error = read(&bytes, true).unwrap_err();
            assert_eq!(error.offset, 32 * bad[0]);
            assert_eq!(Err(error), read(&bytes, false));
        }
    }

    #[test]
    fn trailing_bytes_are_refused() {
        let mut reader = Reader::new(&[1, 2, 3]);
        reader.u8("tag").unwrap();
        let error = reader.finish().unwrap_err();
        assert_eq!((error.fault, error.offset), (Malformed::Trailing(2), 1));
    }

    #[test]
    fn bad_scalars_and_elements_say_what_and_where() {
        let cases: [([u8; 32], Malformed); 2] =
            [([0; 32], Malformed::ScalarZero), ([0xff; 32], Malformed::ScalarRange)];
        for (bytes, fault) in cases {
            assert_eq!(Reader::new(&bytes).scalar("z").unwrap_err().fault, fault);
        }
        let cases: [([u8; 32], Malformed); 2] = [([0; 32], Malformed::Identity), ([0xff; 32], Malformed::NotAnElement)];
        for (bytes, fault) in cases {
            assert_eq!(Reader::new(&bytes).element("c1").unwrap_err().fault, fault);
        }
    }
}
