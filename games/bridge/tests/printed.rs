//! Boards dealt with cards from what is printed, and from nothing else: the text is read line by line, the PDF as marks
//! at places on a page, the way eyes do. No structure of the library is looked at until the hands are compared.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use std::collections::BTreeMap;

use outis_bridge::board::Board;
use outis_bridge::card::{Card, Hand, Seat, Suit};
use outis_bridge::commands::{Format, Print, Refused, deal, sheets, sorting, write_sheets};
use outis_bridge::dd::Tricks;
use outis_bridge::deal::Deal;
use outis_bridge::layout::Dealt;
use outis_bridge::record::Record;
use outis_bridge::sheet::{Scheme, check_digit};
use outis_bridge::words::Language;
use outis_bridge::{html, pdf, text};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// What someone reads off the paper about one board.
#[derive(Default)]
struct Paper {
    suits: Vec<Suit>,
    first: Vec<u8>,
    second: Vec<u8>,
    /// For hands 1 to 4, the pocket; from the first sheet, else from the second.
    pockets: Option<[Seat; 4]>,
}

impl Paper {
    /// Deals a pack, card by card.
    fn deal(&self) -> [Hand; 4] {
        let mut pack: Vec<Card> = Vec::new();
        for suit in &self.suits {
            pack.extend((0..13).rev().map(|rank| Card::new(*suit, rank).expect("a card")));
        }
        let mut piles: [Vec<Card>; 4] = Default::default();
        for (card, pile) in pack.into_iter().zip(&self.first) {
            piles[usize::from(*pile) - 1].push(card);
        }
        // Pile 1 on pile 2, both on 3, all on 4; the last of the list is on top.
        let [one, two, three, mut stack] = piles;
        stack.extend(three);
        stack.extend(two);
        stack.extend(one);
        let mut dealt = [Hand::default(); 4];
        for hand in &self.second {
            assert!(dealt[usize::from(*hand) - 1].insert(stack.pop().expect("a card for every number")));
        }
        let mut board = [Hand::default(); 4];
        for (hand, pocket) in dealt.into_iter().zip(self.pockets.expect("where the hands go")) {
            assert_eq!(hand.len(), 13);
            board[pocket.index()] = hand;
        }
        board
    }
}

/// `1 → North   2 → West …`, with the seats in the language of the sheet.
fn pockets(text: &str) -> [Seat; 4] {
    let mut seats = [None; 4];
    for (i, part) in text.split(" → ").skip(1).enumerate() {
        let name = part.split_whitespace().next().expect("a seat");
        let english = ["North", "East", "South", "West"].iter().position(|n| *n == name);
        let seat = english.or_else(|| ["Észak", "Kelet", "Dél", "Nyugat"].iter().position(|n| *n == name));
        seats[i] = seat.map(|i| Seat::ALL[i]);
    }
    seats.map(|s| s.expect("four seats"))
}

fn suits(text: &str) -> Vec<Suit> {
    text.chars().filter(|c| !c.is_ascii()).filter_map(Suit::parse).collect()
}

fn boards(scheme: Scheme) -> Vec<Dealt> {
    let mut rng = ChaCha20Rng::seed_from_u64(7);
    sheets(deal(6, 11, &mut rng).expect("boards"), scheme, &mut rng)
}

fn compare(papers: &BTreeMap<u16, Paper>, boards: &[Dealt]) {
    assert_eq!(papers.len(), boards.len());
    for (record, _) in boards {
        let paper = &papers[&record.board.number()];
        assert_eq!((paper.first.len(), paper.second.len()), (52, 52));
        assert_eq!(paper.deal(), Seat::ALL.map(|s| record.deal.hand(s)), "board {}", record.board);
    }
}

