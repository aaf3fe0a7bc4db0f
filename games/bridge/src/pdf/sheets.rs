//! Dealing sheets on paper: large digits in groups, a tick box per row, check digits, the order of picking up.

use super::page::{Area, Document, Paper, Style};
use crate::card::{Seat, Suit};
use crate::layout::{Dealt, Part, pages, rows};
use crate::record::Record;
use crate::seal::Seal;
use crate::text;
use crate::words::{Language, Words};

const MARGIN: f32 = 34.0;

/// The pages of all boards: for every four boards one for each person.
pub fn sheets(title: &str, boards: &[Dealt], paper: Paper, language: Language) -> Vec<u8> {
    let words = language.words();
    let mut doc = Document::new(title, paper);
    let seal = Seal::of(boards.iter().map(|(record, _)| record));
    for page in pages(boards.len()) {
        doc.page();
        let range = range(page.parts.iter().map(|p| &boards[p.board].0), words);
        let head = format!("{} {}   ·   {range}", words.person, page.person);
        let (start, height) = header(&mut doc, &head, title, words.secret, seal.map(|seal| (seal, words)));
        let firsts = page.parts.iter().filter(|p| !p.second).count();
        for (i, part) in page.parts.iter().enumerate() {
            let y = start + height * (if i < firsts { i } else { i - firsts + 2 }) as f32;
            let sheets = &boards[part.board].1;
            let top = block(&mut doc, y, *part, &boards[part.board], words);
            let numbers = if part.second { sheets.second() } else { sheets.first() };
            digits(&mut doc, top, y + height - 24.0, &numbers, words);
            if let (Some(extra), false) = (sheets.extra(), part.second || sheets.third()) {
                moves(&mut doc, y + height - 12.0, &extra, words);
            }
        }
        let y = start + 2.0 * height - 5.0;
        let width = doc.width;
        doc.rule(0.0, width, y, 0.7, true);
        doc.text(3.0, y - 3.0, Style::new(5.6), words.fold);
    }
    third_person(&mut doc, title, boards, seal, words);
    if let Some(seal) = seal {
        let range = range(boards.iter().map(|(record, _)| record), words);
        poster(&mut doc, title, &range, &seal, words);
    }
    doc.finish()
}

/// The sheet of the third person, if there is one: 24 boards to a page.
fn third_person(doc: &mut Document, title: &str, boards: &[Dealt], seal: Option<Seal>, words: &Words) {
    let [what, how, not] = words.third;
    let moved: Vec<_> = text::thirds(boards).collect();
    for page in moved.chunks(24) {
        doc.page();
        let (start, _) = header(doc, &format!("{} C", words.person), title, not, seal.map(|seal| (seal, words)));
        doc.text(MARGIN, start + 18.0, Style::new(13.0).bold(), what);
        doc.text(MARGIN, start + 36.0, STEP, how);
        for (i, (record, extra)) in page.iter().enumerate() {
            let y = start + 70.0 + 27.0 * i as f32;
            let (left, right) = (MARGIN, doc.width - MARGIN);
            if i % 2 == 0 {
                doc.rect(Area { x: left, y: y - 18.0, w: right - left, h: 27.0 }, 0.0, Some(0.95));
            }
            doc.rect(Area { x: left + 4.0, y: y - 11.0, w: 13.0, h: 13.0 }, 1.0, None);
            doc.text(left + 26.0, y, Style::new(13.0).bold(), &words.board(record.board));
            for (hand, seat) in (1..).zip(extra) {
                let x = left + 40.0 + 95.0 * hand as f32;
                doc.text(x, y, Style::new(12.0), &format!("{hand} → {}", words.seat(*seat)));
            }
        }
    }
}

/// The first and last number of boards.
fn range<'a>(records: impl Iterator<Item = &'a Record>, words: &Words) -> String {
    let numbers: Vec<u16> = records.map(|record| record.board.number()).collect();
    let (low, high) = (numbers.iter().min().unwrap_or(&0), numbers.iter().max().unwrap_or(&0));
    format!("{} {low}–{high}", words.boards)
}

