//! Why a file of deals is refused, as texts for page and terminal.

use outis_bridge::card::Seat;
use outis_bridge::commands::Refused;
use outis_bridge::deal::NoDeal;
use outis_bridge::formats::{BadFile, BadToss, Quoted, Reason};
use outis_bridge::sheet::{BadSheets, SheetName};
use outis_game::words::{Arg, Text};

/// What is wrong with a file, and where.
pub fn with_place(bad: &BadFile) -> Text {
    let why = reason(&bad.reason);
    let (line, column) = (bad.line as i64, bad.column as i64);
    match (line, column) {
        (0, _) => why,
        (line, 0) => Text::new("node.bad.at.line").with("line", line).with("why", why),
        (line, column) => Text::new("node.bad.at").with("line", line).with("column", column).with("why", why),
    }
}

/// Why a command refuses its input; problems with the command line alone have no text.
pub fn of_input(refused: &Refused) -> Option<Text> {
    match refused {
        Refused::File(bad) => Some(with_place(bad)),
        Refused::NoBoard(board) => Some(Text::new("terminal.bridge.no-record").with("board", i64::from(*board))),
        _ => None,
    }
}

/// The text for one reason.
pub fn reason(reason: &Reason) -> Text {
    let said = Text::new;
    let shown = |id: &str, value: &Quoted| Text::new(id).with("value", Arg::Plain(value.to_string()));
    match reason {
        Reason::TooLarge => said("node.bad.large").with("n", Reason::MAX_MEGABYTES as i64),
        Reason::NoDeals => said("node.bad.no-deal"),
        Reason::NoHands => said("node.bad.no-hands"),
        Reason::ManyBoards(most) => said("node.bad.many-boards").with("n", i64::from(*most)),
        Reason::HandMissing => said("node.bad.hand-missing"),
        Reason::FirstSeat => said("node.bad.first-seat"),
        Reason::Colon => said("node.bad.colon"),
        Reason::FourHoldings => said("node.bad.four-holdings"),
        Reason::ManyHoldings => said("node.bad.many-holdings"),
        Reason::ManyHands => said("node.bad.many-hands"),
        Reason::Rank(value) => shown("node.bad.rank", value),
        Reason::RankFirst => said("node.bad.rank-first"),
        Reason::Suit(value) => shown("node.bad.suit", value),
        Reason::Card(value) => shown("node.bad.card", value),
        Reason::Seat(value) => shown("node.bad.seat", value),
        Reason::Board(value) => shown("node.bad.board", value),
        Reason::BoardFirst => said("node.bad.board-first"),
        Reason::NoBoard => said("node.bad.no-board"),
        Reason::Vulnerability(value) => shown("node.bad.vulnerability", value),
        Reason::DealerNumber => said("node.bad.dealer-number"),
        Reason::TagValue => said("node.bad.tag-value"),
        Reason::TagQuote => said("node.bad.tag-quote"),
        Reason::TagBracket => said("node.bad.tag-bracket"),
        Reason::Tricks => said("node.bad.tricks"),
        Reason::Sealed => said("node.bad.sealed"),
        Reason::Row => said("node.bad.row"),
        Reason::Deal(why) => no_deal(why),
        Reason::Sheets(why) => no_sheets(why),
        Reason::SheetLength(sheet) => said("node.bad.sheet-length").with("sheet", name(*sheet)),
        Reason::SheetTarget => said("node.bad.sheet-target"),
        Reason::JsonSyntax => said("node.bad.json.syntax"),
        Reason::JsonEnd => said("node.bad.json.end"),
        Reason::JsonContent => said("node.bad.json.content"),
        Reason::InDeal { number, why } => {
            said("node.bad.in-deal").with("n", *number as i64).with("why", self::reason(why))
        }
        Reason::Toss(why) => no_toss(*why),
    }
}

fn no_deal(why: &NoDeal) -> Text {
    match why {
        NoDeal::Twice(card) => Text::new("node.bad.twice").with("card", Arg::Plain(card.symbols())),
        NoDeal::Missing(card) => Text::new("node.bad.missing").with("card", Arg::Plain(card.symbols())),
        NoDeal::Count(seat, n) => Text::new("node.bad.count").with("seat", compass(*seat)).with("n", *n as i64),
    }
}

