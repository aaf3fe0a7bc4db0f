//! The primitive reader against a model: what each call returns, where it leaves the cursor, what its error says.
#![no_main]

use libfuzzer_sys::fuzz_target;
use outis_crypto::codec::{DecodeError, Malformed, Reader};
use outis_crypto::group::{Element, Scalar};
use outis_fuzz::memory::within_budget;
use outis_fuzz::mutate::take;

fuzz_target!(|input: &[u8]| {
    let mut program = input;
    let [calls] = take(&mut program);
    let calls: Vec<[u8; 3]> = (0..calls % 32).map(|_| take(&mut program)).collect();
    let bytes = program;
    let mut reader = Reader::new(bytes);
    for [operation, low, high] in calls {
        let n = u16::from_le_bytes([low, high]);
        let at = bytes.len() - reader.left();
        if !call(&mut reader, &bytes[at..], at, operation, n) {
            return;
        }
    }
    let left = reader.left();
    let offset = bytes.len() - left;
    match reader.finish() {
        Ok(()) => assert_eq!(left, 0),
        Err(error) => assert_eq!((error.fault, error.offset), (Malformed::Trailing(left), offset)),
    }
});

/// Makes one call and compares it with the model. Whether it went well.
fn call(reader: &mut Reader<'_>, rest: &[u8], at: usize, operation: u8, n: u16) -> bool {
    let count = usize::from(n);
    // Sizes that no input has, one in sixteen.
    let count = if operation & 0xf0 == 0xf0 { usize::MAX - count } else { count };
    match operation & 15 {
        0 => fixed(reader.u8("f"), rest, at, |b: [u8; 1]| b[0]),
        1 => fixed(reader.u16("f"), rest, at, u16::from_le_bytes),
        2 => fixed(reader.u32("f"), rest, at, u32::from_le_bytes),
        3 => fixed(reader.u64("f"), rest, at, u64::from_le_bytes),
        4 => fixed(reader.array::<32>("f"), rest, at, |b| b),
        5 => {
            let (min, max) = (n & 0xff, n >> 8);
            match (reader.count("f", min, max), rest.first_chunk()) {
                (Ok(got), Some(read)) => {
                    assert_eq!(got, usize::from(u16::from_le_bytes(*read)));
                    assert!((usize::from(min)..=usize::from(max)).contains(&got));
                    true
                }
                (Err(error), Some(read)) => {
                    let got = u16::from_le_bytes(*read);
                    assert!(got < min || got > max);
                    let fault = Malformed::Count { got: got.into(), min: min.into(), max: max.into() };
                    assert_eq!(error, DecodeError { fault, field: "f", offset: at });
                    false
                }
                (result, None) => short(result, 2, rest, at),
            }
        }
        6 => match reader.bytes("f", count) {
            Ok(got) => got == &rest[..count] || panic!("other bytes than there are"),
            result => short(result, count, rest, at),
        },
        7 | 8 => many(within_budget(rest.len(), || reader.elements("f", count)), count, rest, at, |block| {
            Element::from_encoding(block)
        }),
        9 | 10 => many(within_budget(rest.len(), || reader.scalars("f", count)), count, rest, at, scalar),
        11 | 12 => many(reader.element("f").map(|e| vec![e]), 1, rest, at, Element::from_encoding),
        13 => many(reader.scalar("f").map(|s| vec![s]), 1, rest, at, scalar),
        _ => match reader.demand("f", count, 32) {
            Ok(()) => rest.len() / 32 >= count || panic!("more than there is"),
            Err(error) => {
                assert!(rest.len() / 32 < count && matches!(error.fault, Malformed::Truncated(1..)));
                assert_eq!((error.field, error.offset), ("f", at));
                false
            }
        },
    }
}

fn scalar(block: [u8; 32]) -> Result<Scalar, Malformed> {
    let scalar = Option::<Scalar>::from(Scalar::from_canonical_bytes(block)).ok_or(Malformed::ScalarRange)?;
    if scalar == Scalar::ZERO { Err(Malformed::ScalarZero) } else { Ok(scalar) }
}

fn fixed<const N: usize, T: PartialEq + core::fmt::Debug>(
    result: Result<T, DecodeError>,
    rest: &[u8],
    at: usize,
    value: impl Fn([u8; N]) -> T,
) -> bool {
    match rest.first_chunk() {
        Some(chunk) => result.unwrap() == value(*chunk) || panic!("another value than the bytes say"),
        None => short(result, N, rest, at),
    }
}

/// The input must have been too short, and the error say by how much.
fn short<T>(result: Result<T, DecodeError>, need: usize, rest: &[u8], at: usize) -> bool {
    let error = result.err().expect("more than there is");
    assert_eq!(error, DecodeError { fault: Malformed::Truncated(need - rest.len()), field: "f", offset: at });
    false
}

fn many<T: PartialEq + core::fmt::Debug>(
    result: Result<Vec<T>, DecodeError>,
    n: usize,
    rest: &[u8],
    at: usize,
    read: impl Fn([u8; 32]) -> Result<T, Malformed>,
) -> bool {
    if rest.len() / 32 < n {
        return short(result, n.saturating_mul(32), rest, at);
    }
    let (blocks, _) = rest.as_chunks::<32>();
    let model: Result<Vec<T>, DecodeError> = blocks[..n]
        .iter()
        .enumerate()
        .map(|(i, block)| read(*block).map_err(|fault| DecodeError { fault, field: "f", offset: at + 32 * i }))
        .collect();
    assert_eq!(result, model);
    model.is_ok()
}
