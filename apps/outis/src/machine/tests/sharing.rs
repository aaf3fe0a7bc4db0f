//! People who share one machine: whose side the page shows, and when.

use outis_node::node::Tell;
use std::collections::BTreeSet;

use outis_table::Seat;
use outis_table::game::Grade;
use serde_json::Value;

use crate::machine::drive::Node;
use crate::machine::tests::nodes::{crash, node, standing, wait};
use crate::scratch::scratch;
use outis_game::ending::Ending;
use outis_game::finding::Shows;
use outis_node::seating::Plan;
use outis_node::table_info::Pace;
use outis_node::view::TableView;

pub(crate) fn shared(bots: usize) -> Plan {
    let people = vec!["Anna".to_owned(), "Béla".to_owned()];
    Plan {
        dials: Vec::new(),
        grade: Grade::Hardened,
        people,
        bots: vec![1; bots],
        pace: Pace::None,
        watch: false,
        crook: false,
    }
}

/// What the page receives about the table.
fn told(node: &Node, id: &str) -> Value {
    node.table_json(id).expect("a table")
}

/// Waits until a player should take the covered device.
fn next(node: &Node, id: &str) -> Option<Seat> {
    wait("somebody's turn", || {
        let state = told(node, id);
        if state["phase"] == "over" {
            return Some(None);
        }
        state["hand"]["next"].as_u64().map(|seat| Some(Seat(seat as u8)))
    })
}

/// Whether the page receives nothing that belongs to one side only.
fn is_covered(state: &Value) -> bool {
    let empty = |name: &str| state[name].as_array().is_some_and(Vec::is_empty);
    state["view"].is_null()
        && state["me"].is_null()
        && state["hand"]["holder"].is_null()
        && empty("lines")
        && empty("actions")
        && state["expects"]["yours"] != true
}

/// The holder takes the action that a bot would take; returns the view from before.
fn act(node: &Node, id: &str, seat: Seat) -> TableView {
    let now = wait("the choices", || standing(node, id).filter(|now| !now.choices.is_empty()));
    let token = node.advise(id, 1).expect("it is its turn");
    assert_eq!(standing(node, id).unwrap().holder, Some(seat));
    node.act(id, &token, Some(now.round)).unwrap();
    now
}

/// Two people play to the end and cover the device after each turn. The page never receives more than one side, and
/// that only after its owner took the device.
fn play(node: &Node, id: &str) -> usize {
    let mut turns = 0;
    let mut acted: BTreeSet<(u8, u32)> = BTreeSet::new();
    while let Some(seat) = next(node, id) {
        assert!(is_covered(&told(node, id)), "{}", told(node, id));
        assert!(node.act(id, "n", None).is_err(), "nobody holds the device");
        assert!(node.replay(id, Some(seat)).is_err(), "no replay before the end");
        node.hand(id, Some(seat)).unwrap();
        let state = told(node, id);
        assert_eq!((&state["me"], &state["hand"]["holder"]), (&seat.0.into(), &seat.0.into()));
        if let Some(me) = state["view"].get("me") {
            assert_eq!(*me, seat.0, "the side of the one who took it");
        }
        let other = Seat(1 - seat.0);
        assert_eq!(node.hand(id, Some(other)).unwrap_err().id, "node.error.hand", "not without the cover");
        let before = act(node, id, seat);
        assert!(acted.insert((seat.0, before.round)));
        turns += 1;
        if told(node, id)["phase"] == "over" || node.hand(id, None).is_err() {
            break;
        }
    }
    wait("the end", || standing(node, id)?.ended);
    turns
}

