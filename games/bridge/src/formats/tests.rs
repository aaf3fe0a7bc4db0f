use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use super::*;
use crate::deal::Deal;
use crate::sheet::{Scheme, Sheets};

fn records(n: u16, seed: u64) -> Vec<Record> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    (1..=n).map(|i| Record::new(Board::new(i).unwrap(), Deal::random(&mut rng))).collect()
}

#[test]
fn every_format_reads_what_it_writes() {
    let mut list = records(36, 1);
    for written in [pbn::write("Club \"night\"\n[x]", &list), lin::write(&list), plain::write(&list)] {
        assert_eq!(read(written.as_bytes()).as_ref(), Ok(&list), "{written}");
        assert!(written.is_ascii());
    }
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let boards: Vec<_> =
        list.iter().map(|r| (r.clone(), Some(Sheets::draw(&r.deal, Scheme::EXTRA, &mut rng)))).collect();
    assert_eq!(json::read(&json::write(&boards)), Ok(boards));
    list[0].tricks = crate::dd::Tricks::parse_pbn("59589595896485464854");
    let written = pbn::write("", &list);
    assert_eq!(read(written.as_bytes()).as_ref(), Ok(&list));
    // Without the digits the table of results is enough.
    let without: String =
        written.lines().filter(|l| !l.contains("DoubleDummyTricks")).map(|l| format!("{l}\n")).collect();
    assert_eq!(read(without.as_bytes()), Ok(list));
}

#[test]
fn mistakes_are_named_with_their_place() {
    let list = records(2, 3);
    let text = pbn::write("t", &list);
    let refusal = |from: &str, to: &str| read(text.replacen(from, to, 1).as_bytes()).unwrap_err();
    let line = |needle: &str| text.lines().position(|l| l.contains(needle)).unwrap() + 1;
    let bad = refusal("[Vulnerable \"NS\"]", "[Vulnerable \"some\"]");
    assert_eq!((bad.line, bad.column), (line("\"NS\""), 14), "{bad}");
    let bad = refusal("[Board \"2\"]", "[Board \"0\"]");
    assert_eq!((bad.line, bad.column), (line("Board \"2\""), 9), "{bad}");
    let deal = list[0].deal.pbn(Seat::North);
    let last = deal.chars().next_back().unwrap();
    let bad = refusal(&deal, &format!("{}Z", &deal[..deal.len() - 1]));
    assert_eq!((bad.line, bad.column), (line(&deal), 7 + deal.len()), "{bad}");
    let twice = format!("{}{}", &deal[..deal.len() - 1], if last == 'A' { "AA" } else { "A" });
    let bad = refusal(&deal, &twice);
    assert!(matches!(bad.reason, Reason::Deal(NoDeal::Twice(_) | NoDeal::Missing(_))), "{bad}");
    let bad = refusal("\"]", "]");
    assert_eq!(bad.line, 3, "{bad}");
    assert_eq!(read(b"").unwrap_err().to_string(), "there is no deal in the file");
    // What is shown of a file is short and cannot steer a terminal.
    let long = refusal("[Board \"2\"]", &format!("[Board \"\u{1b}[2J{}\"]", "9".repeat(1000))).to_string();
    assert!(long.chars().count() < 120 && long.contains(r#""\u{1b}[2J999"#), "{long}");
    assert!(long.ends_with("\"… is not a board number"), "{long}");
    assert_eq!(read(b"1 N:AK.Q").unwrap_err().line, 1);
    assert_eq!(read(b"\n[{\"target\":3}]").unwrap_err().line, 2);
    assert_eq!(read(b"qx|o1|\nmd|3SAKX|").unwrap_err(), BadFile::new(2, 8, Reason::Rank(Quoted::new('X'))));
}

/// Nothing that is read may panic; here files of every format are damaged in every way.
#[test]
fn damaged_files_never_panic() {
    let list = records(2, 4);
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let sheets: Vec<_> =
        list.iter().map(|r| (r.clone(), Some(Sheets::draw(&r.deal, Scheme::PAPER, &mut rng)))).collect();
    let files = [pbn::write("é", &list), lin::write(&list), plain::write(&list), json::write(&sheets)];
    for round in 0..12_000 {
        let mut bytes = files[round % 4].clone().into_bytes();
        for _ in 0..1 + rng.next_u32() % 4 {
            let at = rng.next_u32() as usize % bytes.len();
            match rng.next_u32() % 4 {
                0 => bytes[at] = rng.next_u32() as u8,
                1 => bytes.truncate(at.max(1)),
                2 => bytes.insert(at, b"[]\"|:.,%{}\n\xff\xc3"[rng.next_u32() as usize % 13]),
                _ => {
                    let part = bytes[at..(at + 9).min(bytes.len())].to_vec();
                    bytes.splice(at..at, part);
                }
            }
        }
        if let Ok(records) = read(&bytes) {
            assert!(!records.is_empty());
        }
    }
}
