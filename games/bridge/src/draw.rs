//! Unbiased choices from a generator (F10): the one place where randomness becomes a number.

use rand_core::CryptoRng;

/// A uniform number below `n`. Values in the incomplete last stretch of the 32-bit range are drawn again, so every
/// result has exactly the same number of preimages.
///
/// # Panics
/// If `n` is 0.
#[expect(clippy::disallowed_methods, reason = "a club deals for itself: it has no long-term secret")]
pub fn below(n: u32, rng: &mut (impl CryptoRng + ?Sized)) -> u32 {
    assert!(n > 0, "a choice needs something to choose from");
    let excess = n.wrapping_neg() % n;
    loop {
        let product = u64::from(rng.next_u32()) * u64::from(n);
        if product as u32 >= excess {
            return (product >> 32) as u32;
        }
    }
}

/// Shuffles by Fisher and Yates: place `i` is filled from the places up to `i`, never from the whole list (F10, BR-6).
pub fn shuffle<T>(items: &mut [T], rng: &mut (impl CryptoRng + ?Sized)) {
    for i in (1..items.len()).rev() {
        items.swap(i, below(i as u32 + 1, rng) as usize);
    }
}