#[test]
fn two_people_share_a_machine_and_neither_sees_the_others_side() {
    for (name, dials) in [("zherotag", vec![4, 6, 0, 1]), ("matching-pennies", vec![2, 0])] {
        let dir = scratch("share");
        let node = node(&dir);
        node.change(|settings| settings.name = "Anna".into()).unwrap();
        let game = outis_catalogue::game(name).unwrap();
        let mut plan = shared(0);
        plan.dials = dials;
        let id = node.start(game, &plan).unwrap();
        // On this grid, kings that walk towards each other meet at the third turn.
        assert!(play(&node, &id) >= 3, "{name}");
        let ended = standing(&node, &id).unwrap().ended.unwrap();
        assert_eq!(ended.end, Ending::Finished, "{name}");
        let finding = game.verify(&node.log(&id).unwrap()).unwrap();
        assert_eq!((finding.verdict, &finding.scores), (Shows::Finished, &ended.scores), "{name}");
        wait("the game to be kept", || (node.past_json().as_array()?.len() == 1).then_some(()));
        let past = node.past_json();
        assert_eq!((&past[0]["me"], &past[0]["people"]), (&Value::Null, &serde_json::json!([0, 1])));
        // Now everyone may see everything.
        for seat in [Seat(0), Seat(1)] {
            node.hand(&id, Some(seat)).unwrap();
            assert_eq!(told(&node, &id)["me"], seat.0);
            let (pictures, me) = node.replay(&id, Some(seat)).unwrap();
            assert_eq!(me, seat);
            assert!(pictures.iter().filter_map(|p| p.view.get("me")).all(|me| *me == seat.0), "{name}");
        }
        let again = node.rematch(&id).unwrap().unwrap();
        assert!(is_covered(&told(&node, &again)));
        assert_eq!(told(&node, &again)["seats"][1]["name"], "Béla");
    }
}

#[test]
fn what_is_new_to_one_person_waits_until_it_has_the_device() {
    let node = node(&scratch("news"));
    let id = node.start(outis_catalogue::game("zherotag").unwrap(), &shared(0)).unwrap();
    let mut events = node.listen();
    // No event reaches a player who has not had the device, however late it comes.
    let mut had = BTreeSet::new();
    let mut heard = |had: &BTreeSet<Seat>| {
        while let Ok(event) = events.try_recv() {
            if let Tell::News(_, seat, _) = event {
                assert!(had.contains(&seat.expect("news of a shared machine are somebody's")), "{seat:?} of {had:?}");
            }
        }
    };
    for turn in 0..3u8 {
        let seat = next(&node, &id).unwrap();
        assert_eq!(seat.0, turn % 2);
        heard(&had);
        had.insert(seat);
        node.hand(&id, Some(seat)).unwrap();
        act(&node, &id, seat);
        // By the time the opponent is to decide, everything that the first player may learn has arrived.
        wait("the other's turn", || standing(&node, &id)?.next);
        heard(&had);
        node.hand(&id, None).unwrap();
        assert!(!node.look(|core, _| core.holds(&id, seat)), "what comes late is not shown");
    }
}

#[test]
fn after_a_crash_the_device_is_covered() {
    let dir = scratch("share-crash");
    let first = node(&dir);
    let id = first.start(outis_catalogue::game("zherotag").unwrap(), &shared(0)).unwrap();
    let seat = next(&first, &id).unwrap();
    first.hand(&id, Some(seat)).unwrap();
    act(&first, &id, seat);
    wait("the other's turn", || standing(&first, &id)?.next);
    crash(first);
    let second = node(&dir);
    assert!(is_covered(&told(&second, &id)));
    let seat = next(&second, &id).unwrap();
    assert_eq!(seat, Seat(1), "nothing is forgotten");
    second.hand(&id, Some(seat)).unwrap();
    assert!(told(&second, &id)["view"].is_object());
}

#[test]
fn people_and_bots_may_share_a_table_and_nobody_else_may_be_handed_the_device() {
    let node = node(&scratch("share-bots"));
    let game = outis_catalogue::game("high-card").unwrap();
    let id = node.start(game, &shared(1)).unwrap();
    assert!(play_three(&node, &id));
    let alone = Plan { people: vec!["Anna".to_owned()], bots: vec![1; 2], ..shared(0) };
    let id = node.start(game, &alone).unwrap();
    assert!(node.hand(&id, None).is_err() && node.hand(&id, Some(Seat(1))).is_err(), "a bot's side is nobody's");
    assert!(told(&node, &id)["hand"].is_null());
    for (people, bots) in [(0, 3), (2, 0), (3, 1)] {
        let plan = Plan { people: vec!["x".to_owned(); people], bots: vec![1; bots], ..shared(0) };
        assert!(node.start(game, &plan).is_err(), "{people} people and {bots} bots");
    }
    let classic = Plan { grade: Grade::Classic, ..shared(0) };
    assert!(
        node.start(outis_catalogue::game("matching-pennies").unwrap(), &classic).is_err(),
        "there is no such grade"
    );
}

fn play_three(node: &Node, id: &str) -> bool {
    for _ in 0..2 {
        let Some(seat) = next(node, id) else { return true };
        assert!(node.hand(id, Some(Seat(2))).is_err(), "a bot sits there");
        node.hand(id, Some(seat)).unwrap();
        act(node, id, seat);
        if node.hand(id, None).is_err() {
            return true;
        }
    }
    true
}
