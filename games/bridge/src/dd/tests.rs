use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::formats::pbn::parse_deal;

/// Deals with all 20 results from DDS itself.
const ORACLE: &str = include_str!("../../tests/double_dummy.txt");
/// The results of DDS for a thousand deals that are drawn with the seed below.
const THOUSAND: &str = include_str!("../../tests/double_dummy_1000.txt");
const SEED: u64 = 2026;

fn check(deals: impl Iterator<Item = (Deal, &'static str)> + Send + 'static) -> usize {
    let solve = move || {
        let mut solver = Solver::default();
        deals.inspect(|(deal, digits)| assert_eq!(solver.solve(deal).pbn(), *digits, "{deal}")).count()
    };
    #[allow(clippy::disallowed_types, reason = "the search needs a deep stack")]
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(solve).unwrap();
    thread.join().unwrap()
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|l| !l.starts_with('#'))
}

fn fifty() -> impl Iterator<Item = (Deal, &'static str)> {
    lines(ORACLE).map(|line| line.split_once('|').unwrap()).map(|(deal, digits)| (parse_deal(deal).unwrap(), digits))
}

fn thousand() -> impl Iterator<Item = (Deal, &'static str)> {
    let mut rng = ChaCha20Rng::seed_from_u64(SEED);
    lines(THOUSAND).map(move |digits| (Deal::random(&mut rng), digits))
}

#[test]
fn results_agree_with_dds() {
    assert_eq!(check(fifty()), 50);
    assert_eq!(check(thousand().step_by(40)), 25);
}

#[test]
#[ignore = "two minutes with optimisation"]
fn a_thousand_results_agree_with_dds() {
    assert_eq!(check(thousand()), 1000);
}

#[test]
fn digits_are_read_back() {
    let tricks = Tricks::parse_pbn("59589595896485464854").unwrap();
    assert_eq!(tricks.pbn(), "59589595896485464854");
    assert_eq!(tricks.of(Seat::South, Strain::Notrump), 5);
    assert_eq!(Tricks::parse_pbn("e9589595896485464854"), None);
    assert_eq!(Tricks::parse_pbn("5"), None);
}
