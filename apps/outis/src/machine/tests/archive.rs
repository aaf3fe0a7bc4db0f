//! The archive as the page sees it: the node finds, fetches and checks a game, and detects what a dishonest lobby or
//! verifier says about it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use outis_meeting::archive::{Consent, GameVerdict, Outcome, Shelved};
use outis_meeting::notice::Signed;
use outis_meeting::wire::{Answer, Refusal, Request};
use outis_table::codec::{Decode, Encode};
use outis_table::identity::Identity;
use serde_json::{Value, json};

use crate::machine::tables::lock;
use crate::machine::tests::lobby::{Evening, Malice, honest};
use crate::machine::tests::nodes::{play, standing, wait};
use crate::meeting::digits;
use crate::web::shelf::{check, games, log, ratings};

/// Two nodes that play a short game and agree to publish it.
fn shelved(name: &str, malice: Malice) -> (Evening, String) {
    let evening = Evening::new(name, malice);
    evening.agree();
    let id = evening.play();
    wait("the shelf", || evening.nodes.iter().all(is_shelved).then_some(()));
    (evening, id)
}

fn is_shelved(node: &crate::machine::drive::Node) -> bool {
    node.past_games().iter().any(|about| node.is_shelved(&about.id))
}

impl Evening {
    /// Both players choose to publish finished games.
    fn agree(&self) {
        self.nodes.iter().for_each(|node| node.change(|settings| settings.shelve = true).unwrap());
    }

    /// A game from its listing to its end.
    fn play(&self) -> String {
        let [anna, bela] = &self.nodes[..] else { panic!() };
        let id = self.hang();
        let notice = self.ask();
        let theirs = wait("the seat", || bela.claimed(&notice)).unwrap();
        wait("everybody", || anna.begin(&id).is_ok().then_some(()));
        wait("the table", || standing(bela, &theirs));
        std::thread::scope(|scope| {
            scope.spawn(|| play(anna, &id, usize::MAX));
            play(bela, &theirs, usize::MAX);
        });
        id
    }

    fn search(&self, wanted: &Value) -> Value {
        self.runtime.block_on(games(&self.nodes[1], wanted)).unwrap()
    }

    fn check(&self, log: &Value) -> Result<Value, String> {
        let checked = self.runtime.block_on(check(&self.nodes[1], &json!({ "log": log })));
        checked.map_err(|why| why.to_json()["id"].as_str().unwrap_or_default().to_owned())
    }
}

#[test]
fn a_game_is_found_and_checked_on_this_machine() {
    let (evening, id) = shelved("shelf", honest());
    let all = evening.search(&json!({}));
    assert_eq!((all["games"].as_array().unwrap().len(), &all["next"], &all["unsound"]), (1, &Value::Null, &0.into()));
    let game = &all["games"][0];
    assert_eq!((&game["names"], &game["players"][1]["you"]), (&json!(["Anna", "Béla"]), &true.into()));
    let count = |wanted: Value| evening.search(&wanted)["games"].as_array().unwrap().len();
    assert_eq!(count(json!({ "player": "bél", "game": "matching-pennies" })), 1);
    assert_eq!(count(json!({ "player": game["players"][0]["key"] })), 1);
    assert_eq!(count(json!({ "player": game["players"][0]["words"] })), 1);
    assert_eq!(count(json!({ "player": "cili" })), 0);
    assert_eq!(count(json!({ "player": digits(&[7; 32]) })), 0);
    assert_eq!(count(json!({ "game": "poker" })), 0);
    let at = game["at"].as_u64().unwrap();
    assert_eq!((count(json!({ "from": at, "to": at })), count(json!({ "from": at + 1 }))), (1, 0));
    assert_eq!((count(json!({ "to": at - 1 })), count(json!({ "after": game["table"] }))), (0, 0));

    let checked = evening.check(&game["log"]).unwrap();
    assert_eq!((&checked["agrees"], &checked["finding"]["verdict"]), (&true.into(), &"finished".into()));
    assert!(!checked["finding"]["pictures"].as_array().unwrap().is_empty(), "it can be replayed");
    let bytes = evening.runtime.block_on(log(&evening.nodes[1], &json!({ "log": game["log"] }))).unwrap();
    assert_eq!(
        outis_meeting::store::blob_name(&bytes).to_vec(),
        outis_node::names::unhex(game["log"].as_str().unwrap()).unwrap()
    );
    assert!(evening.nodes[0].log(&id).is_some());
    // No verifier has checked it, so there is no result and no rating.
    let table = evening.runtime.block_on(ratings(&evening.nodes[1], &json!({ "game": "matching-pennies" }))).unwrap();
    assert_eq!((&table["rows"], &table["forged"]), (&json!([]), &0.into()));
}

