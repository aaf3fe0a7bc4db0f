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
    assert_eq!(format!("{:.5}", 100.0 * exact::first_void(false)), "0.02181");
    assert_eq!(format!("{:.1}", exact::ratio(false)), "58.6");
    assert_eq!(format!("{:.1}", exact::ratio(true)), "44.7");
}

#[test]
fn the_simulation_agrees_with_the_exact_figures() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let last = f64::from(exact::LAST_ACE.0) / f64::from(exact::LAST_ACE.1);
    for kind in Kind::ALL {
        let mut counts = Counts::simulate(kind, 12_000, &mut rng);
        counts.add(&Counts::simulate(kind, 3_000, &mut rng));
        let varied = kind.scheme().piles == PileSizes::Varied;
        close(&counts.bottom[0], 1.0);
        if kind == Kind::Extra {
            // Nobody knows where the hands went: everything is back at the prior.
            close(&counts.ace[51], 0.25);
            close(&counts.first_void, exact::void());
        } else {
            close(&counts.ace[51], last);
            close(&counts.first_void, exact::first_void(varied));
        }
        if kind != Kind::Plain {
            close(&counts.first_void_named, exact::void());
        }
        if !varied {
            for (share, (a, b)) in counts.bottom[1..].iter().zip(exact::BOTTOM) {
                close(share, f64::from(a) / f64::from(b));
            }
            assert_eq!(counts.four[0].value(), 1.0);
            for (share, truth) in counts.four[1..].iter().zip(exact::four_bottoms()) {
                close(share, truth);
            }
        }
    }
}

#[test]
fn reports_and_plots_are_complete() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let all = Kind::ALL.map(|kind| (kind, Counts::simulate(kind, 200, &mut rng)));
    let text = report::text(&all);
    assert!(text.contains("29/68") && text.contains("247/425"), "{text}");
    for language in [Language::English, Language::Hungarian] {
        let svg = plot::svg(&all, language);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && svg.matches("<polyline").count() == 3);
    }
    let json: serde_json::Value = serde_json::from_str(&report::json(&all)).unwrap();
    assert_eq!(json["schemes"].as_array().unwrap().len(), 4);
}
