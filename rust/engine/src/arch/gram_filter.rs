//! Kernels that find the q-grams of a text that pass a Bloom filter.

use super::{Isa, isa};
use crate::text::CodeUnit;
use crate::text::gram::{chars_per_word, hash, key, prefix_key};

/// Number of positions probed per call: whole vectors of words, whose numbers within the block fit a byte.
pub(crate) const BLOCK_POSITIONS: usize = 248;

/// Numbers of the positions that passed. The extra elements take the last unconditional write.
pub(crate) type Passed = [u8; BLOCK_POSITIONS + 8];

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

/// A Bloom filter of 1,024 bits with two hash functions. It fits two vectors, which look up eight words at once.
#[derive(Debug)]
pub(crate) struct RegisterFilter([u8; FILTER_BYTES]);

const FILTER_BYTES: usize = 128;

impl RegisterFilter {
    /// Maximum number of hashes, so that at most one in six positions passes that should not.
    const MAX_HASHES: usize = 256;

    /// Creates an empty filter for `count` hashes of q-grams with `bytes` bytes, if this processor has its kernel.
    pub(crate) fn new(count: usize, bytes: usize) -> Option<Self> {
        let is_fast = isa() == Isa::Avx512 && bytes == size_of::<u64>() && count <= Self::MAX_HASHES;
        is_fast.then_some(Self([0; FILTER_BYTES]))
    }

    /// Returns the byte and the bit in it for each hash function. The two highest bytes of a hash select the bytes.
    #[inline(always)]
    fn places(hash: u64) -> [(usize, u8); 2] {
        let (bytes, bits) = (hash.to_le_bytes(), hash.rotate_left(16).to_le_bytes());
        [6, 7].map(|lane| (usize::from(bytes[lane]) % FILTER_BYTES, 1 << (bits[lane] % 8)))
    }

    pub(crate) fn insert(&mut self, hash: u64) {
        Self::places(hash).into_iter().for_each(|(byte, bit)| self.0[byte] |= bit);
    }

    /// Returns 1 if `hash` may have been inserted, otherwise 0.
    #[inline(always)]
    pub(crate) fn contains(&self, hash: u64) -> u8 {
        u8::from(Self::places(hash).into_iter().all(|(byte, bit)| self.0[byte] & bit != 0))
    }

    /// Does the same as [`probe_block`] for the words of a text: q-grams of eight bytes, eight bytes apart.
    pub(crate) fn probe_words(&self, text: &[u8], passed: &mut Passed) -> usize {
        let words = text[..text.len().min(8 * BLOCK_POSITIONS)].as_chunks().0;
        #[cfg(target_arch = "x86_64")]
        if isa() == Isa::Avx512 {
            // SAFETY: the processor has AVX-512 with these instructions.
            return unsafe { avx512::probe_words(self, words, passed) };
        }
        let mut count = 0;
        self.probe_each(words, 0, passed, &mut count);
        count
    }

    /// Probes the words from `first` on, one by one.
    #[inline(always)]
    fn probe_each(&self, words: &[[u8; 8]], first: usize, passed: &mut Passed, count: &mut usize) {
        for (number, word) in words.iter().enumerate().skip(first) {
            // Fits, because a block has fewer positions.
            passed[*count] = number as u8;
            *count += usize::from(self.contains(hash(key(word))));
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::{FILTER_BYTES, Passed, RegisterFilter, hash};

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
    pub(super) fn probe_words(filter: &RegisterFilter, words: &[[u8; 8]], passed: &mut Passed) -> usize {
        let tables: [__m512i; FILTER_BYTES / 64] = bytemuck::cast(filter.0);
        let bits = bytemuck::cast::<[u8; 64], __m512i>(std::array::from_fn(|bit| 1 << (bit % 8)));
        let factor = _mm512_set1_epi64(hash(1).cast_signed());
        let (vectors, rest) = words.as_chunks::<8>();
        let (mut count, mut numbers) = (0, 0x0706_0504_0302_0100_u64);
        for vector in vectors {
            let hashes = _mm512_mullo_epi64(bytemuck::cast(*vector), factor);
            let byte = _mm512_permutex2var_epi8(tables[0], hashes, tables[1]);
            let bit = _mm512_permutexvar_epi8(_mm512_rol_epi64::<16>(hashes), bits);
            let is_set = _mm512_test_epi8_mask(byte, bit);
            // Bytes 6 and 7 of each word are the two hash functions.
            let passes = _pext_u64(is_set & is_set << 1, 0x8080_8080_8080_8080);
            let found = _mm_maskz_compress_epi8(passes as u16, _mm_set_epi64x(0, numbers.cast_signed()));
            let [found, _] = bytemuck::cast::<__m128i, [[u8; 8]; 2]>(found);
            passed[count..count + 8].copy_from_slice(&found);
            count += passes.count_ones() as usize;
            numbers = numbers.wrapping_add(0x0808_0808_0808_0808);
        }
        filter.probe_each(words, words.len() - rest.len(), passed, &mut count);
        count
    }
}

#[cfg(test)]
#[path = "../../tests/unit/gram_filter.rs"]
mod tests;
