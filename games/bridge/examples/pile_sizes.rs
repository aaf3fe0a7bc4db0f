//! Finds the weights of BDG-25: how to draw the pile sizes so that a place of the stacked pack tells least about its card to
//! someone who does not know the order of the suits, and no more than with the paper's sizes to someone who does.

use outis_bridge::leak::exact::Places;
use outis_bridge::leak::sizes::Mix;
use outis_bridge::sheet::PileSizes;

/// The least for a price of one bit to someone who knows the order of the suits.
fn solve(lambda: f64) -> Mix {
    let mut mix = Mix::new(PileSizes::Varied, lambda);
    let steps = (0..100_000).take_while(|_| mix.step() > 2e-6).count();
    let places = mix.places();
    println!("price {lambda:.6}: {:.5} and {:.5} bits, {steps} steps", places.bits(), places.named_bits());
    mix
}

fn main() {
    let paper = Places::drawn(PileSizes::Varied);
    println!("the paper: {:.5} and {:.5} bits", paper.bits(), paper.named_bits());
    // The higher the price, the fewer bits.
    let (mut low, mut high) = (0.0, 0.1);
    for _ in 0..16 {
        let middle = f64::midpoint(low, high);
        if solve(middle).places().bits() > paper.bits() { low = middle } else { high = middle }
    }
    let best = solve(high);
    println!("no choice has fewer than {:.5} bits", best.bound(paper.bits()));
    // In hundredths, and the same when pile 1 and 2 change places with 4 and 3: then the pack is turned round.
    let choices = PileSizes::Varied.choices();
    for ([r1, r2, ..], weight) in choices.iter().zip(best.weights()) {
        let mirror = choices.iter().position(|[a, b, ..]| (*a, *b) == (26 - r2, 26 - r1)).unwrap_or(0);
        let even = (50.0 * (weight + best.weights()[mirror])).round();
        if even > 0.0 {
            println!("({r1}, {r2}, {even})");
        }
    }
    let least = Places::drawn(PileSizes::Least);
    println!("as printed in the table: {:.5} and {:.5} bits", least.bits(), least.named_bits());
}