/// How the lobby currently tampers with the archive.
#[derive(Clone, Copy, PartialEq)]
enum Trick {
    None,
    /// It shows a consent that the player has not signed.
    Unsigned,
    /// It shows a statement of a verifier that lies about the scores.
    Liar,
    /// It shows other players, who consented to something else.
    Others,
    /// It sends a different log.
    OtherLog,
    /// It lists nothing about the log that it sends.
    Unlisted,
}

fn trick(trick: Trick, answer: Answer) -> Answer {
    let change = |mut game: Shelved| {
        match trick {
            Trick::Unsigned => {
                let mut bytes = game.consents[0].to_bytes();
                *bytes.last_mut().unwrap() ^= 1;
                game.consents[0] = Signed::from_bytes(&bytes, &()).unwrap();
            }
            Trick::Liar => {
                let liar = Identity::from_secret(&[66; 32]);
                let players = game.consents.iter().map(|consent| consent.body().player).collect();
                let head = game.consents[0].body().head;
                let verdict = GameVerdict {
                    verifier: liar.public(),
                    log: game.log,
                    table: game.table,
                    head,
                    game: game.game.clone(),
                    players,
                    outcome: Outcome::Finished,
                    scores: vec![1_000, -1_000],
                    at: 1,
                    words: String::new(),
                };
                game.verdicts.push(Signed::new(&liar, verdict).unwrap());
            }
            Trick::Others => {
                let other = Identity::from_secret(&[67; 32]);
                let Consent { table, head, .. } = *game.consents[0].body();
                let consent = Consent { player: other.public(), who: "Mallory".into(), table, head };
                game.consents[1] = Signed::new(&other, consent).unwrap();
            }
            Trick::None | Trick::OtherLog | Trick::Unlisted => {}
        }
        game
    };
    match answer {
        Answer::Shelf(_) if trick == Trick::Unlisted => Answer::Shelf(Vec::new()),
        Answer::Shelf(games) => Answer::Shelf(games.into_iter().map(change).collect()),
        Answer::Part { total, mut bytes } if trick == Trick::OtherLog => {
            bytes[100] ^= 1;
            Answer::Part { total, bytes }
        }
        answer => answer,
    }
}

#[test]
fn what_a_bad_meeting_place_says_about_a_game_is_found_out() {
    let now = Arc::new(Mutex::new(Trick::None));
    let (evening, _) = shelved("bad-shelf", {
        let now = now.clone();
        Arc::new(move |_, _, answer| trick(*lock(&now), answer))
    });
    let game = evening.search(&json!({}))["games"][0].clone();
    assert_eq!(evening.check(&game["log"]).unwrap()["agrees"], true);

    *lock(&now) = Trick::Unsigned;
    let shown = evening.search(&json!({}));
    assert_eq!((&shown["games"], &shown["unsound"]), (&json!([]), &1.into()));
    *lock(&now) = Trick::Liar;
    let checked = evening.check(&game["log"]).unwrap();
    assert_eq!((&checked["agrees"], &checked["game"]["verdicts"][0]["same"]), (&false.into(), &false.into()));
    assert_ne!(checked["finding"]["scores"], json!([1_000, -1_000]), "the log is believed, not the verifier");
    *lock(&now) = Trick::Others;
    assert_eq!(evening.check(&game["log"]).unwrap()["agrees"], false);
    *lock(&now) = Trick::OtherLog;
    assert_eq!(evening.check(&game["log"]).unwrap_err(), "node.error.lobby.other-log");
    *lock(&now) = Trick::Unlisted;
    let checked = evening.check(&game["log"]).unwrap();
    assert_eq!((&checked["game"], &checked["finding"]["verdict"]), (&Value::Null, &"finished".into()));
}

