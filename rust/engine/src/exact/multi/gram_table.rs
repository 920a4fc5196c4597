//! A hash table of the q-grams of many patterns, and its lookup at the positions of a text.
//!
//! A q-gram is `CHARS` consecutive characters. One multiplication hashes its 64-bit key. A filter (`gram_filter.rs`)
//! tests the high bits of the hash and rejects most positions of a text; for the others, the search examines a bucket
//! of q-grams.

use std::ops::Range;

use super::gram_filter::{GramFilter, MAX_SPARSE_ENTRIES};
use crate::arch::gram_filter::{BLOCK_POSITIONS, Passed};
use crate::text::CodeUnit;
use crate::text::buckets::Buckets;
use crate::text::gram::{hash, key, windows};

/// Maximum number of hits per call of the caller's function.
pub(crate) const MAX_HITS: usize = 64;

/// A pattern with the offsets of the q-grams to insert.
#[derive(Clone, Debug)]
pub(crate) struct GramRun<'a, T> {
    /// The index that the caller gave the pattern.
    pub(crate) needle: usize,
    /// The characters of the pattern.
    pub(crate) units: &'a [T],
    /// The offsets of the q-grams. Offsets too close to the end for a whole q-gram are skipped.
    pub(crate) offsets: Range<usize>,
}

#[derive(Clone, Copy, Debug, Default)]
struct GramEntry {
    key: u64,
    // Both fit, because all patterns together have fewer than 2³² characters.
    needle: u32,
    offset: u32,
}

/// An occurrence of an inserted q-gram in a text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GramHit {
    /// The start of the pattern: the position of the q-gram minus its offset. If that would be before the text, it
    /// wraps to a value beyond the end of every text.
    pub(crate) start: usize,
    /// The index that the caller gave the pattern.
    pub(crate) needle: u32,
}

/// A position that passed the filter, and the bucket to examine.
#[derive(Clone, Copy, Debug, Default)]
struct PendingProbe {
    key: u64,
    place: usize,
    start: u32,
    end: u32,
}

/// The q-grams of many patterns, by hash.
///
/// Each q-gram takes 16 bytes, plus 4 bytes for each bucket (up to four buckets per q-gram) and 2 to 16 bytes for the
/// filter.
#[derive(Debug)]
pub(crate) struct GramTable<const CHARS: usize> {
    filter: GramFilter,
    buckets: Buckets<GramEntry>,
}

impl<const CHARS: usize> GramTable<CHARS> {
    /// Inserts the q-grams of `runs`, which have fewer than 2³² characters in total. Linear in the number of q-grams.
    pub(crate) fn new<'a, T: CodeUnit>(runs: impl Iterator<Item = GramRun<'a, T>>) -> Self {
        let mut given = Vec::new();
        for run in runs {
            let first = run.offsets.start.min(run.units.len());
            let end = run.units.len().min(run.offsets.end.saturating_add(CHARS - 1)).max(first);
            given.extend(windows::<T, CHARS>(&run.units[first..end]).enumerate().map(|(index, gram)| GramEntry {
                key: key(gram),
                needle: run.needle as u32,
                offset: (first + index) as u32,
            }));
        }
        let mut filter = GramFilter::new(given.len(), CHARS * size_of::<T>());
        given.iter().for_each(|entry| filter.insert(hash(entry.key)));
        let bits = given.len().max(2).next_power_of_two().ilog2() + u32::from(given.len() <= MAX_SPARSE_ENTRIES);
        Self { filter, buckets: Buckets::new(bits, given.len(), |index| (hash(given[index].key), given[index])) }
    }

    /// Calls `found` with every inserted q-gram at every `step`-th position in `places`, beginning with the first,
    /// until `found` returns an error. Each call has up to [`MAX_HITS`] hits.
    ///
    /// For q-grams of more than eight bytes, only the keys are compared. Keys of different q-grams collide about as
    /// often as random 64-bit numbers, so the caller has to compare the characters. Positions ascend; the q-grams at
    /// one position are in the order of insertion.
    #[inline]
    pub(crate) fn scan<T: CodeUnit, E>(
        &self,
        text: &[T],
        places: Range<usize>,
        step: usize,
        mut found: impl FnMut(&[GramHit]) -> Result<(), E>,
    ) -> Result<(), E> {
        let text = &text[..text.len().min(places.end.saturating_add(CHARS - 1))];
        let mut pending = [PendingProbe::default(); BLOCK_POSITIONS + 1];
        let mut first = places.start;
        while first + CHARS <= text.len() {
            let mut passed = [0; size_of::<Passed>()];
            let count = self.filter.probe::<T, CHARS>(&text[first..], step, &mut passed);
            let passed = passed[..count].iter().map(|&number| first + usize::from(number) * step);
            let count = self.probe(text, passed, &mut pending);
            self.resolve(&pending[..count], &mut found)?;
            first += step * BLOCK_POSITIONS;
        }
        Ok(())
    }

    /// Looks up the buckets of `places`, writes those that are not empty to `pending`, and returns their number.
    ///
    /// Buckets, q-grams and patterns are spread over memory. So each of them is loaded for many positions in a row,
    /// without a branch that depends on it: the processor then waits for all of the loads at once.
    #[inline(always)]
    fn probe<T: CodeUnit>(
        &self,
        text: &[T],
        places: impl Iterator<Item = usize>,
        pending: &mut [PendingProbe; BLOCK_POSITIONS + 1],
    ) -> usize {
        let mut count = 0;
        for place in places {
            let Some(gram) = text[place..].first_chunk::<CHARS>() else { break };
            let key = key(gram);
            let Range { start, end } = self.buckets.range(hash(key));
            pending[count] = PendingProbe { key, place, start, end };
            count += usize::from(start < end);
        }
        count
    }

    #[inline(always)]
    fn resolve<E>(
        &self,
        pending: &[PendingProbe],
        found: &mut impl FnMut(&[GramHit]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut hits = [GramHit::default(); MAX_HITS];
        let mut count = 0;
        for pending in pending {
            for entry in self.buckets.entries(pending.start..pending.end) {
                hits[count] =
                    GramHit { start: pending.place.wrapping_sub(entry.offset as usize), needle: entry.needle };
                count += usize::from(entry.key == pending.key);
                if count == MAX_HITS {
                    found(&hits)?;
                    count = 0;
                }
            }
        }
        if count > 0 { found(&hits[..count]) } else { Ok(()) }
    }
}
