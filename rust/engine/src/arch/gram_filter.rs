//! Kernel that finds the q-grams of a text that pass a Bloom filter.

use crate::text::CodeUnit;
use crate::text::gram::{chars_per_word, hash, key, prefix_key};

/// Number of positions probed per call; their numbers within the block fit a byte.
pub(crate) const BLOCK_POSITIONS: usize = 255;

/// Numbers of the positions that passed. The extra element takes the last unconditional write.
pub(crate) type Passed = [u8; BLOCK_POSITIONS + 1];

for_each_isa! {
Avx2
/// Probes the q-grams at the first [`BLOCK_POSITIONS`] positions 0, `step`, 2 · `step`, … of `text` and returns how
/// many pass.
///
/// Writes `i` to `passed` for each position `i * step` that passes. A q-gram passes if `contains` maps its hash to 1;
/// the only other value is 0.
pub(crate) fn probe_block[T: CodeUnit, const CHARS: usize][T, CHARS](
    text: &[T],
    step: usize,
    passed: &mut Passed,
    contains: impl Fn(u64) -> u8,
) -> usize {
    let mut count = 0_u8;
    let mut probe_key = |number: usize, key: u64| {
        // Writes unconditionally, because a branch would be unpredictable.
        passed[usize::from(count)] = number as u8;
        count += contains(hash(key));
    };
    let mut first = 0;
    if step == 1 {
        let words = text.windows(chars_per_word::<T, CHARS>()).take(BLOCK_POSITIONS);
        first = words.len();
        words.enumerate().for_each(|(number, word)| probe_key(number, prefix_key::<T, CHARS>(word)));
    }
    // Other steps, and the end of a text, have no whole word to load.
    for number in first..BLOCK_POSITIONS {
        let Some(gram) = text.get(number * step..).and_then(|rest| rest.first_chunk::<CHARS>()) else { break };
        probe_key(number, key(gram));
    }
    usize::from(count)
}
}