#[test]
fn dealt_from_the_printed_text() {
    for (scheme, language) in [Scheme::EXTRA, Scheme::PAPER, Scheme::THIRD]
        .into_iter()
        .flat_map(|scheme| [(scheme, Language::English), (scheme, Language::Hungarian)])
    {
        let boards = boards(scheme);
        let print = Print { language, ..Print::default() };
        let text = String::from_utf8(write_sheets(&boards, &print, Format::Text).expect("text")).expect("UTF-8");
        let mut papers: BTreeMap<u16, Paper> = BTreeMap::new();
        let (mut board, mut second) = (0, false);
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let numbered = match words.as_slice() {
                ["Board", number, ..] | [number, "kiosztás", ..] => Some(number),
                _ => None,
            };
            if let Some(number) = numbered {
                board = number.trim_end_matches('.').parse().expect("a number");
                if scheme == Scheme::THIRD && line.contains(" → ") {
                    // The third person's sheet has a line for a board, the dealers' have no pockets.
                    let paper = papers.get_mut(&board).expect("a board that was dealt");
                    assert!(paper.pockets.is_none());
                    paper.pockets = Some(pockets(line));
                    continue;
                }
                second = line.contains("SECOND DEAL") || line.contains("MÁSODIK OSZTÁS");
                assert!(second || line.contains("FIRST DEAL") || line.contains("ELSŐ OSZTÁS"));
                continue;
            }
            let paper = papers.entry(board).or_default();
            if words.first() == Some(&"1.") && !second {
                paper.suits = suits(line);
                // The order, then the first card once more.
                assert_eq!(paper.suits.pop(), Some(paper.suits[0]));
            } else if line.contains(" → ") {
                assert_ne!(scheme, Scheme::THIRD, "{line}");
                paper.pockets = Some(pockets(line));
            } else if words.first() == Some(&"[") {
                let row: Vec<u8> = words[2..15].iter().map(|w| w.parse().expect("a digit")).collect();
                let check: String = words[16].chars().filter(char::is_ascii_digit).collect();
                assert_eq!(check, check_digit(&row).to_string(), "{line}");
                let numbers = if second { &mut paper.second } else { &mut paper.first };
                numbers.extend(&row);
                let counts: Vec<usize> = (1..=4).map(|p| numbers.iter().filter(|n| **n == p).count()).collect();
                let said: Vec<usize> = words[words.len() - 4..].iter().map(|w| w.parse().expect("a count")).collect();
                assert_eq!(said, counts);
            }
        }
        papers.remove(&0);
        compare(&papers, &boards);
    }
}

/// Everything that is printed about a record, by format, with one space between words.
fn printed(record: &Record, language: Language) -> [String; 3] {
    let records = [record.clone()];
    let pdf = marks(&pdf::records("", &records, pdf::Paper::A4, language));
    let pdf: Vec<String> = pdf.into_iter().flatten().map(|mark| mark.text).collect();
    let tidy = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    [text::records("", &records, language), html::records("", &records, language), pdf.join(" ")].map(tidy)
}

/// One side, or one seat of it, makes ten tricks in one strain and nobody makes anything else: the line says the contract,
/// then who plays it, then the result, in every format. A seat's letter is also a letter of `NT` (D-7).
#[test]
fn par_names_the_contract_and_who_plays_it() {
    let best = [("4♠", "=", 420), ("4♥", "=", 420), ("1♦", "+3", 130), ("1♣", "+3", 130), ("3NT", "+1", 430)];
    let declarers = [("N", &[0][..]), ("S", &[2]), ("NS", &[0, 2]), ("E", &[1]), ("W", &[3]), ("EW", &[1, 3])];
    let deal = Deal::random(&mut ChaCha20Rng::seed_from_u64(3));
    for (strain, (contract, result, score)) in best.into_iter().enumerate() {
        for (who, seats) in declarers {
            let mut tricks = [[3; 5]; 4];
            seats.iter().for_each(|seat| tricks[*seat][strain] = 10);
            let mut record = Record::new(Board::new(1).expect("a board"), deal);
            record.tricks = Tricks::new(tricks);
            let score = if who.contains(['N', 'S']) { score } else { -score };
            let line = format!("Par: {score:+} {contract} {who} {result}");
            for text in printed(&record, Language::English) {
                assert!(text.contains(&line), "{line} is not in {text}");
            }
        }
    }
}

/// However many contracts reach par, in every format all of them are printed, and partners of one contract together.
#[test]
fn par_is_printed_whole() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    for number in 1..=60 {
        let mut record = Record::new(Board::new(number % 32 + 1).expect("a board"), Deal::random(&mut rng));
        let mut tricks = [[0; 5]; 4];
        for strain in 0..5 {
            let ns = (rng.next_u32() % 14) as u8;
            // Now and then the two hands of a side make different numbers of tricks.
            for (seat, row) in tricks.iter_mut().enumerate() {
                let side = if seat % 2 == 0 { ns } else { 13 - ns };
                row[strain] = side - u8::from(side > 0 && rng.next_u32().is_multiple_of(4));
            }
        }
        record.tricks = Tricks::new(tricks);
        let par = record.par().expect("results are known");
        for text in printed(&record, Language::English) {
            let after = text.split("Par: ").nth(1).expect("par");
            let said = after.split(['<', '\u{c}']).next().expect("a line");
            let mut left: Vec<String> = Vec::new();
            for entry in said.split(", ") {
                let words: Vec<&str> = entry.split(' ').collect();
                // The score stands before the first contract.
                let words = if words[0].starts_with(['+', '-']) { &words[1..] } else { &words[..] };
                let [contract, who, result] = words[..3] else { panic!("{said}") };
                left.extend(who.chars().map(|seat| format!("{contract} {seat} {result}")));
            }
            let mut expected: Vec<String> = par
                .contracts
                .iter()
                .map(|p| {
                    let doubled = if p.doubled { "x" } else { "" };
                    let over = match i32::from(p.tricks) - i32::from(p.level) - 6 {
                        0 => "=".to_owned(),
                        n => format!("{n:+}"),
                    };
                    format!("{}{}{doubled} {} {over}", p.level, p.strain.symbol(), p.declarer.letter())
                })
                .collect();
            left.sort();
            expected.sort();
            assert_eq!(left, expected, "{said}");
        }
    }
}

