//! Probabilities, as fractions over every choice of pile sizes (section 4), and the shuffle as printed (section 5).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use outis_bridge::card::Suit;
use outis_bridge::deal::Deal;
use outis_bridge::draw::shuffle;
use outis_bridge::leak::{Counts, Kind, exact};
use outis_bridge::sheet::{PileSizes, Scheme, Sheets};

use crate::figures::found::{Found, said};
use crate::figures::ratio::{Ratio, choose};
use crate::figures::{n, seeded};

const KING: &str = "Cards are drawn without replacement: the King misses the Ace's pile with 39/51 = 13/17. And a hand with four bottoms \
     has nine more cards.";
const QUEEN: &str =
    "Cards are drawn without replacement: 39·38/(51·50) = 247/425. And a hand with four bottoms has nine more cards.";
const INDEPENDENT: &str = "The second end is the sum of both numbers, so it depends on the first end and on the third. Only these two are \
     independent.";
const SHUFFLE: &str = "Four exchanges with another element are an even permutation, so half of the orders never occur. With any element \
     there are 256 ways, which 24 orders cannot share evenly (F10).";
const THREE: &str = "The pack is sorted. A dealer with both sheets lacks one of 24 orders of the suits, or nothing if the order is fixed.";

/// The positions of the last cards of piles of these sizes.
pub fn bottoms(sizes: &[usize; 4]) -> [usize; 4] {
    let mut end = 0;
    sizes.map(|size| {
        end += size;
        end
    })
}

/// The positions, in the second deal, of the top and bottom cards of piles of these sizes.
pub fn ends(sizes: &[usize; 4]) -> [Vec<i64>; 2] {
    let bottoms = bottoms(sizes);
    let tops = bottoms.iter().zip(sizes).map(|(bottom, size)| n(bottom - size + 1));
    [tops.collect(), bottoms.iter().map(|bottom| n(*bottom)).collect()]
}

/// Four piles of thirteen.
pub fn equal() -> [usize; 4] {
    PileSizes::Equal.choices()[0]
}

/// The probability that this many cards of the pack contain none of a given suit.
fn without_suit(size: usize) -> Ratio {
    Ratio::of(choose(39, size), choose(52, size))
}

/// Δ: the probability that a hand is void in a given suit.
pub fn void() -> Ratio {
    without_suit(13)
}

/// The probability that the hand which gets the end card of a pile of this size is void in the suit sorted to that end:
/// the pile has no card of that suit, and neither have the hand's twelve other cards.
pub fn first_void(size: usize) -> Ratio {
    without_suit(size) * void() * Ratio::new(4, 3)
}

/// For every end of piles of thirteen: the hand with this place is void in the suit sorted last or, at the bottom of a
/// pile, first.
pub fn voids_at_ends(piles: PileSizes) -> Vec<(usize, f64)> {
    let [tops, bottoms] = ends(&equal());
    let void = |place: &i64| {
        let place = usize::try_from(*place).expect("a place");
        (place, exact::void_in(piles, &[place], if tops.contains(&n(place)) { 3 } else { 0 }))
    };
    let mut all: Vec<_> = tops.iter().chain(&bottoms).map(void).collect();
    all.sort_unstable_by_key(|(place, _)| *place);
    all
}

/// Two ends in one hand, with both pile sizes.
pub fn two_ends() -> Found {
    let both = [PileSizes::Equal, PileSizes::Varied].map(|piles| {
        let pairs =
            exact::ENDS.iter().enumerate().flat_map(|(i, a)| exact::ENDS[i + 1..].iter().map(move |b| [*a, *b]));
        let mut voids: Vec<(f64, [usize; 2])> =
            pairs.map(|places| (exact::void_in(piles, &places, 3), places)).collect();
        voids.sort_by(|a, b| a.0.total_cmp(&b.0));
        let said = |(p, [a, b]): (f64, [usize; 2])| format!("{a} and {b} {:.6}%", 100.0 * p);
        format!("{}, {}", said(voids[0]), said(voids[voids.len() - 1]))
    });
    Found::derived(format!("piles of thirteen: {}; 10 to 16: {}", both[0], both[1]))
}

/// The same for the card next to the end: the pile has at most one card of the suit.
pub fn second_void() -> Ratio {
    let one = Ratio::of(13 * choose(39, 12), choose(52, 13));
    (void() + one) * void() * Ratio::new(4, 3)
}

