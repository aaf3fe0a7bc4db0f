//! A search for further patterns (section 4.3, BR-29): which statement about the places of a hand tells most about its cards?
//!
//! The second dealer reads statements off the sheet. For each, an event about the same hand has a prior chance and a chance
//! given the statement. What lies between is measured in bits, and ranked by how often a hand is like that.

use core::fmt;
use std::sync::OnceLock;

use super::exact::{ENDS, Places, choose, void, void_in};
use super::{Counts, Kind, Share};
use crate::card::{Hand, Suit};
use crate::sheet::PileSizes;

/// What the second dealer can read off the second sheet about a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    /// It gets the card at this place.
    Place(usize),
    /// It gets the cards at both of these ends.
    Ends([usize; 2]),
    /// This many times the next card goes to the same hand.
    Neighbours(usize),
    /// It gets this many cards of one quarter of the pack, and no more of another.
    Quarter(usize),
    /// On the whole sheet, this many times the next card goes to the same hand. It is about every hand of the board.
    Sheet(usize),
}

/// What one would like to know about a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It holds a card of the sorted pack: of the suit sorted `card / 13`-th, `card % 13` below the Ace.
    Card(usize),
    /// It holds the card so far below the Ace, of a suit that was named in advance.
    Named(usize),
    /// It is void in the suit sorted so many-th, from 0.
    Void(usize),
    /// It is void in some suit.
    AnyVoid,
    /// It has six cards of a suit, or more.
    SixCards,
    /// It has fifteen points, or more.
    FifteenPoints,
    /// Its shape is 4-3-3-3 or 4-4-3-2.
    Flat,
}

/// What a statement tells about an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pattern {
    /// The statement.
    pub statement: Statement,
    /// The event.
    pub event: Event,
    /// How many hands are like that.
    pub often: f64,
    /// The chance of the event in any hand.
    pub prior: f64,
    /// The chance of the event in a hand like that.
    pub given: f64,
    /// The interval of `given` if it was simulated and not computed.
    pub interval: Option<(f64, f64)>,
}

impl Statement {
    /// One word and its numbers, for programs.
    pub fn id(self) -> (&'static str, Vec<usize>) {
        match self {
            Self::Place(place) => ("place", vec![place]),
            Self::Ends(places) => ("ends", places.to_vec()),
            Self::Neighbours(n) => ("neighbours", vec![n]),
            Self::Quarter(n) => ("quarter", vec![n]),
            Self::Sheet(n) => ("sheet", vec![n]),
        }
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(place) => write!(f, "a hand with place {place}"),
            Self::Ends([a, b]) => write!(f, "a hand with places {a} and {b}"),
            Self::Neighbours(n) => write!(f, "a hand, neighbouring places: {n}"),
            Self::Quarter(n) => write!(f, "a hand, places in one quarter: {n}"),
            Self::Sheet(n) => write!(f, "any hand, neighbouring on the sheet: {n}"),
        }
    }
}

impl Pattern {
    /// What the statement tells about the event.
    pub fn bits(&self) -> f64 {
        let part = |p: f64, prior: f64| if p > 0.0 { p * (p / prior).log2() } else { 0.0 };
        part(self.given, self.prior) + part(1.0 - self.given, 1.0 - self.prior)
    }

    /// The same, by how often there is such a hand.
    pub fn weight(&self) -> f64 {
        self.bits() * self.often
    }

    /// Whether it says something only to someone who knows the order of the suits.
    pub const fn needs_order(&self) -> bool {
        matches!(self.event, Event::Card(_) | Event::Void(_))
    }
}

/// The events that are counted in simulated deals.
pub const COUNTED: [Event; 4] = [Event::AnyVoid, Event::SixCards, Event::FifteenPoints, Event::Flat];

