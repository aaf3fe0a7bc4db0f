//! The figures as a table: the paper's number, the exact one, and the simulated one with its interval.

use core::fmt::Write;

use super::exact::{ENDS, Places};
use super::search::{Pattern, patterns};
use super::{Counts, End, Kind, Share, exact};
use crate::sheet::{PileSizes, Scheme};

/// One line of the table.
struct Line {
    /// One word, for programs.
    name: &'static str,
    what: &'static str,
    paper: &'static str,
    exact: [String; Kind::ALL.len()],
    share: fn(&Counts) -> &Share,
}

fn lines() -> Vec<Line> {
    let void = exact::void();
    let percent = |p: f64| format!("{:.4} %", 100.0 * p);
    let fraction = |(a, b): (u32, u32)| format!("{a}/{b} = {:.4}", f64::from(a) / f64::from(b));
    let of = |known: &dyn Fn(PileSizes) -> f64, prior: f64| {
        Kind::ALL.map(|kind| if kind.scheme().moves() { prior } else { known(kind.scheme().piles) })
    };
    let voids = |place: usize| of(&|piles| exact::void_in(piles, &[place], 3), void).map(percent);
    let last = fraction(exact::LAST_ACE);
    let bottom = |i: usize| {
        let known = fraction(exact::BOTTOM[i]);
        Kind::ALL.map(|kind| if kind.scheme().piles == PileSizes::Equal { known.clone() } else { String::new() })
    };
    let four =
        |card: usize| of(&|piles| Places::drawn(piles).holds(&[13, 26, 39, 52], card), 0.25).map(|p| format!("{p:.4}"));
    vec![
        Line {
            name: "first-void",
            what: "hand with the first card is void in the suit sorted last",
            paper: "0.022 %",
            exact: voids(1),
            share: |c| &c.first_void,
        },
        Line {
            name: "named-void",
            what: "the same for a suit named in advance (order of suits unknown)",
            paper: "1.27 % if suits are random",
            exact: Kind::ALL.map(|kind| if kind.scheme().random_suits { percent(void) } else { String::new() }),
            share: |c| &c.first_void_named,
        },
        Line {
            name: "second-void",
            what: "hand with the second card is void in the suit sorted last",
            paper: "milder",
            exact: voids(2),
            share: |c| &c.second_void,
        },
        Line {
            name: "last-ace",
            what: "hand with the last card holds the Ace of the suit sorted first",
            paper: "cured by pile sizes",
            exact: Kind::ALL.map(|kind| match kind.scheme() {
                scheme if scheme.moves() => "0.25".to_owned(),
                // The last pile has thirteen cards on average.
                Scheme { piles: PileSizes::Equal | PileSizes::Varied, .. } => last.clone(),
                scheme => format!("{:.4}", Places::drawn(scheme.piles).holds(&[52], 0)),
            }),
            share: |c| &c.ace[51],
        },
        Line {
            name: "four-ace",
            what: "one hand has positions 13, 26, 39, 52: it holds the Ace",
            paper: "certain",
            exact: four(0),
            share: |c| &c.four[0],
        },
        Line { name: "four-king", what: "… the King", paper: "3/4", exact: four(1), share: |c| &c.four[1] },
        Line { name: "four-queen", what: "… the Queen", paper: "9/16", exact: four(2), share: |c| &c.four[2] },
        Line {
            name: "bottom-king",
            what: "the King is at the bottom of a pile",
            paper: "3/4",
            exact: bottom(0),
            share: |c| &c.bottom[1],
        },
        Line {
            name: "bottom-queen",
            what: "the Queen is at the bottom of a pile",
            paper: "9/16",
            exact: bottom(1),
            share: |c| &c.bottom[2],
        },
    ]
}

