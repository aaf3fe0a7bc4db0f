//! Dealing sheets on paper: large digits in groups, a tick box per row, check digits, the order of picking up.

use super::page::{Document, Paper, Style};
use crate::card::{Seat, Suit};
use crate::layout::{Dealt, Part, pages, rows};
use crate::words::{Language, Words};

const MARGIN: f32 = 34.0;

/// The pages of all boards: for every four boards one for each person.
pub fn sheets(title: &str, boards: &[Dealt], paper: Paper, language: Language) -> Vec<u8> {
    let words = language.words();
    let mut doc = Document::new(title, paper);
    for page in pages(boards.len()) {
        doc.page();
        let numbers: Vec<u16> = page.parts.iter().map(|p| boards[p.board].0.board.number()).collect();
        let (low, high) = (numbers.iter().min().unwrap_or(&0), numbers.iter().max().unwrap_or(&0));
        let head = format!("{} {}   ·   {} {low}–{high}", words.person, page.person, words.boards);
        let room = header(&mut doc, &head, title, words.secret);
        let firsts = page.parts.iter().filter(|p| !p.second).count();
        for (i, part) in page.parts.iter().enumerate() {
            let y = room.0 + room.1 * (if i < firsts { i } else { i - firsts + 2 }) as f32;
            block(&mut doc, y, room.1, *part, &boards[part.board], words);
        }
        let y = room.0 + 2.0 * room.1 - 5.0;
        let width = doc.width;
        doc.line((0.0, y), (width, y), 0.7, true);
        doc.text(width - MARGIN, y + 7.5, Style::new(6.0).right(), words.fold);
    }
    doc.finish()
}

/// Single sheets for shuffled packs (BR-1), four on a page.
pub fn single(title: &str, sheets: &[[u8; 52]], paper: Paper, language: Language) -> Vec<u8> {
    let words = language.words();
    let mut doc = Document::new(title, paper);
    for (page, four) in sheets.chunks(4).enumerate() {
        doc.page();
        let room = header(&mut doc, words.single, title, words.single_how[1]);
        for (i, numbers) in four.iter().enumerate() {
            let y = room.0 + room.1 * i as f32;
            let label = format!("{} · {}", words.single, 4 * page + i + 1);
            doc.text(MARGIN, y + 15.0, Style::new(13.0).bold(), &label);
            doc.text(MARGIN, y + 30.0, Style::new(8.5), words.single_how[0]);
            digits(&mut doc, y + 38.0, room.1, numbers, words);
        }
    }
    doc.finish()
}

/// Draws the head of a page; returns where the blocks start and how high each is.
fn header(doc: &mut Document, head: &str, title: &str, note: &str) -> (f32, f32) {
    let width = doc.width;
    doc.text(MARGIN, 36.0, Style::new(15.0).bold(), head);
    doc.text(width - MARGIN, 36.0, Style::new(10.0).right(), title);
    doc.text(MARGIN, 49.0, Style::new(8.0), note);
    doc.line((MARGIN, 55.0), (width - MARGIN, 55.0), 1.0, false);
    (60.0, (doc.height - 60.0 - 18.0) / 4.0)
}

fn block(doc: &mut Document, y: f32, height: f32, part: Part, (record, sheets): &Dealt, words: &Words) {
    let right = doc.width - MARGIN;
    let name = if part.second { words.second } else { words.first };
    let tab = format!("{} {}", words.board, record.board);
    doc.rect((MARGIN, y + 1.0), (116.0, 19.0), 0.0, Some(if part.second { 0.82 } else { 0.92 }));
    doc.text(MARGIN + 5.0, y + 15.5, Style::new(14.0).bold(), &tab);
    doc.text(MARGIN + 124.0, y + 15.5, Style::new(13.0).bold(), name);
    let dealer = words.seat(record.dealer);
    let side = words.side(record.vulnerability);
    let about = format!("{} {dealer}   {} {side}", words.dealer, words.vulnerable);
    doc.text(right, y + 15.5, Style::new(9.0).right(), &about);
    let numbers = if part.second {
        let last = if sheets.extra().is_some() { words.second_extra } else { words.second_how[1] };
        for (i, line) in [words.second_how[0], last].into_iter().enumerate() {
            doc.text(MARGIN, y + 31.0 + 10.5 * i as f32, Style::new(8.2), line);
        }
        let labels = if sheets.extra().is_some() {
            "1  2  3  4".to_owned()
        } else {
            (0..4).map(|i| format!("{} = {}", i + 1, words.seats[i])).collect::<Vec<_>>().join("    ")
        };
        doc.text(right, y + 31.0, Style::new(9.5).bold().right(), &labels);
        sheets.second()
    } else {
        let x = MARGIN + doc.text(MARGIN, y + 32.0, Style::new(8.2), &format!("{}: ", words.suit_order));
        suits(doc, x + 3.0, y + 33.5, &sheets.suit_order(), words);
        doc.text(MARGIN, y + 43.0, Style::new(8.2), words.first_how[1]);
        doc.text(MARGIN, y + 53.0, Style::new(8.2), words.first_how[2]);
        pick_up(doc, right - 118.0, y + 18.0, words);
        if let Some(extra) = sheets.extra() {
            moves(doc, y + height - 10.0, &extra, words);
        }
        sheets.first()
    };
    digits(doc, y + 58.0, height, &numbers, words);
}

