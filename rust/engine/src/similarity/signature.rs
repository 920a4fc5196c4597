//! Signatures: bitmaps of sets, which give a lower bound of the difference between two sets.
//!
//! Each token sets one bit. A bit that is set in only one of two signatures proves that a token is in only one of the
//! sets. The low bits hold the size of the set. Each posting-list entry has a signature of 32 bits; if many tokens may
//! differ, signatures of 64 bits filter the remaining sets.
//!
//! Source: Sandes, Teodoro, Melo 2020, "Bitmap filter: speeding up exact set similarity joins with bitwise operations".

use super::threshold::Threshold;
use crate::arch::set_signatures::{SIZE_BITS, SIZES};

/// Returns the signatures of a set of tokens in 32 and in 64 bits.
pub(super) fn signature(numbers: impl Iterator<Item = u32>) -> (u32, u64) {
    let (mut narrow, mut wide, mut size) = (0_u32, 0_u64, 0_u32);
    for number in numbers {
        let hash = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let bit = |bits: u32| SIZE_BITS + ((hash * u64::from(bits - SIZE_BITS)) >> 32) as u32;
        narrow |= 1 << bit(u32::BITS);
        wide |= 1 << bit(u64::BITS);
        size += 1;
    }
    let size = size.min(SIZES as u32 - 1);
    (narrow | size, wide | u64::from(size))
}

/// Returns a lower bound of the number of tokens in only one of two sets, from their wide signatures.
pub(super) fn min_symmetric_difference(own: u64, other: u64) -> usize {
    ((own ^ other) >> SIZE_BITS).count_ones() as usize
}

/// Returns for each size the maximum number of bits by which the signature of a set of that size can differ, if its
/// similarity to a set of `len` tokens is at least `threshold`; -1 if no set of this size can be that similar.
/// `unknown` of the `len` tokens are not in the signature.
pub(super) fn max_symmetric_difference(len: usize, unknown: usize, threshold: Threshold) -> [i32; SIZES] {
    let mut most = [-1; SIZES];
    let sizes = threshold.sizes(len);
    let first = (*sizes.start()).min(SIZES - 1);
    let end = sizes.end().saturating_add(1).clamp(first, SIZES - 1);
    for (size, most) in (first..end).zip(&mut most[first..end]) {
        let left = threshold.max_symmetric_difference(len, size).and_then(|different| different.checked_sub(unknown));
        *most = left.map_or(-1, |left| left.min(i32::MAX as usize) as i32);
    }
    // The last size stands for all larger ones as well.
    if *sizes.end() >= SIZES - 1 {
        most[SIZES - 1] = i32::MAX;
    }
    most
}
