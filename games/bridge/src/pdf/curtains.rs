//! Curtain cards to cut out: one for every pocket (BR-18).

use super::page::{Area, Document, Paper, Style};
use super::records::hand;
use crate::card::Seat;
use crate::record::Record;
use crate::words::Language;

/// Curtain cards, seven rows to a page: one row per board.
pub fn curtains(title: &str, records: &[Record], paper: Paper, language: Language) -> Vec<u8> {
    let words = language.words();
    let mut doc = Document::new(title, paper);
    for page in records.chunks(7) {
        doc.page();
        let (w, h) = ((doc.width - 40.0) / 4.0, (doc.height - 40.0) / 7.0);
        for (i, record) in page.iter().enumerate() {
            for seat in Seat::ALL {
                let (x, y) = (20.0 + w * seat.index() as f32, 20.0 + h * i as f32);
                doc.rect(Area { x, y, w, h }, 0.4, None);
                doc.text(x + 8.0, y + 18.0, Style::new(13.0).bold(), words.seat(seat));
                let number = words.board(record.board);
                doc.text(x + w - 8.0, y + 18.0, Style::new(10.5).right(), &number);
                hand(&mut doc, x + 9.0, y + 36.0, 12.0, &record.deal.hand(seat));
                let side = words.side(record.vulnerability);
                let about = format!("{} {} · {} {side}", words.dealer, words.seat(record.dealer), words.vulnerable);
                doc.text(x + 8.0, y + 97.0, Style::new(7.5), &about);
            }
        }
    }
    doc.finish()
}
