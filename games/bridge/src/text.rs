//! Everything as plain text, aligned for a fixed-width font: for terminals, mail, and screen readers.

use core::fmt::Write;

use crate::board::Board;
use crate::card::{Seat, Suit};
use crate::contract::{Played, Strain};
use crate::layout::{Dealt, Part, Row, pages, rows};
use crate::par::Par;
use crate::record::Record;
use crate::seal::Seal;
use crate::sheet::Sheets;
use crate::words::{Language, Words};

/// The dealing sheets, page by page (pages are separated by form feeds).
pub fn sheets(title: &str, boards: &[Dealt], language: Language) -> String {
    let words = language.words();
    let mut out = String::new();
    let seal = Seal::of(boards.iter().map(|(record, _)| record));
    for (i, page) in pages(boards.len()).iter().enumerate() {
        if i > 0 {
            out.push('\u{c}');
        }
        let _ = writeln!(out, "{} {}   {}\n{}", words.person, page.person, clean(title), words.secret);
        if let Some(seal) = seal {
            let _ = writeln!(out, "{}: {seal}", words.seal);
        }
        out.push('\n');
        for part in &page.parts {
            let (record, sheets) = &boards[part.board];
            let name = if part.second { words.second } else { words.first };
            let _ = writeln!(out, "{}   {name}   {}", words.board(record.board), conditions(record, words));
            let numbers = if part.second { sheets.second() } else { sheets.first() };
            for (i, step) in (1..).zip(steps(part, sheets, words)) {
                let _ = writeln!(out, "  {i}. {step}");
            }
            write_rows(&mut out, &rows(&numbers), words);
        }
    }
    let moved: Vec<_> = thirds(boards).collect();
    if !moved.is_empty() {
        let [what, how, not] = words.third;
        let _ = writeln!(out, "\u{c}{} C   {}\n{not}\n\n{what}\n{how}", words.person, clean(title));
        if let Some(seal) = seal {
            let _ = writeln!(out, "{}: {seal}", words.seal);
        }
        out.push('\n');
        for (record, extra) in moved {
            let _ = writeln!(out, "{}   [ ]   {}", words.board(record.board), pockets(&extra, words));
        }
    }
    out
}

/// The boards whose hands a third person moves, and where to.
pub(crate) fn thirds(boards: &[Dealt]) -> impl Iterator<Item = (&Record, [Seat; 4])> {
    boards.iter().filter(|(_, sheets)| sheets.third()).filter_map(|(record, sheets)| Some((record, sheets.extra()?)))
}

/// What a dealer does with a sheet, step by step.
pub(crate) fn steps(part: &Part, sheets: &Sheets, words: &Words) -> Vec<String> {
    if part.second {
        let last = match sheets.extra() {
            Some(_) => words.second_extra.to_owned(),
            None => format!("{} {}", words.pockets, pockets(&Seat::ALL, words)),
        };
        return vec![words.second_how[0].to_owned(), words.second_how[1].to_owned(), last];
    }
    let order = sheets.suit_order();
    let list = order.map(|s| s.symbol().to_string()).join(" ");
    let mut steps = vec![format!("{} {list} {} {}A", words.sort[0], words.sort[1], order[0].symbol())];
    steps.extend(words.first_how.map(str::to_owned));
    let extra = sheets.extra().filter(|_| !sheets.third());
    steps.extend(extra.map(|extra| format!("{} {}", words.extra, pockets(&extra, words))));
    steps
}

/// Which hand goes into which pocket.
pub(crate) fn pockets(seats: &[Seat; 4], words: &Words) -> String {
    let list: Vec<String> = (1..).zip(seats).map(|(i, seat)| format!("{i} → {}", words.seat(*seat))).collect();
    list.join("   ")
}

/// Single sheets for shuffled packs (BR-1).
pub fn single(title: &str, sheets: &[[u8; 52]], language: Language) -> String {
    let words = language.words();
    let mut out = format!("{}\n{}\n{}\n\n", clean(title), words.single_how[0], words.single_how[1]);
    for (i, numbers) in sheets.iter().enumerate() {
        let _ = writeln!(out, "{} {}", words.single, i + 1);
        write_rows(&mut out, &rows(numbers), words);
    }
    out
}

