//! The memory of the search: bounds on tricks for sets of alike positions.

/// A position at the start of a trick.
pub(super) struct Position {
    /// The lengths of all suits in all hands, four bits each.
    pub lengths: u64,
    /// The owners of the cards from the top, two bits each, 32 bits per suit.
    pub owners: [u64; 2],
    pub leader: usize,
}

/// What is known about a set of positions.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// How many top cards of each suit matter.
    pub counts: [u8; 4],
    pub lower: u8,
    pub upper: u8,
    /// The lead that decided: suit · 16 + rank counted from the top of the suit.
    pub lead: u8,
}

/// The bounds for all positions of a group with the same owners of some top cards.
struct Entry {
    owners: [u64; 2],
    /// The bits of `owners` that matter.
    mask: [u64; 2],
    bounds: Bounds,
}

/// All that is known about positions with the same suit lengths and leader.
struct Group {
    lengths: u64,
    leader: usize,
    entries: Vec<Entry>,
    /// The next group of the bucket.
    next: u32,
}

/// A set of positions that the table knew to decide the question.
pub(super) struct Hit {
    pub makes: bool,
    pub counts: [u8; 4],
}

pub(super) struct Table {
    heads: Vec<u32>,
    groups: Vec<Group>,
    entries: usize,
}

/// Above this many entries the memory is cleared: 40 megabytes.
const MAX_ENTRIES: usize = 1 << 20;
const BUCKETS: usize = 1 << 15;
const END: u32 = u32::MAX;

impl Table {
    pub(super) fn new() -> Self {
        Self { heads: vec![END; BUCKETS], groups: Vec::new(), entries: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.heads.fill(END);
        self.groups.clear();
        self.entries = 0;
    }

    /// Whether the position is known to make, or not to make, `need`; otherwise perhaps the lead to try first.
    pub(super) fn probe(&mut self, position: &Position, need: u8) -> Result<Hit, Option<u8>> {
        let Some(group) = self.group(position) else { return Err(None) };
        let mut lead = None;
        for i in 0..group.entries.len() {
            let entry = &group.entries[i];
            if entry.covers(position) {
                let Bounds { counts, lower, upper, .. } = entry.bounds;
                if lower >= need || upper < need {
                    // What was useful is found sooner the next time.
                    group.entries.swap(i, i / 2);
                    return Ok(Hit { makes: lower >= need, counts });
                }
                lead = Some(entry.bounds.lead);
            }
        }
        Err(lead)
    }

    /// Remembers a result.
    pub(super) fn store(&mut self, position: &Position, bounds: Bounds) {
        if self.entries >= MAX_ENTRIES {
            self.clear();
        }
        let mask = mask(bounds.counts);
        let owners = [position.owners[0] & mask[0], position.owners[1] & mask[1]];
        let entry = Entry { owners, mask, bounds };
        self.entries += 1;
        let Some(group) = self.group(position) else {
            let bucket = position.bucket();
            let next = core::mem::replace(&mut self.heads[bucket], self.groups.len() as u32);
            let Position { lengths, leader, .. } = *position;
            self.groups.push(Group { lengths, leader, entries: vec![entry], next });
            return;
        };
        match group.entries.iter_mut().find(|e| e.mask == mask && e.owners == owners) {
            Some(Entry { bounds: known, .. }) => {
                known.lower = known.lower.max(bounds.lower);
                known.upper = known.upper.min(bounds.upper);
                known.lead = bounds.lead;
            }
            None => group.entries.push(entry),
        }
    }

    fn group(&mut self, position: &Position) -> Option<&mut Group> {
        let mut next = self.heads[position.bucket()];
        while let Some(group) = self.groups.get(next as usize) {
            if group.lengths == position.lengths && group.leader == position.leader {
                return self.groups.get_mut(next as usize);
            }
            next = group.next;
        }
        None
    }
}

impl Position {
    fn bucket(&self) -> usize {
        let key = self.lengths ^ (self.leader as u64) << 62;
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - BUCKETS.trailing_zeros())) as usize
    }
}

impl Entry {
    fn covers(&self, position: &Position) -> bool {
        let differ = |i: usize| (self.owners[i] ^ position.owners[i]) & self.mask[i];
        differ(0) | differ(1) == 0
    }
}

/// The bits of the owners of this many top cards per suit.
fn mask(counts: [u8; 4]) -> [u64; 2] {
    let lane = |n: u8| if n == 0 { 0 } else { u64::from(!0u32 << (32 - 2 * u32::from(n))) };
    [lane(counts[0]) | lane(counts[1]) << 32, lane(counts[2]) | lane(counts[3]) << 32]
}
