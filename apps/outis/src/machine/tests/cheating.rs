//! Practice tables with a bot that cheats: it is caught, the log convicts it, and no other table has such a bot.

use outis_table::Seat;
use outis_table::game::Grade;

use crate::machine::tests::nodes::{crash, node, play, standing, wait};
use crate::scratch::scratch;
use outis_game::ending::Ending;
use outis_game::finding::Shows;
use outis_node::seating::Plan;
use outis_node::table_info::{Crook, Kind, Pace, TableInfo};

fn plan(bots: usize, dials: Vec<i64>) -> Plan {
    let people = vec!["Anna".into()];
    Plan { dials, grade: Grade::Hardened, people, bots: vec![1; bots], pace: Pace::None, watch: false, crook: true }
}

#[test]
fn a_bot_that_cheats_is_caught_also_after_a_restart() {
    let dir = scratch("crook");
    let game = outis_catalogue::game("matching-pennies").unwrap();
    // There are enough throws that the bot is certain to cheat.
    let first = node(&dir);
    let id = first.start(game, &plan(1, vec![100, 0])).unwrap();
    play(&first, &id, 2);
    let state = first.table_json(&id).unwrap();
    assert_eq!((&state["practice"], state["phase"] == "over" || state["trick"].is_null()), (&true.into(), true));
    crash(first);
    let second = node(&dir);
    if second.look(|core, _| core.has_table(&id)) {
        play(&second, &id, usize::MAX);
    }
    // The stored game says so whether the bot cheated before the restart or after it.
    let past =
        wait("the game to be kept", || second.past_json().as_array()?.iter().find(|p| p["table"] == id).cloned());
    assert_eq!((&past["end"], &past["practice"]), (&"fault".into(), &true.into()));
    let finding = game.verify(&second.log(&id).unwrap()).unwrap();
    assert_eq!((finding.verdict, finding.seat, finding.check), (Shows::Fault { seat: 1 }, Some(1), Some("opening")));

    let again = second.rematch(&id).unwrap().unwrap();
    play(&second, &again, usize::MAX);
    let ended = standing(&second, &again).unwrap().ended.unwrap();
    assert_eq!((ended.end, ended.blames.iter().collect::<Vec<_>>()), (Ending::Fault, vec![Seat(1)]));
    assert_eq!(second.table_json(&again).unwrap()["trick"], "switch");
}

#[test]
fn one_of_the_bots_cheats_and_an_honest_seat_says_which() {
    let node = node(&scratch("crooks"));
    let game = outis_catalogue::game("high-card").unwrap();
    let id = node.start(game, &plan(2, vec![3, 52, 10, 0])).unwrap();
    play(&node, &id, usize::MAX);
    let ended = standing(&node, &id).unwrap().ended.unwrap();
    let crook = node.about(&id).unwrap().crook().cloned().unwrap();
    assert_ne!(crook.seat, Seat(0));
    assert_eq!((ended.end, ended.blames.iter().collect::<Vec<_>>()), (Ending::Fault, vec![crook.seat]));
    let finding = game.verify(&node.log(&id).unwrap()).unwrap();
    assert_eq!(
        (finding.verdict, finding.seat, finding.check),
        (Shows::Fault { seat: crook.seat.0 }, Some(crook.seat.0), ended.check)
    );
}

#[test]
fn only_a_bot_at_a_table_of_our_own_can_cheat() {
    let node = node(&scratch("no-crook"));
    let game = outis_catalogue::game("tarokk").unwrap();
    let classic = Plan { grade: Grade::Classic, ..plan(3, Vec::new()) };
    assert!(node.start(game, &classic).is_err(), "no trick is caught for certain in this grade");
    let id = node.start(game, &Plan { crook: false, ..plan(3, Vec::new()) }).unwrap();
    let honest: TableInfo = node.about(&id).unwrap();
    assert_eq!(honest.crook(), None);
    let with = |seat, kind| {
        let mut about = honest.clone();
        about.crook = Some(Crook { seat: Seat(seat), trick: None });
        about.seats[1].kind = kind;
        about.crook().is_some()
    };
    let bot = Kind::Bot { level: 1 };
    assert!(with(1, bot) && with(2, bot));
    assert!(!with(0, bot), "a person");
    assert!(!with(4, bot), "nobody");
    assert!(!with(1, Kind::You) && !with(1, Kind::Peer));
    assert!(!with(2, Kind::Peer), "somebody else sits at the table");
    node.leave(&id).unwrap();
}
