//! Slips to cut out, one for each board, by which the players leave sorted packs behind (BR-22).

use super::page::{Area, Document, Paper, Style};
use crate::board::Board;
use crate::text::clean;
use crate::words::Language;

const MARGIN: f32 = 20.0;

/// Slips, eight to a page.
pub fn sorting(title: &str, boards: &[Board], paper: Paper, language: Language) -> Vec<u8> {
    let words = language.words();
    let title = clean(title);
    let mut doc = Document::new(&title, paper);
    for page in boards.chunks(8) {
        doc.page();
        let (w, h) = ((doc.width - 2.0 * MARGIN) / 2.0, (doc.height - 2.0 * MARGIN) / 4.0);
        for (i, board) in page.iter().enumerate() {
            let (x, y) = (MARGIN + w * (i % 2) as f32, MARGIN + h * (i / 2) as f32);
            let (left, right) = (x + 12.0, x + w - 12.0);
            doc.rect(Area { x, y, w, h }, 0.4, None);
            doc.text(left, y + 31.0, Style::new(22.0).bold(), &words.board(*board));
            doc.rect(Area { x: right - 20.0, y: y + 12.0, w: 20.0, h: 20.0 }, 1.2, None);
            doc.text(left, y + 50.0, Style::new(10.5).bold(), words.sorting);
            let mut line = y + 70.0;
            for (number, step) in (1..).zip(words.sorting_how) {
                doc.text(left, line, STEP.bold(), &number.to_string());
                for part in doc.wrap(step, STEP, right - left - 14.0) {
                    doc.text(left + 14.0, line, STEP, &part);
                    line += 13.0;
                }
                line += 3.0;
            }
            let base = y + h - 13.0;
            let end = left + doc.text(left, base, Style::new(8.5), words.sorted_by);
            doc.rule(end + 6.0, left + 150.0, base + 2.0, 0.5, false);
            // A long title shrinks to what is left of the line.
            let room = right - left - 160.0;
            let size = 8.5 * (room / doc.measure(&title, Style::new(8.5))).min(1.0);
            doc.text(right, base, Style::new(size).right(), &title);
        }
    }
    doc.finish()
}

const STEP: Style = Style::new(10.0);
