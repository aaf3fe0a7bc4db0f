//! Guests: who is let in, when they are answered, and what one can do to another.

use super::*;

/// INV-13: an unknown node learns that it is admitted when that is on the disk, even if the disk takes its time.
#[test]
fn a_stranger_is_answered_when_its_seat_is_written() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    anna.outs.clear();
    anna.knock(1, &invite);
    assert_eq!(anna.said(), []);
    anna.disk_all();
    assert!(matches!(anna.said()[..], [Say::Welcome(_, Some(_)), ..]));
}

/// A table closes or begins between a guest's admission and the answer: the last message is that it is gone, or its offer.
#[test]
fn a_guest_let_in_too_late_is_told_what_became_of_the_table() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let what: [fn(TableName) -> Ask; 3] = [|id| Ask::Dismiss(id, Seat(1)), Ask::Leave, Ask::Begin];
    for (n, what) in (1..).zip(what) {
        anna.outs.clear();
        let id = anna.room();
        let invite = anna.invite(&id);
        anna.outs.clear();
        anna.knock(n, &invite);
        let ask = what(id.clone());
        let is_begun = matches!(ask, Ask::Begin(_));
        anna.ask(ask);
        anna.disk_all();
        let said = anna.said();
        assert!(matches!(said[0], Say::Welcome(_, Some(_))), "{said:?}");
        match said.last().unwrap() {
            Say::Gone(room) => assert!(*room == id && !is_begun),
            Say::Offer(offered) => assert!(offered.room == id && is_begun),
            other => panic!("{other:?}"),
        }
    }
}

/// INV-4: an invite is for one nonce of one key. Nobody is told to wait for a table that is no longer in play.
#[test]
fn a_spent_invite_is_used() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, invite) = anna.begun(1);
    anna.knock(1, &invite);
    assert!(matches!(anna.said()[..], [Say::Offer(_), Say::Welcome(..), ..]), "it has lost what it was told");
    anna.knock_with(1, 9, &invite.secret);
    assert!(anna.said().iter().any(|word| matches!(word, Say::Refuse(_, NotLetIn::Used))), "another number");
    anna.end(&id);
    anna.ask(Ask::Leave(id));
    anna.outs.clear();
    anna.knock(1, &invite);
    assert!(matches!(anna.said()[..], [Say::Refuse(_, NotLetIn::Used)]), "it is over");
}

/// A guest who has not left after all presents its invite again: the table may have begun in the meantime, and a host offers a table only
/// once on a link.
#[test]
fn a_guest_who_stays_after_all_knocks() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (promise, address) = (crate::invite::promise(&[5; 32]), Address::default());
    let invite = Invite { until: u32::MAX, host: guest(1), secret: [3; 16], promise, address };
    anna.ask(Ask::Join(invite.to_text()));
    anna.disk_all();
    let Some(Ok(Reply::Table(id))) = anna.reply() else { panic!("no room") };
    anna.hear(guest(1), []);
    anna.outs.clear();
    anna.ask(Ask::Leave(id));
    anna.disk(false);
    assert!(anna.reply().unwrap().is_err());
    anna.disk_all();
    assert!(matches!(anna.said()[..], [Say::Knock(_)]));
}

/// The secret of a seat in another game follows from the log of the last one: a node that has the log learns nothing by it, and the host
/// gets no false warning.
#[test]
fn a_seat_in_another_game_is_for_one_alone() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    let log = anna.node.tables().get(&id).unwrap().log;
    anna.end(&id);
    anna.ask(Ask::Rematch(id));
    anna.disk_all();
    let (secret, _) = crate::invite::again(&log, &guest(1));
    anna.knock_with(1, 1, &secret);
    anna.disk_all();
    anna.outs.clear();
    anna.knock_with(2, 2, &secret);
    assert!(matches!(anna.said()[..], [Say::Refuse(_, NotLetIn::Unknown)]));
    assert_eq!(anna.notices(), Vec::<String>::new());
}