/// How often these events were so, by what the second sheet says about the hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    neighbours: [[Share; COUNTED.len()]; 13],
    quarter: [[Share; COUNTED.len()]; 14],
    /// One hand of each board, so that the trials are independent.
    sheet: [[Share; COUNTED.len()]; 49],
}

impl Default for Tally {
    fn default() -> Self {
        let none = [Share::default(); COUNTED.len()];
        Self { neighbours: [none; 13], quarter: [none; 14], sheet: [none; 49] }
    }
}

impl Tally {
    pub(super) fn shares(&mut self) -> impl Iterator<Item = &mut Share> {
        self.neighbours.iter_mut().chain(&mut self.quarter).chain(&mut self.sheet).flatten()
    }

    /// Counts the four hands as the second sheet numbers them.
    pub(super) fn count(&mut self, second: &[u8; 52], hands: &[Hand; 4]) {
        for (number, hand) in (1..).zip(hands) {
            self.count_hand(second, number, hand);
        }
        // Thirteen cards of a hand are twelve times neighbours at most, so a sheet has 48.
        let all = second.windows(2).filter(|pair| pair[0] == pair[1]).count();
        for (share, event) in self.sheet[all].iter_mut().zip(COUNTED) {
            share.count(event.is_in(&hands[0]));
        }
    }

    fn count_hand(&mut self, second: &[u8; 52], number: u8, hand: &Hand) {
        let neighbours = second.windows(2).filter(|pair| **pair == [number; 2]).count();
        let quarter = second.chunks(13).map(|part| part.iter().filter(|n| **n == number).count()).max().unwrap_or(0);
        for (i, event) in COUNTED.into_iter().enumerate() {
            let hit = event.is_in(hand);
            self.neighbours[neighbours][i].count(hit);
            self.quarter[quarter][i].count(hit);
        }
    }

    fn patterns(&self) -> Vec<Pattern> {
        let of = |rows: &[[Share; COUNTED.len()]], statement: fn(usize) -> Statement| {
            let all = rows.iter().map(|row| row[0].trials).sum::<u64>().max(1) as f64;
            let pattern = |n: usize, share: &Share, event: Event| Pattern {
                statement: statement(n),
                event,
                often: share.trials as f64 / all,
                prior: event.prior(),
                given: share.value(),
                interval: Some(share.interval()),
            };
            let row = |(n, row): (usize, &[Share; COUNTED.len()])| {
                row.iter().zip(COUNTED).map(|(share, event)| pattern(n, share, event)).collect::<Vec<_>>()
            };
            rows.iter().enumerate().flat_map(row).collect::<Vec<_>>()
        };
        let mut all = of(&self.neighbours, Statement::Neighbours);
        all.extend(of(&self.quarter, Statement::Quarter));
        all.extend(of(&self.sheet, Statement::Sheet));
        all
    }
}

/// Ranks from the Ace down.
const RANKS: &str = "AKQJT98765432";

fn rank(below: usize) -> &'static str {
    RANKS.get(below..=below).unwrap_or_default()
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Card(card) => write!(f, "{} of suit {} of the order", rank(card % 13), card / 13 + 1),
            Self::Named(below) => write!(f, "{} of a named suit", rank(*below)),
            Self::Void(suit) => write!(f, "void in suit {} of the order", suit + 1),
            Self::AnyVoid => f.write_str("a void"),
            Self::SixCards => f.write_str("six cards of a suit"),
            Self::FifteenPoints => f.write_str("15 points or more"),
            Self::Flat => f.write_str("4-3-3-3 or 4-4-3-2"),
        }
    }
}

impl Event {
    /// One word for programs, with the suit in the order and the rank if it has them.
    pub fn id(self) -> (&'static str, Option<usize>, Option<&'static str>) {
        match self {
            Self::Card(card) => ("card", Some(card / 13 + 1), Some(rank(card % 13))),
            Self::Named(below) => ("named", None, Some(rank(below))),
            Self::Void(suit) => ("void", Some(suit + 1), None),
            Self::AnyVoid => ("any-void", None, None),
            Self::SixCards => ("six", None, None),
            Self::FifteenPoints => ("points", None, None),
            Self::Flat => ("flat", None, None),
        }
    }

