use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;

#[test]
fn a_club_evening() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let print = Print { title: "Tuesday".to_owned(), ..Print::default() };
    let dealt = sheets(deal(6, 35, &mut rng).unwrap(), Scheme::PAPER, &mut rng);
    for format in [Format::Pdf, Format::Text, Format::Json, Format::Pbn, Format::Lin, Format::Plain] {
        let bytes = write_sheets(&dealt, &print, format).unwrap();
        assert!(bytes.len() > 200, "{format:?}");
        if !matches!(format, Format::Pdf | Format::Text) {
            let back = read(&bytes).unwrap();
            assert!(back.iter().zip(&dealt).all(|(a, (b, _))| a == b) && back.len() == 6, "{format:?}");
        }
    }
    let list: Vec<Record> = dealt.iter().map(|(r, _)| r.clone()).collect();
    assert!(records(&list, &print, Format::Html).unwrap().starts_with(b"<!doctype html>"));
    assert!(curtains(&list, &print, Format::Text).is_ok() && curtains(&list, &print, Format::Pdf).is_ok());
    assert_eq!(curtains(&list, &print, Format::Svg), Err(Refused::Format("curtain cards", Format::Svg)));
    assert!(single(3, &print, Format::Text, &mut rng).is_ok());
    let report = check(&list, &list[2..4]).unwrap();
    assert_eq!(report, "Board 37: The cards are as recorded.\nBoard 38: The cards are as recorded.\n");
    assert_eq!(check(&list[..1], &list), Err(Refused::NoBoard(36)));
    assert_eq!(deal(2, 9999, &mut rng), Err(Refused::Boards));
    assert!(check_people(50, Rates::default(), Scheme::PAPER, &mut rng).contains("50 boards"));
}

#[test]
fn titles_cannot_break_out() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let title = "x\"]\n[Deal \"<script>|md|\u{1b}[31m";
    let print = Print { title: title.to_owned(), ..Print::default() };
    let list = deal(2, 1, &mut rng).unwrap();
    assert_eq!(read(&records(&list, &print, Format::Pbn).unwrap()).unwrap(), list);
    let page = String::from_utf8(records(&list, &print, Format::Html).unwrap()).unwrap();
    assert!(!page.contains("<script>"));
    let plain = String::from_utf8(records(&list, &print, Format::Text).unwrap()).unwrap();
    assert!(!plain.contains('\u{1b}'));
}
