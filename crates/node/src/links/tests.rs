//! Two and three nodes in simulated time, a crowd at the door, and every limit.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::world::{PROTOCOL, Rng, World};
use super::*;
use crate::say::{Knock, NotLetIn};

/// How many seeds: `OUTIS_SEEDS` for more. A failure names its seed; `OUTIS_SEED` runs that one.
#[expect(clippy::disallowed_methods, reason = "a failure is looked at by its seed")]
fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("OUTIS_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("OUTIS_SEEDS").unwrap_or(usual),
    }
}

fn with_seeds(usual: u64, mut run: impl FnMut(u64)) {
    for seed in seeds(usual) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(seed))) {
            eprintln!("seed {seed}: run again with OUTIS_SEED={seed}");
            std::panic::resume_unwind(panic);
        }
    }
}

/// INV-11 and INV-12: whatever happened, soon after the network has recovered each pair has one link, and keeps it.
#[test]
fn nodes_that_dial_each_other_end_with_one_link() {
    let (mut worst, mut dialled, mut total) = (0, 0, 0);
    with_seeds(10_000, |seed| {
        let (nodes, bad) = (2 + (seed % 2) as usize, 5_000 + (seed % 7) * 7_000);
        let mut world = World::new(seed, nodes, bad);
        world.run(bad);
        // A loss at the last moment is noticed after 12 s; a call takes 10 s; a pause 5 s.
        let took = (0..).map(|n| n * 500).find(|more| {
            world.run(bad + more);
            assert!(*more <= 45_000, "{:?}", world.is_joined());
            world.is_joined().is_ok()
        });
        worst = worst.max(took.unwrap_or(0));
        world.run(world.now + 30_000);
        let joined = world.is_joined().expect("still joined");
        let before = world.dialled;
        world.everybody_is_heard();
        world.run(world.now + 30_000);
        assert_eq!(
            (world.is_joined().expect("still joined"), world.dialled),
            (joined, before),
            "nothing moves any more"
        );
        (dialled, total) = (dialled + world.dialled, total + 1);
    });
    println!("{total} seeds, {dialled} dials; joined at most {worst} ms after the network was well");
}

/// Two nodes that do everything at the same moment: if each kept the newer link, both links would be lost, for ever.
#[test]
fn nodes_in_step_end_with_one_link() {
    let mut world = World::in_step();
    world.run(1_000);
    let joined = world.is_joined().expect("joined at once");
    world.run(60_000);
    assert_eq!((world.is_joined(), world.dialled), (Ok(joined), 2));
}

/// One node, and what its machine has to do.
struct One {
    links: Links,
    now: Millis,
    accepted: u64,
    /// Links that the machine has, each with the longest message that it may accept.
    open: BTreeMap<LinkId, usize>,
    told: Vec<Told>,
    sent: Vec<(LinkId, Vec<u8>)>,
    dials: Vec<(LinkId, Key, Address)>,
    hung_up: Vec<LinkId>,
    binds: usize,
}

const OWN: Key = Key([7; 32]);

impl One {
    fn new() -> Self {
        let mut one = Self {
            links: Links::new(OWN, PROTOCOL, "1"),
            now: 1_000,
            accepted: 0,
            open: BTreeMap::new(),
            told: Vec::new(),
            sent: Vec::new(),
            dials: Vec::new(),
            hung_up: Vec::new(),
            binds: 0,
        };
        one.reach(ready(1));
        one
    }

    fn feed(&mut self, input: NetIn, is_known: bool) {
        self.links.handle(self.now, input, &|_| is_known);
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(out) = self.links.poll() {
            match out {
                Out::Told(told) => self.told.push(told),
                Out::Net(NetOut::Dial { link, peer, address }) => self.dials.push((link, peer, address)),
                Out::Net(NetOut::Allow { link, most }) => {
                    self.open.insert(link, most);
                }
                Out::Net(NetOut::Send { link, bytes }) => self.sent.push((link, bytes)),
                Out::Net(NetOut::HangUp(link)) => {
                    self.open.remove(&link);
                    self.hung_up.push(link);
                }
                Out::Net(NetOut::Bind) => self.binds += 1,
                Out::Net(NetOut::Look { .. }) => panic!("the node looks, not its links"),
            }
        }
    }

    fn reach(&mut self, reach: Reach) {
        self.feed(NetIn::Reach(reach), false);
    }