/// Single sheets for shuffled packs (BR-1), four on a page.
pub fn single(title: &str, sheets: &[[u8; 52]], paper: Paper, language: Language) -> Vec<u8> {
    let words = language.words();
    let mut doc = Document::new(title, paper);
    for (page, four) in sheets.chunks(4).enumerate() {
        doc.page();
        let (start, height) = header(&mut doc, words.single, title, words.single_how[1], None);
        for (i, numbers) in four.iter().enumerate() {
            let y = start + height * i as f32;
            let label = format!("{} · {}", words.single, 4 * page + i + 1);
            doc.text(MARGIN, y + 15.0, Style::new(13.0).bold(), &label);
            doc.text(MARGIN, y + 32.0, STEP, words.single_how[0]);
            digits(&mut doc, y + 40.0, y + height - 16.0, numbers, words);
        }
    }
    doc.finish()
}

/// Draws the head of a page; returns where the blocks start and how high each is.
fn header(doc: &mut Document, head: &str, title: &str, note: &str, seal: Option<(Seal, &Words)>) -> (f32, f32) {
    let (width, height) = (doc.width, doc.height);
    let mut right = width - MARGIN;
    if let Some((seal, words)) = seal {
        doc.qr(right - 50.0, 4.0, 54.0, &seal.qr_text());
        doc.text(MARGIN, height - 14.0, Style::new(7.0), &format!("{}: {seal}", words.seal));
        right -= 54.0;
    }
    doc.text(MARGIN, 34.0, Style::new(15.0).bold(), head);
    doc.text(right, 34.0, Style::new(10.0).right(), title);
    doc.text(MARGIN, 49.0, Style::new(9.0), note);
    doc.rule(MARGIN, width - MARGIN, 56.0, 1.0, false);
    (60.0, (height - 60.0 - 26.0) / 4.0)
}

fn block(doc: &mut Document, y: f32, part: Part, (record, sheets): &Dealt, words: &Words) -> f32 {
    let right = doc.width - MARGIN;
    let name = if part.second { words.second } else { words.first };
    let tab = words.board(record.board);
    doc.rect(Area { x: MARGIN, y: y + 1.0, w: 116.0, h: 19.0 }, 0.0, Some(if part.second { 0.82 } else { 0.92 }));
    doc.text(MARGIN + 5.0, y + 15.5, Style::new(14.0).bold(), &tab);
    doc.text(MARGIN + 124.0, y + 15.5, Style::new(13.0).bold(), name);
    let dealer = words.seat(record.dealer);
    let side = words.side(record.vulnerability);
    let about = format!("{} {dealer}   {} {side}", words.dealer, words.vulnerable);
    doc.text(right, y + 15.5, Style::new(10.0).right(), &about);
    let mut base = y + 33.0;
    for (i, step) in (1..).zip(text::steps(&part, sheets, words)) {
        if i == 4 {
            // The extra step comes after the digits.
            break;
        }
        doc.text(MARGIN, base, STEP.bold(), &i.to_string());
        if i == 1 && !part.second {
            sort(doc, MARGIN + 13.0, base, &sheets.suit_order(), words);
        } else {
            doc.text(MARGIN + 13.0, base, STEP, &step);
        }
        base += 13.0;
    }
    if !part.second {
        pick_up(doc, right - 118.0, y + 35.0, words);
    }
    base - 10.0
}

/// Instructions are read from where the cards are dealt: as large as the lines allow.
const STEP: Style = Style::new(10.5);

/// The first step of the first dealer: the four suits, large, and the first card.
fn sort(doc: &mut Document, x: f32, y: f32, order: &[Suit; 4], words: &Words) {
    let mut x = x + doc.text(x, y, STEP, words.sort[0]) + 6.0;
    for suit in order {
        let red = matches!(suit, Suit::Hearts | Suit::Diamonds);
        x += doc.text(x, y + 1.0, Style::new(17.0).bold().red(red), &suit.symbol().to_string()) + 4.0;
    }
    x += doc.text(x + 2.0, y, STEP, words.sort[1]) + 6.0;
    let red = matches!(order[0], Suit::Hearts | Suit::Diamonds);
    doc.text(x, y, Style::new(12.0).bold().red(red), &format!("{}A", order[0].symbol()));
}

