//! Sets of seats.

use core::fmt;

use outis_crypto::context::Seat;

/// Most seats at one table.
pub const MAX_SEATS: u8 = 16;

/// A set of seats.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Seats(pub(crate) u16);

impl Seats {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// The seats `0..n`.
    pub fn all(n: u8) -> Self {
        (0..n.min(MAX_SEATS)).map(Seat).collect()
    }

    /// One seat.
    pub fn one(seat: Seat) -> Self {
        core::iter::once(seat).collect()
    }

    /// Whether the seat is in the set.
    pub fn contains(self, seat: Seat) -> bool {
        seat.0 < MAX_SEATS && self.0 >> seat.0 & 1 == 1
    }

    /// Adds a seat.
    pub fn insert(&mut self, seat: Seat) {
        if seat.0 < MAX_SEATS {
            self.0 |= 1 << seat.0;
        }
    }

    /// Removes a seat.
    pub fn remove(&mut self, seat: Seat) {
        if seat.0 < MAX_SEATS {
            self.0 &= !(1 << seat.0);
        }
    }

    /// The seats that are not in `other`.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of seats.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The seats in order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..MAX_SEATS).map(Seat).filter(move |seat| self.contains(*seat))
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<T: IntoIterator<Item = Seat>>(seats: T) -> Self {
        let mut set = Self::NONE;
        for seat in seats {
            set.insert(seat);
        }
        set
    }
}

impl fmt::Debug for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|seat| seat.0)).finish()
    }
}

impl fmt::Display for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut numbers: Vec<String> = self.iter().map(|seat| (u16::from(seat.0) + 1).to_string()).collect();
        match (numbers.pop(), numbers.is_empty()) {
            (None, _) => f.write_str("no seat"),
            (Some(only), true) => write!(f, "seat {only}"),
            (Some(last), false) => write!(f, "seats {} and {last}", numbers.join(", ")),
        }
    }
}