fn no_sheets(why: &BadSheets) -> Text {
    match why {
        BadSheets::SuitOrder => Text::new("node.bad.suit-order"),
        BadSheets::Number { sheet, position } => {
            Text::new("node.bad.sheet-number").with("position", *position as i64).with("sheet", name(*sheet))
        }
        BadSheets::Extra => Text::new("node.bad.extra"),
        BadSheets::Hands(why) => no_deal(why),
    }
}

fn no_toss(why: BadToss) -> Text {
    Text::new(match why {
        BadToss::Line => "terminal.toss.bad.line",
        BadToss::Needs => "terminal.toss.bad.needs",
        BadToss::Clubs => "terminal.toss.bad.clubs",
        BadToss::Boards => "terminal.toss.bad.boards",
        BadToss::NoBoards => {
            let most = i64::from(outis_bridge::board::Board::MAX);
            return Text::new("terminal.toss.bad.no-boards").with("n", most);
        }
        BadToss::Differs => "terminal.toss.bad.differs",
        BadToss::Part => "terminal.toss.bad.part",
        BadToss::NoClub => "terminal.toss.bad.no-club",
        BadToss::Commitment => "terminal.toss.bad.commitment",
        BadToss::Reveal => "terminal.toss.bad.reveal",
        BadToss::Changed => "terminal.toss.bad.changed",
    })
}

fn name(sheet: SheetName) -> Text {
    Text::new(match sheet {
        SheetName::First => "node.bad.sheet.first",
        SheetName::Second => "node.bad.sheet.second",
    })
}

fn compass(seat: Seat) -> Text {
    Text::new(match seat {
        Seat::North => "page.bridge.seat.N",
        Seat::East => "page.bridge.seat.E",
        Seat::South => "page.bridge.seat.S",
        Seat::West => "page.bridge.seat.W",
    })
}

#[cfg(test)]
mod tests {
    use outis_bridge::card::Card;
    use outis_bridge::formats;
    use outis_bridge::toss::Joint;
    use outis_game::words::Language;

    use super::*;
    use crate::speech::everything;

