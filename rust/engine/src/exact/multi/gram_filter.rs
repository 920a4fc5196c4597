//! Which hashes have surely not been filed.

use crate::arch::gram_filter::{Passed, probe_block};
use crate::text::CodeUnit;

/// A small filter has 2¹⁵ bytes, which a processor's nearest cache holds.
const SMALL_LOG: u32 = 15;

/// With more hashes than this, one in sixteen bytes of a small filter is taken.
const MAX_SMALL: usize = 1 << (SMALL_LOG - 4);

/// Bits for each hash in a large one: one place in sixteen that holds no gram passes it at most.
const BITS_PER_HASH: usize = 16;

/// The largest has 4 MB. Beyond that a miss of the cache costs what a bucket does.
const MAX_LARGE_LOG: u32 = 25;

/// Up to so many grams there is room for twice as much: more than that would leave the cache, and
/// take longer to clear than it saves.
pub(super) const MAX_SPARSE_ENTRIES: usize = 1 << 14;

/// A set of hashes by their first bits: what it does not hold has not been put in.
#[derive(Debug)]
pub(super) enum Filter {
    /// A byte for each value of the first bits, 1 for those that are there. Asking takes one load.
    Small(Box<[u8; 1 << SMALL_LOG]>),
    /// A bit for each, so that many stay in the second-level cache.
    Large {
        /// The bits.
        words: Vec<u64>,
        /// Bits of a hash that are left out.
        shift: u32,
    },
}

impl Filter {
    /// An empty filter for `count` hashes.
    pub(super) fn new(count: usize) -> Self {
        if count <= MAX_SMALL {
            return Self::Small(Box::new([0; 1 << SMALL_LOG]));
        }
        let bits = if count <= MAX_SPARSE_ENTRIES { BITS_PER_HASH * 2 } else { BITS_PER_HASH };
        let log = (count * bits).next_power_of_two().ilog2().min(MAX_LARGE_LOG);
        Self::Large { words: vec![0; 1 << (log - 6)], shift: 64 - log }
    }

    pub(super) fn insert(&mut self, hash: u64) {
        match self {
            Self::Small(bytes) => bytes[(hash >> (64 - SMALL_LOG)) as usize] = 1,
            Self::Large { words, shift } => {
                let bit = hash >> *shift;
                words[(bit >> 6) as usize] |= 1 << (bit & 63);
            }
        }
    }

    /// Writes the numbers of those of the first positions of `text`, `step` apart, whose q-grams may have been
    /// inserted to `passed`, and returns how many there are.
    #[inline(always)]
    pub(super) fn probe<T: CodeUnit, const CHARS: usize>(&self, text: &[T], step: usize, passed: &mut Passed) -> usize {
        match self {
            Self::Small(bytes) => {
                probe_block::<T, CHARS>(text, step, passed, |hash| bytes[(hash >> (64 - SMALL_LOG)) as usize])
            }
            Self::Large { words, shift } => probe_block::<T, CHARS>(text, step, passed, |hash| {
                let bit = hash >> *shift;
                (words[(bit >> 6) as usize] >> (bit & 63) & 1) as u8
            }),
        }
    }
}