/// A table of what can be made says levels, the same in every format: nine tricks in notrump are `3`.
#[test]
fn the_table_says_what_can_be_made() {
    let mut record = Record::new(Board::new(1).expect("a board"), Deal::random(&mut ChaCha20Rng::seed_from_u64(5)));
    record.tricks = Tricks::new([[7, 8, 6, 13, 9], [6, 5, 7, 0, 4], [7, 8, 6, 13, 9], [6, 5, 7, 0, 4]]);
    let [text, html, pdf] = printed(&record, Language::English);
    assert!(text.contains("North 3 1 2 – 7 South 3 1 2 – 7 East – – – 1 – West – – – 1 –"), "{text}");
    assert!(html.contains("<td>3</td><td>1</td><td>2</td><td>–</td><td>7</td>"), "{html}");
    assert!(pdf.contains("NT 3 N 3 S – E – W ♠ 1 1 – – ♥ 2 2 – – ♦ – – 1 1 ♣ 7 7 – –"), "{pdf}");
}

/// A text on a page.
struct Mark {
    x: f32,
    y: f32,
    size: f32,
    text: String,
}

/// The texts of every page of a PDF as [`outis_bridge::pdf`] writes them: fonts with a map back to characters, contents
/// uncompressed.
fn marks(file: &[u8]) -> Vec<Vec<Mark>> {
    let text: String = file.iter().map(|b| char::from(*b)).collect();
    let mut fonts: Vec<BTreeMap<&str, char>> = Vec::new();
    let mut pages = Vec::new();
    for stream in text.split("stream\n").skip(1) {
        if stream.contains("begincmap") {
            let pairs = stream.lines().filter_map(|l| l.strip_prefix('<')?.strip_suffix('>')?.split_once("> <"));
            let map = pairs.filter(|(glyph, _)| glyph.len() == 4);
            let back = |code: &str| char::from_u32(u32::from_str_radix(code, 16).expect("hexadecimal"));
            fonts.push(map.map(|(glyph, code)| (glyph, back(code).expect("a character"))).collect());
        } else if stream.contains(" Tj ET") {
            let mut page = Vec::new();
            for line in stream.lines().filter(|l| l.ends_with("Tj ET")) {
                let words: Vec<&str> = line.split("BT ").nth(1).expect("a text").split(' ').collect();
                let number = |i: usize| words[i].parse().expect("a number");
                let font = &fonts[usize::from(words[0] == "/Font1")];
                let glyphs = words[6].trim_matches(['<', '>']);
                let text = (0..glyphs.len() / 4).map(|i| font[&glyphs[4 * i..4 * i + 4]]).collect();
                page.push(Mark { x: number(3), y: number(4), size: number(1), text });
            }
            pages.push(page);
        }
    }
    pages
}

