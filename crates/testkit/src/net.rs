//! A network that loses, delays, reorders and duplicates messages, reproducibly.

use outis_table::Seat;
use outis_table::game::Millis;
use rand_chacha::ChaCha20Rng;
use rand_core::Rng;

/// How bad the network is. Probabilities are in percent.
#[derive(Clone, Copy, Debug)]
pub struct Net {
    /// Probability that a message is lost.
    pub loss: u8,
    /// Probability that it arrives twice.
    pub twice: u8,
    /// Shortest delay.
    pub delay: Millis,
    /// A message takes up to this much longer, so that later ones can overtake it.
    pub jitter: Millis,
    /// Between these times nothing passes between the two seats.
    pub cut: Option<(Seat, Seat, Millis, Millis)>,
}

impl Net {
    /// Nothing is lost; everything takes ten milliseconds.
    pub const GOOD: Self = Self { loss: 0, twice: 0, delay: 10, jitter: 0, cut: None };
    /// One message in ten is lost, one in ten arrives twice, and all overtake each other.
    pub const BAD: Self = Self { loss: 10, twice: 10, delay: 5, jitter: 120, cut: None };

    /// When the copies of a message sent now arrive.
    pub fn deliveries(&self, from: Seat, to: Seat, now: Millis, rng: &mut ChaCha20Rng) -> Vec<Millis> {
        let cut = self.cut.is_some_and(|(a, b, since, until)| {
            ((a, b) == (from, to) || (b, a) == (from, to)) && (since..until).contains(&now)
        });
        let mut percent = |chance: u8| rng.next_u32() % 100 < u32::from(chance);
        if cut || percent(self.loss) {
            return Vec::new();
        }
        let copies = if percent(self.twice) { 2 } else { 1 };
        (0..copies).map(|_| now + self.delay + rng.next_u64() % (self.jitter + 1)).collect()
    }
}
