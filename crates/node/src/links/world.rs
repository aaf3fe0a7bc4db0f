//! Nodes that call each other, in simulated time: calls that nobody answers, events that come late, links that fall silent, programs that
//! crash and return. What must hold at every moment is asserted here (INV-11, INV-12).

use std::collections::{BTreeMap, VecDeque};

use super::*;

/// After this time, a machine notices that a link is silent (INV-12).
const SILENCE: Millis = 12_000;
/// The protocol of all nodes here.
pub(super) const PROTOCOL: &str = "outis/test";

/// A small generator: a seed is enough to reproduce a failure.
pub(super) struct Rng(pub(super) u64);

impl Rng {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

struct Program {
    links: Links,
    accepted: u64,
    /// When it is woken, and the time that it asked for.
    wake: Option<(Millis, Millis)>,
    /// Calls under way.
    dials: BTreeMap<LinkId, (usize, Millis)>,
    last_dial: BTreeMap<usize, Millis>,
    heard: Vec<(usize, String)>,
}

struct End {
    node: usize,
    life: u32,
    link: LinkId,
    is_up: bool,
    is_closed: bool,
    /// Whatever arrives here arrives in order.
    last: Millis,
    allowed: usize,
    inbox: VecDeque<Vec<u8>>,
}

enum Event {
    Up(usize, usize),
    Message(usize, usize, Vec<u8>),
    Sent(usize, usize, usize),
    Down(usize, usize),
    Refused(usize, u32, LinkId),
    Silent(usize),
    Crash(usize),
    Return(usize),
}

pub(super) struct World {
    pub(super) rng: Rng,
    pub(super) now: Millis,
    keys: Vec<Key>,
    /// Which node wants which.
    wants: Vec<(usize, usize)>,
    programs: Vec<Option<Program>>,
    lives: Vec<u32>,
    wires: Vec<[End; 2]>,
    ends: BTreeMap<(usize, u32, LinkId), (usize, usize)>,
    /// How many open links a node has to another, as its machine sees them.
    open: BTreeMap<(usize, usize), usize>,
    events: BTreeMap<(Millis, u64), Event>,
    count: u64,
    /// Until this time the network is bad.
    bad_until: Millis,
    pub(super) dialled: usize,
    /// How long everything takes, if it always takes the same time.
    step: Option<Millis>,
}

impl World {
    /// Two nodes that want each other, and for which everything takes the same time.
    pub(super) fn in_step() -> Self {
        let mut world = Self::new(0, 2, 0);
        (world.wants, world.step) = (Vec::new(), Some(30));
        world.events.clear();
        (0..2).for_each(|node| world.start(node));
        world.wants = vec![(0, 1), (1, 0)];
        (0..2).for_each(|node| world.want(node));
        world
    }

    pub(super) fn new(seed: u64, nodes: usize, bad_until: Millis) -> Self {
        let mut rng = Rng(seed);
        let mut keys: Vec<Key> = (0..nodes as u8).map(|n| Key([n + 1; 32])).collect();
        if rng.chance(50) {
            keys.reverse();
        }
        let mut wants = Vec::new();
        for (a, b) in (0..nodes).flat_map(|a| (0..a).map(move |b| (a, b))) {
            // Mostly both want each other; a guest that has not begun wants its host, which knows it.
            let both = rng.chance(75);
            wants.push((a, b));
            if both {
                wants.push((b, a));
            }
        }
        let mut world = Self {
            rng,
            now: 0,
            keys,
            wants,
            programs: (0..nodes).map(|_| None).collect(),
            lives: vec![0; nodes],
            wires: Vec::new(),
            ends: BTreeMap::new(),
            open: BTreeMap::new(),
            events: BTreeMap::new(),
            count: 0,
            bad_until,
            dialled: 0,
            step: None,
        };
        for node in 0..nodes {
            let at = world.rng.below(2_000);
            world.at(at, Event::Return(node));
            for _ in 0..world.rng.below(3) {
                let crash = 2_000 + world.rng.below(bad_until.max(4_000) - 2_000);
                let back = crash + [100, 1_000, 20_000][world.rng.below(3) as usize];
                world.at(crash, Event::Crash(node));
                world.at(back.min(bad_until.max(crash)), Event::Return(node));
            }
        }
        world
    }

    fn at(&mut self, time: Millis, event: Event) {
        self.count += 1;
        self.events.insert((time, self.count), event);
    }

    fn is_bad(&self) -> bool {
        self.now < self.bad_until
    }