    /// Time passes, and the machine ticks whenever it was asked to.
    fn pass(&mut self, millis: Millis) {
        let until = self.now + millis;
        while let Some(due) = self.links.due().filter(|due| *due <= until) {
            self.now = self.now.max(due);
            self.feed(NetIn::Tick, false);
        }
        self.now = until;
    }

    fn accept(&mut self, peer: Key, from: Option<&str>, is_known: bool) -> LinkId {
        let link = LinkId { ours: false, n: self.accepted };
        self.accepted += 1;
        let from = from.map(|ip| SocketAddr::new(ip.parse().unwrap(), 7));
        self.feed(NetIn::Up { link, peer, from }, is_known);
        link
    }

    fn hear(&mut self, link: LinkId, word: &Say) {
        self.feed(NetIn::Message { link, bytes: words(word) }, false);
    }

    /// What was sent over a link.
    fn said(&self, link: LinkId) -> Vec<Say> {
        let over = self.sent.iter().filter(|(over, _)| *over == link);
        over.map(|(_, bytes)| Say::read(&bytes[1..]).unwrap()).collect()
    }

    fn is_open(&self, link: LinkId) -> bool {
        self.open.contains_key(&link)
    }

    fn want(&mut self, keys: &[Key]) {
        self.links.want(self.now, keys.iter().map(|key| (*key, Address::default())));
        self.drain();
    }

    fn say(&mut self, to: &Key, word: &Say) {
        self.links.say(self.now, to, word);
        self.drain();
    }
}

fn ready(port: u16) -> Reach {
    let address = Address { direct: vec![SocketAddr::from(([192, 0, 2, 1], port))], relay: None };
    Reach::Ready { address }
}

fn key(n: u64) -> Key {
    let mut key = [9; 32];
    key[..8].copy_from_slice(&n.to_be_bytes());
    Key(key)
}

fn hi() -> Say {
    Say::Hi { protocol: PROTOCOL.into(), program: "1".into() }
}

fn knock() -> Say {
    Say::Knock(Knock { secret: None, nonce: None, name: String::new(), address: None, again: None })
}

fn chat() -> Say {
    Say::Chat(TableId([0; 32]), "x".into())
}

/// A known node that is linked with this one, and has greeted it.
fn friend(one: &mut One, peer: Key) -> LinkId {
    let link = one.accept(peer, None, true);
    one.hear(link, &hi());
    link
}

/// N-5: whatever crowd is at the door, wherever it comes from, an invited guest gets in, and its invite is read within three seconds.
#[test]
fn a_crowd_at_the_door_keeps_no_guest_out() {
    for case in 0..12 {
        // From one address, from everywhere, through a relay; silent or not; all at once or two hundred a second.
        let (from, greets, every) = (case % 3, case / 3 % 2 == 1, case / 6 * 5);
        let mut one = One::new();
        let place = |n: u64| match from {
            0 => Some("192.0.2.7".to_owned()),
            1 => Some(format!("198.51.{}.{}", n / 200, n % 200)),
            _ => None,
        };
        let crowd = |one: &mut One, n: u64| {
            let link = one.accept(key(n), place(n).as_deref(), false);
            if greets {
                one.hear(link, &hi());
            }
            one.pass(every);
        };
        (0..200).for_each(|n| crowd(&mut one, n));
        // The guest comes from the same address, and its messages take a while; more of the crowd come in the meantime.
        let guest = key(1_000);
        let link = one.accept(guest, place(0).as_deref(), false);
        assert!(one.is_open(link), "the door is closed: case {case}");
        (200..203).for_each(|n| crowd(&mut one, n));
        one.hear(link, &hi());
        (203..206).for_each(|n| crowd(&mut one, n));
        one.hear(link, &knock());
        assert!(one.told.iter().any(|told| matches!(told, Told::Knock(_, key, _) if *key == guest)), "case {case}");
        one.links.answer(one.now, link, Some(&Say::Soon), true);
        one.drain();
        (206..406).for_each(|n| crowd(&mut one, n));
        assert_eq!((one.links.presence(one.now, &guest), one.said(link)), (Presence::Here, vec![hi(), Say::Soon]));
    }
}