/// The number of cards of the last suit at the end of the sorted pack, if the order of suits is fixed.
pub fn last_suit() -> usize {
    let rng = &mut seeded();
    let sorted = Sheets::draw(&Deal::random(rng), Kind::Plain.scheme(), rng).sorted();
    sorted.iter().rev().take_while(|card| card.suit() == Suit::Clubs).count()
}

/// The probability that a card of the suit sorted first, `rank` places below the Ace, is at the bottom of a pile of
/// thirteen: none of the cards before it went into the same pile.
pub fn bottom(rank: usize) -> Ratio {
    equal().iter().fold(Ratio::ZERO, |sum, size| {
        sum + Ratio::new(*size, 52) * Ratio::of(choose(52 - size, rank), choose(51, rank))
    })
}

/// Simulated deals with piles of thirteen, shared by all figures.
fn simulated() -> &'static Counts {
    static COUNTS: OnceLock<Counts> = OnceLock::new();
    COUNTS.get_or_init(|| Counts::simulate(Kind::Equal, 40_000, &mut seeded()))
}

/// A card `rank` places below the Ace: is it in the hand that gets all four bottom cards?
pub fn high_card(rank: usize, printed: Ratio) -> Found {
    let (at_bottom, others) = (bottom(rank), Ratio::new(13 - 4, 52 - 4));
    let held = at_bottom + (Ratio::ONE - at_bottom) * others;
    let share = &simulated().bottom[rank];
    let sigmas = |truth: Ratio| {
        let p = truth.value();
        (share.value() - p).abs() / (p * (1.0 - p) / share.trials as f64).sqrt()
    };
    let argument = at_bottom != printed && held != printed && sigmas(at_bottom) < 4.5 && sigmas(printed) > 4.5;
    let ours = format!("{at_bottom} = {:.4} at a bottom; {held} = {:.4} in the hand", at_bottom.value(), held.value());
    Found::wrong(argument, ours, if rank == 1 { KING } else { QUEEN })
}

/// The number of times each value occurs.
fn tally(values: impl Iterator<Item = usize>) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    counts
}

/// Where the given pile ends, for every choice of the paper's sizes.
fn end_points(pile: usize) -> Vec<usize> {
    PileSizes::Varied.choices().iter().map(|sizes| bottoms(sizes)[pile]).collect()
}

pub fn middle_end(theirs: &str) -> Found {
    let ends = end_points(1);
    let (mean, counts) = (ends.iter().sum::<usize>() / ends.len(), tally(ends.iter().copied()));
    let (centre, most) = counts.iter().max_by_key(|(_, count)| **count).expect("an end");
    let falls = |(a, b): (&usize, &usize)| if b <= centre { counts[a] < counts[b] } else { counts[a] > counts[b] };
    let agrees = said(theirs) == [n(mean)] && mean == *centre && counts.keys().zip(counts.keys().skip(1)).all(falls);
    Found::when(agrees, format!("{mean} on average, most often {centre} ({most} of {})", ends.len()))
}

pub fn outer_ends() -> Found {
    let counts = [0, 2].map(|pile| tally(end_points(pile).into_iter()));
    let each: BTreeSet<usize> = counts.iter().flat_map(|counts| counts.values().copied()).collect();
    let (places, all) = (counts[0].len(), end_points(0).len());
    let share: Vec<String> = each.iter().map(|count| format!("{count} of {all}")).collect();
    Found::when(each.len() == 1 && counts[1].len() == places, format!("{places} places, each {}", share.join(" or ")))
}

pub fn independence() -> Found {
    let correlation = |a: usize, b: usize| {
        let [a, b] = [a, b].map(|pile| end_points(pile).into_iter().map(|end| end as f64).collect::<Vec<_>>());
        let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
        let (mean_a, mean_b) = (mean(&a), mean(&b));
        let sum = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(&b).map(|(a, b)| f(a - mean_a, b - mean_b)).sum::<f64>();
        sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
    };
    let [left, right, outer] = [correlation(0, 1), correlation(2, 1), correlation(0, 2)];
    let argument = left > 0.5 && right > 0.5 && outer.abs() < 1e-9;
    let ours = format!(
        "{left:.2} and {right:.2} between the middle end and the outer ones, {:.2} between these two",
        outer.abs()
    );
    Found::wrong(argument, ours, INDEPENDENT)
}

/// Positions that are an end of a pile for all choices of sizes.
pub fn certain_ends() -> Vec<i64> {
    let choices = PileSizes::Varied.choices();
    (1..=52).filter(|place| choices.iter().all(|sizes| ends(sizes).concat().contains(place))).collect()
}