    /// Whether a hand is so; only for events that need no sheet.
    fn is_in(self, hand: &Hand) -> bool {
        let mut lengths = Suit::ALL.map(|suit| hand.ranks(suit).count_ones());
        lengths.sort_unstable();
        match self {
            Self::AnyVoid => lengths[0] == 0,
            Self::SixCards => lengths[3] >= 6,
            Self::FifteenPoints => hand.points() >= 15,
            Self::Flat => lengths[3] == 4 && lengths[0] >= 2,
            Self::Card(_) | Self::Named(_) | Self::Void(_) => false,
        }
    }

    /// The chance in any hand, by counting all hands of each shape, or with each number of honours.
    pub fn prior(self) -> f64 {
        let shapes = |is: &dyn Fn([usize; 4]) -> bool| {
            let mut hands = 0.0;
            for a in 0..=13 {
                for b in 0..=13 - a {
                    for c in 0..=13 - a - b {
                        let mut lengths = [a, b, c, 13 - a - b - c];
                        lengths.sort_unstable();
                        if is(lengths) {
                            hands += lengths.into_iter().map(|n| choose(13, n)).product::<f64>();
                        }
                    }
                }
            }
            hands / choose(52, 13)
        };
        match self {
            Self::Card(_) | Self::Named(_) => 0.25,
            Self::Void(_) => void(),
            Self::AnyVoid => shapes(&|lengths| lengths[0] == 0),
            Self::SixCards => shapes(&|lengths| lengths[3] >= 6),
            Self::Flat => shapes(&|lengths| lengths[3] == 4 && lengths[0] >= 2),
            Self::FifteenPoints => {
                let mut hands = 0.0;
                for code in 0..625_usize {
                    let honours = [code % 5, code / 5 % 5, code / 25 % 5, code / 125];
                    let (cards, points) =
                        (honours.iter().sum::<usize>(), (1..).zip(honours).map(|(p, n)| p * n).sum::<usize>());
                    if cards <= 13 && points >= 15 {
                        hands += honours.into_iter().map(|n| choose(4, n)).product::<f64>() * choose(36, 13 - cards);
                    }
                }
                hands / choose(52, 13)
            }
        }
    }
}

/// What each place, and each two ends of piles in one hand, tell about every card and every suit: computed once for each
/// choice of pile sizes.
fn exact(piles: PileSizes) -> &'static [Pattern] {
    static KNOWN: [OnceLock<Vec<Pattern>>; PileSizes::ALL.len()] = [const { OnceLock::new() }; PileSizes::ALL.len()];
    KNOWN[piles as usize].get_or_init(|| {
        let table = Places::drawn(piles);
        let pairs = ENDS.iter().enumerate().flat_map(|(i, a)| ENDS[i + 1..].iter().map(move |b| [*a, *b]));
        let ends = pairs.map(|pair| (Statement::Ends(pair), pair.to_vec(), 12.0 / 51.0 / 4.0));
        let single = (1..=52).map(|place| (Statement::Place(place), vec![place], 0.25));
        let mut patterns = Vec::new();
        for (statement, places, often) in single.chain(ends) {
            let cards = (0..52).map(|card| (Event::Card(card), table.holds(&places, card)));
            let named = (0..13).map(|rank| (Event::Named(rank), table.holds_named(&places, rank)));
            let voids = (0..4).map(|suit| (Event::Void(suit), void_in(piles, &places, suit)));
            patterns.extend(cards.chain(named).chain(voids).map(|(event, given)| Pattern {
                statement,
                event,
                often,
                prior: event.prior(),
                given,
                interval: None,
            }));
        }
        patterns
    })
}

