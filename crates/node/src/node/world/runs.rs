//! Whole runs, with a crash at everything that a node does.

use outis_game::ending::Ending;

use super::people::{Asked, Leaver};
use super::*;

impl World {
    /// One player leaves the first game: every request is answered, and the other player knows.
    fn run_until_left(mut self) {
        let began = self.now;
        loop {
            let _ = self.turn();
            assert!(
                self.now < began + 120_000,
                "it does not end: {:?}, {:?}",
                self.disk,
                self.leaver.as_ref().map(|l| (&l.asked, &l.answered))
            );
            let now = self.now;
            let Some(leaver) = self.leaver.as_mut() else { return };
            let both = self.nodes.iter().all(|node| !node.tables.is_empty());
            if leaver.game.is_none() && both {
                leaver.game = self.nodes[leaver.who].tables.keys().next().map(|id| (id.clone(), now));
            }
            let all = [Asked::Name, Asked::Block, Asked::Leave, Asked::Forget];
            let other = &self.nodes[1 - leaver.who];
            let mut games = other.node.tables.iter().map(|open| &open.about).chain(other.node.tables.past());
            let knows = games.any(|about| about.end.is_some() || !about.left.is_empty());
            if all.iter().all(|asked| leaver.has(asked)) && leaver.asked.is_empty() && knows {
                break;
            }
        }
        for about in self.nodes.iter().flat_map(|node| node.node.tables.past()) {
            let is_blamed =
                matches!(about.end, Some(Ending::Fault | Ending::Overtime | Ending::RolledBack | Ending::Fork));
            assert!(!is_blamed, "{:?}, {:?}", about.end, self.disk);
        }
    }

    fn is_done(&self) -> bool {
        let rest = |node: &Sim| node.doing.is_empty() && node.open().is_empty();
        let is_one = self.place.is_some() || self.nodes.iter().any(|node| node.person.no_more);
        let games = if is_one { 1 } else { 2 };
        self.nodes.iter().all(|node| rest(node) && node.over().len() >= games)
    }

    /// Runs until both have played two games; returns how many things the node that crashes did.
    pub(super) fn run(mut self) -> usize {
        let began = self.now;
        while !self.is_done() {
            // A crash only cuts the turn short.
            let _ = self.turn();
            let told = || -> Vec<_> {
                self.nodes
                    .iter()
                    .map(|n| (n.open(), n.over().len(), n.node.gathering.names(), n.person.no_more))
                    .collect()
            };
            assert!(self.now < began + 120_000, "it does not end: {:?}, {:?}, {:?}", self.crash, self.disk, told());
        }
        for (one, other) in self.nodes[0].over().into_iter().zip(self.nodes[1].over()) {
            assert_eq!(one.offer, other.offer, "{:?}, {:?}", self.crash, self.disk);
            let told = [one, other].map(|about| (about.end, about.rounds, &about.head, &about.scores));
            let ends = one.end == other.end && one.end == Some(Ending::Finished) && one.scores == other.scores;
            // A node that crashed after the end may miss the last signature: the result stands without it. In a correspondence game the
            // signature is in the mailbox.
            let heads = one.head == other.head || self.place.is_none() && one.rounds.abs_diff(other.rounds) == 1;
            assert!(ends && heads, "{told:?}, {:?}, {:?}", self.crash, self.disk);
            assert_eq!(one.seats[1].key, self.nodes[1].node.key(), "the seat is of whom was invited (INV-4)");
            assert!(one.seats[1].compare.is_some() && one.seats[1].compare == other.seats[0].compare, "INV-6");
        }
        self.step
    }
}

/// A node crashes at every `stride`th thing that it does.
fn crash_everywhere(disk: Disk, stride: usize) {
    for who in 0..2 {
        let steps = World::new(disk, Some((who, usize::MAX, How::Before))).run();
        assert!(steps > 50, "{steps} steps");
        for at in (0..steps).step_by(stride) {
            for how in [How::Before, How::After] {
                World::new(disk, Some((who, at, how))).run();
            }
        }
    }
}

#[test]
fn nobody_forgets_whenever_a_node_crashes() {
    crash_everywhere(Disk::Late(0), 1);
}

#[test]
fn nobody_forgets_though_a_node_crashes_twice() {
    for second in [0, 3, 8, 21] {
        for who in 0..2 {
            for at in (second % 7..140).step_by(7) {
                for how in [How::Before, How::After] {
                    let mut world = World::new(Disk::Late(120), Some((who, at, how)));
                    world.second = Some(second);
                    world.run();
                }
            }
        }
    }
}

#[test]
fn nobody_forgets_when_the_disk_is_late() {
    crash_everywhere(Disk::Late(350), 3);
}

#[test]
fn nobody_forgets_when_the_disk_refuses_for_a_while() {
    for from in (1_000_100..1_006_000).step_by(400) {
        crash_everywhere(Disk::Refuses(from, from + 4_000), 29);
    }
}

/// With a clock, and a disk that is late and then refuses: a player who leaves, stops waiting, blocks a player and deletes the game gets
/// one answer for each, and what is answered with success is true.
#[test]
fn whoever_leaves_is_answered_when_the_disk_is_late_and_refuses() {
    for who in 0..2 {
        for after in [0, 150, 900] {
            for late in [0, 120, 350] {
                for from in (1_000_000..1_004_000).step_by(250) {
                    let mut world = World::new(Disk::LateAndRefuses(late, from, from + 5_000), None);
                    let (game, asked, answered) = (None, BTreeMap::new(), Vec::new());
                    (world.clock, world.leaver) = (10, Some(Leaver { who, after, game, asked, answered, again: 0 }));
                    world.run_until_left();
                }
            }
        }
    }
}
