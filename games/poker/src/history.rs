//! Hand histories: one hand as JSON, and as the text that trackers and forums know.
//!
//! Both are made from a [`Record`], which holds what everyone saw and the cards of at most one seat: the reader's own.

use core::fmt::Write;

use outis_table::Seat;
use serde_json::{Value, json};

use crate::rules::options::{Game, Limit, Options};
use crate::rules::rank::{Category, worth};
use crate::rules::record::Record;
use crate::rules::{Bet, Card, Event};

/// Whose cards are known beside those that were shown.
pub type Own<'a> = Option<(Seat, &'a [Card])>;

fn names(cards: &[Card]) -> Vec<String> {
    cards.iter().map(Card::to_string).collect()
}

/// A hand as JSON, version 1.
pub fn json(options: &Options, record: &Record, own: Own<'_>) -> Value {
    let event = |event: &Event| match event {
        Event::Bets(seat, bet) => {
            let (what, amount) = match bet {
                Bet::Fold => ("fold", None),
                Bet::Check => ("check", None),
                Bet::Call => ("call", None),
                Bet::To(amount) => ("to", Some(*amount)),
            };
            json!({ "seat": seat.0, "does": what, "amount": amount })
        }
        Event::Board(cards) => json!({ "board": names(cards) }),
        Event::Discards(seat, mask) => json!({ "seat": seat.0, "does": "discard", "number": mask.count_ones() }),
        Event::Shows(seat, Some(cards)) => json!({ "seat": seat.0, "does": "show", "cards": names(cards) }),
        Event::Shows(seat, None) => json!({ "seat": seat.0, "does": "muck" }),
        Event::Dealt => json!({ "deal": "first" }),
        Event::Redealt => json!({ "deal": "second" }),
        Event::In(_) | Event::Own(_) => Value::Null,
    };
    let events: Vec<Value> = record.events.iter().map(event).filter(|value| !value.is_null()).collect();
    let parts =
        |parts: &[(Seat, u32)]| parts.iter().map(|(s, c)| json!({ "seat": s.0, "chips": c })).collect::<Vec<_>>();
    let own = own.filter(|(_, cards)| !cards.is_empty());
    json!({
        "version": 1,
        "number": record.number,
        "game": match options.game { Game::Holdem => "holdem", Game::Draw => "draw" },
        "limit": match options.limit { Limit::None => "none", Limit::Fixed => "fixed" },
        "small_blind": options.small(), "big_blind": options.big(), "ante": options.ante,
        "button": record.button.0,
        "playing": record.playing.iter().map(|seat| seat.0).collect::<Vec<_>>(),
        "small_blind_seat": record.small.map(|seat| seat.0), "big_blind_seat": record.big.map(|seat| seat.0),
        "before": record.before, "after": record.after,
        "own": own.map(|(seat, cards)| json!({ "seat": seat.0, "cards": names(cards) })),
        "events": events,
        "returned": record.returned.map(|(seat, chips)| json!({ "seat": seat.0, "chips": chips })),
        "pots": record.awards.iter().map(|award| json!({ "chips": award.chips, "to": parts(&award.parts) }))
            .collect::<Vec<_>>(),
    })
}

/// A hand as text. Names are whatever the caller calls the seats; control characters in them are left out.
pub fn text(options: &Options, table: &str, record: &Record, own: Own<'_>, name: &dyn Fn(Seat) -> String) -> String {
    Writer {
        options,
        record,
        own,
        name,
        out: String::new(),
        left: record.before.clone(),
        bets: vec![0; record.before.len()],
        asked: 0,
    }
    .write(table)
}

struct Writer<'a> {
    options: &'a Options,
    record: &'a Record,
    own: Own<'a>,
    name: &'a dyn Fn(Seat) -> String,
    out: String,
    /// Chips that each seat has not put in.
    left: Vec<u32>,
    bets: Vec<u32>,
    asked: u32,
}