    fn delay(&mut self) -> Millis {
        match self.is_bad() {
            _ if self.step.is_some() => self.step.unwrap_or_default(),
            true if self.rng.chance(10) => self.rng.below(11_000),
            true => 1 + self.rng.below(400),
            false => 1 + self.rng.below(60),
        }
    }

    /// An event reaches an end of a link, after everything that was on its way there.
    fn reach(&mut self, wire: usize, side: usize, delay: Millis, event: Event) {
        let end = &mut self.wires[wire][side];
        end.last = end.last.max(self.now + delay);
        let time = end.last;
        self.at(time, event);
    }

    /// Runs all events up to a time.
    pub(super) fn run(&mut self, until: Millis) {
        loop {
            let wake = self.programs.iter().enumerate().filter_map(|(n, p)| Some((p.as_ref()?.wake?.0, n))).min();
            let event = self.events.first_key_value().map(|((time, _), _)| *time);
            match (event, wake) {
                (Some(time), wake) if time <= until && wake.is_none_or(|(at, _)| time <= at) => {
                    self.now = self.now.max(time);
                    let Some((_, event)) = self.events.pop_first() else { return };
                    self.happen(event);
                }
                (_, Some((at, node))) if at <= until => {
                    self.now = self.now.max(at);
                    self.feed(node, NetIn::Tick);
                }
                _ => break,
            }
        }
        self.now = until;
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Up(wire, side) => {
                let peer = self.wires[wire][1 - side].node;
                let end = &mut self.wires[wire][side];
                if end.is_closed || self.lives[end.node] != end.life || self.programs[end.node].is_none() {
                    return;
                }
                end.is_up = true;
                let (node, link) = (end.node, end.link);
                *self.open.entry((node, peer)).or_default() += 1;
                if let Some(program) = &mut self.programs[node] {
                    program.dials.remove(&link);
                }
                let from = Some(SocketAddr::from(([192, 0, 2, peer as u8], 7)));
                self.feed(node, NetIn::Up { link, peer: self.keys[peer], from });
            }
            Event::Message(wire, side, bytes) => {
                self.wires[wire][side].inbox.push_back(bytes);
                self.deliver(wire, side);
            }
            Event::Sent(wire, side, bytes) => {
                let (node, life, link) = self.name(wire, side);
                if self.lives[node] == life {
                    self.feed(node, NetIn::Sent { link, bytes });
                }
            }
            Event::Down(wire, side) => {
                let peer = self.wires[wire][1 - side].node;
                let end = &mut self.wires[wire][side];
                if std::mem::replace(&mut end.is_closed, true) || self.lives[end.node] != end.life {
                    return;
                }
                let (node, link) = (end.node, end.link);
                if end.is_up {
                    *self.open.entry((node, peer)).or_default() -= 1;
                }
                if let Some(program) = &mut self.programs[node] {
                    program.dials.remove(&link);
                }
                self.feed(node, NetIn::Down(link));
            }
            Event::Refused(node, life, link) => {
                if self.lives[node] == life
                    && let Some(program) = &mut self.programs[node]
                    && program.dials.remove(&link).is_some()
                {
                    self.feed(node, NetIn::Down(link));
                }
            }
            Event::Silent(wire) => self.fall_silent(wire),
            Event::Crash(node) => {
                self.programs[node] = None;
                self.lives[node] += 1;
                self.open.retain(|(of, _), _| *of != node);
                let wires: Vec<usize> =
                    (0..self.wires.len()).filter(|wire| self.wires[*wire].iter().any(|end| end.node == node)).collect();
                wires.into_iter().for_each(|wire| self.fall_silent(wire));
            }
            Event::Return(node) => self.start(node),
        }
    }

    /// Nothing passes any longer, and no machine is told before the silence has lasted.
    fn fall_silent(&mut self, wire: usize) {
        for side in 0..2 {
            self.wires[wire][side].inbox.clear();
            self.wires[wire][side].allowed = 0;
            self.at(self.now + SILENCE, Event::Down(wire, side));
        }
    }

    fn start(&mut self, node: usize) {
        if self.programs[node].is_some() {
            return;
        }
        self.programs[node] = Some(Program {
            links: Links::new(self.keys[node], PROTOCOL, "1"),
            accepted: 0,
            wake: None,
            dials: BTreeMap::new(),
            last_dial: BTreeMap::new(),
            heard: Vec::new(),
        });
        let ready = Reach::Ready { address: Address::default() };
        if let Some(program) = &mut self.programs[node] {
            program.links.handle(self.now, NetIn::Reach(ready), &|_| true);
        }
        self.want(node);
    }

