//! Occurrence bits: which positions of a text have one of a set of bigrams, and how many in each window.

#[cfg(target_arch = "x86_64")]
use super::{Isa, isa};

pub(crate) const HASH_CLASSES: usize = 32;

/// Number of positions per vector; the number of occurrence bits is a multiple of it.
pub(crate) const STEP: usize = 64;

/// Sets bit `i % 8` of byte `i / 8` of `marks` if bit `classes[i + 1]` of `pairs[classes[i]]` is set, and clears it
/// otherwise.
///
/// `classes` are taken modulo [`HASH_CLASSES`]. There is at least one more class than occurrence bits, and the number
/// of occurrence bits is a multiple of [`STEP`].
pub(crate) fn find_bigrams(classes: &[u8], pairs: &[u32; HASH_CLASSES], marks: &mut [u8]) {
    debug_assert!((marks.len() * 8).is_multiple_of(STEP) && classes.len() > marks.len() * 8);
    #[cfg(target_arch = "x86_64")]
    match isa() {
        // SAFETY: the processor has AVX-512 with all of its permutations.
        Isa::Avx512 => return unsafe { avx512::find_bigrams(classes, pairs, marks) },
        // SAFETY: the processor has AVX2.
        Isa::Avx2 => return unsafe { avx2::find_bigrams(classes, pairs, marks) },
        Isa::Baseline => {}
    }
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    // SAFETY: the crate is compiled for processors with NEON.
    return unsafe { neon::find_bigrams(classes, pairs, marks) };
    #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
    find_bigrams_scalar(classes, pairs, marks);
}

/// Maximum number of bytes of occurrence bits per sum, so that the sum (31 · 8 = 248) fits a byte.
pub(crate) const MAX_BYTES: usize = 31;

/// Numbers of totals per block: of a large block, and of a small one for the rest. A block has a fixed cost, because it
/// loads across what it has just stored.
const LARGE: usize = 512;
const SMALL: usize = 128;

/// Number of bytes of occurrence bits that a block reads after those of its totals, a multiple of what a vector holds.
const REACH: usize = MAX_BYTES + 1;

/// Number of bytes of occurrence bits that must follow those of the last total, because a kernel reads whole blocks.
pub(crate) const SPARE_BYTES: usize = SMALL + REACH;

for_each_isa! {
Avx512
/// Adds to `totals[i]` the number of occurrence bits in the `bytes` bytes from byte `from + i` on, capped at `most`.
///
/// Totals saturate at 255. `marks` has at least `from + totals.len() + SPARE_BYTES` bytes, and `bytes` is at most
/// [`MAX_BYTES`].
pub(crate) fn sum_windows(marks: &[u8], from: usize, bytes: usize, most: u8, totals: &mut [u8]) {
    debug_assert!(bytes <= MAX_BYTES);
    let (large, rest) = totals.split_at_mut(totals.len() / LARGE * LARGE);
    let marks = &marks[from..];
    for (totals, at) in large.chunks_mut(LARGE).zip((0..).step_by(LARGE)) {
        sum_block::<LARGE, { LARGE + 2 * REACH }>(&marks[at..], bytes, most, totals);
    }
    let marks = &marks[large.len()..];
    for (totals, at) in rest.chunks_mut(SMALL).zip((0..).step_by(SMALL)) {
        sum_block::<SMALL, { SMALL + 2 * REACH }>(&marks[at..], bytes, most, totals);
    }
}
}

/// Does the same for a block of at most `TOTALS` totals. `PADDED` is their number and twice [`REACH`]. Each sum is
/// composed of sums over powers of two of bytes.
#[inline(always)]
fn sum_block<const TOTALS: usize, const PADDED: usize>(marks: &[u8], bytes: usize, most: u8, totals: &mut [u8]) {
    let mut counts = [0; PADDED];
    counts.iter_mut().zip(&marks[..TOTALS + REACH]).for_each(|(count, byte)| *count = byte.count_ones() as u8);
    let (mut sums, mut done) = ([0; TOTALS], 0);
    add_power::<1, TOTALS, PADDED>(&mut counts, &mut sums, bytes, &mut done);
    add_power::<2, TOTALS, PADDED>(&mut counts, &mut sums, bytes, &mut done);
    add_power::<4, TOTALS, PADDED>(&mut counts, &mut sums, bytes, &mut done);
    add_power::<8, TOTALS, PADDED>(&mut counts, &mut sums, bytes, &mut done);
    add_power::<16, TOTALS, PADDED>(&mut counts, &mut sums, bytes, &mut done);
    totals.iter_mut().zip(sums).for_each(|(total, sum)| *total = total.saturating_add(most.min(sum)));
}

