//! What a page receives about one node and its table.

use outis_table::Seat;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::ask::Start;
use crate::node::tests::Driven;
use crate::node::{Input, Output, ToTable};
use crate::table::{AskId, Back, FromTable, In, Now, Out, Refused, Table, TableAsk};

/// A node with a table that two people share, and a page that watches it.
struct Watcher {
    node: Driven,
    table: Table,
    id: TableName,
    page: Page,
}

impl Watcher {
    fn new() -> Self {
        let mut node = Driven::new();
        let people = Some(vec!["Béla".to_owned()]);
        let plan = Start { dials: Some(vec![1, 0]), beside: people, ..Start::of_game("matching-pennies") };
        node.ask(Ask::Start(Box::new(plan)));
        node.disk_all();
        let open = |out| if let Output::Table(id, ToTable::Open(table)) = out { Some((id, *table)) } else { None };
        let (id, table) = std::mem::take(&mut node.outs).into_iter().find_map(open).expect("a table");
        let mut watcher = Self { node, table, id, page: Page::default() };
        watcher.give(In::Tick);
        watcher
    }

    fn now(&self) -> Now {
        Now { mono: self.node.now(), wall: self.node.now() }
    }

    /// Gives the table an input, and the node what the table reports; returns a view if the table answers with one.
    fn give(&mut self, input: In) -> Option<Shown> {
        self.table.handle(self.now(), input, &mut ChaCha20Rng::seed_from_u64(3));
        let mut shown = None;
        loop {
            match self.table.poll() {
                Out::Idle(_) => return shown,
                Out::From(told) => self.node.give(Input::Table(self.id.clone(), told)),
                Out::Replied(_, Ok(TableReply::Shown(looks))) => shown = Some(*looks),
                Out::Work(seat, work) => {
                    self.table.handle(self.now(), In::Done(seat, work.run(), None), &mut ChaCha20Rng::seed_from_u64(4));
                }
                _ => {}
            }
        }
    }

    fn hand(&mut self, to: Option<Seat>) {
        self.give(In::Asked(AskId(1), TableAsk::Hand(to)));
    }

    fn answers(&mut self, ask: TableAsk) -> Option<Result<TableReply, Refused>> {
        self.table.handle(self.now(), In::Asked(AskId(1), ask), &mut ChaCha20Rng::seed_from_u64(3));
        let mut reply = None;
        loop {
            match self.table.poll() {
                Out::Idle(_) => return reply,
                Out::Append(append) => {
                    let up_to = append.at + append.bytes.len() as u64;
                    let safe = In::Appended { attempt: append.attempt, up_to };
                    self.table.handle(self.now(), safe, &mut ChaCha20Rng::seed_from_u64(4));
                }
                Out::Replied(_, answer) => reply = Some(answer),
                _ => {}
            }
        }
    }

    fn looks(&mut self) -> Shown {
        self.give(In::Asked(AskId(1), TableAsk::Show { steps_from: 0 })).expect("a view")
    }

    fn hear(&mut self, message: &Value) -> Heard {
        self.page.hear(&self.node.node, self.node.now(), &message.to_string())
    }

    fn shows(&mut self, shown: &Shown) -> Vec<Value> {
        self.page.show(&self.node.node, self.node.now(), self.id.clone(), 0, Some(shown))
    }

    fn beat(&mut self) -> News {
        self.page.beat(&self.node.node, self.node.now())
    }
}

/// PAGE-12: a view that waited in a slow tab is not shown if the device was covered in the meantime, or passed to another person.
#[test]
fn what_was_shown_to_one_is_not_shown_after_the_cover() {
    let mut all = Watcher::new();
    assert!(matches!(all.hear(&json!({ "ask": "watch", "table": all.id.clone(), "n": 1 })), Heard::Answer(_)));
    assert_eq!(all.beat().ask.len(), 1);
    all.hand(Some(Seat(0)));
    let shown = all.looks();
    assert!(shown.view.view.is_some() && !all.shows(&shown).is_empty(), "it is theirs");
    all.hand(None);
    assert!(all.shows(&shown).is_empty(), "it is covered");
    all.hand(Some(Seat(1)));
    assert!(all.shows(&shown).is_empty(), "it is somebody else's");
    assert_eq!(all.beat().ask.len(), 1, "and is asked for again");
}