/// INV-10.
#[test]
fn the_door_has_room_for_so_many() {
    let mut one = One::new();
    for n in 0..100 {
        one.accept(key(n), Some(&format!("192.0.2.{n}")), false);
        assert!(one.open.len() <= MAX_STRANGERS);
        one.pass(10);
    }
    assert_eq!(one.open.len(), MAX_STRANGERS);
    assert!(one.open.keys().all(|link| link.n >= 100 - MAX_STRANGERS as u64), "the oldest went first");
    // Invites that are being checked are not pushed out: then there is no room.
    let links: Vec<LinkId> = one.open.keys().copied().collect();
    links.iter().for_each(|link| one.hear(*link, &knock()));
    let late = one.accept(key(200), None, false);
    assert!(!one.is_open(late) && links.iter().all(|link| one.is_open(*link)));
}

#[test]
fn one_address_has_its_share_of_the_door() {
    let mut one = One::new();
    let others: Vec<LinkId> = (0..4).map(|n| one.accept(key(n), Some(&format!("192.0.2.{n}")), false)).collect();
    one.pass(600);
    for n in 100..150 {
        one.accept(key(n), Some(&format!("2001:db8:1:2::{n}")), false);
        one.pass(10);
        assert!(one.open.len() <= others.len() + MAX_OF_PLACE);
    }
    assert!(others.iter().all(|link| one.is_open(*link)), "a flood from one network pushes nobody else aside");
    assert_eq!(one.open.len(), others.len() + MAX_OF_PLACE);
}

#[test]
fn silent_strangers_go_before_those_who_spoke_and_newcomers_last() {
    let mut one = One::new();
    let spoke = one.accept(key(0), None, false);
    one.hear(spoke, &hi());
    let mut silent: Vec<LinkId> = Vec::new();
    for n in 1..MAX_STRANGERS as u64 {
        silent.push(one.accept(key(n), None, false));
        one.pass(20);
    }
    one.pass(600);
    for (n, first) in silent[..20].iter().enumerate() {
        assert!(one.is_open(*first));
        let new = one.accept(key(100 + n as u64), None, false);
        assert!(!one.is_open(*first) && one.is_open(new) && one.is_open(spoke));
    }
    // Of two links by one unknown node, the newer stays.
    let (older, newer) = (one.accept(key(300), None, false), one.accept(key(300), None, false));
    assert!(!one.is_open(older) && one.is_open(newer));
}

/// INV-10: three seconds for the first message, fifteen for the invite, three for the answer to arrive.
#[test]
fn strangers_have_so_much_time() {
    let mut one = One::new();
    let (silent, greeted) = (one.accept(key(0), None, false), one.accept(key(1), None, false));
    one.hear(greeted, &hi());
    one.pass(2_999);
    assert!(one.is_open(silent));
    one.pass(1);
    assert!(!one.is_open(silent) && one.is_open(greeted));
    one.pass(11_999);
    assert!(one.is_open(greeted));
    one.pass(1);
    assert!(!one.is_open(greeted));
    let refused = one.accept(key(2), None, false);
    one.hear(refused, &knock());
    one.links.answer(one.now, refused, Some(&Say::Refuse(None, NotLetIn::Used)), false);
    one.drain();
    one.pass(2_999);
    assert!(one.is_open(refused) && one.said(refused).len() == 2);
    one.pass(1);
    assert!(!one.is_open(refused));
    assert_eq!(one.links.due(), None, "nothing is left");
}

#[test]
fn strangers_may_greet_and_knock_once_and_nothing_else() {
    let frame = [&[FRAME][..], &[0; 40]].concat();
    for (bad, what) in [
        (vec![words(&hi()), words(&hi())], "two greetings"),
        (vec![words(&knock()), words(&knock())], "two knocks"),
        (vec![words(&chat())], "chat"),
        (vec![frame], "a frame"),
        (vec![Vec::new()], "nothing"),
        (vec![b"\0not json".to_vec()], "no word"),
        (vec![vec![2, 3]], "something else"),
    ] {
        let mut one = One::new();
        let link = one.accept(key(0), None, false);
        assert_eq!(one.open[&link], MAX_WORDS, "what may be taken of a stranger");
        let before = one.told.len();
        for bytes in bad {
            one.feed(NetIn::Message { link, bytes }, false);
        }
        assert!(!one.is_open(link), "{what}");
        assert!(one.told[before..].iter().all(|told| matches!(told, Told::Knock(..))), "{what}");
    }
}