#[test]
fn dealt_from_the_printed_picture() {
    for scheme in [Scheme::EXTRA, Scheme::PAPER, Scheme::THIRD] {
        let boards = boards(scheme);
        let file = write_sheets(&boards, &Print::default(), Format::Pdf).expect("a PDF");
        let mut papers: BTreeMap<u16, Paper> = BTreeMap::new();
        for page in marks(&file) {
            if page.iter().any(|m| m.text == "Sheet for person C") {
                for head in page.iter().filter(|m| m.text.starts_with("Board ")) {
                    // A line for a board; the pockets stand beside its number.
                    let mut line: Vec<&Mark> = page.iter().filter(|m| m.y == head.y && m.text.contains('→')).collect();
                    line.sort_by(|a, b| a.x.total_cmp(&b.x));
                    let said = line.iter().map(|m| m.text.clone()).collect::<Vec<_>>().join("   ");
                    let paper = papers.get_mut(&head.text[6..].parse().expect("a number")).expect("a dealt board");
                    assert!(paper.pockets.replace(pockets(&said)).is_none_or(|old| old == Seat::ALL));
                }
                continue;
            }
            let heads: Vec<&Mark> = page.iter().filter(|m| m.text.starts_with("Board ")).collect();
            for head in &heads {
                // From the head of a board down to the next one.
                let below = heads.iter().map(|h| h.y).filter(|y| *y < head.y).fold(0.0, f32::max);
                let block: Vec<&Mark> = page.iter().filter(|m| m.y <= head.y + 1.0 && m.y > below + 1.0).collect();
                let second = block.iter().any(|m| m.text == "SECOND DEAL");
                assert!(second || block.iter().any(|m| m.text == "FIRST DEAL"));
                let paper = papers.entry(head.text[6..].parse().expect("a number")).or_default();
                // The large digits, in the order in which one reads.
                let mut digits: Vec<&&Mark> = block.iter().filter(|m| m.size == 22.0).collect();
                digits.sort_by(|a, b| b.y.total_cmp(&a.y).then(a.x.total_cmp(&b.x)));
                let numbers = digits.iter().map(|m| m.text.parse().expect("a digit")).collect();
                if second {
                    paper.second = numbers;
                } else {
                    paper.first = numbers;
                    let mut symbols: Vec<&&Mark> = block.iter().filter(|m| m.size == 17.0).collect();
                    symbols.sort_by(|a, b| a.x.total_cmp(&b.x));
                    paper.suits = symbols.iter().flat_map(|m| suits(&m.text)).collect();
                }
                if let Some(mark) = block.iter().find(|m| m.text.contains("1 → ")) {
                    paper.pockets = Some(pockets(&mark.text));
                }
            }
        }
        compare(&papers, &boards);
    }
}

/// BR-17 on paper: once, at the head of the first page, in red.
#[test]
fn invalid_records_are_listed_on_the_first_page() {
    let mut list = deal(14, 1, &mut ChaCha20Rng::seed_from_u64(6)).expect("boards");
    list[2].invalid = true;
    list[11].invalid = true;
    let pages = marks(&pdf::records("", &list, pdf::Paper::A4, Language::English));
    let said = |page: &[Mark]| page.iter().filter(|m| m.text == "Invalid records (not what was played): 3, 12").count();
    assert_eq!(pages.iter().map(|page| said(page)).collect::<Vec<_>>(), [1, 0]);
}

/// BR-22: four packets as the slip says, stacked in the order of any sheet, are the sorted pack of that sheet. The slip
/// itself names no suit: it would tell next week's second dealer the order that BR-25 hides.
#[test]
fn a_sorting_slip_leads_to_the_sorted_pack() {
    let numbers: Vec<Board> = (35..45).map(|n| Board::new(n).expect("a board")).collect();
    let print = Print { title: "Tuesday".to_owned(), ..Print::default() };
    let text = String::from_utf8(sorting(&numbers, &print, Format::Text).expect("text")).expect("UTF-8");
    let slips: Vec<&str> = text.split("[ ] Board ").skip(1).collect();
    assert_eq!(slips.len(), numbers.len());
    let mut rng = ChaCha20Rng::seed_from_u64(8);
    for (slip, board) in slips.iter().zip(&numbers) {
        assert!(slip.starts_with(&format!("{board} ")), "{slip}");
        assert!(!slip.contains(['♠', '♥', '♦', '♣']) && !slip.to_lowercase().contains("spade"), "{slip}");
        // The pack as it was played, and what the steps ask for.
        let deal = Deal::random(&mut rng);
        let mut packets: BTreeMap<char, Vec<Card>> = BTreeMap::new();
        for card in Seat::ALL.iter().flat_map(|seat| deal.hand(*seat).cards().collect::<Vec<_>>()) {
            packets.entry(card.suit().symbol()).or_default().push(card);
        }
        assert!(slip.contains("all four hands") && slip.contains("face down") && slip.contains("the Ace on top"));
        assert!(slip.contains("from the Ace down to the 2"));
        for packet in packets.values_mut() {
            packet.sort_by_key(|card| std::cmp::Reverse(card.rank()));
        }
        let sheets = outis_bridge::sheet::Sheets::draw(&deal, Scheme::EXTRA, &mut rng);
        let stacked: Vec<Card> = sheets.suit_order().iter().flat_map(|suit| packets[&suit.symbol()].clone()).collect();
        assert_eq!(stacked, sheets.sorted());
    }
    // On paper the same, eight to a page.
    let pages = marks(&sorting(&numbers, &print, Format::Pdf).expect("a PDF"));
    let heads = |page: &Vec<Mark>| page.iter().filter(|m| m.text.starts_with("Board ")).count();
    assert_eq!(pages.iter().map(heads).collect::<Vec<_>>(), [8, 2]);
    assert!(pages.iter().flatten().all(|m| !m.text.contains(['♠', '♥', '♦', '♣'])));
    assert!(matches!(sorting(&numbers, &print, Format::Lin), Err(Refused::Format(..))));
}
