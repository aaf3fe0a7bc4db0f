//! For the catalogue: what a seat sees, in JSON and in words.

use outis_game::present::{OptionSpec, Present};
use outis_game::words::{Arg, Text};
use outis_table::Seat;
use outis_table::game::Grade;
use rand_core::CryptoRng;
use serde_json::{Value, json};

use crate::belief::Belief;
use crate::bot;
use crate::protocol::Hand;
use crate::rules::board::{MAX_GRID, MIN_GRID};
use crate::rules::{Cell, Direction, End, Knowledge, Options, mover, scores};

/// Grids up to this size are drawn in the terminal.
const DRAWN: u8 = 16;

impl Present for Hand {
    const SUMMARY: &'static str =
        "two kings in the dark: each sees only the adjacent squares; step onto the other king to win";
    const LEVELS: u8 = bot::LEVELS;
    const GRADES: &'static [Grade] = &Grade::ALL;

    fn dials(_: Grade) -> &'static [OptionSpec] {
        &[
            OptionSpec { name: "grid", range: (MIN_GRID as i64, MAX_GRID as i64), usual: 6, values: &[] },
            OptionSpec { name: "limit", range: (0, 255), usual: 60, values: &[] },
            OptionSpec { name: "clock", range: (0, 255), usual: 60, values: &[] },
            OptionSpec { name: "replay", range: (0, 1), usual: 1, values: &["off", "on"] },
        ]
    }

    fn choose(grade: Grade, dials: &[i64]) -> Option<(Options, u8)> {
        let &[grid, limit, clock, replay] = dials else { return None };
        let allowed = dials.iter().zip(Self::dials(grade)).all(|(at, dial)| (dial.range.0..=dial.range.1).contains(at));
        let number = |value: i64| u8::try_from(value).ok().filter(|_| allowed);
        Some((
            Options {
                grid: number(grid)?,
                limit: number(limit)?,
                clock: number(clock)?,
                replay: replay == 1,
                sealed: replay == 1,
            },
            2,
        ))
    }

    fn bot(level: u8, k: &Knowledge, legal: &[Direction], rng: &mut impl CryptoRng) -> Option<Direction> {
        bot::choose(level, k, legal, rng)
    }

    fn view(k: &Knowledge) -> Value {
        let last =
            k.last_known().map(|(cell, after)| json!({ "at": pair(&cell), "ago": k.moves - after.min(k.moves) }));
        let end = k.end().map(|end| match end {
            End::Captured(by) => json!({ "kind": "capture", "by": by.0, "direction": k.capture.map(Direction::name) }),
            End::Draw => json!({ "kind": "draw" }),
        });
        let path = |path: &Vec<Cell>| path.iter().map(pair).collect::<Vec<_>>();
        json!({
            "version": 1, "grid": k.options.grid, "limit": k.options.limit, "moves": k.moves,
            "turn": k.end().is_none().then(|| mover(k.moves).0), "me": k.me().map(|seat| seat.0),
            "at": k.at().as_ref().map(pair), "path": path(&k.path), "sees": k.sees().as_ref().map(pair), "last": last,
            "map": Belief::of(k).map(|map| map.thousandths()), "end": end,
            "paths": k.paths.as_ref().map(|paths| paths.each_ref().map(path)), "scores": scores(k.end()),
        })
    }

    fn lines(k: &Knowledge) -> Vec<Text> {
        let mut lines = Vec::new();
        lines.extend(k.at().map(|at| place("zherotag.own", at)));
        match (k.sees(), k.last_known()) {
            (Some(cell), _) => lines.push(place("zherotag.sees", cell)),
            (None, Some((cell, 0))) => lines.push(place("zherotag.began", cell)),
            (None, Some((cell, after))) => {
                lines.push(place("zherotag.last", cell).with("ago", i64::from(k.moves.saturating_sub(after))));
            }
            (None, None) => {}
        }
        if k.options.grid <= DRAWN && k.me().is_some() {
            let rows =
                (0..i16::from(k.options.grid)).map(|y| Text::new("zherotag.row").with("row", Arg::Plain(row(k, y))));
            lines.extend(rows);
            lines.push(Text::new("zherotag.drawn.legend"));
        }
        lines.push(match k.end() {
            Some(End::Captured(by)) => Text::new("zherotag.captured").with("who", by),
            Some(End::Draw) => Text::new("zherotag.draw").with("n", i64::from(k.moves)),
            None => Text::new("zherotag.turn").with("n", i64::from(k.moves) + 1).with("who", mover(k.moves)),
        });
        if let Some(paths) = &k.paths {
            for (seat, path) in (0u8..).map(Seat).zip(paths) {
                let cells: Vec<Text> = path.iter().map(|cell| place("zherotag.square", *cell)).collect();
                lines.push(Text::new("zherotag.path").with("who", seat).with("cells", cells));
            }
        }
        lines
    }

    fn token(direction: &Direction) -> String {
        direction.name().to_owned()
    }

    fn caption(k: &Knowledge, direction: &Direction) -> Text {
        let to = Text::new(format!("zherotag.direction.{}", direction.name()));
        match k.at().map(|at| at.step(*direction)) {
            Some(cell) if k.sees() == Some(cell) => Text::new("zherotag.capture").with("direction", to),
            _ => to,
        }
    }

    fn refusal(k: &Knowledge, token: &str) -> Option<Text> {
        let direction = Direction::ALL.into_iter().find(|direction| direction.name() == token)?;
        let (at, me) = (k.at()?, k.me()?);
        if k.end().is_some() {
            return Some(Text::new("zherotag.refused.over"));
        }
        if mover(k.moves) != me || k.sights.len() < usize::from(k.moves) {
            return Some(Text::new("zherotag.refused.turn"));
        }
        (!at.step(direction).is_on(k.options.grid)).then(|| Text::new("zherotag.refused.edge"))
    }

    /// Sentences; the drawing is left out.
    fn news(before: &Knowledge, after: &Knowledge) -> Vec<Text> {
        let known = Self::lines(before);
        let new = Self::lines(after).into_iter().filter(|line| !known.contains(line));
        new.filter(|line| line.id != "zherotag.row").collect()
    }

    fn words() -> &'static str {
        include_str!("../words/zherotag.json")
    }
}

fn pair(cell: &Cell) -> Value {
    json!([cell.x, cell.y])
}

/// A text about a square; people count from one.
fn place(id: &str, cell: Cell) -> Text {
    Text::new(id).with("column", i64::from(cell.x) + 1).with("row", i64::from(cell.y) + 1)
}

/// One row of the grid: its own king, the other if it is seen, squares that are seen to be empty, fog.
fn row(k: &Knowledge, y: i16) -> String {
    let symbol = |x: i16| {
        let cell = Cell { x, y };
        match k.at() {
            Some(at) if at == cell => '@',
            _ if k.sees() == Some(cell) => 'X',
            Some(at) if at.towards(cell).is_some() => '·',
            _ => '~',
        }
    };
    let symbols: Vec<String> = (0..i16::from(k.options.grid)).map(|x| symbol(x).to_string()).collect();
    symbols.join(" ")
}
