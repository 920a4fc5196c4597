//! Frequencies of q-grams in a sample of a text, used to find the rare q-grams of a pattern.

use crate::text::CodeUnit;
use crate::text::gram::{hash, key, windows};

/// Binary logarithm of the minimum number of counters.
const MIN_COUNTERS_LOG: u32 = 14;

/// Binary logarithm of the maximum number of counters. More counters take longer to clear than to fill.
const MAX_COUNTERS_LOG: u32 = 17;

/// Maximum number of runs compared per pattern. With this many, nearly every pattern has a run that is not in the
/// sample. Single q-grams are all compared, because the fallback plan depends on the rarest one.
const MAX_RUNS: usize = 40;

/// Multiplier that scatters ascending numbers: 2³² divided by the golden ratio (Fibonacci hashing).
const SCATTER: u32 = 0x9E37_79B9;

/// Counts of the q-grams of `CHARS` characters in a sample.
#[derive(Debug)]
pub(super) struct GramFrequencies<const CHARS: usize> {
    counts: Vec<u16>,
    shift: u32,
}

impl<const CHARS: usize> GramFrequencies<CHARS> {
    /// Creates counters for about `samples` q-grams. Q-grams that share a counter seem more frequent than they are,
    /// which affects only the quality of the choice.
    pub(super) fn new(samples: usize) -> Self {
        let log = samples.max(1).ilog2().clamp(MIN_COUNTERS_LOG, MAX_COUNTERS_LOG);
        Self { counts: vec![0; 1 << log], shift: 64 - log }
    }

    /// Counts about `samples` q-grams spread over `text`, or all q-grams if `text` is shorter.
    pub(super) fn sample<T: CodeUnit>(&mut self, text: &[T], samples: usize) {
        let distance = (text.len() / samples.max(1)).max(1);
        for (number, first) in (0..text.len()).step_by(distance).enumerate() {
            // Picks a pseudo-random position before the next sample, because a text may be periodic.
            let ahead = ((u64::from((number as u32).wrapping_mul(SCATTER)) * distance as u64) >> 32) as usize;
            let Some(gram) = text.get(first + ahead..).and_then(|rest| rest.first_chunk::<CHARS>()) else { break };
            let counter = self.counter(gram);
            let count = &mut self.counts[counter];
            *count = count.saturating_add(1);
        }
    }

    /// Returns the offset of the rarest run of `run` q-grams in `needle`; ties go to the first. `needle` must have at
    /// least `CHARS + run - 1` characters.
    ///
    /// `O(run + MAX_RUNS)` for runs of several q-grams, `O(needle)` for single ones.
    pub(super) fn rarest_run<T: CodeUnit>(&self, needle: &[T], run: usize) -> usize {
        let count = |gram: &[T; CHARS]| u32::from(self.counts[self.counter(gram)]);
        let mut entering = windows::<T, CHARS>(needle).map(count);
        let leaving = windows::<T, CHARS>(needle).map(count);
        let mut sum: u32 = entering.by_ref().take(run).sum();
        let mut rarest = (sum, 0);
        let runs = if run == 1 { usize::MAX } else { MAX_RUNS };
        for (offset, (entering, leaving)) in (1..runs).zip(entering.zip(leaving)) {
            if rarest.0 == 0 {
                break;
            }
            sum = sum + entering - leaving;
            if sum < rarest.0 {
                rarest = (sum, offset);
            }
        }
        rarest.1
    }

    #[inline(always)]
    fn counter<T: CodeUnit>(&self, gram: &[T; CHARS]) -> usize {
        (hash(key(gram)) >> self.shift) as usize
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/gram_frequencies.rs"]
mod tests;
