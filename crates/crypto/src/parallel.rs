//! Long computations in two halves, in parallel.
//!
//! A position of hidden pieces has thousands of points, and a person is waiting for it. The work is pure: the result is the
//! same with or without a second thread, it needs no clock and no randomness (that is drawn before), and nothing outlives
//! the call. So this is the only place below the application that starts a thread.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a thread that ends before the call does")]

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// What each half of a long list gives, in order; of a shorter list there is one half.
pub(crate) fn parallel<'i, I: Sync, T: Send>(
    items: &'i [I],
    long: usize,
    each: impl Fn(&'i [I]) -> T + Sync,
) -> impl Iterator<Item = T> {
    if items.len() < long.max(2) {
        return [Some(each(items)), None].into_iter().flatten();
    }
    let (one, other) = items.split_at(items.len() / 2);
    let (one, other) = both(|| each(one), || each(other));
    [Some(one), Some(other)].into_iter().flatten()
}

/// Two things at the same time. Where no thread can be had, one after the other.
pub(crate) fn both<T: Send, U: Send>(one: impl FnOnce() -> T, other: impl Fn() -> U + Sync) -> (T, U) {
    scope(|scope| match Builder::new().spawn_scoped(scope, &other) {
        Ok(helper) => {
            let one = one();
            (one, helper.join().unwrap_or_else(|panic| resume_unwind(panic)))
        }
        Err(_) => (one(), other()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_in_order_whatever_the_length() {
        for n in 0..9 {
            let items: Vec<u32> = (0..n).collect();
            let parts: Vec<Vec<u32>> = parallel(&items, 4, <[u32]>::to_vec).collect();
            assert_eq!(parts.len(), if n < 4 { 1 } else { 2 });
            assert_eq!(parts.concat(), items);
        }
    }

    #[test]
    fn a_panic_on_the_other_side_is_one_here() {
        let caught = std::panic::catch_unwind(|| both(|| 1, || assert_eq!(1, 2)));
        assert!(caught.is_err());
    }
}