/// The table as text; with the patterns that a search found, if asked for.
pub fn text(results: &[(Kind, Counts)], search: bool) -> String {
    let mut out = String::from("What the dealer of the second sheet can infer\n\n");
    let _ = writeln!(
        out,
        "A hand is void in a given suit with probability 1.2791%. The first card makes that {:.1} times rarer in the\n\
         suit sorted last (the paper: 58), {:.1} times with pile sizes 10 to 16.\n",
        exact::ratio(PileSizes::Equal),
        exact::ratio(PileSizes::Varied)
    );
    for line in lines() {
        let _ = writeln!(out, "{}\n  {:<28}{}", line.what, "the paper", line.paper.replace(" %", "%"));
        for (kind, counts) in results {
            let share = (line.share)(counts);
            let (low, high) = share.interval();
            let exact = line.exact[*kind as usize].replace(" %", "%");
            let exact = if exact.is_empty() { String::new() } else { format!("   exact {exact}") };
            // Voids are rare: the paper and the exact figures give them in per cent.
            let is_void = line.name.ends_with("-void");
            let shown = |p: f64| if is_void { format!("{:.4}%", 100.0 * p) } else { format!("{p:.5}") };
            let (value, low, high) = (shown(share.value()), shown(low), shown(high));
            let _ = writeln!(out, "  {:<28}{value}  [{low}, {high}] of {}{exact}", kind.name(), share.trials);
        }
        out.push('\n');
    }
    out.push_str("The intervals hold with 95% confidence.\n\n");
    ends(&mut out, results);
    if search {
        stands_out(&mut out, results);
    }
    out
}

/// What each scheme gives away at the ends of piles, computed: one hand, then two ends in one hand.
fn ends(out: &mut String, results: &[(Kind, Counts)]) {
    out.push_str(
        "At the ends of piles (exact): what the hand with this place holds\n\
         Void: no card of the suit sorted first, or last. A, K, Q: of the suit sorted first. 2: of the suit sorted last.\n\
         Any A: the Ace of a suit named in advance. Points: those to expect.\n\n",
    );
    for (kind, _) in results {
        let columns = End::ALL.map(|end| end.exact(*kind));
        let [bits, named] = bits(*kind);
        let _ = writeln!(
            out,
            "{}\n  place   void first   void last       A       K       Q       2   any A   points",
            kind.name()
        );
        for (row, place) in ENDS.into_iter().enumerate() {
            let _ = write!(out, "  {place:>5}");
            for (end, column) in End::ALL.into_iter().zip(&columns) {
                let value = column[row];
                let _ = match end {
                    End::VoidFirst | End::VoidLast => write!(out, "  {:>9.5}%", 100.0 * value),
                    End::Points => write!(out, "  {value:>7.2}"),
                    _ => write!(out, "  {value:.4}"),
                };
            }
            out.push('\n');
        }
        let pairs = pairs(*kind);
        let by_chance = |a: &&([usize; 2], f64), b: &&([usize; 2], f64)| a.1.total_cmp(&b.1);
        let said = |([a, b], p): &([usize; 2], f64)| format!("{a} and {b}: {:.6}%", 100.0 * p);
        if let (Some(low), Some(high), false) =
            (pairs.iter().min_by(by_chance), pairs.iter().max_by(by_chance), kind.scheme().moves())
        {
            let outer = pairs.iter().find(|(places, _)| *places == [1, 52]).map(said).unwrap_or_default();
            let _ = writeln!(
                out,
                "  Two ends in one hand, void in the suit sorted last: {}; {}; {outer}",
                said(low),
                said(high)
            );
        }
        let _ = writeln!(
            out,
            "  A place tells about its card: {bits:.4} bits if the order of the suits is known, else {named:.4}\n"
        );
    }
}

/// The patterns of a scheme that tell most: those that need no order of the suits, then those that do.
fn telling(kind: Kind, counts: &Counts, most: usize) -> Vec<Pattern> {
    let all = patterns(kind, counts);
    let of = |order: bool| all.iter().copied().filter(move |pattern| pattern.needs_order() == order).take(most);
    of(false).chain(of(true)).collect()
}