    fn want(&mut self, node: usize) {
        let wanted = self.wants.iter().filter(|(who, _)| *who == node);
        let wanted: Vec<_> = wanted.map(|(_, whom)| (self.keys[*whom], Address::default())).collect();
        if let Some(program) = &mut self.programs[node] {
            program.links.want(self.now, wanted);
        }
        self.drain(node);
    }

    fn feed(&mut self, node: usize, input: NetIn) {
        let now = self.now;
        if let Some(program) = &mut self.programs[node] {
            program.links.handle(now, input, &|_| true);
        }
        self.drain(node);
    }

    fn drain(&mut self, node: usize) {
        let life = self.lives[node];
        while let Some(out) = self.programs[node].as_mut().and_then(|program| program.links.poll()) {
            match out {
                Out::Net(NetOut::Dial { link, peer, .. }) => self.dial(node, life, link, peer),
                Out::Net(NetOut::Send { link, bytes }) => {
                    let Some(&(wire, side)) = self.ends.get(&(node, life, link)) else { panic!("sent to nobody") };
                    let (length, soon, delay) = (bytes.len(), self.now + self.rng.below(5), self.delay());
                    self.at(soon, Event::Sent(wire, side, length));
                    if !self.wires[wire][1 - side].is_closed {
                        self.reach(wire, 1 - side, delay, Event::Message(wire, 1 - side, bytes));
                    }
                }
                Out::Net(NetOut::Allow { link, .. }) => {
                    let &(wire, side) = self.ends.get(&(node, life, link)).expect("a link that is up");
                    self.wires[wire][side].allowed += 1;
                    assert!(self.wires[wire][side].allowed <= 1, "one message at a time");
                    if !self.wires[wire][side].inbox.is_empty() {
                        let time = self.now;
                        self.at(time, Event::Message(wire, side, Vec::new()));
                    }
                }
                Out::Net(NetOut::HangUp(link)) => self.hang_up(node, life, link),
                Out::Net(NetOut::Bind | NetOut::Look { .. }) => panic!("nobody lost a relay"),
                Out::Told(Told::Word(from, Say::Chat(_, text))) => {
                    let from = self.keys.iter().position(|key| *key == from).expect("one of us");
                    self.programs[node].as_mut().expect("it speaks").heard.push((from, text));
                }
                Out::Told(Told::Knock(..) | Told::OtherVersion(_)) => panic!("everybody is known"),
                Out::Told(_) => {}
            }
        }
        self.check(node);
        let late =
            if self.is_bad() { self.rng.below(300) } else { self.rng.below(10) } * u64::from(self.step.is_none());
        let now = self.now;
        if let Some(program) = &mut self.programs[node] {
            let due = program.links.due();
            if program.wake.map(|(_, due)| due) != due || program.wake.is_some_and(|(at, _)| at <= now) {
                program.wake = due.map(|due| (due.max(now) + late, due));
            }
        }
    }

    fn dial(&mut self, node: usize, life: u32, link: LinkId, peer: Key) {
        let to = self.keys.iter().position(|key| *key == peer).expect("one of us");
        self.dialled += 1;
        let now = self.now;
        let program = self.programs[node].as_mut().expect("it dials");
        assert!(!program.dials.values().any(|(other, _)| *other == to), "one dial at a time");
        let last = program.last_dial.insert(to, now);
        assert!(last.is_none_or(|last| now >= last + FIRST_PAUSE), "not twice in half a second: {last:?} and {now}");
        program.dials.insert(link, (to, now));
        if self.is_bad() && self.rng.chance(15) {
            return;
        }
        let delay = self.delay();
        if self.programs[to].is_none() {
            return self.at(now + delay, Event::Refused(node, life, link));
        }
        let program = self.programs[to].as_mut().expect("it is there");
        let theirs = LinkId { ours: false, n: program.accepted };
        program.accepted += 1;
        let end = |node, life, link| End {
            node,
            life,
            link,
            is_up: false,
            is_closed: false,
            last: now,
            allowed: 0,
            inbox: VecDeque::new(),
        };
        let wire = self.wires.len();
        self.wires.push([end(node, life, link), end(to, self.lives[to], theirs)]);
        self.ends.insert((node, life, link), (wire, 0));
        self.ends.insert((to, self.lives[to], theirs), (wire, 1));
        self.reach(wire, 0, delay, Event::Up(wire, 0));
        let more = self.delay();
        self.reach(wire, 1, delay + more, Event::Up(wire, 1));
        if self.is_bad() && self.rng.chance(30) {
            let at = now + self.rng.below(20_000);
            if at < self.bad_until {
                self.at(at, Event::Silent(wire));
            }
        }
    }

