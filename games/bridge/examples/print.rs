//! Writes sheets, records and curtain cards of twenty boards into a folder, to look at.
#![expect(clippy::disallowed_methods, reason = "an example has files")]

use outis_bridge::board::Board;
use outis_bridge::dd::Tricks;
use outis_bridge::formats::pbn::parse_deal;
use outis_bridge::record::Record;
use outis_bridge::sheet::{Scheme, Sheets};
use outis_bridge::words::Language;
use outis_bridge::{html, pdf, text};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::path::PathBuf::from(std::env::args().nth(1).ok_or("name a folder")?);
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let mut boards = Vec::new();
    for (number, line) in
        (1..=20).zip(include_str!("../tests/double_dummy.txt").lines().filter(|line| !line.starts_with('#')))
    {
        let (deal, digits) = line.split_once('|').ok_or("a deal and its results")?;
        let deal = parse_deal(deal)?;
        let mut record = Record::new(Board::new(number).ok_or("no board")?, deal);
        record.tricks = Tricks::parse_pbn(digits);
        let scheme = match number {
            1..=4 => Scheme::PAPER,
            5..=8 => Scheme::THIRD,
            _ => Scheme::EXTRA,
        };
        boards.push((record, Sheets::draw(&deal, scheme, &mut rng)));
    }
    let mut records: Vec<Record> = boards.iter().map(|(r, _)| r.clone()).collect();
    for number in [2, 11] {
        records[number].invalid = true;
    }
    let numbers: Vec<Board> = records.iter().map(|r| r.board).collect();
    for (language, paper) in [(Language::English, pdf::Paper::A4), (Language::Hungarian, pdf::Paper::Letter)] {
        let code = language.code();
        std::fs::write(folder.join(format!("sheets.{code}.pdf")), pdf::sheets("Club night", &boards, paper, language))?;
        std::fs::write(folder.join(format!("records.{code}.pdf")), pdf::records("Club", &records, paper, language))?;
        std::fs::write(folder.join(format!("curtains.{code}.pdf")), pdf::curtains("Club", &records, paper, language))?;
        std::fs::write(folder.join(format!("sorting.{code}.pdf")), pdf::sorting("Club", &numbers, paper, language))?;
        std::fs::write(folder.join(format!("sheets.{code}.txt")), text::sheets("Club night", &boards, language))?;
        std::fs::write(folder.join(format!("records.{code}.txt")), text::records("Club", &records, language))?;
        std::fs::write(folder.join(format!("records.{code}.html")), html::records("Club", &records, language))?;
    }
    Ok(())
}
