//! A Bloom filter: rejects q-grams that are not in the table.

use crate::arch::gram_filter::{Passed, RegisterFilter, probe_block};
use crate::text::CodeUnit;

/// Binary logarithm of the size of a small filter: 2¹⁵ bytes fit the first-level cache.
const SMALL_LOG: u32 = 15;

/// Maximum number of hashes in a small filter, so that at most one in sixteen of its bytes is set.
const MAX_SMALL: usize = 1 << (SMALL_LOG - 4);

/// Number of bits per hash in a large filter. At most one in sixteen positions without an inserted q-gram passes it.
const BITS_PER_HASH: usize = 16;

/// Binary logarithm of the size of the largest filter: 2²⁵ bits are 4 MiB. In a larger one, a cache miss costs as much
/// as examining a bucket.
const MAX_LARGE_LOG: u32 = 25;

/// Maximum number of q-grams for a table with twice as many buckets. A larger table would not fit the cache, and
/// clearing it would take longer than it saves.
pub(super) const MAX_SPARSE_ENTRIES: usize = 1 << 14;

/// A set of hashes by their high bits, without false negatives.
#[derive(Debug)]
pub(super) enum GramFilter {
    /// A few q-grams of eight bytes, on processors that look up several at once.
    Register(RegisterFilter),
    /// A byte for each value of the high bits, 1 if it is in the set. A query takes one load.
    Small(Box<[u8; 1 << SMALL_LOG]>),
    /// A bit for each value, so that more values fit the second-level cache.
    Large {
        /// One bit for each value of the high bits.
        words: Vec<u64>,
        /// The number of low bits of a hash that are ignored.
        shift: u32,
    },
}

impl GramFilter {
    /// Creates an empty filter for `count` hashes of q-grams with `bytes` bytes.
    pub(super) fn new(count: usize, bytes: usize) -> Self {
        if let Some(filter) = RegisterFilter::new(count, bytes) {
            return Self::Register(filter);
        }
        if count <= MAX_SMALL {
            return Self::Small(Box::new([0; 1 << SMALL_LOG]));
        }
        let bits = if count <= MAX_SPARSE_ENTRIES { BITS_PER_HASH * 2 } else { BITS_PER_HASH };
        let log = (count * bits).next_power_of_two().ilog2().min(MAX_LARGE_LOG);
        Self::Large { words: vec![0; 1 << (log - 6)], shift: 64 - log }
    }

    pub(super) fn insert(&mut self, hash: u64) {
        match self {
            Self::Register(filter) => filter.insert(hash),
            Self::Small(bytes) => bytes[(hash >> (64 - SMALL_LOG)) as usize] = 1,
            Self::Large { words, shift } => {
                let bit = hash >> *shift;
                words[(bit >> 6) as usize] |= 1 << (bit & 63);
            }
        }
    }

    /// Probes the q-grams at the first positions of `text`, `step` apart. Writes the numbers of those that may have
    /// been inserted to `passed`, and returns how many there are.
    #[inline(always)]
    pub(super) fn probe<T: CodeUnit, const CHARS: usize>(&self, text: &[T], step: usize, passed: &mut Passed) -> usize {
        match self {
            Self::Register(filter) if step * size_of::<T>() == 8 => {
                filter.probe_words(bytemuck::cast_slice(text), passed)
            }
            Self::Register(filter) => probe_block::<T, CHARS>(text, step, passed, |hash| filter.contains(hash)),
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
