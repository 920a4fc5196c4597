//! Vertical counters: sum rows of bits for hundreds of columns in parallel.
//!
//! Eight words hold the eight binary digits of one counter for each bit of a word. Rows are added in groups of eight:
//! full adders (a carry-save adder) reduce them to one digit of weight eight, whose carry then propagates. A counter
//! starts at 128 minus the threshold, so its highest digit is set if it reaches the threshold.

use super::{Isa, isa};

/// Number of rows per addition.
pub(crate) const ROWS_PER_GROUP: usize = 8;

/// Maximum threshold, and maximum number of rows above it. An eight-bit counter starts at `MAX_THRESHOLD` minus the
/// threshold and would overflow with more than `MAX_ABOVE` rows above the threshold.
pub(crate) const MAX_THRESHOLD: usize = 128;
pub(crate) const MAX_ABOVE: usize = 127;

/// Eight addends, each the union of `R` rows. A row is given by its byte offset from the beginning of the rows.
pub(crate) type RowGroup<const R: usize> = [[u32; R]; ROWS_PER_GROUP];

/// Returns the number of bytes per vector. The length of a row is a multiple of it.
pub(crate) fn vector_bytes() -> usize {
    match isa() {
        Isa::Baseline => size_of::<u64>(),
        Isa::Avx2 => 32,
        Isa::Avx512 => 64,
    }
}

/// Calls `found` with the byte, the bit and the count of each column in which at least `threshold` addends are set.
///
/// `columns`, in bytes, is a multiple of [`vector_bytes`]. `threshold` is from 1 to [`MAX_THRESHOLD`]. At most
/// [`MAX_ABOVE`] more addends than `threshold` are nonempty.
pub(crate) fn count<const R: usize>(
    rows: &[u8],
    columns: usize,
    groups: &[RowGroup<R>],
    threshold: u32,
    found: &mut impl FnMut(usize, usize, u32),
) {
    debug_assert!((1..=MAX_THRESHOLD as u32).contains(&threshold));
    match isa() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the processor has AVX2.
        Isa::Avx2 => unsafe { avx2::count(rows, columns, groups, threshold, found) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the processor has AVX-512 with bytes and words.
        Isa::Avx512 => unsafe { avx512::count(rows, columns, groups, threshold, found) },
        _ => baseline::count(rows, columns, groups, threshold, found),
    }
}

