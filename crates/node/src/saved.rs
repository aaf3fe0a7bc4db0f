//! What is on the disk, and what waits for it: a message waits for the item it refers to (INV-13, MEET-17).
//!
//! Everything that is replaced as a whole is an [`Item`]. A change to an item is noted; the machine takes it with [`Saved::next`] and
//! reports the result with [`Saved::done`]. Messages about an item leave when every change that was noted before them is on the disk.
//! Messages about other items do not wait for it, so one file that does not fit holds up nothing else. Several changes become one write.
//!
//! The contract: after [`Saved::change`] the machine takes what [`Saved::next`] returns until it returns nothing, and calls again at
//! [`Saved::wake`]. Only one write of an item is under way at a time.

use std::collections::{BTreeMap, VecDeque};

use outis_table::TableId;

use crate::ask::TableName;
use crate::say::Say;

/// Milliseconds of a clock that never goes back.
pub type Millis = u64;

/// The pause before a disk that refused is asked again.
pub const RETRY: Millis = 3_000;
/// Messages that may wait for one item; see [`Saved::overflow`].
pub const MAX_HELD: usize = 256;

/// Something that is replaced as a whole. Items are written in this order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// A message for the lobby.
    Letter(u64),
    /// The log of a table that is over.
    Log(TableName),
    /// What is stored about a table.
    About(TableName),
    /// The tables that wait for players.
    Gathering,
    /// This node's side of a lobby.
    Lobby,
    /// The person's settings.
    Settings,
}

impl Item {
    /// The item that a message refers to; `name` finds the tables of this machine. A message about a table that is not here refers to no
    /// item.
    pub fn of(word: &Say, name: impl FnOnce(TableId) -> Option<TableName>) -> Option<Self> {
        match word {
            Say::Knock(_)
            | Say::Welcome(..)
            | Say::Refuse(..)
            | Say::Gathering(..)
            | Say::Gone(_)
            | Say::Unseat(_)
            | Say::Soon
            | Say::Again(_)
            // What is stored about its table was written before the table opened. Its guest must receive the welcome first.
            | Say::Offer(_) => Some(Self::Gathering),
            Say::Chat(table, _) | Say::Left(table) => name(*table).map(Self::About),
            Say::Hi { .. } | Say::Unheard => None,
        }
    }
}

/// The state of an item. Its changes are numbered.
struct Kept<W> {
    /// What the disk should have; nothing before the first change.
    wanted: Option<Vec<u8>>,
    /// The number of the last change, and of the last one that is safe.
    changed: u64,
    safe: u64,
    /// The change that is being written.
    writing: Option<u64>,
    /// What leaves when the change with this number is safe.
    held: VecDeque<(u64, W)>,
    /// Whether the disk refused the last write; and when to try again, unless the item changes first.
    failing: bool,
    retry: Option<Millis>,
}

/// The result of a write.
#[derive(Debug, PartialEq, Eq)]
pub struct Done<W> {
    /// What may leave now, in order.
    pub words: Vec<W>,
    /// `true` if the disk begins to refuse this item, `false` if it accepts it again.
    pub turned: Option<bool>,
    /// Whether the disk refused this write.
    pub refused: bool,
}

/// All items that were changed, and the messages that wait for them.
pub struct Saved<W> {
    items: BTreeMap<Item, Kept<W>>,
}

impl<W> Default for Saved<W> {
    fn default() -> Self {
        Self { items: BTreeMap::new() }
    }
}

impl<W> Saved<W> {
    /// Notes what an item should be, and returns the number of the change, for [`Saved::is_safe_up_to`]. The same bytes again are no
    /// change. A disk that refused is asked again at once: a person may wait for the answer.
    pub fn change(&mut self, item: Item, bytes: Vec<u8>) -> u64 {
        let kept = self.items.entry(item).or_insert_with(|| Kept {
            wanted: None,
            changed: 0,
            safe: 0,
            writing: None,
            held: VecDeque::new(),
            failing: false,
            retry: None,
        });
        if kept.wanted.as_ref() != Some(&bytes) {
            kept.wanted = Some(bytes);
            kept.changed += 1;
        }
        kept.retry = None;
        kept.changed
    }