/// INV-18: a guest that comes and goes cannot make the host send another guest more messages than that one accepts.
#[test]
fn one_guest_does_not_make_the_host_talk_to_another() {
    for alternates in [false, true] {
        let mut anna = Driven::new();
        anna.online(None, None);
        let plan = Start { dials: Some(vec![3, 5, 1, 0]), ..Start::of_game("high-card") };
        anna.ask(Ask::Start(Box::new(plan)));
        anna.disk_all();
        let Some(Ok(Reply::Table(id))) = anna.reply() else { panic!("no room") };
        let (one, two) = (anna.invite(&id), anna.invite(&id));
        let knock = |n: u8, secret: &[u8; 16]| {
            let (secret, nonce) = (Some(Shown::of(secret)), Some([n; 32]));
            Say::Knock(Knock { secret, nonce, name: "Béla".into(), address: None, again: None })
        };
        let links = [1, 2].map(|n| anna.comes(guest(n)));
        anna.hear_on(links[0], [knock(1, &one.secret)]);
        anna.hear_on(links[1], [knock(2, &two.secret)]);
        anna.disk_all();
        anna.now += TELLS;
        anna.give(Input::Tick);
        anna.disk_all();
        assert_eq!(anna.node.gathering().openings(&id).unwrap().open, 0);
        anna.now += TELLS;
        anna.outs.clear();
        let unseat = || Say::Unseat(Shown::of(&one.secret));
        let next = || if alternates { knock(1, &one.secret) } else { unseat() };
        anna.hear_on(links[0], (0..75).flat_map(|_| [unseat(), next()]));
        anna.disk_all();
        let told = anna.said().into_iter().filter(|word| matches!(word, Say::Gathering(..))).count();
        assert!((1..4).contains(&told), "{told} words, {alternates}");
        anna.now += TELLS;
        anna.give(Input::Tick);
        anna.disk_all();
        let last = anna.said().into_iter().filter(|word| matches!(word, Say::Gathering(..))).count();
        assert_eq!(last, if alternates { 2 } else { 0 }, "what is so in the end is said");
    }
}

/// Nor can it push out messages for another guest while the disk refuses: no other guest loses a link.
#[test]
fn one_guest_does_not_cost_another_its_link() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let plan = Start { dials: Some(vec![3, 5, 1, 0]), ..Start::of_game("high-card") };
    anna.ask(Ask::Start(Box::new(plan)));
    anna.disk_all();
    let Some(Ok(Reply::Table(id))) = anna.reply() else { panic!("no room") };
    let (one, two) = (anna.invite(&id), anna.invite(&id));
    let knock = |n: u8, secret: &[u8; 16]| {
        let (secret, nonce) = (Some(Shown::of(secret)), Some([n; 32]));
        Say::Knock(Knock { secret, nonce, name: "Béla".into(), address: None, again: None })
    };
    let links = [1, 2].map(|n| anna.comes(guest(n)));
    anna.hear_on(links[0], [knock(1, &one.secret)]);
    anna.hear_on(links[1], [knock(2, &two.secret)]);
    anna.disk_all();
    anna.outs.clear();
    // The guest comes and goes as often as it may, for five minutes.
    for n in 0..300_u64 {
        anna.hear_on(links[0], [Say::Unseat(Shown::of(&one.secret))]);
        anna.later(TELLS);
        anna.hear_on(links[0], [knock((n % 200) as u8, &one.secret)]);
        anna.later(TELLS);
        anna.disk(false);
        let hung_up = |out: &Output| matches!(out, Output::Net(NetOut::HangUp(link)) if *link == links[1]);
        assert!(!anna.outs.iter().any(hung_up), "after {n}");
    }
}

/// While a table is being written, no further guest is seated at it.
#[test]
fn a_guest_who_comes_while_a_table_begins_waits() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let (one, two) = (anna.invite(&id), anna.invite(&id));
    anna.knock(1, &one);
    anna.disk_all();
    anna.ask(Ask::Begin(id.clone()));
    anna.outs.retain(|out| matches!(out, Output::Disk(_)));
    anna.hear(guest(1), [Say::Unseat(Shown::of(&one.secret))]);
    anna.knock(2, &two);
    assert!(!anna.said().iter().any(|word| matches!(word, Say::Welcome(..))));
    anna.disk_all();
    assert_eq!(anna.node.tables().get(&id).unwrap().about.seats[1].key, guest(1));
}

/// What waits for a disk that refuses is bounded. A node that misses a message because of that loses its link, and gets the message when
/// the link is up again.
#[test]
fn a_guest_who_misses_a_word_is_hung_up_on() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    anna.knock(1, &invite);
    anna.disk_all();
    anna.outs.clear();
    let hung_up = |out: &Output| matches!(out, Output::Net(NetOut::HangUp(_)));
    // Messages about what is not written are not sent.
    for n in 0..2 * crate::saved::MAX_HELD {
        anna.node.saved.change(Item::Gathering, n.to_le_bytes().to_vec());
        let word = Say::Gone(n.to_string());
        anna.node
            .with(Now { mono: anna.now, wall: anna.now }, &mut anna.rng, |node, rng| node.say(guest(1), word, rng));
        anna.give(Input::Tick);
        if anna.outs.iter().any(hung_up) {
            return;
        }
    }
    panic!("it has missed words, and does not know");
}

