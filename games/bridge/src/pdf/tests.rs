use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::board::Board;
use crate::deal::Deal;
use crate::layout::Dealt;
use crate::record::Record;
use crate::sheet::{Scheme, Sheets};
use crate::words::Language;

/// Every object is where the table of contents says, and every stream has its length.
fn check(file: &[u8]) -> usize {
    let at = |from: usize| String::from_utf8_lossy(&file[from..file.len().min(from + 40)]).into_owned();
    let tail = String::from_utf8_lossy(&file[file.len() - 40..]).into_owned();
    let start: usize = tail.split("startxref\n").nth(1).unwrap().lines().next().unwrap().parse().unwrap();
    let xref = String::from_utf8_lossy(&file[start..]).into_owned();
    let mut objects = 0;
    for (i, line) in xref.lines().skip(3).take_while(|l| l.ends_with(" n ")).enumerate() {
        let offset: usize = line[..10].parse().unwrap();
        assert!(at(offset).starts_with(&format!("{} 0 obj\n", i + 1)), "object {}", i + 1);
        objects += 1;
    }
    assert!(xref.contains(&format!("/Size {}", objects + 1)));
    objects
}

#[test]
fn files_are_well_formed() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let boards: Vec<Dealt> = (1..=24)
        .map(|n| {
            let deal = Deal::random(&mut rng);
            (Record::new(Board::new(n).unwrap(), deal), Sheets::draw(&deal, Scheme::EXTRA, &mut rng))
        })
        .collect();
    let list: Vec<Record> = boards.iter().map(|(r, _)| r.clone()).collect();
    for (paper, language) in [(Paper::A4, Language::English), (Paper::Letter, Language::Hungarian)] {
        // Fonts, catalogue, pages and title are 13 objects; a page is two.
        assert_eq!(check(&sheets("Klub (\u{151})", &boards, paper, language)), 13 + 2 * 12);
        assert_eq!(check(&records("", &list, paper, language)), 13 + 2 * 3);
        assert_eq!(check(&curtains("", &list, paper, language)), 13 + 2 * 4);
        assert_eq!(check(&single("", &[sheets_numbers(); 5], paper, language)), 13 + 2 * 2);
    }
}

fn sheets_numbers() -> [u8; 52] {
    core::array::from_fn(|i| (i % 4) as u8 + 1)
}