/// INV-8. Unknown nodes cannot flood the person with notices.
#[test]
fn another_version_is_told_nothing_more() {
    let mut one = One::new();
    let other = Say::Hi { protocol: "outis/99".into(), program: "9.9".into() };
    let told = |one: &One| one.told.iter().filter(|told| matches!(told, Told::OtherVersion(_))).count();
    for n in 0..20 {
        let link = one.accept(key(n), None, false);
        one.hear(link, &other);
        assert!(!one.is_open(link) && one.said(link) == [hi()]);
        one.pass(100);
    }
    assert_eq!(told(&one), 1);
    one.pass(NOTICE);
    let friend = friend(&mut one, key(50));
    one.want(&[key(50)]);
    one.hear(friend, &other);
    assert_eq!((told(&one), one.is_open(friend)), (2, false));
    one.pass(LAST_PAUSE - 1);
    assert!(one.dials.is_empty());
    one.pass(1);
    assert_eq!(one.dials.len(), 1);
}

/// A frame that finds the queue full is dropped; for a message the link is closed, since a message is repeated only when a link comes up.
#[test]
fn a_slow_link_drops_frames_and_is_cut_for_a_word() {
    for size in [10, 1 << 20] {
        let mut one = One::new();
        let link = friend(&mut one, key(0));
        let send = |one: &mut One| {
            let before = one.sent.len();
            one.links.frame(&key(0), TableId([3; 32]), Seat(1), Seat(2), &vec![5; size]);
            one.drain();
            one.sent.len() > before
        };
        let first = one.sent.len();
        let fitted = (0..2_000).take_while(|_| send(&mut one)).count();
        let waiting: usize = one.sent.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(one.sent.len() <= 512 && waiting <= 8 << 20 && one.is_open(link));
        assert!(one.sent.len() == MAX_WAITING || waiting + size + HEAD > MAX_QUEUED, "{fitted}");
        let (_, bytes) = one.sent[first].clone();
        assert_eq!(
            (bytes[0], bytes[1..33] == [3; 32], &bytes[33..35], bytes.len()),
            (FRAME, true, &[1, 2][..], HEAD + size)
        );
        // Bytes that leave make room for as many.
        one.feed(NetIn::Sent { link, bytes: bytes.len() }, false);
        assert!(send(&mut one) && !send(&mut one));
        let big = Say::Chat(TableId([0; 32]), "x".repeat(MAX_WORDS - 200));
        (0..MAX_WAITING + 1).for_each(|_| one.say(&key(0), &big));
        assert!(!one.is_open(link) && one.told.contains(&Told::Away(key(0))));
        let all: usize = one.sent.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(one.sent.len() <= MAX_WAITING + 1 && all <= MAX_QUEUED + bytes.len());
    }
    let mut one = One::new();
    let link = friend(&mut one, key(0));
    let before = one.sent.len();
    one.say(&key(0), &Say::Chat(TableId([0; 32]), "x".repeat(MAX_WORDS)));
    one.links.frame(&key(0), TableId([3; 32]), Seat(1), Seat(2), &vec![0; MAX_FRAME + 1]);
    one.drain();
    assert!(one.is_open(link) && one.sent.len() == before, "what the other would cut the link for is not sent");
}

/// What a known node may send: whole frames, and messages of limited length and number.
#[test]
fn friends_have_limits_too() {
    let mut one = One::new();
    let link = friend(&mut one, key(0));
    assert_eq!(one.open[&link], MAX_MESSAGE);
    one.feed(NetIn::Message { link, bytes: [&[FRAME][..], &[3; 32], &[1, 2], b"frame"].concat() }, false);
    let (table, bytes) = (TableId([3; 32]), b"frame".to_vec());
    assert_eq!(one.told.last(), Some(&Told::Frame { from: key(0), table, sender: Seat(1), seat: Seat(2), bytes }));
    let long = words(&Say::Chat(TableId([0; 32]), "x".repeat(MAX_WORDS)));
    for bad in [vec![FRAME; 34], vec![WORDS], vec![7], Vec::new(), long] {
        let link = friend(&mut one, key(0));
        assert!(one.is_open(link));
        one.feed(NetIn::Message { link, bytes: bad }, false);
        assert!(!one.is_open(link));
    }
    // Messages are counted for ten seconds; frames are not.
    one.pass(TALK);
    let link = friend(&mut one, key(0));
    for _ in 0..2 {
        for _ in 1..MAX_TALK {
            one.hear(link, &chat());
            one.feed(NetIn::Message { link, bytes: vec![FRAME; 50] }, false);
        }
        assert!(one.is_open(link));
        one.pass(TALK);
        one.hear(link, &chat());
    }
    (0..MAX_TALK).for_each(|_| one.hear(link, &chat()));
    assert!(!one.is_open(link));
}

