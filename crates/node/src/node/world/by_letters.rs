//! The same for a correspondence game: two players who are never linked find each other in a lobby and play through their mailboxes. One
//! node crashes before or after everything that it wants done. What the lobby has cleared is safe here, and what a crash kept from the
//! outbox is sent again at the next start; otherwise the game would not end in time.

use outis_meeting::memory::Memory;
use outis_meeting::service::{Limits, Meeting, Setup};
use outis_meeting::wire::{Answer, Request, VERSION};
use outis_table::identity::IdentityKey;

use super::*;
use crate::ask::Start;
use crate::lobby::address::LobbyAddress;
use crate::names::hex;

/// A lobby, and the events that it has for each node.
pub(super) struct Place {
    meeting: Meeting,
    /// The line of each node, as that node numbers it.
    lines: [Option<u64>; 2],
    says: VecDeque<(usize, LobbyIn)>,
}

impl Place {
    pub(super) fn new() -> Self {
        let limits = Limits { burst: 1_000_000, ..Limits::default() };
        let setup = Setup { limits, ..Setup::default() };
        let meeting = Meeting::new(Box::new(Memory::default()), setup);
        Self { meeting, lines: [None; 2], says: VecDeque::new() }
    }

    pub(super) fn address() -> String {
        let address = Address { direct: vec!["192.0.2.1:1".parse().unwrap()], relay: None };
        LobbyAddress { doors: vec![(Key([9; 32]), address)] }.to_text()
    }

    fn answer(&mut self, who: usize, key: &Key, now: Millis, request: Request) -> Answer {
        let is_mail = matches!(request, Request::Send(_) | Request::Claim(_));
        let answer = self.meeting.answer(&IdentityKey::from_bytes(&key.0, &()).unwrap(), now, request);
        let other = 1 - who;
        if let (true, Some(line)) = (is_mail, self.lines[other]) {
            self.says.push_back((other, LobbyIn::Bell { line }));
        }
        answer
    }
}

impl World {
    fn by_letters(disk: Disk, crash: Option<(usize, usize, How)>) -> Self {
        let mut world = Self::new(disk, None);
        world.place = Some(Place::new());
        for node in &mut world.nodes {
            node.node.use_lobby(Some(&Place::address())).unwrap();
            node.files.settings = Some(Settings { lobby: Some(Place::address()), ..Settings::default() }.to_file());
        }
        world.crash = crash;
        world
    }

    /// Carries out what a node wants from the lobby.
    pub(super) fn at_lobby(&mut self, who: usize, out: LobbyOut) {
        let (key, now) = (self.nodes[who].node.key(), self.now);
        let Some(place) = &mut self.place else { return };
        match out {
            LobbyOut::Dial { line, who: name, .. } => {
                place.lines[who] = Some(line);
                let hello = Request::Hello { version: VERSION, who: name };
                let Answer::Welcome { name, people, .. } = place.answer(who, &key, now, hello) else {
                    panic!("not let in")
                };
                place.says.push_back((who, LobbyIn::Up { line, name, people }));
            }
            LobbyOut::Ask { line, request } => {
                assert_eq!(place.lines[who], Some(line), "a line that is up");
                let answer = place.answer(who, &key, now, *request);
                place.says.push_back((who, LobbyIn::Said { line, answer }));
            }
            LobbyOut::HangUp(line) => drop(place.lines[who].take_if(|up| *up == line)),
            LobbyOut::Log(_) | LobbyOut::Answered(..) => unreachable!("nobody publishes or looks"),
        }
    }

    /// A program that is off has no line.
    pub(super) fn cut_line(&mut self, who: usize) {
        if let Some(place) = &mut self.place {
            place.lines[who] = None;
            place.says.retain(|(to, _)| *to != who);
        }
    }

    /// Both nodes receive what the lobby says.
    pub(super) fn carry_letters(&mut self) -> Result<(), Crashed> {
        for _ in 0..self.place.as_ref().map_or(0, |place| place.says.len()) {
            let Some((who, said)) = self.place.as_mut().and_then(|place| place.says.pop_front()) else { break };
            self.give(who, Input::Lobby(said))?;
        }
        Ok(())
    }

    /// What a person does who has no table yet.
    pub(super) fn seek(&mut self, who: usize) -> Result<(), Crashed> {
        let node = &self.nodes[who].node;
        if !self.nodes[who].over().is_empty() {
            return Ok(());
        }
        match (who, node.gathering.names().pop()) {
            (0, Some(id)) if node.lobby().is_hanging(&id).is_none() => self.ask(0, Ask::Publish(id, Some(3), None)),
            (0, None) => {
                let plan = Start { dials: Some(vec![1, 0]), ..Start::of_game("matching-pennies") };
                self.ask(0, Ask::Start(Box::new(plan)))
            }
            (1, None) => match node.lobby().board().first().map(|signed| hex(&signed.name())) {
                Some(name) if !node.lobby().is_asked(&name) => self.ask(1, Ask::Claim(name)),
                Some(_) => Ok(()),
                None => self.ask(1, Ask::Open),
            },
            _ => Ok(()),
        }
    }
}

/// A node crashes at every `stride`th thing that it does, until the game is over.
fn crash_everywhere(disk: Disk, stride: usize) {
    for who in 0..2 {
        let steps = World::by_letters(disk, Some((who, usize::MAX, How::Before))).run();
        assert!(steps > 80, "{steps} steps");
        for at in (0..steps).step_by(stride) {
            for how in [How::Before, How::After] {
                World::by_letters(disk, Some((who, at, how))).run();
            }
        }
    }
}

#[test]
fn two_who_are_never_linked_play_whenever_a_node_crashes() {
    crash_everywhere(Disk::Late(0), 1);
}

#[test]
fn two_who_are_never_linked_play_when_the_disk_is_late() {
    crash_everywhere(Disk::Late(350), 1);
}

#[test]
fn two_who_are_never_linked_play_when_the_disk_refuses_for_a_while() {
    for (i, from) in (0..).zip((1_000_100..1_012_000).step_by(800)) {
        crash_everywhere(Disk::LateAndRefuses(120 * (i % 2), from, from + 4_000), 11);
    }
}

/// A program crashes again soon after it has started, or a while later.
#[test]
fn two_who_are_never_linked_play_though_a_node_crashes_twice() {
    for second in [0, 3, 8, 21] {
        for (who, steps) in [(0, 90), (1, 85)] {
            for at in (second % 4..steps).step_by(4) {
                for how in [How::Before, How::After] {
                    let mut world = World::by_letters(Disk::Late(120), Some((who, at, how)));
                    world.second = Some(second);
                    world.run();
                }
            }
        }
    }
}