/// Calls `found` for each counter of one vector whose highest digit is set.
#[inline(never)]
fn report<const BYTES: usize>(
    digits: &[[u8; BYTES]; 8],
    column: usize,
    threshold: u32,
    found: &mut impl FnMut(usize, usize, u32),
) {
    for (word, hits) in digits[7].as_chunks::<8>().0.iter().enumerate() {
        let mut hits = u64::from_le_bytes(*hits);
        while hits != 0 {
            let (byte, bit) = (8 * word + hits.trailing_zeros() as usize / 8, hits.trailing_zeros() % 8);
            hits &= hits - 1;
            let digits = u64::from_le_bytes(std::array::from_fn(|digit| digits[digit][byte]));
            // Gathers bit `bit` of each of the eight bytes in the highest byte.
            let value = (digits >> bit & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            found(column + byte, bit as usize, value as u32 + threshold - 128);
        }
    }
}

macro_rules! kernel {
    ($(#[$attribute:meta])* $word:ty, $zero:expr, $ones:expr, $or:expr, $and:expr, $xor:expr, $xor3:expr, $majority:expr, $is_zero:expr) => {
        const BYTES: usize = size_of::<$word>();

        $(#[$attribute])*
        pub(super) fn count<const R: usize>(
            rows: &[u8],
            columns: usize,
            groups: &[RowGroup<R>],
            threshold: u32,
            found: &mut impl FnMut(usize, usize, u32),
        ) {
            let start: [$word; 8] =
                std::array::from_fn(|digit| if (128 - threshold) >> digit & 1 == 1 { $ones } else { $zero });
            let mut column = 0;
            while column + 2 * BYTES <= columns {
                for (half, digits) in add_groups::<R, 2>(&rows[column..], groups, start).into_iter().enumerate() {
                    if !$is_zero(digits[7]) {
                        report::<BYTES>(&bytemuck::cast(digits), column + half * BYTES, threshold, found);
                    }
                }
                column += 2 * BYTES;
            }
            if column < columns {
                let [digits] = add_groups(&rows[column..], groups, start);
                if !$is_zero(digits[7]) {
                    report::<BYTES>(&bytemuck::cast(digits), column, threshold, found);
                }
            }
        }

        /// Returns the counters of `N` vectors of columns after adding all groups.
        $(#[$attribute])*
        #[inline]
        fn add_groups<const R: usize, const N: usize>(rows: &[u8], groups: &[RowGroup<R>], start: [$word; 8]) -> [[$word; 8]; N] {
            let mut counters = [start; N];
            for group in groups {
                let mut sums = [[$zero; ROWS_PER_GROUP]; N];
                for (row, places) in group.iter().enumerate() {
                    for (place, &at) in places.iter().enumerate() {
                        let at = at as usize;
                        let (words, _) = rows[at..at + N * BYTES].as_chunks::<BYTES>();
                        for (sums, word) in sums.iter_mut().zip(words) {
                            let word: $word = bytemuck::pod_read_unaligned(word);
                            sums[row] = if place == 0 { word } else { $or(sums[row], word) };
                        }
                    }
                }
                for (digits, sums) in counters.iter_mut().zip(sums) {
                    let [a, b, c, d, e, f, g, h] = sums;
                    let ones = $xor3(digits[0], a, b);
                    let two_ab = $majority(digits[0], a, b);
                    let two_cd = $majority(ones, c, d);
                    let ones = $xor3(ones, c, d);
                    let twos = $xor3(digits[1], two_ab, two_cd);
                    let four_ad = $majority(digits[1], two_ab, two_cd);
                    let two_ef = $majority(ones, e, f);
                    let ones = $xor3(ones, e, f);
                    let two_gh = $majority(ones, g, h);
                    digits[0] = $xor3(ones, g, h);
                    let four_eh = $majority(twos, two_ef, two_gh);
                    digits[1] = $xor3(twos, two_ef, two_gh);
                    let mut carry = $majority(digits[2], four_ad, four_eh);
                    digits[2] = $xor3(digits[2], four_ad, four_eh);
                    for digit in &mut digits[3..] {
                        let sum = $xor(*digit, carry);
                        carry = $and(*digit, carry);
                        *digit = sum;
                    }
                }
            }
            counters
        }
    };
}

mod baseline {
    use super::{ROWS_PER_GROUP, RowGroup, report};

    kernel!(
        u64,
        0,
        u64::MAX,
        |a: u64, b| a | b,
        |a: u64, b| a & b,
        |a: u64, b| a ^ b,
        |a: u64, b: u64, c| a ^ b ^ c,
        |a: u64, b, c| a & b | (a | b) & c,
        |a| a == 0
    );
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{ROWS_PER_GROUP, RowGroup, report};

    kernel!(
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        __m256i,
        _mm256_setzero_si256(),
        _mm256_set1_epi8(-1),
        |a, b| _mm256_or_si256(a, b),
        |a, b| _mm256_and_si256(a, b),
        |a, b| _mm256_xor_si256(a, b),
        |a, b, c| _mm256_xor_si256(_mm256_xor_si256(a, b), c),
        |a, b, c| _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(_mm256_xor_si256(a, b), c)),
        |a| _mm256_testz_si256(a, a) != 0
    );
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::{ROWS_PER_GROUP, RowGroup, report};

    /// Truth tables of three inputs.
    const PARITY: i32 = 0b1001_0110;
    const MAJORITY: i32 = 0b1110_1000;

    kernel!(
        #[target_feature(enable = "avx512f,avx512bw,avx2,bmi1,bmi2,lzcnt,popcnt")]
        __m512i,
        _mm512_setzero_si512(),
        _mm512_set1_epi8(-1),
        |a, b| _mm512_or_si512(a, b),
        |a, b| _mm512_and_si512(a, b),
        |a, b| _mm512_xor_si512(a, b),
        |a, b, c| _mm512_ternarylogic_epi64::<PARITY>(a, b, c),
        |a, b, c| _mm512_ternarylogic_epi64::<MAJORITY>(a, b, c),
        |a| _mm512_test_epi64_mask(a, a) == 0
    );
}
