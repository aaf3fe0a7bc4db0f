//! A plot: for each position of the second deal, how likely its hand holds the Ace of the suit sorted first.

use core::fmt::Write;

use super::{Counts, Kind};
use crate::words::Language;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 60.0;
/// The scale goes from 0.2 to 0.5.
const RANGE: (f64, f64) = (0.2, 0.5);

/// The title, the caption of the axis, and the names of the four schemes that are shown.
fn words(language: Language) -> ([&'static str; 2], [&'static str; 4]) {
    match language {
        Language::English => (
            [
                "The hand that gets card n of the second deal holds the Ace of the suit sorted first",
                "card of the second deal (0.25: nothing is learnt)",
            ],
            ["13/13/13/13", "10..16 (the paper)", "10..16, weighted", "10..16, hands moved"],
        ),
        Language::Hungarian => (
            [
                "A második osztás n-edik lapját kapó kézben van az elsőnek rendezett szín ásza",
                "a második osztás lapja (0,25: semmi sem derül ki)",
            ],
            ["13/13/13/13", "10..16 (a cikk)", "10..16, súlyozva", "10..16, kezek áttéve"],
        ),
    }
}

/// The plot as an SVG image with one line per scheme that has a random order of suits, and 95 % intervals.
pub fn svg(results: &[(Kind, Counts)], language: Language) -> String {
    let ([title, axis], names) = words(language);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\" role=\"img\" aria-label=\"{title}\"><rect width=\"100%\" height=\"100%\" \
         fill=\"#fff\"/><text x=\"{LEFT}\" y=\"24\" font-size=\"16\">{title}</text>\n"
    );
    let x = |position: usize| LEFT + (position as f64 - 1.0) / 51.0 * (WIDTH - LEFT - 30.0);
    let y = |p: f64| TOP + (RANGE.1 - p.clamp(RANGE.0, RANGE.1)) / (RANGE.1 - RANGE.0) * (HEIGHT - TOP - 50.0);
    for tick in 0..=6 {
        let p = 0.2 + 0.05 * f64::from(tick);
        let dash = if tick == 1 { "" } else { " stroke-dasharray=\"2 4\"" };
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#888\"{dash}/><text x=\"{}\" \
             y=\"{:.1}\" text-anchor=\"end\">{p:.2}</text>",
            WIDTH - 30.0,
            y(p),
            y(p),
            LEFT - 8.0,
            y(p) + 4.0
        );
    }
    for position in [1, 13, 26, 39, 52] {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{position}</text>",
            x(position),
            HEIGHT - 26.0
        );
    }
    let shown = results.iter().filter(|(kind, _)| *kind != Kind::Plain);
    let colours = ["#b3261e", "#1a56b0", "#9a5b00", "#2e7d32"];
    for (i, (((_, counts), colour), name)) in shown.zip(colours).zip(names).enumerate() {
        let points: Vec<String> =
            (1..=52).map(|n| format!("{:.1},{:.1}", x(n), y(counts.ace[n - 1].value()))).collect();
        let _ = writeln!(
            out,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>",
            points.join(" ")
        );
        for n in 1..=52 {
            let (low, high) = counts.ace[n - 1].interval();
            let _ = writeln!(
                out,
                "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{1:.1}\" y2=\"{2:.1}\" stroke=\"{colour}\" opacity=\".5\"/>",
                x(n),
                y(low),
                y(high)
            );
        }
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" fill=\"{colour}\">{}</text>",
            LEFT + 16.0 + 190.0 * i as f64,
            46,
            name
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{axis}</text>",
        (LEFT + WIDTH - 30.0) / 2.0,
        HEIGHT - 8.0
    );
    out.push_str("</svg>\n");
    out
}
