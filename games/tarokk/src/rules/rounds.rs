//! Double rounds (*dupla kör*): TK-42, TK-49.

/// The double rounds that are running, each with the number of paid deals left in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DoubleRounds {
    left: Vec<u8>,
}

impl DoubleRounds {
    /// A deal was thrown in or annulled: as many deals as there are seats count double. Rounds that overlap multiply.
    pub fn open(&mut self, seats: u8) {
        self.left.push(seats);
    }

    /// The factor of the next paid deal.
    pub fn multiplier(&self) -> i64 {
        1i64 << self.left.len().min(62)
    }

    /// The paid deals left in each round that is running, the oldest first.
    pub fn left(&self) -> &[u8] {
        &self.left
    }

    /// A deal was paid.
    pub fn pass(&mut self) {
        self.left.retain_mut(|left| {
            *left -= 1;
            *left > 0
        });
    }
}
