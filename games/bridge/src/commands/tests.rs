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
            // Only JSON and PBN have a place for the seal.
            let keeps = matches!(format, Format::Json | Format::Pbn);
            let expected: Vec<Record> =
                dealt.iter().map(|(r, _)| Record { sealed: r.sealed.filter(|_| keeps), ..r.clone() }).collect();
            assert_eq!(read(&bytes), Ok(expected), "{format:?}");
        }
    }
    let list: Vec<Record> = dealt.iter().map(|(r, _)| r.clone()).collect();
    assert!(records(&list, &print, Format::Html).unwrap().starts_with(b"<!doctype html>"));
    assert!(curtains(&list, &print, Format::Text).is_ok() && curtains(&list, &print, Format::Pdf).is_ok());
    assert_eq!(curtains(&list, &print, Format::Svg), Err(Refused::Format("curtain cards", Format::Svg)));
    let refused = Refused::Format("the analysis", Format::Pbn);
    assert_eq!(refused.to_string(), "the analysis cannot be written as PBN");
    assert!(single(3, &print, Format::Text, &mut rng).is_ok());
    let found = read_found(&convert(&list[2..4], &print, Format::Plain).unwrap()).unwrap();
    let report = write_check(&check(&list, &found).unwrap(), Language::English);
    assert_eq!(report, "Board 37: The cards are as recorded.\nBoard 38: The cards are as recorded.\n");
    assert_eq!(check(&list[..1], &found), Err(Refused::NoBoard(37)));
    assert_eq!(deal(2, 30_000, &mut rng), Err(Refused::Boards));
    assert!(check_people(50, Rates::default(), Scheme::PAPER, Language::English, &mut rng).contains("50 boards"));
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

#[test]
fn cards_as_found_need_not_be_a_deal() {
    let text = "1 N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432";
    let mut list = read(text.as_bytes()).unwrap();
    let said = |found: &str, list: &[Record], language| {
        write_check(&check(list, &read_found(found.as_bytes()).unwrap()).unwrap(), language)
    };
    // The two of hearts went to North.
    let short = "1 N:AKQJT98765432.2.. .AKQJT9876543.. ..AKQJT98765432. ...AKQJT98765432";
    let english = said(short, &list, Language::English);
    assert!(english.ends_with("cards:\n  North has 14 cards\n  East has 12 cards\n"), "{english}");
    let hungarian = said(short, &list, Language::Hungarian);
    assert!(hungarian.ends_with("Észak: 14 lap\n  Kelet: 12 lap\n"), "{hungarian}");
    let twice = "1 N:AKQJT9876543.A.. .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432";
    let english = said(twice, &list, Language::English);
    assert!(english.contains("♠2 is in no hand") && english.contains("♥A is in more than one hand"), "{english}");
    // One look at a hand is not always enough.
    let one = "1 - - AKQJT98765432... -";
    assert!(said(one, &list, Language::English).contains("looks at this hand next"), "one hand");
    let three = "1 .AKQJT98765432.. AKQJT98765432... - ..AKQJT98765432.";
    let english = said(three, &list, Language::English);
    assert!(english.contains("East → North") && english.contains("North → East"), "{english}");
    for (bad, reason) in [
        ("N:AK.. ...", "line 1, column 1: a line starts with the number of its board"),
        ("1 AA...", "line 1, column 4: ♠A appears twice"),
        ("", "there are no hands in the file"),
    ] {
        assert_eq!(read_found(bad.as_bytes()).unwrap_err().to_string(), reason);
    }
    // Amended records: a renamed suit keeps its results, fouled hands make the record invalid.
    list[0].tricks = crate::dd::Tricks::parse_pbn("0d0000d00000d0000d00");
    let mut amended = list.clone();
    let table = "1 N:.AKQJT98765432.. AKQJT98765432... ..AKQJT98765432. ...AKQJT98765432";
    amend(&mut amended, &read_found(table.as_bytes()).unwrap()).unwrap();
    assert_eq!(amended[0].deal.to_string(), table[2..]);
    amend(&mut amended, &read_found(short.as_bytes()).unwrap()).unwrap();
    assert!(amended[0].invalid);
    swap_suits(&mut list, 1, Suit::Spades, Suit::Hearts).unwrap();
    assert_eq!(list[0].deal.to_string(), table[2..]);
    assert_eq!(list[0].tricks.unwrap().pbn(), "00d0000d000d0000d000");
    assert_eq!(swap_suits(&mut list, 2, Suit::Spades, Suit::Hearts), Err(Refused::NoBoard(2)));
    assert_eq!(invalidate(&mut list, &[1, 9]), Err(Refused::NoBoard(9)));
}

/// BR-17: whoever takes the records home reads at the top which of them are not what was played, and no format that is
/// read again forgets it.
#[test]
fn invalid_records_are_listed() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let mut list = deal(14, 1, &mut rng).unwrap();
    let line = "Invalid records (not what was played): 3, 12";
    for marked in [false, true] {
        if marked {
            invalidate(&mut list, &[12, 3]).unwrap();
        }
        for (language, line) in
            [(Language::English, line), (Language::Hungarian, "Érvénytelen leírások (nem ezt játszották): 3, 12")]
        {
            let print = Print { language, ..Print::default() };
            for format in [Format::Text, Format::Html] {
                let text = String::from_utf8(records(&list, &print, format).unwrap()).unwrap();
                assert_eq!(text.matches(line).count(), usize::from(marked), "{format}");
            }
        }
        for format in [Format::Json, Format::Pbn] {
            let bytes = records(&list, &Print::default(), format).unwrap();
            assert_eq!(read(&bytes), Ok(list.clone()), "{format}");
            let said = String::from_utf8(bytes).unwrap().contains("% Invalid records: 3, 12\r\n");
            assert_eq!(said, marked && format == Format::Pbn);
        }
    }
}
