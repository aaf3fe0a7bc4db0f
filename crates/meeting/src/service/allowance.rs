//! How much of something a visitor may still do: an amount at once, and a rate per second at which it is regained.

use crate::Millis;

/// Recent use, in thousandths; it decreases over time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    used: u64,
    since: Millis,
}

impl Allowance {
    fn worn(&self, now: Millis, rate: u64) -> u64 {
        self.used.saturating_sub(now.saturating_sub(self.since).saturating_mul(rate))
    }

    /// Takes `amount` from an allowance of `full`, of which `rate` is regained per second; returns whether there was
    /// enough. A clock that is set back neither adds nor removes anything.
    pub fn take(&mut self, now: Millis, amount: u64, full: u64, rate: u64) -> bool {
        let used = self.worn(now, rate);
        let after = amount.checked_mul(1_000).and_then(|amount| amount.checked_add(used));
        let fits = after.filter(|after| *after <= full.saturating_mul(1_000));
        self.used = fits.unwrap_or(used);
        self.since = now;
        fits.is_some()
    }

    /// Whether the allowance is full again, so that there is nothing to remember.
    pub fn is_whole(&self, now: Millis, rate: u64) -> bool {
        self.worn(now, rate) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_used_up_and_comes_back() {
        let mut some = Allowance::default();
        assert!(some.take(5_000, 3, 4, 2) && some.take(5_000, 1, 4, 2) && !some.take(5_000, 1, 4, 2));
        assert!(!some.take(5_499, 1, 4, 2) && some.take(5_500, 1, 4, 2));
        assert!(!some.is_whole(7_499, 2) && some.is_whole(7_500, 2));
        assert!(!some.take(9_999, u64::MAX, 4, 2) && !some.take(9_999, 5, 4, 2) && some.take(9_999, 4, 4, 2));
    }

    #[test]
    fn a_clock_that_was_put_right_locks_nobody_out() {
        let mut some = Allowance::default();
        assert!(some.take(3_600_000, 4, 4, 1));
        // The clock goes back an hour: what was used stays used, and is regained from here on.
        assert!(!some.take(0, 1, 4, 1));
        assert!(some.take(1_000, 1, 4, 1));
    }
}