impl Writer<'_> {
    fn name(&self, seat: Seat) -> String {
        (self.name)(seat).chars().filter(|c| !c.is_control()).collect()
    }

    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{line}");
    }

    fn write(mut self, table: &str) -> String {
        let (options, record) = (self.options, self.record);
        let game = match options.game {
            Game::Holdem => "Hold'em",
            Game::Draw => "5 Card Draw",
        };
        let (limit, stakes) = match options.limit {
            Limit::None => ("No Limit", (options.small(), options.big())),
            Limit::Fixed => ("Limit", (options.big(), 2 * options.big())),
        };
        let number = u32::from(record.number) + 1;
        self.line(&format!("Outis Hand #{number}: {game} {limit} ({}/{} play money)", stakes.0, stakes.1));
        let table: String = table.chars().filter(|c| !c.is_control() && *c != '\'').collect();
        let button = record.button.0 + 1;
        self.line(&format!("Table '{table}' {}-max Seat #{button} is the button", record.before.len()));
        for (seat, chips) in (0u8..).map(Seat).zip(&record.before).filter(|(_, chips)| **chips > 0) {
            let out = if record.playing.contains(seat) { "" } else { " is sitting out" };
            let who = self.name(seat);
            self.line(&format!("Seat {}: {who} ({chips} in chips){out}", seat.0 + 1));
        }
        self.blinds();
        for event in &record.events {
            self.event(event);
        }
        self.end();
        self.out
    }

    fn blinds(&mut self) {
        let (options, record) = (self.options, self.record);
        let (Some(small), Some(big)) = (record.small, record.big) else { return };
        let ante = u32::from(options.ante);
        for seat in
            (0..self.left.len() as u8).map(Seat).filter(|seat| ante > 0 && record.before[usize::from(seat.0)] > 0)
        {
            let paid = self.pay(seat, ante);
            let who = self.name(seat);
            self.line(&format!("{who}: posts the ante {paid}"));
        }
        for (seat, blind, what) in [(small, options.small(), "small"), (big, options.big(), "big")] {
            let paid = self.pay(seat, blind);
            self.bets[usize::from(seat.0)] = paid;
            let who = self.name(seat);
            self.line(&format!("{who}: posts {what} blind {paid}"));
        }
        self.asked = options.big();
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Dealt => {
                let title = if self.options.game == Game::Holdem { "HOLE CARDS" } else { "DEALING HANDS" };
                self.line(&format!("*** {title} ***"));
                // What was held in the end; with a draw the first cards are not kept.
                if let (Some((seat, cards)), Game::Holdem) = (self.own, self.options.game)
                    && !cards.is_empty()
                {
                    let who = self.name(seat);
                    self.line(&format!("Dealt to {who} [{}]", names(cards).join(" ")));
                }
            }
            Event::Bets(seat, bet) => self.bet(*seat, *bet),
            Event::Board(cards) => {
                self.new_street();
                self.board(cards);
            }
            Event::Discards(seat, mask) => {
                self.new_street();
                let who = self.name(*seat);
                match mask.count_ones() {
                    0 => self.line(&format!("{who}: stands pat")),
                    1 => self.line(&format!("{who}: discards 1 card")),
                    n => self.line(&format!("{who}: discards {n} cards")),
                }
            }
            Event::Redealt => {
                if let Some((seat, cards)) = self.own.filter(|(_, cards)| !cards.is_empty()) {
                    let who = self.name(seat);
                    self.line(&format!("Dealt to {who} [{}]", names(cards).join(" ")));
                }
            }
            Event::Shows(seat, shown) => {
                if !self.out.contains("*** SHOW DOWN ***") {
                    self.line("*** SHOW DOWN ***");
                }
                let who = self.name(*seat);
                match shown {
                    None => self.line(&format!("{who}: mucks hand")),
                    Some(cards) => {
                        let all = [&cards[..], &self.record.board()].concat();
                        let what = class(worth(&all).category());
                        self.line(&format!("{who}: shows [{}] ({what})", names(cards).join(" ")));
                    }
                }
            }
            Event::In(_) | Event::Own(_) => {}
        }
    }

    /// This many chips, or all that the seat has left.
    fn pay(&mut self, seat: Seat, chips: u32) -> u32 {
        let left = &mut self.left[usize::from(seat.0)];
        let paid = chips.min(*left);
        *left -= paid;
        paid
    }

    fn new_street(&mut self) {
        self.bets.fill(0);
        self.asked = 0;
    }

    /// A board that is run out at once is still shown street by street.
    fn board(&mut self, cards: &[Card]) {
        let board = self.record.board();
        let mut had = board.iter().position(|card| Some(card) == cards.first()).unwrap_or(0);
        let end = had + cards.len();
        while had < end {
            let (title, next) = match had {
                0 => ("FLOP", 3),
                3 => ("TURN", 4),
                _ => ("RIVER", had + 1),
            };
            let next = next.min(end);
            let before = if had == 0 { String::new() } else { format!("[{}] ", names(&board[..had]).join(" ")) };
            self.line(&format!("*** {title} *** {before}[{}]", names(&board[had..next]).join(" ")));
            had = next;
        }
    }

    fn bet(&mut self, seat: Seat, bet: Bet) {
        let (who, at) = (self.name(seat), usize::from(seat.0));
        match bet {
            Bet::Fold => self.line(&format!("{who}: folds")),
            Bet::Check => self.line(&format!("{who}: checks")),
            Bet::Call => {
                let paid = self.pay(seat, self.asked.saturating_sub(self.bets[at]));
                self.bets[at] += paid;
                self.line(&format!("{who}: calls {paid}"));
            }
            Bet::To(amount) => {
                let by = amount.saturating_sub(self.asked);
                let words = if self.asked == 0 { format!("bets {amount}") } else { format!("raises {by} to {amount}") };
                self.pay(seat, amount.saturating_sub(self.bets[at]));
                self.bets[at] = amount;
                self.asked = amount;
                self.line(&format!("{who}: {words}"));
            }
        }
    }

    fn end(&mut self) {
        let record = self.record;
        if let Some((seat, chips)) = record.returned {
            let who = self.name(seat);
            self.line(&format!("Uncalled bet ({chips}) returned to {who}"));
        }
        let several = record.awards.len() > 1;
        for (i, award) in record.awards.iter().enumerate() {
            let pot = match (several, i) {
                (false, _) => "pot".to_owned(),
                (true, 0) => "main pot".to_owned(),
                (true, i) => format!("side pot-{i}"),
            };
            for (seat, chips) in &award.parts {
                let who = self.name(*seat);
                self.line(&format!("{who} collected {chips} from {pot}"));
            }
        }
        self.line("*** SUMMARY ***");
        let total: u32 = record.awards.iter().map(|award| award.chips).sum();
        self.line(&format!("Total pot {total} | Rake 0"));
        let board = record.board();
        if !board.is_empty() {
            self.line(&format!("Board [{}]", names(&board).join(" ")));
        }
    }
}