/// All patterns of a scheme, those that tell most first. Where the hands are moved, a place is one of a hand whose seat
/// nobody knows; what is left is about the board as a whole.
pub fn patterns(kind: Kind, counts: &Counts) -> Vec<Pattern> {
    let scheme = kind.scheme();
    let mut all = if scheme.moves() { Vec::new() } else { exact(scheme.piles).to_vec() };
    if !scheme.random_suits {
        // With the order known, every suit is a suit named in advance.
        all.retain(|pattern| !matches!(pattern.event, Event::Named(_)));
    }
    // A difference that may be chance is no pattern.
    let differs = |p: &Pattern| p.interval.is_none_or(|(low, high)| !(low..=high).contains(&p.prior));
    all.extend(counts.tally.patterns().into_iter().filter(differs));
    all.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
    all
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    use super::*;

    fn simulated(kind: Kind, seed: u64) -> Counts {
        Counts::simulate(kind, 25_000, &mut ChaCha20Rng::seed_from_u64(seed))
    }

    /// The largest leak of the paper's scheme is none of those that the paper names.
    #[test]
    fn neighbours_tell_most() {
        let counts = simulated(Kind::Paper, 1);
        let found = patterns(Kind::Paper, &counts);
        let best = found.iter().find(|pattern| !pattern.needs_order()).expect("a pattern");
        assert!(matches!(best.statement, Statement::Neighbours(_)), "{best:?}");
        let place = found.iter().find(|p| !p.needs_order() && matches!(p.statement, Statement::Place(_)));
        assert!(place.is_some_and(|place| place.weight() < best.weight()));
        // The more neighbours, the longer the suits.
        let six = |n: usize| counts.tally.neighbours[n][1];
        for n in 1..6 {
            let [(p, m), (q, k)] = [six(n), six(n + 1)].map(|share| (share.value(), share.trials as f64));
            assert!(q - p > 2.0 * (p * (1.0 - p) / m + q * (1.0 - q) / k).sqrt(), "{n}: {p}, then {q}");
        }
    }

    #[test]
    fn exact_patterns_have_the_last_card() {
        let found = patterns(Kind::Equal, &Counts::default());
        let is = |p: &&Pattern| (p.statement, p.event) == (Statement::Place(52), Event::Card(0));
        let ace = found.iter().find(is).expect("the last card and the Ace");
        assert!((ace.given - 29.0 / 68.0).abs() < 1e-12);
        assert!(found.windows(2).all(|pair| pair[0].weight() >= pair[1].weight()));
        assert_eq!(found.len(), (52 + 28) * (52 + 13 + 4));
    }

    /// Known shapes and points, as books have them.
    #[test]
    fn priors_are_those_of_books() {
        let percent = COUNTED.map(|event| format!("{:.2}", 100.0 * event.prior()));
        assert_eq!(percent, ["5.11", "20.58", "14.18", "32.09"]);
    }

    /// With the hands moved nobody knows whose places these are. What is left is about the board as a whole, and that no
    /// moving of hands removes: a sheet on which numbers often follow each other is a wild board.
    #[test]
    fn moved_hands_leave_the_shape_of_the_board() {
        let (moved, paper) = (simulated(Kind::Extra, 3), simulated(Kind::Paper, 3));
        let found = patterns(Kind::Extra, &moved);
        assert!(
            found.iter().all(|p| !p.needs_order() && !matches!(p.statement, Statement::Place(_) | Statement::Ends(_)))
        );
        assert!(matches!(found[0].statement, Statement::Sheet(_)), "{:?}", found[0]);
        let best = patterns(Kind::Paper, &paper).into_iter().find(|p| !p.needs_order()).expect("a pattern");
        assert!(found[0].weight() < best.weight() / 3.0);
        let six = |n: usize| moved.tally.sheet[n][1].value();
        assert!(six(8) < Event::SixCards.prior() && Event::SixCards.prior() < six(16), "{} {}", six(8), six(16));
    }
}