/// A new link does not allow more messages.
#[test]
fn words_are_counted_over_all_links_of_a_node() {
    let mut one = One::new();
    let mut heard = 0;
    for _ in 0..4 {
        let link = friend(&mut one, key(0));
        for _ in 0..MAX_TALK / 2 {
            one.hear(link, &chat());
        }
        heard = one.told.iter().filter(|told| matches!(told, Told::Word(..))).count();
    }
    assert!(heard < MAX_TALK as usize, "{heard}");
    one.pass(TALK);
    let link = friend(&mut one, key(0));
    one.hear(link, &chat());
    assert!(one.is_open(link), "in time it is heard again");
}

/// A guest whose invite was not answered yet calls again, and is known by then: the newer link stays (INV-11).
#[test]
fn a_late_answer_does_not_bring_an_older_link_back() {
    let mut one = One::new();
    let first = one.accept(key(0), None, false);
    one.hear(first, &knock());
    let second = one.accept(key(0), None, true);
    assert!(one.is_open(second));
    one.links.answer(one.now, first, None, true);
    one.drain();
    assert_eq!((one.is_open(first), one.is_open(second)), (false, true));
    assert_eq!(one.links.presence(one.now, &key(0)), Presence::Here);
}

/// Many dead addresses of a node at one table do not hide the address that another table knows.
#[test]
fn one_table_cannot_hide_where_another_finds_a_node() {
    let at = |n: u8| SocketAddr::from(([192, 0, 2, n], 7));
    let dead = Address { direct: (10..10 + MAX_ADDRESSES as u8).map(at).collect(), relay: None };
    let good = Address { direct: vec![at(1)], relay: None };
    for said in [[&dead, &good], [&good, &dead]] {
        let mut one = One::new();
        one.links.want(one.now, said.map(|address| (key(0), address.clone())));
        one.drain();
        let dialled = &one.dials[0].2.direct;
        assert!(dialled.contains(&at(1)) && dialled.len() == MAX_ADDRESSES);
    }
}

/// A node's relay is the one that was named first, by the best source; what others say later does not replace it.
#[test]
fn the_first_relay_counts() {
    let address = |relay: Option<&str>| Address { direct: Vec::new(), relay: relay.map(Relay::plain) };
    for said in [[Some("own"), Some("foreign")], [Some("own"), None], [None, Some("own")]] {
        let mut one = One::new();
        one.links.want(one.now, said.map(|relay| (key(0), address(relay))));
        one.drain();
        assert_eq!(one.dials[0].2, address(Some("own")));
    }
}

/// Anyone can write an invite that names a different relay: a node is called through each that was named, in turn.
#[test]
fn a_relay_that_fails_is_not_the_only_one() {
    let address = |relay: &str| Address { direct: Vec::new(), relay: Some(Relay::plain(relay)) };
    let mut one = One::new();
    one.links.want(one.now, ["foreign", "own", "foreign"].map(|relay| (key(0), address(relay))));
    for relay in ["foreign", "own", "foreign"] {
        one.drain();
        let (link, _, called) = one.dials.pop().unwrap();
        assert_eq!(called, address(relay));
        one.feed(NetIn::Down(link), false);
        one.pass(LAST_PAUSE);
    }
}

/// INV-11: of two links between the same nodes, one survives.
#[test]
fn of_two_links_one_survives() {
    let (small, large) = (Key([1; 32]), Key([8; 32]));
    for (peer, wins) in [(small, true), (large, false)] {
        let mut one = One::new();
        one.want(&[peer]);
        let ours = one.dials[0].0;
        one.feed(NetIn::Up { link: ours, peer, from: None }, true);
        let theirs = one.accept(peer, None, true);
        assert_eq!((one.is_open(ours), one.is_open(theirs)), (!wins, wins), "they dialled at the same time");
        // It calls again: of its own links, the newer counts; this node's link is kept until it is old.
        let again = one.accept(peer, None, true);
        assert_eq!((one.is_open(theirs), one.is_open(again)), (false, wins));
        one.pass(OLD);
        let returned = one.accept(peer, None, true);
        assert!(one.is_open(returned) && one.open.len() == 1, "whoever dials so late has lost the link");
        assert_eq!(one.links.presence(one.now, &peer), Presence::Here);
        assert!(!one.told.contains(&Told::Away(peer)), "it was never away");
    }
}

