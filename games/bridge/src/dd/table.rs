//! The memory of the search: bounds on tricks for sets of alike positions.

/// What is known about all positions with the same suit lengths, leader and owners of some top cards.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    /// The bits of `owners` that matter.
    mask: u128,
    /// Owners of the cards from the top, two bits each, 32 bits per suit.
    owners: u128,
    /// How many top cards of each suit matter.
    counts: [u8; 4],
    lower: u8,
    upper: u8,
    /// The lead that decided: suit · 16 + rank counted from the top of the suit.
    lead: u8,
    next: u32,
}

/// A set of positions that the table knew to decide the question.
pub(super) struct Hit {
    pub makes: bool,
    pub counts: [u8; 4],
}

pub(super) struct Table {
    heads: Vec<u32>,
    entries: Vec<Entry>,
}

/// Above this many entries the memory is cleared: 64 megabytes.
const MAX_ENTRIES: usize = 1 << 20;
const BUCKETS: usize = 1 << 20;
const END: u32 = u32::MAX;

impl Table {
    pub fn new() -> Self {
        Self { heads: vec![END; BUCKETS], entries: Vec::new() }
    }

    pub fn clear(&mut self) {
        self.heads.fill(END);
        self.entries.clear();
    }

    /// Whether the position is known to make, or not to make, `need`; otherwise perhaps the lead to try first.
    pub fn probe(&self, key: u64, owners: u128, need: u8) -> Result<Hit, Option<u8>> {
        let mut next = self.heads[bucket(key)];
        let mut lead = None;
        while let Some(e) = self.entries.get(next as usize) {
            if e.key == key && (e.owners ^ owners) & e.mask == 0 {
                if e.lower >= need {
                    return Ok(Hit { makes: true, counts: e.counts });
                }
                if e.upper < need {
                    return Ok(Hit { makes: false, counts: e.counts });
                }
                lead = lead.or(Some(e.lead));
            }
            next = e.next;
        }
        Err(lead)
    }

    /// Remembers a result.
    pub fn store(&mut self, key: u64, owners: u128, counts: [u8; 4], lower: u8, upper: u8, lead: u8) {
        let mask = mask(counts);
        let bucket = bucket(key);
        let mut next = self.heads[bucket];
        while let Some(e) = self.entries.get_mut(next as usize) {
            if e.key == key && e.counts == counts && (e.owners ^ owners) & mask == 0 {
                e.lower = e.lower.max(lower);
                e.upper = e.upper.min(upper);
                e.lead = lead;
                return;
            }
            next = e.next;
        }
        if self.entries.len() >= MAX_ENTRIES {
            self.clear();
        }
        let index = self.entries.len() as u32;
        let next = std::mem::replace(&mut self.heads[bucket], index);
        self.entries.push(Entry { key, mask, owners: owners & mask, counts, lower, upper, lead, next });
    }
}

/// The bits of the owners of so many top cards per suit.
fn mask(counts: [u8; 4]) -> u128 {
    let lane = |n: u8| if n == 0 { 0 } else { u128::from(!0u32 << (32 - 2 * u32::from(n))) };
    lane(counts[0]) | lane(counts[1]) << 32 | lane(counts[2]) << 64 | lane(counts[3]) << 96
}

fn bucket(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - BUCKETS.trailing_zeros())) as usize
}