/// What a search over statements and events found.
fn stands_out(out: &mut String, results: &[(Kind, Counts)]) {
    out.push_str(
        "What stands out: what the second sheet says about a hand, and what follows for its cards\n\
         Chance, otherwise; how often it is so; bits that it tells. By bits times how often.\n\n",
    );
    for (kind, counts) in results {
        let _ = writeln!(out, "{}", kind.name());
        for order in [false, true] {
            let lines: Vec<Pattern> =
                telling(*kind, counts, 20).into_iter().filter(|pattern| pattern.needs_order() == order).collect();
            if order && !lines.is_empty() {
                let _ = writeln!(out, "  to someone who knows the order of the suits");
            }
            for p in lines {
                let (what, event) = (p.statement.to_string(), p.event.to_string());
                let [given, prior, often] = [p.given, p.prior, p.often].map(|share| 100.0 * share);
                let _ = writeln!(
                    out,
                    "  {what:<44}  {event:<26}  {given:>7.3}%  {prior:>7.3}%  {often:>6.2}%  {:.4}",
                    p.bits()
                );
            }
        }
        out.push('\n');
    }
}

/// For every two ends in one hand: it is void in the suit sorted last (BR-26).
fn pairs(kind: Kind) -> Vec<([usize; 2], f64)> {
    let pairs = ENDS.iter().enumerate().flat_map(|(i, a)| ENDS[i + 1..].iter().map(move |b| [*a, *b]));
    let scheme = kind.scheme();
    let void = |places: &[usize; 2]| {
        if scheme.moves() { exact::void() } else { exact::void_in(scheme.piles, places, 3) }
    };
    pairs.map(|places| (places, void(&places))).collect()
}

/// What a place tells about its card: with the order of the suits, and without.
fn bits(kind: Kind) -> [f64; 2] {
    let scheme = kind.scheme();
    if scheme.moves() {
        return [0.0; 2];
    }
    let places = Places::drawn(scheme.piles);
    let bits = places.bits();
    [bits, if scheme.random_suits { places.named_bits() } else { bits }]
}

/// The table as JSON.
pub fn json(results: &[(Kind, Counts)]) -> String {
    let figure = |share: &Share| {
        let (low, high) = share.interval();
        serde_json::json!({ "value": share.value(), "low": low, "high": high, "trials": share.trials })
    };
    let schemes: Vec<serde_json::Value> = results
        .iter()
        .map(|(kind, counts)| {
            let figures: Vec<serde_json::Value> = lines()
                .iter()
                .map(|line| {
                    serde_json::json!({
                        "name": line.name,
                        "what": line.what,
                        "paper": line.paper,
                        "exact": line.exact[*kind as usize],
                        "measured": figure((line.share)(counts)),
                    })
                })
                .collect();
            let ends: Vec<serde_json::Value> = End::ALL
                .iter()
                .enumerate()
                .flat_map(|(i, end)| {
                    end.exact(*kind).into_iter().enumerate().map(move |(at, exact)| (i, *end, at, exact))
                })
                .map(|(i, end, at, exact)| {
                    let measured = counts.ends[at].get(i).map(figure);
                    serde_json::json!({ "figure": end.id(), "place": ENDS[at], "exact": exact, "measured": measured })
                })
                .collect();
            let pairs: Vec<serde_json::Value> = pairs(*kind)
                .into_iter()
                .map(|(places, p)| serde_json::json!({ "places": places, "void_last": p }))
                .collect();
            let patterns: Vec<serde_json::Value> = telling(*kind, counts, 8)
                .iter()
                .map(|p| {
                    let ((statement, n), (event, suit, rank)) = (p.statement.id(), p.event.id());
                    serde_json::json!({
                        "statement": statement, "n": n, "event": event, "suit": suit, "rank": rank,
                        "needs_order": p.needs_order(), "often": p.often, "prior": p.prior, "given": p.given,
                        "interval": p.interval, "bits": p.bits(),
                    })
                })
                .collect();
            let [bits, named] = bits(*kind);
            let ace: Vec<f64> = counts.ace.iter().map(Share::value).collect();
            serde_json::json!({ "id": kind.id(), "scheme": kind.name(), "figures": figures,
                "ace_by_position": ace, "ends": ends, "pairs": pairs, "patterns": patterns, "bits": bits, "named_bits": named })
        })
        .collect();
    let top = serde_json::json!({
        "void": exact::void(),
        "ratio_equal_piles": exact::ratio(PileSizes::Equal),
        "ratio_varied_piles": exact::ratio(PileSizes::Varied),
        "schemes": schemes,
    });
    format!("{top:#}\n")
}
