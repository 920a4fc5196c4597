//! Marks the places of a text at which one of a set of pairs stands, and counts the marks.

use super::{Level, level};

/// Values of one element of a pair.
pub(crate) const CLASSES: usize = 32;

/// Places that are marked together.
pub(crate) const STEP: usize = 32;

/// Sets bit `i % 8` of byte `i / 8` of `marks` if bit `classes[i + 1]` of `pairs[classes[i]]` is
/// set, and clears it if not. `classes` are below [`CLASSES`]; there is one more of them than
/// there are marks, and a multiple of [`STEP`] marks.
pub(crate) fn mark(classes: &[u8], pairs: &[u32; CLASSES], marks: &mut [u8]) {
    debug_assert!(marks.len() * 8 % STEP == 0 && classes.len() > marks.len() * 8);
    #[cfg(target_arch = "x86_64")]
    if level() >= Level::Avx2 {
        // SAFETY: the level says that the processor has AVX2.
        return unsafe { avx2::mark(classes, pairs, marks) };
    }
    baseline::mark(classes, pairs, marks);
}

/// Adds to `totals[i]` the marks in the `bytes` bytes from byte `i + from` on, but not more than
/// `most`. There are `totals.len() + from + bytes + 8` bytes of marks at least.
pub(crate) fn add_marks(marks: &[u8], from: usize, bytes: usize, most: u16, totals: &mut [u16]) {
    #[cfg(target_arch = "x86_64")]
    if level() >= Level::Avx2 {
        // SAFETY: the level says that the processor has AVX2 and POPCNT.
        return unsafe { avx2::add_marks(marks, from, bytes, most, totals) };
    }
    baseline::add_marks(marks, from, bytes, most, totals);
}

mod baseline {
    use super::CLASSES;

    #[inline(always)]
    pub(super) fn add_marks(marks: &[u8], from: usize, bytes: usize, most: u16, totals: &mut [u16]) {
        let (words, rest) = (bytes / 8, bytes % 8);
        let mask = (1_u64 << (8 * rest)) - 1;
        for (total, window) in totals.iter_mut().zip(marks[from..].windows(8 * (words + 1))) {
            let (window, _) = window.as_chunks::<8>();
            let last = (u64::from_le_bytes(window[words]) & mask).count_ones();
            let count = window[..words].iter().fold(last, |count, word| count + u64::from_le_bytes(*word).count_ones());
            // Fits: a group's range has fewer than 2¹⁶ places.
            *total += (count as u16).min(most);
        }
    }

    pub(super) fn mark(classes: &[u8], pairs: &[u32; CLASSES], marks: &mut [u8]) {
        for (mark, places) in marks.iter_mut().zip(classes.windows(9).step_by(8)) {
            let bit = |place: usize| (pairs[usize::from(places[place]) % CLASSES] >> places[place + 1] & 1) << place;
            *mark = (0..8).fold(0, |byte, place| byte | bit(place)) as u8;
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{CLASSES, STEP, baseline};

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn add_marks(marks: &[u8], from: usize, bytes: usize, most: u16, totals: &mut [u16]) {
        match bytes {
            // Ranges of the usual lengths get loops of their own.
            0..8 => baseline::add_marks(marks, from, bytes.min(7), most, totals),
            8..16 => baseline::add_marks(marks, from, bytes.clamp(8, 15), most, totals),
            _ => baseline::add_marks(marks, from, bytes, most, totals),
        }
    }

    /// A byte for each of the 16 values of an index, in both halves of a vector.
    #[target_feature(enable = "avx2")]
    fn table(bytes: [u8; 16]) -> __m256i {
        _mm256_broadcastsi128_si256(bytemuck::cast(bytes))
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn mark(classes: &[u8], pairs: &[u32; CLASSES], marks: &mut [u8]) {
        // Row `class` of the pairs has four bytes; which one, bits 3 and 4 of the second class say.
        let low = |byte: usize| std::array::from_fn(|class| pairs[class].to_le_bytes()[byte]);
        let high = |byte: usize| std::array::from_fn(|class| pairs[16 + class].to_le_bytes()[byte]);
        let tables = [0, 1, 2, 3].map(|byte| [table(low(byte)), table(high(byte))]);
        let bits = table(std::array::from_fn(|class| 1 << (class % 8)));
        for (mark, at) in marks.as_chunks_mut::<{ STEP / 8 }>().0.iter_mut().zip((0..).step_by(STEP)) {
            let load = |at: usize| bytemuck::pod_read_unaligned::<__m256i>(&classes[at..at + STEP]);
            let (first, second) = (load(at), load(at + 1));
            // A shuffle gives zero where the index has its highest bit: classes from 16 on here,
            // classes below 16 there.
            let below = _mm256_add_epi8(first, _mm256_set1_epi8(0x70));
            let above = _mm256_sub_epi8(first, _mm256_set1_epi8(16));
            let bytes = tables.map(|[low, high]| {
                _mm256_or_si256(_mm256_shuffle_epi8(low, below), _mm256_shuffle_epi8(high, above))
            });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_levels_mark_the_same_places() {
        let noise = |seed: u32| (0_u32..).map(move |index| index.wrapping_mul(seed).wrapping_add(seed) >> 9);
        for (seed, marks) in [(2_654_435_761, 4), (40_503_001, 64), (77_777_777, 256)] {
            let classes: Vec<u8> = noise(seed).map(|value| (value % 32) as u8).take(marks * 8 + 1).collect();
            let pairs: Vec<u32> = noise(seed + 2).map(|value| value ^ value << 11).take(CLASSES).collect();
            let pairs: &[u32; CLASSES] = pairs.as_slice().try_into().unwrap();
            let (mut best, mut plain) = (vec![0xFF; marks], vec![0; marks]);
            mark(&classes, pairs, &mut best);
            baseline::mark(&classes, pairs, &mut plain);
            assert_eq!(plain, best);
            for (place, pair) in classes.windows(2).enumerate() {
                let expected = pairs[usize::from(pair[0])] >> pair[1] & 1;
                assert_eq!(expected, u32::from(plain[place / 8] >> (place % 8) & 1), "place {place}");
            }
        }
    }
}