/// The picture of how piles are picked up: pile 1 on top of the stack (BR-4).
fn pick_up(doc: &mut Document, x: f32, y: f32, words: &Words) {
    for pile in 0..4u8 {
        let left = x + 15.0 * f32::from(pile);
        doc.rect(Area { x: left, y: y + 5.0, w: 11.0, h: 15.0 }, 0.7, Some(0.95));
        doc.text(left + 5.5, y + 16.0, Style::new(9.0).bold().centre(), &(pile + 1).to_string());
    }
    doc.text(x + 67.0, y + 16.0, Style::new(11.0).centre(), "→");
    for pile in 0..4u8 {
        let top = y + 6.3 * f32::from(pile);
        doc.rect(Area { x: x + 76.0, y: top, w: 24.0, h: 6.3 }, 0.7, Some(0.95));
        doc.text(x + 88.0, top + 5.4, Style::new(6.2).bold().centre(), &(pile + 1).to_string());
    }
    doc.text(x + 102.0, y + 5.4, Style::new(6.2), words.top);
    doc.text(x + 102.0, y + 24.3, Style::new(6.2), words.bottom);
}

/// The extra step: which hand goes to which pocket.
fn moves(doc: &mut Document, y: f32, extra: &[Seat; 4], words: &Words) {
    doc.text(MARGIN, y, STEP.bold(), "4");
    let x = MARGIN + 13.0 + doc.text(MARGIN + 13.0, y, Style::new(8.6), words.extra) + 6.0;
    let list = text::pockets(extra, words);
    let room = doc.width - MARGIN - x;
    let size = STEP.size * (room / doc.measure(&list, STEP.bold())).min(1.0);
    doc.text(x, y, Style::new(size).bold(), &list);
}

/// Four rows of thirteen large digits between two heights.
fn digits(doc: &mut Document, top: f32, bottom: f32, numbers: &[u8; 52], words: &Words) {
    let step = (bottom - top - 7.0) / 4.0;
    let right = doc.width - MARGIN;
    let table = right - 84.0;
    doc.text(table - 14.0, top + 7.0, Style::new(7.0).centre(), words.check);
    doc.text(right, top + 7.0, Style::new(7.0).right(), words.piles);
    for (i, row) in rows(numbers).iter().enumerate() {
        let base = top + 7.0 + step * (i as f32 + 0.84);
        doc.rect(Area { x: MARGIN, y: base - 13.0, w: 13.0, h: 13.0 }, 1.0, None);
        if i % 2 == 0 {
            doc.rect(
                Area { x: MARGIN + 18.0, y: base - step * 0.78, w: table - MARGIN - 46.0, h: step * 0.96 },
                0.0,
                Some(0.95),
            );
        }
        let cell = (table - MARGIN - 46.0 - 26.0) / 13.0;
        let mut x = MARGIN + 22.0;
        for group in &row.groups {
            for n in group {
                doc.text(x + cell / 2.0, base, Style::new(22.0).bold().centre(), &n.to_string());
                x += cell;
            }
            x += 11.0;
        }
        doc.text(table - 14.0, base, Style::new(12.0).centre(), &row.check.to_string());
        for (pile, n) in row.counts.iter().enumerate() {
            let at = right - 19.0 * (3 - pile) as f32;
            doc.text(at, base, Style::new(11.0).right(), &n.to_string());
        }
    }
}

/// A page to pin up before play: the seal of all boards.
fn poster(doc: &mut Document, title: &str, numbers: &str, seal: &Seal, words: &Words) {
    doc.page();
    let centre = doc.width / 2.0;
    let line = |doc: &mut Document, y: f32, style: Style, text: &str| {
        // Long lines shrink to the page.
        let room = doc.width - 2.0 * MARGIN;
        let size = style.size * (room / doc.measure(text, style)).min(1.0);
        doc.text(centre, y, Style { size, ..style }.centre(), text);
    };
    line(doc, 90.0, Style::new(30.0).bold(), words.seal);
    line(doc, 120.0, Style::new(16.0), title);
    line(doc, 145.0, Style::new(14.0), numbers);
    doc.qr(centre - 150.0, 160.0, 300.0, &seal.qr_text());
    let digits = seal.to_string();
    for (i, half) in [&digits[..35], &digits[36..]].into_iter().enumerate() {
        line(doc, 490.0 + 24.0 * i as f32, Style::new(18.0).bold(), half);
    }
    for (i, how) in words.seal_how.into_iter().enumerate() {
        line(doc, 560.0 + 20.0 * i as f32, Style::new(12.0), how);
    }
}
