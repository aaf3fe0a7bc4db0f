//! Who sits where: the players of a deal, the draw for seats, and who deals (TK-30, TK-32, TK-33, TK-35).

use core::fmt;

/// One of the four players of a deal. `Player::FIRST` sits to the right of the dealer, bids first and leads first; the others
/// follow counter-clockwise (TK-32).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(u8);

impl Player {
    /// The player to the right of the dealer.
    pub const FIRST: Self = Self(0);
    /// The four players in playing order.
    pub const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// The player with this number, 1 to 4.
    pub fn from_number(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|player| u64::from(player.number()) == number)
    }

    /// The number in notation, 1 to 4.
    pub fn number(self) -> u8 {
        self.0 + 1
    }

    /// Place in arrays, 0 to 3.
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// The player who comes some places later.
    #[must_use]
    pub fn after(self, places: usize) -> Self {
        Self((self.index() + places) as u8 % 4)
    }

    /// The four players, beginning with this one.
    pub fn round(self) -> [Self; 4] {
        [0, 1, 2, 3].map(|places| self.after(places))
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player {}", self.number())
    }
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "P{}", self.number())
    }
}

/// The seats of a table and who deals. Seats are counted counter-clockwise, so the seat to the right is the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seating {
    seats: u8,
    dealer: u8,
}

impl Seating {
    /// Four or five seats (TK-30), with the dealer of the first deal.
    pub fn new(seats: u8, dealer: u8) -> Option<Self> {
        ((4..=5).contains(&seats) && dealer < seats).then_some(Self { seats, dealer })
    }

    /// The first deal where seat 0 begins: its left neighbour, the last seat, deals (TD-33). Four or five seats.
    pub fn first(seats: u8) -> Self {
        let seats = seats.clamp(4, 5);
        Self { seats, dealer: seats - 1 }
    }

    /// The draw for seats (TK-33). `places` says which of the drawn cards lies at each place, counter-clockwise, and `draws`
    /// which one each person holds; card 0 is the tarokk, the others are one of each suit in use. Returns the place of each
    /// person, and the seating: the holder of the tarokk begins, the person to its left deals first.
    pub fn draw(places: &[u8], draws: &[u8]) -> Option<(Vec<u8>, Self)> {
        let seats = u8::try_from(places.len()).ok()?;
        let is_order = |cards: &[u8]| cards.len() == places.len() && (0..seats).all(|card| cards.contains(&card));
        if !is_order(places) || !is_order(draws) {
            return None;
        }
        let place = |card: &u8| places.iter().position(|lying| lying == card).map(|at| at as u8);
        let seated = draws.iter().map(place).collect::<Option<Vec<_>>>()?;
        let first = place(&0)?;
        Some((seated, Self::new(seats, (first + seats - 1) % seats)?))
    }

    /// Number of seats.
    pub fn seats(self) -> u8 {
        self.seats
    }

    /// The seat that deals.
    pub fn dealer(self) -> u8 {
        self.dealer
    }

    /// The seat of a player of this deal.
    pub fn seat(self, player: Player) -> u8 {
        (self.dealer + player.number()) % self.seats
    }

    /// The player at a seat; none at the seat of the dealer of five (TK-30), or beyond the table.
    pub fn player(self, seat: u8) -> Option<Player> {
        if seat >= self.seats {
            return None;
        }
        let places = (seat + self.seats - self.dealer) % self.seats;
        Player::from_number(if places == 0 { self.seats.into() } else { places.into() })
    }

    /// The seat that sits out this deal.
    pub fn sitting_out(self) -> Option<u8> {
        (self.seats == 5).then_some(self.dealer)
    }

    /// The deal passes to the right (TK-35).
    #[must_use]
    pub fn next(self) -> Self {
        Self { dealer: (self.dealer + 1) % self.seats, ..self }
    }
}