/// A lobby cannot invent verifiers for a person who chose whose results count.
#[test]
fn ratings_are_of_the_verifiers_that_one_believes() {
    let result = |verifier: u8, scores: [i64; 2]| {
        let verifier = Identity::from_secret(&[verifier; 32]);
        let verdict = GameVerdict {
            verifier: verifier.public(),
            log: [*verifier.public().as_bytes().first().unwrap(); 32],
            table: [1; 32],
            head: [2; 32],
            game: "matching-pennies".to_owned(),
            players: [71, 72].map(|player| Identity::from_secret(&[player; 32]).public()).to_vec(),
            outcome: Outcome::Finished,
            scores: scores.to_vec(),
            at: 1,
            words: String::new(),
        };
        Signed::new(&verifier, verdict).unwrap()
    };
    let (first, second) = (result(81, [1, -1]), result(82, [-1, 1]));
    let keys = [&first, &second].map(|result| digits(result.body().verifier.as_bytes()));
    let malice: Malice = Arc::new(move |_, request, answer| match request {
        Request::Results(0) => Answer::Results(vec![(1, first.clone()), (2, second.clone())]),
        _ => answer,
    });
    let evening = Evening::new("believed", malice);
    let ask = |wanted: Value| evening.runtime.block_on(ratings(&evening.nodes[1], &wanted));
    let table = |only: Value| wait("the table", || ask(json!({ "game": "matching-pennies", "only": only })).ok());
    let winner = |table: &Value| {
        (table["rows"][0]["rating"] != table["rows"][1]["rating"]).then(|| table["rows"][0]["key"].clone())
    };
    let player = |player: u8| digits(Identity::from_secret(&[player; 32]).public().as_bytes());
    for (only, wins) in [(&keys[0], 71), (&keys[1], 72)] {
        let table = table(json!([only]));
        assert_eq!(winner(&table), Some(player(wins).into()));
        for signer in table["verifiers"].as_array().unwrap() {
            assert_eq!(signer["counts"], signer["key"] == **only, "all are shown");
        }
    }
    assert_eq!((&table(json!([]))["rows"], table(json!([]))["verifiers"].as_array().unwrap().len()), (&json!([]), 2));
    assert_eq!(table(Value::Null)["verifiers"][1]["counts"], true, "without a choice all count");
    assert!(ask(json!({ "game": "matching-pennies", "only": ["nobody"] })).is_err());
}

/// A game that the lobby refuses is not reported as published.
#[test]
fn a_log_that_is_refused_is_not_called_shelved() {
    let malice: Malice = Arc::new(|_, request, answer| match request {
        Request::Consent { .. } => Answer::Missing { seats: Vec::new(), wanted: true },
        Request::Deposit(_) => Answer::Sorry(Refusal::TooLarge),
        _ => answer,
    });
    let evening = Evening::new("refused", malice);
    evening.agree();
    evening.play();
    let unfit =
        |node: &crate::machine::drive::Node| node.past_games().iter().any(|about| node.is_unfit_for_shelf(&about.id));
    wait("the refusal", || evening.nodes.iter().all(unfit).then_some(()));
    assert!(!evening.nodes.iter().any(is_shelved));
}

/// Turning publication on does not publish earlier games.
#[test]
fn only_games_after_the_decision_are_offered() {
    let asked: Arc<Mutex<BTreeSet<Vec<u8>>>> = Arc::default();
    let heard = asked.clone();
    let malice: Malice = Arc::new(move |_, request, answer| {
        if let Request::Consent { offer, .. } = request {
            lock(&heard).insert(offer.clone());
        }
        answer
    });
    let evening = Evening::new("before", malice);
    evening.play();
    wait("the end", || evening.nodes.iter().all(|node| node.past_games().len() == 1).then_some(()));
    // Waits until the clock has moved on.
    let ended = evening.nodes.iter().flat_map(|node| node.past_games()).filter_map(|about| about.ended).max();
    while crate::machine::wall_clock::epoch() <= ended.unwrap() {
        std::thread::yield_now();
    }
    wait("a clean board", || {
        evening.nodes[1].look_at_board();
        evening.nodes[1].board().is_empty().then_some(())
    });
    evening.agree();
    evening.play();
    wait("the shelf", || evening.nodes.iter().all(is_shelved).then_some(()));
    assert_eq!(lock(&asked).len(), 1);
}