    /// A refused file for each reason that a file can cause; the other reasons are made directly.
    fn every_reason() -> Vec<Reason> {
        let full = "AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432";
        let deal = |sheets: &str| {
            let hand = |suit: char| {
                "AKQJT98765432".chars().map(|rank| format!("\"{suit}{rank}\"")).collect::<Vec<_>>().join(",")
            };
            let [n, e, s, w] = ['S', 'H', 'D', 'C'].map(hand);
            format!(r#"[{{"target":{{"N":[{n}],"E":[{e}],"S":[{s}],"W":[{w}]}}{sheets}}}]"#)
        };
        let sheets = |order: &str, first: &[u8], second: &[u8], more: &str| {
            let [one, two] = [first, second].map(|numbers| serde_json::to_string(numbers).unwrap());
            let order: Vec<String> = order.chars().map(|c| format!("\"{c}\"")).collect();
            deal(&format!(r#","suit_order":[{}],"first":{one},"second":{two}{more}"#, order.join(",")))
        };
        let piles: Vec<u8> = (0..52).map(|i| i / 13 + 1).collect();
        let (mut zero, mut other) = (piles.clone(), piles.clone());
        zero[7] = 0;
        other.swap(0, 51);
        let tag = |tag: &str| format!("[Event \"\"]\n{tag}\n[Deal \"N:{full}\"]\n");
        let files = [
            "x".repeat(17 << 20),
            String::new(),
            (1..=2).fold(String::new(), |all, _| format!("{all}{full}\n")).replacen("AKQ", "30000 AKQ", 1),
            full.replacen("AKQJT98765432...", "-", 1),
            "[Deal \"X:AK\"]".into(),
            "[Deal \"N AK\"]".into(),
            "AK.Q x".into(),
            "AK.Q.... x".into(),
            format!("{full} A..."),
            "AX... . . .".into(),
            "md|3AK|".into(),
            sheets("SHDX", &piles, &piles, ""),
            deal("").replacen("SA", "S1", 1),
            tag("[Dealer \"Q\"]"),
            tag("[Board \"0\"]"),
            deal(",\"board\":0"),
            tag("[Vulnerable \"xyz\"]"),
            "md|9SAK|".into(),
            tag("[Dealer N]"),
            tag("[Dealer \"N]"),
            tag("[Dealer \"N\""),
            tag("[DoubleDummyTricks \"x\"]"),
            tag("[OutisSealed \"x\"]"),
            tag("[OptimumResultTable \"x\"]\nN Q 3"),
            full.replacen("A...", "AA...", 1).replacen("AKQ", "AAKQ", 1),
            full.replacen("32...", "3...", 1),
            full.replacen("2... ", "... 2", 1),
            sheets("SSDC", &piles, &piles, ""),
            sheets("SHDC", &zero, &piles, ""),
            sheets("SHDC", &piles, &zero, ""),
            sheets("SHDC", &piles, &piles, ",\"extra\":[1,1,2,3]"),
            sheets("SHDC", &piles[1..], &piles, ""),
            sheets("SHDC", &piles, &piles[1..], ""),
            sheets("SHDC", &piles, &other, ""),
            "[{,}]".into(),
            "[{".into(),
            "[{}]".into(),
        ];
        let mut all: Vec<Reason> = Vec::new();
        for (n, file) in files.iter().enumerate() {
            let refused = formats::read(file.as_bytes());
            all.push(
                refused.err().unwrap_or_else(|| panic!("file {n} is read: {}", &file[..file.len().min(200)])).reason,
            );
        }
        for found in ["", "AK..."] {
            all.push(formats::read_found(found.as_bytes()).unwrap_err().reason);
        }
        let toss = "about x\nclubs 2\nboards 3 from 4\n";
        let part = |part: &str| format!("{toss}{part}\n");
        let parts = [
            "hello".to_owned(),
            "clubs x".into(),
            "boards 3".into(),
            "clubs 3".into(),
            "reveal x".into(),
            "reveal 3 00".into(),
            "commitment 1 00".into(),
            "reveal 1 00".into(),
            format!("commitment 1 {}\ncommitment 1 {}", "00".repeat(32), "01".repeat(32)),
        ];
        let texts = parts.iter().map(|line| part(line));
        let texts = texts.chain(["about x".into(), toss.replace("from 4", "from 0")]);
        all.extend(texts.map(|text| Joint::read(&text).expect_err(&text).reason));
        let card = Card::parse("SA").unwrap();
        all.extend([NoDeal::Twice(card), NoDeal::Missing(card), NoDeal::Count(Seat::West, 1)].map(Reason::Deal));
        all
    }

    fn ids(text: &Text) -> Vec<String> {
        let inner =
            text.args.iter().filter_map(|(_, arg)| if let Arg::Text(text) = arg { Some(ids(text)) } else { None });
        core::iter::once(text.id.clone()).chain(inner.flatten()).collect()
    }

    #[test]
    fn every_reason_is_said_in_both_languages() {
        let [english, hungarian] = Language::ALL.map(everything);
        let say = |words: &outis_game::words::Catalogue, text: &Text| words.say(text, &|_| String::new());
        let mut used: Vec<String> = Vec::new();
        for why in every_reason() {
            let text = reason(&why);
            let [en, hu] = [&english, &hungarian].map(|words| say(words, &text));
            assert_eq!(en, why.to_string(), "the library's words and the catalogue's are the same");
            // Lines of a file are quoted unchanged.
            let known = ["Outis", "JSON", "about", "clubs", "boards", "from"];
            let words = |said: &str| said.split(|c: char| !c.is_alphabetic()).map(str::to_owned).collect::<Vec<_>>();
            let english = words(&en).into_iter().filter(|word| word.len() > 3 && !known.contains(&&**word));
            let left = english.filter(|word| words(&hu).contains(word)).collect::<Vec<_>>();
            assert!(en != hu && left.is_empty(), "{hu}: {left:?}");
            assert!(!hu.contains("node.") && !hu.contains("terminal.") && !hu.contains('{'), "{hu}");
            used.extend(ids(&text));
        }
        let at = |id: &str| id.starts_with("node.bad.at");
        let mut missed = english.ids().filter(|id| id.starts_with("node.bad.") || id.starts_with("terminal.toss.bad."));
        assert_eq!(missed.find(|id| !at(id) && !used.iter().any(|used| used == id)), None, "no file is refused for it");
    }

    #[test]
    fn a_place_is_said_as_far_as_it_is_known() {
        let say = |language, bad: &BadFile| everything(language).say(&with_place(bad), &|_| String::new());
        for (line, column) in [(0, 0), (3, 0), (3, 9)] {
            let bad = BadFile { line, column, reason: Reason::FourHoldings };
            assert_eq!(say(Language::En, &bad), bad.to_string());
        }
        let bad = BadFile { line: 3, column: 9, reason: Reason::Colon };
        assert_eq!(say(Language::Hu, &bad), "3. sor, 9. oszlop: az első hely után hiányzik a kettőspont");
    }
}
