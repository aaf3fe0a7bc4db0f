use super::*;
use crate::formats::pbn::parse_deal;

/// Deals with all 20 results from an independent solver (DDS).
const ORACLE: &str = include_str!("../../tests/double_dummy.txt");

fn check<'a>(lines: impl Iterator<Item = &'a str>) {
    for line in lines {
        let (deal, digits) = line.split_once('|').unwrap();
        assert_eq!(solve(&parse_deal(deal).unwrap()).pbn(), digits, "{deal}");
    }
}

fn lines() -> impl Iterator<Item = &'static str> {
    ORACLE.lines().filter(|l| !l.starts_with('#'))
}

#[test]
fn results_agree_with_an_independent_solver() {
    check(lines().take(2).chain(lines().skip(30).step_by(3)));
}

#[test]
#[ignore = "half a minute with optimisation"]
fn all_results_agree_with_an_independent_solver() {
    check(lines());
}

#[test]
fn digits_are_read_back() {
    let tricks = Tricks::parse_pbn("59589595896485464854").unwrap();
    assert_eq!(tricks.pbn(), "59589595896485464854");
    assert_eq!(tricks.of(Seat::South, Strain::Notrump), 5);
    assert_eq!(Tricks::parse_pbn("e9589595896485464854"), None);
    assert_eq!(Tricks::parse_pbn("5"), None);
}