fn write_rows(out: &mut String, rows: &[Row; 4], words: &Words) {
    for row in rows {
        let groups: Vec<String> =
            row.groups.iter().map(|g| g.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")).collect();
        let counts = row.counts.map(|n| format!("{n:>2}")).join(" ");
        let _ = writeln!(
            out,
            "  [ ]  {}     ({} {})  {}: {counts}",
            groups.join("   "),
            words.check,
            row.check,
            words.piles
        );
    }
    out.push('\n');
}

/// Hand records, one diagram after the other.
pub fn records(title: &str, records: &[Record], language: Language) -> String {
    let words = language.words();
    let mut out = format!("{}   {}\n", words.hand_records, clean(title));
    if let Some(seal) = Seal::of(records) {
        let _ = writeln!(out, "{}: {seal}", words.seal);
    }
    if let Some(line) = invalid_line(records, words) {
        let _ = writeln!(out, "{line}");
    }
    out.push('\n');
    let broken = Seal::broken(records);
    for record in records {
        let _ = writeln!(out, "{}   {}", words.board(record.board), conditions(record, words));
        let lines = |seat: Seat| {
            let hand = record.deal.hand(seat);
            Suit::ALL.map(|s| {
                let holding = hand.holding(s);
                format!("{} {}", s.symbol(), if holding.is_empty() { "–" } else { &holding })
            })
        };
        let (north, east, south, west) = (lines(Seat::North), lines(Seat::East), lines(Seat::South), lines(Seat::West));
        for line in &north {
            let _ = writeln!(out, "{:16}{line}", "");
        }
        for (w, e) in west.iter().zip(&east) {
            let _ = writeln!(out, "{w:<16}{:16}{e}", "");
        }
        for line in &south {
            let _ = writeln!(out, "{:16}{line}", "");
        }
        let points: Vec<String> = Seat::ALL
            .iter()
            .map(|s| format!("{} {}", words.letters[s.index()], record.deal.hand(*s).points()))
            .collect();
        let _ = writeln!(out, "{}: {}", words.points, points.join("  "));
        if record.invalid {
            let _ = writeln!(out, "{}", words.invalid);
        } else if let (Some(tricks), Some(par)) = (&record.tricks, record.par()) {
            let strains = [4, 0, 1, 2, 3].map(|i| Strain::ALL[i]);
            let head: String = strains.iter().map(|s| format!("{:>4}", s.symbol())).collect();
            let _ = writeln!(out, "{:<14}{head}", words.makes);
            for seat in [Seat::North, Seat::South, Seat::East, Seat::West] {
                let row: String = strains.iter().map(|s| format!("{:>4}", makeable(tricks.of(seat, *s)))).collect();
                let _ = writeln!(out, "{:<14}{row}", words.seat(seat));
            }
            let _ = writeln!(out, "{}", par_line(&par, words));
        }
        if broken.contains(&record.board.number()) {
            let _ = writeln!(out, "{}", words.amended);
        }
        out.push('\n');
    }
    out
}

/// Curtain cards, one after the other (BR-18).
pub fn curtains(title: &str, records: &[Record], language: Language) -> String {
    let words = language.words();
    let mut out = format!("{}   {}\n\n", words.curtain, clean(title));
    for record in records {
        for seat in Seat::ALL {
            let hand = record.deal.hand(seat);
            let _ = writeln!(out, "{}   {}", words.board(record.board), words.seat(seat));
            for suit in Suit::ALL {
                let holding = hand.holding(suit);
                let _ = writeln!(out, "  {} {}", suit.symbol(), if holding.is_empty() { "–" } else { &holding });
            }
            out.push('\n');
        }
    }
    out
}

/// Slips for the players, one for each board: how to leave the cards so that the next deal begins with a sorted pack
/// (BR-22).
pub fn sorting(title: &str, boards: &[Board], language: Language) -> String {
    let words = language.words();
    let mut out = format!("{}   {}\n\n", words.sorting, clean(title));
    for board in boards {
        let _ = writeln!(out, "[ ] {}   {}", words.board(*board), words.sorting);
        for (i, step) in (1..).zip(words.sorting_how) {
            let _ = writeln!(out, "  {i}. {step}");
        }
        let _ = writeln!(out, "  {}: ______________\n", words.sorted_by);
    }
    out
}

/// The boards whose records are invalid, in one line; nothing if all are what was played (BR-17).
pub(crate) fn invalid_line(records: &[Record], words: &Words) -> Option<String> {
    let boards: Vec<String> = Record::invalid_ones(records).iter().map(u16::to_string).collect();
    (!boards.is_empty()).then(|| format!("{}: {}", words.invalid_list, boards.join(", ")))
}

/// The highest contract that this many tricks make, as one reads it in a table: its level, or a dash.
pub(crate) fn makeable(tricks: u8) -> String {
    if tricks > 6 { (tricks - 6).to_string() } else { "–".to_owned() }
}

/// Par in a line: score and contracts.
pub(crate) fn par_line(par: &Par, words: &Words) -> String {
    if par.contracts.is_empty() {
        return format!("{}: 0 ({})", words.par, words.passed);
    }
    // The same contract by both partners is said once.
    let mut said: Vec<(&Played, String)> = Vec::new();
    for played in &par.contracts {
        let who = words.letters[played.declarer.index()];
        match said.iter_mut().find(|(first, _)| played.is_by_partner_of(first)) {
            Some((_, seats)) => seats.push_str(who),
            None => said.push((played, who.to_owned())),
        }
    }
    let list: Vec<String> =
        said.iter().map(|(played, who)| format!("{} {who} {}", played.contract(), played.result())).collect();
    format!("{}: {:+} {}", words.par, par.score_ns, list.join(", "))
}

fn conditions(record: &Record, words: &Words) -> String {
    let side = words.side(record.vulnerability);
    format!("{} {}   {} {side}", words.dealer, words.seat(record.dealer), words.vulnerable)
}

/// A title without control characters.
pub(crate) fn clean(title: &str) -> String {
    title.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
