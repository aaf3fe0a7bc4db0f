//! A table in the terminal, with a node of its own.

use outis_node::table_info::Pace;
use outis_table::game::Grade;

use super::typed::Typed;
use super::*;
use crate::app::NodeArgs;
use crate::machine::tests::nodes::{Refused, wait};
use crate::scratch::scratch;

fn bot() -> SeatArgs {
    SeatArgs { name: None, bot: Some(1), log: None, shelve: false }
}

/// The folder of the table is there, and the note that says so is refused: the table begins when the disk works, and nobody is told that
/// it is gone.
#[test]
fn a_table_that_waits_for_the_disk_is_waited_for() {
    let dirs = ["waits-host", "waits-guest"].map(scratch);
    let start = |dir: &std::path::Path| {
        let profile = Some(dir.to_owned());
        Started::new(&NodeArgs { profile, local: true, ..NodeArgs::default() }).unwrap()
    };
    let (host, guest) = (start(&dirs[0]), start(&dirs[1]));
    let id = host.node.gather("matching-pennies", vec![1, 0], Grade::Hardened, &[], Pace::None).unwrap();
    let invite = wait("the network", || host.node.invite(&id, 1).ok());
    let theirs = wait("the network", || guest.node.join(&invite.0).ok());
    wait("the welcome", || (guest.node.table_json(&theirs)?["me"] == 1).then_some(()));
    let refused = Refused::new(&dirs[0].join("lobby"));
    let playing = |started: Started, id: String, host: bool| {
        std::thread::spawn(move || {
            let (mut out, args) = (Vec::new(), bot());
            let played = Terminal::new(&started, &args, &mut out).and_then(|mut terminal| terminal.play(id, host));
            (played.map_err(|failure| failure.to_string()), String::from_utf8(out).unwrap())
        })
    };
    let both = [playing(host, id, true), playing(guest, theirs, false)];
    std::thread::sleep(Duration::from_secs(2));
    drop(refused);
    for ended in both {
        let (played, said) = ended.join().unwrap();
        assert_eq!(played, Ok(()), "{said}");
    }
}

/// In turn, lines are taken in order; else a person who wants to leave is heard whatever they typed before.
#[test]
fn what_is_typed_ahead_hides_nothing() {
    let (type_, from) = mpsc::channel();
    let mut typed = Typed::new(from);
    ["", "hello", " ", "?", "leave"].iter().try_for_each(|line| type_.send((*line).to_owned())).unwrap();
    typed.read();
    assert!(!typed.takes("leave", true) && !typed.takes("?", true));
    assert!(typed.takes("leave", false) && !typed.takes("leave", false));
    assert!(typed.takes("?", false) && typed.takes("hello", true), "empty lines are nothing");
    type_.send("Kilépek".to_owned()).unwrap();
    typed.read();
    assert!(typed.takes("leave", true), "in the person's own language");
}
