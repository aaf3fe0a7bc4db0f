//! Damage to valid bytes, as a small program that the fuzzer writes.

use outis_crypto::group::{Element, Scalar, mul_generator};

/// The group order, little endian: added to a scalar it makes a second, forbidden encoding of it.
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// Most instructions of a program.
const STEPS: usize = 16;

/// Takes up to `N` bytes off the front; those that are missing are zero.
pub fn take<const N: usize>(program: &mut &[u8]) -> [u8; N] {
    let mut bytes = [0; N];
    let n = N.min(program.len());
    bytes[..n].copy_from_slice(&program[..n]);
    *program = &program[n..];
    bytes
}

/// Applies `program` to `bytes`.
pub fn damage(bytes: &mut Vec<u8>, mut program: &[u8]) {
    for _ in 0..STEPS {
        if program.is_empty() {
            return;
        }
        step(bytes, &mut program);
    }
}

fn step(bytes: &mut Vec<u8>, program: &mut &[u8]) {
    let [operation] = take(program);
    match operation % 11 {
        0 => {
            let ([low, high], [mask]) = (take(program), take(program));
            let at = usize::from(u16::from_le_bytes([low, high]));
            if let Some(byte) = at.checked_rem(bytes.len()).and_then(|at| bytes.get_mut(at)) {
                *byte ^= mask;
            }
        }
        1 => set(bytes, take::<1>(program), take(program)),
        2 => {
            let (to, from) = (take::<1>(program), take::<1>(program));
            if let Some(block) = get(bytes, from) {
                set(bytes, to, block);
            }
        }
        3 => {
            let (a, b) = (take::<1>(program), take::<1>(program));
            if let (Some(at_a), Some(at_b)) = (get(bytes, a), get(bytes, b)) {
                set(bytes, a, at_b);
                set(bytes, b, at_a);
            }
        }
        4 => set(bytes, take::<1>(program), [0; 32]),
        5 => edit(bytes, take::<1>(program), add_order),
        6 => edit(bytes, take::<1>(program), negate),
        7 => {
            let at = take::<1>(program);
            let [delta] = take(program);
            edit(bytes, at, |block| shift(block, delta));
        }
        8 => {
            let [low, high] = take(program);
            bytes.truncate(usize::from(u16::from_le_bytes([low, high])));
        }
        9 => bytes.extend(take::<1>(program)),
        _ => {
            let at = take::<1>(program);
            set(bytes, at, *Element::generator().as_bytes());
        }
    }
}

/// Blocks count from the end for the upper half of the byte, so that a two-byte header does not put all of them off.
fn place(bytes: &[u8], [index]: [u8; 1]) -> Option<usize> {
    let blocks = bytes.len() / 32;
    let block = usize::from(index & 0x7f).checked_rem(blocks)?;
    Some(if index < 0x80 { 32 * block } else { bytes.len() - 32 * (block + 1) })
}

fn get(bytes: &[u8], index: [u8; 1]) -> Option<[u8; 32]> {
    bytes.get(place(bytes, index)?..)?.first_chunk().copied()
}

fn set(bytes: &mut [u8], index: [u8; 1], block: [u8; 32]) {
    if let Some(at) = place(bytes, index) {
        bytes[at..at + 32].copy_from_slice(&block);
    }
}

fn edit(bytes: &mut [u8], index: [u8; 1], change: impl FnOnce([u8; 32]) -> [u8; 32]) {
    if let Some(block) = get(bytes, index) {
        set(bytes, index, change(block));
    }
}

fn add_order(mut block: [u8; 32]) -> [u8; 32] {
    let mut carry = 0u16;
    for (byte, order) in block.iter_mut().zip(ORDER) {
        carry += u16::from(*byte) + u16::from(order);
        *byte = carry as u8;
        carry >>= 8;
    }
    block
}

/// The negative of a scalar, or else of an element.
fn negate(block: [u8; 32]) -> [u8; 32] {
    if let Some(scalar) = Option::<Scalar>::from(Scalar::from_canonical_bytes(block)) {
        return (-scalar).to_bytes();
    }
    Element::from_encoding(block).ok().and_then(|e| Element::new(-e.point())).map_or(block, |e| *e.as_bytes())
}

/// A scalar or an element, moved by a little.
fn shift(block: [u8; 32], delta: u8) -> [u8; 32] {
    let delta = Scalar::from(delta);
    if let Ok(element) = Element::from_encoding(block) {
        return Element::new(element.point() + mul_generator(&delta)).map_or(block, |e| *e.as_bytes());
    }
    Option::<Scalar>::from(Scalar::from_canonical_bytes(block)).map_or(block, |scalar| (scalar + delta).to_bytes())
}
