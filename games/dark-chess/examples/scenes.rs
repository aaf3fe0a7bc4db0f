//! Moments of games as the page gets them, for its tests:
//! `cargo run -p outis-dark-chess --example scenes > apps/outis/web-tests/dark-chess.json`.

use outis_dark_chess::rules::game::{DarkChess, Ground};
use outis_dark_chess::rules::knowledge::Action;
use outis_dark_chess::rules::options::Options;
use outis_dark_chess::view::{self, story, text};
use outis_table::Seat;
use outis_table::game::{Observer, Rules};
use outis_table::words::Text;
use serde_json::{Map, Value, json};

/// An Italian game in the fog: castling, and queens that go for the king.
const MIDDLE: &str = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 e1g1 d7d6 c2c3 c8g4 b1d2 d8d7 f3e5 d6e5 d1g4 d7g4 f2f3 g4h5 b2b4";
/// White's pawn goes far.
const PAWN: &str = "a2a4 b7b5 a4b5 c7c6 b5b6 d7d5 b6a7 c8f5 d2d3 e7e6";
/// Black overlooks the bishop.
const KING: &str = "e2e4 e7e5 d1h5 b8c6 f1c4 g7g6 c4f7 a7a6 f7e8";

fn after(line: &str) -> Ground {
    let mut ground = DarkChess::start(&Options { review: true, ..Options::default() }, 2);
    for uci in line.split_ascii_whitespace() {
        let mv = ground.position().moves().into_iter().find(|mv| mv.to_string() == uci);
        let seat = Seat((ground.moves().len() % 2) as u8);
        let done = mv.map(|mv| DarkChess::apply(&mut ground, seat, &Action::Move(mv)));
        assert!(matches!(done, Some(Ok(()))), "{uci}");
    }
    ground
}

fn scene(ground: &Ground, seat: u8) -> Value {
    let k = DarkChess::observe(ground, Observer::Seat(Seat(seat)));
    let texts = |list: Vec<Text>| list.iter().map(Text::to_json).collect::<Vec<_>>();
    let actions: Vec<Value> = k
        .legal()
        .iter()
        .map(|action| {
            json!({ "token": view::token(action), "caption": text::caption(&k, action).to_json(),
                    "caution": texts(text::caution(&k, action)) })
        })
        .collect();
    json!({ "view": view::view(&k), "lines": texts(story::lines(&k)), "actions": actions, "me": seat,
            "turn": k.options.seat(k.public.turn()).0, "scores": k.public.scores(&k.options), "over": k.public.is_over() })
}

fn main() {
    let (middle, pawn, mut king) = (after(MIDDLE), after(PAWN), after(KING));
    let mut scenes = Map::new();
    let mut add = |name: &str, scene: Value| scenes.insert(format!("dark-chess-{name}"), scene);
    add("start", scene(&after(""), 0));
    add("turn", scene(&middle, 1));
    add("wait", scene(&middle, 0));
    add("promote", scene(&pawn, 0));
    add("asked", scene(&king, 0));
    for seat in [0, 1] {
        let shown = DarkChess::apply(&mut king, Seat(seat), &Action::Show);
        assert!(shown.is_ok());
    }
    add("over", scene(&king, 1));
    println!("{}", Value::Object(scenes));
}
