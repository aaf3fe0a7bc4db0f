//! The figures as a table: the paper's number, the exact one, and the simulated one with its interval.

use core::fmt::Write;

use super::{Counts, Kind, Share, exact};

/// One line of the table.
struct Line {
    /// One word, for programs.
    name: &'static str,
    what: &'static str,
    paper: &'static str,
    exact: [String; 4],
    share: fn(&Counts) -> &Share,
}

fn lines() -> Vec<Line> {
    let void = exact::void();
    let percent = |p: f64| format!("{:.4} %", 100.0 * p);
    let fraction = |(a, b): (u32, u32)| format!("{a}/{b} = {:.4}", f64::from(a) / f64::from(b));
    let none = String::new;
    let first = [exact::first_void(false), exact::first_void(false), exact::first_void(true), void].map(percent);
    let last = fraction(exact::LAST_ACE);
    let bottom = |i: usize| [fraction(exact::BOTTOM[i]), fraction(exact::BOTTOM[i]), none(), none()];
    let four = |i: usize| {
        let p = format!("{:.4}", exact::four_bottoms()[i]);
        [p.clone(), p, none(), none()]
    };
    vec![
        Line {
            name: "first-void",
            what: "hand with the first card is void in the suit sorted last",
            paper: "0.022 %",
            exact: first,
            share: |c| &c.first_void,
        },
        Line {
            name: "named-void",
            what: "the same for a suit named in advance (order of suits unknown)",
            paper: "1.27 % if suits are random",
            exact: [none(), percent(void), percent(void), percent(void)],
            share: |c| &c.first_void_named,
        },
        Line {
            name: "second-void",
            what: "hand with the second card is void in the suit sorted last",
            paper: "milder",
            exact: [none(), none(), none(), percent(void)],
            share: |c| &c.second_void,
        },
        Line {
            name: "last-ace",
            what: "hand with the last card holds the Ace of the suit sorted first",
            paper: "cured by pile sizes",
            exact: [last.clone(), last.clone(), last, "0.25".to_owned()],
            share: |c| &c.ace[51],
        },
        Line {
            name: "four-ace",
            what: "one hand has positions 13, 26, 39, 52: it holds the Ace",
            paper: "certain",
            exact: ["1".to_owned(), "1".to_owned(), none(), "0.25".to_owned()],
            share: |c| &c.four[0],
        },
        Line { name: "four-king", what: "… the King", paper: "3/4", exact: four(0), share: |c| &c.four[1] },
        Line { name: "four-queen", what: "… the Queen", paper: "9/16", exact: four(1), share: |c| &c.four[2] },
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

/// The table as text.
pub fn text(results: &[(Kind, Counts)]) -> String {
    let mut out = String::from("What the dealer of the second sheet can infer\n\n");
    let _ = writeln!(
        out,
        "A hand is void in a given suit with probability 1.2791%. The first card makes that {:.1} times rarer in the\n\
         suit sorted last (the paper: 58), {:.1} times with pile sizes 10 to 16.\n",
        exact::ratio(false),
        exact::ratio(true)
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
    out.push_str("The intervals hold with 95% confidence.\n");
    out
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
            let ace: Vec<f64> = counts.ace.iter().map(Share::value).collect();
            serde_json::json!({ "id": kind.id(), "scheme": kind.name(), "figures": figures, "ace_by_position": ace })
        })
        .collect();
    let top = serde_json::json!({
        "void": exact::void(),
        "ratio_equal_piles": exact::ratio(false),
        "ratio_varied_piles": exact::ratio(true),
        "schemes": schemes,
    });
    format!("{top:#}\n")
}
