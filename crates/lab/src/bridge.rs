//! Bridge for cheapskates: the shuffle.

use outis_bridge::draw;
use outis_crypto::challenger::Nonces;

use crate::Version;
use crate::run::{Bars, Outcome, Run, number};

const PARTIES: &[&str] = &["Anna"];
const CARDS: usize = 4;
/// Of each order, if all were equally likely.
const EACH: usize = 1000;

/// F10: swapping each card with any card of the list is biased; swapping it with one of those before it is not.
pub fn shuffle(version: Version, source: &mut Nonces) -> Run {
    let mut run = Run::new("bridge-shuffle", PARTIES);
    run.works(
        0,
        match version {
            Version::Published => "any",
            Version::Repaired => "before",
        },
    );
    let orders = orders();
    let mut counts = vec![0u32; orders.len()];
    for _ in 0..EACH * orders.len() {
        let mut cards: Vec<usize> = (0..CARDS).collect();
        match version {
            Version::Published => (0..CARDS).for_each(|i| cards.swap(i, draw::below(CARDS as u32, source) as usize)),
            Version::Repaired => draw::shuffle(&mut cards, source),
        }
        let at = orders.iter().position(|order| *order == cards).expect("a shuffle is an order");
        counts[at] += 1;
    }
    let chi: f64 = counts.iter().map(|count| (f64::from(*count) - EACH as f64).powi(2) / EACH as f64).sum();
    // With 23 degrees of freedom an honest shuffle exceeds 80 once in three hundred million runs.
    let biased = chi > 80.0;
    let (least, most) = (counts.iter().min(), counts.iter().max());
    let step = run
        .works(0, "count")
        .with("n", number(EACH * orders.len()))
        .with("orders", number(orders.len()))
        .with("least", number(least.map_or(0, |n| *n as usize)))
        .with("most", number(most.map_or(0, |n| *n as usize)));
    let name = |order: &Vec<usize>| order.iter().map(|card| ['A', 'B', 'C', 'D'][*card]).collect();
    step.bars = Some(Bars { bars: orders.iter().map(name).zip(counts).collect(), expected: EACH as f64 });
    step.learns(0, if biased { "count-biased" } else { "count-even" });
    run.ends(Outcome::of_attack(biased))
}

/// All orders of the cards.
fn orders() -> Vec<Vec<usize>> {
    (0..CARDS).fold(vec![Vec::new()], |orders: Vec<Vec<usize>>, card| {
        let longer = |order: &Vec<usize>| {
            (0..=order.len()).map(|at| [&order[..at], &[card], &order[at..]].concat()).collect::<Vec<_>>()
        };
        let mut all: Vec<_> = orders.iter().flat_map(longer).collect();
        all.sort();
        all
    })
}
