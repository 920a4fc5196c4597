//! Finds the q-grams of a text that pass a filter of hashes.

#[cfg(target_arch = "x86_64")]
use super::{Isa, isa};
use crate::text::CodeUnit;
use crate::text::gram::{hash, key, key_of_first, word_chars};

/// Number of positions that are looked up together, so that their numbers fit a byte.
pub(crate) const BLOCK_POSITIONS: usize = 255;

/// Numbers of the positions that passed, with space for one more.
pub(crate) type Passed = [u8; BLOCK_POSITIONS + 1];

/// Probes the first [`BLOCK_POSITIONS`] of every `step`-th position of `text`. Writes the numbers of those whose
/// q-gram has a hash that `contains` maps to 1, not 0, to `passed`, and returns how many there are.
#[inline]
pub(crate) fn probe_block<T: CodeUnit, const CHARS: usize>(
    text: &[T],
    step: usize,
    passed: &mut Passed,
    contains: impl Fn(u64) -> u8,
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if isa() >= Isa::Avx2 {
        // SAFETY: the processor has AVX2.
        return unsafe { probe_avx2::<T, CHARS>(text, step, passed, contains) };
    }
    probe::<T, CHARS>(text, step, passed, contains)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn probe_avx2<T: CodeUnit, const CHARS: usize>(
    text: &[T],
    step: usize,
    passed: &mut Passed,
    contains: impl Fn(u64) -> u8,
) -> usize {
    probe::<T, CHARS>(text, step, passed, contains)
}

#[inline(always)]
fn probe<T: CodeUnit, const CHARS: usize>(
    text: &[T],
    step: usize,
    passed: &mut Passed,
    contains: impl Fn(u64) -> u8,
) -> usize {
    let mut count = 0_u8;
    let mut probe_key = |number: usize, key: u64| {
        // Written unconditionally, because a branch would be unpredictable.
        passed[usize::from(count)] = number as u8;
        count += contains(hash(key));
    };
    let mut first = 0;
    if step == 1 {
        let words = text.windows(word_chars::<T, CHARS>()).take(BLOCK_POSITIONS);
        first = words.len();
        words.enumerate().for_each(|(number, word)| probe_key(number, key_of_first::<T, CHARS>(word)));
    }
    // For other steps, and at the end of a text, there is no whole word to load.
    for number in first..BLOCK_POSITIONS {
        let Some(gram) = text.get(number * step..).and_then(|rest| rest.first_chunk::<CHARS>()) else { break };
        probe_key(number, key(gram));
    }
    usize::from(count)
}
