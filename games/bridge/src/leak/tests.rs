use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::words::Language;

fn close(share: &Share, truth: f64) {
    let (n, p) = (share.trials as f64, share.value());
    let sigma = (truth * (1.0 - truth) / n).sqrt().max(1e-12);
    assert!((p - truth).abs() < 4.5 * sigma, "{p} instead of {truth}, {} trials", share.trials);
}

#[test]
fn the_figures_of_the_paper() {
    assert_eq!(format!("{:.4}", 100.0 * exact::void()), "1.2791");
    assert_eq!(format!("{:.5}", 100.0 * exact::void_in(PileSizes::Equal, &[1], 3)), "0.02181");
    assert_eq!(format!("{:.1}", exact::ratio(PileSizes::Equal)), "58.6");
    assert_eq!(format!("{:.1}", exact::ratio(PileSizes::Varied)), "44.7");
}

#[test]
fn the_simulation_agrees_with_the_exact_figures() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let last = f64::from(exact::LAST_ACE.0) / f64::from(exact::LAST_ACE.1);
    for kind in Kind::ALL {
        let mut counts = Counts::simulate(kind, 12_000, &mut rng);
        counts.add(&Counts::simulate(kind, 3_000, &mut rng));
        let piles = kind.scheme().piles;
        close(&counts.bottom[0], 1.0);
        if kind == Kind::Extra {
            // Nobody knows where the hands went: everything is back at the prior.
            close(&counts.ace[51], 0.25);
            close(&counts.first_void, exact::void());
        } else {
            close(&counts.ace[51], if kind == Kind::Least { Places::drawn(piles).holds(&[52], 0) } else { last });
            close(&counts.first_void, exact::void_in(piles, &[1], 3));
            close(&counts.second_void, exact::void_in(piles, &[2], 3));
        }
        if kind != Kind::Plain {
            close(&counts.first_void_named, exact::void());
        }
        if piles == PileSizes::Equal {
            for (share, (a, b)) in counts.bottom[1..].iter().zip(exact::BOTTOM) {
                close(share, f64::from(a) / f64::from(b));
            }
            assert_eq!(counts.four[0].value(), 1.0);
            for (share, card) in counts.four[1..].iter().zip(1..) {
                close(share, Places::of([13; 4]).holds(&[13, 26, 39, 52], card));
            }
        }
    }
}

#[test]
fn reports_and_plots_are_complete() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let all = Kind::ALL.map(|kind| (kind, Counts::simulate(kind, 200, &mut rng)));
    let text = report::text(&all, false);
    assert!(text.contains("29/68") && text.contains("247/425"), "{text}");
    for language in [Language::English, Language::Hungarian] {
        let svg = plot::svg(&all, language);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && svg.matches("<polyline").count() == 4);
    }
    assert!(!text.contains("What stands out"));
    let searched = report::text(&all, true);
    assert!(searched.contains("a hand with place 52") && searched.contains("A of suit 1 of the order"), "{searched}");
    let json: serde_json::Value = serde_json::from_str(&report::json(&all)).unwrap();
    for scheme in json["schemes"].as_array().unwrap() {
        assert!(scheme["patterns"][0]["bits"].as_f64() > Some(0.0), "{scheme}");
        assert_eq!(scheme["ends"].as_array().unwrap().len(), 64);
    }
    assert_eq!(json["schemes"].as_array().unwrap().len(), Kind::ALL.len());
}

/// Somewhere each card is, and each place has a card.
#[test]
fn places_are_a_doubly_stochastic_table() {
    for places in PileSizes::Varied.choices().into_iter().map(Places::of).chain([Places::drawn(PileSizes::Varied)]) {
        for i in 0..52 {
            let row: f64 = (0..52).map(|card| places.at(i + 1, card)).sum();
            let column: f64 = (1..=52).map(|place| places.at(place, i)).sum();
            assert!((row - 1.0).abs() < 1e-12 && (column - 1.0).abs() < 1e-12, "{i}: {row}, {column}");
        }
    }
}

/// What a closed formula gives for one place or one card, the table gives too.
#[test]
fn old_formulas_are_special_cases() {
    let same = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} and {b}");
    let fraction = |(a, b): (u32, u32)| f64::from(a) / f64::from(b);
    let without = |size: u32| (0..size).map(|i| f64::from(39 - i) / f64::from(52 - i)).product::<f64>();
    same(exact::void(), without(13));
    same(exact::void_in(PileSizes::Equal, &[1], 3), 4.0 / 3.0 * exact::void() * exact::void());
    let varied = (10..=16).map(without).sum::<f64>() / 7.0;
    same(exact::void_in(PileSizes::Varied, &[1], 3), varied * exact::void() * 4.0 / 3.0);
    for piles in [PileSizes::Equal, PileSizes::Varied] {
        same(Places::drawn(piles).holds(&[52], 0), fraction(exact::LAST_ACE));
        // A suit named in advance, if the order is unknown: nothing.
        for place in exact::ENDS {
            same((0..4).map(|suit| exact::void_in(piles, &[place], suit)).sum::<f64>() / 4.0, exact::void());
        }
    }
    let equal = Places::of([13; 4]);
    for (card, bottom) in (1..).zip(exact::BOTTOM) {
        same([13, 26, 39, 52].iter().map(|place| equal.at(*place, card)).sum(), fraction(bottom));
    }
    same(equal.holds(&[13, 26, 39, 52], 0), 1.0);
}

/// The paper: "the same effect" at 13, 14, 26, 27, 39 and 40. So it is with piles of thirteen, and not with others.
#[test]
fn ends_of_equal_piles_are_all_alike() {
    let digits = |end: End, kind: Kind| end.exact(kind).map(|p| format!("{:.5}", 100.0 * p));
    let [low, high] = ["0.02181", "1.70546"];
    assert_eq!(digits(End::VoidLast, Kind::Equal), [low, high, low, high, low, high, low, high]);
    assert_eq!(digits(End::VoidFirst, Kind::Equal), [high, low, high, low, high, low, high, low]);
    let paper = ["0.02862", "1.08126", "0.98010", "1.14343", "1.03100", "1.02484", "0.88796", high];
    assert_eq!(digits(End::VoidLast, Kind::Paper), paper);
    // Two tops in one hand.
    assert_eq!(format!("{:.6}", 100.0 * exact::void_in(PileSizes::Equal, &[1, 14], 3)), "0.000037");
    // The last card is worth more, and this holds although nobody knows the order of the suits.
    let paper = |end: End, at: usize| end.exact(Kind::Paper)[at];
    assert_eq!(format!("{:.2} {:.2}", paper(End::Points, 7), paper(End::Points, 0)), "10.94 9.49");
    assert_eq!(format!("{:.3}", paper(End::NamedAce, 7)), "0.284");
    let bits = [PileSizes::Equal, PileSizes::Varied].map(Places::drawn).map(|p| [p.bits(), p.named_bits()]);
    let bits = bits.map(|pair| pair.map(|bits| format!("{bits:.5}")));
    assert_eq!(bits, [["1.53584", "0.12555"], ["0.69854", "0.03253"]]);
}

#[test]
fn the_ends_of_piles_are_as_counted() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    for kind in Kind::ALL {
        let counts = Counts::simulate(kind, 15_000, &mut rng);
        for (i, end) in End::ALL[..End::COUNTED].iter().enumerate() {
            for (shares, truth) in counts.ends.iter().zip(end.exact(kind)) {
                close(&shares[i], truth);
            }
        }
    }
}