/// Adds `counts`, which are sums over `POWER` bytes, to `sums` if `bytes` contains that power of two, and then
/// doubles the number of bytes per count. `sums` already cover `done` bytes.
#[inline(always)]
fn add_power<const POWER: usize, const TOTALS: usize, const PADDED: usize>(
    counts: &mut [u8; PADDED],
    sums: &mut [u8; TOTALS],
    bytes: usize,
    done: &mut usize,
) {
    if bytes & POWER != 0 {
        sums.iter_mut().zip(&counts[*done..*done + TOTALS]).for_each(|(sum, count)| *sum += count);
        *done += POWER;
    }
    if bytes >= 2 * POWER {
        // Counts beyond the end are never used.
        let mut longer = [0; PADDED];
        for place in 0..TOTALS + REACH {
            longer[place] = counts[place].wrapping_add(counts[place + POWER]);
        }
        *counts = longer;
    }
}

/// Number of totals skipped at once if none of them reaches the threshold.
const TOGETHER: usize = 64;

for_each_isa! {
Avx512
/// Calls `found` with the index and the value of each total that is at least `threshold`.
pub(crate) fn for_each_at_least(totals: &[u8], threshold: u8, found: &mut impl FnMut(usize, u8)) {
    for (part, totals) in totals.chunks(TOGETHER).enumerate() {
        let most = totals.iter().fold(0, |most, &total| total.max(most));
        if most < threshold {
            continue;
        }
        for (place, &total) in totals.iter().enumerate().filter(|&(_, &total)| total >= threshold) {
            found(part * TOGETHER + place, total);
        }
    }
}
}