    fn hang_up(&mut self, node: usize, life: u32, link: LinkId) {
        let now = self.now;
        let program = self.programs[node].as_mut().expect("it hangs up");
        if let Some((_, began)) = program.dials.remove(&link) {
            assert!(now <= began + DIAL + 400, "a dial of {} ms", now - began);
        }
        let Some(&(wire, side)) = self.ends.get(&(node, life, link)) else { return };
        let peer = self.wires[wire][1 - side].node;
        let end = &mut self.wires[wire][side];
        if !std::mem::replace(&mut end.is_closed, true) && end.is_up {
            *self.open.entry((node, peer)).or_default() -= 1;
        }
        let lost = self.is_bad() && self.rng.chance(20);
        let delay = if lost { SILENCE } else { self.delay() };
        self.reach(wire, 1 - side, delay, Event::Down(wire, 1 - side));
    }

    fn name(&self, wire: usize, side: usize) -> (usize, u32, LinkId) {
        let end = &self.wires[wire][side];
        (end.node, end.life, end.link)
    }

    fn deliver(&mut self, wire: usize, side: usize) {
        let (node, life, link) = self.name(wire, side);
        loop {
            let end = &mut self.wires[wire][side];
            // An empty message is only a reminder that something waits.
            while end.inbox.back().is_some_and(Vec::is_empty) {
                end.inbox.pop_back();
            }
            if !end.is_up || end.is_closed || end.allowed == 0 || self.lives[node] != life {
                return;
            }
            let Some(bytes) = end.inbox.pop_front() else { return };
            end.allowed -= 1;
            self.feed(node, NetIn::Message { link, bytes });
        }
    }

    /// What must hold at every moment.
    fn check(&self, node: usize) {
        let Some(program) = &self.programs[node] else { return };
        for peer in (0..self.keys.len()).filter(|peer| *peer != node) {
            let open = self.open.get(&(node, peer)).copied().unwrap_or(0);
            let is_here = program.links.presence(self.now, &self.keys[peer]) == Presence::Here;
            assert!(open <= 1, "{open} links of {node} to {peer}");
            assert_eq!(is_here, open == 1, "what {node} thinks of {peer}");
            let dials = program.dials.values().any(|(to, _)| *to == peer);
            if self.wants.contains(&(node, peer)) && !is_here && !dials {
                let due = program.links.due();
                assert!(due.is_some_and(|due| due <= self.now + LAST_PAUSE), "{node} does not look for {peer}");
            }
        }
    }

    /// Whether every pair has one link, and both ends agree on it.
    pub(super) fn is_joined(&self) -> Result<Vec<usize>, String> {
        let mut joined = Vec::new();
        for (a, b) in (0..self.keys.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let is_open = |end: &End| {
                end.is_up && !end.is_closed && self.lives[end.node] == end.life && self.programs[end.node].is_some()
            };
            let of = |wire: &[End; 2], x: usize, y: usize| {
                wire.iter().any(|end| end.node == x) && wire.iter().any(|end| end.node == y)
            };
            let wires = (0..self.wires.len()).filter(|n| of(&self.wires[*n], a, b));
            let open: Vec<usize> = wires.filter(|n| self.wires[*n].iter().any(is_open)).collect();
            match open[..] {
                [wire] if self.wires[wire].iter().all(is_open) => joined.push(wire),
                _ => return Err(format!("{a} and {b} have {} links at {}", open.len(), self.now)),
            }
        }
        Ok(joined)
    }

    /// Every node sends a message to every other; each arrives once.
    pub(super) fn everybody_is_heard(&mut self) {
        let nodes = self.keys.len();
        for (a, b) in (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            let word = Say::Chat(TableId([0; 32]), format!("{a} to {b}"));
            let (to, now) = (self.keys[b], self.now);
            self.programs[a].as_mut().expect("all are here").links.say(now, &to, &word);
            self.drain(a);
        }
        self.run(self.now + 2_000);
        for b in 0..nodes {
            let mut heard = self.programs[b].as_ref().expect("all are here").heard.clone();
            heard.sort();
            let expected: Vec<_> = (0..nodes).filter(|a| *a != b).map(|a| (a, format!("{a} to {b}"))).collect();
            assert_eq!(heard, expected);
        }
    }
}