    /// Takes a message about an item: returns it if it may leave at once, keeps it if it must wait.
    #[must_use = "a word that is given back is to be said"]
    pub fn say(&mut self, about: Option<&Item>, word: W) -> Option<W> {
        let Some(kept) = about.and_then(|item| self.items.get_mut(item)).filter(|kept| !kept.is_safe()) else {
            return Some(word);
        };
        kept.held.push_back((kept.changed, word));
        None
    }

    /// If too many messages wait for an item, removes and returns the oldest one for the receiver that has most of them: so no receiver
    /// loses a message because of another. That receiver must learn that it has missed something.
    pub fn overflow<K: Ord>(&mut self, item: &Item, whose: impl Fn(&W) -> Option<K>) -> Option<W> {
        let held = &mut self.items.get_mut(item).filter(|kept| kept.held.len() > MAX_HELD)?.held;
        let mut counts: BTreeMap<K, usize> = BTreeMap::new();
        held.iter().filter_map(|(_, word)| whose(word)).for_each(|who| *counts.entry(who).or_default() += 1);
        let (most, _) = counts.into_iter().max_by_key(|(_, count)| *count)?;
        let oldest = held.iter().position(|(_, word)| whose(word).is_some_and(|who| who == most))?;
        held.remove(oldest).map(|(_, word)| word)
    }

    /// The next item to write, whole.
    pub fn next(&mut self, now: Millis) -> Option<(Item, Vec<u8>)> {
        let is_due =
            |kept: &Kept<W>| !kept.is_safe() && kept.writing.is_none() && kept.retry.is_none_or(|at| at <= now);
        let (item, kept) = self.items.iter_mut().find(|(_, kept)| is_due(kept))?;
        kept.writing = Some(kept.changed);
        // An empty file in its place would be a lost one.
        Some((item.clone(), kept.wanted.clone().expect("what is not safe is wanted")))
    }

    /// What [`Saved::next`] returned is safe, or the disk refused it.
    pub fn done(&mut self, item: &Item, is_safe: bool, now: Millis) -> Done<W> {
        let mut done = Done { words: Vec::new(), turned: None, refused: false };
        let Some(kept) = self.items.get_mut(item) else { return done };
        let Some(number) = kept.writing.take() else { return done };
        let was_failing = std::mem::replace(&mut kept.failing, !is_safe);
        kept.retry = kept.failing.then(|| now.saturating_add(RETRY));
        done.turned = (was_failing != kept.failing).then_some(kept.failing);
        if !is_safe {
            done.refused = true;
            return done;
        }
        kept.safe = kept.safe.max(number);
        let rest = kept.held.partition_point(|(mark, _)| *mark <= number);
        done.words = kept.held.drain(..rest).map(|(_, word)| word).collect();
        // Each of these is written once: no later change will be compared with it.
        if matches!(item, Item::Letter(_) | Item::Log(_)) && kept.is_safe() {
            self.items.remove(item);
        }
        done
    }

    /// Of what waits for an item, removes and returns what `which` accepts.
    pub fn give_up(&mut self, item: &Item, which: impl Fn(&W) -> bool) -> Vec<W> {
        let Some(kept) = self.items.get_mut(item) else { return Vec::new() };
        let (gone, held) = std::mem::take(&mut kept.held).into_iter().partition(|(_, word)| which(word));
        kept.held = held;
        VecDeque::into_iter(gone).map(|(_, word)| word).collect()
    }

    /// What the disk should have of an item and does not have yet.
    pub fn unsaved(&self, item: &Item) -> Option<&[u8]> {
        self.items.get(item).filter(|kept| !kept.is_safe()).and_then(|kept| kept.wanted.as_deref())
    }

    /// What waits for an item.
    pub fn waiting(&self, item: &Item) -> impl Iterator<Item = &W> {
        self.items.get(item).into_iter().flat_map(|kept| &kept.held).map(|(_, word)| word)
    }

