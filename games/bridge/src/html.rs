//! Hand records as one HTML page that needs nothing else.

use core::fmt::Write;

use crate::card::{Seat, Suit};
use crate::contract::Strain;
use crate::record::Record;
use crate::seal::Seal;
use crate::text::{clean, invalid_line, makeable, par_line};
use crate::words::Language;

const STYLE: &str = "body{font:16px/1.35 system-ui,sans-serif;margin:1rem;color:#111;background:#fff}\
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(19rem,1fr));gap:1rem}\
article{border:1px solid #999;border-radius:6px;padding:.7rem;break-inside:avoid}\
h2{margin:0 0 .4rem;font-size:1.1rem}.d{display:grid;grid-template-columns:1fr 1fr 1fr}\
.d div{white-space:pre}.N,.S{grid-column:2}.W{grid-column:1}.E{grid-column:3}.r{color:#b00}\
table{border-collapse:collapse;margin-top:.5rem}td,th{padding:0 .6rem;text-align:center}\
.bad{color:#b00;font-weight:600}@media print{body{font-size:11px}}";

/// The page.
pub fn records(title: &str, records: &[Record], language: Language) -> String {
    let words = language.words();
    let title = escape(&clean(title));
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style></head><body><h1>{} {title}</h1>\n",
        language.code(),
        words.hand_records,
    );
    if let Some(line) = invalid_line(records, words) {
        let _ = writeln!(out, "<p class=\"bad\">{line}</p>");
    }
    out.push_str("<main>\n");
    let broken = Seal::broken(records);
    for record in records {
        let side = words.side(record.vulnerability);
        let _ = write!(
            out,
            "<article><h2>{}</h2><p>{} {} · {} {side}</p><div class=\"d\">",
            words.board(record.board),
            words.dealer,
            words.seat(record.dealer),
            words.vulnerable,
        );
        for seat in [Seat::North, Seat::West, Seat::East, Seat::South] {
            let hand = record.deal.hand(seat);
            let _ = write!(out, "<div class=\"{}\" aria-label=\"{}\">", seat.letter(), words.seat(seat));
            for suit in Suit::ALL {
                let holding = hand.holding(suit).replace('T', "10");
                let _ = writeln!(out, "{} {}", coloured(suit), if holding.is_empty() { "–" } else { &holding });
            }
            let _ = write!(out, "({})</div>", hand.points());
        }
        out.push_str("</div>");
        if record.invalid {
            let _ = write!(out, "<p class=\"bad\">{}</p>", words.invalid);
        } else if let (Some(tricks), Some(par)) = (&record.tricks, record.par()) {
            let strains = [4, 0, 1, 2, 3].map(|i| Strain::ALL[i]);
            let _ = write!(out, "<table><tr><th>{}</th>", words.makes);
            for strain in strains {
                let name = match strain {
                    Strain::Suit(suit) => coloured(suit),
                    Strain::Notrump => "NT".to_owned(),
                };
                let _ = write!(out, "<th>{name}</th>");
            }
            for seat in [Seat::North, Seat::South, Seat::East, Seat::West] {
                let _ = write!(out, "</tr><tr><th>{}</th>", words.seat(seat));
                for strain in strains {
                    let _ = write!(out, "<td>{}</td>", makeable(tricks.of(seat, strain)));
                }
            }
            let _ = write!(out, "</tr></table><p>{}</p>", escape(&par_line(&par, words)));
        }
        if broken.contains(&record.board.number()) {
            let _ = write!(out, "<p class=\"bad\">{}</p>", words.amended);
        }
        out.push_str("</article>\n");
    }
    out.push_str("</main>");
    if let Some(seal) = Seal::of(records) {
        let _ = write!(out, "<p>{}: <code>{seal}</code></p>", words.seal);
    }
    out.push_str("</body></html>\n");
    out
}

fn coloured(suit: Suit) -> String {
    let class = if matches!(suit, Suit::Hearts | Suit::Diamonds) { "r" } else { "b" };
    format!("<span class=\"{class}\">{}</span>", suit.symbol())
}

fn escape(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '&' => "&amp;".to_owned(),
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            '"' => "&quot;".to_owned(),
            '\'' => "&#39;".to_owned(),
            c => c.to_string(),
        })
        .collect()
}