/// A table that cannot go on after a mistake of the program, or that the person left in another tab, is not shown as if it lived.
#[test]
fn a_table_that_is_gone_is_said_to_be_gone() {
    for stumbles in [true, false] {
        let mut all = Watcher::new();
        let id = all.id.clone();
        assert!(matches!(all.hear(&json!({ "ask": "watch", "table": id, "n": 1 })), Heard::Answer(_)));
        assert_eq!(all.beat().ask.len(), 1);
        all.hand(Some(Seat(0)));
        let shown = all.looks();
        assert!(!all.shows(&shown).is_empty());
        all.node.outs.clear();
        if stumbles {
            all.node.give(Input::Table(id.clone(), FromTable::Lost));
            all.node.give(Input::Table(id.clone(), FromTable::Back(Back::Gone(None))));
        } else {
            all.node.ask(Ask::Leave(id.clone()));
            let Some(Ok(leaving)) = all.answers(TableAsk::Leave) else { panic!("it answers") };
            all.node.give(Input::Replied(AskId(1), Ok(leaving)));
            all.node.disk_all();
        }
        for out in std::mem::take(&mut all.node.outs) {
            if let Output::Tell(tell) = out {
                all.page.note(&all.node.node, tell);
            }
        }
        let news = all.beat();
        let gone = json!({ "tell": "gone", "table": id });
        assert!(news.ask.is_empty() && news.messages.contains(&gone), "{:?}", news.messages);
        assert!(all.shows(&shown).is_empty(), "and is watched no more");
    }
}

/// One question at a time, and every step once.
#[test]
fn a_table_is_asked_once_until_it_has_answered() {
    let mut all = Watcher::new();
    let id = all.id.clone();
    assert_eq!(all.page.note(&all.node.node, Tell::Table(id.clone())), None);
    assert!(!all.page.has_news(), "it is not watched");
    let watch = json!({ "ask": "watch", "table": id, "n": "a" });
    assert!(matches!(all.hear(&watch), Heard::Answer(answer) if answer == json!({ "re": "a" })));
    assert_eq!(all.beat().ask, [(id.clone(), 0)]);
    assert!(all.beat().ask.is_empty() && all.page.note(&all.node.node, Tell::Table(id.clone())).is_none());
    assert!(all.beat().ask.is_empty() && all.page.has_news(), "it was asked, and is asked again later");
    let shown = all.looks();
    assert!(!shown.steps.is_empty());
    let told: Vec<Value> = all.shows(&shown).iter().map(|message| message["tell"].clone()).collect();
    assert_eq!(told, ["table", "step"]);
    assert_eq!(all.beat().ask, [(id.clone(), shown.steps.len())]);
    assert_eq!(all.shows(&shown).len(), 1, "it has these steps");
    let unknown = json!({ "ask": "watch", "table": "no", "n": 2 });
    assert!(matches!(all.hear(&unknown), Heard::Answer(answer) if answer["error"]["id"] == "node.error.table"));
    assert!(matches!(all.hear(&json!({ "ask": "unwatch", "table": id, "n": 3 })), Heard::Answer(_)));
    assert!(all.shows(&shown).is_empty() && !all.page.has_news());
}

/// A page that asks too much is refused, then disconnected; after a while it may ask again.
#[test]
fn a_page_that_asks_too_much_is_refused() {
    let mut all = Watcher::new();
    let ask = json!({ "ask": "open", "n": 1 });
    for _ in 0..BUSY {
        assert!(matches!(all.hear(&ask), Heard::Ask(n, Ask::Open) if n == 1));
    }
    assert!(matches!(all.hear(&ask), Heard::Answer(answer) if answer["error"]["id"] == "node.error.busy"));
    for _ in BUSY + 1..FLOOD {
        assert!(matches!(all.hear(&ask), Heard::Answer(_)));
    }
    assert!(matches!(all.hear(&ask), Heard::Flood));
    all.node.later(COUNTED + 1);
    assert!(matches!(all.hear(&ask), Heard::Ask(..)));
    assert!(
        matches!(all.page.hear(&all.node.node, 0, "{"), Heard::Answer(answer) if answer["error"]["id"] == "node.error.request")
    );
}

/// Lists are sent whole, once for any number of changes; after missed messages they are sent again.
#[test]
fn lists_are_sent_on_the_beat() {
    let mut all = Watcher::new();
    for _ in 0..3 {
        for tell in [Tell::Past, Tell::Tables, Tell::Open] {
            assert_eq!(all.page.note(&all.node.node, tell), None);
        }
    }
    let told = |news: News| news.messages.iter().map(|message| message["tell"].clone()).collect::<Vec<_>>();
    assert_eq!(told(all.beat()), ["open", "past", "tables"]);
    assert!(told(all.beat()).is_empty());
    all.page.missed();
    assert_eq!(told(all.beat()), ["open", "past", "tables"]);
    let notice = all.page.note(&all.node.node, Tell::Notice("bad", sorry("disk"), None)).expect("at once");
    assert_eq!((&notice["tell"], &notice["level"]), (&json!("notice"), &json!("bad")));
}