fn class(category: Category) -> &'static str {
    match category {
        Category::HighCard => "high card",
        Category::Pair => "a pair",
        Category::TwoPair => "two pair",
        Category::ThreeOfAKind => "three of a kind",
        Category::Straight => "a straight",
        Category::Flush => "a flush",
        Category::FullHouse => "a full house",
        Category::FourOfAKind => "four of a kind",
        Category::StraightFlush => "a straight flush",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Options, Public};

    #[test]
    fn a_hand_as_text_and_as_json() {
        let mut table = Public::new(&Options { ante: 1, ..Options::USUAL }, 3);
        let cards = |text: &str| -> Vec<Card> { text.split(' ').map(|c| Card::parse(c).unwrap()).collect() };
        let events = [
            Event::Dealt,
            Event::Bets(Seat(0), Bet::To(30)),
            Event::Bets(Seat(1), Bet::Fold),
            Event::Bets(Seat(2), Bet::Call),
            Event::Board(cards("2c 7d Th")),
            Event::Bets(Seat(2), Bet::Check),
            Event::Bets(Seat(0), Bet::To(100)),
            Event::Bets(Seat(2), Bet::Call),
            Event::Board(cards("Jh")),
            Event::Bets(Seat(2), Bet::Check),
            Event::Bets(Seat(0), Bet::Check),
            Event::Board(cards("3s")),
            Event::Bets(Seat(2), Bet::Check),
            Event::Bets(Seat(0), Bet::To(50)),
            Event::Bets(Seat(2), Bet::Call),
            Event::Shows(Seat(0), Some(cards("Ac Ad"))),
            Event::Shows(Seat(2), None),
        ];
        for event in &events {
            table.apply(event).unwrap();
        }
        let own = cards("9c 9d");
        let name = |seat: Seat| ["Anna", "Béla\n*** SUMMARY ***", "Cili"][usize::from(seat.0)].to_owned();
        let written = text(&table.options, "outis", &table.past[0], Some((Seat(2), &own)), &name);
        let expected = "\
Outis Hand #1: Hold'em No Limit (5/10 play money)
Table 'outis' 3-max Seat #1 is the button
Seat 1: Anna (1000 in chips)
Seat 2: Béla*** SUMMARY *** (1000 in chips)
Seat 3: Cili (1000 in chips)
Anna: posts the ante 1
Béla*** SUMMARY ***: posts the ante 1
Cili: posts the ante 1
Béla*** SUMMARY ***: posts small blind 5
Cili: posts big blind 10
*** HOLE CARDS ***
Dealt to Cili [9c 9d]
Anna: raises 20 to 30
Béla*** SUMMARY ***: folds
Cili: calls 20
*** FLOP *** [2c 7d Th]
Cili: checks
Anna: bets 100
Cili: calls 100
*** TURN *** [2c 7d Th] [Jh]
Cili: checks
Anna: checks
*** RIVER *** [2c 7d Th Jh] [3s]
Cili: checks
Anna: bets 50
Cili: calls 50
*** SHOW DOWN ***
Anna: shows [Ac Ad] (a pair)
Cili: mucks hand
Anna collected 368 from pot
*** SUMMARY ***
Total pot 368 | Rake 0
Board [2c 7d Th Jh 3s]
";
        assert_eq!(written, expected);
        let value = json(&table.options, &table.past[0], None);
        assert!(value["own"].is_null() && !value.to_string().contains("9c"), "nobody's cards but one's own");
        assert_eq!(value["pots"][0]["to"][0]["chips"], 368);
        assert_eq!(value["events"].as_array().unwrap().len(), 17);
    }

    #[test]
    fn a_board_that_is_run_out_is_told_street_by_street() {
        let mut table = Public::new(&Options::USUAL, 2);
        let cards = |text: &str| -> Vec<Card> { text.split(' ').map(|c| Card::parse(c).unwrap()).collect() };
        let events = [
            Event::Dealt,
            Event::Bets(Seat(0), Bet::To(1000)),
            Event::Bets(Seat(1), Bet::Call),
            Event::Board(cards("2c 7d Th Jh 3s")),
            // The board was run out: the first left of the button shows first (PD-11).
            Event::Shows(Seat(1), Some(cards("Ac Ad"))),
            Event::Shows(Seat(0), Some(cards("Kc Kd"))),
        ];
        for event in &events {
            table.apply(event).unwrap();
        }
        let written = text(&table.options, "outis", &table.past[0], None, &|seat| format!("S{}", seat.0));
        let streets = "\
S0: raises 990 to 1000
S1: calls 990
*** FLOP *** [2c 7d Th]
*** TURN *** [2c 7d Th] [Jh]
*** RIVER *** [2c 7d Th Jh] [3s]
*** SHOW DOWN ***
S1: shows [Ac Ad] (a pair)
S0: shows [Kc Kd] (a pair)
S1 collected 2000 from pot
";
        assert!(written.contains(streets), "{written}");
    }

    #[test]
    fn a_call_with_less_is_shown_with_what_the_seat_has() {
        let mut table = Public::new(&Options::USUAL, 2);
        table.stacks[1] = 290;
        table.hand.record.before[1] = 300;
        for event in [Event::Dealt, Event::Bets(Seat(0), Bet::To(1000)), Event::Bets(Seat(1), Bet::Call)] {
            table.apply(&event).unwrap();
        }
        let written = text(&table.options, "outis", &table.hand.record, None, &|seat| format!("S{}", seat.0));
        assert!(written.contains("S0: raises 990 to 1000\nS1: calls 290\n"), "{written}");
    }
}
