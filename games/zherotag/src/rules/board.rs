//! Squares and directions.

use outis_table::codec::Encode;

/// Smallest grid: on it the kings cannot stand side by side at the start.
pub const MIN_GRID: u8 = 4;
/// Largest grid.
pub const MAX_GRID: u8 = 64;

/// A square, counted from zero; `y` grows downwards. It may lie outside the grid: see [`Cell::is_on`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Column.
    pub x: i16,
    /// Row.
    pub y: i16,
}

impl Cell {
    /// The square in this column and row.
    pub const fn new(x: i16, y: i16) -> Self {
        Self { x, y }
    }

    /// Whether it lies on a grid of `n × n`.
    pub fn is_on(self, grid: u8) -> bool {
        let inside = |at: i16| (0..i16::from(grid)).contains(&at);
        inside(self.x) && inside(self.y)
    }

    /// The next square in a direction, on the grid or not.
    pub fn step(self, direction: Direction) -> Self {
        let (dx, dy) = direction.delta();
        Self { x: self.x + dx, y: self.y + dy }
    }

    /// The direction of a neighbour.
    pub fn towards(self, other: Self) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| self.step(*direction) == other)
    }

    /// Its number on a grid, row by row; `None` outside.
    pub fn index(self, grid: u8) -> Option<usize> {
        self.is_on(grid).then(|| self.y as usize * usize::from(grid) + self.x as usize)
    }

    /// All squares of a grid, row by row.
    pub fn all(grid: u8) -> impl Iterator<Item = Self> {
        let n = i16::from(grid);
        (0..n).flat_map(move |y| (0..n).map(move |x| Self { x, y }))
    }
}

/// One of the eight directions, counted row by row from the north-west: the order of every list of neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Direction(u8);

/// Only for what is drawn for the step: it is on no wire and in no log.
impl Encode for Direction {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(self.0);
    }
}

impl Direction {
    /// All eight, in order.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    const NAMES: [&'static str; 8] = ["nw", "n", "ne", "w", "e", "sw", "s", "se"];

    /// The direction with this number.
    pub fn new(number: u8) -> Option<Self> {
        (number < 8).then_some(Self(number))
    }

    /// Its number.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Its short name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self.index()]
    }

    /// Columns to the right, rows down.
    pub fn delta(self) -> (i16, i16) {
        // Nine squares row by row, the middle one left out.
        let at = i16::from(self.0) + i16::from(self.0 >= 4);
        (at % 3 - 1, at / 3 - 1)
    }
}

/// Where the kings start: in opposite corners.
pub fn start(grid: u8) -> [Cell; 2] {
    let far = i16::from(grid) - 1;
    [Cell::new(0, 0), Cell::new(far, far)]
}

/// Where a king on this square may step.
pub fn targets(grid: u8, from: Cell) -> impl Iterator<Item = (Direction, Cell)> {
    let steps = Direction::ALL.into_iter().map(move |direction| (direction, from.step(direction)));
    steps.filter(move |(_, to)| to.is_on(grid))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_the_eight_neighbours() {
        let middle = Cell::new(5, 5);
        let mut around: Vec<Cell> = Direction::ALL.iter().map(|d| middle.step(*d)).collect();
        for (direction, cell) in Direction::ALL.iter().zip(&around) {
            assert_eq!(middle.towards(*cell), Some(*direction));
            assert_eq!(Direction::new(direction.index() as u8), Some(*direction));
        }
        assert!(around.is_sorted_by_key(|cell| (cell.y, cell.x)), "row by row");
        around.dedup();
        assert_eq!((around.len(), middle.towards(middle)), (8, None));
        assert_eq!(Direction::new(8), None);
    }

    #[test]
    fn corners_edges_and_the_middle() {
        let count = |x, y| targets(4, Cell::new(x, y)).count();
        assert_eq!([count(0, 0), count(3, 3), count(1, 0), count(3, 2), count(1, 2)], [3, 3, 5, 5, 8]);
        let [a, b] = start(MIN_GRID);
        assert!(a.towards(b).is_none() && a.is_on(MIN_GRID) && b.is_on(MIN_GRID));
    }
}