    /// Forgets an item because what it belongs to is gone, and returns what waited for it. If a write is under way, its answer must come
    /// before the next write begins.
    pub fn forget(&mut self, item: &Item) -> Vec<W> {
        let Some(kept) = self.items.get_mut(item) else { return Vec::new() };
        let held = std::mem::take(&mut kept.held);
        if kept.writing.is_some() {
            (kept.wanted, kept.failing, kept.retry, kept.safe) = (None, false, None, kept.changed);
        } else {
            self.items.remove(item);
        }
        held.into_iter().map(|(_, word)| word).collect()
    }

    /// Whether every change to an item is safe.
    pub fn is_safe(&self, item: &Item) -> bool {
        self.items.get(item).is_none_or(Kept::is_safe)
    }

    /// Whether this change to an item, or a later one, is safe.
    pub fn is_safe_up_to(&self, item: &Item, change: u64) -> bool {
        self.items.get(item).is_none_or(|kept| kept.safe >= change)
    }

    /// When to ask for the next item; `None` if there is none.
    pub fn wake(&self) -> Option<Millis> {
        let waiting = self.items.values().filter(|kept| !kept.is_safe() && kept.writing.is_none());
        waiting.map(|kept| kept.retry.unwrap_or(0)).min()
    }
}

impl<W> Kept<W> {
    fn is_safe(&self) -> bool {
        self.safe == self.changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(name: &str) -> Item {
        Item::About(name.to_owned())
    }

    /// A disk that accepts everything.
    fn write_all(saved: &mut Saved<u32>, now: Millis) -> (Vec<Item>, Vec<u32>) {
        let (mut items, mut said) = (Vec::new(), Vec::new());
        while let Some((item, bytes)) = saved.next(now) {
            let _ = bytes;
            said.extend(saved.done(&item, true, now).words);
            items.push(item);
        }
        (items, said)
    }

    #[test]
    fn a_word_waits_for_what_it_speaks_of_and_for_nothing_else() {
        let mut saved = Saved::default();
        assert_eq!(saved.say(Some(&Item::Gathering), 1), Some(1), "nothing has changed");
        saved.change(Item::Gathering, b"a".to_vec());
        assert_eq!(saved.say(Some(&Item::Gathering), 2), None);
        assert_eq!(saved.say(Some(&about("t")), 3), Some(3), "another item");
        assert_eq!(saved.say(None, 4), Some(4));
        assert!(!saved.is_safe(&Item::Gathering) && saved.is_safe(&about("t")));
        assert_eq!(write_all(&mut saved, 0), (vec![Item::Gathering], vec![2]));
        assert_eq!(saved.say(Some(&Item::Gathering), 5), Some(5));
    }

    #[test]
    fn many_changes_are_one_write_and_words_leave_in_order() {
        let mut saved = Saved::default();
        saved.change(Item::Gathering, vec![0]);
        let (item, _) = saved.next(0).unwrap();
        // 32 guests present an invite while the first change is being written.
        for n in 1..=32_u8 {
            saved.change(Item::Gathering, vec![n]);
            assert_eq!(saved.say(Some(&Item::Gathering), u32::from(n)), None);
            assert_eq!(saved.next(0), None, "one write of an item at a time");
        }
        let done = saved.done(&item, true, 0);
        assert!(saved.is_safe_up_to(&item, 1) && !saved.is_safe_up_to(&item, 2) && !saved.is_safe(&item));
        assert_eq!(done.words, Vec::<u32>::new(), "what is safe is older than what they speak of");
        let (items, said) = write_all(&mut saved, 0);
        assert_eq!((items.len(), said), (1, (1..=32).collect()));
        saved.change(Item::Gathering, vec![32]);
        assert_eq!(saved.next(0), None, "the disk has it");
    }

    #[test]
    fn a_disk_that_refuses_is_tried_again_and_silences_nobody_else() {
        let mut saved = Saved::default();
        saved.change(about("full"), vec![1]);
        saved.change(about("good"), vec![1]);
        assert_eq!(saved.say(Some(&about("full")), 1), None);
        assert_eq!(saved.say(Some(&about("good")), 2), None);
        let (item, _) = saved.next(10).unwrap();
        assert_eq!(
            (&item, saved.done(&item, false, 10)),
            (&about("full"), Done { words: vec![], turned: Some(true), refused: true })
        );
        assert_eq!(write_all(&mut saved, 10), (vec![about("good")], vec![2]));
        assert_eq!(saved.wake(), Some(10 + RETRY));
        // Refused again: the person knows already.
        let (item, _) = saved.next(10 + RETRY).unwrap();
        assert_eq!(saved.done(&item, false, 10 + RETRY).turned, None);
        assert_eq!(saved.next(11 + RETRY), None, "not at once");
        saved.change(about("full"), vec![2]);
        let (item, bytes) = saved.next(12 + RETRY).unwrap();
        assert_eq!(bytes, [2], "what is written is what is so by then");
        assert_eq!(saved.done(&item, true, 0), Done { words: vec![1], turned: Some(false), refused: false });
        assert_eq!(saved.wake(), None);
    }

    /// Requests do not wait for a disk that refuses, not even later ones: they build on what was refused. Messages wait.
    #[test]
    fn some_do_not_wait_for_a_disk_that_refuses() {
        let mut saved = Saved::default();
        saved.change(Item::Gathering, vec![1]);
        assert_eq!((saved.say(Some(&Item::Gathering), 1), saved.say(Some(&Item::Gathering), 2)), (None, None));
        saved.next(0).unwrap();
        saved.change(Item::Gathering, vec![2]);
        assert_eq!(saved.say(Some(&Item::Gathering), 3), None);
        assert!(saved.done(&Item::Gathering, false, 0).refused);
        assert_eq!(saved.give_up(&Item::Gathering, |word| *word != 2), [1, 3]);
        assert_eq!(write_all(&mut saved, RETRY), (vec![Item::Gathering], vec![2]));
    }

    #[test]
    fn what_waits_is_bounded_and_can_be_forgotten() {
        let mut saved = Saved::default();
        saved.change(about("t"), vec![1]);
        for n in 0..MAX_HELD as u32 + 5 {
            assert_eq!(saved.say(Some(&about("t")), n), None);
            // The oldest that may go is returned: its receiver has missed it.
            let gone = saved.overflow(&about("t"), |n| (*n != 0).then_some(()));
            assert_eq!(gone, n.checked_sub(MAX_HELD as u32 - 1).filter(|n| *n > 0));
        }
        let held = saved.forget(&about("t"));
        assert_eq!((held.len(), held[0], held[1]), (MAX_HELD, 0, 6));
        assert!(saved.is_safe(&about("t")) && saved.next(0).is_none());
        assert_eq!(saved.done(&about("t"), true, 0).words, Vec::<u32>::new(), "a write that was under way");
    }

    /// A write under way for a forgotten item does not answer for a later one.
    #[test]
    fn a_forgotten_write_answers_nobody_else() {
        let mut saved = Saved::default();
        saved.change(about("t"), vec![1]);
        assert!(saved.next(0).is_some());
        assert_eq!(saved.say(Some(&about("t")), 1), None);
        assert_eq!(saved.forget(&about("t")), [1]);
        assert!(saved.is_safe(&about("t")));
        saved.change(about("t"), vec![2]);
        assert_eq!(saved.say(Some(&about("t")), 2), None);
        assert_eq!(saved.next(0), None, "one write at a time");
        assert_eq!(saved.done(&about("t"), true, 0).words, Vec::<u32>::new(), "of what was forgotten");
        assert_eq!(write_all(&mut saved, 0), (vec![about("t")], vec![2]));
    }

    #[test]
    fn every_word_names_what_it_speaks_of() {
        let table = TableId([7; 32]);
        let name = |id: TableId| (id == table).then(|| "t".to_owned());
        assert_eq!(Item::of(&Say::Soon, name), Some(Item::Gathering));
        assert_eq!(Item::of(&Say::Gone("room".into()), name), Some(Item::Gathering));
        assert_eq!(Item::of(&Say::Left(table), name), Some(about("t")));
        assert_eq!(Item::of(&Say::Left(TableId([8; 32])), name), None);
        assert_eq!(Item::of(&Say::Hi { protocol: String::new(), program: String::new() }, name), None);
    }
}