#[test]
fn dials_end_and_only_the_right_node_answers() {
    let mut one = One::new();
    let (peer, now) = (key(1), one.now);
    assert_eq!(one.links.presence(now, &peer), Presence::Connecting);
    one.want(&[peer, OWN]);
    let link = one.dials[0].0;
    assert_eq!((one.dials.len(), one.links.presence(now, &peer)), (1, Presence::Connecting), "nobody dials itself");
    one.pass(DIAL - 1);
    assert!(one.hung_up.is_empty());
    one.pass(1);
    assert_eq!((one.hung_up.pop(), one.links.presence(one.now, &peer)), (Some(link), Presence::Away(DIAL)));
    // The call is answered after all: too late.
    one.feed(NetIn::Up { link, peer, from: None }, true);
    assert_eq!(one.hung_up.pop(), Some(link));
    one.pass(FIRST_PAUSE);
    let (again, ..) = one.dials[1];
    one.feed(NetIn::Up { link: again, peer: key(2), from: None }, true);
    assert_eq!((one.hung_up.pop(), one.open.len()), (Some(again), 0), "somebody else");
    one.pass(2 * FIRST_PAUSE);
    let (third, ..) = one.dials[2];
    // The smaller key's link is there first: this node's call would lose.
    let link = one.accept(peer, Some("192.0.2.9"), true);
    assert!(one.is_open(link) && one.hung_up == [third] && peer < OWN);
    // It goes silent, and is called where it came from.
    one.feed(NetIn::Down(link), true);
    one.pass(4 * FIRST_PAUSE);
    assert_eq!(one.dials[3].2.direct, ["192.0.2.9:7".parse().unwrap()]);
    one.want(&[]);
    one.feed(NetIn::Down(one.dials[3].0), true);
    one.pass(10 * LAST_PAUSE);
    assert_eq!((one.dials.len(), one.links.due()), (4, None), "nobody is wanted");
    assert!(matches!(one.links.presence(one.now, &peer), Presence::Away(_)));
}

/// A direct path that breaks, and one that comes back, are told once each. That a link becomes direct in the beginning is not.
#[test]
fn a_direct_way_that_breaks_is_told_and_so_is_its_return() {
    let mut one = One::new();
    let (peer, other) = (key(1), key(2));
    let (link, narrow) = (friend(&mut one, peer), friend(&mut one, other));
    let ways = |one: &mut One, link: LinkId, ways: &[bool]| -> Vec<(Key, bool)> {
        one.told.clear();
        ways.iter().for_each(|is_direct| one.feed(NetIn::Way { link, is_direct: *is_direct }, true));
        one.told
            .iter()
            .filter_map(|told| if let Told::Way(key, is_direct) = told { Some((*key, *is_direct)) } else { None })
            .collect()
    };
    assert_eq!(ways(&mut one, narrow, &[false, false]), []);
    assert_eq!(ways(&mut one, link, &[false, true, true]), []);
    assert_eq!(ways(&mut one, link, &[false, false, true, true]), [(peer, false), (peer, true)]);
    // A peer that has its path break again and again is told of once in a while.
    assert_eq!(ways(&mut one, link, &[false, true].repeat(100)), []);
    assert_eq!(ways(&mut one, link, &[false]), []);
    one.pass(QUIET);
    assert!(matches!(one.told[..], [Told::Way(key, false)] if key == peer));
    assert_eq!(ways(&mut one, link, &[true, false, true]), [(peer, true)]);
    one.feed(NetIn::Down(link), true);
    assert_eq!(ways(&mut one, link, &[true]), [], "it is gone");
}