/// The mean of `of` over all choices of pile sizes.
fn mean(sizes: PileSizes, of: impl Fn(&[usize; 4]) -> Ratio) -> Ratio {
    let choices = sizes.weighted();
    let all: u32 = choices.iter().map(|(_, weight)| weight).sum();
    let sum =
        choices.iter().fold(Ratio::ZERO, |sum, (sizes, weight)| sum + of(sizes) * Ratio::new(*weight as usize, 1));
    sum * Ratio::new(1, all as usize)
}

/// The hand with the last card. That is the first card of pile 4, and it is the Ace whenever the Ace goes into that
/// pile.
pub fn last_ace() -> Found {
    let [equal, varied, least] = PileSizes::ALL.map(|sizes| {
        let ace = mean(sizes, |sizes| Ratio::new(sizes[3], 52));
        ace + (Ratio::ONE - ace) * Ratio::new(12, 51)
    });
    let ours = format!(
        "{equal} = {:.4}, with either pile sizes; {:.4} with the weighted sizes of BDG-25",
        equal.value(),
        least.value()
    );
    Found::derived(ours).and(equal == varied && least.value() < varied.value())
}

/// The hand that gets the four positions where piles of thirteen would end.
pub fn four_places() -> Found {
    let places = bottoms(&equal());
    let ace = mean(PileSizes::Varied, |sizes| {
        let at = bottoms(sizes).into_iter().zip(sizes).filter(|(end, _)| places.contains(end));
        at.fold(Ratio::ZERO, |sum, (_, size)| sum + Ratio::new(*size, 52))
    });
    let holds = ace + (Ratio::ONE - ace) * Ratio::new(13 - 4, 52 - 4);
    Found::derived(format!("{holds} = {:.4}", holds.value()))
}

/// The orders of four elements that the printed shuffle produces, and in how many ways it produces each: it exchanges
/// every element with any element, or with any other element.
fn printed_orders(other: bool) -> BTreeMap<[u8; 4], usize> {
    let mut orders = BTreeMap::new();
    for ways in 0..4usize.pow(4) {
        let with: [usize; 4] = core::array::from_fn(|i| ways >> (2 * i) & 3);
        if other && (0..4).any(|i| with[i] == i) {
            continue;
        }
        let mut order = [0, 1, 2, 3];
        (0..4).for_each(|i| order.swap(i, with[i]));
        *orders.entry(order).or_default() += 1;
    }
    orders
}

pub fn printed_shuffle() -> Found {
    let summary = |orders: &BTreeMap<[u8; 4], usize>| {
        let (low, high) = (orders.values().min().expect("an order"), orders.values().max().expect("an order"));
        format!("{} orders, {low} to {high} of {}", orders.len(), orders.values().sum::<usize>())
    };
    let uneven = |orders: &BTreeMap<[u8; 4], usize>| orders.values().collect::<BTreeSet<_>>().len() > 1;
    let (any, other) = (printed_orders(false), printed_orders(true));
    // Our shuffle: every order occurs a thousand times, within five standard deviations.
    let (rng, mut ours) = (&mut seeded(), BTreeMap::<[u8; 4], i64>::new());
    for _ in 0..24_000 {
        let mut order = [0, 1, 2, 3];
        shuffle(&mut order, rng);
        *ours.entry(order).or_default() += 1;
    }
    let even = ours.len() == any.len() && ours.values().all(|count| (count - 1000).abs() < 155);
    let argument = other.len() * 2 == any.len() && uneven(&any) && uneven(&other) && even;
    Found::wrong(argument, format!("another: {}; any: {}", summary(&other), summary(&any)), SHUFFLE)
}

pub fn two_of_three() -> Found {
    let deals = choose(52, 13) * choose(39, 13) * choose(26, 13);
    let rng = &mut seeded();
    let sheets = Sheets::draw(&Deal::random(rng), Scheme::PAPER, rng);
    let orders = printed_orders(false).into_keys().map(|order| order.map(|suit| Suit::ALL[usize::from(suit)]));
    let dealt = orders.filter_map(|order| {
        let sheets = Sheets::from_numbers(order, &sheets.first(), &sheets.second(), None).ok()?;
        sheets.deal().ok().map(|deal| deal.to_string())
    });
    let left = dealt.collect::<BTreeSet<String>>().len();
    let bits = |count: f64| format!("{:.1} bits", count.log2());
    let ours =
        format!("{} unknown with pack and first sheet, {} with both sheets", bits(deals as f64), bits(left as f64));
    Found::wrong(left == 24 && (left as u128) < deals, ours, THREE)
}