#[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
fn find_bigrams_scalar(classes: &[u8], pairs: &[u32; HASH_CLASSES], marks: &mut [u8]) {
    for (mark, places) in marks.iter_mut().zip(classes.windows(9).step_by(8)) {
        let class = |place: usize| usize::from(places[place]) % HASH_CLASSES;
        let bit = |place: usize| (pairs[class(place)] >> class(place + 1) & 1) << place;
        *mark = (0..8).fold(0, |byte, place| byte | bit(place)) as u8;
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::HASH_CLASSES;

    const BYTES: usize = size_of::<__m256i>();

    /// Returns a table of 16 bytes, repeated in both 128-bit halves.
    #[target_feature(enable = "avx2")]
    fn table(bytes: [u8; 16]) -> __m256i {
        _mm256_broadcastsi128_si256(bytemuck::cast(bytes))
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn find_bigrams(classes: &[u8], pairs: &[u32; HASH_CLASSES], marks: &mut [u8]) {
        // Each row of `pairs` has four bytes; bits 3 and 4 of the second class select one.
        let low = |byte: usize| std::array::from_fn(|class| pairs[class].to_le_bytes()[byte]);
        let high = |byte: usize| std::array::from_fn(|class| pairs[16 + class].to_le_bytes()[byte]);
        let tables = [0, 1, 2, 3].map(|byte| [table(low(byte)), table(high(byte))]);
        let bits = table(std::array::from_fn(|class| 1 << (class % 8)));
        for (mark, at) in marks.as_chunks_mut::<{ BYTES / 8 }>().0.iter_mut().zip((0..).step_by(BYTES)) {
            let load = |at: usize| {
                let classes: __m256i = bytemuck::pod_read_unaligned(&classes[at..at + BYTES]);
                _mm256_and_si256(classes, _mm256_set1_epi8(HASH_CLASSES as i8 - 1))
            };
            let (first, second) = (load(at), load(at + 1));
            // A shuffle returns zero if the highest bit of the index is set: with `below` for classes from 16 on, with
            // `above` for classes below 16.
            let below = _mm256_add_epi8(first, _mm256_set1_epi8(0x70));
            let above = _mm256_sub_epi8(first, _mm256_set1_epi8(16));
            let bytes = tables
                .map(|[low, high]| _mm256_or_si256(_mm256_shuffle_epi8(low, below), _mm256_shuffle_epi8(high, above)));
            let bit_3 = _mm256_slli_epi16::<4>(second);
            let bit_4 = _mm256_slli_epi16::<3>(second);
            let row = _mm256_blendv_epi8(
                _mm256_blendv_epi8(bytes[0], bytes[1], bit_3),
                _mm256_blendv_epi8(bytes[2], bytes[3], bit_3),
                bit_4,
            );
            let bit = _mm256_shuffle_epi8(bits, second);
            let is_set = _mm256_cmpeq_epi8(_mm256_and_si256(row, bit), bit);
            *mark = _mm256_movemask_epi8(is_set).to_le_bytes();
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::HASH_CLASSES;

    const BYTES: usize = size_of::<__m512i>();

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx2")]
    pub(super) fn find_bigrams(classes: &[u8], pairs: &[u32; HASH_CLASSES], marks: &mut [u8]) {
        // The 128 bytes of all rows: byte 0 of each row, then byte 1, and so on.
        let rows: [__m512i; 2] = bytemuck::cast(*pairs);
        let byte_of = |at: usize| (at % HASH_CLASSES * 4 + at / HASH_CLASSES) as u8;
        let tables = [0, BYTES].map(|from| {
            let bytes: [u8; BYTES] = std::array::from_fn(|at| byte_of(from + at));
            _mm512_permutex2var_epi8(rows[0], bytemuck::cast(bytes), rows[1])
        });
        let bits = bytemuck::cast::<[u8; BYTES], __m512i>(std::array::from_fn(|class| 1 << (class % 8)));
        let (class, byte) = (_mm512_set1_epi8(HASH_CLASSES as i8 - 1), _mm512_set1_epi8(3 << 5));
        for (mark, at) in marks.as_chunks_mut::<{ BYTES / 8 }>().0.iter_mut().zip((0..).step_by(BYTES)) {
            let load = |at: usize| bytemuck::pod_read_unaligned::<__m512i>(&classes[at..at + BYTES]);
            let (first, second) = (load(at), load(at + 1));
            // Bits 3 and 4 of the second class become bits 5 and 6 of the index.
            let index = _mm512_ternarylogic_epi64::<SELECT>(byte, _mm512_slli_epi16::<2>(second), first);
            let row = _mm512_permutex2var_epi8(tables[0], index, tables[1]);
            let bit = _mm512_permutexvar_epi8(_mm512_and_si512(second, class), bits);
            *mark = _mm512_test_epi8_mask(row, bit).to_le_bytes();
        }
    }

    /// Truth table: the second input if the first is set, else the third.
    const SELECT: i32 = 0b1100_1010;
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon {
    use std::arch::aarch64::*;

    use super::HASH_CLASSES;

    const BYTES: usize = size_of::<uint8x16_t>();

    #[target_feature(enable = "neon")]
    pub(super) fn find_bigrams(classes: &[u8], pairs: &[u32; HASH_CLASSES], marks: &mut [u8]) {
        // Byte 0 of all rows, then byte 1, and so on; bits 3 and 4 of the second class select a table.
        let tables = [0, 1, 2, 3].map(|byte| {
            let rows: [u8; HASH_CLASSES] = std::array::from_fn(|class| pairs[class].to_le_bytes()[byte]);
            let [low, high]: [uint8x16_t; 2] = bytemuck::cast(rows);
            uint8x16x2_t(low, high)
        });
        // Bit `class % 8`, both for the second class of a bigram and for the position of an occurrence bit in its byte.
        let bits: uint8x16_t = bytemuck::cast::<[u8; BYTES], _>(std::array::from_fn(|class| 1 << (class % 8)));
        for (mark, at) in marks.as_chunks_mut::<{ BYTES / 8 }>().0.iter_mut().zip((0..).step_by(BYTES)) {
            let load = |at: usize| {
                let classes: uint8x16_t = bytemuck::pod_read_unaligned(&classes[at..at + BYTES]);
                vandq_u8(classes, vdupq_n_u8(HASH_CLASSES as u8 - 1))
            };
            let (first, second) = (load(at), load(at + 1));
            let bytes = tables.map(|table| vqtbl2q_u8(table, first));
            let (bit_3, bit_4) = (vtstq_u8(second, vdupq_n_u8(8)), vtstq_u8(second, vdupq_n_u8(16)));
            let row = vbslq_u8(bit_4, vbslq_u8(bit_3, bytes[3], bytes[2]), vbslq_u8(bit_3, bytes[1], bytes[0]));
            let bit = vqtbl1q_u8(bits, vandq_u8(second, vdupq_n_u8(BYTES as u8 - 1)));
            let placed = vandq_u8(vtstq_u8(row, bit), bits);
            *mark = [vaddv_u8(vget_low_u8(placed)), vaddv_u8(vget_high_u8(placed))];
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/bigram_marks.rs"]
mod tests;