/// A relay that does not answer is told after three seconds, once, and so is its return; but not to somebody who reaches nobody by it.
#[test]
fn a_relay_that_is_gone_is_told_to_whom_it_matters() {
    let mut one = One::new();
    let told = |one: &One| -> Vec<bool> {
        one.told
            .iter()
            .filter_map(|told| if let Told::RelayGone(is_gone) = told { Some(*is_gone) } else { None })
            .collect()
    };
    one.feed(NetIn::RelayGone(true), true);
    one.pass(10 * GONE);
    assert_eq!(told(&one), [false; 0], "nobody is wanted");
    one.feed(NetIn::RelayGone(false), true);
    friend(&mut one, key(1));
    one.want(&[key(1)]);
    one.feed(NetIn::RelayGone(true), true);
    one.pass(GONE - 1);
    one.feed(NetIn::RelayGone(false), true);
    assert_eq!(told(&one), [false; 0], "a short gap is nothing");
    for _ in 0..2 {
        one.feed(NetIn::RelayGone(true), true);
        one.pass(GONE);
        one.feed(NetIn::RelayGone(true), true);
        one.pass(GONE);
    }
    assert_eq!(told(&one), [true]);
    one.feed(NetIn::RelayGone(false), true);
    one.feed(NetIn::RelayGone(false), true);
    assert_eq!(told(&one), [true, false]);
    for _ in 0..10 {
        one.feed(NetIn::RelayGone(true), true);
        one.pass(GONE);
        one.feed(NetIn::RelayGone(false), true);
    }
    assert_eq!(told(&one), [true, false, true, false], "not each time");
    // A host stays at a relay, so that its guests find it.
    let mut host = One::new();
    host.feed(NetIn::Bound(Helper::Public), true);
    host.feed(NetIn::RelayGone(true), true);
    host.pass(GONE);
    assert_eq!(told(&host), [true]);
}