/// An invalid key gets no seat: the table could never begin.
#[test]
fn a_key_that_is_none_is_not_let_in() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    anna.outs.clear();
    let secret = Some(Shown::of(&invite.secret));
    let knock = Knock { secret, nonce: Some([1; 32]), name: "Zero".into(), address: None, again: None };
    anna.hear(Key([0; 32]), [Say::Knock(knock)]);
    anna.disk_all();
    assert!(matches!(anna.said()[..], [Say::Refuse(_, NotLetIn::Unknown)]));
}

/// A host must keep the first seat for itself; and a guest names no relay of others to it, except the host's own.
#[test]
fn a_guest_sits_behind_its_host_and_names_no_relay_of_others() {
    let relay = |name: &str| Some(Relay::plain(format!("https://{name}.example")));
    let number = [5; 32];
    for (at, seat, is_named) in [(relay("other"), 0, false), (relay("foreign"), 1, true), (None, 1, false)] {
        let mut anna = Driven::new();
        anna.online(relay("foreign"), None);
        let promise = crate::invite::promise(&number);
        let address = Address { direct: Vec::new(), relay: at };
        let invite = Invite { until: u32::MAX, host: guest(1), secret: [3; 16], promise, address };
        anna.ask(Ask::Join(invite.to_text()));
        anna.disk_all();
        let Some(Ok(Reply::Table(id))) = anna.reply() else { panic!("no room") };
        let told = crate::say::SeatTold { kind: crate::say::Told::Peer, name: String::new() };
        let welcome = crate::say::Welcome {
            room: "there".into(),
            number,
            game: "matching-pennies".into(),
            dials: vec![1, 0],
            grade: None,
            seat,
            seats: vec![told.clone(), told],
            name: "Host".into(),
        };
        anna.outs.clear();
        anna.hear(guest(1), [Say::Welcome(Some(Shown::of(&[3; 16])), Some(Box::new(welcome)))]);
        let is_odd = anna.notices().contains(&"node.error.invite.odd".to_owned());
        assert_eq!(is_odd, seat == 0, "the host has the first seat");
        let now = anna.now;
        assert_eq!(anna.node.gathering_json(now, &id).unwrap()["me"].is_null(), is_odd);
        let said = anna.said();
        let address =
            said.iter().find_map(|word| if let Say::Knock(knock) = word { knock.address.clone() } else { None });
        assert_eq!(Address::from_bytes(&address.unwrap()).unwrap().relay.is_some(), is_named);
    }
}

/// A relay that a peer names is looked at for a guest who has no seat yet, and for nobody else: a peer of a game that is played could
/// otherwise make this machine call any place, for as long as the table is open.
#[test]
fn only_a_host_that_is_called_for_a_seat_is_looked_for() {
    let relay = Some(Relay::plain("https://foreign.example"));
    let mut anna = Driven::new();
    anna.online(None, None);
    let number = [5; 32];
    let address = Address { direct: Vec::new(), relay };
    let invite =
        Invite { until: u32::MAX, host: guest(1), secret: [3; 16], promise: crate::invite::promise(&number), address };
    anna.ask(Ask::Join(invite.to_text()));
    anna.disk_all();
    let count = |anna: &mut Driven| {
        for _ in 0..60 {
            anna.now += 1_000;
            anna.give(Input::Tick);
            let mut dials = anna.outs.iter().filter_map(|out| match out {
                Output::Net(NetOut::Dial { link, .. }) => Some(*link),
                _ => None,
            });
            if let Some(link) = dials.next_back() {
                let looks = anna.outs.iter().filter(|out| matches!(out, Output::Net(NetOut::Look { .. }))).count();
                anna.outs.clear();
                anna.give(Input::Net(NetIn::Down(link)));
                return looks;
            }
        }
        panic!("nobody is dialled");
    };
    assert_eq!([count(&mut anna), count(&mut anna)], [1, 1]);
    let told = crate::say::SeatTold { kind: crate::say::Told::Peer, name: String::new() };
    let welcome = crate::say::Welcome {
        room: "there".into(),
        number,
        game: "matching-pennies".into(),
        dials: vec![1, 0],
        grade: None,
        seat: 1,
        seats: vec![told.clone(), told],
        name: "Host".into(),
    };
    anna.hear(guest(1), [Say::Welcome(Some(Shown::of(&[3; 16])), Some(Box::new(welcome)))]);
    anna.disk_all();
    anna.outs.clear();
    anna.give(Input::Net(NetIn::Down(LinkId { ours: false, n: anna.came })));
    assert_eq!(count(&mut anna), 0, "who sits there is told nothing of it");
}
