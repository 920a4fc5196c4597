//! Entries by the hash of their q-gram: the layout that all q-gram tables share.

use std::ops::Range;

/// Entries grouped by the highest bits of a hash, each group in the order of insertion. Takes four bytes per bucket in
/// addition to the entries.
#[derive(Debug)]
pub(crate) struct Buckets<E> {
    /// `entries[starts[b]..starts[b + 1]]` are the entries in bucket `b`.
    starts: Vec<u32>,
    entries: Vec<E>,
    shift: u32,
}

impl<E: Copy + Default> Buckets<E> {
    /// Groups `count` entries, fewer than 2³², into `2^bits` buckets by a counting sort. `hashed` returns each entry
    /// with its hash; it is called twice for each.
    #[inline]
    pub(crate) fn new(bits: u32, count: usize, hashed: impl Fn(usize) -> (u64, E)) -> Self {
        let starts = vec![0; (1 << bits) + 1];
        let mut buckets = Self { starts, entries: vec![E::default(); count], shift: 64 - bits };
        for index in 0..count {
            let bucket = buckets.bucket(hashed(index).0);
            buckets.starts[bucket] += 1;
        }
        // Each start is first a count, then the end of its bucket. As the entries are moved, the last one first, it
        // decreases to the start.
        let mut end = 0;
        for start in &mut buckets.starts {
            end += *start;
            *start = end;
        }
        for index in (0..count).rev() {
            let (hash, entry) = hashed(index);
            let bucket = buckets.bucket(hash);
            buckets.starts[bucket] -= 1;
            buckets.entries[buckets.starts[bucket] as usize] = entry;
        }
        buckets
    }

    /// Returns the number of entries.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the entries with the same highest bits as `hash`.
    #[inline(always)]
    pub(crate) fn get(&self, hash: u64) -> &[E] {
        self.entries(self.range(hash))
    }

    /// Returns the range of [`get`](Self::get), for a caller that loads the entries later.
    #[inline(always)]
    pub(crate) fn range(&self, hash: u64) -> Range<u32> {
        let bucket = self.bucket(hash);
        self.starts[bucket]..self.starts[bucket + 1]
    }

    #[inline(always)]
    pub(crate) fn entries(&self, range: Range<u32>) -> &[E] {
        &self.entries[range.start as usize..range.end as usize]
    }

    /// Returns the heap size in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.entries.capacity() * size_of::<E>()
    }

    #[inline(always)]
    fn bucket(&self, hash: u64) -> usize {
        (hash >> self.shift) as usize
    }
}