/// A node that has lost its relay and has no links binds again, first after five seconds. Links that work are not closed for that.
#[test]
fn a_lost_relay_is_bound_again_when_nobody_is_here() {
    let mut one = One::new();
    let lost = Reach::Lost { address: Address::default() };
    one.pass(LAST_BIND);
    one.reach(lost.clone());
    one.pass(10 * LAST_BIND);
    assert_eq!(one.binds, 0, "nobody is wanted");
    one.reach(ready(1));
    let link = friend(&mut one, key(1));
    one.want(&[key(1)]);
    one.reach(lost.clone());
    one.pass(LAST_BIND);
    one.feed(NetIn::Tick, true);
    assert_eq!((one.binds, one.is_open(link)), (0, true), "direct links go on");
    one.feed(NetIn::Down(link), true);
    assert_eq!(one.binds, 1);
    let mut pauses = Vec::new();
    for _ in 0..6 {
        one.reach(Reach::Starting);
        one.reach(ready(1));
        one.reach(lost.clone());
        let (before, since) = (one.binds, one.now);
        while one.binds == before {
            one.pass(100);
        }
        pauses.push(one.now - since);
    }
    assert_eq!(pauses, [10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
    one.reach(ready(1));
    one.pass(LAST_BIND);
    one.reach(lost);
    let before = one.binds;
    one.pass(FIRST_BIND);
    assert_eq!(one.binds, before + 1, "after a good minute it is the first time again");
}

#[test]
fn whoever_binds_again_loses_all_links_and_dials_everybody() {
    let mut one = One::new();
    let (link, stranger) = (friend(&mut one, key(1)), one.accept(key(9), None, false));
    one.want(&[key(1), key(2), key(3)]);
    assert_eq!(one.dials.len(), 2);
    one.feed(NetIn::Down(one.dials[0].0), true);
    one.pass(FIRST_PAUSE);
    assert_eq!(one.dials.len(), 3);
    // One node is in its pause, another is being called.
    one.feed(NetIn::Down(one.dials[2].0), true);
    one.reach(ready(2));
    assert!(one.is_open(link) && one.links.address().unwrap().direct[0].port() == 2, "another address is no new start");
    one.reach(Reach::Starting);
    assert!(!one.is_open(link) && !one.is_open(stranger) && one.hung_up.contains(&one.dials[1].0));
    assert_eq!((one.links.address(), one.links.due()), (None, None));
    let early = one.accept(key(1), None, true);
    assert!(!one.is_open(early), "nobody comes while there is no transport");
    one.pass(FIRST_PAUSE);
    assert_eq!(one.dials.len(), 3);
    one.reach(ready(3));
    assert_eq!(
        one.dials[3..].iter().map(|(_, peer, _)| *peer).collect::<Vec<_>>(),
        [key(1), key(2), key(3)],
        "all, at once"
    );
    one.reach(Reach::Failed("no".into()));
    assert_eq!(one.links.own_reach(), &Reach::Failed("no".into()));
    assert_eq!(one.hung_up.len(), 7);
}

/// Nothing grows with what other nodes do.
#[test]
fn those_whom_nobody_wants_are_forgotten() {
    let mut one = One::new();
    let wanted = key(0);
    one.want(&[wanted]);
    for n in 1..1_200 {
        let link = friend(&mut one, key(n));
        one.feed(NetIn::Down(link), true);
        one.pass(1);
        one.want(&[wanted]);
        assert!(one.links.peers.len() <= 1_024);
    }
    assert!(one.links.peers.contains_key(&wanted) && one.links.links.is_empty());
}

/// Whatever a machine and its peers do, in any order: no panic, and no limit is exceeded.
#[test]
fn nonsense_does_no_harm() {
    with_seeds(500, |seed| {
        let mut rng = Rng(seed);
        let mut one = One::new();
        let mut numbers = Vec::new();
        for _ in 0..200 {
            let n = rng.below(60);
            let link = match rng.below(3) {
                0 => LinkId { ours: true, n: n % 12 },
                _ => LinkId { ours: false, n: numbers.get(n as usize % numbers.len().max(1)).copied().unwrap_or(n) },
            };
            let bytes = match rng.below(8) {
                0 => words(&hi()),
                1 => words(&knock()),
                2 => words(&chat()),
                3 => words(&Say::Hi { protocol: "else".into(), program: "?".into() }),
                4 => vec![FRAME; rng.below(60) as usize],
                5 => vec![WORDS; rng.below(MAX_WORDS as u64 + 9) as usize],
                _ => (0..rng.below(50)).map(|_| rng.next() as u8).collect(),
            };
            let from = rng.chance(50).then(|| SocketAddr::from(([192, 0, 2, rng.below(4) as u8], 7)));
            match rng.below(12) {
                0..4 => {
                    numbers.push(one.accepted);
                    let link = LinkId { ours: false, n: one.accepted };
                    one.accepted += 1;
                    one.hung_up.retain(|gone| *gone != link);
                    let (peer, is_known) = (key(rng.below(50)), rng.chance(30));
                    one.feed(NetIn::Up { link, peer, from }, is_known);
                }
                4 => {
                    one.hung_up.retain(|gone| *gone != link);
                    one.feed(NetIn::Up { link, peer: key(rng.below(50)), from }, rng.chance(30));
                }
                5..8 => one.feed(NetIn::Message { link, bytes }, false),
                8 => one.feed(NetIn::Down(link), false),
                9 => one.feed(NetIn::Sent { link, bytes: rng.below(1_000) as usize }, false),
                10 => {
                    one.links.answer(one.now, link, Some(&Say::Soon), rng.chance(50));
                    one.drain();
                }
                _ if rng.chance(10) => one.reach(if rng.chance(50) { Reach::Starting } else { ready(1) }),
                _ => one.want(&(0..rng.below(4)).map(key).collect::<Vec<_>>()),
            }
            one.pass(rng.below(2_000));
            let strangers = one.links.links.keys().filter(|link| one.links.door.stage(**link).is_some()).count();
            assert!(strangers <= MAX_STRANGERS);
            let mut peers: Vec<Key> = one.links.links.values().map(|link| link.peer).collect();
            let all = peers.len();
            peers.sort_unstable();
            peers.dedup();
            assert!(all <= peers.len() + strangers, "one link a friend");
            let kept = one.links.links.keys().find(|link| one.hung_up.contains(link));
            assert_eq!(kept, None, "what is hung up is gone");
        }
    });
}

/// What is found at a relay counts while its node is being called, is reported once, and is forgotten with the relay.
#[test]
fn a_relay_that_is_looked_at() {
    let mut one = One::new();
    let host = Key([9; 32]);
    let at = |relay: &str| Address { direct: Vec::new(), relay: Some(Relay::plain(relay)) };
    one.links.handle(one.now, NetIn::Relay(host, RelayFound::Open), &|_| false);
    assert_eq!(one.links.relay_of(&host), None, "nobody is called");
    one.links.want(one.now, [(host, at("http://192.0.2.9"))]);
    let mut told = |found| {
        one.links.handle(one.now, NetIn::Relay(host, found), &|_| false);
        std::iter::from_fn(|| one.links.poll()).filter(|out| *out == Out::Told(Told::Relay)).count()
    };
    assert_eq!([told(RelayFound::Silent), told(RelayFound::Silent), told(RelayFound::Open)], [1, 0, 1]);
    assert_eq!(one.links.relay_of(&host), Some(RelayFound::Open));
    one.links.want(one.now, [(host, at("http://192.0.2.10"))]);
    assert_eq!(one.links.relay_of(&host), None, "of another relay nothing is known");
}