/// The four suits, large, with the rule for sorting each.
fn suits(doc: &mut Document, x: f32, y: f32, order: &[Suit; 4], words: &Words) {
    let mut x = x;
    for suit in order {
        let red = matches!(suit, Suit::Hearts | Suit::Diamonds);
        x += doc.text(x, y, Style::new(17.0).bold().red(red), &suit.symbol().to_string()) + 5.0;
    }
    doc.text(x + 2.0, y - 1.5, Style::new(7.2), words.first_how[0]);
}

/// The picture of how piles are picked up: pile 1 on top of the stack (BR-4).
fn pick_up(doc: &mut Document, x: f32, y: f32, words: &Words) {
    for pile in 0..4u8 {
        let left = x + 15.0 * f32::from(pile);
        doc.rect((left, y + 12.0), (11.0, 16.0), 0.7, Some(0.95));
        doc.text(left + 5.5, y + 23.5, Style::new(9.0).bold().centre(), &(pile + 1).to_string());
    }
    doc.text(x + 66.0, y + 23.5, Style::new(11.0).centre(), "→");
    for pile in 0..4u8 {
        let top = y + 2.0 + 8.0 * f32::from(pile);
        doc.rect((x + 76.0, top), (22.0, 7.0), 0.7, Some(0.95));
        doc.text(x + 87.0, top + 6.0, Style::new(6.8).bold().centre(), &(pile + 1).to_string());
    }
    doc.text(x + 101.0, y + 8.0, Style::new(5.8), words.top);
    doc.text(x + 101.0, y + 32.0, Style::new(5.8), words.bottom);
}

/// The extra step: which hand goes to which pocket.
fn moves(doc: &mut Document, y: f32, extra: &[Seat; 4], words: &Words) {
    let list: Vec<String> = (1..).zip(extra).map(|(i, seat)| format!("{i} → {}", words.seat(*seat))).collect();
    let x = MARGIN + doc.text(MARGIN, y, Style::new(7.6), &format!("{} ({}): ", words.extra, words.extra_how));
    doc.text(x, y, Style::new(7.6).bold(), &list.join("  "));
}

/// Four rows of thirteen large digits.
fn digits(doc: &mut Document, top: f32, height: f32, numbers: &[u8; 52], words: &Words) {
    let step = (height - 58.0 - 27.0) / 4.0;
    let right = doc.width - MARGIN;
    let table = right - 62.0;
    doc.text(table - 16.0, top + 4.0, Style::new(5.8).centre(), words.check);
    doc.text(right, top + 4.0, Style::new(5.8).right(), words.piles);
    for (i, row) in rows(numbers).iter().enumerate() {
        let base = top + 4.0 + step * (i as f32 + 0.84);
        let size = 21.0;
        doc.rect((MARGIN, base - 12.0), (12.0, 12.0), 1.0, None);
        if i % 2 == 0 {
            doc.rect((MARGIN + 18.0, base - step * 0.78), (table - MARGIN - 48.0, step * 0.96), 0.0, Some(0.95));
        }
        let cell = (table - MARGIN - 48.0 - 26.0) / 13.0;
        let mut x = MARGIN + 22.0;
        for group in &row.groups {
            for n in group {
                doc.text(x + cell / 2.0, base, Style::new(size).bold().centre(), &n.to_string());
                x += cell;
            }
            x += 11.0;
        }
        doc.text(table - 16.0, base, Style::new(12.0).centre(), &row.check.to_string());
        let counts = row.counts.map(|n| n.to_string()).join(" · ");
        doc.text(right, base, Style::new(8.5).right(), &counts);
    }
}
