//! Hand records on paper: nine boards to a page.

use super::page::{Area, Document, Paper, Style};
use crate::card::{Hand, Seat, Suit};
use crate::contract::Strain;
use crate::record::Record;
use crate::seal::Seal;
use crate::text::{invalid_line, makeable, par_line};
use crate::words::{Language, Words};

const MARGIN: f32 = 28.0;
/// Par, and the list of invalid records.
const SMALL: Style = Style::new(7.5);

/// Hand records with makeable contracts and par where they are known.
pub fn records(title: &str, records: &[Record], paper: Paper, language: Language) -> Vec<u8> {
    let words = language.words();
    let mut doc = Document::new(title, paper);
    let seal = Seal::of(records);
    let broken = Seal::broken(records);
    let mut invalid = invalid_line(records, words);
    for page in records.chunks(9) {
        doc.page();
        let (width, height) = (doc.width, doc.height);
        doc.text(MARGIN, 34.0, Style::new(13.0).bold(), words.hand_records);
        doc.text(width - MARGIN, 34.0, Style::new(10.0).right(), title);
        let mut top = 42.0;
        // Once, on the first page (BR-17).
        for line in invalid.take().map(|list| doc.wrap(&list, SMALL.bold(), width - 2.0 * MARGIN)).unwrap_or_default() {
            doc.text(MARGIN, top + 3.0, SMALL.bold().red(true), &line);
            top += 10.0;
        }
        let (w, h) = ((width - 2.0 * MARGIN) / 3.0, (height - top - MARGIN) / 3.0);
        for (i, record) in page.iter().enumerate() {
            let (x, y) = (MARGIN + w * (i % 3) as f32, top + h * (i / 3) as f32);
            doc.rect(Area { x, y, w, h }, 0.5, None);
            board(&mut doc, Area { x, y, w, h }, record, words);
            if broken.contains(&record.board.number()) {
                doc.text(x + 6.0, y + h - 5.0, Style::new(6.5).bold().red(true), words.amended);
            }
        }
        if let Some(seal) = seal {
            doc.text(MARGIN, height - 16.0, Style::new(7.5), &format!("{}: {seal}", words.seal));
        }
    }
    doc.finish()
}

fn board(doc: &mut Document, area: Area, record: &Record, words: &Words) {
    let Area { x, y, w, h } = area;
    doc.text(x + 6.0, y + 18.0, Style::new(16.0).bold(), &record.board.to_string());
    doc.text(x + 6.0, y + 29.0, Style::new(7.5), &format!("{} {}", words.dealer, words.seat(record.dealer)));
    let side = words.side(record.vulnerability);
    doc.text(x + 6.0, y + 39.0, Style::new(7.5), &format!("{} {side}", words.vulnerable));
    let third = w / 3.0;
    let places =
        [(x + third + 6.0, y + 12.0), (x + 1.8 * third, y + 60.0), (x + third + 6.0, y + 108.0), (x + 8.0, y + 60.0)];
    for (seat, (left, top)) in Seat::ALL.into_iter().zip(places) {
        hand(doc, left, top, 8.5, &record.deal.hand(seat));
    }
    // Points, in the places of the seats.
    let centre = (x + third + 28.0, y + 75.0);
    for (seat, (dx, dy)) in Seat::ALL.into_iter().zip([(0.0, -10.0), (13.0, 2.0), (0.0, 14.0), (-13.0, 2.0)]) {
        let points = record.deal.hand(seat).points().to_string();
        doc.text(centre.0 + dx, centre.1 + dy, Style::new(7.5).centre(), &points);
    }
    if record.invalid {
        doc.text(x + 6.0, y + h - 8.0, Style::new(7.5).bold().red(true), words.invalid);
        return;
    }
    let Some(tricks) = record.tricks else { return };
    let top = y + 168.0;
    doc.text(x + 6.0, top, Style::new(5.6), words.makes);
    let column = (w - 60.0) / 5.0;
    let strains = [4, 0, 1, 2, 3].map(|i| Strain::ALL[i]);
    for (i, strain) in strains.into_iter().enumerate() {
        let red = matches!(strain, Strain::Suit(Suit::Hearts | Suit::Diamonds));
        let at = x + 52.0 + column * i as f32;
        doc.text(at, top, Style::new(8.5).bold().centre().red(red), strain.symbol());
        for (j, seat) in [Seat::North, Seat::South, Seat::East, Seat::West].into_iter().enumerate() {
            let line = top + 11.0 * (j as f32 + 1.0);
            doc.text(at, line, Style::new(8.5).centre(), &makeable(tricks.of(seat, strain)));
            if i == 0 {
                doc.text(x + 14.0, line, Style::new(8.0), words.letters[seat.index()]);
            }
        }
    }
    if let Some(par) = record.par() {
        for (i, line) in doc.wrap(&par_line(&par, words), SMALL, w - 12.0).iter().enumerate() {
            doc.text(x + 6.0, top + 57.0 + 10.0 * i as f32, SMALL, line);
        }
    }
}

/// Four lines of a hand.
pub(super) fn hand(doc: &mut Document, x: f32, y: f32, size: f32, hand: &Hand) {
    for (i, suit) in Suit::ALL.into_iter().enumerate() {
        let line = y + 1.29 * size * i as f32;
        let red = matches!(suit, Suit::Hearts | Suit::Diamonds);
        doc.text(x, line, Style::new(size + 0.5).red(red), &suit.symbol().to_string());
        let holding = hand.holding(suit).replace('T', "10");
        doc.text(x + 1.24 * size, line, Style::new(size), if holding.is_empty() { "–" } else { &holding });
    }
}
